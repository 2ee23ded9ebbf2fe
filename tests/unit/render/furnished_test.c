/* SPDX-License-Identifier: MIT */
/* Furnished rooms keep the rules of render/batch/furnished/furnished.h. The checks see the text of the
 * room file alone: they read it as any other and measure its objects. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "render/batch/furnished/furnished.h"
#include "room/grid/model.h"
#include "room/room.h"
#include "support/random_cases.h"
#include "support/scratch.h"

/* clang-format off */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
/* clang-format on */

enum { ROOMS = 120, CELL = 50 /* mm */, CELLS = 600, WINDOW = 12 /* cells of the free way */, PIECES = 300 };

static const struct furnished_wishes any = {{0.2, 0.2, 0.2, 0.2, 0.2}, {0.0, INFINITY}};
static uint64_t seed, number; /* of the room under test, for messages */

#define check(condition, ...)                                                                                          \
    do {                                                                                                               \
        if (!(condition)) {                                                                                            \
            print_error("room %llu of seed %llu: ", (unsigned long long)number, (unsigned long long)seed);             \
            fail_msg(__VA_ARGS__);                                                                                     \
        }                                                                                                              \
    } while (0)

/* A piece of furniture, door or window: the box around the parts whose names begin with its own. */
struct thing {
    char name[64]; /* "low_table_3" */
    double low[3], high[3];
    double volume; /* m³ of its parts */
};

static bool is_kind(const struct thing *t, const char *kind)
{
    const size_t length = strlen(kind);
    return !strncmp(t->name, kind, length) && t->name[length] == '_' && strspn(t->name + length + 1, "0123456789") > 0;
}

static bool is_opening(const struct thing *t)
{
    return is_kind(t, "door") || is_kind(t, "window") || is_kind(t, "curtain") || is_kind(t, "blackboard");
}

static bool stands(const struct thing *t)
{
    return !is_opening(t) && !is_kind(t, "carpet");
}

static struct thing *thing_of(struct thing *things, size_t *count, const struct object *o)
{
    const size_t letters = strcspn(o->name, "0123456789"), digits = strspn(o->name + letters, "0123456789");
    char name[64];
    snprintf(name, sizeof name, "%.*s", (int)(letters + digits), o->name);
    for (size_t i = 0; i < *count; i++)
        if (!strcmp(things[i].name, name))
            return &things[i];
    struct thing *t = &things[(*count)++];
    assert_true(*count <= PIECES);
    *t = (struct thing){.low = {INFINITY, INFINITY, INFINITY}, .high = {-INFINITY, -INFINITY, -INFINITY}};
    snprintf(t->name, sizeof t->name, "%s", name);
    return t;
}

static size_t things_of(struct thing *things, const struct room *room)
{
    size_t count = 0;
    for (size_t i = 0; i < room->object_count; i++) {
        const struct object *o = &room->objects[i];
        struct thing *t = thing_of(things, &count, o);
        double volume = 1.0;
        assert_int_equal(o->shape, SHAPE_BOX);
        for (int k = 0; k < 3; k++) {
            t->low[k] = fmin(t->low[k], o->from[k]);
            t->high[k] = fmax(t->high[k], o->to[k]);
            volume *= o->to[k] - o->from[k];
            check(o->to[k] > o->from[k], "%s has no volume", o->name);
        }
        t->volume += volume;
    }
    return count;
}

static struct room *read_room(const struct furnished_wishes *wishes)
{
    struct error e;
    struct room *room;
    char *text = furnished_room_text(seed, number, wishes, &e);
    must(text ? 0 : -1, &e);
    must(room_read_text(&room, "furnished.cfg", text, NULL, 0, &e), &e);
    free(text);
    return room;
}

static double outline_area(const struct room *room)
{
    double twice = 0.0;
    for (size_t i = 0; i < room->corner_count; i++) {
        const double *a = room->corners[i], *b = room->corners[(i + 1) % room->corner_count];
        twice += a[0] * b[1] - b[0] * a[1];
    }
    return 0.5 * fabs(twice);
}

static bool is_inside(const struct room *room, double x, double y)
{
    bool inside = false;
    for (size_t i = 0; i < room->corner_count; i++) {
        const double *a = room->corners[i], *b = room->corners[(i + 1) % room->corner_count];
        if ((a[1] > y) != (b[1] > y) && x < a[0] + (b[0] - a[0]) * (y - a[1]) / (b[1] - a[1]))
            inside = !inside;
    }
    return inside;
}

/* ---- The floor as cells of 50 mm ---- */

struct floor {
    int size[2];
    bool taken[CELLS][CELLS];   /* [y][x] */
    bool reached[CELLS][CELLS]; /* windows by their lowest cell */
};

