/* SPDX-License-Identifier: MIT */
/* Places the furniture: groups of pieces along walls or in the middle, in rows in a classroom.
 * A group that would break a rule is drawn again elsewhere, and left out after some tries. */
#include "render/batch/furnished/sketch.h"

enum { GROUP_MAX = 8, TRIES = 40 };

/* Pieces that belong together, in the local axes of `frame`. */
struct group {
    struct frame frame;
    struct piece pieces[GROUP_MAX];
    size_t count;
    int length, depth;
    bool in_the_middle;
};

struct furnishing {
    struct sketch *sketch;
    struct ways *ways;
    struct random *random;
};

/* Adds a piece whose box begins at u along, v inward, and whose back is turned by quarter turns. */
static void add(struct group *g, struct piece p, int u, int v, int quarters)
{
    const int a = quarters % 2 ? p.depth : p.length, b = quarters % 2 ? p.length : p.depth;
    const int start[2] = {quarters == 1 || quarters == 2 ? u + a : u, quarters >= 2 ? v + b : v};
    static const int along[4][2] = {{1, 0}, {0, 1}, {-1, 0}, {0, -1}};
    p.frame.at[0] = start[0];
    p.frame.at[1] = start[1];
    p.frame.along[0] = along[quarters][0];
    p.frame.along[1] = along[quarters][1];
    g->pieces[g->count++] = p;
    g->length = u + a > g->length ? u + a : g->length;
    g->depth = v + b > g->depth ? v + b : g->depth;
}

/* From the axes of the group to those of the room. */
static struct piece turned(const struct group *g, size_t i)
{
    struct piece p = g->pieces[i];
    const struct frame local = p.frame, *f = &g->frame;
    frame_point(p.frame.at, f, local.at[0], local.at[1]);
    p.frame.along[0] = local.along[0] * f->along[0] - local.along[1] * f->along[1];
    p.frame.along[1] = local.along[0] * f->along[1] + local.along[1] * f->along[0];
    return p;
}

static bool stands_free(const struct sketch *s, const struct piece *p)
{
    const struct rect rect = piece_rect(p);
    if (!outline_contains(s, &rect) || s->piece_count == PIECES_MAX)
        return false;
    for (size_t i = 0; i < s->piece_count; i++) {
        const struct rect other = piece_rect(&s->pieces[i]);
        if ((p->kind == PIECE_CARPET) == (s->pieces[i].kind == PIECE_CARPET) && rects_overlap(&rect, &other))
            return false;
    }
    for (size_t i = 0; i < s->opening_count; i++) {
        const struct opening *o = &s->openings[i];
        const struct rect zone = opening_zone(o, o->surface == SURFACE_DOOR ? SWING : STEP);
        if ((o->surface == SURFACE_DOOR || p->height > o->bottom) && rects_overlap(&rect, &zone))
            return false;
    }
    return true;
}

/* Adds all pieces of the group at its frame, or none. */
static bool place(struct furnishing *f, const struct group *g)
{
    struct sketch *s = f->sketch;
    const size_t before = s->piece_count;
    bool placed = true;
    for (size_t i = 0; i < g->count && placed; i++) {
        const struct piece p = turned(g, i);
        placed = stands_free(s, &p);
        if (placed)
            s->pieces[s->piece_count++] = p;
    }
    placed = placed && ways_are_free(f->ways, s);
    if (!placed)
        s->piece_count = before;
    return placed;
}

static void draw_frame(const struct furnishing *f, struct group *g)
{
    static const int along[4][2] = {{1, 0}, {0, 1}, {-1, 0}, {0, -1}};
    const struct sketch *s = f->sketch;
    int length;
    if (g->in_the_middle) {
        const size_t way = random_between(f->random, 0, 3);
        for (int i = 0; i < 2; i++) {
            g->frame.at[i] = draw_length(f->random, 0, s->size[i], STEP);
            g->frame.along[i] = along[way][i];
        }
        return;
    }
    g->frame = outline_wall(s, random_between(f->random, 0, s->corner_count - 1), &length);
    if (length >= g->length)
        frame_point(g->frame.at, &g->frame, draw_length(f->random, 0, length - g->length, STEP), 0);
}

/* ---- Groups ---- */

static struct piece draw(const struct furnishing *f, enum piece_kind kind)
{
    return piece_draw(kind, f->random);
}

