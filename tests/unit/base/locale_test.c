/* SPDX-License-Identifier: MIT */
/* libaula in a program whose locale writes numbers with a comma: the same bits and words as in the C locale. */
#include <locale.h>
#include <math.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "aula.h"

static const char german[] = "de_DE.UTF-8";
static char folder[] = "/tmp/aula-locale-test-XXXXXX";
static char duration[32], rate[32], wrong[40];
static const char *const settings[] = {duration, rate, "air.temperature=21.5", "output.rate=8000.5"};
static const char *const refused[] = {wrong};
enum { SETTINGS = sizeof settings / sizeof *settings };

/* All text and results of the library. */
struct outcome {
    char words[1 << 16];
    double *samples;
    size_t frames;
};

static void say(struct outcome *o, const char *text)
{
    const size_t used = strlen(o->words);
    snprintf(o->words + used, sizeof o->words - used, "%s\n", text);
}

/* The program's output uses its locale, so numbers are compared by their bits. */
static void say_bits(struct outcome *o, double value)
{
    char text[32];
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    snprintf(text, sizeof text, "%016llx", (unsigned long long)bits);
    say(o, text);
}

/* The JSON beside a file, without times. */
static void say_description(struct outcome *o, const struct aula_response *response, struct aula_error *error)
{
    char path[64], line[4096];
    snprintf(path, sizeof path, "%s/response.wav", folder);
    if (aula_responses_write(&response, 1, path, error))
        fail_msg("%s", error->message);
    snprintf(path, sizeof path, "%s/response.json", folder);
    FILE *f = fopen(path, "r");
    assert_non_null(f);
    for (bool timed = false; fgets(line, sizeof line, f); timed = timed && !strchr(line, '}')) {
        timed = timed || strstr(line, "\"timing\"");
        if (!timed)
            say(o, line);
    }
    fclose(f);
}

static void say_figures(struct outcome *o, const struct aula_response *response, struct aula_error *error)
{
    struct aula_metrics *metrics = NULL;
    char path[64];
    snprintf(path, sizeof path, "%s/response.wav", folder);
    if (aula_metrics_of_response(&metrics, response, error))
        fail_msg("%s", error->message);
    say(o, aula_metrics_sti_missing(metrics, 0));
    say_bits(o, aula_metrics_value(metrics, 0, 1, AULA_C80));
    aula_metrics_close(metrics);
    if (aula_metrics_of_file(&metrics, path, error))
        fail_msg("%s", error->message);
    say_bits(o, aula_metrics_value(metrics, 0, 1, AULA_C80));
    aula_metrics_close(metrics);
}

static void say_wet(struct outcome *o, const struct aula_response *response, struct aula_error *error)
{
    struct aula_sound *wet = NULL;
    const double dry[] = {0.5, 0.25, -0.75};
    if (aula_auralize(&wet, &response, 1, dry, 3, 44100.5, error))
        fail_msg("%s", error->message);
    say_bits(o, aula_sound_samples(wet, 0)[aula_sound_frames(wet) / 2]);
    aula_sound_close(wet);
    assert_int_not_equal(aula_auralize(&wet, &response, 1, dry, 3, 0.5, error), 0);
    say(o, error->message);
}

static void go(struct outcome *o, const struct aula_options *options)
{
    struct aula_error error = {0, ""};
    struct aula_room *room = NULL;
    struct aula_response *response = NULL;
    struct aula_grid grid;
    memset(o, 0, sizeof *o);
    assert_int_not_equal(aula_room_open(&room, SOURCE_FOLDER "/rooms/studio.cfg", refused, 1, &error), 0);
    say(o, error.message);
    if (aula_room_open(&room, SOURCE_FOLDER "/rooms/studio.cfg", settings, SETTINGS, &error))
        fail_msg("%s", error.message);
    aula_room_grid(room, &grid);
    say_bits(o, grid.rate);
    say_bits(o, grid.valid_frequency);
    for (size_t i = 0; aula_room_remark(room, i); i++)
        say(o, aula_room_remark(room, i));
    if (aula_render(&response, room, 0, options, &error))
        fail_msg("%s", error.message);
    say_description(o, response, &error);
    say_figures(o, response, &error);
    say_wet(o, response, &error);
    const size_t channels = aula_response_channels(response);
    o->frames = channels * aula_response_frames(response);
    o->samples = calloc(o->frames, sizeof *o->samples);
    assert_non_null(o->samples);
    memcpy(o->samples, aula_response_samples(response, 0), o->frames * sizeof *o->samples);
    aula_response_close(response);
    aula_room_close(room);
}

static struct outcome plain; /* in the C locale */

static void assert_plain(struct outcome *o)
{
    assert_string_equal(o->words, plain.words);
    assert_int_equal(o->frames, plain.frames);
    assert_memory_equal(o->samples, plain.samples, plain.frames * sizeof(double));
    free(o->samples);
}

static bool comma(void)
{
    char text[16];
    snprintf(text, sizeof text, "%.1f", 0.5);
    return !strcmp(text, "0,5");
}

static void the_plain_outcome_says_numbers_with_points(void **state)
{
    (void)state;
    double peak = 0.0;
    for (size_t n = 0; n < plain.frames; n++)
        peak = fmax(peak, fabs(plain.samples[n]));
    assert_true(peak > 1e-6 && peak < 10.0);
    assert_non_null(strstr(plain.words, " m:"));
    assert_non_null(strstr(plain.words, "rate is 0.5 Hz"));
    assert_true(strlen(plain.words) + 1 < sizeof plain.words);
    assert_non_null(strstr(plain.words, strchr(wrong, '-')));
}

