/* SPDX-License-Identifier: MIT */
#include "render/batch/room_files.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"
#include "io/json_build.h"
#include "render/batch/folder.h"
#include "render/sofa_response.h"
#include "render/write.h"

char *room_stem(size_t room)
{
    enum { OF_A_FOLDER = 1000 };
    return text_format("rooms/%04zu/room_%07zu", room / OF_A_FOLDER, room);
}

/* "STEM_SOURCE_RECEIVER.wav", with only the parts that distinguish the files of the room. */
static char *name_of(const char *stem, const char *source, const struct receiver *only, const char *suffix)
{
    return text_format("%s%s%s%s%s%s", stem, source ? "_" : "", source ? source : "", only ? "_" : "",
                       only ? only->name : "", suffix);
}

/* Refuses two sounds of equal name. */
static int check_names(const struct room *room, struct error *e)
{
    const size_t files = room_file_count(room), count = room->source_count * files;
    struct sound_names *names = calloc(count + 1, sizeof *names);
    int status = names ? 0 : fail(e, ERROR_MEMORY, "out of memory");
    for (size_t i = 0; i < count && !status; i++) {
        const char *source = room->source_count > 1 ? room->sources[i / files].name : NULL;
        names[i].sound = name_of("room", source, room_file_receiver(room, i % files), ".wav");
        status = names[i].sound ? 0 : fail(e, ERROR_MEMORY, "out of memory");
    }
    status = status || file_names_differ(room, 0, names, count, NULL, 0, e) ? -1 : 0;
    if (status && e->code == ERROR_USAGE)
        e->code = ERROR_INPUT; /* the error concerns this room only */
    for (size_t i = 0; i < count && names; i++)
        sound_names_free(&names[i]);
    free(names);
    return status;
}

int room_files_check(const struct room_task *task, struct room *room, const struct model *m, struct error *e)
{
    const double rate = model_output_rate(m);
    if (task->plan->files == PLAN_SOFA)
        for (size_t i = 0; i < room->source_count; i++)
            if (!signal_gives_response(room->sources[i].signal))
                return fail(e, ERROR_INPUT,
                            "source %s plays a signal, but SOFA files contain impulse responses; use output.files = "
                            "\"wav\" in the plan",
                            room->sources[i].name);
    if (task->plan->files != PLAN_SOFA && check_names(room, e))
        return -1;
    return audio_format_settle(&room->output.format, false, "room.wav", room_channel_count(room), rate, e);
}

/* One gain for all files of the room. */
static double gain_of(const struct room *room, const struct rendering *renderings)
{
    double peak = 0.0;
    if (room->output.normalise == NORMALISE_NONE)
        return 1.0;
    for (size_t i = 0; i < room->source_count; i++)
        peak = fmax(peak, response_peak(&renderings[i].response));
    return peak > 0.0 ? 1.0 / peak : 1.0;
}

/* Context of the files of one room. */
struct writing {
    const struct room_task *task;
    const struct model *model;
    struct rendering *renderings;
    cJSON *list;
    double gain;
    char *stem; /* relative to the folder */
    struct output_set set;
};

/* Describes the content of a file; the checksum follows once it is written. */
static int describe(const struct writing *w, const char *name, const char *source, const struct receiver *only,
                    const struct response_file *part, struct error *e)
{
    char channel[CHANNEL_NAME];
    cJSON *json = cJSON_CreateObject();
    cJSON_AddStringToObject(json, "file", name);
    if (source)
        cJSON_AddStringToObject(json, "source", source);
    if (only)
        cJSON_AddStringToObject(json, "receiver", only->name);
    cJSON *channels = cJSON_AddArrayToObject(json, "channels");
    for (size_t c = 0; c < part->rendering.response.channels; c++)
        cJSON_AddItemToArray(channels, cJSON_CreateString(room_channel_name(&part->room, c, channel)));
    return cJSON_AddItemToArray(w->list, json) ? 0 : fail(e, ERROR_MEMORY, "out of memory");
}

