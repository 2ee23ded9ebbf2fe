/* SPDX-License-Identifier: MIT */
/* A thread that renders a room in ever finer stages and offers each response to a mixer. */
#ifndef AULA_RENDER_PREVIEW_REFINER_H
#define AULA_RENDER_PREVIEW_REFINER_H

#include <stdbool.h>

#include "render/preview/mixer.h"
#include "render/preview/stages.h"

struct refiner;

/* stages: its objects must outlive the refiner, as must the mixer; `first` as of stages_plan. */
int refiner_start(struct refiner **r, const struct stages *stages, double first, struct mixer *mixer, struct error *e);

/* NULL-safe and prompt, even within a stage: stops all work of the program; frees the refiner */
void refiner_end(struct refiner *r);

struct refiner_status {
    double grid_rate, valid_frequency; /* Hz, of the last offer: end of the wave solver's band; 0: none */
    double band;                       /* Hz: end of its whole band; 0: no offer */
    double next_rate, progress;        /* Hz, 0 to 1, of the stage in progress; next_rate 0: none */
    bool failed;                       /* no further stages: see error */
    struct error error;
};
struct refiner_status refiner_status(struct refiner *r);

#endif
