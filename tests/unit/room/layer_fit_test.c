/* SPDX-License-Identifier: MIT */
/* Fits of layered walls for a grid: random constructions. */
#include <complex.h>
#include <math.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/acoustics/branch_admittance.h"
#include "base/nan_max.h"
#include "base/stop.h"
#include "room/grid/circuit.h"
#include "room/grid/layer_fit.h"
#include "support/random_cases.h"
#include "validate/scene/scene.h"

#include <cmocka.h>

enum { WALLS = 40, KINDS = 9, CHECKED = 1501, CHECKED_LOSS = 500 };
#define SOUND_SPEED 343.2
#define DENSITY 1.2041
#define RATE 8400.0          /* Hz, of tubes */
#define RATE_19_POINT 4.6282 /* of the edge at four points a wavelength */
#define RATE_7_POINT 6.0     /* of the edge: coarse, and fine */
#define RATE_7_POINT_FINE 13.0

/* ---- Random constructions ---- */

static struct layer porous(struct random *r, double thinnest, double thickest)
{
    return (struct layer){.kind = LAYER_POROUS,
                          .thickness = random_log_uniform(r, thinnest, thickest),
                          .flow_resistivity = random_log_uniform(r, 4e3, 5e4)};
}

static struct layer gap(struct random *r, double thinnest, double thickest)
{
    return (struct layer){.kind = LAYER_AIR, .thickness = random_log_uniform(r, thinnest, thickest)};
}

static struct layer cloth(struct random *r)
{
    return (struct layer){.kind = LAYER_CLOTH, .flow_resistance = random_log_uniform(r, 200.0, 1500.0)};
}

static struct layer plate(struct random *r)
{
    const double hole = random_log_uniform(r, 0.003, 0.012);
    return (struct layer){.kind = LAYER_PERFORATED,
                          .thickness = random_log_uniform(r, 0.003, 0.02),
                          .hole = hole,
                          .spacing = hole * random_log_uniform(r, 2.0, 5.0)};
}

static struct layer micro_perforated(struct random *r)
{
    const double hole = random_log_uniform(r, 2e-4, 6e-4);
    return (struct layer){.kind = LAYER_PERFORATED,
                          .thickness = random_log_uniform(r, 3e-4, 1e-3),
                          .hole = hole,
                          .spacing = hole * random_log_uniform(r, 5.0, 11.0)};
}

static struct layer membrane(struct random *r)
{
    return (struct layer){
        .kind = LAYER_MEMBRANE, .mass = random_log_uniform(r, 2.0, 12.0), .loss = random_log_uniform(r, 0.03, 0.2)};
}

static void add(struct layered_wall *wall, struct layer layer)
{
    wall->layers[wall->count++] = layer;
}

static struct layered_wall construction(struct random *r, int kind)
{
    struct layered_wall wall = {.sound_speed = SOUND_SPEED, .density = DENSITY};
    switch (kind % KINDS) {
    case 0:
        add(&wall, porous(r, 0.02, 0.2));
        break;
    case 1:
        add(&wall, porous(r, 0.02, 0.1));
        add(&wall, gap(r, 0.03, 0.3));
        break;
    case 2:
        add(&wall, cloth(r));
        add(&wall, gap(r, 0.03, 0.3));
        break;
    case 3:
        add(&wall, plate(r));
        add(&wall, porous(r, 0.02, 0.08));
        break;
    case 4:
        add(&wall, plate(r));
        add(&wall, porous(r, 0.02, 0.05));
        add(&wall, gap(r, 0.03, 0.2));
        break;
    case 5:
        add(&wall, micro_perforated(r));
        add(&wall, gap(r, 0.03, 0.2));
        break;
    case 6:
        add(&wall, membrane(r));
        add(&wall, gap(r, 0.03, 0.15));
        break;
    case 7:
        add(&wall, membrane(r));
        add(&wall, porous(r, 0.03, 0.15));
        break;
    default:
        add(&wall, cloth(r));
        add(&wall, porous(r, 0.02, 0.1));
        add(&wall, gap(r, 0.03, 0.3));
        break;
    }
    return wall;
}