static void group_bed(struct group *g, const struct furnishing *f)
{
    const struct piece stand = draw(f, PIECE_NIGHTSTAND), bed = draw(f, PIECE_BED);
    const bool left = draw_chance(f->random, 0.7), right = draw_chance(f->random, 0.5);
    if (left)
        add(g, stand, 0, 0, 0);
    add(g, bed, g->length, 0, 0);
    if (right)
        add(g, stand, g->length, 0, 0);
}

/* A chair before the middle of a desk, on the lattice. */
static void group_desk(struct group *g, const struct furnishing *f)
{
    const struct piece desk = draw(f, PIECE_DESK), chair = draw(f, PIECE_CHAIR);
    add(g, desk, 0, 0, 0);
    add(g, chair, (desk.length - chair.length) / 2 / STEP * STEP, desk.depth, 2);
}

/* Two desks face to face. */
static void group_island(struct group *g, const struct furnishing *f)
{
    const struct piece desk = draw(f, PIECE_DESK), chair = draw(f, PIECE_CHAIR);
    const int middle = (desk.length - chair.length) / 2 / STEP * STEP;
    add(g, chair, middle, 0, 0);
    add(g, desk, 0, chair.depth, 0);
    add(g, desk, 0, chair.depth + desk.depth, 2);
    add(g, chair, middle, chair.depth + 2 * desk.depth, 2);
    g->in_the_middle = true;
}

static void group_sofa(struct group *g, const struct furnishing *f)
{
    const struct piece sofa = draw(f, PIECE_SOFA), table = draw(f, PIECE_LOW_TABLE);
    add(g, sofa, 0, 0, 0);
    if (draw_chance(f->random, 0.8))
        add(g, table, (sofa.length - table.length) / 2 / STEP * STEP, sofa.depth + 400, 0);
}

static void group_dining(struct group *g, const struct furnishing *f)
{
    const struct piece table = draw(f, PIECE_DINING_TABLE), chair = draw(f, PIECE_CHAIR);
    const int count = table.length >= 1500 ? 2 : 1; /* of chairs on each long side */
    for (int i = 0; i < count; i++) {
        const int u = (table.length * (2 * i + 1) / (2 * count) - chair.length / 2) / STEP * STEP;
        add(g, chair, u, 0, 0);
        add(g, chair, u, chair.depth + table.depth, 2);
    }
    add(g, table, 0, chair.depth, 0);
    if (draw_chance(f->random, 0.5))
        add(g, chair, table.length, chair.depth + (table.depth - chair.length) / 2 / STEP * STEP, 1);
    g->in_the_middle = true;
}

/* ---- What a use has ---- */

/* Groups of several pieces, before those of one piece. */
enum { GROUP_BED = PIECE_KINDS, GROUP_DESK, GROUP_ISLAND, GROUP_SOFA, GROUP_DINING };

static const struct {
    enum room_use use;
    int group; /* as above, or an enum piece_kind */
    double chance;
    double area; /* m² for each; 0: one in any room */
} orders[] = {
    {USE_BEDROOM, GROUP_BED, 1.0, 0.0},           {USE_BEDROOM, PIECE_WARDROBE, 0.95, 0.0},
    {USE_BEDROOM, GROUP_DESK, 0.55, 0.0},         {USE_BEDROOM, PIECE_CHEST, 0.6, 10.0},
    {USE_BEDROOM, PIECE_SHELF, 0.5, 12.0},        {USE_BEDROOM, PIECE_ARMCHAIR, 0.5, 14.0},
    {USE_BEDROOM, PIECE_CARPET, 0.5, 0.0},        {USE_OFFICE, GROUP_ISLAND, 0.8, 15.0},
    {USE_OFFICE, GROUP_DESK, 1.0, 0.0},           {USE_OFFICE, GROUP_DESK, 0.8, 9.0},
    {USE_OFFICE, PIECE_CUPBOARD, 0.8, 9.0},       {USE_OFFICE, PIECE_SHELF, 0.7, 10.0},
    {USE_CLASSROOM, PIECE_CUPBOARD, 0.8, 25.0},   {USE_CLASSROOM, PIECE_SHELF, 0.6, 25.0},
    {USE_LIVING_ROOM, GROUP_SOFA, 1.0, 0.0},      {USE_LIVING_ROOM, GROUP_DINING, 0.8, 16.0},
    {USE_LIVING_ROOM, PIECE_ARMCHAIR, 0.7, 12.0}, {USE_LIVING_ROOM, PIECE_CHEST, 0.7, 14.0},
    {USE_LIVING_ROOM, PIECE_SHELF, 0.8, 9.0},     {USE_LIVING_ROOM, PIECE_CUPBOARD, 0.6, 20.0},
    {USE_LIVING_ROOM, PIECE_CARPET, 0.75, 14.0},  {USE_CORRIDOR, PIECE_BENCH, 0.5, 10.0},
    {USE_CORRIDOR, PIECE_LOCKERS, 0.4, 8.0},      {USE_CORRIDOR, PIECE_CUPBOARD, 0.4, 12.0},
};

