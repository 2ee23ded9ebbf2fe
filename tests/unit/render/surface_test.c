/* SPDX-License-Identifier: MIT */
/* Membranes and plates on their grids, and their coupling with the air. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "render/synth/air_coupling.h"
#include "render/synth/plate_modes.h"
#include "render/synth/surface.h"
#include "room/grid/model.h"
#include "support/random_cases.h"
#include "support/room_files.h"

#include <cmocka.h>

#include "support/within.h"

static struct surface_plan drumhead(size_t cells)
{
    return (struct surface_plan){.outline = SURFACE_CIRCLE,
                                 .half = {0.15, 0.15},
                                 .density = 0.26,
                                 .tension = 2000.0,
                                 .time_step = 1.0 / 44100.0,
                                 .cells = cells};
}

static struct surface_plan steel(enum surface_outline outline, enum surface_edge edge, size_t cells)
{
    return (struct surface_plan){.outline = outline,
                                 .half = {0.5, outline == SURFACE_CIRCLE ? 0.5 : 0.37},
                                 .edge = edge,
                                 .density = 7.85,
                                 .bending = 2e11 * 1e-9 / (12.0 * 0.91),
                                 .poisson = 0.3,
                                 .sigma0 = 0.3,
                                 .sigma1 = 1e-3,
                                 .time_step = 1.0 / 44100.0,
                                 .cells = cells};
}

static size_t useful_cells(const struct surface_plan *p)
{
    return p->outline == SURFACE_CIRCLE ? PLATE_CELLS / 2 : PLATE_CELLS;
}

static struct surface *make(struct surface_grid *grid, const struct surface_plan *plan)
{
    struct surface *s;
    struct error e;
    if (surface_make(&s, grid, plan, "tested", &e))
        fail_msg("%s", e.message);
    return s;
}

static void assert_modes(const struct surface_plan *p, int parity, size_t count, const double *lambda_squared, double a)
{
    struct plate_modes m;
    struct error e;
    assert_int_equal(plate_modes_find(&m, p, &e), 0);
    for (size_t i = 0; i < count; i++)
        assert_within(m.frequency[parity][i] / sqrt(p->bending / p->density) * a * a, lambda_squared[i],
                      1e-4 * lambda_squared[i]);
}

/* Characteristic equations and sums of Ritz worked out apart from this program, by symmetry; within 0.2 % they are
 * Leissa's for discs and clamped squares (NASA SP-160, tables 2.1, 2.6, 4.28), and for free squares those of converged
 * sums. */
static void test_exact_modes_are_the_known_ones(void **state)
{
    (void)state;
    struct surface_plan p = steel(SURFACE_CIRCLE, SURFACE_CLAMPED, 0);
    assert_modes(&p, 0, 5, (const double[]){10.2158, 34.8770, 39.7711, 69.6658, 84.5826}, 0.5);
    assert_modes(&p, ODD_ALONG, 4, (const double[]){21.2604, 51.0300, 60.8287, 90.7390}, 0.5);
    p.edge = SURFACE_FREE;
    p.poisson = 0.33;
    assert_modes(&p, 0, 5, (const double[]){5.2620, 9.0689, 21.5272, 35.2425, 38.5070}, 0.5);
    assert_modes(&p, ODD_ACROSS, 4, (const double[]){12.2439, 20.5131, 33.0618, 52.9210}, 0.5);
    assert_modes(&p, ODD_ALONG | ODD_ACROSS, 2, (const double[]){5.2620, 21.5272}, 0.5);
    p = steel(SURFACE_RECTANGLE, SURFACE_CLAMPED, 0);
    p.half[1] = p.half[0];
    assert_modes(&p, 0, 4, (const double[]){35.9852, 131.5808, 132.2048, 220.0327}, 1.0);
    assert_modes(&p, ODD_ALONG, 3, (const double[]){73.3938, 165.0004, 210.5218}, 1.0);
    assert_modes(&p, ODD_ALONG | ODD_ACROSS, 3, (const double[]){108.2165, 242.1539, 243.1444}, 1.0);
    p.edge = SURFACE_FREE;
    assert_modes(&p, 0, 4, (const double[]){19.5961, 24.2702, 63.6861, 117.1087}, 1.0);
    assert_modes(&p, ODD_ACROSS, 3, (const double[]){34.8009, 61.0932, 105.4604}, 1.0);
    assert_modes(&p, ODD_ALONG | ODD_ACROSS, 3, (const double[]){13.4682, 69.2654, 77.1717}, 1.0);
    p = steel(SURFACE_RECTANGLE, SURFACE_SUPPORTED, 0);
    assert_modes(&p, 0, 1, (const double[]){M_PI * M_PI * (1.0 + 1.0 / (0.74 * 0.74))}, 1.0);
    const struct surface_plan drum = drumhead(0);
    assert_within(membrane_pitch(&drum), 2.404825557695773 / (2.0 * M_PI * 0.15) * sqrt(2000.0 / 0.26), 1e-9);
}

