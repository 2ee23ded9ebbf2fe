/* SPDX-License-Identifier: MIT */
/* The state of a leapfrog solver in pieces that do not depend on its kernel, threads and tiles:
 * solver/state.h.
 *
 * The piece of a plane contains the states of its branches in the order of its segments,
 * [segment][branch][v, g][point], in the precision of the field; v and A, double, of the links
 * through partitions that begin in it or reach it from the plane below; the energy absorbed in its
 * rows, [ny]; and the energy supplied at its driven points, by point and channel.
 *
 * The last piece contains the number of steps, 64 bits; the number of shares, 64 bits; for each
 * share the energy absorbed earlier and the rounding error of that sum; and the bodies. Sums are
 * double. */
#include "solver/cpu/leapfrog_state_blocks.h"

#include <stdlib.h>
#include <string.h>

#include "solver/cpu/leapfrog_state.h"
#include "solver/engine.h"

/* Location of the states of a plane's points: the states of branch b of point (x, y) are at
 * first[y nx + x] + apart[..] (2 b) and `apart` beyond. */
struct state_places {
    uint64_t *first;
    uint8_t *apart;
};

static void places_free(struct state_places *p)
{
    free(p->first);
    free(p->apart);
}

static void place_run(struct state_places *p, const struct branch_run *run, size_t row_at, size_t line, size_t branches)
{
    for (size_t x = run->from; x < run->end; x++) {
        p->first[row_at + x] = run->states + (x / line - run->from / line) * 2 * branches * line + x % line;
        p->apart[row_at + x] = (uint8_t)line;
    }
}

static void place_strip(struct state_places *p, const struct branch_strip *strip, size_t row_at,
                        const struct rows *rows, size_t points)
{
    for (size_t k = 0; k < strip->count; k++) {
        const size_t at = row_at + strip->at[k] / rows->stride * rows->nx + strip->at[k] % rows->stride;
        p->first[at] = strip->states + k;
        p->apart[at] = (uint8_t)points;
    }
}

/* For plane z. */
static int find_places(struct state_places *p, const struct cpu_state *s, size_t z, struct error *e)
{
    const struct rows *rows = &s->field.rows;
    const struct branch_layout *l = &s->field.walls;
    const struct branch_kind *kinds = rows->branches.kinds;
    const size_t points = rows->nx * rows->ny;
    p->first = calloc(points + 1, sizeof *p->first);
    p->apart = calloc(points + 1, 1);
    if (!p->first || !p->apart)
        return fail(e, ERROR_MEMORY, "out of memory");
    for (size_t i = 0; s->kernel->needs_cells && i < points; i++) {
        p->first[i] = s->field.branch_first[z * points + i];
        p->apart[i] = 1;
    }
    for (size_t y = 0; !s->kernel->needs_cells && y < rows->ny; y++) {
        const size_t row = z * rows->ny + y;
        for (uint64_t i = l->run_start[row]; i < l->run_start[row + 1]; i++)
            place_run(p, &l->runs[i], y * rows->nx, branch_line_points(s->precision), kinds[l->runs[i].kind].count);
        for (uint64_t i = l->strip_start[row]; i < l->strip_start[row + 1]; i++)
            place_strip(p, &l->strips[i], y * rows->nx, rows, branch_strip_points(s->precision));
    }
    return 0;
}

/* Copies the states of a plane between the engine's order and `saved`; `out`: to `saved`. */
static int copy_states(struct cpu_state *s, size_t z, char *saved, bool out, struct error *e)
{
    const struct rows *rows = &s->field.rows;
    const struct branches *b = &rows->branches;
    const size_t row0 = z * rows->ny;
    struct state_places places = {NULL, NULL};
    if (b->segment_start[row0] == b->segment_start[row0 + rows->ny])
        return 0;
    const int status = find_places(&places, s, z, e);
    for (size_t row = row0; row < row0 + rows->ny && !status; row++)
        for (uint64_t i = b->segment_start[row]; i < b->segment_start[row + 1]; i++) {
            const struct branch_segment *segment = &b->segments[i];
            const size_t at = (row - row0) * rows->nx + segment->x, next = segment->along_y ? rows->nx : 1;
            for (size_t value = 0; value < 2 * (size_t)b->kinds[segment->kind].count; value++)
                for (size_t k = 0; k < segment->length; k++, saved += s->real) {
                    const size_t point = at + k * next;
                    char *state =
                        (char *)s->field.states + (places.first[point] + value * places.apart[point]) * s->real;
                    memcpy(out ? saved : state, out ? state : saved, s->real);
                }
        }
    places_free(&places);
    return status;
}

/* Index of the first state of the rows from `row`, in the order of segments. */
static uint64_t states_before(const struct rows *rows, size_t row)
{
    const struct branches *b = &rows->branches;
    const uint64_t segment = b->segment_start[row];
    return segment < b->segment_count ? b->segments[segment].states : b->state_count;
}

