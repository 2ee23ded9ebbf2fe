/* SPDX-License-Identifier: MIT */
/* Signals of tests and their spectra. */
#ifndef AULA_TESTS_SIGNALS_H
#define AULA_TESTS_SIGNALS_H

#include <stddef.h>

/* [count]; the caller frees it. */
double *zeros(size_t count);

/* |Σ h[n] e^{-i 2 pi f n}|, f in cycles per sample */
double magnitude_at(const double *h, size_t count, double f);

#endif
