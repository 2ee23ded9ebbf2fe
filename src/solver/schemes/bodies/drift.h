/* SPDX-License-Identifier: MIT */
/* How far ψ of a plate has drifted from √(2V), which control_drift keeps small (stretching.h). */
#ifndef AULA_SOLVER_SCHEMES_BODIES_DRIFT_H
#define AULA_SOLVER_SCHEMES_BODIES_DRIFT_H

#include "solver/schemes/bodies/bodies.h"

/* √J, half a step before the newest level, where ψ stands: Δ = √(2V) - ½ g·(w - w⁻) - ψ, and ψ. */
struct body_drift {
    double error, psi;
};

/* saved: the state of the body between two steps (body_state_bytes); scratch: [body_drift_scratch(body)]. Both are 0 for
 * a body without a plate that stretches. */
struct body_drift body_drift(const struct body *body, const double *saved, double *scratch);

/* 0: the body has no plate that stretches. */
size_t body_drift_scratch(const struct body *body);

#endif
