/* SPDX-License-Identifier: MIT */
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "io/playback/ring.h"
#include "support/random_cases.h"

#include <cmocka.h>

enum { CHANNELS = 3, FRAMES = 2000000, BLOCK = 700 };

/* The content of frame n, known to both threads: integers that a float represents exactly. */
static void fill(float *frames, size_t from, size_t count)
{
    for (size_t i = 0; i < count; i++)
        for (size_t c = 0; c < CHANNELS; c++)
            frames[i * CHANNELS + c] = (float)((from + i) * CHANNELS + c);
}

static size_t wrong_frames(const float *frames, size_t from, size_t count)
{
    size_t wrong = 0;
    for (size_t i = 0; i < count; i++)
        for (size_t c = 0; c < CHANNELS; c++)
            wrong += !(frames[i * CHANNELS + c] == (float)((from + i) * CHANNELS + c));
    return wrong;
}

static void a_ring_holds_what_was_asked_and_no_ring_is_empty(void **state)
{
    (void)state;
    struct ring *r = ring_make(1000, CHANNELS);
    assert_non_null(r);
    assert_true(ring_capacity(r) >= 1000);
    assert_int_equal(ring_channels(r), CHANNELS);
    assert_int_equal(ring_filled(r), 0);
    assert_int_equal(ring_space(r), ring_capacity(r));
    ring_free(r);
    ring_free(NULL);
    assert_null(ring_make(0, 1));
    assert_null(ring_make(1, 0));
    assert_null(ring_make(SIZE_MAX, 1));
    assert_null(ring_make(SIZE_MAX / 8, 64));
}

static void a_full_ring_takes_no_more_and_an_empty_one_gives_none(void **state)
{
    (void)state;
    float frames[64 * CHANNELS], back[64 * CHANNELS];
    struct ring *r = ring_make(16, CHANNELS);
    assert_non_null(r);
    fill(frames, 0, 64);
    assert_int_equal(ring_read(r, back, 64), 0);
    assert_int_equal(ring_write(r, frames, 64), 16);
    assert_int_equal(ring_write(r, frames, 64), 0);
    assert_int_equal(ring_space(r), 0);
    assert_int_equal(ring_skip(r, 5), 5);
    assert_int_equal(ring_read(r, back, 64), 11);
    assert_int_equal(wrong_frames(back, 5, 11), 0);
    assert_int_equal(ring_skip(r, 5), 0);
    assert_int_equal(ring_write(r, NULL, 0), 0);
    ring_free(r);
}

static void random_blocks_come_out_as_they_went_in(void **state)
{
    (void)state;
    struct random random = random_cases(__func__);
    float frames[BLOCK * CHANNELS];
    struct ring *r = ring_make(random_between(&random, 1, 1500), CHANNELS);
    assert_non_null(r);
    size_t written = 0, read = 0;
    for (int turn = 0; turn < 10000; turn++) {
        size_t count = random_between(&random, 0, BLOCK);
        fill(frames, written, count);
        size_t space = ring_space(r), took = ring_write(r, frames, count);
        assert_int_equal(took, count < space ? count : space);
        written += took;
        assert_int_equal(ring_filled(r), written - read);
        size_t got = ring_read(r, frames, random_between(&random, 0, BLOCK));
        assert_int_equal(wrong_frames(frames, read, got), 0);
        read += got;
    }
    assert_true(read > 5000); /* the smallest ring holds one frame */
    ring_free(r);
}

struct reading {
    struct ring *ring;
    uint64_t seed;
    size_t wrong;
};

static void *read_everything(void *context)
{
    struct reading *reading = context;
    struct random random = {reading->seed};
    static float frames[BLOCK * CHANNELS];
    for (size_t read = 0; read < FRAMES;) {
        size_t got = ring_read(reading->ring, frames, random_between(&random, 1, BLOCK));
        reading->wrong += wrong_frames(frames, read, got);
        read += got;
        if (got == 0)
            nanosleep(&(struct timespec){.tv_nsec = 1000}, NULL);
    }
    return NULL;
}

static void two_threads_lose_no_frame_and_see_none_half_written(void **state)
{
    (void)state;
    struct random random = random_cases(__func__);
    static float frames[BLOCK * CHANNELS];
    struct reading reading = {.ring = ring_make(512, CHANNELS), .seed = random_bits(&random)};
    assert_non_null(reading.ring);
    pthread_t reader;
    assert_int_equal(pthread_create(&reader, NULL, read_everything, &reading), 0);
    for (size_t written = 0; written < FRAMES;) {
        size_t count = random_between(&random, 1, BLOCK);
        count = count < FRAMES - written ? count : FRAMES - written;
        fill(frames, written, count);
        size_t took = ring_write(reading.ring, frames, count);
        written += took;
        if (took == 0)
            nanosleep(&(struct timespec){.tv_nsec = 1000}, NULL);
    }
    assert_int_equal(pthread_join(reader, NULL), 0);
    assert_int_equal(reading.wrong, 0);
    assert_int_equal(ring_filled(reading.ring), 0);
    ring_free(reading.ring);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_ring_holds_what_was_asked_and_no_ring_is_empty),
        cmocka_unit_test(a_full_ring_takes_no_more_and_an_empty_one_gives_none),
        cmocka_unit_test(random_blocks_come_out_as_they_went_in),
        cmocka_unit_test(two_threads_lose_no_frame_and_see_none_half_written),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
