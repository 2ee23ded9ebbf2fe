/* SPDX-License-Identifier: MIT */
/* Sound files: what is written is read back; the rest is refused. */
#include <math.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/text.h"
#include "io/audio_file.h"
#include "support/random_cases.h"
#include "support/scratch.h"

#include <cmocka.h> /* last: its macro fail() would break the declaration in base/error.h */

#include "support/within.h"

static struct random chance;

static struct audio random_audio(size_t channels, size_t frames, double rate, double peak)
{
    struct audio a = {.channels = channels, .frames = frames, .rate = rate};
    a.samples = malloc(channels * frames * sizeof *a.samples);
    assert_non_null(a.samples);
    for (size_t n = 0; n < channels * frames; n++)
        a.samples[n] = peak * random_uniform(&chance, -1.0, 1.0);
    a.samples[channels * frames / 2] = -peak;
    return a;
}

static void every_format_comes_back_within_its_rounding(void **state)
{
    (void)state;
    const struct {
        enum sample_format format;
        double peak, tolerance;
    } cases[] = {{FORMAT_DOUBLE, 1e3, 0.0},
                 {FORMAT_FLOAT, 1e3, 0x1p-15},
                 {FORMAT_PCM24, 0.99, 0x1p-24},
                 {FORMAT_PCM16, 0.99, 0x1p-16}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        for (size_t channels = 1; channels <= 9; channels += 4) { /* with odd and with even byte counts */
            struct audio a = random_audio(channels, 30001, 44100.4, cases[i].peak), b;
            struct audio_description d = {.format = cases[i].format, .title = "Hall", .description = "a hall"};
            struct audio_written written;
            struct error e;
            const char *path = scratch_path("round.wav");
            must(audio_write(path, &a, &d, &written, &e), &e);
            struct stat status;
            assert_int_equal(stat(path, &status), 0);
            assert_int_equal(written.bytes, status.st_size);
            assert_false(written.rf64);
            assert_within(written.gain, 1.0, 0.0);
            must(audio_read(&b, path, &e), &e);
            assert_int_equal(b.channels, channels);
            assert_int_equal(b.frames, 30001);
            assert_within(b.rate, 44100.0, 0.0);
            for (size_t n = 0; n < a.channels * a.frames; n++)
                assert_within(b.samples[n], a.samples[n], cases[i].tolerance);
            audio_free(&a);
            audio_free(&b);
            unlink(path);
        }
    }
    assert_scratch_empty();
}

static void same_input_gives_the_same_bytes_without_time_stamps(void **state)
{
    (void)state;
    struct audio a = random_audio(2, 5000, 48000.0, 0.7);
    const char *const names[] = {"left", "right"};
    struct audio_description d = {FORMAT_FLOAT, "Hall", "a hall", names};
    struct error e;
    char *one, *two;
    must(audio_write(scratch_path("a.wav"), &a, &d, NULL, &e), &e);
    size_t count = scratch_read(scratch_path("a.wav"), &one);
    struct timespec pause = {.tv_sec = 1, .tv_nsec = 100000000};
    nanosleep(&pause, NULL); /* past the next second, which a time stamp would show */
    must(audio_write(scratch_path("a.wav"), &a, &d, NULL, &e), &e);
    assert_int_equal(scratch_read(scratch_path("a.wav"), &two), count);
    assert_memory_equal(one, two, count);
    assert_false(contains(one, count, "PEAK"));
    assert_false(contains(one, count, "libsndfile-"));
    free(one);
    free(two);
    audio_free(&a);
    unlink(scratch_path("a.wav"));
}

static void integer_formats_scale_what_would_clip_and_say_so(void **state)
{
    (void)state;
    const enum sample_format formats[] = {FORMAT_PCM16, FORMAT_PCM24};
    for (int i = 0; i < 2; i++) {
        struct audio a = random_audio(3, 2000, 44100.0, 4.0), b;
        struct audio_description d = {.format = formats[i]};
        struct audio_written written;
        struct error e;
        a.samples[7] = 4.0;
        must(audio_write(scratch_path("c.wav"), &a, &d, &written, &e), &e);
        assert_within(written.gain, 0.25, 1e-15);
        must(audio_read(&b, scratch_path("c.wav"), &e), &e);
        for (size_t n = 0; n < a.channels * a.frames; n++)
            assert_within(b.samples[n], 0.25 * a.samples[n], i ? 0x1p-23 : 0x1p-15); /* a step at +1.0, else half */
        audio_free(&a);
        audio_free(&b);
        unlink(scratch_path("c.wav"));
    }
}

