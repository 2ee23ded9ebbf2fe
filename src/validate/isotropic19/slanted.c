/* SPDX-License-Identifier: MIT */
/* Decay of sound in turned boxes compared with the same box along the axes, in bands up to the edge of the valid band.
 * Each band starts as a random sum of modes of the box. Times are divided by volume over area of the voxels, since a
 * turned box has its volume only within some per cent. The same voxels with equal parts of faces at their corners show
 * the effect of theory (38a). Its check is on EDT: staircases also mix modes that decay at different rates, which
 * shortens T30. */
#include <math.h>
#include <stdlib.h>

#include "base/stop.h"
#include "validate/geometry/voxel_run.h"
#include "validate/isotropic19/checks.h"

enum {
    BANDS = 5,
    TURNS = 8,     /* the first along the axes */
    MODES = 512,   /* of a field */
    MODE_MAX = 32, /* number of half waves along a side */
    ONSET = 20,    /* steps before the level counts as 0 dB */
    EVERY = 15     /* steps between samples */
};

static const double spacing = 0.1, size[3] = {5.0, 4.0, 3.0};
static const double points_per_wavelength[BANDS][2] = {{9.0, 7.5}, {6.5, 5.7}, {5.3, 4.9}, {4.6, 4.35}, {4.2, 4.0}};
static const double turns[TURNS][3] = {{0, 0, 0},  {10, 0, 0},      {22.5, 0, 0},   {30, 0, 0},
                                       {45, 0, 0}, {22.5, 22.5, 0}, {45, 35.26, 0}, {30, 20, 10}};
static const double bounds[BANDS] = {0.13, 0.13, 0.13, 0.06, 0.06};
static const double admittance = 0.05;
static const double longest = 0.8; /* s */

struct decay_times {
    double t30, early; /* s: from -5 to -35 dB, and from 0 to -10 dB, both to 60 dB; NaN: not reached */
};

struct field {
    int mode[MODES][3];
    double amplitude[MODES];
};

static double wavenumber_of(const int mode[3]) /* times the spacing */
{
    double sum = 0.0;
    for (int k = 0; k < 3; k++)
        sum += pow(M_PI * spacing * mode[k] / size[k], 2.0);
    return sqrt(sum);
}

/* Modes of a band, all equally likely. */
static void draw_field(struct field *f, const double band[2], struct random *r)
{
    for (int i = 0; i < MODES; i++) {
        double points;
        do {
            for (int k = 0; k < 3; k++)
                f->mode[i][k] = (int)random_between(r, 0, MODE_MAX - 1);
            points = 2.0 * M_PI / wavenumber_of(f->mode[i]);
        } while (!(points <= band[0] && points >= band[1]));
        f->amplitude[i] = random_between(r, 0, 1) ? 1.0 : -1.0;
    }
}

/* place: along the axes of the box, from its centre. */
static double field_at(const struct field *f, const double place[3])
{
    double cosines[3][MODE_MAX], sum = 0.0;
    for (int k = 0; k < 3; k++)
        for (int m = 0; m < MODE_MAX; m++)
            cosines[k][m] = cos(M_PI * m * (place[k] / size[k] + 0.5));
    for (int i = 0; i < MODES; i++)
        sum += f->amplitude[i] * cosines[0][f->mode[i][0]] * cosines[1][f->mode[i][1]] * cosines[2][f->mode[i][2]];
    return sum;
}

static int set_field(struct voxel_run *run, const struct field *f, const double angles[3], struct error *e)
{
    double axes[3][3];
    for (int k = 0; k < 3; k++)
        mesh_turn_point(axes[k], (const double[]){k == 0, k == 1, k == 2}, angles[0], angles[1], angles[2]);
#pragma omp parallel for
    for (size_t i = 0; i < run->points; i++) {
        double place[3], own[3];
        voxel_run_place(place, run, i);
        for (int k = 0; k < 3; k++)
            own[k] = axes[k][0] * place[0] + axes[k][1] * place[1] + axes[k][2] * place[2];
        run->values[i] = run->mass[i] > 0.0 ? field_at(f, own) : 0.0;
    }
    return stop_check(e);
}

/* Sums of a line through levels, dB, over time, s. */
struct line {
    double n, t, l, tt, tl;
};

static void line_add(struct line *line, double time, double level)
{
    line->n += 1.0;
    line->t += time;
    line->l += level;
    line->tt += time * time;
    line->tl += time * level;
}

static double line_time(const struct line *line)
{
    return -60.0 * (line->n * line->tt - line->t * line->t) / (line->n * line->tl - line->t * line->l);
}

