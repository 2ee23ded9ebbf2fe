/* SPDX-License-Identifier: MIT */
/* Tables of acoustic parameters in a report. */
#ifndef AULA_PRESENT_REPORT_TABLES_H
#define AULA_PRESENT_REPORT_TABLES_H

#include <stdio.h>

#include "present/report/subject.h"

/* Parameters of one channel by octave, with footnotes for missing values and for bands beyond the valid band. */
void table_of_bands(FILE *stream, const struct metrics *m, const struct doubts *doubts);

/* One row for each channel of each file; the first `shown` channels of a file link to their sections, "#file1-1" etc. */
void table_of_comparison(FILE *stream, const struct subject *subjects, size_t count, size_t shown);

/* "-" becomes a minus sign; "–" for what is not finite. Takes one printf conversion of a double. */
void write_number(FILE *stream, int decimals, double value);

/* Words in the signs of the tables: "-0.3 s" with a minus sign, "m2" and "m3" as m² and m³. */
void write_words(FILE *stream, const char *words);

/* The reasons of doubts (bits of enum doubt), as notes below a table. */
void write_doubts(FILE *stream, const struct doubts *d, unsigned found);

#endif
