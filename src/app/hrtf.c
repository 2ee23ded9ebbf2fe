/* SPDX-License-Identifier: MIT */
/* Reading the HRTF of a command, and what is said about it. */
#include "app/hrtf.h"

#include <stddef.h>

#include "app/say.h"

const struct option_row option_distance = {
    "distance",    0,
    OPTION_NUMBER, OPTION_AT(HRTF, hrtf_options, distance),
    "M",           "use the measurements of the HRTF nearest to this distance in m (default: 1.5)"};

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
