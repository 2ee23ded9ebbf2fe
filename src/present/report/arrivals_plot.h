/* SPDX-License-Identifier: MIT */
/* The first arrivals of an ambisonic response: polar plots, a table, and spikes over the plan of the room. */
#ifndef AULA_PRESENT_REPORT_ARRIVALS_PLOT_H
#define AULA_PRESENT_REPORT_ARRIVALS_PLOT_H

#include <stdio.h>

#include "dsp/measure/arrivals.h"
#include "present/report/subject.h"

struct viewed_room;

/* Writes the figures of file number `file` of the page; nothing if it is not ambisonic. voxels: as for room_plan.
 * ERROR_MEMORY, ERROR_STOPPED. */
int arrivals_write(FILE *stream, const struct subject *s, size_t file, const struct viewed_room *voxels,
                   struct error *e);

/* The two polar plots as one <svg>; `name`: a word, unique in the page. */
int arrivals_polar(FILE *stream, const struct arrivals *a, const char *name, struct error *e);

#endif
