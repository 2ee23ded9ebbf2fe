/* SPDX-License-Identifier: MIT */
/* The thread that renders a room in stages, finer and finer, and offers each response to a mixer. */
#ifndef AULA_RENDER_PREVIEW_REFINER_H
#define AULA_RENDER_PREVIEW_REFINER_H

#include <stdbool.h>

#include "render/preview/mixer.h"
#include "render/preview/stages.h"

struct refiner;

/* stages: what they are of must outlive the refiner, and so must the mixer; `first` as of stages_plan. */
int refiner_start(struct refiner **r, const struct stages *stages, double first, struct mixer *mixer, struct error *e);

/* NULL-safe; prompt, also within a stage, for which it asks all work of the program to end; frees it. */
void refiner_end(struct refiner *r);

struct refiner_status {
    double grid_rate,
        valid_frequency;        /* Hz, of the last offered: its waves are heard to there; 0: none yet, or no waves */
    double band;                /* Hz: the end of what is heard of it, waves and rays; 0: nothing yet */
    double next_rate, progress; /* Hz, 0 to 1, of the one being rendered; next_rate 0: none */
    bool failed;                /* no further stages: error */
    struct error error;
};
struct refiner_status refiner_status(struct refiner *r);

#endif
