/* SPDX-License-Identifier: MIT */
/* Output files of subcommands: their names, and checks of what they may replace. */
#ifndef AULA_APP_OUTPUTS_H
#define AULA_APP_OUTPUTS_H

#include <stdbool.h>
#include <stddef.h>

#include "app/options.h"
#include "base/error.h"
#include "io/sound_pair.h"
#include "room/room.h"

/* Names from `output`, the argument of -o: NAME.wav or NAME.flac (NAME alone is NAME.wav), or "-" for standard output;
 * NULL: NAME of the file `input`. `part` follows the name after a "_", for one file of several; NULL: the only one.
 * ERROR_USAGE for folders, what is no regular file, other suffixes, and several files for "-". */
int sound_names_make(struct sound_names *names, const char *output, const char *input, const char *part,
                     struct error *e);

/* Checked before any work: whether these files (NULL: none) can and may be written. ERROR_OUTPUT when one cannot, or
 * exists with no_clobber; ERROR_USAGE when a NAME.json exists that aula did not write. */
int outputs_check(const char *const *paths, size_t count, bool no_clobber, struct error *e);

/* Warns where the JSON describes a sound of the other suffix, which then has none. ERROR_MEMORY. */
int outputs_warn_of_other(const struct sound_names *names, struct error *e);

/* Outputs of a run; NULL: none. */
enum { OUTPUT_SOUND, OUTPUT_JSON, OUTPUT_PLOT, OUTPUTS };

/* ERROR_USAGE when an output is an input of the run or another output. A sidecar that is rendered again may be
 * replaced. */
int outputs_keep_inputs(const struct room *room, const char *const outputs[OUTPUTS], struct error *e);

/* ERROR_USAGE when an output (NULL: none) is an input of the run; renewable: a JSON that is rendered again may be. */
int output_keeps_inputs(const struct room *room, const char *output, bool renewable, struct error *e);

/* ERROR_USAGE when the name of a picture does not end in .svg; NULL: none. */
int plot_check_name(const char *plot, struct error *e);

/* Sets the room's output.format to one that the file `path` can hold (audio_format_settle): FLAC takes pcm24 in place
 * of the room file's format, with a note; a format of the command line is refused. */
int outputs_settle_format(struct room *room, const struct common_options *o, const char *format, const char *path,
                          size_t channels, double rate, struct error *e);

/* The format that --format names; NULL: float. ERROR_USAGE for another word. */
int sample_format_named(enum sample_format *format, const char *name, struct error *e);

/* ERROR_USAGE when "-", standard input, is given more than once: it can be read once. */
int standard_input_once(const char *const *paths, size_t count, struct error *e);

/* "studio.wav", or "standard output": for messages. */
const char *output_said(const char *path);

#endif
