/* SPDX-License-Identifier: MIT */
#include "render/synth/line_modes.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

/* With b = βL/2, g = γL/2 and mode numbers n, from 1 for supported and clamped ends and from 0 for free ones, the
 * boundary conditions are
 *     supported  βL = nπ                                   φ = sin βx
 *     clamped    βL = nπ + 2p,  tan p = (β/γ)/h            φ = sin(βx - p) + sin p E(x)
 *     free       βL = nπ - 2p,  tan p = (β/γ)³ h           φ ~ cos(βx + p) + (β/γ)² cos p E(x)
 * with 0 <= p < π/2. Clamped modes of odd n and free modes of even n are even about the middle, the others odd. h is
 * tanh g for even modes and coth g for odd ones; E is the even or odd sum of the two exponentials with E(0) = 1. */
struct line_mode_shape {
    double wave;       /* βL */
    double phase;      /* p */
    double evanescent; /* γL */
    double share;      /* of E in φ */
    double scale;      /* of the sinusoid in φ; its sign makes φ positive at place 0 */
    bool even;
};

/* Bound of γL, so that EI = 0 is the limit of small EI. */
static const double evanescent_max = 1e30;

/* (γ² - β²) L² = T L²/EI */
static double tension_ratio(const struct line *line)
{
    const double max = evanescent_max * evanescent_max;
    const double tension = line->tension * line->length * line->length;
    return tension < max * line->bending ? tension / line->bending : max;
}

static bool is_valid(const struct line *line)
{
    const bool positive = line->length > 0.0 && line->density > 0.0 && line->tension >= 0.0 && line->bending >= 0.0;
    return positive && line->tension + line->bending > 0.0 && isfinite(line->length) && isfinite(line->density) &&
           isfinite(line->tension) && isfinite(line->bending);
}

/* Σ x^(k-1)/(2k+1)! over k >= 1, and, times_2k, Σ 2k x^(k-1)/(2k+1)!: (sinh y/y - 1)/y² and (y cosh y - sinh y)/y³ at x
 * = y², (1 - sin y/y)/y² and (sin y - y cos y)/y³ at x = -y². The closed forms cancel at small y; |x| <= 4 here. */
static double series(double x, bool times_2k)
{
    double term = 1.0 / 6.0, sum = 0.0;
    for (int k = 1; k < 14; k++) {
        sum += times_2k ? 2 * k * term : term;
        term *= x / ((2 * k + 2) * (2 * k + 3));
    }
    return sum;
}

static double sinc_rest(double x)
{
    return series(x, false);
}

static double slope_rest(double x)
{
    return series(x, true);
}

/* y coth y - 1 and 1 - y cot y */
static double coth_rest(double y)
{
    return y < 1.0 ? y * y * slope_rest(y * y) * (y > 0.0 ? y / sinh(y) : 1.0) : y / tanh(y) - 1.0;
}

static double cot_rest(double y)
{
    return y < 1.0 ? y * y * slope_rest(-y * y) * (y > 0.0 ? y / sin(y) : 1.0) : 1.0 - y / tan(y);
}

/* The sign change of f, positive at `low` and negative at `high`, to the last bit. */
static double root_between(double (*f)(const void *context, double x), const void *context, double low, double high)
{
    for (;;) {
        const double middle = low + 0.5 * (high - low);
        if (!(middle > low && middle < high))
            return middle;
        *(f(context, middle) > 0.0 ? &low : &high) = middle;
    }
}

struct condition {
    enum line_ends ends;
    size_t n;
    double tension_ratio;
    bool even;
};

static double wave_of(const struct condition *c, double phase)
{
    return (double)c->n * M_PI + (c->ends == LINE_CLAMPED ? 2.0 : -2.0) * phase;
}

/* The phase from the boundary condition, minus `phase`. */
static double phase_residual(const void *context, double phase)
{
    const struct condition *c = context;
    const double wave = wave_of(c, phase), evanescent = sqrt(wave * wave + c->tension_ratio);
    const double ratio = wave / evanescent, h = c->even ? tanh(0.5 * evanescent) : 1.0 / tanh(0.5 * evanescent);
    return atan(c->ends == LINE_CLAMPED ? ratio / h : ratio * ratio * ratio * h) - phase;
}

