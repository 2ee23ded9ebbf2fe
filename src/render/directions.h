/* SPDX-License-Identifier: MIT */
/* Forms the channels of a response from the taps of its receivers. Directional taps record (s/c)^n
 * times the field; they are integrated n times and combined into patterns. */
#ifndef AULA_RENDER_DIRECTIONS_H
#define AULA_RENDER_DIRECTIONS_H

#include "dsp/space/integrators.h"
#include "render/response.h"
#include "room/grid/model.h"

/* Whether every channel is a tap as recorded, which holds for omni receivers and arrays. */
bool directions_are_none(const struct room *room);

/* Whether any integrator is free of phase error and rings ahead of arrivals. */
bool directions_ring_ahead(const struct room *room);

/* Integrator for the taps of a receiver. Ambisonic: exact for plane waves, because orders must
 * agree in phase. Microphones: causal. */
struct integrator receiver_integrator(const struct receiver *r, double sound_speed);

/* The highest order of a receiver; 0: pressure. */
int receiver_order(const struct receiver *r);

/* Hz from which all channels of a receiver are accurate; 0: pressure. */
double receiver_low(const struct receiver *r, double sound_speed);

/* Seconds by which a record must exceed the response, lest its end ring into it. */
double directions_reach(const struct room *room, double sound_speed);

/* *channels [room_channel_count][lead + taps->frames] from taps [room_tap_count][frames], delayed
 * by `lead` frames, which hold the ringing of zero-phase integrators ahead of the first arrival. s
 * is jω if the grid is mapped, else the trapezoidal rule's, as in the receivers' stencils.
 * ERROR_MEMORY, ERROR_STOPPED. */
int directions_make(struct traces *channels, const struct traces *taps, size_t lead, const struct model *m,
                    struct error *e);

/* Replaces the direct sound in the channel of an ambisonic tap. `direct` [frames] is the direct
 * sound that the tap contains; directions_make has formed *channels with the same lead. The
 * correction makes the direct sound integrated by a causal filter, because it arrives too early for
 * a filter that rings ahead. */
int directions_part(struct traces *channels, size_t tap, const double *direct, size_t frames, size_t lead,
                    const struct model *m, struct error *e);

/* Fades in the ringing ahead of arrival[receiver_count], s, in the channels of zero-phase
 * integrators. response: [room_channel_count][frames] from the emission on, which would otherwise
 * begin with a step. */
void directions_fade_in(double *response, size_t frames, double rate, const double *arrival, const struct model *m);

/* Bytes that directions_make needs, its result included. */
uint64_t directions_bytes(const struct room *room, size_t frames, double rate, double sound_speed);

#endif
