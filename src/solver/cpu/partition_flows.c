/* SPDX-License-Identifier: MIT */
#include "solver/cpu/partition_flows.h"

#include <stdlib.h>
#include <string.h>

uint64_t partition_flows_bytes(size_t links, const struct problem *p)
{
    const uint64_t points = leapfrog_of(p)->stencil == STENCIL_19_POINT ? 2 * FACE_POINTS_MAX : 2;
    const uint64_t rows = (uint64_t)p->points[1] * p->points[2] + 1;
    const uint64_t link = sizeof(struct partition_link) + sizeof(struct partition_state) +
                          points * (sizeof(size_t) + sizeof(struct flow_point));
    return links ? links * link + 2 * rows * sizeof(size_t) : 0;
}

void partition_flows_free(struct partition_flows *f)
{
    partition_links_free(&f->links);
    free(f->at);
    free(f->state);
    free(f->flows);
    free(f->flow_start);
    free(f->link_start);
    *f = (struct partition_flows){.rows = 0};
}

static int flow_order(const void *a, const void *b)
{
    const struct flow_point *p = a, *q = b;
    if (p->at != q->at)
        return p->at < q->at ? -1 : 1;
    return (p->link > q->link) - (p->link < q->link);
}

/* Points outside the air, where p = 0 for ever, receive nothing. */
static void list_points(struct partition_flows *f, const struct problem *p, const struct rows *rows, size_t link)
{
    uint64_t points[2 * FACE_POINTS_MAX];
    const struct partition_link *l = &f->links.list[link];
    const size_t count = (size_t)partition_link_points(l, p, points);
    for (size_t i = 0; i < 2 * count; i++) {
        const double mass = rows_mass(rows, points[i]), share = l->coupling / ((double)count * mass);
        const size_t k = 2 * count * link + i;
        f->at[k] = rows_at(rows, points[i]);
        f->flows[k] = (struct flow_point){f->at[k], mass > 0.0 ? (i < count ? -share : share) : 0.0, link};
    }
}

static void start_rows(struct partition_flows *f, size_t stride)
{
    size_t flow = 0, link = 0;
    for (size_t row = 0; row <= f->rows; row++) {
        while (flow < 2 * f->points * f->links.count && f->flows[flow].at / stride < row)
            flow++;
        while (link < f->links.count && f->links.list[link].row < row)
            link++;
        f->flow_start[row] = flow;
        f->link_start[row] = link;
    }
}

int partition_flows_make(struct partition_flows *f, const struct problem *p, const struct rows *rows, struct error *e)
{
    *f = (struct partition_flows){.precision = p->precision, .rows = rows->count, .ny = rows->ny};
    f->points = rows->stencil == STENCIL_19_POINT ? FACE_POINTS_MAX : 1;
    if (partition_links_make(&f->links, p, e))
        return -1;
    const size_t count = f->links.count, total = 2 * f->points * count;
    if (!count)
        return 0;
    f->at = malloc(total * sizeof *f->at);
    f->flows = malloc(total * sizeof *f->flows);
    f->state = calloc(count, sizeof *f->state);
    f->flow_start = malloc((rows->count + 1) * sizeof *f->flow_start);
    f->link_start = malloc((rows->count + 1) * sizeof *f->link_start);
    if (!f->at || !f->flows || !f->state || !f->flow_start || !f->link_start)
        return fail(e, ERROR_MEMORY, "out of memory");
    for (size_t link = 0; link < count; link++)
        list_points(f, p, rows, link);
    qsort(f->flows, total, sizeof *f->flows, flow_order);
    start_rows(f, rows->stride);
    return 0;
}

static double value_at(const struct partition_flows *f, const void *grid, size_t at)
{
    return f->precision == PRECISION_DOUBLE ? ((const double *)grid)[at] : (double)((const float *)grid)[at];
}

static double mean_over(const struct partition_flows *f, const void *grid, const size_t *at)
{
    if (f->points == 1)
        return value_at(f, grid, at[0]);
    return 0.25 * ((value_at(f, grid, at[0]) + value_at(f, grid, at[1])) +
                   (value_at(f, grid, at[2]) + value_at(f, grid, at[3])));
}