static int follow(struct decay_times *times, struct validation *v, struct voxel_run *run, struct error *e)
{
    const double interval = EVERY * voxel_run_step(run);
    const struct block silence = {0};
    struct solver *solver = NULL;
    struct audit audit;
    struct line late = {0}, early = {0};
    double first = 0.0, level = 0.0;
    int status = solver_open(&solver, &run->problem, &v->choice, e) || voxel_run_start(run, solver, e) ||
                 solver_run(solver, ONSET, &silence, e) || solver_audit(solver, &audit, e);
    first = audit.stored;
    for (double now = interval; now < longest && level > -35.0 && !status; now += interval) {
        status = stop_check(e) || solver_run(solver, EVERY, &silence, e) || solver_audit(solver, &audit, e);
        level = 10.0 * log10(audit.stored / first);
        if (level >= -10.0)
            line_add(&early, now, level);
        if (level <= -5.0)
            line_add(&late, now, level);
    }
    solver_close(solver);
    *times = (struct decay_times){level <= -35.0 ? line_time(&late) : NAN, level <= -10.0 ? line_time(&early) : NAN};
    return status ? -1 : 0;
}

/* Replaces a set by one whose faces have equal parts at their corners. */
static int forget_slopes(struct voxel_set **set, struct error *e)
{
    const size_t count[3] = {voxel_set_count(*set, 0), voxel_set_count(*set, 1), voxel_set_count(*set, 2)};
    struct face_run *faces = malloc(FACES * count[0] * sizeof *faces);
    struct voxel_set_builder *b;
    if (!faces)
        return fail(e, ERROR_MEMORY, "out of memory");
    int status = voxel_set_open(&b, count, e);
    for (size_t i = 0; i < count[1] * count[2] && !status; i++) {
        const struct voxel_row row = voxel_set_row(*set, i % count[1], i / count[1]);
        size_t made = 0;
        for (int side = 0; side < FACES; side++)
            for (size_t k = 0; k < row.face_count[side]; k++) {
                faces[made] = row.faces[side][k];
                faces[made++].before = 0;
            }
        status = voxel_set_append(b, row.air, row.air_count, faces, made, e);
    }
    free(faces);
    if (status)
        return -1;
    voxel_set_free(*set);
    *set = voxel_set_close(b);
    return 0;
}

/* Times over volume and area, by band. */
static int measure(struct decay_times *times, struct validation *v, const struct field *fields, const double angles[3],
                   bool divided, struct error *e)
{
    struct scene_mesh mesh = {.count = 0};
    struct voxel_room room;
    struct voxel_run run = {.mass = NULL};
    const double half[3] = {0.5 * size[0], 0.5 * size[1], 0.5 * size[2]};
    mesh_add_box(&mesh, (const double[]){-half[0], -half[1], -half[2]}, half, 0);
    mesh_turn(&mesh, angles[0], angles[1], angles[2]);
    int status = voxel_room_make(&room, &mesh, spacing, (const double[]){0, 0, 0}, true, e) ||
                 (!divided && forget_slopes(&room.set, e)) || voxel_run_make(&run, &room, STENCIL_19_POINT, e);
    voxel_run_admit(&run, admittance);
    for (int i = 0; i < BANDS && !status; i++) {
        status = set_field(&run, &fields[i], angles, e) || follow(&times[i], v, &run, e);
        const double free_path = room.report.volume / room.report.materials[0].corrected;
        times[i].t30 /= free_path;
        times[i].early /= free_path;
    }
    voxel_run_free(&run);
    voxel_room_free(&room);
    mesh_clear(&mesh);
    return status ? -1 : 0;
}

int check_isotropic19_slanted(struct validation *v, struct report *r, struct error *e)
{
    struct field fields[BANDS];
    struct decay_times along[BANDS], turned[2][BANDS];
    for (int i = 0; i < BANDS; i++)
        draw_field(&fields[i], points_per_wavelength[i], &v->random);
    if (measure(along, v, fields, turns[0], true, e))
        return -1;
    for (int turn = 1; turn < TURNS; turn++) {
        for (int divided = 0; divided < 2; divided++)
            if (measure(turned[divided], v, fields, turns[turn], divided, e))
                return -1;
        for (int i = 0; i < BANDS; i++)
            report_bound(r, "slanted", fabs(turned[1][i].early / along[i].early - 1.0), bounds[i],
                         "box turned by %g, %g, %g°, %g to %g points a wavelength: EDT %+.1f %%, T30 %+.1f %%; "
                         "equal parts %+.1f %%, %+.1f %%",
                         turns[turn][0], turns[turn][1], turns[turn][2], points_per_wavelength[i][0],
                         points_per_wavelength[i][1], 100.0 * (turned[1][i].early / along[i].early - 1.0),
                         100.0 * (turned[1][i].t30 / along[i].t30 - 1.0),
                         100.0 * (turned[0][i].early / along[i].early - 1.0),
                         100.0 * (turned[0][i].t30 / along[i].t30 - 1.0));
    }
    return 0;
}
