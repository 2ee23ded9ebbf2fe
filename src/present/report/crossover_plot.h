/* SPDX-License-Identifier: MIT */
/* Where the waves of a response end and its rays begin. */
#ifndef AULA_PRESENT_REPORT_CROSSOVER_PLOT_H
#define AULA_PRESENT_REPORT_CROSSOVER_PLOT_H

#include <stdio.h>

#include "present/report/subject.h"

/* The middle of the crossover, Hz; NaN where the file holds waves alone or its JSON does not say. */
double crossover_of(const struct subject *s);

/* A figure with the gains of waves, image sources and late rays over frequency, and the reverberation time of both
 * halves in the octave below; nothing where crossover_of is NaN. `file`: of the page. ERROR_MEMORY. */
int crossover_write(FILE *stream, const struct subject *s, size_t file, struct error *e);

#endif