/* A long free strip bends as a free bar with 1 - ν² of its compliance, (4.7300/a)² for the lowest mode. */
static void test_a_long_plate_bends_like_a_bar(void **state)
{
    (void)state;
    struct surface_plan p = steel(SURFACE_RECTANGLE, SURFACE_FREE, 0);
    struct plate_modes m;
    struct error e;
    p.half[1] = 0.05;
    p.poisson = 0.0;
    assert_int_equal(plate_modes_find(&m, &p, &e), 0);
    assert_within(m.frequency[0][0] / sqrt(p.bending / p.density), 22.3733, 0.01);
}

/* Σ u N v = Σ v N u for any u, v: necessary for conservation of energy. */
static void test_stencils_are_symmetric_for_every_outline_and_edge(void **state)
{
    (void)state;
    struct random random = random_cases(__func__);
    for (int i = 0; i < 6; i++) {
        const struct surface_plan p = i == 0
                                          ? drumhead(13)
                                          : steel(i > 3 ? SURFACE_CIRCLE : SURFACE_RECTANGLE,
                                                  i > 3 ? (enum surface_edge)(i - 3) : (enum surface_edge)(i - 1), 17);
        struct surface_grid grid;
        struct surface *s = make(&grid, &p);
        const size_t nodes = s->nx * s->ny;
        double *u = calloc(2 * nodes, sizeof *u), *v = u + nodes, sums[4] = {0}, scale = 0.0;
        for (size_t n = 0; n < nodes; n++) {
            u[n] = s->kind[n] ? random_unit(&random) - 0.5 : 0.0;
            v[n] = s->kind[n] ? random_unit(&random) - 0.5 : 0.0;
        }
        for (size_t n = 0; n < nodes; n++)
            for (uint32_t k = 0; k < s->stencils[s->kind[n]].count; k++) {
                const struct stencil *stencil = &s->stencils[s->kind[n]];
                const size_t other = (size_t)((ptrdiff_t)n + stencil->offset[k]);
                sums[0] += u[n] * stencil->now[k] * v[other];
                sums[1] += v[n] * stencil->now[k] * u[other];
                sums[2] += u[n] * stencil->before[k] * v[other];
                sums[3] += v[n] * stencil->before[k] * u[other];
                scale += fabs(u[n] * stencil->now[k] * v[other]);
            }
        assert_within(sums[0], sums[1], 1e-13 * scale);
        assert_within(sums[2], sums[3], 1e-13 * scale);
        free(u);
        surface_free(s);
    }
}

