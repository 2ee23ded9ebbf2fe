/* SPDX-License-Identifier: MIT */
/* Pictures: plots, bars and maps in SVG, and PNG with a palette. */
#include <math.h>
#include <png.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "io/drawing/png_colours.h"
#include "io/drawing/svg_map.h"
#include "io/drawing/svg_plot.h"
#include "support/random_cases.h"
#include "support/scratch.h"

#include <cmocka.h> /* last: its macro fail() would break the declaration in base/error.h */

static struct random chance;

static void plots_are_well_formed_and_small_for_long_lines(void **state)
{
    (void)state;
    enum { COUNT = 200000 };
    double *y = malloc(COUNT * sizeof *y);
    assert_non_null(y);
    for (int i = 0; i < COUNT; i++)
        y[i] = random_uniform(&chance, -1.0, 1.0);
    y[1000] = NAN;
    y[1001] = INFINITY;
    const struct plot_line lines[] = {
        {"a < b & \"c\"", y, COUNT, 0.0, 1e-5}, {NULL, y, 3, 0.0, 0.5}, {"none", NULL, 0, 0, 1}};
    const struct plot_line dead[] = {{"dead", &y[1000], 2, 0.0, 1.0}};
    const struct plot_panel panels[] = {
        {.title = "pressure", .x_label = "time, s", .y_label = "Pa", .lines = lines, .line_count = 3},
        {.lines = dead, .line_count = 1, .y_min = -90.0},
        {.title = "tiny",
         .x_label = "",
         .y_label = "",
         .lines = lines,
         .line_count = 1,
         .x_min = 1.0,
         .x_max = 1.0 + 1e-15,
         .y_min = 1e300,
         .y_max = 1.7e308}};
    struct error e;
    char *bytes;
    must(svg_plot(scratch_path("p.svg"), "A < B & \x02 \xff", panels, 3, &e), &e);
    size_t count = scratch_read(scratch_path("p.svg"), &bytes);
    assert_true(count < 200000);
    assert_true(contains(bytes, count, "a &lt; b &amp; &quot;c&quot;"));
    assert_false(contains(bytes, count, "nan"));
    assert_false(contains(bytes, count, "inf"));
    assert_true(contains(bytes, count, "</svg>"));
    free(bytes);
    const struct plot_bar bars[] = {{"one", "cpu", 3.0}, {"two", "cuda", -1e-9}, {"three", NULL, NAN}};
    must(svg_bars(scratch_path("p.svg"), "bars", "Mvox/s", bars, 3, NAN, NULL, &e), &e);
    must(svg_bars(scratch_path("p.svg"), "bars", "Mvox/s", bars, 3, 2.0, "published", &e), &e);
    count = scratch_read(scratch_path("p.svg"), &bytes);
    assert_true(contains(bytes, count, "published"));
    assert_true(contains(bytes, count, "no value"));
    free(bytes);
    must(svg_bars(scratch_path("p.svg"), NULL, NULL, NULL, 0, NAN, NULL, &e), &e);
    must(svg_plot(scratch_path("p.svg"), NULL, NULL, 0, &e), &e);
    assert_int_not_equal(svg_plot("/tmp/aula-no-such-folder/p.svg", NULL, NULL, 0, &e), 0);
    free(y);
    unlink(scratch_path("p.svg"));
    assert_scratch_empty();
}

static void maps_hold_their_picture(void **state)
{
    enum { COLUMNS = 300, ROWS = 100 };
    static double values[ROWS * COLUMNS];
    (void)state;
    for (int i = 0; i < ROWS * COLUMNS; i++)
        values[i] = -70.0 * (0.5 + 0.5 * random_uniform(&chance, -1.0, 1.0));
    values[0] = NAN;
    values[1] = -INFINITY;
    values[2] = INFINITY;
    struct svg_map map = {.title = "a < b",
                          .x_label = "time, s",
                          .y_label = "frequency, Hz",
                          .value_label = "dB",
                          .values = values,
                          .columns = COLUMNS,
                          .rows = ROWS,
                          .x_max = 9.0,
                          .y_min = 30.0,
                          .y_max = 1813.0,
                          .logarithmic = true,
                          .low = -70.0,
                          .high = 0.0};
    struct error e;
    char *bytes;
    must(svg_map(scratch_path("m.svg"), &map, &e), &e);
    size_t count = scratch_read(scratch_path("m.svg"), &bytes);
    assert_true(count < 2 * ROWS * COLUMNS);
    assert_true(contains(bytes, count, "a &lt; b"));
    assert_true(contains(bytes, count, ">500<") && contains(bytes, count, ">1000<") &&
                !contains(bytes, count, ">2000<"));
    assert_true(contains(bytes, count, "href=\"data:image/png;base64,iVBORw0KGgo")); /* how every PNG begins */
    assert_true(contains(bytes, count, "</svg>"));
    /* numbers that are none, anywhere but in the picture's own letters */
    char *picture = strstr(bytes, "base64,"), *end = strchr(picture, '"');
    memset(picture, ' ', (size_t)(end - picture));
    assert_false(contains(bytes, count, "nan") || contains(bytes, count, "inf"));
    free(bytes);
    map.logarithmic = false;
    map.title = map.value_label = NULL;
    map.high = map.low; /* nothing to tell apart, and no reason to fail */
    must(svg_map(scratch_path("m.svg"), &map, &e), &e);
    assert_int_not_equal(svg_map("/tmp/aula-no-such-folder/m.svg", &map, &e), 0);
    unlink(scratch_path("m.svg"));
    assert_scratch_empty();
}

static void indexed_pictures_are_read_back(void **state)
{
    enum { COLUMNS = 37, ROWS = 11, COLOURS = 5 };
    static const uint32_t palette[COLOURS] = {0x000000, 0xff0000, 0x00ff00, 0x0000ff, 0x123456};
    uint8_t pixels[ROWS * COLUMNS], *read;
    struct error e;
    char *bytes = NULL;
    size_t length = 0;
    png_image image = {.version = PNG_IMAGE_VERSION};
    (void)state;
    for (int i = 0; i < ROWS * COLUMNS; i++)
        pixels[i] = (uint8_t)((i * i / 3) % COLOURS);
    FILE *stream = open_memstream(&bytes, &length);
    assert_non_null(stream);
    must(png_indexed(stream, pixels, COLUMNS, ROWS, palette, COLOURS, false, &e), &e);
    fclose(stream);
    assert_true(png_image_begin_read_from_memory(&image, bytes, length));
    assert_int_equal(image.width, COLUMNS);
    assert_int_equal(image.height, ROWS);
    image.format = PNG_FORMAT_RGB;
    read = malloc(PNG_IMAGE_SIZE(image));
    assert_true(png_image_finish_read(&image, NULL, read, 0, NULL));
    for (int i = 0; i < ROWS * COLUMNS; i++) {
        const uint32_t colour = (uint32_t)read[3 * i] << 16 | (uint32_t)read[3 * i + 1] << 8 | read[3 * i + 2];
        assert_int_equal(colour, palette[pixels[i]]);
    }
    free(read);
    free(bytes);
}

int main(void)
{
    chance = random_cases("files");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(plots_are_well_formed_and_small_for_long_lines, scratch_empty),
        cmocka_unit_test_teardown(maps_hold_their_picture, scratch_empty),
        cmocka_unit_test(indexed_pictures_are_read_back),
    };
    return cmocka_run_group_tests(tests, scratch_make, scratch_remove);
}
