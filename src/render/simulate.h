/* SPDX-License-Identifier: MIT */
/* A simulation: the solver run from start to end, with progress. */
#ifndef AULA_RENDER_SIMULATE_H
#define AULA_RENDER_SIMULATE_H

#include "render/blocks.h"
#include "render/excitation.h"
#include "render/length.h"
#include "render/response.h"
#include "room/grid/model.h"
#include "solver/solver.h"

struct simulation_run;

struct simulation {
    struct traces traces; /* [room_tap_count][steps] */
    size_t steps;
    struct solver_plan plan;
    struct block_outcome outcome;
    struct simulation_run *run; /* between simulation_begin and simulation_end */
};

/* The model at rest, with `count` of its sources from `first`; checks the memory for signals of
 * this length. Call simulation_end after any failure too, and free with traces_free(&s->traces). */
int simulation_begin(struct simulation *s, const struct model *m, size_t first, size_t count,
                     const struct length *length, const struct solver_options *choice, struct error *e);

/* Continues up to `steps` steps. The recorded samples have the same bits as in one run of that many
 * steps. excitations[count] drive the sources, delayed such that their onsets fall on sample
 * `onset`, which exceeds each onset by at least drives_lead (render/drives.h). */
int simulation_step(struct simulation *s, const struct excitation *excitations, size_t onset, size_t steps,
                    const struct watch *watch, struct error *e);
/* Writes the progress to the checkpoint, if there is one. `complete`: only the traces; else the
 * state of the solver too, unless already saved. */
void simulation_keep(struct simulation *s, bool complete);

void simulation_end(struct simulation *s); /* safe on a zeroed struct */

/* Begin, step and end. Free with traces_free(&s->traces). */
int simulate(struct simulation *s, const struct model *m, size_t first, size_t count,
             const struct excitation *excitations, size_t onset, const struct length *length,
             const struct solver_options *choice, const struct watch *watch, struct error *e);

/* Peak memory of a run of this length with `sources` concurrent sources. */
struct memory_plan {
    uint64_t grid;    /* grids, boundary lists, channels: on the GPU when plan.on_device */
    uint64_t signals; /* drive, traces, response and its temporary copies */
};
struct memory_plan memory_plan(const struct model *m, const struct solver_plan *r, size_t sources,
                               const struct length *length);

/* Fails with ERROR_MEMORY if more is needed than available, and names settings that fit. */
int check_memory(const struct model *m, const struct solver_plan *r, size_t sources, const struct length *length,
                 struct error *e);

#endif
