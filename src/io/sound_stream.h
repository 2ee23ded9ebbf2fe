/* SPDX-License-Identifier: MIT */
/* The only place where libsndfile opens a file. Guards against two faults of libsndfile: unchecked allocations, and
 * endless loops on damaged lists. */
#ifndef AULA_IO_SOUND_STREAM_H
#define AULA_IO_SOUND_STREAM_H

#include <sndfile.h>

/* sf_open_fd. Returns NULL with errno ENOMEM if libsndfile could run out of memory, or EBADMSG if it would read a damaged
 * WAV forever. On failure the descriptor stays open unless `closes`. */
SNDFILE *sound_stream_open(int descriptor, int mode, SF_INFO *info, bool closes);

#endif
