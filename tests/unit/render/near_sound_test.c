/* SPDX-License-Identifier: MIT */
/* The direct sound near a source, against the field of a point source and of a cardioid in closed form. */
#include "dsp/band_filter.h"
#include "dsp/space/integrators.h"
#include "render/directions.h"
#include "render/mapping.h" /* before cmocka, which defines a macro `fail` */
#include "render/near_sound.h"
#include "render/render.h"
#include "room/grid/placement.h"
#include "solver/schemes/free_air.h"
#include "support/random_cases.h"
#include "validate/space/rig.h"

#include <complex.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { FREQUENCIES = 8 };
static const double edge = 1000.0, side = 5.4, seconds = 0.011,
                    window = 0.0085; /* Hz, m; s: before the first reflection */

static void must(int status, const struct error *e)
{
    if (status)
        fail_msg("%s", e->message);
}

static double frequency(int k)
{
    return edge * (0.2 + 0.8 * k / (FREQUENCIES - 1.0));
}

/* A rigid box with its source somewhere in the middle cell, and its spacing. */
static double set_up(struct space_box *b, enum grid_scheme scheme, struct random *r)
{
    const double size[3] = {side, side, side};
    struct grid g;
    struct error e;
    space_box_init(b, size, 1.0);
    for (int wall = 0; wall < FACES; wall++)
        b->room.walls[wall] = 1;
    b->room.grid.max_frequency = edge;
    b->room.grid.scheme = scheme;
    b->room.duration = seconds;
    b->room.receiver_count = SPACE_RECEIVERS;
    must(grid_make(&g, &b->room, &e), &e);
    for (int axis = 0; axis < 3; axis++)
        b->source.position[axis] = 0.5 * side + random_unit(r) * g.spacing;
    return g.spacing;
}

/* At a distance of the source, m, in a direction that is drawn. */
static void place(struct space_box *b, size_t receiver, double distance, struct random *r)
{
    double d[3];
    static const char *const names[SPACE_RECEIVERS] = {"A", "B", "C", "D"};
    space_direction(d, r);
    b->receivers[receiver] = (struct receiver){.name = (char *)names[receiver]};
    for (int axis = 0; axis < 3; axis++)
        b->receivers[receiver].position[axis] = b->source.position[axis] + distance * d[axis];
}

/* Σ h e^{-iωt}, faded out over the second half of `length` s after an arrival: what the offset removal leaves there
 * is longer than the record. */
static double complex spectrum(const double *h, size_t frames, double rate, double f, double arrival, double length)
{
    double complex sum = 0.0;
    for (size_t n = 0; n < frames; n++) {
        const double t = (double)n / rate, late = fmin(fmax(0.0, 2.0 * (t - arrival) / length - 1.0), 1.0);
        sum += (0.5 + 0.5 * cos(M_PI * late)) * h[n] * cexp(-2.0 * M_PI * I * f * t);
    }
    return sum;
}

/* What the pipeline behind the grid makes of an impulse at t = 0. */
static void pipeline(double complex through[FREQUENCIES], const struct model *m)
{
    const struct response_settings settings = render_response_settings(m, seconds);
    const struct excitation x = {.length = 1, .is_response = true, .gain = 1.0};
    struct traces t = {.channels = 1, .rate = m->grid.rate};
    struct response response;
    struct error e;
    t.frames = response_steps(&x, &settings, t.rate);
    t.samples = calloc(t.frames, sizeof *t.samples);
    assert_non_null(t.samples);
    t.samples[0] = 1.0;
    high_pass(t.samples, t.frames, RESPONSE_HIGH_PASS, t.rate);
    must(response_make(&response, &t, &x, &settings, &e), &e);
    for (int k = 0; k < FREQUENCIES; k++)
        through[k] = spectrum(response.samples, response.frames, response.rate, frequency(k), 0.0, window);
    response_free(&response);
    traces_free(&t);
}