static int cell(double metres)
{
    return (int)lround(metres * 1000.0 / CELL);
}

static void make_floor(struct floor *f, const struct room *room, const struct thing *things, size_t count)
{
    memset(f, 0, sizeof *f);
    for (int k = 0; k < 2; k++) {
        f->size[k] = cell(room->size[k]);
        check(f->size[k] <= CELLS, "is too large for this test");
    }
    for (int y = 0; y < f->size[1]; y++)
        for (int x = 0; x < f->size[0]; x++)
            f->taken[y][x] = !is_inside(room, (x + 0.5) * 0.001 * CELL, (y + 0.5) * 0.001 * CELL);
    for (size_t i = 0; i < count; i++)
        for (int y = cell(things[i].low[1]); y < cell(things[i].high[1]) && stands(&things[i]); y++)
            for (int x = cell(things[i].low[0]); x < cell(things[i].high[0]); x++) {
                check(!f->taken[y][x], "%s stands in a wall or in another piece", things[i].name);
                f->taken[y][x] = true;
            }
}

static bool window_is_free(const struct floor *f, int x, int y)
{
    if (x < 0 || y < 0 || x + WINDOW > f->size[0] || y + WINDOW > f->size[1])
        return false;
    for (int v = y; v < y + WINDOW; v++)
        for (int u = x; u < x + WINDOW; u++)
            if (f->taken[v][u])
                return false;
    return true;
}

static void reach(struct floor *f, int x, int y)
{
    static int stack[CELLS * CELLS][2];
    size_t count = 0;
    if (!window_is_free(f, x, y))
        return;
    f->reached[y][x] = true;
    stack[count][0] = x;
    stack[count++][1] = y;
    while (count) {
        const int *at = stack[--count], u = at[0], v = at[1];
        const int next[4][2] = {{u - 1, v}, {u + 1, v}, {u, v - 1}, {u, v + 1}};
        for (int k = 0; k < 4; k++)
            if (window_is_free(f, next[k][0], next[k][1]) && !f->reached[next[k][1]][next[k][0]]) {
                f->reached[next[k][1]][next[k][0]] = true;
                stack[count][0] = next[k][0];
                stack[count++][1] = next[k][1];
            }
    }
}

/* Whether a window that was reached touches the thing, or a door from one side. */
static bool is_reached(const struct floor *f, const struct thing *t)
{
    for (int y = 0; y < f->size[1]; y++)
        for (int x = 0; x < f->size[0]; x++)
            if (f->reached[y][x] && x <= cell(t->high[0]) && x + WINDOW >= cell(t->low[0]) && y <= cell(t->high[1]) &&
                y + WINDOW >= cell(t->low[1]))
                return true;
    return false;
}

static void check_ways(const struct room *room, const struct thing *things, size_t count)
{
    static const char *const kinds[] = {"chair", "bed", "sofa", "armchair", "bench", "door", "wardrobe", "cupboard"};
    static struct floor f;
    bool started = false;
    make_floor(&f, room, things, count);
    for (size_t i = 0; i < count; i++) {
        const struct thing *t = &things[i];
        if (!is_kind(t, "door"))
            continue;
        const int along = t->high[0] - t->low[0] > 0.01 ? 0 : 1;
        int at[2], on[2];
        at[along] = (cell(t->low[along]) + cell(t->high[along]) - WINDOW) / 2;
        on[along] = (cell(t->low[along]) + cell(t->high[along])) / 2;
        on[1 - along] = at[1 - along] = cell(t->low[1 - along]);
        if (!is_inside(room, (on[0] + 0.5) * 0.05, (on[1] + 0.5) * 0.05))
            at[1 - along] -= WINDOW;
        if (!started)
            reach(&f, at[0], at[1]);
        started = true;
        check(at[0] >= 0 && at[1] >= 0 && f.reached[at[1]][at[0]], "no way from the first door to %s", t->name);
    }
    check(started, "has no door");
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
            if (is_kind(&things[i], kinds[k]))
                check(is_reached(&f, &things[i]), "no way to %s", things[i].name);
}

/* ---- Tests ---- */

/* Draws `ROOMS` rooms and hands each to a check. */
static void each_room(const char *name, int rooms, void (*look)(const struct room *, const struct thing *, size_t))
{
    struct random r = random_cases(name);
    static struct thing things[PIECES];
    for (int i = 0; i < case_count(rooms); i++) {
        seed = random_bits(&r) >> 11;
        number = random_between(&r, 0, 10000);
        struct room *room = read_room(&any);
        look(room, things, things_of(things, room));
        room_free(room);
    }
}

