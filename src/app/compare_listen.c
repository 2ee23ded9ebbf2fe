/* SPDX-License-Identifier: MIT */
/* aula compare --listen: one dry sound in all rooms in turn. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "app/compare.h"
#include "app/outputs.h"
#include "app/say.h"
#include "app/shipped.h"
#include "base/file.h"
#include "base/stop.h"
#include "base/text.h"
#include "dsp/alternate.h"
#include "present/page/rooms_heard.h"

static const double SHORTEST = 0.2; /* s between switches */
static const double LONGEST = 3600.0;

static int check_every(const struct compare_options *o, struct error *e)
{
    return o->every >= SHORTEST && o->every <= LONGEST
               ? 0
               : fail(e, ERROR_USAGE, "--every %g: must be from %g to %g s", o->every, SHORTEST, LONGEST);
}

int compare_listen_check(const struct compare_options *o, struct error *e)
{
    const char *needs = o->output.path              ? "-o"
                        : o->match_level            ? "--match-level"
                        : o->output.format          ? "--format"
                        : o->every != COMPARE_EVERY ? "--every"
                                                    : NULL;
    enum sample_format format;
    if (!o->dry)
        return needs ? fail(e, ERROR_USAGE, "%s: is an option of --listen DRY.wav; add it", needs) : 0;
    if (!o->output.path)
        return fail(e, ERROR_USAGE, "--listen writes a sound; add -o AB.wav");
    if (!strcmp(o->output.path, STANDARD_STREAM))
        return fail(e, ERROR_USAGE, "-o -: standard output has the comparison; use a file");
    if (check_every(o, e) || sample_format_named(&format, o->output.format, e))
        return -1;
    for (size_t i = 0; i < o->common.argument_count; i++) {
        if (!strcmp(o->common.arguments[i], STANDARD_STREAM))
            return fail(e, ERROR_USAGE,
                        "--listen reads each response twice, which standard input does not allow; use "
                        "a file");
        if (same_file(o->output.path, o->common.arguments[i]))
            return fail(e, ERROR_USAGE, "%s: is also an input; choose another name with -o", o->output.path);
    }
    if (same_file(o->output.path, o->dry))
        return fail(e, ERROR_USAGE, "%s: is also an input; choose another name with -o", o->output.path);
    return outputs_check(&o->output.path, 1, o->output.no_clobber, e);
}

/* *out: the rooms in turn. */
static int mix(struct audio *out, const struct rooms_heard *h, double every, struct error *e)
{
    const struct audio *first = &h->rooms[0];
    const double **sounds = calloc(h->count, sizeof *sounds);
    *out = (struct audio){.channels = first->channels, .frames = first->frames, .rate = first->rate};
    out->samples = calloc(out->channels * out->frames, sizeof *out->samples);
    int status = sounds && out->samples ? 0 : fail(e, ERROR_MEMORY, "out of memory");
    for (size_t c = 0; !status && c < out->channels; c++) {
        for (size_t i = 0; i < h->count; i++)
            sounds[i] = h->rooms[i].samples + c * out->frames;
        alternate(out->samples + c * out->frames, sounds, h->count, out->frames, out->rate, every);
        status = stop_check(e);
    }
    free(sounds);
    return status;
}

static int write_sound(const struct audio *sound, const struct compare_options *o, const struct compared_files *c,
                       const char *dry, double gain, struct error *e)
{
    enum sample_format format;
    struct output_file file;
    if (sample_format_named(&format, o->output.format, e) ||
        audio_format_settle(&format, o->output.format != NULL, o->output.path, sound->channels, sound->rate, e))
        return -1;
    char *title = text_format("%s in %zu rooms in turn", path_name(dry), c->count);
    char *description = text_format("auralization: %s convolved with %s and %zu more, alternating every %g s; one gain "
                                    "of %.1f dB%s",
                                    path_name(dry), path_name(c->files[0].path), c->count - 1, o->every,
                                    20.0 * log10(gain), o->match_level ? " after matching levels" : "");
    const struct audio_description d = {format, title, description, NULL};
    int status =
        title && description ? output_file_open(&file, o->output.path, e) : fail(e, ERROR_MEMORY, "out of memory");
    if (!status) {
        file.no_clobber = o->output.no_clobber;
        status = audio_write_to(&file, sound, &d, NULL, e) || output_file_commit(&file, e) ? -1 : 0;
        output_file_discard(&file);
    }
    free(title);
    free(description);
    return status;
}

int compare_listen(const struct compare_options *o, const struct compared_files *c, struct error *e)
{
    struct rooms_heard h = {0};
    struct audio sound = {0};
    char *dry = NULL;
    struct compared_file *files = calloc(c->count, sizeof *files);
    int status = files ? shipped_sound(&dry, o->dry, e) : fail(e, ERROR_MEMORY, "out of memory");
    for (size_t i = 0; files && i < c->count; i++)
        files[i] = (struct compared_file){c->files[i].path, &c->files[i].recording, c->files[i].channel};
    struct remarks remarks = {.warnings = NULL};
    const struct rooms_heard_request request = {files, c->comparisons, c->count, dry, o->match_level, &remarks};
    status = status || rooms_heard_make(&h, &request, e);
    say_lines("warning", remarks.warnings, remarks.warning_count);
    for (size_t i = 0; i < remarks.note_count; i++)
        say(o->common.quiet, "%s", remarks.notes[i]);
    remarks_free(&remarks);
    if (status || mix(&sound, &h, o->every, e) || write_sound(&sound, o, c, dry, h.gain, e)) {
        status = -1;
        goto done;
    }
    if (h.dry_seconds <= o->every)
        say(false, "warning: %s lasts %.2g s, so only one room is heard; use a shorter --every", dry, h.dry_seconds);
    say(o->common.quiet, "%s: %zu channel%s of %.3g s at %.6g Hz, %zu rooms in turn every %g s, one gain of %+.1f dB",
        o->output.path, sound.channels, sound.channels == 1 ? "" : "s", (double)sound.frames / sound.rate, sound.rate,
        c->count, o->every, 20.0 * log10(h.gain));
done:
    audio_free(&sound);
    rooms_heard_free(&h);
    free(files);
    free(dry);
    return status;
}
