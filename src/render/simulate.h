/* A row of blocks: the solver driven from start to end, watched. */
#ifndef AULA_RENDER_SIMULATE_H
#define AULA_RENDER_SIMULATE_H

#include "model/model.h"
#include "signal/excitation.h"
#include "signal/response.h"
#include "solver.h"

/* Called between blocks. Returning false stops the run with ERROR_STOPPED. */
struct watch {
    bool (*look)(void *context, size_t steps_done, size_t steps, double points_per_second);
    void *context;
};

struct simulation {
    struct traces traces; /* [receivers][steps] */
    size_t steps;
    struct requirement requirement;
    struct audit audit;
    double
        energy_residual; /* |stored + absorbed - supplied| over what was supplied or is stored, whichever is larger */
    double seconds;      /* stepping alone */
};

/* Steps the model `steps` times with `count` of its sources, from `first` on, driven by excitations[count], each
 * delayed so that their onsets fall on sample *onset. Free with traces_free(&s->traces). */
int simulate(struct simulation *s, const struct model *m, size_t first, size_t count,
             const struct excitation *excitations, size_t onset, size_t steps, const struct choice *choice,
             const struct watch *watch, struct error *e);

/* Fails with ERROR_MEMORY, saying which grid rate would fit, when the model needs more memory than there is. */
int check_memory(const struct model *m, const struct requirement *r, size_t steps, struct error *e);

/* The grids, boundary lists, channels and traces of a run. */
uint64_t working_memory(const struct model *m, const struct requirement *r, size_t steps);

#endif
