/* The C interface: the stages behind opaque handles. */
#include "aula.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "render/render.h"

struct aula_room {
    struct room *room;
    struct model *model;
};

struct aula_response {
    struct rendering rendering;
};

static int pass_on(struct aula_error *error, const struct error *e)
{
    if (error) {
        error->exit_status = error_exit_status(e->code);
        snprintf(error->message, sizeof error->message, "%s", e->message);
    }
    return -1;
}

const char *aula_version(void)
{
    return AULA_VERSION;
}

int aula_room_open(struct aula_room **out, const char *path, const char *const *settings, size_t setting_count,
                   struct aula_error *error)
{
    struct error e;
    struct aula_room *room = calloc(1, sizeof *room);
    *out = NULL;
    if (!room) {
        fail(&e, ERROR_MEMORY, "out of memory");
        return pass_on(error, &e);
    }
    if (room_read(&room->room, path, settings, setting_count, &e) || model_make(&room->model, room->room, &e)) {
        aula_room_close(room);
        return pass_on(error, &e);
    }
    *out = room;
    return 0;
}

void aula_room_close(struct aula_room *room)
{
    if (!room)
        return;
    model_free(room->model);
    room_free(room->room);
    free(room);
}

void aula_room_grid(const struct aula_room *room, struct aula_grid *grid)
{
    const struct grid *g = &room->model->grid;
    *grid = (struct aula_grid){
        .spacing = g->spacing, .rate = g->rate, .sound_speed = g->sound_speed, .valid_frequency = g->valid_frequency};
    memcpy(grid->points, g->points, sizeof grid->points);
    memcpy(grid->size, g->size, sizeof grid->size);
}

size_t aula_room_source_count(const struct aula_room *room)
{
    return room->room->source_count;
}

size_t aula_room_receiver_count(const struct aula_room *room)
{
    return room->room->receiver_count;
}

const char *aula_room_source_name(const struct aula_room *room, size_t source)
{
    return source < room->room->source_count ? room->room->sources[source].name : NULL;
}

const char *aula_room_receiver_name(const struct aula_room *room, size_t receiver)
{
    return receiver < room->room->receiver_count ? room->room->receivers[receiver].name : NULL;
}

const char *aula_room_remark(const struct aula_room *room, size_t index)
{
    const struct model *m = room->model;
    if (index < m->note_count)
        return m->notes[index];
    index -= m->note_count;
    return index < m->warning_count ? m->warnings[index] : NULL;
}

static bool look(void *context, size_t done, size_t steps, double points_per_second)
{
    const struct aula_options *options = context;
    (void)points_per_second;
    return !options->progress || !options->progress(options->context, (double)done / (double)steps);
}

int aula_render(struct aula_response **out, const struct aula_room *room, size_t source,
                const struct aula_options *options, struct aula_error *error)
{
    struct error e;
    struct aula_options given = {0};
    *out = NULL;
    if (options)
        given = *options;
    if (source >= room->room->source_count) {
        fail(&e, ERROR_USAGE, "source %zu: the room has %zu, counted from 0", source, room->room->source_count);
        return pass_on(error, &e);
    }
    struct aula_response *response = calloc(1, sizeof *response);
    if (!response) {
        fail(&e, ERROR_MEMORY, "out of memory");
        return pass_on(error, &e);
    }
    const struct choice choice = {.engine = given.engine, .threads = given.threads};
    const struct watch watch = {look, &given};
    if (render_sources(&response->rendering, room->model, source, 1, &choice, &watch, &e)) {
        free(response);
        return pass_on(error, &e);
    }
    *out = response;
    return 0;
}

void aula_response_close(struct aula_response *response)
{
    if (!response)
        return;
    rendering_free(&response->rendering);
    free(response);
}

const char *aula_response_warning(const struct aula_response *response, size_t index)
{
    return index < response->rendering.warning_count ? response->rendering.warnings[index] : NULL;
}

size_t aula_response_channels(const struct aula_response *response)
{
    return response->rendering.response.channels;
}

size_t aula_response_frames(const struct aula_response *response)
{
    return response->rendering.response.frames;
}

double aula_response_rate(const struct aula_response *response)
{
    return response->rendering.response.rate;
}

const double *aula_response_samples(const struct aula_response *response, size_t channel)
{
    const struct response *r = &response->rendering.response;
    return channel < r->channels ? r->samples + channel * r->frames : NULL;
}

int aula_response_is_filter(const struct aula_response *response)
{
    return response->rendering.response.is_filter;
}
