/* SPDX-License-Identifier: MIT */
/* (c/s)^n from twice the corner of the plane-wave form (dsp/space/integrators.h) up, by a causal filter of finite length: for
 * the direct sound of a source so near that the ringing ahead of an arrival would begin before the emission. Below, it is
 * bounded and of no meaning. By least squares, each frequency relative to its own level. */
#ifndef AULA_RENDER_CAUSAL_INTEGRATOR_H
#define AULA_RENDER_CAUSAL_INTEGRATOR_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "dsp/space/integrators.h"

/* *taps fresh, [*count]. Order n from 1, of the plane-wave form. trapezoid: s is 2 rate j tan(ω/2), else jω. ERROR_MEMORY. */
int causal_integrator_make(double **taps, size_t *count, const struct integrator *integrator, int n, double rate,
                           bool trapezoid, struct error *e);

#endif
