/* SPDX-License-Identifier: MIT */
/* The state of instruments and their air, taken from one solver and given to another: drums and plates with strings
 * and bars go on with the same bits, beyond the step at which sums are set aside; also beside a partition. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "solver/scheme.h"
#include "solver/state.h"
#include "support/random_cases.h"
#include "support/scratch.h"
#include "validate/bodies/synth_rig.h"

#include <cmocka.h>

enum { STEPS = 1500, ROOM_POINTS = 26 };
static const double rate = 8000.0;

static void lose(struct instrument *i, struct random *r)
{
    i->decay_at[0] = 100.0;
    i->decay_at[1] = 1000.0;
    i->decay[0] = random_uniform(r, 0.2, 2.0);
    i->decay[1] = 0.6 * i->decay[0];
}

static void place(struct instrument *i, double x, double along)
{
    i->position[0] = (along + 0.5) * x;
    i->position[1] = i->position[2] = (ROOM_POINTS / 2 + 0.5) * x;
}

/* A drum with a shell. */
static void add_drum(struct rig *rig, double x, struct random *r)
{
    struct instrument *i = rig_instrument(rig, INSTRUMENT_MEMBRANE);
    i->normal = (enum axis)random_between(r, 0, 2);
    i->surface_density = 0.5;
    i->outline = OUTLINE_CIRCLE;
    i->radius = 4.0 * x;
    i->shell = 2.0 * x;
    i->bottom = random_between(r, 0, 1) ? SHELL_CLOSED : SHELL_OPEN;
    i->cells = 4;
    i->tension = i->surface_density * x * x * rate * rate * 0.1;
    place(i, x, 6);
    lose(i, r);
    rig_play(rig, i, 0.3, 0.1);
    rig_hear(rig, i, 0.1, 0.2);
}

/* A plate, driven by a string and a bar. */
static void add_plate(struct rig *rig, double x, double along, struct random *r)
{
    struct instrument *plate = rig_instrument(rig, INSTRUMENT_PLATE);
    plate->normal = AXIS_Z;
    plate->ends = random_between(r, 0, 1) ? ENDS_FREE : ENDS_CLAMPED;
    plate->outline = OUTLINE_RECTANGLE;
    plate->density = 2000.0;
    plate->poisson = 0.3;
    plate->sides[0] = plate->sides[1] = 8.0 * x;
    plate->cells = 8;
    plate->thickness = 2e-3;
    plate->young = 12.0 * plate->density * 0.91 * pow(x * x * rate / 4.0 * 0.4 / plate->thickness, 2.0);
    place(plate, x, along);
    lose(plate, r);
    rig_play(rig, plate, 0.2, -0.3);
    rig_hear(rig, plate, -0.2, 0.3);
    for (int n = 0; n < 2; n++) {
        struct instrument *i = rig_instrument(rig, n ? INSTRUMENT_BAR : INSTRUMENT_STRING);
        i->length = 0.4;
        i->diameter = 1e-3;
        i->width = 0.04;
        i->thickness = 0.01;
        i->density = n ? 1000.0 : 7800.0;
        i->young = n ? 2e10 : 2e11;
        i->tension = n ? 0.0 : 100.0;
        i->ends = n ? ENDS_FREE : ENDS_SUPPORTED;
        i->termination = n ? TERMINATION_SPRING : TERMINATION_RIGID;
        i->spring = 1e4;
        i->bridge_mass = 0.01;
        i->body_index = (size_t)(plate - rig->instruments);
        i->body_place[0] = 0.3;
        i->body_place[1] = n ? -0.2 : 0.25;
        lose(i, r);
        rig_play(rig, i, 0.7, 0.0);
        rig_hear(rig, i, 0.4, 0.0);
    }
}

