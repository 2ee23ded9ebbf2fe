/* SPDX-License-Identifier: MIT */
#include "render/near_sound.h"

#include <complex.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/stop.h"
#include "dsp/band_filter.h"
#include "dsp/space/field_stencil.h"
#include "dsp/space/harmonics.h"
#include "dsp/space/penalised_squares.h"
#include "render/directions.h"
#include "render/drives.h"
#include "render/mapping.h"
#include "room/grid/sources.h"
#include "room/grid/stencil_placement.h"
#include "solver/schemes/isotropic19/isotropic19.h"

/* sphere_rule_make is exact up to DEGREES; orders that add up to it are excluded. */
enum { BINS = 96, ROWS = 2 * BINS, DEGREES = FIELD_ORDER_MAX + RADIATION_ORDER_MAX };

static const double penalty = 1e-4; /* on the filter's samples, relative to the direct sound */

void near_sound_free(struct near_sound *near)
{
    free(near->pairs);
    *near = (struct near_sound){.pairs = NULL};
}

/* ---- one pair */

/* A drive and a tap, and the line between them. */
struct way {
    const struct model *m;
    size_t source, drive, receiver, tap;
    double direction[3], distance; /* from the receiver to the source; m */
};

/* The order of a tap, and its pattern in direction d. */
static double taken(const struct way *w, const double d[3], int *order)
{
    const struct receiver *r = &w->m->room->receivers[w->receiver];
    const struct turn turn = turn_of(r->orientation[0], r->orientation[1], r->orientation[2]), back = turn_back(&turn);
    const size_t index = w->tap - room_first_tap(w->m->room, w->receiver);
    double own[3], harmonics[HARMONICS_MAX];
    turn_apply(own, &back, d);
    *order = 0;
    if (!receiver_order(r))
        return 1.0;
    if (r->kind == RECEIVER_AMBISONIC || r->kind == RECEIVER_BINAURAL) {
        *order = harmonics_order_of(index);
        harmonics_at(harmonics, *order, own);
        return harmonics[index];
    }
    *order = r->kind == RECEIVER_VELOCITY || index == 1;
    return r->kind == RECEIVER_VELOCITY ? own[index] : index == 1 ? own[0] : 1.0;
}

/* P_n(z) */
static double legendre(int n, double z)
{
    double before = 1.0, here = z;
    for (int k = 1; k < n; k++) {
        const double next = ((2 * k + 1) * z * here - k * before) / (k + 1);
        before = here;
        here = next;
    }
    return n ? here : 1.0;
}

/* The order of a drive, and its pattern in direction d. */
static double sent(const struct way *w, const double d[3], int *order)
{
    const struct source *s = &w->m->room->sources[w->source];
    const struct turn turn = turn_of(s->orientation[0], s->orientation[1], s->orientation[2]), back = turn_back(&turn);
    const size_t index = w->drive - room_first_drive(w->m->room, w->source);
    double own[3], harmonics[HARMONICS_MAX], a[PATTERN_ORDER_MAX + 1];
    const int n = *order = source_drive_order(s, index);
    turn_apply(own, &back, d);
    if (n > w->m->orders[w->source])
        return 0.0;
    if (s->directivity == DIRECTIVITY_FILE) {
        harmonics_at(harmonics, n, own);
        return harmonics[s->radiation.harmonic[index]];
    }
    source_pattern(a, s->directivity, w->m->orders[w->source]);
    return a[n] * legendre(n, own[0]);
}

/* f_l(d) of each degree l <= m + n. */
static void split(double part[DEGREES + 1], const struct way *w, int *of_tap, int *of_drive)
{
    struct sphere_rule rule;
    sphere_rule_make(&rule);
    memset(part, 0, (DEGREES + 1) * sizeof *part);
    for (size_t q = 0; q < SPHERE_DIRECTIONS; q++) {
        const double *v = rule.direction[q], away[3] = {-v[0], -v[1], -v[2]};
        const double value = rule.weight[q] * taken(w, v, of_tap) * sent(w, away, of_drive);
        const double z = v[0] * w->direction[0] + v[1] * w->direction[1] + v[2] * w->direction[2];
        for (int l = 0; l <= *of_tap + *of_drive; l++)
            part[l] += (2 * l + 1) * legendre(l, z) * value;
    }
}

