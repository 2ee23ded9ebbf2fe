#include <sndfile.h>

#include "base/text.h"
#include "io/audio_file.h"

char *audio_title(const char *path)
{
    SF_INFO info = {0};
    SNDFILE *file = sf_open(path, SFM_READ, &info);
    const char *title = file ? sf_get_string(file, SF_STR_TITLE) : NULL;
    char *copy = title ? text_copy(title) : NULL;
    if (file)
        sf_close(file);
    return copy;
}
