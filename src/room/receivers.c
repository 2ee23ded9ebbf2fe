/* SPDX-License-Identifier: MIT */
/* Kinds of receivers: their taps, channels and files, and the positions of arrays. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dsp/space/harmonics.h"
#include "room/reader.h"

_Static_assert((int)RECEIVER_OMNI == (int)DIRECTIVITY_OMNI && (int)RECEIVER_CARDIOID == (int)DIRECTIVITY_CARDIOID &&
                   (int)RECEIVER_SUPERCARDIOID == (int)DIRECTIVITY_SUPERCARDIOID &&
                   (int)RECEIVER_HYPERCARDIOID == (int)DIRECTIVITY_HYPERCARDIOID &&
                   (int)RECEIVER_FIGURE_OF_EIGHT == (int)DIRECTIVITY_FIGURE_OF_EIGHT,
               "patterns of microphones are those of sources, in their order");

/* The switches here have no default, so that the compiler reports where a new kind must be added. */
enum receiver_record receiver_records(const struct receiver *r)
{
    switch (r->kind) {
    case RECEIVER_CARDIOID:
    case RECEIVER_SUPERCARDIOID:
    case RECEIVER_HYPERCARDIOID:
    case RECEIVER_FIGURE_OF_EIGHT:
        return RECORDS_PATTERN;
    case RECEIVER_VELOCITY:
        return RECORDS_VELOCITY;
    case RECEIVER_AMBISONIC:
    case RECEIVER_BINAURAL:
        return RECORDS_HARMONICS;
    case RECEIVER_OMNI:
    case RECEIVER_ARRAY:
    case RECEIVER_KINDS:
        break;
    }
    return RECORDS_PRESSURE;
}

double receiver_pressure(const struct receiver *r)
{
    return (size_t)r->kind < DIRECTIVITIES ? directivity_pressure[r->kind] : NAN;
}

size_t receiver_taps(const struct receiver *r)
{
    switch (receiver_records(r)) {
    case RECORDS_PRESSURE:
        return receiver_place_count(r);
    case RECORDS_PATTERN:
        return 2;
    case RECORDS_VELOCITY:
        return 3;
    case RECORDS_HARMONICS:
        break;
    }
    return harmonics_count((int)r->order);
}

size_t receiver_channels(const struct receiver *r)
{
    if (r->kind == RECEIVER_BINAURAL)
        return 2;
    return receiver_records(r) == RECORDS_PATTERN ? 1 : receiver_taps(r);
}

typedef size_t counted(const struct receiver *r);

static size_t first_of(const struct room *room, size_t receiver, counted *count)
{
    size_t first = 0;
    for (size_t i = 0; i < receiver; i++)
        first += count(&room->receivers[i]);
    return first;
}

static const struct receiver *receiver_at(const struct room *room, size_t index, counted *count)
{
    const struct receiver *r = room->receivers;
    for (; index >= count(r); r++)
        index -= count(r);
    return r;
}

size_t room_tap_count(const struct room *room)
{
    return first_of(room, room->receiver_count, receiver_taps);
}

size_t room_channel_count(const struct room *room)
{
    return first_of(room, room->receiver_count, receiver_channels);
}

size_t room_first_channel(const struct room *room, size_t receiver)
{
    return first_of(room, receiver, receiver_channels);
}

size_t room_first_tap(const struct room *room, size_t receiver)
{
    return first_of(room, receiver, receiver_taps);
}

const struct receiver *room_receiver_of(const struct room *room, size_t channel)
{
    return receiver_at(room, channel, receiver_channels);
}

const struct receiver *room_receiver_of_tap(const struct room *room, size_t tap)
{
    return receiver_at(room, tap, receiver_taps);
}

size_t receiver_place_count(const struct receiver *r)
{
    return r->kind == RECEIVER_ARRAY ? r->array.place_count : 1;
}

const double *receiver_place(const struct receiver *r, size_t index)
{
    return r->kind == RECEIVER_ARRAY ? r->array.places[index] : r->position;
}

