/* SPDX-License-Identifier: MIT */
/* Instruments and score in the output of aula info. */
#include "app/instruments.h"

#include <stdio.h>
#include <string.h>

#include "app/say.h"
#include "io/json_build.h"
#include "render/synth/session.h"
#include "room/keys.h"

int played_make(struct played *p, const struct room *room, const struct model *m, struct error *e)
{
    memset(p, 0, sizeof *p);
    p->room = room;
    if (!room->instrument_count)
        return 0;
    if (!score_make(&p->score, room, e) && !ensemble_make(&p->ensemble, room, &p->score, m, m->grid.rate, e))
        return 0;
    score_free(&p->score);
    return -1;
}

void played_free(struct played *p)
{
    ensemble_free(p->ensemble);
    score_free(&p->score);
    memset(p, 0, sizeof *p);
}

void played_print(const struct played *p)
{
    if (!p->ensemble)
        return;
    for (size_t i = 0; i < p->room->instrument_count; i++) {
        const struct instrument *instrument = &p->room->instruments[i];
        printf("instrument  %-20s %s%s%s\n", instrument->name, instrument_type_names[instrument->type],
               instrument->preset ? ", preset " : "", instrument->preset ? instrument->preset : "");
    }
    for (size_t i = 0; i < p->ensemble->note_count; i++)
        printf("voice       %s\n", p->ensemble->notes[i]);
    if (p->score.count)
        printf("score       %zu event%s from %.3g to %.3g s\n", p->score.count, p->score.count == 1 ? "" : "s",
               p->score.events[0].time, p->score.events[p->score.count - 1].time);
    else
        puts("score       no events");
}

void played_warn(const struct played *p)
{
    say_lines("note", p->score.remarks, p->score.remark_count);
    if (p->ensemble)
        say_lines("warning", p->ensemble->warnings, p->ensemble->warning_count);
}

/* Adds an array of texts unless it is empty. */
static void add_lines(cJSON *json, const char *name, char *const *lines, size_t count)
{
    if (count)
        cJSON_AddItemToObject(json, name, cJSON_CreateStringArray((const char *const *)lines, (int)count));
}

void played_json(cJSON *json, const struct played *p)
{
    if (!p->ensemble)
        return;
    cJSON_AddItemToObject(json, "voices", voices_json(p->ensemble, p->room, true));
    cJSON_AddNumberToObject(json, "score_events", (double)p->score.count);
    add_lines(json, "score_notes", p->score.remarks, p->score.remark_count);
    add_lines(json, "instrument_notes", p->ensemble->notes, p->ensemble->note_count);
    add_lines(json, "instrument_warnings", p->ensemble->warnings, p->ensemble->warning_count);
}
