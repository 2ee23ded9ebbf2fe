/* SPDX-License-Identifier: MIT */
/* A head that turns in a field while it sounds: what it hears, without clicks; packets that turn it. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include "dsp/space/harmonics.h"
#include "render/preview/head.h"
#include "render/preview/head_tracker.h"
#include "render/preview/mixer.h"
#include "support/allocations.h"
#include "support/random_cases.h"
#include "support/signals.h"

#include <cmocka.h>

#include "support/within.h"

enum { RATE = 48000, BLOCK = 256, ORDER = 3, CHANNELS = 16, EARS = 2, TAPS = 40 };

/* Ears of random filters. */
static struct ear_filters random_ears(struct random *r)
{
    struct ear_filters f = {.order = ORDER, .channels = CHANNELS, .taps = TAPS, .rate = RATE};
    f.filter = zeros(EARS * CHANNELS * TAPS);
    for (size_t i = 0; i < EARS * CHANNELS * TAPS; i++)
        f.filter[i] = random_normal(r) * exp(-0.1 * (double)(i % TAPS));
    return f;
}

static struct head *made(const struct ear_filters *ears)
{
    struct head *h = NULL;
    struct error e;
    assert_int_equal(head_make(&h, ears, BLOCK, &e), 0);
    return h;
}

/* Runs `blocks` blocks of a field [CHANNELS][all] from frame `from` on; heard [EARS][all]. */
static void hear(struct head *h, const float *field, size_t all, float *heard, size_t from, size_t blocks)
{
    const float *in[CHANNELS];
    float *out[EARS];
    for (size_t b = 0; b < blocks; b++) {
        for (size_t c = 0; c < CHANNELS; c++)
            in[c] = field + c * all + from + b * BLOCK;
        for (size_t ear = 0; ear < EARS; ear++)
            out[ear] = heard + ear * all + from + b * BLOCK;
        making_sound = true;
        head_run(h, in, out);
        making_sound = false;
        assert_int_equal(allocations, 0);
    }
}

static float *floats(size_t count)
{
    float *x = calloc(count, sizeof *x);
    assert_non_null(x);
    return x;
}

static float *random_field(struct random *r, size_t frames)
{
    float *field = floats(CHANNELS * frames);
    for (size_t i = 0; i < CHANNELS * frames; i++)
        field[i] = (float)random_normal(r);
    return field;
}

static void turned_ears_hear_what_decoding_a_turned_field_gives(void **state)
{
    struct random r = random_cases("turned ears");
    enum { SETTLE = 80, BLOCKS = 20, FRAMES = (SETTLE + BLOCKS) * BLOCK };
    (void)state;
    for (int c = 0; c < case_count(8); c++) {
        struct ear_filters ears = random_ears(&r);
        struct head *h = made(&ears);
        float *field = random_field(&r, FRAMES), *heard = floats(EARS * FRAMES);
        double *turned = zeros((size_t)CHANNELS * FRAMES), *expected = NULL;
        size_t count = 0;
        struct error e;
        const struct head_pose pose = {floor(random_uniform(&r, -360.0, 360.0)),
                                       c < 4 ? 0.0 : floor(random_uniform(&r, -80.0, 80.0)),
                                       c < 4 ? 0.0 : floor(random_uniform(&r, -170.0, 170.0))};
        head_turn(h, &pose);
        hear(h, field, FRAMES, heard, 0, SETTLE + BLOCKS);
        /* as aula binaural has it */
        struct field_turn turn;
        const struct turn head = turn_of(pose.yaw, pose.pitch, pose.roll), back = turn_back(&head);
        field_turn_make(&turn, ORDER, &back);
        for (size_t n = 0; n < FRAMES; n++) {
            double in[CHANNELS], out[CHANNELS];
            for (size_t k = 0; k < CHANNELS; k++)
                in[k] = (double)field[k * FRAMES + n];
            field_turn_apply(out, &turn, in);
            for (size_t k = 0; k < CHANNELS; k++)
                turned[k * FRAMES + n] = out[k];
        }
        assert_int_equal(ear_filters_run(&expected, &count, &ears, turned, FRAMES, &e), 0);
        for (size_t ear = 0; ear < EARS; ear++)
            for (size_t n = SETTLE * BLOCK; n < FRAMES; n++)
                assert_within((double)heard[ear * FRAMES + n], expected[ear * count + n], 2e-4);
        free(field);
        free(heard);
        free(turned);
        free(expected);
        head_free(h);
        ear_filters_free(&ears);
    }
}

