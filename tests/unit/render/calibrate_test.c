/* SPDX-License-Identifier: MIT */
/* Calibration: posteriors against closed forms, slopes against differences, twins, audits and room files. */
#include "base/file.h"
#include "render/calibrate/room_text.h"
#include "render/calibrate/sensitivity.h"
#include "support/random_cases.h"
#include "validate/calibrate/twin_room.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void assert_near(double measured, double expected, double tolerance)
{
    if (!(fabs(measured - expected) <= tolerance))
        fail_msg("%g is not within %g of %g", measured, tolerance, expected);
}

static void absorption_and_its_logarithm_are_inverse_within_limits(void **state)
{
    (void)state;
    for (double alpha = 0.002; alpha < 0.95; alpha *= 1.3)
        assert_near(calibrate_absorption(calibrate_log_exponent(alpha)), alpha, 1e-12);
    assert_near(calibrate_absorption(calibrate_log_exponent(1.2)), CALIBRATE_LARGEST, 1e-12);
    assert_near(calibrate_absorption(calibrate_log_exponent(0.0)), CALIBRATE_LEAST, 1e-12);
    assert_near(calibrate_absorption(9.0), CALIBRATE_LARGEST, 1e-12);
}

static void hard_walls_are_the_uncertain_ones(void **state)
{
    (void)state;
    assert_near(calibrate_prior_deviation(0.02, 4), (0.04 * 0.02 + 0.015) / (0.98 * -log(0.98)), 1e-12);
    assert_near(calibrate_prior_deviation(0.02, 4), 0.8, 0.01);
    assert_near(calibrate_prior_deviation(0.3, 4), 0.15, 1e-12);                                     /* the least */
    assert_near(calibrate_prior_deviation(0.1, 0), (0.45 * 0.1 + 0.015) / (0.9 * -log(0.9)), 1e-12); /* the ends of */
    assert_near(calibrate_prior_deviation(0.1, 7), (0.026 * 0.1 + 0.06) / (0.9 * -log(0.9)), 1e-12); /* the table */
    assert_true(calibrate_prior_deviation(0.1, 1) > calibrate_prior_deviation(0.1, 4));
}

static const struct calibrate_octave two_materials = {.materials = 2,
                                                      .data = 3,
                                                      .prior = {-2.0, -1.0},
                                                      .prior_deviation = {0.5, 0.3},
                                                      .measured = {0.1, NAN, 5.0},
                                                      .deviation = {0.04, 0.04, 0.0},
                                                      .common = {0.03, 0.03, 0.03}};

/* One datum that counts: gain P Jᵀ/(J P Jᵀ + σ² + γ²). */
static void one_datum_moves_materials_by_their_gains(void **state)
{
    (void)state;
    const struct calibrate_prediction f = {.value = {0.2, 0.2, 0.2}, .slope = {{-0.6, -0.3}}};
    const double noise = 0.04 * 0.04 + 0.03 * 0.03, s = 0.36 * 0.25 + 0.09 * 0.09 + noise;
    struct calibrate_posterior p;
    struct error e;
    assert_int_equal(calibrate_update(&p, &two_materials, &f, two_materials.prior, &e), 0);
    assert_int_equal(p.used, 1); /* neither NaN nor a datum that is held out */
    assert_near(p.value[0], -2.0 + 0.25 * -0.6 / s * -0.1, 1e-12);
    assert_near(p.value[1], -1.0 + 0.09 * -0.3 / s * -0.1, 1e-12);
    assert_near(p.covariance[0][0], 0.25 - pow(0.25 * -0.6, 2.0) / s, 1e-12);
    assert_near(p.covariance[0][1], -0.25 * 0.6 * 0.09 * 0.3 / s, 1e-12);
    assert_near(p.chi_squared, 0.01 / noise, 1e-9);
}

