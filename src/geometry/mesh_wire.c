/* SPDX-License-Identifier: MIT */
#include "geometry/mesh_wire.h"

#include <stdint.h>
#include <string.h>

enum { CHUNK = 1024, FAILURE_MAX = 1023 }; /* items at a time; bytes of a message */

static const uint64_t magic = 0x6d657368766f7831u;

/* First the header, then each failure or else names, vertices and triangles, in that order. */
struct header {
    uint64_t magic, failure; /* bytes of the message; 0: a mesh */
    uint64_t materials, vertices, triangles;
};

struct wire {
    int fd;
    double deadline;
    const char *path;
};

static int put_names(int fd, const struct mesh *m)
{
    for (size_t i = 0; i < m->material_count; i++) {
        const uint32_t length = (uint32_t)strlen(m->materials[i]);
        if (wire_put(fd, &length, sizeof length) || wire_put(fd, m->materials[i], length))
            return -1;
    }
    return 0;
}

int mesh_wire_write(int fd, const struct mesh *m, const struct error *failure)
{
    struct header h = {.magic = magic};
    if (failure) {
        h.failure = strnlen(failure->message, FAILURE_MAX);
        return wire_put(fd, &h, sizeof h) || wire_put(fd, failure->message, h.failure) ? -1 : 0;
    }
    h.materials = m->material_count;
    h.vertices = m->vertex_count;
    h.triangles = m->triangle_count;
    return wire_put(fd, &h, sizeof h) || put_names(fd, m) ||
                   wire_put(fd, m->vertices, m->vertex_count * sizeof *m->vertices) ||
                   wire_put(fd, m->triangles, m->triangle_count * sizeof *m->triangles)
               ? -1
               : 0;
}

static enum wire_status get(const struct wire *w, void *bytes, size_t count)
{
    return wire_get(w->fd, w->deadline, bytes, count);
}

static enum wire_status refuse(const struct wire *w, struct error *e, const char *why)
{
    fail(e, ERROR_INPUT, "%s: the importer process returned an invalid mesh: %s", w->path, why);
    return WIRE_REFUSED;
}

static enum wire_status get_names(const struct wire *w, uint64_t count, struct mesh_builder *b, struct error *e)
{
    char name[MESH_NAME_MAX + 1];
    for (uint64_t i = 0; i < count; i++) {
        uint32_t length, index;
        enum wire_status s = get(w, &length, sizeof length);
        if (s)
            return s;
        if (length > MESH_NAME_MAX)
            return refuse(w, e, "a name is too long");
        if ((s = get(w, name, length)))
            return s;
        name[length] = '\0';
        if (mesh_add_material(b, w->path, name, &index, e))
            return WIRE_REFUSED;
        if (index != i)
            return refuse(w, e, "a name occurs twice");
    }
    return WIRE_DONE;
}

static enum wire_status get_vertices(const struct wire *w, uint64_t count, struct mesh_builder *b, struct error *e)
{
    double chunk[CHUNK][3];
    for (uint64_t done = 0, n; done < count; done += n) {
        n = count - done < CHUNK ? count - done : CHUNK;
        const enum wire_status s = get(w, chunk, n * sizeof *chunk);
        if (s)
            return s;
        for (uint64_t i = 0; i < n; i++) {
            for (int k = 0; k < 3; k++)
                if (!mesh_coordinate_valid(chunk[i][k]))
                    return refuse(w, e, "a coordinate is not a number or exceeds 1e12");
            if (mesh_add_vertex(b, w->path, chunk[i], e))
                return WIRE_REFUSED;
        }
    }
    return WIRE_DONE;
}

static enum wire_status get_triangles(const struct wire *w, const struct header *h, struct mesh_builder *b,
                                      struct error *e)
{
    struct triangle chunk[CHUNK];
    for (uint64_t done = 0, n; done < h->triangles; done += n) {
        n = h->triangles - done < CHUNK ? h->triangles - done : CHUNK;
        const enum wire_status s = get(w, chunk, n * sizeof *chunk);
        if (s)
            return s;
        for (uint64_t i = 0; i < n; i++) {
            const uint32_t *v = chunk[i].vertex;
            if (v[0] >= h->vertices || v[1] >= h->vertices || v[2] >= h->vertices || chunk[i].material >= h->materials)
                return refuse(w, e, "a triangle refers to a missing vertex or material");
            if (mesh_add_triangle(b, w->path, &chunk[i], e))
                return WIRE_REFUSED;
        }
    }
    return WIRE_DONE;
}

static enum wire_status get_failure(const struct wire *w, size_t length, struct error *e)
{
    char message[FAILURE_MAX + 1] = "";
    const enum wire_status s = get(w, message, length);
    if (s)
        return s;
    wire_clean(message);
    fail(e, ERROR_INPUT, "%s", message);
    return WIRE_DONE;
}

enum wire_status mesh_wire_read(int fd, double deadline, const char *path, struct mesh_builder *b, bool *failed,
                                struct error *e)
{
    const struct wire w = {fd, deadline, path};
    struct header h;
    enum wire_status s = get(&w, &h, sizeof h);
    if (s)
        return s;
    *failed = h.failure > 0;
    if (h.magic != magic || h.failure > FAILURE_MAX || h.materials > MESH_MATERIALS_MAX ||
        h.vertices > MESH_COUNT_MAX || h.triangles > MESH_COUNT_MAX)
        return refuse(&w, e, "the sizes are wrong");
    if (*failed)
        return get_failure(&w, h.failure, e);
    s = get_names(&w, h.materials, b, e);
    if (!s)
        s = get_vertices(&w, h.vertices, b, e);
    return s ? s : get_triangles(&w, &h, b, e);
}
