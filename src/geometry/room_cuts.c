/* SPDX-License-Identifier: MIT */
#include "geometry/room_cuts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "geometry/thin_solids.h"
#include "geometry/voxel_search.h"

/* Divides the planes into slabs of about equal size; if there are too few planes, the last parts
 * get none. */
static void choose_planes(struct room_cuts *r, size_t all)
{
    const size_t most = all / CUTS_HALO > 0 ? all / CUTS_HALO : 1, part = r->transport ? (size_t)r->transport->part : 0;
    size_t parts = r->transport ? (size_t)r->transport->count : 1;
    parts = parts < most ? parts : most;
    const bool any = part < parts;
    const size_t first = any ? all * part / parts : all, end = any ? all * (part + 1) / parts : all;
    r->planes = (struct lattice_planes){first, end, all};
    r->planes.from -= any && part > 0 ? CUTS_HALO : 0;
    r->planes.end += any && part + 1 < parts ? CUTS_HALO : 0;
    r->own[0] = first - r->planes.from;
    r->own[1] = end - r->planes.from;
}

int cuts_find(struct room_cuts *r, const struct surface *surface, const struct lattice *lattice, size_t shift,
              double seal, struct error *e)
{
    size_t whole[3];
    r->surface = surface;
    r->lattice = lattice;
    r->shift = shift;
    for (int k = 0; k < 3; k++)
        whole[k] = r->count[k] = lattice->count[k] + 2 * shift;
    choose_planes(r, whole[2]);
    r->count[2] = r->planes.end - r->planes.from;
    return snap_triangles(&r->snapped, surface, lattice, shift, e) ||
                   crossings_find(&r->crossings, &r->snapped, whole, &r->planes, seal, r->threads, e) ||
                   solids_find(&r->solids, surface, lattice, shift, &r->planes, e) || thin_solids_cut(r, e) ||
                   regions_find(&r->air, &r->crossings, &r->solids, r->threads, e)
               ? -1
               : 0;
}

bool cuts_beside(size_t beside[3], const struct room_cuts *r, const size_t at[3], int side)
{
    memcpy(beside, at, 3 * sizeof *beside);
    beside[side / 2] += side % 2 ? (size_t)1 : SIZE_MAX; /* wraps below 0 */
    return beside[side / 2] < r->count[side / 2];
}

const crossing *cuts_on_link(size_t *count, const struct room_cuts *r, const size_t at[3], int side)
{
    size_t lower[3];
    *count = 0;
    if (!cuts_beside(lower, r, at, side))
        return NULL;
    if (side % 2)
        memcpy(lower, at, sizeof lower);
    const size_t row = lower[1] + r->count[1] * lower[2];
    const uint32_t *start = r->crossings.start[side / 2] + row;
    const crossing *all = r->crossings.at[side / 2];
    uint32_t low = start[0], high = start[1];
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (crossing_x(all[middle]) < lower[0])
            low = middle + 1;
        else
            high = middle;
    }
    while (low + *count < start[1] && crossing_x(all[low + *count]) == lower[0])
        ++*count;
    return all + low;
}

bool cuts_is_wall(const struct room_cuts *r, const size_t at[3])
{
    const size_t z = r->planes.from + at[2];
    for (int k = 0; k < 2 && r->lattice->walled; k++)
        if (at[k] < r->shift || at[k] >= r->count[k] - r->shift)
            return true;
    return r->lattice->walled && (z < r->shift || z >= r->planes.all - r->shift);
}

bool cuts_link(const struct room_cuts *r, const size_t at[3], int side)
{
    size_t beside[3], count;
    if (!cuts_beside(beside, r, at, side) || cuts_is_wall(r, beside) ||
        solid_at(&r->solids, beside) < r->surface->solid_count)
        return true;
    const crossing *c = cuts_on_link(&count, r, at, side);
    for (size_t i = 0; i < count; i++)
        if (!crossing_is_seal(c[i]))
            return true;
    return false;
}

/* In 1/65536 of a link: surfaces that are closer count as coinciding. */
enum { SAME_PLACE = 2, WALL_PLACE = 32768 };

static bool is_solid(const struct room_cuts *r, crossing c)
{
    return crossing_element(c) >= r->snapped.count;
}

/* From an end of the link. */
static uint32_t distance(crossing c, bool from_upper)
{
    return from_upper ? 65535 - crossing_place(c) : crossing_place(c);
}

