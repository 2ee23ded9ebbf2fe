/* SPDX-License-Identifier: MIT */
#include "app/preview_stages.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/file.h"
#include "base/output_set.h"
#include "base/stop.h"
#include "base/text.h"
#include "io/audio_file.h"
#include "io/json_build.h"
#include "io/sound_pair.h"
#include "render/write.h"

struct folder {
    const char *path;
    size_t stage; /* from 1 */
    double seconds;
};

/* The sound alone: image sources and rays have no grid to describe. */
static int write_sound(struct output_set *set, const struct response_file *file, const struct sound_names *names,
                       struct error *e)
{
    const struct response *r = &file->rendering.response;
    const struct audio audio = {.samples = r->samples, .channels = r->channels, .frames = r->frames, .rate = r->rate};
    const struct audio_description described = {.format = FORMAT_FLOAT};
    const struct sound_names alone = {.sound = names->sound};
    struct output_file *pair[2];
    return sound_pair_add(pair, set, &alone, e) || audio_write_to(pair[0], &audio, &described, NULL, e) ? -1 : 0;
}

/* Its receivers, and the order of an ambisonic one. */
static void describe_file(cJSON *files, const char *name, const struct room *room)
{
    cJSON *file = cJSON_CreateObject(), *receivers = cJSON_AddArrayToObject(file, "receivers");
    cJSON_AddStringToObject(file, "name", name);
    for (size_t i = 0; i < room->receiver_count; i++)
        cJSON_AddItemToArray(receivers, cJSON_CreateString(room->receivers[i].name));
    if (room->receiver_count == 1 && room->receivers[0].kind == RECEIVER_AMBISONIC)
        cJSON_AddNumberToObject(file, "order", (double)room->receivers[0].order);
    cJSON_AddItemToArray(files, file);
}

static int add_file(struct output_set *set, cJSON *files, const struct folder *folder, const struct stage_response *s,
                    size_t index, struct error *e)
{
    const struct room *room = s->model->room;
    const struct receiver *only = room_file_receiver(room, index);
    struct response_file file;
    struct audio_written written;
    if (response_file_make(&file, s->rendering, s->model, index, e))
        return -1;
    char *stem = text_format("%s/stage_%zu%s%s", folder->path, folder->stage, only ? "_" : "", only ? only->name : "");
    struct sound_names names = {stem ? text_format("%s.wav", stem) : NULL, stem ? text_format("%s.json", stem) : NULL};
    int status = names.sound && names.json ? 0 : fail(e, ERROR_MEMORY, "out of memory");
    if (!status)
        status = s->waves ? rendering_write(set, &file.rendering, &file.model, &names, 1.0, room_file_count(room),
                                            &written, NULL, e)
                          : write_sound(set, &file, &names, e);
    if (!status)
        describe_file(files, path_name(names.sound), &file.room);
    sound_names_free(&names);
    free(stem);
    response_file_free(&file);
    return status;
}

static int print_line(const struct folder *folder, const struct stage_response *s, cJSON *files, struct error *e)
{
    cJSON *json = cJSON_CreateObject();
    cJSON_AddNumberToObject(json, "stage", (double)folder->stage);
    cJSON_AddItemToObject(json, "files", files);
    if (s->waves)
        cJSON_AddNumberToObject(json, "wave_solver_to", s->valid_frequency);
    else
        cJSON_AddNullToObject(json, "wave_solver_to");
    cJSON_AddNumberToObject(json, "valid_to", s->band);
    cJSON_AddNumberToObject(json, "gain", s->gain);
    char *line = json_line(json);
    if (!line)
        return fail(e, ERROR_MEMORY, "out of memory");
    printf("%s\n", line);
    fflush(stdout);
    free(line);
    return 0;
}

static int take(void *context, const struct stage_response *s, struct error *e)
{
    struct folder *folder = context;
    struct output_set set = {.no_clobber = false};
    cJSON *files = cJSON_CreateArray();
    int status = 0;
    folder->stage++;
    for (size_t f = 0; f < room_file_count(s->model->room) && !status; f++)
        status = add_file(&set, files, folder, s, f, e);
    if (status) {
        output_set_discard(&set);
        cJSON_Delete(files);
        return -1;
    }
    if (output_set_commit(&set, e)) {
        cJSON_Delete(files);
        return -1;
    }
    return print_line(folder, s, files, e);
}

static bool goes_on(void *context, size_t done, size_t total, double points_per_second)
{
    (void)context, (void)done, (void)total, (void)points_per_second;
    return !stop_requested();
}

int preview_stages(struct stages *s, const char *folder, double first, struct error *e)
{
    const struct watch watch = {.look = goes_on};
    struct folder to = {.path = folder};
    struct stage stage;
    if (mkdir(folder, 0777) && errno != EEXIST)
        return fail(e, ERROR_OUTPUT, "%s: cannot make the folder: %s", folder, strerror(errno));
    s->taker = (struct stage_taker){take, &to};
    if (stages_first(&stage, s, e) && e->code != ERROR_INPUT) /* a room too small for a coarse grid has no such stage */
        return -1;
    if (stages_plan(s, first, e))
        return -1;
    for (size_t i = 0; i + 1 < s->count; i++)
        if (stages_render(&stage, s, i, &watch, e))
            return -1;
    return 0;
}
