/* SPDX-License-Identifier: MIT */
#include "solver/cpu/partition_flows.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

uint64_t partition_flows_bytes(const struct partition_links *links, const struct problem *p)
{
    const uint64_t rows = (uint64_t)p->points[1] * p->points[2] + 1;
    const uint64_t link = sizeof(struct partition_link) + sizeof(struct partition_state) +
                          2 * links->face_points * (sizeof(size_t) + sizeof(struct flow_term));
    return links->count ? links->count * link + 2 * rows * sizeof(size_t) : 0;
}

void partition_flows_free(struct partition_flows *f)
{
    partition_links_free(&f->links);
    free(f->at);
    free(f->state);
    free(f->terms);
    free(f->term_start);
    free(f->link_start);
    *f = (struct partition_flows){.rows = 0};
}

static void locate_points(struct partition_flows *f, const struct rows *rows)
{
    uint64_t points[2 * FACE_POINTS_MAX];
    const size_t both = 2 * f->links.face_points;
    for (size_t link = 0; link < f->links.count; link++) {
        partition_link_points(&f->links.list[link], f->problem, points);
        for (size_t i = 0; i < both; i++)
            f->at[both * link + i] = rows_at(rows, points[i]);
    }
    for (size_t i = 0; i < f->term_count; i++)
        f->terms[i].point = rows_at(rows, f->terms[i].point);
}

static void start_rows(struct partition_flows *f, size_t stride)
{
    size_t term = 0, link = 0;
    for (size_t row = 0; row <= f->rows; row++) {
        while (term < f->term_count && f->terms[term].point / stride < row)
            term++;
        while (link < f->links.count && f->links.list[link].row < row)
            link++;
        f->term_start[row] = term;
        f->link_start[row] = link;
    }
}

int partition_flows_make(struct partition_flows *f, const struct problem *p, const struct rows *rows, struct error *e)
{
    *f = (struct partition_flows){.problem = p, .rows = rows->count};
    if (partition_links_make(&f->links, p, e))
        return -1;
    const size_t count = f->links.count;
    if (!count)
        return 0;
    if (partition_terms_make(&f->terms, &f->term_count, &f->links, p, rows, e))
        return -1;
    f->at = malloc(2 * f->links.face_points * count * sizeof *f->at);
    f->state = calloc(count, sizeof *f->state);
    f->term_start = malloc((rows->count + 1) * sizeof *f->term_start);
    f->link_start = malloc((rows->count + 1) * sizeof *f->link_start);
    if (!f->at || !f->state || !f->term_start || !f->link_start)
        return fail(e, ERROR_MEMORY, "out of memory");
    for (size_t link = 0; link < count; link++)
        f->state[link] = (struct partition_state){NAN, NAN};
    locate_points(f, rows);
    start_rows(f, rows->stride);
    return 0;
}

static double value_at(const struct partition_flows *f, const void *grid, size_t at)
{
    return f->problem->precision == PRECISION_DOUBLE ? ((const double *)grid)[at] : (double)((const float *)grid)[at];
}

static double mean_over(const struct partition_flows *f, const void *grid, const size_t *at)
{
    if (f->links.face_points == 1)
        return value_at(f, grid, at[0]);
    return 0.25 * ((value_at(f, grid, at[0]) + value_at(f, grid, at[1])) +
                   (value_at(f, grid, at[2]) + value_at(f, grid, at[3])));
}

static double next_flow(const struct partition_flows *f, const void *grid, size_t link)
{
    const size_t n = f->links.face_points, *at = f->at + 2 * n * link;
    const double difference = mean_over(f, grid, at) - mean_over(f, grid, at + n);
    return partition_flow(&f->links.list[link], difference, f->state[link].velocity);
}

void partition_flows_start(struct partition_flows *f, const void *now, const void *before, double *absorbed)
{
    for (size_t i = 0; i < f->links.count; i++) {
        struct partition_state *s = &f->state[i];
        if (!isnan(s->velocity))
            continue;
        s->velocity = 0.0;
        s->velocity = s->flow = next_flow(f, before, i);
        absorbed[f->links.list[i].row] -= partition_lost(&f->links.list[i], next_flow(f, now, i), s->flow);
    }
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
    const size_t end = f->term_start[row1];
    for (size_t i = f->term_start[row0]; i < end;) {
        const uint64_t at = f->terms[i].point;
        double sum = 0.0;
        for (; i < end && f->terms[i].point == at; i++)
            sum += f->terms[i].weight * f->state[f->terms[i].link].flow;
        if (f->problem->precision == PRECISION_DOUBLE)
            ((double *)next)[at] += sum;
        else
            ((float *)next)[at] += (float)sum;
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

size_t partition_states_bytes(const struct partition_flows *f, size_t z0, size_t nz)
{
    const struct link_range range = partition_links_of(&f->links, f->problem, z0, nz);
    return link_range_count(&range, &f->links) * sizeof *f->state;
}

void partition_states_copy(struct partition_flows *f, size_t z0, size_t nz, char *saved, bool out)
{
    const struct link_range range = partition_links_of(&f->links, f->problem, z0, nz);
    for (size_t i = range.first; i < range.end; i++) {
        if (!link_range_has(&range, &f->links, i))
            continue;
        memcpy(out ? saved : (char *)&f->state[i], out ? (char *)&f->state[i] : saved, sizeof *f->state);
        saved += sizeof *f->state;
    }
}
