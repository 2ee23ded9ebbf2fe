/* SPDX-License-Identifier: MIT */
#include "dsp/space/radiation.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/text.h"
#include "dsp/space/coverage.h"
#include "dsp/space/harmonics.h"
#include "dsp/space/penalised_squares.h"

static const double FRONT_LEAST = 0.03;   /* smallest front, relative to the rms over the sphere, for normalisation */
static const double FRONT_LOW = 0.3;      /* a lower front, relative to the rms, causes a warning */
static const double FRONT_WEIGHT = 100.0; /* of the row that holds the front, over that of the whole sphere */
static const double PENALTY = 3e-3;       /* √ of that of order 1, over 2 */
static const double UNUSED = 1e-4;        /* rms of a harmonic over that of the pattern */
static const double COARSE = 0.7; /* change of the coefficients from one frequency to the next, over their rms */

static const double front[3] = {1.0, 0.0, 0.0};

/* The system of least squares: columns of harmonics, N3D times `scale`, then the pattern at each frequency. */
struct fit {
    const struct radiation_samples *samples;
    size_t harmonics, rows;
    double scale[RADIATION_HARMONICS_MAX];
    double *areas;    /* [directions] */
    double *columns;  /* [harmonics + 2 frequencies][rows] */
    double *solution; /* [2 frequencies][harmonics] */
    size_t nearest;   /* direction that counts as the front */
};

static void fit_free(struct fit *f)
{
    free(f->areas);
    free(f->columns);
    free(f->solution);
}

static void find_front(struct fit *f)
{
    double most = -2.0;
    for (size_t i = 0; i < f->samples->directions; i++)
        if (f->samples->direction[i][0] > most) {
            most = f->samples->direction[i][0];
            f->nearest = i;
        }
}

static int fit_make(struct fit *f, const struct radiation_samples *s, int order, struct error *e)
{
    *f = (struct fit){.samples = s, .harmonics = harmonics_count(order), .rows = (s->directions + 1 + 3) / 4 * 4};
    f->areas = malloc(s->directions * sizeof *f->areas);
    f->columns = calloc((f->harmonics + 2 * s->frequencies) * f->rows, sizeof *f->columns);
    f->solution = calloc(2 * s->frequencies * f->harmonics, sizeof *f->solution);
    if (!f->areas || !f->columns || !f->solution)
        return fail(e, ERROR_MEMORY, "out of memory");
    find_front(f);
    return sphere_areas(f->areas, s->direction, s->directions, e);
}

static void fill_harmonics(struct fit *f, int order)
{
    double y[RADIATION_HARMONICS_MAX];
    for (size_t c = 0; c < f->harmonics; c++) {
        const int n = harmonics_order_of(c);
        f->scale[c] = n ? sqrt(2.0 * n + 1.0) / (n * (n + 1.0)) : 1e4; /* order 0 without a penalty to speak of */
    }
    for (size_t i = 0; i <= f->samples->directions; i++) {
        const bool held = i == f->samples->directions;
        const double weight = held ? FRONT_WEIGHT : sqrt(f->areas[i]);
        harmonics_at(y, order, held ? front : f->samples->direction[i]);
        for (size_t c = 0; c < f->harmonics; c++)
            f->columns[c * f->rows + i] = weight * f->scale[c] * y[c];
    }
}

/* The pattern at a frequency over its front, and 1 there. */
static int fill_pattern(struct fit *f, size_t k, const char *name, struct error *e)
{
    const struct radiation_samples *s = f->samples;
    const double(*value)[2] = s->value + k * s->directions, *ahead = value[f->nearest];
    double *re = f->columns + (f->harmonics + 2 * k) * f->rows, *im = re + f->rows, squares = 0.0;
    const double power = ahead[0] * ahead[0] + ahead[1] * ahead[1];
    for (size_t i = 0; i < s->directions; i++)
        squares += f->areas[i] * (value[i][0] * value[i][0] + value[i][1] * value[i][1]);
    if (!(power > FRONT_LEAST * FRONT_LEAST * squares))
        return fail(e, ERROR_INPUT,
                    "%s: at %g Hz the level on the axis is %.0f dB below the average, too low to refer the source "
                    "strength to it; point SourceView at the main lobe",
                    name, s->frequency[k], -10.0 * log10(power / squares));
    for (size_t i = 0; i < s->directions; i++) {
        const double weight = sqrt(f->areas[i]) / power;
        re[i] = weight * (value[i][0] * ahead[0] + value[i][1] * ahead[1]);
        im[i] = weight * (value[i][1] * ahead[0] - value[i][0] * ahead[1]);
    }
    re[s->directions] = FRONT_WEIGHT;
    return 0;
}

