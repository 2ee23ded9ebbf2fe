/* SPDX-License-Identifier: MIT */
/* What would do in place of a plane in which a grid has no air: another place, or a finer grid. */
#ifndef AULA_PRESENT_FILM_PLANE_AIR_H
#define AULA_PRESENT_FILM_PLANE_AIR_H

#include "room/grid/model.h"

struct plane_asked {
    const struct model *m;
    int axis;
    double at; /* m */
    /* Whether a plane of the room on this grid would do. */
    bool (*has_air)(const void *context, const struct model *m, double at);
    const void *context;
};

/* Fills *e with "--plane z=0.02: WHAT", and with the nearest place and the next grid that would do, both tried; returns
 * -1. ERROR_INPUT, ERROR_STOPPED. */
int plane_refuse(const struct plane_asked *asked, const char *what, struct error *e);

#endif