static void names_and_description_stand_in_the_metadata(void **state)
{
    (void)state;
    struct audio a = random_audio(3, 100, 44100.0, 0.5);
    const char *const names[] = {"R1 <front> & \"row\"", "Zuhörer",
                                 ("bad\x01\xff"
                                  "byte")};
    struct audio_description d = {FORMAT_PCM24, "Studio, S1", "impulse response, 0-3352 Hz", names};
    struct error e;
    char *bytes;
    must(audio_write(scratch_path("m.wav"), &a, &d, NULL, &e), &e);
    size_t count = scratch_read(scratch_path("m.wav"), &bytes);
    assert_true(contains(bytes, count, "Studio, S1"));
    assert_true(contains(bytes, count, "impulse response, 0-3352 Hz; channels: R1 <front> & \"row\", Zuhörer"));
    assert_true(contains(bytes, count, "iXML"));
    assert_true(contains(bytes, count, "<TRACK_COUNT>3</TRACK_COUNT>"));
    assert_true(contains(bytes, count, "<NAME>R1 &lt;front&gt; &amp; &quot;row&quot;</NAME>"));
    assert_true(contains(bytes, count, "<INTERLEAVE_INDEX>2</INTERLEAVE_INDEX><NAME>Zuhörer</NAME>"));
    assert_true(contains(bytes, count, "<NAME>bad ?byte</NAME>"));
    assert_true(contains(bytes, count, "aula"));
    free(bytes);
    audio_free(&a);
    unlink(scratch_path("m.wav"));
}

static void a_thousand_channels_with_long_names_still_read_back(void **state)
{
    (void)state;
    enum { CHANNELS = 1024 };
    static char text[CHANNELS][64];
    static const char *names[CHANNELS];
    for (int i = 0; i < CHANNELS; i++) {
        snprintf(text[i], sizeof text[i], "receiver number %d in the middle of the great hall", i);
        names[i] = text[i];
    }
    struct audio a = random_audio(CHANNELS, 70, 44100.0, 0.5), b;
    struct audio_description d = {FORMAT_DOUBLE, "Hall", "many", names};
    struct error e;
    const size_t counts[] = {150, 300, 500, 700, 1024}; /* about the sizes at which names are left out */
    for (int i = 0; i < 5; i++) {
        a.channels = counts[i];
        must(audio_write(scratch_path("k.wav"), &a, &d, NULL, &e), &e);
        must(audio_read(&b, scratch_path("k.wav"), &e), &e);
        assert_int_equal(b.channels, counts[i]);
        assert_memory_equal(a.samples, b.samples, a.channels * a.frames * sizeof(double));
        audio_free(&b);
    }
    a.channels = 1025;
    a.frames = 10;
    assert_int_not_equal(audio_write(scratch_path("k.wav"), &a, &d, NULL, &e), 0);
    audio_free(&a);
    unlink(scratch_path("k.wav"));
    assert_scratch_empty();
}

static void rf64_begins_below_four_gigabytes(void **state)
{
    (void)state;
    assert_false(audio_needs_rf64(0, 0, FORMAT_FLOAT));
    assert_false(audio_needs_rf64(1000000000, 1, FORMAT_FLOAT));
    assert_true(
        audio_needs_rf64(1073741823, 1, FORMAT_FLOAT)); /* 4 GiB of samples, less 4 bytes: no room for a header */
    assert_false(audio_needs_rf64(500000000, 1, FORMAT_DOUBLE));
    assert_true(audio_needs_rf64(500000000, 2, FORMAT_DOUBLE));
    assert_false(audio_needs_rf64(1400000000, 1, FORMAT_PCM24));
    assert_true(audio_needs_rf64(1450000000, 1, FORMAT_PCM24));
    assert_false(audio_needs_rf64(2000000000, 1, FORMAT_PCM16));
    assert_true(audio_needs_rf64(2147483648, 1, FORMAT_PCM16));
    assert_true(audio_needs_rf64(UINT64_MAX, 1024, FORMAT_DOUBLE));
}

static void assert_write_fails(const char *path, const struct audio *a, enum error_code code, const char *reason)
{
    struct audio_description d = {.format = FORMAT_FLOAT, .title = "t", .description = "d"};
    struct audio_written written;
    struct error e = {0};
    assert_int_not_equal(audio_write(path, a, &d, &written, &e), 0);
    assert_int_equal(e.code, code);
    if (!strstr(e.message, reason) || !strstr(e.message, path)) {
        print_error("\"%s\" lacks \"%s\" or the path\n", e.message, reason);
        fail();
    }
}

