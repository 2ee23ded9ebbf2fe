/* The thread that renders a room in stages, finer and finer, and offers each response to a mixer. */
#ifndef AULA_PREVIEW_REFINER_H
#define AULA_PREVIEW_REFINER_H

#include <stdbool.h>

#include "preview/mixer.h"
#include "preview/stages.h"

struct refiner;

/* stages: planned; they and the mixer must outlive the refiner. */
int refiner_start(struct refiner **r, const struct stages *stages, struct mixer *mixer, struct error *e);
void refiner_end(struct refiner *r); /* NULL-safe; prompt, also within a stage; frees it */

struct refiner_status {
    double grid_rate, valid_frequency; /* Hz, of the last offered; 0: none yet */
    double next_rate, progress;        /* Hz, 0 to 1, of the one being rendered; next_rate 0: none */
    bool failed;                       /* no further stages: error */
    struct error error;
};
struct refiner_status refiner_status(struct refiner *r);

#endif