static void assert_exact(double complex measured, double complex exact, double decibels, double degrees,
                         const char *what, double cells, double f)
{
    const double level = 20.0 * log10(cabs(measured / exact)), angle = carg(measured / exact) * 180.0 / M_PI;
    if (!(fabs(level) <= decibels && fabs(angle) <= degrees))
        fail_msg("%s, %.2f cells away, %.0f Hz: %+.2f dB, %+.1f degrees", what, cells, f, level, angle);
}

static const enum grid_scheme schemes[2] = {GRID_SCHEME_19_POINT, GRID_SCHEME_7_POINT};
static const char *const scheme_names[2] = {"19-point", "7-point"};

static void render(struct rendering *rendering, struct space_box *b)
{
    struct error e;
    must(space_box_make(b, &e), &e);
    must(render_sources(rendering, b->model, 0, 1, &(struct solver_options){0}, NULL, &e), &e);
}

static void pressure_from_1_to_8_spacings_is_that_of_a_point_source(void **state)
{
    (void)state;
    struct random r = random_cases("near_sound/pressure");
    for (int i = 0; i < 2 * case_count(2); i++) {
        struct space_box b;
        struct rendering rendering;
        double complex through[FREQUENCIES];
        const double spacing = set_up(&b, schemes[i % 2], &r);
        for (size_t k = 0; k < SPACE_RECEIVERS; k++)
            place(&b, k, spacing * random_uniform(&r, 1.0, 7.99), &r);
        render(&rendering, &b);
        pipeline(through, b.model);
        for (size_t k = 0; k < SPACE_RECEIVERS; k++) {
            const double *at = b.receivers[k].position, *from = b.source.position;
            const double way = hypot(hypot(at[0] - from[0], at[1] - from[1]), at[2] - from[2]);
            for (int n = 0; n < FREQUENCIES; n++) {
                const double omega = 2.0 * M_PI * frequency(n);
                const double complex measured =
                    spectrum(rendering.response.samples + k * rendering.response.frames, rendering.response.frames,
                             rendering.response.rate, frequency(n), way / b.model->grid.sound_speed, window);
                assert_exact(measured,
                             through[n] * cexp(-I * omega * way / b.model->grid.sound_speed) / (4 * M_PI * way), 0.15,
                             1.5, scheme_names[i % 2], way / b.model->grid.spacing, frequency(n));
            }
        }
        rendering_free(&rendering);
        space_box_free(&b);
    }
}

/* ---- orders on both sides */

/* Σ a_n P_n(u · v) F_n(sr/c) R^n/θ_n(sR/c) (s/c)^n e^{-sr/c}/(4πr) of a cardioid with the axis u. */
static double complex cardioid_field(const double from[3], const double axis[3], const double at[3], double k)
{
    static const double known_at = 10.0; /* m: room/grid/sources.c */
    double way[3], r = 0.0, along = 0.0, theta[2], there[2];
    for (int i = 0; i < 3; i++) {
        way[i] = at[i] - from[i];
        r += way[i] * way[i];
    }
    r = sqrt(r);
    for (int i = 0; i < 3; i++)
        along += axis[i] * way[i] / r;
    bessel_polynomial(theta, 1, k * r);
    bessel_polynomial(there, 1, k * known_at);
    const double complex order_1 = known_at / r * (theta[0] + I * theta[1]) / (there[0] + I * there[1]);
    return 0.5 * (1.0 + along * order_1) * cexp(-I * k * r) / (4.0 * M_PI * r);
}

/* By the near-field form of order 1 (render/directions.c), a receiver's R/θ_1(sR/c) times the gradient. */
static double complex figure_of_eight(const double from[3], const double axis[3], const double at[3],
                                      const double looks[3], double k)
{
    static const double step = 1e-4, known_at = 10.0; /* m */
    double ahead[3], behind[3];
    for (int i = 0; i < 3; i++) {
        ahead[i] = at[i] + step * looks[i];
        behind[i] = at[i] - step * looks[i];
    }
    const double complex gradient =
        (cardioid_field(from, axis, ahead, k) - cardioid_field(from, axis, behind, k)) / (2.0 * step);
    return known_at / (1.0 + I * k * known_at) * gradient;
}

