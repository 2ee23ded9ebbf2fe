/* SPDX-License-Identifier: MIT */
/* Plans of data sets: mistakes are told with place and remedy; rooms depend on the seed and their number alone. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "geometry/rays/scene.h"
#include "render/batch/draw.h"
#include "support/random_cases.h"
#include "support/scratch.h"

/* clang-format off */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
/* clang-format on */

static const char base[] =
    "room: { size = [5.0, 4.0, 3.0]; walls: { default = \"rigid\"; };\n"
    "  objects: ( { shape = \"box\"; from = [2.0, 1.5, 0.0]; to = [3.0, 2.5, 1.0]; material = \"rigid\"; } ); };\n"
    "grid: { rate = 4000.0; }; time: { duration = 0.02; };\n"
    "sources: ( { position = [1.0, 1.0, 1.0]; } ); receivers: ( { position = [4.0, 3.0, 2.0]; } );\n";

static int set_up(void **state)
{
    return scratch_make(state);
}

static int read_plan(struct plan *plan, const char *text, struct error *e)
{
    scratch_write(scratch_path("base.cfg"), base, strlen(base));
    scratch_write(scratch_path("plan.cfg"), text, strlen(text));
    return plan_read(plan, scratch_path("plan.cfg"), e);
}

static void good_plan(struct plan *plan, const char *text)
{
    struct error e;
    must(read_plan(plan, text, &e), &e);
}

