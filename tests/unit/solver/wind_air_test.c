/* SPDX-License-Identifier: MIT */
/* A bore whose end lies in the air of a box that the 7-point scheme steps: one energy balance of the player, the
 * instrument and the air, and the end correction of an open pipe. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "support/winds.h"

#include <cmocka.h>

#include "support/within.h"

static const double RATE = 24000.0, COURANT_SQUARED = 0.999999 / 3.0;
enum { POINTS_MAX = 4, SIDE = 48 };

/* A cube of side³ points with rigid or absorbing walls, and an instrument that ends at `points` in its middle. */
struct air {
    int side;
    double spacing, wall; /* X, m; admittance of each face of a point at the wall, times λ/2 */
    double *now, *next;   /* ψ at n, and at n - 1 or n + 1 */
    struct wind wind;
    struct opening end;
    uint64_t at[POINTS_MAX];
    double *state;
};

static double length_of(const struct air *a)
{
    return (double)a->wind.bore.cells * a->wind.bore.grid.spacing;
}

/* A pipe of about `length` m. */
static void make_air(struct air *a, int side, bool absorbing, double radius, double length, double courant,
                     const struct opening_point *point, size_t points, const struct wall_loss *loss,
                     const struct reed *reed)
{
    const double k = 1.0 / RATE, middle = side / 2;
    const struct bore_grid grid = {
        .spacing = WINDS_SPEED * k / courant, .time_step = k, .density = WINDS_DENSITY, .sound_speed = WINDS_SPEED};
    const size_t cells = (size_t)lround(length / grid.spacing);
    double *volume = malloc(cells * sizeof *volume);
    struct error e;
    memset(a, 0, sizeof *a);
    assert_non_null(volume);
    a->side = side;
    a->spacing = WINDS_SPEED * k / sqrt(COURANT_SQUARED);
    a->wall = absorbing ? 0.5 * sqrt(COURANT_SQUARED) : 0.0;
    a->now = calloc(2 * (size_t)(side * side * side), sizeof *a->now);
    a->next = a->now + side * side * side;
    for (size_t i = 0; i < cells; i++)
        volume[i] = M_PI * radius * radius * grid.spacing;
    if (bore_make(&a->wind.bore, volume, cells, &grid, loss, &e))
        fail_msg("%s", e.message);
    free(volume);
    a->end =
        opening_make(cells - 1, radius, 0.5 * grid.spacing, points, a->spacing, opening_green(point, points), &grid);
    a->wind.reed = *reed;
    a->wind.openings = &a->end;
    a->wind.opening_count = 1;
    for (size_t i = 0; i < points; i++)
        a->at[i] = (size_t)((middle + point[i].axis[0]) +
                            side * ((middle + point[i].axis[1]) + side * (middle + point[i].axis[2])));
    a->wind.points = a->at;
    if (wind_couple_openings(&a->wind, &e))
        fail_msg("%s", e.message);
    a->state = calloc(1, wind_state_bytes(&a->wind));
    assert_non_null(a->state);
}

static void free_air(struct air *a)
{
    bore_free(&a->wind.bore);
    free(a->wind.mutual);
    free(a->state);
    free(a->now < a->next ? a->now : a->next);
}

/* A row of points in x, all with the same four neighbours in y and z, of which those behind a wall have the offset 0. */
static void step_points(struct air *a, ptrdiff_t from, ptrdiff_t to, const ptrdiff_t next[6], int faces)
{
    const double wall = a->wall * faces, direct = 1.0 - wall, over = 1.0 / (1.0 + wall);
    const double *restrict now = a->now;
    double *restrict out = a->next;
    for (ptrdiff_t i = from; i < to; i++) {
        const double sum = now[i + next[0]] + now[i + next[1]] + now[i + next[2]] + now[i + next[3]] +
                           now[i + next[4]] + now[i + next[5]] - 6.0 * now[i];
        out[i] = (2.0 * now[i] + COURANT_SQUARED * sum - direct * out[i]) * over;
    }
}

/* The field without the instrument. */
static void step_field(struct air *a)
{
    const int n = a->side;
    for (int z = 0; z < n; z++)
        for (int y = 0; y < n; y++) {
            const ptrdiff_t row = n * (y + (ptrdiff_t)n * z);
            const int faces = (y == 0) + (y == n - 1) + (z == 0) + (z == n - 1);
            ptrdiff_t next[6] = {0, 1, y ? -n : 0, y < n - 1 ? n : 0, z ? -n * n : 0, z < n - 1 ? n * n : 0};
            step_points(a, row, row + 1, next, faces + 1);
            next[0] = -1;
            step_points(a, row + 1, row + n - 1, next, faces);
            next[1] = 0;
            step_points(a, row + n - 1, row + n, next, faces + 1);
        }
}

static double mean_at_end(const struct air *a)
{
    double sum = 0.0;
    for (size_t i = 0; i < a->end.points; i++)
        sum += a->next[a->at[i]];
    return sum / (double)a->end.points;
}

