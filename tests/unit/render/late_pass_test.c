/* SPDX-License-Identifier: MIT */
/* Energy rays that pass through partitions. */
#include "room/grid/absorption.h"
#include "validate/hybrid/late_rig.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double pi = 3.14159265358979323846;
static const double size[3] = {5.0, 3.0, 2.5}, low = 2.4, high = 2.6; /* m: two rooms and the partition between */
static const struct late_point source = {.position = {0.7, 0.9, 1.3}};
/* The first is in the room of the source, the others are in the next one. */
static const struct late_point receivers[] = {{.position = {1.6, 2.0, 1.0}},
                                              {.position = {3.9, 1.8, 1.2}},
                                              {.position = {3.4, 0.8, 1.6}},
                                              {.position = {4.4, 1.0, 0.9}},
                                              {.position = {3.5, 2.3, 0.7}}};

enum { PARTITION = 6, RECEIVERS = sizeof receivers / sizeof *receivers };

static double complex admittance_of(const void *context, double frequency)
{
    (void)frequency;
    return *(const double *)context;
}

static void make_sheet(struct late_wall *wall, const double *admittance, double mass, double resistance,
                       const struct late_bands *bands)
{
    const double scattering[OCTAVE_BANDS] = {0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5};
    late_wall_make(wall,
                   &(struct late_material){.admittance = admittance_of,
                                           .context = admittance,
                                           .scattering = scattering,
                                           .mass = mass,
                                           .resistance = resistance},
                   bands);
}

/* A box that a solid, or a sheet of triangles, divides. */
static void make_rooms(struct late_rig *rig, double admittance, bool sheet, double mass)
{
    static const double hard = 0.0;
    const struct late_rig_wall wall = {admittance, 1.0}, walls[7] = {wall, wall, wall, wall, wall, wall, wall};
    struct scene_mesh m = {.triangles = NULL};
    struct error e;
    mesh_add_box(&m, (const double[]){0.0, 0.0, 0.0}, size, 0);
    if (sheet)
        mesh_add_quad(&m, (const double[]){low, 0.0, 0.0}, (const double[]){low, size[1], 0.0},
                      (const double[]){low, size[1], size[2]}, (const double[]){low, 0.0, size[2]}, PARTITION);
    struct surface surface = surface_of(&m);
    const struct surface_solid solid = {
        .shape = SOLID_BOX, .from = {low, 0.0, 0.0}, .to = {high, size[1], size[2]}, .material = PARTITION};
    surface.solids = &solid;
    surface.solid_count = !sheet;
    assert_int_equal(late_rig_make(rig, &surface, walls, 7, &e), 0);
    make_sheet(&rig->walls[PARTITION], &hard, mass, 0.0, &rig->bands);
    for (size_t i = 0; i < rig->scene.count; i++)
        if (rig->scene.faces[i].material == PARTITION && fabs(rig->scene.faces[i].normal[0]) > 0.5)
            rig->scene.faces[i].through = sheet ? RAY_SHEET : RAY_BODY;
    mesh_clear(&m);
}

/* Of the two rooms, from a time on. */
static void trace(double energy[2], const struct late_rig *rig, double from, double duration)
{
    const struct late_settings settings = {
        .rays = 3000, .pilots = 512, .seed = 3, .image_order = -1, .duration = duration, .threads = 2};
    struct late_histogram h;
    struct error e;
    assert_int_equal(late_rays_trace(&h, &rig->room, &rig->bands, &source, receivers, RECEIVERS, &settings, &e), 0);
    assert_int_equal(h.lost, 0);
    energy[0] = energy[1] = 0.0;
    for (size_t r = 0; r < RECEIVERS; r++)
        energy[r > 0] += late_energy_from(&h, r, 1, (size_t)(from / h.bin)) / (r > 0 ? RECEIVERS - 1 : 1);
    late_histogram_free(&h);
}

static void assert_level(double energy, double expected, double tolerance)
{
    const double level = 10.0 * log10(energy / expected);
    if (!(fabs(level) <= tolerance))
        fail_msg("%g dB instead of at most %g dB", level, tolerance);
}

