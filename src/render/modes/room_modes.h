/* SPDX-License-Identifier: MIT */
/* The modes of a room: one wave run from a corner, and ESPRIT on what many places hear of it. */
#ifndef AULA_RENDER_MODES_ROOM_MODES_H
#define AULA_RENDER_MODES_ROOM_MODES_H

#include "dsp/modes/mode_search.h"
#include "render/modes/spacing.h"
#include "render/watch.h"
#include "room/grid/model.h"
#include "solver/solver.h"

enum { MODES_MAX = 400 }; /* expected below --to */

struct mode_place {
    const char *name; /* of the source or receiver; NULL: one of our own */
    bool receiver;
    double position[3]; /* m */
};

struct room_mode {
    double frequency; /* Hz, of the decaying oscillation */
    double t60;       /* s */
    double level;     /* dB: steady pressure at resonance at its loudest place, re the strongest mode */
    bool has_order;
    int order[3];            /* of a box: half wavelengths along x, y, z */
    double *heard;           /* [named], dB: at the sources and receivers, re its loudest place */
    double complex exponent; /* per step of the grid: -decay + jω */
    bool resolved;           /* its band is */
};

struct room_modes {
    double points;            /* set by the caller: least points a wavelength at `to`; 0: MODES_POINTS */
    struct room grid_room;    /* the room on the grid of this analysis, without instruments; shares what it points to */
    struct room run_room;     /* the same with our source and one receiver */
    struct source source;     /* an impulse in a corner */
    struct receiver receiver; /* an array of all places */
    struct model *model;      /* of grid_room */
    struct model *run;        /* of run_room */
    struct mode_place *places; /* [place_count]: first the sources, then the receivers, then our own */
    double (*positions)[3];    /* [place_count] */
    size_t place_count, named; /* named: sources and receivers */
    struct room_mode *modes;   /* [count], by frequency */
    size_t count;
    struct mode_band *bands; /* [band_count]; edges in Hz of air */
    size_t band_count;
    struct spacing spacing;
    double size_error; /* of the sizes on the grid, over those asked for */
    double to;         /* Hz */
    double low;        /* Hz: where the search begins */
    double expected;   /* modes from `low` to `to` by Weyl's count */
    double schroeder;  /* Hz, by the median T60 of the modes; NaN without any */
    double seconds;    /* of the response */
    size_t steps;
};

/* Weyl's count of modes below a frequency, with the volume V, the area S and the edges' length L of the room:
 * N = (4π/3) V (f/c)³ + (π/4) S (f/c)² + (L/8) (f/c) (Kuttruff, Room Acoustics, 3.2). L is that of the bounding box. */
double modes_weyl(const void *room_modes, double frequency);

/* Finds the modes up to `to`, Hz, on a grid of its own: lossless 19-point air in double precision, at least
 * MODES_POINTS points a wavelength, its spacing by spacing_find. Frequencies and decays on the grid are mapped to
 * those of air by isotropic19_true_frequency, and the decay by air is added (ISO 9613-1). The walls are those of the
 * room file. ERROR_USAGE if `to` is too high or too low, ERROR_INPUT if the room is not suitable, and the errors of the
 * run. Zero *r first, but for r->points; call room_modes_free also after an error. `room` outlives *r. */
#define MODES_POINTS 10.0
int room_modes_find(struct room_modes *r, const struct room *room, double to, const struct solver_options *choice,
                    const struct watch *watch, struct error *e);
void room_modes_free(struct room_modes *r);

/* Adds lines about what is in doubt: sizes that the grid does not meet, bands that are not resolved. ERROR_MEMORY. */
int room_modes_doubts(char ***lines, size_t *count, const struct room_modes *r, struct error *e);

/* Names the modes of a box by the order whose cosines fit the amplitudes at all places best, and corrects
 * their frequencies for what the grid misses of the sizes, to first order: by the ratio of the rigid box's. */
void room_modes_name(struct room_modes *r, const struct found_mode *found);

#endif
