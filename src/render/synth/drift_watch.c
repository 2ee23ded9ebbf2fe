/* SPDX-License-Identifier: MIT */
#include "render/synth/drift_watch.h"

#include <math.h>
#include <stdlib.h>

#include "base/nan_max.h"
#include "base/text.h"
#include "solver/schemes/bodies/drift.h"
#include "solver/state.h"

enum { LOOKS = 8, LOOKS_MIN = 4 };
static const double FAINT = 1e-3; /* of the largest ψ: below, stretching no longer matters */

struct drift_sums {
    double error, psi; /* Σ of squares over the looks of this interval */
    unsigned looks;
    double largest, worst; /* Σ of squares of ψ of an interval; ratio of root mean squares */
};

void drift_watch_free(struct drift_watch *w)
{
    free(w->saved);
    free(w->scratch);
    free(w->sums);
    *w = (struct drift_watch){.ensemble = NULL};
}

int drift_watch_make(struct drift_watch *w, const struct ensemble *s, struct solver *solver, size_t planes,
                     struct error *e)
{
    size_t scratch = 0, *bytes = NULL;
    *w = (struct drift_watch){.ensemble = NULL};
    for (size_t i = 0; i < s->bodies.count; i++) {
        const size_t needed = body_drift_scratch(&s->bodies.body[i]);
        scratch = needed > scratch ? needed : scratch;
    }
    if (!scratch || !solver_has_state_blocks(solver))
        return 0;
    bytes = calloc(planes + 1, sizeof *bytes);
    int status = bytes ? solver_state_block_bytes(solver, bytes, e) : fail(e, ERROR_MEMORY, "out of memory");
    if (!status) {
        *w = (struct drift_watch){.block = planes, .bytes = bytes[planes]};
        w->saved = malloc(bytes[planes] + 1);
        w->scratch = calloc(scratch, sizeof *w->scratch);
        w->sums = calloc(s->bodies.count, sizeof *w->sums);
        if (!w->saved || !w->scratch || !w->sums)
            status = fail(e, ERROR_MEMORY, "out of memory");
    }
    w->ensemble = status ? NULL : s;
    free(bytes);
    return status ? -1 : 0;
}

/* The worst of all intervals and this one, if it is long enough. */
static double worst_of(const struct drift_sums *sums)
{
    if (sums->looks < LOOKS_MIN || sums->psi <= FAINT * FAINT * sums->largest)
        return sums->worst;
    return nan_max(sums->worst, sqrt(sums->error / sums->psi));
}

static void add_look(struct drift_sums *sums, const struct body_drift *drift)
{
    sums->error += drift->error * drift->error;
    sums->psi += drift->psi * drift->psi;
    if (++sums->looks < LOOKS)
        return;
    sums->worst = worst_of(sums);
    sums->largest = fmax(sums->largest, sums->psi);
    sums->error = sums->psi = 0.0;
    sums->looks = 0;
}

int drift_watch_look(struct drift_watch *w, struct solver *solver, struct error *e)
{
    if (!w->ensemble)
        return 0;
    if (solver_get_state_block(solver, w->block, w->saved, e))
        return -1;
    const struct bodies *bodies = &w->ensemble->bodies;
    size_t at = w->bytes;
    for (size_t i = bodies->count; i-- > 0;) {
        at -= body_state_bytes(&bodies->body[i]);
        if (!body_drift_scratch(&bodies->body[i]))
            continue;
        const struct body_drift drift = body_drift(&bodies->body[i], w->saved + at / sizeof(double), w->scratch);
        add_look(&w->sums[i], &drift);
    }
    return 0;
}

double drift_watch_worst(const struct drift_watch *w, size_t body)
{
    return w->ensemble ? worst_of(&w->sums[body]) : 0.0;
}

int drift_watch_warn(char ***lines, size_t *count, const struct drift_watch *w, const struct room *room,
                     struct error *e)
{
    for (size_t i = 0; w->ensemble && i < w->ensemble->voice_count; i++) {
        const struct voice *v = &w->ensemble->voices[i];
        const double worst = drift_watch_worst(w, v->body);
        if (!v->surface || worst <= DRIFT_MAX)
            continue;
        if (lines_add(
                lines, count, e,
                "%s: its stretching drifted by %.2g %% from that of its shape, so that its timbre is not reliable; "
                "play it more softly, or raise the rate",
                room->instruments[v->instrument].name, 100.0 * worst))
            return -1;
    }
    return 0;
}
