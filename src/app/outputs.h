/* SPDX-License-Identifier: MIT */
/* Output files of subcommands: their names, and checks that they may be written. */
#ifndef AULA_APP_OUTPUTS_H
#define AULA_APP_OUTPUTS_H

#include <stdbool.h>
#include <stddef.h>

#include "app/options.h"
#include "base/error.h"
#include "io/sound_pair.h"
#include "room/room.h"

/* Makes the names of a sound and its JSON from `output`, the argument of -o: NAME.wav, NAME.flac, NAME (meaning
 * NAME.wav), or "-" for standard output. NULL takes NAME from the file `input`. For one file of several, `part` is
 * appended after a "_"; NULL: the only file. ERROR_USAGE for folders, other non-regular files, other suffixes, and
 * several files on "-". */
int sound_names_make(struct sound_names *names, const char *output, const char *input, const char *part,
                     struct error *e);

/* Checks before any work that these files (NULL: none) can be written. ERROR_OUTPUT if one cannot, or if one exists and
 * no_clobber is set; ERROR_USAGE if a NAME.json exists that aula did not write. */
int outputs_check(const char *const *paths, size_t count, bool no_clobber, struct error *e);

/* Warns if the JSON to be replaced describes a sound with the other suffix. ERROR_MEMORY. */
int outputs_warn_of_other(const struct sound_names *names, struct error *e);

/* The outputs of a run, as indices of an array of paths; NULL: none. */
enum { OUTPUT_SOUND, OUTPUT_JSON, OUTPUT_PLOT, OUTPUTS };

/* ERROR_USAGE if an output is an input of the run or another output. A sidecar that is rendered again may be
 * replaced. */
int outputs_keep_inputs(const struct room *room, const char *const outputs[OUTPUTS], struct error *e);

/* ERROR_USAGE if an output (NULL: none) is an input of the run; `renewable` allows a sidecar that is rendered again. */
int output_keeps_inputs(const struct room *room, const char *output, bool renewable, struct error *e);

/* ERROR_USAGE if the name of a picture (NULL: none) does not end in .svg. */
int plot_check_name(const char *plot, struct error *e);

/* Sets the room's output.format to one that the file `path` can hold (audio_format_settle). FLAC uses pcm24 instead of
 * an unsupported format of the room file, with a note; an unsupported format on the command line is an error. */
int outputs_settle_format(struct room *room, const struct common_options *o, const char *format, const char *path,
                          size_t channels, double rate, struct error *e);

/* Parses the argument of --format; NULL means float. ERROR_USAGE for other words. */
int sample_format_named(enum sample_format *format, const char *name, struct error *e);

/* ERROR_USAGE if "-", standard input, is among the paths more than once. */
int standard_input_once(const char *const *paths, size_t count, struct error *e);

/* The path as messages show it; "-" becomes "standard output". */
const char *output_said(const char *path);

#endif
