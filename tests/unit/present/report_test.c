/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/base64.h"
#include "io/drawing/drawing.h"
#include "present/report/chart.h"
#include "present/report/listening.h"
#include "present/report/room_plan.h"
#include "present/report/room_views.h"
#include "present/report/spectrum.h"
#include "present/report/style.h"
#include "present/report/tables.h"
#include "room/grid/reverberation.h"
#include "support/random_cases.h"

#include <cmocka.h> /* last: its macro fail() would break the declaration in base/error.h */

#include "support/within.h"

static struct random chance;

static double between(double low, double high)
{
    return low + (high - low) * random_unit(&chance);
}

static int by_size(const void *a, const void *b)
{
    const double *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

/* All modes up to numbers that include all of the lowest ones, sorted. */
static void modes_are_the_lowest_of_all(void **state)
{
    enum { MOST = 40, HIGHEST = 42 };
    static double all[HIGHEST * HIGHEST * HIGHEST];
    (void)state;
    for (int round = 0; round < 20; round++) {
        const double size[3] = {between(2.0, 9.0), between(2.0, 9.0), between(2.0, 9.0)}, c = between(330.0, 350.0);
        struct mode modes[MOST];
        size_t count = 0;
        for (int x = 0; x < HIGHEST; x++)
            for (int y = 0; y < HIGHEST; y++)
                for (int z = 0; z < HIGHEST; z++)
                    if (x + y + z > 0)
                        all[count++] =
                            0.5 * c *
                            sqrt(x * x / size[0] / size[0] + y * y / size[1] / size[1] + z * z / size[2] / size[2]);
        qsort(all, count, sizeof *all, by_size);
        assert_int_equal(box_modes(modes, MOST, size, c), MOST);
        for (size_t i = 0; i < MOST; i++) {
            const int *n = modes[i].number;
            assert_within(modes[i].frequency, all[i], 1e-9);
            assert_within(modes[i].frequency, 0.5 * c * hypot(hypot(n[0] / size[0], n[1] / size[1]), n[2] / size[2]),
                          1e-9);
            assert_int_equal((int)modes[i].kind, (n[0] > 0) + (n[1] > 0) + (n[2] > 0) - 1);
        }
    }
}

static void modes_of_no_box_are_none(void **state)
{
    struct mode modes[4];
    (void)state;
    assert_int_equal(box_modes(modes, 4, (const double[3]){3.0, 0.0, 2.0}, 340.0), 0);
    assert_int_equal(box_modes(modes, 4, (const double[3]){3.0, 4.0, 2.0}, NAN), 0);
    assert_int_equal(box_modes(modes, 0, (const double[3]){3.0, 4.0, 2.0}, 340.0), 0);
    assert_int_equal(box_modes(modes, 4, (const double[3]){1e6, 1e-3, 1e-3}, 340.0), 4); /* and soon */
}

static void schroeder_frequency_is_that_of_the_textbook(void **state)
{
    (void)state;
    assert_within(schroeder_frequency(1.0, 100.0), 200.0, 1e-9);
    assert_true(isnan(schroeder_frequency(NAN, 100.0)));
}

/* In each column the kept points include the extremes of all its points. */
static void decimation_keeps_the_extremes_of_every_column(void **state)
{
    enum { COUNT = 5000, COLUMNS = 100 };
    static double x[COUNT], y[COUNT];
    static size_t kept[COUNT];
    double low[2][COLUMNS], high[2][COLUMNS];
    (void)state;
    for (int column = 0; column < COLUMNS; column++) {
        low[0][column] = low[1][column] = INFINITY;
        high[0][column] = high[1][column] = -INFINITY;
    }
    for (size_t i = 0; i < COUNT; i++) {
        x[i] = (double)i * COLUMNS / COUNT;
        y[i] = between(-1.0, 1.0);
        low[0][(int)x[i]] = fmin(low[0][(int)x[i]], y[i]);
        high[0][(int)x[i]] = fmax(high[0][(int)x[i]], y[i]);
    }
    const size_t count = decimate(kept, x, y, COUNT, 1.0);
    assert_true(count <= 2 * COLUMNS);
    for (size_t k = 0; k < count; k++) {
        if (k > 0)
            assert_true(kept[k] > kept[k - 1]);
        low[1][(int)x[kept[k]]] = fmin(low[1][(int)x[kept[k]]], y[kept[k]]);
        high[1][(int)x[kept[k]]] = fmax(high[1][(int)x[kept[k]]], y[kept[k]]);
    }
    for (int column = 0; column < COLUMNS; column++) {
        assert_within(low[1][column], low[0][column], 0.0);
        assert_within(high[1][column], high[0][column], 0.0);
    }
}

static void decimation_keeps_gaps_as_one_point(void **state)
{
    const double x[] = {0.0, 1.0, 2.0, 3.0, 4.0}, y[] = {1.0, NAN, INFINITY, 2.0, 3.0};
    size_t kept[5];
    (void)state;
    assert_int_equal(decimate(kept, x, y, 5, 10.0), 4);
    assert_int_equal(kept[0], 0);
    assert_int_equal(kept[1], 1);
    assert_int_equal(kept[2], 3);
    assert_int_equal(kept[3], 4);
    assert_int_equal(decimate(kept, x, y, 0, 10.0), 0);
}

/* The text that `call` writes into a stream. */
#define WRITTEN(text, call)                                                                                            \
    do {                                                                                                               \
        size_t length_ = 0;                                                                                            \
        FILE *stream = open_memstream(&(text), &length_);                                                              \
        assert_non_null(stream);                                                                                       \
        call;                                                                                                          \
        assert_int_equal(fclose(stream), 0);                                                                           \
    } while (0)

static void base64_is_that_of_rfc_4648(void **state)
{
    static const char *const pairs[][2] = {{"", ""},
                                           {"f", "Zg=="},
                                           {"fo", "Zm8="},
                                           {"foo", "Zm9v"},
                                           {"foob", "Zm9vYg=="},
                                           {"fooba", "Zm9vYmE="},
                                           {"foobar", "Zm9vYmFy"}};
    (void)state;
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        char *text = NULL;
        WRITTEN(text, base64_write(stream, (const uint8_t *)pairs[i][0], strlen(pairs[i][0])));
        assert_string_equal(text, pairs[i][1]);
        free(text);
    }
}

