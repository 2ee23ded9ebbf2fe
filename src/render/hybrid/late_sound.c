/* SPDX-License-Identifier: MIT */
#include "render/hybrid/late_sound.h"

#include <math.h>
#include <omp.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/stop.h"
#include "render/hybrid/late_directions.h"
#include "render/hybrid/late_noise.h"
#include "render/hybrid/late_shape.h"

/* s of ringing of the band filters, past the end of the sound and ahead of its start. */
static const double ringing = 0.2;

enum { CHANNELS_MAX = 64 };

struct maker {
    struct late_shape shape;
    const struct late_output *outlets;
    double *noise;           /* [receivers][length], with energy 1 in each bin */
    size_t frames, channels; /* channels: maximum over the outlets */
};

/* Buffers of one thread. */
struct workplace {
    struct late_work work;
    double *pressure; /* [length] */
    double *shaped;   /* [channels][length] */
};

static bool workplace_make(struct workplace *w, const struct maker *m)
{
    const size_t length = m->shape.length;
    *w = (struct workplace){.pressure = malloc(length * sizeof *w->pressure),
                            .shaped = malloc(m->channels * length * sizeof *w->shaped)};
    return late_work_make(&w->work, &m->shape) && w->pressure && w->shaped;
}

static void workplace_free(struct workplace *w)
{
    late_work_free(&w->work);
    free(w->pressure);
    free(w->shaped);
}

/* Mean of a rise over all frequencies. */
static double mean_rise(const struct near_rise *rise, double rate)
{
    enum { POINTS = 1024 };
    double sum = 0.0;
    for (int i = 0; i < POINTS && rise && !rise->none; i++)
        sum += near_rise_at(rise, 0.5 * rate * (i + 0.5) / POINTS) / POINTS;
    return sum > 0.0 ? sum : 1.0;
}

/* Scales each bin of a noise, relative to its own sum of squares, to the energy of the rise. None is left before
 * `earliest`: a bin may begin before the direct sound. */
static void level_bins(const struct late_shape *s, double *noise, const struct late_output *to)
{
    const double amplitude = sqrt(mean_rise(to->rise, s->sound->rate));
    const size_t start = late_shape_frame(s, late_first_bin(s->h, to->earliest));
    const size_t arrival = (size_t)ceil(to->earliest * s->sound->rate);
    for (size_t i = 0; i < s->length && (i < start || i < arrival); i++)
        noise[i] = 0.0;
    for (size_t bin = 0; bin < s->h->bins; bin++) {
        const size_t first = late_shape_frame(s, bin), end = late_shape_frame(s, bin + 1);
        double sum = 0.0;
        for (size_t i = first; i < end && i < s->length; i++)
            sum += noise[i] * noise[i];
        for (size_t i = first; i < end && i < s->length; i++)
            noise[i] *= sum > 0.0 ? amplitude / sqrt(sum) : 0.0;
    }
}

static double *noise_of(const struct maker *m, size_t receiver)
{
    return m->noise + receiver * m->shape.length;
}

/* The noise with the amplitudes of the chosen band, before its filter. */
static void shape_pressure(double *pressure, const struct maker *m, size_t receiver)
{
    const struct late_shape *s = &m->shape;
    memset(pressure, 0, s->length * sizeof *pressure);
    for (size_t bin = 0; bin < s->h->bins; bin++) {
        const double amplitude = sqrt(*late_energy(s->h, receiver, bin, s->band));
        for (size_t i = late_shape_frame(s, bin); i < late_shape_frame(s, bin + 1) && i < s->length; i++)
            pressure[i] = amplitude * noise_of(m, receiver)[i];
    }
}

/* Assigns a direction to each sample of the pressure. */
static void shape_channels(struct workplace *w, const struct maker *m, size_t receiver)
{
    const struct late_shape *s = &m->shape;
    const struct late_output *to = &m->outlets[receiver];
    double gains[CHANNELS_MAX], mean[3], direction[3];
    struct random random = {s->sound->seed ^ (0x9e3779b97f4a7c15u * (receiver + 101))};
    memset(w->shaped, 0, to->channels * s->length * sizeof *w->shaped);
    for (size_t bin = 0; bin < s->h->bins; bin++) {
        const double *energy = late_energy(s->h, receiver, bin, s->band);
        for (int k = 0; k < 3; k++)
            mean[k] = energy[0] > 0.0 ? energy[1 + k] / energy[0] : 0.0;
        const struct late_spread spread = late_spread_of(mean);
        for (size_t i = late_shape_frame(s, bin); i < late_shape_frame(s, bin + 1) && i < s->length; i++) {
            late_spread_draw(direction, &spread, &random);
            to->gains(to->context, gains, direction);
            for (size_t c = 0; c < to->channels; c++)
                w->shaped[c * s->length + i] = gains[c] * w->pressure[i];
        }
    }
}

/* Adds the chosen band at one receiver with `threads` threads, each with its own buffers; places[0]
 * belongs to the receiver. */
