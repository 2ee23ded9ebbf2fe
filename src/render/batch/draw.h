/* SPDX-License-Identifier: MIT */
/* What a plan's room is: the values of its keys. Room k depends on the plan's seed and on k alone, and each draw on
 * its key besides: a key that is added to a plan changes no other. */
#ifndef AULA_RENDER_BATCH_DRAW_H
#define AULA_RENDER_BATCH_DRAW_H

#include "render/batch/plan.h"
#include "room/room.h"

struct drawn {
    const struct plan *plan;
    size_t room;
    size_t base;                   /* index of plan->bases */
    char **values;                 /* [plan->variation_count], as of --set */
    double (*numbers)[VARY_WIDTH]; /* [plan->variation_count]: of draws of numbers */
    size_t tries;                  /* of its places */
};

/* The values of room `room`. `settings` of the command line (may be NULL) come first, as they do for the places.
 * ERROR_INPUT, with the reason, where its places cannot be drawn or the room cannot be read; ERROR_MEMORY. Free in
 * any case. */
int drawn_make(struct drawn *d, const struct plan *plan, size_t room, const char *const *settings, size_t setting_count,
               struct error *e);
void drawn_free(struct drawn *d);

/* The room of these values; with a hybrid.seed of its own, unless a setting or the plan gives it. */
int drawn_read(struct room **room, const struct drawn *d, const char *const *settings, size_t setting_count,
               struct error *e);

/* places.c: draws the places of d that have none yet, in a room that was read without them. */
struct random;
int drawn_places(struct drawn *d, const struct room *room, struct error *e);

/* The stream of a key. */
struct random drawn_stream(const struct plan *plan, size_t room, const char *key);

#endif
