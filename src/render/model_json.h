/* SPDX-License-Identifier: MIT */
/* The model as JSON. */
#ifndef AULA_RENDER_MODEL_JSON_H
#define AULA_RENDER_MODEL_JSON_H

#include "render/length.h"
#include "room/grid/air.h"
#include "room/grid/model.h"
#include "solver/solver.h"

struct cJSON;

/* Grid, valid band, air, walls, placements, notes; also for `aula info --json`. `air`: the method. */
struct cJSON *model_json(const struct model *m, const struct solver_plan *r, const struct length *length,
                         enum air_method air);

/* Branches in units of the time step of `rate`, Hz, as [[D, E, F], ..] in SI units; the tanks of a branch, [C, G, H],
 * follow its three numbers. */
struct cJSON *branches_json(const struct branch *branches, size_t count, double rate);

#endif
