/* SPDX-License-Identifier: MIT */
/* The one place where libsndfile opens a file: it does not look whether it gets its memory. */
#ifndef AULA_IO_SOUND_STREAM_H
#define AULA_IO_SOUND_STREAM_H

#include <sndfile.h>

/* sf_open_fd; NULL, with errno ENOMEM and nothing opened, where libsndfile could run out of memory. Of a stream that is
 * not opened the descriptor stays the caller's, unless `closes`. */
SNDFILE *sound_stream_open(int descriptor, int mode, SF_INFO *info, bool closes);

#endif