static void four_quarter_turns_are_none_bit_for_bit(void **state)
{
    struct random r = random_cases("quarter turns");
    enum { SETTLE = 80, FRAMES = (4 * SETTLE + 10) * BLOCK };
    struct ear_filters ears = random_ears(&r);
    struct head *turning = made(&ears), *still = made(&ears);
    float *field = random_field(&r, FRAMES), *one = floats(EARS * FRAMES), *other = floats(EARS * FRAMES);
    (void)state;
    for (size_t k = 0; k < 4; k++) {
        struct head_pose pose = head_pose(turning);
        pose.yaw += 90.0;
        head_turn(turning, &pose);
        hear(turning, field, FRAMES, one, k * SETTLE * BLOCK, SETTLE);
    }
    assert_true(head_pose(turning).yaw == 0.0);
    hear(turning, field, FRAMES, one, 4 * SETTLE * BLOCK, 10);
    hear(still, field, FRAMES, other, 0, 4 * SETTLE + 10);
    bool turned = false;
    for (size_t ear = 0; ear < EARS; ear++)
        for (size_t n = 0; n < FRAMES; n++) {
            const float a = one[ear * FRAMES + n], b = other[ear * FRAMES + n];
            turned = turned || fabsf(a - b) > 0.1f;
            if (n >= (4 * SETTLE + 2) * BLOCK) /* what lies in the filters has passed */
                assert_true(a == b);
        }
    assert_true(turned); /* it was elsewhere in between */
    free(field);
    free(one);
    free(other);
    head_free(turning);
    head_free(still);
    ear_filters_free(&ears);
}

/* Two cardioids hear a slow tone from the left: no step is larger than those of the tone itself and of the turn. */
static void no_turn_clicks(void **state)
{
    struct random r = random_cases("clicks");
    enum { BLOCKS = 400, FRAMES = BLOCKS * BLOCK };
    static const double frequency = 50.0;
    (void)state;
    for (int c = 0; c < case_count(10); c++) {
        struct ear_filters ears;
        struct error e;
        assert_int_equal(head_cardioids(&ears, ORDER, RATE, &e), 0);
        struct head *h = made(&ears);
        float *field = floats(CHANNELS * (size_t)FRAMES), *heard = floats(EARS * (size_t)FRAMES);
        double harmonics[CHANNELS];
        const double left[3] = {0.0, 1.0, 0.0}, step = 2.0 * M_PI * frequency / RATE;
        harmonics_at(harmonics, ORDER, left);
        for (size_t n = 0; n < FRAMES; n++)
            for (size_t k = 0; k < CHANNELS; k++)
                field[k * FRAMES + n] = (float)(harmonics[k] * sin(step * (double)n));
        for (size_t b = 0; b < BLOCKS; b++) {
            if (b % 20 == 10) { /* any place on the sphere, half a turn included */
                const struct head_pose pose = {b == 10 ? 180.0 : random_uniform(&r, -180.0, 180.0),
                                               b == 10 ? 0.0 : random_uniform(&r, -90.0, 90.0),
                                               b == 10 ? 0.0 : random_uniform(&r, -180.0, 180.0)};
                head_turn(h, &pose);
            }
            hear(h, field, FRAMES, heard, b * BLOCK, 1);
        }
        /* an ear is (1 + cos of an angle)/2 times the tone; the angle goes by HEAD_SPEED, a chord of a block by less */
        const double bound = step + 0.5 * HEAD_SPEED * M_PI / 180.0 / RATE + 1e-5;
        double largest = 0.0;
        for (size_t ear = 0; ear < EARS; ear++)
            for (size_t n = 1; n < FRAMES; n++)
                largest = fmax(largest, fabs((double)(heard[ear * FRAMES + n] - heard[ear * FRAMES + n - 1])));
        assert_true(largest <= bound);
        assert_true(largest > 0.5 * step); /* it was heard */
        free(field);
        free(heard);
        head_free(h);
        ear_filters_free(&ears);
    }
}

