/* SPDX-License-Identifier: MIT */
/* Walls over the whole band: of the grid below the edge of its valid band, of their materials above. */
#include <complex.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "model/absorption.h"
#include "model/wide_wall.h"
#include "support/small_room.h"

#include <cmocka.h>

#include "support/within.h"

static struct wide_wall *make_walls(struct small_room *room, struct model **m)
{
    struct wide_wall *walls = NULL;
    struct error e;
    *m = small_room_model(room);
    assert_non_null(*m);
    assert_int_equal(wide_walls_make(&walls, *m, &e), 0);
    return walls;
}

static void a_real_wall_is_real_at_all_frequencies(void **state)
{
    (void)state;
    struct small_room room;
    struct model *m;
    small_room_set_up(&room);
    room.materials[0] = (struct material){.name = "m", .kind = MATERIAL_IMPEDANCE, .impedance = 10.0};
    room.room.grid.scheme = GRID_SCHEME_19_POINT;
    struct wide_wall *walls = make_walls(&room, &m);
    for (double f = 50.0; f < 20000.0; f *= 1.1) {
        const double complex y = wide_wall_admittance(&walls[0], f);
        const double bound = f < m->grid.valid_frequency * M_SQRT2 ? 0.005 : 1e-15;
        assert_within(cabs(y - 0.1), 0.0, bound); /* what the grid steps is fitted for the frequency map */
    }
    free(walls);
    model_free(m);
}

/* The octaves that the grid does not carry are those of the material, and nothing jumps in between. */
static void absorption_by_octave_is_met_above_the_grids_band(void **state)
{
    (void)state;
    struct small_room room;
    struct model *m;
    small_room_set_up(&room);
    room.materials[0] = (struct material){
        .name = "m", .kind = MATERIAL_ABSORPTION, .absorption = {0.05, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.6}};
    struct wide_wall *walls = make_walls(&room, &m);
    double complex last = wide_wall_admittance(&walls[0], 300.0);
    assert_true(m->grid.valid_frequency < 1400.0);
    for (double f = 300.0; f < 20000.0; f *= 1.01) {
        const double complex y = wide_wall_admittance(&walls[0], f);
        assert_true(creal(y) > 0.0);
        assert_true(cabs(y - last) < 0.03);
        last = y;
    }
    for (int band = 5; band < OCTAVE_BANDS; band++)
        assert_within(wide_wall_absorption(&walls[0], octave_band_centre[band]), room.materials[0].absorption[band],
                      0.02);
    assert_true(wide_wall_absorption(&walls[0], 16000.0) > 0.0);
    free(walls);
    model_free(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_real_wall_is_real_at_all_frequencies),
        cmocka_unit_test(absorption_by_octave_is_met_above_the_grids_band),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
