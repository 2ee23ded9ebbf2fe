/* SPDX-License-Identifier: MIT */
/* Placement of sources and receivers on the 19-point grid, whose points are the corners of voxels. */
#include "base/text.h" /* before cmocka, which defines a macro `fail` */
#include "room/grid/placement.h"
#include "room/grid/point_stencil.h"
#include "solver/schemes/isotropic19/isotropic19.h"
#include "support/random_cases.h"
#include "support/small_room.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const double spacing = 0.1;
static const double strength = ISOTROPIC19_COURANT_SQUARED / 0.1;

/* A room of whole voxels, with room for two objects. */
struct fixture {
    struct small_room small;
    struct object objects[2];
    struct model model;
};

/* Walls are rigid; material 2 is fixed. */
static void set_up(struct fixture *f, size_t nx, size_t ny, size_t nz)
{
    small_room_set_up(&f->small);
    f->small.room.objects = f->objects;
    memset(f->objects, 0, sizeof f->objects);
    f->model = (struct model){.room = &f->small.room};
    f->model.grid = (struct grid){.stencil = STENCIL_19_POINT,
                                  .voxels = {nx, ny, nz},
                                  .points = {nx + 1, ny + 1, nz + 1},
                                  .spacing = spacing,
                                  .courant_squared = ISOTROPIC19_COURANT_SQUARED};
    for (int axis = 0; axis < 3; axis++)
        f->model.grid.size[axis] = (double)f->model.grid.voxels[axis] * spacing;
}

/* In cells. */
static void add_box(struct fixture *f, size_t material, const double from[3], const double to[3])
{
    struct object *o = &f->objects[f->small.room.object_count++];
    *o = (struct object){.shape = SHAPE_BOX, .material = material};
    for (int axis = 0; axis < 3; axis++) {
        o->from[axis] = from[axis] * spacing;
        o->to[axis] = to[axis] * spacing;
    }
}

/* The voxels of the room as it is now, all air of it. */
static void make_voxels(struct fixture *f)
{
    const size_t sources = f->small.room.source_count, receivers = f->small.room.receiver_count;
    struct error e;
    room_voxels_free(&f->model.voxels);
    f->small.room.source_count = f->small.room.receiver_count = 0;
    if (room_voxels_make(&f->model.voxels, &f->model.grid, &f->small.room, &e))
        fail_msg("%s", e.message);
    f->small.room.source_count = sources;
    f->small.room.receiver_count = receivers;
}

static int place(struct fixture *f, struct placed *placed, const double cells[3], bool source, struct error *e)
{
    static const struct origin nowhere = {0};
    double position[3];
    make_voxels(f);
    for (int axis = 0; axis < 3; axis++)
        position[axis] = cells[axis] * spacing;
    const struct placement p = {source ? "source" : "receiver", "P",   &nowhere, position, NULL,
                                source ? strength : 1.0,        source};
    const int status = placement_make(placed, &f->model, &p, e);
    room_voxels_free(&f->model.voxels);
    return status;
}

static void free_placed(struct placed *placed)
{
    free(placed->channel.entries);
}

static void free_notes(struct fixture *f)
{
    lines_free(f->model.notes, f->model.note_count);
}

static void point_of(const struct fixture *f, const struct channel_entry *entry, long point[3])
{
    const size_t *n = f->model.grid.points;
    point[0] = (long)(entry->point % n[0]);
    point[1] = (long)(entry->point / n[0] % n[1]);
    point[2] = (long)(entry->point / n[0] / n[1]);
}

/* One factor of a standing wave, at x cells: cos or sin(wavenumber (x - origin)). */
struct standing {
    bool sine;
    double wavenumber, origin;
};

static double standing_at(const struct standing s[3], const double x[3])
{
    double product = 1.0;
    for (int axis = 0; axis < 3; axis++) {
        const double phase = s[axis].wavenumber * (x[axis] - s[axis].origin);
        product *= s[axis].sine ? sin(phase) : cos(phase);
    }
    return product;
}

