/* SPDX-License-Identifier: MIT */
/* Mutated room files and JSON: each is understood, or refused with one line; never a crash, never a long wait.
 *
 *   mutations ROOMS [SEED [COUNT [FIRST]]]
 *
 * ROOMS is the folder of the room files that ship. Every case depends on the seed and its own number alone, so that
 * FIRST with COUNT 1 repeats a single one. A case that ends the program leaves its file in the folder that was printed.
 */
#include <cjson/cJSON.h>
#include <dirent.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/random.h"
#include "base/text.h"
#include "fuzz/mutate.h"
#include "room/grid/grid.h"
#include "room/grid/model.h"
#include "room/room.h"

enum { TEXTS_MAX = 64, DEFAULT_COUNT = 500, JSON_COUNT = 100, SECONDS = 20, SECONDS_HUGE = 120 };

static const double slow = 5.0; /* s of processor time: what reading a file may take here, with a sanitizer */

/* Where texts come from: the room files first, then as many JSON texts. */
struct corpus {
    struct text texts[TEXTS_MAX];
    size_t count;
};

static const char *const poison[] = {
    "nan",
    "inf",
    "-inf",
    "1e999",
    "-1e999",
    "-1",
    "0",
    "0.0",
    "1e-320",
    "99999999999999",
    "99999999999999L",
    "1e308",
    "0x7fffffffffffffff",
    "-9223372036854775808L",
    "1e13",
    "100000",
    "0.1",
    "1.0",
    "1e-12",
    "true",
    "\"\"",
    "[]",
    "()",
    "{}",
    "( ( ( ( ( ) ) ) ) )",
    "\"\\x00\"",
    "\"rigid\"",
    "\"fixed\"",
    "null",
    "\n@include \"room.inc\"\n",
    "\n@include \"case\"\n",
    "/*",
    "*/",
    "\"",
    "//",
    "\\",
    "%s%n",
    "\xff\xfe",
    "[1.0, 2.0, 3.0]",
    "\"../../..\"",
    "objects",
    "walls.default",
    "materials: { a = { impedance = 1.0; }; };",
    "branches = ( [1e-3, 0.5, 100.0], [0.0, 1.0, 0.0] );",
    "bands = [125.0, 250.0];",
    "absorption = [0.1, 0.2];",
    "\"cylinder\"",
    "\"file\"",
    "\"sweep\"",
    "\"plate\"",
    "\"gong\"",
    "tension = 50.0;",
    "sides = [0.2, 0.3];",
    "body = \"e\";",
    "decay = [1.0, 2.0];",
    "note = 60;",
};
enum { POISON = sizeof poison / sizeof *poison };

/* What none of the rooms that ship has. */
static const char seed_room[] =
    "room: { size = [2.0, 1.5, 1.2]; walls: { default = \"curtain\"; z_min = \"panel\"; }; };\n"
    "grid: { rate = 2000.0; };\n"
    "sources: ( { position = [0.5, 0.5, 0.5]; } );\n"
    "receivers: ( { position = [1.5, 1.0, 0.5]; } );\n"
    "materials: {\n"
    "  curtain = { bands = [125, 250, 500, 1000]; absorption = [0.1, 0.2, 0.35, 0.5]; };\n"
    "  panel = { branches = ( [1.5e-3, 0.4, 120.0], [0.0, 2.0, 0.0], (0, 0, 7.5) ); source = \"a fit\"; };\n"
    "};\n"
    "instruments: (\n"
    "  { name = \"tom\"; preset = \"tom\"; position = [1.0, 0.7, 0.5]; },\n"
    "  { name = \"e\"; preset = \"own\"; pitch = 220.0; body = \"tom\"; termination = \"spring\"; spring = 1e5; } );\n"
    "pickups: ( { instrument = \"tom\"; place = [0.1, 0.2]; }, { instrument = \"e\"; place = 0.3; } );\n"
    "score: { events: ( { time = 0.1; instrument = \"e\"; note = \"C#4\"; place = 0.7; force = 2.0; } );\n"
    "         channels: ( { channel = 10; instrument = \"tom\"; note = 36; } ); };\n"
    "presets: { own = { type = \"string\"; length = 0.65; diameter = 0.0003; density = 7850.0; young = 2e11;\n"
    "                   tension = 70.0; decay = [5.0, 1.0]; played = \"pluck\"; }; };\n";

static char case_path[512];
static volatile sig_atomic_t in_case;

static void too_slow(int number)
{
    static const char told[] = "\nmutations: a case takes too long; its file: ";
    (void)number;
    if (in_case) {
        ssize_t n = write(STDERR_FILENO, told, sizeof told - 1);
        n += write(STDERR_FILENO, case_path, strlen(case_path));
        n += write(STDERR_FILENO, "\n", 1);
        _exit(n < 0 ? 3 : 1);
    }
}

