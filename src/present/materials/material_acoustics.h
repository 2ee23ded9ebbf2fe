/* SPDX-License-Identifier: MIT */
/* Absorption, admittance and resonances of one material. */
#ifndef AULA_PRESENT_MATERIALS_MATERIAL_ACOUSTICS_H
#define AULA_PRESENT_MATERIALS_MATERIAL_ACOUSTICS_H

#include "room/grid/wall_admittance.h"
#include "room/room.h"

enum {
    MATERIAL_POINTS_AN_OCTAVE = 96, /* of the curves */
    MATERIAL_RESONANCES = 64        /* kept, from the lowest; the rest is counted */
};
#define MATERIAL_LOW 20.0 /* Hz, of curves and resonances */
#define MATERIAL_HIGH 20000.0

struct material_point {
    double frequency;       /* Hz */
    double normal;          /* absorption at normal incidence */
    double local;           /* at random incidence, of a locally reacting wall */
    double along;           /* at random incidence, where sound propagates along the layers; NaN without layers */
    double real, imaginary; /* specific admittance at normal incidence */
};

struct material_resonance {
    double frequency;  /* Hz: Im Z passes 0 upwards */
    double absorption; /* at normal incidence */
    double quality;    /* (ω0/2) |dX/dω|/(R + 1) of Z/ρc = R + jX: the 1 is the radiation into the room */
};

struct material_acoustics {
    bool layered, partitioned;
    struct wall_admittance wall;
    double normal[OCTAVE_BANDS], local[OCTAVE_BANDS], along[OCTAVE_BANDS]; /* octave means */
    struct material_point *points;                                         /* [point_count], ascending */
    size_t point_count;
    struct material_resonance resonances[MATERIAL_RESONANCES]; /* [resonance_count], ascending */
    size_t resonance_count, resonances_found;
    double modelled_from; /* Hz: below, Miki's model extrapolates in a layer; 0: no layer needs it */
    double passive_from;  /* Hz: below, that layer would supply energy, and Re Y is held at 0; likewise */
};

/* `path` names the room in messages. ERROR_INPUT for a pressure-release wall and for absorption that no wall has;
 * ERROR_MEMORY, ERROR_STOPPED. On failure *a is zero. */
int material_acoustics_make(struct material_acoustics *a, const struct material *material, const char *path,
                            struct error *e);
void material_acoustics_free(struct material_acoustics *a); /* safe on a zeroed struct */

/* The curves at another frequency, Hz > 0. */
struct material_point material_acoustics_at(const struct material_acoustics *a, double frequency);

/* Whether propagation along the layers, unless divided gaps prevent it, changes the absorption of an octave so much that
 * a room would show it. */
bool material_differs_along(const struct material_acoustics *a, size_t band);

/* Limits of the result, for people: count of lines added to lines[MATERIAL_NOTES]; each to be freed. ERROR_MEMORY. */
enum { MATERIAL_NOTES = 2 };
int material_notes(char *lines[MATERIAL_NOTES], size_t *count, const struct material_acoustics *a, struct error *e);

/* Mean absorption of layers at one frequency, Hz, over all angles with the weight sin 2θ. */
double material_random_absorption(const struct layered_wall *wall, double frequency, bool local);

#endif
