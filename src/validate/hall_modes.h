/* The decay of an empty box by its own modes, for walls that absorb little. */
#ifndef AULA_VALIDATE_HALL_MODES_H
#define AULA_VALIDATE_HALL_MODES_H

#include "validate/decay.h"
#include "validate/hall.h"

/* What decay_measure would find in the octave around `centre` (Hz) if walls of real specific admittance g left the modes
 * of the rigid box in shape, φ = Π cos(π m_i (x_i + 1/2)/N_i), and the sources (a pulse of HALL_PULSE) and receivers of
 * the hall excited and heard each as it is where they are. Mode (m_i) of N_i points then loses, by the scheme's energy
 * balance, the part 2 λ g Σ_i (ε_i/N_i) cos²(π m_i/2N_i) of its energy in a step, ε_i = 1 for m_i = 0, else 2. `steps`:
 * of the record. */
int hall_modal_decay(struct decay *d, const struct hall *h, double admittance, double centre, size_t steps,
                     struct error *e);

#endif