static void failing_writes_give_the_reason_and_leave_nothing(void **state)
{
    (void)state;
    struct audio a = random_audio(2, 200000, 44100.0, 0.5);
    struct rlimit before, little;
    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    const rlim_t limits[] = {0, 20, 4096, 1000000, 1599990};
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
        little = before;
        little.rlim_cur = limits[i];
        assert_int_equal(setrlimit(RLIMIT_FSIZE, &little), 0);
        struct audio_description d = {.format = FORMAT_FLOAT};
        struct error e = {0};
        int status = audio_write(scratch_path("full.wav"), &a, &d, NULL, &e);
        assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
        assert_int_not_equal(status, 0);
        assert_int_equal(e.code, ERROR_OUTPUT);
        if (!strstr(e.message, "File too large"))
            print_error("%s\n", e.message);
        assert_non_null(strstr(e.message, "File too large"));
        assert_scratch_empty();
    }
    assert_write_fails("/tmp/aula-no-such-folder/x.wav", &a, ERROR_OUTPUT, "mkdir");
    assert_write_fails(scratch_folder, &a, ERROR_OUTPUT, "is a folder");
    a.rate = NAN;
    assert_write_fails(scratch_path("x.wav"), &a, ERROR_OUTPUT, "rate");
    a.rate = 44100.0;
    a.samples[200003] = NAN;
    assert_write_fails(scratch_path("x.wav"), &a, ERROR_FAILED, "frame 3 of channel 2");
    a.samples[200003] = 1e39; /* beyond float */
    assert_write_fails(scratch_path("x.wav"), &a, ERROR_FAILED, "1e+39");
    a.frames = 0;
    assert_write_fails(scratch_path("x.wav"), &a, ERROR_FAILED, "no samples");
    audio_free(&a);
    assert_scratch_empty();
}

static void a_failing_write_keeps_the_file_that_was_there(void **state)
{
    (void)state;
    struct audio a = random_audio(1, 1000, 44100.0, 0.5);
    scratch_write(scratch_path("old.wav"), "old", 3);
    a.samples[5] = NAN;
    assert_write_fails(scratch_path("old.wav"), &a, ERROR_FAILED, "frame 5");
    char *bytes;
    assert_int_equal(scratch_read(scratch_path("old.wav"), &bytes), 3);
    free(bytes);
    audio_free(&a);
    unlink(scratch_path("old.wav"));
    assert_scratch_empty();
}

static void assert_read_fails(const char *path, const char *reason)
{
    struct audio a;
    struct error e = {0};
    assert_int_not_equal(audio_read(&a, path, &e), 0);
    assert_int_equal(e.code, ERROR_INPUT);
    assert_null(a.samples);
    if (!strstr(e.message, reason) || !strstr(e.message, path)) {
        print_error("\"%s\" lacks \"%s\" or the path\n", e.message, reason);
        fail();
    }
}

/* A FLAC of silence, which packs best, is read; one whose header gives 2^32 frames more is not, whatever memory there is. */
static void a_header_gives_no_more_frames_than_the_file_can_hold(void **state)
{
    (void)state;
    enum { FRAMES_HIGH = 21 }; /* of the number of frames in the header: 36 bits, these 4 among the last of a byte */
    struct audio a = {.channels = 1, .frames = 3000000, .rate = 48000.0}, b;
    const struct audio_description d = {.format = FORMAT_PCM16};
    const char *path = scratch_path("silence.flac");
    struct error e;
    char *bytes;
    a.samples = calloc(a.frames, sizeof *a.samples);
    assert_non_null(a.samples);
    must(audio_write(path, &a, &d, NULL, &e), &e);
    must(audio_read(&b, path, &e), &e);
    assert_int_equal(b.frames, a.frames);
    audio_free(&b);
    const size_t size = scratch_read(path, &bytes);
    bytes[FRAMES_HIGH] |= 1;
    scratch_write(path, bytes, size);
    assert_int_equal(audio_read(&b, path, &e), -1);
    assert_non_null(strstr(e.message, "its header states 4297967296 frames, more than"));
    audio_free(&a);
    free(bytes);
    unlink(path);
    assert_scratch_empty();
}

/* libsndfile 1.2 reads such a list for ever: 4 GB wrap to a step back. */
static void a_list_whose_piece_is_longer_than_it_is_refused(void **state)
{
    (void)state;
    unsigned char wav[] = "RIFF\x60\0\0\0WAVE"
                          "fmt \x10\0\0\0\3\0\1\0\x80\xbb\0\0\0\xb8\xb\0\4\0\x20\0"
                          "LIST\x1c\0\0\0INFOICMT\x10\0\0\0abcdefghijklmno\0"
                          "data\x10\0\0\0\0\0\0\0\0\0\0\x3f\0\0\0\0\0\0\0\0";
    const char *path = scratch_path("list.wav");
    struct audio a;
    struct error e;
    scratch_write(path, wav, sizeof wav - 1);
    must(audio_read(&a, path, &e), &e);
    assert_int_equal(a.frames, 4);
    audio_free(&a);
    unsigned char *length = wav + 12 + 24 + 12 + 4;
    assert_memory_equal(length - 4, "ICMT", 4);
    for (unsigned i = 0; i < 4; i++) {
        memset(length, 0xff, 4);
        length[0] = (unsigned char)(0xff - i);
        scratch_write(path, wav, sizeof wav - 1);
        assert_read_fails(path, "LIST");
    }
    scratch_write(path, wav, sizeof wav - 1);
    assert_null(audio_title(path));
    memcpy(wav + 12 + 24 + 4, "\0\0\x10\0", 4); /* the list as long as the entry, but longer than the file */
    memcpy(length, "\0\2\0\0", 4);
    scratch_write(path, wav, sizeof wav - 1);
    assert_read_fails(path, "LIST");
    unlink(path);
}

