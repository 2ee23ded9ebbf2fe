/* SPDX-License-Identifier: MIT */
/* Random strings and bars, and their modes. */
#ifndef AULA_TESTS_LINES_H
#define AULA_TESTS_LINES_H

#include "base/random.h"
#include "render/synth/line_modes.h"

/* `pull` is T L²/EI. */
struct line line_of(struct random *r, double pull, enum line_ends ends);

/* Fails the test where there are none. Free with line_modes_free. */
struct line_modes modes_of(const struct line *line, double highest, size_t max);

/* |value/exact - 1| */
double relative(double value, double exact);

#endif
