/* SPDX-License-Identifier: MIT */
/* Rays that edges turn: angles, and the energy that receivers get of rays and image sources. */
#include "render/hybrid/late_walls.h"
#include "render/hybrid/mesh_images.h"
#include "render/hybrid/path_walls.h"
#include "support/random_cases.h"
#include "validate/hybrid/late_rig.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "support/within.h"

static const double pi = 3.14159265358979323846;

/* Shares of 20 angles of the same width against the integral of 1/(1 + 2 v²), v = 12 b ε, by sums. */
static void angles_have_the_density_of_the_formula(void **state)
{
    (void)state;
    static const double distances[] = {0.01, 0.1, 0.5, 2.9};
    enum { BINS = 20, STEPS = 20000 };
    const int draws = case_count(200000);
    struct random random = random_cases("angles at edges");
    for (size_t d = 0; d < sizeof distances / sizeof *distances; d++) {
        const double b = distances[d];
        double expected[BINS] = {0.0}, sum = 0.0;
        int counts[BINS] = {0};
        for (int i = 0; i < BINS * STEPS; i++) {
            const double v = 12.0 * b * pi * ((i + 0.5) / (BINS * STEPS) - 0.5), density = 1.0 / (1.0 + 2.0 * v * v);
            expected[i / STEPS] += density;
            sum += density;
        }
        for (int i = 0; i < draws; i++) {
            const double angle = late_edge_angle(b, random_uniform(&random, -1.0, 1.0));
            assert_true(fabs(angle) < 0.5 * pi);
            counts[(int)(BINS * (angle / pi + 0.5))]++;
        }
        for (int i = 0; i < BINS; i++) {
            const double share = expected[i] / sum;
            assert_within(counts[i] / (double)draws, share, 5.0 * sqrt(share * (1.0 - share) / draws) + 1e-6);
        }
        assert_within(late_edge_chance(b, 0.1 * pi), (expected[8] + expected[9] + expected[10] + expected[11]) / sum,
                      1e-6);
        assert_within(late_edge_chance(b, 0.5 * pi), 1.0, 1e-12);
    }
}

static void a_direction_turns_about_the_axis(void **state)
{
    (void)state;
    double d[3] = {1.0, 0.0, 0.0};
    late_edge_turn(d, (const double[]){0.0, 0.0, 1.0}, 0.5);
    assert_within(d[0], cos(0.5), 1e-12);
    assert_within(d[1], sin(0.5), 1e-12);
    memcpy(d, (const double[]){0.6, 0.0, 0.8}, sizeof d);
    late_edge_turn(d, (const double[]){0.0, 0.0, 1.0}, -1.0);
    assert_within(d[2], 0.8, 1e-12);
}

/* A box of which a block stands on the floor. */
struct world {
    struct late_rig rig;
    struct mirrors mirrors;
    struct ray_edges edges;
};
static const struct late_point source = {.position = {0.9, 0.8, 1.4}};
static const struct late_point receivers[4] = {{.position = {3.9, 2.4, 1.1}},
                                               {.position = {3.1, 0.8, 1.6}},
                                               {.position = {1.1, 3.1, 1.2}},
                                               {.position = {2.4, 2.9, 1.9}}};
enum { RECEIVERS = 4 };

static void world_make(struct world *w, double admittance, double scattering, bool block)
{
    struct scene_mesh m = {.triangles = NULL};
    struct late_rig_wall walls[SCENE_MESH_MATERIALS];
    struct error e;
    for (size_t i = 0; i < SCENE_MESH_MATERIALS; i++)
        walls[i] = (struct late_rig_wall){admittance, scattering};
    memset(w, 0, sizeof *w);
    mesh_add_box(&m, (const double[]){0.0, 0.0, 0.0}, (const double[]){4.8, 3.7, 2.6}, 0);
    if (block)
        mesh_add_box(&m, (const double[]){1.6, 1.2, 0.0}, (const double[]){3.2, 2.2, 0.8}, 6);
    const struct surface surface = surface_of(&m);
    assert_int_equal(late_rig_make(&w->rig, &surface, walls, 12, &e), 0);
    assert_int_equal(ray_edges_make(&w->edges, &w->rig.scene, &w->rig.tree, &e), 0);
    assert_int_equal(mirrors_make(&w->mirrors, &w->rig.scene, &e), 0);
    assert_int_equal(w->edges.count, block ? 8 : 0);
    w->rig.room.edges = &w->edges;
    mesh_clear(&m);
}

static void world_free(struct world *w)
{
    mirrors_free(&w->mirrors);
    ray_edges_free(&w->edges);
    late_rig_free(&w->rig);
}

static struct late_histogram trace(const struct world *w, const struct late_settings *settings)
{
    struct late_histogram h;
    struct error e;
    assert_int_equal(late_rays_trace(&h, &w->rig.room, &w->rig.bands, &source, receivers, RECEIVERS, settings, &e), 0);
    return h;
}

