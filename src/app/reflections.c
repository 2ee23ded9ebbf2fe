/* SPDX-License-Identifier: MIT */
/* aula info --reflections as tables and as JSON. */
#include "app/reflections.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "app/progress.h"
#include "app/say.h"
#include "app/shipped.h"
#include "app/source.h"
#include "base/sanitize_text.h"
#include "base/threads.h"
#include "io/json_build.h"
#include "render/early_reflections.h"

/* A source at a receiver. */
struct pair {
    size_t source, receiver;
    struct early_reflections reflections;
};

struct list {
    struct room *room;
    struct model *model;
    struct image_room images;
    struct pair *pairs; /* [count], by source, then by receiver */
    size_t count;
};

static void list_free(struct list *l)
{
    for (size_t i = 0; i < l->count; i++)
        early_reflections_free(&l->pairs[i].reflections);
    free(l->pairs);
    image_room_free(&l->images);
    model_free(l->model);
    room_free(l->room);
}

static int choose_pairs(struct list *l, const char *source, const char *receiver, struct error *e)
{
    const struct room *room = l->room;
    size_t first[2] = {0, 0}, count[2] = {room->source_count, room->receiver_count};
    if (!count[0] || !count[1])
        return fail(e, ERROR_INPUT, "%s: the room has no %s; add `%s`", room->path, !count[0] ? "source" : "receiver",
                    !count[0] ? "sources" : "receivers");
    if ((source && find_source(room, source, &first[0], e)) ||
        (receiver && find_receiver(room, receiver, &first[1], e)))
        return -1;
    for (int i = 0; i < 2; i++)
        count[i] = (i ? receiver : source) ? 1 : count[i];
    l->pairs = calloc(count[0] * count[1], sizeof *l->pairs);
    if (!l->pairs)
        return fail(e, ERROR_MEMORY, "out of memory");
    for (size_t i = 0; i < count[0]; i++)
        for (size_t k = 0; k < count[1]; k++)
            l->pairs[l->count++] = (struct pair){.source = first[0] + i, .receiver = first[1] + k};
    return 0;
}

static int list_make(struct list *l, struct error *e)
{
    const struct grid_use use = grid_use_of_file(l->room);
    if (model_make_for(&l->model, l->room, &use, e) ||
        image_room_make(&l->images, l->model, IMAGE_RAYS, IMAGE_TRIES, e))
        return -1;
    for (size_t i = 0; i < l->count; i++)
        if (early_reflections_find(&l->pairs[i].reflections, &l->images, l->model, l->pairs[i].source,
                                   l->pairs[i].receiver, e))
            return -1;
    return 0;
}

/* ---- Tables */

static void print_reflection(const struct list *l, const struct early_reflection *one)
{
    printf("%9.2f", 1e3 * one->time);
    if (isfinite(one->level))
        printf("%11.1f", one->level);
    else
        printf("%11s", "-");
    printf("%7zu  ", one->order);
    for (size_t i = 0; i < one->order; i++)
        printf("%s%s", i ? ", " : "", sanitize_name(l->room->materials[one->materials[i]].name));
    putchar('\n');
}

static void print_pair(const struct list *l, const struct pair *pair)
{
    const struct early_reflections *r = &pair->reflections;
    printf("source %s, ", sanitize_name(l->room->sources[pair->source].name));
    printf("receiver %s: direct sound after %.2f ms, %.2f m%s\n\n",
           sanitize_name(l->room->receivers[pair->receiver].name), 1e3 * r->arrival, r->distance,
           r->blocked ? ", blocked" : "");
    if (!r->count) {
        printf("no reflection of up to order %zu within %g ms\n", l->images.order, 1e3 * early_reflections_window);
        return;
    }
    printf("%9s%11s%7s  %s\n", "time, ms", "level, dB", "order", "materials");
    for (size_t i = 0; i < r->count; i++)
        print_reflection(l, &r->list[i]);
    if (r->found > r->count)
        printf("the first %zu of %zu\n", r->count, r->found);
}

