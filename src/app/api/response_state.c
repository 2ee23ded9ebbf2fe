/* SPDX-License-Identifier: MIT */
/* Takes a response apart into samples and JSON, and makes it again, in another process too. */
#include <stdlib.h>
#include <string.h>

#include "app/api/handles.h"
#include "app/api/state.h"
#include "base/text.h"
#include "io/json_build.h"

#define NUMBER(member) STATE(struct rendering, STATE_NUMBER, member)
#define SIZE(member) STATE(struct rendering, STATE_SIZE, member)
#define LARGE(member) STATE(struct rendering, STATE_LARGE, member)
#define FLAG(member) STATE(struct rendering, STATE_FLAG, member)
static const struct state_member members[] = {
    SIZE(first),
    SIZE(count),
    SIZE(response.channels),
    SIZE(response.frames),
    NUMBER(response.rate),
    FLAG(response.is_filter),
    NUMBER(response.scale),
    NUMBER(response.band.pass),
    STATES(struct rendering, STATE_NUMBER, response.band.delay, 2),
    SIZE(simulation.steps),
    LARGE(simulation.plan.field_bytes),
    LARGE(simulation.plan.boundary_bytes),
    LARGE(simulation.plan.channel_bytes),
    LARGE(simulation.plan.air_points),
    LARGE(simulation.plan.wall_points),
    LARGE(simulation.plan.available_bytes),
    FLAG(simulation.plan.on_device),
    STATE_TO(struct rendering, simulation.plan.time_block, 0),
    NUMBER(simulation.plan.step_seconds),
    FLAG(simulation.plan.balanced),
    FLAG(simulation.plan.cuda.in_place),
    FLAG(simulation.plan.cuda.untried),
    NUMBER(simulation.outcome.audit.stored),
    NUMBER(simulation.outcome.audit.absorbed),
    NUMBER(simulation.outcome.audit.supplied),
    FLAG(simulation.outcome.audit.balanced),
    NUMBER(simulation.outcome.seconds),
    NUMBER(simulation.outcome.audit_seconds),
    SIZE(simulation.outcome.audits),
    NUMBER(simulation.outcome.energy_residual),
    FLAG(halves.full),
    NUMBER(halves.edge),
    NUMBER(halves.top),
    SIZE(halves.order),
    SIZE(halves.edges.count),
    NUMBER(halves.edges.length),
    NUMBER(halves.octave),
    SIZE(halves.image_count),
    SIZE(halves.rays),
    SIZE(halves.lost),
    FLAG(halves.rays_on_gpu),
    NUMBER(halves.t30.waves),
    NUMBER(halves.t30.rays),
    NUMBER(halves.edt.waves),
    NUMBER(halves.edt.rays),
    NUMBER(halves.c80.waves),
    NUMBER(halves.c80.rays),
    NUMBER(length.seconds),
    SIZE(length.steps),
    FLAG(length.chosen),
    NUMBER(length.signal),
    NUMBER(length.estimate),
    NUMBER(length.octave),
    NUMBER(length.max),
    NUMBER(decay),
};

const char *aula_response_json(struct aula_response *response)
{
    struct call call;
    if (!response || response->json || call_begin(&call, NULL))
        return response ? response->json : NULL;
    const struct rendering *r = &response->rendering;
    cJSON *json = cJSON_CreateObject();
    state_add(json, r, members, sizeof members / sizeof *members);
    cJSON_AddStringToObject(json, "engine", r->simulation.plan.engine ? r->simulation.plan.engine : "");
    cJSON_AddStringToObject(json, "kernel", r->simulation.plan.kernel ? r->simulation.plan.kernel : "");
    state_add_texts(json, "warnings", r->warnings, r->warning_count);
    response->json = json_line(json);
    call_end(&call, 0);
    return response->json;
}

static int take_names(struct aula_response *response, const cJSON *json, struct error *e)
{
    const cJSON *engine = cJSON_GetObjectItemCaseSensitive(json, "engine"),
                *kernel = cJSON_GetObjectItemCaseSensitive(json, "kernel");
    if (!cJSON_IsString(engine) || !cJSON_IsString(kernel))
        return fail(e, ERROR_INPUT, "json: engine or kernel is missing");
    response->engine = text_copy(engine->valuestring);
    response->kernel = text_copy(kernel->valuestring);
    response->rendering.simulation.plan.engine = response->engine;
    response->rendering.simulation.plan.kernel = response->kernel;
    return response->engine && response->kernel ? 0 : fail(e, ERROR_MEMORY, "out of memory");
}

/* The numbers of the JSON, and whether they belong to this room and these samples. */
static int take_numbers(struct aula_response *response, const cJSON *json, size_t channels, size_t frames,
                        struct error *e)
{
    struct rendering *r = &response->rendering;
    const struct room *room = response->room->room;
    size_t expected = 0;
    if (state_take(r, json, members, sizeof members / sizeof *members, e) ||
        state_take_texts(&r->warnings, &r->warning_count, json, "warnings", e) || take_names(response, json, e))
        return -1;
    for (size_t i = 0; i < room->receiver_count; i++)
        expected += aula_room_receiver_channels(response->room, i);
    if (r->response.channels != channels || r->response.frames != frames || expected != channels)
        return fail(e, ERROR_INPUT,
                    "samples are [%zu][%zu], but the JSON describes [%zu][%zu] and the room has %zu channels; pass "
                    "those of one response",
                    channels, frames, r->response.channels, r->response.frames, expected);
    if (!r->count || r->count > room->source_count || r->first > room->source_count - r->count)
        return fail(e, ERROR_INPUT, "json: source %zu is not in the room, which has %zu", r->first, room->source_count);
    return response_choose_model(response, r->count, e);
}

static int take(struct call *call, struct aula_response **out, const struct aula_room *room, const char *text,
                const double *samples, size_t channels, size_t frames)
{
    if (!out)
        return call_refuse_null(call, "response", "the address of a pointer");
    *out = NULL;
    if (!room)
        return call_refuse_null(call, "room", "a room of aula_room_open");
    if (call_check_text(call, text, "json", "the text of aula_response_json") ||
        call_check_samples(call, "samples", samples, channels, frames, 1.0))
        return -1;
    cJSON *json = cJSON_Parse(text);
    struct aula_response *response = calloc(1, sizeof *response);
    double *copy = malloc(channels * frames * sizeof *copy);
    int status = !copy || !response ? fail(&call->error, ERROR_MEMORY, "out of memory")
                 : !json            ? fail(&call->error, ERROR_INPUT, "json is not a text of aula_response_json")
                                    : 0;
    if (response)
        response->room = room_hold(room);
    if (!status)
        status = take_numbers(response, json, channels, frames, &call->error);
    if (!status) {
        memcpy(copy, samples, channels * frames * sizeof *copy);
        response->rendering.response.samples = copy;
        copy = NULL;
        *out = response;
    } else {
        aula_response_close(response);
    }
    free(copy);
    cJSON_Delete(json);
    return status ? -1 : 0;
}

int aula_response_of_samples(struct aula_response **response, const struct aula_room *room, const char *json,
                             const double *samples, size_t channels, size_t frames, struct aula_error *error)
{
    struct call call;
    if (call_begin(&call, error))
        return -1;
    return call_end(&call, take(&call, response, room, json, samples, channels, frames));
}
