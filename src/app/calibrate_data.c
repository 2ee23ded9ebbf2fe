/* SPDX-License-Identifier: MIT */
/* The measured files of aula calibrate, and the receivers that they belong to. */
#include <stdlib.h>
#include <string.h>

#include "app/calibrate.h"
#include "app/metrics.h"
#include "app/say.h"
#include "base/text.h"

int calibrate_find_receiver(size_t *index, const struct room *room, const char *name, const char *option,
                            struct error *e)
{
    char hint[HINT], safe[QUOTED];
    const char **names = calloc(room->receiver_count + 1, sizeof *names);
    if (!names)
        return fail(e, ERROR_MEMORY, "out of memory");
    for (size_t i = 0; i < room->receiver_count; i++)
        names[i] = room->receivers[i].name;
    for (*index = 0; *index < room->receiver_count && strcmp(names[*index], name) != 0;)
        ++*index;
    int status = 0;
    if (*index == room->receiver_count)
        status = fail(e, ERROR_USAGE, "%s %s: %s has no such receiver%s (aula info %s lists them)", option,
                      quoted(safe, name), room->path, text_hint(hint, name, names, room->receiver_count), room->path);
    free(names);
    return status;
}

/* By the names of the channels, else in the order of the receivers. */
static int assign(struct calibrate_data *d, const struct room *room, const char *path, const struct recording *r,
                  const struct metrics *metrics, struct error *e)
{
    const size_t channels = r->audio.channels, before = d->count;
    for (size_t c = 0; c < channels; c++)
        for (size_t i = 0; i < room->receiver_count && r->channel_name && r->channel_name[c]; i++)
            if (!strcmp(r->channel_name[c], room->receivers[i].name) &&
                calibrate_data_add(d, room, i, path, c, &metrics[c], e))
                return -1;
    if (d->count > before)
        return 0;
    if (channels != room->receiver_count)
        return fail(
            e, ERROR_INPUT,
            "%s: has %zu channel%s without the names of receivers, and %s has %zu receivers; say which one each "
            "file is of by --receiver NAME=FILE",
            path, channels, channels == 1 ? "" : "s", room->path, room->receiver_count);
    for (size_t c = 0; c < channels; c++)
        if (calibrate_data_add(d, room, c, path, c, &metrics[c], e))
            return -1;
    return 0;
}

/* Octaves that aula metrics marks as doubtful, of the data from `first` on. */
static void mark_doubtful(struct calibrate_data *d, size_t first, const struct recording *r)
{
    for (size_t i = first; i < d->count; i++)
        for (size_t k = 0; k < METRICS_OCTAVES; k++)
            if (doubts_of(&r->doubts, &d->measured[i].metrics.band[k]))
                d->measured[i].doubtful |= 1u << k;
}

/* receiver: SIZE_MAX: by the channels of the file. */
static int read_file(struct calibrate_data *d, const struct calibrate_options *o, const struct room *room,
                     const char *path, size_t receiver, struct error *e)
{
    struct recording r;
    if (recording_read(&r, path, e))
        return -1;
    const struct metrics_settings settings = recording_settings(&r);
    const size_t before = d->count;
    struct metrics *metrics = calloc(r.audio.channels, sizeof *metrics);
    int status = metrics ? recording_measure(metrics, &r, &settings, path, e) : fail(e, ERROR_MEMORY, "out of memory");
    if (!status) {
        say_recording_note(&o->common, path, &r);
        if (receiver == SIZE_MAX)
            status = assign(d, room, path, &r, metrics, e);
        else
            status = calibrate_data_add(d, room, receiver, path, 0, &metrics[0], e);
        if (!status && receiver != SIZE_MAX && r.audio.channels > 1)
            say(o->common.quiet, "note: %s: the first of %zu channels is taken", path, r.audio.channels);
    }
    mark_doubtful(d, before, &r);
    free(metrics);
    recording_free(&r);
    return status;
}

static int read_named(struct calibrate_data *d, const struct calibrate_options *o, const struct room *room,
                      const char *setting, struct error *e)
{
    const char *equals = strchr(setting, '=');
    size_t receiver;
    if (!equals || equals == setting || !equals[1])
        return fail(e, ERROR_USAGE, "--receiver %s: expected NAME=FILE, a receiver of %s and its measured response",
                    setting, room->path);
    char *name = text_format("%.*s", (int)(equals - setting), setting);
    if (!name)
        return fail(e, ERROR_MEMORY, "out of memory");
    const int status = calibrate_find_receiver(&receiver, room, name, "--receiver", e);
    free(name);
    return status ? -1 : read_file(d, o, room, equals + 1, receiver, e);
}

static int hold_out(struct calibrate_data *d, const struct room *room, const char *list, struct error *e)
{
    for (const char *at = list; at && *at;) {
        const size_t length = strcspn(at, ",");
        size_t receiver, i = 0;
        char *name = text_format("%.*s", (int)length, at);
        if (!name)
            return fail(e, ERROR_MEMORY, "out of memory");
        int status = calibrate_find_receiver(&receiver, room, name, "--hold-out", e);
        while (!status && i < d->count && d->measured[i].receiver != receiver)
            i++;
        if (!status && i == d->count)
            status =
                fail(e, ERROR_USAGE, "--hold-out %s: nothing was measured there; add --receiver %s=FILE", name, name);
        if (!status)
            d->measured[i].held = true;
        free(name);
        if (status)
            return -1;
        at += length + (at[length] == ',');
    }
    return 0;
}

int calibrate_data_read(struct calibrate_data *d, const struct calibrate_options *o, const struct room *room,
                        struct error *e)
{
    if (o->common.argument_count > 1 && read_file(d, o, room, o->common.arguments[1], SIZE_MAX, e))
        return -1;
    for (size_t i = 0; i < o->common.setting_count; i++)
        if (read_named(d, o, room, o->common.settings[i], e))
            return -1;
    if (o->table && calibrate_table_read(d, o->table, room, e))
        return -1;
    return hold_out(d, room, o->hold_out, e);
}
