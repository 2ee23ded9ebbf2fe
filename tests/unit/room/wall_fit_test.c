/* SPDX-License-Identifier: MIT */
/* Walls with branches: their absorption, and how closely it fits absorption in octave bands. */
#include <complex.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/nan_max.h"
#include "room/grid/absorption.h"
#include "room/grid/wall_fit.h"
#include "room/room.h"
#include "support/random_cases.h"

#include <cmocka.h>

enum { SPECTRA = 40 };

static double complex complex_of(double real, double imaginary)
{
    return real + I * imaginary;
}

/* Mean of 1 - |R|² over the angle, weighted with sin 2θ: Simpson's rule. */
static double integrated_absorption(double complex impedance)
{
    enum { INTERVALS = 20000 };
    double sum = 0.0, step = M_PI_2 / INTERVALS;
    for (int i = 0; i <= INTERVALS; i++) {
        double angle = i * step;
        double complex reflection = (impedance * cos(angle) - 1.0) / (impedance * cos(angle) + 1.0);
        double weight = i == 0 || i == INTERVALS ? 1.0 : i % 2 ? 4.0 : 2.0;
        sum += weight * (1.0 - creal(reflection * conj(reflection))) * sin(2.0 * angle);
    }
    return sum * step / 3.0;
}

static double complex random_impedance(struct random *r, double min, double max)
{
    double magnitude = min * pow(max / min, random_unit(r)), phase = M_PI * (random_unit(r) - 0.5);
    return complex_of(magnitude * cos(phase), magnitude * sin(phase));
}

static void absorption_of_a_complex_impedance_is_the_integral_over_the_angle(void **state)
{
    (void)state;
    struct random r = random_cases(__func__);
    double worst = 0.0;
    for (int i = 0; i < 300; i++) {
        double complex impedance = i % 2 ? random_impedance(&r, 0.001, 50.0) : random_impedance(&r, 0.05, 0.2);
        double closed = complex_incidence_absorption(1.0 / impedance, NULL);
        worst = nan_max(worst, fabs(closed - integrated_absorption(impedance)));
    }
    print_message("closed form against integral: %.2g\n", worst);
    assert_true(worst < 1e-8);
}

static void absorption_of_a_nearly_real_admittance_is_that_of_the_real_one(void **state)
{
    (void)state;
    for (double g = 1e-9; g < 9.0; g *= 1.7)
        for (double b = 1e-4; b > 1e-300; b *= 1e-3) {
            double real = random_incidence_absorption(g);
            assert_true(fabs(complex_incidence_absorption(g, NULL) - real) < 1e-12);
            double beside = complex_incidence_absorption(complex_of(g, b * g), NULL);
            assert_true(fabs(beside - real) <= 2.0 * b * b * real + 1e-12);
            assert_true(beside == complex_incidence_absorption(complex_of(g, -b * g), NULL));
        }
    assert_true(complex_incidence_absorption(0.0, NULL) == 0.0);
    assert_true(complex_incidence_absorption(complex_of(0.0, 1.0), NULL) == 0.0);
    assert_true(complex_incidence_absorption(1e-300, NULL) < 1e-298);
    assert_true(fabs(complex_incidence_absorption(1e30, NULL) * 1e30 - 8.0 / 3.0) < 1e-12);
    assert_true(isnan(complex_incidence_absorption(complex_of(NAN, 0.0), NULL)));
}

static void slopes_are_those_of_the_absorption(void **state)
{
    (void)state;
    struct random r = random_cases(__func__);
    for (int i = 0; i < 2000; i++) {
        double complex y = 1.0 / random_impedance(&r, 0.2, 1000.0);
        double slope[2], none[2], step = 1e-5 * cabs(y);
        if (i % 10 == 0)
            y = complex_of(creal(y), 0.0);
        complex_incidence_absorption(y, slope);
        double by_g = complex_incidence_absorption(y + step, none) - complex_incidence_absorption(y - step, none);
        double by_b =
            complex_incidence_absorption(y + step * I, none) - complex_incidence_absorption(y - step * I, none);
        if (creal(y) < 2.0 * step)
            continue;
        assert_true(fabs(by_g / (2.0 * step) - slope[0]) < 1e-4 * (1.0 + fabs(slope[0])));
        assert_true(fabs(by_b / (2.0 * step) - slope[1]) < 1e-4 * (1.0 + fabs(slope[1])));
    }
}

