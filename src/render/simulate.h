/* A row of blocks: the solver driven from start to end, watched. */
#ifndef AULA_RENDER_SIMULATE_H
#define AULA_RENDER_SIMULATE_H

#include "model/model.h"
#include "render/blocks.h"
#include "signal/excitation.h"
#include "signal/response.h"
#include "solver.h"

struct simulation {
    struct traces traces; /* [receivers][steps] */
    size_t steps;
    struct requirement requirement;
    struct block_outcome outcome;
};

/* Steps the model `steps` times with `count` of its sources, from `first` on, driven by excitations[count], each
 * delayed so that their onsets fall on sample *onset. Free with traces_free(&s->traces). */
int simulate(struct simulation *s, const struct model *m, size_t first, size_t count,
             const struct excitation *excitations, size_t onset, size_t steps, const struct choice *choice,
             const struct watch *watch, struct error *e);

/* What a run of `steps` steps with `sources` sources at once holds at its peak. */
struct memory_plan {
    uint64_t grid;    /* grids, boundary lists, channels: on the GPU when requirement.on_device */
    uint64_t signals; /* drive, traces, response and what its making copies */
};
struct memory_plan memory_plan(const struct model *m, const struct requirement *r, size_t sources, size_t steps);

/* Fails with ERROR_MEMORY, saying what would fit, when that is more than there is. */
int check_memory(const struct model *m, const struct requirement *r, size_t sources, size_t steps, struct error *e);

#endif
