/* SPDX-License-Identifier: MIT */
/* The warning of plates whose stored stretching drifts from that of their shape. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "render/play/performer.h"
#include "render/synth/drift_watch.h"
#include "render/synth/session.h"

#include <cmocka.h>

#define CYMBAL(events)                                                                                                 \
    "room: { size = [4.0, 3.0, 3.0]; };\n time: { duration = 0.2; };\n"                                                \
    "instruments: ( { name = \"cymbal\"; preset = \"cymbal\"; position = [2.0, 1.5, 1.0]; cells = 12;\n"               \
    "large_amplitude = true; force = 900.0; contact = 0.001; } );\n"                                                   \
    "pickups: ( { instrument = \"cymbal\"; place = [-0.5, 0.3]; } );\n output: { rate = 24000; };\n"                   \
    "score: { events: ( " events " ); };\n"

static struct room *room_of(const char *text)
{
    struct room *room;
    struct error e;
    if (room_read_text(&room, "piece.cfg", text, NULL, 0, &e))
        fail_msg("%s", e.message);
    return room;
}

/* The warning of a piece after it was played without air; empty: none. */
static void play(char warning[512], const char *text)
{
    struct room *room = room_of(text);
    struct session s;
    struct take take;
    struct error e;
    if (session_make(&s, room, true, &e) || take_make(&take, &s, NULL, NULL, &e))
        fail_msg("%s", e.message);
    assert_true(take.warning_count <= 1);
    snprintf(warning, 512, "%s", take.warning_count ? take.warnings[0] : "");
    take_free(&take);
    session_free(&s);
    room_free(room);
}

static void a_crash_gives_no_warning(void **state)
{
    (void)state;
    char warning[512];
    play(warning, CYMBAL("{ time = 0.0; instrument = \"cymbal\"; force = 2.0; }"));
    assert_string_equal(warning, "");
    play(warning, CYMBAL("{ time = 0.0; instrument = \"cymbal\"; }"));
    assert_string_equal(warning, "");
}

/* Forty hard blows in 0.12 s, each of which would be allowed alone. */
static void a_plate_beyond_the_model_is_named_once(void **state)
{
    (void)state;
    char events[8192] = "", text[10000], warning[512];
    for (int i = 0; i < 40; i++)
        snprintf(events + strlen(events), sizeof events - strlen(events), "%s{ time = %.3f; instrument = \"cymbal\"; }",
                 i ? ", " : "", 0.003 * i);
    snprintf(text, sizeof text, CYMBAL("%s"), events);
    play(warning, text);
    print_message("%s\n", warning);
    assert_non_null(strstr(warning, "cymbal: its stretching drifted by "));
    assert_non_null(strstr(warning, "play it more softly, or raise the rate"));
}

static size_t warnings_live(int blows)
{
    enum { BLOCK = 128, BLOCKS = 40 };
    static const struct solver_options choice = {.engine = "cpu", .threads = 1};
    struct room *room = room_of(CYMBAL("{ time = 0.0; instrument = \"cymbal\"; }"));
    const struct performer_settings settings = {
        .room = room, .rate = 24000.0, .divisor = 1, .block = BLOCK, .range = {0, 127}, .choice = &choice};
    struct performer *p;
    struct error e;
    float out[BLOCK];
    char **lines = NULL;
    size_t count = 0;
    if (performer_open(&p, &settings, &e))
        fail_msg("%s", e.message);
    for (int i = 0; i < BLOCKS; i++) {
        for (int k = 0; k < 2 && blows > 0; k++, blows--)
            assert_true(performer_strike(p, 0, 60, 1.0, (size_t)k * BLOCK / 2));
        assert_int_equal(performer_run(p, out, &e), 0);
    }
    assert_int_equal(performer_warn(&lines, &count, p, &e), 0);
    lines_free(lines, count);
    performer_close(p);
    room_free(room);
    return count;
}

static void it_is_named_when_played_live(void **state)
{
    (void)state;
    assert_int_equal(warnings_live(1), 0);
    assert_int_equal(warnings_live(60), 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_crash_gives_no_warning),
        cmocka_unit_test(a_plate_beyond_the_model_is_named_once),
        cmocka_unit_test(it_is_named_when_played_live),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