static void without_data_the_posterior_is_the_prior(void **state)
{
    (void)state;
    const struct calibrate_prediction f = {.value = {NAN, NAN, NAN}, .slope = {{-0.6, -0.3}}};
    struct calibrate_posterior p;
    struct error e;
    assert_int_equal(calibrate_update(&p, &two_materials, &f, two_materials.prior, &e), 0);
    assert_int_equal(p.used, 0);
    for (size_t m = 0; m < 2; m++) {
        assert_near(p.value[m], two_materials.prior[m], 0.0);
        assert_near(calibrate_remaining(&p, &two_materials, m), 1.0, 0.0);
    }
}

static void slopes_that_are_not_finite_are_an_error(void **state)
{
    (void)state;
    const struct calibrate_prediction f = {.value = {0.2, 0.2, 0.2}, .slope = {{NAN, -0.3}}};
    struct calibrate_posterior p;
    struct error e;
    assert_int_not_equal(calibrate_update(&p, &two_materials, &f, two_materials.prior, &e), 0);
    assert_int_equal(e.code, ERROR_FAILED);
}

/* In a diffuse field all receivers tell the same combination of materials, and nothing else. */
static void a_diffuse_field_tells_one_combination(void **state)
{
    struct random r = random_cases("calibrate: combination");
    struct twin_room *t = malloc(sizeof *t);
    struct calibrate_prediction *f = calloc(TWIN_OCTAVES, sizeof *f);
    double time[TWIN_OCTAVES][TWIN_RECEIVERS];
    struct calibrate_posterior p;
    struct calibrate_combination all[CALIBRATE_MATERIALS];
    struct error e;
    (void)state;
    twin_room_draw(t, &r);
    twin_diffuse(t, f, (const double(*)[CALIBRATE_MATERIALS])t->hidden, &e);
    for (size_t k = 0; k < TWIN_OCTAVES; k++)
        for (size_t i = 0; i < TWIN_RECEIVERS; i++)
            time[k][i] = exp(f[k].value[calibrate_index(i, CALIBRATE_T20)]);
    twin_room_measure(t, time, &r);
    for (size_t k = 0; k < TWIN_OCTAVES; k++) {
        const struct calibrate_octave *o = &t->task.problem[k];
        const double *slope = f[k].slope[calibrate_index(0, CALIBRATE_T20)];
        double length = 0.0, along = 0.0;
        assert_int_equal(calibrate_update(&p, o, &f[k], t->hidden[k], &e), 0);
        assert_int_equal(p.used, TWIN_FITTED);
        calibrate_combinations(all, &p, o);
        assert_true(all[0].remaining < 0.7);
        for (size_t m = 0; m < TWIN_MATERIALS; m++) {
            length += pow(slope[m] * o->prior_deviation[m], 2.0);
            along += -slope[m] * o->prior_deviation[m] * all[0].weight[m];
            if (m)
                assert_near(all[m].remaining, 1.0, 1e-9);
        }
        assert_near(along, sqrt(length), 1e-9);
    }
    free(t);
    free(f);
}

static void slopes_of_a_diffuse_field_are_its_differences(void **state)
{
    static const double step = 1e-5;
    struct random r = random_cases("calibrate: slopes");
    struct twin_room *t = malloc(sizeof *t);
    struct calibrate_prediction *f = calloc(3 * TWIN_OCTAVES, sizeof *f);
    struct error e;
    (void)state;
    twin_room_draw(t, &r);
    twin_diffuse(t, f, (const double(*)[CALIBRATE_MATERIALS])t->hidden, &e);
    for (size_t m = 0; m < TWIN_MATERIALS; m++)
        for (size_t k = 0; k < TWIN_OCTAVES; k++) {
            const size_t i = calibrate_index(0, CALIBRATE_T20);
            const double middle = t->hidden[k][m];
            t->hidden[k][m] = middle + step;
            twin_diffuse(t, f + TWIN_OCTAVES, (const double(*)[CALIBRATE_MATERIALS])t->hidden, &e);
            t->hidden[k][m] = middle - step;
            twin_diffuse(t, f + 2 * TWIN_OCTAVES, (const double(*)[CALIBRATE_MATERIALS])t->hidden, &e);
            t->hidden[k][m] = middle;
            assert_near(f[k].slope[i][m],
                        (f[TWIN_OCTAVES + k].value[i] - f[2 * TWIN_OCTAVES + k].value[i]) / (2 * step), 1e-6);
        }
    for (double time = 0.2; time < 4.0; time *= 1.5) {
        const double high = 10.0 * log10(expm1(6.0 * log(10.0) * 0.08 / (time * exp(step)))),
                     low = 10.0 * log10(expm1(6.0 * log(10.0) * 0.08 / (time * exp(-step))));
        assert_near(calibrate_clarity_slope(time), (high - low) / (2.0 * step), 1e-4);
    }
    free(t);
    free(f);
}