/* |R|² + τ is 1 of a mass alone and less with losses, and τ = |1 + ζ cos θ/2|⁻². */
static void what_a_wall_passes_and_keeps_is_what_it_gets(void **state)
{
    (void)state;
    static struct late_wall wall;
    const struct late_bands bands = late_bands_make(3, 100.0, 10000.0);
    const double hard = 0.0, soft = 0.2, mass = 1e-3;
    make_sheet(&wall, &hard, mass, 0.0, &bands);
    assert_true(wall.transmits);
    for (int a = 1; a <= LATE_ANGLES; a++)
        for (size_t b = 0; b < bands.count; b++)
            assert_true(fabsf(wall.passed[a][b] + wall.kept[a][b] - 1.0f) <= 1e-5f);
    for (double cosine = 0.01; cosine <= 1.0; cosine += 0.09) {
        const double complex zeta = 0.7 + I * 2.0 * pi * 500.0 * mass;
        const struct late_sheet s = late_sheet_at(zeta, 0.0, 0.0, cosine);
        const double expected = 1.0 / pow(cabs(1.0 + 0.5 * zeta * cosine), 2.0);
        assert_true(fabs(pow(cabs(s.passed), 2.0) - expected) <= 1e-12);
        assert_true(pow(cabs(s.passed), 2.0) + pow(cabs(s.reflected), 2.0) < 1.0);
    }
    for (int kind = 0; kind < 2; kind++) {
        make_sheet(&wall, kind ? &soft : &hard, mass, kind ? 0.0 : 2.0, &bands);
        for (int a = 1; a <= LATE_ANGLES; a++)
            for (size_t b = 0; b < bands.count; b++)
                assert_true(wall.passed[a][b] > 0.0f && wall.passed[a][b] + wall.kept[a][b] < 1.0f);
    }
    make_sheet(&wall, &hard, 0.0, 0.0, &bands);
    assert_false(wall.transmits);
}

/* Without losses the energy 1/(4π) of the source spreads over both rooms: c t/(4π V) each in a time t. */
static void rooms_without_losses_share_all_energy(void **state)
{
    (void)state;
    for (int sheet = 0; sheet < 2; sheet++) {
        const double volume = (size[0] - (sheet ? 0.0 : high - low)) * size[1] * size[2];
        double energy[2];
        struct late_rig rig = {.walls = NULL};
        make_rooms(&rig, 0.0, sheet, 6e-4);
        trace(energy, &rig, 0.2, 0.4);
        const double expected = LATE_RIG_SOUND_SPEED * 0.2 / (4.0 * pi * volume);
        assert_level(energy[0], expected, 0.3);
        assert_level(energy[1], expected, 0.3);
        late_rig_free(&rig);
    }
}

/* Neither what passes nor what returns is taken: of rooms without losses nothing, and of those with a resistive partition
 * only there. */
static void walls_take_what_they_neither_reflect_nor_let_through(void **state)
{
    static const double hard = 0.0;
    (void)state;
    for (int lossy = 0; lossy < 2; lossy++) {
        struct late_rig rig = {.walls = NULL};
        struct late_audit audit;
        struct late_histogram h;
        struct error e;
        make_rooms(&rig, 0.0, false, 6e-4);
        if (lossy)
            make_sheet(&rig.walls[PARTITION], &hard, 6e-4, 2.0, &rig.bands);
        assert_int_equal(late_audit_make(&audit, 1, 0.2, rig.room.wall_count, rig.bands.count, &e), 0);
        const struct late_settings settings = {
            .rays = 500, .pilots = 256, .seed = 3, .image_order = -1, .duration = 0.2, .threads = 2, .audit = &audit};
        assert_int_equal(late_rays_trace(&h, &rig.room, &rig.bands, &source, receivers, RECEIVERS, &settings, &e), 0);
        for (size_t b = 0; b < rig.bands.count; b++) {
            assert_true(audit.met[b] > 0);
            for (size_t w = 0; w < audit.walls; w++) {
                const double taken = (double)audit.taken[w * audit.bands + b] / (double)audit.met[b];
                if (lossy && w == PARTITION)
                    assert_true(taken > 0.01);
                else
                    assert_true(fabs(taken) <= 1e-6);
            }
        }
        late_histogram_free(&h);
        late_audit_free(&audit);
        late_rig_free(&rig);
    }
}

/* Mean of τ over random incidence in the octave of the test. */
static double mean_passed(const struct late_wall *wall)
{
    double sum = 0.0;
    for (int i = 0; i < 2000; i++) {
        float passed = 1.0f;
        late_wall_multiply(&passed, wall->passed, 1, 1, sqrt((i + 0.5) / 2000));
        sum += passed / 2000;
    }
    return sum;
}

/* A wall of about 40 dB: e_2/e_1 = τ S/(A_2 + τ S) of the diffuse field, from few rays. */
static void few_rays_tell_the_level_behind_a_heavy_wall(void **state)
{
    (void)state;
    const double admittance = 0.02, area = size[1] * size[2];
    double energy[2];
    struct late_rig rig = {.walls = NULL};
    make_rooms(&rig, admittance, false, 0.06);
    trace(energy, &rig, 0.0, 0.8);
    const double walls = 2.0 * ((size[0] - high) * (size[1] + size[2])) + area;
    const double passed = mean_passed(&rig.walls[PARTITION]) * area;
    const double absorbing = random_incidence_absorption(admittance) * walls;
    assert_true(10.0 * log10(energy[1] / energy[0]) < -30.0);
    assert_level(energy[1] / energy[0], passed / (absorbing + passed), 1.0);
    late_rig_free(&rig);
}

/* How two objects that touch stand to each other. */
struct touch {
    const char *name;
    double first_end, second_start; /* m */
    bool buried;                    /* the faces between them are known to have no air before them */
};

