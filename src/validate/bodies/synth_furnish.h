/* SPDX-License-Identifier: MIT */
/* A room for checks of engines with all kinds of bodies: a drum with a shell, a plate with two
 * strings and a bar on springs, two sources, walls with absorption in octave bands, lossy air,
 * receivers and pickups. */
#ifndef AULA_VALIDATE_BODIES_SYNTH_FURNISH_H
#define AULA_VALIDATE_BODIES_SYNTH_FURNISH_H

#include "validate/bodies/synth_rig.h"

/* To be called after rig_begin and before rig_build. */
void rig_furnish(struct rig *r);

#endif
