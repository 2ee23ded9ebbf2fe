/* SPDX-License-Identifier: MIT */
#include "render/batch/furnished/furnished.h"

#include "base/checksum.h"
#include "render/batch/furnished/sketch.h"

enum { ATTEMPTS = 20 };

/* Each kind of draw has its own stream, as in render/batch/draw.h. */
static struct random stream(uint64_t seed, uint64_t room, const char *name)
{
    struct random r = {seed};
    r.state = random_bits(&r) ^ room;
    r.state = random_bits(&r) ^ checksum_text(name);
    return r;
}

enum room_use furnished_use(uint64_t seed, uint64_t room, const struct furnished_wishes *wishes)
{
    struct random r = stream(seed, room, "generate.use");
    double at = random_unit(&r);
    int last = 0;
    for (int use = 0; use < ROOM_USES; use++) {
        if (!(wishes->weights[use] > 0.0))
            continue;
        last = use;
        at -= wishes->weights[use];
        if (at < 0.0)
            break;
    }
    return (enum room_use)last;
}

/* ---- Text ---- */

static void add_point(struct growing_text *t, const int point[3])
{
    growing_text_add(t, "[%d.%03d, %d.%03d, %d.%03d]", point[0] / 1000, point[0] % 1000, point[1] / 1000,
                     point[1] % 1000, point[2] / 1000, point[2] % 1000);
}

/* "desk_3_top", numbered by kind from 1. */
static void add_box(struct growing_text *t, const char *kind, size_t number, const char *part, const int low[3],
                    const int high[3], const char *material)
{
    growing_text_add(t, "    { shape = \"box\"; name = \"%s_%zu%s%s\"; from = ", kind, number, part ? "_" : "",
                     part ? part : "");
    add_point(t, low);
    growing_text_add(t, "; to = ");
    add_point(t, high);
    growing_text_add(t, "; material = \"%s\"; },\n", material);
}

static void add_openings(struct growing_text *t, const struct sketch *s)
{
    static const char *const names[SURFACES] = {[SURFACE_DOOR] = "door",
                                                [SURFACE_WINDOW] = "window",
                                                [SURFACE_CURTAIN] = "curtain",
                                                [SURFACE_BOARD] = "blackboard"};
    size_t numbers[SURFACES] = {0};
    for (size_t i = 0; i < s->opening_count; i++) {
        const struct opening *o = &s->openings[i];
        const struct rect rect = opening_zone(o, 1);
        add_box(t, names[o->surface], ++numbers[o->surface], NULL, (int[]){rect.low[0], rect.low[1], o->bottom},
                (int[]){rect.high[0], rect.high[1], o->top}, s->materials[o->surface]);
    }
}

/* Carpets first: where objects overlap, the later one counts. */
static void add_pieces(struct growing_text *t, const struct sketch *s, bool carpets)
{
    size_t numbers[PIECE_KINDS] = {0};
    for (size_t i = 0; i < s->piece_count; i++) {
        struct part parts[PARTS_MAX];
        const enum piece_kind kind = s->pieces[i].kind;
        const size_t count = piece_parts(parts, &s->pieces[i]);
        numbers[kind]++;
        for (size_t k = 0; k < count && (kind == PIECE_CARPET) == carpets; k++)
            add_box(t, piece_name(kind), numbers[kind], parts[k].name, parts[k].low, parts[k].high,
                    s->materials[parts[k].surface]);
    }
}

static char *text_of(const struct sketch *s, uint64_t seed, uint64_t room)
{
    struct growing_text t = {0};
    growing_text_add(&t, "# Room %llu of seed %llu: %s of %.1f m2\n\nroom: {\n  corners = (", (unsigned long long)room,
                     (unsigned long long)seed, room_use_names[s->use], outline_area(s));
    for (size_t i = 0; i < s->corner_count; i++)
        growing_text_add(&t, "%s[%d.%03d, %d.%03d]", i ? ", " : " ", s->corners[i][0] / 1000, s->corners[i][0] % 1000,
                         s->corners[i][1] / 1000, s->corners[i][1] % 1000);
    growing_text_add(&t, " );\n  height = %d.%03d;\n", s->height / 1000, s->height % 1000);
    growing_text_add(&t, "  walls: { default = \"%s\"; z_min = \"%s\"; z_max = \"%s\"; };\n  objects: (\n",
                     s->materials[SURFACE_WALL], s->materials[SURFACE_FLOOR], s->materials[SURFACE_CEILING]);
    add_openings(&t, s);
    add_pieces(&t, s, true);
    add_pieces(&t, s, false);
    if (t.text && t.length > 2)
        t.text[t.length - 2] = ' '; /* the comma after the last object; a room has a door at least */
    growing_text_add(&t, "  );\n};\n\ngrid: { max_frequency = 1500.0; precision = \"single\"; };\n\nsources: ( { name "
                         "= \"source\"; position = ");
    add_point(&t, s->source);
    growing_text_add(&t, "; } );\n\nreceivers: (");
    for (int i = 0; i < RECEIVERS; i++) {
        growing_text_add(&t, "%s{ name = \"receiver_%d\"; position = ", i ? ", " : " ", i + 1);
        add_point(&t, s->receivers[i]);
        growing_text_add(&t, "; }");
    }
    growing_text_add(&t, " );\n");
    return growing_text_take(&t, NULL);
}

char *furnished_room_text(uint64_t seed, uint64_t room, const struct furnished_wishes *wishes, struct error *e)
{
    struct random outline = stream(seed, room, "generate.outline"), openings = stream(seed, room, "generate.openings"),
                  furniture = stream(seed, room, "generate.furniture"),
                  finishes = stream(seed, room, "generate.materials"),
                  positions = stream(seed, room, "generate.positions");
    struct sketch s = {.use = furnished_use(seed, room, wishes)};
    bool placed = false;
    for (int attempt = 0; attempt < ATTEMPTS && !placed; attempt++) {
        outline_draw(&s, wishes, &outline);
        openings_draw(&s, &openings);
        if (!furnish(&s, &furniture)) {
            fail(e, ERROR_MEMORY, "out of memory");
            return NULL;
        }
        placed = s.piece_count && positions_draw(&s, &positions);
    }
    if (!placed) {
        fail(e, ERROR_INPUT, "room %llu of seed %llu: no place for source and receivers in a %s",
             (unsigned long long)room, (unsigned long long)seed, room_use_names[s.use]);
        return NULL;
    }
    finishes_draw(&s, &finishes);
    char *text = text_of(&s, seed, room);
    if (!text)
        fail(e, ERROR_MEMORY, "out of memory");
    return text;
}
