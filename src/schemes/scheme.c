#include "schemes/scheme.h"

#include "schemes/derivative/derivative.h"
#include "schemes/leapfrog/leapfrog.h"
#include "schemes/sediment/sediment.h"
#include "schemes/sweep/sweep.h"

static const struct scheme *const schemes[] = {
    [SCHEME_LEAPFROG] = &leapfrog_scheme,
    [SCHEME_SWEEP] = &sweep_scheme,
    [SCHEME_DERIVATIVE] = &derivative_scheme,
    [SCHEME_SEDIMENT] = &sediment_scheme,
};

const struct scheme *scheme_of(enum scheme_tag tag)
{
    return schemes[tag];
}

int scheme_without_channels(const struct problem *p, const char *name, struct error *e)
{
    return p->drive_count || p->tap_count ? fail(e, ERROR_ENGINE, "the %s scheme takes no drives and no taps", name)
                                          : 0;
}
