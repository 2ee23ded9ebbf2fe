/* SPDX-License-Identifier: MIT */
#include "present/views/coarse.h"

#include <stdlib.h>
#include <string.h>

#include "base/stop.h"

struct coarse {
    const struct voxel_set *set;
    size_t factor, count[3];
    uint8_t *cells; /* [z][y][x], enum cell */
    uint8_t *code;  /* candidate of the majority vote over the faces in the voxel */
    uint8_t *votes; /* lead of the candidate, up to 255 */
    uint32_t *air;  /* voxels of air in each cell of one layer */
};

static size_t cell_index(const struct coarse *c, size_t x, size_t y, size_t z)
{
    return x + c->count[0] * (y + c->count[1] * z);
}

/* Boyer and Moore's majority vote (1981). */
static void vote(struct coarse *c, size_t cell, uint8_t code, size_t times)
{
    const size_t most = UINT8_MAX;
    if (c->code[cell] == code) {
        c->votes[cell] = (uint8_t)(times < most - c->votes[cell] ? c->votes[cell] + times : most);
    } else if (times > c->votes[cell]) {
        c->code[cell] = code;
        c->votes[cell] = (uint8_t)(times - c->votes[cell] < most ? times - c->votes[cell] : most);
    } else {
        c->votes[cell] = (uint8_t)(c->votes[cell] - times);
    }
}

/* Splits x < end of a row of voxels by larger voxels. */
static size_t piece_end(const struct coarse *c, size_t x, size_t end)
{
    const size_t next = (x / c->factor + 1) * c->factor;
    return next < end ? next : end;
}

/* Index of the larger voxel that contains a voxel of the set or a voxel just outside (index -1, which is SIZE_MAX). */
static size_t larger(const struct coarse *c, size_t at)
{
    return at == SIZE_MAX ? 0 : at / c->factor + 1;
}

static void read_face(struct coarse *c, const struct face_run *face, size_t y, size_t z)
{
    const size_t to = face->side % 2 ? 1 : SIZE_MAX, end = (size_t)face->start + face->length;
    const size_t y_beyond = larger(c, face->side / 2 == 1 ? y + to : y);
    const size_t z_beyond = larger(c, face->side / 2 == 2 ? z + to : z);
    for (size_t x = face->start, next; x < end; x = next) {
        next = piece_end(c, x, end);
        vote(c, cell_index(c, larger(c, face->side / 2 == 0 ? x + to : x), y_beyond, z_beyond), (uint8_t)face->code,
             next - x);
    }
}

static void read_row(struct coarse *c, size_t y, size_t z)
{
    const struct voxel_row row = voxel_set_row(c->set, y, z);
    for (size_t i = 0; i < row.air_count; i++)
        for (size_t x = row.air[i].start, next; x < row.air[i].end; x = next) {
            next = piece_end(c, x, row.air[i].end);
            c->air[cell_index(c, larger(c, x), larger(c, y), 0)] += (uint32_t)(next - x);
        }
    for (int side = 0; side < FACES; side++)
        for (size_t i = 0; i < row.face_count[side]; i++)
            read_face(c, &row.faces[side][i], y, z);
}

static int read_layers(struct coarse *c, struct error *e)
{
    const size_t rows = voxel_set_count(c->set, 1), layers = voxel_set_count(c->set, 2);
    const size_t plane = c->count[0] * c->count[1], whole = c->factor * c->factor * c->factor;
    for (size_t z = 0; z < layers; z++) {
        if (stop_check(e))
            return -1;
        for (size_t y = 0; y < rows; y++)
            read_row(c, y, z);
        if ((z + 1) % c->factor && z + 1 < layers)
            continue;
        for (size_t i = 0; i < plane; i++)
            c->cells[cell_index(c, 0, 0, larger(c, z)) + i] = 2 * (size_t)c->air[i] > whole ? CELL_AIR : CELL_SOLID;
        memset(c->air, 0, plane * sizeof *c->air);
    }
    return 0;
}

/* A solid voxel without faces takes the code of the faces in adjacent air. */
static void colour(struct coarse *c)
{
    const size_t steps[3] = {1, c->count[0], c->count[0] * c->count[1]};
    const size_t total = steps[2] * c->count[2];
    for (size_t i = 0; i < total; i++) {
        if (c->cells[i] == CELL_AIR)
            continue;
        c->cells[i] = c->code[i] ? c->code[i] : CELL_FIXED;
        for (int side = 0; side < FACES && !c->code[i]; side++) {
            const size_t step = steps[side / 2], beside = side % 2 ? i + step : i - step; /* wraps below 0 */
            if (beside < total && c->cells[beside] == CELL_AIR && c->code[beside]) {
                c->cells[i] = c->code[beside];
                break;
            }
        }
    }
}

int coarse_set(struct voxel_set **coarse, const struct voxel_set *set, size_t factor, struct error *e)
{
    static const uint8_t outside[FACES] = {CELL_FIXED, CELL_FIXED, CELL_FIXED, CELL_FIXED, CELL_FIXED, CELL_FIXED};
    struct coarse c = {.set = set, .factor = factor};
    for (int i = 0; i < 3; i++)
        c.count[i] = (voxel_set_count(set, i) + factor - 1) / factor + 2;
    const size_t plane = c.count[0] * c.count[1], total = plane * c.count[2];
    *coarse = NULL;
    c.cells = malloc(total);
    c.code = calloc(total, 1);
    c.votes = calloc(total, 1);
    c.air = calloc(plane, sizeof *c.air);
    int status = c.cells && c.code && c.votes && c.air ? 0 : fail(e, ERROR_MEMORY, "out of memory");
    if (!status) {
        memset(c.cells, CELL_SOLID, total);
        status = read_layers(&c, e);
    }
    if (!status) {
        colour(&c);
        status = voxel_set_of_cells(coarse, c.count, c.cells, outside, e);
    }
    free(c.cells);
    free(c.code);
    free(c.votes);
    free(c.air);
    return status;
}
