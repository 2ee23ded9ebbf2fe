/* SPDX-License-Identifier: MIT */
/* before cmocka, which defines a macro `fail` */
#include "support/pieces.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

struct score score_of(const char *text, struct room **room)
{
    struct score s;
    struct error e;
    *room = good_room(text);
    if (score_make(&s, *room, &e))
        fail_msg("%s", e.message);
    for (size_t i = 0; i < s.count; i++) {
        assert_true(s.events[i].force > 0 && s.events[i].duration > 0);
        assert_true(!i || s.events[i - 1].time <= s.events[i].time);
    }
    return s;
}

void score_refused(const char *text, const char *expected)
{
    struct score s;
    struct error e = {0};
    struct room *room = good_room(text);
    if (!score_make(&s, room, &e))
        fail_msg("taken, in place of %s", expected);
    assert_null(s.events);
    assert_int_equal(e.code, ERROR_INPUT);
    if (!strstr(e.message, expected) || strchr(e.message, '\n'))
        fail_msg("expected %s\n got %s", expected, e.message);
    room_free(room);
}