static void add_band(struct workplace *places, int threads, double *out, const struct maker *m, size_t receiver)
{
    const struct late_shape *s = &m->shape;
    const struct late_output *to = &m->outlets[receiver];
    struct workplace *own = &places[0];
    shape_pressure(own->pressure, m, receiver);
    if (to->gains)
        shape_channels(own, m, receiver);
    late_shape_filter(s, &own->work, own->pressure);
    late_shape_correct(s, &own->work, own->pressure, receiver, to->rise);
#pragma omp parallel for schedule(dynamic, 1) num_threads(threads)
    for (size_t c = 0; c < to->channels; c++) {
        double *from = to->gains ? own->shaped + c * s->length : own->pressure;
        if (to->gains)
            late_shape_filter(s, &places[omp_get_thread_num()].work, from);
        for (size_t i = 0; i < m->frames; i++)
            out[c * m->frames + i] += from[i] * late_shape_correction(s, &own->work, i);
    }
}

/* Threads share receivers or, if there are fewer receivers than threads, the channels of one
 * receiver after the other. */
static int add_bands(struct maker *m, double *out, const size_t *first, struct workplace *places, int threads,
                     struct error *e)
{
    const size_t receivers = m->shape.h->receivers;
    for (size_t band = 0; band < m->shape.h->bands.count; band++) {
        late_shape_choose(&m->shape, band);
        if (receivers < (size_t)threads)
            for (size_t r = 0; r < receivers && !stop_requested(); r++)
                add_band(places, threads, out + first[r] * m->frames, m, r);
        else
#pragma omp parallel for schedule(dynamic, 1) num_threads(threads)
            for (size_t r = 0; r < receivers; r++)
                if (!stop_requested())
                    add_band(&places[omp_get_thread_num()], 1, out + first[r] * m->frames, m, r);
        if (stop_check(e))
            return -1;
    }
    return 0;
}

static int make_noise(struct maker *m, const struct late_sound *sound, const struct late_histogram *h, struct error *e)
{
    double(*positions)[3] = malloc((h->receivers + 1) * sizeof *positions);
    const struct near_rise **rises = calloc(h->receivers + 1, sizeof(const struct near_rise *));
    int status = positions && rises ? 0 : fail(e, ERROR_MEMORY, "out of memory");
    for (size_t r = 0; r < h->receivers && !status; r++) {
        memcpy(positions[r], m->outlets[r].position, sizeof positions[r]);
        rises[r] = m->outlets[r].rise;
    }
    if (!status)
        status = late_noise_make(m->noise, h->receivers, m->shape.length, sound->rate, (const double(*)[3])positions,
                                 rises, sound->sound_speed, sound->seed, e);
    for (size_t r = 0; r < h->receivers && !status; r++)
        level_bins(&m->shape, noise_of(m, r), &m->outlets[r]);
    free(positions);
    free(rises);
    return status;
}

static int make(struct maker *m, double *out, const struct late_sound *sound, const struct late_histogram *h,
                int threads, struct error *e)
{
    struct workplace *places = calloc((size_t)threads + 1, sizeof *places);
    size_t *first = calloc(h->receivers + 2, sizeof *first); /* first channel of each outlet */
    bool good = places && first;
    for (int i = 0; i < threads && good; i++)
        good = workplace_make(&places[i], m);
    for (size_t r = 0; r < h->receivers && good; r++)
        first[r + 1] = first[r] + m->outlets[r].channels;
    int status = good ? make_noise(m, sound, h, e) : fail(e, ERROR_MEMORY, "out of memory");
    if (!status) {
        memset(out, 0, first[h->receivers] * m->frames * sizeof *out);
        status = add_bands(m, out, first, places, threads, e);
    }
    for (int i = 0; i < threads && places; i++)
        workplace_free(&places[i]);
    free(places);
    free(first);
    return status;
}

int late_sound_make(double *out, size_t frames, const struct late_sound *sound, const struct late_histogram *h,
                    const struct late_output *outlets, struct error *e)
{
    struct maker m = {.outlets = outlets, .frames = frames, .channels = 1};
    size_t length = 64;
    while ((double)length < (double)frames + 2.0 * ringing * sound->rate)
        length *= 2;
    for (size_t r = 0; r < h->receivers; r++)
        m.channels = outlets[r].channels > m.channels ? outlets[r].channels : m.channels;
    if (m.channels > CHANNELS_MAX)
        return fail(e, ERROR_INPUT, "late sound is limited to %d channels per receiver", CHANNELS_MAX);
    const size_t most = h->receivers > m.channels ? h->receivers : m.channels; /* no work for more threads */
    const size_t threads = most < (size_t)omp_get_max_threads() ? most : (size_t)omp_get_max_threads();
    const double samples = (double)(h->receivers + threads * (m.channels + 3)) * (double)length;
    if (memory_demand(samples * sizeof(double), e, "samples of late sound"))
        return -1;
    m.noise = malloc((h->receivers + 1) * length * sizeof *m.noise);
    int status = m.noise ? late_shape_make(&m.shape, length, sound, h, e) : fail(e, ERROR_MEMORY, "out of memory");
    if (!status)
        status = make(&m, out, sound, h, (int)threads, e);
    late_shape_free(&m.shape);
    free(m.noise);
    return status;
}