static void look(double axis[3], double orientation[3], struct random *r)
{
    for (int i = 0; i < 3; i++)
        orientation[i] = random_uniform(r, -180.0, 180.0);
    const struct turn turn = turn_of(orientation[0], orientation[1], orientation[2]);
    for (int i = 0; i < 3; i++)
        axis[i] = turn.row[i][0];
}

static void a_figure_of_eight_near_a_cardioid_hears_the_gradient_of_its_field(void **state)
{
    (void)state;
    struct random r = random_cases("near_sound/orders");
    for (int i = 0; i < 2 * case_count(2); i++) {
        struct space_box b;
        struct rendering rendering;
        double complex through[FREQUENCIES];
        double axis[3], looks[SPACE_RECEIVERS][3];
        const double spacing = set_up(&b, schemes[i % 2], &r);
        b.source.directivity = DIRECTIVITY_CARDIOID;
        look(axis, b.source.orientation, &r);
        for (size_t k = 0; k < SPACE_RECEIVERS; k++) {
            place(&b, k, spacing * random_uniform(&r, 1.0, 7.99), &r);
            b.receivers[k].kind = RECEIVER_FIGURE_OF_EIGHT;
            look(looks[k], b.receivers[k].orientation, &r);
        }
        render(&rendering, &b);
        pipeline(through, b.model);
        for (size_t k = 0; k < SPACE_RECEIVERS; k++)
            for (int n = 5; n < FREQUENCIES; n++) { /* from 771 Hz: below, the window cuts what order 1 leaves */
                const double *at = b.receivers[k].position,
                             wave = 2.0 * M_PI * frequency(n) / b.model->grid.sound_speed;
                const double way = hypot(hypot(at[0] - b.source.position[0], at[1] - b.source.position[1]),
                                         at[2] - b.source.position[2]);
                const double complex exact = figure_of_eight(b.source.position, axis, at, looks[k], wave);
                const double complex measured =
                    spectrum(rendering.response.samples + k * rendering.response.frames, rendering.response.frames,
                             rendering.response.rate, frequency(n), way / b.model->grid.sound_speed, window);
                /* relative to what such a pair hears at most, θ_2(x)/x², near nulls, too */
                const double x = wave * way, scale = (1.0 + 3.0 / x + 3.0 / (x * x)) / (4.0 * M_PI * way);
                if (!(cabs(measured / through[n] - exact) <= 0.05 * scale))
                    fail_msg("%s, %.2f cells away, %.0f Hz: off by %.4f", scheme_names[i % 2],
                             way / b.model->grid.spacing, frequency(n), cabs(measured / through[n] - exact) / scale);
            }
        rendering_free(&rendering);
        space_box_free(&b);
    }
}

/* ---- what free air is */

