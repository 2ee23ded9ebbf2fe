/* SPDX-License-Identifier: MIT */
/* Ports and stretching of a line without air against closed forms, and the energy of all of them together. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "solver/schemes/bodies/ports.h"
#include "solver/schemes/bodies/stretching.h"
#include "support/random_cases.h"

#include <cmocka.h>

enum { MODES_MAX = 8, TOUCHED_MAX = 6 };

/* A line of modes with ports, stepped as an engine does. */
struct strung {
    double now[MODES_MAX], before[MODES_MAX], gain[MODES_MAX];
    double level[3][MODES_MAX]; /* next, present, last */
    double row[TOUCHED_MAX][MODES_MAX], slope[MODES_MAX];
    uint32_t start[TOUCHED_MAX + 1], column[TOUCHED_MAX * MODES_MAX];
    struct line_body line;
    struct port ports[TOUCHED_MAX];
    struct stretching stretching;
    struct body body;
    struct line_coupling lines;
    struct port_coupling coupling;
    struct port_state state[TOUCHED_MAX];
    double inputs[PORT_INPUTS * TOUCHED_MAX], outputs[PORT_INPUTS * TOUCHED_MAX], stretched;
    double *scratch, time_step, lost, given;
};

/* `modes` and the ports' places are set by then. */
static void begin(struct strung *s, size_t modes, size_t ports, bool stretches, double time_step)
{
    s->time_step = time_step;
    s->line = (struct line_body){.modes = modes, .now = s->now, .before = s->before, .gain = s->gain};
    for (size_t i = 0; i <= ports; i++)
        s->start[i] = (uint32_t)(i * modes);
    for (size_t i = 0; i < ports * modes; i++)
        s->column[i] = (uint32_t)(i % modes);
    static double values[TOUCHED_MAX * MODES_MAX];
    for (size_t i = 0; i < ports; i++) {
        memcpy(values + i * modes, s->row[i], modes * sizeof(double));
        s->ports[i].place = i;
        s->ports[i].place_count = 1;
    }
    s->stretching.slope = s->slope;
    s->body = (struct body){.lines = &s->line,
                            .line_count = 1,
                            .ports = s->ports,
                            .port_count = ports,
                            .places = {s->start, s->column, values},
                            .place_count = ports,
                            .stretching = &s->stretching,
                            .stretching_count = stretches};
    assert_int_equal(port_coupling_make(&s->coupling, &s->body, &s->lines, time_step, NULL), 0);
    s->scratch = calloc(ports_scratch(&s->body), sizeof *s->scratch);
    assert_non_null(s->scratch);
}

static void step(struct strung *s)
{
    for (size_t m = 0; m < s->line.modes; m++)
        s->level[0][m] = s->now[m] * s->level[1][m] - s->before[m] * s->level[2][m];
    struct ports_step p = {.body = &s->body,
                           .lines = &s->lines,
                           .coupling = &s->coupling,
                           .time_step = s->time_step,
                           .now = s->level[1],
                           .old = s->level[2],
                           .next = s->level[0],
                           .inputs = s->inputs,
                           .outputs = s->outputs,
                           .state = s->state,
                           .stretched = &s->stretched,
                           .scratch = s->scratch};
    ports_step(&p);
    s->lost += p.lost;
    s->given += p.given;
    for (size_t m = 0; m < s->line.modes; m++) {
        const double d = 0.5 * (s->level[0][m] - s->level[2][m]);
        s->lost += (1.0 - s->before[m]) / s->gain[m] * d * d;
    }
    memmove(s->level[1], s->level[0], 2 * sizeof s->level[0]);
    memset(s->inputs, 0, sizeof s->inputs);
}

static double stored(const struct strung *s)
{
    const double *const q[2] = {s->level[1], s->level[2]};
    return modes_energy(&s->line, q) + ports_energy(&s->body, s->state, &s->stretched, s->time_step);
}

static void end(struct strung *s)
{
    port_coupling_free(&s->coupling);
    free(s->scratch);
}

/* ---- a ball on a wall: a mode without restoring force of a mass that is huge */

struct throw
{
    struct contact contact;
    double mass, speed, steps; /* kg, m/s; a contact without losses lasts so many */
};

struct bounce {
    double depth, speed, balance; /* m; m/s, away; largest relative error of the energy */
};

static double depth_of(const struct throw *t)
{
    const double power = t->contact.exponent + 1.0;
    return pow(0.5 * power * t->mass * t->speed * t->speed / t->contact.stiffness, 1.0 / power);
}

static struct bounce bounce_of(const struct throw *t)
{
    struct strung s = {.now = {2.0}, .before = {1.0}, .gain = {1e-40}, .row = {{1.0}}};
    const double k = contact_duration(&t->contact, t->mass, t->speed) / t->steps;
    const double energy = 0.5 * t->mass * t->speed * t->speed;
    struct bounce b = {.depth = 0.0};
    s.ports[0] = (struct port){.contact = t->contact, .mass = t->mass};
    begin(&s, 1, 1, false, k);
    s.inputs[PORT_SPEED] = t->speed;
    for (int n = 0; n < (int)(2.0 * t->steps); n++) {
        step(&s);
        assert_true(fabs(s.given - energy) <= 1e-6 * energy); /* h - h⁻ of a start 1e-9 m away is rounded */
        if (s.state[0].awake > 0.0)
            b.speed = (s.state[0].before - s.state[0].mass_now) / k;
        b.balance = fmax(b.balance, fabs((stored(&s) + s.lost) / s.given - 1.0));
        b.depth = fmax(b.depth, s.state[0].mass_now);
    }
    end(&s);
    return b;
}

