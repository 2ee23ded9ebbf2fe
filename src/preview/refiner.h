/* The thread that renders a room stage by stage and offers each to a mixer, finer and finer, while sound goes on. */
#ifndef AULA_PREVIEW_REFINER_H
#define AULA_PREVIEW_REFINER_H

#include <stdbool.h>

#include "preview/mixer.h"
#include "preview/stages.h"

struct refiner;

/* stages: planned; they and the mixer outlive the refiner. */
int refiner_start(struct refiner **r, const struct stages *stages, struct mixer *mixer, struct error *e);
void refiner_end(struct refiner *r); /* NULL-safe; within a moment, also in the middle of a stage; frees it */

struct refiner_status {
    double grid_rate, valid_frequency; /* Hz, of what was offered last; 0: nothing yet */
    double next_rate, progress;        /* Hz, 0 to 1, of what is rendered; next_rate 0: nothing any more */
    bool failed;                       /* no finer than this: error */
    struct error error;
};
struct refiner_status refiner_status(struct refiner *r);

#endif
