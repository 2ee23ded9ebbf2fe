/* SPDX-License-Identifier: MIT */
#include "app/metrics_missing.h"

#include <math.h>
#include <stdio.h>

#include "dsp/measure/figures.h"

const char *metrics_band_text(char text[16], const struct metrics_band *b)
{
    if (b->centre > 0.0)
        snprintf(text, 16, b->centre < 1000.0 ? "%g" : "%gk", b->centre < 1000.0 ? b->centre : b->centre / 1000.0);
    else
        snprintf(text, 16, "broad");
    return text;
}

static void print_shortest(const struct metrics_band *bands, size_t count, const struct figure_gap *gap)
{
    const char *between = ", which resolves";
    for (size_t i = 0; i < count; i++)
        if (figure_gap_reason(gap, &bands[i]) == METRICS_FILTER) {
            printf("%s %.2g", between, figure_gap_shortest(gap, &bands[i]));
            between = ",";
        }
    printf(" s and more");
}

/* Bands without a figure for this reason: those whose needed length is known, or those whose is not. */
static void print_reason(const struct metrics_band *bands, size_t count, const struct figure_gap *gap,
                         enum metrics_reason reason, bool known)
{
    size_t found = 0;
    double length = 0.0; /* s: the longest */
    for (size_t i = 0; i < count; i++) {
        char text[16];
        if (figure_gap_reason(gap, &bands[i]) != reason || !isnan(figure_gap_length(gap, &bands[i])) != known)
            continue;
        if (!found++)
            printf("  no %s at", gap->figures);
        printf(" %s", metrics_band_text(text, &bands[i]));
        length = fmax(length, figure_gap_length(gap, &bands[i]));
    }
    if (!found)
        return;
    printf(": %s", metrics_reason_text(reason));
    if (reason == METRICS_SHORT && known)
        printf(": it would have to last %.2f s", ceil(100.0 * length) / 100.0);
    else if (reason == METRICS_SHORT)
        printf(", too soon to tell how long it would have to last");
    if (reason == METRICS_FILTER)
        print_shortest(bands, count, gap);
    printf("\n");
}

void metrics_print_missing(const struct metrics_band *bands, size_t count)
{
    struct figure_gap all = figure_gaps[GAP_ENERGIES]; /* a band that lies beyond has no figure at all */
    all.figures = "figures";
    print_reason(bands, count, &all, METRICS_BEYOND, false);
    for (size_t i = GAP_EDT; i < FIGURE_GAPS; i++)
        for (int reason = METRICS_BEYOND + 1; reason < METRICS_REASON_COUNT; reason++) {
            print_reason(bands, count, &figure_gaps[i], (enum metrics_reason)reason, true);
            print_reason(bands, count, &figure_gaps[i], (enum metrics_reason)reason, false);
        }
}