/* A partition between the two instruments. */
static void add_partition(struct rig *rig, struct object *wall, double x, struct random *r)
{
    struct material *m = &rig->materials[rig->room.material_count];
    *m = rig->materials[rig->room.material_count - 1];
    if (random_between(r, 0, 1))
        *m = (struct material){.name = m->name, .kind = MATERIAL_RIGID};
    m->transmission =
        (struct material_transmission){.given = true, .mass = random_uniform(r, 0.5, 5.0), .resistance = 100.0};
    *wall = (struct object){.shape = SHAPE_BOX, .material = rig->room.material_count++};
    for (int k = 0; k < 3; k++) {
        wall->from[k] = k ? 0.0 : 13.0 * x;
        wall->to[k] = (k ? ROOM_POINTS : 14.0) * x;
    }
    rig->room.objects = wall;
    rig->room.object_count = 1;
}

/* wall: NULL: there is no partition. */
static void make_rig(struct rig *rig, struct object *wall, struct random *r)
{
    struct error e;
    struct grid grid;
    double absorption[OCTAVE_BANDS];
    rig_begin(rig, rate);
    for (int band = 0; band < OCTAVE_BANDS; band++)
        absorption[band] = random_uniform(r, 0.1, 0.6);
    rig_absorption(rig, absorption);
    rig->room.grid.precision = random_between(r, 0, 1) ? PRECISION_SINGLE : PRECISION_DOUBLE;
    rig->room.sized_by_points = true;
    for (int axis = 0; axis < 3; axis++)
        rig->room.points[axis] = ROOM_POINTS + (wall && axis == 0 ? 4 : 0);
    must(grid_make_for(&grid, &rig->room, &(struct grid_use){.purpose = PURPOSE_INSTRUMENTS}, &e), &e);
    if (wall) {
        rig->room.grid.precision = PRECISION_DOUBLE;
        add_partition(rig, wall, grid.spacing, r);
    }
    rig_source(rig, 4.0 * grid.spacing, 3.3 * grid.spacing, 3.0 * grid.spacing);
    rig_receiver(rig, 20.0 * grid.spacing, 20.3 * grid.spacing, 8.0 * grid.spacing);
    add_drum(rig, grid.spacing, r);
    add_plate(rig, grid.spacing, wall ? 20 : 18, r);
    must(rig_build(rig, true, &e), &e);
}

/* Everything of one solver into another of the same problem. */
static void hand_over(struct solver *to, struct solver *from, const struct problem *p)
{
    struct error e;
    const size_t planes = p->points[2], plane = p->points[0] * p->points[1] * sizeof(double);
    size_t *bytes = calloc(planes + 1, sizeof *bytes), most = planes * plane;
    must(solver_state_block_bytes(from, bytes, &e), &e);
    for (size_t i = 0; i <= planes; i++)
        most = bytes[i] > most ? bytes[i] : most;
    char *values = malloc(most);
    for (size_t i = 0; i < 2; i++) {
        must(solver_get(from, p->scheme->arrays[i], 0, planes, values, &e), &e);
        must(solver_put(to, p->scheme->arrays[i], 0, planes, values, &e), &e);
    }
    for (size_t i = 0; i <= planes; i++) {
        must(solver_get_state_block(from, i, values, &e), &e);
        must(solver_put_state_block(to, i, values, bytes[i], &e), &e);
        assert_int_not_equal(solver_put_state_block(to, i, values, bytes[i] + 1, &e), 0);
        assert_int_equal(e.code, ERROR_INPUT);
    }
    free(values);
    free(bytes);
}

struct heard {
    double *taps;
    struct audit audit;
};

/* `broken`: at that step another solver goes on; 0: none does. */
static struct heard play(const struct rig *rig, const double *drive, size_t broken, int parts)
{
    const struct problem *p = &rig->problem.problem;
    const struct solver_options choice = {.engine = "cpu", .threads = 2, .parts = {.count = parts, .halo = 1}};
    struct heard h = {.taps = calloc(p->tap_count * STEPS + 1, sizeof *h.taps)};
    struct solver *solver, *next;
    struct error e;
    must(solver_open(&solver, p, &choice, &e), &e);
    if (broken) {
        const struct block b = {drive, STEPS, h.taps, STEPS};
        must(solver_run(solver, broken, &b, &e), &e);
        must(solver_open(&next, p, &choice, &e), &e);
        hand_over(next, solver, p);
        solver_close(solver);
        solver = next;
    }
    const struct block b = {drive + broken, STEPS, h.taps + broken, STEPS};
    must(solver_run(solver, STEPS - broken, &b, &e) || solver_audit(solver, &h.audit, &e), &e);
    solver_close(solver);
    return h;
}

