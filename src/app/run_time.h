/* SPDX-License-Identifier: MIT */
/* Estimated run times: the lines of aula info, and the warning before a slow render. */
#ifndef AULA_APP_RUN_TIME_H
#define AULA_APP_RUN_TIME_H

#include "io/json_build.h"
#include "render/geometric_trial.h"

/* Seconds for all sources. */
struct run_time {
    double setup; /* before the first step; proportional to the number of grid points */
    double waves; /* the steps of the wave solver */
    struct geometric_seconds geometric;
};

/* Prints the line "run time" for a grid of `parts` parts. */
void run_time_print(const struct run_time *run, int parts);

/* Adds estimated_seconds and its contributions. */
void run_time_json(cJSON *json, const struct run_time *run);

/* Warns if the image sources of an empty box would take longer than most renders. */
void warn_of_many_images(const struct model *m, size_t sources);

#endif
