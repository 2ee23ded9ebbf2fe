/* SPDX-License-Identifier: MIT */
/* The library of furniture. Legs are left out or drawn as panels, since posts of a few centimetres
 * vanish between the points of a grid and scatter little below 4 kHz. */
#include "render/batch/furnished/sketch.h"

enum build { BUILD_BLOCK, BUILD_TABLE, BUILD_CHAIR, BUILD_SOFA, BUILD_BED, BUILD_SHEET };
enum { BOARD = 30, SEAT = 450, ARM = 150, HEADBOARD = 50 };

/* Sizes in mm, lowest and highest. Lengths and depths are multiples of STEP. */
static const struct {
    const char *name;
    int length[2], depth[2], height[2];
    enum build build;
    enum surface surface;
    bool reached, seat;
} kinds[PIECE_KINDS] = {
    [PIECE_BED] = {"bed", {900, 1800}, {2000, 2100}, {800, 900}, BUILD_BED, SURFACE_UPHOLSTERY, true, true},
    [PIECE_NIGHTSTAND] =
        {"nightstand", {400, 500}, {350, 450}, {450, 600}, BUILD_BLOCK, SURFACE_FURNITURE, false, false},
    [PIECE_WARDROBE] = {"wardrobe", {800, 2000}, {550, 650}, {1900, 2200}, BUILD_BLOCK, SURFACE_FURNITURE, true, false},
    [PIECE_CHEST] = {"chest", {800, 1200}, {450, 500}, {750, 1000}, BUILD_BLOCK, SURFACE_FURNITURE, true, false},
    [PIECE_DESK] = {"desk", {1000, 1600}, {600, 800}, {720, 760}, BUILD_TABLE, SURFACE_FURNITURE, false, false},
    [PIECE_TEACHERS_DESK] =
        {"teachers_desk", {1200, 1600}, {600, 800}, {720, 760}, BUILD_TABLE, SURFACE_FURNITURE, false, false},
    [PIECE_PUPILS_DESK] =
        {"pupils_desk", {1200, 1300}, {500, 550}, {640, 760}, BUILD_TABLE, SURFACE_FURNITURE, false, false},
    [PIECE_CHAIR] = {"chair", {450, 500}, {450, 500}, {800, 890}, BUILD_CHAIR, SURFACE_CHAIR, true, true},
    [PIECE_SHELF] = {"shelf", {600, 1200}, {250, 350}, {1500, 2100}, BUILD_BLOCK, SURFACE_FURNITURE, true, false},
    [PIECE_CUPBOARD] = {"cupboard", {800, 1200}, {400, 450}, {800, 2000}, BUILD_BLOCK, SURFACE_FURNITURE, true, false},
    [PIECE_LOCKERS] = {"lockers", {900, 1800}, {450, 500}, {1750, 1900}, BUILD_BLOCK, SURFACE_FURNITURE, true, false},
    [PIECE_BENCH] = {"bench", {1000, 1500}, {350, 450}, {430, 470}, BUILD_TABLE, SURFACE_CHAIR, true, true},
    [PIECE_SOFA] = {"sofa", {1500, 2200}, {800, 950}, {750, 890}, BUILD_SOFA, SURFACE_UPHOLSTERY, true, true},
    [PIECE_ARMCHAIR] = {"armchair", {750, 900}, {750, 900}, {750, 890}, BUILD_SOFA, SURFACE_UPHOLSTERY, true, true},
    [PIECE_LOW_TABLE] =
        {"low_table", {800, 1200}, {500, 700}, {380, 480}, BUILD_TABLE, SURFACE_FURNITURE, false, false},
    [PIECE_DINING_TABLE] =
        {"dining_table", {1200, 1800}, {800, 900}, {720, 760}, BUILD_TABLE, SURFACE_FURNITURE, false, false},
    [PIECE_CARPET] = {"carpet", {1500, 3000}, {1200, 2000}, {1, 1}, BUILD_SHEET, SURFACE_CARPET, false, false},
};

const char *piece_name(enum piece_kind kind)
{
    return kinds[kind].name;
}

bool piece_is_reached(enum piece_kind kind)
{
    return kinds[kind].reached;
}

bool piece_is_seat(enum piece_kind kind)
{
    return kinds[kind].seat;
}

struct piece piece_draw(enum piece_kind kind, struct random *r)
{
    struct piece p = {.kind = kind};
    p.length = draw_length(r, kinds[kind].length[0], kinds[kind].length[1], STEP);
    p.depth = draw_length(r, kinds[kind].depth[0], kinds[kind].depth[1], STEP);
    p.height = draw_length(r, kinds[kind].height[0], kinds[kind].height[1], 10);
    return p;
}

struct rect piece_rect(const struct piece *p)
{
    return frame_rect(&p->frame, p->length, p->depth);
}

/* A part between two corners of the piece, along, inward and up. */
static void add(struct part *parts, size_t *count, const struct piece *p, const char *name, const int from[3],
                const int to[3])
{
    struct frame f = p->frame;
    struct part *part = &parts[(*count)++];
    frame_point(f.at, &p->frame, from[0], from[1]);
    const struct rect rect = frame_rect(&f, to[0] - from[0], to[1] - from[1]);
    *part = (struct part){
        name, kinds[p->kind].surface, {rect.low[0], rect.low[1], from[2]}, {rect.high[0], rect.high[1], to[2]}};
}

size_t piece_parts(struct part parts[PARTS_MAX], const struct piece *p)
{
    const int l = p->length, d = p->depth, h = p->height;
    size_t count = 0;
#define PART(name, x0, y0, z0, x1, y1, z1) add(parts, &count, p, name, (int[]){x0, y0, z0}, (int[]){x1, y1, z1})
    switch (kinds[p->kind].build) {
    case BUILD_TABLE:
        PART("top", 0, 0, h - BOARD, l, d, h);
        PART("left", 0, 0, 0, BOARD, d, h - BOARD);
        PART("right", l - BOARD, 0, 0, l, d, h - BOARD);
        break;
    case BUILD_CHAIR: /* the back carries the seat */
        PART("back", 0, 0, 0, l, BOARD, h);
        PART("seat", 0, BOARD, SEAT - BOARD, l, d, SEAT);
        break;
    case BUILD_SOFA:
        PART("back", 0, 0, 0, l, 200, h);
        PART("seat", ARM, 200, 0, l - ARM, d, SEAT - 20);
        PART("left", 0, 200, 0, ARM, d, SEAT + 180);
        PART("right", l - ARM, 200, 0, l, d, SEAT + 180);
        break;
    case BUILD_BED:
        PART("headboard", 0, 0, 0, l, HEADBOARD, h);
        PART("mattress", 0, HEADBOARD, 0, l, d, h - 300);
        break;
    case BUILD_BLOCK:
    case BUILD_SHEET:
        PART(NULL, 0, 0, 0, l, d, h);
        break;
    }
#undef PART
    return count;
}