static struct random fixed_seed(void)
{
    return (struct random){55};
}

/* ---- Errors ---- */

static double complex reflection(double complex y)
{
    return (1.0 - y) / (1.0 + y);
}

/* Lines of a membrane before air without losses, which a fit leaves out. */
static bool is_on_line(const struct layered_wall *wall, double frequency)
{
    const struct layer *front = &wall->layers[0];
    if (front->kind != LAYER_MEMBRANE || wall->layers[1].kind != LAYER_AIR)
        return false;
    const double omega = 2.0 * M_PI * frequency, phase = omega * wall->layers[1].thickness / wall->sound_speed;
    return phase >= 1.5 && fabs(sin(phase)) * omega * front->mass <= 3.1 * wall->density * wall->sound_speed;
}

static double error_at(const struct layer_fit *f, const struct layered_wall *wall,
                       const struct wall_discretization *clock, double frequency)
{
    const struct wall_view view = wall_discretization_view(clock, frequency);
    const double complex stepped = branch_admittance(f->branches, f->branch_count, I * view.angular_frequency);
    return cabs(reflection(stepped / view.factor) - reflection(layers_admittance(wall, frequency, 0.0)));
}

static double largest_error(const struct layer_fit *f, const struct layered_wall *wall,
                            const struct wall_discretization *clock)
{
    const double low = fmin(20.0, clock->edge / 20.0);
    double worst = 0.0;
    for (int i = 0; i <= CHECKED; i++) {
        const double frequency = i < CHECKED ? low * pow(clock->edge / low, (double)i / CHECKED) : clock->edge;
        if (!is_on_line(wall, frequency))
            worst = nan_max(worst, error_at(f, wall, clock, frequency));
    }
    return worst;
}

/* Of Re Y: relative, but to a floor of 0.005. */
static double largest_loss_error(const struct layer_fit *f, const struct layered_wall *wall,
                                 const struct wall_discretization *clock)
{
    double worst = 0.0;
    for (int i = 0; i <= CHECKED_LOSS; i++) {
        const double frequency = 20.0 * pow(clock->edge / 20.0, (double)i / CHECKED_LOSS);
        const struct wall_view view = wall_discretization_view(clock, frequency);
        const double complex stepped = branch_admittance(f->branches, f->branch_count, I * view.angular_frequency);
        const double loss = creal(layers_admittance(wall, frequency, 0.0));
        if (!is_on_line(wall, frequency))
            worst = nan_max(worst, fabs(creal(stepped) / view.factor - loss) / (loss + 0.005));
    }
    return worst;
}

static struct layer_fit fit_of(const struct layered_wall *wall, const struct wall_discretization *clock)
{
    struct layer_fit f;
    struct error e = {0};
    if (layer_fit_make(&f, wall, clock, &e))
        fail_msg("%s", e.message);
    return f;
}

static void assert_passive(const struct layer_fit *f)
{
    assert_true(f->branch_count > 0 && f->branch_count <= BRANCHES_MAX);
    for (size_t m = 0, own = 0; m < f->branch_count; m++) {
        const struct branch *b = &f->branches[m];
        assert_true(b->inertance >= 0.0 && b->resistance >= 0.0 && b->stiffness >= 0.0);
        assert_true(isfinite(b->inertance + b->resistance + b->stiffness));
        assert_true(b->inertance + b->resistance + b->stiffness > 0.0);
        assert_true(own ? b->tanks == 0 : m + b->tanks < f->branch_count);
        own = own ? own - 1 : b->tanks;
    }
}

/* How many walls have |ΔR| within 0.02, and Re Y within 5 %. */
struct reached {
    int reflection, loss;
};

