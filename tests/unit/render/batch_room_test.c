/* SPDX-License-Identifier: MIT */
/* Rooms of a plan: their bits do not depend on order and threads; reciprocity gives what runs from the sources give. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/stop.h"
#include "io/audio_file.h"
#include "io/sofa/write.h"
#include "render/batch/data_set.h"
#include "render/batch/reciprocity.h"
#include "render/batch/room_task.h"
#include "support/random_cases.h"
#include "support/scratch.h"
#include <cjson/cJSON.h>

/* clang-format off */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
/* clang-format on */

static const char base[] =
    "room: { size = [1.6, 1.3, 1.1]; walls: { default = \"plaster\"; z_min = \"carpet\"; }; };\n"
    "grid: { max_frequency = 700.0; precision = \"double\"; }; time: { duration = 0.06; };\n"
    "hybrid: { full = false; };\n"
    "sources: ( { name = \"A\"; position = [0.3, 0.4, 0.5]; gain = 2.0; },\n"
    "  { name = \"B\"; position = [1.0, 0.5, 0.4]; }, { name = \"C\"; position = [0.9, 0.9, 0.7]; gain = -0.5; } );\n"
    "receivers: ( { name = \"L\"; position = [0.6, 0.8, 0.4]; } );\n";

static const char vary[] = "base = \"base.cfg\"; seed = 5; rooms = 6;\n"
                           "vary: ( { key = \"room.size\"; uniform = ([1.3, 1.2, 1.0], [1.9, 1.6, 1.4]); },\n"
                           " { key = \"room.walls.default\"; values = (\"plaster\", \"brick\", \"wood\"); },\n"
                           " { key = \"sources[0].position\"; place = \"room\"; },\n"
                           " { key = \"receivers[0].position\"; place = \"room\"; } );\n"
                           "constraints: { from_walls = 0.2; from_each_other = 0.1; };\n";

static struct plan plan_of(const char *text)
{
    struct plan plan;
    struct error e;
    scratch_write(scratch_path("base.cfg"), base, strlen(base));
    scratch_write(scratch_path("plan.cfg"), text, strlen(text));
    must(plan_read(&plan, scratch_path("plan.cfg"), &e), &e);
    return plan;
}

static bool goes_on(void *context, size_t done, size_t steps, double speed)
{
    (void)context, (void)done, (void)steps, (void)speed;
    return true;
}

static char *run_room(const struct plan *plan, const char *folder, size_t room, int threads)
{
    struct room_task task = {.plan = plan, .folder = folder, .watch = {.look = goes_on}};
    struct room_account account;
    struct error e = {ERROR_NONE, ""};
    char *line;
    task.choice.engine = "cpu";
    task.choice.threads = threads;
    must(room_task_run(&line, &account, &task, room, &e), &e);
    assert_true(account.total >= account.stepping && account.stepping >= 0.0);
    return line;
}

/* The record has the checksums of the files. */
static void rooms_have_the_same_bits_in_every_order_and_with_every_number_of_threads(void **state)
{
    (void)state;
    struct plan plan = plan_of(vary);
    char *forwards[6], folder[300];
    snprintf(folder, sizeof folder, "%s/one", scratch_folder);
    for (size_t k = 0; k < 6; k++) {
        forwards[k] = run_room(&plan, folder, k, 1);
        assert_non_null(strstr(forwards[k], "\"status\":\"done\""));
    }
    snprintf(folder, sizeof folder, "%s/two", scratch_folder);
    for (size_t k = 6; k-- > 0;) {
        char *line = run_room(&plan, folder, k, 2);
        assert_string_equal(line, forwards[k]);
        free(line);
    }
    for (size_t k = 0; k < 6; k++)
        free(forwards[k]);
    plan_free(&plan);
}

static void a_room_that_fails_is_recorded_with_its_values_and_the_next_is_rendered(void **state)
{
    (void)state;
    struct plan plan = plan_of("base = \"base.cfg\";\nvary: ( { key = \"room.size[0]\"; values = (0.8, 1.6); } );\n");
    char folder[300];
    snprintf(folder, sizeof folder, "%s/failing", scratch_folder);
    char *line = run_room(&plan, folder, 0, 1);
    assert_non_null(strstr(line, "\"status\":\"failed\""));
    assert_non_null(strstr(line, "\"room.size[0]\":0.8"));
    assert_non_null(strstr(line, "lies outside the room"));
    free(line);
    line = run_room(&plan, folder, 1, 1);
    assert_non_null(strstr(line, "\"status\":\"done\""));
    free(line);
    plan_free(&plan);
}

/* Every sample of the file is that of the room's sound. */
static void one_file_has_the_samples_of_all_sounds(void **state)
{
    (void)state;
    struct plan plan = plan_of("base = \"base.cfg\"; output: { files = \"netcdf\"; };\n"
                               "vary: ( { key = \"time.duration\"; values = (0.03, 0.05); } );\n");
    char folder[300], path[400];
    struct manifest m;
    struct error e;
    if (sofa_library.unavailable()) {
        plan_free(&plan);
        skip();
    }
    snprintf(folder, sizeof folder, "%s/set", scratch_folder);
    char *lines[2] = {run_room(&plan, folder, 0, 1), run_room(&plan, folder, 1, 1)};
    must(manifest_open(&m, &plan, folder, "manifest", true, &e), &e);
    for (size_t k = 2; k-- > 0;) {
        must(manifest_add(&m, lines[k], &e), &e);
        free(lines[k]);
    }
    must(manifest_finish(&m, &e), &e);
    must(data_set_write(&m, &e), &e);
    manifest_close(&m);
    struct sofa_document d;
    snprintf(path, sizeof path, "%s/rooms.nc", folder);
    must(sofa_read(&d, path, &e), &e);
    const struct sofa_variable *response = sofa_variable(&d, "response"), *frames = sofa_variable(&d, "frames");
    assert_non_null(response);
    assert_int_equal(response->extent[0], 2);
    assert_int_equal(response->extent[1], 3); /* a file for each of three sources */
    for (size_t room = 0; room < 2; room++)
        for (size_t s = 0; s < 3; s++) {
            struct audio audio;
            snprintf(path, sizeof path, "%s/rooms/0000/room_000000%zu_%c.wav", folder, room, "ABC"[s]);
            must(audio_read(&audio, path, &e), &e);
            assert_true(frames->values[room] == (double)audio.frames && audio.frames <= response->extent[2]);
            for (size_t i = 0; i < response->extent[2]; i++)
                assert_true(response->values[(room * 3 + s) * response->extent[2] + i] ==
                            (i < audio.frames ? audio.samples[i] : 0.0));
            audio_free(&audio);
        }
    sofa_document_free(&d);
    plan_free(&plan);
}