static void bad_sound_files_are_refused_with_path_and_reason(void **state)
{
    (void)state;
    assert_read_fails(scratch_path("missing.wav"), "No such file");
    assert_read_fails(scratch_folder, "is a folder");
    char garbage[5000];
    for (size_t i = 0; i < sizeof garbage; i++)
        garbage[i] = (char)(127.0 * random_uniform(&chance, -1.0, 1.0));
    garbage[0] = 'x';
    scratch_write(scratch_path("garbage.wav"), garbage, sizeof garbage);
    assert_read_fails(scratch_path("garbage.wav"), "sound file");
    scratch_write(scratch_path("garbage.wav"), "", 0);
    assert_read_fails(scratch_path("garbage.wav"), "sound file");

    struct audio a = random_audio(2, 50, 44100.0, 0.5);
    struct audio_description d = {.format = FORMAT_DOUBLE};
    struct error e;
    char *bytes;
    must(audio_write(scratch_path("garbage.wav"), &a, &d, NULL, &e), &e);
    size_t count = scratch_read(scratch_path("garbage.wav"), &bytes);
    char *data = memmem(bytes, count, "data", 4);
    assert_non_null(data);
    double nan = NAN;
    memcpy(data + 8 + 8 * (2 * 31 + 1), &nan, 8);
    scratch_write(scratch_path("garbage.wav"), bytes, count);
    assert_read_fails(scratch_path("garbage.wav"), "frame 31 of channel 2 is not a finite number");
    scratch_write(scratch_path("garbage.wav"), bytes, (size_t)(data - bytes) + 8);
    assert_read_fails(scratch_path("garbage.wav"), "");

    /* whatever is cut or changed: an error or samples, never a crash (this runs under the sanitizers too) */
    for (int k = 0; k < 300; k++) {
        char *changed = malloc(count);
        assert_non_null(changed);
        memcpy(changed, bytes, count);
        for (int i = 0; i < 3; i++)
            changed[(size_t)(fabs(random_uniform(&chance, -1.0, 1.0)) * 120.0) % count] =
                (char)(127.0 * random_uniform(&chance, -1.0, 1.0));
        scratch_write(scratch_path("garbage.wav"), changed,
                      (size_t)(fabs(random_uniform(&chance, -1.0, 1.0)) * (double)count));
        struct audio b;
        if (!audio_read(&b, scratch_path("garbage.wav"), &e))
            audio_free(&b);
        free(changed);
    }
    free(bytes);
    audio_free(&a);
    unlink(scratch_path("garbage.wav"));
    assert_scratch_empty();
}

int main(void)
{
    chance = random_cases("files");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(every_format_comes_back_within_its_rounding, scratch_empty),
        cmocka_unit_test_teardown(same_input_gives_the_same_bytes_without_time_stamps, scratch_empty),
        cmocka_unit_test_teardown(integer_formats_scale_what_would_clip_and_say_so, scratch_empty),
        cmocka_unit_test_teardown(names_and_description_stand_in_the_metadata, scratch_empty),
        cmocka_unit_test_teardown(a_thousand_channels_with_long_names_still_read_back, scratch_empty),
        cmocka_unit_test_teardown(rf64_begins_below_four_gigabytes, scratch_empty),
        cmocka_unit_test_teardown(failing_writes_give_the_reason_and_leave_nothing, scratch_empty),
        cmocka_unit_test_teardown(a_failing_write_keeps_the_file_that_was_there, scratch_empty),
        cmocka_unit_test_teardown(a_header_gives_no_more_frames_than_the_file_can_hold, scratch_empty),
        cmocka_unit_test_teardown(a_list_whose_piece_is_longer_than_it_is_refused, scratch_empty),
        cmocka_unit_test_teardown(bad_sound_files_are_refused_with_path_and_reason, scratch_empty),
    };
    return cmocka_run_group_tests(tests, scratch_make, scratch_remove);
}