static void look_at_sizes(const struct room *room, const struct thing *things, size_t count)
{
    static const struct {
        const char *kind;
        double low, high; /* m: of its top */
    } tops[] = {{"desk", 0.72, 0.76},        {"teachers_desk", 0.72, 0.76}, {"dining_table", 0.72, 0.76},
                {"pupils_desk", 0.64, 0.76}, {"low_table", 0.38, 0.48},     {"wardrobe", 1.9, 2.2},
                {"carpet", 0.001, 0.001},    {"bench", 0.43, 0.47}};
    const double none = 1e-9, height = room->heights[0];
    check(height >= 2.3 - none && height <= 3.5 + none, "is %g m high", height);
    for (size_t i = 0; i < count; i++) {
        const struct thing *t = &things[i];
        const double width = fmax(t->high[0] - t->low[0], t->high[1] - t->low[1]);
        const double thickness = fmin(t->high[0] - t->low[0], t->high[1] - t->low[1]);
        check(t->low[2] >= 0.0 && t->high[2] <= height, "%s reaches out of the room", t->name);
        check(is_inside(room, 0.5 * (t->low[0] + t->high[0]), 0.5 * (t->low[1] + t->high[1])), "%s is outside",
              t->name);
        if (is_opening(t))
            check(fabs(thickness - 0.001) < none, "%s is %g m thick", t->name, thickness);
        if (is_kind(t, "door"))
            check(width >= 0.7 - none && width <= 1.1 + none && t->low[2] == 0.0 && t->high[2] >= 1.95 - none &&
                      t->high[2] <= 2.2 + none,
                  "%s is %g m wide and %g to %g m high", t->name, width, t->low[2], t->high[2]);
        if (is_kind(t, "window"))
            check(t->low[2] >= 0.7 - none && t->low[2] <= 1.1 + none, "%s has its sill at %g m", t->name, t->low[2]);
        for (size_t k = 0; k < sizeof tops / sizeof *tops; k++)
            if (is_kind(t, tops[k].kind))
                check(t->high[2] >= tops[k].low - none && t->high[2] <= tops[k].high + none, "%s is %g m high", t->name,
                      t->high[2]);
    }
}

static void doors_windows_and_tables_have_sizes_of_real_ones(void **state)
{
    (void)state;
    each_room("sizes of furniture", ROOMS, look_at_sizes);
}

/* Openings with 10 mm before them, doors with their swing; carpets may lie under furniture. */
static void look_at_overlaps(const struct room *room, const struct thing *things, size_t count)
{
    (void)room;
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < i; k++) {
            const struct thing *a = &things[i], *b = &things[k];
            const double swing = is_kind(a, "door") || is_kind(b, "door") ? 0.79 : 0.01;
            bool apart = is_kind(a, "carpet") || is_kind(b, "carpet") || (is_opening(a) && is_opening(b));
            const double margin = is_opening(a) || is_opening(b) ? swing : 0.0;
            for (int axis = 0; axis < 3; axis++) {
                /* only across the opening */
                const struct thing *o = is_opening(a) ? a : b;
                const double more = axis < 2 && o->high[axis] - o->low[axis] < 0.01 ? margin : -1e-9;
                apart = apart || a->high[axis] + more <= b->low[axis] || b->high[axis] + more <= a->low[axis];
            }
            check(apart, "%s and %s overlap", a->name, b->name);
            if (!is_opening(a) || !is_opening(b))
                continue;
            apart = false;
            for (int axis = 0; axis < 2; axis++)
                apart = apart || a->high[axis] <= b->low[axis] + 1e-9 || b->high[axis] <= a->low[axis] + 1e-9;
            check(apart, "%s and %s overlap", a->name, b->name);
        }
}

static void no_two_pieces_overlap_and_doors_open(void **state)
{
    (void)state;
    each_room("overlaps of furniture", ROOMS, look_at_overlaps);
}

static void free_ways_lead_from_every_door_to_every_seat(void **state)
{
    (void)state;
    each_room("ways between furniture", ROOMS, check_ways);
}