static void free_air_is_what_the_solver_steps_but_for_rounding(void **state)
{
    enum { STEPS = 24 };
    (void)state;
    struct random r = random_cases("near_sound/free_air");
    for (int i = 0; i < 2; i++) {
        struct space_box b;
        struct simulation s;
        struct error e;
        double out[STEPS], one = 1.0;
        const struct excitation x = {.samples = &one, .length = 1, .is_response = true, .gain = 1.0};
        const double spacing = set_up(&b, schemes[i], &r);
        place(&b, 0, 3.3 * spacing, &r);
        b.room.receiver_count = 1;
        b.room.output.filter = FILTER_NONE; /* no high-pass */
        must(space_box_make(&b, &e), &e);
        const struct length length = {.seconds = STEPS / b.model->grid.rate, .steps = STEPS};
        must(simulate(&s, b.model, 0, 1, &x, 0, &length, &(struct solver_options){0}, NULL, &e), &e);
        struct air_points from, to;
        must(free_points_of_drive(&from, b.model, 0, 0, &e), &e);
        must(free_points_of_tap(&to, b.model, 0, 0, &e), &e);
        must(free_air_responses(out, b.model->grid.stencil, b.model->grid.courant_squared, &from, &to, 1, STEPS, &e),
             &e);
        double peak = 0.0;
        for (int n = 0; n < STEPS; n++)
            peak = fmax(peak, fabs(out[n]));
        assert_true(peak > 0.01);
        for (int n = 0; n < STEPS; n++)
            if (!(fabs(out[n] - s.traces.samples[n]) <= 1e-12 * peak))
                fail_msg("%s, step %d: %.17g, the solver %.17g", scheme_names[i], n, out[n], s.traces.samples[n]);
        air_points_free(&from);
        air_points_free(&to);
        traces_free(&s.traces);
        space_box_free(&b);
    }
}

/* A source in the middle of the air, and at the same place of a cell beside a rigid wall, where its stencil is folded. */
static void a_folded_stencil_unfolds_to_what_it_is_in_the_middle(void **state)
{
    (void)state;
    struct random r = random_cases("near_sound/folded");
    for (int i = 0; i < case_count(10); i++) {
        struct space_box b;
        struct air_points middle, at_wall;
        struct error e;
        set_up(&b, GRID_SCHEME_19_POINT, &r);
        must(space_box_make(&b, &e), &e);
        must(free_points_of_drive(&middle, b.model, 0, 0, &e), &e);
        const double moved = floor(b.source.position[2] / b.model->grid.spacing) * b.model->grid.spacing;
        space_box_free(&b);
        b.source.position[2] -= moved;
        must(space_box_make(&b, &e), &e);
        must(free_points_of_drive(&at_wall, b.model, 0, 0, &e), &e);
        assert_int_equal(middle.count, at_wall.count);
        for (size_t q = 0; q < middle.count; q++)
            if (!(fabs(middle.weight[q] - at_wall.weight[q]) <=
                  1e-9 * fabs(b.model->sources[0].channel.entries[0].weight) + 1e-6))
                fail_msg("point %zu: %.12g, %.12g", q, middle.weight[q], at_wall.weight[q]);
        air_points_free(&middle);
        air_points_free(&at_wall);
        space_box_free(&b);
    }
}

static void a_place_behind_a_sheet_is_left_to_the_grid(void **state)
{
    (void)state;
    struct random r = random_cases("near_sound/hidden");
    struct object sheet = {.shape = SHAPE_BOX, .material = 1};
    struct space_box b;
    struct error e;
    const double spacing = set_up(&b, GRID_SCHEME_19_POINT, &r);
    place(&b, 0, 6.0 * spacing, &r);
    b.room.receiver_count = 1;
    memcpy(b.receivers[0].position, b.source.position, sizeof b.source.position);
    b.receivers[0].position[0] += 6.0 * spacing;
    must(space_box_make(&b, &e), &e);
    assert_true(near_sound_is_needed(b.model, 0, 1));
    space_box_free(&b);
    for (int axis = 0; axis < 3; axis++) {
        sheet.from[axis] = b.source.position[axis] + (axis ? -1.0 : 2.5 * spacing);
        sheet.to[axis] = b.source.position[axis] + (axis ? 1.0 : 3.6 * spacing);
    }
    b.room.objects = &sheet;
    b.room.object_count = 1;
    must(space_box_make(&b, &e), &e);
    assert_false(near_sound_is_needed(b.model, 0, 1));
    space_box_free(&b);
}

/* ---- AmbiX */

enum { LEAD = 4096, BEFORE = 400, ORDER = 4 };

