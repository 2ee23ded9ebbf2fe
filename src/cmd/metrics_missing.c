#include "cmd/metrics_missing.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* A figure that may be missing, and where its reason and lengths stand in a band. */
struct kind {
    const char *name;
    size_t reason, length, shortest;
};
#define AT(member) offsetof(struct metrics_band, member)
static const struct kind kinds[] = {
    {"EDT", AT(edt.reason), AT(edt.length), AT(shortest_edt)},
    {"T20", AT(t20.reason), AT(t20.length), AT(shortest_late)},
    {"T30", AT(t30.reason), AT(t30.length), AT(shortest_late)},
    {"C, D, Ts, G", AT(reason), AT(length), AT(shortest_late)},
    {"C50", AT(c50_reason), AT(length), AT(shortest_late)},
    {"C80", AT(c80_reason), AT(length), AT(shortest_late)},
};
static const struct kind all_of_them = {"figures", AT(reason), AT(length), AT(shortest_late)};

static enum metrics_reason reason_of(const struct metrics_band *b, const struct kind *kind)
{
    enum metrics_reason reason;
    memcpy(&reason, (const char *)b + kind->reason, sizeof reason);
    return reason;
}

static double number_at(const struct metrics_band *b, size_t offset)
{
    double value;
    memcpy(&value, (const char *)b + offset, sizeof value);
    return value;
}

const char *metrics_band_text(char text[16], const struct metrics_band *b)
{
    if (b->centre > 0.0)
        snprintf(text, 16, b->centre < 1000.0 ? "%g" : "%gk", b->centre < 1000.0 ? b->centre : b->centre / 1000.0);
    else
        snprintf(text, 16, "broad");
    return text;
}

static void print_shortest(const struct metrics_band *bands, size_t count, const struct kind *kind)
{
    const char *between = ", which resolves";
    for (size_t i = 0; i < count; i++)
        if (reason_of(&bands[i], kind) == METRICS_FILTER) {
            printf("%s %.2g", between, number_at(&bands[i], kind->shortest));
            between = ",";
        }
    printf(" s and more");
}

/* Of the bands that miss a figure for this reason, those whose length is known, or those whose is not. */
static void print_reason(const struct metrics_band *bands, size_t count, const struct kind *kind,
                         enum metrics_reason reason, bool known)
{
    size_t met = 0;
    double length = 0.0; /* s: of the band that needs most */
    for (size_t i = 0; i < count; i++) {
        char text[16];
        if (reason_of(&bands[i], kind) != reason || !isnan(number_at(&bands[i], kind->length)) != known)
            continue;
        if (!met++)
            printf("  no %s at", kind->name);
        printf(" %s", metrics_band_text(text, &bands[i]));
        length = fmax(length, number_at(&bands[i], kind->length));
    }
    if (!met)
        return;
    printf(": %s", metrics_reason_text(reason));
    if (reason == METRICS_SHORT && known)
        printf(": it would have to last %.2f s", ceil(100.0 * length) / 100.0);
    else if (reason == METRICS_SHORT)
        printf(", too soon to tell how long it would have to last");
    if (reason == METRICS_FILTER)
        print_shortest(bands, count, kind);
    printf("\n");
}

void metrics_print_missing(const struct metrics_band *bands, size_t count)
{
    print_reason(bands, count, &all_of_them, METRICS_BEYOND, false);
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
        for (int reason = METRICS_BEYOND + 1; reason < METRICS_REASON_COUNT; reason++) {
            print_reason(bands, count, &kinds[k], (enum metrics_reason)reason, true);
            print_reason(bands, count, &kinds[k], (enum metrics_reason)reason, false);
        }
}
