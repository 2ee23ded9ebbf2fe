/* SPDX-License-Identifier: MIT */
#include "geometry/voxels/code_runs.h"

#include <stdlib.h>
#include <string.h>

#include "base/stop.h"

/* Index of the first byte from `from` on that is not `code`; n: none. */
static size_t end_of_run(const uint8_t *cells, size_t from, size_t n, uint8_t code)
{
    const uint64_t pattern = code * UINT64_C(0x0101010101010101);
    uint64_t word;
    size_t x = from;
    for (; x + sizeof word <= n; x += sizeof word) {
        memcpy(&word, cells + x, sizeof word);
        if (word != pattern)
            break;
    }
    while (x < n && cells[x] == code)
        x++;
    return x;
}

/* The runs of a row of bytes; `runs` has room for n. Their count. */
static size_t code_runs_of_bytes(struct code_run *runs, const uint8_t *cells, size_t n)
{
    size_t count = 0;
    for (size_t x = 0; x < n;) {
        const uint8_t code = cells[x];
        x = end_of_run(cells, x, n, code);
        runs[count++] = (struct code_run){(uint32_t)x, code};
    }
    return count;
}

static void code_faces_free(struct code_faces *f)
{
    free(f->air);
    free(f->faces);
    *f = (struct code_faces){0};
}

/* Faces of voxels start <= x < end, split where a run would be too long. */
static size_t put_face(struct face_run *to, size_t start, size_t end, int side, uint8_t code)
{
    size_t count = 0;
    for (size_t length; start < end; start += length) {
        length = end - start <= FACE_RUN_MAX ? end - start : FACE_RUN_MAX;
        to[count++] = (struct face_run){.start = start & VOXEL_ROW_MAX,
                                        .length = length & FACE_RUN_MAX,
                                        .side = (unsigned)side & 7,
                                        .code = code,
                                        .area = FACE_AREA_UNITS};
    }
    return count;
}

/* Faces of the air of a row to a row beside it; their number. */
static size_t faces_beside(struct face_run *to, const struct air_run *air, size_t air_count,
                           const struct code_row *beside, int side)
{
    size_t count = 0, i = 0, start = 0;
    for (size_t k = 0; k < beside->count; start = beside->runs[k++].end) {
        const size_t end = beside->runs[k].end;
        if (beside->runs[k].code == CELL_AIR)
            continue;
        while (i < air_count && air[i].end <= start)
            i++;
        for (size_t j = i; j < air_count && air[j].start < end; j++)
            count += put_face(to + count, air[j].start > start ? air[j].start : start,
                              air[j].end < end ? air[j].end : end, side, beside->runs[k].code);
    }
    return count;
}

/* Room for the most that a row can have: a face for each pair of runs that meet, two for each run, and those that are
 * split. */
static bool reserve(struct code_faces *f, const struct code_row *row, const struct code_row beside[FACES])
{
    size_t faces = 2 * row->count + 8 * FACES;
    for (int side = FACE_Y_MIN; side < FACES; side++)
        faces += row->count + beside[side].count;
    if (f->air_capacity < row->count) {
        struct air_run *air = realloc(f->air, 2 * row->count * sizeof *air);
        if (!air)
            return false;
        f->air = air;
        f->air_capacity = 2 * row->count;
    }
    if (f->face_capacity < faces) {
        struct face_run *more = realloc(f->faces, 2 * faces * sizeof *more);
        if (!more)
            return false;
        f->faces = more;
        f->face_capacity = 2 * faces;
    }
    return true;
}

/* Appends a row to a set. beside[side]: the rows at FACE_Y_MIN .. FACE_Z_MAX; of FACE_X_MIN and FACE_X_MAX the code of
 * their first run alone counts: what is beyond the ends of the row. All areas are whole. `f` starts as {0}. */
