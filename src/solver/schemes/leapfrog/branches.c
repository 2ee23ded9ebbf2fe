/* SPDX-License-Identifier: MIT */
#include "solver/schemes/leapfrog/branches.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Shorter runs along x are collected into columns along y. */
enum { RUN_MIN = 8, KINDS_MAX = 65535, SLOTS_MIN = 64 };

struct column {
    uint64_t segment; /* index of its segment */
    size_t end;       /* the row after its last point */
};

struct branch_builder {
    struct branches *out;
    const struct problem *problem;
    size_t row, ny, plane_points;
    uint64_t plane_first;   /* first segment of the plane */
    struct column *columns; /* [nx]: the open column at x */
    uint32_t *row_x;        /* [nx]: x of the points of this row */
    uint16_t *row_kind;
    size_t row_count;
    uint32_t *slots; /* hash table: kind + 1 */
    size_t slot_count;
    size_t last_kind; /* kind found last; neighbours are mostly of one kind */
    uint64_t kind_room, factor_room, segment_room;
};

void branches_free(struct branches *b)
{
    free(b->kinds);
    free(b->factors);
    free(b->segments);
    free(b->segment_start);
    memset(b, 0, sizeof *b);
}

void wall_key_add(struct wall_key *key, const struct leapfrog_problem *l, uint8_t code, unsigned area)
{
    if (area == 0 || (!l->branch_count[code] && !(l->admittance[code] > 0.0)))
        return; /* no surface, or a rigid one */
    int at = key->count;
    while (at > 0 && key->code[at - 1] >= code)
        at--;
    if (at < key->count && key->code[at] == code) {
        key->area[at] = (uint16_t)(key->area[at] + area);
        return;
    }
    for (int i = key->count++; i > at; i--) {
        key->code[i] = key->code[i - 1];
        key->area[i] = key->area[i - 1];
    }
    key->code[at] = code;
    key->area[at] = (uint16_t)area;
}

bool wall_key_branched(const struct wall_key *key, const struct leapfrog_problem *l)
{
    for (int i = 0; i < key->count; i++)
        if (l->branch_count[key->code[i]])
            return true;
    return false;
}

double wall_key_weight(const struct wall_key *key, const struct leapfrog_problem *l)
{
    double admittance = 0.0;
    for (int i = 0; i < key->count; i++)
        admittance += wall_key_area(key, i) * l->admittance[key->code[i]];
    const double a = 0.5 * sqrt(l->courant_squared) * admittance;
    return a / (1.0 + a);
}

static double rounded(double value, enum precision precision)
{
    return precision == PRECISION_DOUBLE ? value : (double)(float)value;
}

/* Rounds downwards. */
static double rounded_down(double value, enum precision precision)
{
    if (precision == PRECISION_DOUBLE)
        return value;
    float near = (float)value;
    return (double)((double)near > value ? nextafterf(near, -INFINITY) : near);
}

/* A pair (v, g) in isolation steps with the determinant 4 b D - 1 + b F, which rounding must not
 * raise above 1. Tanks add `load` to the resistance that v meets in a step. */
static struct branch_factors factors_of(const struct branch *branch, double load, double courant, double area,
                                        double mass, enum precision precision)
{
    const double d = branch->inertance, e = branch->resistance + load, f = branch->stiffness;
    const double b = 1.0 / (2.0 * d + e + 0.5 * f);
    double four_bd = rounded_down(4.0 * b * d, precision), twice_bf = rounded_down(2.0 * b * f, precision);
    if (4.0 * b * d >= 1.0) { /* lossless or nearly so */
        twice_bf = rounded(2.0 * b * f, precision);
        four_bd = rounded_down(2.0 - 2.0 * b * e - 0.5 * twice_bf, precision);
    }
    return (struct branch_factors){
        .b = rounded(b, precision),
        .four_bd = four_bd,
        .twice_bf = twice_bf,
        .push_v = rounded(2.0 * courant * area * b * d, precision),
        .push_g = rounded(courant * area * b * f, precision),
        .stored_v = 0.5 * courant * area * d * mass,
        .stored_g = 0.5 * courant * area * f * mass,
        .lost = courant * area * branch->resistance * mass,
        .tanks = (uint32_t)branch->tanks,
    };
}