/* Sizes in bytes of the parts of a plane's piece. */
struct plane_sizes {
    size_t states, links, absorbed, drives;
    size_t first_drive;
};

static struct plane_sizes sizes_of(const struct cpu_state *s, size_t z)
{
    const struct rows *rows = &s->field.rows;
    const size_t row0 = z * rows->ny, row1 = row0 + rows->ny;
    const uint32_t *start = s->channels.drive_start;
    return (struct plane_sizes){
        .states = (size_t)(states_before(rows, row1) - states_before(rows, row0)) * s->real,
        .absorbed = rows->ny * sizeof(double),
        .drives = (start[row1] - start[row0]) * sizeof(double),
        .links = partition_states_bytes(&s->flows, z, 1),
        .first_drive = start[row0],
    };
}

static size_t total(const struct plane_sizes *sizes)
{
    return sizes->states + sizes->links + sizes->absorbed + sizes->drives;
}

static int copy_plane(struct cpu_state *s, size_t z, char *saved, bool out, struct error *e)
{
    const struct plane_sizes sizes = sizes_of(s, z);
    char *absorbed = (char *)(s->absorbed + z * s->field.rows.ny), *sums = saved + sizes.states + sizes.links;
    if (copy_states(s, z, saved, out, e))
        return -1;
    partition_states_copy(&s->flows, z, 1, saved + sizes.states, out);
    memcpy(out ? sums : absorbed, out ? absorbed : sums, sizes.absorbed);
    sums += sizes.absorbed;
    for (size_t i = 0; i < sizes.drives / sizeof(double); i++, sums += sizeof(double)) {
        char *supplied = (char *)&s->channels.drives[sizes.first_drive + i].supplied;
        memcpy(out ? sums : supplied, out ? supplied : sums, sizeof(double));
    }
    return 0;
}

/* The last piece without the bodies. */
struct whole {
    uint64_t steps, shares;
};

static void get_whole(struct cpu_state *s, char *to)
{
    const struct whole w = {s->steps, 1};
    const double share[2] = {s->absorbed_before, s->absorbed_lost};
    memcpy(to, &w, sizeof w);
    memcpy(to + sizeof w, share, sizeof share);
    if (s->bodies)
        body_states_copy(s->bodies, to + sizeof w + sizeof share, true);
}

/* Several shares come from several parts of the grid. */
static int put_whole(struct cpu_state *s, const char *from, size_t bytes, struct error *e)
{
    const size_t of_bodies = s->bodies ? body_states_bytes(s->bodies) : 0;
    struct whole w;
    double share[2];
    if (bytes >= sizeof w)
        memcpy(&w, from, sizeof w);
    if (bytes < sizeof w || w.shares > bytes / sizeof share ||
        bytes != sizeof w + (size_t)w.shares * sizeof share + of_bodies)
        return fail(e, ERROR_INPUT, "the solver state of %zu bytes does not have the expected size", bytes);
    s->steps = w.steps;
    s->absorbed_before = s->absorbed_lost = 0.0;
    from += sizeof w;
    for (uint64_t i = 0; i < w.shares; i++, from += sizeof share) {
        memcpy(share, from, sizeof share);
        s->absorbed_before += share[0];
        s->absorbed_lost += share[1];
    }
    if (s->bodies)
        body_states_copy(s->bodies, (char *)from, false);
    return 0;
}

static int piece_bytes(void *state, size_t *bytes, struct error *e)
{
    struct cpu_state *s = state;
    const size_t planes = s->field.rows.nz;
    (void)e;
    for (size_t z = 0; z < planes; z++) {
        const struct plane_sizes sizes = sizes_of(s, z);
        bytes[z] = total(&sizes);
    }
    bytes[planes] = sizeof(struct whole) + 2 * sizeof(double) + (s->bodies ? body_states_bytes(s->bodies) : 0);
    return 0;
}

static int get_piece(void *state, size_t piece, void *to, struct error *e)
{
    struct cpu_state *s = state;
    if (piece < s->field.rows.nz)
        return copy_plane(s, piece, to, true, e);
    get_whole(s, to);
    return 0;
}

static int put_piece(void *state, size_t piece, const void *from, size_t bytes, struct error *e)
{
    struct cpu_state *s = state;
    if (piece >= s->field.rows.nz)
        return put_whole(s, from, bytes, e);
    const struct plane_sizes sizes = sizes_of(s, piece);
    if (bytes != total(&sizes))
        return fail(e, ERROR_INPUT, "the state of plane %zu has %zu bytes; expected %zu", piece, bytes, total(&sizes));
    return copy_plane(s, piece, (char *)from, false, e);
}

const struct state_block_access leapfrog_state_blocks = {.bytes = piece_bytes, .get = get_piece, .put = put_piece};