/* Hidden absorption lies within the 95 % interval of each material, in rooms drawn from the prior. */
static void intervals_hold_in_twin_rooms(void **state)
{
    struct random r = random_cases("calibrate: twins");
    const int rooms = case_count(200);
    struct twin_room *t = malloc(sizeof *t);
    struct calibrate_prediction *f = calloc(TWIN_OCTAVES, sizeof *f);
    size_t inside[TWIN_MATERIALS] = {0};
    double time[TWIN_OCTAVES][TWIN_RECEIVERS], remaining = 0.0;
    struct error e;
    (void)state;
    for (int room = 0; room < rooms; room++) {
        struct calibrate_result result = {.fit = NULL};
        twin_room_draw(t, &r);
        twin_diffuse(t, f, (const double(*)[CALIBRATE_MATERIALS])t->hidden, &e);
        for (size_t k = 0; k < TWIN_OCTAVES; k++)
            for (size_t i = 0; i < TWIN_RECEIVERS; i++)
                time[k][i] = exp(f[k].value[calibrate_index(i, CALIBRATE_T20)]);
        twin_room_measure(t, time, &r);
        assert_int_equal(calibrate_run(&result, &t->task, twin_diffuse, t, &e), 0);
        assert_true(result.settled);
        for (size_t k = 0; k < TWIN_OCTAVES; k++) {
            const struct calibrate_posterior *p = &result.posterior[k];
            remaining += calibrate_remaining(p, &t->task.problem[k], 0) / (TWIN_OCTAVES * rooms);
            for (size_t m = 0; m < TWIN_MATERIALS; m++)
                inside[m] += fabs(t->hidden[k][m] - p->value[m]) <= CALIBRATE_INTERVAL * sqrt(p->covariance[m][m]);
        }
        calibrate_result_free(&result);
    }
    for (size_t m = 0; m < TWIN_MATERIALS && !under_sanitizers(); m++)
        assert_true(inside[m] >= (size_t)(0.9 * rooms * TWIN_OCTAVES));
    assert_true(remaining < 0.6);
    free(t);
    free(f);
}

/* ln T falls with ln a, and the slope that it tells is wrong by a factor: steps overshoot. */
struct bent_model {
    double factor;
    size_t calls;
};

static int bent_model(void *context, struct calibrate_prediction *predictions, const double (*at)[CALIBRATE_MATERIALS],
                      struct error *e)
{
    struct bent_model *model = context;
    (void)e;
    model->calls++;
    predictions[0].value[0] = -0.8 * at[0][0];
    predictions[0].slope[0][0] = -0.8 * model->factor;
    return 0;
}

