/* SPDX-License-Identifier: MIT */
#include "solver/cpu/channels.h"

#include <stdlib.h>

static size_t entry_total(const struct channel *channels, size_t count)
{
    size_t total = 0;
    for (size_t i = 0; i < count; i++)
        total += channels[i].count;
    return total;
}

uint64_t channels_bytes(const struct problem *p)
{
    const size_t drives = entry_total(p->drives, p->drive_count), taps = entry_total(p->taps, p->tap_count);
    return drives * sizeof(struct drive_point) +
           taps * (sizeof(struct tap_point) + (CHUNK_STEPS + 1) * sizeof(double)) +
           2 * ((uint64_t)p->points[1] * p->points[2] + 1) * sizeof(uint32_t);
}

static int drive_order(const void *a, const void *b)
{
    const struct drive_point *p = a, *q = b;
    if (p->at != q->at)
        return p->at < q->at ? -1 : 1;
    return (p->channel > q->channel) - (p->channel < q->channel);
}

static int tap_order(const void *a, const void *b)
{
    const struct tap_point *p = a, *q = b;
    if (p->at != q->at)
        return p->at < q->at ? -1 : 1;
    return (p->entry > q->entry) - (p->entry < q->entry);
}

int channels_make(struct channels *c, const struct problem *p, const struct rows *rows)
{
    *c = (struct channels){.problem = p,
                           .precision = p->precision,
                           .drive_count = entry_total(p->drives, p->drive_count),
                           .tap_count = entry_total(p->taps, p->tap_count)};
    c->drives = calloc(c->drive_count + 1, sizeof *c->drives);
    c->taps = calloc(c->tap_count + 1, sizeof *c->taps);
    c->history = calloc((CHUNK_STEPS + 1) * (c->tap_count + 1), sizeof *c->history);
    c->drive_start = calloc(rows->count + 1, sizeof *c->drive_start);
    c->tap_start = calloc(rows->count + 1, sizeof *c->tap_start);
    if (!c->drives || !c->taps || !c->history || !c->drive_start || !c->tap_start) {
        channels_free(c);
        return -1;
    }
    size_t n = 0;
    for (size_t k = 0; k < p->drive_count; k++)
        for (size_t i = 0; i < p->drives[k].count; i++) {
            const struct channel_entry *entry = &p->drives[k].entries[i];
            if (entry->array)
                continue;
            c->drives[n++] = (struct drive_point){.at = rows_at(rows, entry->point),
                                                  .row = (size_t)(entry->point / rows->nx),
                                                  .channel = k,
                                                  .weight = entry->weight,
                                                  .mass = rows_mass(rows, entry->point)};
        }
    c->drive_count = n;
    qsort(c->drives, c->drive_count, sizeof *c->drives, drive_order);
    n = 0;
    size_t entry = 0;
    for (size_t k = 0; k < p->tap_count; k++)
        for (size_t i = 0; i < p->taps[k].count; i++, entry++) {
            const uint64_t point = p->taps[k].entries[i].point;
            if (!p->taps[k].entries[i].array)
                c->taps[n++] =
                    (struct tap_point){.at = rows_at(rows, point), .row = (size_t)(point / rows->nx), .entry = entry};
        }
    c->point_count = n;
    qsort(c->taps, c->point_count, sizeof *c->taps, tap_order);
    for (size_t row = 0, d = 0, t = 0; row <= rows->count; row++) {
        while (d < c->drive_count && c->drives[d].row < row)
            d++;
        while (t < c->point_count && c->taps[t].row < row)
            t++;
        c->drive_start[row] = (uint32_t)d;
        c->tap_start[row] = (uint32_t)t;
    }
    return 0;
}

void channels_free(struct channels *c)
{
    free(c->drives);
    free(c->taps);
    free(c->history);
    free(c->drive_start);
    free(c->tap_start);
    c->drives = NULL;
    c->taps = NULL;
    c->history = NULL;
    c->drive_start = c->tap_start = NULL;
}

static double value_at(const struct channels *c, const void *grid, size_t at)
{
    return c->precision == PRECISION_DOUBLE ? ((const double *)grid)[at] : (double)((const float *)grid)[at];
}

static void add_to(const struct channels *c, void *grid, size_t at, double value)
{
    if (c->precision == PRECISION_DOUBLE)
        ((double *)grid)[at] += value;
    else
        ((float *)grid)[at] += (float)value;
}

void channels_before(struct channels *c, const void *next, size_t row0, size_t row1)
{
    for (size_t i = c->drive_start[row0]; i < c->drive_start[row1]; i++)
        c->drives[i].before = value_at(c, next, c->drives[i].at);
}

void channels_drive(struct channels *c, void *next, size_t row0, size_t row1, const double *drive, size_t stride)
{
    for (size_t i = c->drive_start[row0]; i < c->drive_start[row1]; i++)
        add_to(c, next, c->drives[i].at, c->drives[i].weight * drive[c->drives[i].channel * stride]);
}

void channels_after(struct channels *c, const void *next, size_t row0, size_t row1, const double *drive, size_t stride)
{
    for (size_t i = c->drive_start[row0]; i < c->drive_start[row1]; i++) {
        struct drive_point *d = &c->drives[i];
        d->supplied += 0.5 * d->mass * d->weight * drive[d->channel * stride] * (value_at(c, next, d->at) - d->before);
    }
}

void channels_record(struct channels *c, const void *grid, size_t row0, size_t row1, size_t level)
{
    double *history = c->history + level * c->tap_count;
    for (size_t i = c->tap_start[row0]; i < c->tap_start[row1]; i++)
        history[c->taps[i].entry] = value_at(c, grid, c->taps[i].at);
}

void channels_sum(const struct channels *c, const struct block *b, size_t first, size_t steps)
{
    const struct problem *p = c->problem;
    for (size_t n = 0; n < steps; n++) {
        const double *history[2] = {c->history + n * c->tap_count, c->history + (n + 1) * c->tap_count};
        size_t entry = 0;
        for (size_t k = 0; k < p->tap_count; entry += p->taps[k++].count) {
            double sum = 0.0; /* level before the step first, then the level after it, as in every engine */
            for (int level = 0; level < 2; level++)
                for (size_t i = 0; i < p->taps[k].count; i++)
                    if (p->taps[k].entries[i].level == level)
                        sum += p->taps[k].entries[i].weight * history[level][entry + i];
            b->taps[k * b->tap_stride + first + n] = sum;
        }
    }
}
