/* SPDX-License-Identifier: MIT */
/* Views of a room along an axis, for its plan in a report and its page of `aula info --plot`. */
#ifndef AULA_PRESENT_REPORT_ROOM_VIEWS_H
#define AULA_PRESENT_REPORT_ROOM_VIEWS_H

#include <stdbool.h>
#include <stddef.h>

#include "io/drawing/drawing.h"
#include "present/views/room_model.h"
#include "room/room.h"

enum { VIEW_LABELS_MAX = 256 };

/* Lines from a position in the directions of arrival. */
enum { ROOM_SPIKES_MAX = 32 };
struct room_spike {
    double direction[3]; /* unit vector, in the axes of the room */
    double length;       /* 0..1 */
    int colour;
    bool bold;
};
struct room_spikes {
    double from[3]; /* m */
    size_t count;
    struct room_spike spike[ROOM_SPIKES_MAX];
};

/* One view: its axes, its position on the page, and areas taken by labels. */
struct room_view {
    struct drawing *d;
    const struct room *room;
    const double *size;               /* m, [3]; from room->lower on */
    const struct viewed_room *voxels; /* NULL: objects and walls are drawn as in the room file */
    const struct room_spikes *spikes; /* NULL: none */
    double cut[3];                    /* m: where the voxels are cut, along each axis */
    int across, up;                   /* axes that point to the right and upwards on the page */
    double x, y, scale;               /* units of the corner; units a metre */
    double left, right;               /* horizontal limits of labels */
    /* Show names instead of S1, R1, and numbers for unnamed objects; draw objects and walls in the colours of their
     * materials (room_view_colour). */
    bool named;
    /* Overlay on a picture of the field in the cut: edges of the voxels there, named objects in the cut and marks, but
     * no dimensions. */
    bool over;
    bool *used; /* section_draw_edges; NULL: not wanted */
    double taken[VIEW_LABELS_MAX][4];
    size_t taken_count;
};

/* With its size along both axes and `title` above its upper left corner. Objects that have names are labelled; of voxels
 * those that are cut. Vertical sections through voxels show sources and receivers up to 0.5 m from the cut. ERROR_MEMORY.
 */
int room_view_draw(struct room_view *v, const char *title, struct error *e);

int room_view_colour(size_t material);

/* A triangle for a source, a circle for a receiver; `colour` of their rim. */
void room_view_source(struct drawing *d, double x, double y, int colour);
void room_view_receiver(struct drawing *d, double x, double y, int colour);

/* A labelled scale bar of a round length with its right end at `right`. */
void room_view_scale(struct drawing *d, double scale, double right, double y);

enum { OUTLINE_POINTS = 128 };
/* The outline of an object as the axes `across` and `up` show it: the convex hull of its projection. Returns the number
 * of points. */
size_t object_outline(double outline[OUTLINE_POINTS][2], const struct object *object, int across, int up);

#endif