static unsigned little(const uint8_t *bytes, int count)
{
    unsigned value = 0;
    for (int i = count; i-- > 0;)
        value = value << 8 | bytes[i];
    return value;
}

static void player_holds_the_channels_scaled(void **state)
{
    double samples[] = {0.5, -0.25, 0.0, 0.125, 0.0625, -0.5}; /* two channels of three frames */
    const struct audio a = {.samples = samples, .channels = 2, .frames = 3, .rate = 44100.0};
    const int expected[] = {32767, 8192, -16384, 4096, 0, -32767};
    uint8_t *bytes;
    size_t count;
    struct error e;
    (void)state;
    assert_int_equal(player_wav(&bytes, &count, &a, 0, 2, 2.0, &e), 0);
    assert_int_equal(count, 44 + 12);
    assert_memory_equal(bytes, "RIFF", 4);
    assert_int_equal(little(bytes + 4, 4), count - 8);
    assert_memory_equal(bytes + 8, "WAVEfmt ", 8);
    assert_int_equal(little(bytes + 22, 2), 2);
    assert_int_equal(little(bytes + 24, 4), 44100);
    assert_int_equal(little(bytes + 28, 4), 44100 * 4);
    assert_int_equal(little(bytes + 40, 4), 12);
    for (int i = 0; i < 6; i++)
        assert_within((int16_t)little(bytes + 44 + 2 * i, 2), expected[i], 1.0);
    free(bytes);
}

static void player_cuts_long_sounds_and_brings_odd_rates_to_48_khz(void **state)
{
    const struct audio slow = {.samples = calloc(4000, sizeof(double)), .channels = 1, .frames = 4000, .rate = 2000.0};
    const struct audio lasting = {
        .samples = calloc(400000, sizeof(double)), .channels = 1, .frames = 400000, .rate = 8000.0};
    uint8_t *bytes;
    size_t count;
    struct error e;
    (void)state;
    assert_int_equal(player_wav(&bytes, &count, &slow, 0, 1, 1.0, &e), 0);
    assert_int_equal(little(bytes + 24, 4), 48000);
    assert_int_equal(count, 44 + 2 * 96000);
    free(bytes);
    for (size_t n = 0; n < lasting.frames; n++)
        lasting.samples[n] = 1.0;
    assert_int_equal(player_wav(&bytes, &count, &lasting, 0, 1, 1.0, &e), 0);
    assert_int_equal(count, 44 + 2 * 30 * 8000);
    assert_int_equal((int16_t)little(bytes + 44, 2), 32767);
    assert_true((int16_t)little(bytes + count - 2, 2) < 200); /* no click at the cut */
    free(bytes);
    free(slow.samples);
    free(lasting.samples);
}

