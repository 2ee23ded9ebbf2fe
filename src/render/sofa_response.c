/* SPDX-License-Identifier: MIT */
#include "render/sofa_response.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "dsp/space/harmonics.h"
#include "io/sofa/write.h"

static const double EAR = 0.0875; /* m from the centre of the head, if the file of an HRTF does not state it */

/* A file of one room: the receivers of `room`, the sources of the parts. */
struct writing {
    struct sofa_document document;
    const struct response_file *parts;
    size_t sources, frames;
    size_t places;   /* measurements, each at a place of its own; 0: all receivers belong to one listener */
    size_t channels; /* of one measurement */
    const struct room *room;
    struct error *e;
};

static int text(struct writing *w, const char *name, const char *value)
{
    return sofa_add_attribute(&w->document.attributes, name, value, w->e);
}

/* A variable with its type and units (NULL: none); its values in *values. */
static int numbers(struct writing *w, double **values, const char *name, const char *letters, const size_t *extent,
                   const char *type, const char *units)
{
    struct sofa_variable *v;
    if (sofa_add_variable(&w->document, &v, name, letters, extent, w->e) ||
        (type && sofa_add_attribute(&v->attributes, "Type", type, w->e)) ||
        (units && sofa_add_attribute(&v->attributes, "Units", units, w->e)))
        return -1;
    *values = v->values;
    return 0;
}

static const char *or_else(const char *given, const char *otherwise)
{
    return given ? given : otherwise;
}

static int add_texts(struct writing *w)
{
    const struct room *room = w->room;
    const bool one = w->sources == 1;
    char description[200];
    snprintf(description, sizeof description, "%.6g x %.6g x %.6g m", room->size[0], room->size[1], room->size[2]);
    const char *const texts[][2] = {
        {"Conventions", "SOFA"},
        {"Version", "2.1"},
        {"SOFAConventions", one ? "SingleRoomSRIR" : "SingleRoomMIMOSRIR"},
        {"SOFAConventionsVersion", "1.0"},
        {"DataType", one ? "FIR" : "FIR-E"},
        {"RoomType", room_form(room) == ROOM_BOX ? "shoebox" : "reverberant"},
        {"Title", path_name(room->path)},
        {"DateCreated", "1970-01-01 00:00:00"},
        {"DateModified", "1970-01-01 00:00:00"},
        {"APIName", "aula"},
        {"APIVersion", AULA_VERSION},
        {"ApplicationName", "aula"},
        {"ApplicationVersion", AULA_VERSION},
        {"AuthorContact", or_else(room->about.author, "")},
        {"Organization", or_else(room->about.organisation, "")},
        {"License", or_else(room->about.licence, "No license provided, ask the author for permission")},
        {"Comment", "computed by finite differences in the time domain; the dates are placeholders"},
        {"History", ""},
        {"References", or_else(room->about.citation, "")},
        {"Origin", "simulation"},
        {"DatabaseName", path_name(room->path)},
        {"RoomDescription", description}};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        if (text(w, texts[i][0], texts[i][1]))
            return -1;
    return 0;
}

static int add_room(struct writing *w)
{
    const size_t one[] = {1}, corner[] = {1, 3};
    double *temperature, *a, *b;
    if (numbers(w, &temperature, "RoomTemperature", "I", one, NULL, "kelvin"))
        return -1;
    *temperature = w->room->air.temperature + 273.15;
    if (room_form(w->room) != ROOM_BOX)
        return 0;
    if (numbers(w, &a, "RoomCornerA", "IC", corner, NULL, NULL))
        return -1;
    memcpy(a, w->room->lower, 3 * sizeof *a);
    if (numbers(w, &b, "RoomCornerB", "IC", corner, NULL, NULL))
        return -1;
    for (int i = 0; i < 3; i++)
        b[i] = w->room->lower[i] + w->room->size[i];
    return 0;
}

static const double no_turn[3] = {0.0, 0.0, 0.0};

/* A view or up vector, of the listener or the source. orientations: [count]; several are one for each measurement. */
static int add_axis(struct writing *w, const char *name, const double axis[3], const double *const *orientations,
                    size_t count)
{
    const size_t extent[] = {count, 3};
    double *values;
    if (numbers(w, &values, name, count > 1 ? "MC" : "IC", extent, "cartesian", "metre"))
        return -1;
    for (size_t i = 0; i < count; i++) {
        const struct turn turn = turn_of(orientations[i][0], orientations[i][1], orientations[i][2]);
        turn_apply(values + 3 * i, &turn, axis);
    }
    return 0;
}

static int add_axes(struct writing *w, const char *view, const char *up, const double *const *orientations,
                    size_t count)
{
    static const double front[3] = {1.0, 0.0, 0.0}, top[3] = {0.0, 0.0, 1.0};
    return add_axis(w, view, front, orientations, count) || add_axis(w, up, top, orientations, count) ? -1 : 0;
}