const char *room_channel_name(const struct room *room, size_t channel, char text[CHANNEL_NAME])
{
    const struct receiver *r = room_receiver_of(room, channel);
    const size_t own = channel - room_first_channel(room, (size_t)(r - room->receivers));
    switch (r->kind) {
    case RECEIVER_AMBISONIC:
        snprintf(text, CHANNEL_NAME, "%s ACN %zu", r->name, own);
        break;
    case RECEIVER_VELOCITY:
        snprintf(text, CHANNEL_NAME, "%s %c", r->name, "xyz"[own]);
        break;
    case RECEIVER_BINAURAL:
        snprintf(text, CHANNEL_NAME, "%s %s", r->name, own ? "right" : "left");
        break;
    case RECEIVER_ARRAY:
        snprintf(text, CHANNEL_NAME, "%s %zu", r->name, own + 1);
        break;
    case RECEIVER_OMNI:
    case RECEIVER_CARDIOID:
    case RECEIVER_SUPERCARDIOID:
    case RECEIVER_HYPERCARDIOID:
    case RECEIVER_FIGURE_OF_EIGHT:
    case RECEIVER_KINDS:
        snprintf(text, CHANNEL_NAME, "%s", r->name);
        break;
    }
    return text;
}

size_t room_file_count(const struct room *room)
{
    size_t omni = 0;
    for (size_t i = 0; i < room->receiver_count; i++)
        omni += room->receivers[i].kind == RECEIVER_OMNI;
    return room->receiver_count - omni + (omni > 0);
}

const struct receiver *room_file_receiver(const struct room *room, size_t file)
{
    for (size_t i = 0; i < room->receiver_count; i++)
        if (room->receivers[i].kind == RECEIVER_OMNI) {
            if (!file)
                return NULL;
            file--; /* that of all omni receivers is the first */
            break;
        }
    for (size_t i = 0; i < room->receiver_count; i++)
        if (room->receivers[i].kind != RECEIVER_OMNI && !file--)
            return &room->receivers[i];
    return NULL;
}

size_t room_file_channels(const struct room *room, size_t file, size_t *channels)
{
    const struct receiver *only = room_file_receiver(room, file);
    size_t count = 0, channel = 0;
    for (size_t i = 0; i < room->receiver_count; i++) {
        const struct receiver *r = &room->receivers[i];
        const bool taken = only ? r == only : r->kind == RECEIVER_OMNI;
        for (size_t k = 0; k < receiver_channels(r); k++, channel++)
            if (taken)
                channels[count++] = channel;
    }
    return count;
}

/* ---- positions of arrays */

/* The number of points at this spacing between two positions along an axis, both ends included. */
static size_t steps_of(const struct receiver *r, int axis)
{
    return (size_t)floor(fabs(r->array.to[axis] - r->array.from[axis]) / r->array.spacing + 1e-9) + 1;
}

/* A point of an array relative to its origin, before rotation. */
static void local_place(double place[3], const struct receiver *r, size_t index)
{
    const double golden = 0.5 * (1.0 + sqrt(5.0)), count = (double)r->array.count, i = (double)index;
    double angle = 2.0 * M_PI * i / count, height = 0.0, across = r->array.radius;
    switch (r->array.shape) {
    case ARRAY_LIST:
        memcpy(place, r->array.positions[index], 3 * sizeof *place);
        return;
    case ARRAY_LINE:
        for (int axis = 0; axis < 3; axis++)
            place[axis] = r->array.from[axis] +
                          (r->array.to[axis] - r->array.from[axis]) * (count > 1.0 ? i / (count - 1.0) : 0.0);
        return;
    case ARRAY_GRID:
        for (int axis = 0; axis < 3; axis++) {
            const size_t steps = steps_of(r, axis);
            place[axis] = r->array.from[axis] +
                          copysign(r->array.spacing, r->array.to[axis] - r->array.from[axis]) * (double)(index % steps);
            index /= steps;
        }
        return;
    case ARRAY_SPHERE: /* a Fibonacci lattice, from the top down */
        angle = 2.0 * M_PI * golden * (i + 0.5);
        height = 1.0 - (2.0 * i + 1.0) / count;
        across = r->array.radius * sqrt(1.0 - height * height);
        break;
    case ARRAY_CIRCLE:
        break;
    }
    place[0] = across * cos(angle);
    place[1] = across * sin(angle);
    place[2] = height * r->array.radius;
}

