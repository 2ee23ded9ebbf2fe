/* SPDX-License-Identifier: MIT */
/* Poses of a head in packets of Open Sound Control 1.0, as head trackers send them.
 *
 * Read by the last part of their address, whatever stands before it ("/ypr", "/SceneRotator/ypr", "/1/yaw"):
 *     yaw, pitch, roll               one angle, degrees
 *     ypr                            three: yaw, pitch, roll
 *     quaternion, quaternions, quat  four: w, x, y, z, of the head's axes (x front, y left, z up)
 * Numbers are of the types f, d, i and h. Bundles are read in the order of their messages. */
#ifndef AULA_RENDER_PREVIEW_OSC_H
#define AULA_RENDER_PREVIEW_OSC_H

#include <stddef.h>
#include <stdint.h>

#include "render/preview/head.h"

enum { OSC_PACKET_MAX = 2048 }; /* bytes; longer ones are ignored */

/* Reads a packet of any bytes into *pose; what it does not name stays. Returns the number of messages that were poses:
 * what is broken, unknown, or no finite number is passed over. */
size_t osc_read_pose(struct head_pose *pose, const uint8_t *packet, size_t size);

#endif
