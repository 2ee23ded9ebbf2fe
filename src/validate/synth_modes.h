/* A surface in vacuo that is struck once and heard by the shapes of its modes, for the checks of their frequencies. */
#ifndef AULA_VALIDATE_SYNTH_MODES_H
#define AULA_VALIDATE_SYNTH_MODES_H

#include "validate/synth_rig.h"
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

/* One more shape to hear it by. */
int trial_pattern(struct trial *t, const struct pattern *p, struct error *e);

/* Struck at the place that is played, where none of the modes should rest: the frequency of each shape within `spread` of
 * the one expected. */
int trial_listen(struct trial *t, const double *expected, double spread, struct error *e);

#endif