/* Position of a channel relative to the listener, in the listener's axes. */
static void channel_place(double place[3], const struct room *room, size_t channel, const double listener[3])
{
    const struct receiver *r = room_receiver_of(room, channel);
    const size_t own = channel - room_first_channel(room, (size_t)(r - room->receivers));
    const struct turn turn = turn_of(r->orientation[0], r->orientation[1], r->orientation[2]), back = turn_back(&turn);
    const double *at = receiver_place(r, r->kind == RECEIVER_ARRAY ? own : 0);
    double from[3];
    for (int i = 0; i < 3; i++)
        from[i] = at[i] - listener[i];
    if (r->kind == RECEIVER_OMNI)
        memcpy(place, from, sizeof from);
    else
        turn_apply(place, &back, from);
    if (r->kind == RECEIVER_BINAURAL)
        place[1] += own ? -EAR : EAR;
}

static int add_listener(struct writing *w)
{
    const struct receiver *first = &w->room->receivers[0];
    const bool field = first->kind == RECEIVER_AMBISONIC, omni = first->kind == RECEIVER_OMNI;
    const size_t place[] = {1, 3}, places[] = {w->channels, 3, 1};
    double *listener, *values;
    if (numbers(w, &listener, "ListenerPosition", w->sources == 1 ? "MC" : "IC", place, "cartesian", "metre"))
        return -1;
    memcpy(listener, first->position, 3 * sizeof *listener);
    if (add_axes(w, "ListenerView", "ListenerUp", (const double *const[]){omni ? no_turn : first->orientation}, 1) ||
        numbers(w, &values, "ReceiverPosition", "RCI", places, field ? "spherical harmonics" : "cartesian",
                field ? "degree, degree, metre" : "metre"))
        return -1;
    for (size_t c = 0; c < w->channels && !field; c++)
        channel_place(values + 3 * c, w->room, c, first->position);
    return 0;
}

/* The receiver of a measurement, and where it stands. */
static const struct receiver *receiver_at(const struct writing *w, size_t place, const double **position)
{
    const size_t channel = place * w->channels;
    const struct receiver *r = room_receiver_of(w->room, channel);
    const size_t own = channel - room_first_channel(w->room, (size_t)(r - w->room->receivers));
    *position = receiver_place(r, r->kind == RECEIVER_ARRAY ? own : 0);
    return r;
}

/* The listener stands at another place in each measurement. */
static int add_listeners(struct writing *w)
{
    const struct receiver *first = &w->room->receivers[0];
    const bool field = first->kind == RECEIVER_AMBISONIC;
    const size_t extent[] = {w->places, 3}, receivers[] = {w->channels, 3, 1};
    double *listener, *values;
    const double *position, **turns = calloc(w->places, sizeof *turns);
    int status = turns ? 0 : fail(w->e, ERROR_MEMORY, "out of memory");
    status = status || numbers(w, &listener, "ListenerPosition", "MC", extent, "cartesian", "metre");
    for (size_t i = 0; i < w->places && !status; i++) {
        const struct receiver *r = receiver_at(w, i, &position);
        memcpy(listener + 3 * i, position, 3 * sizeof *listener);
        turns[i] = r->kind == RECEIVER_OMNI || r->kind == RECEIVER_ARRAY ? no_turn : r->orientation;
    }
    status = status || add_axes(w, "ListenerView", "ListenerUp", turns, w->places) ||
             numbers(w, &values, "ReceiverPosition", "RCI", receivers, field ? "spherical harmonics" : "cartesian",
                     field ? "degree, degree, metre" : "metre");
    for (size_t c = 0; c < w->channels && !status && first->kind == RECEIVER_BINAURAL; c++)
        values[3 * c + 1] = c ? -EAR : EAR;
    free(turns);
    return status ? -1 : 0;
}

static const struct source *source_of(const struct writing *w, size_t i)
{
    return &w->room->sources[w->parts[i].rendering.first];
}

/* A single source has one emitter. Of several, the first is the position of the source, and all are
 * emitters relative to it. */
static int add_sources(struct writing *w)
{
    const double *first = source_of(w, 0)->position;
    const size_t measurements = w->places ? w->places : 1, place[] = {measurements, 3}, places[] = {w->sources, 3, 1};
    const double *turn[] = {w->sources == 1 ? source_of(w, 0)->orientation : no_turn};
    double *values;
    if (numbers(w, &values, "SourcePosition", w->sources == 1 ? "MC" : "IC", place, "cartesian", "metre"))
        return -1;
    for (size_t i = 0; i < measurements; i++)
        memcpy(values + 3 * i, first, 3 * sizeof *values);
    if (add_axes(w, "SourceView", "SourceUp", turn, 1) ||
        numbers(w, &values, "EmitterPosition", "ECI", places, "cartesian", "metre"))
        return -1;
    for (size_t i = 0; i < w->sources && w->sources > 1; i++)
        for (int k = 0; k < 3; k++)
            values[3 * i + (size_t)k] = source_of(w, i)->position[k] - first[k];
    return 0;
}