static void instruments_go_on_with_the_same_bits(void **state)
{
    (void)state;
    struct random r = random_cases("instruments that are broken off");
    for (int i = 0; i < case_count(3); i++) {
        struct rig rig;
        make_rig(&rig, NULL, &r);
        const struct problem *p = &rig.problem.problem;
        const size_t count = p->drive_count * STEPS;
        double *drive = calloc(count, sizeof *drive);
        for (size_t n = 0; n < count; n++)
            drive[n] = n % STEPS < 900 ? random_unit(&r) - 0.5 : 0.0;
        const struct heard whole = play(&rig, drive, 0, 1);
        const size_t broken = random_between(&r, 1, STEPS - 1);
        const struct heard parts = play(&rig, drive, broken, 1);
        if (memcmp(whole.taps, parts.taps, p->tap_count * STEPS * sizeof *whole.taps) != 0)
            fail_msg("case %d, broken off after %zu of %d steps: other bits are heard", i, broken, STEPS);
        double loudest = 0.0;
        for (size_t n = 0; n < p->tap_count * STEPS; n++)
            loudest = fmax(loudest, fabs(whole.taps[n]));
        assert_true(loudest > 0.0);
        assert_true(whole.audit.stored == parts.audit.stored && whole.audit.absorbed == parts.audit.absorbed &&
                    whole.audit.supplied == parts.audit.supplied);
        assert_true(whole.audit.absorbed > 0.0);
        free(whole.taps);
        free(parts.taps);
        free(drive);
        rig_end(&rig);
    }
}

/* Sound of the drum and the source passes to the plate and the receiver behind the partition; energy closes, and neither
 * parts nor checkpoints change a bit. */
static void instruments_beside_a_partition_keep_energy_and_bits(void **state)
{
    (void)state;
    struct random r = random_cases(__func__);
    for (int i = 0; i < case_count(2); i++) {
        struct rig rig;
        struct object wall;
        make_rig(&rig, &wall, &r);
        assert_int_equal(rig.model->partitions.room_count, 2);
        const struct problem *p = &rig.problem.problem;
        double *drive = calloc(p->drive_count * STEPS, sizeof *drive), behind = 0.0;
        for (size_t n = 0; n < 900; n++)
            drive[n] = random_unit(&r) - 0.5; /* of the source, which is the first */
        const struct heard whole = play(&rig, drive, 0, 1);
        const struct heard parts = play(&rig, drive, random_between(&r, 1, STEPS - 1), 2);
        assert_memory_equal(whole.taps, parts.taps, p->tap_count * STEPS * sizeof *whole.taps);
        for (size_t n = 0; n < STEPS; n++)
            behind = fmax(behind, fabs(whole.taps[n])); /* of the receiver */
        const double supplied = whole.audit.supplied;
        print_message("behind the partition %g, energy off by %g\n", behind,
                      (whole.audit.stored + whole.audit.absorbed) / supplied - 1.0);
        assert_true(behind > 0.0 && supplied > 0.0);
        assert_true(fabs(whole.audit.stored + whole.audit.absorbed - supplied) <= 1e-9 * supplied);
        free(whole.taps);
        free(parts.taps);
        free(drive);
        rig.room.objects = NULL;
        rig.room.object_count = 0;
        rig_end(&rig);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(instruments_go_on_with_the_same_bits),
        cmocka_unit_test(instruments_beside_a_partition_keep_energy_and_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