static double level(double energy, double expected)
{
    return 10.0 * log10(energy / expected);
}

/* Of all receivers. */
static double energy_of(const struct late_histogram *h, size_t band)
{
    double sum = 0.0;
    for (size_t r = 0; r < RECEIVERS; r++)
        sum += late_energy_from(h, r, band, 0);
    return sum;
}

static size_t octave_of(double centre)
{
    return (size_t)(log2(centre / 62.5) + 0.5);
}

/* Σ over image sources of Π |R|² (1 - s)^n/(16 π² r²), and of what edges leave of it. */
static double images_energy(const struct world *w, double admittance, double scattering, size_t order, size_t band)
{
    const struct mesh_room room = {.scene = &w->rig.scene,
                                   .tree = &w->rig.tree,
                                   .mirrors = &w->mirrors,
                                   .edges = &w->edges,
                                   .sound_speed = LATE_RIG_SOUND_SPEED};
    double sum = 0.0;
    struct error e;
    for (size_t r = 0; r < RECEIVERS; r++) {
        struct image_paths paths = {0};
        assert_int_equal(mesh_images_find(&paths, &room, source.position, receivers[r].position, order, NULL, 30.0, &e),
                         0);
        for (size_t i = 0; i < paths.count; i++) {
            const struct image_path *p = &paths.list[i];
            double energy = (1.0 - p->turned[octave_of(w->rig.bands.centre[band])]) / pow(4.0 * pi * p->distance, 2.0);
            for (uint32_t k = 0; k < p->wall_count; k++)
                energy *= pow((p->walls[k].cosine - admittance) / (p->walls[k].cosine + admittance), 2.0) *
                          (1.0 - scattering);
            sum += energy;
        }
        image_paths_free(&paths);
    }
    return sum;
}

/* Along a way over 24 edges that are too far off to turn 2 kHz to the two of a screen beside it. */
static void edges_far_off_do_not_hide_close_ones(void **state)
{
    (void)state;
    struct scene_mesh m = {.triangles = NULL};
    struct late_rig_wall walls[SCENE_MESH_MATERIALS];
    struct late_rig rig;
    struct ray_edges edges = {.list = NULL};
    struct image_path path = {.order = 0};
    struct error e;
    for (size_t i = 0; i < SCENE_MESH_MATERIALS; i++)
        walls[i] = (struct late_rig_wall){0.05, 0.1};
    memset(&rig, 0, sizeof rig);
    mesh_add_box(&m, (const double[]){0.0, 0.0, 0.0}, (const double[]){14.0, 4.0, 3.0}, 0);
    for (int row = 0; row < 12; row++)
        mesh_add_box(&m, (const double[]){1.0 + 0.8 * row, 0.5, 0.0}, (const double[]){1.3 + 0.8 * row, 3.5, 0.3}, 6);
    mesh_add_box(&m, (const double[]){12.0, 0.5, 0.0}, (const double[]){12.2, 3.5, 1.3}, 6);
    const struct surface surface = surface_of(&m);
    assert_int_equal(late_rig_make(&rig, &surface, walls, 12, &e), 0);
    assert_int_equal(ray_edges_make(&edges, &rig.scene, &rig.tree, &e), 0);
    const struct ray way = {
        .origin = {0.5, 2.0, 1.35}, .direction = {1.0, 0.0, 0.0}, .reach = 13.0, .left = RAY_NO_FACE};
    path_edges_find(&path, &edges, &way, 1, LATE_RIG_SOUND_SPEED);
    for (size_t band = 0; band < OCTAVE_BANDS; band++) {
        const double wavelength = LATE_RIG_SOUND_SPEED / octave_band_centre[band];
        if (3.0 * wavelength < 1.05) /* m: to the rows */
            assert_within(path.turned[band], 1.0 - pow(late_edge_chance(0.05 / wavelength, LATE_EDGE_KEPT), 2.0), 1e-9);
    }
    ray_edges_free(&edges);
    late_rig_free(&rig);
    mesh_clear(&m);
}

/* Image sources keep what no edge turns by more than LATE_EDGE_KEPT, rays the rest: together they are as loud as rays
 * alone. */
static void image_sources_and_turned_rays_share_the_sound(void **state)
{
    (void)state;
    struct world w;
    world_make(&w, 0.05, 0.1, true);
    struct late_settings settings = {.rays = 15000, .seed = 5, .image_order = -1, .duration = 0.3, .threads = 2};
    struct late_histogram alone = trace(&w, &settings);
    for (int order = 0; order <= 3; order += 3) {
        settings.image_order = order;
        struct late_histogram late = trace(&w, &settings);
        for (size_t band = 0; band < w.rig.bands.count; band++) {
            const double images = images_energy(&w, 0.05, 0.1, (size_t)order, band);
            print_message("order %d, %g Hz: images %.1f %%, all %+.2f dB\n", order, w.rig.bands.centre[band],
                          100.0 * images / energy_of(&alone, band),
                          level(energy_of(&late, band) + images, energy_of(&alone, band)));
            assert_within(level(energy_of(&late, band) + images, energy_of(&alone, band)), 0.0, 0.2);
        }
        late_histogram_free(&late);
    }
    late_histogram_free(&alone);
    world_free(&w);
}