static int add_responses(struct writing *w, double gain)
{
    const size_t measurements = w->places ? w->places : 1;
    const size_t one[] = {1}, extent[] = {measurements, w->channels, w->frames, w->sources};
    const size_t delays[] = {1, w->channels, 1};
    double *rate, *delay, *values;
    struct sofa_variable *v;
    if (numbers(w, &rate, "Data.SamplingRate", "I", one, NULL, "hertz"))
        return -1;
    *rate = w->parts[0].rendering.response.rate;
    if (numbers(w, &delay, "Data.Delay", w->sources == 1 ? "IR" : "IRI", delays, NULL, NULL) ||
        sofa_add_variable(&w->document, &v, "Data.IR", w->sources == 1 ? "MRN" : "MRNE", extent, w->e) ||
        sofa_add_attribute(&v->attributes, "ChannelOrdering", "acn", w->e) ||
        sofa_add_attribute(&v->attributes, "Normalization", "sn3d", w->e))
        return -1;
    values = v->values;
    for (size_t s = 0; s < w->sources; s++) {
        const struct response *r = &w->parts[s].rendering.response;
        for (size_t c = 0; c < measurements * w->channels; c++)
            for (size_t n = 0; n < r->frames; n++)
                values[(c * w->frames + n) * w->sources + s] = gain * r->samples[c * r->frames + n];
    }
    return 0;
}

static int write_document(struct writing *w, struct output_set *set, const char *path, double gain, struct error *e)
{
    struct error why = {0};
    struct output_file *file;
    w->e = &why;
    int status = add_texts(w) || add_room(w) || (w->places ? add_listeners(w) : add_listener(w)) || add_sources(w) ||
                 add_responses(w, gain);
    if (status)
        fail(e, why.code == ERROR_INPUT ? ERROR_OUTPUT : why.code, "%s: %.900s", path, why.message);
    else
        status = (file = output_set_add(set, path, e)) ? sofa_write_to(file, &w->document, e) : -1;
    sofa_document_free(&w->document);
    return status ? -1 : 0;
}

int sofa_response_write(struct output_set *set, const char *path, const struct response_file *parts, size_t count,
                        double gain, struct error *e)
{
    struct writing w = {.parts = parts, .sources = count, .room = &parts[0].room};
    w.channels = parts[0].rendering.response.channels;
    for (size_t i = 0; i < count; i++)
        if (parts[i].rendering.response.frames > w.frames)
            w.frames = parts[i].rendering.response.frames;
    return write_document(&w, set, path, gain, e);
}

static size_t channels_of_place(const struct receiver *r)
{
    return r->kind == RECEIVER_ARRAY ? 1 : receiver_channels(r);
}

size_t sofa_positions_count(const struct room *room)
{
    size_t places = 0;
    for (size_t i = 0; i < room->receiver_count; i++)
        places += receiver_place_count(&room->receivers[i]);
    return places;
}

int sofa_positions_check(const struct room *room, struct error *e)
{
    const struct receiver *first = &room->receivers[0];
    for (size_t i = 0; i < room->receiver_count; i++) {
        const struct receiver *r = &room->receivers[i];
        const bool alike = r->kind == first->kind ||
                           (receiver_records(r) == RECORDS_PRESSURE && receiver_records(first) == RECORDS_PRESSURE);
        if (r->kind == RECEIVER_VELOCITY)
            return fail(e, ERROR_USAGE,
                        "--sofa-positions: receiver %s records velocities, but SOFA files hold pressures; remove it or "
                        "give it another type",
                        r->name);
        if (!alike || channels_of_place(r) != channels_of_place(first))
            return fail(e, ERROR_USAGE,
                        "--sofa-positions: receivers %s and %s differ in type or order, but all measurements of one "
                        "file need the same channels; render them from two room files",
                        first->name, r->name);
    }
    return 0;
}

int sofa_positions_write(struct output_set *set, const char *path, const struct rendering *r, const struct model *m,
                         double gain, struct error *e)
{
    const struct response_file whole = {.rendering = *r, .room = *m->room, .model = *m}; /* borrowed */
    struct writing w = {.parts = &whole, .sources = 1, .room = m->room, .frames = r->response.frames};
    w.places = sofa_positions_count(m->room);
    w.channels = channels_of_place(&m->room->receivers[0]);
    return write_document(&w, set, path, gain, e);
}
