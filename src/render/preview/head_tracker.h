/* SPDX-License-Identifier: MIT */
/* A head tracker on the network: packets of Open Sound Control over UDP turn a head. */
#ifndef AULA_RENDER_PREVIEW_HEAD_TRACKER_H
#define AULA_RENDER_PREVIEW_HEAD_TRACKER_H

#include <stddef.h>
#include <stdint.h>

#include "render/preview/head.h"

struct head_tracker;

/* place: "9000", a port of this machine alone (127.0.0.1), or "ADDRESS:9000", where 0.0.0.0 lets the whole network in.
 * A thread of its own waits for packets. ERROR_USAGE for another place; ERROR_FAILED where it cannot be had. `head`
 * outlives the tracker. */
int head_tracker_start(struct head_tracker **t, const char *place, struct head *head, struct error *e);
void head_tracker_end(struct head_tracker *t); /* NULL-safe; within a tenth of a second */

/* Poses so far, and the port, which the system chooses for 0. */
unsigned long long head_tracker_poses(const struct head_tracker *t);
unsigned head_tracker_port(const struct head_tracker *t);

/* Whether `place` is one, before anything is opened. ERROR_USAGE. */
int head_tracker_check(const char *place, struct error *e);

/* Poses of a head in packets of Open Sound Control 1.0, as head trackers send them.
 *
 * Read by the last part of their address, whatever stands before it ("/ypr", "/SceneRotator/ypr", "/1/yaw"):
 *     yaw, pitch, roll               one angle, degrees
 *     ypr                            three: yaw, pitch, roll
 *     quaternion, quaternions, quat  four: w, x, y, z, of the head's axes (x front, y left, z up)
 * Numbers are of the types f, d, i and h. Bundles are read in the order of their messages. */

enum { OSC_PACKET_MAX = 2048 }; /* bytes; longer ones are ignored */

/* Reads a packet of any bytes into *pose; what it does not name stays. Returns the number of messages that were poses:
 * what is broken, unknown, or no finite number is passed over. */
size_t osc_read_pose(struct head_pose *pose, const uint8_t *packet, size_t size);

#endif