static void a_head_that_looks_left_has_the_source_on_its_left_before_it(void **state)
{
    enum { BLOCKS = 200, FRAMES = BLOCKS * BLOCK };
    static const double left[3] = {0.0, 1.0, 0.0};
    struct ear_filters ears;
    struct error e;
    double harmonics[CHANNELS];
    (void)state;
    assert_int_equal(head_cardioids(&ears, ORDER, RATE, &e), 0);
    struct head *h = made(&ears);
    float *field = floats(CHANNELS * (size_t)FRAMES), *heard = floats(EARS * (size_t)FRAMES);
    harmonics_at(harmonics, ORDER, left);
    for (size_t i = 0; i < CHANNELS * (size_t)FRAMES; i++)
        field[i] = (float)harmonics[i / FRAMES];
    hear(h, field, FRAMES, heard, 0, 1);
    assert_within((double)heard[BLOCK - 1], 1.0, 1e-5); /* all of it in the left ear */
    assert_within((double)heard[FRAMES + BLOCK - 1], 0.0, 1e-5);
    const struct head_pose pose = {90.0, 0.0, 0.0};
    head_turn(h, &pose);
    hear(h, field, FRAMES, heard, BLOCK, BLOCKS - 1);
    assert_within((double)heard[FRAMES - 1], 0.5, 1e-5); /* in front: alike */
    assert_within((double)heard[2 * FRAMES - 1], 0.5, 1e-5);
    const struct head_pose none = {NAN, 0.0, 0.0};
    head_turn(h, &none);
    assert_true(head_pose(h).yaw == 90.0);
    free(field);
    free(heard);
    head_free(h);
    ear_filters_free(&ears);
}

/* What leaves the mixer is what the head hears of the room's field; a key still chooses a receiver. */
static void a_mixer_plays_the_ears_of_its_head(void **state)
{
    struct random r = random_cases("mixer");
    enum { DIRECT = 2, SIGNAL_COUNT = DIRECT + CHANNELS, BLOCKS = 100, FRAMES = BLOCKS * BLOCK };
    struct ear_filters ears = random_ears(&r);
    struct head *inside = made(&ears), *outside = made(&ears);
    struct mixer *m;
    struct convolver *convolver;
    struct error e;
    double tap[SIGNAL_COUNT];
    struct convolver_filter filters[SIGNAL_COUNT];
    (void)state;
    for (size_t i = 0; i < SIGNAL_COUNT; i++) {
        tap[i] = 0.02 * random_normal(&r);
        filters[i] = (struct convolver_filter){&tap[i], 1};
    }
    const struct mixer_settings s = {
        .receivers = DIRECT, .field = CHANNELS, .head = inside, .block = BLOCK, .rate = RATE};
    assert_int_equal(mixer_make(&m, &s, &e), 0);
    assert_int_equal(convolver_make(&convolver, 1, SIGNAL_COUNT, filters, BLOCK, &e), 0);
    assert_int_equal(mixer_offer(m, convolver, 1.0, &e), 0);
    const struct head_pose pose = {35.0, 0.0, 0.0};
    head_turn(inside, &pose);
    head_turn(outside, &pose);
    float *field = floats(CHANNELS * (size_t)FRAMES), *heard = floats(EARS * (size_t)FRAMES);
    float *played = floats(MIXER_EARS * (size_t)FRAMES), *dry = floats(FRAMES);
    for (size_t n = 0; n < FRAMES; n++) {
        dry[n] = (float)random_uniform(&r, -0.1, 0.1);
        for (size_t c = 0; c < CHANNELS; c++)
            field[c * FRAMES + n] = (float)tap[DIRECT + c] * dry[n];
    }
    hear(outside, field, FRAMES, heard, 0, BLOCKS);
    for (size_t b = 0; b < BLOCKS; b++) {
        making_sound = true;
        mixer_run(m, dry + b * BLOCK, played + b * BLOCK * MIXER_EARS);
        making_sound = false;
        assert_int_equal(allocations, 0);
    }
    const size_t delay = mixer_tail(m) - RATE / 100; /* of the limiter */
    for (size_t n = FRAMES / 2; n < FRAMES; n++)
        for (size_t ear = 0; ear < EARS; ear++)
            assert_within((double)played[MIXER_EARS * n + ear], (double)heard[ear * FRAMES + n - delay], 1e-5);
    mixer_choose(m, 1);
    for (size_t b = 0; b < BLOCKS; b++)
        mixer_run(m, dry + b * BLOCK, played + b * BLOCK * MIXER_EARS);
    for (size_t n = FRAMES / 2; n < FRAMES; n++)
        assert_within((double)played[MIXER_EARS * n], tap[1] * (double)dry[n - delay], 1e-5);
    free(field);
    free(heard);
    free(played);
    free(dry);
    mixer_free(m);
    head_free(inside);
    head_free(outside);
    ear_filters_free(&ears);
}

