/* SPDX-License-Identifier: MIT */
#include "solver/parts/part_problem.h"

#include <stdlib.h>
#include <string.h>

#include "solver/parts/part_bodies.h"
#include "solver/parts/part_voxels.h"
#include "solver/schemes/bodies/bodies.h"
#include "solver/schemes/isotropic19/isotropic19.h"
#include "solver/schemes/leapfrog/leapfrog.h"

static const struct scheme *const cut_schemes[] = {&cartesian7_scheme, &isotropic19_scheme};
enum { CUT_SCHEMES = sizeof cut_schemes / sizeof *cut_schemes };

const char *part_problem_fault(const struct problem *whole)
{
    size_t i = 0;
    while (i < CUT_SCHEMES && cut_schemes[i] != whole->scheme)
        i++;
    if (i == CUT_SCHEMES)
        return "only rooms can be stepped in parts";
    return leapfrog_of(whole)->voxels || leapfrog_of(whole)->slabs ? NULL : "the grid is too large";
}

void part_problem_free(struct part_problem *q)
{
    voxel_set_free(q->voxels);
    free(q->branches);
    part_bodies_free(q->bodies);
    free(q->drives);
    free(q->taps);
    free(q->entries);
    free(q->drive_of);
    free(q->tap_of);
    memset(q, 0, sizeof *q);
}

static int no_memory(struct error *e)
{
    return fail(e, ERROR_MEMORY, "out of memory");
}

/* Whether the part has a point: of the field in planes z0 .. z1 - 1, or of one of its own
 * bodies. */
static bool is_within(const struct part_problem *q, const struct problem *p, const struct channel_entry *entry,
                      size_t z0, size_t z1)
{
    if (entry->array >= BODY_ARRAYS)
        return q->bodies && part_bodies_array(q->bodies, entry->array);
    const size_t z = (size_t)(entry->point / p->points[0] / p->points[1]);
    return z >= z0 && z < z1;
}

static size_t count_entries(const struct channel *channels, size_t count)
{
    size_t total = 0;
    for (size_t i = 0; i < count; i++)
        total += channels[i].count;
    return total;
}

/* Copies the entries of a channel that lie in these planes, or on bodies of the part, to *to,
 * with the points and arrays of the part, and advances *to. */
static struct channel take_entries(const struct part_problem *q, const struct problem *whole,
                                   const struct channel *channel, size_t z0, size_t z1, struct channel_entry **to)
{
    struct channel taken = {.entries = *to};
    for (size_t i = 0; i < channel->count; i++)
        if (is_within(q, whole, &channel->entries[i], z0, z1)) {
            **to = channel->entries[i];
            if ((*to)->array >= BODY_ARRAYS)
                (*to)->array = part_bodies_array(q->bodies, (*to)->array);
            else
                (*to)->point -= (uint64_t)slab_from(&q->slab) * whole->points[0] * whole->points[1];
            ++*to;
            taken.count++;
        }
    return taken;
}

/* Takes the drives in the part's planes including its halos, where both parts step their effect.
 * Excludes those in the outermost planes, which a step invalidates anyway, and where a point of
 * the 19-point stencil may no longer be air. */
static void take_drives(struct part_problem *q, const struct problem *whole, struct channel_entry **to)
{
    const size_t from = slab_from(&q->slab), end = from + slab_planes(&q->slab);
    const size_t z0 = q->slab.below ? from + 1 : from, z1 = q->slab.above ? end - 1 : end;
    for (size_t c = 0; c < whole->drive_count; c++) {
        const struct channel taken = take_entries(q, whole, &whole->drives[c], z0, z1, to);
        if (taken.count) {
            q->drive_of[q->problem.drive_count] = c;
            q->drives[q->problem.drive_count++] = taken;
        }
    }
}

/* Takes the taps on the planes that the part owns. The sum over several parts would round
 * differently, so that the values of channels shared with other parts are passed on
 * individually. */
static void take_taps(struct part_problem *q, const struct problem *whole, struct channel_entry **to)
{
    for (size_t c = 0; c < whole->tap_count; c++) {
        const struct channel *channel = &whole->taps[c];
        struct channel taken = take_entries(q, whole, channel, q->slab.first, q->slab.end, to);
        if (taken.count == channel->count && taken.count) {
            q->tap_of[q->problem.tap_count] = (struct tap_place){c, -1};
            q->taps[q->problem.tap_count++] = taken;
            continue;
        }
        for (size_t i = 0; i < channel->count && taken.count; i++)
            if (is_within(q, whole, &channel->entries[i], q->slab.first, q->slab.end)) {
                taken.entries->weight = 1.0;
                q->tap_of[q->problem.tap_count] = (struct tap_place){c, (ptrdiff_t)i};
                q->taps[q->problem.tap_count++] = (struct channel){taken.entries++, 1};
            }
    }
}

