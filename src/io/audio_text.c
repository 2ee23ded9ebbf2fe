#include <sndfile.h>

#include "base/text.h"
#include "io/audio_file.h"

char *audio_text(const char *path, enum audio_text which)
{
    static const int strings[] = {[AUDIO_TITLE] = SF_STR_TITLE, [AUDIO_COMMENT] = SF_STR_COMMENT};
    SF_INFO info = {0};
    SNDFILE *file = sf_open(path, SFM_READ, &info);
    const char *text = file ? sf_get_string(file, strings[which]) : NULL;
    char *copy = text ? text_copy(text) : NULL;
    if (file)
        sf_close(file);
    return copy;
}
