/* SPDX-License-Identifier: MIT */
/* Parts that are as processes are: addresses mean nothing at the other end, and halos pass by links where all parts
 * have them. With an engine that only counts. */
#include <stdio.h>

#include "base/transport/thread_transport.h"
#include "counting_engine.h"
#include "solver/parts/processes.h"
#include "solver/parts/protocol.h"

enum { PARTS_MAX = 6 };

struct others {
    struct thread_hub *hub;
    int count;
    pthread_t threads[PARTS_MAX];
};

static void *serve(void *transport)
{
    struct error e;
    parts_serve(transport, &e);
    return NULL;
}

static void start(struct others *o, int count)
{
    struct error e;
    o->count = count;
    assert_int_equal(thread_hub_open(&o->hub, count, &e), 0);
    for (int part = 0; part < count; part++)
        thread_hub_end(o->hub, part)->addresses = false;
    for (int part = 1; part < count; part++)
        assert_int_equal(pthread_create(&o->threads[part], NULL, serve, thread_hub_end(o->hub, part)), 0);
    links_named = 0;
    halos_passed = 0;
}

static void end(struct others *o)
{
    struct error e;
    parts_end(thread_hub_end(o->hub, 0), &e);
    for (int part = 1; part < o->count; part++)
        pthread_join(o->threads[part], NULL);
    thread_hub_close(o->hub);
    assert_int_equal(links_open, 0);
}

/* A part on each of the devices 0, 1 .. */
static struct solver_options choice_of(const struct others *o)
{
    struct solver_options c = {.engine = "cuda",
                               .threads = 1,
                               .parts.count = o->count,
                               .parts.halo = 2,
                               .device_count = o->count,
                               .parts.transport = thread_hub_end(o->hub, 0)};
    for (int part = 0; part < o->count; part++)
        c.devices[part] = part;
    return c;
}

static void assert_counts_the_same(const struct box *b, const struct solver_options *c, char path[192])
{
    struct counted one, cut;
    const struct solver_options alone = {.engine = "cpu", .threads = 1};
    count_with(&one, b, &alone, NULL);
    count_with(&cut, b, c, path);
    assert_memory_equal(cut.field, one.field, sizeof one.field);
    assert_memory_equal(cut.taps, one.taps, sizeof one.taps);
    assert_true(cut.energy == one.energy);
}

static void halos_pass_by_links_which_stay_for_the_next_grid(void **state)
{
    (void)state;
    struct box b;
    make_box(&b);
    for (int parts = 2; parts <= PARTS_MAX; parts++) {
        struct others o;
        char path[192];
        start(&o, parts);
        const struct solver_options c = choice_of(&o);
        for (int grid = 1; grid <= 2; grid++) {
            const int before = halos_passed;
            assert_counts_the_same(&b, &c, path);
            assert_string_equal(path, "through threads");
            assert_true(halos_passed - before >= 2 * (parts - 1) * STEPS / 2);
            assert_int_equal(links_named, 1);
            assert_int_equal(links_open, parts);
        }
        end(&o);
        assert_int_equal(drop_halos(), 0);
    }
    free_box(&b);
}

static void other_devices_are_linked_anew(void **state)
{
    (void)state;
    struct box b;
    struct others o;
    make_box(&b);
    start(&o, 3);
    struct solver_options c = choice_of(&o);
    for (int first = 0; first < 3; first++) {
        for (int part = 0; part < 3; part++)
            c.devices[part] = (first + part) % 4;
        assert_counts_the_same(&b, &c, NULL);
        assert_int_equal(links_named, first + 1);
        assert_int_equal(links_open, 3);
    }
    end(&o);
    free_box(&b);
}

/* In these halos pass through the host, and why so is said. */
static void assert_passes_through_the_host(const struct solver_options *c, const char *why)
{
    struct box b;
    char path[192];
    make_box(&b);
    halos_passed = 0;
    halos_staged = 0;
    assert_counts_the_same(&b, c, path);
    assert_string_equal(path, why);
    assert_int_equal(halos_passed, 0);
    if (!strcmp(c->engine, "cuda")) /* which has halos of its own: from memory to memory, and not plane by plane */
        assert_true(halos_staged >= 2 * (c->parts.count - 1) * STEPS / c->parts.halo);
    free_box(&b);
}

/* fault: of device + 1, which is mended before the second grid. names: how often links are named in both. */
static void assert_two_grids_pass_through_the_host(atomic_int *fault, const char *reason, bool mended, int names)
{
    for (int device = 0; device < 3; device++) {
        struct others o;
        char why[192];
        start(&o, 3);
        const struct solver_options c = choice_of(&o);
        snprintf(why, sizeof why, "through the host, because no links between GPUs could be opened: part %d: %s",
                 device, reason);
        *fault = device + 1;
        assert_passes_through_the_host(&c, why);
        *fault = mended ? 0 : device + 1;
        assert_passes_through_the_host(&c, why);
        *fault = 0;
        assert_int_equal(links_named, names);
        end(&o);
    }
}

static void parts_without_links_pass_halos_through_the_host(void **state)
{
    (void)state;
    assert_two_grids_pass_through_the_host(&has_no_links, "there is no library of links", false, 0);
}

/* Each trial may take as long as it is waited for. */
static void links_that_fail_to_open_are_not_tried_again(void **state)
{
    (void)state;
    assert_two_grids_pass_through_the_host(&fails_to_link, "the other parts did not come", true, 1);
}