/* A bin of the band; frequencies relative to the grid rate. */
struct bin {
    double on_grid, in_air; /* if a map follows, it turns on_grid into in_air */
    double gain;            /* of the map */
};

static struct bin bin_of(const struct grid *g, int k)
{
    const double share = ((double)k + 0.5) / BINS, edge = g->valid_frequency / g->rate;
    if (!g->mapped)
        return (struct bin){share * LOW_PASS_STOP_RATIO * edge, share * LOW_PASS_STOP_RATIO * edge, 1.0};
    const double frequency = share * mapping_of(g).stop, on_grid = isotropic19_grid_frequency(frequency);
    return (struct bin){on_grid, frequency, isotropic19_gain(on_grid)};
}

/* s/c, 1/m, of the stencils: by the trapezoidal rule, except for receivers on mapped grids
 * (room/grid/field_placement.h). */
static double complex operator_of(const struct grid *g, const struct bin *b, bool of_drive)
{
    const double omega = g->mapped && !of_drive ? 2.0 * M_PI * b->in_air : 2.0 * tan(M_PI * b->on_grid);
    return I * omega * g->rate / g->sound_speed;
}

/* θ_l(x)/x^l for l = 0 .. degrees: θ_l = (2l - 1) θ_(l-1) + x² θ_(l-2). */
static void near_factors(double complex factor[DEGREES + 1], double complex x, int degrees)
{
    factor[0] = 1.0;
    factor[1] = 1.0 + 1.0 / x;
    for (int l = 2; l <= degrees; l++)
        factor[l] = (2 * l - 1) / x * factor[l - 1] + factor[l - 2];
}

/* E in all bins. */
static void direct_in_air(double complex direct[BINS], const struct way *w)
{
    const struct grid *g = &w->m->grid;
    double part[DEGREES + 1];
    int of_tap = 0, of_drive = 0;
    split(part, w, &of_tap, &of_drive);
    for (int k = 0; k < BINS; k++) {
        const struct bin b = bin_of(g, k);
        const double complex x = I * (2.0 * M_PI * b.in_air * g->rate * w->distance / g->sound_speed);
        double complex factor[DEGREES + 1], sum = 0.0;
        near_factors(factor, x, of_tap + of_drive);
        for (int l = 0; l <= of_tap + of_drive; l++)
            sum += part[l] * factor[l];
        for (int i = 0; i < of_tap + of_drive; i++)
            sum *= operator_of(g, &b, i >= of_tap);
        direct[k] = sum * cexp(-x) / (4.0 * M_PI * w->distance * b.gain);
    }
}

/* Σ h[n] e^{-iωn}, faded: the late ringing consists of slow grid waves above the band, which a
 * sudden end would cut off. */
static double complex spectrum_at(const double *h, double frequency)
{
    double complex sum = 0.0;
    for (int n = 0; n < NEAR_SOUND_STEPS; n++) {
        const double end = fmax(0.0, (double)(n - NEAR_SOUND_FADE) / (NEAR_SOUND_STEPS - NEAR_SOUND_FADE));
        sum += (0.5 + 0.5 * cos(M_PI * end)) * h[n] * cexp(-2.0 * M_PI * I * frequency * n);
    }
    return sum;
}

/* Fits filter: C = E - G by least squares, each bin relative to E. on_grid[NEAR_SOUND_STEPS]: G in
 * the time domain; NULL: 0. */
