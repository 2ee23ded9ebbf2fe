/* SPDX-License-Identifier: MIT */
/* The JSON of a room and settings of the command line. */
#include "base/file.h"
#include "base/text.h"
#include "room/room.h"
#include "support/random_cases.h"
#include "support/room_files.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <cjson/cJSON.h>
#include <stdlib.h>
#include <string.h>

static void same_text(const char *a, const char *b)
{
    assert_int_equal(a == NULL, b == NULL);
    if (a)
        assert_string_equal(a, b);
}

#define SAME_BYTES(a, b) assert_memory_equal(&(a), &(b), sizeof(a))

static void assert_same_room(const struct room *a, const struct room *b)
{
    assert_int_equal(a->sized_by_points, b->sized_by_points);
    SAME_BYTES(a->size, b->size);
    SAME_BYTES(a->points, b->points);
    SAME_BYTES(a->walls, b->walls);
    assert_int_equal(a->object_count, b->object_count);
    for (size_t i = 0; i < a->object_count; i++) {
        assert_int_equal(a->objects[i].shape, b->objects[i].shape);
        SAME_BYTES(a->objects[i].from, b->objects[i].from);
        SAME_BYTES(a->objects[i].to, b->objects[i].to);
        SAME_BYTES(a->objects[i].radius, b->objects[i].radius);
        assert_int_equal(a->objects[i].material, b->objects[i].material);
    }
    assert_int_equal(a->material_count, b->material_count);
    for (size_t i = 0; i < a->material_count; i++) {
        same_text(a->materials[i].name, b->materials[i].name);
        same_text(a->materials[i].source, b->materials[i].source);
        assert_int_equal(a->materials[i].kind, b->materials[i].kind);
        SAME_BYTES(a->materials[i].absorption, b->materials[i].absorption);
        SAME_BYTES(a->materials[i].impedance, b->materials[i].impedance);
    }
    SAME_BYTES(a->air.temperature, b->air.temperature);
    SAME_BYTES(a->air.humidity, b->air.humidity);
    SAME_BYTES(a->air.pressure, b->air.pressure);
    assert_int_equal(a->air.losses, b->air.losses);
    assert_int_equal(a->grid.scheme, b->grid.scheme);
    SAME_BYTES(a->grid.rate, b->grid.rate);
    SAME_BYTES(a->grid.max_frequency, b->grid.max_frequency);
    SAME_BYTES(a->grid.points_per_wavelength, b->grid.points_per_wavelength);
    SAME_BYTES(a->grid.courant, b->grid.courant);
    assert_int_equal(a->grid.precision, b->grid.precision);
    SAME_BYTES(a->duration, b->duration);
    assert_int_equal(a->source_count, b->source_count);
    for (size_t i = 0; i < a->source_count; i++) {
        const struct source *s = &a->sources[i], *t = &b->sources[i];
        same_text(s->name, t->name);
        same_text(s->file, t->file);
        SAME_BYTES(s->position, t->position);
        assert_int_equal(s->signal, t->signal);
        SAME_BYTES(s->gain, t->gain);
        SAME_BYTES(s->width, t->width);
        SAME_BYTES(s->low, t->low);
        SAME_BYTES(s->high, t->high);
        SAME_BYTES(s->length, t->length);
    }
    assert_int_equal(a->receiver_count, b->receiver_count);
    for (size_t i = 0; i < a->receiver_count; i++) {
        same_text(a->receivers[i].name, b->receivers[i].name);
        SAME_BYTES(a->receivers[i].position, b->receivers[i].position);
    }
    SAME_BYTES(a->output.rate, b->output.rate);
    SAME_BYTES(a->output.dispersion, b->output.dispersion);
    assert_int_equal(a->output.format, b->output.format);
    assert_int_equal(a->output.filter, b->output.filter);
    assert_int_equal(a->output.normalise, b->output.normalise);
}

