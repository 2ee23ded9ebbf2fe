/* SPDX-License-Identifier: MIT */
#include "render/batch/reciprocity.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

const char *reciprocity_fault(const struct model *m)
{
    const struct room *room = m->room;
    if (room->source_count <= room->receiver_count)
        return "the room does not have more sources than receivers";
    if (!(room->duration > 0.0))
        return "time.duration = \"auto\" follows the decay of each source";
    for (size_t i = 0; i < room->source_count; i++) {
        const struct source *s = &room->sources[i];
        if (s->signal != SIGNAL_IMPULSE)
            return "a source plays a signal";
        if (s->directivity != DIRECTIVITY_OMNI || s->pattern)
            return "a source is directional";
        if (hybrid_halves_of(m, i, 1, NULL).full)
            return "rays start at each source; set hybrid.full = false";
    }
    for (size_t i = 0; i < room->receiver_count; i++)
        if (room->receivers[i].kind != RECEIVER_OMNI)
            return "a receiver is directional";
    return NULL;
}

/* The room with its receivers as sources and its sources as receivers; all else is shared. */
struct swapped {
    struct room room;
    struct model *model;
    struct rendering *runs; /* [room.source_count] */
};

static void free_swapped(struct swapped *s)
{
    for (size_t i = 0; s->runs && i < s->room.source_count; i++)
        rendering_free(&s->runs[i]);
    free(s->runs);
    model_free(s->model);
    free(s->room.sources);
    free(s->room.receivers);
}

static int swap(struct swapped *s, const struct room *room, struct error *e)
{
    s->room = *room;
    s->room.source_count = room->receiver_count;
    s->room.receiver_count = room->source_count;
    s->room.sources = calloc(room->receiver_count + 1, sizeof *s->room.sources);
    s->room.receivers = calloc(room->source_count + 1, sizeof *s->room.receivers);
    s->runs = calloc(room->receiver_count + 1, sizeof *s->runs);
    if (!s->room.sources || !s->room.receivers || !s->runs)
        return fail(e, ERROR_MEMORY, "out of memory");
    for (size_t i = 0; i < room->receiver_count; i++) {
        const struct receiver *r = &room->receivers[i];
        s->room.sources[i] =
            (struct source){.name = r->name, .signal = SIGNAL_IMPULSE, .gain = 1.0, .origin = r->origin};
        memcpy(s->room.sources[i].position, r->position, sizeof r->position);
    }
    for (size_t i = 0; i < room->source_count; i++) {
        const struct source *r = &room->sources[i];
        s->room.receivers[i] = (struct receiver){.name = r->name, .kind = RECEIVER_OMNI, .origin = r->origin};
        memcpy(s->room.receivers[i].position, r->position, sizeof r->position);
    }
    return model_make(&s->model, &s->room, e);
}

/* The response to a source: its channel in each run, scaled by its strength. */
static int gather(struct rendering *to, const struct swapped *s, const struct model *m, size_t source, struct error *e)
{
    const struct rendering *first = &s->runs[0];
    const size_t frames = first->response.frames;
    *to = (struct rendering){.first = source,
                             .count = 1,
                             .response = first->response,
                             .simulation = first->simulation,
                             .halves = first->halves,
                             .length = first->length,
                             .decay = first->decay};
    to->simulation.traces = (struct traces){0};
    to->response.channels = m->room->receiver_count;
    to->response.samples = malloc((to->response.channels * frames + 1) * sizeof *to->response.samples);
    if (!to->response.samples)
        return fail(e, ERROR_MEMORY, "out of memory");
    for (size_t r = 0; r < to->response.channels; r++) {
        const double *from = s->runs[r].response.samples + source * frames;
        for (size_t i = 0; i < frames; i++)
            to->response.samples[r * frames + i] = m->room->sources[source].gain * from[i];
    }
    for (size_t r = 0; r < to->response.channels; r++)
        to->decay = fmax(to->decay, s->runs[r].decay);
    return lines_add(&to->warnings, &to->warning_count, e,
                     "computed by reciprocity: %zu run%s from the receivers instead of %zu from the sources",
                     to->response.channels, to->response.channels == 1 ? "" : "s", m->room->source_count);
}

/* Keeps the warnings of the runs except those about positions, which have swapped roles. */
static int keep_warnings(struct rendering *to, const struct swapped *s, struct error *e)
{
    const struct rendering *first = &s->runs[0];
    for (size_t i = 0; i < first->warning_count; i++)
        if (!strstr(first->warnings[i], "receiver ") &&
            lines_add(&to->warnings, &to->warning_count, e, "%s", first->warnings[i]))
            return -1;
    return 0;
}

int reciprocity_render(struct rendering *renderings, const struct model *m, const struct solver_options *choice,
                       const struct watch *watch, struct error *e)
{
    struct swapped s = {.model = NULL};
    int status = swap(&s, m->room, e);
    for (size_t r = 0; r < s.room.source_count && !status; r++)
        status = render_sources(&s.runs[r], s.model, r, 1, choice, watch, e);
    for (size_t i = 0; i < m->room->source_count && !status; i++)
        status = gather(&renderings[i], &s, m, i, e) || keep_warnings(&renderings[i], &s, e);
    free_swapped(&s);
    return status ? -1 : 0;
}
