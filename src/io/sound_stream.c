/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <unistd.h>

#include "base/memory.h"
#include "io/sound_stream.h"
#include "io/wav_header.h"

/* libsndfile 1.2 takes some 100 kB for itself, and the FLAC library as much for its blocks. */
enum { STREAM_BYTES = 1 << 20 };

SNDFILE *sound_stream_open(int descriptor, int mode, SF_INFO *info, bool closes)
{
    errno = !memory_is_there(STREAM_BYTES) ? ENOMEM : mode == SFM_READ && wav_list_overflows(descriptor) ? EBADMSG : 0;
    if (!errno)
        return sf_open_fd(descriptor, mode, info, closes ? SF_TRUE : SF_FALSE);
    const int reason = errno;
    if (closes)
        close(descriptor);
    errno = reason;
    return NULL;
}
