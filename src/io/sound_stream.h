/* SPDX-License-Identifier: MIT */
/* The one place where libsndfile opens a file: it neither looks whether it gets its memory nor reads every list to an
 * end. */
#ifndef AULA_IO_SOUND_STREAM_H
#define AULA_IO_SOUND_STREAM_H

#include <sndfile.h>

/* sf_open_fd; NULL, with nothing opened and errno ENOMEM, where libsndfile could run out of memory, or EBADMSG, where it
 * would read a damaged WAV for ever. Of a stream that is not opened the descriptor stays the caller's, unless `closes`. */
SNDFILE *sound_stream_open(int descriptor, int mode, SF_INFO *info, bool closes);

#endif