/* Adds the squared error of the fit in a direction at each frequency. */
static void add_residual(double *left, double *all, const struct radiation *r, const struct fit *f, size_t i)
{
    const struct radiation_samples *s = f->samples;
    double y[RADIATION_HARMONICS_MAX];
    harmonics_at(y, r->order, s->direction[i]);
    for (size_t k = 0; k < r->count; k++) {
        const double *value = s->value[k * s->directions + i], *ahead = s->value[k * s->directions + f->nearest];
        const double power = ahead[0] * ahead[0] + ahead[1] * ahead[1];
        const double re = (value[0] * ahead[0] + value[1] * ahead[1]) / power,
                     im = (value[1] * ahead[0] - value[0] * ahead[1]) / power;
        double fitted[2] = {0.0, 0.0};
        for (size_t u = 0; u < r->used; u++) {
            const double *one = r->coefficient[r->harmonic[u] * r->count + k];
            fitted[0] += y[r->harmonic[u]] * one[0];
            fitted[1] += y[r->harmonic[u]] * one[1];
        }
        left[k] += f->areas[i] * (pow(fitted[0] - re, 2.0) + pow(fitted[1] - im, 2.0));
        all[k] += f->areas[i] * (re * re + im * im);
    }
}

/* Warns of a weak front. all [frequencies]: mean square of the pattern over that of the front. */
static int warn_of_front(struct radiation *r, const double *all, const char *name, struct error *e)
{
    size_t worst = 0;
    for (size_t k = 1; k < r->count; k++)
        worst = all[k] > all[worst] ? k : worst;
    if (!(all[worst] * FRONT_LOW * FRONT_LOW > 1.0))
        return 0;
    return lines_add(&r->warnings, &r->warning_count, e,
                     "%s: the level on the axis is %.0f dB below the average at %g Hz, and normalisation to the axis "
                     "makes other directions that much louder; point SourceView at the main lobe",
                     path_name(name), 10.0 * log10(all[worst]), r->frequency[worst]);
}

static int warn_of_coverage(struct radiation *r, const struct radiation_samples *s, const char *name, struct error *e)
{
    struct coverage c;
    const int status = coverage_make(&c, s->direction, s->directions, e) ||
                               coverage_warn(&r->warnings, &r->warning_count, &c, NULL, NULL, path_name(name), e)
                           ? -1
                           : 0;
    coverage_free(&c);
    return status;
}

static int find_residual(struct radiation *r, const struct fit *f, const char *name, struct error *e)
{
    double *all = calloc(r->count + 1, sizeof *all);
    if (!all)
        return fail(e, ERROR_MEMORY, "out of memory");
    for (size_t i = 0; i < f->samples->directions; i++)
        add_residual(r->residual, all, r, f, i);
    for (size_t k = 0; k < r->count; k++)
        r->residual[k] = sqrt(r->residual[k] / all[k]);
    const int status = warn_of_front(r, all, name, e);
    free(all);
    return status;
}

static int allocate(struct radiation *r, const struct radiation_samples *s, int order, struct error *e)
{
    *r = (struct radiation){.order = order, .distance = s->distance, .count = s->frequencies};
    r->frequency = malloc(r->count * sizeof *r->frequency);
    r->residual = calloc(r->count, sizeof *r->residual);
    r->coefficient = calloc(harmonics_count(order) * r->count, sizeof *r->coefficient);
    if (!r->frequency || !r->residual || !r->coefficient)
        return fail(e, ERROR_MEMORY, "out of memory");
    memcpy(r->frequency, s->frequency, r->count * sizeof *r->frequency);
    return 0;
}

/* Sum of squares of a harmonic, N3D, over all frequencies. */
static double energy_of(const struct radiation *r, size_t c)
{
    double sum = 0.0;
    for (size_t k = 0; k < r->count; k++) {
        const double *value = r->coefficient[c * r->count + k];
        sum += value[0] * value[0] + value[1] * value[1];
    }
    return sum / (2.0 * harmonics_order_of(c) + 1.0);
}

