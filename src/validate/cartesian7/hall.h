/* SPDX-License-Identifier: MIT */
/* A box with equal walls, empty or with randomly placed boxes that diffuse the field, for checks of reverberation. */
#ifndef AULA_VALIDATE_CARTESIAN7_HALL_H
#define AULA_VALIDATE_CARTESIAN7_HALL_H

#include <stdbool.h>

#include "room/grid/walls.h"
#include "validate/cartesian7/decay.h"
#include "validate/scene/scene.h"

#define HALL_PULSE 2.0 /* samples: standard deviation of the Gaussian whose derivative the sources emit */

struct hall {
    struct scene scene; /* one drive: several points, of random sign; taps: receivers; do not move */
    double rate, spacing, sound_speed;
    double volume, wall_area, object_area; /* of the grid: cells of air and their faces, m³ and m² */
};

/* About 5 x 4 x 3 m with `objects` boxes, at least three cells from the walls and from each
 * other. Free with hall_free. */
int hall_make(struct hall *h, double rate, size_t objects, struct random *r, struct error *e);
void hall_free(struct hall *h);

/* Sets the same wall on every face; rigid_objects: except those of the objects. */
void hall_paint(struct hall *h, const struct wall_model *wall, bool rigid_objects);

/* Reverberation times (s) of a diffuse field, with absorption `absorption` on the faces set by
 * hall_paint: Sabine 24 ln 10 V/(c S α), and Eyring with -ln(1 - α) in place of the mean
 * absorption α. */
double hall_sabine(const struct hall *h, double absorption, bool rigid_objects);
double hall_eyring(const struct hall *h, double absorption, bool rigid_objects);

/* The decay of an empty box by its modes, for weakly absorbing walls. */

/* The result of decay_measure in the octave around `centre` (Hz) if walls of real specific
 * admittance g left the mode shapes of the rigid box unchanged, φ = Π cos(π m_i (x_i +
 * 1/2)/N_i), for the hall's sources (a pulse of HALL_PULSE) and receivers. By the energy balance
 * of the scheme, mode (m_i) of N_i points then loses the share 2 λ g Σ_i (ε_i/N_i) cos²(π
 * m_i/2N_i) of its energy per step, ε_i = 1 for m_i = 0, else 2. `steps`: length of the record. */
int hall_modal_decay(struct decay *d, const struct hall *h, double admittance, double centre, size_t steps,
                     struct error *e);

#endif
