/* SPDX-License-Identifier: MIT */
/* Positions and directions in SOFA documents, cartesian or spherical, one for all measurements or one for each. */
#ifndef AULA_SOFA_PLACES_H
#define AULA_SOFA_PLACES_H

#include "sofa/document.h"

struct sofa_places {
    const struct sofa_variable *variable;
    int spherical; /* azimuth and elevation in degrees, radius in metres */
};

/* A variable of the shape [1 or `rows`][3], or [..][3][1]. ERROR_INPUT: what is wrong, with the file's name. */
int sofa_places(struct sofa_places *places, const struct sofa_document *d, const char *name, size_t rows,
                const char *path, struct error *e);

/* The cartesian position in a row, or the only one. */
void sofa_place(double out[3], const struct sofa_places *places, size_t row);

/* Axes of a body in rows: front, left, up. `view` and `up` as variables of a document, which may be missing: x and
 * z. */
struct sofa_axes {
    struct sofa_places view, up;
    int given;
};

int sofa_axes(struct sofa_axes *axes, const struct sofa_document *d, const char *view, const char *up, size_t rows,
              const char *path, struct error *e);

/* `place` as the body sees it. ERROR_INPUT where view and up are no two directions. */
int sofa_seen(double seen[3], const struct sofa_axes *axes, size_t row, const double place[3], const char *path,
              struct error *e);

#endif
