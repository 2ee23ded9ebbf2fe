/* SPDX-License-Identifier: MIT */
/* JSON when memory runs out at any allocation: complete, or an error. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/json_syntax.h"
#include "io/json_build.h"
#include "render/sidecar.h"
#include "render/synth/take_file.h"

#include <cmocka.h>

#include "support/room_files.h"

static size_t calls, failing; /* of cJSON's allocator; the one that fails, counted from 1 */

static void *allocate(size_t size)
{
    return ++calls == failing ? NULL : malloc(size);
}

/* Every allocation fails in turn, then none does. */
static void whole_or_none(char *(*make)(void *), void *context)
{
    cJSON_InitHooks(&(cJSON_Hooks){allocate, free});
    calls = failing = 0;
    char *whole = make(context);
    const size_t count = calls;
    assert_non_null(whole);
    assert_true(count > 10);
    for (failing = 1; failing <= count; failing++) {
        calls = 0;
        char *text = make(context);
        if (text)
            fail_msg("allocation %zu of %zu failed, and the text is %s", failing, count,
                     strcmp(text, whole) ? "another" : "whole");
    }
    calls = 0;
    char *again = make(context); /* one failure does not spoil the next document */
    assert_non_null(again);
    assert_string_equal(again, whole);
    free(again);
    free(whole);
    cJSON_InitHooks(NULL);
}

static const struct solver_options cpu = {.engine = "cpu"};

struct rendered {
    struct room *room;
    struct model *model;
    struct rendering rendering;
};

static char *make_sidecar(void *context)
{
    const struct rendered *r = context;
    const struct audio_written written = {.gain = 1.0, .bytes = 1000};
    return sidecar_text(r->model, &r->rendering, &written, "x.wav", 1.0, 1);
}

static void a_sidecar_is_whole_or_none(void **state)
{
    (void)state;
    struct rendered r;
    struct error e;
    r.room =
        good_room("room: { size = [1.0, 1.2, 0.8]; walls: { default = \"plaster\"; }; };\n"
                  "grid: { rate = 4000.0; };\ntime: { duration = 0.005; };\n"
                  "sources: ( { position = [0.3, 0.9, 0.6]; } );\nreceivers: ( { position = [0.7, 0.8, 0.4]; } );\n");
    assert_int_equal(model_make(&r.model, r.room, &e), 0);
    assert_int_equal(render_sources(&r.rendering, r.model, 0, 1, &cpu, NULL, &e), 0);
    whole_or_none(make_sidecar, &r);
    r.model->grid.mapped = true; /* with members on the frequency map */
    whole_or_none(make_sidecar, &r);
    rendering_free(&r.rendering);
    model_free(r.model);
    room_free(r.room);
}

struct played_piece {
    struct room *room;
    struct session session;
    struct take take;
    struct take_file file;
};

static char *make_take_json(void *context)
{
    const struct played_piece *p = context;
    const struct audio_written written = {.gain = 1.0, .bytes = 1000};
    return take_file_json(&p->file, &p->take, &p->session, &written, "x.wav", (const double[2]){1.0, 1.0});
}

static void the_json_of_a_piece_is_whole_or_none(void **state)
{
    (void)state;
    struct played_piece p = {0};
    struct error e;
    p.room = good_room("room: { size = [1.0, 1.2, 0.8]; walls: { default = \"plaster\"; }; };\n"
                       "grid: { rate = 8000.0; };\ntime: { duration = 0.005; };\n"
                       "instruments: ( { name = \"drum\"; type = \"membrane\"; radius = 0.15; tension = 2000.0; "
                       "surface_density = 0.26; decay = [1.0, 0.2]; position = [0.5, 0.6, 0.4]; } );\n"
                       "score: { events: ( { time = 0.0; instrument = \"drum\"; } ); };\n"
                       "receivers: ( { position = [0.7, 0.8, 0.6]; } );\n");
    if (session_make(&p.session, p.room, false, &e) || take_make(&p.take, &p.session, &cpu, NULL, &e) ||
        take_file_make(&p.file, &p.session, 0, &e))
        fail_msg("%s", e.message);
    whole_or_none(make_take_json, &p);
    take_file_free(&p.file);
    take_free(&p.take);
    session_free(&p.session);
    room_free(p.room);
}

