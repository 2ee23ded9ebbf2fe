/* Listening without convolution: the dry sound drives a source in the grid block by block, and what is heard is the
 * pressure at the receivers. The grid's rate is the sound card's over a whole number. The air absorbs in the scheme.
 *
 * Levels are a render's: a sample is a source strength in Pa m, times the source's gain, and arrives as x(t - r/c)/(4πr);
 * what the room file says about the source's signal does not matter here. An offset or ramp of the dry sound does not
 * build up in the room: as in a render, two first-order sections (RESPONSE_HIGH_PASS) stand before it. What is heard
 * ends within an octave above the valid band. */
#ifndef AULA_PREVIEW_LIVE_H
#define AULA_PREVIEW_LIVE_H

#include <stddef.h>

#include "base/error.h"
#include "solver/solver.h"

struct live;

struct live_settings {
    const char *path;
    const char *const *settings; /* [setting_count] "key.path=value", of the room file */
    size_t setting_count;
    size_t source;               /* which of the room's */
    double rate;                 /* Hz, of the sound card */
    size_t block;                /* frames wanted of a call: live_block() is the next multiple of rate / grid rate */
    double factor_min;           /* how much faster than real time it has to be: 1.3 */
    const struct choice *choice; /* NULL: everything automatic; need not outlive live_open */
};

/* Takes the finest grid, not above the room's own grid rate and not coarser than 2 kHz unless that is, that is
 * factor_min times faster than real time, as found by stepping a few of them silently for a tenth of a second each.
 * ERROR_FAILED names the factor that the coarsest reached when none is. A room whose file or own grid is wrong, or
 * a source that is not there: the errors of a render. On failure *l is NULL. */
int live_open(struct live **l, const struct live_settings *s, struct error *e);
void live_close(struct live *l); /* NULL-safe */

double live_factor(const struct live *l);          /* seconds of sound made in a second, as measured */
double live_grid_rate(const struct live *l);       /* Hz */
double live_valid_frequency(const struct live *l); /* Hz */
size_t live_block(const struct live *l);           /* frames of each call of live_run */
size_t live_receivers(const struct live *l);
size_t live_latency(const struct live *l); /* frames by which its filters delay, beyond the way through the air */

/* One block: in [live_block], out [live_receivers] pointers to [live_block], which may not overlap `in`. Nothing of its
 * own is allocated or waited for, but engines wait for their threads: not for an audio callback, but for the thread
 * that feeds it. Any one thread at a time. ERROR_UNSTABLE when the field left the range of numbers; then close it. */
int live_run(struct live *l, const float *in, float *const *out, struct error *e);

#endif
