/* SPDX-License-Identifier: MIT */
#include "app/measure_card.h"

#include <math.h>
#include <stdio.h>

#include "app/say.h"
#include "base/clock.h"
#include "base/stop.h"

static const double LATENCY_MAX = 1.0; /* s */

static int open_card(void *context, size_t take, struct error *e)
{
    struct measure_card *card = context;
    struct player_settings settings = card->settings;
    settings.latency = fmin(ldexp(settings.latency, (int)take), LATENCY_MAX);
    card->started = false;
    if (take > 0)
        say(card->common->quiet, "note: the sound card dropped a block; take %zu begins, with a latency of %.0f ms",
            take + 1, 1e3 * settings.latency);
    return player_open(&card->player, &settings, e);
}

/* The device starts once its ring is full, so that what is played and recorded begins with one callback. */
static int exchange(void *context, const float *out, size_t *played, float *in, size_t *recorded, size_t *dropped,
                    struct error *e)
{
    struct measure_card *card = context;
    *played = player_write(card->player, out, *played);
    *recorded = player_read(card->player, in, *recorded);
    if (!card->started && !player_space(card->player)) {
        if (player_start(card->player, e))
            return -1;
        card->started = true;
    }
    if (!*played && !*recorded)
        poll_sleep();
    if (stop_requested())
        return fail(e, ERROR_STOPPED, "stopped; nothing was written");
    if (player_check(card->player, e))
        return -1;
    const struct player_status status = player_status(card->player);
    *dropped = (size_t)(status.underruns + status.overruns) + status.reopened;
    return 0;
}

/* A JACK server ends a client in some ten of its cycles. After a signal the process ends at once, and nothing waits. */
static void close_player(struct player *player)
{
    if (stop_signalled())
        player_drop(player);
    else
        player_close(player);
}

static void close_card(void *context)
{
    struct measure_card *card = context;
    close_player(card->player);
    card->player = NULL;
}

struct sweep_stream measure_card_stream(struct measure_card *card)
{
    return (struct sweep_stream){.context = card, .open = open_card, .exchange = exchange, .close = close_card};
}

int measure_card_probe(double *rate, char *device, const struct player_settings *settings, struct error *e)
{
    struct player *player;
    if (player_open(&player, settings, e))
        return -1;
    const struct player_status status = player_status(player);
    *rate = status.rate;
    snprintf(device, 256, "%s", status.device);
    close_player(player);
    return stop_check(e);
}

int measure_card_record(const struct measure_card *card, float *samples, size_t frames, struct error *e)
{
    struct player *player;
    const struct player_settings settings = card->settings;
    size_t done = 0;
    if (player_open(&player, &settings, e))
        return -1;
    int status = player_start(player, e);
    while (!status && done < frames) {
        const size_t got = player_read(player, samples + done * settings.inputs, frames - done);
        done += got;
        if (!got)
            poll_sleep();
        if (stop_requested())
            status = fail(e, ERROR_STOPPED, "stopped; nothing was written");
        status = status || player_check(player, e);
    }
    const struct player_status said = player_status(player);
    if (!status && (said.overruns || said.reopened))
        status = fail(e, ERROR_FAILED, "the sound card dropped blocks; raise --latency, and record again");
    close_player(player);
    return status ? -1 : 0;
}
