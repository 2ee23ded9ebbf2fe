/* SPDX-License-Identifier: MIT */
/* What a reed sees of its bore, the input impedance of the discrete chain, the time step included; and where it starts to
 * sound. */
#ifndef AULA_SOLVER_SCHEMES_BODIES_WIND_IMPEDANCE_H
#define AULA_SOLVER_SCHEMES_BODIES_WIND_IMPEDANCE_H

#include <complex.h>

#include "solver/schemes/bodies/wind.h"

/* Admittance at ω, m³/(Pa s), for a flow into cell 0. What opens from the cells, among them the end: ū out of cell i is
 * shunt[i] p̄_i + cross[i] p̄_{i+1} + cross[i - 1] p̄_{i-1}; both [cells]. */
double complex bore_admittance(const struct bore *b, double omega, const double complex *shunt,
                               const double complex *cross);

/* ū/p̄_cell at Ω = (2/k) tan(ωk/2), without a room. */
double complex opening_admittance(const struct opening *o, const struct bore_grid *grid, double conductance,
                                  double warped);

/* Input impedance of the bore and its openings at a frequency, Hz, without a room; conductance as in the step. Pa s/m³.
 * -1: out of memory. */
int wind_impedance(const struct wind *w, double frequency, const double *conductance, double complex *impedance);

/* The smallest pressure in the mouth, between 50 Pa and 30 kPa, at which the reed, or lips of the frequency `lips`, Hz, start
 * a note between the frequencies low and high, and its frequency, Hz: 1 = Z(ω) U(ω)/p with the flow U of the
 * linear reed for a pressure p in the bore (Fletcher, Acustica 43, 1979, 63-72). NAN: there is none, or out of memory. */
double wind_threshold(const struct wind *w, double lips, const double *conductance, double low, double high,
                      double *frequency);

#endif
