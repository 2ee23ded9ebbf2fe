/* SPDX-License-Identifier: MIT */
/* Live listening without convolution: the dry sound drives a source on the grid block by block, and
 * the output is the pressure at the receivers. The grid rate is the sound card's divided by an
 * integer. The scheme includes air absorption.
 *
 * Levels equal those of a render: a sample is a source strength in Pa m, times the source's gain,
 * and arrives as x(t - r/c)/(4πr); the source's signal in the room file is ignored. As in a render,
 * two first-order high-pass sections (RESPONSE_HIGH_PASS) in the drive keep an offset or ramp out
 * of the room. The output ends within an octave above the valid band. The field of a head
 * (render/preview/monitor.h) is integrated block by block in the near-field form
 * (dsp/space/integrators.h). */
#ifndef AULA_RENDER_PREVIEW_LIVE_H
#define AULA_RENDER_PREVIEW_LIVE_H

#include <stddef.h>

#include "base/error.h"
#include "render/preview/monitor.h"
#include "solver/solver.h"

struct live;

struct live_settings {
    const char *path;
    const char *const *settings; /* [setting_count] "key.path=value", of the room file */
    size_t setting_count;
    size_t source;     /* index in the room */
    double rate;       /* Hz, of the sound card */
    size_t block;      /* requested frames per call: live_block() is the next multiple of rate / grid rate */
    double factor_min; /* minimum speed relative to real time, e.g. 1.3 */
    const struct solver_options *choice; /* NULL: everything automatic; need not outlive live_open */
    double field_distance; /* m: source distance at which all orders of a field are flat, for its ears; 0: 10 m */
};

/* Opens the finest grid that runs at factor_min times real time, at most at the room's own grid
 * rate and at least at 2 kHz (unless the room's is lower), by stepping a few grids silently for a
 * tenth of a second each. ERROR_FAILED names the factor of the coarsest if none is fast enough. For
 * an invalid room, grid or source, errors as of a render. On failure *l is NULL. */
int live_open(struct live **l, const struct live_settings *s, struct error *e);
void live_close(struct live *l); /* NULL-safe */

double live_factor(const struct live *l);                 /* measured seconds of sound per second */
double live_grid_rate(const struct live *l);              /* Hz */
double live_valid_frequency(const struct live *l);        /* Hz */
size_t live_block(const struct live *l);                  /* frames per call of live_run */
const struct monitor *live_monitor(const struct live *l); /* its signals are the outputs */
size_t live_latency(const struct live *l); /* frames of delay by the filters, in addition to propagation */

/* One block: in [live_block], out [receivers + field] pointers to [live_block], which must not
 * overlap `in`. Does not allocate, but engines wait for their threads; call it from a feeder
 * thread, not from an audio callback, and from one thread at a time. ERROR_UNSTABLE if the field is
 * not finite; then close it. */
int live_run(struct live *l, const float *in, float *const *out, struct error *e);

#endif