/* The record of a box, mapped where its scheme asks for it. */
static void record(struct traces *taps, const struct space_box *b, size_t frames)
{
    const struct grid *g = &b->model->grid;
    struct simulation s;
    struct error e;
    double one = 1.0;
    const struct excitation x = {.samples = &one, .length = 1, .is_response = true, .gain = 1.0};
    const struct length length = {.seconds = b->room.duration, .steps = mapping_steps(g, frames + BEFORE)};
    must(simulate(&s, b->model, 0, 1, &x, 0, &length, &(struct solver_options){0}, NULL, &e), &e);
    *taps = s.traces;
    if (!g->mapped)
        return;
    must(mapping_apply(taps, &s.traces, 0, BEFORE, frames + BEFORE, false, g, &x, &e), &e);
    traces_free(&s.traces);
}

/* What a response lost by the cut at t = 0 over each order's own level. */
static void assert_no_click(const struct response *cut, const struct traces *whole, size_t before, double f,
                            const char *name)
{
    const double length = (double)cut->frames / cut->rate, early = (double)(LEAD + before) / whole->rate;
    double complex pressure[2] = {0.0, 0.0};
    for (int n = 0; n <= ORDER; n++) {
        double level = 0.0, lost = 0.0;
        for (int c = n * n; c < (n + 1) * (n + 1); c++) {
            const double complex turn = cexp(2.0 * M_PI * I * f * early);
            const double complex all = turn * spectrum(whole->samples + (size_t)c * whole->frames, whole->frames,
                                                       whole->rate, f, early, length);
            const double complex left =
                spectrum(cut->samples + (size_t)c * cut->frames, cut->frames, cut->rate, f, 0.0, length);
            pressure[0] = c ? pressure[0] : all;
            pressure[1] = c ? pressure[1] : left;
            level = hypot(level, cabs(all / pressure[0]));
            lost = hypot(lost, cabs(left / pressure[1] - all / pressure[0]));
        }
        if (!(lost <= 0.01 * level))
            fail_msg("%s, order %d, %.0f Hz: %.1f dB", name, n, f, 20.0 * log10(lost / level));
    }
}

/* 1 m from a source, from 1 kHz on: against the same record with all that rings ahead of the emission. */
static void ambisonic_channels_begin_without_a_click(void **state)
{
    (void)state;
    struct random r = random_cases("near_sound/click");
    for (int i = 0; i < 2; i++) {
        const double size[3] = {2.8, 2.7, 2.6};
        struct space_box b;
        struct rendering rendering;
        struct traces taps, whole;
        struct error e;
        space_box_init(&b, size, 1.5);
        b.room.grid.max_frequency = 2000.0;
        b.room.grid.scheme = schemes[i];
        b.room.duration = 0.03;
        b.room.receiver_count = 1;
        for (int axis = 0; axis < 3; axis++)
            b.source.position[axis] = 0.5 * size[axis] + random_uniform(&r, -0.1, 0.1);
        place(&b, 0, 1.0, &r);
        b.receivers[0].kind = RECEIVER_AMBISONIC;
        b.receivers[0].order = ORDER;
        render(&rendering, &b);
        record(&taps, &b, (size_t)(b.room.duration * b.model->grid.rate));
        must(directions_make(&whole, &taps, LEAD, b.model, &e), &e);
        for (double f = 1000.0; f < 1700.0; f += 100.0)
            assert_no_click(&rendering.response, &whole, b.model->grid.mapped ? BEFORE : 0, f, scheme_names[i]);
        traces_free(&whole);
        traces_free(&taps);
        rendering_free(&rendering);
        space_box_free(&b);
    }
}

/* θ_n(x)/x^n */
static double complex nearness(int n, double complex x)
{
    double complex before = 1.0, here = 1.0 + 1.0 / x;
    for (int l = 2; l <= n; l++) {
        const double complex next = (2 * l - 1) / x * here + before;
        before = here;
        here = next;
    }
    return n ? here : 1.0;
}

