/* SPDX-License-Identifier: MIT */
/* Sections of the walls of a room that are made of layers. */
#ifndef AULA_PRESENT_REPORT_LAYERS_H
#define AULA_PRESENT_REPORT_LAYERS_H

#include <stdio.h>

#include "present/report/subject.h"

/* Of each such material a drawing to scale, and a table of its layers. Nothing if there is none, or if the room is not
 * known. file: its index, for names of drawings. ERROR_MEMORY. */
int layers_write(FILE *stream, const struct subject *s, size_t file, struct error *e);

#endif
