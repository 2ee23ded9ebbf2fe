/* SPDX-License-Identifier: MIT */
#include "geometry/rays/scene.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "geometry/rays/facets.h"

void ray_scene_free(struct ray_scene *s)
{
    free(s->faces);
    memset(s, 0, sizeof *s);
}

static double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* Slivers stay: without them their neighbours, whose corners are rounded, would leave a crack. */
static void add_face(struct ray_scene *s, const double corner[3][3], const struct ray_face *like)
{
    struct ray_face f = *like;
    double a[3], b[3];
    for (int i = 0; i < 3; i++) {
        a[i] = corner[1][i] - corner[0][i];
        b[i] = corner[2][i] - corner[0][i];
    }
    memcpy(f.corner, corner, sizeof f.corner);
    for (int i = 0; i < 3; i++)
        f.normal[i] = a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3];
    const double twice = sqrt(dot(f.normal, f.normal));
    if (!isnormal(twice))
        return;
    for (int i = 0; i < 3; i++)
        f.normal[i] /= twice;
    f.area = 0.5 * twice;
    s->faces[s->count++] = f;
}

/* By falling index of the material, otherwise in their order. */
static int add_triangles(struct ray_scene *s, const struct surface *surface, struct error *e)
{
    size_t *next = calloc(surface->material_count + 1, sizeof *next);
    const struct surface_triangle **order = calloc(surface->triangle_count + 1, sizeof *order);
    int status = next && order ? 0 : fail(e, ERROR_MEMORY, "out of memory");
    for (size_t i = 0; i < surface->triangle_count && !status; i++)
        next[surface->triangles[i].material]++;
    for (size_t m = surface->material_count, start = 0; m-- > 0 && !status;) {
        const size_t count = next[m];
        next[m] = start;
        start += count;
    }
    for (size_t i = 0; i < surface->triangle_count && !status; i++)
        order[next[surface->triangles[i].material]++] = &surface->triangles[i];
    for (size_t i = 0; i < surface->triangle_count && !status; i++)
        add_face(s, order[i]->corner,
                 &(struct ray_face){.material = order[i]->material, .back = order[i]->back, .solid = RAY_NO_SOLID});
    free(order);
    free(next);
    return status;
}

struct solid_faces {
    struct ray_scene *scene;
    uint32_t material, solid;
};

static void add_facet(void *context, const double corner[3][3], bool curved)
{
    const struct solid_faces *of = context;
    add_face(of->scene, corner,
             &(struct ray_face){.material = of->material, .back = of->material, .solid = of->solid, .curved = curved});
}

int ray_scene_make(struct ray_scene *s, const struct surface *surface, double deviation, struct error *e)
{
    size_t most = surface->triangle_count;
    for (size_t i = 0; i < surface->solid_count; i++)
        most += facets_max(&surface->solids[i], deviation);
    s->faces = calloc(most + 1, sizeof *s->faces);
    if (!s->faces)
        return fail(e, ERROR_MEMORY, "out of memory");
    if (add_triangles(s, surface, e))
        return -1;
    for (size_t i = 0; i < surface->solid_count; i++) {
        struct solid_faces of = {s, surface->solids[i].material, (uint32_t)i};
        double off;
        if (facets_of(&(struct facet_sink){&of, add_facet}, &surface->solids[i], deviation, &off, e))
            return -1;
        s->deviation = fmax(s->deviation, off);
    }
    if (!s->count)
        return fail(e, ERROR_INPUT, "the room has no faces for rays to hit");
    for (int k = 0; k < 3; k++) {
        s->lower[k] = INFINITY;
        s->upper[k] = -INFINITY;
    }
    for (size_t i = 0; i < s->count; i++)
        for (int corner = 0; corner < 3; corner++)
            for (int k = 0; k < 3; k++) {
                s->lower[k] = fmin(s->lower[k], s->faces[i].corner[corner][k]);
                s->upper[k] = fmax(s->upper[k], s->faces[i].corner[corner][k]);
            }
    for (int k = 0; k < 3; k++)
        s->extent = fmax(s->extent, s->upper[k] - s->lower[k]);
    return 0;
}

/* Squared, from a place to an edge. */
static double edge_distance(const double at[3], const double from[3], const double to[3])
{
    double edge[3], place[3], square = 0.0;
    for (int i = 0; i < 3; i++) {
        edge[i] = to[i] - from[i];
        place[i] = at[i] - from[i];
    }
    const double t = fmin(fmax(dot(place, edge) / dot(edge, edge), 0.0), 1.0);
    for (int i = 0; i < 3; i++)
        square += (place[i] - t * edge[i]) * (place[i] - t * edge[i]);
    return square;
}

static double face_distance(const struct ray_face *f, const double at[3])
{
    double least = INFINITY, from[3];
    bool within = true;
    for (int i = 0; i < 3; i++)
        from[i] = at[i] - f->corner[0][i];
    const double height = dot(from, f->normal);
    for (int c = 0; c < 3; c++) {
        const double *p = f->corner[c], *q = f->corner[(c + 1) % 3];
        double side = 0.0;
        for (int i = 0; i < 3; i++) { /* normal · (edge × (at - p)) */
            const int j = (i + 1) % 3, k = (i + 2) % 3;
            side += f->normal[i] * ((q[j] - p[j]) * (at[k] - p[k]) - (q[k] - p[k]) * (at[j] - p[j]));
        }
        within = within && side >= 0.0;
        least = fmin(least, edge_distance(at, p, q));
    }
    return within ? fabs(height) : sqrt(least);
}

double ray_scene_distance(const struct ray_scene *s, const double at[3])
{
    double least = INFINITY;
    for (size_t i = 0; i < s->count; i++)
        least = fmin(least, face_distance(&s->faces[i], at));
    return least;
}

double ray_scene_enclosed(const struct ray_scene *s)
{
    double volume = 0.0;
    for (size_t i = 0; i < s->count; i++)
        volume += dot(s->faces[i].corner[0], s->faces[i].normal) * s->faces[i].area / 3.0;
    return volume;
}