/* SIGPROF after so many seconds of processor time; 0: no more. */
static void set_limit(time_t seconds)
{
    const struct itimerval timer = {.it_value = {.tv_sec = seconds}};
    setitimer(ITIMER_PROF, &timer, NULL);
}

static char *json_text(const struct room *room)
{
    cJSON *json = cJSON_CreateObject(), *input = room_json(room);
    char *text = NULL;
    if (json && input && cJSON_AddItemToObject(json, "input", input))
        text = cJSON_Print(json);
    cJSON_Delete(json);
    return text;
}

/* What an accepted room writes as JSON has to be the same room. */
static const char *wrong_round_trip(const struct room *room, const char *path, struct error *e)
{
    char *again_path = text_format("%s.again", path), *first = json_text(room), *second = NULL;
    const char *wrong = NULL;
    struct room *again = NULL;
    if (!again_path || !first || output_file_text(again_path, first, e))
        wrong = "its JSON cannot be written";
    else if (room_read(&again, again_path, NULL, 0, e))
        wrong = "its JSON is refused";
    else if (!(second = json_text(again)) || strcmp(first, second) != 0)
        wrong = "its JSON gives another room";
    room_free(again);
    if (again_path && !wrong)
        unlink(again_path);
    free(again_path);
    free(first);
    free(second);
    return wrong;
}

/* Whether a room's voxels may take seconds to find: 10^5 points along an axis are no mistake of a file. */
static bool is_huge(const struct room *room)
{
    struct grid grid;
    struct error e;
    return !grid_make(&grid, room, &e) && grid_points(&grid) > 1000000000u;
}

/* What is wrong with how this file was taken, or NULL. allowed: s of processor time; more for a huge room. */
static const char *look_at(const char *path, bool *accepted, double *allowed, struct error *e)
{
    struct room *room = NULL;
    struct model *model = NULL;
    const char *wrong = NULL;
    *e = (struct error){ERROR_NONE, ""};
    int refused = room_read(&room, path, NULL, 0, e);
    if (refused != 0 && room)
        wrong = "room_read failed and gave a room";
    else if (!refused && !room)
        wrong = "room_read succeeded and gave no room";
    if (!refused && !wrong)
        wrong = wrong_round_trip(room, path, e);
    if (!refused && is_huge(room)) {
        *allowed = SECONDS_HUGE;
        set_limit(SECONDS_HUGE);
    }
    if (!refused && !wrong) {
        refused = model_make(&model, room, e);
        if ((refused != 0) == (model != NULL))
            wrong = "model_make and its model do not agree";
    }
    if (!wrong && refused)
        wrong = failure_fault(e);
    model_free(model);
    room_free(room);
    *accepted = !refused;
    return wrong;
}

/* The hall to 6400 Hz has six thousand million voxels: seconds for each case. Its file as it is is read by other
 * tests. */
static void coarsen(char *bytes)
{
    char *at = bytes ? strstr(bytes, "6400") : NULL;
    if (at)
        memcpy(at, " 640", 4);
}

static void add_text(struct corpus *c, char *name, char *bytes)
{
    coarsen(bytes);
    if (!name || !bytes || c->count == TEXTS_MAX) {
        fprintf(stderr, "mutations: cannot hold %s\n", name ? name : "a text");
        exit(2);
    }
    c->texts[c->count++] = (struct text){name, bytes, strlen(bytes)};
}

static int by_name(const struct dirent **a, const struct dirent **b)
{
    return strcmp((*a)->d_name, (*b)->d_name);
}

static int is_room(const struct dirent *entry)
{
    size_t length = strlen(entry->d_name);
    return length > 4 && !strcmp(entry->d_name + length - 4, ".cfg");
}

static void write_case(const char *path, const struct text *t)
{
    FILE *stream = fopen(path, "wb");
    if (!stream || fwrite(t->bytes, 1, t->length, stream) != t->length || fclose(stream)) {
        fprintf(stderr, "mutations: %s cannot be written\n", path);
        exit(2);
    }
}

static void read_rooms(struct corpus *c, const char *folder)
{
    struct dirent **entries;
    struct error e;
    int found = scandir(folder, &entries, is_room, by_name);
    for (int i = 0; i < found; i++) {
        char *path = text_format("%s/%s", folder, entries[i]->d_name), *bytes;
        if (!path || file_read_text(path, MUTATED_MAX, &bytes, &e)) {
            fprintf(stderr, "mutations: %s\n", path ? e.message : "out of memory");
            exit(2);
        }
        add_text(c, path, bytes);
        free(entries[i]);
    }
    if (found >= 0)
        free(entries);
}

