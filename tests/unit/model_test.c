/* Rooms on their grid: sizes, voxels, admittances, placement. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "model/absorption.h"
#include "model/model.h"
#include "schemes/leapfrog/leapfrog.h"
#include "support/random_cases.h"

#include <cmocka.h>

/* A room of 2 x 1.5 x 1.2 m at 8 kHz with one source and one receiver, to be changed by each test. */
struct fixture {
    struct material materials[3];
    struct object object;
    struct source source;
    struct receiver receiver;
    struct room room;
};

static void setup(struct fixture *f)
{
    memset(f, 0, sizeof *f);
    f->materials[0] = (struct material){.name = "soft", .kind = MATERIAL_ABSORPTION};
    for (int b = 0; b < OCTAVE_BANDS; b++)
        f->materials[0].absorption[b] = 0.1 * (b + 1);
    f->materials[1] = (struct material){.name = "rigid", .kind = MATERIAL_RIGID};
    f->materials[2] = (struct material){.name = "fixed", .kind = MATERIAL_FIXED};
    f->source = (struct source){.name = "S", .gain = 1.0, .position = {0.5, 0.6, 0.7}};
    f->receiver = (struct receiver){.name = "R", .position = {1.5, 0.9, 0.4}};
    f->room = (struct room){.path = "test.cfg",
                            .size = {2.0, 1.5, 1.2},
                            .materials = f->materials,
                            .material_count = 3,
                            .objects = &f->object,
                            .duration = 1.0,
                            .sources = &f->source,
                            .source_count = 1,
                            .receivers = &f->receiver,
                            .receiver_count = 1};
    f->room.air.temperature = 20.0;
    f->room.grid.rate = 8000.0;
    f->room.output.dispersion = 0.02;
    for (int wall = 0; wall < FACES; wall++)
        f->room.walls[wall] = 1;
}

static struct model *make(struct fixture *f)
{
    struct model *m;
    struct error e = {0};
    if (model_make(&m, &f->room, &e))
        print_error("%s\n", e.message);
    return m;
}

static void spacing_follows_from_rate_and_sound_speed(void **state)
{
    (void)state;
    struct fixture f;
    setup(&f);
    struct model *m = make(&f);
    assert_non_null(m);
    assert_true(fabs(m->grid.sound_speed - 343.2) < 1e-12);
    assert_true(fabs(m->grid.spacing * sqrt(m->grid.courant_squared) * 8000.0 - 343.2) < 1e-9);
    for (int axis = 0; axis < 3; axis++) {
        assert_int_equal(m->grid.points[axis], (size_t)round(f.room.size[axis] / m->grid.spacing));
        assert_true(fabs(m->grid.size[axis] - (double)m->grid.points[axis] * m->grid.spacing) < 1e-12);
        assert_true(fabs(m->grid.rounding[axis]) <= 0.5 * m->grid.spacing + 1e-12);
        assert_true(fabs(m->grid.size[axis] - m->grid.rounding[axis] - f.room.size[axis]) < 1e-12);
    }
    model_free(m);
}

static void highest_frequency_sets_the_spacing(void **state)
{
    (void)state;
    struct fixture f;
    setup(&f);
    f.room.grid.rate = 0.0;
    f.room.grid.max_frequency = 500.0;
    f.room.grid.points_per_wavelength = 12.0;
    struct model *m = make(&f);
    assert_non_null(m);
    assert_true(fabs(m->grid.spacing - 343.2 / (500.0 * 12.0)) < 1e-12);
    model_free(m);
}

static void webb_room_has_exactly_his_points(void **state)
{
    (void)state;
    struct fixture f;
    setup(&f);
    f.room.sized_by_points = true;
    f.room.points[0] = 256;
    f.room.points[1] = 296;
    f.room.points[2] = 212;
    f.room.grid.rate = 44100.0;
    for (int wall = 0; wall < FACES; wall++)
        f.room.walls[wall] = 2;
    struct model *m = make(&f);
    assert_non_null(m);
    assert_true(grid_points(&m->grid) == 16064512);
    uint8_t *plane = malloc(256 * 296);
    voxels_cells(&m->voxels, 0, 1, plane); /* the held layer is counted in */
    for (size_t i = 0; i < 256 * 296; i++)
        assert_int_equal(plane[i], CELL_FIXED);
    voxels_cells(&m->voxels, 1, 1, plane);
    size_t air = 0;
    for (size_t i = 0; i < 256 * 296; i++)
        air += plane[i] == CELL_AIR;
    assert_int_equal(air, 254 * 294);
    free(plane);
    model_free(m);
}

