/* SPDX-License-Identifier: MIT */
#include "solver/cpu/branch_layout.h"

#include <stdlib.h>
#include <string.h>

void branch_layout_free(struct branch_layout *l)
{
    free(l->runs);
    free(l->run_start);
    free(l->strips);
    free(l->strip_start);
    free(l->multipliers);
    memset(l, 0, sizeof *l);
}

uint64_t branch_layout_state(const struct branch_layout *l, size_t row, size_t row_count)
{
    const uint64_t run = l->run_start[row], strip = l->strip_start[row];
    const uint64_t of_run = run < l->run_start[row_count] ? l->runs[run].states : l->state_count;
    const uint64_t of_strip = strip < l->strip_start[row_count] ? l->strips[strip].states : l->state_count;
    return of_run < of_strip ? of_run : of_strip;
}

static void *multipliers_of(const struct branches *b, enum precision precision)
{
    void *all = calloc(b->factor_count + 1, sizeof(struct branch_multipliers_double));
    for (size_t i = 0; all && i < b->factor_count; i++) {
        const struct branch_factors *f = &b->factors[i];
        if (precision == PRECISION_DOUBLE)
            ((struct branch_multipliers_double *)all)[i] = (struct branch_multipliers_double){
                f->b, f->four_bd, f->twice_bf, f->push_v, f->push_g, 0.25 * f->lost, f->tanks};
        else
            ((struct branch_multipliers_single *)all)[i] =
                (struct branch_multipliers_single){(float)f->b,      (float)f->four_bd, (float)f->twice_bf,
                                                   (float)f->push_v, (float)f->push_g,  (float)(0.25 * f->lost),
                                                   f->tanks};
    }
    return all;
}

/* Adds a segment along x, extending the last run if possible. */
static void add_along_x(struct branch_layout *l, uint64_t row_first, uint64_t *runs, const struct branch_segment *s)
{
    struct branch_run *last = *runs > row_first ? &l->runs[*runs - 1] : NULL;
    if (last && last->end == s->x && last->kind == s->kind)
        last->end += s->length;
    else
        l->runs[(*runs)++] = (struct branch_run){.from = s->x, .end = s->x + s->length, .kind = s->kind};
}

/* The strip of a kind that accepts further points; none while `points` is 0. */
struct open_strip {
    uint64_t strip; /* index of the strip */
    size_t row;     /* row that lists it */
    size_t points;
};

/* State of the packing of points of segments along y, row after row. */
struct packer {
    const struct branches *branches;
    size_t ny, room;          /* points per strip */
    struct open_strip *kinds; /* [kind] */
    struct active {
        uint32_t x;
        uint16_t kind, left; /* points left, including the current row */
    } * active;              /* segments that have begun and not ended */
    size_t active_count, active_room;
    struct branch_strip *strips; /* NULL: count only */
    size_t stride;               /* distance between rows of the grid */
    uint64_t count, values;      /* number of strips, and of values of their states */
};

static int packer_open(struct packer *p, const struct branches *b, size_t ny, enum precision precision)
{
    *p = (struct packer){.branches = b, .ny = ny, .room = branch_strip_points(precision)};
    p->kinds = calloc(b->kind_count + 1, sizeof *p->kinds);
    return p->kinds ? 0 : -1;
}

static void packer_close(struct packer *p)
{
    free(p->kinds);
    free(p->active);
}

static int begin_segments(struct packer *p, size_t row)
{
    const struct branches *b = p->branches;
    for (uint64_t i = b->segment_start[row]; i < b->segment_start[row + 1]; i++) {
        const struct branch_segment *s = &b->segments[i];
        if (!s->along_y)
            continue;
        if (p->active_count == p->active_room) {
            const size_t room = 2 * p->active_room + 64;
            struct active *more = realloc(p->active, room * sizeof *more);
            if (!more)
                return -1;
            p->active = more;
            p->active_room = room;
        }
        p->active[p->active_count++] = (struct active){s->x, s->kind, s->length};
    }
    return 0;
}

static void put_point(struct branch_strip *s, size_t lane, size_t at, size_t rows)
{
    s->count = (uint8_t)(lane + 1);
    for (size_t k = lane; k < STRIP_POINTS_MAX; k++) {
        s->at[k] = (uint32_t)at;
        s->rows[k] = (uint8_t)rows;
    }
}

/* Packs the points of a row; rows must be packed in order. 0, or -1 when out of memory. */
static int pack_row(struct packer *p, size_t row)
{
    if (row % p->ny == 0)
        memset(p->kinds, 0, p->branches->kind_count * sizeof *p->kinds);
    if (begin_segments(p, row))
        return -1;
    size_t kept = 0;
    for (size_t i = 0; i < p->active_count; i++) {
        struct active a = p->active[i];
        struct open_strip *open = &p->kinds[a.kind];
        if (open->points == 0 || open->points == p->room || row - open->row >= STRIP_ROWS) {
            *open = (struct open_strip){p->count++, row, 0};
            p->values += 2 * (uint64_t)p->branches->kinds[a.kind].count * p->room;
            if (p->strips)
                p->strips[open->strip] = (struct branch_strip){.kind = a.kind};
        }
        if (p->strips)
            put_point(&p->strips[open->strip], open->points, (row - open->row) * p->stride + a.x, row - open->row);
        open->points++;
        if (--a.left > 0)
            p->active[kept++] = a;
    }
    p->active_count = kept;
    return 0;
}

