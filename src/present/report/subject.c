/* SPDX-License-Identifier: MIT */
#include "present/report/subject.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <cjson/cJSON.h>

#include "base/file.h"
#include "base/text.h"
#include "io/json_beside.h"
#include "render/room_edges.h"
#include "room/grid/room_voxels.h"

void subject_free(struct subject *s)
{
    if (!s)
        return;
    recording_free(&s->recording);
    measured_findings_free(&s->findings);
    cJSON_Delete(s->json);
    if (s->room)
        s->room->receiver_count = s->receiver_count;
    room_free(s->room);
    room_measures_free(&s->space);
    voxel_set_free(s->voxels);
    ray_edges_free(&s->edges);
    free(s->channel);
    free(s->curves);
    free(s->warning);
    memset(s, 0, sizeof *s);
}

/* Whether the response is hybrid; free edges only matter to its rays. */
static bool is_hybrid(const struct subject *s)
{
    return cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(json_hybrid(s->json), "full"));
}

/* Size, space and free edges of the room on its grid. */
static int survey(struct subject *s, struct error *e)
{
    struct grid grid;
    struct room_voxels voxels;
    const struct grid_use use = grid_use_of_file(s->room);
    if (grid_make_for(&grid, s->room, &use, e))
        return -1;
    if (room_voxels_make(&voxels, &grid, s->room, e))
        return -1;
    memcpy(s->size, s->room->sized_by_points ? grid.size : s->room->size, sizeof s->size);
    s->box_volume = grid.size[0] * grid.size[1] * grid.size[2];
    memcpy(s->origin, grid.origin, sizeof s->origin);
    s->spacing = grid.spacing;
    int status = room_measures_make(&s->space, &voxels.report, e);
    s->voxels = voxels.set; /* kept */
    voxels.set = NULL;
    room_voxels_free(&voxels);
    if (!status && is_hybrid(s))
        status = room_edges_make(&s->edges, s->room, &grid, e);
    return status;
}

/* Keeps the receivers of this file: the one the JSON names, or all omnidirectional ones. The others move behind
 * receiver_count, and subject_free restores the count for room_free. */
static void keep_receivers(struct subject *s)
{
    const char *only = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(s->json, "receiver"));
    struct room *room = s->room;
    size_t kept = 0;
    for (size_t i = 0; i < room->receiver_count; i++) {
        const struct receiver r = room->receivers[i];
        if (only ? strcmp(r.name, only) != 0 : r.kind != RECEIVER_OMNI)
            continue;
        room->receivers[i] = room->receivers[kept]; /* swapped, so that room_free sees all of them */
        room->receivers[kept++] = r;
    }
    s->receiver_count = room->receiver_count;
    room->receiver_count = kept;
}

/* Reads the JSON of this file. A room in it that cannot be read becomes a warning, not an error. */
static int read_json(struct subject *s, struct error *e)
{
    struct error why = {ERROR_NONE, ""};
    char *path = path_with_suffix(s->path, ".json");
    int status = path ? json_beside(&s->json, NULL, s->path, s->recording.audio.checksum, e)
                      : fail(e, ERROR_MEMORY, "%s: out of memory", s->path);
    if (!status && s->json && (room_read(&s->room, path, NULL, 0, &why) || survey(s, &why))) {
        room_free(s->room);
        s->room = NULL;
        s->warning = why.code == ERROR_MEMORY
                         ? NULL
                         : text_format("cannot read the room in the JSON sidecar; the report omits it: %.*s",
                                       (int)strcspn(why.message, "\n"), why.message);
    }
    if (s->room)
        keep_receivers(s);
    if (!status && s->json && !s->room && !s->warning)
        status = fail(e, ERROR_MEMORY, "%s: out of memory", path);
    free(path);
    return status;
}

static int measure(struct subject *s, struct error *e)
{
    const struct audio *a = &s->recording.audio;
    struct metrics_settings settings = recording_settings(&s->recording);
    s->channel = calloc(a->channels, sizeof *s->channel);
    s->curves = calloc(a->channels * METRICS_BANDS * CURVE_POINTS, sizeof *s->curves);
    if (!s->channel || !s->curves)
        return fail(e, ERROR_MEMORY, "%s: out of memory", s->path);
    s->curve_step = (double)a->frames / a->rate / CURVE_POINTS;
    settings.curve_points = CURVE_POINTS;
    settings.curve_step = s->curve_step;
    settings.curves = s->curves;
    if (recording_measure(s->channel, &s->recording, &settings, s->path, e))
        return e->code == ERROR_STOPPED ? fail(e, ERROR_STOPPED, "stopped; nothing was written") : -1;
    for (size_t c = 0; c < a->channels; c++)
        s->peak = fmax(s->peak, s->channel[c].peak);
    return measured_findings_make(&s->findings, s->channel, a->channels, (double)a->frames / a->rate, e);
}

int subject_read(struct subject *s, const char *path, struct error *e)
{
    memset(s, 0, sizeof *s);
    s->path = path;
    s->name = path_name(path);
    if (recording_read(&s->recording, path, e))
        return -1;
    if ((s->recording.described && !s->recording.measured && read_json(s, e)) || measure(s, e)) {
        subject_free(s);
        return -1;
    }
    return 0;
}

const char *subject_channel_name(const struct subject *s, size_t channel, char text[128])
{
    if (s->recording.channel_name[channel])
        snprintf(text, 128, "%s", s->recording.channel_name[channel]);
    else
        snprintf(text, 128, "channel %zu", channel + 1);
    return text;
}

double subject_middle(const struct metrics *m, double (*of)(const struct metrics_band *))
{
    return 0.5 * (of(&m->band[3]) + of(&m->band[4]));
}

bool subject_doubtful(const struct subject *s)
{
    for (size_t c = 0; c < s->recording.audio.channels; c++)
        for (size_t b = 0; b < METRICS_OCTAVES; b++)
            if (doubts_of(&s->recording.doubts, &s->channel[c].band[b]))
                return true;
    return false;
}

double subject_distance(const struct subject *s, size_t channel)
{
    const struct room *room = s->room;
    if (!room || room->source_count != 1 || channel >= room_channel_count(room))
        return NAN;
    const double *from = room->sources[0].position, *to = receiver_place(room_receiver_of(room, channel), 0);
    return hypot(hypot(to[0] - from[0], to[1] - from[1]), to[2] - from[2]);
}
