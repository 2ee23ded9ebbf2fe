/* SPDX-License-Identifier: MIT */
/* Splits and licence of a plan: mistakes are told with their place; a base room's split depends on seed, name and shares
 * alone; texts reach the room as they are. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "render/batch/draw.h"
#include "support/random_cases.h"
#include "support/scratch.h"

/* clang-format off */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
/* clang-format on */

static const char base[] = "room: { size = [5.0, 4.0, 3.0]; }; grid: { rate = 4000.0; }; time: { duration = 0.02; };\n"
                           "sources: ( { position = [1.0, 1.0, 1.0]; } );\n"
                           "receivers: ( { position = [4.0, 3.0, 2.0]; } );\n";

static int read_plan(struct plan *plan, const char *text, struct error *e)
{
    char whole[2000];
    snprintf(whole, sizeof whole, "base = \"base.cfg\";\n%s", text);
    scratch_write(scratch_path("base.cfg"), base, strlen(base));
    scratch_write(scratch_path("plan.cfg"), whole, strlen(whole));
    return plan_read(plan, scratch_path("plan.cfg"), e);
}

static void a_mistake_is_told_with_file_line_key_and_remedy(void **state)
{
    (void)state;
    static const struct {
        const char *text, *expected;
    } cases[] = {
        {"split = 0.8;\n", "plan.cfg:2: split: expected a group, { train = 0.8;"},
        {"split = { };\n", "plan.cfg:2: split: expected a group"},
        {"split = { train = 0.8; test = 0.1; };\n", "plan.cfg:2: split: the shares add up to 0.9, not to 1"},
        {"split = { train = 1.5; test = -0.5; };\n", "split.train: must be a share of the base rooms from 0 to 1"},
        {"split = { train = \"most\"; };\n", "split.train: must be a share"},
        {"split = { train-set = 1.0; };\n", "name a split by letters, digits and _ only"},
        {"about = \"CC0\";\n", "plan.cfg:2: about: expected a group, { licence = \"CC-BY-4.0\";"},
        {"about = { license = \"CC0\"; };\n", "about.license: unknown key of a plan; did you mean licence?"},
        {"about = { licence = 4; };\n", "about.licence: must be a text in quotes"},
        {"about = { licence = \"\"; };\n", "about.licence: must be a text in quotes"},
        {"about = { citation = \"A\\nB\"; };\n", "about.citation: must be one line"},
        {"output = { files = \"tar\"; };\n", "\"webdataset\" or \"parquet\""},
        {"output = { shard_bytes = 10; };\n", "output.shard_bytes: must be a whole number from 1000"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct plan plan;
        struct error e = {ERROR_NONE, ""};
        assert_int_not_equal(read_plan(&plan, cases[i].text, &e), 0);
        if (!strstr(e.message, cases[i].expected))
            fail_msg("expected: %s\ngot:      %s", cases[i].expected, e.message);
        plan_free(&plan);
    }
}

static size_t count_in(const struct plan *plan, const char *split, size_t rooms)
{
    size_t count = 0;
    char name[40];
    for (size_t i = 0; i < rooms; i++) {
        snprintf(name, sizeof name, "room_%zu.cfg", i);
        count += !strcmp(plan_split(plan, name), split);
    }
    return count;
}

/* Binomial counts lie within five deviations but for one in a million seeds. */
static void base_rooms_fall_into_splits_by_their_shares(void **state)
{
    (void)state;
    enum { ROOMS = 4000 };
    struct plan plan;
    struct error e;
    must(read_plan(&plan, "split = { train = 0.75; validation = 0.2; test = 0.05; none = 0; };\n", &e), &e);
    struct random chance = random_cases("splits");
    plan.seed = random_bits(&chance) >> 11;
    for (size_t i = 0; i < plan.split_count; i++) {
        const double share = plan.splits[i].share;
        const double error = (double)count_in(&plan, plan.splits[i].name, ROOMS) - ROOMS * share;
        assert_true(fabs(error) <= 5.0 * sqrt(ROOMS * share * (1.0 - share)));
    }
    plan_free(&plan);
}

static void a_split_depends_on_seed_base_room_and_shares_alone(void **state)
{
    (void)state;
    struct plan few, many, other;
    struct error e;
    static const char split[] = "split = { train = 0.5; test = 0.5; };\n";
    char text[200];
    snprintf(text, sizeof text, "rooms = 3; seed = 8; %s", split);
    must(read_plan(&few, text, &e), &e);
    snprintf(text, sizeof text,
             "rooms = 900; seed = 8; vary: ( { key = \"air.temperature\"; uniform = [15, 20]; } ); %s", split);
    must(read_plan(&many, text, &e), &e);
    snprintf(text, sizeof text, "rooms = 3; seed = 9; %s", split);
    must(read_plan(&other, text, &e), &e);
    size_t differences = 0;
    for (size_t i = 0; i < 100; i++) {
        snprintf(text, sizeof text, "b%zu.cfg", i);
        assert_string_equal(plan_split(&few, text), plan_split(&many, text));
        differences += strcmp(plan_split(&few, text), plan_split(&other, text)) != 0;
    }
    assert_in_range(differences, 20, 80);
    plan_free(&few);
    plan_free(&many);
    plan_free(&other);
}

static void a_plan_without_splits_is_all_train_and_empty_splits_are_named(void **state)
{
    (void)state;
    struct plan plan;
    struct error e;
    must(read_plan(&plan, "", &e), &e);
    assert_string_equal(plan_split(&plan, "base.cfg"), "train");
    assert_null(plan_empty_splits(&plan));
    plan_free(&plan);
    must(read_plan(&plan, "split = { a = 0; b = 1.0; c = 0; };\n", &e), &e);
    assert_string_equal(plan_split(&plan, "base.cfg"), "b");
    assert_null(plan_empty_splits(&plan));
    plan_free(&plan);
    must(read_plan(&plan, "split = { a = 0.5; b = 0.5; };\n", &e), &e);
    char *empty = plan_empty_splits(&plan);
    assert_string_equal(empty, strcmp(plan_split(&plan, "base.cfg"), "a") ? "a" : "b");
    free(empty);
    plan_free(&plan);
}

static void licence_and_authors_reach_the_room_as_they_are(void **state)
{
    (void)state;
    struct plan plan;
    struct drawn d;
    struct room *room;
    struct error e;
    must(read_plan(&plan,
                   "about = { licence = \"CC-BY-4.0\"; author = \"A \\\"B\\\" \\\\ <a@b.org>, [C] = {d};\"; "
                   "citation = \"12\"; };\n",
                   &e),
         &e);
    must(drawn_make(&d, &plan, 0, NULL, 0, &e), &e);
    must(drawn_read(&room, &d, NULL, 0, &e), &e);
    assert_string_equal(room->about.licence, "CC-BY-4.0");
    assert_string_equal(room->about.author, "A \"B\" \\ <a@b.org>, [C] = {d};");
    assert_null(room->about.organisation);
    assert_string_equal(room->about.citation, "12");
    room_free(room);
    drawn_free(&d);
    plan_free(&plan);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_mistake_is_told_with_file_line_key_and_remedy),
        cmocka_unit_test(base_rooms_fall_into_splits_by_their_shares),
        cmocka_unit_test(a_split_depends_on_seed_base_room_and_shares_alone),
        cmocka_unit_test(a_plan_without_splits_is_all_train_and_empty_splits_are_named),
        cmocka_unit_test(licence_and_authors_reach_the_room_as_they_are),
    };
    return cmocka_run_group_tests(tests, scratch_make, scratch_remove);
}
