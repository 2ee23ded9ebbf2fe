/* SPDX-License-Identifier: MIT */
/* Sound in the materials of layers (layers.h). */
#ifndef AULA_ROOM_LAYERS_MEDIA_H
#define AULA_ROOM_LAYERS_MEDIA_H

#include "room/layers/layers.h"

#define AIR_VISCOSITY 1.825e-5 /* η, Pa s, at 20 °C; 2 % more at 30 °C */

/* Characteristic impedance, Pa s/m, and wavenumber, 1/m. */
struct medium {
    double complex impedance, wavenumber;
};

/* Of air or of a porous layer, at a frequency in Hz, which may be complex. Porous, theory (30c): Miki (Journal of the Acoustical Society of Japan (E) 11, 19-24,
 * 1990) with x = f/flow_resistivity:
 *     Z = ρc (1 + 0.070 x^-0.632 - 0.107j x^-0.632), k = ω/c (1 + 0.109 x^-0.618 - 0.160j x^-0.618).
 * With a porosity, theory (30d): Johnson, Koplik and Dashen (Journal of Fluid Mechanics 176, 379-402, 1987) for the
 * density, Champoux and Allard (Journal of Applied Physics 70, 1975-1979, 1991) for the compressibility. */
struct medium layer_medium(const struct layer *layer, const struct layered_wall *wall, double complex frequency);

/* Impedance in Pa s/m of a layer that is thin for sound: plate, membrane or cloth. `behind`: the porous layer that
 * touches it, or NULL. `depth`: m up to the rigid wall.
 * Plates, theory (30e) and (30f): viscous flow in holes (Maa, Journal of the Acoustical Society of America 104,
 * 2861-2866, 1998) or slots, friction at both faces and the air that moves along outside; cloth and membranes, (30g) and (30h). */
double complex layer_series(const struct layer *layer, const struct layered_wall *wall, double complex frequency,
                            const struct layer *behind, double depth);

#endif