static void print_list(const struct list *l)
{
    printf("%s: image sources of up to order %zu, up to %g ms after the direct sound; time and level re the "
           "direct sound, octaves 125 Hz to 4 kHz\n",
           sanitize_name(l->room->path), l->images.order, 1e3 * early_reflections_window);
    for (size_t i = 0; i < l->count; i++) {
        putchar('\n');
        print_pair(l, &l->pairs[i]);
    }
}

/* ---- JSON */

static void add_names(cJSON *json, const struct list *l, const struct pair *pair)
{
    cJSON_AddStringToObject(json, "source", l->room->sources[pair->source].name);
    cJSON_AddStringToObject(json, "receiver", l->room->receivers[pair->receiver].name);
}

static cJSON *pair_json(const struct list *l, const struct pair *pair)
{
    const struct early_reflections *r = &pair->reflections;
    cJSON *json = cJSON_CreateObject();
    add_names(json, l, pair);
    cJSON_AddNumberToObject(json, "distance", r->distance);
    cJSON_AddNumberToObject(json, "arrival", r->arrival);
    cJSON_AddBoolToObject(json, "blocked", r->blocked);
    cJSON_AddNumberToObject(json, "found", (double)r->found);
    cJSON_AddNumberToObject(json, "listed", (double)r->count);
    return json;
}

static cJSON *reflection_json(const struct list *l, const struct pair *pair, const struct early_reflection *one)
{
    cJSON *json = cJSON_CreateObject();
    add_names(json, l, pair);
    cJSON_AddNumberToObject(json, "time", one->time);
    cJSON_AddItemToObject(json, "level", isfinite(one->level) ? cJSON_CreateNumber(one->level) : cJSON_CreateNull());
    cJSON_AddNumberToObject(json, "order", (double)one->order);
    cJSON *points = cJSON_AddArrayToObject(json, "points"), *materials = cJSON_AddArrayToObject(json, "materials");
    for (size_t i = 0; i < one->order + 2; i++)
        cJSON_AddItemToArray(points, cJSON_CreateDoubleArray(one->points[i], 3));
    for (size_t i = 0; i < one->order; i++)
        cJSON_AddItemToArray(materials, cJSON_CreateString(l->room->materials[one->materials[i]].name));
    return json;
}

static int print_json(const struct list *l, struct error *e)
{
    cJSON *json = cJSON_CreateObject();
    cJSON_AddStringToObject(json, "room", l->room->path);
    cJSON_AddNumberToObject(json, "sound_speed", l->images.sound_speed);
    cJSON_AddNumberToObject(json, "order", (double)l->images.order);
    cJSON_AddNumberToObject(json, "window", early_reflections_window);
    cJSON *direct = cJSON_AddArrayToObject(json, "direct"), *array = cJSON_AddArrayToObject(json, "reflections");
    for (size_t i = 0; i < l->count; i++) {
        const struct early_reflections *r = &l->pairs[i].reflections;
        cJSON_AddItemToArray(direct, pair_json(l, &l->pairs[i]));
        for (size_t k = 0; k < r->count; k++)
            cJSON_AddItemToArray(array, reflection_json(l, &l->pairs[i], &r->list[k]));
    }
    return json_print(json, e);
}

int show_reflections(const struct common_options *o, const char *source, const char *receiver, int threads,
                     struct error *e)
{
    struct list l = {.room = NULL};
    const int before = threads_limit(threads);
    setup_watch_start(o->arguments[0], o->quiet);
    int status =
        read_named_room(&l.room, o, NULL, e) || choose_pairs(&l, source, receiver, e) || list_make(&l, e) ? -1 : 0;
    setup_watch_stop();
    if (!status && o->json)
        status = print_json(&l, e);
    else if (!status)
        print_list(&l);
    if (!status)
        say_lines("warning", l.model->warnings, l.model->warning_count);
    list_free(&l);
    threads_limit(before);
    return status;
}
