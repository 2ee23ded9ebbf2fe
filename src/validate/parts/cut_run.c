/* SPDX-License-Identifier: MIT */
#include "validate/parts/cut_run.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/nan_max.h"
#include "solver/engine.h"
#include "solver/scheme.h"
#include "solver/schemes/leapfrog/leapfrog.h"
#include "solver/schemes/leapfrog/partition_links.h"

bool cut_run_has_no_cut(const struct cut_run *b, const struct solver_options *c, const struct error *e)
{
    return b->links && c->parts.count > 1 && e->code == ERROR_USAGE;
}

static void free_outcome(struct cut_outcome *o)
{
    free(o->field[0]);
    free(o->field[1]);
    free(o->taps);
}

void cut_run_free(struct cut_run *b)
{
    if (!b)
        return;
    kept_rows_free(b->rows);
    voxel_run_free(&b->run);
    free(b->noise[0]);
    free(b->noise[1]);
    free_outcome(&b->expected);
    free_outcome(&b->got);
    free(b);
}

/* One in three rooms of the 7-point stencil has lossy air; most rooms of blocks have partitions that transmit. */
static void draw_walls(struct voxel_run *run, struct random *r)
{
    struct error ignored;
    voxel_run_any_walls(run, r);
    if (run->leapfrog.stencil == STENCIL_7_POINT && random_between(r, 0, 2) == 0)
        cartesian7_viscosity(0.0, 0.02 * random_unit(r), &run->leapfrog.courant_squared, &run->leapfrog.viscosity,
                             &ignored);
    const size_t transmits = random_between(r, 0, 5); /* none, a few, or upright partitions only */
    for (int code = CELL_SOLID; code < PARTITION_CODE && transmits == 1; code++)
        if (random_between(r, 0, 7) == 0)
            scene_draw_transmission(&run->leapfrog, code, r);
    if (transmits)
        scene_draw_transmission(&run->leapfrog, PARTITION_CODE, r);
}

static uint64_t stepped_point(const struct cut_run *b, const struct rows *rows, struct random *r)
{
    for (;;) {
        const uint64_t point = random_between(r, 0, b->run.points - 1);
        if (rows_mass(rows, point) > 0.0)
            return point;
    }
}

/* Points anywhere, or those of a small stencil, which a cut may divide. */
static void draw_entries(struct cut_run *b, const struct rows *rows, int of_tap, int channel, struct random *r)
{
    struct channel *to = of_tap ? &b->taps[channel] : &b->drives[channel];
    struct channel_entry *entries = b->entries[of_tap][channel];
    const uint64_t plane = b->run.problem.points[0] * b->run.problem.points[1];
    const bool together = random_between(r, 0, 1);
    *to = (struct channel){entries, random_between(r, 1, CUT_ENTRIES)};
    for (size_t i = 0; i < to->count; i++) {
        uint64_t point = stepped_point(b, rows, r);
        if (together && i > 0) {
            const uint64_t beside = entries[0].point + random_between(r, 0, 2) * plane + random_between(r, 0, 1);
            point = beside < b->run.points && rows_mass(rows, beside) > 0.0 ? beside : point;
        }
        entries[i] = (struct channel_entry){point, random_unit(r) - 0.5, 0,
                                            of_tap ? (int8_t)random_between(r, 0, 1) : (int8_t)1};
    }
}

static int furnish(struct cut_run *b, struct random *r, struct error *e)
{
    struct rows rows;
    struct partition_links links;
    const int status = partition_links_make(&links, &b->run.problem, e);
    b->links = links.count;
    partition_links_free(&links);
    if (status)
        return -1;
    if (rows_make(&rows, &b->run.problem, e)) /* cached for all runs */
        return -1;
    if (!rows.air_points) {
        rows_free(&rows);
        return fail(e, ERROR_ENGINE, "the room contains no point to step");
    }
    for (int i = 0; i < CUT_CHANNELS; i++)
        for (int of_tap = 0; of_tap < 2; of_tap++)
            draw_entries(b, &rows, of_tap, i, r);
    b->run.problem.drives = b->drives;
    b->run.problem.taps = b->taps;
    b->run.problem.drive_count = b->run.problem.tap_count = CUT_CHANNELS;
    b->steps = random_between(r, 10, CUT_STEPS_MAX);
    b->block = random_between(r, 0, 1) ? b->steps : random_between(r, 1, b->steps);
    for (size_t i = 0; i < CUT_CHANNELS * b->steps; i++)
        b->drive[i] = random_unit(r) - 0.5;
    rows_free(&rows);
    return 0;
}

static int make_arrays(struct cut_run *b, struct random *r, struct error *e)
{
    const bool wide = b->run.problem.precision == PRECISION_DOUBLE;
    bool good = true;
    b->bytes = b->run.points * precision_bytes(b->run.problem.precision);
    b->expected.taps = malloc(CUT_CHANNELS * b->steps * sizeof *b->expected.taps);
    b->got.taps = malloc(CUT_CHANNELS * b->steps * sizeof *b->got.taps);
    for (int level = 0; level < 2; level++) {
        b->expected.field[level] = malloc(b->bytes);
        b->got.field[level] = malloc(b->bytes);
        b->noise[level] = malloc(b->bytes);
        good = good && b->expected.field[level] && b->got.field[level] && b->noise[level];
        for (size_t i = 0; i < b->run.points && good; i++) {
            const double value = b->run.mass[i] > 0.0 ? random_unit(r) - 0.5 : 0.0;
            if (wide)
                ((double *)b->noise[level])[i] = value;
            else
                ((float *)b->noise[level])[i] = (float)value;
        }
    }
    return good && b->expected.taps && b->got.taps ? 0 : fail(e, ERROR_MEMORY, "out of memory");
}

