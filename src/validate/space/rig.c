/* SPDX-License-Identifier: MIT */
#include "validate/space/rig.h"

#include <math.h>
#include <string.h>

#include "solver/schemes/isotropic19/isotropic19.h"
#include "solver/schemes/leapfrog/leapfrog.h"

struct space_scheme space_scheme_of(int index)
{
    double courant_squared = 1.0 / 3.0;
    cartesian7_courant_squared(0.0, &courant_squared, NULL);
    if (!index)
        return (struct space_scheme){"7-point", STENCIL_7_POINT,
                                     field_waves_of(STENCIL_7_POINT, courant_squared, false, false), 0.0758};
    return (struct space_scheme){"19-point, mapped", STENCIL_19_POINT,
                                 field_waves_of(STENCIL_19_POINT, ISOTROPIC19_COURANT_SQUARED, true, false), 0.2161};
}

int space_stencil_make(struct field_stencil *s, struct field_lattice **lattices, const struct space_scheme *scheme,
                       const double fraction[3], int order, struct error *e)
{
    s->order = order;
    s->radius = field_radius(scheme->stencil, order);
    memcpy(s->fraction, fraction, sizeof s->fraction);
    field_stencil_ball(s);
    return field_stencil_fit(s, lattices, &scheme->waves, e);
}

void space_places(double places[SPACE_PLACES][3], struct random *r)
{
    static const double fixed[4][3] = {{0, 0, 0}, {0.5, 0, 0}, {0.5, 0.5, 0}, {0.5, 0.5, 0.5}};
    for (int i = 0; i < SPACE_PLACES; i++)
        for (int axis = 0; axis < 3; axis++)
            places[i][axis] = i < 4 ? fixed[i][axis] : random_unit(r);
}

void space_direction(double d[3], struct random *r)
{
    const double z = 2.0 * random_unit(r) - 1.0, angle = 2.0 * M_PI * random_unit(r), across = sqrt(1.0 - z * z);
    d[0] = across * cos(angle);
    d[1] = across * sin(angle);
    d[2] = z;
}

void space_box_init(struct space_box *b, const double size[3], double impedance)
{
    memset(b, 0, sizeof *b);
    b->materials[0] = (struct material){.name = "wall", .kind = MATERIAL_IMPEDANCE, .impedance = impedance};
    b->materials[1] = (struct material){.name = "rigid", .kind = MATERIAL_RIGID};
    b->source = (struct source){.name = "S", .gain = 1.0};
    b->room = (struct room){.path = "space",
                            .materials = b->materials,
                            .material_count = 2,
                            .duration = 0.05,
                            .sources = &b->source,
                            .source_count = 1,
                            .receivers = b->receivers};
    memcpy(b->room.size, size, sizeof b->room.size);
    b->room.air.temperature = 20.0;
    b->room.air.humidity = 50.0;
    b->room.air.pressure = 101.325;
    b->room.output.dispersion = 0.02;
    b->room.grid.precision = PRECISION_DOUBLE;
}

int space_box_make(struct space_box *b, struct error *e)
{
    return model_make(&b->model, &b->room, e);
}

void space_box_free(struct space_box *b)
{
    model_free(b->model);
    b->model = NULL;
}
