/* SPDX-License-Identifier: MIT */
/* Describes the crossover of a hybrid response. */
#ifndef AULA_PRESENT_REPORT_CROSSOVER_PLOT_H
#define AULA_PRESENT_REPORT_CROSSOVER_PLOT_H

#include <stdio.h>

#include "present/report/subject.h"

/* Hz: middle of the crossover; NaN if the response is not hybrid or its JSON does not say. */
double crossover_of(const struct subject *s);

/* A figure with the gains of waves, image sources and late rays over frequency, and the parameters of both
 * halves in the octave below; nothing if crossover_of is NaN. `file`: of the page. ERROR_MEMORY. */
int crossover_write(FILE *stream, const struct subject *s, size_t file, struct error *e);

#endif