static void step_air(struct air *a, double blowing)
{
    const struct bore_grid *g = &a->wind.bore.grid;
    const double before = mean_at_end(a);
    step_field(a);
    const double outside = g->density * (mean_at_end(a) - before) / (2.0 * g->time_step);
    const struct wind_input input = {.blowing = blowing, .outside = &outside};
    double flow = 0.0;
    wind_step(&a->wind, a->state, &input, &flow);
    for (size_t i = 0; i < a->end.points; i++)
        a->next[a->at[i]] += opening_gain(a->end.points, a->spacing, g) * flow;
    double *swap = a->now;
    a->now = a->next;
    a->next = swap;
}

/* J: (ρX³/c²k²) (½ Σ (ψ⁺ - ψ)² + ½ λ² Σ Dψ⁺ Dψ) of the field, next being the level before now; and the instrument. */
static double energy(const struct air *a)
{
    const struct bore_grid *g = &a->wind.bore.grid;
    const int n = a->side;
    double sum = 0.0;
    for (int z = 0; z < n; z++)
        for (int y = 0; y < n; y++)
            for (int x = 0; x < n; x++) {
                const int step[3] = {x < n - 1 ? 1 : 0, y < n - 1 ? n : 0, z < n - 1 ? n * n : 0};
                const ptrdiff_t i = x + n * (y + (ptrdiff_t)n * z);
                const double change = a->now[i] - a->next[i];
                sum += 0.5 * change * change;
                for (int axis = 0; axis < 3; axis++)
                    sum += 0.5 * COURANT_SQUARED * (a->now[i + step[axis]] - a->now[i]) *
                           (a->next[i + step[axis]] - a->next[i]);
            }
    const double gain = opening_gain(1, a->spacing, g); /* c²k²/X³ */
    return sum * g->density / gain + wind_energy(&a->wind, a->state);
}

/* A closed end that neither moves nor lets air through. */
static struct reed plug(void)
{
    struct reed reed = reed_clarinet();
    reed.mass = 1e6;
    reed.width = 0.0;
    return reed;
}

/* Without a mean, which would make ψ of a closed box grow. */
static void pulse(struct air *a)
{
    double *p = (double *)wind_pressure(&a->wind, a->state);
    for (int i = 0; i < 8; i++)
        p[i] = 100.0 * sin(M_PI * (i + 0.5) / 4.0);
}

static const struct opening_point one[] = {{{0, 0, 0}}}, four[] = {{{0, 0, 0}}, {{1, 0, 0}}, {{0, 1, 0}}, {{1, 1, 0}}};

static void a_pipe_and_the_air_of_a_rigid_box_keep_their_energy(void **state)
{
    (void)state;
    const struct reed reed = plug();
    for (int wide = 0; wide < 2; wide++) {
        struct air a;
        double worst = 0.0;
        make_air(&a, 20, false, wide ? 0.02 : 0.01, 0.3, 0.9999, wide ? four : one, wide ? 4 : 1, NULL, &reed);
        pulse(&a);
        const double first = energy(&a);
        for (int n = 1; n <= 3000; n++) {
            step_air(&a, 0.0);
            if (n % 50 == 0)
                worst = fmax(worst, fabs((energy(&a) + wind_lost(a.state)) / first - 1.0));
        }
        assert_within(worst, 0.0, 1e-12);
        free_air(&a);
    }
}

static void player_reed_bore_and_air_share_one_balance(void **state)
{
    (void)state;
    const struct reed reed = reed_clarinet();
    const struct wall_loss loss = wall_loss_fit(1.0 / RATE);
    struct air a;
    double worst = 0.0, square = 0.0;
    make_air(&a, 20, false, 0.0075, 21.0 * WINDS_SPEED / RATE / 0.999, 0.999, one, 1, &loss, &reed);
    for (int n = 1; n <= 6000; n++) {
        step_air(&a, 0.6 * reed_closing_pressure(&reed) * fmin(1.0, n / 500.0));
        if (n % 50 == 0)
            worst = fmax(worst, fabs(wind_given(a.state) - wind_lost(a.state) - energy(&a)));
        square += n > 3000 ? pow(wind_pressure(&a.wind, a.state)[0], 2) / 3000.0 : 0.0;
    }
    assert_within(worst / wind_given(a.state), 0.0, 1e-12);
    assert_true(sqrt(square) > 1500.0);
    free_air(&a);
}

/* Frequency of the largest component near f of a record that a Hann window weighs. */
static double peak_of(const double *x, int count, double f)
{
    double best = f, span = 0.004 * f;
    for (int pass = 0; pass < 4; pass++, span /= 8.0) {
        const double centre = best;
        double max = 0.0;
        for (int i = -12; i <= 12; i++) {
            const double at = centre + span * i / 12.0;
            double re = 0.0, im = 0.0;
            for (int n = 0; n < count; n++) {
                const double weight = x[n] * pow(sin(M_PI * (n + 0.5) / count), 2);
                re += weight * cos(2.0 * M_PI * at * n / RATE);
                im += weight * sin(2.0 * M_PI * at * n / RATE);
            }
            best = hypot(re, im) > max ? at : best;
            max = fmax(max, hypot(re, im));
        }
    }
    return best;
}