static int add_checksum(const struct writing *w, cJSON *file, struct error *e)
{
    uint64_t bytes;
    char text[CHECKSUM_TEXT];
    const char *name = cJSON_GetStringValue(cJSON_GetObjectItem(file, "file"));
    if (!name)
        return fail(e, ERROR_MEMORY, "out of memory");
    if (!inside_look(w->task->folder, name, &bytes, text, e)) /* it exists, as it has just been written */
        return e->code == ERROR_STOPPED ? -1 : fail(e, ERROR_OUTPUT, "%s/%s: cannot read back", w->task->folder, name);
    cJSON_AddNumberToObject(file, "bytes", (double)bytes);
    return cJSON_AddStringToObject(file, "checksum", text) ? 0 : fail(e, ERROR_MEMORY, "out of memory");
}

static int write_sound(struct writing *w, size_t source, size_t file, struct error *e)
{
    const struct room *room = w->model->room;
    const char *name_in_file = room->source_count > 1 ? room->sources[source].name : NULL;
    const struct receiver *only = room_file_receiver(room, file);
    struct response_file part;
    struct audio_written written;
    if (response_file_make(&part, &w->renderings[source], w->model, file, e))
        return -1;
    char *name = name_of(w->stem, name_in_file, only, ".wav"), *beside = name_of(w->stem, name_in_file, only, ".json");
    struct sound_names names = {text_format("%s/%s", w->task->folder, name ? name : ""),
                                text_format("%s/%s", w->task->folder, beside ? beside : "")};
    int status = name && beside && names.sound && names.json ? 0 : fail(e, ERROR_MEMORY, "out of memory");
    status = status || sound_pair_check_json(names.json, e) ||
             rendering_write(&w->set, &part.rendering, &part.model, &names, w->gain,
                             room->source_count * room_file_count(room), &written, NULL, e) ||
             describe(w, name, room->sources[source].name, only, &part, e);
    sound_names_free(&names);
    free(name);
    free(beside);
    response_file_free(&part);
    return status ? -1 : 0;
}

static int write_sounds(struct writing *w, struct error *e)
{
    const size_t files = room_file_count(w->model->room);
    for (size_t i = 0; i < w->model->room->source_count * files; i++)
        if (write_sound(w, i / files, i % files, e))
            return -1;
    return 0;
}

static int write_sofa(struct writing *w, size_t file, struct error *e)
{
    const struct room *room = w->model->room;
    const struct receiver *only = room_file_receiver(room, file);
    struct response_file *parts = calloc(room->source_count + 1, sizeof *parts);
    char *name = name_of(w->stem, NULL, only, ".sofa"), *path = text_format("%s/%s", w->task->folder, name ? name : "");
    int status = parts && name && path ? 0 : fail(e, ERROR_MEMORY, "out of memory");
    size_t made = 0;
    while (!status && made < room->source_count &&
           !(status = response_file_make(&parts[made], &w->renderings[made], w->model, file, e)))
        made++;
    if (!status)
        status = sofa_response_write(&w->set, path, parts, room->source_count, w->gain, e) ||
                 describe(w, name, NULL, only, &parts[0], e);
    while (made)
        response_file_free(&parts[--made]);
    free(parts);
    free(name);
    free(path);
    return status ? -1 : 0;
}

/* SOFA files do not support velocities. */
static int write_sofas(struct writing *w, struct error *e)
{
    for (size_t f = 0; f < room_file_count(w->model->room); f++) {
        const struct receiver *only = room_file_receiver(w->model->room, f);
        if (!(only && only->kind == RECEIVER_VELOCITY) && write_sofa(w, f, e))
            return -1;
    }
    return 0;
}

int room_files_write(cJSON *list, const struct room_task *task, size_t room, const struct model *m,
                     struct rendering *renderings, struct error *e)
{
    struct writing w = {.task = task,
                        .model = m,
                        .renderings = renderings,
                        .list = list,
                        .gain = gain_of(m->room, renderings),
                        .stem = room_stem(room)};
    const int folder = w.stem ? inside_make(task->folder, w.stem, e) : fail(e, ERROR_MEMORY, "out of memory");
    int status = folder < 0 ? -1 : 0;
    w.set.folder = &folder;
    if (!status)
        status = task->plan->files == PLAN_SOFA ? write_sofas(&w, e) : write_sounds(&w, e);
    if (!status)
        status = output_set_commit(&w.set, e);
    output_set_discard(&w.set);
    cJSON *file;
    cJSON_ArrayForEach(file, list)
    {
        if (!status)
            status = add_checksum(&w, file, e);
    }
    if (folder >= 0)
        close(folder);
    free(w.stem);
    return status ? -1 : 0;
}
