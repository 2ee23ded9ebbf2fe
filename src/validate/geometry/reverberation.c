/* SPDX-License-Identifier: MIT */
/* Reverberation time of a turned box compared with the same box along the axes: sums of its
 * modes up to (5,4,3). With the 7-point scheme, the difference depends on the field: 3 to 7 %
 * for random fields, 5 % on average. So three fixed fields are bounded by 5 %, and random ones
 * by 10 %. */
#include <math.h>

#include "base/stop.h"
#include "validate/geometry/checks.h"
#include "validate/geometry/voxel_run.h"

enum {
    FIXED = 3,
    FIELDS = 2 * FIXED,
    MODES_X = 6,
    MODES_Y = 5,
    MODES_Z = 4,
    ONSET = 50 /* steps before the level counts as 0 dB */,
    EVERY = 10 /* steps between samples */
};

static const double admittance = 0.05, spacing = 0.1, size[3] = {5.0, 4.0, 3.0}, turned_by[3] = {30.0, 20.0, 10.0};
static const double longest = 0.6; /* s */

struct field {
    double amplitude[MODES_X][MODES_Y][MODES_Z];
};

/* Amplitudes within ±½, for a fixed field from a linear congruential generator (constants of
 * Numerical Recipes). */
static double amplitude_of(uint32_t *state, struct random *r)
{
    if (r)
        return random_unit(r) - 0.5;
    *state = *state * 1664525u + 1013904223u;
    return (*state >> 16) / 65536.0 - 0.5;
}

/* Fixed field `number`; r: a random field. */
static void draw_field(struct field *f, uint32_t number, struct random *r)
{
    uint32_t state = (number + 1) * 2654435761u + 12345u;
    for (int l = 0; l < MODES_X; l++)
        for (int m = 0; m < MODES_Y; m++)
            for (int n = 0; n < MODES_Z; n++)
                f->amplitude[l][m][n] = amplitude_of(&state, r);
    f->amplitude[0][0][0] = 0.0;
}

/* place: along the axes of the box, from its centre. */
static double field_at(const struct field *f, const double place[3])
{
    double cosines[3][MODES_X], sum = 0.0;
    for (int k = 0; k < 3; k++)
        for (int m = 0; m < MODES_X; m++)
            cosines[k][m] = cos(M_PI * m * (place[k] / size[k] + 0.5));
    for (int l = 0; l < MODES_X; l++)
        for (int m = 0; m < MODES_Y; m++)
            for (int n = 0; n < MODES_Z; n++)
                sum += f->amplitude[l][m][n] * cosines[0][l] * cosines[1][m] * cosines[2][n];
    return sum;
}

static void set_field(struct voxel_run *run, const struct field *f, const double angles[3])
{
    double axes[3][3];
    for (int k = 0; k < 3; k++)
        mesh_turn_point(axes[k], (const double[]){k == 0, k == 1, k == 2}, angles[0], angles[1], angles[2]);
    for (size_t i = 0; i < run->points; i++) {
        double place[3], own[3];
        voxel_run_place(place, run, i);
        for (int k = 0; k < 3; k++)
            own[k] = axes[k][0] * place[0] + axes[k][1] * place[1] + axes[k][2] * place[2];
        run->values[i] = run->mass[i] > 0.0 ? field_at(f, own) : 0.0;
    }
}

/* T30 in s, from the line through -5 to -35 dB of the energy; NaN: not reached. */
static int follow(double *time, struct validation *v, struct voxel_run *run, struct error *e)
{
    const double interval = EVERY * voxel_run_step(run);
    const struct block silence = {0};
    struct solver *solver = NULL;
    struct audit audit;
    double n = 0.0, t = 0.0, l = 0.0, tt = 0.0, tl = 0.0, first = 0.0, level = 0.0;
    int status = solver_open(&solver, &run->problem, &v->choice, e) || voxel_run_start(run, solver, e) ||
                 solver_run(solver, ONSET, &silence, e) || solver_audit(solver, &audit, e);
    first = audit.stored;
    for (double now = interval; now < longest && level > -35.0 && !status; now += interval) {
        status = stop_check(e) || solver_run(solver, EVERY, &silence, e) || solver_audit(solver, &audit, e);
        level = 10.0 * log10(audit.stored / first);
        if (!(level <= -5.0))
            continue;
        n += 1.0;
        t += now;
        l += level;
        tt += now * now;
        tl += now * level;
    }
    solver_close(solver);
    *time = level <= -35.0 ? -60.0 * (n * tt - t * t) / (n * tl - t * l) : NAN;
    return status ? -1 : 0;
}

/* times[FIELDS] for the box at these angles. */
static int measure(double *times, struct validation *v, const struct field *fields, enum air_stencil stencil,
                   const double angles[3], struct error *e)
{
    struct scene_mesh mesh = {.count = 0};
    struct voxel_room room;
    struct voxel_run run = {.mass = NULL};
    mesh_add_box(&mesh, (const double[]){-2.5, -2, -1.5}, (const double[]){2.5, 2, 1.5}, 0);
    mesh_turn(&mesh, angles[0], angles[1], angles[2]);
    int status = voxel_room_make(&room, &mesh, spacing, (const double[]){0, 0, 0}, stencil == STENCIL_19_POINT, e) ||
                 voxel_run_make(&run, &room, stencil, e);
    voxel_run_admit(&run, admittance);
    for (int i = 0; i < FIELDS && !status; i++) {
        set_field(&run, &fields[i], angles);
        status = follow(&times[i], v, &run, e);
    }
    voxel_run_free(&run);
    voxel_room_free(&room);
    mesh_clear(&mesh);
    return status ? -1 : 0;
}

int check_geometry_reverberation(struct validation *v, struct report *r, struct error *e)
{
    static const double along[3] = {0.0, 0.0, 0.0};
    static const double bounds[][2] = {[STENCIL_7_POINT] = {0.05, 0.10}, [STENCIL_19_POINT] = {0.10, 0.10}};
    struct field fields[FIELDS];
    for (int i = 0; i < FIELDS; i++)
        draw_field(&fields[i], (uint32_t)i, i < FIXED ? NULL : &v->random);
    for (int stencil = STENCIL_7_POINT; stencil <= STENCIL_19_POINT; stencil++) {
        double straight[FIELDS], turned[FIELDS];
        if (measure(straight, v, fields, (enum air_stencil)stencil, along, e) ||
            measure(turned, v, fields, (enum air_stencil)stencil, turned_by, e))
            return -1;
        for (int i = 0; i < FIELDS; i++)
            report_bound(
                r, "reverberation", fabs(turned[i] / straight[i] - 1.0), bounds[stencil][i >= FIXED],
                "box, %s, %g mm, %s field: T30 %.4f s turned, %.4f s aligned with the axes: relative difference",
                stencil_names[stencil], 1e3 * spacing, i < FIXED ? "fixed" : "random", turned[i], straight[i]);
    }
    return 0;
}
