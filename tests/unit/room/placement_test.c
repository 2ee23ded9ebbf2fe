/* SPDX-License-Identifier: MIT */
/* Placement on the grid: voxels of objects, sources and receivers. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "room/grid/model.h"
#include "support/random_cases.h"
#include "support/small_room.h"

#include <cmocka.h>

static void a_gap_that_the_grid_does_not_resolve_is_refused(void **state)
{
    (void)state;
    struct small_room f;
    struct object both[2] = {{.shape = SHAPE_BOX, .from = {0, 0, 0}, .to = {1.03, 1.5, 1.2}, .material = 1},
                             {.shape = SHAPE_BOX, .from = {1.035, 0, 0}, .to = {1.5, 1.5, 1.2}, .material = 1}};
    small_room_set_up(&f);
    f.room.objects = both;
    f.room.object_count = 2;
    f.source.position[0] = 1.032;
    f.receiver.position[0] = 1.9;
    struct model *m;
    struct error e;
    assert_int_equal(model_make(&m, &f.room, &e), -1);
    assert_non_null(strstr(e.message, "no voxel of air around it"));
}

static void a_position_in_the_part_that_rounding_cuts_off_hears_the_outermost_point(void **state)
{
    (void)state;
    struct small_room f;
    small_room_set_up(&f);
    struct grid g;
    struct error e;
    assert_int_equal(grid_make(&g, &f.room, &e), 0);
    f.room.size[0] = f.receiver.position[0] = 27.4999999 * g.spacing;
    struct model *m = small_room_model(&f);
    assert_non_null(m);
    assert_int_equal(m->grid.points[0], 27);
    assert_true(m->receivers[0].channel.count > 0);
    assert_true(fabs(m->receivers[0].position[0] - 26.5 * g.spacing) < 1e-9);
    model_free(m);
}

/* Of objects thicker than a spacing, which is 0.074 m. */
static void every_voxel_follows_the_rule_of_centres(void **state)
{
    (void)state;
    struct random r = random_cases(__func__);
    for (int i = 0; i < 20; i++) {
        struct small_room f;
        small_room_set_up(&f);
        f.room.object_count = 1;
        f.object.material = 0;
        f.object.shape = i % 2 ? SHAPE_CYLINDER : SHAPE_BOX;
        f.object.radius = 0.1 + 0.15 * random_unit(&r);
        for (int axis = 0; axis < 3; axis++) {
            const bool is_box = f.object.shape == SHAPE_BOX; /* the other one with air around it */
            const double at = is_box ? 0.6 * random_unit(&r) : 0.35 + 0.15 * random_unit(&r);
            f.object.from[axis] = f.room.size[axis] * at;
            f.object.to[axis] = f.object.from[axis] + 0.08 + (is_box ? 0.3 : 0.1) * random_unit(&r);
        }
        struct grid g;
        struct room_voxels v;
        struct error e;
        assert_int_equal(grid_make(&g, &f.room, &e), 0);
        f.room.source_count = f.room.receiver_count = 0;
        if (room_voxels_make(&v, &g, &f.room, &e))
            fail_msg("%s", e.message);
        const size_t *n = g.points;
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
                    assert_int_equal(voxel_set_is_air(v.set, x, y, z), !inside);
                    solid += inside;
                }
        assert_int_equal(voxel_set_air(v.set), n[0] * n[1] * n[2] - solid);
        room_voxels_free(&v);
    }
}