static int fit(double filter[NEAR_SOUND_TAPS], const struct way *w, const double complex direct[BINS],
               const double *on_grid, struct error *e)
{
    double *columns = calloc((NEAR_SOUND_TAPS + 1) * ROWS, sizeof *columns);
    const double scale = cabs(direct[BINS / 2]);
    if (!columns)
        return fail(e, ERROR_MEMORY, "out of memory");
    for (int k = 0; k < BINS; k++) {
        const struct bin b = bin_of(&w->m->grid, k);
        const double weight = 1.0 / (sqrt(BINS) * cabs(direct[k]));
        const double complex lacks = direct[k] - (on_grid ? spectrum_at(on_grid, b.on_grid) : 0.0);
        for (int n = 0; n <= NEAR_SOUND_TAPS; n++) {
            const double complex value =
                weight * (n < NEAR_SOUND_TAPS ? scale * cexp(-2.0 * M_PI * I * b.on_grid * n) : lacks);
            columns[n * ROWS + 2 * k] = creal(value);
            columns[n * ROWS + 2 * k + 1] = cimag(value);
        }
    }
    const int status = penalised_squares(filter, NEAR_SOUND_TAPS, 1, columns, ROWS, penalty, e);
    for (int n = 0; n < NEAR_SOUND_TAPS; n++)
        filter[n] *= scale;
    free(columns);
    return status;
}

/* ---- all pairs of a source */

/* Taps near a source, and all these points in free air. */
struct surroundings {
    const struct model *m;
    size_t source, count;
    struct way *ways;          /* [count] */
    struct air_points *points; /* [count] */
    double *responses;         /* [count][NEAR_SOUND_STEPS] */
};

static void surroundings_free(struct surroundings *s)
{
    for (size_t i = 0; i < s->count && s->points; i++)
        air_points_free(&s->points[i]);
    free(s->points);
    free(s->ways);
    free(s->responses);
}

/* Whether the grid's direct sound between two positions is separable and replaceable. */
static bool is_near(struct way *w, const double place[3])
{
    const struct grid *g = &w->m->grid;
    const double *from = w->m->room->sources[w->source].position;
    double square = 0.0;
    for (int axis = 0; axis < 3; axis++) {
        w->direction[axis] = from[axis] - place[axis];
        square += w->direction[axis] * w->direction[axis];
    }
    w->distance = sqrt(square);
    for (int axis = 0; axis < 3; axis++)
        w->direction[axis] /= w->distance;
    return w->distance < DIRECT_SOUND_SPACINGS * g->spacing && w->distance > 1e-3 * g->spacing &&
           stencil_sees(w->m, from, place);
}

static void find_ways(struct surroundings *s, size_t source)
{
    const struct room *room = s->m->room;
    s->source = source;
    for (size_t i = 0; i < room->receiver_count; i++) {
        const struct receiver *r = &room->receivers[i];
        for (size_t k = 0; k < receiver_taps(r); k++) {
            struct way w = {.m = s->m, .source = source, .receiver = i, .tap = room_first_tap(room, i) + k};
            if (is_near(&w, receiver_place(r, receiver_place_count(r) > 1 ? k : 0)))
                s->ways[s->count++] = w;
        }
    }
}

bool near_sound_is_needed(const struct model *m, size_t first, size_t count)
{
    const struct room *room = m->room;
    bool needed = false;
    if (room->output.filter == FILTER_NONE || !m->voxels.set)
        return false;
    for (size_t i = first; i < first + count; i++)
        for (size_t k = 0; k < room->receiver_count && !needed; k++)
            for (size_t place = 0; place < receiver_place_count(&room->receivers[k]) && !needed; place++) {
                struct way w = {.m = m, .source = i};
                needed = is_near(&w, receiver_place(&room->receivers[k], place));
            }
    return needed;
}

