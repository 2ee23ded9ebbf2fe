/* SPDX-License-Identifier: MIT */
#include "studio/import.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/text.h"
#include "geometry/mesh_materials.h"
#include "geometry/mesh_read.h"
#include "io/json_build.h"
#include "room/room.h"

enum { SUGGESTIONS = 5 };
/* m: bounds of the shortest and of the longest side, the first of most rooms, the second of halls and low rooms as well */
struct sides {
    double shortest[2], longest[2];
};
static const struct sides usual = {{2.0, 12.0}, {2.5, 80.0}}, possible = {{1.5, 30.0}, {2.0, 150.0}};
static const double listening_height = 1.2; /* m above the floor */
static const char fallback[] = "painted_plaster";

static void measure(const struct mesh *m, double least[3], double size[3])
{
    double greatest[3];
    mesh_bounds(m, least, greatest);
    for (int k = 0; k < 3; k++)
        size[k] = greatest[k] - least[k];
}

static bool is_within(const double size[3], const struct sides *s)
{
    const double longest = fmax(size[0], fmax(size[1], size[2])), shortest = fmin(size[0], fmin(size[1], size[2]));
    return longest >= s->longest[0] && longest <= s->longest[1] && shortest >= s->shortest[0] &&
           shortest <= s->shortest[1];
}

static int named(const char *name, const char *const *names, size_t count, const char *member, struct error *e)
{
    for (size_t i = 0; i < count; i++)
        if (!strcmp(names[i], name))
            return (int)i;
    fail(e, ERROR_INPUT, "%s: is none of aula's: %s", member, name);
    return -1;
}

/* Metres wherever a room may have that size; else the first other unit in which the size is usual, else possible. */
static const struct {
    enum mesh_unit unit;
    const struct sides *sides;
} guesses[] = {{MESH_UNIT_M, &possible},  {MESH_UNIT_CM, &usual},      {MESH_UNIT_MM, &usual},
               {MESH_UNIT_INCH, &usual},  {MESH_UNIT_FT, &usual},      {MESH_UNIT_CM, &possible},
               {MESH_UNIT_MM, &possible}, {MESH_UNIT_INCH, &possible}, {MESH_UNIT_FT, &possible}};

/* Reads the model in the unit that is given, that the file states, or that `guesses` proposes; else in metres. */
static int read_model(struct mesh *m, struct mesh_options *o, const char *path, bool *guessed, struct error *e)
{
    double least[3], size[3];
    *guessed = o->unit == MESH_UNIT_FILE && mesh_format_is_bare(path);
    if (!*guessed)
        return mesh_read(m, path, o, e);
    for (size_t i = 0; i < sizeof guesses / sizeof *guesses; i++) {
        o->unit = guesses[i].unit;
        if (mesh_read(m, path, o, e))
            continue;
        measure(m, least, size);
        if (is_within(size, guesses[i].sides))
            return 0;
        mesh_free(m);
    }
    o->unit = MESH_UNIT_M;
    return mesh_read(m, path, o, e);
}

static void add_suggestions(cJSON *item, const char *name, const struct room *library)
{
    const char **names = calloc(library->material_count + 1, sizeof *names);
    size_t meant[SUGGESTIONS];
    cJSON *list = cJSON_AddArrayToObject(item, "suggestions");
    if (!names)
        return;
    for (size_t i = 0; i < library->material_count; i++)
        names[i] = library->materials[i].name;
    const size_t count = text_meant(meant, SUGGESTIONS, name, NULL, names, library->material_count);
    for (size_t i = 0; i < count; i++)
        cJSON_AddItemToArray(list, cJSON_CreateString(names[meant[i]]));
    free(names);
}

static const char *first_suggestion(const cJSON *item)
{
    const cJSON *first = cJSON_GetArrayItem(cJSON_GetObjectItemCaseSensitive(item, "suggestions"), 0);
    return first ? first->valuestring : fallback;
}

/* Adds the names with triangles. */
static int add_names(cJSON *json, const struct mesh *m, const struct room *library, struct error *e)
{
    double *areas = calloc(m->material_count + 1, sizeof *areas);
    cJSON *names = cJSON_AddArrayToObject(json, "names");
    if (!areas)
        return fail(e, ERROR_MEMORY, "out of memory");
    mesh_areas(m, areas);
    for (size_t i = 0; i < m->material_count; i++) {
        if (!(areas[i] > 0.0))
            continue;
        cJSON *item = cJSON_CreateObject();
        cJSON_AddStringToObject(item, "name", m->materials[i]);
        cJSON_AddNumberToObject(item, "area", areas[i]);
        add_suggestions(item, m->materials[i], library);
        cJSON_AddItemToArray(names, item);
    }
    free(areas);
    return 0;
}

/* As a text of libconfig. */
static void add_quoted(struct growing_text *t, const char *text)
{
    growing_text_add(t, "\"");
    for (; *text; text++)
        growing_text_add(t, *text == '"' || *text == '\\' ? "\\%c" : "%c", *text);
    growing_text_add(t, "\"");
}

