/* SPDX-License-Identifier: MIT */
/* Channels of a response from what its receivers record: the taps of a direction, (s/c)^n times the field, are
 * integrated, and patterns are formed. */
#ifndef AULA_RENDER_DIRECTIONS_H
#define AULA_RENDER_DIRECTIONS_H

#include "dsp/space/integrators.h"
#include "render/response.h"
#include "room/grid/model.h"

/* Whether each channel is a tap as it was recorded: microphones and arrays for pressure alone. */
bool directions_are_none(const struct room *room);

/* Whether integrators without an error of phase ring ahead of arrivals. */
bool directions_ring_ahead(const struct room *room);

/* By which a receiver's taps are integrated: exact for plane waves where orders must agree in phase (ambisonic), causal
 * for microphones. */
struct integrator receiver_integrator(const struct receiver *r, double sound_speed);

/* The highest order of a receiver; 0: pressure. */
int receiver_order(const struct receiver *r);

/* Hz from which on all channels of a receiver are right; 0: pressure. */
double receiver_low(const struct receiver *r, double sound_speed);

/* Seconds by which a record is to be longer than the response, so that its end does not ring into it. */
double directions_reach(const struct room *room, double sound_speed);

/* *channels [room_channel_count][lead + taps->frames] from taps [room_tap_count][frames], delayed by `lead` frames, in
 * which integrators without an error of phase ring ahead of what comes first. s is jω where the grid is mapped, else as
 * the trapezoid rule has it, as in the receivers' stencils. ERROR_MEMORY, ERROR_STOPPED. */
int directions_make(struct traces *channels, const struct traces *taps, size_t lead, const struct model *m,
                    struct error *e);

/* What the direct sound alone of a tap of an ambisonic receiver, `direct` [frames], which is in the taps, changes in its
 * channel of *channels, which directions_make has made with the same lead: its order is integrated by a causal filter,
 * as it comes so soon that there is no time to ring ahead of it. */
int directions_part(struct traces *channels, size_t tap, const double *direct, size_t frames, size_t lead,
                    const struct model *m, struct error *e);

/* Fades in what rings ahead of arrival[receiver_count], s, in the channels of such integrators: of a response
 * [room_channel_count][frames] from the emission on, which would else begin with a step. */
void directions_fade_in(double *response, size_t frames, double rate, const double *arrival, const struct model *m);

/* Bytes of directions_make, its result included. */
uint64_t directions_bytes(const struct room *room, size_t frames, double rate, double sound_speed);

#endif
