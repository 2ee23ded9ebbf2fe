/* SPDX-License-Identifier: MIT */
/* The part of the sphere that a set of measured directions covers. */
#ifndef AULA_DSP_SPACE_COVERAGE_H
#define AULA_DSP_SPACE_COVERAGE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "dsp/space/direction_tree.h"

/* A direction is outside the coverage if the nearest measured direction is more than `limit` away: 20 degrees, or 1.25
 * times the spacing of a coarse set. The cells of the map are 5 degrees wide, the first at azimuth 0, elevation -90. */
enum { COVERAGE_STEP = 5, COVERAGE_ROWS = 180 / COVERAGE_STEP + 1, COVERAGE_COLUMNS = 360 / COVERAGE_STEP };

struct coverage {
    double low, high; /* degrees: elevations of the set */
    double limit;     /* degrees */
    double share;     /* of the sphere that is outside */
    double farthest;  /* degrees: largest distance of a direction from the set */
    double at[2];     /* degrees: azimuth and elevation of that direction */
    bool outside[COVERAGE_ROWS][COVERAGE_COLUMNS];
    struct direction_tree tree;
};

/* Of unit vectors, at least one. ERROR_MEMORY; ends with coverage_free, also after an error. */
int coverage_make(struct coverage *c, const double (*directions)[3], size_t count, struct error *e);
void coverage_free(struct coverage *c);

/* Degrees from a direction (unit vector) to the nearest of the set. */
double coverage_away(const struct coverage *c, const double direction[3]);

/* Azimuth, -180 to 180, and elevation of a direction, degrees. */
void coverage_angles(double angles[2], const double direction[3]);

/* "elevations from -40 to 90 degrees", "only the horizontal plane". Returns text. */
enum { COVERAGE_TEXT = 64 };
const char *coverage_text(char text[COVERAGE_TEXT], const struct coverage *c);

/* Adds a warning if more than a tenth of the sphere is outside: "`what` `name`: `file` covers ..", or without a name
 * "`file` covers ..". ERROR_MEMORY. */
int coverage_warn(char ***lines, size_t *count, const struct coverage *c, const char *what, const char *name,
                  const char *file, struct error *e);

#endif