/* Channels of orders 1 to 4 over the first, against Y_nm θ_n(x)/x^n, from four times the corner of each order on. */
static void ambisonic_orders_from_1_to_8_spacings_are_those_of_a_point_source(void **state)
{
    static const double bound[ORDER + 1] = {0.0, 0.01, 0.05, 0.25, 0.5};
    (void)state;
    struct random r = random_cases("near_sound/ambisonic");
    for (int i = 0; i < 2; i++) {
        const double size[3] = {8.0, 8.0, 8.0};
        struct space_box b;
        struct rendering rendering;
        double worst[ORDER + 1] = {0.0};
        space_box_init(&b, size, 1.0);
        for (int wall = 0; wall < FACES; wall++)
            b.room.walls[wall] = 1;
        b.room.grid.max_frequency = edge;
        b.room.grid.scheme = schemes[i];
        b.room.grid.precision = PRECISION_SINGLE;
        b.room.duration = 0.02;
        b.room.receiver_count = 3;
        const double spacing = 343.2 / (edge * (i ? 7.6 : 4.0));
        for (int axis = 0; axis < 3; axis++)
            b.source.position[axis] = 4.0 + random_unit(&r) * spacing;
        for (size_t k = 0; k < 3; k++) {
            place(&b, k, spacing * random_uniform(&r, 1.0, 7.3), &r);
            b.receivers[k].kind = RECEIVER_AMBISONIC;
            b.receivers[k].order = ORDER;
        }
        render(&rendering, &b);
        for (size_t k = 0; k < 3; k++) {
            const double *at = b.receivers[k].position, *from = b.source.position;
            const double way = hypot(hypot(at[0] - from[0], at[1] - from[1]), at[2] - from[2]),
                         c = b.model->grid.sound_speed;
            const double d[3] = {(from[0] - at[0]) / way, (from[1] - at[1]) / way, (from[2] - at[2]) / way};
            const size_t frames = rendering.response.frames, first = k * (ORDER + 1) * (ORDER + 1);
            double y[(ORDER + 1) * (ORDER + 1)];
            harmonics_at(y, ORDER, d);
            for (double f = 600.0; f <= 950.0; f += 100.0) {
                const double complex w = spectrum(rendering.response.samples + first * frames, frames,
                                                  rendering.response.rate, f, way / c, 0.018);
                for (size_t h = 1; h < (ORDER + 1) * (ORDER + 1); h++) {
                    const int n = harmonics_order_of(h);
                    const double complex own = nearness(n, I * (2.0 * M_PI * f * way / c));
                    const double complex channel = spectrum(rendering.response.samples + (first + h) * frames, frames,
                                                            rendering.response.rate, f, way / c, 0.018);
                    const double off = cabs(channel / w - y[h] * own) / cabs(own);
                    worst[n] = fmax(worst[n], off);
                }
            }
        }
        print_message("%s: orders 1 to 4 are off by %.3f, %.3f, %.3f, %.3f of themselves\n", scheme_names[i], worst[1],
                      worst[2], worst[3], worst[4]);
        for (int n = 1; n <= ORDER; n++)
            assert_true(worst[n] <= bound[n]);
        rendering_free(&rendering);
        space_box_free(&b);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(free_air_is_what_the_solver_steps_but_for_rounding),
        cmocka_unit_test(a_folded_stencil_unfolds_to_what_it_is_in_the_middle),
        cmocka_unit_test(pressure_from_1_to_8_spacings_is_that_of_a_point_source),
        cmocka_unit_test(a_figure_of_eight_near_a_cardioid_hears_the_gradient_of_its_field),
        cmocka_unit_test(a_place_behind_a_sheet_is_left_to_the_grid),
        cmocka_unit_test(ambisonic_channels_begin_without_a_click),
        cmocka_unit_test(ambisonic_orders_from_1_to_8_spacings_are_those_of_a_point_source),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
