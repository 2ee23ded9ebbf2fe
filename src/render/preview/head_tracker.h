/* SPDX-License-Identifier: MIT */
/* A head tracker on the network: packets of Open Sound Control (OSC) over UDP turn a head. */
#ifndef AULA_RENDER_PREVIEW_HEAD_TRACKER_H
#define AULA_RENDER_PREVIEW_HEAD_TRACKER_H

#include <stddef.h>
#include <stdint.h>

#include "render/preview/head.h"

struct head_tracker;

/* place: "9000", a port of this machine (127.0.0.1), or "ADDRESS:9000", where 0.0.0.0 admits the
 * whole network. Packets are received on a thread of their own. ERROR_USAGE for another form;
 * ERROR_FAILED if the port is not available. `head` must outlive the tracker. */
int head_tracker_start(struct head_tracker **t, const char *place, struct head *head, struct error *e);
void head_tracker_end(struct head_tracker *t); /* NULL-safe; within a tenth of a second */

/* Number of poses received, and the port, which the system chooses for 0. */
unsigned long long head_tracker_poses(const struct head_tracker *t);
unsigned head_tracker_port(const struct head_tracker *t);

/* Checks the form of `place` without opening anything. ERROR_USAGE. */
int head_tracker_check(const char *place, struct error *e);

/* Parses head poses in packets of Open Sound Control 1.0.
 *
 * Messages are identified by the last part of their address ("/ypr", "/SceneRotator/ypr",
 * "/1/yaw"):
 *
 *     yaw, pitch, roll               one angle, degrees
 *     ypr                            three: yaw, pitch, roll
 *     quaternion, quaternions, quat  four: w, x, y, z, of the head's axes (x front, y left, z up)
 *
 * Numbers have the types f, d, i and h. Messages of a bundle are read in order. */

enum { OSC_PACKET_MAX = 2048 }; /* bytes; longer ones are ignored */

/* Reads an arbitrary packet into *pose; angles that it does not contain stay. Returns the number of
 * messages with a pose; malformed, unknown and non-finite ones are skipped. */
size_t osc_read_pose(struct head_pose *pose, const uint8_t *packet, size_t size);

#endif
