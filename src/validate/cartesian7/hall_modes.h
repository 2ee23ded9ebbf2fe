/* SPDX-License-Identifier: MIT */
/* The decay of an empty box by its modes, for walls of little absorption. */
#ifndef AULA_VALIDATE_CARTESIAN7_HALL_MODES_H
#define AULA_VALIDATE_CARTESIAN7_HALL_MODES_H

#include "validate/cartesian7/decay.h"
#include "validate/cartesian7/hall.h"

/* The result that decay_measure would have in the octave around `centre` (Hz) if walls of real specific admittance g
 * left the rigid box's mode shapes unchanged, φ = Π cos(π m_i (x_i + 1/2)/N_i), with the hall's sources (a pulse of
 * HALL_PULSE) and receivers at their places. Mode (m_i) of N_i points then loses, by the scheme's energy balance, the
 * part 2 λ g Σ_i (ε_i/N_i) cos²(π m_i/2N_i) of its energy per step, ε_i = 1 for m_i = 0, else 2. `steps`: of the
 * record. */
int hall_modal_decay(struct decay *d, const struct hall *h, double admittance, double centre, size_t steps,
                     struct error *e);

#endif