void branch_factors_make(struct branch_factors *factors, const struct branch *branches, size_t count, double courant,
                         double area, double mass, enum precision precision)
{
    for (size_t m = 0; m < count; m += 1 + branches[m].tanks) {
        const size_t end = m + 1 + branches[m].tanks < count ? m + 1 + branches[m].tanks : count;
        double load = 0.0;
        for (size_t t = m + 1; t < end; t++) {
            factors[t] = factors_of(&branches[t], 0.0, courant, area, mass, precision);
            load += factors[t].b;
        }
        factors[m] = factors_of(&branches[m], load, courant, area, mass, precision);
        for (size_t t = m + 1; t < end; t++) {
            factors[t].push_v = rounded(-factors[m].b * factors[t].push_v, precision);
            factors[t].push_g = rounded(-factors[m].b * factors[t].push_g, precision);
        }
    }
}

static double mass_of(const struct wall_key *key)
{
    return (double)key->mass / MASS_UNITS;
}

void branches_weigh(struct branch_kind *kind, const struct leapfrog_problem *l, const struct wall_key *key,
                    enum precision precision)
{
    const double courant = sqrt(l->courant_squared), mass = mass_of(key);
    struct branch_factors factors[BRANCHES_MAX];
    double real = 0.0, total = 0.0;
    kind->series = false;
    for (int i = 0; i < key->count; i++) {
        const uint8_t code = key->code[i];
        const double area = wall_key_area(key, i);
        real += area * l->admittance[code];
        branch_factors_make(factors, l->branches[code], l->branch_count[code], courant, area, mass, precision);
        for (size_t m = 0; m < l->branch_count[code]; m += 1 + factors[m].tanks) {
            total += area * factors[m].b;
            kind->series = kind->series || factors[m].tanks;
        }
    }
    const double a = 0.5 * courant * (real + total);
    kind->key = *key;
    kind->heavy = a > 1.0;
    kind->weight = rounded((kind->heavy ? 1.0 : a) / (1.0 + a), precision);
    kind->half_a = 0.25 * courant * real * mass;
}

int branch_builder_open(struct branch_builder **out, struct branches *b, const struct problem *p, size_t planes,
                        struct error *e)
{
    struct branch_builder *builder = calloc(1, sizeof *builder);
    memset(b, 0, sizeof *b);
    *out = builder;
    if (!builder)
        return fail(e, ERROR_MEMORY, "out of memory");
    const size_t nx = p->points[0], rows = p->points[1] * planes;
    *builder =
        (struct branch_builder){.out = b, .problem = p, .ny = p->points[1], .row = SIZE_MAX, .slot_count = SLOTS_MIN};
    builder->columns = calloc(nx, sizeof *builder->columns);
    builder->row_x = malloc(nx * sizeof *builder->row_x);
    builder->row_kind = malloc(nx * sizeof *builder->row_kind);
    builder->slots = calloc(builder->slot_count, sizeof *builder->slots);
    b->segment_start = calloc(rows + 1, sizeof *b->segment_start);
    if (builder->columns && builder->row_x && builder->row_kind && builder->slots && b->segment_start)
        return 0;
    return fail(e, ERROR_MEMORY, "out of memory");
}

void branch_builder_close(struct branch_builder *builder)
{
    if (!builder)
        return;
    free(builder->columns);
    free(builder->row_x);
    free(builder->row_kind);
    free(builder->slots);
    free(builder);
}

/* Makes room for one more than `count` items by doubling the capacity. */
static int grow(void **items, size_t count, uint64_t *room, size_t size, struct error *e)
{
    if (count < *room)
        return 0;
    const uint64_t more = *room ? 2 * *room : 16;
    void *longer = realloc(*items, more * size);
    if (!longer)
        return fail(e, ERROR_MEMORY, "out of memory");
    *items = longer;
    *room = more;
    return 0;
}

static int add_factors(struct branch_builder *builder, struct branch_kind *kind, struct error *e)
{
    struct branches *b = builder->out;
    const struct leapfrog_problem *l = leapfrog_of(builder->problem);
    const struct wall_key *key = &kind->key;
    kind->first = (uint32_t)b->factor_count;
    for (int i = 0; i < key->count; i++) {
        const size_t count = l->branch_count[key->code[i]];
        void *factors = b->factors;
        for (size_t more = 0; more < count; more++) {
            if (grow(&factors, b->factor_count + more, &builder->factor_room, sizeof *b->factors, e))
                return -1;
            b->factors = factors;
        }
        branch_factors_make(b->factors + b->factor_count, l->branches[key->code[i]], count, sqrt(l->courant_squared),
                            wall_key_area(key, i), mass_of(key), builder->problem->precision);
        b->factor_count += count;
    }
    kind->count = (uint32_t)b->factor_count - kind->first;
    return 0;
}

