/* SPDX-License-Identifier: MIT */
/* Impulse responses as SOFA files (AES69-2022): SingleRoomSRIR 1.0 for one source,
 * SingleRoomMIMOSRIR 1.0 for several. Receivers of pressure or of one pattern are positions, an
 * ambisonic receiver is "spherical harmonics" in ACN and SN3D, ears are two positions; velocities
 * are not supported. Dates are constant: the same input yields the same bytes. */
#ifndef AULA_RENDER_SOFA_RESPONSE_H
#define AULA_RENDER_SOFA_RESPONSE_H

#include <stdbool.h>

#include "render/write.h"

/* parts [count]: the same file of the rendering of each source, all at one rate; shorter ones are
 * zero-padded. Multiplies the samples by `gain` and adds a complete file to the set. ERROR_OUTPUT,
 * ERROR_MEMORY. */
int sofa_response_write(struct output_set *set, const char *path, const struct response_file *parts, size_t count,
                        double gain, struct error *e);

/* One source heard at many places, as players with six degrees of freedom read it: SingleRoomSRIR
 * 1.0 with a measurement for each place of a receiver. Data.IR is [places][channels][frames];
 * ListenerPosition, ListenerView, ListenerUp and SourcePosition have a row for each measurement. */

/* Places of all receivers: the number of measurements. */
size_t sofa_positions_count(const struct room *room);

/* ERROR_USAGE unless all receivers record the same number of pressures in the same way. */
int sofa_positions_check(const struct room *room, struct error *e);

/* r: of one source, with all receivers of m->room, which passed the check. Multiplies the samples by
 * `gain` and adds a complete file to the set. ERROR_OUTPUT, ERROR_MEMORY. */
int sofa_positions_write(struct output_set *set, const char *path, const struct rendering *r, const struct model *m,
                         double gain, struct error *e);

#endif
