/* SPDX-License-Identifier: MIT */
#include "dsp/ears/ear_responses.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/complex_numbers.h"

enum { NEAR = 12, LEAST = 4096, OVERSAMPLING = 8 }; /* directions that are tried; bins of a transform */
static const double same = 1e-6;                    /* of the chord between two directions */

double ear_responses_length(const struct hrtf *h)
{
    double longest = 0.0;
    for (size_t m = 0; m < h->directions; m++)
        longest = fmax(longest, fmax(h->delay[m][0], h->delay[m][1]));
    return ((double)h->taps + longest) / h->rate;
}

/* Samples: of the energy of a response, half the rate taken out by [1 2 1], as what is not smooth there never ends. */
static double centre_of(const double *response, size_t taps)
{
    double energy = 0.0, moment = 0.0;
    for (size_t n = 0; n < taps; n++) {
        const double before = n ? response[n - 1] : 0.0, after = n + 1 < taps ? response[n + 1] : 0.0;
        const double smooth = before + 2.0 * response[n] + after;
        energy += smooth * smooth;
        moment += (double)n * smooth * smooth;
    }
    return energy > 0.0 ? moment / energy : 0.0;
}

int ear_responses_make(struct ear_responses *r, const struct hrtf *h, struct error *e)
{
    size_t length = LEAST;
    while (length < OVERSAMPLING * h->taps)
        length *= 2;
    *r = (struct ear_responses){.hrtf = h, .centre = calloc(h->directions + 1, sizeof *r->centre)};
    if (!r->centre)
        return fail(e, ERROR_MEMORY, "out of memory");
    for (size_t m = 0; m < h->directions; m++)
        for (size_t ear = 0; ear < 2; ear++)
            r->centre[m][ear] = centre_of(h->responses + (2 * m + ear) * h->taps, h->taps);
    return fourier_make(&r->tables, length, e);
}

void ear_responses_free(struct ear_responses *r)
{
    free(r->centre);
    fourier_free(&r->tables);
    memset(r, 0, sizeof *r);
}

/* ---- directions */

struct neighbour {
    size_t index;
    double chord; /* squared */
};

/* The nearest, from near to far; directions that the HRTF has twice count once. */
static size_t find_near(struct neighbour near[NEAR], const struct hrtf *h, const double direction[3])
{
    size_t count = 0;
    for (size_t m = 0; m < h->directions; m++) {
        struct neighbour here = {m, 0.0};
        bool twice = false;
        for (int k = 0; k < 3; k++)
            here.chord += pow(h->direction[m][k] - direction[k], 2.0);
        if (count == NEAR && !(here.chord < near[NEAR - 1].chord))
            continue;
        for (size_t i = 0; i < count && !twice; i++) {
            const double *a = h->direction[near[i].index], *b = h->direction[m];
            twice = fabs(a[0] - b[0]) + fabs(a[1] - b[1]) + fabs(a[2] - b[2]) < same;
        }
        if (twice)
            continue;
        size_t place = count < NEAR ? count++ : NEAR - 1;
        for (; place > 0 && here.chord < near[place - 1].chord; place--)
            near[place] = near[place - 1];
        near[place] = here;
    }
    return count;
}

static double volume(const double a[3], const double b[3], const double c[3])
{
    return a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) + a[2] * (b[0] * c[1] - b[1] * c[0]);
}

/* Weights with which three directions add up to a multiple of one; false: it is not between them. */
static bool weigh(double weight[3], const struct hrtf *h, const size_t index[3], const double direction[3])
{
    const double *a = h->direction[index[0]], *b = h->direction[index[1]], *c = h->direction[index[2]];
    const double all = volume(a, b, c);
    if (!(fabs(all) > same))
        return false;
    weight[0] = volume(direction, b, c) / all;
    weight[1] = volume(a, direction, c) / all;
    weight[2] = volume(a, b, direction) / all;
    const double sum = weight[0] + weight[1] + weight[2];
    for (int i = 0; i < 3; i++) {
        if (!(weight[i] >= -same))
            return false;
        weight[i] = fmax(weight[i], 0.0) / sum;
    }
    return true;
}

/* Around a direction (unit vector of the head's own axes). Outside of what the HRTF covers: the nearest alone. */
static struct ear_directions ear_directions_around(const struct hrtf *h, const double direction[3])
{
    struct neighbour near[NEAR] = {{.index = 0, .chord = INFINITY}};
    const size_t count = find_near(near, h, direction);
    struct ear_directions best = {1, {near[0].index, 0, 0}, {1.0, 0.0, 0.0}};
    double least = INFINITY;
    if (near[0].chord < same * same)
        return best;
    for (size_t i = 1; i < count; i++)
        for (size_t k = i + 1; k < count; k++) {
            struct ear_directions d = {3, {near[0].index, near[i].index, near[k].index}, {0.0}};
            const double wide = near[i].chord + near[k].chord;
            if (wide < least && weigh(d.weight, h, d.index, direction)) {
                least = wide;
                best = d;
            }
        }
    return best;
}

/* ---- responses */

struct scratch {
    double *re, *im;        /* [length] */
    double complex *turned; /* [length/2 + 1]: of one ear, without its delay */
};

