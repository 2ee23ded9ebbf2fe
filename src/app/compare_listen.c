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
#include "render/auralize.h"

static const double PEAK = 0.891250938; /* -1 dB re full scale */
static const double SHORTEST = 0.2;     /* s between switches */
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

/* Sounds of all responses at one rate, and which channels of them correspond. */
struct wets {
    struct auralization *sounds; /* [count] */
    double *gains;               /* [count] */
    size_t count;
    size_t *channels; /* [channel_count][count] of each sound */
    size_t channel_count, frames;
    double rate;
};

static void wets_free(struct wets *w)
{
    for (size_t i = 0; w->sounds && i < w->count; i++)
        auralization_free(&w->sounds[i]);
    free(w->sounds);
    free(w->gains);
    free(w->channels);
}

/* The pair of a comparison with this channel of the first file, preferring the same place; SIZE_MAX: none. */
static size_t pair_with(const struct comparison *c, size_t place, size_t channel)
{
    if (place < c->count && c->pairs[place].channel[0] == channel)
        return place;
    for (size_t pair = 0; pair < c->count; pair++)
        if (c->pairs[pair].channel[0] == channel)
            return pair;
    return SIZE_MAX;
}

/* Channels of the first file that every other file has. */
static int match_channels(struct wets *w, const struct compared_files *c, struct error *e)
{
    w->channels = calloc(c->comparisons[0].count * w->count, sizeof *w->channels);
    if (!w->channels)
        return fail(e, ERROR_MEMORY, "out of memory");
    for (size_t place = 0; place < c->comparisons[0].count; place++) {
        size_t *row = w->channels + w->channel_count * w->count;
        bool all = true;
        row[0] = c->comparisons[0].pairs[place].channel[0];
        for (size_t i = 1; i < w->count; i++) {
            const size_t pair = pair_with(&c->comparisons[i - 1], place, row[0]);
            all = all && pair != SIZE_MAX;
            row[i] = pair == SIZE_MAX ? 0 : c->comparisons[i - 1].pairs[pair].channel[1];
        }
        w->channel_count += all;
    }
    return w->channel_count ? 0 : fail(e, ERROR_INPUT, "--listen: no receiver is common to all files");
}

/* A response that aula knows the strength and gain of is scaled to sources of unit strength; the others are taken as
 * they are. */
static void take_gains(struct wets *w, const struct compare_options *o, const struct compared_files *c)
{
    const struct measured_response *uncalibrated = NULL;
    for (size_t i = 0; i < w->count; i++)
        if (!c->files[i].recording.calibrated)
            uncalibrated = &c->files[i];
    for (size_t i = 0; i < w->count; i++)
        w->gains[i] = uncalibrated ? 1.0 : c->files[i].recording.scale;
    if (uncalibrated && !o->match_level)
        say(false,
            "warning: %s: is not calibrated, so the rooms sound as loud as the files are; use --match-level to make "
            "them equally loud",
            uncalibrated->path);
}

static void warn_of_bands(const struct wets *w, const struct compared_files *c)
{
    for (size_t i = 1; i < w->count; i++) {
        const double a = w->sounds[0].valid_to, b = w->sounds[i].valid_to;
        if (a > 0.0 && b > 0.0 && !(fabs(a - b) <= 0.1 * fmax(a, b)))
            say(false,
                "warning: %s is valid up to %.0f Hz and %s up to %.0f Hz; the difference in timbre is not one of the "
                "rooms",
                c->files[0].path, a, c->files[i].path, b);
    }
}

static int make_sounds(struct wets *w, const struct compared_files *c, const char *dry, struct error *e)
{
    for (size_t i = 0; i < w->count; i++) {
        if (auralization_make(&w->sounds[i], &c->files[i].path, 1, dry, e))
            return -1;
        say_lines("warning", w->sounds[i].warnings, w->sounds[i].warning_count);
        w->rate = fmax(w->rate, w->sounds[i].wet.rate);
    }
    for (size_t i = 0; i < w->count; i++) {
        if (wet_resample(&w->sounds[i].wet, c->files[i].path, w->rate, e))
            return -1;
        if (w->sounds[i].wet.frames > w->frames)
            w->frames = w->sounds[i].wet.frames;
    }
    return 0;
}

