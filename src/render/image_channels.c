/* SPDX-License-Identifier: MIT */
#include "render/image_channels.h"

#include <math.h>
#include <stdlib.h>

#include "base/complex_numbers.h"
#include "dsp/ears/ear_filters.h"
#include "dsp/ears/ear_responses.h"
#include "render/hybrid/crossover.h"
#include "render/hybrid/path_sound.h"
#include "render/views.h"

/* Binaural receivers hear each image path through the HRTF of its direction.
 *
 * The wave solver's harmonics pass through ear filters that follow the HRTF's phase only up to
 * ear_filters_change(). If its band ends above that, the phase of each path is shifted by the
 * difference up to its edge, and by a fading share of it in the octave above; otherwise the two
 * parts would cancel at the crossover. */

struct ear_view {
    const struct receiver_view *view;
    struct ear_responses responses;
    struct ear_filters filters; /* of the wave solver; empty if phases need no correction */
    double edge;                /* Hz, of the wave solver; 0: none */
};

enum { JOINED = 5 }; /* frequencies of the crossover at which phases are compared */

static int ear_view_make(struct ear_view *ears, const struct receiver_view *view, double rate, double edge,
                         struct error *e)
{
    const struct receiver *r = view->receiver;
    *ears = (struct ear_view){.view = view};
    if (ear_responses_make(&ears->responses, &r->ears, e))
        return -1;
    if (!(edge > ear_filters_change(view->order)))
        return 0;
    ears->edge = edge;
    return ear_filters_make(&ears->filters, &r->ears, view->order, rate, r->hrtf, e);
}

static void ear_view_free(struct ear_view *ears)
{
    ear_responses_free(&ears->responses);
    ear_filters_free(&ears->filters);
}

/* rad: phase of the wave solver's filters relative to the HRTF by ear, averaged over the crossover. */
static bool waves_ahead(double phase[2], const struct ear_view *ears, const double direction[3])
{
    double frequencies[JOINED];
    double complex own[2 * JOINED], sum[2] = {0.0, 0.0};
    for (int i = 0; i < JOINED; i++)
        frequencies[i] = ears->edge * (CROSSOVER_LOW + (1.0 - CROSSOVER_LOW) * (i + 0.5) / JOINED);
    if (!ear_responses_at(own, &ears->responses, direction, frequencies, JOINED))
        return false;
    for (size_t ear = 0; ear < 2; ear++) {
        for (int i = 0; i < JOINED; i++) {
            double value[2];
            ear_filters_response(value, &ears->filters, ear, direction, frequencies[i]);
            sum[ear] += complex_of(value[0], value[1]) * conj(own[ear * JOINED + (size_t)i]);
        }
        phase[ear] = carg(sum[ear]);
    }
    return true;
}

/* Share of that phase at a frequency: 1 up to the edge, 0 from an octave above. */
static double share_at(const struct ear_view *ears, double frequency)
{
    const double octaves = log2(fmax(frequency, 1.0) / ears->edge);
    return octaves <= 0.0 ? 1.0 : octaves >= 1.0 ? 0.0 : 0.5 + 0.5 * cos(M_PI * octaves);
}

static bool ear_view_responses(const void *context, double complex *response, const struct path_sound *sound,
                               const double direction[3])
{
    const struct ear_view *ears = context;
    double own[3], phase[2] = {0.0, 0.0};
    turn_apply(own, &ears->view->back, direction);
    if (!ear_responses_at(response, &ears->responses, own, sound->frequency, sound->bins))
        return false;
    if (!(ears->edge > 0.0))
        return true;
    if (!waves_ahead(phase, ears, own))
        return false;
    for (size_t k = 0; k < sound->bins && sound->frequency[k] < 2.0 * ears->edge; k++) {
        const double share = share_at(ears, sound->frequency[k]);
        for (size_t ear = 0; ear < 2; ear++)
            response[ear * sound->bins + k] *= complex_turn(share * phase[ear]);
    }
    return true;
}

/* A source at one receiver. */
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