/* The odd free mode n = 1, which tends to a rotation as the tension decreases: then b⁴ = 3t, t = g² - b², and terms
 * above order t cancel in cot b = (b/g)³ coth g. Times b g⁴ this is g⁴ - b⁴ = (1 - b cot b) g⁴ + (g coth g - 1) b⁴. */
static double rotation_residual(const void *context, double b)
{
    const double t = 0.25 * ((const struct condition *)context)->tension_ratio;
    const double b2 = b * b, g2 = b2 + t;
    return t * (2.0 + t / b2) - cot_rest(b) / b2 * g2 * g2 - coth_rest(sqrt(g2)) * b2;
}

static struct line_mode_shape shape_of(const struct line *line, size_t n)
{
    const struct condition c = {line->ends, n, tension_ratio(line), line->ends == LINE_FREE ? n % 2 == 0 : n % 2 == 1};
    struct line_mode_shape s = {.wave = (double)n * M_PI, .scale = 1.0, .even = c.even};
    if (c.ends == LINE_FREE && n == 0)
        return s;
    if (c.ends == LINE_FREE && n == 1) {
        /* Without tension φ = 1 - 2 place, which is E at γ = 0. */
        s.wave = c.tension_ratio > 0.0 ? 2.0 * root_between(rotation_residual, &c, 0.0, M_PI_2) : 0.0;
        s.phase = M_PI_2 - 0.5 * s.wave;
    } else if (c.ends != LINE_SUPPORTED) {
        s.phase = root_between(phase_residual, &c, 0.0, M_PI_2);
        s.wave = wave_of(&c, s.phase);
    }
    s.evanescent = sqrt(s.wave * s.wave + c.tension_ratio);
    if (c.ends == LINE_CLAMPED)
        s.share = sin(s.phase);
    if (c.ends == LINE_FREE) { /* φ(0) = 1 is the maximum */
        const double ratio = s.wave > 0.0 ? s.wave / s.evanescent : 1.0;
        s.share = ratio * ratio / (1.0 + ratio * ratio);
        s.scale = (n % 4 < 2 ? 1.0 : -1.0) * (1.0 - s.share);
        if (s.wave > 0.0) /* sin or cos of b: magnitude of the sinusoid at the end */
            s.scale /= n == 1 ? sin(0.5 * s.wave) : cos(s.phase);
        else
            s.share = 1.0;
    }
    return s;
}

/* The exponentials of a shape, 1 at the end, even or odd about the middle. place: 0 to 1/2. */
static double exponentials(double evanescent, bool even, double place)
{
    const double inside = 1.0 - 2.0 * place;
    if (even)
        return exp(-evanescent * place) * (1.0 + exp(-evanescent * inside)) / (1.0 + exp(-evanescent));
    return evanescent > 0.0 ? exp(-evanescent * place) * expm1(-evanescent * inside) / expm1(-evanescent) : inside;
}

/* ∫φ²dx/L */
static double mean_square(const struct line *line, const struct line_mode_shape *s)
{
    const double g = 0.5 * s->evanescent, wave2 = s->wave * s->wave;
    if (!(s->wave > 0.0))
        return s->even ? 1.0 : 1.0 / 3.0;
    double sinusoid = 1.0 - sin(2.0 * s->phase) / s->wave;
    if (line->ends == LINE_FREE && s->wave < 1.0)
        sinusoid = wave2 * sinc_rest(-wave2);
    double sum = s->scale * s->scale * sinusoid;
    if (line->ends == LINE_SUPPORTED)
        return 0.5 * sum;
    const double h = s->even ? tanh(g) : 1.0 / tanh(g);
    const double decaying =
        s->even || g > 1.0 ? 1.0 - h * h + h / g : 4.0 * g * g * sinc_rest(4.0 * g * g) / (sinh(g) * sinh(g));
    sum += s->share * s->share * decaying;
    if (line->ends == LINE_FREE) /* twice the mixed term, which integrates to 0 for clamped ends */
        sum += 4.0 * s->share * (1.0 - s->share) * h / g * tension_ratio(line) / (wave2 + tension_ratio(line));
    return 0.5 * sum;
}

static double frequency_of(const struct line *line, double wave)
{
    const double beta = wave / line->length;
    return beta * hypot(sqrt(line->tension), sqrt(line->bending) * beta) / (2.0 * M_PI * sqrt(line->density));
}

enum { MODES_MAX = 1000000 };

