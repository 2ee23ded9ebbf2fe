/* SPDX-License-Identifier: MIT */
#include "validate/bodies/synth_modes.h"

#include <stdlib.h>

#include "validate/bodies/partial.h"

int trial_listen(struct trial *t, const double *expected, double spread, struct error *e)
{
    struct rig *r = &t->rig;
    double *drive = calloc((t->count + 1) * t->steps, sizeof *drive), *heard = drive + t->steps;
    struct problem *p = &r->problem.problem;
    const struct channel *own = p->taps;
    const size_t own_count = p->tap_count;
    if (!drive)
        return fail(e, ERROR_MEMORY, "out of memory");
    drive[0] = 1.0;
    p->taps = t->taps;
    p->tap_count = t->count;
    const int status = rig_run(r, &t->v->choice, t->steps, drive, heard, e);
    p->taps = own;
    p->tap_count = own_count;
    for (size_t i = 0; i < t->count && !status; i++) {
        double *tap = heard + i * t->steps;
        partial_brighten(tap, t->steps);
        t->frequency[i] =
            partial_find(tap, t->steps, MODES_RATE, (1.0 - spread) * expected[i], (1.0 + spread) * expected[i])
                .frequency;
    }
    free(drive);
    return status;
}

void trial_end(struct trial *t)
{
    for (size_t i = 0; i < t->count; i++)
        free(t->taps[i].entries);
    rig_end(&t->rig);
}

int trial_pattern(struct trial *t, const struct pattern *p, struct error *e)
{
    if (rig_pattern(&t->taps[t->count], &t->rig.ensemble->voices[0], p, e))
        return -1;
    t->count++;
    return 0;
}
