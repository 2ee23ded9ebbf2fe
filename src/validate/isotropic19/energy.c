/* SPDX-License-Identifier: MIT */
/* Energy of an L-shaped room with a column, all of whose walls are different materials, and of
 * random sets of voxels: the energy stored in air and walls plus the absorbed energy must stay
 * constant. */
#include "base/acoustics/conventions.h"
#include "validate/cartesian7/balance.h"
#include "validate/cartesian7/wall_mixed.h"
#include "validate/isotropic19/checks.h"

enum { STEPS = 20000, RIGID_STEPS = 4000, PART = 1000, COLUMN = 2, BLOCK = 6 };

/* In units of the time step: a resonator, a mass, a spring, a resistance with a mass, and
 * several of them in parallel. */
static const struct branch resonator = {20.0, 1.5, 0.3, 0}, mass = {60.0, 0.0, 0.0, 0}, spring = {0.0, 0.0, 0.02, 0};
static const struct branch panel = {200.0, 8.0, 0.0, 0};
static const struct branch several[] = {{60.0, 0.5, 0.02, 0}, {0.0, 8.0, 0.1, 0}, {5.0, 3.0, 1.0, 0}};

static void paint(struct scene *s)
{
    s->leapfrog.admittance[CELL_SOLID] = 0.02;
    s->leapfrog.admittance[CELL_SOLID + 1] = 0.7;
    scene_branches(s, COLUMN, &resonator, 1);
    scene_branches(s, 3, &mass, 1);
    scene_branches(s, 4, &spring, 1);
    scene_branches(s, 5, &panel, 1);
    scene_branches(s, BLOCK, several, sizeof several / sizeof *several);
}

enum losses { RIGID, WALLS, WALLS_OF_AREAS, LOSSES };

static int follow(struct validation *v, enum precision precision, enum losses lossy, struct balance *b, struct error *e)
{
    const size_t from[3] = {9, 8, 4}, to[3] = {12, 12, 22};
    struct scene s;
    if (balance_l_room(&s, precision, e))
        return -1;
    scene_fill(&s, from, to, CELL_SOLID + COLUMN);
    scene_use_corners(&s);
    if (lossy)
        paint(&s);
    if (lossy == WALLS_OF_AREAS)
        scene_random_areas(&s, &v->random);
    const int status = balance_follow(b, &s, v, lossy ? STEPS : RIGID_STEPS, PART, NULL, e);
    scene_free(&s);
    return status;
}

int check_isotropic19_energy(struct validation *v, struct report *r, struct error *e)
{
    static const char *const what[LOSSES] = {"rigid", "seven materials", "seven materials, faces of random area"};
    static const double bounds[] = {[PRECISION_SINGLE] = 1e-4, [PRECISION_DOUBLE] = 1e-12};
    for (int precision = PRECISION_DOUBLE; precision >= PRECISION_SINGLE; precision--)
        for (int lossy = RIGID; lossy < LOSSES; lossy++) {
            struct balance b;
            if (follow(v, (enum precision)precision, (enum losses)lossy, &b, e))
                return -1;
            report_bound(
                r, "energy", b.error, bounds[precision],
                "L-shaped room with a column, %s, %s, %d steps: error of the energy (%s) relative to the start",
                precision_names[precision], what[lossy], lossy ? STEPS : RIGID_STEPS,
                lossy ? "stored + absorbed" : "drift");
            if (lossy)
                report_figure(r, "energy", b.left, "    energy at the end relative to the start");
        }
    return mixed_check_rooms(v, r, "energy", STENCIL_19_POINT, e);
}
