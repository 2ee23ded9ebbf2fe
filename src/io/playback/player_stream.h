/* SPDX-License-Identifier: MIT */
/* The PortAudio side of a player: chooses the device, opens the stream and runs the callback between rings and device.
 * Only player.c uses it. */
#ifndef AULA_IO_PLAYBACK_PLAYER_STREAM_H
#define AULA_IO_PLAYBACK_PLAYER_STREAM_H

#include <stdatomic.h>

#include "io/playback/player.h"
#include "io/playback/ring.h"

/* Data of the callback, which moves frames and counts. The caller sets the rings between open and start. */
struct player_rings {
    struct ring *output, *input;
    atomic_bool playing, ending; /* an empty ring is an underrun when playing and not ending */
    atomic_ullong beats, underruns, overruns, played;
};

struct player_stream;

/* `rings` outlives the stream. */
int player_stream_open(struct player_stream **s, const struct player_settings *settings, struct player_rings *rings,
                       struct error *e);
int player_stream_start(struct player_stream *s, struct error *e);

/* Closes the device and starts it again with another latency, at the same rate. After a failure the stream is silent,
 * and may still be asked and closed. */
int player_stream_reopen(struct player_stream *s, double latency, struct error *e);

/* drop: waits 0.1 s instead of 2 s. False: the device did not close in time, and data of the callback must not be
 * freed. */
bool player_stream_close(struct player_stream *s, bool drop);

double player_stream_rate(const struct player_stream *s); /* Hz */
double player_stream_latency(
    const struct player_stream *s); /* s, of the output, or of the input where there is none; 0: unknown */
double player_stream_load(const struct player_stream *s);
const char *player_stream_device(const struct player_stream *s);

#endif
