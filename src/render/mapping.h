/* SPDX-License-Identifier: MIT */
/* The frequency map of the 19-point scheme in rendering. A mapped source always plays an impulse: what is recorded is
 * longer than the response, mapped, and only then convolved with the source's signal. */
#ifndef AULA_RENDER_MAPPING_H
#define AULA_RENDER_MAPPING_H

#include "dsp/frequency_map.h"
#include "render/excitation.h"
#include "render/response.h"
#include "room/grid/grid.h"

/* All of the map up to the stop frequency of the output's low-pass, which limits the band with a phase of its own. */
struct frequency_map mapping_of(const struct grid *g);

/* Hz on the grid of a true frequency, Hz. */
double mapping_grid_frequency(const struct grid *g, double frequency);

/* Frames that mapped sound rings before it arrives. */
size_t mapping_ringing(const struct grid *g);

/* Steps to run for `frames` frames after the map: 15 % more, or as much as the slowest sound of the valid band
 * needs. */
size_t mapping_steps(const struct grid *g, size_t frames);

/* What is played in place of the sources' signals: an impulse of 1 at t = 0. samples[1] is kept by the caller. */
struct excitation mapping_impulse(double samples[1]);

/* *mapped: `frames` frames of each channel, the first `ahead` of them before t = 0, of the record of mapping_steps for
 * the others and `lead` steps before, convolved with the samples of x, or times its gain where the response is to have
 * no excitation. As though x, or an impulse, had been played and recorded in air without dispersion. drifts:
 * response_take_drift first. */
int mapping_apply(struct traces *mapped, const struct traces *record, size_t lead, size_t ahead, size_t frames,
                  bool drifts, const struct grid *g, const struct excitation *x, struct error *e);

/* Bytes of mapping_apply, its result included, at most. */
uint64_t mapping_bytes(const struct grid *g, size_t steps, size_t channels, bool convolved);

#endif
