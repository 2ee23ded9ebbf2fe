/* SPDX-License-Identifier: MIT */
#include "dsp/modes/mode_search.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/stop.h"
#include "dsp/modes/band_record.h"
#include "dsp/modes/damped.h"

enum { FRAMES_MAX = 400, ORDER_ROOM = 8 };
static const double FLOOR = 1e-9;     /* of singular values, over the largest */
static const double TOLERANCE = 5e-2; /* of poles between two orders, over their decay */
static const double NARROWEST = 8.0;  /* Hz: bands */

double mode_record_length(double guard, double low, double seconds)
{
    return (BAND_RECORD_STOP - 7.95) / (2.285 * 2.0 * M_PI * guard) + 1.0 / low + seconds;
}

static double expected(const struct mode_wish *w, double low, double high)
{
    return w->count(w->context, high) - w->count(w->context, fmax(low, 0.0));
}

/* The upper edge of a band that holds MODE_BAND_MODES, at least NARROWEST wide. */
static double next_edge(const struct mode_wish *w, double low)
{
    double high = low + NARROWEST;
    while (high < w->high && expected(w, low, high) < MODE_BAND_MODES)
        high += 1.0;
    return w->high - high < 0.5 * (high - low) ? w->high : high;
}

static int split(struct mode_list *list, const struct mode_wish *w, struct error *e)
{
    const size_t most = 2 + (size_t)((w->high - w->low) / NARROWEST);
    list->bands = calloc(most, sizeof *list->bands);
    if (!list->bands)
        return fail(e, ERROR_MEMORY, "out of memory");
    for (double low = w->low; low < w->high && list->band_count < most;) {
        const double high = next_edge(w, low);
        list->bands[list->band_count++] =
            (struct mode_band){.low = low, .high = high, .expected = expected(w, low, high)};
        low = high;
    }
    return 0;
}

/* Work on one band. */
struct band_work {
    struct band_filter filter;
    struct damped_records records;
    double complex *samples, *poles, *amplitudes;
    size_t count, most;
};

static void band_work_free(struct band_work *b)
{
    band_filter_free(&b->filter);
    free(b->samples);
    free(b->poles);
    free(b->amplitudes);
}

static int filter_band(struct band_work *b, const struct mode_records *r, const struct mode_wish *w,
                       const struct mode_band *band, double guard, struct error *e)
{
    if (band_filter_make(&b->filter, band->low / r->rate, band->high / r->rate, guard / r->rate, e))
        return -1;
    size_t frames = band_filter_frames(&b->filter, r->frames);
    frames = frames < FRAMES_MAX ? frames : FRAMES_MAX;
    b->most = (size_t)(3.0 * expected(w, band->low - guard, band->high + guard)) + ORDER_ROOM;
    if (frames < 16)
        return fail(e, ERROR_INPUT, "modes: the response of %.3g s is too short for modes from %.0f to %.0f Hz",
                    (double)r->frames / r->rate, band->low, band->high);
    b->samples = malloc(r->places * frames * sizeof *b->samples);
    b->poles = malloc(DAMPED_PENCIL_MAX * sizeof *b->poles);
    if (!b->samples || !b->poles)
        return fail(e, ERROR_MEMORY, "out of memory");
    b->most = b->most < DAMPED_PENCIL_MAX ? b->most : DAMPED_PENCIL_MAX;
    b->records = (struct damped_records){b->samples, r->places, frames};
    const size_t used = b->filter.length + (frames - 1) * b->filter.every;
    for (size_t p = 0; p < r->places; p++) {
        if (stop_check(e))
            return -1;
        band_filter_run(b->samples + p * frames, &b->filter, r->samples + p * r->frames, used);
    }
    return 0;
}

static int find_poles(struct band_work *b, struct mode_band *band, struct error *e)
{
    const struct damped_records *r = &b->records;
    if (damped_poles(b->poles, &b->count, r, b->most, FLOOR, TOLERANCE, e))
        return -1;
    /* a decaying room has no growing poles; what is down to rounding within a few samples is none of its modes */
    size_t kept = 0;
    for (size_t i = 0; i < b->count; i++)
        if (cabs(b->poles[i]) < 1.0 + 1e-9 && cabs(b->poles[i]) > 0.02)
            b->poles[kept++] = b->poles[i];
    b->count = kept;
    b->amplitudes = malloc((r->places * b->count + 1) * sizeof *b->amplitudes);
    if (!b->amplitudes)
        return fail(e, ERROR_MEMORY, "out of memory");
    return damped_amplitudes(b->amplitudes, &band->residual, r, b->poles, b->count, e);
}

