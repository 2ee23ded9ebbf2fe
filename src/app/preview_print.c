/* SPDX-License-Identifier: MIT */
/* The status line, summary and JSON of aula preview. */
#include "app/preview_print.h"

#include <math.h>
#include <stdio.h>

#include "app/keyboard.h"
#include "app/say.h"
#include "base/streams.h"
#include "io/json_build.h"
#include "render/preview/level.h"

static const double shown_reduction = 0.05; /* dB: rounds to a nonzero tenth */

void preview_print_line(const struct preview_state *s, bool over)
{
    char what[96] = "computing", next[64] = "", who[48] = "left, right", loud[64] = "";
    if (s->room.band > 0.0 && !(s->room.valid_frequency > 0.0))
        snprintf(what, sizeof what, "image sources and rays to %.0f Hz, waves to follow", s->room.band);
    else if (s->room.band > s->room.valid_frequency)
        snprintf(what, sizeof what, "grid %.6g Hz, waves to %.0f Hz, rays to %.0f Hz", s->room.grid_rate,
                 s->room.valid_frequency, s->room.band);
    else if (s->room.grid_rate > 0.0)
        snprintf(what, sizeof what, "grid %.6g Hz, to %.0f Hz", s->room.grid_rate, s->room.valid_frequency);
    if (s->room.next_rate > 0.0)
        snprintf(next, sizeof next, ", next %.0f %2.0f %%", s->room.next_rate, 100.0 * s->room.progress);
    if (s->has_head && (s->pose.pitch != 0.0 || s->pose.roll != 0.0))
        snprintf(who, sizeof who, "head %+.0f, %+.0f, %+.0f°", s->pose.yaw, s->pose.pitch, s->pose.roll);
    else if (s->has_head)
        snprintf(who, sizeof who, "head %+.0f°", s->pose.yaw);
    if (s->receiver >= 0)
        snprintf(who, sizeof who, "receiver %d", s->receiver + 1);
    if (s->reduction >= shown_reduction)
        snprintf(loud, sizeof loud, ", limited by %.1f dB", s->reduction);
    char line[384];
    snprintf(line, sizeof line, "%s%s | %s%s%s %+.0f dB%s | load %.0f %%, underruns %llu%s", what, next,
             s->paused ? "paused, " : "", s->hears_dry ? "dry" : who, s->live ? " (live)" : "", s->level, loud,
             100.0 * s->load, s->sound.underruns, s->sound.overruns ? ", input lost" : "");
    if (over) { /* cut to the width of the terminal: a wrapped line could not be redrawn */
        streams_control("\r\033[K");
        fprintf(stderr, "%.*s", keyboard_columns() - 1, line);
    } else {
        fprintf(stderr, "%s\n", line);
    }
    fflush(stderr);
}

void preview_print_summary(const struct preview_state *s)
{
    const struct mixer_status *m = &s->mixed;
    char peak[64] = "silent";
    if (m->peak > 0.0)
        snprintf(peak, sizeof peak, "peak %.1f dB re full scale", 20.0 * log10(m->peak));
    if (m->reduction >= shown_reduction)
        say(false, "played %.1f s: %s, limited by up to %.1f dB for %.1f s in all; press - to reduce the level",
            m->seconds, peak, m->reduction, m->limited);
    else
        say(false, "played %.1f s: %s, not limited", m->seconds, peak);
}

int preview_print_json(const struct preview_state *s, const char *room, struct error *e)
{
    cJSON *json = cJSON_CreateObject();
    cJSON_AddStringToObject(json, "room", room);
    cJSON_AddStringToObject(json, "device", s->sound.device);
    cJSON_AddNumberToObject(json, "rate", s->sound.rate);
    cJSON_AddNumberToObject(json, "latency", s->sound.latency);
    cJSON_AddNumberToObject(json, "underruns", (double)s->sound.underruns);
    cJSON_AddBoolToObject(json, "live", s->live);
    cJSON_AddNumberToObject(json, "grid_rate", s->room.grid_rate);
    cJSON_AddNumberToObject(json, "valid_frequency", s->room.valid_frequency);
    cJSON_AddNumberToObject(json, "band", fmax(s->room.band, s->room.valid_frequency));
    cJSON_AddNumberToObject(json, "seconds", s->mixed.seconds);
    cJSON_AddNumberToObject(json, "peak", s->mixed.peak);
    if (s->has_head) {
        cJSON *head = cJSON_AddObjectToObject(json, "head");
        cJSON_AddNumberToObject(head, "yaw", s->pose.yaw);
        cJSON_AddNumberToObject(head, "pitch", s->pose.pitch);
        cJSON_AddNumberToObject(head, "roll", s->pose.roll);
        cJSON_AddNumberToObject(head, "tracked", (double)s->tracked);
    }
    cJSON *limiter = cJSON_AddObjectToObject(json, "limiter");
    cJSON_AddNumberToObject(limiter, "ceiling", LIMITER_CEILING);
    cJSON_AddNumberToObject(limiter, "reduction_db", s->mixed.reduction);
    cJSON_AddNumberToObject(limiter, "seconds", s->mixed.limited);
    return json_print(json, e);
}