/* Both ears of a direction by one transform. */
static void transform(const struct scratch *s, const struct ear_responses *r, size_t direction)
{
    const struct hrtf *h = r->hrtf;
    const double *left = h->responses + 2 * direction * h->taps;
    memset(s->re, 0, r->tables.length * sizeof *s->re);
    memset(s->im, 0, r->tables.length * sizeof *s->im);
    memcpy(s->re, left, h->taps * sizeof *s->re);
    memcpy(s->im, left + h->taps, h->taps * sizeof *s->im);
    fourier_forward(&r->tables, s->re, s->im);
}

static void take_ear(const struct scratch *s, const struct ear_responses *r, size_t ear, double centre)
{
    const size_t length = r->tables.length;
    const double complex step = complex_turn(2.0 * M_PI / (double)length * centre);
    double complex back = 1.0;
    for (size_t bin = 0; bin <= length / 2; bin++, back = complex_product(back, step)) {
        const size_t a = fourier_index(&r->tables, bin), b = fourier_index(&r->tables, bin ? length - bin : 0);
        const double complex value = ear ? complex_of(0.5 * (s->im[a] + s->im[b]), 0.5 * (s->re[b] - s->re[a]))
                                         : complex_of(0.5 * (s->re[a] + s->re[b]), 0.5 * (s->im[a] - s->im[b]));
        s->turned[bin] = complex_product(value, back);
    }
}

/* Between bins of the transform on a straight line: out and its magnitudes [count]. */
static void add_ear(double complex *out, double *magnitude, const struct scratch *s, const struct ear_responses *r,
                    double weight, const double *frequencies, size_t count)
{
    for (size_t k = 0; k < count; k++) {
        const double place = frequencies[k] / r->hrtf->rate * (double)r->tables.length;
        if (!(place < (double)(r->tables.length / 2)))
            continue;
        const size_t bin = (size_t)place;
        const double share = place - (double)bin;
        const double complex value = (1.0 - share) * s->turned[bin] + share * s->turned[bin + 1];
        out[k] += weight * value;
        magnitude[k] += weight * cabs(value);
    }
}

static bool scratch_make(struct scratch *s, size_t length)
{
    *s = (struct scratch){.re = malloc(length * sizeof *s->re),
                          .im = malloc(length * sizeof *s->im),
                          .turned = malloc((length / 2 + 1) * sizeof *s->turned)};
    return s->re && s->im && s->turned;
}

bool ear_responses_at(double complex *out, const struct ear_responses *r, const double direction[3],
                      const double *frequencies, size_t count)
{
    const struct ear_directions around = ear_directions_around(r->hrtf, direction);
    struct scratch s;
    double delay[2] = {0.0, 0.0}, *magnitude = calloc(2 * count + 1, sizeof *magnitude);
    const bool made = scratch_make(&s, r->tables.length) && magnitude;
    for (size_t i = 0; i < 2 * count; i++)
        out[i] = 0.0;
    for (size_t i = 0; i < around.count && made; i++) {
        const size_t m = around.index[i];
        transform(&s, r, m);
        for (size_t ear = 0; ear < 2; ear++) {
            take_ear(&s, r, ear, r->centre[m][ear]);
            add_ear(out + ear * count, magnitude + ear * count, &s, r, around.weight[i], frequencies, count);
            delay[ear] += around.weight[i] * (r->hrtf->delay[m][ear] + r->centre[m][ear]);
        }
    }
    for (size_t ear = 0; ear < 2; ear++)
        for (size_t k = 0; k < count && made; k++) {
            double complex *value = &out[ear * count + k];
            const double size = cabs(*value), gain = size > 0.0 ? magnitude[ear * count + k] / size : 0.0;
            *value =
                gain * complex_product(*value, complex_turn(-2.0 * M_PI * frequencies[k] / r->hrtf->rate * delay[ear]));
        }
    free(s.re);
    free(s.im);
    free(s.turned);
    free(magnitude);
    return made;
}

struct field_outside field_outside_of(const double *field, size_t frames, const struct coverage *c)
{
    const double *w = field, *y = w + frames, *z = y + frames, *x = z + frames;
    double sound[COVERAGE_ROWS][COVERAGE_COLUMNS] = {{0.0}}, all = 0.0, outside = 0.0, most = 0.0;
    struct field_outside o = {0.0, {0.0, 0.0}};
    for (size_t n = 0; n < frames; n++) {
        const double intensity[3] = {w[n] * x[n], w[n] * y[n], w[n] * z[n]};
        const double size = hypot(hypot(intensity[0], intensity[1]), intensity[2]);
        double angles[2];
        if (!(size > 0.0 && size < INFINITY))
            continue;
        coverage_angles(angles, intensity);
        const long row = lround((angles[1] + 90.0) / COVERAGE_STEP);
        const long column = (lround(angles[0] / COVERAGE_STEP) + COVERAGE_COLUMNS) % COVERAGE_COLUMNS;
        sound[row][column] += size;
        all += size;
    }
    for (int row = 0; row < COVERAGE_ROWS; row++)
        for (int column = 0; column < COVERAGE_COLUMNS; column++) {
            if (!c->outside[row][column])
                continue;
            outside += sound[row][column];
            if (!(sound[row][column] > most))
                continue;
            most = sound[row][column];
            o.at[0] = COVERAGE_STEP * (column > COVERAGE_COLUMNS / 2 ? column - COVERAGE_COLUMNS : column);
            o.at[1] = COVERAGE_STEP * row - 90.0;
        }
    o.share = all > 0.0 ? outside / all : 0.0;
    return o;
}