/* Returns the number of state values of the lines of a row; *kept: number of p⁻ values of its
 * points. */
static uint64_t states_of_runs(const struct branches *b, struct branch_run *runs, uint64_t count, size_t line,
                               uint64_t first, size_t *kept)
{
    uint64_t states = 0;
    for (uint64_t i = 0; i < count; i++) {
        const size_t values = branch_run_lines(&runs[i], line) * line;
        runs[i].states = first + states;
        states += 2 * (uint64_t)b->kinds[runs[i].kind].count * values;
        *kept += values;
    }
    return states;
}

static uint64_t states_of_strips(const struct branches *b, struct branch_strip *strips, uint64_t count, size_t strip,
                                 uint64_t first, size_t *kept)
{
    uint64_t states = 0;
    for (uint64_t i = 0; i < count; i++) {
        strips[i].states = first + states;
        states += 2 * (uint64_t)b->kinds[strips[i].kind].count * strip;
        *kept += strip;
    }
    return states;
}

static int lay_out(struct branch_layout *l, const struct rows *rows, struct packer *p, enum precision precision)
{
    const struct branches *b = &rows->branches;
    const size_t line = branch_line_points(precision);
    uint64_t runs = 0;
    size_t kept = 0; /* of this plane */
    p->strips = l->strips;
    p->stride = rows->stride;
    for (size_t row = 0; row < rows->count; row++) {
        const uint64_t first_run = runs, first_strip = p->count;
        kept = row % rows->ny ? kept : 0;
        l->run_start[row] = first_run;
        l->strip_start[row] = first_strip;
        for (uint64_t i = b->segment_start[row]; i < b->segment_start[row + 1]; i++)
            if (!b->segments[i].along_y)
                add_along_x(l, first_run, &runs, &b->segments[i]);
        if (pack_row(p, row))
            return -1;
        l->state_count += states_of_runs(b, l->runs + first_run, runs - first_run, line, l->state_count, &kept);
        l->state_count +=
            states_of_strips(b, l->strips + first_strip, p->count - first_strip, p->room, l->state_count, &kept);
        l->state_count = (l->state_count + line - 1) / line * line;
        l->kept_max = kept > l->kept_max ? kept : l->kept_max;
    }
    l->kept_max = (l->kept_max + line - 1) / line * line;
    l->run_start[rows->count] = runs;
    l->strip_start[rows->count] = p->count;
    return 0;
}

/* Number of state values in the lines of a row. */
static uint64_t line_values(const struct branches *b, size_t row, size_t line)
{
    uint64_t values = 0;
    for (uint64_t i = b->segment_start[row]; i < b->segment_start[row + 1];) {
        const struct branch_segment *first = &b->segments[i];
        struct branch_run run = {.from = first->x, .end = first->x, .kind = first->kind};
        for (; i < b->segment_start[row + 1] && !b->segments[i].along_y && b->segments[i].x == run.end &&
               b->segments[i].kind == run.kind;
             i++)
            run.end += b->segments[i].length;
        if (first->along_y)
            i++;
        else
            values += 2 * (uint64_t)b->kinds[run.kind].count * branch_run_lines(&run, line) * line;
    }
    return values;
}

/* Counts strips and state values of all rows. 0, or -1 when out of memory. */
static int count_all(uint64_t *strips, uint64_t *states, const struct branches *b, size_t ny, size_t row_count,
                     enum precision precision)
{
    const size_t line = branch_line_points(precision);
    struct packer p;
    int status = packer_open(&p, b, ny, precision);
    *states = 0;
    for (size_t row = 0; row < row_count && !status; row++) {
        const uint64_t before = p.values;
        status = pack_row(&p, row);
        *states += (line_values(b, row, line) + (p.values - before) + line - 1) / line * line;
    }
    *strips = p.count;
    packer_close(&p);
    return status;
}

uint64_t branch_layout_bytes(const struct branches *b, uint64_t ny, uint64_t row_count, enum precision precision)
{
    uint64_t strips, states, along_x = 0;
    if (count_all(&strips, &states, b, ny, row_count, precision))
        return UINT64_MAX;
    for (uint64_t i = 0; i < b->segment_count; i++)
        along_x += !b->segments[i].along_y;
    return (states - b->state_count) * precision_bytes(precision) + along_x * sizeof(struct branch_run) +
           strips * sizeof(struct branch_strip) + 2 * (row_count + 1) * sizeof(uint64_t);
}

int branch_layout_make(struct branch_layout *l, const struct rows *rows, enum precision precision)
{
    const struct branches *b = &rows->branches;
    uint64_t strips, states, along_x = 0;
    struct packer p;
    *l = (struct branch_layout){0};
    if (count_all(&strips, &states, b, rows->ny, rows->count, precision))
        return -1;
    for (uint64_t i = 0; i < b->segment_count; i++)
        along_x += !b->segments[i].along_y;
    l->runs = malloc((along_x + 1) * sizeof *l->runs);
    l->run_start = malloc((rows->count + 1) * sizeof *l->run_start);
    l->strips = malloc((strips + 1) * sizeof *l->strips);
    l->strip_start = malloc((rows->count + 1) * sizeof *l->strip_start);
    l->multipliers = multipliers_of(b, precision);
    int status = packer_open(&p, b, rows->ny, precision);
    if (!l->runs || !l->run_start || !l->strips || !l->strip_start || !l->multipliers)
        status = -1;
    status = status || lay_out(l, rows, &p, precision) ? -1 : 0;
    packer_close(&p);
    return status;
}