static void a_mistake_is_told_with_file_line_key_and_remedy(void **state)
{
    (void)state;
    static const struct {
        const char *text, *expected;
    } cases[] = {
        {"seed = 1;\n", "base: is missing"},
        {"base = \"base.cfg\";\nsead = 1;\n", "plan.cfg:2: sead: unknown key of a plan; did you mean seed?"},
        {"base = \"base.cfg\";\nrooms = 0;\n", "plan.cfg:2: rooms: must be a whole number from 1"},
        {"base = \"base.cfg\";\nrooms = 2.5;\n", "must be a whole number"},
        {"base = \"base.cfg\";\nrooms = 3; repeat = 2;\n", "remove one of the two"},
        {"base = ();\n", "is empty"},
        {"base = \"base.cfg\";\nvary: ( { key = \"air.temperature\"; } );\n", "no variation; add values"},
        {"base = \"base.cfg\";\nvary: ( { keys = \"a\"; } );\n",
         "plan.cfg:2: vary[0].keys: unknown key of a plan; did you mean key?"},
        {"base = \"base.cfg\";\nvary: (\n { key = \"a\"; values = (); } );\n",
         "plan.cfg:3: vary[0].values: expected a list"},
        {"base = \"base.cfg\";\nvary: ( { key = \"a\"; values = (1); uniform = [1, 2]; } );\n", "excludes values"},
        {"base = \"base.cfg\";\nvary: ( { key = \"a\"; uniform = [2.0, 1.0]; } );\n", "the lower end, 2, is above"},
        {"base = \"base.cfg\";\nvary: ( { key = \"a\"; log_uniform = [0.0, 1.0]; } );\n", "must be positive"},
        {"base = \"base.cfg\";\nvary: ( { key = \"a\"; range = [0.0, 1.0]; } );\n", "a range needs count"},
        {"base = \"base.cfg\";\nvary: ( { key = \"a\"; values = (1, 2); count = 3; } );\n", "is used with range only"},
        {"base = \"base.cfg\";\nvary: ( { key = \"a\"; normal = [0.0, 1.0]; within = [9.0, 10.0]; } );\n",
         "fewer than one in a thousand draws"},
        {"base = \"base.cfg\";\nvary: ( { key = \"a\"; choice = (1, 2); weights = [1.0]; } );\n",
         "one weight for each"},
        {"base = \"base.cfg\";\nvary: ( { key = \"a\"; choice = (1, 2); weights = [0.0, 0.0]; } );\n",
         "must be positive"},
        {"base = \"base.cfg\";\nvary: ( { key = \"air.humidity\"; place = \"room\"; } );\n",
         "can be drawn in the room"},
        {"base = \"base.cfg\";\nvary: ( { key = \"a\"; values = (1); },\n { key = \"a\"; values = (2); } );\n",
         "already varies at"},
        {"base = \"base.cfg\";\nconstraints: { from_walls = -1.0; };\n", "must be a distance from 0 to 1000 m"},
        {"base = \"base.cfg\";\nconstraints: { from_wall = 1.0; };\n", "did you mean from_walls?"},
        {"base = \"base.cfg\";\noutput: { files = \"wave\"; };\n",
         "give \"wav\", \"sofa\", \"netcdf\", \"hdf5\", \"webdataset\" or \"parquet\"; did you mean"},
        {"base = \"base.cfg\";\nvary: ( { key = \"a\"; range = [1.0, 2.0]; count = 3; log = \"yes\"; } );\n",
         "log: expected true"},
        {"base = \"base.cfg\";\nvary: ( { key = \"a\"; range = [1.0, 2.0]; count = 3; log = 1; } );\n",
         "log: expected true"},
        {"base = \"nothere\";\n", "plan.cfg:1: base: \"nothere\" cannot be read"},
        {"base = \"base.cfg\";\ngenerate: { };\n", "plan.cfg:2: generate: is used with base = \"generate\" only"},
        {"base = (\"generate\", \"base.cfg\");\n", "plan.cfg:1: base: \"generate\" must stand alone"},
        {"base = \"generate\";\ngenerate: { use = (\"office\"); };\n",
         "plan.cfg:2: generate.use: unknown key of a plan; did you mean uses?"},
        {"base = \"generate\"; generate: { uses = (\"ofice\"); };\n", "did you mean office?"},
        {"base = \"generate\"; generate: { uses = (\"office\", \"office\"); };\n", "names \"office\" twice"},
        {"base = \"generate\"; generate: { uses = (); };\n", "expected a list of uses"},
        {"base = \"generate\"; generate: { uses = (\"office\"); weights = [1.0, 2.0]; };\n", "one weight for each"},
        {"base = \"generate\"; generate: { uses = (\"office\"); weights = [-1.0]; };\n", "must not be negative"},
        {"base = \"generate\"; generate: { uses = (\"office\"); weights = [0.0]; };\n", "must be positive"},
        {"base = \"generate\"; generate: { area = [20.0, 10.0]; };\n", "expected two numbers, [smallest, largest]"},
        {"base = \"generate\"; generate: { uses = (\"classroom\"); area = [8.0, 20.0]; };\n",
         "a classroom has 40 to 90 m2"},
        {"room: { };\n", "is a room file, not a plan"},
        {"base = \"base.cfg\";\nvary: ( { key = \"a\"; whole = [0.5, 2.0]; } );\n", "whole numbers"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct plan plan;
        struct error e = {ERROR_NONE, ""};
        assert_int_not_equal(read_plan(&plan, cases[i].text, &e), 0);
        if (!strstr(e.message, cases[i].expected) || !strstr(e.message, "plan.cfg"))
            fail_msg("expected: %s\ngot:      %s", cases[i].expected, e.message);
        plan_free(&plan);
    }
}

/* The mistake is in the room, and told at its place in the plan. */
static void a_key_that_rooms_do_not_know_is_told_at_its_line_of_the_plan(void **state)
{
    (void)state;
    struct plan plan;
    struct drawn d;
    struct room *room = NULL;
    struct error e = {ERROR_NONE, ""};
    good_plan(&plan, "base = \"base.cfg\";\nvary: (\n { key = \"air.temprature\"; values = (20.0); } );\n");
    must(drawn_make(&d, &plan, 0, NULL, 0, &e), &e);
    assert_int_not_equal(drawn_read(&room, &d, NULL, 0, &e), 0);
    assert_non_null(strstr(e.message, "plan.cfg:3: air.temprature: unknown key; did you mean air.temperature?"));
    drawn_free(&d);
    plan_free(&plan);
}

static void combinations_are_all_there_and_the_first_changes_slowest(void **state)
{
    (void)state;
    struct plan plan;
    struct error e;
    good_plan(&plan, "base = (\"base.cfg\", \"base.cfg\"); repeat = 2;\n"
                     "vary: ( { key = \"a\"; values = (1, 2, 3); }, { key = \"b\"; range = [0.0, 1.0]; count = 2; },\n"
                     "  { key = \"c\"; uniform = [0.0, 1.0]; } );\n");
    assert_int_equal(plan.count, 2 * 3 * 2 * 2);
    for (size_t k = 0; k < plan.count; k++) {
        struct drawn d;
        char a[8];
        must(drawn_make(&d, &plan, k, NULL, 0, &e), &e);
        assert_int_equal(d.base, k / 12);
        snprintf(a, sizeof a, "%zu", k / 4 % 3 + 1);
        assert_string_equal(d.values[0], a);
        assert_string_equal(d.values[1], k / 2 % 2 ? "1" : "0");
        drawn_free(&d);
    }
    plan_free(&plan);
}

static const char many[] =
    "base = \"base.cfg\"; seed = 7; rooms = 5000;\n"
    "vary: ( { key = \"a\"; uniform = [2.0, 4.0]; }, { key = \"b\"; log_uniform = [0.1, 10.0]; },\n"
    " { key = \"c\"; normal = [20.0, 2.0]; within = [17.0, 25.0]; }, { key = \"d\"; whole = [3, 6]; },\n"
    " { key = \"e\"; choice = (\"x\", \"y\"); weights = [3.0, 1.0]; } );\n";

/* Means of 5000 fixed draws against those of their distributions, within five standard errors. */
static void draws_follow_their_distributions(void **state)
{
    (void)state;
    struct plan plan;
    struct error e;
    double mean[5] = {0};
    good_plan(&plan, many);
    for (size_t k = 0; k < plan.count; k++) {
        struct drawn d;
        must(drawn_make(&d, &plan, k, NULL, 0, &e), &e);
        const double a = d.numbers[0][0], b = d.numbers[1][0], c = d.numbers[2][0], w = d.numbers[3][0];
        assert_true(a >= 2.0 && a <= 4.0 && b >= 0.1 && b <= 10.0 && c >= 17.0 && c <= 25.0);
        assert_true(w == floor(w) && w >= 3.0 && w <= 6.0);
        mean[0] += a / 5000.0;
        mean[1] += log10(b) / 5000.0;
        mean[2] += c / 5000.0;
        mean[3] += w / 5000.0;
        mean[4] += !strcmp(d.values[4], "\"x\"") / 5000.0;
        drawn_free(&d);
    }
    static const double expected[] = {3.0, 0.0, 20.2346, 4.5, 0.75}, deviation[] = {0.577, 0.577, 1.65, 1.118, 0.433};
    for (size_t i = 0; i < 5; i++)
        if (!(fabs(mean[i] - expected[i]) <= 5.0 * deviation[i] / sqrt(5000.0)))
            fail_msg("draw %zu: mean %g, expected %g", i, mean[i], expected[i]);
    plan_free(&plan);
}

static char *values_of(const struct plan *plan, size_t room, const char *key)
{
    struct drawn d;
    struct error e;
    char *value = NULL;
    must(drawn_make(&d, plan, room, NULL, 0, &e), &e);
    for (size_t i = 0; i < plan->variation_count; i++)
        if (!strcmp(plan->variations[i].key, key))
            value = strdup(d.values[i]);
    drawn_free(&d);
    return value;
}

/* Whatever the order in which rooms are drawn, how many there are, and what else varies. */
static void a_draw_depends_on_seed_room_and_key_alone(void **state)
{
    (void)state;
    struct plan one, other, reseeded;
    good_plan(&one, many);
    good_plan(&other, "base = \"base.cfg\"; seed = 7; rooms = 30;\n"
                      "vary: ( { key = \"z\"; uniform = [0.0, 1.0]; }, { key = \"a\"; uniform = [2.0, 4.0]; } );\n");
    good_plan(&reseeded,
              "base = \"base.cfg\"; seed = 8; rooms = 30;\nvary: ( { key = \"a\"; uniform = [2.0, 4.0]; } );\n");
    size_t same = 0;
    for (size_t k = 30; k-- > 0;) {
        char *a = values_of(&one, k, "a"), *b = values_of(&other, k, "a"), *c = values_of(&reseeded, k, "a");
        assert_string_equal(a, b);
        same += !strcmp(a, c);
        free(a);
        free(b);
        free(c);
    }
    assert_true(same < 3);
    plan_free(&one);
    plan_free(&other);
    plan_free(&reseeded);
}

static double between(const double *a, const double *b)
{
    return sqrt(pow(a[0] - b[0], 2.0) + pow(a[1] - b[1], 2.0) + pow(a[2] - b[2], 2.0));
}

/* The object of `base` stands in the way; the room is smaller than the base's in places, whose own sources would be
 * outside. */
static void places_keep_their_distances_in_every_room(void **state)
{
    (void)state;
    struct random r = random_cases("places");
    struct error e;
    for (int n = 0; n < case_count(30); n++) {
        struct plan plan;
        char text[900];
        snprintf(text, sizeof text,
                 "base = \"base.cfg\"; seed = %llu; rooms = 20;\n"
                 "vary: ( { key = \"room.size\"; uniform = ([3.5, 2.8, 2.0], [6.0, 5.0, 3.5]); },\n"
                 " { key = \"sources[0].position\"; place = \"room\"; height = [0.9, 1.6]; },\n"
                 " { key = \"receivers[0].position\"; place = \"room\"; } );\n"
                 "constraints: { from_walls = 0.35; from_each_other = 0.8; };\n",
                 (unsigned long long)(random_bits(&r) & 0x7fffffff));
        good_plan(&plan, text);
        for (size_t k = 0; k < plan.count; k++) {
            struct drawn d;
            struct room *room;
            must(drawn_make(&d, &plan, k, NULL, 0, &e), &e);
            must(drawn_read(&room, &d, NULL, 0, &e), &e);
            const double *s = room->sources[0].position, *at = room->receivers[0].position;
            assert_true(between(s, at) >= 0.8 && s[2] >= 0.9 && s[2] <= 1.6);
            for (int place = 0; place < 2; place++)
                for (int i = 0; i < 3; i++) {
                    const double x = place ? at[i] : s[i];
                    assert_true(x >= 0.35 - 1e-9 && x <= room->size[i] - 0.35 + 1e-9);
                }
            /* the nearest point of the object, [2, 3] x [1.5, 2.5] x [0, 1] */
            const double near[3] = {fmin(fmax(at[0], 2.0), 3.0), fmin(fmax(at[1], 1.5), 2.5), fmin(at[2], 1.0)};
            assert_true(between(near, at) >= 0.35 - 1e-9);
            room_free(room);
            drawn_free(&d);
        }
        plan_free(&plan);
    }
}

static void places_that_cannot_be_are_refused_with_a_remedy(void **state)
{
    (void)state;
    struct plan plan;
    struct drawn d;
    struct error e = {ERROR_NONE, ""};
    good_plan(&plan, "base = \"base.cfg\"; rooms = 2;\nvary: ( { key = \"sources[0].position\"; place = \"room\"; },\n"
                     " { key = \"receivers[0].position\"; place = \"room\"; } );\n"
                     "constraints: { from_walls = 1.6; tries = 50; };\n");
    assert_int_not_equal(drawn_make(&d, &plan, 1, NULL, 0, &e), 0);
    assert_non_null(strstr(e.message, "sources[0].position: no free position found in 50 tries"));
    assert_non_null(strstr(e.message, "lower constraints.from_walls"));
    drawn_free(&d);
    plan_free(&plan);
    good_plan(&plan,
              "base = \"base.cfg\"; rooms = 2;\nvary: ( { key = \"sources[0].position\"; place = \"room\"; } );\n"
              "constraints: { from_each_other = 6.0; tries = 50; };\n");
    assert_int_not_equal(drawn_make(&d, &plan, 1, NULL, 0, &e), 0);
    assert_non_null(strstr(e.message, "no positions 6 m from each other found in 50 tries"));
    drawn_free(&d);
    plan_free(&plan);
    good_plan(&plan,
              "base = \"base.cfg\"; rooms = 2;\nvary: ( { key = \"sources[0].position\"; place = \"room\"; } );\n"
              "constraints: { from_walls = 1.1; };\n");
    assert_int_not_equal(drawn_make(&d, &plan, 1, NULL, 0, &e), 0);
    assert_non_null(strstr(e.message, "a source or receiver is closer than 1.1 m to a wall"));
    drawn_free(&d);
    plan_free(&plan);
    good_plan(&plan,
              "base = \"base.cfg\"; rooms = 2;\nvary: ( { key = \"sources[3].position\"; place = \"room\"; } );\n");
    assert_int_not_equal(drawn_make(&d, &plan, 0, NULL, 0, &e), 0);
    assert_non_null(strstr(e.message, "plan.cfg:2: sources[3].position"));
    drawn_free(&d);
    plan_free(&plan);
}

/* Nine tenths of the room are objects: drawn together, 1e32 draws would find 32 free places. */
static void many_places_are_found_in_a_furnished_room(void **state)
{
    (void)state;
    enum { RECEIVERS = 32 };
    char room[6000], text[6000];
    struct plan plan;
    struct drawn d;
    struct error e;
    snprintf(
        room, sizeof room,
        "room: { size = [5.0, 4.0, 3.0]; walls: { default = \"rigid\"; };\n"
        "  objects: ( { shape = \"box\"; from = [0.0, 0.0, 0.0]; to = [5.0, 3.6, 3.0]; material = \"rigid\"; } ); };\n"
        "grid: { rate = 4000.0; }; time: { duration = 0.02; };\n"
        "sources: ( { position = [1.0, 3.8, 1.0]; } ); receivers: (");
    snprintf(text, sizeof text, "base = \"furnished.cfg\"; rooms = 1;\nvary: (");
    for (int i = 0; i < RECEIVERS; i++) {
        snprintf(room + strlen(room), sizeof room - strlen(room), "%s{ position = [4.0, 3.8, 2.0]; }", i ? ", " : "");
        snprintf(text + strlen(text), sizeof text - strlen(text),
                 "%s\n{ key = \"receivers[%d].position\"; place = \"room\"; }", i ? "," : "", i);
    }
    snprintf(room + strlen(room), sizeof room - strlen(room), ");\n");
    snprintf(text + strlen(text), sizeof text - strlen(text), ");\nconstraints: { from_walls = 0.05; };\n");
    scratch_write(scratch_path("furnished.cfg"), room, strlen(room));
    good_plan(&plan, text);
    must(drawn_make(&d, &plan, 0, NULL, 0, &e), &e);
    for (int i = 0; i < RECEIVERS; i++)
        assert_true(d.numbers[i][1] >= 3.65 - 1e-9 && d.numbers[i][1] <= 3.95 + 1e-9);
    drawn_free(&d);
    plan_free(&plan);
}

/* The mean distance of two places that keep 2.5 m from each other, over 600 rooms, and over pairs that the test draws
 * together until both fit. */
static void places_are_drawn_as_if_all_were_drawn_together(void **state)
{
    (void)state;
    enum { ROOMS = 600 };
    struct random r = random_cases("distances");
    double sum[2] = {0.0, 0.0}, squares[2] = {0.0, 0.0};
    struct plan plan;
    char text[500];
    snprintf(text, sizeof text,
             "base = \"base.cfg\"; rooms = %d; seed = %llu;\n"
             "vary: ( { key = \"sources[0].position\"; place = \"room\"; },\n"
             " { key = \"receivers[0].position\"; place = \"room\"; } );\n"
             "constraints: { from_each_other = 2.5; };\n",
             ROOMS, (unsigned long long)(random_bits(&r) & 0x7fffffff));
    good_plan(&plan, text);
    for (size_t k = 0; k < ROOMS; k++) {
        struct drawn d;
        struct error e;
        double place[2][3], apart[2];
        must(drawn_make(&d, &plan, k, NULL, 0, &e), &e);
        apart[0] = between(d.numbers[0], d.numbers[1]);
        do {
            for (int i = 0; i < 2; i++)
                do {
                    place[i][0] = 5.0 * random_unit(&r);
                    place[i][1] = 4.0 * random_unit(&r);
                    place[i][2] = 3.0 * random_unit(&r);
                } while (place[i][0] > 2.0 && place[i][0] < 3.0 && place[i][1] > 1.5 && place[i][1] < 2.5 &&
                         place[i][2] < 1.0);
            apart[1] = between(place[0], place[1]);
        } while (apart[1] < 2.5);
        for (int i = 0; i < 2; i++) {
            sum[i] += apart[i];
            squares[i] += apart[i] * apart[i];
        }
        drawn_free(&d);
    }
    plan_free(&plan);
    const double mean[2] = {sum[0] / ROOMS, sum[1] / ROOMS};
    const double variance = (squares[0] / ROOMS - mean[0] * mean[0] + squares[1] / ROOMS - mean[1] * mean[1]) / ROOMS;
    print_message("mean distance %.4f m, together %.4f m, deviation %.4f m\n", mean[0], mean[1], sqrt(variance));
    assert_true(fabs(mean[0] - mean[1]) <= 5.0 * sqrt(variance));
}

static double drawn_rays(const char *key, char **note)
{
    struct plan plan;
    struct drawn d;
    struct error e;
    char text[200];
    snprintf(text, sizeof text, "base = \"base.cfg\"; rooms = 9; seed = 3;\nvary: (\n { key = \"%s\"; %s } );\n", key,
             "uniform = [1000.0, 9000.0];");
    good_plan(&plan, text);
    assert_string_equal(plan.variations[0].key, "hybrid.rays");
    assert_true(plan_setting_gives("band.rays=0", "hybrid.rays") && plan_setting_gives(" band={ }", "hybrid"));
    assert_false(plan_setting_gives("bands.rays=0", "hybrid.rays") ||
                 plan_setting_gives("band.rays=0", "hybrid.order"));
    must(drawn_make(&d, &plan, 5, NULL, 0, &e), &e);
    const double rays = d.numbers[0][0];
    *note = plan.note ? strdup(plan.note) : NULL;
    drawn_free(&d);
    plan_free(&plan);
    return rays;
}

static void a_key_by_its_former_name_draws_the_same_and_is_noted(void **state)
{
    (void)state;
    char *former, *present;
    struct plan plan;
    struct error e;
    const double rays = drawn_rays("band.rays", &former);
    assert_true(drawn_rays("hybrid.rays", &present) == rays);
    assert_non_null(strstr(former, "plan.cfg, line 3: the keys band.* have been renamed to hybrid.*"));
    assert_null(present);
    free(former);
    assert_int_not_equal(read_plan(&plan,
                                   "base = \"base.cfg\";\nvary: ( { key = \"hybrid.rays\"; values = (0, 1000); },\n"
                                   "{ key = \"band.rays\"; values = (0, 1000); } );\n",
                                   &e),
                         0);
    assert_non_null(strstr(e.message, "hybrid.rays already varies at"));
    plan_free(&plan);
}

/* A data set of an earlier release, in which hybrid.* had another name, can be made again. */
static void draws_stay_what_they_were_by_the_former_name(void **state)
{
    (void)state;
    struct plan plan;
    struct drawn d;
    struct room *room;
    struct error e;
    const char *const setting = "band.seed=5";
    good_plan(&plan, "base = \"base.cfg\"; rooms = 9; seed = 3;\n");
    must(drawn_make(&d, &plan, 5, NULL, 0, &e), &e);
    assert_true(drawn_stream(&plan, 5, "hybrid.seed").state == drawn_stream(&plan, 5, "band.seed").state);
    assert_true(drawn_stream(&plan, 5, "hybrid.rays").state == drawn_stream(&plan, 5, "band.rays").state);
    assert_true(drawn_stream(&plan, 5, "hybrid.rays").state != drawn_stream(&plan, 5, "hybrid.seed").state);
    must(drawn_read(&room, &d, &setting, 1, &e), &e);
    assert_int_equal(room->hybrid.seed, 5);
    room_free(room);
    drawn_free(&d);
    plan_free(&plan);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_mistake_is_told_with_file_line_key_and_remedy),
        cmocka_unit_test(a_key_that_rooms_do_not_know_is_told_at_its_line_of_the_plan),
        cmocka_unit_test(combinations_are_all_there_and_the_first_changes_slowest),
        cmocka_unit_test(draws_follow_their_distributions),
        cmocka_unit_test(a_draw_depends_on_seed_room_and_key_alone),
        cmocka_unit_test(places_keep_their_distances_in_every_room),
        cmocka_unit_test(a_key_by_its_former_name_draws_the_same_and_is_noted),
        cmocka_unit_test(draws_stay_what_they_were_by_the_former_name),
        cmocka_unit_test(many_places_are_found_in_a_furnished_room),
        cmocka_unit_test(places_are_drawn_as_if_all_were_drawn_together),
        cmocka_unit_test(places_that_cannot_be_are_refused_with_a_remedy),
    };
    return cmocka_run_group_tests(tests, set_up, scratch_remove);
}