/* Edges turn energy and take none: with hardly absorbing walls the sound field is as loud with and without them. */
static void edges_take_no_energy(void **state)
{
    (void)state;
    struct world w;
    world_make(&w, 0.01, 0.4, true);
    const struct late_settings settings = {.rays = 10000, .seed = 7, .image_order = -1, .duration = 1.2, .threads = 2};
    struct late_histogram turned = trace(&w, &settings);
    w.rig.room.edges = NULL;
    struct late_histogram straight = trace(&w, &settings);
    for (size_t band = 0; band < w.rig.bands.count; band++)
        assert_within(level(energy_of(&turned, band), energy_of(&straight, band)), 0.0, 0.35);
    assert_int_equal(turned.lost, 0);
    late_histogram_free(&straight);
    late_histogram_free(&turned);
    world_free(&w);
}

static void the_decay_of_turned_rays_is_that_of_plain_ones(void **state)
{
    (void)state;
    struct world w;
    world_make(&w, 0.04, 0.2, true);
    struct late_settings settings = {.rays = 30000, .seed = 9, .image_order = 0, .duration = 0.6, .threads = 2};
    struct late_histogram divided = trace(&w, &settings);
    settings.plain = true;
    struct late_histogram plain = trace(&w, &settings);
    for (size_t band = 0; band < w.rig.bands.count; band++) {
        assert_within(late_rig_reverberation(&divided, band, 30.0) / late_rig_reverberation(&plain, band, 30.0), 1.0,
                      0.04);
        assert_within(level(energy_of(&divided, band), energy_of(&plain, band)), 0.0, 0.15);
    }
    late_histogram_free(&divided);
    late_histogram_free(&plain);
    world_free(&w);
}

static void assert_same(const struct late_histogram *a, const struct late_histogram *b)
{
    assert_memory_equal(a->energy, b->energy,
                        a->receivers * a->bins * a->bands.count * LATE_MOMENTS * sizeof *a->energy);
}

static void the_same_bits_come_for_any_number_of_threads(void **state)
{
    (void)state;
    struct world w;
    world_make(&w, 0.05, 0.1, true);
    struct late_settings settings = {.rays = 20000, .seed = 3, .image_order = 1, .duration = 0.2, .threads = 1};
    struct late_histogram one = trace(&w, &settings);
    settings.threads = 3;
    struct late_histogram three = trace(&w, &settings);
    assert_same(&one, &three);
    late_histogram_free(&one);
    late_histogram_free(&three);
    world_free(&w);
}

static void a_room_without_edges_has_the_bits_of_rays_that_know_none(void **state)
{
    (void)state;
    struct world w;
    world_make(&w, 0.05, 0.1, false);
    const struct late_settings settings = {.rays = 20000, .seed = 3, .image_order = 1, .duration = 0.2, .threads = 2};
    struct late_histogram none = trace(&w, &settings);
    w.rig.room.edges = NULL;
    struct late_histogram unknown = trace(&w, &settings);
    assert_same(&none, &unknown);
    late_histogram_free(&none);
    late_histogram_free(&unknown);
    world_free(&w);
}

static void no_group_spans_two_octaves_that_edges_turn(void **state)
{
    (void)state;
    struct late_group groups[LATE_BANDS_MAX] = {{0, 24}};
    size_t members[LATE_BANDS_MAX];
    const struct late_bands bands = late_bands_make(1, 125.0, 20000.0);
    assert_int_equal(bands.count, 8);
    assert_int_equal(late_groups_cut(groups, members, 1, &bands, 3), 8);
    for (size_t g = 0; g < 8; g++)
        assert_true(groups[g].first == 3 * g && groups[g].count == 3 && members[g] == 8);
    groups[0] = (struct late_group){0, 5};
    groups[1] = (struct late_group){5, 19};
    assert_int_equal(late_groups_cut(groups, members, 2, &bands, 3), 9);
    assert_true(groups[1].first == 3 && groups[1].count == 2 && members[1] == 2);
    assert_true(groups[2].first == 5 && groups[2].count == 1 && members[2] == 7);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(angles_have_the_density_of_the_formula),
        cmocka_unit_test(a_direction_turns_about_the_axis),
        cmocka_unit_test(edges_far_off_do_not_hide_close_ones),
        cmocka_unit_test(image_sources_and_turned_rays_share_the_sound),
        cmocka_unit_test(edges_take_no_energy),
        cmocka_unit_test(the_decay_of_turned_rays_is_that_of_plain_ones),
        cmocka_unit_test(the_same_bits_come_for_any_number_of_threads),
        cmocka_unit_test(a_room_without_edges_has_the_bits_of_rays_that_know_none),
        cmocka_unit_test(no_group_spans_two_octaves_that_edges_turn),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
