/* SPDX-License-Identifier: MIT */
#include "render/hybrid/image_paths.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

int image_paths_add(struct image_paths *paths, const struct image_path *path, struct error *e)
{
    if (paths->count == paths->capacity) {
        const size_t capacity = paths->capacity ? 2 * paths->capacity : 64;
        struct image_path *list = realloc(paths->list, capacity * sizeof *list);
        if (!list)
            return fail(e, ERROR_MEMORY, "out of memory");
        paths->list = list;
        paths->capacity = capacity;
    }
    paths->list[paths->count++] = *path;
    return 0;
}

void image_paths_free(struct image_paths *paths)
{
    free(paths->list);
    memset(paths, 0, sizeof *paths);
}

/* Merge sort, which keeps the order of equals. */
static void sort(struct image_path *list, struct image_path *scratch, size_t count)
{
    const size_t half = count / 2;
    if (count < 2)
        return;
    sort(list, scratch, half);
    sort(list + half, scratch, count - half);
    memcpy(scratch, list, half * sizeof *list);
    for (size_t i = 0, j = half, k = 0; i < half; k++)
        list[k] = j < count && list[j].distance < scratch[i].distance ? list[j++] : scratch[i++];
}

int image_paths_sort(struct image_paths *paths, struct error *e)
{
    struct image_path *scratch = malloc((paths->count / 2 + 1) * sizeof *scratch);
    if (!scratch)
        return fail(e, ERROR_MEMORY, "out of memory");
    sort(paths->list, scratch, paths->count);
    free(scratch);
    return 0;
}

/* An image along one axis, theory (76): at 2nL + x or 2nL - x. */
struct axis_image {
    double place;    /* from the receiver, m */
    bool mirrored;   /* 2nL - x */
    size_t count[2]; /* reflections at the wall at 0 and at the opposite one */
};

/* Fills images [4 order + 2] of at most `order` reflections; returns their number. */
static size_t images_along(struct axis_image *images, double size, double source, double receiver, size_t order)
{
    const long last = (long)(order + 1) / 2;
    size_t count = 0;
    for (long n = -last; n <= last; n++)
        for (long mirrored = 0; mirrored < 2; mirrored++) {
            const struct axis_image image = {.place = 2.0 * (double)n * size + (mirrored ? -source : source) - receiver,
                                             .mirrored = mirrored,
                                             .count = {(size_t)labs(n - mirrored), (size_t)labs(n)}};
            if (image.count[0] + image.count[1] <= order)
                images[count++] = image;
        }
    return count;
}

/* The path from the image at these positions along the axes. */
static struct image_path path_of(const struct axis_image *const along[3], const struct image_box *box)
{
    const double square =
        along[0]->place * along[0]->place + along[1]->place * along[1]->place + along[2]->place * along[2]->place;
    struct image_path path = {.distance = sqrt(square)};
    for (int axis = 0; axis < 3; axis++) {
        path.arrival[axis] = path.distance > 0.0 ? along[axis]->place / path.distance : axis == 0;
        path.departure[axis] = along[axis]->mirrored ? path.arrival[axis] : -path.arrival[axis];
        for (int side = 0; side < 2; side++) {
            if (!along[axis]->count[side])
                continue;
            path.order += (uint32_t)along[axis]->count[side];
            struct path_wall *wall = &path.walls[path.wall_count++];
            *wall = (struct path_wall){.material = box->materials[2 * axis + side],
                                       .count = (uint32_t)along[axis]->count[side],
                                       .cosine = fabs(path.arrival[axis])};
            wall->normal[axis] = path.arrival[axis] < 0.0 ? -1.0 : 1.0;
        }
    }
    return path;
}

int box_images_find(struct image_paths *paths, const struct image_box *box, const double source[3],
                    const double receiver[3], size_t order, double longest, struct error *e)
{
    struct axis_image *along = calloc(3 * (4 * order + 6), sizeof *along);
    size_t count[3];
    int status = along ? 0 : fail(e, ERROR_MEMORY, "out of memory");
    struct axis_image *axes[3] = {along, along + 4 * order + 6, along + 2 * (4 * order + 6)};
    for (int axis = 0; axis < 3 && !status; axis++)
        count[axis] = images_along(axes[axis], box->size[axis], source[axis], receiver[axis], order);
    for (size_t x = 0; !status && x < count[0]; x++)
        for (size_t y = 0; !status && y < count[1]; y++)
            for (size_t z = 0; !status && z < count[2]; z++) {
                const struct axis_image *const at[3] = {&axes[0][x], &axes[1][y], &axes[2][z]};
                const struct image_path path = path_of(at, box);
                if (path.order <= order && path.distance <= longest)
                    status = image_paths_add(paths, &path, e);
            }
    free(along);
    return status ? -1 : image_paths_sort(paths, e);
}
