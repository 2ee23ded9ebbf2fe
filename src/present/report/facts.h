/* SPDX-License-Identifier: MIT */
/* Room, grid and settings of a response, as lists and tables. */
#ifndef AULA_PRESENT_REPORT_FACTS_H
#define AULA_PRESENT_REPORT_FACTS_H

#include <stdio.h>

#include "present/report/subject.h"

/* Sources and receivers with their places. Nothing when the room is not known. */
void facts_places(FILE *stream, const struct subject *s);
/* File, grid, valid band, air, engine. */
void facts_settings(FILE *stream, const struct subject *s);
/* Uses of each material and its absorption by octave, as simulated. Nothing when the room is not known. */
void facts_materials(FILE *stream, const struct subject *s);
/* Notes and warnings of the render, and assumptions. */
void facts_notes(FILE *stream, const struct subject *s);

#endif
