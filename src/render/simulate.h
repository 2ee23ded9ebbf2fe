/* A row of blocks: the solver driven from start to end, watched. */
#ifndef AULA_RENDER_SIMULATE_H
#define AULA_RENDER_SIMULATE_H

#include "model/model.h"
#include "render/blocks.h"
#include "render/length.h"
#include "signal/excitation.h"
#include "signal/response.h"
#include "solver/solver.h"

struct simulation_run;

struct simulation {
    struct traces traces; /* [receivers][steps] */
    size_t steps;
    struct requirement requirement;
    struct block_outcome outcome;
    struct simulation_run *run; /* between simulation_begin and simulation_end */
};

/* The model with `count` of its sources, from `first` on, at rest; of the length, memory for its signals is looked for.
 * After any failure too simulation_end, and free with traces_free(&s->traces). */
int simulation_begin(struct simulation *s, const struct model *m, size_t first, size_t count,
                     const struct length *length, const struct choice *choice, struct error *e);

/* Steps it until `steps` steps are done, which may be more than before: what was recorded stays, bit for bit what one run
 * of so many steps gives. The sources are driven by excitations[count], each delayed so that their onsets fall on sample
 * *onset. */
int simulation_step(struct simulation *s, const struct excitation *excitations, size_t onset, size_t steps,
                    const struct watch *watch, struct error *e);
void simulation_end(struct simulation *s); /* safe on a zeroed struct */

/* All three at once. Free with traces_free(&s->traces). */
int simulate(struct simulation *s, const struct model *m, size_t first, size_t count,
             const struct excitation *excitations, size_t onset, const struct length *length,
             const struct choice *choice, const struct watch *watch, struct error *e);

/* What a run of this length with `sources` sources at once holds at its peak. */
struct memory_plan {
    uint64_t grid;    /* grids, boundary lists, channels: on the GPU when requirement.on_device */
    uint64_t signals; /* drive, traces, response and what its making copies */
};
struct memory_plan memory_plan(const struct model *m, const struct requirement *r, size_t sources,
                               const struct length *length);

/* Fails with ERROR_MEMORY, saying what would fit, when that is more than there is. */
int check_memory(const struct model *m, const struct requirement *r, size_t sources, const struct length *length,
                 struct error *e);

#endif
