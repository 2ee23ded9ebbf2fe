/* SPDX-License-Identifier: MIT */
#include "render/hybrid/image_paths.h"

#include <stdlib.h>
#include <string.h>

int image_paths_add(struct image_paths *paths, const struct image_path *path, struct error *e)
{
    if (paths->count == paths->capacity) {
        const size_t capacity = paths->capacity ? 2 * paths->capacity : 64;
        struct image_path *list = realloc(paths->list, capacity * sizeof *list);
        if (!list)
            return fail(e, ERROR_MEMORY, "out of memory for %zu image sources", capacity);
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

/* A merge sort, which keeps the order of equals. */
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
        return fail(e, ERROR_MEMORY, "out of memory for %zu image sources", paths->count);
    sort(paths->list, scratch, paths->count);
    free(scratch);
    return 0;
}