static void octave_mean_is_the_mean_of_what_the_grid_sees(void **state)
{
    (void)state;
    const struct branch branches[] = {{2e-4, 3.0, 4e3, 0}, {1e-4, 5.0, 9e3, 0}};
    const double rates[] = {0.0, 12000.0};
    for (size_t k = 0; k < 2; k++) {
        double mean = 0.0, rate = rates[k];
        for (int i = 0; i < 20000; i++) {
            double f = 1000.0 * pow(2.0, (i + 0.5) / 20000.0 - 0.5);
            double w = rate > 0.0 ? 2.0 * rate * tan(M_PI * f / rate) : 2.0 * M_PI * f;
            double complex y = 0.0;
            for (size_t m = 0; m < 2; m++)
                y += 1.0 / (I * w * branches[m].inertance + branches[m].resistance + branches[m].stiffness / (I * w));
            mean += complex_incidence_absorption(y, NULL) / 20000.0;
        }
        const struct wall_discretization clock = {.rate = rate};
        const struct admittance y = {0.0, branches, 2};
        assert_true(fabs(octave_mean_absorption(&y, 1000.0, &clock) - mean) < 1e-5);
    }
    const struct branch resistance = {0.0, 1.0 / 0.1035, 0.0, 0};
    const struct wall_discretization continuum = {.rate = 0.0}, slow = {.rate = 2.0 * M_SQRT2 * 1000.0};
    const struct admittance real = {0.1035, NULL, 0}, same = {0.0, &resistance, 1}, rigid = {0.0, NULL, 0},
                            two = {0.0, branches, 2};
    assert_true(fabs(octave_mean_absorption(&same, 63.0, &continuum) - random_incidence_absorption(0.1035)) < 1e-12);
    assert_true(fabs(octave_mean_absorption(&real, 63.0, &continuum) - random_incidence_absorption(0.1035)) < 1e-12);
    assert_true(octave_mean_absorption(&rigid, 63.0, &continuum) == 0.0);
    assert_true(isnan(octave_mean_absorption(&two, 1000.0, &slow)));
}

static void assert_passive(const struct wall_fit *f)
{
    assert_true(f->wall.branch_count <= BRANCHES_MAX);
    assert_true(f->wall.real >= 0.0 && f->wall.real <= 0.638 && !f->wall.fixed);
    for (size_t m = 0; m < f->wall.branch_count; m++) {
        const struct branch *b = &f->wall.branches[m];
        assert_true(b->inertance >= 0.0 && b->resistance >= 0.0 && b->stiffness >= 0.0);
        assert_true(isfinite(b->inertance) && isfinite(b->resistance) && isfinite(b->stiffness));
        assert_true(b->inertance + b->resistance + b->stiffness > 0.0);
    }
    for (size_t b = 0; b < OCTAVE_BANDS; b++) {
        assert_true(f->fitted[b] >= 0.0 && f->fitted[b] < 0.952);
        assert_true(fabs(f->fitted[b] - f->target[b]) <= f->worst);
    }
    assert_true(fabs(f->fitted[f->worst_band] - f->target[f->worst_band]) == f->worst);
}

static struct wall_fit fit(const double *absorption, bool always)
{
    struct wall_fit f;
    struct error e = {0};
    if (wall_fit_make(&f, absorption, always, &e))
        fail_msg("%s", e.message);
    assert_passive(&f);
    return f;
}

/* A room with a box of every material of the library, which begin their lines with two spaces, a name and " =".
 * Classes of scattering come after them. */
