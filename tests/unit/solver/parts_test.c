/* SPDX-License-Identifier: MIT */
/* Parts of a grid with an engine that only counts: what the transport between threads promises, and what is heard of a
 * part that fails. Runs under ThreadSanitizer, for no thread of libgomp takes part. */
#include <stdio.h>

#include "base/transport/thread_transport.h"
#include "counting_engine.h"
#include "solver/parts/cut.h"

static void count(struct counted *out, const struct box *b, const char *engine, int parts, int halo)
{
    const struct solver_options c = {.engine = engine, .threads = 1, .parts.count = parts, .parts.halo = halo};
    count_with(out, b, &c, NULL);
}

static void any_number_of_parts_counts_the_same(void **state)
{
    (void)state;
    struct box b;
    struct counted one, cut;
    make_box(&b);
    count(&one, &b, "cpu", 1, 0);
    for (int parts = 2; parts <= NZ; parts += parts < 7 ? 1 : 8)
        for (int halo = 0; halo < 6; halo++) {
            count(&cut, &b, "cpu", parts, halo);
            assert_memory_equal(cut.field, one.field, sizeof one.field);
            assert_memory_equal(cut.taps, one.taps, sizeof one.taps);
            assert_true(cut.energy == one.energy);
        }
    free_box(&b);
}

static void halos_go_from_memory_to_memory_where_the_engine_can(void **state)
{
    (void)state;
    struct box b;
    struct counted one, cut;
    make_box(&b);
    count(&one, &b, "cpu", 1, 0);
    for (int parts = 2; parts <= 6; parts++)
        for (int halo = 0; halo < 6; halo++) {
            count(&cut, &b, "cuda", parts, halo);
            assert_memory_equal(cut.field, one.field, sizeof one.field);
            assert_memory_equal(cut.taps, one.taps, sizeof one.taps);
            assert_true(cut.energy == one.energy);
            assert_int_equal(drop_halos(), 0);
        }
    free_box(&b);
}

/* They open once more, told the least; where one then cannot, a third time, as they were. */
static void parts_of_different_depths_open_with_the_least(void **state)
{
    (void)state;
    struct box b;
    struct counted one, cut;
    make_box(&b);
    count(&one, &b, "cpu", 1, 0);
    prefers_depths = true;
    for (int told = 0; told < 2; told++)
        for (int parts = 2; parts <= 4; parts++) {
            opened = 0;
            most_beside = 0;
            round_of_parts = parts;
            fails_when_told = told;
            count(&cut, &b, "cuda", parts, 5);
            assert_memory_equal(cut.field, one.field, sizeof one.field);
            assert_memory_equal(cut.taps, one.taps, sizeof one.taps);
            assert_int_equal(opened, (told ? 3 : 2) * parts);
            assert_int_equal(depth_of_last, told ? 0 : 3);
            assert_int_equal(most_beside, 0); /* all are closed before one opens anew */
            assert_int_equal(drop_halos(), 0);
        }
    prefers_depths = fails_when_told = false;
    round_of_parts = 0;
    free_box(&b);
}

static void parts_share_the_devices_in_their_order(void **state)
{
    (void)state;
    struct box b;
    struct solver *s;
    struct error e;
    struct solver_options c = {.threads = 1, .parts.count = 5, .devices = {3, 1}, .device_count = 2};
    make_box(&b);
    for (int device = 0; device < 4; device++)
        opened_on[device] = 0;
    assert_int_equal(solver_open(&s, &b.problem, &c, &e), 0);
    assert_string_equal(solver_plan_of(s)->kernel, "counting");
    assert_true(opened_on[0] == 0 && opened_on[1] == 2 && opened_on[2] == 0 && opened_on[3] == 3 && last_on == 1);
    solver_close(s);
    c.parts.count = 0; /* as many as devices */
    assert_int_equal(solver_open(&s, &b.problem, &c, &e), 0);
    assert_int_equal(solver_plan_of(s)->parts.count, 2);
    assert_true(opened_on[1] == 3 && opened_on[3] == 4);
    solver_close(s);
    c.parts.count = 1;
    assert_int_not_equal(solver_open(&s, &b.problem, &c, &e), 0);
    assert_int_equal(e.code, ERROR_USAGE);
    free_box(&b);
}

