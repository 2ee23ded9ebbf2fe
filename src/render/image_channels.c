/* SPDX-License-Identifier: MIT */
#include "render/image_channels.h"

#include <stdlib.h>

#include "render/ear_view.h"
#include "render/views.h"

/* A source, heard. */
struct hearing {
    double *out; /* of the receiver's first channel */
    size_t frames, *count;
    const struct path_sound *sound;
    const struct image_room *images;
    const struct mirror_sequences *sequences;
    const struct model *model;
    const double *from; /* m */
    const struct path_source *source;
    double edge; /* Hz */
};

static int add_place(double *out, const struct hearing *h, const double at[3], const struct path_receiver *to,
                     struct error *e)
{
    struct image_paths paths = {0};
    const double longest = (double)h->frames / h->sound->rate * h->sound->sound_speed;
    int status = image_room_paths(&paths, h->images, h->sequences, h->from, at, longest, e);
    if (!status)
        status = path_sound_add(out, h->frames, h->sound, &paths, h->source, to, e);
    *h->count += paths.count;
    image_paths_free(&paths);
    return status;
}

static int add_ears(const struct hearing *h, const double at[3], const struct receiver_view *view, struct error *e)
{
    struct ear_view ears = {.edge = 0.0};
    const struct path_receiver to = {.channels = 2, .context = &ears, .responses = ear_view_responses};
    int status = ear_view_make(&ears, view, h->sound->rate, h->edge, e);
    if (!status)
        status = add_place(h->out, h, at, &to, e);
    ear_view_free(&ears);
    return status;
}

static int add_receiver(const struct hearing *h, size_t index, struct error *e)
{
    const struct receiver *r = &h->model->room->receivers[index];
    const struct placed *placed = &h->model->receivers[room_first_tap(h->model->room, index)];
    struct receiver_view view;
    receiver_view_make(&view, r, h->model);
    const struct path_receiver to = {.channels = view.channels,
                                     .order = view.order,
                                     .integrator = view.integrator,
                                     .gains = view.directed ? receiver_view_orders : NULL,
                                     .context = &view};
    if (r->kind == RECEIVER_BINAURAL)
        return add_ears(h, placed->position, &view, e);
    for (size_t i = 0; i < receiver_place_count(r); i++)
        if (add_place(h->out + i * h->frames, h, placed[i].position, &to, e))
            return -1;
    return 0;
}

int image_channels_add(double *out, size_t frames, size_t *count, const struct path_sound *sound,
                       const struct image_room *images, const struct model *m, size_t source, double gain, double edge,
                       struct error *e)
{
    struct source_view view;
    struct mirror_sequences sequences;
    if (source_view_make(&view, source, m, sound, e))
        return -1;
    const struct path_source from = {source_view_multiply, &view, gain};
    struct hearing h = {.frames = frames,
                        .count = count,
                        .sound = sound,
                        .images = images,
                        .sequences = &sequences,
                        .model = m,
                        .from = m->sources[room_first_drive(m->room, source)].position,
                        .source = &from,
                        .edge = edge};
    int status = image_room_sequences(&sequences, images, h.from, e);
    for (size_t i = 0; i < m->room->receiver_count && !status; i++) {
        h.out = out + room_first_channel(m->room, i) * frames;
        status = add_receiver(&h, i, e);
    }
    mirror_sequences_free(&sequences);
    source_view_free(&view);
    return status;
}