static int open_surroundings(struct surroundings *s, const struct model *m, size_t source, struct error *e)
{
    const size_t taps = room_tap_count(m->room);
    *s = (struct surroundings){.m = m, .ways = malloc((taps + 1) * sizeof *s->ways)};
    if (!s->ways)
        return fail(e, ERROR_MEMORY, "out of memory");
    find_ways(s, source);
    s->points = calloc(s->count + 1, sizeof *s->points);
    s->responses = malloc((s->count * NEAR_SOUND_STEPS + 1) * sizeof *s->responses);
    if (!s->points || !s->responses)
        return fail(e, ERROR_MEMORY, "out of memory");
    for (size_t i = 0; i < s->count; i++)
        if (free_points_of_tap(&s->points[i], m, s->ways[i].receiver, s->ways[i].tap, e))
            return -1;
    return 0;
}

static bool is_silent(const struct air_points *a)
{
    for (size_t q = 0; q < a->count; q++)
        if (a->weight[q] != 0.0)
            return false;
    return true;
}

static int fit_pair(struct near_pair *pair, const struct way *w, const double *on_grid, struct error *e)
{
    static const double along[3] = {1.0, 0.0, 0.0};
    double complex direct[BINS];
    int of_tap;
    taken(w, along, &of_tap);
    pair->apart = of_tap > 0 && w->m->room->receivers[w->receiver].kind == RECEIVER_AMBISONIC;
    direct_in_air(direct, w);
    return fit(pair->filter, w, direct, on_grid, e) || (pair->apart && fit(pair->direct, w, direct, NULL, e)) ? -1 : 0;
}

/* Near orders grow as (spacing/distance)^n without bound; closer than this they keep the grid's
 * error. */
static bool can_be_exact(const struct way *w)
{
    const double along[3] = {1.0, 0.0, 0.0};
    int of_tap, of_drive;
    taken(w, along, &of_tap);
    sent(w, along, &of_drive);
    return of_tap + of_drive == 0 ||
           (of_tap + of_drive < DEGREES && w->distance >= ORDERS_NEAREST * w->m->grid.spacing);
}

static int fit_drive(struct near_sound *near, struct surroundings *s, size_t drive, struct error *e)
{
    const struct grid *g = &s->m->grid;
    struct air_points from;
    if (free_points_of_drive(&from, s->m, s->source, drive, e))
        return -1;
    const bool silent = is_silent(&from);
    int status = silent ? 0
                        : free_air_responses(s->responses, g->stencil, g->courant_squared, &from, s->points, s->count,
                                             NEAR_SOUND_STEPS, e);
    for (size_t i = 0; i < s->count && !silent && !status; i++) {
        struct near_pair *pair = &near->pairs[near->count];
        s->ways[i].drive = drive;
        if (is_silent(&s->points[i]) || !can_be_exact(&s->ways[i]))
            continue;
        *pair = (struct near_pair){.source = s->source, .drive = drive, .tap = s->ways[i].tap};
        status = fit_pair(pair, &s->ways[i], s->responses + i * NEAR_SOUND_STEPS, e);
        near->count++;
    }
    air_points_free(&from);
    return status || stop_check(e) ? -1 : 0;
}

static int fit_source(struct near_sound *near, const struct model *m, size_t source, struct error *e)
{
    const size_t first = room_first_drive(m->room, source), drives = source_drives(&m->room->sources[source]);
    struct surroundings s;
    int status = open_surroundings(&s, m, source, e);
    struct near_pair *more =
        status ? NULL : realloc(near->pairs, (near->count + s.count * drives + 1) * sizeof *near->pairs);
    if (more)
        near->pairs = more;
    else if (!status)
        status = fail(e, ERROR_MEMORY, "out of memory");
    for (size_t k = 0; k < drives && s.count && !status; k++)
        status = fit_drive(near, &s, first + k, e);
    surroundings_free(&s);
    return status;
}

int near_sound_make(struct near_sound *near, const struct model *m, size_t first, size_t count, struct error *e)
{
    *near = (struct near_sound){.pairs = NULL};
    if (!near_sound_is_needed(m, first, count))
        return 0;
    for (size_t i = first; i < first + count; i++)
        if (fit_source(near, m, i, e)) {
            near_sound_free(near);
            return -1;
        }
    return 0;
}

/* ---- correction of a record */

