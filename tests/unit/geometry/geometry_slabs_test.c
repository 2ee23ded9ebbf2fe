/* SPDX-License-Identifier: MIT */
/* Rooms that parts make together, each its slab of planes: the voxels, areas, reports and errors of one part. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "support/random_cases.h"
#include "validate/geometry/slab_room.h"

#include <cmocka.h>

enum { PARTS_MOST = 8 };

static void any_number_of_parts_makes_the_same_voxels(void **state)
{
    (void)state;
    static const int counts[] = {2, 3, 5, PARTS_MOST};
    struct random r = random_cases(__func__);
    struct slab_room *room = calloc(1, sizeof *room);
    int made = 0;
    assert_non_null(room);
    for (int i = 0; i < case_count(150); i++) {
        struct slab_outcome whole = {.status = 0}, outcomes[PARTS_MOST];
        const int parts = counts[i % 4];
        struct error e;
        memset(outcomes, 0, sizeof outcomes);
        slab_room_draw(room, &r);
        assert_int_equal(slab_room_make(&whole, room, 1, &e), 0);
        assert_int_equal(slab_room_make(outcomes, room, parts, &e), 0);
        const char *difference = slab_room_difference(&whole, outcomes, parts, room->source_voxel_count);
        if (difference)
            fail_msg("room %d by %d parts: %s: %s against %s", i, parts, difference, outcomes[0].error.message,
                     whole.error.message);
        made += !whole.status;
        slab_outcome_free(&whole);
        for (int part = 0; part < parts; part++)
            slab_outcome_free(&outcomes[part]);
        slab_room_free(room);
    }
    free(room);
    print_message("%d rooms were made, of the others the errors compared\n", made);
    assert_true(made > 0);
}

/* A turned box with objects: no part has much more than its share of the rows, the first no more than others. */
static void no_part_holds_much_of_the_voxels(void **state)
{
    (void)state;
    struct random r = random_cases(__func__);
    struct slab_room *room = calloc(1, sizeof *room);
    assert_non_null(room);
    for (int i = 0; i < case_count(6); i++) {
        struct slab_outcome whole = {.status = 0}, outcomes[PARTS_MOST];
        struct error e;
        memset(outcomes, 0, sizeof outcomes);
        mesh_add_box(&room->mesh, (const double[]){0, 0, 0}, (const double[]){80, 60, 160}, 0);
        mesh_turn(&room->mesh, random_uniform(&r, 10, 80), random_uniform(&r, 2, 10), random_uniform(&r, 2, 10));
        room->surface = surface_of(&room->mesh);
        room->lattice = lattice_around(&room->mesh, 1.0);
        room->options = (struct voxelize_options){.crop = true, .threads = 1};
        assert_int_equal(slab_room_make(&whole, room, 1, &e), 0);
        assert_int_equal(slab_room_make(outcomes, room, PARTS_MOST, &e), 0);
        assert_int_equal(whole.status, 0);
        for (int part = 0; part < PARTS_MOST; part++) {
            assert_int_equal(outcomes[part].status, 0);
            assert_true(voxel_set_bytes(outcomes[part].made.set) < 2 * voxel_set_bytes(whole.made.set) / PARTS_MOST);
            slab_outcome_free(&outcomes[part]);
        }
        slab_outcome_free(&whole);
        slab_room_free(room);
    }
    free(room);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_number_of_parts_makes_the_same_voxels),
        cmocka_unit_test(no_part_holds_much_of_the_voxels),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
