/* SPDX-License-Identifier: MIT */
#include "render/modes/spacing.h"

#include <math.h>

enum { TRIALS = 20000 };

static double displacement(double length, double size, double metres)
{
    const double cells = fmax(rint(length / metres), 1.0);
    return fabs(cells * metres - length) / size;
}

static double error_at(const struct room *room, double metres)
{
    double worst = 0.0;
    for (int axis = 0; axis < 3; axis++)
        worst = fmax(worst, displacement(room->size[axis], room->size[axis], metres));
    for (size_t i = 0; i < room->corner_count && room_form(room) == ROOM_POLYGON; i++)
        for (int axis = 0; axis < 2; axis++) {
            const double length = room->corners[i][axis] - room->lower[axis];
            if (length > 0.0)
                worst = fmax(worst, displacement(length, room->size[axis], metres));
        }
    return worst;
}

struct spacing spacing_find(const struct room *room, double coarsest, double finest)
{
    struct spacing best = {coarsest, error_at(room, coarsest)};
    for (int i = 1; i <= TRIALS; i++) {
        const double share = (double)i / TRIALS, metres = 1.0 / ((1.0 - share) / coarsest + share / finest);
        const double error = error_at(room, metres);
        if (best.error <= 0.5 * SPACING_ERROR && error >= best.error)
            break;
        if (error < best.error)
            best = (struct spacing){metres, error};
    }
    return best;
}
