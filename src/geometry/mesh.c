/* SPDX-License-Identifier: MIT */
#include "geometry/mesh.h"

#include <math.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"

void mesh_free(struct mesh *m)
{
    for (size_t i = 0; i < m->material_count; i++)
        free(m->materials[i]);
    free(m->materials);
    free(m->triangles);
    free(m->vertices);
    memset(m, 0, sizeof *m);
}

/* A node of the tree of names. */
struct named {
    const char *name; /* in mesh.materials, or what is searched for */
    uint32_t index;
};

static int by_name(const void *a, const void *b)
{
    return strcmp(((const struct named *)a)->name, ((const struct named *)b)->name);
}

bool mesh_coordinate_valid(double value)
{
    return fabs(value) <= MESH_COORDINATE_MAX; /* false for NaN */
}

/* Room for one more item of `size` bytes: twice the room where it is used up. */
static int grow(void **items, size_t count, size_t *room, size_t size, size_t max, const char *path, const char *what,
                struct error *e)
{
    enum { FIRST = 256 }; /* items */
    if (count < *room)
        return 0;
    if (count >= max)
        return fail(e, ERROR_INPUT, "%s: has more than %zu %s; simplify the model", path, max, what);
    const size_t wanted = *room ? 2 * *room : FIRST;
    if (memory_demand((double)(wanted * size), e, "%s: its %s", path, what))
        return -1;
    void *larger = realloc(*items, wanted * size);
    if (!larger)
        return fail(e, ERROR_MEMORY, "%s: out of memory", path);
    *items = larger;
    *room = wanted;
    return 0;
}

int mesh_add_vertex(struct mesh_builder *b, const char *path, const double position[3], struct error *e)
{
    void *items = b->mesh.vertices;
    if (grow(&items, b->mesh.vertex_count, &b->vertex_room, sizeof *b->mesh.vertices, MESH_COUNT_MAX, path, "vertices",
             e))
        return -1;
    b->mesh.vertices = items;
    memcpy(b->mesh.vertices[b->mesh.vertex_count++], position, sizeof *b->mesh.vertices);
    return 0;
}

int mesh_add_triangle(struct mesh_builder *b, const char *path, const struct triangle *t, struct error *e)
{
    void *items = b->mesh.triangles;
    if (grow(&items, b->mesh.triangle_count, &b->triangle_room, sizeof *t, MESH_COUNT_MAX, path, "triangles", e))
        return -1;
    b->mesh.triangles = items;
    b->mesh.triangles[b->mesh.triangle_count++] = *t;
    return 0;
}

/* Fresh memory; NULL: out of memory. */
static char *clean_name(const char *name)
{
    static const char replacement[] = "\xEF\xBF\xBD"; /* U+FFFD */
    char *clean = malloc(3 * strlen(name) + 1), *to = clean;
    while (clean && *name) {
        uint32_t letter;
        const size_t bytes = text_letter(name, &letter);
        const bool good = bytes && letter >= ' ' && !(letter >= 0x7F && letter < 0xA0);
        const size_t copied = good ? bytes : sizeof replacement - 1;
        memcpy(to, good ? name : replacement, copied);
        to += copied;
        name += bytes ? bytes : 1;
    }
    if (clean)
        *to = '\0';
    return clean;
}

/* Adds a name that is not there yet, and owns it from then on. */
static int add_name(struct mesh_builder *b, const char *path, char *name, struct error *e)
{
    struct mesh *m = &b->mesh;
    void *items = m->materials;
    if (grow(&items, m->material_count, &b->material_room, sizeof *m->materials, MESH_MATERIALS_MAX, path,
             "material names", e)) {
        free(name);
        return -1;
    }
    m->materials = items;
    m->materials[m->material_count++] = name;
    struct named *node = malloc(sizeof *node);
    if (node)
        *node = (struct named){name, (uint32_t)m->material_count - 1};
    if (!node || !tsearch(node, &b->names, by_name)) {
        free(node);
        return fail(e, ERROR_MEMORY, "%s: out of memory", path);
    }
    return 0;
}

int mesh_add_material(struct mesh_builder *b, const char *path, const char *name, uint32_t *index, struct error *e)
{
    char *clean = clean_name(name);
    if (!clean)
        return fail(e, ERROR_MEMORY, "%s: out of memory", path);
    const struct named wanted = {clean, 0};
    struct named *const *found = tfind(&wanted, &b->names, by_name);
    *index = found ? (*found)->index : (uint32_t)b->mesh.material_count;
    if (!found)
        return add_name(b, path, clean, e);
    free(clean);
    return 0;
}

void mesh_builder_take(struct mesh_builder *b, struct mesh *m)
{
    *m = b->mesh;
    memset(&b->mesh, 0, sizeof b->mesh);
    mesh_builder_free(b);
}

void mesh_builder_free(struct mesh_builder *b)
{
    tdestroy(b->names, free);
    mesh_free(&b->mesh);
    memset(b, 0, sizeof *b);
}