/* Fits the constructions of `r`. `worst` is compared with a check at other frequencies. */
static struct reached reached(struct random *r, int walls, const struct wall_discretization *clock)
{
    double worst = 0.0, entries = 0.0;
    struct reached within = {0, 0};
    for (int i = 0; i < walls; i++) {
        const struct layered_wall wall = construction(r, i);
        const struct layer_fit f = fit_of(&wall, clock);
        const double error = largest_error(&f, &wall, clock);
        assert_passive(&f);
        if (!(fabs(error / f.worst - 1.0) <= 0.05) && !(error <= LAYER_FIT_TARGET))
            fail_msg("wall %d: %g, reported %g", i, error, f.worst);
        if (!(fabs(error_at(&f, &wall, clock, f.worst_frequency) - f.worst) <= 1e-9))
            fail_msg("wall %d: not %g at %g Hz", i, f.worst, f.worst_frequency);
        within.reflection += error <= 0.02;
        within.loss += largest_loss_error(&f, &wall, clock) <= 0.05;
        worst = nan_max(worst, error);
        entries += (double)f.branch_count;
    }
    print_message("to %4.0f Hz at %5.0f Hz%s: %d of %d within 0.02, worst %.4f, Re Y of %d within 5 %%, %.2f entries\n",
                  clock->edge, clock->rate, clock->mapped ? ", mapped" : "", within.reflection, walls, worst,
                  within.loss, entries / walls);
    return within;
}

/* |ΔR| alone would leave Re Y of 30 walls off. Sheets before a gap have dips that mapped grids cannot follow. */
static void assert_reached(const struct wall_discretization *clock)
{
    const int walls = case_count(WALLS);
    struct random r = fixed_seed();
    const struct reached within = reached(&r, walls, clock);
    assert_true(within.reflection >= walls - 2);
    assert_true(within.loss >= walls - 6);
}

/* ---- Tests ---- */

static const double edges[] = {700.0, 2800.0}; /* Hz */
enum { EDGES = sizeof edges / sizeof *edges };

static void random_constructions_are_fitted_in_the_continuum(void **state)
{
    (void)state;
    for (int k = 0; k < EDGES; k++)
        assert_reached(&(struct wall_discretization){0.0, false, edges[k]});
}

static void they_are_fitted_on_mapped_grids(void **state)
{
    (void)state;
    for (int k = 0; k < EDGES; k++)
        assert_reached(&(struct wall_discretization){RATE_19_POINT * edges[k], true, edges[k]});
}

static void they_are_fitted_on_coarse_and_fine_7_point_grids(void **state)
{
    (void)state;
    assert_reached(&(struct wall_discretization){RATE_7_POINT * 1400.0, false, 1400.0});
    assert_reached(&(struct wall_discretization){RATE_7_POINT_FINE * 1400.0, false, 1400.0});
}

static void other_random_constructions_are_fitted_as_well(void **state)
{
    (void)state;
    struct random r = random_cases(__func__);
    const struct wall_discretization clock = {RATE_19_POINT * 1400.0, true, 1400.0};
    const int walls = 2 * KINDS;
    const struct reached within = reached(&r, walls, &clock);
    assert_true(within.reflection >= walls - 2);
    assert_true(within.loss >= walls - 6);
}

/* A spring on a mapped grid: no passive wall follows both parts of γY, and its losses come first. */
static void a_thin_carpet_keeps_its_absorption(void **state)
{
    (void)state;
    const struct layered_wall wall = {.layers = {{.kind = LAYER_POROUS, .thickness = 0.006, .flow_resistivity = 2e4}},
                                      .count = 1,
                                      .sound_speed = SOUND_SPEED,
                                      .density = DENSITY};
    for (int k = 0; k < EDGES; k++) {
        const struct wall_discretization clock = {RATE_19_POINT * edges[k], true, edges[k]};
        const struct layer_fit f = fit_of(&wall, &clock);
        assert_true(largest_error(&f, &wall, &clock) <= 0.02);
        assert_true(largest_loss_error(&f, &wall, &clock) <= 0.05);
    }
}

