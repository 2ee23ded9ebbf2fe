/* SPDX-License-Identifier: MIT */
#include "solver/schemes/bodies/plate_stretching.h"

#include <stdlib.h>

#include "solver/schemes/bodies/loops.h"

size_t plate_stretching_scratch(const struct plate_stretching *p)
{
    size_t functions = 0;
    for (int parity = 0; parity < PLATE_PARITIES; parity++)
        functions += p->functions[parity];
    return PLATE_FIELDS * p->nx * p->ny + PLATE_PARITIES * p->quarter + functions;
}

uint64_t plate_stretching_bytes(const struct plate_stretching *p)
{
    uint64_t bytes = p->nx * p->ny * sizeof(double) + p->quarter * (4 * sizeof(uint32_t) + sizeof(double)) +
                     plate_stretching_scratch(p) * sizeof(double);
    for (int parity = 0; parity < PLATE_PARITIES; parity++)
        bytes += 2 * p->quarter * p->functions[parity] * sizeof(float);
    return bytes;
}

void plate_stretching_free(struct plate_stretching *p)
{
    if (!p)
        return;
    free(p->lightness);
    free(p->image[0]);
    free(p->share);
    for (int parity = 0; parity < PLATE_PARITIES; parity++) {
        free(p->by_node[parity]);
        free(p->by_function[parity]);
    }
    free(p);
}

double plate_stretching(const struct plate_stretching *p, const double *w, double *gradient, double *scratch)
{
    return body_loops()->plate_stretching(p, w, gradient, scratch);
}
