/* SPDX-License-Identifier: MIT */
/* Energy of an L-shaped room with branches on every wall: the energy stored in air and walls
 * plus the absorbed energy must stay constant. */
#include "validate/cartesian7/balance.h"
#include "validate/cartesian7/checks.h"

enum { STEPS = 10000, PART = 500, WALLS_DIFFERENT = 7, BRANCHES = 6 };

int check_wall_energy(struct validation *v, struct report *r, struct error *e)
{
    static const double bounds[] = {[PRECISION_SINGLE] = 1e-4, [PRECISION_DOUBLE] = 1e-12};
    for (int precision = PRECISION_DOUBLE; precision >= PRECISION_SINGLE; precision--) {
        struct scene s;
        struct balance b;
        if (balance_l_room(&s, (enum precision)precision, e))
            return -1;
        for (int material = 0; material < WALLS_DIFFERENT; material++)
            scene_random_branches(&s, material, BRANCHES, &v->random);
        const int status = balance_follow(&b, &s, v, STEPS, PART, NULL, e);
        scene_free(&s);
        if (status)
            return -1;
        report_bound(r, "energy", b.error, bounds[precision],
                     "L-shaped room, %s, seven walls of 1 to %d random branches, %d steps: error of stored + absorbed "
                     "energy relative to the start",
                     precision_names[precision], BRANCHES, STEPS);
        report_figure(r, "energy", b.left, "    energy at the end relative to the start");
    }
    return 0;
}
