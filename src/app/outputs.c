/* SPDX-License-Identifier: MIT */
/* Names of output files, and the checks of them before any work. */
#include "app/outputs.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "app/say.h"
#include "base/file.h"
#include "base/text.h"
#include "io/audio_file.h"

/* Splits the argument of -o into stem and suffix. It is checked as typed, before suffixes and names of sources are
 * added. */
static int split_output(char **stem, const char **suffix, const char *output, struct error *e)
{
    struct stat status;
    const size_t length = strlen(output);
    const bool exists = !stat(output, &status);
    if (output[length - 1] == '/' || (exists && S_ISDIR(status.st_mode)))
        return fail(e, ERROR_USAGE, "-o %s: is a folder; use the name of a file, such as %s%sroom.wav", output, output,
                    output[length - 1] == '/' ? "" : "/");
    if (exists && !S_ISREG(status.st_mode))
        return fail(e, ERROR_USAGE, "-o %s: is not a regular file; choose another name", output);
    *stem = path_with_suffix(output, "");
    if (!*stem)
        return fail(e, ERROR_MEMORY, "out of memory");
    const char *given = output + strlen(*stem);
    *suffix = !strcasecmp(given, ".flac") ? ".flac" : ".wav";
    if (!*given || !strcasecmp(given, *suffix))
        return 0;
    free(*stem);
    *stem = NULL;
    return fail(e, ERROR_USAGE,
                "-o %s: sounds are written as WAV or FLAC; use a name that ends in .wav or .flac, or - for standard "
                "output",
                output);
}

int sound_names_make(struct sound_names *names, const char *output, const char *input, const char *part,
                     struct error *e)
{
    char *stem = NULL;
    const char *suffix = ".wav";
    *names = (struct sound_names){0};
    if (output && !strcmp(output, STANDARD_STREAM)) {
        names->sound = text_copy(output);
        return part
                   ? fail(
                         e, ERROR_USAGE,
                         "-o -: there are several output files, and standard output can take only one; use -o NAME.wav")
               : names->sound ? 0
                              : fail(e, ERROR_MEMORY, "out of memory");
    }
    if (output && split_output(&stem, &suffix, output, e))
        return -1;
    if (!output && !(stem = path_stem(input)))
        return fail(e, ERROR_MEMORY, "out of memory");
    names->sound = text_format("%s%s%s%s", stem, part ? "_" : "", part ? part : "", suffix);
    names->json = text_format("%s%s%s.json", stem, part ? "_" : "", part ? part : "");
    free(stem);
    return names->sound && names->json ? 0 : fail(e, ERROR_MEMORY, "out of memory");
}

static bool ends_in_json(const char *path)
{
    const size_t length = strlen(path);
    return length > 5 && !strcasecmp(path + length - 5, ".json");
}

static int check_one(const char *path, bool no_clobber, struct error *e)
{
    struct stat status;
    const bool exists = strcmp(path, STANDARD_STREAM) && !stat(path, &status) && S_ISREG(status.st_mode);
    if (exists && no_clobber)
        return fail(e, ERROR_OUTPUT, "%s: already exists; choose another name with -o, or remove --no-clobber", path);
    if (exists && ends_in_json(path) && sound_pair_check_json(path, e))
        return -1;
    return output_file_try(path, e);
}

int outputs_check(const char *const *paths, size_t count, bool no_clobber, struct error *e)
{
    for (size_t i = 0; i < count; i++)
        if (paths[i] && check_one(paths[i], no_clobber, e))
            return -1;
    return 0;
}

int outputs_warn_of_other(const struct sound_names *names, struct error *e)
{
    char *other;
    if (sound_pair_other(&other, names, e))
        return -1;
    if (other)
        say(false,
            "warning: %s describes %s, and will be replaced by the description of %s; use another name with -o to keep "
            "both",
            names->json, other, names->sound);
    free(other);
    return 0;
}

int plot_check_name(const char *plot, struct error *e)
{
    const char *suffix = plot ? strrchr(plot, '.') : NULL;
    if (plot && (!suffix || strcasecmp(suffix, ".svg") != 0))
        return fail(e, ERROR_USAGE, "--plot %s: pictures are written as SVG; use a name that ends in .svg", plot);
    return 0;
}

int output_keeps_inputs(const struct room *room, const char *output, bool renewable, struct error *e)
{
    char text[ROOM_INPUT];
    const char *input = output ? room_input_at(room, output, renewable, text) : NULL;
    return input ? fail(e, ERROR_USAGE, "%s: is %s; choose another name", output, input) : 0;
}

int outputs_keep_inputs(const struct room *room, const char *const outputs[OUTPUTS], struct error *e)
{
    for (size_t i = 0; i < OUTPUTS; i++) {
        if (!outputs[i])
            continue;
        if (output_keeps_inputs(room, outputs[i], i == OUTPUT_JSON, e))
            return -1;
        for (size_t k = 0; k < i; k++)
            if (outputs[k] && same_file(outputs[i], outputs[k]))
                return fail(e, ERROR_USAGE, "%s: is the name of two outputs; choose different names", outputs[i]);
    }
    return 0;
}

static bool format_is_typed(const struct common_options *o, const char *format)
{
    static const char key[] = "output.format";
    bool typed = format != NULL;
    for (size_t i = 0; i < o->setting_count; i++)
        typed = typed || !strncmp(o->settings[i] + strspn(o->settings[i], " "), key, strlen(key));
    return typed;
}

int outputs_settle_format(struct room *room, const struct common_options *o, const char *format, const char *path,
                          size_t channels, double rate, struct error *e)
{
    const enum sample_format stated = room->output.format;
    if (audio_format_settle(&room->output.format, format_is_typed(o, format), path, channels, rate, e))
        return -1;
    if (room->output.format_given && room->output.format != stated)
        say(o->quiet, "note: %s: written as %s, because FLAC cannot hold the %s of %s", path,
            format_names[room->output.format], format_names[stated], room->path);
    return 0;
}

int standard_input_once(const char *const *paths, size_t count, struct error *e)
{
    size_t times = 0;
    for (size_t i = 0; i < count; i++)
        times += !strcmp(paths[i], STANDARD_STREAM);
    return times > 1 ? fail(e, ERROR_USAGE, "-: standard input can be read only once; use a file name for the others")
                     : 0;
}

const char *output_said(const char *path)
{
    return strcmp(path, STANDARD_STREAM) ? path : "standard output";
}

int sample_format_named(enum sample_format *format, const char *name, struct error *e)
{
    enum { FORMATS = FORMAT_PCM16 + 1 };
    char hint[HINT];
    *format = FORMAT_FLOAT;
    for (int i = 0; name && i < FORMATS; i++)
        if (!strcmp(name, format_names[i])) {
            *format = (enum sample_format)i;
            return 0;
        }
    return name ? fail(e, ERROR_USAGE, "--format %s: expected float, double, pcm24 or pcm16%s", name,
                       text_hint(hint, name, format_names, FORMATS))
                : 0;
}
