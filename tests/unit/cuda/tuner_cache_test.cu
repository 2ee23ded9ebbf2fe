/* SPDX-License-Identifier: MIT */
/* The tuner's memory (cuda/engine/tuner_cache.cu): rooms that differ in what the speed depends on share no answer, in any
 * order of runs, and a damaged file gives none. */
#include <cmath>
#include <cstdarg>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <setjmp.h>
#include <string>
#include <unistd.h>
#include <vector>

extern "C" {
#include "base/random.h"
#include "base/stop.h"
#include "solver/schemes/bodies/bodies.h"
#include "validate/scene/scene.h"
}
#include "cuda/engine/strategy.cuh"
#include "cuda/engine/tuner.cuh"
#include "cuda/temporal/temporal.cuh"

extern "C" {
#include <cmocka.h>
}

static char folder[] = "/tmp/aula-tuning-XXXXXX";
static const std::string device = "a device|";

/* The key of a box whose walls have so many branches, with or without an object in it; own_end: of a part whose own
 * planes end there; instruments: any. */
static std::string key_of(size_t branches, bool object, enum precision precision, bool corners = false,
                          size_t own_end = 0, const struct bodies *instruments = nullptr)
{
    struct scene s;
    struct error e;
    struct rows rows;
    struct layout layout;
    struct branch all[BRANCHES_MAX];
    for (struct branch &branch : all)
        branch = {1.0, 2.0, 0.1};
    assert_int_equal(scene_box(&s, 40, 30, 20, precision, &e), 0);
    scene_branches(&s, 0, all, branches);
    const size_t from[3] = {10, 10, 0}, to[3] = {20, 20, 5};
    if (object)
        scene_fill(&s, from, to, CELL_SOLID);
    if (corners)
        scene_use_corners(&s);
    assert_int_equal(scene_voxels(&s, &e), 0);
    assert_int_equal(rows_make(&rows, &s.problem, &e), 0);
    assert_int_equal(layout_make(&layout, &rows, &s.problem, &e), 0);
    s.problem.counted[1] = own_end;
    s.leapfrog.bodies = instruments;
    const std::string key = tuning_room_key(&s.problem, &layout, &rows, false);
    layout_free(&layout);
    rows_free(&rows);
    s.leapfrog.bodies = nullptr;
    scene_free(&s);
    return key;
}

/* Of temporal blocks that are offered so. */
static std::string key_of_blocks(const std::string &room, int time_block = 0, size_t spare = 0, bool insisted = false,
                                 bool preferred = false)
{
    struct strategy_offer offer = {};
    offer.time_block = time_block;
    offer.spare = spare;
    offer.insisted = insisted;
    offer.preferred = preferred;
    return tuning_temporal_key(device, room, &offer);
}

static void rooms_that_differ_in_speed_have_keys_of_their_own(void **)
{
    const std::string six = key_of(6, false, PRECISION_SINGLE);
    assert_true(six == key_of(6, false, PRECISION_SINGLE));
    assert_true(six != key_of(11, false, PRECISION_SINGLE));
    assert_true(six != key_of(6, true, PRECISION_SINGLE));
    assert_true(six != key_of(6, false, PRECISION_DOUBLE));
    const std::string corners = key_of(6, false, PRECISION_SINGLE, true);
    assert_true(corners.find("19-point") != std::string::npos && six.find("19-point") == std::string::npos);
    assert_true(corners == key_of(6, false, PRECISION_SINGLE, true));
    assert_true(corners != key_of(6, true, PRECISION_SINGLE, true));
    assert_true(six != key_of(6, false, PRECISION_SINGLE, false, 15));
    assert_true(key_of(6, false, PRECISION_SINGLE, false, 15) != key_of(6, false, PRECISION_SINGLE, false, 17));
    const struct bodies any = {};
    assert_true(six != key_of(6, false, PRECISION_SINGLE, false, 0, &any));
    const std::string blocks = key_of_blocks(six);
    assert_true(tuning_steps_key(device, six) != blocks);
    assert_true(key_of_blocks(six, 4) != blocks);
    assert_true(key_of_blocks(six, 4, 0, true, true) != key_of_blocks(six, 4));
    assert_true(key_of_blocks(six, 0, 24) != blocks);
    assert_true(key_of_blocks(six, 0, 0, false, true) != blocks);
    assert_true(key_of_blocks(six, 0, 0, false, true) != key_of_blocks(six, 0, 0, true, true));
    assert_true(six.find_first_of("\t\n") == std::string::npos);
}

