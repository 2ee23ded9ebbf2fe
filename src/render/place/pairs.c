/* SPDX-License-Identifier: MIT */
#include "render/place/pairs.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/stop.h"

static const double NEAREST = 0.7; /* m, from the listener */

const char *const place_facings[PLACE_FACINGS] = {"x", "-x", "y", "-y"};

/* left and right, `ahead` of the listener and `aside` of the axis. */
static void pair_at(double pair[2][3], const double listener[3], int facing, double ahead, double aside)
{
    const int along = facing / 2;
    const double sign = facing % 2 ? -1.0 : 1.0, left = (along == 0 ? 1.0 : -1.0) * sign;
    for (int k = 0; k < 2; k++) {
        pair[k][along] = listener[along] + sign * ahead;
        pair[k][1 - along] = listener[1 - along] + (k ? -left : left) * aside;
        pair[k][2] = listener[2];
        for (int axis = 0; axis < 2; axis++)
            pair[k][axis] = rint(1e6 * pair[k][axis]) / 1e6;
    }
}

static int add_pair(struct place_set **sets, size_t *count, struct place_points *points, size_t seat, double pair[2][3],
                    struct error *e)
{
    struct place_set *longer = realloc(*sets, (*count + 1) * sizeof *longer);
    if (!longer)
        return fail(e, ERROR_MEMORY, "out of memory");
    *sets = longer;
    longer[(*count)++] = (struct place_set){.count = 2, .candidate = {points->count, points->count + 1}, .seat = seat};
    return place_points_add(points, pair[0], NULL, e) || place_points_add(points, pair[1], NULL, e) ? -1 : 0;
}

static bool is_triangle(double ahead, double aside)
{
    const double angle = atan2(aside, ahead) * 180.0 / M_PI;
    return angle >= PAIR_ANGLE_LEAST && angle <= PAIR_ANGLE_MOST && hypot(ahead, aside) >= NEAREST;
}

int place_pairs_make(struct place_set **sets, size_t *count, struct place_points *points,
                     const struct place_points *listeners, int facing, double spacing, double clearance, size_t most,
                     const struct model *m, struct error *e)
{
    const double reach = m->grid.size[0] + m->grid.size[1];
    *sets = NULL;
    *count = 0;
    if (!(reach / spacing < 10000.0))
        return fail(e, ERROR_USAGE, "--candidates: too many places; use a larger spacing");
    for (size_t seat = 0; seat < listeners->count; seat++)
        for (double i = 1.0; i * spacing <= reach; i += 1.0)
            for (double j = 1.0; j <= i; j += 1.0) {
                double pair[2][3];
                if (!is_triangle(i * spacing, j * spacing))
                    continue;
                pair_at(pair, listeners->at[seat], facing, i * spacing, j * spacing);
                if (!place_is_clear(m, pair[0], clearance) || !place_is_clear(m, pair[1], clearance))
                    continue;
                if (points->count + 2 > most)
                    return fail(e, ERROR_USAGE, "--candidates: more than %zu places; use a larger spacing", most);
                if (add_pair(sets, count, points, seat, pair, e))
                    return -1;
            }
    return *count ? 0
                  : fail(e, ERROR_USAGE,
                         "--pair %s: no pair at %g to %g degrees from the axis of a listener has %g m of air on all "
                         "sides; move the seats, or use a smaller --clearance or spacing of --candidates",
                         place_facings[facing], PAIR_ANGLE_LEAST, PAIR_ANGLE_MOST, clearance);
}

int place_pairs_score(struct place_set *sets, size_t count, const struct place_transfers *t, struct error *e)
{
    const size_t own = t->bands->count * PLACE_LINES, lines = place_transfers_lines(t);
    const struct place_transfers one = {.bands = t->bands, .seats = 1};
    double *sum = malloc(3 * own * sizeof *sum);
    int status = sum ? 0 : fail(e, ERROR_MEMORY, "out of memory");
    for (size_t i = 0; i < count && !status; i++) {
        const double *left = t->values + 2 * sets[i].candidate[0] * lines + sets[i].seat * own;
        const double *right = t->values + 2 * sets[i].candidate[1] * lines + sets[i].seat * own;
        for (size_t n = 0; n < own; n++) {
            sum[n] = left[n] + right[n];
            sum[own + n] = left[lines + n] + right[lines + n];
        }
        place_score_make(&sets[i].score, sum + 2 * own, &one, sum, sum + own);
        status = stop_check(e);
    }
    free(sum);
    return status;
}
