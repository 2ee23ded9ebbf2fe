/* SPDX-License-Identifier: MIT */
/* Lists the input files of a room: room file, score, model, sounds and directivities of sources,
 * HRTFs. */
#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "room/room.h"

const char *room_input_at(const struct room *room, const char *path, bool renewable, char text[ROOM_INPUT])
{
    if (same_file(path, room->path) && !(renewable && room->from_sidecar))
        return "the room file itself";
    if (room->score_file && same_file(path, room->score_file))
        return "the score";
    if (room->geometry.file && same_file(path, room->geometry.file))
        return "the model of the room";
    for (size_t i = 0; i < room->source_count; i++)
        if (room->sources[i].file && same_file(path, room->sources[i].file)) {
            snprintf(text, ROOM_INPUT, "the sound file of source %s", room->sources[i].name);
            return text;
        }
    for (size_t i = 0; i < room->source_count; i++)
        if (room->sources[i].pattern && same_file(path, room->sources[i].pattern)) {
            snprintf(text, ROOM_INPUT, "the directivity of source %s", room->sources[i].name);
            return text;
        }
    for (size_t i = 0; i < room->receiver_count; i++)
        if (room->receivers[i].hrtf && same_file(path, room->receivers[i].hrtf)) {
            snprintf(text, ROOM_INPUT, "the HRTFs of receiver %s", room->receivers[i].name);
            return text;
        }
    return NULL;
}

/* Names in the order of the room; `wanted` counts down. */
static bool is_wanted(const char *path, size_t *wanted)
{
    return path && (*wanted)-- == 0;
}

const char *room_input(const struct room *room, size_t index)
{
    if (is_wanted(room->score_file, &index))
        return room->score_file;
    if (is_wanted(room->geometry.file, &index))
        return room->geometry.file;
    for (size_t i = 0; i < room->source_count; i++) {
        if (is_wanted(room->sources[i].file, &index))
            return room->sources[i].file;
        if (is_wanted(room->sources[i].pattern, &index))
            return room->sources[i].pattern;
    }
    for (size_t i = 0; i < room->receiver_count; i++)
        if (is_wanted(room->receivers[i].hrtf, &index))
            return room->receivers[i].hrtf;
    return NULL;
}

const char *room_dependency(const struct room *room, size_t index)
{
    for (size_t i = 0; i < room->file_count; i++)
        if (is_wanted(strcmp(room->files[i], room->path) ? room->files[i] : NULL, &index))
            return room->files[i];
    for (size_t i = 0; i < room->material_count; i++)
        for (size_t k = 0; k < room->materials[i].layer_count; k++)
            if (is_wanted(room->materials[i].layers[k].file, &index))
                return room->materials[i].layers[k].file;
    return room_input(room, index);
}