static void answers_come_back_whatever_the_order(void **)
{
    const std::string six = key_of_blocks(key_of(6, false, PRECISION_SINGLE));
    const std::string eleven = key_of_blocks(key_of(11, false, PRECISION_SINGLE));
    const struct tuned singly = {"temporal", {0, 0, 0}, 0.08}, four = {"temporal", {4, 32, 512}, 0.038, 0.0, 26};
    for (int order = 0; order < 2; order++) {
        struct tuned found;
        char cache[64];
        snprintf(cache, sizeof cache, "%s/%d", folder, order);
        setenv("XDG_CACHE_HOME", cache, 1);
        assert_false(tuning_recall(six, &found));
        tuning_remember(order ? six : eleven, order ? four : singly);
        assert_false(tuning_recall(order ? eleven : six, &found));
        tuning_remember(order ? eleven : six, order ? singly : four);
        memset(&found, 0xFF, sizeof found);
        assert_true(tuning_recall(six, &found));
        assert_string_equal(found.kernel, "temporal");
        assert_int_equal(found.shape.x, 4);
        assert_int_equal(found.shape.z, 512);
        assert_int_equal(found.planes, 26);
        assert_true(found.milliseconds == 0.038);
        assert_true(tuning_recall(eleven, &found));
        assert_int_equal(found.shape.x, 0);
        assert_int_equal(found.planes, 0);
    }
}

static void the_last_answer_counts(void **)
{
    struct tuned found;
    char cache[64];
    snprintf(cache, sizeof cache, "%s/last", folder);
    setenv("XDG_CACHE_HOME", cache, 1);
    tuning_remember("a key", {"room", {32, 4, 16}, 2.0});
    tuning_remember("a key", {"room-narrow", {32, 2, 8}, 1.0});
    assert_true(tuning_recall("a key", &found));
    assert_string_equal(found.kernel, "room-narrow");
    assert_false(tuning_recall("a ke", &found));
    assert_false(tuning_recall("", &found));
}

static void what_is_no_answer_is_none(void **)
{
    static const char *const lines[] = {
        "a key\troom 32 4 16 1.0 0\n", /* of a former version */
        "a key\troom 32 4 16 12.5 0\n",    "a key\troom 32 4 16 nan 0 0\n",   "a key\troom 32 4 16 -1 0 0\n",
        "a key\troom 32 4 16 inf 0 0\n",   "a key\troom 32 4 16 1.0 nan 0\n", "a key\troom 32 4 16 1.0 0 0 more\n",
        "a key\troom 32 4 16 1.0 0 1.5\n", "a key\t../x 32 4 16 1.0 0 0\n",   "a key\t\n",
        "a key\troom 32 4 16 1.0 0 0", /* half a line */
        "a key room 32 4 16 1.0 0 0\n",
    };
    for (const char *line : lines) {
        struct tuned found;
        char cache[64];
        snprintf(cache, sizeof cache, "%s/broken", folder);
        setenv("XDG_CACHE_HOME", cache, 1);
        tuning_remember("another", {"room", {32, 4, 16}, 2.0}); /* makes the folder */
        FILE *f = fopen((std::string(cache) + "/aula/cuda-tuning").c_str(), "w");
        assert_non_null(f);
        fputs(line, f);
        fclose(f);
        assert_false(tuning_recall("a key", &found));
    }
}

