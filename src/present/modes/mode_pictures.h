/* SPDX-License-Identifier: MIT */
/* Pictures of the pressure of modes over a plane. */
#ifndef AULA_PRESENT_MODES_MODE_PICTURES_H
#define AULA_PRESENT_MODES_MODE_PICTURES_H

#include "render/modes/room_modes.h"

enum { MODE_PICTURES_MAX = 100 };

struct mode_pictures_wish {
    const char *folder; /* made if it is missing */
    int axis;           /* of the plane */
    double at;          /* m; NaN: 1.2 m above the floor, or the middle */
    bool no_clobber;
};

/* Draws |p| of the first MODE_PICTURES_MAX modes, each over its largest value on the plane, as mode_01_33.0Hz.png and so
 * on. A second run of the same grid plays a low-passed impulse from the corner; a Goertzel sum for each mode and grid
 * point of the plane, Σ conj(z)^n p[n], runs with it, and the sums of all modes are then solved for their amplitudes by
 * the normal equations, which separates modes that overlap. *drawn: pictures. ERROR_USAGE for a plane outside the room;
 * ERROR_OUTPUT, ERROR_MEMORY, ERROR_STOPPED. */
int mode_pictures(size_t *drawn, const struct room_modes *r, const struct mode_pictures_wish *w,
                  const struct solver_options *choice, const struct watch *watch, struct error *e);

#endif
