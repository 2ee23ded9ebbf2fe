/* SPDX-License-Identifier: MIT */
/* Frequency mapping of responses from the 19-point scheme. A mapped source always plays an impulse.
 * Its record is longer than the response; it is mapped first and then convolved with the source's
 * signal. */
#ifndef AULA_RENDER_MAPPING_H
#define AULA_RENDER_MAPPING_H

#include "dsp/frequency_map.h"
#include "render/excitation.h"
#include "render/response.h"
#include "room/grid/grid.h"

/* The map up to the stop frequency of the output's low-pass, which then limits the band with its
 * own phase. */
struct frequency_map mapping_of(const struct grid *g);

/* Frequency on the grid of a true frequency, both in Hz. */
double mapping_grid_frequency(const struct grid *g, double frequency);

/* Frames by which mapped sound rings ahead of its arrival. */
size_t mapping_ringing(const struct grid *g);

/* Steps to run for `frames` mapped frames: 15 % more, or as many as the slowest sound of the valid
 * band needs. */
size_t mapping_steps(const struct grid *g, size_t frames);

/* The impulse of 1 at t = 0 that replaces the sources' signals. The caller owns samples[1]. */
struct excitation mapping_impulse(double samples[1]);

/* *mapped: `frames` frames per channel, the first `ahead` of them before t = 0, from a record of
 * mapping_steps after `lead` steps. They are convolved with the samples of x, or scaled by its gain
 * if the response excludes the excitation, as if x had been recorded in air without dispersion.
 * drifts: applies response_take_drift first. */
int mapping_apply(struct traces *mapped, const struct traces *record, size_t lead, size_t ahead, size_t frames,
                  bool drifts, const struct grid *g, const struct excitation *x, struct error *e);

/* Upper bound of the bytes that mapping_apply needs, its result included. */
uint64_t mapping_bytes(const struct grid *g, size_t steps, size_t channels, bool convolved);

#endif
