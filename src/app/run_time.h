/* SPDX-License-Identifier: MIT */
/* How long a render takes: what aula info says, and what a render says before it begins. */
#ifndef AULA_APP_RUN_TIME_H
#define AULA_APP_RUN_TIME_H

#include "io/json_build.h"
#include "render/geometric_trial.h"

/* s, of all sources */
struct run_time {
    double setup; /* before the first step: grows with the points of the grid */
    double waves; /* steps */
    struct geometric_seconds geometric;
};

/* The line "run time"; parts: of the grid. */
void run_time_print(const struct run_time *run, int parts);

/* estimated_seconds, and what it is made of. */
void run_time_json(cJSON *json, const struct run_time *run);

/* Tells of image sources in an empty box that take longer than most renders. */
void warn_of_many_images(const struct model *m, size_t sources);

#endif
