/* SPDX-License-Identifier: MIT */
/* Differences between responses in just noticeable differences, as tables of a report. */
#ifndef AULA_PRESENT_REPORT_DIFFERENCES_H
#define AULA_PRESENT_REPORT_DIFFERENCES_H

#include <stdio.h>

#include "present/report/subject.h"

/* The other files against the first: a line, single numbers and octaves for each pair of receivers, `shown` pairs at
 * most. Files that cannot be compared have the reason instead. ERROR_MEMORY. */
int differences_write(FILE *stream, const struct subject *subjects, size_t count, size_t shown, struct error *e);

#endif
