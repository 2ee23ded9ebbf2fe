/* SPDX-License-Identifier: MIT */
/* Values of the varied keys of a room. Room k depends only on the plan's seed and on k, and each
 * draw also on its key: adding a key to a plan leaves the others unchanged. */
#ifndef AULA_RENDER_BATCH_DRAW_H
#define AULA_RENDER_BATCH_DRAW_H

#include "render/batch/plan.h"
#include "room/room.h"

struct drawn {
    const struct plan *plan;
    size_t room;
    size_t base;                   /* index of plan->bases */
    char **values;                 /* [plan->variation_count], as for --set */
    double (*numbers)[VARY_WIDTH]; /* [plan->variation_count]: of drawn numbers */
};

/* The values of room `room`. `settings` of the command line (may be NULL) apply first, as they
 * affect positions. ERROR_INPUT, with the reason, if its positions cannot be drawn or the room
 * cannot be read; ERROR_MEMORY. Free in any case. */
int drawn_make(struct drawn *d, const struct plan *plan, size_t room, const char *const *settings, size_t setting_count,
               struct error *e);
void drawn_free(struct drawn *d);

/* The room with these values, and with its own hybrid.seed unless a setting or the plan sets it. */
int drawn_read(struct room **room, const struct drawn *d, const char *const *settings, size_t setting_count,
               struct error *e);

/* places.c: draws the missing positions of d, in a room read without them. */
struct random;
int drawn_places(struct drawn *d, const struct room *room, struct error *e);

/* Random stream of a key. */
struct random drawn_stream(const struct plan *plan, size_t room, const char *key);

#endif