/* In patterns * and ? stand for letters; a name that has them matches itself, too. */
static char *room_text(const char *path, const struct mesh_options *o, const cJSON *names, const double least[3],
                       const double size[3])
{
    const double height = listening_height < 0.8 * size[2] ? listening_height : 0.5 * size[2];
    struct growing_text t = {0};
    const cJSON *item;
    growing_text_add(&t, "# From the model %s.\n\nroom: {\n  geometry = {\n    file = ", path_name(path));
    add_quoted(&t, path);
    growing_text_add(&t, ";\n");
    if (o->unit != MESH_UNIT_FILE)
        growing_text_add(&t, "    unit = \"%s\";\n", mesh_unit_names[o->unit]);
    if (o->up != MESH_UP_FILE)
        growing_text_add(&t, "    up = \"%s\";\n", mesh_up_names[o->up]);
    growing_text_add(&t, "    materials = (\n");
    cJSON_ArrayForEach(item, names)
    {
        growing_text_add(&t, "      { name = ");
        add_quoted(&t, cJSON_GetObjectItemCaseSensitive(item, "name")->valuestring);
        growing_text_add(&t, "; material = \"%s\"; }%s\n", first_suggestion(item), item->next ? "," : "");
    }
    growing_text_add(&t, "    );\n  };\n};\n\ngrid: { max_frequency = 1000.0; };   # Hz\n\n");
    static const double share[2][2] = {{0.3, 0.35}, {0.65, 0.6}};
    static const char *const lists[2] = {"sources", "receivers"}, *const called[2] = {"source", "listener"};
    for (int i = 0; i < 2; i++)
        growing_text_add(&t, "%s: (\n  { name = \"%s\"; position = [%.2f, %.2f, %.2f]; }\n);\n%s", lists[i], called[i],
                         least[0] + share[i][0] * size[0], least[1] + share[i][1] * size[1], least[2] + height,
                         i ? "" : "\n");
    return growing_text_take(&t, NULL);
}

static void add_doubts(cJSON *json, const struct mesh_options *o, bool guessed, const char *path, const double size[3])
{
    cJSON *doubts = cJSON_AddArrayToObject(json, "doubts");
    char text[256];
    if (guessed) {
        snprintf(text, sizeof text, "%s states no unit. In %s the room is %.2f × %.2f × %.2f m: is that right?",
                 path_name(path), mesh_unit_names[o->unit], size[0], size[1], size[2]);
        cJSON_AddItemToArray(doubts, cJSON_CreateString(text));
    }
    if (o->up == MESH_UP_FILE && mesh_format_is_bare(path) && size[1] < 0.6 * fmin(size[0], size[2])) {
        snprintf(text, sizeof text, "The model is only %.2f m wide along y, but %.2f m high: y may point up.", size[1],
                 size[2]);
        cJSON_AddItemToArray(doubts, cJSON_CreateString(text));
    }
}

static cJSON *describe(const struct mesh *m, const struct mesh_options *o, const char *path, bool guessed,
                       const struct room *library, struct error *e)
{
    double least[3], size[3];
    cJSON *json = cJSON_CreateObject();
    measure(m, least, size);
    if (add_names(json, m, library, e)) {
        cJSON_Delete(json);
        return NULL;
    }
    const cJSON *names = cJSON_GetObjectItemCaseSensitive(json, "names");
    struct mesh_options written = *o;
    if (written.up == MESH_UP_FILE && mesh_format_is_bare(path))
        written.up = MESH_UP_Z;
    char *text = room_text(path, &written, names, least, size);
    if (text)
        cJSON_AddStringToObject(json, "text", text);
    free(text);
    cJSON_AddItemToObject(json, "size", cJSON_CreateDoubleArray(size, 3));
    cJSON_AddStringToObject(json, "unit", mesh_unit_names[o->unit]);
    cJSON_AddStringToObject(json, "up", mesh_up_names[written.up]);
    add_doubts(json, o, guessed, path, size);
    return json;
}

cJSON *import_json(const char *path, const char *unit, const char *up, struct error *e)
{
    struct mesh_options o = {.unit = MESH_UNIT_FILE, .up = MESH_UP_FILE};
    struct mesh m = {.vertices = NULL};
    struct room *library = NULL;
    bool guessed = false;
    cJSON *json = NULL;
    const int chosen_unit = *unit ? named(unit, mesh_unit_names, MESH_UNIT_COUNT, "unit", e) : MESH_UNIT_FILE;
    const int chosen_up = *up && chosen_unit >= 0 ? named(up, mesh_up_names, MESH_UP_COUNT, "up", e) : MESH_UP_FILE;
    if (chosen_unit < 0 || chosen_up < 0)
        return NULL;
    o.unit = (enum mesh_unit)chosen_unit;
    o.up = (enum mesh_up)chosen_up;
    if (!read_model(&m, &o, path, &guessed, e) && !room_read_library(&library, e))
        json = describe(&m, &o, path, guessed, library, e);
    mesh_free(&m);
    room_free(library);
    return json;
}