static void a_ball_leaves_a_wall_as_fast_as_it_came(void **state)
{
    (void)state;
    struct random r = random_cases(__func__);
    for (int i = 0; i < case_count(50); i++) {
        const struct throw t = {.contact = {exp(random_uniform(&r, 8.0, 25.0)), random_uniform(&r, 1.0, 3.5), 0.0},
                                .mass = exp(random_uniform(&r, -8.0, 0.0)),
                                .speed = exp(random_uniform(&r, -3.0, 2.0)),
                                .steps = 200.0};
        const struct bounce b = bounce_of(&t);
        assert_true(fabs(b.speed / t.speed - 1.0) <= 1e-6);
        assert_true(fabs(b.depth / depth_of(&t) - 1.0) <= 0.01);
        assert_true(b.balance <= 1e-10);
    }
}

/* v/λ + ln(1 - λv)/λ² = -v₀/λ + ln(1 + λv₀)/λ²: the speed v after a bounce of Hunt and Crossley. */
static double speed_after(double loss, double before)
{
    double low = 0.0, high = fmin(before, (1.0 - 1e-12) / loss);
    const double right = -before / loss + log1p(loss * before) / (loss * loss);
    for (int i = 0; i < 200; i++) {
        const double v = 0.5 * (low + high);
        *(v / loss + log1p(-loss * v) / (loss * loss) > right ? &low : &high) = v;
    }
    return low;
}

static void felt_loses_as_hunt_and_crossley_say(void **state)
{
    (void)state;
    static const double losses[] = {0.05, 0.2, 0.5, 1.0}; /* λ v */
    for (int i = 0; i < 4; i++) {
        struct throw t = {.contact = {1e8, 2.5, 0.0}, .mass = 0.03, .speed = 2.0, .steps = 400.0};
        t.contact.loss = losses[i] / t.speed;
        const struct bounce b = bounce_of(&t);
        const double wanted = speed_after(t.contact.loss, t.speed) / t.speed;
        print_message("loss %g: %.5f of the speed, %.5f expected\n", losses[i], b.speed / t.speed, wanted);
        assert_true(fabs(b.speed / t.speed - wanted) <= 2e-4);
        assert_true(b.balance <= 1e-10);
    }
}

/* ---- friction */

static void friction_follows_its_curve_and_never_drives(void **state)
{
    (void)state;
    struct random r = random_cases(__func__);
    int stuck = 0, slipped = 0;
    for (int i = 0; i < 20000; i++) {
        const double sliding = random_uniform(&r, 0.0, 0.6);
        const struct friction c = {sliding + random_uniform(&r, 0.0, 0.6), sliding, random_log_uniform(&r, 1e-3, 0.3)};
        const double normal = random_log_uniform(&r, 1e-3, 30.0), gain = random_log_uniform(&r, 1e-3, 30.0);
        const double free = random_uniform(&r, -3.0, 3.0);
        bool sticks = random_unit(&r) < 0.5;
        double v = random_uniform(&r, -1.0, 1.0);
        const double force = friction_force(&c, normal, free, gain, &sticks, &v);
        assert_true(fabs(free + gain * force - v) <= 1e-12 * (1.0 + fabs(free)));
        assert_true(force * v <= 0.0);
        if (sticks) {
            stuck++;
            assert_true(v == 0.0 && fabs(force) <= normal * c.at_rest * (1.0 + 1e-12));
        } else {
            slipped++;
            const double mu = c.sliding + (c.at_rest - c.sliding) * c.speed / (c.speed + fabs(v));
            assert_true(fabs(fabs(force) - normal * mu) <= 1e-9 * normal);
        }
    }
    assert_true(stuck > 1000 && slipped > 1000);
}

/* ---- stretching: one mode q'' + ω² q + 2C²a² q³/m... has the period of an elliptic function */

/* The complete elliptic integral of the first kind of parameter m, by the arithmetic-geometric mean. */
static double elliptic(double m)
{
    double a = 1.0, b = sqrt(1.0 - m);
    for (int i = 0; i < 40; i++) {
        const double mean = 0.5 * (a + b);
        b = sqrt(a * b);
        a = mean;
    }
    return 0.5 * M_PI / a;
}