bool cuts_faces(const struct room_cuts *r, crossing c, int side)
{
    if (is_solid(r, c))
        return true;
    const struct snapped_triangle *t = &r->snapped.triangles[crossing_element(c)];
    const bool back = (t->sign[side / 2] > 0) == (side % 2);
    return !t->facing || (t->facing < 0) == back;
}

static bool is_nearer(const struct room_cuts *r, crossing c, crossing than, int side)
{
    const bool from_upper = side % 2 == 0;
    const uint32_t place = distance(c, from_upper), other = distance(than, from_upper);
    if (crossing_is_seal(c) != crossing_is_seal(than))
        return crossing_is_seal(than);
    if (is_solid(r, c) || is_solid(r, than))
        return place + SAME_PLACE < other ||
               (place <= other + SAME_PLACE && crossing_element(c) > crossing_element(than));
    if (place != other)
        return place < other;
    const bool faces = cuts_faces(r, c, side);
    return faces != cuts_faces(r, than, side) ? faces : crossing_element(c) < crossing_element(than);
}

/* The crossing of the link at a side that is nearest to the voxel; true crossings of triangles
 * precede those of seals. At equal distance that of the last solid wins, or else that of the lowest
 * triangle visible from the voxel. */
static crossing nearest(const struct room_cuts *r, const crossing *c, size_t count, int side)
{
    size_t best = 0;
    for (size_t i = 1; i < count; i++)
        if (is_nearer(r, c[i], c[best], side))
            best = i;
    return c[best];
}

static struct seen show_triangle(const struct room_cuts *r, uint32_t triangle, int side, int axis)
{
    const struct snapped_triangle *t = &r->snapped.triangles[triangle];
    return (struct seen){triangle, fabs(t->normal[axis]), (t->sign[side / 2] > 0) == (side % 2)};
}

static element element_of_solid(const struct room_cuts *r, size_t solid)
{
    return (element)(r->snapped.count + solid);
}

/* The element that a crossing shows along `axis`. A thin box has no area across the link. */
static struct seen show_crossing(const struct room_cuts *r, crossing c, const size_t at[3], int side, int axis)
{
    struct seen seen = {crossing_element(c), 0.0, 0};
    if (!is_solid(r, c))
        return show_triangle(r, seen.element, side, axis);
    const size_t solid = seen.element - r->snapped.count;
    if (r->surface->solids[solid].shape != SOLID_BOX || axis == side / 2)
        seen.component = solid_component_on_link(&r->solids, solid, at, side, distance(c, side % 2 == 0), axis);
    return seen;
}

/* Whether a crossing hides the wall, or the solid that covers the voxel beyond and is entered at
 * `place`; last is the element of that solid. */
static bool is_before(const struct room_cuts *r, crossing c, int side, uint32_t place, element last)
{
    const uint32_t at = distance(c, side % 2 == 0);
    return at + SAME_PLACE < place || (is_solid(r, c) && crossing_element(c) > last && at <= place + SAME_PLACE);
}

/* The triangle, solid or wall directly beyond a side; `axis`: that of the face in question. */
static struct seen see_directly(const struct room_cuts *r, const size_t at[3], int side, int axis, const crossing *c,
                                size_t count)
{
    struct seen seen = {.element = ELEMENT_NONE};
    uint32_t place = UINT32_MAX - SAME_PLACE;
    element last = ELEMENT_NONE;
    size_t beside[3];
    if (!cuts_beside(beside, r, at, side))
        return seen;
    const bool wall = cuts_is_wall(r, beside);
    if (wall) {
        seen = (struct seen){(element)(r->snapped.count + r->surface->solid_count) + (element)side, 1.0, 0};
        place = WALL_PLACE;
    }
    const size_t solid = solid_at(&r->solids, beside);
    if (solid < r->surface->solid_count) {
        const bool plain = r->surface->solids[solid].shape == SOLID_BOX;
        const uint32_t entry = plain && count == 0 && !wall ? 0 : solid_entry(&r->solids, solid, at, side);
        if (!wall || entry + SAME_PLACE < place) {
            seen = (struct seen){element_of_solid(r, solid), 1.0, 0};
            place = entry;
            last = seen.element;
            if (!plain)
                seen.component = axis == side / 2 ? solid_component_on_link(&r->solids, solid, at, side, entry, axis)
                                                  : solid_component_near(&r->solids, solid, at, axis);
        }
    }
    if (count == 0)
        return seen;
    const crossing first = nearest(r, c, count, side);
    return is_before(r, first, side, place, last) ? show_crossing(r, first, at, side, axis) : seen;
}