static char *make_small(void *context)
{
    (void)context;
    cJSON *json = cJSON_CreateObject();
    cJSON_AddStringToObject(json, "text", "a\x1b\x7f\xc2\x9b\x9b\xe2\x80\xae\xc3\xbc\n");
    cJSON_AddItemToObject(json, "numbers", cJSON_CreateDoubleArray((const double[2]){1.5, 2.0}, 2));
    cJSON_AddItemToObject(json, "names", cJSON_CreateStringArray((const char *const[2]){"a", "b"}, 2));
    cJSON_AddNullToObject(json, "none");
    cJSON_AddBoolToObject(cJSON_AddObjectToObject(json, "inner"), "yes", true);
    cJSON_AddItemToArray(cJSON_AddArrayToObject(json, "list"), cJSON_CreateRaw("7"));
    return json_text(json);
}

static void a_document_is_whole_or_none(void **state)
{
    (void)state;
    whole_or_none(make_small, NULL);
}

/* Control characters, which terminals obey, are escaped; the document stays JSON with the same content. */
static void texts_hold_no_control_characters(void **state)
{
    (void)state;
    char *text = make_small(NULL);
    assert_non_null(strstr(text, "\"a\\u001b\\u007f\\u009b\\ufffd\\u202e\xc3\xbc\\n\""));
    cJSON *parsed = cJSON_Parse(text);
    assert_non_null(parsed);
    assert_string_equal(cJSON_GetStringValue(cJSON_GetObjectItem(parsed, "text")),
                        "a\x1b\x7f\xc2\x9b\xef\xbf\xbd\xe2\x80\xae\xc3\xbc\n");
    cJSON_Delete(parsed);
    free(text);
}

/* Text is valid exactly if cJSON can parse it, given memory. */
static void syntax_is_told_from_want_of_memory(void **state)
{
    (void)state;
    static const char *const good[] = {
        "{}",       " [ ] ",          "0",
        "-1.5e+30", "\"\\u00e9\\n\"", "{\"a\": [1, true, false, null, {\"b\": \"\"}], \"c\": 2E-3}\n"};
    static const char *const bad[] = {"",    "{",       "[1,]",      "{\"a\" 1}",   "{\"a\":}",   "{a: 1}", "[1] 2",
                                      "\"a", "tru",     "[1 2]",     "-",           "1.",         "1e",     "+1",
                                      "nul", "\"\\x\"", "\"\\u12\"", "\"\\ud800\"", "{\"a\":1,}", "]",      "\"\n\""};
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        cJSON *json = cJSON_ParseWithOpts(good[i], NULL, 1);
        if (!json_is_sound(good[i]) || !json)
            fail_msg("%s counts as no JSON", good[i]);
        cJSON_Delete(json);
    }
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        if (json_is_sound(bad[i]))
            fail_msg("%s counts as JSON", bad[i]);
    enum { DEEP = 100000 };
    char *deep = malloc(DEEP + 1);
    assert_non_null(deep);
    memset(deep, '[', DEEP);
    deep[DEEP] = '\0';
    assert_false(json_is_sound(deep));
    free(deep);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_document_is_whole_or_none),        cmocka_unit_test(texts_hold_no_control_characters),
        cmocka_unit_test(a_sidecar_is_whole_or_none),         cmocka_unit_test(the_json_of_a_piece_is_whole_or_none),
        cmocka_unit_test(syntax_is_told_from_want_of_memory),
    };
    return cmocka_run_group_tests(tests, room_files_set_up, room_files_tear_down);
}
