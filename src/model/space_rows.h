/* The voxel map as run lengths: slabs of equal planes, bands of equal rows in a plane, segments of points of one owner
 * along x. A box with boxes in it has few of them for any number of points. */
#ifndef AULA_MODEL_SPACE_ROWS_H
#define AULA_MODEL_SPACE_ROWS_H

#include "model/voxels.h"

/* Owner of a point: air, the fixed layer of a wall, an object. */
enum { OWNER_AIR = 0, OWNER_WALL = 1, OWNER_OBJECT = OWNER_WALL + FACES };

struct space_segment {
    size_t end; /* x: one past its last point; it begins at the end of the one before in its row, or at 0 */
    uint32_t owner;
};

/* Rows and planes begin at the end of those before, likewise. */
struct space_band {
    size_t end; /* y */
    size_t first, count;
};

struct space_slab {
    size_t end; /* z */
    size_t first, count;
};

struct space_rows {
    struct space_segment *segments;
    struct space_band *bands;
    struct space_slab *slabs;
    size_t segment_count, band_count, slab_count;
    size_t segment_room, band_room; /* allocated */
};

/* Returns 1, with nothing to free and *e unchanged, when there are more than `max` bands. ERROR_STOPPED,
 * ERROR_MEMORY. */
int space_rows_make(struct space_rows *r, const struct voxels *v, size_t max, struct error *e);
void space_rows_free(struct space_rows *r); /* safe on a zeroed struct */

/* Index of the segment of a point. */
size_t space_rows_at(const struct space_rows *r, const size_t point[3]);

/* Faces between neighbours: from points from[] <= (x, y, z) < to[] on the lower side to those one further along `axis`.
 * Beyond the box the segment is SPACE_OUTSIDE and the owner the wall; at the lower end of an axis from[axis] is
 * SPACE_OUTSIDE too. */
#define SPACE_OUTSIDE SIZE_MAX
struct space_contact {
    int axis;
    size_t segment[2]; /* lower, upper */
    uint32_t owner[2];
    size_t from[3], to[3];
};

/* Calls `visit` for all faces between different owners and between two segments of air. */
void space_rows_contacts(const struct space_rows *r, const size_t points[3],
                         void (*visit)(void *context, const struct space_contact *contact), void *context);

#endif