static void look_at_places(const struct room *room, const struct thing *things, size_t count)
{
    const double *places[] = {room->sources[0].position, room->receivers[0].position, room->receivers[1].position};
    (void)things;
    (void)count;
    assert_int_equal(room->source_count, 1);
    assert_int_equal(room->receiver_count, 2);
    for (size_t i = 0; i < 3; i++) {
        const double *at = places[i];
        check(is_inside(room, at[0], at[1]) && at[2] >= 1.15 && at[2] <= 1.7, "source or receiver %zu at %g %g %g", i,
              at[0], at[1], at[2]);
        for (size_t k = 0; k < room->corner_count; k++) { /* axis-parallel walls */
            const double *a = room->corners[k], *b = room->corners[(k + 1) % room->corner_count];
            const double dx = fmax(0.0, fmax(fmin(a[0], b[0]) - at[0], at[0] - fmax(a[0], b[0])));
            const double dy = fmax(0.0, fmax(fmin(a[1], b[1]) - at[1], at[1] - fmax(a[1], b[1])));
            check(hypot(dx, dy) >= 0.3, "source or receiver %zu is %g m from a wall", i, hypot(dx, dy));
        }
        for (size_t k = 0; k < room->object_count; k++) {
            double sum = 0.0;
            for (int axis = 0; axis < 3; axis++) {
                const double low = room->objects[k].from[axis], high = room->objects[k].to[axis];
                sum += pow(fmax(0.0, fmax(low - at[axis], at[axis] - high)), 2.0);
            }
            check(sqrt(sum) >= 0.3, "source or receiver %zu is %g m from %s", i, sqrt(sum), room->objects[k].name);
        }
    }
}

static void sources_and_receivers_are_in_free_air(void **state)
{
    (void)state;
    each_room("places in furnished rooms", ROOMS, look_at_places);
}

/* On a coarse grid: the air is that of the outline without the furniture. */
static void look_at_volume(const struct room *room, const struct thing *things, size_t count)
{
    struct model *model = NULL;
    struct error e;
    double expected = outline_area(room) * room->heights[0];
    for (size_t i = 0; i < count; i++)
        expected -= is_opening(&things[i]) || is_kind(&things[i], "carpet") ? 0.0 : things[i].volume;
    must(model_make(&model, room, &e), &e);
    check(fabs(model->space.model_volume / expected - 1.0) <= 0.05, "%g m3 of air on the grid, %g m3 by its outline",
          model->space.model_volume, expected);
    check(model->space.closed_off <= 0.01 * expected, "%g m3 are closed off", model->space.closed_off);
    model_free(model);
}

static void rooms_are_closed_and_have_the_volume_of_their_outline(void **state)
{
    (void)state;
    each_room("volumes of furnished rooms", 24, look_at_volume);
}

static void a_room_depends_on_seed_and_number_alone(void **state)
{
    (void)state;
    struct random r = random_cases("texts of furnished rooms");
    struct error e;
    for (int i = 0; i < case_count(100); i++) {
        seed = random_bits(&r) >> 11;
        number = random_between(&r, 0, 100000);
        char *text = furnished_room_text(seed, number, &any, &e), *again = furnished_room_text(seed, number, &any, &e);
        char *next = furnished_room_text(seed, number + 1, &any, &e);
        char *other = furnished_room_text(seed + 1, number, &any, &e);
        assert_true(text && again && next && other);
        assert_string_equal(text, again);
        assert_string_not_equal(strchr(text, '\n'), strchr(next, '\n'));
        assert_string_not_equal(strchr(text, '\n'), strchr(other, '\n'));
        free(text);
        free(again);
        free(next);
        free(other);
    }
}

static void uses_and_areas_are_as_wished(void **state)
{
    (void)state;
    struct random r = random_cases("wishes of furnished rooms");
    const struct furnished_wishes wishes = {{0.6, 0.0, 0.0, 0.4, 0.0}, {13.0, 14.0}};
    size_t bedrooms = 0;
    enum { COUNT = 400 };
    seed = random_bits(&r) >> 11;
    for (number = 0; number < COUNT; number++) {
        const enum room_use use = furnished_use(seed, number, &wishes);
        assert_true(use == USE_BEDROOM || use == USE_LIVING_ROOM);
        bedrooms += use == USE_BEDROOM;
        if (number % 10)
            continue;
        struct room *room = read_room(&wishes);
        check(outline_area(room) >= 13.0 - 1e-9 && outline_area(room) <= 14.0 + 1e-9, "has %g m2", outline_area(room));
        room_free(room);
    }
    assert_true(fabs((double)bedrooms / COUNT - 0.6) <= 5.0 * sqrt(0.24 / COUNT));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(doors_windows_and_tables_have_sizes_of_real_ones),
        cmocka_unit_test(no_two_pieces_overlap_and_doors_open),
        cmocka_unit_test(free_ways_lead_from_every_door_to_every_seat),
        cmocka_unit_test(sources_and_receivers_are_in_free_air),
        cmocka_unit_test(rooms_are_closed_and_have_the_volume_of_their_outline),
        cmocka_unit_test(a_room_depends_on_seed_and_number_alone),
        cmocka_unit_test(uses_and_areas_are_as_wished),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