static int take_channels(struct part_problem *q, const struct problem *whole, struct error *e)
{
    const size_t drives = count_entries(whole->drives, whole->drive_count);
    const size_t taps = count_entries(whole->taps, whole->tap_count);
    q->drives = calloc(whole->drive_count + 1, sizeof *q->drives);
    q->drive_of = calloc(whole->drive_count + 1, sizeof *q->drive_of);
    q->taps = calloc(taps + 1, sizeof *q->taps);
    q->tap_of = calloc(taps + 1, sizeof *q->tap_of);
    q->entries = calloc(drives + taps + 1, sizeof *q->entries);
    if (!q->drives || !q->drive_of || !q->taps || !q->tap_of || !q->entries)
        return no_memory(e);
    struct channel_entry *to = q->entries;
    q->problem.drive_count = q->problem.tap_count = 0;
    take_drives(q, whole, &to);
    take_taps(q, whole, &to);
    q->problem.drives = q->drives;
    q->problem.taps = q->taps;
    return 0;
}

static int take_bodies(struct part_problem *q, const struct problem *whole, struct error *e)
{
    const struct bodies *bodies = leapfrog_of(whole)->bodies;
    q->leapfrog.bodies = NULL;
    if (!bodies)
        return 0;
    if (part_bodies_make(&q->bodies, bodies, &q->slab, (uint64_t)whole->points[0] * whole->points[1], e))
        return -1;
    q->leapfrog.bodies = part_bodies_of(q->bodies);
    return 0;
}

int part_problem_make(struct part_problem *q, const struct problem *whole, const struct slab *slab, struct error *e)
{
    const struct leapfrog_problem *l = leapfrog_of(whole);
    const size_t from = slab_from(slab), planes = slab_planes(slab);
    *q = (struct part_problem){.problem = *whole, .leapfrog = *l, .slab = *slab};
    q->problem.parameters = &q->leapfrog;
    q->problem.points[2] = planes;
    q->problem.counted[0] = slab->below;
    q->problem.counted[1] = slab->below + slab->end - slab->first;
    q->leapfrog.kept_rows = NULL;
    q->leapfrog.slabs = NULL;
    if (!l->slabs && part_voxels_copy(&q->voxels, l->voxels, from, from + slab_layers(slab, l->stencil), e))
        return -1;
    q->leapfrog.voxels = q->voxels; /* NULL: each part has its own */
    return take_bodies(q, whole, e) || take_channels(q, whole, e) ? -1 : 0;
}

/* The parts of a problem that can be sent as they are; pointers are meaningless to the receiver. */
struct packed_problem {
    size_t scheme, points[3], counted[2], drive_count, tap_count, branch_total, entry_total;
    bool voxels, bodies; /* whether they follow */
    struct slab slab;
    enum precision precision;
    enum air_stencil stencil;
    double courant_squared, viscosity;
    double admittance[CELL_CODES];
    struct transmission transmission[CELL_CODES];
    uint8_t branch_count[CELL_CODES];
};

static void pack_channels(const struct channel *channels, size_t count, struct packet *w)
{
    for (size_t i = 0; i < count; i++) {
        packet_put_size(w, channels[i].count);
        packet_put(w, channels[i].entries, channels[i].count * sizeof *channels[i].entries);
    }
}

/* Advances *to behind the entries. */
static void unpack_channels(struct channel *channels, size_t count, struct channel_entry **to,
                            const struct channel_entry *end, struct packet *w)
{
    for (size_t i = 0; i < count && !w->failed; i++) {
        channels[i] = (struct channel){*to, packet_get_size(w)};
        if (channels[i].count > (size_t)(end - *to))
            w->failed = true;
        else
            packet_get(w, *to, channels[i].count * sizeof **to);
        *to += w->failed ? 0 : channels[i].count;
    }
}

