/* SPDX-License-Identifier: MIT */
/* Materials of a room and the walls fitted to them. */
#include <math.h>

#include "app/api/handles.h"

_Static_assert(AULA_OCTAVES == OCTAVE_BANDS, "aula.h and the materials have the same octaves");

double aula_octave_centre(size_t band)
{
    return band < OCTAVE_BANDS ? octave_band_centre[band] : NAN;
}

size_t aula_room_material_count(const struct aula_room *room)
{
    return room ? room->room->material_count : 0;
}

const char *aula_room_material_name(const struct aula_room *room, size_t material)
{
    return material < aula_room_material_count(room) ? room->room->materials[material].name : NULL;
}

static const struct wall_model *wall_of(const struct aula_room *room, size_t material)
{
    return material < aula_room_material_count(room) ? &room->model->walls[material] : NULL;
}

enum aula_material_kind aula_room_material_kind(const struct aula_room *room, size_t material)
{
    if (material >= aula_room_material_count(room))
        return AULA_MATERIAL_NONE;
    const struct boundary_kind *kind = boundary_kind_of(&room->room->materials[material]);
    return kind->fixed ? AULA_MATERIAL_FIXED : kind->built_in ? AULA_MATERIAL_RIGID : AULA_MATERIAL_ABSORPTION;
}

int aula_room_material_absorption(const struct aula_room *room, size_t material, double target[AULA_OCTAVES],
                                  double fitted[AULA_OCTAVES])
{
    const struct wall_model *wall = wall_of(room, material);
    for (size_t band = 0; band < AULA_OCTAVES; band++) {
        if (target)
            target[band] = wall ? wall->target[band] : NAN;
        if (fitted)
            fitted[band] = wall ? wall->fitted[band] : NAN;
    }
    return wall ? 0 : -1;
}

int aula_room_material_scattering(const struct aula_room *room, size_t material, double scattering[AULA_OCTAVES])
{
    const bool there = scattering && material < aula_room_material_count(room);
    for (size_t band = 0; scattering && band < AULA_OCTAVES; band++)
        scattering[band] = there ? room->room->materials[material].scattering[band] : NAN;
    return there ? 0 : -1;
}

double aula_room_material_area(const struct aula_room *room, size_t material)
{
    return material < aula_room_material_count(room) ? room->model->space.area[material] : NAN;
}

const char *aula_room_material_source(const struct aula_room *room, size_t material)
{
    return material < aula_room_material_count(room) ? room->room->materials[material].source : NULL;
}

double aula_room_material_admittance(const struct aula_room *room, size_t material)
{
    const struct wall_model *wall = wall_of(room, material);
    return wall ? wall->admittance : NAN;
}

size_t aula_room_material_branch_count(const struct aula_room *room, size_t material)
{
    const struct wall_model *wall = wall_of(room, material);
    return wall ? wall->branch_count : 0;
}

int aula_room_material_branch(const struct aula_room *room, size_t material, size_t index, double branch[3])
{
    const bool there = branch && index < aula_room_material_branch_count(room, material);
    for (size_t i = 0; branch && i < 3; i++)
        branch[i] = NAN;
    if (!there)
        return -1;
    const struct branch *b = &wall_of(room, material)->branches[index]; /* scaled by the time step */
    const double rate = room->model->grid.rate;
    branch[0] = b->inertance / rate;
    branch[1] = b->resistance;
    branch[2] = b->stiffness * rate;
    return 0;
}