/* False for tables such as rooms/materials.cfg and for rooms/basin.cfg, which has another reader. */
static bool describes_room(const struct text *t)
{
    static const char group[] = "room:";
    return !strncmp(t->bytes, group, strlen(group)) || strstr(t->bytes, "\nroom:");
}

/* rooms/ *.cfg, the seed and, after them, the JSON of each that is a room. */
static size_t read_corpus(struct corpus *c, const char *rooms, const char *scratch)
{
    read_rooms(c, rooms);
    if (!c->count)
        return 0;
    add_text(c, text_format("%s/seed", scratch), text_copy(seed_room));
    const size_t plain = c->count;
    write_case(c->texts[plain - 1].name, &c->texts[plain - 1]);
    struct error e;
    for (size_t i = 0; i < plain; i++) {
        struct room *room;
        if (!describes_room(&c->texts[i]))
            continue;
        if (room_read(&room, c->texts[i].name, NULL, 0, &e)) {
            fprintf(stderr, "mutations: %s\n", e.message);
            exit(2);
        }
        add_text(c, text_format("%s as JSON", c->texts[i].name), json_text(room));
        room_free(room);
    }
    unlink(c->texts[plain - 1].name);
    return plain;
}

int main(int count, char **words)
{
    char folder[] = "/tmp/aula-fuzz-XXXXXX";
    struct corpus corpus = {.count = 0};
    if (count < 2 || !mkdtemp(folder)) {
        fprintf(stderr, "usage: mutations ROOMS [SEED [COUNT [FIRST]]]\n");
        return 2;
    }
    const uint64_t seed = count > 2 ? strtoull(words[2], NULL, 10) : random_fresh_seed();
    const size_t wanted = count > 3 ? strtoul(words[3], NULL, 10) : DEFAULT_COUNT + JSON_COUNT;
    const size_t first = count > 4 ? strtoul(words[4], NULL, 10) : 0;
    const size_t plain = read_corpus(&corpus, words[1], folder);
    if (!plain || plain == corpus.count) {
        fprintf(stderr, "mutations: %s holds no room files\n", words[1]);
        return 2;
    }
    printf("seed %llu, %zu cases from %zu on; files in %s while they are tried\n", (unsigned long long)seed, wanted,
           first, folder);
    fflush(stdout);
    signal(SIGPROF, too_slow);
    const struct mutation_material material = {corpus.texts, corpus.count, poison, POISON};
    size_t accepted = 0, refused = 0, bad = 0;
    double slowest = 0.0;
    for (size_t n = first; n < first + wanted; n++) {
        struct random r = {seed ^ (uint64_t)n * 0x9e3779b97f4a7c15u};
        /* every sixth case is JSON */
        bool json = n % 6 == 5, taken = false;
        const struct text *base = json ? &corpus.texts[random_between(&r, plain, corpus.count - 1)]
                                       : &corpus.texts[random_between(&r, 0, plain - 1)];
        struct text t = {base->name, malloc(base->length + 1), base->length};
        if (!t.bytes)
            return 2;
        memcpy(t.bytes, base->bytes, base->length + 1);
        for (size_t k = random_bits(&r) & 1 ? 1 : random_between(&r, 2, 5); k > 0; k--)
            mutate(&r, &t, &material);
        snprintf(case_path, sizeof case_path, "%s/case-%zu", folder, n);
        write_case(case_path, &t);
        struct error e;
        double start = processor_seconds(), allowed = slow;
        set_limit(SECONDS);
        in_case = 1;
        const char *wrong = look_at(case_path, &taken, &allowed, &e);
        in_case = 0;
        set_limit(0);
        double seconds = processor_seconds() - start;
        slowest = seconds > slowest ? seconds : slowest;
        if (!wrong && seconds > allowed)
            wrong = "took too long";
        accepted += taken;
        refused += !taken;
        if (wrong) {
            bad++;
            printf("FAIL  case %zu, %s, from %s, %.2f s: %s\n      %s\n", n, case_path, base->name, seconds, wrong,
                   e.message);
        } else {
            unlink(case_path);
        }
        free(t.bytes);
    }
    printf("%zu accepted, %zu refused, %zu wrong; the slowest took %.3f s\n", accepted, refused, bad, slowest);
    for (size_t i = 0; i < corpus.count; i++) {
        free(corpus.texts[i].name);
        free(corpus.texts[i].bytes);
    }
    if (!bad)
        rmdir(folder);
    fflush(stdout); /* before a leak sanitizer ends the program */
    return bad ? 1 : 0;
}
