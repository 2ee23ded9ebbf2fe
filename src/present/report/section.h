/* SPDX-License-Identifier: MIT */
/* The section of a report for one file. */
#ifndef AULA_PRESENT_REPORT_SECTION_H
#define AULA_PRESENT_REPORT_SECTION_H

#include <stdio.h>

#include "present/report/subject.h"

enum { SECTION_CHANNELS = 8 }; /* channels of a file with plots; the comparison table lists all */

/* file: its index, for anchors. ERROR_MEMORY, ERROR_STOPPED. */
int section_write(FILE *stream, const struct subject *s, size_t file, struct error *e);

#endif
