/* SPDX-License-Identifier: MIT */
#include "render/hybrid/path_sound.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/complex_numbers.h"
#include "base/stop.h"
#include "dsp/space/harmonics.h"
#include "render/hybrid/path_walls.h"

enum { FIELD_ORDERS = HARMONICS_ORDER_MAX + 1, GROUP = 512 }; /* paths whose filters are made together */
static const double LASTS_PERIODS = 8.0, LASTS_SECONDS = 0.02;

static size_t length_of(const struct path_settings *settings)
{
    const double seconds =
        fmax(LASTS_SECONDS, settings->low > 0.0 ? LASTS_PERIODS / settings->low : 0.0) + settings->hearing;
    size_t length = 64;
    while ((double)length < seconds * settings->rate)
        length *= 2;
    return length;
}

static int make_material(struct path_material *m, size_t bins)
{
    m->admittance = calloc(bins, sizeof *m->admittance);
    m->mirrored = malloc(bins * sizeof *m->mirrored);
    for (size_t k = 0; k < bins && m->mirrored; k++)
        m->mirrored[k] = 1.0;
    return m->admittance && m->mirrored ? 0 : -1;
}

/* 1 up to top[0], cos² down to 0 at top[1]. */
static double end_of_band(const struct path_sound *sound, double frequency)
{
    const double place = (frequency - sound->top[0]) / (sound->top[1] - sound->top[0]);
    return place <= 0.0 ? 1.0 : place >= 1.0 ? 0.0 : pow(cos(0.5 * M_PI * place), 2.0);
}

int path_sound_make(struct path_sound *s, const struct path_settings *settings, struct error *e)
{
    const size_t length = length_of(settings), bins = length / 2 + 1;
    *s = (struct path_sound){.rate = settings->rate,
                             .sound_speed = settings->sound_speed,
                             .low = settings->low,
                             .top = {settings->top[0], settings->top[1]},
                             .length = length,
                             .bins = bins,
                             .frequency = malloc(bins * sizeof(double)),
                             .end = malloc(bins * sizeof(double)),
                             .attenuation = calloc(bins, sizeof(double)),
                             .materials = calloc(settings->material_count + 1, sizeof(struct path_material)),
                             .material_count = settings->material_count};
    bool good = s->frequency && s->end && s->attenuation && s->materials;
    for (size_t i = 0; i < s->material_count && good; i++)
        good = !make_material(&s->materials[i], bins);
    for (size_t k = 0; k < bins && good; k++) {
        s->frequency[k] = (double)k * settings->rate / (double)length;
        s->end[k] = end_of_band(s, s->frequency[k]);
        if (settings->attenuation && k)
            s->attenuation[k] = settings->attenuation(settings->air, s->frequency[k]);
    }
    const int status = !good ? fail(e, ERROR_MEMORY, "out of memory") : fourier_make(&s->tables, length, e);
    if (status)
        path_sound_free(s);
    else
        s->transform = real_fourier_of(&s->tables, length);
    return status;
}

void path_sound_free(struct path_sound *s)
{
    for (size_t i = 0; s->materials && i < s->material_count; i++) {
        free(s->materials[i].admittance);
        free(s->materials[i].mirrored);
    }
    free(s->materials);
    free(s->frequency);
    free(s->end);
    free(s->attenuation);
    fourier_free(&s->tables);
    memset(s, 0, sizeof *s);
}

/* ---- one path */

/* Buffers for the filters of a path. */
struct scratch {
    double complex *spectrum; /* [bins] */
    double complex *response; /* [channels][bins], of a receiver that filters by direction; else NULL */
    double (*ordered)[2];     /* [bins]: of one order, with the fractional delay */
    double *re, *im;          /* [length/2] */
};

static void scratch_free(struct scratch *s)
{
    free(s->spectrum);
    free(s->response);
    free(s->ordered);
    free(s->re);
    free(s->im);
}

static bool scratch_make(struct scratch *s, const struct path_sound *sound, const struct path_receiver *receiver)
{
    s->spectrum = malloc(sound->bins * sizeof *s->spectrum);
    s->response = receiver->responses ? malloc(receiver->channels * sound->bins * sizeof *s->response) : NULL;
    s->ordered = malloc(sound->bins * sizeof *s->ordered);
    s->re = malloc(sound->length / 2 * sizeof *s->re);
    s->im = malloc(sound->length / 2 * sizeof *s->im);
    return s->spectrum && s->ordered && s->re && s->im && (s->response || !receiver->responses);
}

