/* SPDX-License-Identifier: MIT */
/* Energy of an L-shaped room: constant without losses, balanced with them. */
#include <math.h>

#include "validate/cartesian7/balance.h"
#include "validate/cartesian7/checks.h"

enum { STEPS = 10000, PART = 500 };

enum losses { LOSSLESS, WALLS, WALLS_OF_AREAS, LOSSES };

static int follow(struct validation *v, enum precision precision, enum losses lossy, struct balance *b, struct error *e)
{
    struct scene s;
    if (balance_l_room(&s, precision, e))
        return -1;
    for (int i = 0; i < 7 && lossy; i++)
        s.leapfrog.admittance[CELL_SOLID + i] = pow(10.0, -3.0 + 3.0 * random_unit(&v->random));
    if (lossy == WALLS_OF_AREAS)
        scene_random_areas(&s, &v->random);
    const int status = balance_follow(b, &s, v, STEPS, PART, NULL, e);
    scene_free(&s);
    return status;
}

int check_energy(struct validation *v, struct report *r, struct error *e)
{
    static const char *const what[LOSSES] = {"lossless", "seven absorbing walls", "such walls, faces of random area"};
    static const double bounds[] = {[PRECISION_SINGLE] = 1e-4, [PRECISION_DOUBLE] = 1e-12};
    for (int precision = PRECISION_DOUBLE; precision >= PRECISION_SINGLE; precision--)
        for (int lossy = LOSSLESS; lossy < LOSSES; lossy++) {
            struct balance b;
            if (follow(v, (enum precision)precision, (enum losses)lossy, &b, e))
                return -1;
            report_bound(r, "energy", b.error, bounds[precision], "L-shaped room, %s, %s, %d steps: %s over the start",
                         precision_names[precision], what[lossy], STEPS, lossy ? "stored + absorbed" : "drift");
        }
    return 0;
}