static struct room *library_room(void)
{
    char path[] = "/tmp/aula-walls-XXXXXX", line[512], name[64];
    int descriptor = mkstemp(path);
    assert_true(descriptor >= 0);
    FILE *room_file = fdopen(descriptor, "w"), *library = fopen(SOURCE_FOLDER "/rooms/materials.cfg", "r");
    assert_true(room_file && library);
    const char *before = "";
    fprintf(room_file, "room: { size = [5.0, 4.0, 3.0]; walls: { default = \"rigid\"; }; objects: (\n");
    while (fgets(line, sizeof line, library) && strncmp(line, "scattering_classes", 18) != 0) {
        int end = 0;
        if (sscanf(line, "  %63[a-z0-9_] =%n", name, &end) == 1 && line[2] != ' ' && end > 0 && line[end] == '\n') {
            fprintf(room_file, "%s{ shape = \"box\"; from = [1.0,1.0,0.0]; to = [2.0,2.0,1.0]; material = \"%s\"; }\n",
                    before, name);
            before = ",";
        }
    }
    fprintf(room_file, "); };\ngrid: { rate = 8000.0; };\ntime: { duration = 0.1; };\n"
                       "sources: ( { name = \"S\"; position = [3.0,3.0,2.0]; } );\n"
                       "receivers: ( { name = \"R\"; position = [4.0,3.0,2.0]; } );\n");
    fclose(library);
    assert_int_equal(fclose(room_file), 0);
    struct room *room;
    struct error e = {0};
    if (room_read(&room, path, NULL, 0, &e))
        print_error("%s\n", e.message);
    unlink(path);
    assert_non_null(room);
    return room;
}

static double absorbed(const struct wall_fit *f, double frequency)
{
    return complex_incidence_absorption(wall_admittance_at(&f->wall, frequency), NULL);
}

/* How far both means are off in the worst octave, and how far the absorption rises above the larger of the targets at
 * the centres to either side. */
struct quality {
    double logarithmic, linear, overshoot;
};

static struct quality quality_of(const struct wall_fit *f, const double *absorption)
{
    enum { LOOKED_AT = 500 };
    struct quality q = {0.0, 0.0, 0.0};
    for (size_t b = 0; b < OCTAVE_BANDS; b++) {
        double logarithmic = 0.0, linear = 0.0, weight = 0.0;
        for (int i = 0; i < LOOKED_AT; i++) {
            const double offset = (i + 0.5) / LOOKED_AT - 0.5, frequency = octave_band_centre[b] * exp2(offset);
            const double here = absorbed(f, frequency);
            const size_t other = offset > 0.0 ? (b + 1 < OCTAVE_BANDS ? b + 1 : b) : (b > 0 ? b - 1 : b);
            logarithmic += here / LOOKED_AT;
            linear += here * frequency;
            weight += frequency;
            q.overshoot = nan_max(q.overshoot, here - fmin(fmax(absorption[b], absorption[other]), ABSORPTION_MAX));
        }
        const double target = fmin(absorption[b], ABSORPTION_MAX);
        q.logarithmic = nan_max(q.logarithmic, fabs(logarithmic - target));
        q.linear = nan_max(q.linear, fabs(linear / weight - target));
    }
    return q;
}

/* A few take more branches than one an octave and one above; nothing else may, for the sake of the speed. */
static bool may_be_dense(const char *name)
{
    static const char *const steep[] = {
        "helmholtz_panel", "folded_curtain", "mineral_wool",       "egg_boxes",
        "curtain",         "melamine_foam",  "acoustic_tile_19mm", "perforated_metal_ceiling"};
    for (size_t i = 0; i < sizeof steep / sizeof *steep; i++)
        if (!strcmp(name, steep[i]))
            return true;
    return false;
}

