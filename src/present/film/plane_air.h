/* SPDX-License-Identifier: MIT */
/* Suggests alternatives to a plane without air on its grid: the nearest plane with air, or a finer grid. */
#ifndef AULA_PRESENT_FILM_PLANE_AIR_H
#define AULA_PRESENT_FILM_PLANE_AIR_H

#include "room/grid/model.h"

struct plane_asked {
    const struct model *m;
    int axis;
    double at; /* m */
    /* Whether a plane of the room on this grid contains usable air. */
    bool (*has_air)(const void *context, const struct model *m, double at);
    const void *context;
};

/* Fills *e with "--plane z=0.02: WHAT" and the nearest plane and next finer grid that are known to work; returns -1.
 * ERROR_INPUT, ERROR_STOPPED. */
int plane_refuse(const struct plane_asked *asked, const char *what, struct error *e);

#endif