static void json_gives_the_same_room_back(void **state)
{
    (void)state;
    static const char *const texts[] = {
        room_with_everything,
        "room: { points = [256, 296, 212]; walls: { default = \"fixed\"; }; };\n" ENDS
        "grid: { rate = 44100.123456789; }; output: { rate = 44100; };",
        "room: { size = [4.1, 3.3333333333333333, 2.7000000000000002]; walls: { z_max = \"foam\"; }; };\n" ENDS
        "grid: { max_frequency = 2000.0; };",
        "room: { size = [4.0, 3.0, 2.5]; };\n" ENDS
        "grid: { scheme = \"19-point\"; max_frequency = 2000.0; points_per_wavelength = 3.5; };",
    };
    for (size_t i = 0; i < 2 * sizeof texts / sizeof *texts; i++) {
        struct room *room = good_room(texts[i / 2]);
        cJSON *json = room_json(room);
        assert_non_null(json);
        char *bare = cJSON_Print(json);
        char *text = i % 2 ? text_format(" { \"version\": \"1\", \"input\": %s }", bare) : text_copy(bare);
        struct error e;
        write_file("room.json", text);
        /* the materials are spelt out: no library is needed */
        unsetenv("AULA_DATA");
        setenv("AULA_DATA", "/nowhere", 1);
        struct room *again = read_room("room.json", NULL, 0, &e);
        setenv("AULA_DATA", room_folder, 1);
        if (!again)
            print_error("%s\n%s\n", e.message, text);
        assert_non_null(again);
        assert_same_room(room, again);
        cJSON *second = room_json(again);
        char *bare_again = cJSON_Print(second);
        assert_string_equal(bare, bare_again);
        free(bare);
        free(bare_again);
        free(text);
        cJSON_Delete(json);
        cJSON_Delete(second);
        room_free(room);
        room_free(again);
    }
}

static void json_holds_only_what_is_used(void **state)
{
    (void)state;
    struct room *room = good_room(room_with_everything);
    cJSON *json = room_json(room);
    char *text = cJSON_PrintUnformatted(json);
    static const char *const there[] = {"\"scheme\":\"7-point\"",
                                        "\"max_frequency\":1000.1",
                                        "\"size\":[4,3.25,2.7]",
                                        "\"rate\":\"grid\"",
                                        "\"panel\":{\"impedance\":19,\"transmission\":{\"mass\":12.5,",
                                        "\"resistance\":200,\"bending_stiffness\":900},\"scattering\":\"auto\"}",
                                        "\"high\":900"};
    static const char *const absent[] = {"\"points\"", "unused", "\"default\"", "\"rigid\":", "\"rate\":0"};
    for (size_t i = 0; i < sizeof there / sizeof *there; i++)
        if (!strstr(text, there[i]))
            fail_msg("%s is missing in %s", there[i], text);
    for (size_t i = 0; i < sizeof absent / sizeof *absent; i++)
        if (strstr(text, absent[i]))
            fail_msg("%s is in %s", absent[i], text);
    free(text);
    cJSON_Delete(json);
    room_free(room);
}

static struct room *read_set(const char *setting, struct error *e)
{
    write_file("room.cfg", BOX ENDS);
    return read_room("room.cfg", &setting, 1, e);
}

