/* SPDX-License-Identifier: MIT */
/* Shared code of the checks of directions: clouds of points without a room, and a box with one
 * source and some receivers. */
#ifndef AULA_VALIDATE_SPACE_RIG_H
#define AULA_VALIDATE_SPACE_RIG_H

#include "base/random.h"
#include "dsp/space/field_stencil.h"
#include "room/grid/field_placement.h"
#include "room/grid/model.h"

/* Both schemes as used in renders: their names, plane waves, the end of their band, and the
 * radius of clouds for an order. */
struct space_scheme {
    const char *name;
    enum air_stencil stencil;
    struct grid_waves waves;
    double edge; /* relative to the grid rate */
};
enum { SPACE_SCHEMES = 2 };
struct space_scheme space_scheme_of(int index);

/* All points of a grid within the scheme's radius of a position at `fraction` of a cell, and
 * their weights. */
int space_stencil_make(struct field_stencil *s, struct field_lattice **lattices, const struct space_scheme *scheme,
                       const double fraction[3], int order, struct error *e);

/* 14 positions in a cell: on a point, between points, and random ones. */
enum { SPACE_PLACES = 14 };
void space_places(double places[SPACE_PLACES][3], struct random *r);

void space_direction(double d[3], struct random *r);

/* A box whose walls have real impedances; space_box_make makes its model. Free with
 * space_box_free. */
enum { SPACE_RECEIVERS = 4 };
struct space_box {
    struct room room;
    struct material materials[2];
    struct source source;
    struct receiver receivers[SPACE_RECEIVERS];
    struct model *model;
};
void space_box_init(struct space_box *b, const double size[3], double impedance);
int space_box_make(struct space_box *b, struct error *e);
void space_box_free(struct space_box *b);

#endif