/* N w = 2 w: a free plate has no stiffness against rigid-body motion. */
static void test_a_free_plate_moves_and_turns_without_stiffness(void **state)
{
    (void)state;
    for (int circle = 0; circle < 2; circle++) {
        struct surface_plan p = steel(circle ? SURFACE_CIRCLE : SURFACE_RECTANGLE, SURFACE_FREE, 15);
        p.sigma1 = 0.0;
        struct surface_grid grid;
        struct surface *s = make(&grid, &p);
        for (size_t n = 0; n < s->nx * s->ny; n++) {
            const struct stencil *stencil = &s->stencils[s->kind[n]];
            double sums[3] = {0};
            for (uint32_t k = 0; k < stencil->count; k++) {
                const size_t other = (size_t)((ptrdiff_t)n + stencil->offset[k]);
                const double now = stencil->now[k] * s->lightness[n] / s->lightness[other];
                sums[0] += now;
                sums[1] += now * ((double)(other % s->nx) - (double)(n % s->nx));
                sums[2] += now * ((double)(other / s->nx) - (double)(n / s->nx));
            }
            assert_within(sums[0], s->kind[n] ? 2.0 : 0.0, 1e-12);
            assert_within(sums[1], 0.0, 1e-12);
            assert_within(sums[2], 0.0, 1e-12);
        }
        surface_free(s);
    }
}

static void test_too_many_and_too_few_cells_are_refused_with_the_bound(void **state)
{
    (void)state;
    struct surface *s;
    struct surface_grid grid;
    struct error e;
    struct surface_plan p = steel(SURFACE_RECTANGLE, SURFACE_SUPPORTED, 0);
    s = make(&grid, &p);
    surface_free(s);
    const size_t max = grid.cells_max;
    p.cells = max + 1;
    if (max < PLATE_CELLS) {
        assert_int_not_equal(surface_make(&s, &grid, &p, "sheet", &e), 0);
        assert_int_equal(e.code, ERROR_INPUT);
    }
    p.cells = 400;
    assert_int_not_equal(surface_make(&s, &grid, &p, "sheet", &e), 0);
    assert_null(s);
    assert_non_null(strstr(e.message, "instrument sheet: 400 cells"));
    assert_non_null(strstr(e.message, "at most"));
    p = steel(SURFACE_RECTANGLE, SURFACE_SUPPORTED, 0);
    p.half[0] = p.half[1] = 0.02;
    assert_int_not_equal(surface_make(&s, &grid, &p, "sheet", &e), 0);
    assert_non_null(strstr(e.message, "raise grid.rate"));
}

static void test_the_bound_is_sharp(void **state)
{
    (void)state;
    /* theory (67): h² >= 2c²k² + 8 σ1 k for a membrane */
    struct surface_plan p = {.outline = SURFACE_RECTANGLE,
                             .half = {0.5, 0.5},
                             .density = 0.26,
                             .tension = 2000.0,
                             .sigma1 = 1e-3,
                             .time_step = 1.0 / 4000.0};
    const double k = p.time_step, h = sqrt(2.0 * p.tension / p.density * k * k + 8.0 * p.sigma1 * k);
    struct surface_grid grid;
    p.cells = (size_t)floor(1.0 / h);
    struct surface *s = make(&grid, &p);
    surface_free(s);
    struct error e;
    p.cells++;
    assert_int_not_equal(surface_make(&s, &grid, &p, "sheet", &e), 0);
}

/* The largest eigenvalue of 2 - N, from below, by the power method; energy needs it to stay below 4. */
static double largest(const struct surface *s)
{
    const size_t nodes = s->nx * s->ny;
    double *x = calloc(2 * nodes, sizeof *x), *y = x + nodes, value = 0.0;
    struct random random = random_cases(__func__);
    for (size_t n = 0; n < nodes; n++)
        x[n] = s->kind[n] ? random_unit(&random) - 0.5 : 0.0;
    for (int step = 0; step < 400; step++) {
        double length = 0.0;
        for (size_t n = 0; n < nodes; n++) {
            const struct stencil *stencil = &s->stencils[s->kind[n]];
            y[n] = s->kind[n] ? 2.0 * x[n] : 0.0;
            for (uint32_t k = 0; k < stencil->count; k++)
                y[n] -= stencil->now[k] * x[(size_t)((ptrdiff_t)n + stencil->offset[k])];
            length += y[n] * y[n];
        }
        value = sqrt(length);
        for (size_t n = 0; n < nodes; n++)
            x[n] = y[n] / value;
    }
    free(x);
    return value;
}

