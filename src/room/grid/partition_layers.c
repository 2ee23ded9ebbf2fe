/* SPDX-License-Identifier: MIT */
#include "room/grid/partition_layers.h"

#include <stdlib.h>
#include <string.h>

static bool transmits(const struct model *m, const struct surface_solid *s)
{
    return m->room->materials[s->material].transmission.given;
}

int partition_layers_make(struct partition_layers *l, const struct model *m, struct error *e)
{
    size_t objects = 0, capacity = 1;
    if (m->room->object_count < 2)
        return 0;
    if (room_surface_make(&l->surface, m->room, NULL, e))
        return -1;
    const struct surface *s = &l->surface.surface;
    for (size_t i = 0; i < s->solid_count; i++) {
        objects += transmits(m, &s->solids[i]);
        capacity += solid_chords_max(&s->solids[i]);
    }
    l->any = objects > 1;
    l->chords = malloc(capacity * sizeof *l->chords);
    return l->chords ? 0 : fail(e, ERROR_MEMORY, "out of memory");
}

void partition_layers_free(struct partition_layers *l)
{
    room_surface_free(&l->surface);
    free(l->chords);
    memset(l, 0, sizeof *l);
}

static int by_end(const void *a, const void *b)
{
    const struct chord *p = a, *q = b;
    return (p->to > q->to) - (p->to < q->to);
}

size_t partition_layers_count(struct partition_layers *l, const struct model *m, const struct solid_run *run)
{
    const struct surface *s = &l->surface.surface;
    const double length = ((double)run->length + 1.0) * m->grid.spacing, slack = 1e-6; /* m */
    double start[3], direction[3] = {0.0, 0.0, 0.0};
    size_t count = 0, layers = 0;
    for (int k = 0; k < 3; k++)
        start[k] = m->grid.origin[k] + ((double)run->lower[k] + 0.5) * m->grid.spacing;
    direction[run->axis] = 1.0;
    for (size_t i = 0; i < s->solid_count && l->any; i++) {
        const struct chord *found = &l->chords[count];
        const size_t chords =
            transmits(m, &s->solids[i]) ? solid_chords(&l->chords[count], &s->solids[i], start, direction) : 0;
        if (chords && found->from < length && found->to > 0.0 && found->to > found->from + slack)
            count++; /* the first chord of an object stands for it */
    }
    if (count)
        qsort(l->chords, count, sizeof *l->chords, by_end);
    for (size_t i = 0, last = 0; i < count; i++)
        if (layers == 0 || l->chords[i].from >= l->chords[last].to - slack) {
            layers++;
            last = i;
        }
    return layers;
}