/* Packets: an address, types, numbers. */
struct packet {
    uint8_t byte[512];
    size_t size;
};

static void put_text(struct packet *p, const char *text)
{
    const size_t length = (strlen(text) / 4 + 1) * 4;
    memset(p->byte + p->size, 0, length);
    memcpy(p->byte + p->size, text, strlen(text));
    p->size += length;
}

static void put_bits(struct packet *p, uint64_t bits, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++)
        p->byte[p->size++] = (uint8_t)(bits >> (8 * (bytes - 1 - i)));
}

static void put_float(struct packet *p, float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    put_bits(p, bits, 4);
}

static struct packet message(const char *address, const char *types, const float *number)
{
    struct packet p = {.size = 0};
    put_text(&p, address);
    put_text(&p, types);
    for (size_t i = 0; types[1 + i]; i++)
        put_float(&p, number[i]);
    return p;
}

static size_t read_into(struct head_pose *pose, const struct packet *p)
{
    return osc_read_pose(pose, p->byte, p->size);
}

static void packets_of_trackers_are_understood(void **state)
{
    struct head_pose pose = {1.0, 2.0, 3.0};
    const float angles[4] = {30.0f, -10.0f, 5.0f, 0.0f}, half = (float)M_SQRT1_2;
    const float left[4] = {half, 0.0f, 0.0f, half}, up[4] = {half, 0.0f, -half, 0.0f};
    struct packet p = message("/ypr", ",fff", angles);
    (void)state;
    assert_int_equal(read_into(&pose, &p), 1);
    assert_true(pose.yaw == 30.0 && pose.pitch == -10.0 && pose.roll == 5.0);
    p = message("/SceneRotator/yaw", ",f", &angles[1]);
    assert_int_equal(read_into(&pose, &p), 1);
    assert_true(pose.yaw == -10.0 && pose.pitch == -10.0 && pose.roll == 5.0); /* the others stay */
    p = message("/head/roll", ",f", &angles[0]);
    assert_int_equal(read_into(&pose, &p), 1);
    assert_true(pose.roll == 30.0);
    p = message("/SceneRotator/quaternions", ",ffff", left);
    assert_int_equal(read_into(&pose, &p), 1);
    assert_within(pose.yaw, 90.0, 1e-4);
    assert_within(pose.pitch, 0.0, 1e-4);
    p = message("/quaternion", ",ffff", up); /* a quarter about -y: the front goes up */
    assert_int_equal(read_into(&pose, &p), 1);
    assert_within(pose.pitch, -90.0, 0.05);
    p = (struct packet){.size = 0};
    put_text(&p, "/yaw");
    put_text(&p, ",i");
    put_bits(&p, (uint32_t)-45, 4);
    assert_int_equal(read_into(&pose, &p), 1);
    assert_true(pose.yaw == -45.0);
    p = (struct packet){.size = 0};
    put_text(&p, "/yaw");
    put_text(&p, ",d");
    const double precise = 12.345;
    uint64_t bits;
    memcpy(&bits, &precise, sizeof bits);
    put_bits(&p, bits, 8);
    assert_int_equal(read_into(&pose, &p), 1);
    assert_true(pose.yaw == precise);
}

