/* SPDX-License-Identifier: MIT */
#include "validate/cartesian7/balance.h"

#include <math.h>

#include "base/nan_max.h"
#include "base/stop.h"
#include "validate/cartesian7/checks.h"

int balance_l_room(struct scene *s, enum precision precision, struct error *e)
{
    if (scene_box(s, 41, 33, 22, precision, e))
        return -1;
    const size_t from[3] = {24, 15, 0}, to[3] = {41, 33, 22};
    scene_fill(s, from, to, CELL_SOLID + 6);
    for (int face = 0; face < 6; face++)
        s->outside[face] = (uint8_t)(CELL_SOLID + face);
    return 0;
}

int balance_follow(struct balance *b, struct scene *s, struct validation *v, size_t steps, size_t part,
                   const double *drive, struct error *e)
{
    struct solver *solver = NULL;
    struct audit start = {0}, now;
    struct solver_options choice = v->choice;
    choice.audit = true;
    double worst = 0.0, max;
    *b = (struct balance){.growth = -1.0, .rise = -1.0};
    int status = scene_open(&solver, s, &choice, e) || scene_noise(s, solver, 1.0, &v->random, e) ||
                 solver_audit(solver, &start, e);
    now = start;
    max = start.stored;
    for (size_t done = 0; done < steps && !status; done += part) {
        const double before = now.stored;
        const struct block block = {drive ? drive + done : NULL, steps, NULL, 0};
        status = stop_check(e) || solver_run(solver, part < steps - done ? part : steps - done, &block, e) ||
                 solver_audit(solver, &now, e);
        if (status)
            break;
        max = nan_max(max, now.stored);
        worst = nan_max(worst, now.balanced ? fabs(now.stored + now.absorbed - now.supplied - start.stored) : NAN);
        b->growth = nan_max(b->growth, now.stored / start.stored - 1.0);
        b->rise = nan_max(b->rise, (now.stored - before) / start.stored);
    }
    b->error = worst / max;
    b->left = now.stored / start.stored;
    if (status && e->code == ERROR_UNSTABLE) { /* a failed check, not a failure to run it */
        *b = (struct balance){NAN, NAN, NAN, NAN};
        status = 0;
    }
    solver_close(solver);
    return status;
}

/* Energy of an L-shaped room: constant without losses, balanced with losses. */

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
    static const char *const what[LOSSES] = {"lossless", "seven absorbing walls",
                                             "seven absorbing walls, faces of random area"};
    static const double bounds[] = {[PRECISION_SINGLE] = 1e-4, [PRECISION_DOUBLE] = 1e-12};
    for (int precision = PRECISION_DOUBLE; precision >= PRECISION_SINGLE; precision--)
        for (int lossy = LOSSLESS; lossy < LOSSES; lossy++) {
            struct balance b;
            if (follow(v, (enum precision)precision, (enum losses)lossy, &b, e))
                return -1;
            report_bound(r, "energy", b.error, bounds[precision],
                         "L-shaped room, %s, %s, %d steps: error of the energy (%s) relative to the start",
                         precision_names[precision], what[lossy], STEPS, lossy ? "stored + absorbed" : "drift");
        }
    return 0;
}
