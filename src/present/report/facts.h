/* SPDX-License-Identifier: MIT */
/* Room, grid and settings of a response, as lists and tables. */
#ifndef AULA_PRESENT_REPORT_FACTS_H
#define AULA_PRESENT_REPORT_FACTS_H

#include <stdio.h>

#include "present/report/subject.h"

/* Positions of sources and receivers. Nothing if the room is not known. */
void facts_places(FILE *stream, const struct subject *s);
/* File, grid, valid band, air, engine. */
void facts_settings(FILE *stream, const struct subject *s);
/* Surfaces of each material and its simulated absorption coefficients by octave. Nothing if the room is not known. */
void facts_materials(FILE *stream, const struct subject *s);
/* Mass, joined area and sound reduction index of the materials that let sound through. Nothing if there is none. */
void facts_partitions(FILE *stream, const struct subject *s);
/* Notes and warnings of the render and of the measurement. */
void facts_notes(FILE *stream, const struct subject *s);

#endif
