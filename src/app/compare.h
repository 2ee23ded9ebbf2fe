/* SPDX-License-Identifier: MIT */
/* What aula compare measures, prints and plays. */
#ifndef AULA_APP_COMPARE_H
#define AULA_APP_COMPARE_H

#include "app/options.h"
#include "dsp/measure/comparison.h"
#include "dsp/measure/findings.h"

#define COMPARE_EVERY 2.0 /* s: between switches of --listen, by default */

struct compare_options {
    struct common_options common;
    struct output_options output;
    const char *receiver, *dry;
    double every; /* s: between switches of --listen */
    bool csv, third_octaves, match_level;
};

/* A measured file: its recording without the samples, and the parameters of each channel. */
struct measured_response {
    const char *path;
    struct recording recording;
    struct metrics *channel; /* [recording.audio.channels] */
    struct measured_findings findings;
};

/* All files against the first. */
struct compared_files {
    struct measured_response *files; /* [count] */
    size_t count;
    struct comparison *comparisons; /* [count - 1] */
    bool third_octaves;
};

/* On standard output. ERROR_MEMORY. */
int compare_print_table(const struct compared_files *c, struct error *e);
int compare_print_json(const struct compared_files *c, struct error *e);
int compare_print_csv(const struct compared_files *c, struct error *e);

/* Checks --listen, -o and the options that need them, before any work. ERROR_USAGE, ERROR_OUTPUT. */
int compare_listen_check(const struct compare_options *o, struct error *e);

/* Writes the sound that alternates between all responses convolved with the dry sound. */
int compare_listen(const struct compare_options *o, const struct compared_files *c, struct error *e);

#endif