static double place_count(const struct receiver *r)
{
    if (r->array.shape == ARRAY_LIST)
        return (double)r->array.position_count;
    if (r->array.shape != ARRAY_GRID)
        return (double)r->array.count;
    double count = 1.0;
    for (int axis = 0; axis < 3; axis++)
        count *= floor(fabs(r->array.to[axis] - r->array.from[axis]) / r->array.spacing + 1e-9) + 1.0;
    return count;
}

/* The keys that a shape takes: positions, count, radius, spacing. */
static int check_keys(struct reader *r, size_t index, const struct receiver *a)
{
    static const char *const needs[][2] = {[ARRAY_LIST] = {"positions", NULL},
                                           [ARRAY_LINE] = {"count", NULL},
                                           [ARRAY_CIRCLE] = {"count", "radius"},
                                           [ARRAY_SPHERE] = {"count", "radius"},
                                           [ARRAY_GRID] = {"spacing", NULL}};
    const struct {
        const char *name;
        bool given;
    } keys_of[] = {{"positions", a->array.position_count > 0},
                   {"count", a->array.count > 0},
                   {"radius", a->array.radius > 0.0},
                   {"spacing", a->array.spacing > 0.0}};
    for (size_t k = 0; k < sizeof keys_of / sizeof *keys_of; k++) {
        bool wanted = false;
        for (int i = 0; i < 2; i++)
            wanted = wanted || (needs[a->array.shape][i] && !strcmp(needs[a->array.shape][i], keys_of[k].name));
        if (wanted != keys_of[k].given)
            return reader_refuse_at(r, &a->origin, "receivers[%zu]: shape = \"%s\" %s %s", index,
                                    array_shape_names[a->array.shape], wanted ? "needs" : "does not use",
                                    keys_of[k].name);
    }
    return 0;
}

static int read_ears(struct reader *r, size_t index, struct receiver *a)
{
    struct error why;
    if (!hrtf_read(&a->ears, a->hrtf, a->hrtf_distance, &why))
        return 0;
    if (why.code != ERROR_INPUT)
        return fail(r->error, why.code, "%s", why.message);
    return reader_refuse_at(r, &a->origin, "receivers[%zu].hrtf: %s", index, why.message);
}

int receiver_make_places(struct reader *r, size_t index, struct receiver *a)
{
    if (a->kind == RECEIVER_BINAURAL)
        return read_ears(r, index, a);
    if (a->kind != RECEIVER_ARRAY)
        return 0;
    if (check_keys(r, index, a))
        return -1;
    const double count = place_count(a);
    if (count > RECEIVERS_MAX)
        return reader_refuse_at(
            r, &a->origin,
            "receivers[%zu]: the array has %.0f positions, but a sound file holds at most %d channels; use fewer",
            index, count, (int)RECEIVERS_MAX);
    const struct turn turn = turn_of(a->orientation[0], a->orientation[1], a->orientation[2]);
    a->array.places = calloc((size_t)count, sizeof *a->array.places);
    if (!a->array.places)
        return reader_no_memory(r);
    for (a->array.place_count = 0; a->array.place_count < (size_t)count; a->array.place_count++) {
        double local[3], *place = a->array.places[a->array.place_count];
        local_place(local, a, a->array.place_count);
        turn_apply(place, &turn, local);
        for (int axis = 0; axis < 3; axis++)
            place[axis] += a->position[axis];
    }
    return 0;
}
