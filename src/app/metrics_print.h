/* SPDX-License-Identifier: MIT */
/* Acoustic parameters of responses as a table, as JSON and as CSV on standard output. */
#ifndef AULA_APP_METRICS_PRINT_H
#define AULA_APP_METRICS_PRINT_H

#include "app/metrics.h"
#include "dsp/measure/findings.h"
#include "dsp/measure/recording.h"

/* A measured file: its recording without the samples, and a result for each channel. */
struct measured_file {
    const char *path;
    struct recording recording;
    struct metrics *channel; /* [recording.audio.channels] */
    struct measured_findings findings;
};

int metrics_print_table(const struct measured_file *files, size_t count, const struct metrics_wanted *w,
                        struct error *e);
/* With the verdict about each file, unless `judged` is NULL. */
int metrics_print_json(const struct measured_file *files, size_t count, const struct metrics_wanted *w,
                       const struct subject_judged *judged, const struct target *target, struct error *e);
int metrics_print_csv(const struct measured_file *files, size_t count, const struct metrics_wanted *w, struct error *e);

#endif