/* p_1 - p_2 of a link. */
static double difference(const struct partition_flows *f, const void *grid, size_t link)
{
    const size_t *at = f->at + 2 * f->points * link;
    return mean_over(f, grid, at) - mean_over(f, grid, at + f->points);
}

static double next_flow(const struct partition_flows *f, const void *grid, size_t link)
{
    return partition_flow(&f->links.list[link], difference(f, grid, link), f->state[link].velocity);
}

void partition_flows_start(struct partition_flows *f, const void *now, const void *before, double *absorbed)
{
    for (size_t i = 0; i < f->links.count && !f->started; i++) {
        struct partition_state *s = &f->state[i];
        s->velocity = 0.0;
        s->velocity = s->flow = next_flow(f, before, i);
        absorbed[f->links.list[i].row] -= partition_lost(&f->links.list[i], next_flow(f, now, i), s->flow);
    }
    f->started = true;
}

void partition_flows_step(struct partition_flows *f, const void *now, size_t thread, size_t team, double *absorbed)
{
    /* whole rows, so that no two threads add to one sum */
    const size_t first = f->link_start[f->rows * thread / team], end = f->link_start[f->rows * (thread + 1) / team];
    for (size_t i = first; i < end; i++) {
        struct partition_state *s = &f->state[i];
        const double flow = next_flow(f, now, i);
        absorbed[f->links.list[i].row] += 2.0 * partition_lost(&f->links.list[i], flow, s->flow);
        s->velocity += flow;
        s->flow = flow;
    }
}

void partition_flows_add(const struct partition_flows *f, void *next, size_t row0, size_t row1)
{
    for (size_t i = f->flow_start[row0]; i < f->flow_start[row1]; i++) {
        const struct flow_point *to = &f->flows[i];
        const double value = to->weight * f->state[to->link].flow;
        if (f->precision == PRECISION_DOUBLE)
            ((double *)next)[to->at] += value;
        else
            ((float *)next)[to->at] += (float)value;
    }
}

void partition_flows_audit(const struct partition_flows *f, const void *now, const size_t counted[2], struct audit *a)
{
    if (!f->links.count)
        return;
    for (size_t i = f->link_start[counted[0]]; i < f->link_start[counted[1]]; i++) {
        const double next = next_flow(f, now, i);
        a->stored += partition_stored(&f->links.list[i], next, f->state[i].flow);
        a->absorbed += partition_lost(&f->links.list[i], next, f->state[i].flow);
    }
}

/* Whether a link of the plane of points below a plane has points in it too. */
static bool reaches_up(const struct partition_flows *f, size_t link)
{
    return f->points > 1 && f->links.list[link].axis != 2;
}

/* The links of planes z0 - 1 .. z0 + nz - 1 are list entries *first .. *own - 1, some of which reach up, and *own ..
 * *end - 1. */
static void find_links(const struct partition_flows *f, size_t z0, size_t nz, size_t *first, size_t *own, size_t *end)
{
    *first = *own = *end = 0;
    if (!f->links.count)
        return;
    *first = f->link_start[z0 ? (z0 - 1) * f->ny : 0];
    *own = f->link_start[z0 * f->ny];
    *end = f->link_start[(z0 + nz) * f->ny];
}

size_t partition_states_bytes(const struct partition_flows *f, size_t z0, size_t nz)
{
    size_t first, own, end;
    find_links(f, z0, nz, &first, &own, &end);
    size_t count = end - own;
    for (size_t i = first; i < own; i++)
        count += reaches_up(f, i);
    return count * sizeof *f->state;
}

void partition_states_copy(struct partition_flows *f, size_t z0, size_t nz, char *saved, bool out)
{
    size_t first, own, end;
    find_links(f, z0, nz, &first, &own, &end);
    for (size_t i = first; i < end; i++) {
        if (i < own && !reaches_up(f, i))
            continue;
        memcpy(out ? saved : (char *)&f->state[i], out ? (char *)&f->state[i] : saved, sizeof *f->state);
        saved += sizeof *f->state;
    }
}
