/* SPDX-License-Identifier: MIT */
#include "validate/cartesian7/wall_mixed.h"

#include <stdlib.h>

#include "base/nan_max.h"
#include "solver/schemes/leapfrog/leapfrog.h"
#include "validate/cartesian7/balance.h"
#include "validate/cartesian7/checks.h"

enum { ROOMS = 12, POINTS_MAX = 24, AIR_MIN = 50, STEPS = 2000, PART = 250, SHORT_PART = 10, SOURCES = 3 };

/* Lossless air, as its losses are not summed. */
static int make_room(struct scene *s, enum air_stencil stencil, struct random *r, struct error *e)
{
    for (;;) {
        if (scene_random(s, POINTS_MAX, PRECISION_DOUBLE, r, e))
            return -1;
        if (stencil == STENCIL_19_POINT)
            scene_use_corners(s);
        if (scene_air_points(s) >= AIR_MIN)
            break;
        scene_free(s);
    }
    if (stencil == STENCIL_19_POINT)
        return 0;
    s->leapfrog.viscosity = 0.0;
    return cartesian7_courant_squared(0.0, &s->leapfrog.courant_squared, e);
}

/* Sources of two points each, anywhere including walls; silent after half the time. */
static double *make_sources(struct scene *s, struct random *r)
{
    double *drive = calloc(SOURCES * STEPS, sizeof *drive);
    for (int i = 0; i < SOURCES && drive; i++) {
        const size_t channel = scene_drive(s, scene_air_point(s, r), random_unit(r) - 0.5);
        scene_extend(&s->drives[channel], scene_air_point(s, r), random_unit(r) - 0.5, 1);
        for (size_t n = 0; n < STEPS / 2; n++)
            drive[channel * STEPS + n] = random_unit(r) - 0.5;
    }
    return drive;
}

static int follow(struct validation *v, enum air_stencil stencil, bool driven, struct balance *worst, struct error *e)
{
    struct scene s;
    struct balance b;
    double *drive = NULL;
    int status = make_room(&s, stencil, &v->random, e);
    if (!status && driven && !(drive = make_sources(&s, &v->random)))
        status = fail(e, ERROR_MEMORY, "out of memory");
    status = status || balance_follow(&b, &s, v, STEPS, stencil == STENCIL_19_POINT ? SHORT_PART : PART, drive, e);
    free(drive);
    scene_free(&s);
    if (!status) {
        worst->error = nan_max(worst->error, b.error);
        worst->growth = nan_max(worst->growth, b.growth);
        worst->rise = nan_max(worst->rise, b.rise);
    }
    return status;
}

int mixed_check_rooms(struct validation *v, struct report *r, const char *check, enum air_stencil stencil,
                      struct error *e)
{
    const int rooms = v->cases ? v->cases : ROOMS;
    for (int driven = 0; driven < 2; driven++) {
        struct balance worst = {.growth = -1.0, .rise = -1.0};
        for (int i = 0; i < rooms; i++)
            if (follow(v, stencil, driven, &worst, e))
                return -1;
        report_bound(r, check, worst.error, 1e-12, "%d random rooms with mixed walls, double, %d steps, %s", rooms,
                     STEPS,
                     driven ? "driven: stored + absorbed - supplied energy relative to the largest stored energy"
                            : "free decay: error of stored + absorbed energy relative to the start");
        if (stencil == STENCIL_19_POINT && !driven) {
            report_bound(r, check, worst.growth, 1e-12, "    largest energy relative to the start, minus 1");
            report_bound(r, check, worst.rise, 1e-12, "    largest rise between two audits relative to the start");
        }
    }
    return 0;
}

int check_wall_mixed(struct validation *v, struct report *r, struct error *e)
{
    return mixed_check_rooms(v, r, "mixed", STENCIL_7_POINT, e);
}
