/* SPDX-License-Identifier: MIT */
/* The picture of a piece: its spectrogram. */
#ifndef AULA_APP_PIECE_PICTURE_H
#define AULA_APP_PIECE_PICTURE_H

#include "base/output_set.h"
#include "render/synth/session.h"

/* Of the first receiver, in dB re 20 µPa, or of the first pickup without receivers, in dB re 1 m/s. Adds it to the
 * set. */
int picture_of_piece(struct output_set *set, const char *path, const struct session *s, const struct take *take,
                     struct error *e);

#endif
