/* Differences of measured room-acoustic figures from known ones, and the tables of them that tests print. */
#ifndef AULA_TESTS_FIGURES_H
#define AULA_TESTS_FIGURES_H

#include "measure/metrics.h"
#include "support/decays.h"

enum figure { EDT, T20, T30, C50, C80, D50, TS, FIGURES };

const char *band_name(size_t band);

/* Relative for times, %; of C in dB; of D, a percentage itself, in points. */
void figure_differences(double off[FIGURES], const struct metrics_band *b, const struct known *k);

/* The title, then a line that names the columns. */
void print_figure_heading(const char *title);

#endif
