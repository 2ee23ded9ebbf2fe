/* How loud a dry sound becomes in a room that is stepped live. */
#ifndef AULA_PREVIEW_LIVE_GAIN_H
#define AULA_PREVIEW_LIVE_GAIN_H

#include "preview/live.h"

/* The gain of preview/level.h for the first two receivers, from half a second of the response of the room, which has to be at
 * rest: to an impulse too weak to be heard. Takes less than that half second. dry: [frames], mono, loops; rate in Hz, the
 * card's. */
int live_gain(double *gain, struct live *l, const float *dry, size_t frames, double rate, struct error *e);

#endif
