/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "present/report/decimals.h"
#include "present/report/logo.h"
#include "support/random_cases.h"

#include <cmocka.h> /* last: its macro fail() would break the declaration in base/error.h */

static struct random chance;

static void the_sign_follows_language_and_region(void **state)
{
    static const struct {
        const char *locale;
        char sign;
    } cases[] = {{"de", ','},    {"DE", ','},    {"de_DE.UTF-8", ','},
                 {"de-CH", '.'}, {"de_LI", '.'}, {"fr_CH", ','},
                 {"es", ','},    {"es-MX", '.'}, {"en", '.'},
                 {"en-GB", '.'}, {"pt_BR", ','}, {"zh", '.'},
                 {"", 0},        {"d", 0},       {"xx", 0},
                 {"deu", 0},     {"de-", 0},     {"de-D", 0},
                 {"de--D", 0},   {"C", 0},       {"de_DE@euro", ','},
                 {".UTF-8", 0},  {"de/DE", 0},   {"de-1x", 0}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        if (decimals_of_locale(cases[i].locale) != cases[i].sign)
            fail_msg("%s", cases[i].locale);
}

static void only_numbers_of_the_text_change(void **state)
{
    static const char *const cases[][2] = {
        {"<td>0.55</td>", "<td>0,55</td>"},
        {"<p>from 1.5 to -2.5 s, and 3.0.</p>", "<p>from 1,5 to -2,5 s, and 3,0.</p>"},
        {"<p>(1.5, -2.5, 3) m</p>", "<p>(1,5; -2,5, 3) m</p>"},
        {"<p>8.1.2 room2.5.wav 2.5.wav 10.1121/1.36 3382-1.5 v0.5</p>", NULL},
        {"<h2>Hall 2.1</h2><h3 id=\"a\">2.1</h3><th scope=\"row\">2.1 <i>s</i></th>", NULL},
        {"<p class=\"note\" translate=\"no\">1.5 <b>2.5</b></p>", NULL},
        {"<script>a = 0.5;</script><style>a{width:0.5em}</style>", NULL},
        {"<img style=\"width:0.5em\" alt=\"0.5\">", NULL},
        {"<svg width=\"1.5\"><path d=\"M0.5 1.5\"/><text x=\"1.5\">0.5</text><text>desk 2.1</text></svg>",
         "<svg width=\"1.5\"><path d=\"M0.5 1.5\"/><text x=\"1.5\">0,5</text><text>desk 2.1</text></svg>"},
        {"<text>\xE2\x88\x92"
         "0.5</text>",
         "<text>\xE2\x88\x92"
         "0,5</text>"},
        {"<p>1.5", "<p>1.5"}, /* broken off */
        {"no tags 1.5", NULL},
        {"<h2>1.5", NULL},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char page[256];
        snprintf(page, sizeof page, "%s", cases[i][0]);
        decimals_set(page, ',');
        assert_string_equal(page, cases[i][1] ? cases[i][1] : cases[i][0]);
    }
}

static void any_bytes_keep_their_length(void **state)
{
    static const char letters[] = "<>/=\"svgtextscriptph2 0123456789.-:,\xE2\x88\x92&;";
    (void)state;
    for (int round = 0; round < 20000; round++) {
        char page[64], before[64];
        const size_t length = (size_t)(random_unit(&chance) * 60.0);
        for (size_t i = 0; i < length; i++)
            page[i] = letters[(size_t)(random_unit(&chance) * (sizeof letters - 1))];
        page[length] = '\0';
        memcpy(before, page, sizeof page);
        decimals_set(page, ',');
        assert_int_equal(strlen(page), length);
        for (size_t i = 0; i < length; i++)
            assert_true(page[i] == before[i] || (before[i] == '.' && page[i] == ',') ||
                        (before[i] == ',' && page[i] == ';'));
    }
}

static const char *type_of(const char *text, const char **why)
{
    return logo_type(why, (const uint8_t *)text, strlen(text));
}

static void plain_drawings_are_logos(void **state)
{
    static const char *const texts[] = {"<svg/>",
                                        "\xEF\xBB\xBF <svg>",
                                        "<?xml version='1.0'?><!DOCTYPE svg PUBLIC 'a' 'b'><!-- > --><SVG>",
                                        "<svg:svg xmlns:svg='http://www.w3.org/2000/svg'>",
                                        "<svg><a href='#b'/><image href = \"data:image/png;base64,\"/>",
                                        "<svg><path fill='url(#a)' style=\"mask:url(&quot;#a&quot;)\" horizon='1'/>",
                                        "<svg><text>once = 1</text>"};
    const char *why;
    (void)state;
    for (size_t i = 0; i + 1 < sizeof texts / sizeof *texts; i++) {
        const char *type = type_of(texts[i], &why);
        if (!type)
            fail_msg("%s: %s", texts[i], why);
        assert_string_equal(type, "image/svg+xml");
    }
}

static void drawings_that_act_or_refer_elsewhere_are_refused(void **state)
{
    static const char *const texts[] = {"",
                                        "<",
                                        "<html><svg>",
                                        "<?xml",
                                        "<!-- <svg>",
                                        "<svg><script>",
                                        "<svg onload='a'>",
                                        "<svg\nonLoad\n=\n'a'>",
                                        "<svg a='b'onload='a'>",
                                        "<svg><a href='javascript:a'>",
                                        "<svg><a xlink:href='http://a'>",
                                        "<svg><image HREF = a.png>",
                                        "<svg><style>@import 'a'</style>",
                                        "<svg style='fill:url( \"a.svg#b\")'>",
                                        "<svg><foreignObject>",
                                        "<svg><use href='b.svg#a'>",
                                        "<svg><image href='data:text/html,a'>",
                                        "<?xml-stylesheet href='a.css'?><svg>",
                                        "<svg>\n<!ENTITY a 'b'>"};
    const char *why;
    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        if (type_of(texts[i], &why))
            fail_msg("%s", texts[i]);
        assert_non_null(why);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_sign_follows_language_and_region),
        cmocka_unit_test(only_numbers_of_the_text_change),
        cmocka_unit_test(any_bytes_keep_their_length),
        cmocka_unit_test(plain_drawings_are_logos),
        cmocka_unit_test(drawings_that_act_or_refer_elsewhere_are_refused),
    };
    chance = random_cases("report_client");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
