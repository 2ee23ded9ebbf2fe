/* SPDX-License-Identifier: MIT */
#include "support/figures.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

const char *band_name(size_t band)
{
    static const char *const names[METRICS_BANDS] = {"63", "125", "250", "500", "1k", "2k", "4k", "8k", "broad"};
    return names[band];
}

void metric_differences(double off[METRICS], const struct metrics_band *b, const struct known *k)
{
    off[EDT] = 100.0 * (b->edt.time / k->edt - 1.0);
    off[T20] = 100.0 * (b->t20.time / k->t20 - 1.0);
    off[T30] = 100.0 * (b->t30.time / k->t30 - 1.0);
    off[C50] = b->c50 - k->c50;
    off[C80] = b->c80 - k->c80;
    off[D50] = 100.0 * (b->d50 - k->d50);
    off[TS] = 100.0 * (b->ts / k->ts - 1.0);
}

void print_figure_heading(const char *title)
{
    static const char *const names[METRICS] = {"EDT %", "T20 %", "T30 %", "C50 dB", "C80 dB", "D50 %", "Ts %"};
    print_message("%s\n%-8s", title, "band");
    for (int f = 0; f < METRICS; f++)
        print_message("%16s", names[f]);
    print_message("\n");
}
