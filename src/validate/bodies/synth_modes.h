/* SPDX-License-Identifier: MIT */
/* A surface in vacuo, excited once and recorded through the shapes of its modes, to measure
 * their frequencies. */
#ifndef AULA_VALIDATE_BODIES_SYNTH_MODES_H
#define AULA_VALIDATE_BODIES_SYNTH_MODES_H

#include "validate/bodies/synth_rig.h"
#include "validate/validate.h"

enum { MODES_RATE = 48000, MODES_STEPS = 1 << 14, PATTERNS_MAX = 24 };

struct trial {
    struct validation *v;
    struct rig rig;
    struct channel taps[PATTERNS_MAX];
    size_t count, steps;
    double frequency[PATTERNS_MAX]; /* Hz, measured */
};
void trial_end(struct trial *t);

/* Adds a mode shape to record through. */
int trial_pattern(struct trial *t, const struct pattern *p, struct error *e);

/* Excites the surface at the playing position, which must not be a node of any mode. Each
 * shape's frequency must lie within `spread` of the expected one. */
int trial_listen(struct trial *t, const double *expected, double spread, struct error *e);

#endif
