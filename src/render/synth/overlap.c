/* SPDX-License-Identifier: MIT */
/* No two instruments may share or cross a cell of the air. */
#include <stdlib.h>

#include "render/synth/ensemble.h"

/* A cell of the air that a surface moves, or that an opening of a wind instrument flows into. */
struct moved {
    uint64_t point;
    const char *owner;
    bool shared; /* several openings of its owner may */
};

static int by_place(const void *a, const void *b)
{
    const struct moved *p = a, *q = b;
    return (p->point > q->point) - (p->point < q->point);
}

static const char *owner_of(const struct moved *moved, size_t count, uint64_t point)
{
    const struct moved wanted = {.point = point};
    const struct moved *found = count ? bsearch(&wanted, moved, count, sizeof *moved, by_place) : NULL;
    return found ? found->owner : NULL;
}

static int too_close(const struct room *room, const char *one, const char *other, struct error *e)
{
    return fail(
        e, ERROR_INPUT,
        "%s: instruments %s and %s cross or share a cell of the air; move them apart by at least two cells of the grid",
        room->path, one, other);
}

/* Refuses a cell that two surfaces move, since each would undo the other's correction, a surface that another's shell
 * cuts through, and a cell inside two shells. A drumhead inside a shell is allowed. */
static int compare_places(const struct ensemble *s, const struct room *room, const struct model *m, struct moved *moved,
                          size_t count, struct error *e)
{
    qsort(moved, count, sizeof *moved, by_place);
    for (size_t i = 1; i < count; i++)
        if (moved[i].point == moved[i - 1].point && !(moved[i].shared && moved[i].owner == moved[i - 1].owner))
            return too_close(room, moved[i - 1].owner, moved[i].owner, e);
    for (size_t i = 0; i < s->cuts.count; i++) {
        int face = 0;
        while (!(s->cuts.cuts[i].faces >> face & 1))
            face++;
        const char *one = owner_of(moved, count, s->cuts.cuts[i].point);
        const char *other = owner_of(moved, count, cut_neighbour(m, s->cuts.cuts[i].point, face));
        if (one && one == other && one != s->cuts.owners[i])
            return too_close(room, s->cuts.owners[i], one, e);
    }
    struct moved *inside = calloc(s->cuts.inside_count + 1, sizeof *inside);
    if (!inside)
        return fail(e, ERROR_MEMORY, "out of memory");
    for (size_t i = 0; i < s->cuts.inside_count; i++)
        inside[i] = (struct moved){s->cuts.inside[i].point, s->cuts.inside[i].owner, false};
    qsort(inside, s->cuts.inside_count, sizeof *inside, by_place);
    int status = 0;
    for (size_t i = 1; i < s->cuts.inside_count && !status; i++)
        if (inside[i].point == inside[i - 1].point && inside[i].owner != inside[i - 1].owner)
            status = too_close(room, inside[i - 1].owner, inside[i].owner, e);
    free(inside);
    return status;
}

int ensemble_check_overlap(const struct ensemble *s, const struct room *room, const struct model *m, struct error *e)
{
    size_t total = 0, n = 0;
    for (size_t i = 0; i < s->voice_count; i++)
        total += s->voices[i].surface ? 2 * s->voices[i].surface->cells
                 : s->voices[i].wind  ? wind_points(&s->voices[i].wind->wind)
                                      : 0;
    struct moved *moved = calloc(total + 1, sizeof *moved);
    if (!moved)
        return fail(e, ERROR_MEMORY, "out of memory");
    for (size_t i = 0; i < s->voice_count; i++) {
        const struct surface *surface = s->voices[i].surface;
        const char *name = room->instruments[s->voices[i].instrument].name;
        for (size_t k = 0; surface && k < surface->cells; k++) {
            moved[n++] = (struct moved){surface->below[k], name, false};
            moved[n++] = (struct moved){surface->above[k], name, false};
        }
        const struct wind *wind = s->voices[i].wind ? &s->voices[i].wind->wind : NULL;
        for (size_t k = 0; wind && k < wind_points(wind); k++)
            moved[n++] = (struct moved){wind->points[k], name, true};
    }
    const int status = compare_places(s, room, m, moved, n, e);
    free(moved);
    return status;
}
