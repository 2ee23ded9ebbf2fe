/* SPDX-License-Identifier: MIT */
/* Messages of the subcommands, on stderr. */
#ifndef AULA_APP_SAY_H
#define AULA_APP_SAY_H

#include <stdbool.h>
#include <stddef.h>

#include "app/options.h"
#include "dsp/measure/recording.h"
#include "io/wav_header.h"

void say(bool quiet, const char *format, ...) __attribute__((format(printf, 2, 3)));
void say_lines(const char *prefix, char *const *lines, size_t count);

/* Only with --verbose. */
void say_more(const struct common_options *o, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Says why the engines before the one that --engine auto takes cannot run; with --verbose also those that the build
 * lacks. */
void say_engines_passed_over(const struct solver_options *choice, const struct common_options *o);

/* What was assumed of a file: a note; a warning where the JSON beside it belongs to another sound. */
void say_recording_note(const struct common_options *o, const char *path, const struct recording *r);

/* With --verbose: content of a file, and whether the JSON beside it describes it. */
void say_recording(const struct common_options *o, const char *path, const struct recording *r);

/* A warning with the remedy for a 16 bit file whose peak is -60 dB re full scale or less: it is mostly rounding. */
void say_faint(const char *path, enum sample_format format, double peak, const char *remedy);

/* "1 min 12 s", in a buffer of the caller. */
const char *say_duration(char text[32], double seconds);

#endif