static double received(const struct fixture *f, const struct placed *placed, const struct standing s[3])
{
    double sum = 0.0;
    for (size_t i = 0; i < placed->channel.count; i++) {
        long point[3];
        point_of(f, &placed->channel.entries[i], point);
        sum += placed->channel.entries[i].weight *
               standing_at(s, (double[3]){(double)point[0], (double)point[1], (double)point[2]});
    }
    return sum;
}

/* The error at 5 points a wavelength, 0.08 dB and 0.15°. */
static const double accuracy = 0.012;

/* A plane wave and its images in the rigid walls that the position is near to. */
static void a_stencil_folded_at_rigid_walls_is_accurate_at_any_distance(void **state)
{
    (void)state;
    struct random r = random_cases(__func__);
    struct fixture f;
    set_up(&f, 30, 30, 30);
    for (int i = 0; i < case_count(30); i++) {
        struct standing s[3];
        struct placed placed;
        struct error e;
        double cells[3], d[3], square = 0.0;
        for (int axis = 0; axis < 3; axis++) {
            const bool upper = random_between(&r, 0, 1);
            const double distance = random_between(&r, 0, 4) ? random_uniform(&r, 0.0, 4.0) : 0.0;
            cells[axis] = upper ? 30.0 - distance : distance;
            s[axis] = (struct standing){.origin = upper ? 30.0 : 0.0};
            d[axis] = random_normal(&r);
            square += d[axis] * d[axis];
        }
        for (int axis = 0; axis < 3; axis++)
            d[axis] /= sqrt(square);
        const double kappa = isotropic19_wavenumber_along(random_uniform(&r, 0.002, 0.2096), d);
        for (int axis = 0; axis < 3; axis++)
            s[axis].wavenumber = kappa * d[axis];
        assert_int_equal(place(&f, &placed, cells, false, &e), 0);
        assert_true(fabs(received(&f, &placed, s) - standing_at(s, cells)) <= accuracy);
        free_placed(&placed);
    }
    assert_int_equal(f.model.note_count, 0);
}

/* A mode along an axis of n cells between walls of which some are fixed. */
static struct standing mode(struct random *r, double n, bool low_fixed, bool high_fixed)
{
    const double order = (double)random_between(r, low_fixed && high_fixed, 3);
    return (struct standing){.sine = low_fixed,
                             .wavenumber = M_PI * (order + (low_fixed == high_fixed ? 0.0 : 0.5)) / n};
}

/* The grid follows its modes up to 4 points a wavelength. */
static bool is_in_band(const struct standing s[3])
{
    double kappa = 0.0, d[3];
    for (int axis = 0; axis < 3; axis++)
        kappa += s[axis].wavenumber * s[axis].wavenumber;
    kappa = sqrt(kappa);
    for (int axis = 0; axis < 3; axis++)
        d[axis] = kappa > 0.0 ? s[axis].wavenumber / kappa : 0.0;
    const double edge = sin(M_PI * 0.2096);
    return kappa <= 0.5 * M_PI && isotropic19_sine_squared(kappa, d) <= edge * edge;
}

static void rooms_smaller_than_the_stencil_and_fixed_walls_keep_their_modes(void **state)
{
    (void)state;
    struct random r = random_cases(__func__);
    for (int done = 0; done < case_count(60);) {
        struct fixture f;
        struct standing s[3];
        struct placed placed;
        struct error e;
        double cells[3];
        size_t n[3];
        for (int axis = 0; axis < 3; axis++)
            n[axis] = random_between(&r, 1, 9);
        set_up(&f, n[0], n[1], n[2]);
        for (int wall = 0; wall < FACES; wall++)
            f.small.room.walls[wall] = random_between(&r, 0, 2) ? 1 : 2;
        for (int axis = 0; axis < 3; axis++) {
            cells[axis] = random_unit(&r) * (double)n[axis];
            s[axis] =
                mode(&r, (double)n[axis], f.small.room.walls[2 * axis] == 2, f.small.room.walls[2 * axis + 1] == 2);
        }
        if (!is_in_band(s))
            continue;
        done++;
        assert_int_equal(place(&f, &placed, cells, false, &e), 0);
        assert_true(fabs(received(&f, &placed, s) - standing_at(s, cells)) <= accuracy);
        free_placed(&placed);
    }
}

