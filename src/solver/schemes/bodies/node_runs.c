/* SPDX-License-Identifier: MIT */
#include <stdlib.h>

#include "solver/schemes/bodies/loops.h"

void node_runs_free(struct node_runs *r)
{
    free(r->run);
    free(r->group);
    free(r->factor);
    free(r->from);
}

static int make_runs(struct node_runs *r, const struct surface *surface)
{
    const size_t nodes = surface->nx * surface->ny;
    for (int fill = 0; fill < 2; fill++) {
        r->count = 0;
        for (size_t i = 0; i < nodes; i++) {
            if (!surface->kind[i])
                continue;
            const size_t start = i;
            while (i + 1 < nodes && surface->kind[i + 1] == surface->kind[start])
                i++;
            if (fill)
                r->run[r->count] = (struct node_run){(uint32_t)start, (uint32_t)(i + 1 - start), surface->kind[start]};
            r->count++;
        }
        if (!fill && !(r->run = calloc(r->count + 1, sizeof *r->run)))
            return -1;
    }
    return 0;
}

/* A node of a short run. */
struct single {
    const struct stencil *stencil;
    uint32_t node;
};

/* By length of the stencil, so that little is padded. */
static int compare(const void *left, const void *right)
{
    const struct single *a = left, *b = right;
    if (a->stencil->lossy != b->stencil->lossy)
        return a->stencil->lossy < b->stencil->lossy ? -1 : 1;
    if (a->stencil->count != b->stencil->count)
        return a->stencil->count < b->stencil->count ? -1 : 1;
    return a->node < b->node ? -1 : 1;
}

static struct single *list_singles(size_t *count, const struct node_runs *r, const struct surface *surface)
{
    struct single *single = calloc(SHORT_RUN * r->count + LOOP_LANES, sizeof *single);
    *count = 0;
    for (size_t i = 0; i < r->count && single; i++)
        for (uint32_t k = 0; k < r->run[i].length && r->run[i].length < SHORT_RUN; k++)
            single[(*count)++] = (struct single){&surface->stencils[r->run[i].kind], r->run[i].start + k};
    if (*count)
        qsort(single, *count, sizeof *single, compare);
    while (*count % LOOP_LANES) {
        single[*count] = single[*count - 1];
        ++*count;
    }
    return single;
}

static void size_groups(struct node_runs *r, const struct single *single, size_t count, size_t *terms)
{
    r->group_count = count / LOOP_LANES;
    *terms = 0;
    for (size_t i = 0; i < r->group_count; i++) {
        struct node_group *group = &r->group[i];
        uint32_t now = 0;
        for (size_t k = 0; k < LOOP_LANES; k++) {
            const struct single *s = &single[i * LOOP_LANES + k];
            group->node[k] = s->node;
            group->lossy = s->stencil->lossy > group->lossy ? s->stencil->lossy : group->lossy;
            now = s->stencil->count > now ? s->stencil->count : now;
        }
        group->count = group->lossy + now;
        group->first = *terms;
        *terms += group->count;
    }
}

static void fill_groups(struct node_runs *r, const struct single *single)
{
    for (size_t i = 0; i < r->group_count * LOOP_LANES; i++) {
        const struct node_group *group = &r->group[i / LOOP_LANES];
        const struct stencil *s = single[i].stencil;
        for (uint32_t n = 0; n < group->count; n++) {
            const bool lossy = n < group->lossy;
            const uint32_t term = lossy ? n : n - group->lossy;
            const bool exists = term < (lossy ? s->lossy : s->count);
            const size_t at = (group->first + n) * LOOP_LANES + i % LOOP_LANES;
            r->factor[at] = !exists ? 0.0 : lossy ? s->before[term] : s->now[term];
            r->from[at] = (uint32_t)((int64_t)single[i].node + (exists ? s->offset[term] : 0));
        }
    }
}

int node_runs_make(struct node_runs *r, const struct surface *surface)
{
    size_t count, terms;
    if (make_runs(r, surface))
        return -1;
    struct single *single = list_singles(&count, r, surface);
    r->group = calloc(count / LOOP_LANES + 1, sizeof *r->group);
    if (!single || !r->group) {
        free(single);
        return -1;
    }
    size_groups(r, single, count, &terms);
    r->factor = calloc(terms * LOOP_LANES + 1, sizeof *r->factor);
    r->from = calloc(terms * LOOP_LANES + 1, sizeof *r->from);
    const bool made = r->factor && r->from;
    if (made)
        fill_groups(r, single);
    free(single);
    return made ? 0 : -1;
}
