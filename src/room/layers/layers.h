/* SPDX-License-Identifier: MIT */
/* The admittance of a wall from the layers that it is made of, by the transfer-matrix method: from the rigid wall at the
 * back to the front, theory (30a) to (30h). Time factor e^{jωt}. */
#ifndef AULA_ROOM_LAYERS_LAYERS_H
#define AULA_ROOM_LAYERS_LAYERS_H

#include <complex.h>
#include <stdbool.h>
#include <stddef.h>

enum layer_kind {
    LAYER_AIR,
    LAYER_POROUS,     /* by flow resistivity alone, or with its pores described */
    LAYER_PERFORATED, /* a plate with round holes in a square pattern */
    LAYER_SLOTTED,    /* a plate, or boards, with parallel slots */
    LAYER_MEMBRANE,   /* a limp or stiff sheet that lets no air through */
    LAYER_CLOTH,      /* a thin sheet that lets air through */
    LAYER_TABLE,      /* a measured admittance of all that lies from here to the wall */
    LAYER_KINDS
};

/* SI units. Members that a kind does not name are not used. */
struct layer {
    enum layer_kind kind;
    double thickness;        /* m: air, porous, perforated, slotted */
    double flow_resistivity; /* Pa s/m²: porous */
    double porosity;         /* porous, 0 to 1: with it the Johnson-Champoux-Allard model; 0: Miki's */
    double tortuosity;       /* likewise, 1 or more */
    double viscous_length;   /* likewise, m; 0: √(8 η tortuosity/(porosity flow_resistivity)) */
    double thermal_length;   /* likewise, m; 0: twice the viscous length */
    double hole;             /* m: diameter of the holes of a perforated plate */
    double slot;             /* m: width of the slots of a slotted plate */
    double spacing;          /* m: between centres of holes or slots */
    double mass;             /* kg/m²: membrane */
    double loss;             /* membrane: r = loss ω0 mass, where ω0 is its resonance with the depth behind it */
    double flow_resistance;  /* Pa s/m: cloth */
    double cloth_mass;       /* kg/m²: cloth; 0: it does not move */
    size_t count;            /* table: the number of its rows */
};
enum { LAYERS_MAX = 8 }; /* of a wall */

/* A row of a measured admittance: Hz, and Y = ρc/Z. */
struct admittance_row {
    double frequency, real, imaginary;
};

struct layered_wall {
    struct layer layers[LAYERS_MAX]; /* from the air of the room to the rigid wall */
    size_t count;
    const struct admittance_row *rows; /* of the table, ascending in frequency; a wall has one at most, as its last */
    double sound_speed, density;       /* of the air, m/s and kg/m³ */
};

/* Specific admittance Y = ρc/Z at a frequency > 0, Hz, for a plane wave that arrives at `angle` from the normal, rad, 0
 * to below π/2. At 0 it is the admittance of a locally reacting wall. At other angles sound propagates along the layers:
 * the normal component of the wavenumber in each is √(k² - (ω/c)² sin² angle). Re Y >= 0. */
double complex layers_admittance(const struct layered_wall *wall, double frequency, double angle);

/* The same at a complex frequency near the real axis, for the modes of exact solutions; of a table, at its real part. */
double complex layers_continued_admittance(const struct layered_wall *wall, double complex frequency, double angle);

/* Absorption of a plane wave: 1 - |R|², R = (cos angle - Y)/(cos angle + Y). `local`: with Y at normal incidence. */
double layers_absorption(const struct layered_wall *wall, double frequency, double angle, bool local);

/* Mean over the octave around `centre`, Hz, uniform in log frequency, and over angles from 0 to `limit`, rad, with the
 * weight sin 2 angle. */
double layers_octave_absorption(const struct layered_wall *wall, double centre, double limit, bool local);

/* Depth of the layers, m. */
double layers_depth(const struct layered_wall *wall);

/* Air, or porous: sound takes time to cross it. */
bool layer_is_medium(const struct layer *l);

/* Share of open area of a perforated or slotted plate, 0 to 1. */
double layer_open_area(const struct layer *layer);

#endif
