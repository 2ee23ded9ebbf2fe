/* SPDX-License-Identifier: MIT */
/* Rooms on their grid: spacing, walls and air. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "room/grid/absorption.h"
#include "room/grid/model.h"
#include "solver/scheme.h"
#include "solver/schemes/isotropic19/isotropic19.h"
#include "support/small_room.h"

#include <cmocka.h>

static void spacing_follows_from_rate_and_sound_speed(void **state)
{
    (void)state;
    struct small_room f;
    small_room_set_up(&f);
    struct model *m = small_room_model(&f);
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
    struct small_room f;
    small_room_set_up(&f);
    f.room.grid.scheme = GRID_SCHEME_7_POINT;
    f.room.grid.rate = 0.0;
    f.room.grid.max_frequency = 500.0;
    f.room.grid.points_per_wavelength = 12.0;
    struct model *m = small_room_model(&f);
    assert_non_null(m);
    assert_true(fabs(m->grid.spacing - 343.2 / (500.0 * 12.0)) < 1e-12);
    model_free(m);
}

static void webb_room_has_exactly_his_points(void **state)
{
    (void)state;
    struct small_room f;
    small_room_set_up(&f);
    f.room.sized_by_points = true;
    f.room.points[0] = 256;
    f.room.points[1] = 296;
    f.room.points[2] = 212;
    f.room.grid.rate = 44100.0;
    for (int wall = 0; wall < FACES; wall++)
        f.room.walls[wall] = 2;
    struct model *m = small_room_model(&f);
    assert_non_null(m);
    assert_true(grid_points(&m->grid) == 16064512);
    assert_int_equal(voxel_set_count(m->voxels.set, 2), 212); /* the held layers are counted in */
    assert_int_equal(voxel_set_air(m->voxels.set), 254 * 294 * 210);
    assert_false(voxel_set_is_air(m->voxels.set, 5, 5, 0));
    assert_int_equal(voxel_set_face(m->voxels.set, 1, 1, 1, FACE_Z_MIN)->code, CELL_FIXED);
    model_free(m);
}

static bool is_noted(const struct model *m, const char *words)
{
    for (size_t i = 0; i < m->note_count; i++)
        if (strstr(m->notes[i], words))
            return true;
    return false;
}

/* The 19-point scheme on the same room, with a fixed wall: its points are held, and no layer of voxels is. */
static void a_band_is_stepped_by_the_19_point_scheme(void **state)
{
    (void)state;
    struct small_room f;
    small_room_set_up(&f);
    f.room.grid.rate = 0.0;
    f.room.grid.max_frequency = 900.0;
    f.room.walls[FACE_X_MIN] = 2;
    struct model *m = small_room_model(&f);
    struct leapfrog_problem l;
    struct problem p;
    struct error e;
    assert_non_null(m);
    assert_int_equal(model_problem(&p, &l, m, 0, 1, &e), 0);
    assert_string_equal(p.scheme->name, "isotropic19");
    assert_int_equal(l.stencil, STENCIL_19_POINT);
    assert_true(l.courant_squared == ISOTROPIC19_COURANT_SQUARED && l.viscosity == 0.0);
    const size_t nx = m->grid.voxels[0];
    assert_int_equal(voxel_set_face(l.voxels, 0, 1, 2, FACE_X_MIN)->code, CELL_FIXED);
    assert_int_equal(voxel_set_face(l.voxels, nx - 1, 1, 2, FACE_X_MAX)->code, CELL_SOLID + 1);
    assert_int_equal(p.points[0], nx + 1);
    assert_int_equal(voxel_set_air(l.voxels), (uint64_t)nx * m->grid.voxels[1] * m->grid.voxels[2]);
    assert_true(fabs(m->space.volume - m->grid.size[0] * m->grid.size[1] * m->grid.size[2]) < 1e-9);
    assert_true(is_noted(m, "19-point scheme with frequency mapping; at 900 Hz (4."));
    model_problem_free(&p);
    model_free(m);
}