/* The share of air at a point, counted on a map with a margin. 0: held at p = 0. */
static double counted_share(const struct fixture *f, const long point[3])
{
    int air = 0;
    for (long z = point[2] - 1; z <= point[2]; z++)
        for (long y = point[1] - 1; y <= point[1]; y++)
            for (long x = point[0] - 1; x <= point[0]; x++) {
                const size_t *n = f->model.grid.voxels;
                if (x < 0 || y < 0 || z < 0 || x >= (long)n[0] || y >= (long)n[1] || z >= (long)n[2])
                    continue;
                const double centre[3] = {((double)x + 0.5) * spacing, ((double)y + 0.5) * spacing,
                                          ((double)z + 0.5) * spacing};
                const size_t object = room_object_at(&f->small.room, centre);
                if (object < f->small.room.object_count && f->objects[object].material == 2)
                    return 0.0;
                air += object == f->small.room.object_count;
            }
    return air / 8.0;
}

/* Whether the room closes air that touches other air along an edge or at a corner alone, which no count here knows. */
static bool closes_air(struct fixture *f)
{
    make_voxels(f);
    const bool closes = f->model.voxels.report.closed_voxels > 0;
    room_voxels_free(&f->model.voxels);
    return closes;
}

static void sources_and_receivers_are_reciprocal_and_on_points_that_exist(void **state)
{
    (void)state;
    struct random r = random_cases(__func__);
    for (int i = 0; i < case_count(60); i++) {
        struct fixture f;
        struct placed source, receiver;
        struct error e;
        double cells[3], from[3], to[3];
        set_up(&f, 12, 10, 9);
        for (int object = 0; object < 2; object++) {
            for (int axis = 0; axis < 3; axis++) {
                from[axis] = random_uniform(&r, -1.0, 8.0);
                to[axis] = fmax(from[axis], 0.0) + random_uniform(&r, 1.01, 4.0); /* less in the room may be a sheet */
            }
            add_box(&f, 1 + random_between(&r, 0, 1), from, to);
        }
        for (int axis = 0; axis < 3; axis++)
            cells[axis] = random_unit(&r) * (double)f.model.grid.voxels[axis];
        if (random_between(&r, 0, 2) == 0)
            cells[random_between(&r, 0, 2)] = (double)random_between(&r, 0, 9);
        if (!closes_air(&f) && place(&f, &source, cells, true, &e) == 0) {
            assert_int_equal(place(&f, &receiver, cells, false, &e), 0);
            assert_int_equal(source.channel.count, receiver.channel.count);
            for (size_t k = 0; k < source.channel.count; k++) {
                const struct channel_entry *in = &source.channel.entries[k], *out = &receiver.channel.entries[k];
                long point[3];
                point_of(&f, out, point);
                const double share = counted_share(&f, point), expected = strength * out->weight / share;
                assert_int_equal(in->point, out->point);
                assert_true(k == 0 || out->point > out[-1].point);
                assert_true(share > 0.0);
                assert_true(fabs(in->weight - expected) <= 1e-11 * strength); /* images may cancel */
            }
            free_placed(&source);
            free_placed(&receiver);
        }
        free_notes(&f);
    }
}

static void a_source_on_a_point_drives_that_point_alone(void **state)
{
    (void)state;
    static const struct {
        double cells[3], factor; /* 1/m */
    } cases[] = {{{5, 4, 3}, 1}, {{0, 4, 3}, 2}, {{12, 4, 0}, 4}, {{12, 10, 9}, 8}, {{5 + 1e-8, 4, 3 - 1e-8}, 1}};
    struct fixture f;
    set_up(&f, 12, 10, 9);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct placed placed;
        struct error e;
        long point[3];
        assert_int_equal(place(&f, &placed, cases[i].cells, true, &e), 0);
        assert_int_equal(placed.channel.count, 1);
        point_of(&f, placed.channel.entries, point);
        for (int axis = 0; axis < 3; axis++)
            assert_int_equal(point[axis], lround(cases[i].cells[axis]));
        assert_true(fabs(placed.channel.entries->weight - strength * cases[i].factor) <= 1e-12 * strength);
        free_placed(&placed);
    }
}

