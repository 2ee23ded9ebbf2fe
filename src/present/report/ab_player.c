/* SPDX-License-Identifier: MIT */
#include "present/report/ab_player.h"

#include <math.h>

#include "io/base64.h"
#include "io/xml.h"
#include "present/report/ab_script.h"
#include "present/report/listening.h"

static double peak_of(const struct ab_sound *sound)
{
    const struct audio *a = sound->audio;
    double peak = 0.0;
    for (size_t n = sound->first * a->frames; n < (sound->first + sound->channels) * a->frames; n++)
        peak = fmax(peak, fabs(sound->gain * a->samples[n]));
    return peak;
}

int ab_player_write(FILE *stream, const struct ab_list *list, struct error *e)
{
    const struct ab_sound *sounds = list->sounds;
    double peak = 0.0;
    for (size_t i = 0; i < list->count; i++)
        peak = fmax(peak, peak_of(&sounds[i]));
    fputs("<div class=\"sound ab\"><p><b>A/B</b> ", stream);
    xml_text(stream, list->caption);
    fputs("</p>\n", stream);
    for (size_t i = 0; i < list->count; i++)
        if (listening_write(stream, sounds[i].audio, sounds[i].first, sounds[i].channels,
                            sounds[i].gain / (peak > 0.0 ? peak : 1.0), sounds[i].name, e))
            return -1;
    fputs("</div>\n", stream);
    return 0;
}

void ab_player_script(FILE *stream)
{
    fputs("<script>", stream);
    fwrite(ab_script, 1, ab_script_length, stream);
    fputs("</script>\n", stream);
}

void ab_player_policy(FILE *stream)
{
    fputs("'sha256-", stream);
    base64_write(stream, ab_script_digest, sizeof ab_script_digest);
    fputc('\'', stream);
}