static void a_part_that_cannot_open_is_named(void **state)
{
    (void)state;
    struct box b;
    struct solver *s;
    struct error e;
    const struct solver_options c = {.engine = "cpu", .threads = 1, .parts.count = 3};
    make_box(&b);
    fails_in_open = 1;
    assert_int_not_equal(solver_open(&s, &b.problem, &c, &e), 0);
    fails_in_open = 0;
    assert_string_equal(e.message, "part 2: the memory of this part is too small");
    assert_int_equal(e.code, ERROR_MEMORY);
    assert_null(s);
    free_box(&b);
}

static void a_part_that_fails_in_a_run_ends_the_others_and_is_named(void **state)
{
    (void)state;
    struct box b;
    struct solver *s;
    struct error e;
    const struct block silence = {.drive = NULL};
    const struct solver_options c = {.engine = "cpu", .threads = 1, .parts.count = 4};
    make_box(&b);
    assert_int_equal(solver_open(&s, &b.problem, &c, &e), 0);
    assert_int_equal(solver_run(s, 5, &silence, &e), 0);
    fails_in_run = 1;
    assert_int_not_equal(solver_run(s, 5, &silence, &e), 0);
    fails_in_run = 0;
    assert_string_equal(e.message, "part 3: this part fell off the bus");
    assert_int_equal(e.code, ERROR_DEVICE);
    solver_close(s);
    free_box(&b);
}

/* What a part has lent is not freed when it ends: a neighbour that has not heard of the failure yet may be reading
 * it. */
static void a_part_that_fails_while_halos_are_lent_ends_the_others_and_no_lent_halo_is_freed(void **state)
{
    (void)state;
    struct box b;
    const struct block silence = {.drive = NULL};
    make_box(&b);
    for (int parts = 2; parts <= 6; parts++)
        for (int call = 1; call <= 5; call++) {
            const struct solver_options c = {.engine = "cuda", .threads = 1, .parts.count = parts, .parts.halo = 2};
            struct solver *s;
            struct error e;
            char expected[64];
            assert_int_equal(solver_open(&s, &b.problem, &c, &e), 0);
            assert_int_equal(solver_run(s, 5, &silence, &e), 0);
            fails_in_run = call;
            assert_int_not_equal(solver_run(s, STEPS, &silence, &e), 0);
            assert_int_equal(fails_in_run, 0);
            snprintf(expected, sizeof expected, "part %d: this part fell off the bus", parts - 1);
            assert_string_equal(e.message, expected);
            assert_int_equal(e.code, ERROR_DEVICE);
            solver_close(s);
            assert_int_equal(drop_halos(), 4 * (parts - 1)); /* given and taken, at both sides of each cut */
        }
    free_box(&b);
}

static void more_parts_than_planes_are_refused(void **state)
{
    (void)state;
    struct box b;
    struct slab slabs[NZ + 1];
    struct error e;
    make_box(&b);
    assert_int_not_equal(cut_grid(slabs, NZ + 1, &b.problem, 0, 0.0, &e), 0);
    assert_int_equal(e.code, ERROR_USAGE);
    assert_int_equal(cut_grid(slabs, NZ, &b.problem, 0, 0.0, &e), 0);
    for (size_t k = 0; k < NZ; k++)
        assert_true(slabs[k].first == k && slabs[k].end == k + 1);
    free_box(&b);
}

static void slabs_share_the_air_and_keep_room_for_a_halo(void **state)
{
    (void)state;
    struct box b;
    struct slab slabs[NZ];
    struct error e;
    make_box(&b);
    for (size_t parts = 2; parts <= 7; parts++)
        for (size_t halo = 1; halo <= 9; halo++) {
            assert_int_equal(cut_grid(slabs, parts, &b.problem, halo, 1.0, &e), 0);
            for (size_t k = 0; k < parts; k++) {
                assert_true(slabs[k].first == (k ? slabs[k - 1].end : 0));
                assert_true(slabs[k].end - slabs[k].first >= slabs[0].above);
                assert_true(slabs[k].end - slabs[k].first <= NZ / parts + 2);
            }
            assert_true(slabs[parts - 1].end == NZ);
        }
    free_box(&b);
}

