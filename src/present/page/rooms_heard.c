/* SPDX-License-Identifier: MIT */
#include "present/page/rooms_heard.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/stop.h"
#include "render/auralize.h"

static const double PEAK = 0.891250938; /* -1 dB re full scale */

void rooms_heard_free(struct rooms_heard *h)
{
    for (size_t i = 0; h->rooms && i < h->count; i++)
        audio_free(&h->rooms[i]);
    free(h->rooms);
    memset(h, 0, sizeof *h);
}

/* Sounds of all responses, and which channels of them correspond. */
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
static int match_channels(struct wets *w, const struct rooms_heard_request *r, struct error *e)
{
    w->channels = calloc(r->comparisons[0].count * w->count, sizeof *w->channels);
    if (!w->channels)
        return fail(e, ERROR_MEMORY, "out of memory");
    for (size_t place = 0; place < r->comparisons[0].count; place++) {
        size_t *row = w->channels + w->channel_count * w->count;
        bool all = true;
        row[0] = r->comparisons[0].pairs[place].channel[0];
        for (size_t i = 1; i < w->count; i++) {
            const size_t pair = pair_with(&r->comparisons[i - 1], place, row[0]);
            all = all && pair != SIZE_MAX;
            row[i] = pair == SIZE_MAX ? 0 : r->comparisons[i - 1].pairs[pair].channel[1];
        }
        w->channel_count += all;
    }
    return w->channel_count ? 0 : fail(e, ERROR_INPUT, "--listen: no receiver is common to all files");
}

static int make_sounds(struct wets *w, const struct rooms_heard_request *r, struct error *e)
{
    for (size_t i = 0; i < w->count; i++) {
        if (auralization_make(&w->sounds[i], &r->files[i].path, 1, r->dry, e))
            return -1;
        for (size_t k = 0; k < w->sounds[i].warning_count; k++)
            remarks_warn(r->remarks, "%s", w->sounds[i].warnings[k]);
        w->rate = fmax(w->rate, w->sounds[i].wet.rate);
    }
    for (size_t i = 0; i < w->count; i++) {
        if (wet_resample(&w->sounds[i].wet, r->files[i].path, w->rate, e))
            return -1;
        if (w->sounds[i].wet.frames > w->frames)
            w->frames = w->sounds[i].wet.frames;
    }
    return 0;
}

/* Calibrated responses are scaled to sources of unit strength; if one is not calibrated, all are taken as they are. */
static void take_gains(struct wets *w, const struct rooms_heard_request *r)
{
    const struct compared_file *uncalibrated = NULL;
    for (size_t i = 0; i < w->count; i++)
        if (!r->files[i].recording->calibrated)
            uncalibrated = &r->files[i];
    for (size_t i = 0; i < w->count; i++)
        w->gains[i] = uncalibrated ? 1.0 : r->files[i].recording->scale;
    if (uncalibrated && !r->match_level)
        remarks_warn(r->remarks,
                     "%s: is not calibrated, so the rooms sound as loud as the files are; use --match-level to make "
                     "them equally loud",
                     uncalibrated->path);
}

static void warn_of_bands(const struct wets *w, const struct rooms_heard_request *r)
{
    for (size_t i = 1; i < w->count; i++) {
        const double a = w->sounds[0].valid_to, b = w->sounds[i].valid_to;
        if (a > 0.0 && b > 0.0 && !(fabs(a - b) <= 0.1 * fmax(a, b)))
            remarks_warn(r->remarks,
                         "%s is valid up to %.0f Hz and %s up to %.0f Hz; the difference in timbre is not one of the "
                         "rooms",
                         r->files[0].path, a, r->files[i].path, b);
    }
}

/* Mean square of the compared channels, over the frames of the longest sound. */
static double power_of(const struct wets *w, size_t sound)
{
    const struct audio *a = &w->sounds[sound].wet;
    double sum = 0.0;
    for (size_t c = 0; c < w->channel_count; c++) {
        const double *samples = a->samples + w->channels[c * w->count + sound] * a->frames;
        for (size_t n = 0; n < a->frames && !stop_requested_at(n); n++)
            sum += samples[n] * samples[n];
    }
    return sum / ((double)w->frames * (double)w->channel_count);
}

static int match_levels(struct wets *w, const struct rooms_heard_request *r, struct error *e)
{
    const double first = power_of(w, 0) * w->gains[0] * w->gains[0];
    for (size_t i = 1; i < w->count; i++) {
        const double factor = sqrt(first / power_of(w, i)) / w->gains[i];
        if (stop_check(e))
            return -1;
        if (!(factor > 0.0 && isfinite(factor)))
            return fail(e, ERROR_INPUT, "%s: is silent with this dry sound, so levels cannot be matched",
                        r->files[first > 0.0 ? i : 0].path);
        w->gains[i] *= factor;
        remarks_note(r->remarks, "%s: %+.1f dB to match the level of %s", r->files[i].path, 20.0 * log10(factor),
                     r->files[0].path);
    }
    return 0;
}

/* The compared channels of a sound with its gain, and zeros after its end. */
static int take_room(struct audio *room, const struct wets *w, size_t sound, struct error *e)
{
    const struct audio *a = &w->sounds[sound].wet;
    *room = (struct audio){.channels = w->channel_count, .frames = w->frames, .rate = w->rate};
    room->samples = calloc(w->channel_count * w->frames, sizeof *room->samples);
    if (!room->samples)
        return fail(e, ERROR_MEMORY, "out of memory");
    for (size_t c = 0; c < w->channel_count; c++) {
        const double *from = a->samples + w->channels[c * w->count + sound] * a->frames;
        for (size_t n = 0; n < a->frames && !stop_requested_at(n); n++)
            room->samples[c * w->frames + n] = w->gains[sound] * from[n];
    }
    return stop_check(e);
}

static int take_rooms(struct rooms_heard *h, const struct wets *w, struct error *e)
{
    const size_t samples = w->channel_count * w->frames;
    double peak = 0.0;
    h->rooms = calloc(w->count, sizeof *h->rooms);
    if (!h->rooms)
        return fail(e, ERROR_MEMORY, "out of memory");
    h->count = w->count;
    for (size_t i = 0; i < w->count; i++) {
        if (take_room(&h->rooms[i], w, i, e))
            return -1;
        for (size_t n = 0; n < samples && !stop_requested_at(n); n++)
            peak = fmax(peak, fabs(h->rooms[i].samples[n]));
    }
    h->gain = peak > 0.0 ? PEAK / peak : 1.0;
    for (size_t i = 0; i < w->count; i++)
        for (size_t n = 0; n < samples && !stop_requested_at(n); n++)
            h->rooms[i].samples[n] *= h->gain;
    h->dry_seconds = (double)w->sounds[0].dry_frames / w->sounds[0].dry_rate;
    return stop_check(e);
}

int rooms_heard_make(struct rooms_heard *h, const struct rooms_heard_request *r, struct error *e)
{
    struct wets w = {.count = r->count};
    memset(h, 0, sizeof *h);
    w.sounds = calloc(w.count, sizeof *w.sounds);
    w.gains = calloc(w.count, sizeof *w.gains);
    int status = w.sounds && w.gains ? 0 : fail(e, ERROR_MEMORY, "out of memory");
    if (!status)
        status = match_channels(&w, r, e) || make_sounds(&w, r, e);
    if (!status) {
        take_gains(&w, r);
        warn_of_bands(&w, r);
        status = (r->match_level && match_levels(&w, r, e)) || take_rooms(h, &w, e);
    }
    wets_free(&w);
    return status ? -1 : 0;
}
