/* The tuner's memory (cuda/engine/tuning.cu): rooms that differ in what the speed depends on share no answer, in any
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

extern "C" {
#include "base/random.h"
#include "scene/scene.h"
}
#include "cuda/engine/tuning.cuh"

extern "C" {
#include <cmocka.h>
}

static char folder[] = "/tmp/aula-tuning-XXXXXX";
static const std::string device = "a device|";

/* The key of a box whose walls have so many branches, with or without an object in it. */
static std::string key_of(size_t branches, bool object, enum precision precision, bool corners = false)
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
    const std::string key = tuning_room_key(&s.problem, &layout, &rows, false);
    layout_free(&layout);
    rows_free(&rows);
    scene_free(&s);
    return key;
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
    assert_true(tuning_steps_key(device, six) != tuning_temporal_key(device, six, 0, 0, false));
    assert_true(tuning_temporal_key(device, six, 4, 0, true) != tuning_temporal_key(device, six, 0, 0, false));
    assert_true(tuning_temporal_key(device, six, 0, 24, false) != tuning_temporal_key(device, six, 0, 0, false));
    assert_true(six.find_first_of("\t\n") == std::string::npos);
}

static void answers_come_back_whatever_the_order(void **)
{
    const std::string six = tuning_temporal_key(device, key_of(6, false, PRECISION_SINGLE), 0, 0, false);
    const std::string eleven = tuning_temporal_key(device, key_of(11, false, PRECISION_SINGLE), 0, 0, false);
    const struct tuned singly = {"temporal", {0, 0, 0}, 0.08}, four = {"temporal", {4, 32, 512}, 0.038};
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
        assert_true(found.milliseconds == 0.038);
        assert_true(tuning_recall(eleven, &found));
        assert_int_equal(found.shape.x, 0);
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
        "a key\troom 32 4 16\n",
        "a key\troom 32 4 16 nan\n",
        "a key\troom 32 4 16 -1\n",
        "a key\troom 32 4 16 inf\n",
        "a key\troom 32 4 16 1.0 more\n",
        "a key\t../x 32 4 16 1.0\n",
        "a key\t\n",
        "a key\troom 32 4 16 1.0", /* half a line */
        "a key room 32 4 16 1.0\n",
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

static void an_answer_holds_while_it_is_about_as_fast_as_it_was(void **)
{
    const struct tuned answer = {"room", {32, 4, 16}, 2.0};
    assert_true(tuning_holds(answer, 2.4));
    assert_true(tuning_holds(answer, 1.7));
    assert_false(tuning_holds(answer, 2.6));
    assert_false(tuning_holds(answer, 1.5)); /* it was disturbed when it was chosen */
    assert_false(tuning_holds(answer, (double)NAN));
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
        cmocka_unit_test(an_answer_holds_while_it_is_about_as_fast_as_it_was),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