static bool same_wall(const struct wall_key *a, const struct wall_key *b)
{
    return !memcmp(a, b, sizeof *a); /* no padding: all members are of 16 and 8 bits, and even in number */
}
_Static_assert(sizeof(struct wall_key) == WALL_PARTS_MAX * 3 + 2, "padding would be compared");

static size_t slot_of(const struct branch_builder *builder, const struct wall_key *key)
{
    const unsigned char *bytes = (const unsigned char *)key;
    uint64_t hash = 0xcbf29ce484222325u; /* FNV-1a */
    for (size_t i = 0; i < sizeof *key; i++)
        hash = (hash ^ bytes[i]) * 0x100000001b3u;
    size_t slot = (size_t)(hash >> 32) & (builder->slot_count - 1);
    while (builder->slots[slot] && !same_wall(&builder->out->kinds[builder->slots[slot] - 1].key, key))
        slot = (slot + 1) & (builder->slot_count - 1);
    return slot;
}

static int widen_slots(struct branch_builder *builder, struct error *e)
{
    free(builder->slots);
    builder->slot_count *= 2;
    builder->slots = calloc(builder->slot_count, sizeof *builder->slots);
    if (!builder->slots)
        return fail(e, ERROR_MEMORY, "out of memory");
    for (size_t i = 0; i < builder->out->kind_count; i++)
        builder->slots[slot_of(builder, &builder->out->kinds[i].key)] = (uint32_t)i + 1;
    return 0;
}

static int find_kind(struct branch_builder *builder, const struct wall_key *key, uint16_t *kind, struct error *e)
{
    struct branches *b = builder->out;
    if (builder->last_kind < b->kind_count && same_wall(&b->kinds[builder->last_kind].key, key)) {
        *kind = (uint16_t)builder->last_kind;
        return 0;
    }
    size_t slot = slot_of(builder, key);
    if (!builder->slots[slot]) {
        struct branch_kind fresh;
        void *kinds = b->kinds;
        if (b->kind_count == KINDS_MAX)
            return fail(e, ERROR_ENGINE,
                        "the room has more than %d kinds of wall points (combinations of materials at edges and "
                        "corners); use fewer materials",
                        KINDS_MAX);
        branches_weigh(&fresh, leapfrog_of(builder->problem), key, builder->problem->precision);
        if (grow(&kinds, b->kind_count, &builder->kind_room, sizeof *b->kinds, e))
            return -1;
        b->kinds = kinds;
        if (add_factors(builder, &fresh, e))
            return -1;
        b->kinds[b->kind_count++] = fresh;
        builder->slots[slot] = (uint32_t)b->kind_count;
        if (2 * b->kind_count > builder->slot_count && widen_slots(builder, e))
            return -1;
        slot = slot_of(builder, key);
    }
    *kind = (uint16_t)(builder->slots[slot] - 1);
    builder->last_kind = *kind;
    return 0;
}

static int add_segment(struct branch_builder *builder, struct branch_segment segment, struct error *e)
{
    struct branches *b = builder->out;
    void *segments = b->segments;
    if (grow(&segments, b->segment_count, &builder->segment_room, sizeof *b->segments, e))
        return -1;
    b->segments = segments;
    b->segments[b->segment_count++] = segment;
    return 0;
}

static int add_run(struct branch_builder *builder, size_t first, size_t length, struct error *e)
{
    while (length > 0) {
        const size_t part = length < SEGMENT_MAX ? length : SEGMENT_MAX;
        if (add_segment(builder,
                        (struct branch_segment){
                            .x = builder->row_x[first], .kind = builder->row_kind[first], .length = (uint8_t)part},
                        e))
            return -1;
        first += part;
        length -= part;
    }
    return 0;
}

