/* SPDX-License-Identifier: MIT */
/* Finds the channels of a recording, or of its neighbouring files, that carry the lateral sound or the two ears which
 * spatial.h measures. */
#ifndef AULA_DSP_MEASURE_RECORDING_SPACE_H
#define AULA_DSP_MEASURE_RECORDING_SPACE_H

#include "dsp/measure/recording.h"

struct cJSON;

/* Fills r->space and adds the choice to r->note. The type of the receiver in the JSON of aula render (NULL: none) decides:
 *   ambisonic        the lateral axis is horizontal and square to the source, by the positions of both; with several
 *                    sources, or none known, square to the direct sound as the file has it
 *   figure_of_eight  the pressure is that of an omni receiver at its place, in the file of the omni receivers beside it
 *   binaural         its two channels are the ears; so they are where the comment of the file says "binaural: ..", as that
 *                    of aula binaural does
 * ERROR_MEMORY, ERROR_INPUT if the file of the omni receivers cannot be read. */
int recording_space_take(struct recording *r, const char *path, const struct cJSON *json, const char *comment,
                         struct error *e);
void recording_space_free(struct recording *r);

/* Adds intensity, lateral parameters and those of ears to the parameters of all channels. */
int recording_space_measure(struct metrics *channels, const struct recording *r, const struct metrics_settings *s,
                            struct error *e);

/* Adds "; TEXT" to the note; the text is freed. Nonzero: out of memory. */
int recording_add_note(struct recording *r, char *text);

#endif
