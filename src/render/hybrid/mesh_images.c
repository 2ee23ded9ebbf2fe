/* SPDX-License-Identifier: MIT */
#include "render/hybrid/mesh_images.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/stop.h"
#include "render/hybrid/path_walls.h"

size_t mesh_images_all(const struct mirrors *mirrors, size_t order, double tries)
{
    double sequences = (double)mirrors->count;
    size_t all = 1;
    while (all < order && (sequences *= (double)mirrors->count) <= tries)
        all++;
    return all < order ? all : order;
}

struct search {
    const struct mesh_room *room;
    struct image_paths *paths;
    const double *source, *receiver;
    double longest;
    size_t all;                          /* order up to which all sequences are tried */
    double image[PATH_WALLS_MAX + 1][3]; /* image[n]: after n mirrors */
    uint32_t sequence[PATH_WALLS_MAX];
    struct ray flights[PATH_WALLS_MAX + 1]; /* segments of the current path, each with its length as reach */
};

static double towards(double direction[3], const double from[3], const double to[3])
{
    double square = 0.0;
    for (int k = 0; k < 3; k++) {
        direction[k] = to[k] - from[k];
        square += direction[k] * direction[k];
    }
    for (int k = 0; k < 3; k++)
        direction[k] = square > 0.0 ? direction[k] / sqrt(square) : k == 0; /* a path of length 0: along x */
    return sqrt(square);
}

/* Whether the line from a position to an image crosses the mirror within the bounding box of its
 * faces. */
static bool may_pass(const struct mirror *mirror, const double from[3], const double direction[3], double distance)
{
    const double *n = mirror->normal;
    const double above = mirror->offset - (from[0] * n[0] + from[1] * n[1] + from[2] * n[2]);
    const double along = direction[0] * n[0] + direction[1] * n[1] + direction[2] * n[2];
    const double at = above / along;
    if (!(at > 0.0 && at < distance))
        return false;
    for (int k = 0; k < 3; k++) {
        const double place = from[k] + at * direction[k];
        if (!(place >= mirror->lower[k] && place <= mirror->upper[k]))
            return false;
    }
    return true;
}

/* Normal of mirror n, unfolded over the mirrors between it and the receiver. */
static void unfold(double normal[3], const struct search *s, size_t n, size_t order, double sign)
{
    const struct mirror *list = s->room->mirrors->list;
    for (int k = 0; k < 3; k++)
        normal[k] = sign * list[s->sequence[n - 1]].normal[k];
    for (size_t m = n; m < order; m++) {
        const double *across = list[s->sequence[m]].normal;
        const double along = normal[0] * across[0] + normal[1] * across[1] + normal[2] * across[2];
        for (int k = 0; k < 3; k++)
            normal[k] -= 2.0 * along * across[k];
    }
}

/* Traces back from the receiver to the source over the first `order` mirrors of the sequence. */
static bool follow(struct image_path *path, struct search *s, size_t order)
{
    const struct mesh_room *room = s->room;
    struct ray ray = {.left = RAY_NO_FACE};
    double along[3]; /* distance without the offset that leaving a face adds */
    memcpy(ray.origin, s->receiver, sizeof ray.origin);
    ray.reach = towards(ray.direction, ray.origin, s->image[order]);
    *path = (struct image_path){.distance = ray.reach, .order = (uint32_t)order, .wall_count = (uint32_t)order};
    memcpy(path->arrival, ray.direction, sizeof path->arrival);
    memcpy(path->mirrors, s->sequence, order * sizeof *path->mirrors);
    memcpy(along, ray.direction, sizeof along);
    if (!(path->distance <= s->longest))
        return false;
    for (size_t n = order; n > 0; n--) {
        const struct mirror *mirror = &room->mirrors->list[s->sequence[n - 1]];
        struct ray_hit hit;
        if (!may_pass(mirror, ray.origin, ray.direction, ray.reach) || !ray_tree_closest(room->tree, &ray, &hit) ||
            room->mirrors->of_face[hit.face] != s->sequence[n - 1])
            return false;
        s->flights[n] = ray;
        s->flights[n].reach = hit.distance;
        ray_leave(ray.origin, NULL, room->scene, &ray, &hit);
        const double cosine =
            along[0] * mirror->normal[0] + along[1] * mirror->normal[1] + along[2] * mirror->normal[2];
        path->walls[n - 1] =
            (struct path_wall){.material = ray_face_material(&room->scene->faces[hit.face], ray.direction),
                               .count = 1,
                               .cosine = fmin(fabs(cosine), 1.0)};
        unfold(path->walls[n - 1].normal, s, n, order, cosine < 0.0 ? -1.0 : 1.0);
        for (int k = 0; k < 3; k++)
            along[k] -= 2.0 * cosine * mirror->normal[k];
        ray.left = hit.face;
        ray.reach = towards(ray.direction, ray.origin, s->image[n - 1]);
    }
    for (int k = 0; k < 3; k++)
        path->departure[k] = -along[k];
    if (ray_tree_blocked(room->tree, &ray))
        return false;
    s->flights[0] = ray;
    if (room->edges)
        path_edges_find(path, room->edges, s->flights, order + 1, room->sound_speed);
    return true;
}

static int try_sequence(struct search *s, size_t order, struct error *e)
{
    struct image_path path;
    return follow(&path, s, order) ? image_paths_add(s->paths, &path, e) : 0;
}

/* Tries all sequences that extend the first `depth` mirrors, up to PATH_WALLS_MAX. */
static int search_all(struct search *s, size_t depth, struct error *e)
{
    const struct mirrors *mirrors = s->room->mirrors;
    if (depth >= PATH_WALLS_MAX)
        return 0;
    for (size_t i = 0; i < mirrors->count; i++) {
        if ((depth && s->sequence[depth - 1] == i) ||
            !mirror_image(s->image[depth + 1], &mirrors->list[i], s->image[depth]))
            continue;
        s->sequence[depth] = (uint32_t)i;
        if (try_sequence(s, depth + 1, e) || (depth + 1 < s->all && search_all(s, depth + 1, e)))
            return -1;
    }
    return depth > 1 ? 0 : stop_check(e);
}

static int search_given(struct search *s, const struct mirror_sequences *given, struct error *e)
{
    for (size_t i = 0; i < given->count; i++) {
        size_t order = 0;
        bool apart = true;
        memcpy(s->sequence, given->list[i], sizeof s->sequence);
        for (; order < PATH_WALLS_MAX && s->sequence[order] != MIRROR_NONE && apart; order++)
            apart = mirror_image(s->image[order + 1], &s->room->mirrors->list[s->sequence[order]], s->image[order]);
        if ((apart && order > s->all && try_sequence(s, order, e)) || (i % 1024 == 0 && stop_check(e)))
            return -1;
    }
    return 0;
}

int mesh_images_find(struct image_paths *paths, const struct mesh_room *room, const double source[3],
                     const double receiver[3], size_t all, const struct mirror_sequences *longer, double longest,
                     struct error *e)
{
    struct search s = {
        .room = room, .paths = paths, .source = source, .receiver = receiver, .longest = longest, .all = all};
    memcpy(s.image[0], source, sizeof s.image[0]);
    if (try_sequence(&s, 0, e) || (all && search_all(&s, 0, e)) || (longer && search_given(&s, longer, e)))
        return -1;
    return image_paths_sort(paths, e);
}
