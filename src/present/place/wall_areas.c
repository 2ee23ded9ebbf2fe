/* SPDX-License-Identifier: MIT */
#include "present/place/wall_areas.h"

#include <complex.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "present/film/map_places.h"

static const double SIDE = 1.0;    /* m, of an area */
static const double INSIDE = 1e-4; /* m from the wall */

void wall_areas_free(struct wall_areas *w)
{
    free(w->area);
    free(w->points);
    memset(w, 0, sizeof *w);
}

struct wall_plan {
    int wall, across, up;
    size_t count[2];
    double step[2];
};

static void plan_wall(struct wall_plan *p, const double size[3], int wall)
{
    p->wall = wall;
    p->across = wall / 2 == 0 ? 1 : 0;
    p->up = wall / 2 == 2 ? 1 : 2;
    const double sides[2] = {size[p->across], size[p->up]};
    for (int k = 0; k < 2; k++) {
        p->count[k] = (size_t)fmax(1.0, rint(sides[k] / SIDE));
        p->step[k] = sides[k] / (double)p->count[k];
    }
}

static void point_at(double at[3], const struct wall_plan *p, const double size[3], const double lower[3], double x,
                     double y)
{
    const int axis = p->wall / 2;
    at[axis] = lower[axis] + (p->wall % 2 ? size[axis] - INSIDE : INSIDE);
    at[p->across] = lower[p->across] + x * p->step[0];
    at[p->up] = lower[p->up] + y * p->step[1];
}

/* An area and its points; false: an object covers one of them. */
static bool fill_area(struct wall_area *area, double (*points)[3], const struct wall_plan *p, size_t x, size_t y,
                      const struct model *m)
{
    const double *size = m->grid.size, *lower = m->room->lower;
    *area = (struct wall_area){.wall = p->wall, .area = p->step[0] * p->step[1]};
    point_at(area->centre, p, size, lower, (double)x + 0.5, (double)y + 0.5);
    for (int i = 0; i < WALL_AREA_POINTS; i++) {
        point_at(points[i], p, size, lower, (double)x + 0.25 + 0.5 * (i % 2), (double)y + 0.25 + 0.5 * (i / 2));
        if (!map_place_is_air(m, points[i]))
            return false;
    }
    return true;
}

int wall_areas_make(struct wall_areas *w, const struct model *m, struct error *e)
{
    const struct room *room = m->room;
    struct wall_plan plan[FACES];
    size_t total = 0;
    if (room_form(room) != ROOM_BOX)
        return fail(e, ERROR_USAGE, "--walls: ranks the walls of a box only; %s has another form", room->path);
    for (int wall = 0; wall < FACES; wall++) {
        plan_wall(&plan[wall], m->grid.size, wall);
        total += plan[wall].count[0] * plan[wall].count[1];
    }
    w->area = calloc(total, sizeof *w->area);
    w->points = calloc(total * WALL_AREA_POINTS, sizeof *w->points);
    if (!w->area || !w->points)
        return fail(e, ERROR_MEMORY, "out of memory");
    for (int wall = 0; wall < FACES; wall++)
        for (size_t i = 0; i < plan[wall].count[0] * plan[wall].count[1]; i++)
            if (fill_area(&w->area[w->count], w->points + w->count * WALL_AREA_POINTS, &plan[wall],
                          i % plan[wall].count[0], i / plan[wall].count[0], m))
                w->count++;
    return 0;
}

/* d|H|²/dβ of the lines of one seat's band, averaged, per area: 2 Re(conj(H) δH). */
static double slope_of(const struct place_transfers *from, const double *sum, const double *at, size_t area,
                       size_t seat, size_t band, double sound_speed)
{
    const size_t lines = place_transfers_lines(from), own = from->bands->count * PLACE_LINES;
    const size_t points = from->candidates;
    double slope = 0.0;
    for (size_t i = band * PLACE_LINES; i < (band + 1) * PLACE_LINES; i++) {
        const double k = 2.0 * M_PI * from->bands->frequency[i] / sound_speed;
        double complex product = 0.0;
        for (size_t n = area * WALL_AREA_POINTS; n < (area + 1) * WALL_AREA_POINTS; n++) {
            const double *x = from->values + 2 * n * lines + seat * own + i;
            product += (x[0] + I * x[lines]) * (sum[n * own + i] + I * sum[(points + n) * own + i]);
        }
        const double complex change = -I * k / (4.0 * M_PI) * product / WALL_AREA_POINTS;
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
    return x->wall != y->wall ? x->wall - y->wall : memcmp(x->centre, y->centre, sizeof x->centre);
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
                          slope_of(from, sum, at, a, s, b, sound_speed) / square_of(from, at, s, b);
        w->area[a].change = WALL_AREA_RISE * change / ((double)(seats * bands) * fmax(score.spread, 1e-9));
    }
    qsort(w->area, w->count, sizeof *w->area, by_change);
    free(levels);
    return 0;
}
