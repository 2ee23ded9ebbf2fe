/* SPDX-License-Identifier: MIT */
#include "geometry/obj_read.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/c_locale.h"
#include "base/stop.h"
#include "base/text.h"
#include "geometry/mesh.h"
#include "geometry/obj_text.h"
#include "geometry/polygon.h"

struct obj_reader {
    struct obj_text text;
    struct mesh_builder builder;
    struct ear_clipper clipper;
    uint64_t line;                    /* where the statement began */
    size_t faces;                     /* so far, this one included */
    char material[MESH_NAME_MAX + 1]; /* of the last usemtl; "": none */
    char group[MESH_NAME_MAX + 1];    /* of the last g or o */
    uint32_t material_index;          /* of the name in force */
    bool material_known;              /* material_index is valid */
    uint32_t corners[POLYGON_CORNERS_MAX];
    size_t corner_count;
};

static const char *name_in_force(const struct obj_reader *r)
{
    return *r->material ? r->material : r->group;
}

/* Names file, line, face and material. */
static int face_fault(const struct obj_reader *r, struct error *e, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
static int face_fault(const struct obj_reader *r, struct error *e, const char *format, ...)
{
    struct error why = {0};
    char name[QUOTED];
    va_list arguments;
    va_start(arguments, format);
    fail_va(&why, ERROR_INPUT, format, arguments);
    va_end(arguments);
    const bool named = *name_in_force(r) != '\0';
    return fail(e, ERROR_INPUT, "%s:%llu: face %zu%s%s%s: %s", r->text.path, (unsigned long long)r->line, r->faces,
                named ? " (material " : "", named ? quoted(name, name_in_force(r)) : "", named ? ")" : "", why.message);
}

/* Decimal numbers only: strtod takes hexadecimal ones, too. */
static bool number_is_valid(const struct obj_text *t, double *value)
{
    const bool decimal = t->word[strspn(t->word, "0123456789+-.eE")] == '\0';
    return !t->cut && decimal && !text_number(t->word, value) && mesh_coordinate_valid(*value);
}

static int read_vertex(struct obj_reader *r, struct error *e)
{
    double position[3];
    char word[QUOTED];
    for (int k = 0; k < 3; k++) {
        if (!obj_text_word(&r->text))
            return fail(e, ERROR_INPUT, "%s:%llu: vertex %zu has %d coordinates; it needs 3", r->text.path,
                        (unsigned long long)r->line, r->builder.mesh.vertex_count + 1, k);
        if (!number_is_valid(&r->text, &position[k]))
            return fail(e, ERROR_INPUT, "%s:%llu: vertex %zu: %s is not a number between -1e12 and 1e12", r->text.path,
                        (unsigned long long)r->line, r->builder.mesh.vertex_count + 1, quoted(word, r->text.word));
    }
    return mesh_add_vertex(&r->builder, r->text.path, position, e);
}

/* An index at *at, which is moved beyond it. */
static bool take_index(const char **at, long long *index)
{
    char *end;
    const char *digits = **at == '-' || **at == '+' ? *at + 1 : *at;
    if (*digits < '0' || *digits > '9')
        return false;
    errno = 0;
    *index = strtoll(*at, &end, 10);
    *at = end;
    return !errno;
}

/* A word such as 7, 7/1, 7//3 or 7/1/3: the index of its vertex, as the file counts. */
static bool corner_is_valid(const struct obj_text *t, long long *index)
{
    const char *at = t->word;
    long long unused;
    if (t->cut || !take_index(&at, index))
        return false;
    for (int k = 0; k < 2 && *at == '/'; k++) {
        at++;
        if (*at && *at != '/' && !take_index(&at, &unused))
            return false;
    }
    return !*at;
}

static int read_corner(struct obj_reader *r, struct error *e)
{
    const long long count = (long long)r->builder.mesh.vertex_count;
    long long index;
    char word[QUOTED];
    if (!corner_is_valid(&r->text, &index))
        return face_fault(r, e, "%s is not a corner; expected a vertex number such as 7, 7/1, 7//3 or 7/1/3",
                          quoted(word, r->text.word));
    const long long vertex = index < 0 ? count + index : index - 1;
    if (!index || vertex < 0 || vertex >= count)
        return face_fault(r, e, "there is no vertex %lld; the file has %lld before this line%s", index, count,
                          index ? "" : ", counted from 1");
    if (r->corner_count == POLYGON_CORNERS_MAX)
        return face_fault(r, e, "has more than %d corners; export triangles", POLYGON_CORNERS_MAX);
    r->corners[r->corner_count++] = (uint32_t)vertex;
    return 0;
}

static int add_triangles(struct obj_reader *r, struct error *e)
{
    struct mesh_builder *b = &r->builder;
    size_t count;
    if (!r->material_known && mesh_add_material(b, r->text.path, name_in_force(r), &r->material_index, e))
        return -1;
    r->material_known = true;
    if (polygon_triangles(&r->clipper, (const double(*)[3])b->mesh.vertices, r->corners, r->corner_count, &count, e))
        return -1;
    if (!count) { /* a face without area stays as a triangle without any: those that leave it out count it */
        memcpy(r->clipper.triangles[count++], (const uint32_t[3]){r->corners[0], r->corners[0], r->corners[1]},
               sizeof r->clipper.triangles[0]);
    }
    for (size_t i = 0; i < count; i++) {
        struct triangle t = {.material = r->material_index, .line = r->line > UINT32_MAX ? 0 : (uint32_t)r->line};
        memcpy(t.vertex, r->clipper.triangles[i], sizeof t.vertex);
        if (mesh_add_triangle(b, r->text.path, &t, e))
            return -1;
    }
    return 0;
}

static int read_face(struct obj_reader *r, struct error *e)
{
    r->faces++;
    r->corner_count = 0;
    while (obj_text_word(&r->text))
        if (read_corner(r, e))
            return -1;
    if (r->corner_count < 3)
        return face_fault(r, e, "has %zu corner%s; it needs at least 3", r->corner_count,
                          r->corner_count == 1 ? "" : "s");
    return add_triangles(r, e);
}

static int read_name(struct obj_reader *r, char name[MESH_NAME_MAX + 1], struct error *e)
{
    obj_text_rest(&r->text);
    if (r->text.cut)
        return fail(e, ERROR_INPUT, "%s:%llu: the name is longer than %d bytes; shorten it", r->text.path,
                    (unsigned long long)r->line, MESH_NAME_MAX);
    memcpy(name, r->text.word, sizeof r->text.word);
    r->material_known = false;
    return 0;
}

static int read_statement(struct obj_reader *r, struct error *e)
{
    const char *keyword = r->text.word;
    if (!strcmp(keyword, "v"))
        return read_vertex(r, e);
    if (!strcmp(keyword, "f") || !strcmp(keyword, "fo")) /* fo: of old files */
        return read_face(r, e);
    if (!strcmp(keyword, "usemtl"))
        return read_name(r, r->material, e);
    if (!strcmp(keyword, "g") || !strcmp(keyword, "o"))
        return read_name(r, r->group, e);
    if (!strcmp(keyword, "surf"))
        return fail(e, ERROR_INPUT, "%s:%llu: free-form surfaces are not supported; export polygons", r->text.path,
                    (unsigned long long)r->line);
    return 0;
}

static int check_line(struct obj_reader *r, struct error *e)
{
    return obj_text_check(&r->text, e);
}

static int read_all(struct obj_reader *r, struct error *e)
{
    do {
        r->line = r->text.line;
        const bool statement = obj_text_word(&r->text);
        if (check_line(r, e))
            return -1;
        if (statement && read_statement(r, e)) {
            check_line(r, e); /* why the statement ended early */
            return -1;
        }
    } while (obj_text_next_line(&r->text));
    if (check_line(r, e))
        return -1;
    return r->builder.mesh.triangle_count
               ? 0
               : fail(e, ERROR_INPUT, "%s: contains no faces; it is empty or not an OBJ file", r->text.path);
}

int obj_read(struct mesh *m, const char *path, struct error *e)
{
    memset(m, 0, sizeof *m);
    struct obj_reader *r = calloc(1, sizeof *r);
    locale_t before;
    if (!r)
        return fail(e, ERROR_MEMORY, "%s: out of memory", path);
    int status = c_locale_enter(&before, e);
    if (!status) {
        status = obj_text_open(&r->text, path, e) || read_all(r, e) ? -1 : 0;
        c_locale_leave(before);
    }
    if (!status)
        mesh_builder_take(&r->builder, m);
    mesh_builder_free(&r->builder);
    ear_clipper_free(&r->clipper);
    obj_text_close(&r->text);
    free(r);
    return status;
}
