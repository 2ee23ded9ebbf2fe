#include "schemes/scheme.h"

#include "schemes/derivative/derivative.h"
#include "schemes/leapfrog/leapfrog.h"
#include "schemes/sediment/sediment.h"
#include "schemes/sweep/sweep.h"

const struct scheme *const schemes[] = {&leapfrog_scheme, &sweep_scheme, &derivative_scheme, &sediment_scheme, NULL};

int scheme_without_channels(const struct problem *p, const char *name, struct error *e)
{
    return p->drive_count || p->tap_count ? fail(e, ERROR_ENGINE, "the %s scheme takes no drives and no taps", name)
                                          : 0;
}