/* An answer names a kernel of tiles by its steps, the height of its tiles and its threads. */
static void each_kernel_of_tiles_has_an_answer_of_its_own(void **)
{
    for (const struct tile_kernel *table :
         {tile_kernels_single, tile_kernels_double, tile19_kernels_single, tile19_kernels_double})
        for (const struct tile_kernel *k = table; k->steps; k++)
            for (const struct tile_kernel *other = table; other < k; other++)
                if (k->steps == other->steps && k->height == other->height && k->threads == other->threads)
                    fail_msg("two kernels have %d steps, tiles of %d rows and %d threads", k->steps, k->height,
                             k->threads);
}

static void an_answer_holds_while_it_is_about_as_fast_as_it_was(void **)
{
    const struct tuned answer = {"room", {32, 4, 16}, 2.0};
    assert_true(tuning_holds(answer, 2.4));
    assert_true(tuning_holds(answer, 1.7));
    assert_false(tuning_holds(answer, 2.6));
    assert_false(tuning_holds(answer, 1.5)); /* it was disturbed when it was chosen */
    assert_false(tuning_holds(answer, (double)NAN));
}

/* A device that takes a known time for each candidate, and a clock that runs while it does. */
struct fake_device {
    double now = 0.0;
    double cost = 0.01; /* s of timing a candidate */
    int timed = 0;
};

/* Candidates "0", "1" .. of a room, of so many milliseconds a step; negative: it cannot run. */
static tuner_question question(fake_device &device, const std::string &key, const std::vector<double> &milliseconds)
{
    tuner_question q;
    q.key = key;
    q.seconds = 1.0;
    q.steps = 0;
    q.anew = false;
    for (size_t i = 0; i < milliseconds.size(); i++)
        q.candidates.push_back({"room", {32, 1, (int)i + 1}, 0.0, 0.0});
    q.now = [&device] { return device.now; };
    q.time = [&device, milliseconds](size_t i, double *result, struct error *) {
        device.now += device.cost;
        device.timed++;
        *result = milliseconds[i];
        return 0;
    };
    return q;
}

static tuner_answer ask(const tuner_question &q)
{
    tuner_answer answer;
    struct error e;
    assert_int_equal(tuner_ask(q, &answer, &e), 0);
    return answer;
}

static void use_cache(const char *name)
{
    char cache[64];
    snprintf(cache, sizeof cache, "%s/%s", folder, name);
    setenv("XDG_CACHE_HOME", cache, 1);
}

/* Rooms with the same candidates, of which different ones are fastest: in both orders, first and second time. */
static void the_order_of_two_rooms_changes_neither_choice(void **)
{
    const std::string keys[2] = {key_of(6, false, PRECISION_SINGLE), key_of(11, false, PRECISION_SINGLE)};
    const std::vector<double> times[2] = {{2.0, 1.0, 3.0, -1.0}, {2.0, 4.0, 3.0, 1.5}};
    const size_t best[2] = {1, 3};
    for (int order = 0; order < 2; order++) {
        use_cache(order ? "second-first" : "first-first");
        for (int turn = 0; turn < 4; turn++) {
            fake_device device;
            const int room = (turn + order) % 2;
            assert_int_equal(ask(question(device, keys[room], times[room])).best, best[room]);
            assert_int_equal(device.timed, turn < 2 ? 4 : 1); /* then it is remembered, and only checked */
        }
    }
}

/* A kernel with chunks of two lengths. */
static void chunks_of_another_length_are_another_answer(void **)
{
    use_cache("planes");
    for (int turn = 0; turn < 2; turn++) {
        fake_device device;
        tuner_question q = question(device, "room", {2.0, 1.0});
        q.candidates[1] = q.candidates[0];
        q.candidates[1].planes = 26;
        assert_int_equal(ask(q).best, 1);
        assert_int_equal(device.timed, turn ? 1 : 2); /* then it is remembered, and only checked */
    }
}

static void a_wrong_answer_is_measured_again(void **)
{
    use_cache("wrong");
    fake_device device;
    assert_int_equal(ask(question(device, "room", {2.0, 1.0})).best, 1);
    assert_int_equal(ask(question(device, "room", {2.0, 3.0})).best, 0); /* what was fastest no longer is */
    device.timed = 0;
    assert_int_equal(ask(question(device, "room", {2.0, 3.0})).best, 0);
    assert_int_equal(device.timed, 1);
    assert_int_equal(ask(question(device, "room", {-1.0, 3.0})).best, 1); /* and now it cannot run */
    assert_int_equal(ask(question(device, "none", {-1.0, -1.0})).best, SIZE_MAX);
}