/* Mean square of the compared channels, over the frames of the longest sound. */
static double power_of(const struct wets *w, size_t sound)
{
    const struct audio *a = &w->sounds[sound].wet;
    double sum = 0.0;
    for (size_t c = 0; c < w->channel_count; c++) {
        const double *samples = a->samples + w->channels[c * w->count + sound] * a->frames;
        for (size_t n = 0; n < a->frames; n++)
            sum += samples[n] * samples[n];
    }
    return sum / ((double)w->frames * (double)w->channel_count);
}

static int match_levels(struct wets *w, const struct compare_options *o, const struct compared_files *c,
                        struct error *e)
{
    const double first = power_of(w, 0) * w->gains[0] * w->gains[0];
    for (size_t i = 1; i < w->count; i++) {
        const double factor = sqrt(first / power_of(w, i)) / w->gains[i];
        if (!(factor > 0.0 && isfinite(factor)))
            return fail(e, ERROR_INPUT, "%s: is silent with this dry sound, so levels cannot be matched",
                        c->files[first > 0.0 ? i : 0].path);
        w->gains[i] *= factor;
        say(o->common.quiet, "%s: %+.1f dB to match the level of %s", c->files[i].path, 20.0 * log10(factor),
            c->files[0].path);
    }
    return 0;
}

/* One channel of a sound with its gain, and zeros after its end. */
static void take_channel(double *to, const struct wets *w, size_t channel, size_t sound)
{
    const struct audio *a = &w->sounds[sound].wet;
    const double *from = a->samples + w->channels[channel * w->count + sound] * a->frames;
    for (size_t n = 0; n < w->frames; n++)
        to[n] = n < a->frames ? w->gains[sound] * from[n] : 0.0;
}

/* *out: [channel_count][frames], scaled as a whole to PEAK. */
static int mix(struct audio *out, double *gain, const struct wets *w, double every, struct error *e)
{
    double peak = 0.0, *parts = calloc(w->count * w->frames, sizeof *parts);
    const double **sounds = calloc(w->count, sizeof *sounds);
    *out = (struct audio){.channels = w->channel_count, .frames = w->frames, .rate = w->rate};
    out->samples = calloc(w->channel_count * w->frames, sizeof *out->samples);
    int status = parts && sounds && out->samples ? 0 : fail(e, ERROR_MEMORY, "out of memory");
    for (size_t c = 0; !status && c < w->channel_count; c++) {
        for (size_t i = 0; i < w->count; i++) {
            take_channel(parts + i * w->frames, w, c, i);
            sounds[i] = parts + i * w->frames;
        }
        alternate(out->samples + c * w->frames, sounds, w->count, w->frames, w->rate, every);
        status = stop_check(e);
    }
    for (size_t n = 0; !status && n < w->channel_count * w->frames; n++)
        peak = fmax(peak, fabs(out->samples[n]));
    *gain = peak > 0.0 ? PEAK / peak : 1.0;
    for (size_t n = 0; !status && n < w->channel_count * w->frames; n++)
        out->samples[n] *= *gain;
    free(parts);
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
    struct wets w = {.count = c->count};
    struct audio sound = {0};
    char *dry = NULL;
    double gain = 1.0;
    w.sounds = calloc(w.count, sizeof *w.sounds);
    w.gains = calloc(w.count, sizeof *w.gains);
    int status = w.sounds && w.gains ? 0 : fail(e, ERROR_MEMORY, "out of memory");
    if (status || shipped_sound(&dry, o->dry, e) || match_channels(&w, c, e) || make_sounds(&w, c, dry, e)) {
        status = -1;
        goto done;
    }
    take_gains(&w, o, c);
    warn_of_bands(&w, c);
    if ((o->match_level && match_levels(&w, o, c, e)) || mix(&sound, &gain, &w, o->every, e) ||
        write_sound(&sound, o, c, dry, gain, e)) {
        status = -1;
        goto done;
    }
    if ((double)w.sounds[0].dry_frames / w.sounds[0].dry_rate <= o->every)
        say(false, "warning: %s lasts %.2g s, so only one room is heard; use a shorter --every", dry,
            (double)w.sounds[0].dry_frames / w.sounds[0].dry_rate);
    say(o->common.quiet, "%s: %zu channel%s of %.3g s at %.6g Hz, %zu rooms in turn every %g s, one gain of %+.1f dB",
        o->output.path, sound.channels, sound.channels == 1 ? "" : "s", (double)sound.frames / sound.rate, sound.rate,
        c->count, o->every, 20.0 * log10(gain));
done:
    audio_free(&sound);
    wets_free(&w);
    free(dry);
    return status;
}
