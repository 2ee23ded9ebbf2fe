/* SPDX-License-Identifier: MIT */
#include "sofa/places.h"

#include <math.h>
#include <string.h>

int sofa_places(struct sofa_places *places, const struct sofa_document *d, const char *name, size_t rows,
                const char *path, struct error *e)
{
    const struct sofa_variable *v = sofa_variable(d, name);
    if (!v)
        return fail(e, ERROR_INPUT, "%s: has no %s", path, name);
    const char *type = sofa_text(&v->attributes, "Type");
    *places = (struct sofa_places){.variable = v, .spherical = type && !strcmp(type, "spherical")};
    if (type && !places->spherical && strcmp(type, "cartesian") != 0)
        return fail(e, ERROR_INPUT, "%s: %s is of another type than \"cartesian\" and \"spherical\"", path, name);
    if (v->rank < 2 || v->extent[1] != 3 || (v->extent[0] != 1 && v->extent[0] != rows) ||
        (v->rank > 2 && sofa_variable_size(v) != 3 * v->extent[0]))
        return fail(e, ERROR_INPUT, "%s: %s does not have three numbers for each of 1 or %zu", path, name, rows);
    for (size_t i = 0; i < 3 * v->extent[0]; i++)
        if (!(fabs(v->values[i]) <= 1e6))
            return fail(e, ERROR_INPUT, "%s: a number of %s is none, or beyond a million", path, name);
    return 0;
}

void sofa_place(double out[3], const struct sofa_places *places, size_t row)
{
    const double *at = places->variable->values + 3 * (places->variable->extent[0] == 1 ? 0 : row);
    const double degree = M_PI / 180.0;
    memcpy(out, at, 3 * sizeof *out);
    if (!places->spherical)
        return;
    const double azimuth = at[0] * degree, elevation = at[1] * degree, radius = at[2];
    out[0] = radius * cos(elevation) * cos(azimuth);
    out[1] = radius * cos(elevation) * sin(azimuth);
    out[2] = radius * sin(elevation);
}

int sofa_axes(struct sofa_axes *axes, const struct sofa_document *d, const char *view, const char *up, size_t rows,
              const char *path, struct error *e)
{
    *axes = (struct sofa_axes){.given = sofa_variable(d, view) && sofa_variable(d, up)};
    if (!axes->given)
        return 0;
    if (sofa_places(&axes->view, d, view, rows, path, e) || sofa_places(&axes->up, d, up, rows, path, e))
        return -1;
    if (!sofa_text(&axes->up.variable->attributes, "Type")) /* as the view has it */
        axes->up.spherical =
            axes->view.spherical && axes->up.variable->values[2] != 0.0 && fabs(axes->up.variable->values[1]) > 1.0;
    return 0;
}

static double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

int sofa_seen(double seen[3], const struct sofa_axes *axes, size_t row, const double place[3], const char *path,
              struct error *e)
{
    double front[3], up[3];
    memcpy(seen, place, 3 * sizeof *seen);
    if (!axes->given)
        return 0;
    sofa_place(front, &axes->view, row);
    sofa_place(up, &axes->up, row);
    const double length = sqrt(dot(front, front));
    for (int i = 0; i < 3; i++)
        front[i] /= length;
    const double along = dot(front, up);
    for (int i = 0; i < 3; i++)
        up[i] -= along * front[i];
    const double height = sqrt(dot(up, up));
    if (!(length > 1e-6 && height > 1e-6))
        return fail(e, ERROR_INPUT, "%s: the view and the up of a body are no two directions", path);
    for (int i = 0; i < 3; i++)
        up[i] /= height;
    const double left[3] = {up[1] * front[2] - up[2] * front[1], up[2] * front[0] - up[0] * front[2],
                            up[0] * front[1] - up[1] * front[0]};
    seen[0] = dot(place, front);
    seen[1] = dot(place, left);
    seen[2] = dot(place, up);
    return 0;
}
