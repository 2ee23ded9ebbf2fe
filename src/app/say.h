/* SPDX-License-Identifier: MIT */
/* Messages of the subcommands on stderr. */
#ifndef AULA_APP_SAY_H
#define AULA_APP_SAY_H

#include <stdbool.h>
#include <stddef.h>

#include "app/options.h"
#include "dsp/measure/recording.h"
#include "io/wav_header.h"

/* Prints a line unless `quiet`. */
void say(bool quiet, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Prints "PREFIX: LINE" for each line. */
void say_lines(const char *prefix, char *const *lines, size_t count);

/* Only with --verbose. */
void say_more(const struct common_options *o, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Notes why engines that --engine auto prefers cannot run. Engines that the build lacks are noted only with --verbose. */
void say_engines_passed_over(const struct solver_options *choice, const struct common_options *o);

/* Notes the assumptions about a file; this is a warning if the JSON beside it belongs to another sound. */
void say_recording_note(const struct common_options *o, const char *path, const struct recording *r);

/* With --verbose: prints the contents of a file, and whether the JSON beside it describes it. */
void say_recording(const struct common_options *o, const char *path, const struct recording *r);

/* Warns, with the remedy, if the peak of a 16 bit file is -60 dB re full scale or less: rounding noise is then audible. */
void say_faint(const char *path, enum sample_format format, double peak, const char *remedy);

/* Writes a duration as "1 min 12 s" to the caller's buffer and returns it. */
const char *say_duration(char text[32], double seconds);

#endif