/* Those that a lower order may need to hold the front at 1 stay, too. */
static void list_used(struct radiation *r)
{
    double y[RADIATION_HARMONICS_MAX], all = 0.0;
    const size_t count = harmonics_count(r->order);
    harmonics_at(y, r->order, front);
    for (size_t c = 0; c < count; c++)
        all += energy_of(r, c);
    for (size_t c = 0; c < count; c++)
        if (fabs(y[c]) > 1e-9 || energy_of(r, c) > UNUSED * UNUSED * all)
            r->harmonic[r->used++] = c;
}

static void find_coarse(struct radiation *r)
{
    const size_t count = harmonics_count(r->order);
    for (r->coarse = 0; r->coarse + 1 < r->count; r->coarse++) {
        double change = 0.0, all = 0.0;
        for (size_t c = 0; c < count; c++) {
            const double(*v)[2] = (const double(*)[2])r->coefficient + c * r->count + r->coarse;
            const double n = 2.0 * harmonics_order_of(c) + 1.0;
            change += (pow(v[1][0] - v[0][0], 2.0) + pow(v[1][1] - v[0][1], 2.0)) / n;
            all += (v[0][0] * v[0][0] + v[0][1] * v[0][1]) / n;
        }
        if (!(change <= COARSE * COARSE * all))
            return;
    }
    r->coarse = r->count;
}

static void take_solution(struct radiation *r, const struct fit *f)
{
    for (size_t k = 0; k < r->count; k++)
        for (size_t c = 0; c < f->harmonics; c++)
            for (size_t part = 0; part < 2; part++)
                r->coefficient[c * r->count + k][part] = f->scale[c] * f->solution[(2 * k + part) * f->harmonics + c];
    list_used(r);
    find_coarse(r);
}

int radiation_fit(struct radiation *r, const struct radiation_samples *s, int order, const char *name, struct error *e)
{
    struct fit f = {0};
    memset(r, 0, sizeof *r);
    if (s->directions < harmonics_count(order))
        return fail(e, ERROR_INPUT, "%s: %zu directions are too few for order %d, which needs %zu; use a lower order",
                    name, s->directions, order, harmonics_count(order));
    int status = allocate(r, s, order, e) || fit_make(&f, s, order, e) ? -1 : 0;
    if (!status)
        fill_harmonics(&f, order);
    for (size_t k = 0; k < s->frequencies && !status; k++)
        status = fill_pattern(&f, k, name, e);
    if (!status)
        status = penalised_squares(f.solution, f.harmonics, 2 * s->frequencies, f.columns, f.rows, PENALTY, e);
    if (!status) {
        take_solution(r, &f);
        status = find_residual(r, &f, name, e) || warn_of_coverage(r, s, name, e) ? -1 : 0;
    }
    fit_free(&f);
    if (status)
        radiation_free(r);
    return status;
}

void radiation_free(struct radiation *r)
{
    free(r->frequency);
    free(r->residual);
    free(r->coefficient);
    lines_free(r->warnings, r->warning_count);
    memset(r, 0, sizeof *r);
}

/* Value k of a harmonic, 0 being that at 0 Hz, where the pattern is real, and 1 that at the first frequency. */
static void value_of(double value[2], const struct radiation *r, size_t harmonic, size_t k)
{
    const double(*v)[2] = (const double(*)[2])r->coefficient + harmonic * r->count;
    if (k) {
        memcpy(value, v[k - 1], sizeof *v);
        return;
    }
    value[0] = copysign(hypot(v[0][0], v[0][1]), v[0][0]);
    value[1] = 0.0;
}

static double frequency_of(const struct radiation *r, size_t k)
{
    return k ? r->frequency[k - 1] : 0.0;
}

/* Cubic between two frequencies, with the slope of a parabola through the neighbours at each: phases that turn by a
 * quarter from one frequency to the next keep their magnitude. At both ends the slope of the interval. */
