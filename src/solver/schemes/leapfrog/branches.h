/* SPDX-License-Identifier: MIT */
/* Stepping of frequency-dependent walls: theory (32) to (35).
 *
 * Each face of a point at a wall with branches has, for each branch, a velocity v and its sum over
 * time g. Faces of the same material at one point share them, because their pressure is the same.
 * So a point has a *kind*: the materials of its missing faces, in any direction. With s the area of
 * a material's faces at the point (in faces of a cell), λ the Courant number, a = λ s/2, and q the
 * rigid update including drives:
 *
 *     push = Σ λ s (2 b D v - b F g)                   over branches, in the order of the kind
 *     p⁺   = q' + weight (p⁻ - q'),  q' = q - push     weight = A/(1 + A), A = Σ a β + λ ΣY/2, β = Σ b
 *            or, if A > 1, p⁻ + weight (q' - p⁻)       weight = 1/(1 + A)
 *     V    = (b (p⁺ - p⁻) + 4 b D v) - 2 b F g         v⁺ + v
 *     v⁺   = V - v
 *     g⁺   = g + V/2
 *
 * A branch with tanks, theory (34a), has V in place of p⁺ - p⁻ as the drive of each tank, whose u and y take the places
 * of v and g. With b_t and the sum over its tanks, its own b = 1/(2D + E + F/2 + Σ b_t),
 *
 *     V    = (b (p⁺ - p⁻) + 4 b D v) - 2 b F g - Σ b (4 b_t C u - 2 b_t H y)
 *     U    = (b_t V + 4 b_t C u) - 2 b_t H y           of a tank; u⁺ = U - u, y⁺ = y + U/2
 *
 * and push has λ s/2 times the terms of V without p⁺ - p⁻. Tanks do not count in β.
 *
 * The two forms of p⁺ are equal in exact arithmetic. The first keeps the small share of a light
 * wall free of rounding. The second gives p⁺ - p⁻, the source of v⁺, to full precision if the wall
 * almost fixes the pressure. With the first form, walls with A above 1e3 gain energy without bound
 * in single precision, as the rounding error of p is multiplied by b.
 *
 * Theory (34) solved for v⁺ has b (2D - E - F/2) v, which is equal. But without inertance, v
 * contains a part that alternates and grows from step to step without affecting p. Computed through
 * V, that part cannot enter g, not even by rounding.
 *
 * A point has the mass m of the air around it, 1 for a whole voxel: areas in a are per unit of
 * mass, and the energies of the walls are m times those for m = 1. */
#ifndef AULA_SOLVER_SCHEMES_LEAPFROG_BRANCHES_H
#define AULA_SOLVER_SCHEMES_LEAPFROG_BRANCHES_H

#include "solver/schemes/leapfrog/problem.h"

enum { SEGMENT_MAX = 64 }; /* points per segment */

/* The faces with an admittance at a point by material, and the mass of the point. Equal bytes
 * mean equal walls. */
enum {
    AREA_UNITS = 256 /* share of a voxel's face: an eighth of a FACE_AREA_UNITS */,
    MASS_UNITS = 8 /* share of a voxel */,
    WALL_PARTS_MAX = 12
};
struct wall_key {
    uint16_t area[WALL_PARTS_MAX]; /* of the faces of a material, in AREA_UNITS */
    uint8_t code[WALL_PARTS_MAX];  /* of the materials, ascending */
    uint8_t count, mass;           /* number of parts; mass in MASS_UNITS */
};

/* Multipliers of a branch, rounded to the precision of the field. */
struct branch_factors {
    double b, four_bd, twice_bf; /* b = 1/(2D + E + F/2), 4 b D, 2 b F */
    double push_v, push_g;       /* 2 λ s b D, λ s b F; of a tank, negative and times the b of its branch */
    double stored_v, stored_g;   /* energy m λ s D/2 per v², m λ s F/2 per g²; unrounded, like the next one */
    double lost;                 /* energy m λ s E per step and ((v⁺ + v)/2)² */
    uint32_t tanks;              /* of a branch: the number of factors after it that are its tanks */
};

struct branch_kind {
    struct wall_key key;
    uint32_t first, count; /* of the factors */
    bool series;           /* there are tanks */
    double weight;         /* A/(1 + A), heavy: 1/(1 + A); rounded to the precision of the field */
    bool heavy;            /* A > 1 */
    double half_a;         /* m a/2 summed over the real admittances, which absorb this times (p⁺ - p⁻)² */
};

