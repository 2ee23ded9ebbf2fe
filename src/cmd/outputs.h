/* Files that subcommands write: their names, what they may take the place of, and how they come to be together. */
#ifndef AULA_CMD_OUTPUTS_H
#define AULA_CMD_OUTPUTS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "cmd/options.h"
#include "io/sound_pair.h"
#include "room/room.h"

/* From what -o says: NAME.wav or NAME.flac (NAME alone is NAME.wav), or "-" for standard output; when it says nothing
 * (NULL), NAME is that of the file that is read. `part` stands behind the name after a "_", for one file of several; NULL:
 * it is the only one. ERROR_USAGE for folders, what is no regular file, other suffixes, and several files for "-". */
int sound_names_make(struct sound_names *names, const char *output, const char *input, const char *part,
                     struct error *e);

/* Before any work, for it is better to learn now than after an hour: whether these files, NULL for none, can be written and
 * may be. ERROR_OUTPUT when one cannot, or is there and no_clobber; ERROR_USAGE when a NAME.json is there and nothing says
 * that aula wrote it. */
int outputs_check(const char *const *paths, size_t count, bool no_clobber, struct error *e);

/* What a run writes; NULL: not that. */
enum { OUTPUT_SOUND, OUTPUT_JSON, OUTPUT_PLOT, OUTPUTS };

/* ERROR_USAGE when one of them is what the run reads, or is another one of them. A sidecar that is rendered again may be
 * renewed. */
int outputs_keep_inputs(const struct room *room, const char *const outputs[OUTPUTS], struct error *e);

/* ERROR_USAGE when a picture's name does not end in .svg; NULL: there is none. */
int plot_check_name(const char *plot, struct error *e);

/* Brings the room's output.format to what the file `path` can hold (audio_format_settle): FLAC takes pcm24 in place of a format
 * that the room file states, with a note; one that was typed is refused. */
int outputs_settle_format(struct room *room, const struct options *o, const char *path, size_t channels, double rate,
                          struct error *e);

/* ERROR_USAGE when "-", standard input, stands there more than once: it is read once. */
int standard_input_once(const char *const *paths, size_t count, struct error *e);

/* "studio.wav", or "standard output": for messages. */
const char *output_said(const char *path);

#endif