static void predictions_are_of_the_values_and_steps_that_grow_the_cost_are_halved(void **state)
{
    static const double factors[] = {1.0, 0.5, 0.4, 1.5};
    struct calibrate_task *task = calloc(1, sizeof *task);
    (void)state;
    *task = (struct calibrate_task){.octaves = 1, .materials = 1, .receivers = 1};
    task->octave[0] = 3;
    task->problem[0] = (struct calibrate_octave){.materials = 1, .data = 1};
    task->problem[0].prior[0] = -2.0;
    task->problem[0].prior_deviation[0] = 0.8;
    task->problem[0].measured[0] = 0.96; /* at ln a of -1.2 */
    task->problem[0].deviation[0] = 0.03;
    task->problem[0].common[0] = 0.05;
    for (size_t i = 0; i < sizeof factors / sizeof *factors; i++) {
        struct bent_model model = {.factor = factors[i]};
        struct calibrate_result r = {.fit = NULL};
        struct error e;
        assert_int_equal(calibrate_run(&r, task, bent_model, &model, &e), 0);
        assert_true(r.settled);
        assert_int_equal(r.renders, model.calls);
        assert_near(r.fit[0].value[0], -0.8 * r.posterior[0].value[0], 1e-12);
        assert_near(r.posterior[0].value[0], -1.2, 0.04);
        assert_near(r.prior[0].value[0], 1.6, 1e-12);
        calibrate_result_free(&r);
    }
    free(task);
}

/* The audit changes no bit of the energies, and walls take what Lambert's law of their |R|² says. */
static void walls_take_what_rays_lose(void **state)
{
    static const struct late_point source = {.position = {1.1, 0.9, 1.3}}, receiver = {.position = {2.9, 2.0, 1.0}};
    const struct late_rig_wall soft = {0.1, 1.0}, hard = {0.02, 1.0}, walls[6] = {soft, hard, hard, hard, hard, hard};
    struct late_rig rig = {.walls = NULL};
    struct late_histogram plain, h[2];
    struct late_audit audit[2];
    struct error e;
    (void)state;
    assert_int_equal(late_rig_box(&rig, (const double[]){4.0, 3.0, 2.5}, walls, &e), 0);
    struct late_settings settings = {.rays = 2000, .seed = 5, .image_order = -1, .duration = 0.6};
    assert_int_equal(late_rays_trace(&plain, &rig.room, &rig.bands, &source, &receiver, 1, &settings, &e), 0);
    for (int i = 0; i < 2; i++) {
        settings.threads = i ? 3 : 1;
        settings.audit = &audit[i];
        assert_int_equal(late_audit_make(&audit[i], 8, 0.6 / 8, 6, rig.bands.count, &e), 0);
        assert_int_equal(late_rays_trace(&h[i], &rig.room, &rig.bands, &source, &receiver, 1, &settings, &e), 0);
        assert_memory_equal(h[i].energy, plain.energy,
                            plain.bins * plain.bands.count * LATE_MOMENTS * sizeof *plain.energy);
    }
    assert_memory_equal(audit[0].taken, audit[1].taken, 8 * 6 * rig.bands.count * sizeof *audit[0].taken);
    double wall[6], own = late_rig_absorption(&soft) * 3.0 * 2.5, all = own;
    const double span[2] = {0.1, 0.4}, others = 2.0 * (4.0 * 3.0 + 4.0 * 2.5) + 3.0 * 2.5;
    all += late_rig_absorption(&hard) * others;
    const struct calibrate_shares shares = calibrate_shares_of(wall, &audit[0], &h[0], 1, span, 0.5, NULL, 343.2);
    assert_near(shares.wall[0], own / all, 0.06); /* less than a diffuse field's: it is darker there */
    assert_near(shares.mean, all / (others + 3.0 * 2.5), 0.02);
    double sum = 0.0;
    for (size_t w = 0; w < 6; w++)
        sum += wall[w];
    assert_near(sum, 1.0, 1e-9);
    for (int i = 0; i < 2; i++) {
        late_histogram_free(&h[i]);
        late_audit_free(&audit[i]);
    }
    late_histogram_free(&plain);
    late_rig_free(&rig);
}