/* Consecutive points of one kind, along x, or along y where a wall is normal to x. States are laid out [branch][v,
 * g][point]. */
struct branch_segment {
    uint32_t x;
    uint16_t kind;
    uint8_t length;  /* number of points, 1 .. SEGMENT_MAX */
    bool along_y;    /* begins in the row that lists it, and stays within one plane */
    uint64_t states; /* index of its first state */
};

struct branches {
    struct branch_kind *kinds;
    struct branch_factors *factors;
    size_t kind_count, factor_count;
    struct branch_segment *segments; /* by the row in which they begin */
    uint64_t *segment_start;         /* [rows + 1] */
    uint64_t segment_count, point_count, state_count;
    uint32_t max_in_plane; /* largest number of points in a plane */
};
void branches_free(struct branches *b);

/* Adds faces of a material to a key initialized to {.mass = ..}; rigid faces, and faces without
 * area, have no effect. */
void wall_key_add(struct wall_key *key, const struct leapfrog_problem *l, uint8_t code, unsigned area);

/* Whether a part of the key has branches. */
bool wall_key_branched(const struct wall_key *key, const struct leapfrog_problem *l);

/* Area of a part per unit of mass: faces of a voxel over voxels of air. */
static inline double wall_key_area(const struct wall_key *key, int part)
{
    return ((double)key->area[part] / AREA_UNITS) / ((double)key->mass / MASS_UNITS);
}

/* a/(1 + a), a = λ/2 Σ area Y over the real admittances: the weight of a wall without branches. */
double wall_key_weight(const struct wall_key *key, const struct leapfrog_problem *l);

/* factors[count] of a material's branches and tanks. `area` is per unit of mass, `mass` that of the point in voxels. */
void branch_factors_make(struct branch_factors *factors, const struct branch *branches, size_t count, double courant,
                         double area, double mass, enum precision precision);

/* Computes weight, heavy and half_a of a kind. */
void branches_weigh(struct branch_kind *kind, const struct leapfrog_problem *l, const struct wall_key *key,
                    enum precision precision);

/* Builds the segments of `planes` planes while their map is scanned in the order of points. */
struct branch_builder;
int branch_builder_open(struct branch_builder **builder, struct branches *b, const struct problem *p, size_t planes,
                        struct error *e);
int branch_builder_row(struct branch_builder *builder, struct error *e); /* called before the points of each row */
int branch_builder_point(struct branch_builder *builder, size_t x, const struct wall_key *key, struct error *e);
int branch_builder_plane_end(struct branch_builder *builder, struct error *e);
/* Appends the planes of another builder opened for the same problem, with the same bits as if
 * this one had scanned them. */
int branch_builder_append(struct branch_builder *builder, const struct branches *planes, size_t rows, struct error *e);
void branch_builder_close(struct branch_builder *builder); /* NULL-safe */

/* The points of a segment in rows row0 .. row1 - 1 of one plane. */
struct branch_span {
    const struct branch_segment *segment;
    size_t first, count; /* range of its points */
    size_t row;          /* row of the first of these points */
};
/* Calls a function for every segment with points in these rows. The order within a row does not
 * depend on row0 and row1. */
static inline void branches_visit(const struct branches *b, size_t ny, size_t row0, size_t row1,
                                  void (*visit)(void *context, const struct branch_span *span), void *context)
{
    const size_t plane = row0 / ny * ny, reach = SEGMENT_MAX - 1;
    const size_t from = row0 - plane > reach ? row0 - reach : plane;
    size_t row = from;
    for (uint64_t i = b->segment_start[from]; i < b->segment_start[row1]; i++) {
        const struct branch_segment *s = &b->segments[i];
        while (i >= b->segment_start[row + 1])
            row++;
        struct branch_span span = {s, 0, s->length, row};
        if (row < row0) {
            if (!s->along_y || row + s->length <= row0)
                continue;
            span.first = row0 - row;
            span.row = row0;
        }
        if (s->along_y && row + s->length > row1)
            span.count = row1 - row;
        span.count -= span.first;
        visit(context, &span);
    }
}

#endif