static int add_mode(struct mode_list *list, const struct band_work *b, size_t pole, double complex s, double rate,
                    struct error *e)
{
    struct found_mode *grown = realloc(list->modes, (list->count + 1) * sizeof *grown);
    if (grown)
        list->modes = grown;
    double complex *amplitudes = malloc(list->places * sizeof *amplitudes);
    if (!grown || !amplitudes) {
        free(amplitudes);
        return fail(e, ERROR_MEMORY, "out of memory");
    }
    struct found_mode *m = &list->modes[list->count++];
    *m = (struct found_mode){
        .frequency = cimag(s) * rate / (2.0 * M_PI), .decay = -creal(s) * rate, .amplitudes = amplitudes};
    const double complex gain = band_filter_gain(&b->filter, s);
    for (size_t p = 0; p < list->places; p++) {
        amplitudes[p] = 2.0 * b->amplitudes[p * b->count + pole] / gain; /* half belongs to the conjugate */
        m->largest = fmax(m->largest, cabs(amplitudes[p]));
    }
    m->strength = m->largest / m->decay;
    return 0;
}

static int search_band(struct mode_list *list, size_t index, const struct mode_records *r, const struct mode_wish *w,
                       struct error *e)
{
    struct mode_band *band = &list->bands[index];
    struct band_work b = {.count = 0};
    const double guard = fmax(w->guard, 0.5 * (band->high - band->low));
    int status = filter_band(&b, r, w, band, fmin(guard, band->low + 0.5 * (band->high - band->low)), e) ||
                         find_poles(&b, band, e)
                     ? -1
                     : 0;
    for (size_t i = 0; i < b.count && !status; i++) {
        const double complex s = band_filter_exponent(&b.filter, b.poles[i]);
        const double frequency = cimag(s) * r->rate / (2.0 * M_PI);
        if (!(frequency >= band->low && frequency < band->high && creal(s) < 0.0))
            continue;
        status = add_mode(list, &b, i, s, r->rate, e);
        if (!status)
            list->modes[list->count - 1].band = index;
    }
    band_work_free(&b);
    return status;
}

static int by_frequency(const void *a, const void *b)
{
    const struct found_mode *first = a, *second = b;
    return (first->frequency > second->frequency) - (first->frequency < second->frequency);
}

/* Modes within the half-power width δ/π of the modes found, by the expected density. */
static double overlap(const struct mode_list *list, size_t band)
{
    const struct mode_band *b = &list->bands[band];
    double sum = 0.0;
    for (size_t i = 0; i < list->count; i++)
        sum += list->modes[i].band == band ? list->modes[i].decay / M_PI : 0.0;
    return b->found ? sum / (double)b->found * b->expected / (b->high - b->low) : 0.0;
}

/* Leaves out modes too weak to matter, and judges the bands. */
static void judge(struct mode_list *list)
{
    double strongest = 0.0;
    size_t kept = 0;
    for (size_t i = 0; i < list->count; i++)
        strongest = fmax(strongest, list->modes[i].strength);
    for (size_t i = 0; i < list->count; i++) {
        struct found_mode *m = &list->modes[i];
        if (!(m->strength >= strongest * pow(10.0, MODE_WEAKEST / 20.0))) {
            free(m->amplitudes);
            continue;
        }
        list->bands[m->band].found++;
        list->modes[kept++] = *m;
    }
    list->count = kept;
    if (kept)
        qsort(list->modes, kept, sizeof *list->modes, by_frequency);
    for (size_t i = 0; i < list->band_count; i++) {
        struct mode_band *b = &list->bands[i];
        b->resolved = b->residual <= pow(10.0, MODE_RESIDUAL / 20.0) && overlap(list, i) <= MODE_OVERLAP &&
                      (double)b->found + b->expected / 4.0 + 3.0 >= b->expected;
    }
}

int mode_search(struct mode_list *list, const struct mode_records *r, const struct mode_wish *w, struct error *e)
{
    list->places = r->places;
    if (split(list, w, e))
        return -1;
    for (size_t i = 0; i < list->band_count; i++)
        if (stop_check(e) || search_band(list, i, r, w, e))
            return -1;
    judge(list);
    return 0;
}

void mode_list_free(struct mode_list *list)
{
    for (size_t i = 0; i < list->count; i++)
        free(list->modes[i].amplitudes);
    free(list->modes);
    free(list->bands);
    memset(list, 0, sizeof *list);
}