static void weights_sum_to_one_and_centre_on_the_position(void **state)
{
    (void)state;
    struct random r = random_cases(__func__);
    for (int i = 0; i < 50; i++) {
        struct small_room f;
        small_room_set_up(&f);
        for (int axis = 0; axis < 3; axis++)
            f.receiver.position[axis] = 0.1 + (f.room.size[axis] - 0.2) * random_unit(&r);
        struct model *m = small_room_model(&f);
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

/* The wavenumber, radians a cell, of a plane wave of the 7-point scheme: sin²(ωk/2) = λ² Σ sin²(κ d_i/2), by
 * bisection. */
static double wavenumber_of(const struct grid *g, double frequency, const double d[3])
{
    const double wanted = pow(sin(M_PI * frequency / g->rate), 2.0) / g->courant_squared;
    double low = 0.0, high = 2.0;
    for (int i = 0; i < 60; i++) {
        const double k = 0.5 * (low + high);
        const double sum =
            pow(sin(0.5 * k * d[0]), 2.0) + pow(sin(0.5 * k * d[1]), 2.0) + pow(sin(0.5 * k * d[2]), 2.0);
        *(sum < wanted ? &low : &high) = k;
    }
    return 0.5 * (low + high);
}

/* Worst level over frequencies up to the edge, dB, of a plane wave from d as the model's receiver hears it;
 * interpolation between the eight points around it, in cells from the lowest of them, for comparison. */
static void levels_of(double *heard, double *interpolated, const struct model *m, const double d[3])
{
    const struct grid *g = &m->grid;
    const struct placed *r = &m->receivers[0];
    for (int step = 1; step <= 8; step++) {
        const double k = wavenumber_of(g, g->valid_frequency * step / 8.0, d);
        double re = 0.0, im = 0.0, between = 1.0;
        for (size_t q = 0; q < r->channel.count; q++) {
            const struct channel_entry *entry = &r->channel.entries[q];
            const size_t n[3] = {entry->point % g->points[0], entry->point / g->points[0] % g->points[1],
                                 entry->point / g->points[0] / g->points[1]};
            double phase = 0.0;
            for (int axis = 0; axis < 3; axis++)
                phase += k * d[axis] * ((double)n[axis] + 0.5 - r->position[axis] / g->spacing);
            re += entry->weight * cos(phase);
            im += entry->weight * sin(phase);
        }
        for (int axis = 0; axis < 3; axis++) {
            const double x = r->position[axis] / g->spacing + 0.5, t = x - floor(x), a = k * d[axis];
            between *= hypot(1.0 - t + t * cos(a), t * sin(a));
        }
        *heard = fmax(*heard, fabs(20.0 * log10(hypot(re, im))));
        *interpolated = fmax(*interpolated, fabs(20.0 * log10(between)));
    }
}

static void an_omni_receiver_between_points_has_the_level_of_a_plane_wave_to_the_valid_edge(void **state)
{
    (void)state;
    struct random r = random_cases(__func__);
    double heard = 0.0, interpolated = 0.0;
    for (int i = 0; i < 20; i++) {
        struct small_room f;
        small_room_set_up(&f);
        for (int axis = 0; axis < 3;
             axis++) /* 4 cells and more from walls; the first in the middle of a voxel's corners */
            f.receiver.position[axis] =
                i ? 0.3 + (f.room.size[axis] - 0.6) * random_unit(&r) : 8.0 * 343.2 / 8000.0 * sqrt(3.0);
        struct model *m = small_room_model(&f);
        assert_non_null(m);
        for (int k = 0; k < 30; k++) {
            double d[3], length = 0.0;
            for (int axis = 0; axis < 3; axis++)
                d[axis] = 2.0 * random_unit(&r) - 1.0, length += d[axis] * d[axis];
            for (int axis = 0; axis < 3; axis++)
                d[axis] /= sqrt(length);
            levels_of(&heard, &interpolated, m, d);
        }
        model_free(m);
    }
    print_message("worst level: %.4f dB; between the eight points around it %.2f dB\n", heard, interpolated);
    assert_true(heard <= 0.06);
    assert_true(interpolated >= 0.4);
}

static void source_on_a_point_drives_that_point_alone(void **state)
{
    (void)state;
    struct small_room f;
    small_room_set_up(&f);
    struct grid g;
    struct error e;
    assert_int_equal(grid_make(&g, &f.room, &e), 0);
    for (int axis = 0; axis < 3; axis++)
        f.source.position[axis] = (7 + axis + 0.5) * g.spacing;
    struct model *m = small_room_model(&f);
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
    struct small_room f;
    small_room_set_up(&f);
    f.receiver.position[0] = 0.0; /* on the wall itself */
    f.room.object_count = 1;
    f.object = (struct object){.shape = SHAPE_BOX, .from = {0.0, 1.0, 0.0}, .to = {0.5, 1.5, 1.2}, .material = 1};
    f.receiver.position[1] = 0.99;
    struct model *m = small_room_model(&f);
    assert_non_null(m);
    double sum = 0.0;
    for (size_t k = 0; k < m->receivers[0].channel.count; k++) {
        uint64_t point = m->receivers[0].channel.entries[k].point;
        size_t x = point % m->grid.points[0], y = point / m->grid.points[0] % m->grid.points[1];
        assert_true(voxel_set_is_air(m->voxels.set, x, y, point / m->grid.points[0] / m->grid.points[1]));
        sum += m->receivers[0].channel.entries[k].weight;
    }
    assert_true(fabs(sum - 1.0) < 1e-12);
    model_free(m);
}

static void refuse(struct small_room *f, const char *fragment)
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
    struct small_room f;
    small_room_set_up(&f);
    f.source.origin = (struct origin){"test.cfg", 12};
    f.source.position[2] = 1.4;
    refuse(&f, "test.cfg:12: source S");
    refuse(&f, "outside the room");
    small_room_set_up(&f);
    f.receiver.position[0] = NAN;
    refuse(&f, "receiver R");
    small_room_set_up(&f);
    f.room.object_count = 1;
    f.object = (struct object){.shape = SHAPE_BOX, .from = {1.2, 0.5, 0.0}, .to = {1.8, 1.2, 0.9}, .material = 1};
    refuse(&f, "inside room.objects[0]");
    small_room_set_up(&f);
    f.room.walls[FACE_Z_MIN] = 2;
    f.receiver.position[2] = 0.01;
    refuse(&f, "a layer with p = 0");
}

/* A rod between the centres, which no line between two meets; when it is a plate, lines do. */
static void an_object_that_no_line_of_the_grid_meets_is_warned_about(void **state)
{
    (void)state;
    struct small_room f;
    small_room_set_up(&f);
    struct grid g;
    assert_int_equal(grid_make(&g, &f.room, &(struct error){.code = 0}), 0);
    f.room.object_count = 1;
    f.object = (struct object){.shape = SHAPE_BOX, .to = {0.0, 1.2, 0.9}, .material = 1};
    for (int plate = 0; plate < 2; plate++) {
        f.object.from[0] = 10.7 * g.spacing;
        f.object.to[0] = 10.8 * g.spacing;
        f.object.from[2] = 5.7 * g.spacing;
        f.object.to[2] = (plate ? 7.8 : 5.8) * g.spacing;
        struct model *m = small_room_model(&f);
        assert_non_null(m);
        assert_int_equal(m->warning_count, plate ? 0 : 1);
        assert_true(plate || strstr(m->warnings[0], "falls between the grid points"));
        assert_int_equal(m->voxels.report.sheet_voxels > 0, plate);
        model_free(m);
    }
}

static void a_turned_box_thinner_than_the_grid_needs_no_warning(void **state)
{
    (void)state;
    struct small_room f;
    small_room_set_up(&f);
    f.room.object_count = 1;
    f.object = (struct object){.shape = SHAPE_BOX,
                               .from = {0.9, 0.4, 0.1},
                               .to = {0.905, 1.2, 0.9},
                               .rotation = {20.0, 0.0, 0.0},
                               .material = 1};
    struct model *m = small_room_model(&f);
    assert_non_null(m);
    assert_int_equal(m->warning_count, 0);
    assert_true(m->voxels.report.sheet_voxels > 0);
    model_free(m);
}

static void an_absorbing_cylinder_needs_no_warning(void **state)
{
    (void)state;
    struct small_room f;
    small_room_set_up(&f);
    f.room.object_count = 1;
    f.object = (struct object){.shape = SHAPE_CYLINDER, .from = {1.0, 1.2, 0.0}, .to = {1.0, 1.2, 1.2}, .radius = 0.15};
    struct model *m = small_room_model(&f);
    assert_non_null(m);
    assert_int_equal(m->warning_count, 0);
    model_free(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_gap_that_the_grid_does_not_resolve_is_refused),
        cmocka_unit_test(a_position_in_the_part_that_rounding_cuts_off_hears_the_outermost_point),
        cmocka_unit_test(every_voxel_follows_the_rule_of_centres),
        cmocka_unit_test(weights_sum_to_one_and_centre_on_the_position),
        cmocka_unit_test(an_omni_receiver_between_points_has_the_level_of_a_plane_wave_to_the_valid_edge),
        cmocka_unit_test(source_on_a_point_drives_that_point_alone),
        cmocka_unit_test(positions_next_to_walls_use_only_air),
        cmocka_unit_test(positions_outside_the_air_are_refused_with_their_line),
        cmocka_unit_test(an_object_that_no_line_of_the_grid_meets_is_warned_about),
        cmocka_unit_test(a_turned_box_thinner_than_the_grid_needs_no_warning),
        cmocka_unit_test(an_absorbing_cylinder_needs_no_warning),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