static void a_device_that_is_lost_while_it_is_linked_ends_the_run(void **state)
{
    (void)state;
    struct box b;
    make_box(&b);
    lost_device = true;
    for (int device = 0; device < 3; device++) {
        struct others o;
        struct solver *s;
        struct error e;
        char expected[64];
        start(&o, 3);
        const struct solver_options c = choice_of(&o);
        fails_to_link = device + 1;
        assert_int_not_equal(solver_open(&s, &b.problem, &c, &e), 0);
        snprintf(expected, sizeof expected, "part %d: the other parts did not come", device);
        assert_string_equal(e.message, expected);
        assert_int_equal(e.code, ERROR_DEVICE);
        fails_to_link = 0;
        end(&o);
    }
    lost_device = false;
    free_box(&b);
}

static void parts_that_share_a_device_pass_halos_through_the_host(void **state)
{
    (void)state;
    struct others o;
    start(&o, 4);
    struct solver_options c = choice_of(&o);
    c.device_count = 3;
    assert_passes_through_the_host(
        &c, "through the host, because no links between GPUs could be opened: several parts share a GPU");
    assert_int_equal(links_named, 0);
    end(&o);
}

static void halos_pass_through_the_host_where_that_is_asked_for(void **state)
{
    (void)state;
    struct others o;
    start(&o, 3);
    struct solver_options c = choice_of(&o);
    c.parts.through_host = true;
    assert_passes_through_the_host(&c, "through the host");
    c.parts.through_host = false;
    c.engine = "cpu";
    c.device_count = 0;
    assert_passes_through_the_host(&c, "through the host");
    assert_int_equal(links_named, 0);
    end(&o);
}

static void a_part_that_fails_ends_those_that_wait_at_its_links(void **state)
{
    (void)state;
    const struct block silence = {.drive = NULL};
    struct box b;
    make_box(&b);
    for (int parts = 2; parts <= PARTS_MAX; parts++) {
        struct others o;
        struct solver *s;
        struct error e;
        char expected[64];
        start(&o, parts);
        const struct solver_options c = choice_of(&o);
        assert_int_equal(solver_open(&s, &b.problem, &c, &e), 0);
        assert_int_equal(solver_run(s, 5, &silence, &e), 0);
        fails_in_run = 2;
        assert_int_not_equal(solver_run(s, STEPS, &silence, &e), 0);
        assert_int_equal(fails_in_run, 0);
        assert_int_equal(e.code, ERROR_DEVICE);
        snprintf(expected, sizeof expected, "part %d: this part fell off the bus", parts - 1);
        if (strcmp(e.message, "a link broke") != 0) /* of two reasons the one that is heard first */
            assert_string_equal(e.message, expected);
        solver_close(s);
        end(&o);
        assert_int_equal(drop_halos(), 4 * (parts - 1));
    }
    free_box(&b);
}

/* The links would wait for bytes that never come. The part that sees it passes none; parts further off may pass some
 * meanwhile. */
static void halos_of_different_sizes_are_an_error_before_they_are_taken(void **state)
{
    (void)state;
    const struct block silence = {.drive = NULL};
    struct box b;
    make_box(&b);
    odd_halo = true;
    for (int parts = 2; parts <= PARTS_MAX; parts++) {
        struct others o;
        struct solver *s;
        struct error e;
        char expected[100];
        start(&o, parts);
        const struct solver_options c = choice_of(&o);
        assert_int_equal(solver_open(&s, &b.problem, &c, &e), 0);
        assert_int_not_equal(solver_run(s, STEPS, &silence, &e), 0);
        snprintf(expected, sizeof expected, "part %d announced ", parts - 1);
        if (strcmp(e.message, "a link broke") != 0)
            assert_non_null(strstr(e.message, expected));
        assert_int_equal(odd_halos_taken, 0);
        solver_close(s);
        end(&o);
        drop_halos();
    }
    odd_halo = false;
    free_box(&b);
}

/* Two hosts of as many parts each, whose transport counts them. */
static void parts_of_each_host_share_its_devices(void **state)
{
    (void)state;
    static const int list[2] = {5, 2};
    for (int beside = 1; beside <= 3; beside++) {
        struct others o;
        struct solver *s;
        struct error e;
        struct box b;
        make_box(&b);
        start(&o, 2 * beside);
        for (int part = 0; part < 2 * beside; part++) {
            thread_hub_end(o.hub, part)->beside = beside;
            thread_hub_end(o.hub, part)->beside_place = part % beside;
        }
        struct solver_options c = choice_of(&o);
        c.device_count = beside < 2 ? 1 : 2;
        for (int i = 0; i < 2; i++)
            c.devices[i] = list[i];
        const int before[2] = {opened_on[5], opened_on[2]};
        assert_int_equal(solver_open(&s, &b.problem, &c, &e), 0);
        assert_int_equal(opened_on[5] - before[0], beside == 3 ? 4 : 2); /* neighbours share where there are fewer */
        assert_int_equal(opened_on[2] - before[1], beside == 1 ? 0 : 2);
        solver_close(s);
        end(&o);
        drop_halos();
        free_box(&b);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(halos_pass_by_links_which_stay_for_the_next_grid),
        cmocka_unit_test(other_devices_are_linked_anew),
        cmocka_unit_test(parts_without_links_pass_halos_through_the_host),
        cmocka_unit_test(links_that_fail_to_open_are_not_tried_again),
        cmocka_unit_test(a_device_that_is_lost_while_it_is_linked_ends_the_run),
        cmocka_unit_test(parts_that_share_a_device_pass_halos_through_the_host),
        cmocka_unit_test(halos_pass_through_the_host_where_that_is_asked_for),
        cmocka_unit_test(halos_of_different_sizes_are_an_error_before_they_are_taken),
        cmocka_unit_test(parts_of_each_host_share_its_devices),
        cmocka_unit_test(a_part_that_fails_ends_those_that_wait_at_its_links),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
