/* SPDX-License-Identifier: MIT */
#include "render/binaural.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "dsp/ears/ear_responses.h"
#include "dsp/space/harmonics.h"

enum { EARS = 2 };
static const double SHARE = 0.1; /* energy share from directions that the HRTF lacks, above which a warning is due */

int binaural_order(int *order, size_t channels, const char *name, struct error *e)
{
    for (*order = 1; *order <= HARMONICS_ORDER_MAX; (*order)++)
        if (harmonics_count(*order) == channels)
            return 0;
    return fail(e, ERROR_INPUT,
                "%s: has %zu channel%s; an AmbiX field of order N has (N + 1)^2: 4, 9, 16, 25 .. up to "
                "%zu; use all channels of one ambisonic receiver",
                name, channels, channels == 1 ? "" : "s", harmonics_count(HARMONICS_ORDER_MAX));
}

int binaural_prepare(struct binaural *b, const struct hrtf *hrtf, const char *path, int order, double rate,
                     struct error *e)
{
    return coverage_make(&b->coverage, (const double(*)[3])hrtf->direction, hrtf->directions, e) ||
                   ear_filters_make(&b->filters, hrtf, order, rate, path, e)
               ? -1
               : 0;
}

/* Rotates the field in place so that its axes are those of the turned head. */
static void turn_field(struct audio *field, int order, const struct binaural_head *by)
{
    struct field_turn turned;
    const struct turn head = turn_of(by->yaw, by->pitch, by->roll), back = turn_back(&head);
    double in[HARMONICS_MAX], out[HARMONICS_MAX];
    field_turn_make(&turned, order, &back);
    for (size_t n = 0; n < field->frames; n++) {
        for (size_t c = 0; c < field->channels; c++)
            in[c] = field->samples[c * field->frames + n];
        field_turn_apply(out, &turned, in);
        for (size_t c = 0; c < field->channels; c++)
            field->samples[c * field->frames + n] = out[c];
    }
}

/* Expects the rotated field: directions are relative to the head. */
static int warn_of_directions(struct binaural *b, const struct audio *field, const char *name, const char *path,
                              struct error *e)
{
    const struct field_outside outside = field_outside_of(field->samples, field->frames, &b->coverage);
    char covered[COVERAGE_TEXT];
    if (!(outside.share > SHARE))
        return 0;
    b->warning = text_format("%s: covers %s, but %.0f %% of the energy of %s arrives more than %.0f degrees outside, "
                             "most of it from azimuth "
                             "%.0f, elevation %.0f relative to the head; these directions are extrapolated",
                             path, coverage_text(covered, &b->coverage), 100.0 * outside.share, name, b->coverage.limit,
                             outside.at[0], outside.at[1]);
    return b->warning ? 0 : fail(e, ERROR_MEMORY, "out of memory");
}

int binaural_hear(struct binaural *b, struct audio *field, const struct binaural_head *head, const char *name,
                  const char *path, struct error *e)
{
    turn_field(field, b->filters.order, head);
    b->heard = (struct audio){.channels = EARS, .rate = field->rate};
    return warn_of_directions(b, field, name, path, e) ||
                   ear_filters_run(&b->heard.samples, &b->heard.frames, &b->filters, field->samples, field->frames, e)
               ? -1
               : 0;
}

void binaural_free(struct binaural *b)
{
    coverage_free(&b->coverage);
    ear_filters_free(&b->filters);
    audio_free(&b->heard);
    free(b->warning);
    memset(b, 0, sizeof *b);
}