static void absorption_inverts_as_tabulated(void **state)
{
    (void)state;
    static const double table[][2] = {{.02, .00257}, {.05, .00665}, {.1, .01398}, {.2, .03071}, {.3, .05059},
                                      {.5, .1035},   {.7, .1883},   {.9, .385},   {.95, .591}};
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        assert_true(fabs(admittance_of_absorption(table[i][0]) - table[i][1]) < 0.002 * table[i][1] + 5e-6);
        assert_true(fabs(random_incidence_absorption(admittance_of_absorption(table[i][0])) - table[i][0]) < 1e-9);
    }
    assert_true(admittance_of_absorption(0.0) == 0.0);
    assert_true(admittance_of_absorption(1.2) == 0.638);
    assert_true(fabs(random_incidence_absorption(0.638) - ABSORPTION_MAX) < 1e-4);
}

static void each_wall_has_its_own_material(void **state)
{
    (void)state;
    struct fixture f;
    setup(&f);
    struct material six[FACES];
    for (int wall = 0; wall < FACES; wall++) {
        six[wall] = (struct material){.name = "m", .kind = MATERIAL_IMPEDANCE, .impedance = 2.0 + wall};
        f.room.walls[wall] = (size_t)wall;
    }
    f.room.materials = six;
    f.room.material_count = FACES;
    struct model *m = make(&f);
    struct leapfrog_problem l;
    struct problem p;
    struct error e;
    assert_non_null(m);
    assert_int_equal(model_problem(&p, &l, m, 0, 1, &e), 0);
    for (int wall = 0; wall < FACES; wall++)
        assert_true(l.admittance[l.outside[wall]] == 1.0 / (2.0 + wall));
    model_problem_free(&p);
    model_free(m);
}

static void a_gap_that_the_grid_does_not_resolve_is_refused(void **state)
{
    (void)state;
    struct fixture f;
    struct object both[2] = {{.shape = SHAPE_BOX, .from = {0, 0, 0}, .to = {1.03, 1.5, 1.2}, .material = 1},
                             {.shape = SHAPE_BOX, .from = {1.035, 0, 0}, .to = {1.5, 1.5, 1.2}, .material = 1}};
    setup(&f);
    f.room.objects = both;
    f.room.object_count = 2;
    f.source.position[0] = 1.032;
    f.receiver.position[0] = 1.9;
    struct model *m;
    struct error e;
    assert_int_equal(model_make(&m, &f.room, &e), -1);
    assert_non_null(strstr(e.message, "no air point of the grid around it"));
}

static void a_position_in_the_part_that_rounding_cuts_off_hears_the_outermost_point(void **state)
{
    (void)state;
    struct fixture f;
    setup(&f);
    struct grid g;
    struct error e;
    assert_int_equal(grid_make(&g, &f.room, &e), 0);
    f.room.size[0] = f.receiver.position[0] = 27.4999999 * g.spacing;
    struct model *m = make(&f);
    assert_non_null(m);
    assert_int_equal(m->grid.points[0], 27);
    assert_true(m->receivers[0].channel.count > 0);
    assert_true(fabs(m->receivers[0].position[0] - 26.5 * g.spacing) < 1e-9);
    model_free(m);
}

static void walls_absorb_what_their_material_does_in_every_simulated_octave(void **state)
{
    (void)state;
    struct fixture f;
    setup(&f);
    f.room.walls[0] = 0;
    struct model *m = make(&f); /* valid to 0.076 * 8000 = 608 Hz: bands 63, 125, 250, 500 */
    struct leapfrog_problem l;
    struct problem p;
    struct error e;
    assert_non_null(m);
    assert_int_equal(m->bands, 4);
    assert_int_equal(m->walls[0].branch_count, 5);
    for (size_t b = 0; b < OCTAVE_BANDS; b++) {
        assert_int_equal(b < 4, isfinite(m->walls[0].fitted[b]));
        assert_int_equal(b < 4, fabs(m->walls[0].fitted[b] - f.materials[0].absorption[b]) <= 0.02);
    }
    assert_int_equal(model_problem(&p, &l, m, 0, 1, &e), 0);
    assert_int_equal(l.branch_count[CELL_SOLID], 5);
    assert_ptr_equal(l.branches[CELL_SOLID], m->walls[0].branches);
    model_problem_free(&p);
    model_free(m);
}

