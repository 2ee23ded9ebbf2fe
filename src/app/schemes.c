/* SPDX-License-Identifier: MIT */
/* The table of schemes with their checks and benchmarks. */
#include "app/schemes.h"

#include <stdio.h>
#include <string.h>

#include "app/say.h"
#include "solver/schemes/derivative/derivative.h"
#include "solver/schemes/isotropic19/isotropic19.h"
#include "solver/schemes/leapfrog/leapfrog.h"
#include "solver/schemes/sediment/sediment.h"
#include "solver/schemes/sweep/sweep.h"
#include "validate/bodies/checks.h"
#include "validate/calibrate/checks.h"
#include "validate/cartesian7/checks.h"
#include "validate/derivative/commands.h"
#include "validate/geometry/checks.h"
#include "validate/hybrid/checks.h"
#include "validate/isotropic19/checks.h"
#include "validate/modes/checks.h"
#include "validate/parts/commands.h"
#include "validate/sediment/checks.h"
#include "validate/space/checks.h"
#include "validate/sweep/commands.h"

const struct scheme_row schemes[] = {
    {"cartesian7", &cartesian7_scheme, cartesian7_checks, &benchmark_webb, &benchmark_room, NULL},
    {"isotropic19", &isotropic19_scheme, isotropic19_checks, &benchmark_isotropic19, NULL, NULL},
    {"walls", NULL, walls_checks, NULL, NULL, NULL},
    {"air", NULL, air_checks, NULL, NULL, NULL},
    {"sweep", &sweep_scheme, sweep_checks, &benchmark_sweep, NULL, NULL},
    {"derivative", &derivative_scheme, derivative_checks, &benchmark_derivative, NULL, NULL},
    {"sediment", &sediment_scheme, sediment_checks, &benchmark_sediment, NULL, &sediment_scenario},
    {"synth", NULL, synth_checks, NULL, NULL, NULL},
    {"geometry", NULL, geometry_checks, NULL, NULL, NULL},
    {"space", NULL, space_checks, NULL, NULL, NULL},
    {"modes", NULL, modes_checks, NULL, NULL, NULL},
    {"hybrid", NULL, hybrid_checks, &benchmark_rays, NULL, NULL},
    {"calibrate", NULL, calibrate_checks, NULL, NULL, NULL},
    {"parts", NULL, parts_checks, &benchmark_parts, NULL, NULL},
};
const size_t scheme_count = sizeof schemes / sizeof *schemes;
_Static_assert(sizeof schemes / sizeof *schemes <= SCHEMES_MAX, "raise SCHEMES_MAX");

static const struct {
    const char *former, *name;
} former_names[] = {{"leapfrog", "cartesian7"}, {"scheme19", "isotropic19"}, {"band", "hybrid"}};

const char *scheme_present_name(char text[SCHEME_NAME], const char *name, bool quiet)
{
    const size_t length = strcspn(name, "/");
    for (size_t i = 0; i < sizeof former_names / sizeof *former_names; i++)
        if (strlen(former_names[i].former) == length && !strncmp(name, former_names[i].former, length)) {
            snprintf(text, SCHEME_NAME, "%s%s", former_names[i].name, name + length);
            say(quiet, "note: %s is the former name of %s", former_names[i].former, former_names[i].name);
            return text;
        }
    return name;
}

const struct benchmark *benchmark_at(size_t index)
{
    for (size_t i = 0; i < scheme_count; i++) {
        const struct benchmark *benchmark = schemes[(scheme_count - i) % scheme_count].benchmark;
        if (benchmark && !index--)
            return benchmark;
    }
    for (size_t i = 0; i < scheme_count; i++)
        if (schemes[i].renders && !index--)
            return schemes[i].renders;
    return NULL;
}
