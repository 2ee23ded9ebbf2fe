/* SPDX-License-Identifier: MIT */
#include "present/report/modes.h"

#include <math.h>
#include <stdbool.h>

/* Inserts a mode by its frequency and keeps the `max` lowest. */
static void insert(struct mode *modes, size_t *count, size_t max, const struct mode *new)
{
    size_t at = *count < max ? (*count)++ : max - 1;
    for (; at > 0 && modes[at - 1].frequency > new->frequency; at--)
        modes[at] = modes[at - 1];
    modes[at] = *new;
}

static bool is_full_below(const struct mode *modes, size_t count, size_t max, double frequency)
{
    return count == max && !(frequency < modes[max - 1].frequency);
}

size_t box_modes(struct mode *modes, size_t max, const double size[3], double c)
{
    size_t count = 0;
    if (max == 0 || !(c > 0.0) || !(size[0] > 0.0 && size[1] > 0.0 && size[2] > 0.0))
        return 0;
    /* frequencies rise with each number: after the first that no longer fits, none does */
    for (int x = 0;; x++) {
        const double fx = 0.5 * c * x / size[0];
        if (is_full_below(modes, count, max, fx))
            return count;
        for (int y = 0;; y++) {
            const double fy = 0.5 * c * y / size[1];
            if (is_full_below(modes, count, max, hypot(fx, fy)))
                break;
            for (int z = 0;; z++) {
                const struct mode mode = {{x, y, z},
                                          hypot(hypot(fx, fy), 0.5 * c * z / size[2]),
                                          (enum mode_kind)((x > 0) + (y > 0) + (z > 0) - 1)};
                if (is_full_below(modes, count, max, mode.frequency))
                    break;
                if (x + y + z > 0)
                    insert(modes, &count, max, &mode);
            }
        }
    }
}

const char *not_a_box(const struct room *room, double volume, double box_volume)
{
    for (size_t w = 0; w < FACES; w++)
        if (boundary_kind_of(&room->materials[room->walls[w]])->fixed)
            return "walls of this room hold the pressure at 0: its modes are not those of a rigid box";
    if (!(volume >= 0.9 * box_volume))
        return "objects take more than a tenth of the volume: the room is not shaped like a box";
    return NULL;
}