static void absorption_alike_in_all_octaves_needs_no_branches(void **state)
{
    (void)state;
    struct fixture f;
    setup(&f);
    f.room.walls[0] = 0;
    for (size_t b = 0; b < 4; b++)
        f.materials[0].absorption[b] = 0.25; /* what it does beyond the valid band does not matter */
    struct model *m = make(&f);
    assert_non_null(m);
    assert_int_equal(m->walls[0].branch_count, 0);
    assert_true(fabs(m->walls[0].admittance - admittance_of_absorption(0.25)) < 1e-12);
    model_free(m);
}

static void absorption_that_no_wall_has_is_refused_by_the_name_of_the_material(void **state)
{
    (void)state;
    struct fixture f;
    struct error e;
    struct model *m;
    setup(&f);
    f.room.walls[0] = 0;
    f.materials[0].origin = (struct origin){"room.cfg", 7};
    const double jumps[] = {0.95, 0.0, 0.95, 0.0, 0.95, 0.0, 0.95, 0.0};
    memcpy(f.materials[0].absorption, jumps, sizeof jumps);
    assert_int_equal(model_make(&m, &f.room, &e), -1);
    assert_int_equal(e.code, ERROR_INPUT);
    assert_non_null(strstr(e.message, "room.cfg:7: material soft: absorption: in the octave of "));
}

static void more_absorption_than_there_can_be_is_warned_about_in_simulated_bands(void **state)
{
    (void)state;
    struct fixture f;
    setup(&f);
    f.room.walls[0] = 0;
    f.materials[0].origin = (struct origin){"materials.cfg", 5};
    f.materials[0].absorption[7] = 1.1; /* 8 kHz is not simulated here */
    struct model *m = make(&f);
    assert_non_null(m);
    assert_int_equal(m->warning_count, 0);
    model_free(m);
    f.materials[0].absorption[2] = 1.05;
    m = make(&f);
    assert_non_null(m);
    assert_true(m->warning_count >= 1);
    assert_non_null(strstr(m->warnings[0], "materials.cfg:5: soft absorbs 1.05 in the octave of 250 Hz"));
    assert_true(m->walls[0].target[2] == ABSORPTION_MAX); /* and clamped */
    model_free(m);
}

static void every_voxel_follows_the_rule_of_centres(void **state)
{
    (void)state;
    struct random r = random_cases(__func__);
    for (int i = 0; i < 20; i++) {
        struct fixture f;
        setup(&f);
        f.room.object_count = 1;
        f.object.material = 0;
        f.object.shape = i % 2 ? SHAPE_CYLINDER : SHAPE_BOX;
        f.object.radius = 0.1 + 0.3 * random_unit(&r);
        for (int axis = 0; axis < 3; axis++) {
            f.object.from[axis] = 0.6 * f.room.size[axis] * random_unit(&r);
            f.object.to[axis] = f.object.from[axis] + 0.05 + 0.3 * random_unit(&r);
        }
        struct grid g;
        struct voxels v;
        struct error e;
        assert_int_equal(grid_make(&g, &f.room, &e), 0);
        voxels_make(&v, &f.room, &g);
        const size_t *n = g.points;
        uint8_t *cells = malloc(n[0] * n[1] * n[2]);
        voxels_cells(&v, 0, n[2], cells);
        size_t solid = 0;
        for (size_t z = 0; z < n[2]; z++)
            for (size_t y = 0; y < n[1]; y++)
                for (size_t x = 0; x < n[0]; x++) {
                    const double at[3] = {(double)x + 0.5, (double)y + 0.5, (double)z + 0.5};
                    bool inside = true;
                    if (f.object.shape == SHAPE_BOX) {
                        for (int axis = 0; axis < 3; axis++)
                            inside = inside && at[axis] * g.spacing >= f.object.from[axis] &&
                                     at[axis] * g.spacing < f.object.to[axis];
                    } else {
                        double dot = 0, length = 0, square = 0;
                        for (int axis = 0; axis < 3; axis++) {
                            double d = f.object.to[axis] - f.object.from[axis],
                                   q = at[axis] * g.spacing - f.object.from[axis];
                            dot += d * q;
                            length += d * d;
                            square += q * q;
                        }
                        inside = dot >= 0 && dot < length &&
                                 square - dot * dot / length <= f.object.radius * f.object.radius;
                    }
                    uint8_t cell = cells[(z * n[1] + y) * n[0] + x];
                    assert_int_equal(cell, inside ? CELL_SOLID : CELL_AIR);
                    assert_int_equal(cell, voxels_cell(&v, x, y, z));
                    solid += inside;
                }
        assert_int_equal(voxels_object_visible(&v, 0), solid > 0);
        free(cells);
    }
}

