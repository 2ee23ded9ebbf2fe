/* SPDX-License-Identifier: MIT */
/* A furnished room while it is drawn. Lengths are whole millimetres, so that a room is the same on
 * every machine.
 *
 * How to add a piece of furniture: enum piece_kind below, its row in pieces.c, a row of orders[] in
 * furnish.c, its height in tests/unit/render/furnished_test.c. A use of rooms: enum room_use in
 * furnished.h, the tables in outline.c and openings.c, rows of orders[] and finishes[], the message in
 * batch/plan_generate.c, docs/guide/batch.md and docs/aula.1. */
#ifndef AULA_RENDER_BATCH_FURNISHED_SKETCH_H
#define AULA_RENDER_BATCH_FURNISHED_SKETCH_H

#include <stdbool.h>
#include <stddef.h>

#include "base/random.h"
#include "base/text.h"
#include "render/batch/furnished/furnished.h"

enum {
    STEP = 50,       /* lattice of footprints */
    WAY = 600,       /* width of free ways */
    SWING = 800,     /* depth kept free before a door */
    CLEARANCE = 310, /* of sources and receivers; a door or window takes 1 mm of it */
    CORNERS_MAX = 8,
    OPENINGS_MAX = 32,
    PIECES_MAX = 200,
    RECEIVERS = 2
};

struct rect {
    int low[2], high[2];
};

/* Local axes: `along` and, a quarter turn to the left of it, into the room. */
struct frame {
    int at[2], along[2];
};

enum surface {
    SURFACE_WALL,
    SURFACE_FLOOR,
    SURFACE_CEILING,
    SURFACE_DOOR,
    SURFACE_WINDOW,
    SURFACE_CURTAIN,
    SURFACE_BOARD,
    SURFACE_CARPET,
    SURFACE_FURNITURE,
    SURFACE_CHAIR,
    SURFACE_UPHOLSTERY,
    SURFACES
};

/* A door, window, curtain or blackboard: a box of 1 mm on a wall. */
struct opening {
    enum surface surface;
    struct frame wall;
    int from, to, bottom, top;
};

enum piece_kind {
    PIECE_BED,
    PIECE_NIGHTSTAND,
    PIECE_WARDROBE,
    PIECE_CHEST,
    PIECE_DESK,
    PIECE_TEACHERS_DESK,
    PIECE_PUPILS_DESK,
    PIECE_CHAIR,
    PIECE_SHELF,
    PIECE_CUPBOARD,
    PIECE_LOCKERS,
    PIECE_BENCH,
    PIECE_SOFA,
    PIECE_ARMCHAIR,
    PIECE_LOW_TABLE,
    PIECE_DINING_TABLE,
    PIECE_CARPET,
    PIECE_KINDS
};

struct piece {
    enum piece_kind kind;
    struct frame frame; /* its back lies on the axis `along` */
    int length, depth, height;
};

struct part {
    const char *name;
    enum surface surface;
    int low[3], high[3];
};
enum { PARTS_MAX = 4 };

struct sketch {
    enum room_use use;
    int size[2], height;
    struct rect notches[2]; /* cut from the corners of the box of this size */
    size_t notch_count;
    int corners[CORNERS_MAX][2]; /* counterclockwise */
    size_t corner_count;
    struct opening openings[OPENINGS_MAX];
    size_t opening_count;
    struct piece pieces[PIECES_MAX];
    size_t piece_count;
    const char *materials[SURFACES];
    int source[3], receivers[RECEIVERS][3];
};

/* A whole number of `step` from low to high, both included. */
int draw_length(struct random *r, int low, int high, int step);
bool draw_chance(struct random *r, double probability);

void frame_point(int point[2], const struct frame *f, int along, int inward);
struct rect frame_rect(const struct frame *f, int length, int depth);
static inline bool rects_overlap(const struct rect *a, const struct rect *b)
{
    return a->low[0] < b->high[0] && b->low[0] < a->high[0] && a->low[1] < b->high[1] && b->low[1] < a->high[1];
}

/* outline.c */
void outline_draw(struct sketch *s, const struct furnished_wishes *wishes, struct random *r);
bool outline_contains(const struct sketch *s, const struct rect *rect);
double outline_area(const struct sketch *s); /* m² */
struct frame outline_wall(const struct sketch *s, size_t side, int *length);

/* openings.c */
void openings_draw(struct sketch *s, struct random *r);
struct rect opening_zone(const struct opening *o, int depth); /* the floor before it */

/* pieces.c */
struct piece piece_draw(enum piece_kind kind, struct random *r); /* all but its frame */
struct rect piece_rect(const struct piece *p);
size_t piece_parts(struct part parts[PARTS_MAX], const struct piece *p);
const char *piece_name(enum piece_kind kind);
bool piece_is_reached(enum piece_kind kind); /* a free way must lead to it */
bool piece_is_seat(enum piece_kind kind);

/* furnish.c: false: out of memory. */
bool furnish(struct sketch *s, struct random *r);

/* ways.c: whether free ways connect all doors and lead to all pieces that need one. */
struct ways;
struct ways *ways_make(const struct sketch *s);
bool ways_are_free(struct ways *w, const struct sketch *s);
void ways_free(struct ways *w);

/* finishes.c */
void finishes_draw(struct sketch *s, struct random *r);

/* positions.c: source and receivers; false: there is no place. */
bool positions_draw(struct sketch *s, struct random *r);

#endif