static void interpolate(double value[2], const struct radiation *r, size_t harmonic, double frequency)
{
    size_t low = 0, high = r->count; /* the interval from value `low` to the next */
    while (low < high) {
        const size_t middle = (low + high) / 2;
        if (r->frequency[middle] > frequency)
            high = middle;
        else
            low = middle + 1;
    }
    if (low == r->count) {
        value_of(value, r, harmonic, r->count);
        return;
    }
    double v[4][2], f[4];
    const size_t first = low ? low - 1 : 0, last = low + 2 <= r->count ? low + 2 : low + 1;
    const size_t index[4] = {first, low, low + 1, last};
    for (int i = 0; i < 4; i++) {
        value_of(v[i], r, harmonic, index[i]);
        f[i] = frequency_of(r, index[i]);
    }
    const double width = f[2] - f[1], t = (frequency - f[1]) / width;
    for (int part = 0; part < 2; part++) {
        const double slope = v[2][part] - v[1][part]; /* times the width */
        double before = slope, after = slope;
        if (first < low) {
            const double own = (v[1][part] - v[0][part]) * width / (f[1] - f[0]), share = width / (f[2] - f[0]);
            before = share * own + (1.0 - share) * slope;
        }
        if (last > low + 1) {
            const double own = (v[3][part] - v[2][part]) * width / (f[3] - f[2]), share = width / (f[3] - f[1]);
            after = share * own + (1.0 - share) * slope;
        }
        value[part] =
            v[1][part] + t * (before + t * (3.0 * slope - 2.0 * before - after + t * (before + after - 2.0 * slope)));
    }
}

/* Sum of the harmonics of order 0 to `order` in front. */
static void sum_in_front(double sum[2], const struct radiation *r, int order, double frequency)
{
    double y[RADIATION_HARMONICS_MAX];
    harmonics_at(y, order, front);
    sum[0] = sum[1] = 0.0;
    for (size_t i = 0; i < r->used && r->harmonic[i] < harmonics_count(order); i++) {
        double value[2];
        if (fabs(y[r->harmonic[i]]) <= 1e-9)
            continue;
        interpolate(value, r, r->harmonic[i], frequency);
        sum[0] += y[r->harmonic[i]] * value[0];
        sum[1] += y[r->harmonic[i]] * value[1];
    }
}

/* A lower order uses its own harmonics plus the smallest correction that makes its front 1. */
void radiation_at(double value[2], const struct radiation *r, int order, size_t harmonic, double frequency)
{
    double y[RADIATION_HARMONICS_MAX], sum[2];
    const int n = harmonics_order_of(harmonic);
    value[0] = value[1] = 0.0;
    if (n > order)
        return;
    interpolate(value, r, harmonic, frequency);
    if (order >= r->order)
        return;
    harmonics_at(y, order, front);
    sum_in_front(sum, r, order, frequency);
    const double gain = (2.0 * n + 1.0) * y[harmonic] / (double)harmonics_count(order); /* Σ (2n + 1) Y² = (N + 1)² */
    value[0] += gain * (1.0 - sum[0]);
    value[1] -= gain * sum[1];
}

void radiation_towards(double value[2], const struct radiation *r, int order, const double direction[3],
                       double frequency)
{
    double y[RADIATION_HARMONICS_MAX];
    harmonics_at(y, r->order, direction);
    value[0] = value[1] = 0.0;
    for (size_t i = 0; i < r->used; i++) {
        double one[2];
        radiation_at(one, r, order, r->harmonic[i], frequency);
        value[0] += y[r->harmonic[i]] * one[0];
        value[1] += y[r->harmonic[i]] * one[1];
    }
}

double radiation_residual(const struct radiation *r, double frequency)
{
    if (!(frequency >= r->frequency[0] && frequency <= r->frequency[r->count - 1]))
        return NAN;
    size_t k = 0;
    while (k + 1 < r->count && r->frequency[k + 1] <= frequency)
        k++;
    return r->residual[k];
}

/* A Fibonacci lattice whose axis is the front. */
void radiation_lattice(double (*direction)[3], size_t count)
{
    const double turn = M_PI * (3.0 - sqrt(5.0));
    for (size_t i = 0; i < count; i++) {
        const double x = i ? 1.0 - 2.0 * (double)i / ((double)count - 1.0) : 1.0, across = sqrt(fmax(0.0, 1.0 - x * x));
        direction[i][0] = x;
        direction[i][1] = across * cos(turn * (double)i);
        direction[i][2] = across * sin(turn * (double)i);
    }
}

void radiation_sample(double (*value)[2], const double (*direction)[3], size_t count, const double (*coefficient)[2],
                      int order, double *scratch)
{
    for (size_t i = 0; i < count; i++) {
        harmonics_at(scratch, order, direction[i]);
        value[i][0] = value[i][1] = 0.0;
        for (size_t c = 0; c < harmonics_count(order); c++) {
            value[i][0] += scratch[c] * coefficient[c][0];
            value[i][1] += scratch[c] * coefficient[c][1];
        }
    }
}
