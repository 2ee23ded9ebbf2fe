/* SPDX-License-Identifier: MIT */
#include "cmd/schemes.h"

#include "band/commands.h"
#include "geometry/commands.h"
#include "parts/commands.h"
#include "schemes/bodies/commands.h"
#include "schemes/derivative/commands.h"
#include "schemes/derivative/derivative.h"
#include "schemes/leapfrog/commands.h"
#include "schemes/leapfrog/leapfrog.h"
#include "schemes/scheme19/commands.h"
#include "schemes/scheme19/scheme.h"
#include "schemes/sediment/commands.h"
#include "schemes/sediment/sediment.h"
#include "schemes/sweep/commands.h"
#include "schemes/sweep/sweep.h"
#include "space/commands.h"

const struct scheme_row schemes[] = {
    {"leapfrog", &leapfrog_scheme, leapfrog_checks, &benchmark_webb, &benchmark_room, NULL},
    {"scheme19", &scheme19_scheme, scheme19_checks, &benchmark_scheme19, NULL, NULL},
    {"walls", NULL, walls_checks, NULL, NULL, NULL},
    {"air", NULL, air_checks, NULL, NULL, NULL},
    {"sweep", &sweep_scheme, sweep_checks, &benchmark_sweep, NULL, NULL},
    {"derivative", &derivative_scheme, derivative_checks, &benchmark_derivative, NULL, NULL},
    {"sediment", &sediment_scheme, sediment_checks, &benchmark_sediment, NULL, &sediment_scenario},
    {"synth", NULL, synth_checks, NULL, NULL, NULL},
    {"geometry", NULL, geometry_checks, NULL, NULL, NULL},
    {"space", NULL, space_checks, NULL, NULL, NULL},
    {"band", NULL, band_checks, &benchmark_rays, NULL, NULL},
    {"parts", NULL, parts_checks, &benchmark_parts, NULL, NULL},
};
const size_t scheme_count = sizeof schemes / sizeof *schemes;
_Static_assert(sizeof schemes / sizeof *schemes <= SCHEMES_MAX, "raise SCHEMES_MAX");

const struct option_row option_scenario = {
    "scenario", 0, OPTION_FLAG, offsetof(struct options, scenario), NULL, "sediment: run the basin and write pictures"};
const struct option_row option_basin = {"basin",     0,
                                        OPTION_TEXT, offsetof(struct options, basin),
                                        "FILE",      "the scenario of this basin instead of rooms/basin.cfg"};

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