int line_modes_make(struct line_modes *m, const struct line *line, double highest, size_t max, struct error *e)
{
    *m = (struct line_modes){.line = *line};
    if (!is_valid(line))
        return fail(e, ERROR_INPUT,
                    "not a valid line: length %g m, density %g kg/m, tension %g N, bending %g N m²; length and density "
                    "must be positive, tension and bending must not be negative, and one of these must be positive",
                    line->length, line->density, line->tension, line->bending);
    if (isnan(highest))
        return fail(e, ERROR_INPUT, "the highest frequency of the modes is not a number");
    double room = (double)max;
    if (isfinite(highest)) {
        const double xi =
            dispersion_wavenumber_squared(line->tension / line->density, line->bending / line->density, highest);
        room = fmin(room, sqrt(xi) * line->length / M_PI + 3.0);
    }
    if (room > MODES_MAX)
        return fail(e, ERROR_INPUT, "more than %d modes below %g Hz; lower the highest frequency", MODES_MAX, highest);
    const size_t size = (size_t)room;
    m->frequency = calloc(size + 1, sizeof *m->frequency);
    m->wavenumber_squared = calloc(size + 1, sizeof *m->wavenumber_squared);
    m->mass = calloc(size + 1, sizeof *m->mass);
    m->shape = calloc(size + 1, sizeof *m->shape);
    if (!m->frequency || !m->wavenumber_squared || !m->mass || !m->shape) {
        line_modes_free(m);
        return fail(e, ERROR_MEMORY, "out of memory");
    }
    for (size_t i = 0; i < size; i++) {
        const struct line_mode_shape s = shape_of(line, line->ends == LINE_FREE ? i : i + 1);
        const double frequency = frequency_of(line, s.wave), beta = s.wave / line->length;
        if (!(frequency < highest))
            break;
        m->frequency[i] = frequency;
        m->wavenumber_squared[i] = beta * beta;
        m->mass[i] = line->density * line->length * mean_square(line, &s);
        m->shape[i] = s;
        m->count = i + 1;
    }
    return 0;
}

void line_modes_free(struct line_modes *m)
{
    if (!m)
        return;
    free(m->frequency);
    free(m->wavenumber_squared);
    free(m->mass);
    free(m->shape);
    *m = (struct line_modes){.line = m->line};
}

double line_shape(const struct line_modes *m, size_t mode, double place)
{
    const struct line_mode_shape *s = &m->shape[mode];
    const bool mirrored = place > 0.5;
    const double near = mirrored ? 1.0 - place : place;
    double value;
    if (m->line.ends != LINE_FREE)
        value = sin(s->wave * near - s->phase);
    else if (s->even)
        value = s->scale * cos(s->wave * (0.5 - near));
    else
        value = s->scale * sin(s->wave * (0.5 - near));
    if (s->share > 0.0)
        value += s->share * exponentials(s->evanescent, s->even, near);
    return mirrored && !s->even ? -value : value;
}

/* Clamped ends at rest: s = 1/2 + v(y), y = 2 place - 1, with G = L/2 sqrt(T/EI)
 *     v = (y - sinh(G y)/(G cosh G))/(2 (1 - tanh G/G)).
 * For G < 2 terms above order G² cancel, and v is summed as c[0] y + c[1] y³ + .... */
enum { POWERS = 14 };

static double static_rate(const struct line *line)
{
    return 0.5 * sqrt(tension_ratio(line));
}

static void static_powers(double rate, double c[POWERS])
{
    const double x = rate * rate, whole = 2.0 * slope_rest(x);
    double term = 0.5 / whole; /* x^(k-1)/(2k)! */
    c[0] = 0.0;
    for (int k = 1; k < POWERS; k++) {
        c[0] += term;
        c[k] = -term / (2 * k + 1);
        term *= x / ((2 * k + 1) * (2 * k + 2));
    }
}

double line_end_shape(const struct line *line, double place)
{
    const double y = 2.0 * place - 1.0, rate = static_rate(line);
    if (line->ends != LINE_CLAMPED)
        return line->ends == LINE_SUPPORTED ? place : NAN;
    if (rate < 2.0) {
        double c[POWERS], sum = 0.0;
        static_powers(rate, c);
        for (int k = POWERS; k-- > 0;)
            sum = sum * y * y + c[k];
        return 0.5 + sum * y;
    }
    const double share = tanh(rate) / rate, decaying = exponentials(2.0 * rate, false, fmin(place, 1.0 - place));
    return 0.5 + 0.5 * (y - share * copysign(decaying, y)) / (1.0 - share);
}

