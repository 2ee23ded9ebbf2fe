/* SPDX-License-Identifier: MIT */
/* Channels taken out of WAV files keep their samples; files that are no WAV, or are cut off, are refused. Archives and
 * tables of the same content have the same bytes. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "io/audio_file.h"
#include "io/parquet_file.h"
#include "io/tar_file.h"
#include "io/wav_image.h"
#include "support/random_cases.h"
#include "support/scratch.h"

/* clang-format off */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
/* clang-format on */

static struct random chance;

static void write_random(size_t channels, size_t frames, enum sample_format format)
{
    struct audio a = {.channels = channels, .frames = frames, .rate = 44100.0};
    struct audio_description d = {.format = format, .title = "Hall"};
    struct error e;
    a.samples = malloc(channels * frames * sizeof *a.samples);
    assert_non_null(a.samples);
    for (size_t n = 0; n < channels * frames; n++)
        a.samples[n] = random_uniform(&chance, -0.9, 0.9);
    must(audio_write(scratch_path("whole.wav"), &a, &d, NULL, &e), &e);
    audio_free(&a);
}

static void channels_keep_their_samples_in_every_format(void **state)
{
    (void)state;
    static const enum sample_format formats[] = {FORMAT_FLOAT, FORMAT_DOUBLE, FORMAT_PCM24, FORMAT_PCM16};
    for (int i = 0; i < case_count(60); i++) {
        const size_t channels = random_between(&chance, 1, 9), first = random_between(&chance, 0, channels - 1);
        const size_t taken = random_between(&chance, 1, channels - first), frames = random_between(&chance, 1, 700);
        struct wav_image image;
        struct audio whole, part;
        struct error e;
        unsigned char *bytes;
        size_t count;
        write_random(channels, frames, formats[i % 4]);
        must(wav_image_read(&image, scratch_path("whole.wav"), &e), &e);
        assert_int_equal(image.frames, frames);
        must(wav_image_take(&bytes, &count, &image, first, taken, &e), &e);
        assert_int_equal(count % 2, 0);
        scratch_write(scratch_path("part.wav"), bytes, count);
        must(audio_read(&whole, scratch_path("whole.wav"), &e), &e);
        must(audio_read(&part, scratch_path("part.wav"), &e), &e);
        assert_int_equal(part.channels, taken);
        assert_int_equal(part.frames, frames);
        assert_true(part.rate == whole.rate);
        assert_memory_equal(part.samples, whole.samples + first * frames, taken * frames * sizeof *part.samples);
        audio_free(&whole);
        audio_free(&part);
        wav_image_free(&image);
        free(bytes);
        unlink(scratch_path("whole.wav"));
        unlink(scratch_path("part.wav"));
    }
    assert_scratch_empty();
}

static void what_is_no_wav_file_or_is_cut_off_is_refused(void **state)
{
    (void)state;
    char *bytes;
    write_random(3, 200, FORMAT_FLOAT);
    const size_t count = scratch_read(scratch_path("whole.wav"), &bytes), samples = 3 * 200 * sizeof(float);
    for (size_t length = 0; length < count; length += length + samples + 8 < count ? 7 : 97) {
        struct wav_image image;
        struct error e = {ERROR_NONE, ""};
        scratch_write(scratch_path("cut.wav"), bytes, length);
        assert_int_not_equal(wav_image_read(&image, scratch_path("cut.wav"), &e), 0);
        assert_non_null(strstr(e.message, "cut.wav: is not a WAV file"));
        wav_image_free(&image);
    }
    for (int i = 0; i < case_count(400); i++) { /* any answer but a crash */
        struct wav_image image;
        struct error e;
        char *changed = malloc(count);
        assert_non_null(changed);
        memcpy(changed, bytes, count);
        for (size_t k = random_between(&chance, 1, 6); k--;)
            changed[random_between(&chance, 0, 80)] = (char)random_between(&chance, 0, 255);
        scratch_write(scratch_path("cut.wav"), changed, count);
        if (!wav_image_read(&image, scratch_path("cut.wav"), &e)) {
            unsigned char *taken;
            size_t size;
            if (!wav_image_take(&taken, &size, &image, 0, image.channels, &e))
                free(taken);
        }
        wav_image_free(&image);
        free(changed);
    }
    free(bytes);
    unlink(scratch_path("whole.wav"));
    unlink(scratch_path("cut.wav"));
}

