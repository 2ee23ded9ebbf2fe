/* SPDX-License-Identifier: MIT */
/* Positions by name, by coordinates, from a CSV file, or on a grid over the floor. */
#ifndef AULA_RENDER_PLACE_POINTS_H
#define AULA_RENDER_PLACE_POINTS_H

#include <stdbool.h>

#include "room/grid/model.h"

struct place_points {
    double (*at)[3]; /* [count], m */
    char **name;     /* [count] */
    size_t count;
};
void place_points_free(struct place_points *points);

/* Adds one; without a name (NULL or "") it is named by its coordinates. ERROR_MEMORY. */
int place_points_add(struct place_points *points, const double at[3], const char *name, struct error *e);

/* Whether the position and what is `clearance`, m, away along x, y and their diagonals are air. */
bool place_is_clear(const struct model *m, const double at[3], double clearance);
/* Parses "grid 0.3 z=0.2", NULL as "grid 0.2"; *height stays without a z. ERROR_USAGE. */
int place_points_spacing(double *spacing, double *height, const char *text, struct error *e);

/* Positions of `text`: names of receivers (`sources`: and of sources) of the room, separated by
 * commas, and x,y,z, separated by semicolons. NULL: all omnidirectional receivers. `option`: its
 * name, for messages. ERROR_USAGE. */
int place_points_named(struct place_points *points, const char *text, const char *option, bool sources,
                       const struct room *room, struct error *e);

/* Of `room`, whose grid is m (of the same walls), as --candidates says: "grid SPACING [z=H]", "walls SPACING [z=H]", a name that ends in .csv, or
 * place_points_named. Of a grid those in the air with `clearance`, m, on all sides; "walls" keeps
 * its outermost ones. Others must be in air. ERROR_USAGE, ERROR_INPUT. */
int place_points_candidates(struct place_points *points, const char *text, double clearance, size_t most,
                            const struct room *room, const struct model *m, struct error *e);

/* ERROR_USAGE, with the option and the point, unless all are in air. */
int place_points_check(const struct place_points *points, const char *option, const struct model *m, struct error *e);

#endif
