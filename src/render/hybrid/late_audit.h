/* SPDX-License-Identifier: MIT */
/* Which walls take the energy of rays, by time and band. */
#ifndef AULA_RENDER_HYBRID_LATE_AUDIT_H
#define AULA_RENDER_HYBRID_LATE_AUDIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "render/hybrid/late_reflection.h"

/* Sums of integers, which do not depend on the order of the rays. Energies are those of rays without the air, in any
 * unit: only their ratios at the same time say something. */
struct late_audit {
    size_t steps, walls, bands; /* bands: parts of the bands of a histogram, in which rays carry energies */
    double step;                /* s: step i counts reflections from i to i + 1 times this after the emission */
    double unit;                /* integers of the mean energy with which rays leave the source */
    int64_t *met;               /* [step][bands]: energy that arrives at walls */
    int64_t *taken;             /* [step][walls][bands]: energy that they absorb */
};

/* All 0. ERROR_MEMORY. */
int late_audit_make(struct late_audit *a, size_t steps, double step, size_t walls, size_t bands, struct error *e);
void late_audit_free(struct late_audit *a); /* safe on a zeroed struct */

/* to += a, of the same shape. */
void late_audit_join(struct late_audit *to, const struct late_audit *a);

/* A reflection `time` s after the emission of share × energy [count], of bands from `first`, at an angle. joined: of a face
 * that lets rays through, which takes what neither returns nor passes. */
void late_audit_add(struct late_audit *a, const struct late_wall *wall, bool joined, size_t material, size_t first,
                    size_t count, const float *energy, double share, double cosine, double time);

#endif
