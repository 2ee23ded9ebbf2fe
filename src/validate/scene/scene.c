/* SPDX-License-Identifier: MIT */
#include "validate/scene/scene.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/stop.h"
#include "solver/schemes/isotropic19/isotropic19.h"
#include "solver/schemes/leapfrog/corners.h"
#include "solver/schemes/leapfrog/leapfrog.h"
#include "validate/scene/scene_set.h"

int scene_box(struct scene *s, size_t nx, size_t ny, size_t nz, enum precision precision, struct error *e)
{
    memset(s, 0, sizeof *s);
    if (stop_check(e))
        return -1;
    struct problem *p = &s->problem;
    p->scheme = &cartesian7_scheme;
    p->parameters = &s->leapfrog;
    p->points[0] = s->voxels[0] = nx;
    p->points[1] = s->voxels[1] = ny;
    p->points[2] = s->voxels[2] = nz;
    p->precision = precision;
    p->drives = s->drives;
    p->taps = s->taps;
    if (cartesian7_courant_squared(0.0, &s->leapfrog.courant_squared, e))
        return -1;
    memset(s->outside, CELL_SOLID, sizeof s->outside);
    s->cells = calloc(nx * ny * nz, 1);
    return s->cells ? 0 : fail(e, ERROR_MEMORY, "out of memory");
}

void scene_free(struct scene *s)
{
    for (size_t i = 0; i < SCENE_CHANNELS; i++) {
        free(s->drives[i].entries);
        free(s->taps[i].entries);
    }
    free(s->cells);
    scene_set_free(s->set);
    memset(s, 0, sizeof *s);
}

uint64_t scene_point(const struct scene *s, size_t x, size_t y, size_t z)
{
    return ((uint64_t)z * s->problem.points[1] + y) * s->problem.points[0] + x;
}

uint64_t scene_voxel(const struct scene *s, size_t x, size_t y, size_t z)
{
    return ((uint64_t)z * s->voxels[1] + y) * s->voxels[0] + x;
}

void scene_use_corners(struct scene *s)
{
    s->problem.scheme = &isotropic19_scheme;
    s->leapfrog.stencil = STENCIL_19_POINT;
    s->leapfrog.courant_squared = ISOTROPIC19_COURANT_SQUARED;
    s->leapfrog.viscosity = 0.0;
    for (int axis = 0; axis < 3; axis++)
        s->problem.points[axis] = s->voxels[axis] + 1;
}

/* Codes of the voxels at a point of the 19-point scheme. */
static void codes_at(const struct scene *s, uint64_t point, uint8_t codes[CORNER_VOXELS])
{
    const size_t *n = s->problem.points;
    const size_t at[3] = {point % n[0], point / n[0] % n[1], point / n[0] / n[1]};
    for (int i = 0; i < CORNER_VOXELS; i++) {
        size_t v[3];
        int beyond = -1;
        for (int axis = 0; axis < 3; axis++) {
            v[axis] = at[axis] + (i >> axis & 1) - 1;
            if (v[axis] >= s->voxels[axis])
                beyond = 2 * axis + (at[axis] ? 1 : 0);
        }
        codes[i] = beyond < 0 ? s->cells[scene_voxel(s, v[0], v[1], v[2])] : s->outside[beyond];
    }
}

/* The corner with whole faces. */
static struct corner corner_of(const struct scene *s, uint64_t point)
{
    uint8_t codes[CORNER_VOXELS];
    struct corner c = {.pattern = 0};
    unsigned air = 0;
    codes_at(s, point, codes);
    for (int i = 0; i < CORNER_VOXELS; i++) {
        if (codes[i] != CELL_AIR)
            continue;
        air |= 1u << i;
        for (int axis = 0; axis < 3; axis++)
            c.faces[i][axis] = (struct corner_face){.code = codes[i ^ 1 << axis], .area = FACE_AREA_UNITS};
    }
    corner_settle(&c, air);
    return c;
}

static unsigned pattern_at(const struct scene *s, uint64_t point)
{
    return corner_of(s, point).pattern;
}

bool scene_absorbs(const struct scene *s, uint64_t point)
{
    const struct corner corner = corner_of(s, point);
    const struct row_wall wall = corner_wall(&s->leapfrog, &corner);
    return wall.branched || wall.weight > 0.0;
}

bool scene_is_air(const struct scene *s, uint64_t point)
{
    return s->leapfrog.stencil == STENCIL_19_POINT ? pattern_at(s, point) != 0 : s->cells[point] == CELL_AIR;
}

