/* SPDX-License-Identifier: MIT */
/* Options of the sound device, and the note that its latency was raised. */
#include "app/sound_card.h"

#include "app/say.h"

const struct option_row option_latency = {
    "latency",
    0,
    OPTION_NUMBER,
    OPTION_AT(CARD, card_options, latency),
    "MS",
    "set the latency of the sound card in ms (default: 100 for a file, else the device's own low latency)"};

const struct option_row option_sound_device = {
    "device",    0,
    OPTION_TEXT, OPTION_AT(CARD, card_options, device),
    "NAME",      "choose the sound card: name, part of it, or number (see aula devices)"};

int latency_check(const struct card_options *o, struct error *e)
{
    if (!(o->latency >= 0.0 && o->latency <= 1000.0))
        return fail(e, ERROR_USAGE, "--latency %g: must be from 0 to 1000 ms", o->latency);
    return 0;
}

void say_reopened(const struct common_options *o, struct player *player, bool *told, const char *before)
{
    const struct player_status status = player_status(player);
    if (*told || !status.reopened)
        return;
    *told = true;
    say(o->quiet, "%snote: the sound card \"%s\" stopped requesting sound; it was reopened with a latency of %.0f ms",
        before, status.device, 1e3 * status.latency);
}