static void a_wall_of_no_layers_is_rigid(void **state)
{
    (void)state;
    const struct layered_wall wall = {.sound_speed = SOUND_SPEED, .density = DENSITY};
    const struct layer_fit f = fit_of(&wall, &(struct wall_discretization){0.0, false, 1000.0});
    assert_int_equal(f.branch_count, 0);
    assert_true(f.worst <= 1e-12);
}

static void a_stop_ends_the_fit(void **state)
{
    (void)state;
    struct random r = fixed_seed();
    const struct layered_wall wall = construction(&r, 1);
    struct layer_fit f;
    struct error e = {0};
    stop_work(true);
    const int status = layer_fit_make(&f, &wall, &(struct wall_discretization){0.0, false, 2800.0}, &e);
    stop_work(false);
    assert_int_not_equal(status, 0);
    assert_int_equal(e.code, ERROR_STOPPED);
    assert_true(f.evaluations <= 200);
}

struct work {
    struct layered_wall wall;
    struct layer_fit fit;
};

static void *fit_in_thread(void *work)
{
    struct work *w = work;
    return layer_fit_make(&w->fit, &w->wall, &(struct wall_discretization){3000.0, false, 500.0}, NULL) ? work : NULL;
}

static void fits_have_the_same_bits_in_any_thread(void **state)
{
    (void)state;
    struct random r = fixed_seed();
    struct work works[KINDS];
    pthread_t threads[KINDS];
    for (int i = 0; i < KINDS; i++) {
        works[i].wall = construction(&r, i);
        assert_int_equal(pthread_create(&threads[i], NULL, fit_in_thread, &works[i]), 0);
    }
    for (int i = 0; i < KINDS; i++) {
        void *failed;
        assert_int_equal(pthread_join(threads[i], &failed), 0);
        assert_null(failed);
        const struct layer_fit again = fit_of(&works[i].wall, &(struct wall_discretization){3000.0, false, 500.0});
        assert_memory_equal(&again, &works[i].fit, sizeof again);
    }
}

/* ---- Rounding ---- */

enum { CELLS = 30, STEPS = 100000, LAST = 10000 };

/* The pressure at one end of a rigid tube, with the wall at the other. */
static void run_tube(const struct layer_fit *f, double rate, bool corners, enum precision precision, double *taps)
{
    struct scene s;
    struct error e = {0};
    struct branch steps[BRANCHES_MAX];
    double *pulse = calloc(STEPS, sizeof *pulse);
    assert_non_null(pulse);
    for (size_t m = 0; m < f->branch_count; m++) {
        const struct branch *b = &f->branches[m];
        steps[m] = (struct branch){b->inertance * rate, b->resistance, b->stiffness / rate, b->tanks};
    }
    pulse[0] = 1.0;
    pulse[1] = -1.0;
    if (scene_box(&s, CELLS, 1, 1, precision, &e))
        fail_msg("%s", e.message);
    if (corners)
        scene_use_corners(&s);
    s.outside[FACE_X_MAX] = CELL_SOLID + 1;
    if (f->branch_count)
        scene_branches(&s, 1, steps, f->branch_count);
    scene_drive(&s, scene_point(&s, 1, 0, 0), 1.0);
    for (size_t y = 0; y < 2 && corners; y++)
        for (size_t z = 0; z < 2; z++)
            if (y + z > 0)
                scene_extend(&s.drives[0], scene_point(&s, 1, y, z), 1.0, 1);
    scene_tap(&s, scene_point(&s, CELLS - 1, 0, 0), 1.0);
    const struct solver_options options = {.engine = "cpu", .threads = 1};
    if (scene_run(&s, &options, STEPS, pulse, taps, &e))
        fail_msg("%s", e.message);
    scene_free(&s);
    free(pulse);
}

/* What single precision adds in the last steps, relative to the largest: of changes from step to
 * step, since the constant pressure of a closed tube drifts with any wall. */