uint64_t scene_air_points(const struct scene *s)
{
    const size_t *n = s->problem.points;
    uint64_t air = 0;
    for (uint64_t i = 0; i < (uint64_t)n[0] * n[1] * n[2] && !stop_requested_at(i); i++)
        air += scene_is_air(s, i);
    return air;
}

double scene_source_weight(const struct scene *s, uint64_t point)
{
    const double strength = s->leapfrog.courant_squared;
    return s->leapfrog.stencil == STENCIL_19_POINT ? strength * MASS_UNITS / __builtin_popcount(pattern_at(s, point))
                                                   : strength;
}

void scene_fill(struct scene *s, const size_t from[3], const size_t to[3], uint8_t code)
{
    for (size_t z = from[2]; z < to[2]; z++)
        for (size_t y = from[1]; y < to[1]; y++)
            memset(s->cells + scene_voxel(s, from[0], y, z), code, to[0] - from[0]);
}

void scene_branches(struct scene *s, int material, const struct branch *branches, size_t count)
{
    memcpy(s->branches[material], branches, count * sizeof *branches);
    s->leapfrog.branches[CELL_SOLID + material] = s->branches[material];
    s->leapfrog.branch_count[CELL_SOLID + material] = (uint8_t)count;
}

void scene_random_areas(struct scene *s, struct random *r)
{
    s->areas = random_bits(r) | 1u;
}

static double any_scale(struct random *r, double low, double high)
{
    return random_unit(r) < 0.1 ? 0.0 : low * pow(high / low, random_unit(r));
}

void scene_draw_tanks(struct branch *branches, size_t count, struct random *r)
{
    for (size_t m = 0; m + 1 < count; m += 1 + branches[m].tanks)
        branches[m].tanks = random_unit(r) < 0.3 ? random_between(r, 1, count - 1 - m) : 0;
}

size_t scene_draw_branches(struct branch branches[BRANCHES_MAX], size_t max, struct random *r)
{
    const size_t count = random_between(r, 1, max);
    for (size_t m = 0; m < count; m++)
        do
            branches[m] = (struct branch){any_scale(r, 0.1, 1e3), any_scale(r, 0.1, 1e2), any_scale(r, 1e-6, 1.0), 0};
        while (branches[m].inertance + branches[m].resistance + branches[m].stiffness == 0.0);
    scene_draw_tanks(branches, count, r);
    return count;
}

void scene_random_branches(struct scene *s, int material, size_t max, struct random *r)
{
    struct branch branches[BRANCHES_MAX];
    scene_branches(s, material, branches, scene_draw_branches(branches, max, r));
}

void scene_draw_transmission(struct leapfrog_problem *l, int code, struct random *r)
{
    const double least = 4.0 * sqrt(ISOTROPIC19_COURANT_SQUARED);
    const double heavier = random_unit(r) < 0.3 ? 1.0 : pow(10.0, 3.0 * random_unit(r));
    l->transmission[code] = (struct transmission){least * heavier, any_scale(r, 0.01, 100.0)};
}

void scene_extend(struct channel *c, uint64_t point, double weight, int8_t level)
{
    struct channel_entry *longer = realloc(c->entries, (c->count + 1) * sizeof *longer);
    if (!longer)
        abort(); /* a few bytes in a check: no recovery */
    c->entries = longer;
    c->entries[c->count++] = (struct channel_entry){.point = point, .weight = weight, .level = level};
}

size_t scene_drive(struct scene *s, uint64_t point, double weight)
{
    scene_extend(&s->drives[s->problem.drive_count], point, weight, 1);
    return s->problem.drive_count++;
}

size_t scene_tap(struct scene *s, uint64_t point, double weight)
{
    scene_extend(&s->taps[s->problem.tap_count], point, weight, 0);
    return s->problem.tap_count++;
}

uint64_t scene_air_point(const struct scene *s, struct random *r)
{
    const size_t *n = s->problem.points;
    for (;;) {
        uint64_t point = random_bits(r) % ((uint64_t)n[0] * n[1] * n[2]);
        if (scene_is_air(s, point))
            return point;
    }
}

