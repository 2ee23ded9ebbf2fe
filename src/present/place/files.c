/* SPDX-License-Identifier: MIT */
/* The results as CSV, JSON and files of filters. */
#include <math.h>
#include <stdlib.h>

#include "base/acoustics/conventions.h"
#include "base/output_set.h"
#include "io/json_build.h"
#include "io/text_stream.h"
#include "present/place/files.h"

static void write_rows(FILE *stream, const struct place *place)
{
    const size_t subs = place->wish.search.subs;
    fputs("rank,pareto,spread,spread_of_seats,output", stream);
    for (size_t k = 1; k <= subs; k++)
        fprintf(stream, ",x%zu,y%zu,z%zu,delay%zu,gain%zu,inverted%zu", k, k, k, k, k, k);
    fputs(place->wish.facing < 0 ? "\n" : ",seat_x,seat_y,seat_z\n", stream);
    for (size_t i = 0; i < place->found.count; i++) {
        const struct place_set *set = &place->found.sets[i];
        fprintf(stream, "%zu,%d,%.6f,%.6f,%.6f", i + 1, place->found.pareto[i], set->score.spread, set->score.seats,
                set->score.output);
        for (size_t k = 0; k < subs; k++) {
            const double *at = place->candidates.at[set->candidate[k]];
            fprintf(stream, ",%.9g,%.9g,%.9g,%.9g,%.9g,%d", at[0], at[1], at[2], place_delay(place, set, k),
                    place_gain(place, set, k), set->setting[k].inverted);
        }
        if (place->wish.facing >= 0)
            for (int axis = 0; axis < 3; axis++)
                fprintf(stream, ",%.9g", place->listeners.at[set->seat][axis]);
        fputc('\n', stream);
    }
}

static int add_csv(struct output_set *set, const struct place *place, const char *path, struct error *e)
{
    struct text_stream page;
    FILE *stream = text_stream_open(&page);
    if (!stream)
        return fail(e, ERROR_MEMORY, "out of memory");
    write_rows(stream, place);
    char *text = text_stream_close(&page, NULL);
    const int status = text ? output_set_text(set, path, text, e) : fail(e, ERROR_MEMORY, "out of memory");
    free(text);
    return status;
}

static int add_picture(struct output_set *set, const struct place *place, const struct room *room, const char *path,
                       struct error *e)
{
    struct text_stream page;
    FILE *stream = text_stream_open(&page);
    if (!stream)
        return fail(e, ERROR_MEMORY, "out of memory");
    int status = place_picture(stream, place, room, e);
    char *text = text_stream_close(&page, NULL);
    if (!status)
        status = text ? output_set_text(set, path, text, e) : fail(e, ERROR_MEMORY, "out of memory");
    free(text);
    return status;
}

static int add_equaliser(struct output_set *set, const struct place *place, const struct place_files *files,
                         struct error *e)
{
    char *text = equaliser_text(&place->equaliser, files->format);
    const int status = text ? output_set_text(set, files->equaliser, text, e) : fail(e, ERROR_MEMORY, "out of memory");
    free(text);
    return status;
}

int place_write(const struct place *place, const struct room *room, const struct place_files *files, struct error *e)
{
    struct output_set set = {.no_clobber = files->no_clobber};
    int status = files->picture ? add_picture(&set, place, room, files->picture, e) : 0;
    if (!status && files->csv)
        status = add_csv(&set, place, files->csv, e);
    if (!status && files->equaliser)
        status = add_equaliser(&set, place, files, e);
    if (!status)
        status = output_set_commit(&set, e);
    output_set_discard(&set);
    return status;
}

static cJSON *set_json(const struct place *place, const struct place_set *set)
{
    cJSON *json = cJSON_CreateObject();
    cJSON_AddNumberToObject(json, "spread", set->score.spread);
    cJSON_AddNumberToObject(json, "spread_of_seats", set->score.seats);
    cJSON_AddNumberToObject(json, "output", set->score.output);
    if (place->wish.facing >= 0)
        cJSON_AddStringToObject(json, "seat", place->listeners.name[set->seat]);
    cJSON *subs = cJSON_AddArrayToObject(json, "subs");
    for (size_t k = 0; k < set->count; k++) {
        cJSON *sub = cJSON_CreateObject();
        cJSON_AddStringToObject(sub, "name", place->candidates.name[set->candidate[k]]);
        cJSON_AddItemToObject(sub, "position", cJSON_CreateDoubleArray(place->candidates.at[set->candidate[k]], 3));
        cJSON_AddNumberToObject(sub, "delay", 1e-3 * place_delay(place, set, k));
        cJSON_AddNumberToObject(sub, "gain", place_gain(place, set, k));
        cJSON_AddBoolToObject(sub, "inverted", set->setting[k].inverted);
        cJSON_AddItemToArray(subs, sub);
    }
    return json;
}

