/* SPDX-License-Identifier: MIT */
/* The change of the spread with the admittance of each area. */
#include <complex.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "render/place/wall_areas.h"

/* d|H|²/dβ of the lines of one seat's band, averaged, per m² of an area: 2 Re(conj(H) δH). */
static double slope_of(const struct place_transfers *from, const double *sum, const double *at,
                       const struct wall_areas *w, const struct wall_area *area, size_t seat, size_t band,
                       double sound_speed)
{
    const size_t lines = place_transfers_lines(from), own = from->bands->count * PLACE_LINES;
    const size_t points = from->candidates;
    double slope = 0.0;
    for (size_t i = band * PLACE_LINES; i < (band + 1) * PLACE_LINES; i++) {
        const double k = 2.0 * M_PI * from->bands->frequency[i] / sound_speed;
        double complex product = 0.0;
        for (size_t n = area->first; n < area->first + area->count; n++) {
            const double *x = from->values + 2 * n * lines + seat * own + i;
            product += w->weight[n] * (x[0] + I * x[lines]) * (sum[n * own + i] + I * sum[(points + n) * own + i]);
        }
        const double complex change = -I * k / (4.0 * M_PI) * product / area->area;
        const double complex here = at[seat * own + i] + I * at[lines + seat * own + i];
        slope += 2.0 * creal(conj(here) * change) / PLACE_LINES;
    }
    return slope;
}

static double square_of(const struct place_transfers *from, const double *at, size_t seat, size_t band)
{
    const size_t lines = place_transfers_lines(from), own = from->bands->count * PLACE_LINES;
    double square = 0.0;
    for (size_t i = seat * own + band * PLACE_LINES; i < seat * own + (band + 1) * PLACE_LINES; i++)
        square += (at[i] * at[i] + at[lines + i] * at[lines + i]) / PLACE_LINES;
    return square;
}

static int by_change(const void *a, const void *b)
{
    const struct wall_area *x = a, *y = b;
    if (x->change != y->change)
        return x->change < y->change ? -1 : 1;
    return (x->first > y->first) - (x->first < y->first);
}

/* ∫|p|² dS over an area in a band, of the winner. */
static double power_of(const struct wall_areas *w, const struct wall_area *area, const double *sum, size_t own,
                       size_t band)
{
    double power = 0.0;
    for (size_t n = area->first; n < area->first + area->count; n++)
        for (size_t i = n * own + band * PLACE_LINES; i < n * own + (band + 1) * PLACE_LINES; i++) {
            const double re = sum[i], im = sum[w->point_count * own + i];
            power += w->weight[n] * (re * re + im * im);
        }
    return power;
}

/* The band in which each area takes most of what walls of the same admittance would absorb. */
static void find_densities(struct wall_areas *w, const double *sum, size_t bands)
{
    const size_t own = bands * PLACE_LINES;
    double surface = 0.0;
    for (size_t a = 0; a < w->count; a++) {
        surface += w->area[a].area;
        w->area[a].density = -1.0;
    }
    for (size_t b = 0; b < bands; b++) {
        double all = 0.0;
        for (size_t a = 0; a < w->count; a++)
            all += power_of(w, &w->area[a], sum, own, b);
        for (size_t a = 0; a < w->count && all > 0.0; a++) {
            struct wall_area *area = &w->area[a];
            const double density = power_of(w, area, sum, own, b) / all * surface / area->area;
            if (!(density > area->density))
                continue;
            area->density = density;
            area->band = b;
        }
    }
}

int wall_areas_rank(struct wall_areas *w, const struct place_transfers *from, const double *sum, const double *at,
                    double sound_speed, struct error *e)
{
    const size_t seats = from->seats, bands = from->bands->count;
    double *levels = malloc(seats * bands * sizeof *levels);
    struct place_score score;
    if (!levels)
        return fail(e, ERROR_MEMORY, "out of memory");
    place_score_make(&score, levels, from, at, at + place_transfers_lines(from));
    double mean = 0.0;
    for (size_t i = 0; i < seats * bands; i++)
        mean += levels[i] / (double)(seats * bands);
    for (size_t a = 0; a < w->count; a++) {
        double change = 0.0; /* of the spread: Σ (L - mean) dL / (n spread) */
        for (size_t s = 0; s < seats; s++)
            for (size_t b = 0; b < bands; b++)
                change += (levels[s * bands + b] - mean) * (10.0 / M_LN10) *
                          slope_of(from, sum, at, w, &w->area[a], s, b, sound_speed) / square_of(from, at, s, b);
        w->area[a].change = WALL_AREA_RISE * change / ((double)(seats * bands) * fmax(score.spread, 1e-9));
    }
    find_densities(w, sum, bands);
    qsort(w->area, w->count, sizeof *w->area, by_change);
    free(levels);
    return 0;
}