static int code_runs_append(struct voxel_set_builder *b, struct code_faces *f, const struct code_row *row,
                            const struct code_row beside[FACES], struct error *e)
{
    size_t air = 0, faces = 0, start = 0;
    if (!reserve(f, row, beside))
        return fail(e, ERROR_MEMORY, "out of memory");
    for (size_t k = 0; k < row->count; start = row->runs[k++].end) {
        const size_t end = row->runs[k].end;
        if (row->runs[k].code != CELL_AIR)
            continue;
        f->air[air++] = (struct air_run){(uint32_t)start, (uint32_t)end};
        const uint8_t low = k > 0 ? row->runs[k - 1].code : beside[FACE_X_MIN].runs->code;
        const uint8_t high = k + 1 < row->count ? row->runs[k + 1].code : beside[FACE_X_MAX].runs->code;
        faces += put_face(f->faces + faces, start, start + 1, FACE_X_MIN, low);
        faces += put_face(f->faces + faces, end - 1, end, FACE_X_MAX, high);
    }
    for (int side = FACE_Y_MIN; side < FACES; side++)
        faces += faces_beside(f->faces + faces, f->air, air, &beside[side], side);
    return voxel_set_append(b, f->air, air, f->faces, faces, e);
}

/* The row at y, z of a map of bytes, or what is beyond. */
static struct code_row row_at(const uint8_t *cells, const size_t count[3], size_t y, size_t z, struct code_run *runs,
                              uint8_t beyond)
{
    struct code_row row = {runs, 1};
    if (y < count[1] && z < count[2])
        row.count = code_runs_of_bytes(runs, cells + (z * count[1] + y) * count[0], count[0]);
    else
        runs[0] = (struct code_run){(uint32_t)count[0], beyond};
    return row;
}

int voxel_set_of_cells(struct voxel_set **v, const size_t count[3], const uint8_t *cells, const uint8_t outside[FACES],
                       struct error *e)
{
    struct voxel_set_builder *b;
    struct code_faces f = {0};
    *v = NULL;
    for (int side = 0; side < FACES; side++)
        if (outside[side] == CELL_AIR)
            return fail(e, ERROR_ENGINE, "there is no air beyond %s of a set of voxels", face_names[side]);
    if (voxel_set_open(&b, count, e))
        return -1;
    const size_t longest = count[0] ? count[0] : 1;
    struct code_run *runs = malloc((1 + FACES) * longest * sizeof *runs);
    int error = runs ? 0 : fail(e, ERROR_MEMORY, "out of memory");
    for (size_t z = 0; !error && z < count[2]; z++)
        for (size_t y = 0; !error && y < count[1]; y++) {
            struct code_row beside[FACES];
            for (int side = 0; side < FACES; side++) {
                const size_t to = side % 2 ? 1 : (size_t)-1;
                beside[side] = row_at(cells, count,
                                      side / 2 == 0   ? SIZE_MAX
                                      : side / 2 == 1 ? y + to
                                                      : y,
                                      side / 2 == 2 ? z + to : z, runs + (size_t)(1 + side) * longest, outside[side]);
            }
            const struct code_row row = row_at(cells, count, y, z, runs, CELL_AIR);
            error = stop_check(e) || code_runs_append(b, &f, &row, beside, e) ? -1 : 0;
        }
    free(runs);
    code_faces_free(&f);
    if (error) {
        voxel_set_abandon(b);
        return -1;
    }
    *v = voxel_set_close(b);
    return 0;
}

int voxel_set_of_box(struct voxel_set **v, const size_t count[3], const uint8_t outside[FACES], struct error *e)
{
    struct voxel_set_builder *b;
    struct code_faces f = {0};
    int error = 0;
    *v = NULL;
    if (voxel_set_open(&b, count, e))
        return -1;
    const struct code_run air = {(uint32_t)count[0], CELL_AIR};
    const struct code_row row = {&air, 1};
    struct code_run beyond[FACES];
    for (int side = 0; side < FACES; side++)
        beyond[side] = (struct code_run){(uint32_t)count[0], outside[side]};
    for (size_t z = 0; !error && z < count[2]; z++)
        for (size_t y = 0; !error && y < count[1]; y++) {
            const bool at_edge[FACES] = {true, true, y == 0, y + 1 == count[1], z == 0, z + 1 == count[2]};
            struct code_row beside[FACES];
            for (int side = 0; side < FACES; side++)
                beside[side] = (struct code_row){at_edge[side] ? &beyond[side] : &air, 1};
            error = code_runs_append(b, &f, &row, beside, e);
        }
    code_faces_free(&f);
    if (error) {
        voxel_set_abandon(b);
        return -1;
    }
    *v = voxel_set_close(b);
    return 0;
}
