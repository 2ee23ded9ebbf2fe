/* SPDX-License-Identifier: MIT */
#include "app/sound_card.h"

#include "app/say.h"

const struct option_row option_latency = {
    "latency",     0,
    OPTION_NUMBER, OPTION_AT(CARD, card_options, latency),
    "MS",          "asked of the sound device (default: 100 to play a file, the device's own low one in a preview)"};

const struct option_row option_sound_device = {
    "device",    0,
    OPTION_TEXT, OPTION_AT(CARD, card_options, device),
    "NAME",      "the sound device: name, part of it, or number (see --list)"};

int latency_check(const struct card_options *o, struct error *e)
{
    if (!(o->latency >= 0.0 && o->latency <= 1000.0))
        return fail(e, ERROR_USAGE, "--latency %g: give 0 to 1000 ms", o->latency);
    return 0;
}

void say_reopened(const struct common_options *o, struct player *player, bool *told, const char *before)
{
    const struct player_status status = player_status(player);
    if (*told || !status.reopened)
        return;
    *told = true;
    say(o->quiet,
        "%snote: the sound device \"%s\" stopped asking for sound; it is opened again with %.0f ms of latency", before,
        status.device, 1e3 * status.latency);
}