static void a_stencil_near_an_object_shrinks_and_says_so(void **state)
{
    (void)state;
    static const struct {
        double distance, radius;                                                           /* cells */
    } cases[] = {{3.21, 3.2}, {3.0, 2.7}, {2.3, 2.0}, {1.9, 1.8}, {1.7, 0.0}, {0.2, 0.0}}; /* 0: partial */
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct fixture f;
        struct placed placed;
        struct error e;
        const double cells[3] = {20.0 - cases[i].distance, 15.3, 14.6};
        double farthest = 0.0;
        char radius[32];
        set_up(&f, 30, 30, 30);
        add_box(&f, 1, (double[]){20, 10, 10}, (double[]){22, 20, 20});
        assert_int_equal(place(&f, &placed, cells, false, &e), 0);
        for (size_t k = 0; k < placed.channel.count; k++) {
            long point[3];
            point_of(&f, &placed.channel.entries[k], point);
            farthest = fmax(farthest, hypot(hypot((double)point[0] - cells[0], (double)point[1] - cells[1]),
                                            (double)point[2] - cells[2]));
        }
        assert_true(farthest <= (cases[i].radius > 0.0 ? cases[i].radius : 2.0) + 1e-6);
        assert_int_equal(f.model.note_count, cases[i].radius < 3.2);
        snprintf(radius, sizeof radius, cases[i].radius > 0.0 ? "within %g cells" : "that the surface does not hide",
                 cases[i].radius);
        assert_true(!f.model.note_count || strstr(f.model.notes[0], radius));
        assert_true(!f.model.note_count || strstr(f.model.notes[0], "receiver P"));
        free_placed(&placed);
        free_notes(&f);
    }
}

static void a_gap_of_one_voxel_is_interpolated_within(void **state)
{
    (void)state;
    struct random r = random_cases(__func__);
    struct fixture f;
    set_up(&f, 20, 20, 20);
    add_box(&f, 1, (double[]){8, 0, 0}, (double[]){10, 20, 20});
    add_box(&f, 1, (double[]){11, 0, 0}, (double[]){13, 20, 20});
    for (int i = 0; i < case_count(20); i++) {
        struct placed placed;
        struct error e;
        const double cells[3] = {10.0 + random_unit(&r), random_uniform(&r, 0, 20), random_uniform(&r, 0, 20)};
        /* a mode of 5 points a wavelength or more along the gap, which is rigid across */
        const struct standing s[3] = {{false, 0.0, 0.0},
                                      {false, M_PI * (double)random_between(&r, 0, 5) / 20.0, 0.0},
                                      {false, M_PI * (double)random_between(&r, 0, 5) / 20.0, 0.0}};
        assert_int_equal(place(&f, &placed, cells, false, &e), 0);
        for (size_t k = 0; k < placed.channel.count; k++) {
            long point[3];
            point_of(&f, &placed.channel.entries[k], point);
            assert_true(point[0] == 10 || point[0] == 11);
        }
        assert_true(fabs(received(&f, &placed, s) - standing_at(s, cells)) <= 0.1);
        free_placed(&placed);
    }
    free_notes(&f);
}

/* Through the wall lies other air, around its end the same. */
static void points_behind_a_thin_wall_are_left_out(void **state)
{
    (void)state;
    struct random r = random_cases(__func__);
    struct fixture f;
    set_up(&f, 20, 20, 20);
    add_box(&f, 1, (double[]){9, 0, 0}, (double[]){10, 12, 20});
    for (int i = 0; i < case_count(20); i++) {
        struct placed placed;
        struct error e;
        const double cells[3] = {random_uniform(&r, 10.0, 10.9), random_uniform(&r, 10.1, 11.9), 10.5};
        assert_int_equal(place(&f, &placed, cells, false, &e), 0);
        assert_true(placed.channel.count >= 14);
        for (size_t k = 0; k < placed.channel.count; k++) {
            long point[3];
            point_of(&f, &placed.channel.entries[k], point);
            /* the way to a point at x = 9 passes x = 10 beyond the wall's end, y = 12 */
            const double at_face = cells[1] + ((double)point[1] - cells[1]) * (cells[0] - 10.0) / (cells[0] - 9.0);
            assert_true(point[0] >= 10 || (point[1] > 12 && at_face >= 12.0 - 1e-9));
        }
        free_placed(&placed);
    }
    free_notes(&f);
}

