/* SPDX-License-Identifier: MIT */
/* State of a wind instrument on the CPU engine. */
#ifndef AULA_SOLVER_CPU_WIND_STATE_H
#define AULA_SOLVER_CPU_WIND_STATE_H

#include "solver/schemes/bodies/wind.h"
#include "solver/schemes/leapfrog/rows.h"

struct wind_state {
    double *values;           /* the block of wind.h */
    double *inputs, *outputs; /* [wind_values] */
    double *outside;          /* [opening_count] mean ψ⁻, after the air's step p̂ of the air, Pa */
    double *flow;             /* [opening_count] ū, m³/s */
    size_t *at;               /* [wind_points] in the padded grid */
};

/* -1: out of memory; free it all the same. */
int wind_state_make(struct wind_state *s, const struct wind *wind, const struct rows *rows);
void wind_state_free(struct wind_state *s);

#endif