/* For any number of cells: the largest stable one has no growing wave and wastes less than a third of the spacing. */
static void test_plates_of_as_many_cells_as_are_stable_are(void **state)
{
    (void)state;
    struct random random = random_cases(__func__);
    for (int i = 0; i < 12; i++) {
        struct surface_plan p = steel(i % 4 == 3 ? SURFACE_CIRCLE : SURFACE_RECTANGLE, (enum surface_edge)(i % 3), 0);
        if (p.outline == SURFACE_CIRCLE && p.edge == SURFACE_SUPPORTED)
            p.edge = SURFACE_FREE;
        p.poisson = 0.49 * random_unit(&random);
        p.sigma1 = 0.0;
        p.time_step *= 4.0 + 20.0 * random_unit(&random);
        p.half[1] = p.outline == SURFACE_CIRCLE ? p.half[0] : p.half[0] * (0.5 + random_unit(&random));
        struct surface_grid grid;
        struct surface *s = make(&grid, &p);
        const double top = largest(s);
        assert_true(top < 4.0 * (1.0 + 1e-12));
        assert_true(grid.cells < 12 || grid.cells == useful_cells(&p) || top > 4.0 / 5.0);
        surface_free(s);
    }
}

/* Including lighter nodes at a rim, all nodes together have the plate's mass. */
static void test_the_nodes_weigh_what_the_plate_does(void **state)
{
    (void)state;
    for (size_t cells = 5; cells < 25; cells += 3)
        for (int circle = 0; circle < 2; circle++) {
            const struct surface_plan p = steel(circle ? SURFACE_CIRCLE : SURFACE_RECTANGLE, SURFACE_FREE, cells);
            struct surface_grid grid;
            struct surface *s = make(&grid, &p);
            double area = 0.0, min = 1.0;
            for (size_t n = 0; n < s->nx * s->ny; n++) {
                const double mass = 1.0 / (s->lightness[n] * s->lightness[n]);
                area += s->kind[n] ? mass * grid.spacing[0] * grid.spacing[1] : 0.0;
                min = fmin(min, mass);
            }
            assert_within(area, circle ? M_PI * p.half[0] * p.half[0] : 4.0 * p.half[0] * p.half[1], 1e-3);
            assert_true(min > 0.25);
            surface_free(s);
        }
}

/* The ten lowest modes of any plate. */
static void test_ten_modes_are_right_on_finer_grids(void **state)
{
    (void)state;
    struct random random = random_cases(__func__);
    for (int i = 0; i < 5; i++) {
        const bool circle = i < 2;
        const enum surface_edge edge = (enum surface_edge)(2 - i % 2 - i / 4); /* free, clamped, .., supported */
        struct surface_plan p = steel(circle ? SURFACE_CIRCLE : SURFACE_RECTANGLE, edge, circle ? 18 : 40);
        p.poisson = 0.49 * random_unit(&random);
        p.time_step = 1e-6;
        p.half[1] = circle ? p.half[0] : p.half[0] * (0.6 + 0.8 * random_unit(&random));
        struct surface_grid grid;
        struct surface *s = make(&grid, &p);
        assert_true(grid.worst < 5e-3);
        surface_free(s);
    }
}

static void test_places_are_weighted_onto_the_nodes_around_them(void **state)
{
    (void)state;
    const struct surface_plan p = steel(SURFACE_RECTANGLE, SURFACE_CLAMPED, 20);
    struct surface_grid grid;
    struct surface *s = make(&grid, &p);
    uint32_t node[4];
    double weight[4], at[2] = {0.0, 0.0}, sum = 0.0;
    const double place[2] = {0.31, -0.42};
    assert_within(surface_place(node, weight, s, &grid, &p, place), 1.0, 1e-14);
    for (int i = 0; i < 4; i++) {
        at[0] += weight[i] * (grid.first[0] + (double)(node[i] % s->nx) * grid.spacing[0]);
        at[1] += weight[i] * (grid.first[1] + (double)(node[i] / s->nx) * grid.spacing[1]);
        sum += weight[i];
    }
    assert_within(sum, 1.0, 1e-14);
    assert_within(at[0], 0.31 * p.half[0], 1e-12);
    assert_within(at[1], -0.42 * p.half[1], 1e-12);
    /* towards a fixed edge the displacement goes to 0, on any grid */
    const double near[2] = {1.0 - 0.25 * grid.spacing[0] / p.half[0], 0.0}, edge[2] = {1.0, 1.0};
    assert_within(surface_place(node, weight, s, &grid, &p, near), 0.25, 1e-9);
    assert_within(surface_place(node, weight, s, &grid, &p, edge), 0.0, 1e-9);
    surface_free(s);
}