static void weights_sum_to_one_and_centre_on_the_position(void **state)
{
    (void)state;
    struct random r = random_cases(__func__);
    for (int i = 0; i < 50; i++) {
        struct fixture f;
        setup(&f);
        for (int axis = 0; axis < 3; axis++)
            f.receiver.position[axis] = 0.1 + (f.room.size[axis] - 0.2) * random_unit(&r);
        struct model *m = make(&f);
        assert_non_null(m);
        double sum = 0.0;
        for (size_t k = 0; k < m->receivers[0].channel.count; k++)
            sum += m->receivers[0].channel.entries[k].weight;
        assert_true(fabs(sum - 1.0) < 1e-12);
        for (int axis = 0; axis < 3; axis++)
            assert_true(fabs(m->receivers[0].position[axis] - f.receiver.position[axis]) < 1e-9);
        model_free(m);
    }
}

static void source_on_a_point_drives_that_point_alone(void **state)
{
    (void)state;
    struct fixture f;
    setup(&f);
    struct grid g;
    struct error e;
    assert_int_equal(grid_make(&g, &f.room, &e), 0);
    for (int axis = 0; axis < 3; axis++)
        f.source.position[axis] = (7 + axis + 0.5) * g.spacing;
    struct model *m = make(&f);
    assert_non_null(m);
    assert_int_equal(m->sources[0].channel.count, 1);
    assert_int_equal(m->sources[0].channel.entries[0].point, (9 * g.points[1] + 8) * g.points[0] + 7);
    assert_int_equal(m->sources[0].channel.entries[0].level, 1);
    assert_true(fabs(m->sources[0].channel.entries[0].weight - g.courant_squared / g.spacing) < 1e-12);
    model_free(m);
}

static void positions_next_to_walls_use_only_air(void **state)
{
    (void)state;
    struct fixture f;
    setup(&f);
    f.receiver.position[0] = 0.0; /* on the wall itself */
    f.room.object_count = 1;
    f.object = (struct object){.shape = SHAPE_BOX, .from = {0.0, 1.0, 0.0}, .to = {0.5, 1.5, 1.2}, .material = 1};
    f.receiver.position[1] = 0.99;
    struct model *m = make(&f);
    assert_non_null(m);
    double sum = 0.0;
    for (size_t k = 0; k < m->receivers[0].channel.count; k++) {
        uint64_t point = m->receivers[0].channel.entries[k].point;
        size_t x = point % m->grid.points[0], y = point / m->grid.points[0] % m->grid.points[1];
        assert_int_equal(voxels_cell(&m->voxels, x, y, point / m->grid.points[0] / m->grid.points[1]), CELL_AIR);
        sum += m->receivers[0].channel.entries[k].weight;
    }
    assert_true(fabs(sum - 1.0) < 1e-12);
    model_free(m);
}

static void refuse(struct fixture *f, const char *fragment)
{
    struct model *m;
    struct error e = {0};
    assert_int_equal(model_make(&m, &f->room, &e), -1);
    assert_null(m);
    assert_int_equal(e.code, ERROR_INPUT);
    if (!strstr(e.message, fragment))
        print_error("\"%s\" lacks \"%s\"\n", e.message, fragment);
    assert_non_null(strstr(e.message, fragment));
}

static void positions_outside_the_air_are_refused_with_their_line(void **state)
{
    (void)state;
    struct fixture f;
    setup(&f);
    f.source.origin = (struct origin){"test.cfg", 12};
    f.source.position[2] = 1.4;
    refuse(&f, "test.cfg:12: source S");
    refuse(&f, "outside the room");
    setup(&f);
    f.receiver.position[0] = NAN;
    refuse(&f, "receiver R");
    setup(&f);
    f.room.object_count = 1;
    f.object = (struct object){.shape = SHAPE_BOX, .from = {1.2, 0.5, 0.0}, .to = {1.8, 1.2, 0.9}, .material = 1};
    refuse(&f, "inside room.objects[0]");
    setup(&f);
    f.room.walls[FACE_Z_MIN] = 2;
    f.receiver.position[2] = 0.01;
    refuse(&f, "held at p = 0");
}

