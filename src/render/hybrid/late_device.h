/* SPDX-License-Identifier: MIT */
/* Rays on a GPU: the same decisions and random numbers as late_travel.h, implemented by cuda/rays.
 * Results depend neither on the order of the rays nor on the GPU's load. They differ from those of
 * the CPU where the mathematical libraries round differently. */
#ifndef AULA_RENDER_HYBRID_LATE_DEVICE_H
#define AULA_RENDER_HYBRID_LATE_DEVICE_H

#include "render/hybrid/late_travel.h"

struct late_device;

/* Copies the room, receivers and the shape of a tally to GPU `device`. *d is freed with
 * late_device_close, also after an error. ERROR_MEMORY, ERROR_DEVICE; ERROR_ENGINE: not a job for
 * this GPU or this build. */
int late_device_open(struct late_device **d, const struct tracer *t, const struct late_tally *shape, int device,
                     struct error *e);

/* Traces t->rays rays of a group and waits for them. They add to the device's tally or, if they
 * look ahead, to *seen. Several threads may call it at once. ERROR_STOPPED; errors as above. */
int late_device_trace(struct late_device *d, struct late_seen *seen, const struct tracer *t, struct error *e);

/* Adds the sums of all rays to a tally. */
int late_device_read(struct late_device *d, struct late_tally *tally, struct error *e);
void late_device_close(struct late_device *d); /* NULL-safe */

#endif
