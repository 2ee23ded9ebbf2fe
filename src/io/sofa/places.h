/* SPDX-License-Identifier: MIT */
/* Positions and directions in SOFA documents, cartesian or spherical, one for all measurements or one for each. */
#ifndef AULA_IO_SOFA_PLACES_H
#define AULA_IO_SOFA_PLACES_H

#include <stdbool.h>

#include "io/sofa/document.h"

struct sofa_places {
    const struct sofa_variable *variable;
    bool spherical;   /* azimuth, elevation and radius */
    double factor[3]; /* by which its numbers become degrees and metres */
};

/* A variable of the shape [1 or `rows`][3], or [..][3][1], of the coordinates and units that its attributes name:
 * cartesian without Type, or spherical where its units are angles. ERROR_INPUT with the file and the fault. */
int sofa_places(struct sofa_places *places, const struct sofa_document *d, const char *name, size_t rows,
                const char *path, struct error *e);

/* The cartesian position in a row, or the only one. */
void sofa_place(double out[3], const struct sofa_places *places, size_t row);

/* Axes of a body: view and up as variables of a document. Missing ones are x and z (AES69-2022); without both the axes
 * are those of the room. */
struct sofa_axes {
    const char *view_name, *up_name;
    struct sofa_places view, up; /* variable NULL: missing */
};

int sofa_axes(struct sofa_axes *axes, const struct sofa_document *d, const char *view, const char *up, size_t rows,
              const char *path, struct error *e);

/* Transforms `place` into the axes of the body. ERROR_INPUT if view and up are parallel or zero. */
int sofa_seen(double seen[3], const struct sofa_axes *axes, size_t row, const double place[3], const char *path,
              struct error *e);

#endif