static const char room_text[] =
    "# a studio\n"
    "room: { size = [3.0, 4.0, 2.5]; walls: { default = \"own\"; z_min = \"carpet\"; z_max = \"few\"; }; };\n"
    "materials: {\n"
    "  # absorption = [ no ]; of nothing }\n"
    "  own = { absorption = [0.1, 0.1, 0.1, /* ] */ 0.1, 0.1, 0.1, 0.1, 0.1]; source = \"a } b\"; }; # stays\n"
    "  few: { bands = [500.0, 1000.0]; absorption = [0.2, 0.3]; scattering = 0.25; };\n"
    "};\n"
    "grid: { max_frequency = 500.0; };\n"
    "sources: ( { name = \"A\"; position = [0.9, 1.0, 1.2]; } );\n"
    "receivers: ( { name = \"L\"; position = [1.9, 2.0, 1.2]; } );\n";

static const struct material *material_named(const struct room *room, const char *name)
{
    for (size_t i = 0; i < room->material_count; i++)
        if (!strcmp(room->materials[i].name, name))
            return &room->materials[i];
    fail_msg("no %s", name);
    return NULL;
}

static void room_files_keep_all_but_the_absorption(void **state)
{
    static const char *const names[] = {"own", "carpet", "few"};
    struct calibrate_definition definitions[3];
    struct room *room, *again;
    struct error e;
    (void)state;
    if (room_read_text(&room, "a.cfg", room_text, NULL, 0, &e))
        fail_msg("%s", e.message);
    for (size_t i = 0; i < 3; i++) {
        struct material *m = (struct material *)material_named(room, names[i]);
        for (size_t b = 0; b < OCTAVE_BANDS; b++)
            m->absorption[b] = 0.01 * (double)(10 * i + b + 1);
        definitions[i] = (struct calibrate_definition){m, "calibrated"};
    }
    char *text = calibrate_room_text(room_text, definitions, 3, &e);
    assert_non_null(text);
    if (room_read_text(&again, "a.cfg", text, NULL, 0, &e))
        fail_msg("%s\n%s", e.message, text);
    for (size_t i = 0; i < 3; i++)
        for (size_t b = 0; b < OCTAVE_BANDS; b++) {
            const struct material *wanted = definitions[i].material, *found = material_named(again, names[i]);
            assert_near(found->absorption[b], wanted->absorption[b], 1e-9);
            assert_near(found->scattering[b], wanted->scattering[b], 1e-4);
        }
    assert_non_null(strstr(text, "# a studio\n"));
    assert_non_null(strstr(text, "source = \"a } b\"; }; # stays\n"));
    assert_non_null(strstr(text, "  # absorption = [ no ]; of nothing }\n"));
    room_free(again);
    free(text);
    /* a file without own materials gets the group */
    char *plain = strdup("room: { size = [3.0, 4.0, 2.5]; walls: { default = \"carpet\"; }; };\n"
                         "grid: { max_frequency = 500.0; };\n"
                         "sources: ( { name = \"A\"; position = [0.9, 1.0, 1.2]; } );\n"
                         "receivers: ( { name = \"L\"; position = [1.9, 2.0, 1.2]; } );\n");
    text = calibrate_room_text(plain, definitions + 1, 1, &e);
    if (!text || room_read_text(&again, "a.cfg", text, NULL, 0, &e))
        fail_msg("%s\n%s", e.message, text);
    assert_near(material_named(again, "carpet")->absorption[2], definitions[1].material->absorption[2], 1e-9);
    room_free(again);
    room_free(room);
    free(text);
    free(plain);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(absorption_and_its_logarithm_are_inverse_within_limits),
        cmocka_unit_test(hard_walls_are_the_uncertain_ones),
        cmocka_unit_test(one_datum_moves_materials_by_their_gains),
        cmocka_unit_test(without_data_the_posterior_is_the_prior),
        cmocka_unit_test(slopes_that_are_not_finite_are_an_error),
        cmocka_unit_test(a_diffuse_field_tells_one_combination),
        cmocka_unit_test(slopes_of_a_diffuse_field_are_its_differences),
        cmocka_unit_test(intervals_hold_in_twin_rooms),
        cmocka_unit_test(predictions_are_of_the_values_and_steps_that_grow_the_cost_are_halved),
        cmocka_unit_test(walls_take_what_rays_lose),
        cmocka_unit_test(room_files_keep_all_but_the_absorption),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