/* A quaternion and the angles that it gives are the same turn. */
static void quaternions_are_the_turns_that_they_say(void **state)
{
    struct random r = random_cases("quaternions");
    (void)state;
    for (int c = 0; c < 200; c++) {
        double q[4], length = 0.0;
        float number[4];
        struct head_pose pose = {0};
        for (int i = 0; i < 4; i++)
            length = hypot(length, q[i] = random_normal(&r));
        for (int i = 0; i < 4; i++)
            number[i] = (float)(q[i] / length);
        const struct packet p = message("/quat", ",ffff", number);
        assert_int_equal(read_into(&pose, &p), 1);
        const struct turn t = turn_of(pose.yaw, pose.pitch, pose.roll);
        const double w = q[0] / length, x = q[1] / length, y = q[2] / length, z = q[3] / length;
        const double row[3][3] = {{1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)},
                                  {2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)},
                                  {2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)}};
        for (int i = 0; i < 3; i++)
            for (int k = 0; k < 3; k++)
                assert_within(t.row[i][k], row[i][k], 1e-3);
    }
}

static struct packet bundle_of(const struct packet *inner, size_t count)
{
    struct packet p = {.size = 0};
    put_text(&p, "#bundle");
    put_bits(&p, 1, 8);
    for (size_t i = 0; i < count; i++) {
        put_bits(&p, inner[i].size, 4);
        memcpy(p.byte + p.size, inner[i].byte, inner[i].size);
        p.size += inner[i].size;
    }
    return p;
}

static void bundles_are_read_in_order_and_only_so_deep(void **state)
{
    const float angle[2] = {10.0f, 20.0f};
    struct head_pose pose = {0};
    const struct packet two[2] = {message("/yaw", ",f", &angle[0]), message("/pitch", ",f", &angle[1])};
    struct packet p = bundle_of(two, 2);
    (void)state;
    assert_int_equal(read_into(&pose, &p), 2);
    assert_true(pose.yaw == 10.0 && pose.pitch == 20.0);
    for (int depth = 1; depth < 4; depth++)
        p = bundle_of(&p, 1);
    assert_int_equal(read_into(&pose, &p), 2);
    p = bundle_of(&p, 1);
    assert_int_equal(read_into(&pose, &p), 0);
}

static void what_is_no_pose_changes_nothing(void **state)
{
    const float angle[4] = {10.0f, 20.0f, 30.0f, 40.0f}, none[1] = {NAN}, endless[1] = {INFINITY}, zero[4] = {0};
    const struct packet bad[] = {
        message("/yaw", ",ff", angle),  message("/ypr", ",ff", angle),         message("yaw", ",f", angle),
        message("/yaw", "f", angle),    message("/volume", ",f", angle),       message("/yaw", ",f", none),
        message("/yaw", ",f", endless), message("/quaternion", ",ffff", zero), message("/yaw", ",", angle),
        message("/yaw", ",s", angle),   message("/yaw/", ",f", angle),
    };
    struct head_pose pose = {1.0, 2.0, 3.0};
    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_int_equal(read_into(&pose, &bad[i]), 0);
    const struct packet good = message("/ypr", ",fff", angle);
    for (size_t size = 0; size < good.size; size++)
        assert_int_equal(osc_read_pose(&pose, good.byte, size), 0);
    assert_true(pose.yaw == 1.0 && pose.pitch == 2.0 && pose.roll == 3.0);
    uint8_t *large = calloc(1, OSC_PACKET_MAX + 1);
    assert_non_null(large);
    memcpy(large, good.byte, good.size);
    assert_int_equal(osc_read_pose(&pose, large, OSC_PACKET_MAX + 1), 0);
    assert_int_equal(osc_read_pose(&pose, large, OSC_PACKET_MAX), 1);
    free(large);
}

/* Any bytes: in memory of their own, so that a sanitizer sees what lies beyond. */
static void any_bytes_are_read_safely_to_finite_poses(void **state)
{
    struct random r = random_cases("any bytes");
    const float angle[4] = {0.5f, 0.5f, -0.5f, 0.5f};
    (void)state;
    for (int c = 0; c < 20000; c++) {
        const struct packet seed[3] = {message("/a/ypr", ",fff", angle), message("/yaw", ",f", angle),
                                       message("/quaternions", ",ffff", angle)};
        const struct packet whole = c % 2 ? bundle_of(seed, 3) : seed[c / 2 % 3];
        const size_t size = c % 5 ? whole.size : (size_t)random_uniform(&r, 0.0, (double)whole.size);
        uint8_t *bytes = malloc(size + (size == 0));
        assert_non_null(bytes);
        memcpy(bytes, whole.byte, size);
        for (int k = 0; k < c % 7 && size; k++)
            bytes[(size_t)random_uniform(&r, 0.0, (double)size - 0.5)] = (uint8_t)random_uniform(&r, 0.0, 255.99);
        struct head_pose pose = {0.0, 0.0, 0.0};
        osc_read_pose(&pose, bytes, size);
        assert_true(isfinite(pose.yaw) && isfinite(pose.pitch) && isfinite(pose.roll));
        free(bytes);
    }
}