/* The object fills the voxels whose centres it covers, and so a little of the air before it. */
static void a_position_in_a_voxel_of_an_object_moves_to_the_air(void **state)
{
    (void)state;
    struct fixture f;
    struct placed placed;
    struct error e;
    set_up(&f, 20, 20, 20);
    add_box(&f, 1, (double[]){9.4, 5, 5}, (double[]){12.6, 15, 15});
    assert_int_equal(place(&f, &placed, (double[]){9.2, 10.3, 10.6}, false, &e), 0);
    assert_true(fabs(placed.position[0] - 9.0 * spacing) <= 1e-12);
    assert_true(fabs(placed.position[1] - 10.3 * spacing) <= 1e-12);
    assert_true(placed.channel.count >= 14);
    for (size_t k = 0; k < placed.channel.count; k++)
        assert_true(placed.channel.entries[k].point % f.model.grid.points[0] <= 9);
    free_placed(&placed);
    free_notes(&f);
}

static void refuse(struct fixture *f, double x, double y, double z, const char *fragment)
{
    const double cells[3] = {x, y, z};
    struct placed placed = {.channel.entries = NULL};
    struct error e = {0};
    for (int axis = 0; axis < 3; axis++)
        f->small.source.position[axis] = cells[axis] * spacing;
    for (int axis = 0; axis < 3; axis++) /* beside the first point, in the air */
        f->small.receiver.position[axis] = f->model.grid.size[axis] - 0.5 * spacing;
    assert_int_equal(placement_check(&f->model, &e) || place(f, &placed, cells, true, &e), 1);
    assert_null(placed.channel.entries);
    assert_int_equal(e.code, ERROR_INPUT);
    if (!strstr(e.message, fragment))
        print_error("\"%s\" lacks \"%s\"\n", e.message, fragment);
    assert_non_null(strstr(e.message, fragment));
}

static void positions_outside_the_air_are_refused(void **state)
{
    (void)state;
    struct fixture f;
    set_up(&f, 20, 20, 20);
    f.small.room.walls[FACE_X_MIN] = 2;
    add_box(&f, 1, (double[]){8, 8, 8}, (double[]){12, 12, 12});
    add_box(&f, 2, (double[]){14.4, 4, 4}, (double[]){16, 12, 12});
    refuse(&f, 5.0, 20.1, 5.0, "outside the room");
    refuse(&f, 5.0, NAN, 5.0, "outside the room");
    refuse(&f, 10.2, 10.3, 10.4, "inside room.objects[0]");
    refuse(&f, 0.0, 5.5, 5.5, "a layer with p = 0");   /* on the wall */
    refuse(&f, 14.2, 8.5, 8.5, "a layer with p = 0");  /* in a fixed voxel */
    refuse(&f, 14.0, 8.0, 8.0, "a layer with p = 0");  /* on its corner */
    refuse(&f, 14.0, 12.0, 9.3, "a layer with p = 0"); /* on its edge */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_stencil_folded_at_rigid_walls_is_accurate_at_any_distance),
        cmocka_unit_test(rooms_smaller_than_the_stencil_and_fixed_walls_keep_their_modes),
        cmocka_unit_test(sources_and_receivers_are_reciprocal_and_on_points_that_exist),
        cmocka_unit_test(a_source_on_a_point_drives_that_point_alone),
        cmocka_unit_test(a_stencil_near_an_object_shrinks_and_says_so),
        cmocka_unit_test(a_gap_of_one_voxel_is_interpolated_within),
        cmocka_unit_test(points_behind_a_thin_wall_are_left_out),
        cmocka_unit_test(a_position_in_a_voxel_of_an_object_moves_to_the_air),
        cmocka_unit_test(positions_outside_the_air_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