static void every_material_of_the_library_is_followed(void **state)
{
    (void)state;
    struct room *room = library_room();
    size_t count = 0, dense = 0;
    struct quality worst = {0.0, 0.0, 0.0};
    for (size_t i = 0; i < room->material_count; i++) {
        const struct material *material = &room->materials[i];
        if (material->kind != MATERIAL_ABSORPTION)
            continue;
        const struct wall_fit f = fit(material->absorption, false);
        const struct quality q = quality_of(&f, material->absorption);
        const bool more = f.wall.branch_count > OCTAVE_BANDS + 1;
        if (!(q.logarithmic <= 0.02 && q.linear <= 0.02 && q.overshoot <= 0.05) ||
            (more && !may_be_dense(material->name)))
            fail_msg("%s, %zu branches: means %.4f and %.4f off, %.4f too high between", material->name,
                     f.wall.branch_count, q.logarithmic, q.linear, q.overshoot);
        worst.logarithmic = nan_max(worst.logarithmic, q.logarithmic);
        worst.linear = nan_max(worst.linear, q.linear);
        worst.overshoot = nan_max(worst.overshoot, q.overshoot);
        dense += more;
        count++;
    }
    print_message("means %.4f and %.4f off, %.4f too high between, %zu of %zu with more branches\n", worst.logarithmic,
                  worst.linear, worst.overshoot, dense, count);
    assert_true(count >= 113);
    room_free(room);
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Wild: each band anything from 0 to 1.2. Smooth: steps of at most .2 from band to band. */
static void random_spectrum(struct random *r, bool wild, double *absorption)
{
    double value = random_unit(r);
    for (int b = 0; b < OCTAVE_BANDS; b++) {
        absorption[b] = wild ? 1.2 * random_unit(r) : value;
        value = fmin(fmax(value + 0.4 * (random_unit(r) - 0.5), 0.01), 1.0);
    }
}

/* Fills worst [SPECTRA], sorted. */
static void fit_spectra(struct random *r, bool wild, double *worst)
{
    double absorption[OCTAVE_BANDS];
    print_message("seed %llu\n", (unsigned long long)r->state);
    for (int i = 0; i < SPECTRA; i++) {
        random_spectrum(r, wild, absorption);
        worst[i] = fit(absorption, false).worst;
    }
    qsort(worst, SPECTRA, sizeof *worst, ascending);
    print_message("%s spectra: median %.4f, 90 %% %.4f, 99 %% %.4f, worst %.4f\n", wild ? "wild" : "smooth",
                  worst[SPECTRA / 2], worst[SPECTRA * 9 / 10], worst[SPECTRA * 99 / 100], worst[SPECTRA - 1]);
}

static void smooth_spectra_are_followed(void **state)
{
    (void)state;
    double worst[SPECTRA];
    struct random r = random_cases(__func__);
    fit_spectra(&r, false, worst);
    assert_true(worst[SPECTRA / 2] <= 0.01);
    assert_true(worst[SPECTRA * 9 / 10] <= 0.02);
    assert_true(worst[SPECTRA - 1] <= 0.1);
}

static void wild_spectra_give_a_wall_and_say_how_far_it_is_off(void **state)
{
    (void)state;
    double worst[SPECTRA];
    struct random r = random_cases(__func__);
    fit_spectra(&r, true, worst);
    assert_true(worst[SPECTRA - 1] < 0.952);
}

static void equal_bands_give_the_exact_real_admittance(void **state)
{
    (void)state;
    const double flat[] = {1e-6, 0.02, 0.1, 0.5, 0.9, 0.95};
    double absorption[OCTAVE_BANDS];
    for (size_t k = 0; k < sizeof flat / sizeof *flat; k++) {
        for (int b = 0; b < OCTAVE_BANDS; b++)
            absorption[b] = flat[k];
        struct wall_fit f = fit(absorption, false);
        assert_int_equal(f.wall.branch_count, 0);
        assert_true(fabs(random_incidence_absorption(f.wall.real) - flat[k]) < 1e-12);
        assert_true(f.worst < 1e-12);
    }
    for (int b = 0; b < OCTAVE_BANDS; b++)
        absorption[b] = 1.0 + 0.01 * b; /* all clamped to the same */
    struct wall_fit max = fit(absorption, false);
    assert_true(max.wall.branch_count == 0 && max.wall.real > 0.6 && max.worst < 1e-9);
    memset(absorption, 0, sizeof absorption);
    for (int always = 0; always < 2; always++) {
        struct wall_fit f = fit(absorption, always);
        assert_true(f.wall.branch_count == 0 && f.wall.real == 0.0 && f.worst == 0.0);
    }
}

static double ripple(const struct wall_fit *f, double target)
{
    double worst = 0.0, low = octave_band_centre[0] / M_SQRT2, high = octave_band_centre[OCTAVE_BANDS - 1] * M_SQRT2;
    for (int i = 0; i <= 1000; i++)
        worst = nan_max(worst, fabs(absorbed(f, low * pow(high / low, i / 1000.0)) - target));
    return worst;
}

static void branches_of_equal_bands_ripple_little(void **state)
{
    (void)state;
    const double flat[] = {0.1, 0.3, 0.5, 0.9};
    double absorption[OCTAVE_BANDS];
    for (size_t k = 0; k < sizeof flat / sizeof *flat; k++) {
        for (int b = 0; b < OCTAVE_BANDS; b++)
            absorption[b] = flat[k];
        struct wall_fit f = fit(absorption, true);
        const double max = ripple(&f, flat[k]);
        print_message("%.1f: ripple %.4f, means %.5f off\n", flat[k], max, f.worst);
        assert_true(f.wall.branch_count > 0);
        assert_true(f.worst <= 0.005);
        assert_true(max <= 0.03 * flat[k]);
    }
}

static void extreme_values_give_passive_walls(void **state)
{
    (void)state;
    const double values[] = {0.0, 5e-324, 1e-300, 1e-12, 1e-6, 1e-3, 0.5, 0.95, 1.2, 1e300};
    enum { VALUES = sizeof values / sizeof *values };
    double absorption[OCTAVE_BANDS];
    for (size_t i = 0; i < VALUES; i++)
        for (size_t j = 0; j < VALUES; j++) {
            for (size_t b = 0; b < OCTAVE_BANDS; b++)
                absorption[b] = b % 3 ? values[i] : values[j];
            fit(absorption, true);
            fit(absorption, false);
        }
}

static void next_to_nothing_is_followed_in_proportion(void **state)
{
    (void)state;
    double absorption[] = {0.15, 0.15, 0.7, 0.6, 0.2, 0.1, 0.3, 0.3};
    for (int b = 0; b < OCTAVE_BANDS; b++)
        absorption[b] *= 1e-6;
    assert_true(fit(absorption, false).worst <= 0.02e-6);
}

static void the_same_input_gives_the_same_bits(void **state)
{
    (void)state;
    const double absorption[] = {0.25, 0.25, 0.96, 0.66, 0.26, 0.16, 0.10, 0.10};
    struct wall_fit one = fit(absorption, false), two = fit(absorption, false);
    assert_int_equal(one.wall.branch_count, two.wall.branch_count);
    assert_memory_equal(one.wall.branches, two.wall.branches, one.wall.branch_count * sizeof *one.wall.branches);
    assert_memory_equal(one.fitted, two.fitted, sizeof one.fitted);
}

static void refuse(const double *absorption, const char *fragment)
{
    struct wall_fit f;
    struct error e = {0};
    assert_int_equal(wall_fit_make(&f, absorption, false, &e), -1);
    assert_int_equal(e.code, ERROR_INPUT);
    assert_non_null(strstr(e.message, fragment));
}

static void nonsense_is_refused(void **state)
{
    (void)state;
    double absorption[OCTAVE_BANDS] = {0.1, 0.2, 0.3, 0.4, 0.5, 0.4, 0.3, 0.2};
    absorption[3] = -1e-9;
    refuse(absorption, "500 Hz");
    absorption[3] = NAN;
    refuse(absorption, "500 Hz");
    absorption[3] = INFINITY;
    refuse(absorption, "500 Hz");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(absorption_of_a_complex_impedance_is_the_integral_over_the_angle),
        cmocka_unit_test(absorption_of_a_nearly_real_admittance_is_that_of_the_real_one),
        cmocka_unit_test(slopes_are_those_of_the_absorption),
        cmocka_unit_test(octave_mean_is_the_mean_of_what_the_grid_sees),
        cmocka_unit_test(every_material_of_the_library_is_followed),
        cmocka_unit_test(smooth_spectra_are_followed),
        cmocka_unit_test(wild_spectra_give_a_wall_and_say_how_far_it_is_off),
        cmocka_unit_test(equal_bands_give_the_exact_real_admittance),
        cmocka_unit_test(branches_of_equal_bands_ripple_little),
        cmocka_unit_test(extreme_values_give_passive_walls),
        cmocka_unit_test(next_to_nothing_is_followed_in_proportion),
        cmocka_unit_test(the_same_input_gives_the_same_bits),
        cmocka_unit_test(nonsense_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