/* record += drive * filter */
static void convolve_into(double *record, size_t frames, const double *drive, const double filter[NEAR_SOUND_TAPS])
{
    for (size_t n = 0; n < frames && !stop_requested_at(n); n++) {
        const size_t taps = n + 1 < NEAR_SOUND_TAPS ? n + 1 : NEAR_SOUND_TAPS;
        double sum = 0.0;
        for (size_t k = 0; k < taps; k++)
            sum += filter[k] * drive[n - k];
        record[n] += sum;
    }
}

/* The signals of all drives of a source as stepped: fresh, [drives][frames]. NULL after an error. */
static double *signals_of(const struct model *m, size_t source, const struct excitation *x, size_t onset, size_t frames,
                          struct error *e)
{
    const struct source *s = &m->room->sources[source];
    double *signals = calloc(source_drives(s) * frames + 1, sizeof *signals);
    if (signals && !drives_make(signals, m, source, x, onset, frames, true, e))
        return signals;
    if (!signals)
        fail(e, ERROR_MEMORY, "out of memory");
    free(signals);
    return NULL;
}

int near_sound_add(struct traces *corrected, const struct traces *record, const struct near_sound *near,
                   const struct model *m, size_t first, const struct excitation *excitations, size_t onset,
                   struct error *e)
{
    const size_t values = record->channels * record->frames;
    *corrected = *record;
    corrected->samples = malloc((values + 1) * sizeof *corrected->samples);
    if (!corrected->samples)
        return fail(e, ERROR_MEMORY, "out of memory");
    memcpy(corrected->samples, record->samples, values * sizeof *corrected->samples);
    for (size_t i = 0; i < near->count; i++) {
        const struct near_pair *pair = &near->pairs[i];
        double *signals = signals_of(m, pair->source, &excitations[pair->source - first], onset, record->frames, e);
        if (signals)
            convolve_into(corrected->samples + pair->tap * record->frames, record->frames,
                          signals + (pair->drive - room_first_drive(m->room, pair->source)) * record->frames,
                          pair->filter);
        free(signals);
        if (!signals || stop_check(e)) {
            traces_free(corrected);
            return -1;
        }
    }
    return 0;
}

void near_direct_free(struct near_direct *direct)
{
    free(direct->tap);
    traces_free(&direct->traces);
    direct->tap = NULL;
    direct->count = 0;
}

static int open_direct(struct near_direct *direct, const struct near_sound *near, const struct traces *record,
                       struct error *e)
{
    size_t count = 0;
    for (size_t i = 0; i < near->count; i++)
        count += near->pairs[i].apart;
    *direct = (struct near_direct){.traces = {.channels = count, .frames = record->frames, .rate = record->rate}};
    if (!count)
        return 0;
    direct->tap = malloc(count * sizeof *direct->tap);
    direct->traces.samples = calloc(count * record->frames + 1, sizeof *direct->traces.samples);
    if (direct->tap && direct->traces.samples)
        return 0;
    near_direct_free(direct);
    return fail(e, ERROR_MEMORY, "out of memory");
}

int near_direct_make(struct near_direct *direct, const struct near_sound *near, const struct traces *record,
                     const struct model *m, size_t first, const struct excitation *excitations, size_t onset,
                     struct error *e)
{
    if (open_direct(direct, near, record, e))
        return -1;
    for (size_t i = 0; i < near->count; i++) {
        const struct near_pair *pair = &near->pairs[i];
        if (!pair->apart)
            continue;
        double *signals = signals_of(m, pair->source, &excitations[pair->source - first], onset, record->frames, e);
        if (signals)
            convolve_into(direct->traces.samples + direct->count * record->frames, record->frames,
                          signals + (pair->drive - room_first_drive(m->room, pair->source)) * record->frames,
                          pair->direct);
        free(signals);
        direct->tap[direct->count++] = pair->tap;
        if (!signals || stop_check(e)) {
            near_direct_free(direct);
            return -1;
        }
    }
    return 0;
}
