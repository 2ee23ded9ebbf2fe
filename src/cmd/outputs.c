#include "cmd/outputs.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "base/file.h"

/* It is completed with .wav and perhaps a source's name, so what it already is must be looked at as it stands. */
int output_stem(char **stem, const char *output, struct error *e)
{
    struct stat status;
    const size_t length = strlen(output);
    const bool exists = !stat(output, &status);
    *stem = NULL;
    if (output[length - 1] == '/' || (exists && S_ISDIR(status.st_mode)))
        return fail(e, ERROR_USAGE, "-o %s: is a folder: give the name of a file, such as %s%sroom.wav", output, output,
                    output[length - 1] == '/' ? "" : "/");
    if (exists && !S_ISREG(status.st_mode))
        return fail(e, ERROR_USAGE, "-o %s: is not a regular file: give the name of a file to write", output);
    *stem = path_with_suffix(output, "");
    if (!*stem)
        return fail(e, ERROR_MEMORY, "out of memory");
    const char *suffix = output + strlen(*stem);
    if (!*suffix || !strcasecmp(suffix, ".wav"))
        return 0;
    free(*stem);
    *stem = NULL;
    return fail(e, ERROR_USAGE, "-o %s: what is written is WAV: give a name that ends in .wav", output);
}