static void set_replaces_any_value(void **state)
{
    (void)state;
    static const char *const settings[] = {
        "grid.rate=48000",
        "grid.rate = 32000", /* the last one counts */
        "time.duration=2",
        "sources[0].position=[1,2.5,2]",
        "receivers.[0].position=(0,0,0.5)",
        "room.walls.default=brick",
        "room.size=[6, 5.5, 5]",
        "room.size[2]=3.5",
        "sources[0].name=\"main source\"",
        "sources[0].signal=file",
        "sources[0].file=../dry/3.wav",
        "output.rate=grid",
        "air.losses=False",
        "materials.felt={ absorption = [0,0.1,0.1,0.1,0.1,0.1,0.1,1] }",
        "room.walls.z_min=felt",
        "room.objects=({shape=\"box\";from=[0,0.5,0];to=[1,1,1];material=\"felt\"})",
    };
    struct error e;
    write_file("room.cfg", BOX ENDS);
    struct room *room = read_room("room.cfg", settings, sizeof settings / sizeof *settings, &e);
    if (!room)
        print_error("%s\n", e.message);
    assert_non_null(room);
    assert_true(room->grid.rate == 32000 && room->duration == 2 && room->output.rate == 0);
    assert_string_equal(room->grid.origin.file, "--set grid.rate = 32000");
    assert_int_equal(room->grid.origin.line, 0);
    assert_true(room->sources[0].position[0] == 1 && room->sources[0].position[1] == 2.5);
    assert_true(room->receivers[0].position[2] == 0.5);
    assert_string_equal(room->materials[room->walls[FACE_X_MIN]].name, "brick");
    assert_string_equal(room->materials[room->walls[FACE_Z_MIN]].name, "felt");
    assert_true(room->size[0] == 6 && room->size[1] == 5.5 && room->size[2] == 3.5);
    assert_string_equal(room->sources[0].name, "main source");
    char *file = in_folder("../dry/3.wav");
    assert_string_equal(room->sources[0].file, file);
    free(file);
    assert_false(room->air.losses);
    assert_int_equal(room->object_count, 1);
    assert_true(room->objects[0].from[1] == 0.5);
    room_free(room);
    room = read_set("room.size[2]=3", &e); /* a whole number into an array of floats */
    assert_non_null(room);
    assert_true(room->size[0] == 4 && room->size[1] == 3 && room->size[2] == 3);
    room_free(room);
}

static void set_applies_to_json_too(void **state)
{
    (void)state;
    struct error e;
    const char *setting = "time.duration=2.5";
    write_file("room.json", "{ \"room\": { \"size\": [4, 3, 2.5], \"walls\": { \"default\": \"rigid\" } },"
                            "\"time\": { \"duration\": 1 },"
                            "\"sources\": [ { \"position\": [1, 1, 1] } ],"
                            "\"receivers\": [ { \"position\": [2, 1, 1] } ] }");
    struct room *room = read_room("room.json", &setting, 1, &e);
    assert_non_null(room);
    assert_true(room->duration == 2.5);
    room_free(room);
}

static void bad_settings_are_named(void **state)
{
    (void)state;
    static const struct {
        const char *setting, *message;
        enum error_code code;
    } bad[] = {
        {"grid.rate=0", "--set grid.rate=0: grid.rate: 0 is out of range", ERROR_INPUT},
        {"grid.rtae=1", "--set grid.rtae=1: grid.rtae: unknown key; did you mean grid.rate?", ERROR_INPUT},
        {"gird.rate=1", "--set gird.rate=1: gird: unknown key", ERROR_INPUT},
        {"room.walls.default=brik", "--set room.walls.default=brik: room.walls.default: unknown material", ERROR_INPUT},
        {"room.size=[1,2", "--set room.size=[1,2: room.size: expected three numbers", ERROR_INPUT},
        {"room.size=[1,2,-3]", "--set room.size=[1,2,-3]: room.size[2]: -3 is out", ERROR_INPUT},
        {"sources[0].position=[9,1,1]", "sources[0].position: x = 9 m lies outside", ERROR_INPUT},
        {"time.duration=99999999999", "--set time.duration=99999999999: 99999999999 is too large", ERROR_INPUT},
        {"time=3", "--set time=3: time: expected a group", ERROR_INPUT},
        {"grid.rate", "--set grid.rate: expected key=value", ERROR_USAGE},
        {"", "--set : expected key=value", ERROR_USAGE},
        {"=3", "the key is missing", ERROR_USAGE},
        {"grid.rate=", "the value is missing", ERROR_USAGE},
        {"grid..rate=3", "expected a key such as", ERROR_USAGE},
        {"grid.rate.=3", "expected a key such as", ERROR_USAGE},
        {"sources[1].gain=3", "fewer elements", ERROR_USAGE},
        {"sources[99999999999].gain=3", "expected a number in [ ]", ERROR_USAGE},
        {"sources[x].gain=3", "expected a number in [ ]", ERROR_USAGE},
        {"sources[-1].gain=3", "expected a number in [ ]", ERROR_USAGE},
        {"sources.gain=3", "not a group", ERROR_USAGE},
        {"grid[0]=3", "no such list", ERROR_USAGE},
        {"room.size.x=3", "not a group", ERROR_USAGE},
        {"9x.y=3", "not a valid key name", ERROR_USAGE},
        {"a.b.c.d.e.f.g.h.i=3", "too many parts", ERROR_USAGE},
        {"time.duration=1\n2", "one line", ERROR_USAGE},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct error e;
        struct room *room = read_set(bad[i].setting, &e);
        if (room || e.code != bad[i].code || !strstr(e.message, bad[i].message))
            fail_msg("%s\n  expected %s\n  got code %d: %s", bad[i].setting, bad[i].message, (int)e.code, e.message);
    }
}