static void wait_briefly(void)
{
    const struct timespec time = {0, 10000000};
    nanosleep(&time, NULL);
}

static void a_tracker_turns_the_head_over_the_network(void **state)
{
    struct random r = random_cases("tracker");
    struct ear_filters ears = random_ears(&r);
    struct head *h = made(&ears);
    struct head_tracker *t = NULL, *second = NULL;
    struct error e;
    const float angles[3] = {-75.0f, 10.0f, 0.0f};
    const struct packet p = message("/SceneRotator/ypr", ",fff", angles);
    char place[32];
    (void)state;
    assert_int_equal(head_tracker_start(&t, "0", h, &e), 0);
    const int out = socket(AF_INET, SOCK_DGRAM, 0);
    struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons((uint16_t)head_tracker_port(t))};
    to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    assert_true(sendto(out, "junk", 4, 0, (const struct sockaddr *)&to, sizeof to) == 4);
    assert_true(sendto(out, p.byte, p.size, 0, (const struct sockaddr *)&to, sizeof to) == (ssize_t)p.size);
    for (int i = 0; i < 500 && !head_tracker_poses(t); i++)
        wait_briefly();
    assert_int_equal(head_tracker_poses(t), 1);
    assert_true(head_pose(h).yaw == -75.0 && head_pose(h).pitch == 10.0);
    snprintf(place, sizeof place, "127.0.0.1:%u", head_tracker_port(t));
    assert_int_not_equal(head_tracker_start(&second, place, h, &e), 0); /* it is taken */
    assert_int_equal(e.code, ERROR_FAILED);
    assert_null(second);
    head_tracker_end(t);
    assert_int_equal(head_tracker_start(&second, place, h, &e), 0);
    head_tracker_end(second);
    close(out);
    head_free(h);
    ear_filters_free(&ears);
}

static void places_that_are_none_are_refused(void **state)
{
    static const char *const bad[] = {"",
                                      ":",
                                      "x",
                                      "65536",
                                      "-1",
                                      "9000x",
                                      ":9000",
                                      "localhost:9000",
                                      "1.2.3:9000",
                                      "999.0.0.1:9000",
                                      "127.0.0.1:",
                                      "123456",
                                      "0.0.0.0.0.0.0.0.0.0:1"};
    static const char *const good[] = {"9000", "0.0.0.0:9000", "127.0.0.1:0", "65535"};
    struct error e;
    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_int_not_equal(head_tracker_check(bad[i], &e), 0);
        assert_int_equal(e.code, ERROR_USAGE);
    }
    for (size_t i = 0; i < sizeof good / sizeof *good; i++)
        assert_int_equal(head_tracker_check(good[i], &e), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(turned_ears_hear_what_decoding_a_turned_field_gives),
        cmocka_unit_test(four_quarter_turns_are_none_bit_for_bit),
        cmocka_unit_test(no_turn_clicks),
        cmocka_unit_test(a_head_that_looks_left_has_the_source_on_its_left_before_it),
        cmocka_unit_test(a_mixer_plays_the_ears_of_its_head),
        cmocka_unit_test(packets_of_trackers_are_understood),
        cmocka_unit_test(quaternions_are_the_turns_that_they_say),
        cmocka_unit_test(bundles_are_read_in_order_and_only_so_deep),
        cmocka_unit_test(what_is_no_pose_changes_nothing),
        cmocka_unit_test(any_bytes_are_read_safely_to_finite_poses),
        cmocka_unit_test(a_tracker_turns_the_head_over_the_network),
        cmocka_unit_test(places_that_are_none_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