static void slabs_share_the_work_of_branches_at_walls(void **state)
{
    (void)state;
    enum { PLANES = 100, BRANCHES = 8 };
    static const size_t count[3] = {20, 30, PLANES};
    static const enum air_stencil stencils[] = {STENCIL_7_POINT, STENCIL_19_POINT};
    const uint8_t floor = CELL_SOLID + 1, rigid = CELL_SOLID;
    for (size_t high = 0; high < 2; high++) /* the floor, or the ceiling */
        for (size_t i = 0; i < 2; i++) {
            const size_t corners = stencils[i] == STENCIL_19_POINT;
            const uint8_t walls[FACES] = {rigid, rigid, rigid, rigid, high ? rigid : floor, high ? floor : rigid};
            struct leapfrog_problem l = {.stencil = stencils[i], .courant_squared = 0.25};
            struct problem p = {.scheme = &cartesian7_scheme,
                                .parameters = &l,
                                .points = {count[0] + corners, count[1] + corners, count[2] + corners},
                                .precision = PRECISION_DOUBLE};
            struct voxel_set *voxels;
            struct slab slabs[2];
            struct error e;
            assert_int_equal(voxel_set_of_box(&voxels, count, walls, &e), 0);
            l.voxels = voxels;
            assert_int_equal(cut_grid(slabs, 2, &p, 3, 5.0, &e), 0);
            assert_in_range(slabs[0].end, PLANES / 2, PLANES / 2 + corners);
            l.branch_count[floor] = BRANCHES; /* as much as 40 planes of air */
            assert_int_equal(cut_grid(slabs, 2, &p, 3, 5.0, &e), 0);
            assert_in_range(slabs[0].end, high ? 69 : 29, high ? 71 : 31);
            voxel_set_free(voxels);
        }
}

/* --- the transport alone --- */

enum { MESSAGES = 3000 };

static void *talk(void *end)
{
    struct transport *t = end;
    struct error e;
    const int other = 1 - t->part;
    uint64_t sent[16], got[16];
    for (uint64_t i = 0; i < MESSAGES; i++) {
        const size_t length = (size_t)(i % 16) * sizeof *sent;
        for (size_t k = 0; k < 16; k++)
            sent[k] = i * 16 + k + (uint64_t)t->part;
        if (transport_send(t, other, sent, length, &e) || transport_receive(t, other, got, length, &e) ||
            transport_flush(t, &e))
            return "it failed";
        for (size_t k = 0; k < length / sizeof *got; k++)
            if (got[k] != i * 16 + k + (uint64_t)other)
                return "another message came";
    }
    return NULL;
}

static void messages_come_whole_and_in_order(void **state)
{
    (void)state;
    struct thread_hub *hub;
    struct error e;
    pthread_t thread;
    void *fault;
    assert_int_equal(thread_hub_open(&hub, 2, &e), 0);
    assert_int_equal(pthread_create(&thread, NULL, talk, thread_hub_end(hub, 1)), 0);
    const void *own = talk(thread_hub_end(hub, 0));
    pthread_join(thread, &fault);
    assert_null(own);
    assert_null(fault);
    thread_hub_close(hub);
}

static void a_message_of_another_length_is_an_error(void **state)
{
    (void)state;
    struct thread_hub *hub;
    struct error e;
    const char sent[8] = "seven";
    char got[16];
    assert_int_equal(thread_hub_open(&hub, 2, &e), 0);
    assert_int_equal(transport_send(thread_hub_end(hub, 0), 1, sent, sizeof sent, &e), 0);
    assert_int_not_equal(transport_receive(thread_hub_end(hub, 1), 0, got, sizeof got, &e), 0);
    assert_string_equal(e.message, "part 0 sent 8 bytes; 16 were expected");
    thread_hub_close(hub);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(messages_come_whole_and_in_order),
        cmocka_unit_test(a_message_of_another_length_is_an_error),
        cmocka_unit_test(any_number_of_parts_counts_the_same),
        cmocka_unit_test(halos_go_from_memory_to_memory_where_the_engine_can),
        cmocka_unit_test(parts_of_different_depths_open_with_the_least),
        cmocka_unit_test(parts_share_the_devices_in_their_order),
        cmocka_unit_test(a_part_that_cannot_open_is_named),
        cmocka_unit_test(a_part_that_fails_in_a_run_ends_the_others_and_is_named),
        cmocka_unit_test(a_part_that_fails_while_halos_are_lent_ends_the_others_and_no_lent_halo_is_freed),
        cmocka_unit_test(more_parts_than_planes_are_refused),
        cmocka_unit_test(slabs_share_the_air_and_keep_room_for_a_halo),
        cmocka_unit_test(slabs_share_the_work_of_branches_at_walls),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
