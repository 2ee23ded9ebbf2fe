/* SPDX-License-Identifier: MIT */
/* Selects the measurements of an HRTF at one distance. */
#ifndef AULA_IO_SOFA_HRTF_DISTANCES_H
#define AULA_IO_SOFA_HRTF_DISTANCES_H

#include "io/sofa/hrtf.h"

/* kept [h->directions]: the indices of the measurements at the distance nearest to `wanted`, m, ascending. Shrinks
 * h->direction and h->directions to them, sets h->distance and adds the note on a choice. At least `least` directions
 * make a set. radius [h->directions], m. ERROR_INPUT: no set has so many; ERROR_MEMORY. */
int hrtf_keep_distance(size_t *kept, struct hrtf *h, const double *radius, double wanted, size_t least,
                       const char *path, struct error *e);

#endif
