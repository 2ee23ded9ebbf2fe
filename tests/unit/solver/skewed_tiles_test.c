/* SPDX-License-Identifier: MIT */
/* For any tiles, depth, planes and threads: every row takes every step once, and only while its neighbours are at the
 * levels that the scheme needs, with or without diagonal ones. */
#include <omp.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <cmocka.h>

#include "base/random.h"
#include "solver/cpu/skewed_tiles.h"

enum { ROWS_MAX = 40, CASES = 300 };

struct plan {
    size_t ny, nz;
    size_t planes; /* taken together */
    bool diagonals;
    _Atomic size_t level[ROWS_MAX * ROWS_MAX]; /* steps that a row has taken */
    atomic_int early, astray;
};

/* A neighbour must be at this row's step or one ahead: further behind, values that this row reads do not exist yet;
 * further ahead, they are overwritten. */
static void look(struct plan *p, size_t row, size_t step)
{
    const size_t level = atomic_load(&p->level[row]);
    if (level != step && level != step + 1)
        atomic_fetch_add(&p->early, 1);
}

static void step_row(struct plan *p, size_t row, size_t step)
{
    const size_t y = row % p->ny, z = row / p->ny;
    if (z >= p->nz || atomic_load(&p->level[row]) != step) {
        atomic_fetch_add(&p->astray, 1);
        return;
    }
    for (size_t to_z = z > 0 ? z - 1 : 0; to_z <= z + 1 && to_z < p->nz; to_z++)
        for (size_t to_y = y > 0 ? y - 1 : 0; to_y <= y + 1 && to_y < p->ny; to_y++)
            if ((to_y == y) != (to_z == z) || (p->diagonals && to_y != y))
                look(p, to_y + p->ny * to_z, step);
    atomic_store(&p->level[row], step + 1);
}

/* Row by row, all steps of one before the next, each a plane below the last. */
static void visit(void *worker, const struct plane_rows *rows, size_t step, size_t steps)
{
    struct plan *p = worker;
    const size_t row0 = rows->row0, row1 = rows->row1, z = row0 / p->ny;
    if (row0 >= row1 || z != (row1 - 1) / p->ny || z + 1 < steps || rows->planes < 1 || rows->planes > p->planes)
        atomic_fetch_add(&p->astray, 1);
    else
        for (size_t row = row0; row < row1; row++)
            for (size_t plane = 0; plane < rows->planes; plane++)
                for (size_t k = 0; k < steps; k++)
                    step_row(p, row + plane * p->ny - k * p->ny, step + k);
}

static void begin(void *worker, const struct plane_rows *rows, size_t step, size_t visits)
{
    struct plan *p = worker;
    const size_t row0 = rows->row0, row1 = rows->row1;
    const bool within = row0 < row1 && rows->planes >= 1 && rows->planes <= p->planes &&
                        row1 + (rows->planes - 1) * p->ny <= p->ny * p->nz && row0 / p->ny == (row1 - 1) / p->ny;
    if (!within || visits == 0 || atomic_load(&p->level[row0]) != step)
        atomic_fetch_add(&p->astray, 1);
}

static void every_row_takes_every_step_after_its_neighbours(void **state)
{
    (void)state;
    const uint64_t seed = (uint64_t)time(NULL);
    struct random random = {seed};
    static struct plan plan;
    printf("seed %llu\n", (unsigned long long)seed);
    for (int i = 0; i < CASES; i++) {
        struct skewed_tiles tiles;
        const bool unrolled = random_between(&random, 0, 1);
        const struct row_work work = {visit, begin, unrolled ? random_between(&random, 1, 5) : 1};
        const int team = (int)random_between(&random, 1, 4);
        const size_t steps = random_between(&random, 1, 30);
        plan.diagonals = !unrolled;
        plan.planes = unrolled ? 1 : random_between(&random, 1, 5);
        plan.ny = random_between(&random, 1, ROWS_MAX);
        plan.nz = random_between(&random, 1, ROWS_MAX);
        for (size_t row = 0; row < ROWS_MAX * ROWS_MAX; row++)
            atomic_store(&plan.level[row], 0);
        atomic_store(&plan.early, 0);
        atomic_store(&plan.astray, 0);
        double costs[ROWS_MAX];
        for (size_t y = 0; y < plan.ny; y++)
            costs[y] = (double)random_between(&random, 0, 9);
        const struct tile_choice choice = {.row_bytes = 1000,
                                           .planes = plan.planes,
                                           .height = random_between(&random, 0, 12),
                                           .depth = random_between(&random, 0, 20),
                                           .threads = team,
                                           .costs = random_between(&random, 0, 1) ? costs : NULL};
        assert_int_equal(skewed_tiles_make(&tiles, plan.ny, plan.nz, &choice), 0);
        skewed_tiles_begin(&tiles);
#pragma omp parallel num_threads(team)
        skewed_tiles_run(&tiles, (size_t)omp_get_thread_num(), (size_t)omp_get_num_threads(), steps, &work, &plan);
        skewed_tiles_free(&tiles);
        assert_int_equal(atomic_load(&plan.early), 0);
        assert_int_equal(atomic_load(&plan.astray), 0);
        for (size_t row = 0; row < plan.ny * plan.nz; row++)
            assert_int_equal(atomic_load(&plan.level[row]), steps);
    }
}

static void tiles_fit_the_cache_and_feed_every_thread(void **state)
{
    (void)state;
    struct skewed_tiles tiles;
    struct tile_choice choice = {.row_bytes = 1024, .planes = 1, .threads = 2};
    assert_int_equal(skewed_tiles_make(&tiles, 296, 212, &choice), 0);
    assert_true(tiles.depth > 1); /* short rows: temporal blocks */
    assert_true(tiles.count % 2 == 0);
    skewed_tiles_free(&tiles);
    choice.threads = 64;
    assert_int_equal(skewed_tiles_make(&tiles, 165, 98, &choice), 0); /* many threads, few rows */
    assert_true(tiles.count >= 48);
    skewed_tiles_free(&tiles);
    choice = (struct tile_choice){.row_bytes = (size_t)1 << 24, .planes = 1, .threads = 2};
    assert_int_equal(skewed_tiles_make(&tiles, 296, 212, &choice), 0);
    assert_int_equal(tiles.depth, 1); /* a row alone overflows the cache */
    skewed_tiles_free(&tiles);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_row_takes_every_step_after_its_neighbours),
        cmocka_unit_test(tiles_fit_the_cache_and_feed_every_thread),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
