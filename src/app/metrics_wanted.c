/* SPDX-License-Identifier: MIT */
#include "app/metrics_wanted.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

#define OWN(member) OPTION_AT(OWN, metrics_options, member)

const struct option_row option_voice = {"voice",    0,      OPTION_TEXT,
                                        OWN(voice), "NAME", "STI for a male (default) or female voice"};
const struct option_row option_speech_level = {
    "speech-level",    0,    OPTION_TEXT,
    OWN(speech_level), "DB", "STI with this speech at the listener: dB(A), or seven octaves 125 Hz .. 8 kHz"};
const struct option_row option_at_one_metre = {
    "speech-at-1m", 0, OPTION_FLAG, OWN(at_one_metre), NULL, "the speech level is that 1 m before the talker"};
const struct option_row option_noise_level = {
    "noise-level", 0, OPTION_TEXT, OWN(noise_level), "DB,..", "noise at the listener: seven octaves 125 Hz .. 8 kHz"};
const struct option_row option_unmasked = {"no-masking",  0,    OPTION_FLAG,
                                           OWN(unmasked), NULL, "STI without masking and reception threshold"};
const struct option_row option_third_octaves = {
    "third-octaves", 0, OPTION_FLAG, OWN(third_octaves), NULL, "third octaves, 50 Hz to 10 kHz, in place of octaves"};
const struct option_row option_stage = {
    "stage", 0, OPTION_FLAG, OWN(stage), NULL, "stage support ST_early and ST_late, of a receiver 1 m from the source"};

/* Numbers between commas, dB; how many there are, or -1. */
static int parse_levels(double levels[SPEECH_BANDS], const char *text)
{
    static const double lowest = -100.0, highest = 200.0;
    char *copy = text_copy(text), *rest = copy;
    int count = copy ? 0 : -1;
    while (count >= 0 && rest) {
        const char *word = strsep(&rest, ",");
        double value;
        if (count == SPEECH_BANDS || text_number(word, &value) || !(value >= lowest && value <= highest))
            count = -1;
        else
            levels[count++] = value;
    }
    free(copy);
    return count;
}

static int take_voice(struct metrics_wanted *w, const char *name, struct error *e)
{
    if (!name || !strcmp(name, "male"))
        return 0;
    if (strcmp(name, "female"))
        return fail(e, ERROR_USAGE, "--voice %s: is not known: expected male or female", name);
    w->conditions.voice = METRICS_FEMALE;
    w->speech = true;
    return 0;
}

static int take_speech(struct metrics_wanted *w, const char *text, struct error *e)
{
    const int count = parse_levels(w->conditions.speech, text);
    if (count != 1 && count != SPEECH_BANDS)
        return fail(
            e, ERROR_USAGE,
            "--speech-level %s: give the A-weighted level in dB, such as 60, or seven levels of the octaves 125 "
            "Hz to 8 kHz between commas",
            text);
    w->speech = w->levels = true;
    if (count == 1) {
        w->weighted = w->conditions.speech[0];
        metrics_speech_spectrum(w->conditions.speech, w->conditions.voice, w->weighted);
    }
    return 0;
}

static int take_noise(struct metrics_wanted *w, const char *text, struct error *e)
{
    if (parse_levels(w->conditions.noise, text) != SPEECH_BANDS)
        return fail(
            e, ERROR_USAGE,
            "--noise-level %s: give seven levels in dB, of the octaves 125 Hz to 8 kHz, between commas, such as "
            "45,40,35,30,25,20,15",
            text);
    w->noise = true;
    return 0;
}

int metrics_wanted_parse(struct metrics_wanted *w, const struct metrics_options *o, struct error *e)
{
    *w = (struct metrics_wanted){.weighted = NAN, .third_octaves = o->third_octaves, .stage = o->stage};
    w->conditions.unmasked = o->unmasked;
    w->conditions.at_one_metre = o->at_one_metre;
    for (int k = 0; k < SPEECH_BANDS; k++)
        w->conditions.noise[k] = -INFINITY;
    if (take_voice(w, o->voice, e))
        return -1;
    if (o->speech_level)
        return take_speech(w, o->speech_level, e) || (o->noise_level && take_noise(w, o->noise_level, e)) ? -1 : 0;
    const char *needs = o->noise_level ? "noise-level" : o->at_one_metre ? "speech-at-1m" : "no-masking";
    if (o->noise_level || o->at_one_metre || o->unmasked)
        return fail(e, ERROR_USAGE, "--%s: needs --speech-level, such as --speech-level 60", needs);
    metrics_speech_spectrum(w->conditions.speech, w->conditions.voice,
                            60.0); /* without masking the level has no effect */
    w->conditions.unmasked = true;
    return 0;
}
