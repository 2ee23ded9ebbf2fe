/* SPDX-License-Identifier: MIT */
#include "app/play_print.h"

#include <stdio.h>

#include "app/keyboard.h"
#include "app/say.h"
#include "base/streams.h"
#include "io/json_build.h"
#include "room/notes.h"

enum { NOTE_NAME = 16 };
static const double factor_min = 1.2; /* times real time; below it, warn */

static const char *note_name(char text[NOTE_NAME], int note)
{
    static const char *const names[] = {"C", "C#", "D", "Eb", "E", "F", "F#", "G", "G#", "A", "Bb", "B"};
    snprintf(text, NOTE_NAME, "%s%d", names[note % 12], note / 12 - 1);
    return text;
}

/* s */
static double play_latency(const struct performer_facts *facts, const struct play_status *s)
{
    return s->buffered + s->card + s->limiter + facts->delay;
}

void play_print_start(const struct play_printed *p, bool quiet)
{
    const struct performer_facts facts = p->facts;
    const struct play_status status = p->status;
    char low[NOTE_NAME], high[NOTE_NAME], keys[64] = "every key plays it", slower[64] = "", filter[64] = "";
    if (facts.range[1] - facts.range[0] < MIDI_NOTE_MAX)
        snprintf(keys, sizeof keys, "keys %s to %s", note_name(low, facts.range[0]), note_name(high, facts.range[1]));
    if (facts.rate < p->rate) {
        snprintf(slower, sizeof slower, ", 1/%.0f of the sound card's rate", p->rate / facts.rate);
        snprintf(filter, sizeof filter, ", %.1f ms in the filter between these rates", 1e3 * facts.delay);
    }
    say(quiet, "%s: %zu voice%s, %s, stepped %.2g times faster than real time at %.6g Hz%s", p->name, facts.voices,
        facts.voices == 1 ? "" : "s", keys, facts.factor, facts.rate, slower);
    if (facts.factor < factor_min)
        say(false,
            "warning: the voices are stepped only %.2g times as fast as real time, and the sound will break up; %s, or "
            "use a lower rate of the sound card",
            facts.factor,
            facts.nodes > facts.modes ? "use a coarser grid, such as --set instruments[0].cells=12" : "reduce --range");
    say(quiet, "latency %.1f ms: %.1f ms in blocks, %.1f ms in the sound card \"%s\", %.1f ms in the limiter%s",
        1e3 * play_latency(&facts, &status), 1e3 * status.buffered, 1e3 * status.card, p->device, 1e3 * status.limiter,
        filter);
    if (p->midi)
        say(quiet, "MIDI input: %s; Esc or Ctrl-C ends, the arrows up and down change the level", p->midi);
    else
        say(quiet,
            "keys: z to / and q to p from %s on; space damps, left and right change the octave, up and down the level, "
            "Esc ends; use --midi NAME for a MIDI keyboard",
            note_name(low, p->lowest));
}

void play_print_line(const struct play_status *status, double level, bool terminal)
{
    char limited[48] = "", line[256];
    if (status->reduction > 0.01)
        snprintf(limited, sizeof limited, ", limited by %.1f dB", status->reduction);
    snprintf(line, sizeof line, "level %+.0f dB%s | load %.0f %%, notes %llu, late blocks %llu, underruns %llu", level,
             limited, 100.0 * status->load, status->notes, status->late, status->underruns);
    if (terminal) {
        streams_control("\r\033[K");
        fprintf(stderr, "%.*s", keyboard_columns() - 1, line);
    } else {
        fprintf(stderr, "%s\n", line);
    }
    fflush(stderr);
}

int play_print_json(const struct play_printed *p, struct error *e)
{
    const struct performer_facts facts = p->facts;
    const struct play_status *s = &p->status;
    cJSON *json = cJSON_CreateObject();
    cJSON_AddStringToObject(json, "instrument", p->name);
    cJSON_AddNumberToObject(json, "rate", p->rate);
    cJSON_AddNumberToObject(json, "steps_per_second", facts.rate);
    cJSON_AddNumberToObject(json, "voices", (double)facts.voices);
    cJSON_AddNumberToObject(json, "lowest_note", facts.range[0]);
    cJSON_AddNumberToObject(json, "highest_note", facts.range[1]);
    cJSON_AddNumberToObject(json, "real_time_factor", facts.factor);
    cJSON_AddNumberToObject(json, "latency_ms", 1e3 * play_latency(&facts, s));
    cJSON_AddNumberToObject(json, "seconds", p->seconds);
    cJSON_AddNumberToObject(json, "notes", (double)s->notes);
    cJSON_AddNumberToObject(json, "notes_without_voice", (double)s->unheard);
    cJSON_AddNumberToObject(json, "late_blocks", (double)s->late);
    cJSON_AddNumberToObject(json, "underruns", (double)s->underruns);
    if (p->midi)
        cJSON_AddNumberToObject(json, "lost_messages", (double)p->lost);
    return json_print(json, e);
}

void play_print_end(const struct play_printed *p, bool quiet)
{
    const struct play_status s = p->status;
    say(quiet, "%llu note%s in %.1f s, load %.0f %%, %llu late block%s, %llu underrun%s", s.notes,
        s.notes == 1 ? "" : "s", p->seconds, 100.0 * s.load, s.late, s.late == 1 ? "" : "s", s.underruns,
        s.underruns == 1 ? "" : "s");
    if (s.unheard)
        say(false, "note: %llu key%s had no voice; choose the keys with --range", s.unheard, s.unheard == 1 ? "" : "s");
    if (p->lost)
        say(false, "warning: %llu MIDI messages were lost, as they arrived faster than they could be played", p->lost);
}