static void make_group(struct group *g, const struct furnishing *f, int group)
{
    switch (group) {
    case GROUP_BED:
        group_bed(g, f);
        break;
    case GROUP_DESK:
        group_desk(g, f);
        break;
    case GROUP_ISLAND:
        group_island(g, f);
        break;
    case GROUP_SOFA:
        group_sofa(g, f);
        break;
    case GROUP_DINING:
        group_dining(g, f);
        break;
    default:
        add(g, draw(f, (enum piece_kind)group), 0, 0, 0);
        g->in_the_middle = group == PIECE_CARPET;
    }
}

/* Sizes are drawn again with each try, so that a smaller piece may fit. */
static void place_somewhere(struct furnishing *f, int group)
{
    for (int tries = 0; tries < TRIES; tries++) {
        struct group g = {.count = 0};
        make_group(&g, f, group);
        draw_frame(f, &g);
        if (place(f, &g))
            return;
    }
}

/* ---- Classrooms ---- */

static const struct opening *board_of(const struct sketch *s)
{
    for (size_t i = 0; i < s->opening_count; i++)
        if (s->openings[i].surface == SURFACE_BOARD)
            return &s->openings[i];
    return NULL;
}

static void place_teacher(struct furnishing *f, const struct frame *front, int length)
{
    const struct piece desk = draw(f, PIECE_TEACHERS_DESK), chair = draw(f, PIECE_CHAIR);
    for (int tries = 0; tries < TRIES; tries++) {
        struct group g = {.frame = *front};
        const int u = draw_length(f->random, 0, length - desk.length, STEP);
        const int v = draw_length(f->random, 650, 1100, STEP);
        add(&g, chair, u + (desk.length - chair.length) / 2 / STEP * STEP, v, 0);
        add(&g, desk, u, v + chair.depth, 0);
        if (place(f, &g))
            return;
    }
}

/* Desks for two that face the board, in rows and columns with free ways between them. */
static void place_rows(struct furnishing *f)
{
    const struct sketch *s = f->sketch;
    const struct opening *board = board_of(s);
    const struct piece desk = draw(f, PIECE_PUPILS_DESK), chair = draw(f, PIECE_CHAIR);
    struct group g = {.count = 0};
    int length;
    struct frame front = outline_wall(s, 0, &length);
    if (board) {
        front = board->wall;
        length = board->from + board->to;
    }
    place_teacher(f, &front, length);
    add(&g, desk, 0, 0, 0);
    add(&g, chair, 50, desk.depth, 2);
    add(&g, chair, desk.length - chair.length - 50, desk.depth, 2);
    const int aisle = draw_length(f->random, 600, 750, STEP), first = draw_length(f->random, 2000, 2500, STEP);
    const int between = draw_length(f->random, 600, 700, STEP);
    const int columns = (length - WAY) / (desk.length + aisle);
    const int margin = (length - columns * (desk.length + aisle) + aisle) / 2 / STEP * STEP;
    const int depth = s->size[0] > s->size[1] ? s->size[0] : s->size[1];
    for (int v = first; v + g.depth <= depth; v += g.depth + between)
        for (int column = 0; column < columns; column++) {
            g.frame = front;
            frame_point(g.frame.at, &front, margin + column * (desk.length + aisle), v);
            place(f, &g);
        }
}

bool furnish(struct sketch *s, struct random *r)
{
    struct furnishing f = {s, ways_make(s), r};
    if (!f.ways)
        return false;
    s->piece_count = 0;
    if (s->use == USE_CLASSROOM)
        place_rows(&f);
    for (size_t i = 0; i < sizeof orders / sizeof *orders; i++) {
        const double share = orders[i].area > 0.0 ? outline_area(s) / orders[i].area : 1.0;
        const int count = share < 1.0 ? 1 : (int)share;
        for (int k = 0; k < count && orders[i].use == s->use; k++)
            if (draw_chance(r, orders[i].chance))
                place_somewhere(&f, orders[i].group);
    }
    ways_free(f.ways);
    return true;
}