static void a_program_in_german(void **state)
{
    struct outcome o;
    (void)state;
    assert_non_null(setlocale(LC_ALL, german));
    assert_true(comma());
    go(&o, NULL);
    assert_true(comma());
    assert_plain(&o);
    setlocale(LC_ALL, "C");
}

static void a_thread_with_a_locale_of_its_own(void **state)
{
    struct outcome o;
    locale_t own = newlocale(LC_ALL_MASK, german, (locale_t)0);
    (void)state;
    assert_non_null(own);
    uselocale(own);
    go(&o, NULL);
    assert_true(uselocale((locale_t)0) == own);
    assert_true(comma());
    uselocale(LC_GLOBAL_LOCALE);
    freelocale(own);
    assert_plain(&o);
}

static void *in_thread(void *outcome)
{
    go(outcome, NULL);
    return NULL;
}

static void another_thread_of_a_program_in_german(void **state)
{
    struct outcome o;
    pthread_t thread;
    (void)state;
    assert_non_null(setlocale(LC_ALL, german));
    assert_int_equal(pthread_create(&thread, NULL, in_thread, &o), 0);
    pthread_join(thread, NULL);
    setlocale(LC_ALL, "C");
    assert_plain(&o);
}

struct seen {
    size_t calls;
    bool comma;       /* every call saw the program's own locale */
    bool changes;     /* the global locale, back and forth */
    locale_t changed; /* the thread's, in the first call */
};

static int look(void *context, double share)
{
    struct seen *seen = context;
    (void)share;
    seen->comma = seen->comma && comma();
    if (seen->changes && !seen->calls) {
        setlocale(LC_ALL, "C");
        setlocale(LC_ALL, german);
    }
    if (seen->changed && !seen->calls)
        uselocale(seen->changed);
    seen->calls++;
    return 0;
}

static void progress_is_called_in_the_locale_of_the_program(void **state)
{
    struct outcome o;
    struct seen seen = {.comma = true, .changes = true};
    const struct aula_options options = {.threads = 2, .progress = look, .context = &seen};
    (void)state;
    assert_non_null(setlocale(LC_ALL, german));
    go(&o, &options);
    assert_true(seen.calls > 0);
    assert_true(seen.comma);
    assert_true(comma());
    setlocale(LC_ALL, "C");
    assert_plain(&o);
}

static void a_locale_that_progress_chooses_stays(void **state)
{
    struct outcome o;
    struct seen seen = {.comma = false, .changed = newlocale(LC_ALL_MASK, german, (locale_t)0)};
    const struct aula_options options = {.progress = look, .context = &seen};
    (void)state;
    assert_non_null(seen.changed);
    go(&o, &options);
    assert_true(uselocale((locale_t)0) == seen.changed);
    uselocale(LC_GLOBAL_LOCALE);
    freelocale(seen.changed);
    assert_plain(&o);
}

static void the_locale_changes_between_calls(void **state)
{
    struct aula_error error;
    struct aula_room *room = NULL;
    struct aula_response *response = NULL;
    (void)state;
    if (aula_room_open(&room, SOURCE_FOLDER "/rooms/studio.cfg", settings, SETTINGS, &error))
        fail_msg("%s", error.message);
    assert_non_null(setlocale(LC_ALL, german));
    if (aula_render(&response, room, 0, NULL, &error))
        fail_msg("%s", error.message);
    aula_room_close(room);
    assert_memory_equal(aula_response_samples(response, 0), plain.samples, plain.frames * sizeof(double));
    aula_response_close(response);
    setlocale(LC_ALL, "C");
}

static void draw_settings(void)
{
    unsigned seed;
    FILE *f = fopen("/dev/urandom", "rb");
    if (!f || fread(&seed, sizeof seed, 1, f) != 1)
        seed = 1;
    if (f)
        fclose(f);
    print_message("seed %u\n", seed);
    snprintf(duration, sizeof duration, "time.duration=0.0%u", 31 + seed % 60);
    snprintf(rate, sizeof rate, "grid.rate=%u.%u", 4000 + seed / 60 % 400, 1 + seed / 24000 % 9);
    snprintf(wrong, sizeof wrong, "time.duration=-%u.%u", 1 + seed / 60 % 400, 1 + seed / 24000 % 9);
}

/* Needs no root: LOCPATH is where the C library looks. */
static bool make_locale(void)
{
    char command[256];
    if (!mkdtemp(folder))
        return false;
    snprintf(command, sizeof command, "localedef -i de_DE -f UTF-8 '%s/%s'", folder, german);
    if (system(command) != 0 || setenv("LOCPATH", folder, 1) || !setlocale(LC_ALL, german))
        return false;
    setlocale(LC_ALL, "C");
    return true;
}

static void remove_locale(void)
{
    char command[64];
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    if (system(command) != 0)
        print_message("%s is left\n", folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_plain_outcome_says_numbers_with_points),
        cmocka_unit_test(a_program_in_german),
        cmocka_unit_test(a_thread_with_a_locale_of_its_own),
        cmocka_unit_test(another_thread_of_a_program_in_german),
        cmocka_unit_test(progress_is_called_in_the_locale_of_the_program),
        cmocka_unit_test(a_locale_that_progress_chooses_stays),
        cmocka_unit_test(the_locale_changes_between_calls),
    };
    if (!make_locale()) {
        printf("skipped: localedef makes no %s here: it comes with the package locales\n", german);
        remove_locale();
        return 77;
    }
    draw_settings();
    go(&plain, NULL);
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    free(plain.samples);
    remove_locale();
    return failed;
}