int scene_random(struct scene *s, size_t max, enum precision precision, struct random *r, struct error *e)
{
    if (scene_box(s, random_between(r, 1, max), random_between(r, 1, max), random_between(r, 1, max), precision, e))
        return -1;
    struct leapfrog_problem *l = &s->leapfrog;
    const size_t *n = s->problem.points;
    const uint64_t points = (uint64_t)n[0] * n[1] * n[2];
    for (int i = 1; i < SCENE_MATERIALS; i++) {
        l->admittance[CELL_SOLID + i] = i == 3 ? 0.0 : 2.0 * random_unit(r);
        if (i > SCENE_MATERIALS / 2)
            scene_random_branches(s, i, 4, r);
    }
    if (random_between(r, 0, 1) &&
        cartesian7_viscosity(0.0, pow(10.0, -5.0 + 4.0 * random_unit(r)), &l->courant_squared, &l->viscosity, e))
        return -1;
    for (int face = 0; face < 6; face++)
        s->outside[face] = (uint8_t)random_between(r, CELL_SOLID, CELL_SOLID + SCENE_MATERIALS - 1);
    for (size_t blocks = random_between(r, 0, 6); blocks-- > 0;) {
        size_t from[3], to[3];
        for (int axis = 0; axis < 3; axis++) {
            from[axis] = random_between(r, 0, n[axis] - 1);
            to[axis] = random_between(r, from[axis] + 1, n[axis]);
            if (to[axis] > from[axis] + n[axis] / 2 + 1)
                to[axis] = from[axis] + n[axis] / 2 + 1;
        }
        scene_fill(s, from, to, (uint8_t)random_between(r, CELL_FIXED, CELL_SOLID + SCENE_MATERIALS - 1));
    }
    double density = 0.2 * random_unit(r);
    for (uint64_t i = 0; i < points && !stop_requested_at(i); i++)
        if (random_unit(r) < density)
            s->cells[i] = (uint8_t)random_between(r, CELL_FIXED, CELL_SOLID + SCENE_MATERIALS - 1);
    if (stop_check(e))
        return -1;
    s->cells[random_bits(r) % points] = CELL_AIR;
    if (random_between(r, 0, 1))
        scene_random_areas(s, r);
    const bool transmits = random_between(r, 0, 2) == 0;
    for (int i = 0; i < SCENE_MATERIALS && transmits; i++)
        if (random_between(r, 0, 2))
            scene_draw_transmission(l, CELL_SOLID + i, r);
    return 0;
}

int scene_noise(const struct scene *s, struct solver *solver, double loudness, struct random *r, struct error *e)
{
    static const char *const arrays[] = {"p", "p_previous"};
    const size_t *n = s->problem.points;
    const size_t points = n[0] * n[1] * n[2];
    double *values = malloc(points * sizeof *values);
    if (!values)
        return fail(e, ERROR_MEMORY, "out of memory");
    int status = 0;
    for (int a = 0; a < 2 && !status; a++) {
        double sum = 0.0, air = 0.0;
        for (size_t i = 0; i < points && !stop_requested_at(i); i++) {
            values[i] = loudness * (random_unit(r) - 0.5);
            if (scene_is_air(s, i)) {
                sum += values[i];
                air += 1.0;
            }
        }
        for (size_t i = 0; i < points; i++)
            values[i] -= sum / air;
        if (s->problem.precision == PRECISION_SINGLE) /* in place: writes never overtake reads */
            for (size_t i = 0; i < points; i++) {
                float value = (float)values[i];
                memcpy((char *)values + i * sizeof value, &value, sizeof value);
            }
        status = stop_check(e) || solver_put(solver, arrays[a], 0, n[2], values, e) ? -1 : 0;
    }
    free(values);
    return status;
}

/* Number of steps per call, so that a stop is noticed after a fraction of a second. */
static size_t steps_at_once(const struct scene *s)
{
    const size_t *n = s->problem.points, steps = ((size_t)1 << 26) / (n[0] * n[1] * n[2]);
    return steps > 8 ? steps : 8;
}

int scene_run(struct scene *s, const struct solver_options *c, size_t steps, const double *drive, double *taps,
              struct error *e)
{
    const size_t most = steps_at_once(s);
    struct solver *solver;
    int status = 0;
    if (scene_open(&solver, s, c, e))
        return -1;
    for (size_t done = 0, count; done < steps && !status; done += count) {
        const struct block b = {drive ? drive + done : NULL, steps, taps ? taps + done : NULL, steps};
        count = steps - done < most ? steps - done : most;
        status = stop_check(e) || solver_run(solver, count, &b, e) ? -1 : 0;
    }
    solver_close(solver);
    return status;
}
