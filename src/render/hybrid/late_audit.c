/* SPDX-License-Identifier: MIT */
#include "render/hybrid/late_audit.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "render/hybrid/late_tally.h"

/* A ray meets several walls in a step, and four million rays may meet the same one: 2^30 of each leaves room for 2^11
 * times the mean ray's energy. */
enum { AUDIT_BITS = 30 };

int late_audit_make(struct late_audit *a, size_t steps, double step, size_t walls, size_t bands, struct error *e)
{
    *a = (struct late_audit){
        .steps = steps, .walls = walls, .bands = bands, .step = step, .unit = ldexp(1.0, AUDIT_BITS)};
    if (memory_demand((double)(steps * (walls + 1) * bands) * sizeof *a->taken, e, "energies that walls take"))
        return -1;
    a->met = calloc(steps * bands + 1, sizeof *a->met);
    a->taken = calloc(steps * walls * bands + 1, sizeof *a->taken);
    return a->met && a->taken ? 0 : fail(e, ERROR_MEMORY, "out of memory");
}

void late_audit_free(struct late_audit *a)
{
    free(a->met);
    free(a->taken);
    memset(a, 0, sizeof *a);
}

void late_audit_join(struct late_audit *to, const struct late_audit *a)
{
    for (size_t i = 0; i < a->steps * a->bands; i++)
        to->met[i] += a->met[i];
    for (size_t i = 0; i < a->steps * a->walls * a->bands; i++)
        to->taken[i] += a->taken[i];
}

void late_audit_add(struct late_audit *a, const struct late_wall *wall, bool joined, size_t material, size_t first,
                    size_t count, const float *energy, double share, double cosine, double time)
{
    const double at = time / a->step;
    if (!(at >= 0.0 && at < (double)a->steps))
        return;
    float left[LATE_BANDS_MAX], passed[LATE_BANDS_MAX];
    int64_t *met = a->met + (size_t)at * a->bands + first;
    int64_t *taken = a->taken + ((size_t)at * a->walls + material) * a->bands + first;
    memcpy(left, energy, count * sizeof *left);
    memcpy(passed, energy, count * sizeof *passed);
    late_wall_reflect(left, wall, joined, first, count, cosine);
    if (joined)
        late_wall_multiply(passed, wall->passed, first, count, cosine);
    for (size_t b = 0; b < count; b++) {
        left[b] += joined ? passed[b] : 0.0f;
        met[b] += late_tally_round(a->unit * share * (double)energy[b]);
        taken[b] += late_tally_round(a->unit * share * ((double)energy[b] - (double)left[b]));
    }
}
