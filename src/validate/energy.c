/* Energy of an L-shaped room: kept without losses, balanced with them. */
#include <math.h>

#include "base/worst.h"
#include "validate/scene.h"
#include "validate/validate.h"

enum { STEPS = 10000, PART = 500 };

static int make_room(struct scene *s, enum precision precision, bool lossy, struct random *r, struct error *e)
{
    if (scene_box(s, 41, 33, 22, precision, e))
        return -1;
    const size_t from[3] = {24, 15, 0}, to[3] = {41, 33, 22};
    scene_fill(s, from, to, CELL_SOLID + 6);
    for (int face = 0; face < 6; face++)
        s->problem.as.leapfrog.outside[face] = (uint8_t)(CELL_SOLID + face);
    for (int i = 0; i < 7 && lossy; i++) /* a different wall on each side and on the block */
        s->problem.as.leapfrog.admittance[CELL_SOLID + i] = pow(10.0, -3.0 + 3.0 * random_unit(r));
    return 0;
}

static int balance(struct validation *v, enum precision precision, bool lossy, double *worst, struct error *e)
{
    struct scene s;
    struct solver *solver = NULL;
    struct audit start, now;
    const struct block silence = {0};
    *worst = 0.0;
    if (make_room(&s, precision, lossy, &v->random, e))
        return -1;
    struct choice choice = v->choice;
    choice.audit = true;
    int status = solver_open(&solver, &s.problem, &choice, e) || scene_noise(&s, solver, &v->random, e) ||
                 solver_audit(solver, &start, e);
    for (int done = 0; done < STEPS && !status; done += PART) {
        status = solver_run(solver, PART, &silence, e) || solver_audit(solver, &now, e);
        double drift = fabs(now.stored + now.absorbed - start.stored) / start.stored;
        if (!status)
            *worst = worst_of(*worst, drift);
    }
    solver_close(solver);
    scene_free(&s);
    return status;
}

int check_energy(struct validation *v, struct report *r, struct error *e)
{
    static const double bounds[] = {[PRECISION_SINGLE] = 1e-4, [PRECISION_DOUBLE] = 1e-12};
    for (int precision = PRECISION_DOUBLE; precision >= PRECISION_SINGLE; precision--)
        for (int lossy = 0; lossy < 2; lossy++) {
            double worst;
            if (balance(v, (enum precision)precision, lossy, &worst, e))
                return -1;
            report_bound(r, "energy", worst, bounds[precision], "L-shaped room, %s, %s, %d steps: %s over the start",
                         precision_names[precision], lossy ? "seven absorbing walls" : "lossless", STEPS,
                         lossy ? "stored + absorbed" : "drift");
        }
    return 0;
}