/* Response of an integrator of order n to a point source at a distance: its own response times
 * θ_n(jkr)/r^n. */
struct radial {
    double complex *response;                       /* [order + 1][bins] */
    double coefficient[FIELD_ORDERS][FIELD_ORDERS]; /* [n][power of jkr] of θ_n */
};

static bool radial_make(struct radial *radial, const struct path_sound *sound, const struct path_receiver *receiver)
{
    radial->response = malloc((size_t)(receiver->order + 1) * sound->bins * sizeof *radial->response);
    for (int n = 0; n <= receiver->order && radial->response; n++) {
        for (int power = 0; power <= n; power++) { /* (2n - p)!/((n - p)! p! 2^(n - p)) */
            const double own = tgamma(2 * n - power + 1) / (tgamma(n - power + 1) * tgamma(power + 1));
            radial->coefficient[n][power] = ldexp(own, power - n);
        }
        for (size_t k = 0; k < sound->bins; k++) {
            double value[2] = {1.0, 0.0};
            if (k)
                integrator_response(value, &receiver->integrator, n, 2.0 * M_PI * sound->frequency[k]);
            radial->response[(size_t)n * sound->bins + k] = complex_of(value[0], value[1]);
        }
    }
    return radial->response != NULL;
}

static double complex radial_at(const struct radial *radial, const struct path_sound *sound, int n, size_t k,
                                double distance)
{
    const double x = 2.0 * M_PI * sound->frequency[k] / sound->sound_speed * distance;
    double complex theta = 0.0;
    for (int power = n; power >= 0; power--)
        theta = complex_of(radial->coefficient[n][power] - x * cimag(theta), x * creal(theta));
    return theta * radial->response[(size_t)n * sound->bins + k] / pow(distance, n);
}

/* filter [length]: of order n, or of a response [bins]; its sample 0 is at `samples`, the rounded
 * delay. */
static void make_filter(double *filter, struct scratch *s, const struct path_sound *sound, const struct radial *radial,
                        int n, const double complex *response, double distance, double samples)
{
    const double part = distance / sound->sound_speed * sound->rate - samples;
    const double angle = -2.0 * M_PI / (double)sound->length * part;
    for (size_t k = 0; k < sound->bins; k++) {
        double complex value = complex_product(s->spectrum[k], complex_turn(angle * (double)k));
        if (response)
            value = complex_product(value, response[k]);
        else if (n && k)
            value = complex_product(value, radial_at(radial, sound, n, k, distance));
        s->ordered[k][0] = creal(value);
        s->ordered[k][1] = cimag(value);
    }
    real_fourier_inverse(&sound->transform, (const double(*)[2])s->ordered, s->re, s->im);
    for (size_t i = 0; i < sound->length; i++)
        filter[i] = (i % 2 ? s->im : s->re)[i / 2] / (double)sound->length;
}

static double rounded_delay(const struct path_sound *sound, const struct image_path *path)
{
    return round(path->distance / sound->sound_speed * sound->rate);
}

/* Filters of a path: one per order, or per channel that filters by direction. */
static size_t filter_count(const struct path_receiver *receiver)
{
    return receiver->responses ? receiver->channels : (size_t)receiver->order + 1;
}

/* filters [filter_count][length]; false: out of memory */
static bool filter_path(double *filters, struct scratch *s, const struct path_sound *sound,
                        const struct image_path *path, const struct path_source *source, const struct radial *radial,
                        const struct path_receiver *receiver)
{
    path_spectrum(s->spectrum, sound, path, source);
    if (receiver->responses && !receiver->responses(receiver->context, s->response, sound, path->arrival))
        return false;
    for (size_t n = 0; n < filter_count(receiver); n++)
        make_filter(filters + n * sound->length, s, sound, radial, (int)n,
                    s->response ? s->response + n * sound->bins : NULL, path->distance, rounded_delay(sound, path));
    return true;
}

/* ---- all paths */

/* The last quarter of a filter precedes its sample 0. */
static void add_filter(double *out, size_t frames, const double *filter, size_t length, double delay, double gain)
{
    for (size_t i = 0; i < length; i++) {
        const double at = delay + (double)i - (i >= length - length / 4 ? (double)length : 0.0);
        if (at >= 0.0 && at < (double)frames)
            out[(size_t)at] += gain * filter[i];
    }
}