static void a_search_ends_when_its_time_is_up(void **)
{
    use_cache("time");
    fake_device device;
    std::vector<double> many(400, 2.0);
    many[300] = 1.0;
    tuner_question q = question(device, "room", many);
    assert_int_equal(ask(q).best, 0);
    assert_true(device.now <= 1.0 + device.cost + 1e-9);
    q.steps = 1000; /* 2 s in all */
    q.key = "brief";
    device.now = 0.0;
    ask(q);
    assert_true(device.now <= 0.2 + device.cost + 1e-9);
    device.now = 0.0;
    q.steps = 1; /* the likeliest, and no more */
    q.key = "one step";
    ask(q);
    assert_true(device.now <= device.cost + 1e-9);
}

static void a_search_cut_short_is_made_again_when_there_is_time(void **)
{
    use_cache("more");
    fake_device device;
    std::vector<double> times(20, 2.0);
    times[19] = 1.0;
    tuner_question q = question(device, "room", times);
    q.steps = 100; /* 0.02 s of search: two candidates */
    assert_int_equal(ask(q).best, 0);
    device.timed = 0;
    assert_int_equal(ask(q).best, 0);
    assert_int_equal(device.timed, 1);
    q.steps = 100000;
    assert_int_equal(ask(q).best, 19);
    q.steps = 100; /* what a long search found holds for short runs, too */
    assert_int_equal(ask(q).best, 19);
}

static void at_leisure_every_candidate_is_timed(void **)
{
    use_cache("leisure");
    fake_device device;
    std::vector<double> times(300, 2.0);
    times[299] = 1.0;
    tuner_question q = question(device, "room", times);
    q.steps = 10;
    assert_int_equal(ask(q).best, 0);
    q.anew = true;
    assert_int_equal(ask(q).best, 299);
    q.anew = false;
    assert_int_equal(ask(q).best, 299);
}

static void a_requested_stop_ends_the_search(void **)
{
    use_cache("stopped");
    fake_device clock;
    tuner_question q = question(clock, "room", {3.0, 2.0, 1.0});
    const auto time = q.time;
    struct tuned known;
    tuner_answer answer;
    struct error e;
    q.anew = true;
    q.time = [&](size_t i, double *milliseconds, struct error *error) {
        stop_work(true);
        return time(i, milliseconds, error);
    };
    const int status = tuner_ask(q, &answer, &e);
    stop_work(false);
    assert_int_equal(status, -1);
    assert_int_equal(e.code, ERROR_STOPPED);
    assert_int_equal(clock.timed, 1);
    assert_false(tuning_recall(q.key, &known));
}

static int make_folder(void **)
{
    return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **)
{
    return system((std::string("rm -r ") + folder).c_str());
}

int main()
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rooms_that_differ_in_speed_have_keys_of_their_own),
        cmocka_unit_test(answers_come_back_whatever_the_order),
        cmocka_unit_test(the_last_answer_counts),
        cmocka_unit_test(what_is_no_answer_is_none),
        cmocka_unit_test(the_order_of_two_rooms_changes_neither_choice),
        cmocka_unit_test(chunks_of_another_length_are_another_answer),
        cmocka_unit_test(a_wrong_answer_is_measured_again),
        cmocka_unit_test(a_search_ends_when_its_time_is_up),
        cmocka_unit_test(a_search_cut_short_is_made_again_when_there_is_time),
        cmocka_unit_test(at_leisure_every_candidate_is_timed),
        cmocka_unit_test(a_requested_stop_ends_the_search),
        cmocka_unit_test(an_answer_holds_while_it_is_about_as_fast_as_it_was),
        cmocka_unit_test(each_kernel_of_tiles_has_an_answer_of_its_own),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
