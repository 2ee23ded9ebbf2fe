/* SPDX-License-Identifier: MIT */
/* The part of a report that is about one file. */
#ifndef AULA_PRESENT_REPORT_SECTION_H
#define AULA_PRESENT_REPORT_SECTION_H

#include <stdio.h>

#include "present/report/subject.h"

enum { SECTION_CHANNELS = 8 }; /* of a file that get plots; all are in the table that compares */

/* file: its index, for anchors. ERROR_MEMORY, ERROR_STOPPED. */
int section_write(FILE *stream, const struct subject *s, size_t file, struct error *e);

#endif