static const struct filled_voxel *filled_at(const struct room_cuts *r, uint64_t voxel)
{
    const size_t at = voxel_search(r->filled, r->filled_count, sizeof *r->filled, voxel);
    return at < r->filled_count ? &r->filled[at] : NULL;
}

/* The element that a sheet shows through the voxel that it made solid: on its far side, or else on
 * the first side that has one. */
static struct seen see_sheet(const struct room_cuts *r, const size_t sheet[3], int side)
{
    size_t count;
    for (int i = -1; i < FACES; i++) {
        const int through = i < 0 ? side : i;
        if (through == (side ^ 1))
            continue;
        const crossing *c = cuts_on_link(&count, r, sheet, through);
        if (count)
            return see_directly(r, sheet, through, side / 2, c, count);
    }
    return see_directly(r, sheet, side, side / 2, NULL, 0);
}

static struct seen show(const struct room_cuts *r, element e, const size_t at[3], int side)
{
    struct seen seen = {e, 1.0, 0};
    if (e < r->snapped.count)
        return show_triangle(r, e, side, side / 2);
    if (e - r->snapped.count < r->surface->solid_count)
        seen.component = solid_component_near(&r->solids, e - r->snapped.count, at, side / 2);
    return seen;
}

struct seen cuts_see(const struct room_cuts *r, const size_t at[3], int side, const crossing *cuts, size_t count)
{
    const struct seen seen = see_directly(r, at, side, side / 2, cuts, count);
    size_t beside[3];
    if (seen.element != ELEMENT_NONE || !r->filled_count || !cuts_beside(beside, r, at, side))
        return seen;
    const struct filled_voxel *filled = filled_at(r, regions_index(&r->air, beside));
    if (!filled)
        return seen;
    return filled->shows == ELEMENT_SHEET ? see_sheet(r, beside, side) : show(r, filled->shows, beside, side);
}

uint32_t cuts_material(const struct room_cuts *r, element e)
{
    if (e < r->snapped.count)
        return r->snapped.triangles[e].material;
    e -= (element)r->snapped.count;
    return e < r->surface->solid_count ? r->surface->solids[e].material
                                       : r->lattice->walls[e - r->surface->solid_count];
}

static int by_voxel(const void *a, const void *b)
{
    const struct filled_voxel *left = a, *right = b;
    if (left->voxel != right->voxel)
        return left->voxel < right->voxel ? -1 : 1;
    return (left->shows > right->shows) - (left->shows < right->shows);
}

int cuts_fill(struct room_cuts *r, struct filled_voxel *voxels, size_t *count, struct error *e)
{
    size_t kept = 0;
    if (!*count)
        return 0;
    qsort(voxels, *count, sizeof *voxels, by_voxel);
    for (size_t i = 0; i < *count; i++)
        if (!kept || voxels[kept - 1].voxel != voxels[i].voxel)
            voxels[kept++] = voxels[i];
    uint64_t *indices = malloc(kept * sizeof *indices);
    struct filled_voxel *all = realloc(r->filled, (r->filled_count + kept) * sizeof *all);
    r->filled = all ? all : r->filled;
    if (!indices || !all) {
        free(indices);
        return fail(e, ERROR_MEMORY, "out of memory");
    }
    for (size_t i = 0; i < kept; i++)
        indices[i] = voxels[i].voxel;
    memcpy(all + r->filled_count, voxels, kept * sizeof *all);
    r->filled_count += kept;
    qsort(all, r->filled_count, sizeof *all, by_voxel);
    const int status = regions_remove(&r->air, indices, kept, e);
    free(indices);
    *count = kept;
    return status;
}

void cuts_place_in_whole(double place[3], const struct room_cuts *r, const size_t at[3])
{
    for (int i = 0; i < 3; i++)
        place[i] = r->lattice->origin[i] + ((double)at[i] - (double)r->shift + 0.5) * r->lattice->spacing;
}

void cuts_place(double place[3], const struct room_cuts *r, const size_t at[3])
{
    cuts_place_in_whole(place, r, (const size_t[3]){at[0], at[1], at[2] + r->planes.from});
}

void cuts_free(struct room_cuts *r)
{
    snapped_free(&r->snapped);
    crossings_free(&r->crossings);
    solids_free(&r->solids);
    regions_free(&r->air);
    free(r->filled);
    memset(r, 0, sizeof *r);
}