static void cells_that_are_closed_are_counted_in_a_note(void **state)
{
    (void)state;
    struct small_room f;
    struct object both[2];
    small_room_set_up(&f);
    f.room.objects = both;
    f.room.object_count = 2;
    f.room.grid.scheme = GRID_SCHEME_19_POINT;
    both[0] = (struct object){.shape = SHAPE_BOX, .from = {-1.0, -1.0, 0.9}, .to = {1.5, 1.2, 2.0}, .material = 1};
    both[1] = (struct object){.shape = SHAPE_BOX, .from = {1.5, 1.2, 0.9}, .to = {3.0, 3.0, 2.0}, .material = 1};
    struct model *m = small_room_model(&f);
    assert_non_null(m);
    assert_true(m->voxels.report.closed_voxels > 0);
    assert_true(is_noted(m, " of air that touched others only along an edge or at a corner are made solid"));
    model_free(m);
    f.room.grid.scheme = GRID_SCHEME_AUTO; /* by its rate: 7-point */
    m = small_room_model(&f);
    assert_non_null(m);
    assert_true(m->voxels.report.closed_voxels == 0);
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
    struct small_room f;
    small_room_set_up(&f);
    struct material six[FACES];
    for (int wall = 0; wall < FACES; wall++) {
        six[wall] = (struct material){.name = "m", .kind = MATERIAL_IMPEDANCE, .impedance = 2.0 + wall};
        f.room.walls[wall] = (size_t)wall;
    }
    f.room.materials = six;
    f.room.material_count = FACES;
    struct model *m = small_room_model(&f);
    struct leapfrog_problem l;
    struct problem p;
    struct error e;
    assert_non_null(m);
    assert_int_equal(model_problem(&p, &l, m, 0, 1, &e), 0);
    for (int wall = 0; wall < FACES; wall++) {
        size_t at[3] = {2, 2, 2};
        at[wall / 2] = wall % 2 ? m->grid.voxels[wall / 2] - 1 : 0;
        assert_true(l.admittance[voxel_set_face(l.voxels, at[0], at[1], at[2], wall)->code] == 1.0 / (2.0 + wall));
    }
    model_problem_free(&p);
    model_free(m);
}

static void walls_absorb_what_their_material_does_in_every_simulated_octave(void **state)
{
    (void)state;
    struct small_room f;
    small_room_set_up(&f);
    f.room.walls[0] = 0;
    struct model *m = small_room_model(&f); /* valid to 0.076 * 8000 = 608 Hz: bands 63, 125, 250, 500 */
    struct leapfrog_problem l;
    struct problem p;
    struct error e;
    assert_non_null(m);
    assert_int_equal(m->bands, 4);
    assert_in_range(m->walls[0].branch_count, 4, 6);
    for (size_t b = 0; b < OCTAVE_BANDS; b++)
        assert_true(fabs(m->walls[0].fitted[b] - f.materials[0].absorption[b]) <= 0.02);
    assert_int_equal(model_problem(&p, &l, m, 0, 1, &e), 0);
    assert_int_equal(l.branch_count[CELL_SOLID], m->walls[0].branch_count);
    assert_ptr_equal(l.branches[CELL_SOLID], m->walls[0].branches);
    model_problem_free(&p);
    model_free(m);
}

static void absorption_alike_in_all_octaves_needs_no_branches(void **state)
{
    (void)state;
    struct small_room f;
    small_room_set_up(&f);
    f.room.walls[0] = 0;
    for (size_t b = 0; b < OCTAVE_BANDS; b++)
        f.materials[0].absorption[b] = 0.25;
    struct model *m = small_room_model(&f);
    assert_non_null(m);
    assert_int_equal(m->walls[0].branch_count, 0);
    assert_true(fabs(m->walls[0].admittance - admittance_of_absorption(0.25)) < 1e-12);
    model_free(m);
}

