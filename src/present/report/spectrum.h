/* SPDX-License-Identifier: MIT */
/* Power spectrum of a response, and the modes of a rigid box. */
#ifndef AULA_PRESENT_REPORT_SPECTRUM_H
#define AULA_PRESENT_REPORT_SPECTRUM_H

#include <stddef.h>

#include "base/error.h"
#include "room/room.h"

/* |Σ x[n] e^{-2πi f n/rate}|² at f = k `step`, k < count, up to half the rate. Free `power`. */
struct spectrum {
    double *power; /* [count] */
    size_t count;
    double step; /* Hz: a fraction of 1/duration, to resolve the peaks of modes */
};
int spectrum_make(struct spectrum *s, const double *samples, size_t frames, double rate, struct error *e);
void spectrum_free(struct spectrum *s); /* NULL-safe */

/* Mean power in a band of `part` octaves around f; NaN when no bin lies in it. */
double spectrum_smooth(const struct spectrum *s, double f, double part);

/* Modes of a box with rigid walls. */

enum mode_kind { MODE_AXIAL, MODE_TANGENTIAL, MODE_OBLIQUE }; /* one, two, three of the numbers are not 0 */

struct mode {
    int number[3];    /* nx, ny, nz */
    double frequency; /* Hz */
    enum mode_kind kind;
};

/* The `max` lowest modes of a box of size[3] m at sound speed c m/s, by rising frequency, (0,0,0) left out: f = c/2
 * sqrt((nx/Lx)² + (ny/Ly)² + (nz/Lz)²) (Kuttruff, Room Acoustics, 3.1). Returns how many: `max`, or 0 when a size or c
 * is not above 0. */
size_t box_modes(struct mode *modes, size_t max, const double size[3], double c);

/* NULL if the modes of the empty box apply to this room, else the reason: pressure-release walls change the modes, and so
 * does a shape whose air fills less than nine tenths of the box. volume, box_volume: m³ of the air and of the box. */
const char *not_a_box(const struct room *room, double volume, double box_volume);

#endif
