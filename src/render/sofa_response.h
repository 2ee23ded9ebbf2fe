/* SPDX-License-Identifier: MIT */
/* Impulse responses as SOFA files (AES69-2022): of one source by the convention SingleRoomSRIR 1.0, of several by
 * SingleRoomMIMOSRIR 1.0. Receivers of pressure and of one pattern are positions, an ambisonic receiver is "spherical
 * harmonics" by ACN and SN3D, ears are two positions; not velocities. Same input, same bytes: no dates. */
#ifndef AULA_RENDER_SOFA_RESPONSE_H
#define AULA_RENDER_SOFA_RESPONSE_H

#include <stdbool.h>

#include "render/write.h"

/* parts [count]: the same file of the rendering of each source, at one rate; shorter ones are continued by 0. The
 * samples are multiplied by `gain`. Adds a complete file to the set. ERROR_OUTPUT, ERROR_MEMORY. */
int sofa_response_write(struct output_set *set, const char *path, const struct response_file *parts, size_t count,
                        double gain, struct error *e);

#endif