/* Objects of two materials; `sums` has room for the walls of both. */
static void make_double_wall(struct late_rig *rig, double admittance, const struct touch *touch, struct late_wall *sums)
{
    static const double hard = 0.0, scattering[OCTAVE_BANDS] = {0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5};
    enum { SECOND = PARTITION + 1 };
    const struct late_rig_wall wall = {admittance, 1.0}, walls[8] = {wall, wall, wall, wall, wall, wall, wall, wall};
    struct scene_mesh m = {.triangles = NULL};
    struct error e;
    mesh_add_box(&m, (const double[]){0.0, 0.0, 0.0}, size, 0);
    struct surface surface = surface_of(&m);
    const struct surface_solid solids[2] = {{.shape = SOLID_BOX,
                                             .from = {low, 0.0, 0.0},
                                             .to = {touch->first_end, size[1], size[2]},
                                             .material = PARTITION},
                                            {.shape = SOLID_BOX,
                                             .from = {touch->second_start, 0.0, 0.0},
                                             .to = {high, size[1], size[2]},
                                             .material = SECOND}};
    surface.solids = solids;
    surface.solid_count = 2;
    assert_int_equal(late_rig_make(rig, &surface, walls, 8, &e), 0);
    rig->scene.touching = 0.01;
    for (size_t i = 0; i < rig->scene.count; i++) {
        struct ray_face *f = &rig->scene.faces[i];
        const double x = f->corner[0][0];
        if (f->material >= PARTITION && fabs(f->normal[0]) > 0.5 && !(touch->buried && x > low && x < high))
            f->through = RAY_BODY;
    }
    for (int i = 0; i < 2; i++) {
        const struct late_material front = {
            .admittance = admittance_of, .context = &hard, .scattering = scattering, .mass = i ? 0.045 : 0.015};
        struct late_material behind = front;
        behind.mass = i ? 0.015 : 0.045;
        late_wall_make(&rig->walls[PARTITION + i], &front, &rig->bands);
        rig->walls[PARTITION + i].sheet = (uint32_t)i;
        late_wall_make_pair(&sums[2 * i + !i], &front, &behind, &rig->bands);
    }
    rig->room.pairs = sums;
    rig->room.sheets = 2;
    mesh_clear(&m);
}

/* They are one wall with the sum of the masses, as for the waves. */
static void objects_that_touch_pass_what_one_of_both_masses_passes(void **state)
{
    static const struct touch touches[] = {{"one face", 2.5, 2.5, true},
                                           {"one face, boards", 2.5, 2.5, false},
                                           {"overlap", 2.52, 2.46, false},
                                           {"slit", 2.497, 2.503, false}};
    const double admittance = 0.02;
    double expected[2], got[2];
    struct late_rig one = {.walls = NULL};
    (void)state;
    make_rooms(&one, admittance, false, 0.06);
    trace(expected, &one, 0.0, 0.8);
    late_rig_free(&one);
    struct late_wall *sums = calloc(4, sizeof *sums);
    assert_non_null(sums);
    for (size_t i = 0; i < sizeof touches / sizeof *touches; i++) {
        struct late_rig rig = {.walls = NULL};
        make_double_wall(&rig, admittance, &touches[i], sums);
        trace(got, &rig, 0.0, 0.8);
        print_message("%s: %.2f dB behind the wall\n", touches[i].name, 10.0 * log10(got[1] / expected[1]));
        assert_level(got[0], expected[0], 0.2);
        assert_level(got[1], expected[1], 0.5);
        late_rig_free(&rig);
    }
    free(sums);
}

/* Sound passes either way alike, and what flows into one face flows out of the other. */
static void two_sides_of_unequal_admittance_pass_alike(void **state)
{
    (void)state;
    for (double cosine = 0.05; cosine <= 1.0; cosine += 0.19) {
        const double complex zeta = 0.3 + 4.0 * I, y1 = 0.2 + 0.1 * I, y2 = 0.02 - 0.3 * I;
        const struct late_sheet there = late_sheet_at(zeta, y1, y2, cosine), back = late_sheet_at(zeta, y2, y1, cosine);
        assert_true(cabs(there.passed - back.passed) <= 1e-15);
        /* velocities: into face 1, (1 - R) cos θ = Y₁ (1 + R) + u, and out of face 2, u = T (cos θ + Y₂) */
        const double complex flow = (1.0 - there.reflected) * cosine - y1 * (1.0 + there.reflected);
        assert_true(cabs(flow - there.passed * (cosine + y2)) <= 1e-14);
        assert_true(cabs(1.0 + there.reflected - there.passed - zeta * flow) <= 1e-13);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_a_wall_passes_and_keeps_is_what_it_gets),
        cmocka_unit_test(rooms_without_losses_share_all_energy),
        cmocka_unit_test(walls_take_what_they_neither_reflect_nor_let_through),
        cmocka_unit_test(two_sides_of_unequal_admittance_pass_alike),
        cmocka_unit_test(objects_that_touch_pass_what_one_of_both_masses_passes),
        cmocka_unit_test(few_rays_tell_the_level_behind_a_heavy_wall),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