void part_problem_pack(const struct part_problem *q, struct packet *w)
{
    const struct problem *p = &q->problem;
    const struct leapfrog_problem *l = &q->leapfrog;
    struct packed_problem *packed = calloc(1, sizeof *packed);
    if (!packed) {
        w->failed = true;
        return;
    }
    packed->scheme = p->scheme == cut_schemes[0] ? 0 : 1;
    memcpy(packed->points, p->points, sizeof packed->points);
    memcpy(packed->counted, p->counted, sizeof packed->counted);
    packed->drive_count = p->drive_count;
    packed->tap_count = p->tap_count;
    packed->entry_total = count_entries(p->drives, p->drive_count) + count_entries(p->taps, p->tap_count);
    packed->slab = q->slab;
    packed->voxels = l->voxels != NULL;
    packed->bodies = l->bodies != NULL;
    packed->precision = p->precision;
    packed->stencil = l->stencil;
    packed->courant_squared = l->courant_squared;
    packed->viscosity = l->viscosity;
    memcpy(packed->admittance, l->admittance, sizeof packed->admittance);
    memcpy(packed->transmission, l->transmission, sizeof packed->transmission);
    memcpy(packed->branch_count, l->branch_count, sizeof packed->branch_count);
    for (int code = 0; code < CELL_CODES; code++)
        packed->branch_total += l->branch_count[code];
    packet_put(w, packed, sizeof *packed);
    for (int code = 0; code < CELL_CODES; code++)
        packet_put(w, l->branches[code], l->branch_count[code] * sizeof **l->branches);
    pack_channels(p->drives, p->drive_count, w);
    pack_channels(p->taps, p->tap_count, w);
    if (l->bodies)
        part_bodies_pack(l->bodies, w);
    if (l->voxels)
        part_voxels_pack(l->voxels, w);
    free(packed);
}

static int unpack_walls(struct part_problem *q, const struct packed_problem *packed, struct packet *w, struct error *e)
{
    struct leapfrog_problem *l = &q->leapfrog;
    memcpy(l->admittance, packed->admittance, sizeof l->admittance);
    memcpy(l->transmission, packed->transmission, sizeof l->transmission);
    memcpy(l->branch_count, packed->branch_count, sizeof l->branch_count);
    q->branches = calloc(packed->branch_total + 1, sizeof *q->branches);
    if (!q->branches)
        return no_memory(e);
    struct branch *to = q->branches;
    for (int code = 0; code < CELL_CODES; code++) {
        l->branches[code] = to;
        packet_get(w, to, l->branch_count[code] * sizeof *to);
        to += l->branch_count[code];
    }
    return 0;
}

int part_problem_unpack(struct part_problem *q, struct packet *w, struct error *e)
{
    memset(q, 0, sizeof *q);
    const struct packed_problem *packed = packet_take(w, sizeof *packed);
    if (!packed)
        return fail(e, ERROR_ENGINE, "a part received an incomplete description of its grid");
    q->slab = packed->slab;
    q->leapfrog = (struct leapfrog_problem){
        .stencil = packed->stencil, .courant_squared = packed->courant_squared, .viscosity = packed->viscosity};
    q->drives = calloc(packed->drive_count + 1, sizeof *q->drives);
    q->taps = calloc(packed->tap_count + 1, sizeof *q->taps);
    q->entries = calloc(packed->entry_total + 1, sizeof *q->entries);
    if (!q->drives || !q->taps || !q->entries)
        return no_memory(e);
    q->problem = (struct problem){.scheme = cut_schemes[packed->scheme],
                                  .parameters = &q->leapfrog,
                                  .points = {packed->points[0], packed->points[1], packed->points[2]},
                                  .precision = packed->precision,
                                  .drives = q->drives,
                                  .drive_count = packed->drive_count,
                                  .taps = q->taps,
                                  .tap_count = packed->tap_count,
                                  .counted = {packed->counted[0], packed->counted[1]}};
    if (unpack_walls(q, packed, w, e))
        return -1;
    struct channel_entry *to = q->entries;
    unpack_channels(q->drives, packed->drive_count, &to, q->entries + packed->entry_total, w);
    unpack_channels(q->taps, packed->tap_count, &to, q->entries + packed->entry_total, w);
    if (w->failed)
        return fail(e, ERROR_ENGINE, "a part received an incomplete description of its grid");
    if (packed->bodies && part_bodies_unpack(&q->bodies, w, e))
        return -1;
    q->leapfrog.bodies = part_bodies_of(q->bodies);
    if (packed->voxels && part_voxels_unpack(&q->voxels, w, e))
        return -1;
    q->leapfrog.voxels = q->voxels;
    return 0;
}
