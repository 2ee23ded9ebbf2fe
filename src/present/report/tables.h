/* SPDX-License-Identifier: MIT */
/* The tables of figures in a report. */
#ifndef AULA_PRESENT_REPORT_TABLES_H
#define AULA_PRESENT_REPORT_TABLES_H

#include <stdio.h>

#include "present/report/subject.h"

/* The figures of one channel by octave, with footnotes for what is missing and for bands beyond the valid band. */
void table_of_bands(FILE *stream, const struct metrics *m, const struct doubts *doubts);

/* One row for each channel of each file, with links to "#file1-1" and so on where `shown` channels a file have a
 * section. */
void table_of_comparison(FILE *stream, const struct subject *subjects, size_t count, size_t shown);

/* "-" becomes a minus sign; "–" for what is not finite. Takes one printf conversion of a double. */
void write_number(FILE *stream, int decimals, double value);

#endif
