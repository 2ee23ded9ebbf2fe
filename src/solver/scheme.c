/* SPDX-License-Identifier: MIT */
#include "solver/scheme.h"

int scheme_without_channels(const struct problem *p, const char *name, struct error *e)
{
    return p->drive_count || p->tap_count
               ? fail(e, ERROR_ENGINE, "the %s scheme does not support sources and receivers", name)
               : 0;
}