static double rounding_of(const struct layer_fit *f, double rate, bool corners)
{
    double *single = malloc(2 * STEPS * sizeof *single), *precise = single + STEPS, peak = 0.0, sum = 0.0;
    assert_non_null(single);
    run_tube(f, rate, corners, PRECISION_SINGLE, single);
    run_tube(f, rate, corners, PRECISION_DOUBLE, precise);
    for (size_t i = 1; i < STEPS; i++) {
        const double change = precise[i] - precise[i - 1], off = single[i] - single[i - 1] - change;
        peak = nan_max(peak, fabs(change));
        sum += i >= STEPS - LAST ? off * off : 0.0;
    }
    free(single);
    return sqrt(sum / LAST) / peak;
}

/* The loudest rounding that passes: some times that of a rigid tube. */
static double allowed(bool corners)
{
    const struct layer_fit rigid = {.branch_count = 0};
    return 4.0 * rounding_of(&rigid, RATE, corners);
}

static void rounding_does_not_gather_in_fitted_walls(void **state)
{
    (void)state;
    struct random r = fixed_seed();
    const double bounds[2] = {allowed(false), allowed(true)};
    for (int i = 0; i < KINDS; i++) {
        const bool corners = i % 2;
        const double edge = RATE / (corners ? RATE_19_POINT : RATE_7_POINT);
        const struct layered_wall wall = construction(&r, i);
        const struct layer_fit f = fit_of(&wall, &(struct wall_discretization){RATE, corners, edge});
        const double rounding = rounding_of(&f, RATE, corners);
        if (!(rounding <= bounds[corners]))
            fail_msg("wall %d: %g of the peak, more than %g", i, rounding, bounds[corners]);
    }
}

static struct layer_fit as_fit(const struct circuit *c)
{
    const struct circuit_limits limits = {2.0 * RATE / (2.0 * M_PI * CIRCUIT_UNIT)};
    struct layer_fit f = {.branch_count = c->count};
    circuit_final_elements(c, &limits, f.branches);
    for (size_t m = 0; m < c->count; m++) {
        f.branches[m].inertance /= 2.0 * M_PI * CIRCUIT_UNIT;
        f.branches[m].stiffness *= 2.0 * M_PI * CIRCUIT_UNIT;
    }
    return f;
}

/* Without their least resistances these gather one and a half to nine times as much rounding as passes here. -12: absent. */
static void springs_and_tanks_without_losses_gather_no_rounding(void **state)
{
    (void)state;
    static const struct circuit circuits[] = {
        {1, {0}, {-12.0, -12.0, 0.0}},                                          /* a spring */
        {2, {1, 0}, {-12.0, -12.0, -12.0, 0.0, -12.0, -12.0}},                  /* a tank's compliance is one */
        {2, {1, 0}, {0.0, -12.0, 0.0, -12.0, -12.0, 1.0}},                      /* a mass before a tank's inertance */
        {3, {2, 0, 0}, {-3.0, -12.0, 0.0, 0.0, -12.0, 2.0, -12.0, -12.0, 2.0}}, /* and beside a resonance */
    };
    for (int corners = 0; corners < 2; corners++) {
        const double bound = allowed(corners);
        for (size_t i = 0; i < sizeof circuits / sizeof *circuits; i++) {
            const struct layer_fit f = as_fit(&circuits[i]);
            const double rounding = rounding_of(&f, RATE, corners);
            if (!(rounding <= bound))
                fail_msg("circuit %zu: %g of the peak, more than %g", i, rounding, bound);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_constructions_are_fitted_in_the_continuum),
        cmocka_unit_test(they_are_fitted_on_mapped_grids),
        cmocka_unit_test(they_are_fitted_on_coarse_and_fine_7_point_grids),
        cmocka_unit_test(other_random_constructions_are_fitted_as_well),
        cmocka_unit_test(a_thin_carpet_keeps_its_absorption),
        cmocka_unit_test(a_wall_of_no_layers_is_rigid),
        cmocka_unit_test(a_stop_ends_the_fit),
        cmocka_unit_test(fits_have_the_same_bits_in_any_thread),
        cmocka_unit_test(rounding_does_not_gather_in_fitted_walls),
        cmocka_unit_test(springs_and_tanks_without_losses_gather_no_rounding),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