static void test_the_rim_of_a_free_disc_can_be_struck(void **state)
{
    (void)state;
    const struct surface_plan p = steel(SURFACE_CIRCLE, SURFACE_FREE, 11);
    struct surface_grid grid;
    struct surface *s = make(&grid, &p);
    for (int i = 0; i < 64; i++) {
        const double place[2] = {cos(0.1 * i), sin(0.1 * i)};
        uint32_t node[4];
        double weight[4], sum = 0.0;
        assert_within(surface_place(node, weight, s, &grid, &p, place), 1.0, 1e-12);
        for (int k = 0; k < 4; k++) {
            sum += weight[k] / s->lightness[node[k]];
            assert_true(weight[k] == 0.0 || s->kind[node[k]]);
        }
        assert_within(sum, 1.0, 1e-12);
    }
    surface_free(s);
}

static const char room_text[] = "room: { size = [1.2, 1.1, 1.0]; walls: { default = \"rigid\"; }; };\n"
                                "grid: { rate = 16000.0; };\n"
                                "sources: ( { position = [0.1, 0.1, 0.1]; } );\n"
                                "receivers: ( { position = [1.0, 1.0, 0.9]; } );\n";

static struct model *make_model(struct room **room)
{
    struct model *m;
    struct error e;
    *room = good_room(room_text);
    if (model_make(&m, *room, &e))
        fail_msg("%s", e.message);
    return m;
}

/* For any ratio of the grids: the cells displace the volume that the nodes do, and J Jᵀ is the matrix given to the
 * solver. */
static void test_the_air_is_moved_by_what_the_nodes_displace(void **state)
{
    (void)state;
    struct room *room;
    struct model *m = make_model(&room);
    struct random random = random_cases(__func__);
    for (int i = 0; i < 8; i++) {
        struct surface_plan p =
            i % 2 ? steel(SURFACE_RECTANGLE, SURFACE_SUPPORTED, 5 + (size_t)i * 3) : drumhead(6 + 4 * (size_t)i);
        p.half[0] = 0.25;
        p.half[1] = i % 2 ? 0.2 : 0.25;
        p.time_step = 1.0 / 44100.0;
        struct surface_grid grid;
        struct surface *s = make(&grid, &p);
        struct surface_site site = {.centre = {0.6, 0.55, 0.5}, .normal = i % 3};
        for (int axis = 0; axis < 3; axis++)
            site.centre[axis] += 0.04 * (random_unit(&random) - 0.5);
        struct cut_list cuts = {0};
        double plane;
        struct error e;
        if (surface_couple_air(s, &grid, &p, &site, m, &cuts, &plane, "tested", &e) || cut_list_finish(&cuts, m, &e))
            fail_msg("%s", e.message);
        size_t nodes = 0;
        double moved = 0.0;
        for (size_t n = 0; n < s->nx * s->ny; n++)
            nodes += s->kind[n] != 0;
        for (uint32_t k = 0; k < s->map.start[s->cells]; k++)
            moved += s->map.value[k];
        const double x = m->grid.spacing;
        assert_within(moved * x * x, (double)nodes * grid.spacing[0] * grid.spacing[1], 1e-12);
        assert_within(plane, site.centre[site.normal], 0.5 * x + 1e-12);
        assert_int_equal(cuts.count, 2 * s->cells);
        for (size_t cell = 0; cell < s->cells; cell++) { /* a row of J Jᵀ, from J alone */
            double *row = calloc(s->cells, sizeof *row);
            for (uint32_t k = s->map.start[cell]; k < s->map.start[cell + 1]; k++)
                for (size_t other = 0; other < s->cells; other++)
                    for (uint32_t l = s->map.start[other]; l < s->map.start[other + 1]; l++)
                        if (s->map.column[l] == s->map.column[k])
                            row[other] += s->map.value[k] * s->map.value[l];
            assert_within(row[cell], s->diagonal[cell], 1e-14);
            for (uint32_t k = s->coupling.start[cell]; k < s->coupling.start[cell + 1]; k++) {
                assert_within(row[s->coupling.column[k]], s->coupling.value[k], 1e-14);
                row[s->coupling.column[k]] = 0.0;
            }
            row[cell] = 0.0;
            for (size_t other = 0; other < s->cells; other++)
                assert_within(row[other], 0.0, 1e-14);
            free(row);
            if (cell > 40)
                break; /* enough rows of a large surface */
        }
        cut_list_free(&cuts);
        surface_free(s);
    }
    model_free(m);
    room_free(room);
}