static void an_object_thinner_than_the_grid_is_warned_about(void **state)
{
    (void)state;
    struct fixture f;
    setup(&f);
    f.room.object_count = 1;
    f.object = (struct object){.shape = SHAPE_BOX, .from = {1.0, 1.0, 0.1}, .to = {1.002, 1.2, 0.2}, .material = 1};
    struct model *m = make(&f);
    assert_non_null(m);
    assert_int_equal(m->warning_count, 1);
    assert_non_null(strstr(m->warnings[0], "covers no grid point"));
    model_free(m);
}

static void an_absorbing_cylinder_warns_of_its_staircase(void **state)
{
    (void)state;
    struct fixture f;
    setup(&f);
    f.room.object_count = 1;
    f.object = (struct object){.shape = SHAPE_CYLINDER, .from = {1.0, 1.2, 0.0}, .to = {1.0, 1.2, 1.2}, .radius = 0.15};
    struct model *m = make(&f);
    assert_non_null(m);
    assert_int_equal(m->warning_count, 1);
    assert_non_null(strstr(m->warnings[0], "27 %"));
    model_free(m);
}

static void the_air_absorbs_by_a_filter_in_impulse_responses_and_in_the_scheme_otherwise(void **state)
{
    (void)state;
    static const char filtered[] = "air: 20 °C, 50 %, 101.325 kPa: ISO 9613-1 absorption is applied to impulse "
                                   "responses as a filter";
    struct fixture f;
    for (int i = 0; i < 4; i++) {
        setup(&f);
        struct source both[2] = {f.source, f.source};
        f.room.air.humidity = 50.0;
        f.room.air.pressure = 101.325;
        f.room.air.losses = i > 0;
        both[0].signal = i == 2 ? SIGNAL_GAUSSIAN : SIGNAL_SWEEP;
        f.room.sources = both;
        f.room.source_count = i == 3 ? 2 : 1;
        struct model *m = make(&f);
        assert_non_null(m);
        char *note = model_air_note(m, air_method(&f.room, 0, 1));
        static const char *const said[] = {"air: lossless", filtered,
                                           "air: the scheme itself absorbs, by τ = ", filtered};
        assert_non_null(note);
        assert_int_equal(strncmp(note, said[i], strlen(said[i])), 0);
        free(note);
        struct leapfrog_problem of_one, of_all;
        struct problem one, together;
        struct error e;
        assert_int_equal(model_problem(&one, &of_one, m, 0, 1, &e), 0);
        assert_int_equal(model_problem(&together, &of_all, m, 0, f.room.source_count, &e), 0);
        assert_int_equal(of_one.viscosity > 0.0, i == 2);
        assert_int_equal(of_all.viscosity > 0.0, i == 2 || i == 3);
        model_problem_free(&one);
        model_problem_free(&together);
        model_free(m);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(spacing_follows_from_rate_and_sound_speed),
        cmocka_unit_test(highest_frequency_sets_the_spacing),
        cmocka_unit_test(webb_room_has_exactly_his_points),
        cmocka_unit_test(absorption_inverts_as_tabulated),
        cmocka_unit_test(each_wall_has_its_own_material),
        cmocka_unit_test(a_gap_that_the_grid_does_not_resolve_is_refused),
        cmocka_unit_test(a_position_in_the_part_that_rounding_cuts_off_hears_the_outermost_point),
        cmocka_unit_test(walls_absorb_what_their_material_does_in_every_simulated_octave),
        cmocka_unit_test(absorption_alike_in_all_octaves_needs_no_branches),
        cmocka_unit_test(absorption_that_no_wall_has_is_refused_by_the_name_of_the_material),
        cmocka_unit_test(more_absorption_than_there_can_be_is_warned_about_in_simulated_bands),
        cmocka_unit_test(every_voxel_follows_the_rule_of_centres),
        cmocka_unit_test(weights_sum_to_one_and_centre_on_the_position),
        cmocka_unit_test(source_on_a_point_drives_that_point_alone),
        cmocka_unit_test(positions_next_to_walls_use_only_air),
        cmocka_unit_test(positions_outside_the_air_are_refused_with_their_line),
        cmocka_unit_test(an_object_thinner_than_the_grid_is_warned_about),
        cmocka_unit_test(an_absorbing_cylinder_warns_of_its_staircase),
        cmocka_unit_test(the_air_absorbs_by_a_filter_in_impulse_responses_and_in_the_scheme_otherwise),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
