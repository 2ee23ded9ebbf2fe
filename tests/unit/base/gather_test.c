/* SPDX-License-Identifier: MIT */
/* What parts do together: all get what each has given, in the order of parts; an error of one is all parts' error. */
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/transport/gather.h"
#include "base/transport/thread_transport.h"

#include <cmocka.h>

enum { PARTS = 4, VALUES = 1000 };

/* A part that is a thread: what it does, and whether it did it. */
struct part {
    struct transport *transport;
    bool (*work)(struct transport *t);
    bool good;
};

static void *run(void *part)
{
    struct part *p = part;
    p->good = p->work(p->transport);
    return NULL;
}

static void all_work(bool (*work)(struct transport *t))
{
    struct part parts[PARTS];
    pthread_t threads[PARTS];
    struct thread_hub *hub;
    struct error e;
    assert_int_equal(thread_hub_open(&hub, PARTS, &e), 0);
    for (int i = 0; i < PARTS; i++) {
        parts[i] = (struct part){thread_hub_end(hub, i), work, false};
        assert_int_equal(pthread_create(&threads[i], NULL, run, &parts[i]), 0);
    }
    for (int i = 0; i < PARTS; i++)
        pthread_join(threads[i], NULL);
    for (int i = 0; i < PARTS; i++)
        assert_true(parts[i].good);
    thread_hub_close(hub);
}

/* Part k gives k bytes k: none comes from the first. */
static bool gather(struct transport *t)
{
    struct gathered all;
    struct error e;
    const char own[PARTS] = {(char)t->part, (char)t->part, (char)t->part, (char)t->part};
    if (gather_all(&all, t, own, (size_t)t->part, &e))
        return false;
    const bool good = all.count == 6 && !memcmp(all.bytes, "\1\2\2\3\3\3", 6) && all.ends[0] == 0 && all.ends[1] == 1 &&
                      all.ends[2] == 3 && all.ends[3] == 6;
    gathered_free(&all);
    return good;
}

static bool add(struct transport *t)
{
    uint64_t values[VALUES];
    struct error e;
    bool good = true;
    for (uint64_t i = 0; i < VALUES; i++)
        values[i] = i * (uint64_t)(t->part + 1);
    good = gather_sums(t, values, VALUES, &e) == 0;
    for (uint64_t i = 0; i < VALUES; i++)
        good = good && values[i] == 10 * i;
    return good;
}

static bool tell_neighbours(struct transport *t)
{
    char text[2] = {(char)('a' + t->part), 0};
    const struct bytes to[2] = {{text, 1}, {text, 2}};
    const bool both[2] = {t->part > 0, t->part + 1 < t->count};
    struct bytes from[2];
    struct error e;
    bool good = gather_sides(from, t, to, both, &e) == 0;
    for (int side = 0; side < 2 && good; side++)
        good = both[side] ? from[side].count == (side ? 1u : 2u) && from[side].at[0] == text[0] + (side ? 1 : -1)
                          : from[side].count == 0;
    free(from[0].at);
    free(from[1].at);
    return good;
}

/* Two of them fail: the first of these is heard, and all may go on together. */
static bool disagree(struct transport *t)
{
    struct error e = {ERROR_NONE, ""};
    const int status = t->part % 2 ? (fail)(&e, ERROR_INPUT, "part %d has failed", t->part) : 0;
    return gather_agree(t, status, &e) != 0 && e.code == ERROR_INPUT && !strcmp(e.message, "part 1 has failed") &&
           gather_agree(t, 0, &e) == 0 && gather(t);
}

/* A part gives up: nobody waits for it for ever. */
static bool give_up(struct transport *t)
{
    struct error e;
    uint64_t value = 1;
    if (t->part == 2)
        transport_abandon(t, &(struct error){ERROR_MEMORY, "no memory"});
    return gather_sums(t, &value, 1, &e) != 0 && e.code == ERROR_MEMORY;
}

static void all_get_what_each_gives(void **state)
{
    (void)state;
    all_work(gather);
    all_work(add);
    all_work(tell_neighbours);
}

static void an_error_of_one_is_that_of_all(void **state)
{
    (void)state;
    all_work(disagree);
    all_work(give_up);
}

static void one_part_alone_has_its_own(void **state)
{
    (void)state;
    struct gathered all;
    struct error e;
    uint64_t value = 5;
    assert_int_equal(gather_all(&all, NULL, "abc", 3, &e), 0);
    assert_memory_equal(all.bytes, "abc", 3);
    gathered_free(&all);
    assert_int_equal(gather_sums(NULL, &value, 1, &e), 0);
    assert_int_equal(value, 5);
    assert_int_equal(gather_agree(NULL, -1, &e), -1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_get_what_each_gives),
        cmocka_unit_test(an_error_of_one_is_that_of_all),
        cmocka_unit_test(one_part_alone_has_its_own),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
