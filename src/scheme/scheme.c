#include "scheme/scheme.h"

#include "scheme/leapfrog.h"

static const struct scheme *const schemes[] = {
    [SCHEME_LEAPFROG] = &leapfrog_scheme,
};

const struct scheme *scheme_of(enum scheme_tag tag)
{
    return schemes[tag];
}