static int put(void *context, const void *bytes, size_t count, struct error *e)
{
    struct growing_text *text = context;
    (void)e;
    growing_text_bytes(text, bytes, count);
    return 0;
}

static void an_archive_has_the_blocks_of_ustar(void **state)
{
    (void)state;
    struct growing_text text = {0};
    const struct byte_sink sink = {put, &text};
    struct error e = {ERROR_NONE, ""};
    char name[TAR_NAME_MAX + 2];
    memset(name, 'n', sizeof name);
    name[TAR_NAME_MAX + 1] = '\0';
    assert_int_not_equal(tar_add(&sink, name, "abc", 3, &e), 0);
    name[TAR_NAME_MAX] = '\0';
    must(tar_add(&sink, name, "abc", 3, &e) || tar_add(&sink, "empty", "", 0, &e) || tar_end(&sink, &e), &e);
    assert_int_equal(text.length, TAR_BLOCK * (2 + 1 + 2));
    assert_memory_equal(text.text, name, TAR_NAME_MAX);
    assert_string_equal(text.text + 124, "00000000003");
    assert_string_equal(text.text + 136, "00000000000");
    assert_memory_equal(text.text + 257, "ustar\00000", 8);
    unsigned sum = 0;
    for (size_t i = 0; i < TAR_BLOCK; i++)
        sum += i >= 148 && i < 156 ? ' ' : (unsigned char)text.text[i];
    assert_int_equal(strtoul(text.text + 148, NULL, 8), sum);
    free(text.text);
}

/* Readers of the format are in tests/command_line/loaders. */
static void a_table_ends_a_row_group_beyond_32_megabytes(void **state)
{
    (void)state;
    static const struct parquet_column columns[] = {
        {"sound", PARQUET_SOUND}, {"room", PARQUET_WHOLE}, {"t30", PARQUET_REAL}, {"base", PARQUET_TEXT}};
    enum { BYTES = 1 << 22, ROWS = 20 };
    struct growing_text text[2] = {{0}, {0}};
    char *sound = calloc(BYTES, 1);
    assert_non_null(sound);
    for (int k = 0; k < 2; k++) {
        const struct byte_sink sink = {put, &text[k]};
        struct parquet_file p;
        struct error e;
        must(parquet_begin(&p, columns, 4, "key", "value", &sink, &e), &e);
        for (int row = 0; row < ROWS; row++) {
            const struct parquet_value values[] = {{.text = "a.wav", .bytes = sound, .byte_count = BYTES},
                                                   {.number = row},
                                                   {.number = row % 3 ? (double)row : (double)NAN},
                                                   {.text = "base.cfg"}};
            must(parquet_add(&p, values, &e), &e);
        }
        must(parquet_end(&p, &e), &e);
        assert_int_equal(p.rows, ROWS);
        assert_int_equal(p.group_count, 3);
        parquet_free(&p);
    }
    assert_int_equal(text[0].length, text[1].length);
    assert_memory_equal(text[0].text, text[1].text, text[0].length);
    assert_memory_equal(text[0].text + text[0].length - 4, "PAR1", 4);
    free(text[0].text);
    free(text[1].text);
    free(sound);
}

int main(void)
{
    chance = random_cases("channels of WAV files");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(channels_keep_their_samples_in_every_format),
        cmocka_unit_test(what_is_no_wav_file_or_is_cut_off_is_refused),
        cmocka_unit_test(an_archive_has_the_blocks_of_ustar),
        cmocka_unit_test(a_table_ends_a_row_group_beyond_32_megabytes),
    };
    return cmocka_run_group_tests(tests, scratch_make, scratch_remove);
}