/* Adds the point to the column that ends in the previous row, or starts a new column. */
static int add_to_column(struct branch_builder *builder, size_t i, struct error *e)
{
    struct branches *b = builder->out;
    const uint32_t x = builder->row_x[i];
    struct column *column = &builder->columns[x];
    const bool in_plane = column->segment >= builder->plane_first && column->segment < b->segment_count;
    if (in_plane && column->end == builder->row && builder->row % builder->ny) {
        struct branch_segment *s = &b->segments[column->segment];
        if (s->x == x && s->along_y && s->kind == builder->row_kind[i] && s->length < SEGMENT_MAX) {
            s->length++;
            column->end++;
            return 0;
        }
    }
    *column = (struct column){b->segment_count, builder->row + 1};
    return add_segment(builder,
                       (struct branch_segment){.x = x, .kind = builder->row_kind[i], .length = 1, .along_y = true}, e);
}

static int end_row(struct branch_builder *builder, struct error *e)
{
    for (size_t i = 0; i < builder->row_count;) {
        size_t end = i + 1;
        while (end < builder->row_count && builder->row_x[end] == builder->row_x[end - 1] + 1 &&
               builder->row_kind[end] == builder->row_kind[i])
            end++;
        if (end - i >= RUN_MIN) {
            if (add_run(builder, i, end - i, e))
                return -1;
        } else {
            for (size_t k = i; k < end; k++)
                if (add_to_column(builder, k, e))
                    return -1;
        }
        i = end;
    }
    builder->plane_points += builder->row_count;
    builder->row_count = 0;
    return 0;
}

int branch_builder_row(struct branch_builder *builder, struct error *e)
{
    if (end_row(builder, e))
        return -1;
    builder->row++;
    builder->out->segment_start[builder->row] = builder->out->segment_count;
    return 0;
}

int branch_builder_point(struct branch_builder *builder, size_t x, const struct wall_key *key, struct error *e)
{
    uint16_t kind = 0;
    if (find_kind(builder, key, &kind, e))
        return -1;
    builder->row_x[builder->row_count] = (uint32_t)x;
    builder->row_kind[builder->row_count++] = kind;
    return 0;
}

/* Lengths are final: assigns the states. */
int branch_builder_plane_end(struct branch_builder *builder, struct error *e)
{
    struct branches *b = builder->out;
    if (end_row(builder, e))
        return -1;
    for (uint64_t i = builder->plane_first; i < b->segment_count; i++) {
        struct branch_segment *s = &b->segments[i];
        s->states = b->state_count;
        b->state_count += 2 * (uint64_t)b->kinds[s->kind].count * s->length;
    }
    b->point_count += builder->plane_points;
    if (builder->plane_points > b->max_in_plane)
        b->max_in_plane = (uint32_t)builder->plane_points;
    builder->plane_points = 0;
    builder->plane_first = b->segment_count;
    b->segment_start[builder->row + 1] = b->segment_count;
    return 0;
}

/* Makes room for the segments of further planes. */
static int widen_segments(struct branch_builder *builder, uint64_t count, struct error *e)
{
    struct branches *b = builder->out;
    if (count <= builder->segment_room)
        return 0;
    void *longer = realloc(b->segments, count * sizeof *b->segments);
    if (!longer)
        return fail(e, ERROR_MEMORY, "out of memory");
    b->segments = longer;
    builder->segment_room = count;
    return 0;
}

int branch_builder_append(struct branch_builder *builder, const struct branches *planes, size_t rows, struct error *e)
{
    struct branches *b = builder->out;
    uint16_t *kinds = malloc((planes->kind_count + 1) * sizeof *kinds);
    int status = kinds ? 0 : fail(e, ERROR_MEMORY, "out of memory");
    for (size_t i = 0; i < planes->kind_count && !status; i++)
        status = find_kind(builder, &planes->kinds[i].key, &kinds[i], e);
    if (!status)
        status = widen_segments(builder, b->segment_count + planes->segment_count, e);
    for (uint64_t i = 0; i < planes->segment_count && !status; i++) {
        struct branch_segment s = planes->segments[i];
        s.kind = kinds[s.kind];
        s.states += b->state_count;
        b->segments[b->segment_count + i] = s;
    }
    for (size_t row = 0; row < rows && !status; row++) /* the last row that the builder has completed */
        b->segment_start[builder->row + 1 + row] = b->segment_count + planes->segment_start[row];
    free(kinds);
    if (status)
        return -1;
    b->segment_count += planes->segment_count;
    b->point_count += planes->point_count;
    b->state_count += planes->state_count;
    b->max_in_plane = planes->max_in_plane > b->max_in_plane ? planes->max_in_plane : b->max_in_plane;
    builder->row += rows;
    builder->plane_first = b->segment_count;
    b->segment_start[builder->row + 1] = b->segment_count;
    return 0;
}