static void a_stretched_mode_has_the_elliptic_period(void **state)
{
    (void)state;
    static const double amplitudes[] = {1e-3, 3e-3, 6e-3};
    /* a nylon string, E4: 0.65 m, 70 N, 0.38 g/m, EA of 5 GPa and 0.71 mm */
    const double length = 0.65, tension = 70.0, density = 0.38e-3, k = 1.0 / 48000.0;
    const double ea = 5e9 * 0.25 * M_PI * 0.71e-3 * 0.71e-3, mass = 0.5 * density * length;
    const double omega = M_PI / length * sqrt(tension / density), slope = 0.5 * M_PI * M_PI / length;
    for (int i = 0; i < 3; i++) {
        const double a = amplitudes[i], cubic = 0.5 * ea / length * slope * slope / mass;
        const double total = omega * omega + cubic * a * a;
        const double expected = sqrt(total) / (4.0 * elliptic(0.5 * cubic * a * a / total));
        struct strung s = {.now = {2.0 * cos(omega * k)}, .before = {1.0}, .slope = {slope}};
        s.gain[0] = k * k / mass * sin(omega * k) / (omega * k);
        s.stretching.factor = sqrt(0.25 * ea / length);
        begin(&s, 1, 0, true, k);
        s.level[1][0] = s.level[2][0] = a;
        s.stretched = s.stretching.factor * slope * a * a;
        const double first = stored(&s);
        double last = 0.0, crossed = 0.0;
        int crossings = 0;
        for (int n = 0; n < 48000; n++) {
            step(&s);
            assert_true(fabs(stored(&s) / first - 1.0) <= 1e-11);
            if (s.level[2][0] > 0.0 && s.level[1][0] <= 0.0) {
                last = n + s.level[2][0] / (s.level[2][0] - s.level[1][0]);
                crossed = crossings++ ? crossed : last;
            }
        }
        const double pitch = (crossings - 1) / (last - crossed) / k;
        print_message("%g mm: %.3f Hz, %+.4f cents from the elliptic period, linear %.3f Hz\n", 1e3 * a, pitch,
                      1200.0 * log2(pitch / expected), 0.5 * omega / M_PI);
        assert_true(fabs(1200.0 * log2(pitch / expected)) <= 0.05);
        assert_true(pitch > 1.00003 * 0.5 * omega / M_PI);
        end(&s);
    }
}

/* ---- all together */

/* Contacts, a mallet, two bows and stretching on the same modes. */
static void everything_that_touches_a_line_keeps_the_energy(void **state)
{
    (void)state;
    struct random r = random_cases(__func__);
    int touched = 0;
    for (int i = 0; i < case_count(20); i++) {
        struct strung s = {.lost = 0.0};
        const double k = 2e-5;
        double scale = 0.0;
        for (int m = 0; m < MODES_MAX; m++) {
            const double omega = exp(random_uniform(&r, 5.0, 9.0));
            s.before[m] = exp(-2.0 * k * random_uniform(&r, 0.0, 30.0));
            s.now[m] = 2.0 * cos(omega * k) * sqrt(s.before[m]);
            s.gain[m] = 0.5 * (1.0 + s.before[m]) * k * k / random_log_uniform(&r, 1e-4, 1e-2);
            s.slope[m] = random_uniform(&r, 1.0, 30.0);
            for (int p = 0; p < TOUCHED_MAX; p++)
                s.row[p][m] = random_uniform(&r, -1.0, 1.0);
        }
        for (int p = 0; p < TOUCHED_MAX; p++)
            s.ports[p] = (struct port){.kind = p < 4 ? PORT_CONTACT : PORT_BOW,
                                       .contact = {random_log_uniform(&r, 1e4, 1e8), random_uniform(&r, 1.0, 3.0),
                                                   random_uniform(&r, 0.0, 0.3)},
                                       .mass = p == 0 ? random_log_uniform(&r, 1e-3, 1e-2) : 0.0,
                                       .gap = random_uniform(&r, 0.0, 1e-3),
                                       .friction = {0.8, 0.3, 0.1}};
        s.stretching.factor = random_log_uniform(&r, 10.0, 1000.0);
        begin(&s, MODES_MAX, TOUCHED_MAX, true, k);
        for (int n = 0; n < 4000; n++) {
            if (n % 500 == 3)
                s.inputs[PORT_SPEED] = random_uniform(&r, 0.5, 5.0);
            for (int p = 4; p < TOUCHED_MAX && n < 3000; p++) {
                s.inputs[PORT_INPUTS * p + BOW_FORCE] = 2.0;
                s.inputs[PORT_INPUTS * p + BOW_SPEED] = 0.2 * sin(0.001 * n);
            }
            step(&s);
            for (int p = 1; p < 4; p++)
                touched += s.outputs[PORT_INPUTS * p] > 0.0;
            scale = fmax(scale, fabs(s.given) + s.lost);
            assert_true(fabs(stored(&s) + s.lost - s.given) <= 1e-9 * scale);
        }
        assert_true(s.lost > 0.0);
        end(&s);
    }
    assert_true(touched > 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_ball_leaves_a_wall_as_fast_as_it_came),
        cmocka_unit_test(felt_loses_as_hunt_and_crossley_say),
        cmocka_unit_test(friction_follows_its_curve_and_never_drives),
        cmocka_unit_test(a_stretched_mode_has_the_elliptic_period),
        cmocka_unit_test(everything_that_touches_a_line_keeps_the_energy),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
