/* SPDX-License-Identifier: MIT */
/* Models with random mistakes must become a room, or be refused with a message. This is the
 * short run; the long one is the test ctest -C long -L fuzz. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/nan_max.h"
#include "geometry/mesh_prepare.h"
#include "geometry/obj_read.h"
#include "validate/geometry/checks.h"
#include "validate/geometry/model_room.h"

enum { CASES = 100, MISTAKES = 3, TEXT_MAX = 1 << 22 };

static const double voxels = 5e4;

/* A random line of the text: from *start to *end, which is its newline or the end. */
static void random_line(const char *text, size_t length, size_t *start, size_t *end, struct random *r)
{
    *start = *end = random_between(r, 0, length - 1);
    while (*start > 0 && text[*start - 1] != '\n')
        --*start;
    while (*end < length && text[*end] != '\n')
        ++*end;
}

static void make_mistake(char *text, size_t length, struct random *r)
{
    size_t start, end;
    random_line(text, length, &start, &end, r);
    switch (random_between(r, 0, 3)) {
    case 0: /* remove a line */
        memset(text + start, ' ', end - start);
        break;
    case 1: /* change a digit */
        for (size_t i = start; i < end; i++)
            if (text[i] >= '0' && text[i] <= '9' && random_between(r, 0, 3) == 0)
                text[i] = (char)('0' + random_between(r, 0, 9));
        break;
    case 2: /* remove a sign, a point or a word */
        if (end > start)
            text[random_between(r, start, end - 1)] = "-.e/ vf#9"[random_between(r, 0, 8)];
        break;
    default: /* flip a bit */
        text[random_between(r, start, end < length ? end : length - 1)] ^= (char)(1 << random_between(r, 0, 6));
    }
}

struct outcomes {
    size_t rooms, refused, silent; /* silent: refused without a message of one line */
    double seconds;                /* processor time of the slowest case */
};

static int take(const char *path, const double source[3], struct error *e)
{
    const struct mesh_options options = {.unit = MESH_UNIT_M};
    struct mesh file = {.vertices = NULL};
    struct scene_mesh mesh = {.count = 0};
    struct voxel_room room = {.set = NULL};
    int status = obj_read(&file, path, e) || mesh_prepare(&file, path, &options, e);
    for (size_t i = 0; i < file.triangle_count && !status; i++) {
        const struct triangle *t = &file.triangles[i];
        mesh_add(&mesh, file.vertices[t->vertex[0]], file.vertices[t->vertex[1]], file.vertices[t->vertex[2]],
                 t->material % SCENE_MESH_MATERIALS);
    }
    status = status || voxel_room_make(&room, &mesh, spacing_for(&mesh, voxels), source, true, e);
    voxel_room_free(&room);
    mesh_clear(&mesh);
    mesh_free(&file);
    return status;
}

static int try_text(struct outcomes *o, const char *text, size_t length, const double source[3], struct error *e)
{
    char path[64];
    const int file = anonymous_file(e);
    if (file < 0)
        return -1;
    snprintf(path, sizeof path, "/dev/fd/%d", file);
    int status =
        write(file, text, length) == (ssize_t)length ? 0 : fail(e, ERROR_OUTPUT, "the temporary file is incomplete");
    if (!status) {
        const double start = processor_seconds();
        struct error refusal = {.code = ERROR_NONE};
        lseek(file, 0, SEEK_SET);
        if (!take(path, source, &refusal))
            o->rooms++;
        else if (refusal.code == ERROR_INPUT && refusal.message[0] && !strchr(refusal.message, '\n'))
            o->refused++;
        else
            o->silent++;
        o->seconds = nan_max(o->seconds, processor_seconds() - start);
    }
    close(file);
    return status;
}

int check_geometry_mutations(struct validation *v, struct report *r, struct error *e)
{
    const int count = v->cases ? v->cases : CASES * (v->full ? 10 : 1);
    const size_t index = MODELS_SHIPPED - 1; /* the smallest */
    struct outcomes outcomes = {0};
    char *text = NULL, *path = data_path(models[index].file, e);
    int status = !path || file_read_text(path, TEXT_MAX, &text, e) ? -1 : 0;
    const size_t length = text ? strlen(text) : 0;
    char *mutated = malloc(length + 1);
    if (!status && !mutated)
        status = fail(e, ERROR_MEMORY, "out of memory");
    for (int i = 0; i < count && !status; i++) {
        memcpy(mutated, text, length);
        for (size_t k = random_between(&v->random, 1, MISTAKES); k > 0; k--)
            make_mistake(mutated, length, &v->random);
        status = try_text(&outcomes, mutated, length, models[index].source, e);
    }
    free(mutated);
    free(text);
    free(path);
    if (status)
        return -1;
    report_bound(r, "mutations", (double)outcomes.silent, 0.0,
                 "%s with random mistakes: neither accepted (%zu of %d) nor refused with a message (%zu)",
                 models[index].name, outcomes.rooms, count, outcomes.refused);
    report_figure(r, "mutations", outcomes.seconds, "    processor time of the slowest case, s");
    return 0;
}
