/* SPDX-License-Identifier: MIT */
/* Stands in for rays on a GPU in a build without CUDA. */
#include "render/hybrid/late_device.h"

int late_device_open(struct late_device **d, const struct tracer *t, const struct late_tally *shape, int device,
                     struct error *e)
{
    (void)t;
    (void)shape;
    (void)device;
    *d = NULL;
    return fail(e, ERROR_ENGINE, "aula was built without CUDA");
}

int late_device_trace(struct late_device *d, struct late_seen *seen, const struct tracer *t, struct error *e)
{
    (void)d;
    (void)seen;
    (void)t;
    return fail(e, ERROR_ENGINE, "aula was built without CUDA");
}

int late_device_read(struct late_device *d, struct late_tally *tally, struct error *e)
{
    (void)d;
    (void)tally;
    return fail(e, ERROR_ENGINE, "aula was built without CUDA");
}

void late_device_close(struct late_device *d)
{
    (void)d;
}
