/* SPDX-License-Identifier: MIT */
#include "app/hrtf.h"

#include <stddef.h>

#include "app/say.h"

const struct option_row option_distance = {
    "distance",    0,
    OPTION_NUMBER, OPTION_AT(HRTF, hrtf_options, distance),
    "M",           "of a file with sources at several distances, those nearest to this one (default: 1.5)"};

int read_hrtf(struct hrtf *h, const struct hrtf_options *o, struct error *e)
{
    return hrtf_read(h, o->file, o->distance > 0.0 ? o->distance : HRTF_DISTANCE, e);
}

void say_hrtf(const struct common_options *o, const char *path, const struct hrtf *h, const struct coverage *c)
{
    char covered[COVERAGE_TEXT];
    say(o->quiet, "note: %s: %zu directions at %.3g m, %s", path, h->directions, h->distance,
        coverage_text(covered, c));
    if (!o->quiet)
        say_lines("note", h->notes, h->note_count);
    say_lines("warning", h->warnings, h->warning_count);
}