/* After the Jacobi iterations only rounding errors remain. */
static void test_the_air_and_the_surface_are_solved_for_to_rounding(void **state)
{
    (void)state;
    struct room *room;
    struct model *m = make_model(&room);
    struct surface_plan p = drumhead(0);
    p.density = 0.02; /* light: the air is a heavy load */
    p.tension = 100.0;
    p.time_step = 1.0 / m->grid.rate;
    struct surface_grid grid;
    struct surface *s = make(&grid, &p);
    const struct surface_site site = {.centre = {0.61, 0.52, 0.5}, .normal = 2};
    struct cut_list cuts = {0};
    double plane;
    struct error e;
    assert_int_equal(surface_couple_air(s, &grid, &p, &site, m, &cuts, &plane, "tested", &e), 0);
    double *right = calloc(3 * s->cells, sizeof *right), *r = right + s->cells, *scratch = r + s->cells;
    struct random random = random_cases(__func__);
    for (size_t i = 0; i < s->cells; i++)
        right[i] = random_unit(&random) - 0.5;
    surface_solve(s, right, r, scratch);
    const double c = s->load * s->area_ratio / s->denominator;
    for (size_t i = 0; i < s->cells; i++) {
        double sum = (1.0 + c * s->diagonal[i]) * r[i];
        for (uint32_t k = s->coupling.start[i]; k < s->coupling.start[i + 1]; k++)
            sum += c * s->coupling.value[k] * r[s->coupling.column[k]];
        assert_within(sum, right[i], 1e-15);
    }
    free(right);
    cut_list_free(&cuts);
    surface_free(s);
    model_free(m);
    room_free(room);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_exact_modes_are_the_known_ones),
        cmocka_unit_test(test_a_long_plate_bends_like_a_bar),
        cmocka_unit_test(test_stencils_are_symmetric_for_every_outline_and_edge),
        cmocka_unit_test(test_a_free_plate_moves_and_turns_without_stiffness),
        cmocka_unit_test(test_too_many_and_too_few_cells_are_refused_with_the_bound),
        cmocka_unit_test(test_the_bound_is_sharp),
        cmocka_unit_test(test_plates_of_as_many_cells_as_are_stable_are),
        cmocka_unit_test(test_the_nodes_weigh_what_the_plate_does),
        cmocka_unit_test(test_ten_modes_are_right_on_finer_grids),
        cmocka_unit_test(test_places_are_weighted_onto_the_nodes_around_them),
        cmocka_unit_test(test_the_rim_of_a_free_disc_can_be_struck),
        cmocka_unit_test(test_the_air_is_moved_by_what_the_nodes_displace),
        cmocka_unit_test(test_the_air_and_the_surface_are_solved_for_to_rounding),
    };
    return cmocka_run_group_tests(tests, room_files_set_up, room_files_tear_down);
}
