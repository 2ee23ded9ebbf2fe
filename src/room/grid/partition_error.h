/* SPDX-License-Identifier: MIT */
/* How well partitions on a grid follow the mass law: their sound reduction index R, theory (37e), minus that of a limp
 * sheet of the simulated mass. */
#ifndef AULA_ROOM_GRID_PARTITION_ERROR_H
#define AULA_ROOM_GRID_PARTITION_ERROR_H

#include "room/grid/model.h"

/* dB, with their signs, in the valid band. */
struct partition_error {
    double field;       /* of the mean over incidence up to 78 degrees, at the upper end of the band */
    double field_worst; /* the same, the largest of the band */
    double angle;       /* the largest of any angle up to 78 degrees, at the upper end of the band */
    double above[2];    /* Hz: from here on the largest of any angle exceeds partition_error_bounds; INFINITY: never */
    double valid_frequency; /* Hz: upper end of the band */
};
static const double partition_error_bounds[2] = {0.2, 1.0}; /* dB */

/* Of a material with transmission. */
struct partition_error partition_error_of(const struct model *m, size_t material);

/* Whether a note or a warning of the model has the error. */
bool partition_error_is_noted(const struct model *m, size_t material, const struct partition_error *e);

/* "R is off by -0.1 dB at field incidence and -3.7 dB at single angles at 360 Hz, the edge of the valid band; at single
 * angles by more than 0.2 dB from 85 Hz and 1 dB from 170 Hz on". */
enum { PARTITION_ERROR_TEXT = 240 };
const char *partition_error_text(char text[PARTITION_ERROR_TEXT], const struct partition_error *e);

#endif
