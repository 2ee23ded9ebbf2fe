/* SPDX-License-Identifier: MIT */
/* How hard the events of a score may be for the models of stretching. */
#ifndef AULA_RENDER_SYNTH_BLOW_LIMITS_H
#define AULA_RENDER_SYNTH_BLOW_LIMITS_H

#include "render/synth/ensemble.h"

/* N s: of a blow, or of a mallet that does not bounce; 0 for other events. */
double blow_impulse(const struct event *event, const struct instrument *played);

/* ERROR_INPUT names the event that would raise the tension of a string or of a head too far, with the remedy. stretch: of
 * a string E A, N; of a head E t/((1 - ν²) area), N/m³. */
int string_rise_check(const struct ensemble *s, const struct room *room, const struct score *score, size_t voice,
                      double stretch, struct error *e);
int head_rise_check(const struct ensemble *s, const struct room *room, const struct score *score, size_t voice,
                    double stretch, struct error *e);

/* N s: the largest impulse that a plucked or struck string passes on to the surface of a voice at once. */
double attached_impulse(const struct ensemble *s, const struct room *room, const struct score *score, size_t voice);

#endif