static void a_setting_takes_the_place_of_the_key_it_excludes(void **state)
{
    (void)state;
    struct error e;
    struct room *room = read_set("room.points=[5,6,7]", &e);
    assert_non_null(room);
    assert_true(room->sized_by_points && room->points[1] == 6 && room->size[0] == 0);
    room_free(room);
    room = read_set("grid.max_frequency=500", &e);
    assert_non_null(room);
    assert_true(room->grid.rate == 0 && room->grid.max_frequency == 500);
    room_free(room);
}

/* A path of `count` folders, whose names share their beginnings, and then `file`. */
static void random_path(struct random *random, char text[64], size_t count, const char *file)
{
    static const char *const names[] = {"/a", "/ab", "/b", "/.a"};
    size_t used = 0;
    while (count-- > 0)
        used += (size_t)snprintf(text + used, 64 - used, "%s", names[random_between(random, 0, 3)]);
    snprintf(text + used, 64 - used, "%s", file);
}

static void relative_names_lead_to_the_file(void **state)
{
    struct random random = random_cases("relative names");
    size_t relative = 0;
    (void)state;
    for (int i = 0; i < 2000; i++) {
        char folder[64], path[64];
        random_path(&random, folder, random_between(&random, 1, 6), "");
        random_path(&random, path, random_between(&random, 1, 6), "/m.obj");
        char *name = path_relative(folder, path), *rest = name;
        assert_non_null(name);
        relative += *name != '/';
        while (*name != '/' && !strncmp(rest, "../", 3)) {
            rest += 3;
            *strrchr(folder, '/') = '\0';
        }
        char *whole = *name == '/' ? text_copy(name) : text_format("%s/%s", folder, rest);
        assert_string_equal(whole, path);
        assert_true(*name == '/' ? strcspn(folder + 1, "/") != strcspn(path + 1, "/") ||
                                       strncmp(folder, path, strcspn(path + 1, "/") + 1) != 0
                                 : *folder != '\0');
        free(whole);
        free(name);
    }
    assert_true(relative > 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(json_gives_the_same_room_back),
        cmocka_unit_test(json_holds_only_what_is_used),
        cmocka_unit_test(relative_names_lead_to_the_file),
        cmocka_unit_test(set_replaces_any_value),
        cmocka_unit_test(set_applies_to_json_too),
        cmocka_unit_test(bad_settings_are_named),
        cmocka_unit_test(a_setting_takes_the_place_of_the_key_it_excludes),
    };
    return cmocka_run_group_tests_name("room", tests, room_files_set_up, room_files_tear_down);
}