/* c/4(L + 0.6133 a), where the end correction is that of waves much longer than a. */
static void an_open_pipe_has_the_end_correction_of_levine_and_schwinger(void **state)
{
    (void)state;
    enum { STEPS = 7000, SKIP = 600 };
    static double record[STEPS];
    const double radius[] = {0.006, 0.010, 0.015, 0.020};
    const struct reed reed = plug();
    for (int i = 0; i < 4; i++) {
        struct air a;
        make_air(&a, SIDE, true, radius[i], 0.3, 0.9999, i == 3 ? four : one, i == 3 ? 4 : 1, NULL, &reed);
        pulse(&a);
        for (int n = 0; n < STEPS; n++) {
            step_air(&a, 0.0);
            record[n] = wind_pressure(&a.wind, a.state)[0];
        }
        const double exact = WINDS_SPEED / (4.0 * (length_of(&a) + 0.6133 * radius[i]));
        const double first = 1200.0 * log2(peak_of(record + SKIP, STEPS - SKIP, exact) / exact);
        const double third = 1200.0 * log2(peak_of(record + SKIP, STEPS - SKIP, 3.0 * exact) / (3.0 * exact));
        print_message("radius %.0f mm, %zu points: %+.2f cents, third partial %+.2f\n", 1e3 * radius[i], a.end.points,
                      first, third);
        assert_within(first, -0.1, 0.1);
        assert_within(third, 0.0, 1.0);
        free_air(&a);
    }
}

static void the_lattice_answers_as_green_and_watson_say(void **state)
{
    (void)state;
    const struct opening_point two[] = {{{0, 0, 0}}, {{1, 0, 0}}}, far[] = {{{0, 0, 0}}, {{6, 0, 0}}};
    const struct opening_point near[] = {{{0, 0, 0}}, {{3, 3, 0}}};
    const double own = 0.25273100985866302; /* Watson's integral: 1.516386.../6 */
    assert_within(opening_green(one, 1), own, 2e-6);
    assert_within(opening_green(two, 2), 0.5 * (own + own - 1.0 / 6.0), 3e-6);
    assert_within(2.0 * opening_green(far, 2) - own, 0.013364664, 2e-5); /* Brillouin sums with 128³ points */
    assert_within(2.0 * opening_green(near, 2) - own, 0.018714794, 2e-5);
}

static void a_disc_has_the_points_within_its_radius(void **state)
{
    (void)state;
    const double centre[3] = {0.0, 0.0, 0.0}, between[3] = {0.5, 0.3, 0.5};
    struct opening_point point[16];
    assert_int_equal(opening_disc(point, 16, 2, centre, 0.3), 1);
    assert_int_equal(opening_disc(point, 16, 2, centre, 1.0), 5);
    assert_int_equal(opening_disc(point, 16, 1, between, 0.75), 4);
    for (int i = 0; i < 4; i++)
        assert_int_equal(point[i].axis[1], 0);
    assert_int_equal(opening_disc(point, 16, 1, between, 0.3), 1);
    assert_int_equal(opening_disc(point, 4, 2, centre, 1.0), 5);
    assert_int_equal(opening_disc(point, 16, 0, centre, 9.0), 17);
}

static void an_opening_takes_as_many_points_as_its_width_needs(void **state)
{
    (void)state;
    enum { MAX = 1024 };
    static struct opening_point point[MAX];
    const struct bore_grid grid = {
        .spacing = 0.0143, .time_step = 1.0 / RATE, .density = WINDS_DENSITY, .sound_speed = WINDS_SPEED};
    const double spacing = WINDS_SPEED / RATE * sqrt(3.0), at[3] = {0.0, 0.0, 0.0};
    assert_true(opening_make(9, 0.05, 0.007, 1, spacing, 0.2527, &grid).inertance < 0.0);
    for (double radius = 0.003; radius < 0.4; radius *= 1.05) {
        const struct opening o = opening_in_field(9, radius, 0.0, 2, at, spacing, &grid, point, MAX);
        const double area = M_PI * radius * radius, full = WINDS_DENSITY * 0.6133 * radius / area;
        assert_true(o.points >= 1 && o.points <= MAX);
        assert_true(o.inertance >= 0.0);
        const double field = WINDS_DENSITY * opening_green(point, o.points) / spacing;
        assert_within((o.inertance + field) / full, 1.0, 1e-9);
    }
    assert_true(opening_in_field(9, 1.0, 0.0, 2, at, spacing, &grid, point, MAX).inertance < 0.0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_pipe_and_the_air_of_a_rigid_box_keep_their_energy),
        cmocka_unit_test(player_reed_bore_and_air_share_one_balance),
        cmocka_unit_test(an_open_pipe_has_the_end_correction_of_levine_and_schwinger),
        cmocka_unit_test(the_lattice_answers_as_green_and_watson_say),
        cmocka_unit_test(a_disc_has_the_points_within_its_radius),
        cmocka_unit_test(an_opening_takes_as_many_points_as_its_width_needs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