/* Makes the room, its walls and its channels. ERROR_ENGINE if it contains no point to step. */
static int fill(struct cut_run *b, const struct random_room *room, enum air_stencil stencil, enum precision precision,
                struct random *r, struct error *e)
{
    if (voxel_run_make(&b->run, &room->room, stencil, e))
        return -1;
    if (!(b->rows = calloc(1, sizeof *b->rows)))
        return fail(e, ERROR_MEMORY, "out of memory");
    b->run.problem.precision = precision;
    b->rows->voxels = room->room.set;
    b->run.leapfrog.kept_rows = b->rows;
    draw_walls(&b->run, r);
    return furnish(b, r, e);
}

int cut_run_make(struct cut_run **out, const struct random_room *room, enum air_stencil stencil,
                 enum precision precision, struct random *r, struct error *e)
{
    struct cut_run *b = *out = calloc(1, sizeof *b);
    if (!b)
        return fail(e, ERROR_MEMORY, "out of memory");
    int status = fill(b, room, stencil, precision, r, e);
    const bool unusual = status && e->code == ERROR_ENGINE;
    status = status || make_arrays(b, r, e) ? -1 : 0;
    if (status) {
        cut_run_free(b);
        *out = NULL;
    }
    return unusual ? 0 : status;
}

void cut_run_blank(const struct cut_run *b, struct cut_outcome *o)
{
    memset(o->taps, 0xff, CUT_CHANNELS * b->steps * sizeof *o->taps); /* NaN */
    memset(o->field[0], 0xff, b->bytes);
}

int cut_run_open(struct solver **s, const struct cut_run *b, const struct solver_options *c, struct error *e)
{
    const size_t planes = b->run.problem.points[2];
    *s = NULL;
    if (!solver_open(s, &b->run.problem, c, e) && !solver_put(*s, "p", 0, planes, b->noise[0], e) &&
        !solver_put(*s, "p_previous", 0, planes, b->noise[1], e))
        return 0;
    solver_close(*s);
    *s = NULL;
    return -1;
}

int cut_run_steps(struct solver *s, const struct cut_run *b, size_t from, size_t to, struct cut_outcome *o,
                  struct error *e)
{
    for (size_t done = from, steps; done < to; done += steps) {
        steps = to - done < b->block ? to - done : b->block;
        const struct block block = {b->silent ? NULL : b->drive + done, b->steps, o->taps + done, b->steps};
        if (solver_run(s, steps, &block, e))
            return -1;
    }
    return 0;
}

int cut_run_end(struct solver *s, const struct cut_run *b, struct cut_outcome *o, struct error *e)
{
    const size_t planes = b->run.problem.points[2];
    const int status = solver_get(s, "p", 0, planes, o->field[0], e) ||
                       solver_get(s, "p_previous", 0, planes, o->field[1], e) || solver_audit(s, &o->audit, e);
    o->linked = solver_plan_of(s)->parts.linked;
    solver_close(s);
    return status ? -1 : 0;
}

int cut_run_compute(struct cut_run *b, const struct solver_options *c, struct cut_outcome *o, struct error *e)
{
    struct solver *solver;
    cut_run_blank(b, o);
    if (cut_run_open(&solver, b, c, e))
        return -1;
    if (!cut_run_steps(solver, b, 0, b->steps, o, e))
        return cut_run_end(solver, b, o, e);
    solver_close(solver);
    return -1;
}

const struct engine *cut_run_engine(const struct solver_options *c, struct error *e)
{
    const bool automatic = !c->engine || !strcmp(c->engine, "auto");
    const struct solver_options named = {.engine = automatic ? "cpu" : c->engine};
    return solver_engine(&named, e);
}

uint64_t cut_run_wrong_field(const struct cut_run *b)
{
    const bool wide = b->run.problem.precision == PRECISION_DOUBLE;
    uint64_t wrong = 0;
    for (int level = 0; level < 2; level++)
        for (size_t i = 0; i < b->run.points; i++)
            wrong += wide ? !(((const double *)b->got.field[level])[i] == ((const double *)b->expected.field[level])[i])
                          : !(((const float *)b->got.field[level])[i] == ((const float *)b->expected.field[level])[i]);
    return wrong;
}

uint64_t cut_run_wrong(const struct cut_run *b)
{
    uint64_t wrong = cut_run_wrong_field(b);
    for (size_t i = 0; i < CUT_CHANNELS * b->steps; i++)
        wrong += !(b->got.taps[i] == b->expected.taps[i]);
    return wrong;
}

double cut_run_taps(const struct cut_run *b)
{
    double worst = 0.0, largest = 1e-30;
    for (size_t i = 0; i < CUT_CHANNELS * b->steps; i++) {
        worst = nan_max(worst, fabs(b->got.taps[i] - b->expected.taps[i]));
        largest = fmax(largest, fabs(b->expected.taps[i]));
    }
    return worst / largest;
}

double cut_run_energy(const struct cut_run *run)
{
    const struct audit *a = &run->got.audit, *b = &run->expected.audit;
    const double scale = fabs(b->stored) + fabs(b->absorbed) + fabs(b->supplied);
    return (fabs(a->stored - b->stored) + fabs(a->absorbed - b->absorbed) + fabs(a->supplied - b->supplied)) /
           fmax(scale, 1e-30);
}
