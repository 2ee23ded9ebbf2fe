/* Membranes and plates on their grids, and how they share the air. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "model/model.h"
#include "room_files.h"
#include "synth/in_air.h"
#include "synth/stiffness.h"
#include "synth/surface.h"

#include <cmocka.h>

#include "within.h"

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

static struct surface *make(struct surface_grid *grid, const struct surface_plan *plan)
{
    struct surface *s;
    struct error e;
    if (surface_make(&s, grid, plan, "tested", &e))
        fail_msg("%s", e.message);
    return s;
}

/* C. Leissa's constants for discs, NASA SP-160, tables 2.1 and 2.10: ν = 0.3 and 0.33. */
static void test_exact_pitches_are_the_published_ones(void **state)
{
    (void)state;
    struct surface_plan p = steel(SURFACE_CIRCLE, SURFACE_CLAMPED, 0);
    const double unit = sqrt(p.bending / p.density) / (2.0 * M_PI * 0.25);
    assert_within(surface_exact_pitch(&p) / unit, 10.2158, 1e-4);
    p.edge = SURFACE_FREE;
    p.poisson = 0.33;
    assert_within(surface_exact_pitch(&p) / unit, 5.253, 2e-2);
    p = steel(SURFACE_RECTANGLE, SURFACE_SUPPORTED, 0);
    assert_within(surface_exact_pitch(&p), 0.5 * M_PI * sqrt(p.bending / p.density) * (1.0 + 1.0 / (0.74 * 0.74)),
                  1e-9);
    const struct surface_plan drum = drumhead(0);
    assert_within(surface_exact_pitch(&drum), 2.404825557695773 / (2.0 * M_PI * 0.15) * sqrt(2000.0 / 0.26), 1e-9);
}

/* Σ u N v = Σ v N u for any u, v: what keeps energy. */
static void test_stencils_are_symmetric_for_every_outline_and_edge(void **state)
{
    (void)state;
    struct random random = {random_fresh_seed()};
    print_message("seed %lu\n", (unsigned long)random.state);
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

/* N w = 2 w: a free plate that moves or turns as a whole feels no stiffness. */
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
                sums[0] += stencil->now[k];
                sums[1] += stencil->now[k] * ((double)(other % s->nx) - (double)(n % s->nx));
                sums[2] += stencil->now[k] * ((double)(other / s->nx) - (double)(n / s->nx));
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
    const size_t most = grid.cells_most;
    p.cells = most + 1;
    if (most < PLATE_CELLS) {
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
    /* PHYSICS section 3: h² >= a + sqrt(a² + 16 κ²k²), a = c²k² + 4 σ1 k */
    struct surface_plan p = steel(SURFACE_RECTANGLE, SURFACE_SUPPORTED, 0);
    p.half[1] = p.half[0];
    const double k = p.time_step, kappa_squared = p.bending / p.density, a = 4.0 * p.sigma1 * k;
    const double h = sqrt(a + sqrt(a * a + 16.0 * kappa_squared * k * k));
    struct surface_grid grid;
    p.cells = (size_t)floor(1.0 / h);
    struct surface *s = make(&grid, &p);
    surface_free(s);
    struct error e;
    p.cells++;
    assert_int_not_equal(surface_make(&s, &grid, &p, "sheet", &e), 0);
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
    /* towards a held edge the displacement goes to 0, whatever the grid */
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
            sum += weight[k];
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

/* Whatever the ratio of the grids: the volume that the cells displace is that of the nodes, and J Jᵀ is what the solver is
 * told it is. */
static void test_the_air_is_moved_by_what_the_nodes_displace(void **state)
{
    (void)state;
    struct room *room;
    struct model *m = make_model(&room);
    struct random random = {random_fresh_seed()};
    print_message("seed %lu\n", (unsigned long)random.state);
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
        if (surface_in_air(s, &grid, &p, &site, m, &cuts, &plane, "tested", &e) || cut_list_finish(&cuts, m, &e))
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

/* Jacobi's steps leave nothing but rounding. */
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
    assert_int_equal(surface_in_air(s, &grid, &p, &site, m, &cuts, &plane, "tested", &e), 0);
    double *right = calloc(3 * s->cells, sizeof *right), *r = right + s->cells, *scratch = r + s->cells;
    struct random random = {random_fresh_seed()};
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
        cmocka_unit_test(test_exact_pitches_are_the_published_ones),
        cmocka_unit_test(test_stencils_are_symmetric_for_every_outline_and_edge),
        cmocka_unit_test(test_a_free_plate_moves_and_turns_without_stiffness),
        cmocka_unit_test(test_too_many_and_too_few_cells_are_refused_with_the_bound),
        cmocka_unit_test(test_the_bound_is_sharp),
        cmocka_unit_test(test_places_are_weighted_onto_the_nodes_around_them),
        cmocka_unit_test(test_the_rim_of_a_free_disc_can_be_struck),
        cmocka_unit_test(test_the_air_is_moved_by_what_the_nodes_displace),
        cmocka_unit_test(test_the_air_and_the_surface_are_solved_for_to_rounding),
    };
    return cmocka_run_group_tests(tests, room_files_set_up, room_files_tear_down);
}
