/* SPDX-License-Identifier: MIT */
/* Acoustic parameters as JSON, and from it again, in another process too. */
#include <stdlib.h>
#include <string.h>

#include "app/api/handles.h"
#include "app/api/state.h"
#include "base/text.h"
#include "dsp/measure/metrics.h"
#include "io/json_build.h"

#define COUNT(table) (sizeof(table) / sizeof *(table))

#define NUMBER(member) STATE(struct metrics_decay, STATE_NUMBER, member)
static const struct state_member decay_members[] = {
    NUMBER(time),         NUMBER(correlation),
    NUMBER(nonlinearity), STATE_TO(struct metrics_decay, reason, METRICS_REASON_COUNT - 1),
    NUMBER(length),
};
#undef NUMBER

#define NUMBER(member) STATE(struct metrics_band, STATE_NUMBER, member)
#define REASON(member) STATE_TO(struct metrics_band, member, METRICS_REASON_COUNT - 1)
static const struct state_member band_members[] = {
    NUMBER(centre),
    NUMBER(low),
    NUMBER(high),
    NUMBER(curvature),
    NUMBER(c50),
    NUMBER(c80),
    NUMBER(d50),
    NUMBER(ts),
    NUMBER(g),
    NUMBER(lf),
    NUMBER(lfc),
    NUMBER(lg),
    NUMBER(iacc_early),
    NUMBER(iacc_late),
    NUMBER(iacc),
    NUMBER(range),
    NUMBER(noise),
    NUMBER(cut),
    REASON(reason),
    REASON(c50_reason),
    REASON(c80_reason),
    NUMBER(length),
    NUMBER(shortest_edt),
    NUMBER(shortest_late),
    STATE_TO(struct metrics_band, validity, METRICS_OUTSIDE),
};
#undef NUMBER
#undef REASON

#define NUMBER(member) STATE(struct metrics, STATE_NUMBER, member)
static const struct state_member members[] = {
    NUMBER(rate),
    NUMBER(arrival),
    NUMBER(peak),
    NUMBER(end),
    STATE(struct metrics, STATE_FLAG, swept),
    STATE(struct metrics, STATE_SIZE, clipped.samples),
    STATE(struct metrics, STATE_SIZE, clipped.longest),
    NUMBER(intensity_level),
    NUMBER(intensity_azimuth),
    NUMBER(intensity_elevation),
    NUMBER(lf_mean),
    NUMBER(lfc_mean),
    NUMBER(lg_mean),
    NUMBER(iacc_early_mean),
    NUMBER(sti),
    STATE_TO(struct metrics, sti_reason, METRICS_REASON_COUNT - 1),
    STATES(struct metrics, STATE_NUMBER, mti, SPEECH_BANDS),
    STATES(struct metrics, STATE_NUMBER, transfer, SPEECH_BANDS *SPEECH_MODULATIONS),
    STATES(struct metrics, STATE_NUMBER, stage.early, STAGE_BANDS),
    STATES(struct metrics, STATE_NUMBER, stage.late, STAGE_BANDS),
    NUMBER(stage.early_mean),
    NUMBER(stage.late_mean),
    STATE(struct metrics, STATE_SIZE, stage.early_count),
    STATE(struct metrics, STATE_SIZE, stage.late_count),
};
#undef NUMBER

#define NUMBER(member) STATE(struct recording, STATE_NUMBER, member)
static const struct state_member fact_members[] = {
    STATE(struct recording, STATE_FLAG, is_signal),
    STATE(struct recording, STATE_FLAG, calibrated),
    STATE(struct recording, STATE_FLAG, space.ears),
    NUMBER(volume),
    NUMBER(sound_speed),
};
#undef NUMBER

static const char *const decays[] = {"edt", "t20", "t30"};

/* The decays of a band, in the order of the names. */
static struct metrics_decay *decay_of(struct metrics_band *band, size_t i)
{
    struct metrics_decay *const list[] = {&band->edt, &band->t20, &band->t30};
    return list[i];
}

static void add_bands(cJSON *object, const char *name, const struct metrics_band *bands, size_t count)
{
    cJSON *list = cJSON_AddArrayToObject(object, name);
    for (size_t b = 0; b < count; b++) {
        struct metrics_band band = bands[b];
        cJSON *json = cJSON_CreateObject();
        state_add(json, &band, band_members, COUNT(band_members));
        for (size_t i = 0; i < COUNT(decays); i++)
            state_add(cJSON_AddObjectToObject(json, decays[i]), decay_of(&band, i), decay_members,
                      COUNT(decay_members));
        cJSON_AddItemToArray(list, json);
    }
}

