/* SPDX-License-Identifier: MIT */
/* Stub for builds without LAPACK, which cannot find modes. */
#include "dsp/modes/damped.h"

const char *damped_unavailable(void)
{
    return "this aula was built without LAPACK; install liblapacke-dev and build it again";
}

static int refuse(struct error *e)
{
    return fail(e, ERROR_ENGINE, "%s", damped_unavailable());
}

int damped_poles(double complex *z, size_t *count, const struct damped_records *r, size_t most, double floor,
                 double tolerance, struct error *e)
{
    (void)z, (void)count, (void)r, (void)most, (void)floor, (void)tolerance;
    return refuse(e);
}

int damped_amplitudes(double complex *amplitudes, double *residual, const struct damped_records *r,
                      const double complex *z, size_t count, struct error *e)
{
    (void)amplitudes, (void)residual, (void)r, (void)z, (void)count;
    return refuse(e);
}

int damped_solve(double complex *a, size_t order, double complex *b, size_t right, struct error *e)
{
    (void)a, (void)order, (void)b, (void)right;
    return refuse(e);
}
