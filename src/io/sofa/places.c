/* SPDX-License-Identifier: MIT */
#include "io/sofa/places.h"

#include <math.h>
#include <string.h>
#include <strings.h>

#include "io/sofa/units.h"

/* Where a variable has no Type its units tell. */
static bool is_spherical(const struct sofa_variable *v)
{
    static const char *const angles[] = {"deg", "rad"};
    const char *type = sofa_text(&v->attributes, "Type"), *units = sofa_text(&v->attributes, "Units");
    if (type)
        return !strcmp(type, "spherical");
    return units && (!strncasecmp(units, angles[0], 3) || !strncasecmp(units, angles[1], 3));
}

int sofa_places(struct sofa_places *places, const struct sofa_document *d, const char *name, size_t rows,
                const char *path, struct error *e)
{
    static const enum sofa_quantity quantities[2][3] = {{SOFA_LENGTH, SOFA_LENGTH, SOFA_LENGTH},
                                                        {SOFA_ANGLE, SOFA_ANGLE, SOFA_LENGTH}};
    const struct sofa_variable *v = sofa_variable(d, name);
    if (!v)
        return fail(e, ERROR_INPUT, "%s: has no %s", path, name);
    const char *type = sofa_text(&v->attributes, "Type");
    *places = (struct sofa_places){.variable = v, .spherical = is_spherical(v)};
    if (type && !places->spherical && strcmp(type, "cartesian") != 0)
        return fail(e, ERROR_INPUT, "%s: the type of %s is neither \"cartesian\" nor \"spherical\"", path, name);
    if (v->rank < 2 || v->extent[1] != 3 || (v->extent[0] != 1 && v->extent[0] != rows) ||
        (v->rank > 2 && sofa_variable_size(v) != 3 * v->extent[0]))
        return fail(e, ERROR_INPUT, "%s: %s must have three numbers for each of 1 or %zu entries", path, name, rows);
    for (size_t i = 0; i < 3 * v->extent[0]; i++)
        if (!(fabs(v->values[i]) <= 1e6))
            return fail(e, ERROR_INPUT, "%s: a number of %s is not finite or exceeds a million", path, name);
    return sofa_units(places->factor, quantities[places->spherical], 3, v, 0.0, path, e);
}

void sofa_place(double out[3], const struct sofa_places *places, size_t row)
{
    const double *at = places->variable->values + 3 * (places->variable->extent[0] == 1 ? 0 : row);
    const double degree = M_PI / 180.0;
    for (int i = 0; i < 3; i++)
        out[i] = places->factor[i] * at[i];
    if (!places->spherical)
        return;
    const double azimuth = out[0] * degree, elevation = out[1] * degree, radius = out[2];
    out[0] = radius * cos(elevation) * cos(azimuth);
    out[1] = radius * cos(elevation) * sin(azimuth);
    out[2] = radius * sin(elevation);
}

/* An up without Type and Units has those of the view, unless it is (0, 0, 1). */
static void follow_view(struct sofa_axes *axes)
{
    const struct sofa_attributes *a = &axes->up.variable->attributes;
    const double *up = axes->up.variable->values;
    if (!sofa_text(a, "Type") && !sofa_text(a, "Units") && axes->view.spherical && up[2] != 0.0 && fabs(up[1]) > 1.0) {
        axes->up.spherical = true;
        memcpy(axes->up.factor, axes->view.factor, sizeof axes->up.factor);
    }
}

int sofa_axes(struct sofa_axes *axes, const struct sofa_document *d, const char *view, const char *up, size_t rows,
              const char *path, struct error *e)
{
    *axes = (struct sofa_axes){.view_name = view, .up_name = up};
    if ((sofa_variable(d, view) && sofa_places(&axes->view, d, view, rows, path, e)) ||
        (sofa_variable(d, up) && sofa_places(&axes->up, d, up, rows, path, e)))
        return -1;
    if (axes->view.variable && axes->up.variable)
        follow_view(axes);
    return 0;
}

static double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static int refuse_axes(const struct sofa_axes *axes, const char *path, struct error *e)
{
    if (!axes->up.variable)
        return fail(e, ERROR_INPUT, "%s: %s is zero or parallel to z; add %s", path, axes->view_name, axes->up_name);
    return fail(e, ERROR_INPUT, "%s: the vectors %s and %s are parallel, or one is zero", path, axes->view_name,
                axes->up_name);
}

int sofa_seen(double seen[3], const struct sofa_axes *axes, size_t row, const double place[3], const char *path,
              struct error *e)
{
    double front[3] = {1.0, 0.0, 0.0}, up[3] = {0.0, 0.0, 1.0};
    memcpy(seen, place, 3 * sizeof *seen);
    if (!axes->view.variable && !axes->up.variable)
        return 0;
    if (axes->view.variable)
        sofa_place(front, &axes->view, row);
    if (axes->up.variable)
        sofa_place(up, &axes->up, row);
    const double length = sqrt(dot(front, front));
    for (int i = 0; i < 3; i++)
        front[i] /= length;
    const double along = dot(front, up);
    for (int i = 0; i < 3; i++)
        up[i] -= along * front[i];
    const double height = sqrt(dot(up, up));
    if (!(length > 1e-6 && height > 1e-6))
        return refuse_axes(axes, path, e);
    for (int i = 0; i < 3; i++)
        up[i] /= height;
    const double left[3] = {up[1] * front[2] - up[2] * front[1], up[2] * front[0] - up[0] * front[2],
                            up[0] * front[1] - up[1] * front[0]};
    seen[0] = dot(place, front);
    seen[1] = dot(place, left);
    seen[2] = dot(place, up);
    return 0;
}
