/* SPDX-License-Identifier: MIT */
/* The table of the checks of the 19-point scheme. */
#include "validate/cartesian7/kernels.h"
#include "validate/cartesian7/modes.h"
#include "validate/cartesian7/solid.h"
#include "validate/cartesian7/wall_partition.h"
#include "validate/isotropic19/checks.h"

static const struct check kernel_check = {"kernels", check_isotropic19_kernels};
static const struct check solid_room_check = {"solid", check_isotropic19_solid};
static const struct check mode_check = {"modes", check_isotropic19_modes};
static const struct check energy_check = {"energy", check_isotropic19_energy};
static const struct check bound_check = {"bound", check_isotropic19_bound};
static const struct check reflection_check = {"reflection", check_isotropic19_reflection};
static const struct check wave_partition_check = {"partition", check_isotropic19_partition};
static const struct check map_check = {"map", check_isotropic19_map};
static const struct check free_field_check = {"free-field", check_isotropic19_free_field};
static const struct check wall_check = {"walls", check_isotropic19_walls};
static const struct check decay_check = {"decay", check_isotropic19_decay};
static const struct check slanted_check = {"slanted", check_isotropic19_slanted};
static const struct check room_check = {"rooms", check_isotropic19_rooms};

const struct check *const isotropic19_checks[] = {
    &kernel_check,         &solid_room_check,
    &mode_check,           &energy_check,
    &bound_check,          &reflection_check,
    &wave_partition_check, &map_check,
    &free_field_check,     &wall_check,
    &decay_check,          &slanted_check,
    &room_check,           NULL,
};

/* Every kernel compared with the point-by-point reference of the cpu engine, bit for bit. */

int check_isotropic19_kernels(struct validation *v, struct report *r, struct error *e)
{
    return kernels_check(v, r, STENCIL_19_POINT, e);
}

/* Sound through partitions at oblique incidence. */
int check_isotropic19_partition(struct validation *v, struct report *r, struct error *e)
{
    return partition_check(v, r, STENCIL_19_POINT, e);
}

int check_isotropic19_solid(struct validation *v, struct report *r, struct error *e)
{
    return solid_check(v, r, STENCIL_19_POINT, e);
}

/* Rigid boxes compared with the sum of their modes on the grid: Π cos(π m_i x_i/N_i), m_i =
 * 0..N_i. */

enum { BOXES = 5 };

int check_isotropic19_modes(struct validation *v, struct report *r, struct error *e)
{
    for (int i = 0; i < BOXES; i++)
        if (modes_check_box(v, r, "modes", STENCIL_19_POINT, 0.0, e))
            return -1;
    return 0;
}
