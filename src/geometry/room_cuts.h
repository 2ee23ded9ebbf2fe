/* SPDX-License-Identifier: MIT */
/* The state of voxelize(): the crossings that cut links, the air, and the voxels that became solid.
 * Parts that voxelize a room together own a slab of planes each, plus CUTS_HALO planes of each
 * neighbour. Each part finds the crossings in all its planes; it receives the air and the filled
 * voxels of its halos from the neighbours after every change (cuts_refresh). Voxel indices start at
 * the lowest plane of the part. */
#ifndef AULA_GEOMETRY_ROOM_CUTS_H
#define AULA_GEOMETRY_ROOM_CUTS_H

#include "base/transport/transport.h"
#include "geometry/crossings.h"
#include "geometry/regions.h"
#include "geometry/solids.h"

/* What makes a plane's voxels looks no further: at crossings two planes away, of which those of solids are judged by
 * what is a plane further. No slab has fewer planes. */
enum { CUTS_HALO = 4 };

/* The element that a face shows: a triangle, a solid or a wall of the lattice, numbered in this
 * order. */
typedef uint32_t element;
#define ELEMENT_NONE UINT32_MAX
#define ELEMENT_SHEET (UINT32_MAX - 1) /* of a filled voxel: what a sheet beside it shows */

/* A voxel of air that became solid. */
struct filled_voxel {
    uint64_t voxel; /* regions_index */
    element shows;  /* on all sides; or ELEMENT_SHEET */
};

struct room_cuts {
    const struct surface *surface;
    const struct lattice *lattice;
    struct transport *transport; /* to the other parts; NULL: there are none */
    struct lattice_planes planes;
    size_t own[2];          /* planes own[0] .. own[1] - 1 of those here are the part's own */
    size_t shift, count[3]; /* voxels of padding on each side; voxels here along each axis, with padding */
    size_t parts;           /* of the air, in all slabs: geometry/air_parts.h */
    int threads;
    struct snapped snapped;
    struct crossings crossings;
    struct solid_rows solids;
    struct regions air;
    struct filled_voxel *filled; /* [filled_count], by ascending index */
    size_t filled_count;
};

/* The element visible from the air through a side. */
struct seen {
    element element;
    double component; /* of the unit normal there, along the axis of the face, 0 to 1 */
    int back;         /* of a triangle: 1: its side against the normal is seen */
};

/* All that can cut a link, and the air: of a surface on a lattice with `shift` voxels of padding. Sets what is needed
 * in r, whose `threads` and `transport` are set. ERROR_INPUT, ERROR_MEMORY, ERROR_STOPPED; ends with cuts_free. */
int cuts_find(struct room_cuts *r, const struct surface *surface, const struct lattice *lattice, size_t shift,
              double seal, struct error *e);

/* Whether a voxel is beyond the ends of a walled lattice. */
bool cuts_is_wall(const struct room_cuts *r, const size_t at[3]);
/* The crossings of the link at a side of a voxel: *count of them; 0: none, or the link leads outside. */
const crossing *cuts_on_link(size_t *count, const struct room_cuts *r, const size_t at[3], int side);
/* Whether what crosses the link at a side of a voxel is seen from there: triangles may be seen from one side only. */
bool cuts_faces(const struct room_cuts *r, crossing c, int side);
/* Whether a triangle, not only a seal, or a solid or a wall is beyond a side of a voxel of air. */
bool cuts_link(const struct room_cuts *r, const size_t at[3], int side);
/* The neighbour at a side. False: outside the lattice. */
bool cuts_beside(size_t beside[3], const struct room_cuts *r, const size_t at[3], int side);

/* The element that a voxel of air sees through a side without air beyond; the crossings of that
 * link are at cuts[count]. */
struct seen cuts_see(const struct room_cuts *r, const size_t at[3], int side, const crossing *cuts, size_t count);

uint32_t cuts_material(const struct room_cuts *r, element e); /* index of surface.materials */

/* Voxels of air become solid: adds them to `filled` and takes them from the air, whose parts are not known any more.
 * They are sorted here, and each once in front afterwards, *count of them; of several entries of a voxel the lowest
 * `shows` counts. */
int cuts_fill(struct room_cuts *r, struct filled_voxel *voxels, size_t *count, struct error *e);

/* The air and the filled voxels of halos become those of the neighbours; all parts call it. */
int cuts_refresh(struct room_cuts *r, struct error *e);

static inline bool cuts_is_own(const struct room_cuts *r, size_t z)
{
    return z >= r->own[0] && z < r->own[1];
}
/* Of a voxel, in the whole padded lattice; the slabs' are in the order of parts. */
static inline uint64_t cuts_index(const struct room_cuts *r, const size_t at[3])
{
    return at[0] + r->count[0] * (at[1] + (uint64_t)r->count[1] * (r->planes.from + at[2]));
}

/* The centre of a voxel, m: of one here, and of one of the whole padded lattice. */
void cuts_place(double place[3], const struct room_cuts *r, const size_t at[3]);
void cuts_place_in_whole(double place[3], const struct room_cuts *r, const size_t at[3]);

void cuts_free(struct room_cuts *r); /* safe on a zeroed struct */

#endif