double line_end_stiffness(const struct line *line)
{
    const double rate = static_rate(line), length = line->length;
    if (line->ends != LINE_CLAMPED)
        return line->ends == LINE_SUPPORTED ? line->tension / length : NAN;
    if (rate < 2.0)
        return 4.0 * line->bending / (length * length * length) * cosh(rate) / slope_rest(rate * rate);
    return line->tension / length / (1.0 - tanh(rate) / rate);
}

double line_end_mass(const struct line *line)
{
    const double rate = static_rate(line), mass = line->density * line->length;
    if (line->ends != LINE_CLAMPED)
        return line->ends == LINE_SUPPORTED ? mass / 3.0 : NAN;
    double square = 0.0; /* ∫v²dy from 0 to 1 */
    if (rate < 2.0) {
        double c[POWERS];
        static_powers(rate, c);
        for (int i = 0; i < POWERS; i++)
            for (int j = 0; j < POWERS; j++)
                square += c[i] * c[j] / (2 * i + 2 * j + 3);
    } else {
        const double share = tanh(rate) / rate, h = 1.0 / tanh(rate), rest = 1.0 - share;
        square = 1.0 / 3.0 - 2.0 * rest / (rate * rate) + 0.5 * share * share * (1.0 - h * h + h / rate);
        square /= 4.0 * rest * rest;
    }
    return mass * (0.25 + square);
}

/* s is static, so ω² ∫ρA φ s = EI φ''' - T φ' at the moved end. With the boundary conditions this is ±ρA (1/β) (1 +
 * β²/γ²) cos p for clamped ends and ±ρA/β for supported ones. */
double line_end_coupling(const struct line_modes *m, size_t mode)
{
    const struct line_mode_shape *s = &m->shape[mode];
    if (m->line.ends == LINE_FREE)
        return NAN;
    const double ratio = m->line.ends == LINE_CLAMPED ? s->wave / s->evanescent : 0.0;
    return (s->even ? 1.0 : -1.0) * m->line.density * m->line.length / s->wave * (1.0 + ratio * ratio) * cos(s->phase);
}

double line_mode_decay(const struct line_modes *m, const struct line_decay *d, size_t mode)
{
    return d->sigma0 + d->sigma1 * m->wavenumber_squared[mode];
}

static double lowest_frequency(const struct line *line)
{
    const size_t n = line->ends == LINE_FREE && !(line->tension > 0.0) ? 2 : 1;
    return frequency_of(line, shape_of(line, n).wave);
}

struct wanted {
    struct line line;
    double pitch;
};

static double tension_residual(const void *context, double tension)
{
    struct wanted w = *(const struct wanted *)context;
    w.line.tension = tension;
    return w.pitch - lowest_frequency(&w.line);
}

static double length_residual(const void *context, double length)
{
    struct wanted w = *(const struct wanted *)context;
    w.line.length = length;
    return lowest_frequency(&w.line) - w.pitch;
}

double line_tension_for_pitch(const struct line *line, double pitch)
{
    struct wanted w = {*line, pitch};
    /* Tension of a line without bending; bending only raises the pitch. */
    const double speed = 2.0 * line->length * pitch, max = line->density * speed * speed;
    w.line.tension = max;
    if (!(pitch > 0.0) || !is_valid(&w.line))
        return NAN;
    w.line.tension = 0.0;
    if (line->ends != LINE_FREE && line->bending > 0.0 && lowest_frequency(&w.line) > pitch)
        return NAN;
    return root_between(tension_residual, &w, 0.0, max * (1.0 + 1e-12));
}

double line_length_for_pitch(const struct line *line, double pitch)
{
    struct wanted w = {*line, pitch};
    w.line.length = 1.0; /* any positive value, as it is the unknown */
    if (!(pitch > 0.0 && isfinite(pitch)) || !is_valid(&w.line))
        return NAN;
    const double xi =
        dispersion_wavenumber_squared(line->tension / line->density, line->bending / line->density, pitch);
    return root_between(length_residual, &w, 0.0, 2.0 * M_PI / sqrt(xi) * (1.0 + 1e-12));
}