static int take_bands(struct metrics_band *bands, const cJSON *object, const char *name, size_t count, struct error *e)
{
    const cJSON *list = cJSON_GetObjectItemCaseSensitive(object, name);
    if (!cJSON_IsArray(list) || (size_t)cJSON_GetArraySize(list) != count)
        return fail(e, ERROR_INPUT, "json: %s is not an array of %zu bands", name, count);
    const cJSON *json = list->child;
    for (size_t b = 0; b < count; b++, json = json->next) {
        if (state_take(&bands[b], json, band_members, COUNT(band_members), e))
            return -1;
        for (size_t i = 0; i < COUNT(decays); i++)
            if (state_take(decay_of(&bands[b], i), cJSON_GetObjectItemCaseSensitive(json, decays[i]), decay_members,
                           COUNT(decay_members), e))
                return -1;
    }
    return 0;
}

static cJSON *channel_json(const struct metrics *m)
{
    cJSON *json = cJSON_CreateObject();
    state_add(json, m, members, COUNT(members));
    add_bands(json, "bands", m->band, METRICS_BANDS);
    add_bands(json, "thirds", m->third, METRICS_THIRDS);
    return json;
}

const char *aula_metrics_json(struct aula_metrics *m)
{
    struct call call;
    if (!m || m->json || call_begin(&call, NULL))
        return m ? m->json : NULL;
    cJSON *json = cJSON_CreateObject(), *channels = cJSON_AddArrayToObject(json, "channels");
    for (size_t c = 0; c < m->channels; c++)
        cJSON_AddItemToArray(channels, channel_json(&m->channel[c]));
    state_add_texts(json, "sti_missing", m->sti_missing, m->channels);
    state_add(json, &m->facts, fact_members, COUNT(fact_members));
    cJSON_AddStringToObject(json, "receiver", m->facts.space.receiver);
    state_add_texts(json, "note", &m->note, m->note != NULL);
    m->json = json_line(json);
    call_end(&call, 0);
    return m->json;
}

static int take_texts(struct aula_metrics *m, const cJSON *json, struct error *e)
{
    char **note = NULL;
    size_t count = 0, notes = 0;
    const cJSON *receiver = cJSON_GetObjectItemCaseSensitive(json, "receiver");
    if (!cJSON_IsString(receiver) || strlen(receiver->valuestring) >= sizeof m->facts.space.receiver)
        return fail(e, ERROR_INPUT, "json: receiver is missing");
    memcpy(m->facts.space.receiver, receiver->valuestring, strlen(receiver->valuestring) + 1);
    const int status = state_take_texts(&note, &notes, json, "note", e);
    if (!status && notes == 1) {
        m->note = note[0];
        notes = 0;
        free(note);
    } else {
        lines_free(note, notes);
    }
    if (status || state_take_texts(&m->sti_missing, &count, json, "sti_missing", e) || count != m->channels) {
        for (; count; count--)
            free(m->sti_missing[count - 1]); /* aula_metrics_close frees as many as there are channels */
        free(m->sti_missing);
        m->sti_missing = NULL;
        return status ? -1 : fail(e, ERROR_INPUT, "json: sti_missing is not a text for each channel");
    }
    return 0;
}

static int take_channels(struct aula_metrics *m, const cJSON *json, struct error *e)
{
    const cJSON *list = cJSON_GetObjectItemCaseSensitive(json, "channels");
    if (!cJSON_IsArray(list) || !list->child)
        return fail(e, ERROR_INPUT, "json is not a text of aula_metrics_json");
    m->channels = (size_t)cJSON_GetArraySize(list);
    m->channel = calloc(m->channels, sizeof *m->channel);
    if (!m->channel)
        return fail(e, ERROR_MEMORY, "out of memory");
    const cJSON *channel = list->child;
    for (size_t c = 0; c < m->channels; c++, channel = channel->next)
        if (state_take(&m->channel[c], channel, members, COUNT(members), e) ||
            take_bands(m->channel[c].band, channel, "bands", METRICS_BANDS, e) ||
            take_bands(m->channel[c].third, channel, "thirds", METRICS_THIRDS, e))
            return -1;
    m->facts.audio.channels = m->channels;
    return state_take(&m->facts, json, fact_members, COUNT(fact_members), e) || take_texts(m, json, e) ? -1 : 0;
}

static int take(struct call *call, struct aula_metrics **out, const char *text)
{
    if (!out)
        return call_refuse_null(call, "metrics", "the address of a pointer");
    *out = NULL;
    if (call_check_text(call, text, "json", "the text of aula_metrics_json"))
        return -1;
    struct aula_metrics *m = calloc(1, sizeof *m);
    if (!m)
        return fail(&call->error, ERROR_MEMORY, "out of memory");
    cJSON *json = cJSON_Parse(text);
    const int status = take_channels(m, json, &call->error);
    cJSON_Delete(json);
    if (status) {
        aula_metrics_close(m);
        return -1;
    }
    *out = m;
    return 0;
}

int aula_metrics_of_json(struct aula_metrics **metrics, const char *json, struct aula_error *error)
{
    struct call call;
    if (call_begin(&call, error))
        return -1;
    return call_end(&call, take(&call, metrics, json));
}