static void drawings_take_the_colours_and_names_of_the_page(void **state)
{
    char *text = NULL;
    (void)state;
    WRITTEN(text, drawing_adapt(stream,
                                "<?xml?>\n<svg width=\"9pt\"><g id=\"clip1\" style=\"stroke:rgb(0.392157%,20%,40%)\"/>"
                                "<use xlink:href=\"#clip1\" clip-path=\"url(#clip1)\" fill=\"rgb(1.960784%, 20%, 40%)\""
                                " stroke=\"rgb(0.392157%,20%,41%)\"/></svg>",
                                "p1"));
    assert_string_equal(text,
                        "<g id=\"p1-clip1\" style=\"stroke:var(--ink)\"/><use xlink:href=\"#p1-clip1\" "
                        "clip-path=\"url(#p1-clip1)\" fill=\"var(--series-0)\" stroke=\"rgb(0.392157%,20%,41%)\"/>");
    free(text);
}

/* Through cairo: whatever its version writes, no placeholder remains, and every colour is present. */
static void every_colour_arrives_through_cairo(void **state)
{
    struct drawing *d;
    struct error e;
    char *text = NULL, variable[32];
    const uint32_t pixels[2] = {0x112233, 0x445566};
    (void)state;
    assert_int_equal(drawing_open(&d, "x", 100.0, 50.0, &e), 0);
    for (int colour = 0; colour < DRAWING_COLOURS; colour++) {
        drawing_move(d, 1.0, colour);
        drawing_line(d, 90.0, colour);
        drawing_stroke(d, colour, 1.0);
    }
    drawing_image(d, 0.0, 0.0, 10.0, 10.0, pixels, 2, 1);
    drawing_text(d, 5.0, 5.0, 10.0, "start", DRAWING_INK, "<script>\"&\x01\xff");
    WRITTEN(text, assert_int_equal(drawing_finish(d, "a \"label\" & <b>", stream, &e), 0));
    for (int colour = 0; colour < DRAWING_COLOURS; colour++)
        assert_non_null(strstr(text, drawing_variable(colour, variable)));
    assert_null(strstr(text, "rgb("));
    assert_non_null(strstr(text, "data:image/png;base64,"));
    assert_non_null(strstr(text, "aria-label=\"a &quot;label&quot; &amp; &lt;b&gt;\""));
    assert_non_null(strstr(text, ">&lt;script&gt;&quot;&amp; ?</text>"));
    assert_null(strstr(text, "<?xml"));
    assert_null(strstr(text, "<script>"));
    free(text);
}

/* A drawing in a separate file has the colours that the page's style gives by name. */
static void a_file_of_its_own_has_the_colours_of_the_page(void **state)
{
    struct error e = {0};
    struct drawing *d;
    char *style, *text, variable[32], wanted[64];
    (void)state;
    WRITTEN(style, style_write(stream));
    for (int colour = 0; colour < DRAWING_COLOURS; colour++) {
        assert_int_equal(drawing_open(&d, NULL, 10.0, 10.0, &e), 0);
        drawing_text(d, 1.0, 2.0, 3.0, "start", colour, "<x>");
        drawing_circle(d, 5.0, 5.0, 2.0);
        drawing_fill(d, colour, 1.0);
        drawing_stroke(d, colour, 1.0);
        WRITTEN(text, assert_int_equal(drawing_finish(d, "a & b", stream, &e), 0));
        assert_null(strstr(text, "var("));
        assert_null(strstr(text, "rgb("));
        assert_non_null(strstr(text, "xmlns=\"http://www.w3.org/2000/svg\""));
        const char *fill = strstr(text, "style=\"fill:#");
        assert_non_null(fill);
        drawing_variable(colour, variable); /* "var(--ink)" */
        snprintf(wanted, sizeof wanted, "%.*s:%.7s;", (int)strcspn(variable + 4, ")"), variable + 4, fill + 12);
        assert_non_null(strstr(style, wanted));
        free(text);
    }
    free(style);
}

