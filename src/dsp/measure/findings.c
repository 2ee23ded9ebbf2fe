/* SPDX-License-Identifier: MIT */
#include "dsp/measure/findings.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"

/* "" of a file of one channel; " in 2 of 4 channels" */
static const char *share(char text[64], size_t some, size_t count)
{
    *text = '\0';
    if (count > 1)
        snprintf(text, 64, " in %zu of %zu channels", some, count);
    return text;
}

static int find_silence(struct measured_findings *f, const struct metrics *channels, size_t count, double length,
                        struct error *e)
{
    double most = 0.0;
    size_t some = 0;
    char where[64];
    for (size_t c = 0; c < count; c++) {
        const double left_out = length - channels[c].end;
        most = fmax(most, left_out);
        some += left_out * channels[c].rate >= 0.5;
    }
    if (!some)
        return 0;
    return lines_add(
        &f->notes, &f->note_count, e,
        "the last %.3g s%s are silence or a fade-out and are ignored; the noise floor is estimated before them", most,
        share(where, some, count));
}

static int find_clipping(struct measured_findings *f, const struct metrics *channels, size_t count, struct error *e)
{
    size_t samples = 0, longest = 0, some = 0;
    char where[64];
    for (size_t c = 0; c < count; c++) {
        const struct clipping *clipped = &channels[c].clipped;
        samples += clipped->samples;
        longest = clipped->longest > longest ? clipped->longest : longest;
        some += clipped->samples > 0;
    }
    if (!some)
        return 0;
    return lines_add(&f->warnings, &f->warning_count, e,
                     "the response is clipped%s (%zu samples at full scale, up to %zu in a row), so EDT, T20, C, D and "
                     "Ts are wrong; measure again with less gain",
                     share(where, some, count), samples, longest);
}

static int find_sweep(struct measured_findings *f, const struct metrics *channels, size_t count, struct error *e)
{
    size_t some = 0;
    char where[64];
    for (size_t c = 0; c < count; c++)
        some += channels[c].swept;
    if (!some)
        return 0;
    return lines_add(&f->warnings, &f->warning_count, e,
                     "this is a recorded sweep%s, not an impulse response, so the parameters are meaningless; "
                     "deconvolve it with the sweep first",
                     share(where, some, count));
}

int measured_findings_make(struct measured_findings *f, const struct metrics *channels, size_t count, double length,
                           struct error *e)
{
    *f = (struct measured_findings){0};
    return find_silence(f, channels, count, length, e) || find_clipping(f, channels, count, e) ||
                   find_sweep(f, channels, count, e)
               ? -1
               : 0;
}

void measured_findings_free(struct measured_findings *f)
{
    lines_free(f->notes, f->note_count);
    lines_free(f->warnings, f->warning_count);
    memset(f, 0, sizeof *f);
}