static void absorption_that_no_wall_has_is_refused_by_the_name_of_the_material(void **state)
{
    (void)state;
    struct small_room f;
    struct error e;
    struct model *m;
    small_room_set_up(&f);
    f.room.walls[0] = 0;
    f.materials[0].origin = (struct origin){"room.cfg", 7};
    const double jumps[] = {0.95, 0.0, 0.95, 0.0, 0.95, 0.0, 0.95, 0.0};
    memcpy(f.materials[0].absorption, jumps, sizeof jumps);
    assert_int_equal(model_make(&m, &f.room, &e), -1);
    assert_int_equal(e.code, ERROR_INPUT);
    assert_non_null(strstr(e.message, "room.cfg:7: material soft: absorption: in the "));
}

static void more_absorption_than_there_can_be_is_warned_about_in_simulated_bands(void **state)
{
    (void)state;
    struct small_room f;
    small_room_set_up(&f);
    f.room.walls[0] = 0;
    f.materials[0].origin = (struct origin){"materials.cfg", 5};
    f.materials[0].absorption[7] = 1.1; /* 8 kHz is not simulated here */
    struct model *m = small_room_model(&f);
    assert_non_null(m);
    assert_int_equal(m->warning_count, 0);
    model_free(m);
    f.materials[0].absorption[2] = 1.05;
    m = small_room_model(&f);
    assert_non_null(m);
    assert_true(m->warning_count >= 1);
    assert_non_null(strstr(m->warnings[0], "materials.cfg:5: soft absorbs 1.05 in the 250 Hz octave"));
    assert_true(m->walls[0].target[2] == ABSORPTION_MAX); /* and clamped */
    model_free(m);
}

static void a_table_that_absorbs_more_than_a_locally_reacting_wall_is_a_note(void **state)
{
    (void)state;
    struct small_room f;
    small_room_set_up(&f);
    f.room.walls[0] = 0;
    f.materials[0].origin = (struct origin){"materials.cfg", 5};
    for (int b = 0; b < 8; b++)
        f.materials[0].absorption[b] = b == 3 ? 1.0 : 0.9;
    struct model *m = small_room_model(&f);
    assert_non_null(m);
    for (size_t i = 0; i < m->warning_count; i++)
        assert_null(strstr(m->warnings[i], "a locally reacting wall absorbs at most"));
    assert_true(is_noted(m, "materials.cfg:5: soft absorbs 1 in the 500 Hz octave"));
    model_free(m);
}

static void the_air_absorbs_by_a_filter_in_impulse_responses_and_in_the_scheme_otherwise(void **state)
{
    (void)state;
    static const char filtered[] = "air: 20 °C, 50 %, 101.325 kPa; ISO 9613-1 absorption is applied to impulse "
                                   "responses as a time-varying filter";
    struct small_room f;
    for (int i = 0; i < 4; i++) {
        small_room_set_up(&f);
        struct source both[2] = {f.source, f.source};
        f.room.air.humidity = 50.0;
        f.room.air.pressure = 101.325;
        f.room.air.losses = i > 0;
        both[0].signal = i == 2 ? SIGNAL_GAUSSIAN : SIGNAL_SWEEP;
        f.room.sources = both;
        f.room.source_count = i == 3 ? 2 : 1;
        struct model *m = small_room_model(&f);
        assert_non_null(m);
        char *note = model_air_note(m, air_method(&f.room, 0, 1));
        static const char *const said[] = {"air: lossless", filtered,
                                           "air: the scheme includes absorption with τ = ", filtered};
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
        cmocka_unit_test(a_band_is_stepped_by_the_19_point_scheme),
        cmocka_unit_test(cells_that_are_closed_are_counted_in_a_note),
        cmocka_unit_test(absorption_inverts_as_tabulated),
        cmocka_unit_test(each_wall_has_its_own_material),
        cmocka_unit_test(walls_absorb_what_their_material_does_in_every_simulated_octave),
        cmocka_unit_test(absorption_alike_in_all_octaves_needs_no_branches),
        cmocka_unit_test(absorption_that_no_wall_has_is_refused_by_the_name_of_the_material),
        cmocka_unit_test(more_absorption_than_there_can_be_is_warned_about_in_simulated_bands),
        cmocka_unit_test(a_table_that_absorbs_more_than_a_locally_reacting_wall_is_a_note),
        cmocka_unit_test(the_air_absorbs_by_a_filter_in_impulse_responses_and_in_the_scheme_otherwise),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