static void outlines_are_the_shapes_that_one_sees(void **state)
{
    double outline[OUTLINE_POINTS][2];
    const struct object box = {.shape = SHAPE_BOX, .from = {1.0, 2.0, 0.5}, .to = {3.0, 2.5, 1.5}};
    const struct object column = {
        .shape = SHAPE_CYLINDER, .from = {4.0, 5.0, 0.0}, .to = {4.0, 5.0, 3.0}, .radius = 0.7};
    (void)state;
    for (int along = 1; along <= 2; along++) {
        double low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY};
        assert_int_equal(object_outline(outline, &box, 0, along == 2 ? 1 : 2), 4);
        for (int i = 0; i < 4; i++)
            for (int k = 0; k < 2; k++) {
                low[k] = fmin(low[k], outline[i][k]);
                high[k] = fmax(high[k], outline[i][k]);
            }
        assert_within(low[0], 1.0, 0.0);
        assert_within(high[0], 3.0, 0.0);
        assert_within(low[1], along == 2 ? 2.0 : 0.5, 0.0);
        assert_within(high[1], along == 2 ? 2.5 : 1.5, 0.0);
    }
    const size_t count = object_outline(outline, &column, 0, 1);
    assert_true(count > 20);
    for (size_t i = 0; i < count; i++)
        assert_within(hypot(outline[i][0] - 4.0, outline[i][1] - 5.0), 0.7, 1e-9);
    assert_true(object_outline(outline, &column, 0, 2) >= 4); /* a rectangle */
    for (size_t i = 0; i < object_outline(outline, &column, 0, 2); i++)
        assert_true(outline[i][0] > 3.3 - 1e-9 && outline[i][0] < 4.7 + 1e-9);
}

/* A tone on a bin has its energy there: |sum|² = (N/2)². */
static void spectrum_of_a_tone_is_its_energy(void **state)
{
    enum { COUNT = 4096 };
    static double tone[COUNT];
    struct spectrum s;
    struct error e;
    const size_t turns = random_between(&chance, 100, 1900);
    (void)state;
    for (size_t n = 0; n < COUNT; n++)
        tone[n] = cos(2.0 * M_PI * (double)(turns * n % COUNT) / COUNT);
    assert_int_equal(spectrum_make(&s, tone, COUNT, 8192.0, &e), 0);
    assert_within(s.step, 1.0, 0.0);
    assert_within(s.power[2 * turns] / (0.25 * COUNT * COUNT), 1.0, 1e-9);
    assert_true(isnan(spectrum_smooth(&s, 0.1, 1.0 / 6.0)));
    spectrum_free(&s);
}

static void numbers_have_a_true_minus_and_no_negative_zero(void **state)
{
    static const struct {
        double value;
        const char *text;
    } cases[] = {{-1.25, "−1.2"}, {-0.01, "0.0"}, {3.0, "3.0"}, {NAN, "–"}, {INFINITY, "–"}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *text = NULL;
        WRITTEN(text, write_number(stream, 1, cases[i].value));
        assert_string_equal(text, cases[i].text);
        free(text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(modes_are_the_lowest_of_all),
        cmocka_unit_test(modes_of_no_box_are_none),
        cmocka_unit_test(schroeder_frequency_is_that_of_the_textbook),
        cmocka_unit_test(decimation_keeps_the_extremes_of_every_column),
        cmocka_unit_test(decimation_keeps_gaps_as_one_point),
        cmocka_unit_test(base64_is_that_of_rfc_4648),
        cmocka_unit_test(player_holds_the_channels_scaled),
        cmocka_unit_test(player_cuts_long_sounds_and_brings_odd_rates_to_48_khz),
        cmocka_unit_test(drawings_take_the_colours_and_names_of_the_page),
        cmocka_unit_test(every_colour_arrives_through_cairo),
        cmocka_unit_test(a_file_of_its_own_has_the_colours_of_the_page),
        cmocka_unit_test(outlines_are_the_shapes_that_one_sees),
        cmocka_unit_test(spectrum_of_a_tone_is_its_energy),
        cmocka_unit_test(numbers_have_a_true_minus_and_no_negative_zero),
    };
    chance = random_cases("report");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