static void add_path(double *out, size_t frames, const double *filters, const struct path_sound *sound,
                     const struct image_path *path, const struct path_receiver *receiver, double *gains)
{
    const size_t orders = (size_t)receiver->order + 1;
    for (size_t c = 0; c < receiver->channels && receiver->responses; c++)
        add_filter(out + c * frames, frames, filters + c * sound->length, sound->length, rounded_delay(sound, path),
                   1.0);
    if (receiver->responses)
        return;
    gains[0] = 1.0;
    if (receiver->gains)
        receiver->gains(receiver->context, gains, path->arrival);
    for (size_t c = 0; c < receiver->channels; c++)
        for (size_t n = 0; n < orders; n++)
            if (gains[c * orders + n] != 0.0)
                add_filter(out + c * frames, frames, filters + n * sound->length, sound->length,
                           rounded_delay(sound, path), gains[c * orders + n]);
}

int path_sound_add(double *out, size_t frames, const struct path_sound *sound, const struct image_paths *paths,
                   const struct path_source *source, const struct path_receiver *receiver, struct error *e)
{
    const size_t orders = (size_t)receiver->order + 1, size = filter_count(receiver) * sound->length;
    double *filters = malloc(GROUP * size * sizeof *filters),
           *gains = calloc(receiver->channels * orders, sizeof *gains);
    struct radial radial = {0};
    bool good = filters && gains && radial_make(&radial, sound, receiver);
    for (size_t first = 0; first < paths->count && good && !stop_requested(); first += GROUP) {
        const size_t count = paths->count - first < GROUP ? paths->count - first : GROUP;
        bool made = true;
#pragma omp parallel reduction(&& : made)
        {
            struct scratch scratch = {0};
            made = scratch_make(&scratch, sound, receiver);
#pragma omp for schedule(dynamic, 8)
            for (size_t i = 0; i < count; i++)
                if (made && !stop_requested())
                    made = filter_path(filters + i * size, &scratch, sound, &paths->list[first + i], source, &radial,
                                       receiver);
            scratch_free(&scratch);
        }
        good = made;
        for (size_t i = 0; i < count && good; i++)
            add_path(out, frames, filters + i * size, sound, &paths->list[first + i], receiver, gains);
    }
    free(filters);
    free(gains);
    free(radial.response);
    return good ? stop_check(e) : fail(e, ERROR_MEMORY, "out of memory");
}

/* The first computed bin of a path. */
static size_t first_bin(const struct path_sound *sound)
{
    const double bin = ceil(sound->low / sound->rate * (double)sound->length);
    return bin < 1.0 ? 1 : (size_t)bin;
}

/* All walls on a path. */
static void reflect(double complex *spectrum, const struct path_sound *sound, const struct image_path *path)
{
    const double delay = path->distance / sound->sound_speed;
    for (size_t k = first_bin(sound); k < sound->bins && sound->end[k] > 0.0; k++) {
        double complex admittance[PATH_WALLS_MAX];
        double sign = 1.0;
        for (uint32_t w = 0; w < path->wall_count; w++) {
            const struct path_material *m = &sound->materials[path->walls[w].material];
            admittance[w] = m->fixed ? 0.0 : m->admittance[k];
            for (uint32_t n = 0; n < path->walls[w].count; n++)
                sign *= m->fixed ? -m->mirrored[k] : m->mirrored[k];
        }
        spectrum[k] *= sign * path_walls_factor(path, admittance, 2.0 * M_PI * sound->frequency[k] * delay);
    }
}

/* Below the first bin: constant magnitude and a phase proportional to frequency, which keeps the
 * filter short. */
static void continue_down(double complex *spectrum, size_t first)
{
    const double magnitude = cabs(spectrum[first]), phase = carg(spectrum[first]);
    for (size_t k = 0; k < first; k++)
        spectrum[k] = magnitude * cexp(I * (phase * (double)k / (double)first));
}

void path_spectrum(double complex *spectrum, const struct path_sound *sound, const struct image_path *path,
                   const struct path_source *source)
{
    const double level = source->gain / (4.0 * M_PI * path->distance);
    for (size_t k = 0; k < sound->bins; k++)
        spectrum[k] = level * exp(-sound->attenuation[k] * path->distance);
    if (path->wall_count)
        reflect(spectrum, sound, path);
    if (path->turned[0] > 0.0)
        path_edges_multiply(spectrum, sound, path, first_bin(sound));
    if (source->multiply)
        source->multiply(source->context, spectrum, sound, path->departure, path->distance);
    continue_down(spectrum, first_bin(sound));
    for (size_t k = 0; k < sound->bins; k++)
        spectrum[k] *= sound->end[k];
}
