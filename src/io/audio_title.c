/* SPDX-License-Identifier: MIT */
#include <sndfile.h>

#include "base/input_file.h"
#include "base/text.h"
#include "io/audio_file.h"
#include "io/sound_stream.h"

char *audio_title(const char *path)
{
    SF_INFO info = {0};
    const int descriptor = input_file_open(path, NULL);
    SNDFILE *file = descriptor < 0 ? NULL : sound_stream_open(descriptor, SFM_READ, &info, true);
    const char *title = file ? sf_get_string(file, SF_STR_TITLE) : NULL;
    char *copy = title ? text_copy(title) : NULL;
    if (file)
        sf_close(file);
    return copy;
}
