/* SPDX-License-Identifier: MIT */
/* What one hears first of a room in a preview: the geometric half alone, with limits that are counts of work. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/threads.h"
#include "render/geometric.h"
#include "support/random_cases.h"
#include "support/room_files.h"

#include <cmocka.h> /* last: its macro fail() would break the declaration in base/error.h */

#include "support/within.h"

static const double rate = 48000.0;
static const struct geometric_band band = {.low = 200.0, .octave = 125.0, .top = 20000.0};

struct heard_room {
    struct room *room;
    struct model *model;
};

static struct heard_room open_room(const char *size, double seconds, const char *receivers, const char *more)
{
    char text[8192];
    struct heard_room r;
    struct error e;
    snprintf(text, sizeof text,
             "room: { size = [%s]; walls: { default = \"m\"; }; };\ngrid: { max_frequency = 100.0; };\n"
             "time: { duration = %.3f; };\nsources: ( { position = [2.1, 2.4, 1.5]; } );\n"
             "receivers: ( %s );\n%s\nmaterials: { m = { impedance = 30.0; }; };\n",
             size, seconds, receivers, more);
    r.room = good_room(text);
    r.room->output.rate = rate;
    r.room->hybrid.order = 3;
    assert_int_equal(model_make(&r.model, r.room, &e), 0);
    return r;
}

static void close_room(struct heard_room *r)
{
    model_free(r->model);
    room_free(r->room);
}

static const char *const one = "{ position = [5.2, 3.1, 1.6]; }";

static struct response first_of(const struct heard_room *r)
{
    struct response heard;
    struct error e;
    assert_int_equal(geometric_response(&heard, &geometric_first, r->model, 0, &e), 0);
    return heard;
}

static void first_sound_has_the_same_bits_for_any_number_of_threads(void **state)
{
    (void)state;
    struct heard_room r = open_room(
        "8.0, 6.0, 4.0", 0.4,
        "{ position = [5.2, 3.1, 1.6]; }, { position = [4.2, 2.1, 2.0]; type = \"ambisonic\"; order = 1; }", "");
    struct response heard[2];
    for (int i = 0; i < 2; i++) {
        const int threads = threads_limit(i ? 3 : 1);
        heard[i] = first_of(&r);
        threads_limit(threads);
    }
    assert_int_equal(heard[0].frames, (size_t)(0.4 * rate));
    assert_int_equal(heard[0].channels, 5);
    assert_memory_equal(heard[0].samples, heard[1].samples, 5 * heard[0].frames * sizeof(double));
    response_free(&heard[0]);
    response_free(&heard[1]);
    close_room(&r);
}

/* Rays that leave a source, and ways from it. */
static struct geometric work_of(const struct heard_room *r, double seconds, const struct geometric_effort *effort)
{
    const double gain = 1.0;
    struct geometric g = {.images = NULL};
    struct error e;
    assert_int_equal(geometric_make(&g, (size_t)(seconds * rate), rate, &band, effort, r->model, 0, 1, &gain, &e), 0);
    const struct geometric work = {.rays = g.rays, .ways = g.ways};
    geometric_free(&g);
    return work;
}

static void rays_are_fewer_the_longer_they_go(void **state)
{
    (void)state;
    size_t rays[3];
    struct geometric_effort effort = geometric_first;
    effort.hits = 2e5; /* a tenth */
    for (int i = 0; i < 3; i++) {
        const double seconds = 0.25 * (1 << i);
        struct heard_room r = open_room("12.0, 9.0, 7.0", seconds, one, "");
        const double way = 4.0 * r.model->space.volume / r.model->space.surface;
        rays[i] = work_of(&r, seconds, &effort).rays;
        assert_true((double)(rays[i] + effort.pilots) * 343.0 * seconds / way <= effort.hits);
        close_room(&r);
    }
    assert_true(rays[0] > rays[1] && rays[1] > rays[2] && rays[2] > 500);
}

static void many_places_have_fewer_reflections(void **state)
{
    (void)state;
    enum { MANY = 100, LENGTH = 64 };
    char *receivers = calloc(MANY, LENGTH);
    size_t used = 0;
    for (int i = 0; i < MANY; i++)
        used += (size_t)snprintf(receivers + used, (size_t)MANY * LENGTH - used, "%s{ position = [%.3f, 3.1, 1.6]; }",
                                 i ? ", " : "", 3.01 + 0.02 * i);
    struct heard_room few = open_room("8.0, 6.0, 4.0", 0.1, one, "hybrid: { rays = 0; };");
    struct heard_room many = open_room("8.0, 6.0, 4.0", 0.1, receivers, "hybrid: { rays = 0; };");
    assert_int_equal(work_of(&few, 0.1, &geometric_first).ways, 63);
    assert_int_equal(work_of(&many, 0.1, &geometric_first).ways, 700);
    close_room(&few);
    close_room(&many);
    free(receivers);
}

static void many_channels_are_heard_for_a_shorter_time_and_fade_out(void **state)
{
    (void)state;
    struct heard_room r =
        open_room("8.0, 6.0, 4.0", 3.0, "{ position = [5.2, 3.1, 1.6]; type = \"ambisonic\"; order = 4; }",
                  "hybrid: { rays = 1000; };");
    struct response heard = first_of(&r);
    assert_true(heard.frames < (size_t)(3.0 * rate));
    assert_true(25.0 * 8.0 * (double)heard.frames <= geometric_first.samples);
    assert_true(heard.samples[heard.frames - 1] == 0.0);
    response_free(&heard);
    close_room(&r);
}

/* Above the octave of 250 Hz, where image sources are right. */
static double level_of(double *samples, size_t frames)
{
    double sum = 0.0;
    for (size_t n = 1; n < frames; n++)
        sum += pow(samples[n] - samples[n - 1], 2.0);
    return 10.0 * log10(sum);
}

static void few_rays_are_as_loud_as_many(void **state)
{
    (void)state;
    struct random random = random_cases("first_sound");
    char more[64];
    snprintf(more, sizeof more, "hybrid: { rays = 10000; seed = %u; };", (unsigned)(random_bits(&random) % 100000));
    struct heard_room r = open_room("8.0, 6.0, 4.0", 0.4, one, more);
    struct response few, many;
    struct geometric_effort effort = geometric_first;
    struct error e;
    effort.hits = 1e5;
    assert_int_equal(geometric_response(&few, &effort, r.model, 0, &e), 0);
    assert_int_equal(geometric_response(&many, &geometric_whole, r.model, 0, &e), 0);
    assert_int_equal(few.frames, many.frames);
    const double apart = level_of(few.samples, few.frames) - level_of(many.samples, many.frames);
    print_message("few rays are %+.3f dB louder\n", apart);
    assert_true(fabs(apart) <= 0.5);
    response_free(&few);
    response_free(&many);
    close_room(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(first_sound_has_the_same_bits_for_any_number_of_threads),
        cmocka_unit_test(rays_are_fewer_the_longer_they_go),
        cmocka_unit_test(many_places_have_fewer_reflections),
        cmocka_unit_test(many_channels_are_heard_for_a_shorter_time_and_fade_out),
        cmocka_unit_test(few_rays_are_as_loud_as_many),
    };
    return cmocka_run_group_tests(tests, room_files_set_up, room_files_tear_down);
}
