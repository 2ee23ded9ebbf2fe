/* SPDX-License-Identifier: MIT */
#include "render/play/damper.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Σ shape²/M of the damped modes, which may not exceed ∫ρA s² of the moving end, or the kinetic energy of line and end
 * would not be positive. */
static bool is_heavy_enough(const struct line_body *line, const double *before, double k)
{
    const struct connection *c = &line->connection;
    if (c->kind != CONNECTION_END && c->kind != CONNECTION_BRIDGE)
        return true;
    double sum = 0.0;
    for (size_t m = 0; m < line->modes; m++)
        sum += c->shape[m] * c->shape[m] * 2.0 * line->gain[m] / (k * k * (1.0 + before[m]));
    return sum < c->end_mass;
}

int damper_make(struct damper *d, const struct line_body *line, double k, struct error *e)
{
    const size_t modes = line->modes;
    const double slowest = pow(10.0, -6.0 * k / DAMPER_T60);
    *d = (struct damper){.now = line->now, .before = line->before, .free = calloc(4 * modes + 1, sizeof *d->free)};
    if (!d->free)
        return fail(e, ERROR_MEMORY, "out of memory");
    d->damped = d->free + 2 * modes;
    memcpy(d->free, line->now, modes * sizeof *d->free);
    memcpy(d->free + modes, line->before, modes * sizeof *d->free);
    for (size_t m = 0; m < modes; m++) {
        const double before = fmin(line->before[m], slowest);
        d->damped[m] = line->now[m] * (1.0 + before) / (1.0 + line->before[m]);
        d->damped[modes + m] = before;
    }
    if (is_heavy_enough(line, d->damped + modes, k))
        d->modes = modes;
    return 0;
}

void damper_free(struct damper *d)
{
    free(d->free);
    *d = (struct damper){.now = NULL};
}

void damper_set(struct damper *d, bool rests)
{
    if (d->rests == rests || !d->modes)
        return;
    const double *from = rests ? d->damped : d->free;
    memcpy(d->now, from, d->modes * sizeof *from);
    memcpy(d->before, from + d->modes, d->modes * sizeof *from);
    d->rests = rests;
}
