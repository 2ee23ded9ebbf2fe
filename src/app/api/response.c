/* SPDX-License-Identifier: MIT */
/* Renders responses and gives access to them. */
#include <math.h>
#include <stdlib.h>

#include "app/api/handles.h"
#include "render/hybrid_response.h"

/* Selects *count sources from *first on. */
static int choose_sources(struct call *call, const struct room *room, size_t source, size_t *first, size_t *count)
{
    const bool all = source == AULA_ALL_SOURCES;
    *first = all ? 0 : source;
    *count = all ? room->source_count : 1;
    return all ? 0 : call_check_source(call, room, source);
}

/* The room's model is for responses to one source; several sources together cannot be mapped in frequency. */
int response_choose_model(struct aula_response *response, size_t count, struct error *e)
{
    const struct aula_room *room = response->room;
    const struct grid_use use = {.purpose = PURPOSE_TOGETHER, .count = count};
    response->model = room->model;
    if (count < 2 || room->model->grid.stencil == STENCIL_7_POINT)
        return 0;
    if (model_make_for(&response->together, room->room, &use, e))
        return -1;
    response->model = response->together;
    return 0;
}

static int render(struct call *call, struct aula_response **out, const struct aula_room *room, size_t source,
                  const struct aula_options *options)
{
    struct call_options given;
    size_t first, count;
    if (!out)
        return call_refuse_null(call, "response", "the address of a pointer");
    *out = NULL;
    if (!room)
        return call_refuse_null(call, "room", "a room of aula_room_open");
    if (call_take_options(&given, call, options) || choose_sources(call, room->room, source, &first, &count))
        return -1;
    struct aula_response *response = calloc(1, sizeof *response);
    if (!response)
        return fail(&call->error, ERROR_MEMORY, "out of memory");
    response->room = room_hold(room); /* before rendering: `progress` may close the room */
    if (response_choose_model(response, count, &call->error) ||
        render_sources(&response->rendering, response->model, first, count, &given.choice, &given.watch,
                       &call->error)) {
        model_free(response->together);
        room_release(response->room);
        free(response);
        return -1;
    }
    *out = response;
    return 0;
}

int aula_render(struct aula_response **response, const struct aula_room *room, size_t source,
                const struct aula_options *options, struct aula_error *error)
{
    struct call call;
    if (call_begin(&call, error))
        return -1;
    return call_end(&call, render(&call, response, room, source, options));
}

void aula_response_close(struct aula_response *response)
{
    if (!response)
        return;
    rendering_free(&response->rendering);
    model_free(response->together);
    room_release(response->room);
    free(response->json);
    free(response->engine);
    free(response->kernel);
    free(response);
}

const char *aula_response_warning(const struct aula_response *response, size_t index)
{
    return response && index < response->rendering.warning_count ? response->rendering.warnings[index] : NULL;
}

size_t aula_response_channels(const struct aula_response *response)
{
    return response ? response->rendering.response.channels : 0;
}

size_t aula_response_frames(const struct aula_response *response)
{
    return response ? response->rendering.response.frames : 0;
}

double aula_response_rate(const struct aula_response *response)
{
    return response ? response->rendering.response.rate : NAN;
}

const double *aula_response_samples(const struct aula_response *response, size_t channel)
{
    if (channel >= aula_response_channels(response))
        return NULL;
    const struct response *r = &response->rendering.response;
    return r->samples + channel * r->frames;
}

int aula_response_band(const struct aula_response *response, double band[2])
{
    const bool there = response && band;
    if (band)
        band[0] = band[1] = NAN;
    if (!there)
        return -1;
    const struct response *r = &response->rendering.response;
    const double valid = hybrid_valid_to(response->model, &response->rendering.halves);
    band[0] = response->room->room->output.filter == FILTER_NONE ? 0.0 : RESPONSE_HIGH_PASS;
    band[1] = fmin(r->band.pass > 0.0 ? r->band.pass : valid, 0.5 * r->rate);
    return 0;
}

int aula_response_is_filter(const struct aula_response *response)
{
    return response ? response->rendering.response.is_filter : 0;
}