static double difference(const struct response *a, const struct response *b)
{
    double largest = 0.0, off = 0.0;
    assert_int_equal(a->frames, b->frames);
    assert_int_equal(a->channels, b->channels);
    for (size_t i = 0; i < a->frames * a->channels; i++) {
        largest = fmax(largest, fabs(b->samples[i]));
        off = fmax(off, fabs(a->samples[i] - b->samples[i]));
    }
    return off / largest;
}

/* Three sources and a receiver in random rooms, both schemes; without resampling, which is of single precision. */
static void reciprocity_gives_what_runs_from_the_sources_give(void **state)
{
    (void)state;
    struct random r = random_cases("reciprocity");
    double worst = 0.0;
    for (int n = 0; n < case_count(6); n++) {
        char text[1200];
        snprintf(text, sizeof text,
                 "base = \"base.cfg\"; seed = %llu; rooms = 1;\n"
                 "vary: ( { key = \"room.size\"; uniform = ([1.3, 1.2, 1.0], [1.9, 1.6, 1.4]); },\n"
                 " { key = \"room.walls.default\"; values = (\"plaster\", \"brick\", \"wood\"); },\n"
                 " { key = \"grid.scheme\"; values = (\"%s\"); }, { key = \"output.rate\"; values = (\"grid\"); },\n"
                 " { key = \"sources[0].position\"; place = \"room\"; }, { key = \"sources[1].position\"; place = "
                 "\"room\"; },\n"
                 " { key = \"sources[2].position\"; place = \"room\"; }, { key = \"receivers[0].position\"; place = "
                 "\"room\"; } );\n"
                 "constraints: { from_walls = 0.02; from_each_other = 0.1; };\n",
                 (unsigned long long)(random_bits(&r) & 0x7fffffff), n % 2 ? "7-point" : "19-point");
        struct plan plan = plan_of(text);
        struct drawn d;
        struct room *room;
        struct model *m;
        struct error e;
        struct rendering swapped[3] = {{0}}, plain;
        const struct solver_options choice = {.engine = "cpu", .threads = 1};
        const struct watch watch = {.look = goes_on};
        must(drawn_make(&d, &plan, 0, NULL, 0, &e), &e);
        must(drawn_read(&room, &d, NULL, 0, &e), &e);
        must(model_make(&m, room, &e), &e);
        assert_null(reciprocity_fault(m));
        must(reciprocity_render(swapped, m, &choice, &watch, &e), &e);
        for (size_t i = 0; i < 3; i++) {
            must(render_sources(&plain, m, i, 1, &choice, &watch, &e), &e);
            worst = fmax(worst, difference(&swapped[i].response, &plain.response));
            rendering_free(&plain);
            rendering_free(&swapped[i]);
        }
        model_free(m);
        room_free(room);
        drawn_free(&d);
        plan_free(&plan);
    }
    print_message("reciprocity: the largest difference is %.1e of the peak\n", worst);
    assert_true(worst <= 1e-11);
}

static void reciprocity_is_left_out_where_it_does_not_hold(void **state)
{
    (void)state;
    static const struct {
        const char *setting, *expected;
    } cases[] = {{"time.duration=auto", "decay"},
                 {"sources[1].directivity=cardioid", "source is directional"},
                 {"sources[2].signal=gaussian", "signal"},
                 {"receivers[0].type=ambisonic", "receiver is directional"},
                 {"hybrid.full=true", "rays"}};
    struct error e;
    scratch_write(scratch_path("base.cfg"), base, strlen(base));
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct room *room;
        struct model *m;
        must(room_read(&room, scratch_path("base.cfg"), &cases[i].setting, 1, &e), &e);
        must(model_make(&m, room, &e), &e);
        assert_non_null(reciprocity_fault(m));
        assert_non_null(strstr(reciprocity_fault(m), cases[i].expected));
        model_free(m);
        room_free(room);
    }
}

static int remove_all(void **state)
{
    char command[400];
    snprintf(command, sizeof command, "rm -rf %s/one %s/two %s/failing", scratch_folder, scratch_folder,
             scratch_folder);
    return system(command) || scratch_remove(state);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rooms_have_the_same_bits_in_every_order_and_with_every_number_of_threads),
        cmocka_unit_test(a_room_that_fails_is_recorded_with_its_values_and_the_next_is_rendered),
        cmocka_unit_test(one_file_has_the_samples_of_all_sounds),
        cmocka_unit_test(reciprocity_gives_what_runs_from_the_sources_give),
        cmocka_unit_test(reciprocity_is_left_out_where_it_does_not_hold),
    };
    return cmocka_run_group_tests(tests, scratch_make, remove_all);
}
