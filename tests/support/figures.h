/* SPDX-License-Identifier: MIT */
/* Differences of measured room-acoustic figures from known ones, and tables of them. */
#ifndef AULA_TESTS_FIGURES_H
#define AULA_TESTS_FIGURES_H

#include "dsp/measure/metrics.h"
#include "support/decays.h"

enum figure { EDT, T20, T30, C50, C80, D50, TS, METRICS };

const char *band_name(size_t band);

/* Times: relative, %; C: dB; D, itself a percentage: points. */
void metric_differences(double off[METRICS], const struct metrics_band *b, const struct known *k);

/* Prints the title, then the names of the columns. */
void print_figure_heading(const char *title);

#endif