static void add_points(cJSON *json, const char *key, const struct place_points *points, const double *least)
{
    cJSON *list = cJSON_AddArrayToObject(json, key);
    for (size_t i = 0; i < points->count; i++) {
        cJSON *point = cJSON_CreateObject();
        cJSON_AddStringToObject(point, "name", points->name[i]);
        cJSON_AddItemToObject(point, "position", cJSON_CreateDoubleArray(points->at[i], 3));
        if (least)
            cJSON_AddNumberToObject(point, "least_spread", least[i]);
        cJSON_AddItemToArray(list, point);
    }
}

static void add_winner(cJSON *json, const struct place *place)
{
    const size_t bands = place->bands.count;
    cJSON *winner = set_json(place, &place->winner);
    cJSON_AddNumberToObject(winner, "direct_difference", place->difference);
    cJSON_AddItemToObject(winner, "frequency", cJSON_CreateDoubleArray(place->bands.centre, (int)bands));
    cJSON *levels = cJSON_AddArrayToObject(winner, "levels");
    for (size_t s = 0; s < place->seats.count; s++)
        cJSON_AddItemToArray(levels, cJSON_CreateDoubleArray(place->levels + s * bands, (int)bands));
    cJSON_AddItemToObject(winner, "mean", cJSON_CreateDoubleArray(place->mean, (int)bands));
    cJSON_AddItemToObject(json, "winner", winner);
}

static void add_equaliser_json(cJSON *json, const struct equaliser *q)
{
    cJSON *equaliser = cJSON_AddObjectToObject(json, "equaliser");
    cJSON_AddNumberToObject(equaliser, "preamp", q->preamp);
    cJSON_AddNumberToObject(equaliser, "target", q->target);
    cJSON *filters = cJSON_AddArrayToObject(equaliser, "filters");
    for (size_t i = 0; i < q->count; i++) {
        cJSON *filter = cJSON_CreateObject();
        cJSON_AddNumberToObject(filter, "frequency", q->filter[i].frequency);
        cJSON_AddNumberToObject(filter, "gain", q->filter[i].gain);
        cJSON_AddNumberToObject(filter, "q", q->filter[i].q);
        cJSON_AddItemToArray(filters, filter);
    }
}

static void add_walls(cJSON *json, const struct place *place, const struct room *room)
{
    const struct wall_areas *walls = &place->walls;
    cJSON *list = cJSON_AddArrayToObject(json, "walls");
    for (size_t i = 0; i < walls->count; i++) {
        const struct wall_area *area = &walls->area[i];
        cJSON *item = cJSON_CreateObject();
        cJSON_AddStringToObject(item, "wall", face_names[area->wall]);
        cJSON_AddStringToObject(item, "material", room->materials[area->material].name);
        cJSON_AddItemToObject(item, "centre", cJSON_CreateDoubleArray(area->centre, 3));
        cJSON_AddNumberToObject(item, "area", area->area);
        cJSON_AddNumberToObject(item, "change", area->change);
        cJSON_AddNumberToObject(item, "strongest", place->bands.centre[area->band]);
        cJSON_AddNumberToObject(item, "density", area->density);
        cJSON_AddItemToArray(list, item);
    }
}

cJSON *place_json(const struct place *place, const struct room *room)
{
    cJSON *json = cJSON_CreateObject();
    const double band[2] = {place->wish.low, place->wish.high};
    cJSON_AddStringToObject(json, "room", room->path);
    cJSON_AddItemToObject(json, "band", cJSON_CreateDoubleArray(band, 2));
    cJSON_AddNumberToObject(json, "spacing", place->spacing);
    cJSON_AddNumberToObject(json, "duration", place->seconds);
    cJSON_AddNumberToObject(json, "scored", (double)place->found.scored);
    cJSON_AddBoolToObject(json, "exhaustive", place->found.exhaustive);
    add_points(json, "seats", place->wish.facing < 0 ? &place->seats : &place->listeners, NULL);
    add_points(json, "candidates", &place->candidates, place->found.least);
    cJSON *pareto = cJSON_AddArrayToObject(json, "pareto");
    for (size_t i = 0; i < place->found.count; i++)
        if (place->found.pareto[i])
            cJSON_AddItemToArray(pareto, set_json(place, &place->found.sets[i]));
    add_winner(json, place);
    add_equaliser_json(json, &place->equaliser);
    if (place->wish.walls)
        add_walls(json, place, room);
    return json;
}
