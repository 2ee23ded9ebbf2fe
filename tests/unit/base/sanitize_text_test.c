/* SPDX-License-Identifier: MIT */
/* Foreign text on a terminal: what has no shape is shown as an escape, whatever the pieces that it comes in. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/sanitize_text.h"
#include "support/random_cases.h"

#include <cmocka.h>

static size_t encode(char out[5], unsigned code) /* UTF-8 */
{
    const unsigned lead = code < 0x80 ? 0 : code < 0x800 ? 0xC0 : code < 0x10000 ? 0xE0 : 0xF0;
    const size_t count = code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    for (size_t i = count; i-- > 0; code >>= 6)
        out[i] = (char)(i ? 0x80 | (code & 0x3F) : lead | code);
    out[count] = '\0';
    return count;
}

/* In pieces of random lengths. */
static void show(char *out, enum sanitize_form form, const char *text, struct random *r)
{
    struct sanitize_text v = {.form = form};
    size_t used = 0, left = strlen(text);
    while (left) {
        const size_t piece = random_between(r, 1, left);
        used += sanitize_piece(&v, out + used, text, piece);
        text += piece;
        left -= piece;
    }
    used += sanitize_end(&v, out + used);
    out[used] = '\0';
}

static void expect(enum sanitize_form form, const char *text, const char *expected, struct random *r)
{
    char shown[512];
    show(shown, form, text, r);
    if (strcmp(shown, expected) != 0)
        fail_msg("shown as %s, expected %s", shown, expected);
}

/* Ranges of Unicode that control a terminal, end a line, or turn or hide text. */
static const unsigned hidden[][2] = {{0x01, 0x08},     {0x0B, 0x1F},     {0x7F, 0x9F},     {0xAD, 0xAD},
                                     {0x061C, 0x061C}, {0x200B, 0x200B}, {0x200E, 0x200F}, {0x2028, 0x202E},
                                     {0x2060, 0x206F}, {0xFEFF, 0xFEFF}, {0xFFF9, 0xFFFB}, {0xE0001, 0xE007F}};

static void what_has_no_shape_is_an_escape(void **state)
{
    struct random r = random_cases(__func__);
    (void)state;
    for (size_t range = 0; range < sizeof hidden / sizeof *hidden; range++)
        for (unsigned code = hidden[range][0]; code <= hidden[range][1]; code++) {
            char letter[5], text[16], expected[32], json[32];
            encode(letter, code);
            snprintf(text, sizeof text, "a%sü", letter);
            snprintf(expected, sizeof expected,
                     code > 0xFFFF ? "a\\U%08xü"
                     : code > 0xFF ? "a\\u%04xü"
                                   : "a\\x%02xü",
                     code);
            snprintf(json, sizeof json, "a\\u%04xü", code);
            expect(SANITIZE_TEXT, text, expected, &r);
            expect(SANITIZE_LINE, text, expected, &r);
            if (code <= 0xFFFF)
                expect(SANITIZE_JSON, text, json, &r);
        }
    expect(SANITIZE_JSON, "a\U000E0001", "a\\udb40\\udc01", &r);
    expect(SANITIZE_LINE, "a\nb\tc", "a\\x0ab\\x09c", &r);
    expect(SANITIZE_TEXT, "a\nb\tc", "a\nb\tc", &r);
}

static void letters_of_any_script_stay(void **state)
{
    static const char *const good[] = {"Küche", "Ku\u0308che", "Κουζίνα",       "кухня",
                                       "厨房",  "مطبخ",        "می\u200Cخواهم", "👩\u200D🎤"};
    struct random r = random_cases(__func__);
    (void)state;
    for (size_t i = 0; i < sizeof good / sizeof *good; i++)
        for (int form = SANITIZE_TEXT; form <= SANITIZE_JSON; form++)
            expect((enum sanitize_form)form, good[i], good[i], &r);
}

static void a_name_of_hidden_letters_fits_the_room_it_has(void **state)
{
    static const char text[] = "\u2029\u2029\u2029\u2029\u2029";
    char shown[24];
    (void)state;
    sanitize_line(shown, sizeof shown, text);
    assert_string_equal(shown, "\\u2029\\u2029\\u2029\\u202");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_has_no_shape_is_an_escape),
        cmocka_unit_test(letters_of_any_script_stay),
        cmocka_unit_test(a_name_of_hidden_letters_fits_the_room_it_has),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
