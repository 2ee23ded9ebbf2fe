/* SPDX-License-Identifier: MIT */
/* A room that is heard while it is computed, without a sound card: the caller passes blocks of sound through it. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "app/api/handles.h"
#include "base/text.h"
#include "io/sofa/hrtf.h"
#include "render/preview/dry_sound.h"
#include "render/preview/head.h"
#include "render/preview/mixer.h"
#include "render/preview/refiner.h"

enum { BLOCK = 512, BLOCK_MAX = 65536 };
static const double first_stage = 0.3; /* s: time budget of the first response */
static const double first_below = 1.0; /* s: the same of the first waves if image sources and rays play before */

struct aula_preview {
    struct aula_room *room;
    struct room heard; /* a copy with receivers of its own, for a binaural one becomes ambisonic */
    struct receiver *receivers;
    struct monitor monitor;
    struct ear_filters ears;
    struct head *head;
    struct mixer *mixer;
    struct refiner *refiner;
    struct stages stages;
    struct dry_sound dry;
    struct solver_options choice;
    char *engine;
    size_t block;
    char failure[sizeof((struct error *)NULL)->message];
};

void aula_preview_close(struct aula_preview *p)
{
    if (!p)
        return;
    refiner_end(p->refiner); /* before the mixer, to which it may still pass a response */
    mixer_free(p->mixer);
    head_free(p->head);
    ear_filters_free(&p->ears);
    dry_sound_free(&p->dry);
    room_release(p->room);
    free(p->receivers);
    free(p->engine);
    free(p);
}

/* The sound by which the level is found: the caller's, else noise. */
static int take_dry(struct aula_preview *p, const struct aula_preview_options *o, struct error *e)
{
    if (!o->dry)
        return dry_sound_noise(&p->dry, o->rate, e);
    p->dry.samples = malloc(o->dry_frames * sizeof *p->dry.samples);
    if (!p->dry.samples)
        return fail(e, ERROR_MEMORY, "out of memory");
    p->dry.frames = o->dry_frames;
    for (size_t n = 0; n < o->dry_frames; n++)
        p->dry.samples[n] = (float)o->dry[n];
    return 0;
}

static int take_ears(struct aula_preview *p, const struct aula_preview_options *o, struct error *e)
{
    struct hrtf hrtf = {.directions = 0};
    if (!p->monitor.field)
        return o->hrtf ? fail(e, ERROR_USAGE,
                              "hrtf: the room has no ambisonic or binaural receiver to hear with; leave hrtf out, or "
                              "give a receiver type = \"ambisonic\"")
                       : 0;
    if (o->hrtf && hrtf_read(&hrtf, o->hrtf, HRTF_DISTANCE, e))
        return -1;
    const struct receiver *own = &p->receivers[p->monitor.head];
    const struct hrtf *chosen = o->hrtf ? &hrtf : own->hrtf ? &own->ears : NULL;
    const int status = monitor_ears(&p->ears, &p->monitor, chosen, o->hrtf ? o->hrtf : own->hrtf, o->rate, e) ||
                       head_make(&p->head, &p->ears, p->block, e);
    p->stages.ears = &p->ears;
    hrtf_free(&hrtf);
    return status ? -1 : 0;
}

static int start(struct aula_preview *p, const struct aula_preview_options *o, struct error *e)
{
    struct room *room = &p->heard;
    *room = *p->room->room;
    if (render_is_possible(room, e))
        return -1;
    room->receivers = p->receivers = calloc(room->receiver_count, sizeof *room->receivers);
    if (!p->receivers)
        return fail(e, ERROR_MEMORY, "out of memory");
    memcpy(p->receivers, p->room->room->receivers, room->receiver_count * sizeof *p->receivers);
    monitor_make(&p->monitor, room);
    p->stages = (struct stages){.room = room,
                                .monitor = p->monitor,
                                .source = o->source,
                                .choice = &p->choice,
                                .out_rate = o->rate,
                                .block = p->block};
    if (take_dry(p, o, e) || take_ears(p, o, e))
        return -1;
    p->stages.dry = p->dry.samples;
    p->stages.dry_frames = p->dry.frames;
    const struct mixer_settings settings = {.receivers = p->monitor.receivers,
                                            .field = p->monitor.field,
                                            .head = p->head,
                                            .block = p->block,
                                            .rate = o->rate};
    return mixer_make(&p->mixer, &settings, e) ||
                   refiner_start(&p->refiner, &p->stages, room->hybrid.full ? first_below : first_stage, p->mixer, e)
               ? -1
               : 0;
}

static int check(struct call *call, const struct aula_room *room, const struct aula_preview_options *o)
{
    struct error *e = &call->error;
    if (call_check_reserved(call, o->reserved, sizeof o->reserved / sizeof *o->reserved, "what"))
        return -1;
    if (call_check_source(call, room->room, o->source))
        return -1;
    if (!(o->rate >= 8000.0 && o->rate <= 192000.0))
        return fail(e, ERROR_USAGE, "rate is %g Hz; must be from 8000 to 192000", o->rate);
    if (o->block > BLOCK_MAX || (o->block && o->block < 16))
        return fail(e, ERROR_USAGE, "block is %zu frames; must be from 16 to %d; 0: %d", o->block, BLOCK_MAX, BLOCK);
    if (!o->dry != !o->dry_frames)
        return fail(e, ERROR_USAGE, "dry has %zu frames; pass the samples of a sound and their number, or neither",
                    o->dry_frames);
    for (size_t n = 0; n < o->dry_frames; n++)
        if (!isfinite(o->dry[n]))
            return fail(e, ERROR_INPUT, "dry[%zu] is not a finite number", n);
    return 0;
}

static int make(struct call *call, struct aula_preview **out, const struct aula_room *room,
                const struct aula_preview_options *what, const struct aula_options *options)
{
    struct call_options given;
    if (!out)
        return call_refuse_null(call, "preview", "the address of a pointer");
    *out = NULL;
    if (!room)
        return call_refuse_null(call, "room", "a room of aula_room_open");
    if (!what)
        return call_refuse_null(call, "what", "a struct aula_preview_options with a rate");
    if (check(call, room, what) || call_take_options(&given, call, options))
        return -1;
    struct aula_preview *p = calloc(1, sizeof *p);
    if (!p)
        return fail(&call->error, ERROR_MEMORY, "out of memory");
    p->room = room_hold(room);
    p->block = what->block ? what->block : BLOCK;
    p->engine = given.choice.engine ? text_copy(given.choice.engine) : NULL;
    p->choice = given.choice;
    p->choice.engine = p->engine;
    if (start(p, what, &call->error)) {
        aula_preview_close(p);
        return -1;
    }
    *out = p;
    return 0;
}

int aula_preview_open(struct aula_preview **preview, const struct aula_room *room,
                      const struct aula_preview_options *what, const struct aula_options *options,
                      struct aula_error *error)
{
    struct call call;
    if (call_begin(&call, error))
        return -1;
    return call_end(&call, make(&call, preview, room, what, options));
}

size_t aula_preview_block(const struct aula_preview *preview)
{
    return preview ? preview->block : 0;
}

void aula_preview_run(struct aula_preview *preview, const float *dry, float *heard)
{
    if (preview && dry && heard)
        mixer_run(preview->mixer, dry, heard);
}

void aula_preview_turn(struct aula_preview *preview, double yaw, double pitch, double roll)
{
    const struct head_pose pose = {yaw, pitch, roll};
    if (preview && preview->head)
        head_turn(preview->head, &pose);
}

int aula_preview_status(struct aula_preview *preview, struct aula_preview_status *status)
{
    if (!status)
        return -1;
    memset(status, 0, sizeof *status);
    status->valid_frequency = status->band = status->progress = NAN;
    if (!preview)
        return -1;
    const struct refiner_status r = refiner_status(preview->refiner);
    const struct mixer_status m = mixer_status(preview->mixer);
    status->valid_frequency = r.valid_frequency;
    status->band = r.band;
    status->progress = r.progress;
    status->heard = m.heard;
    status->refining = r.next_rate > 0.0 || !(r.band > 0.0 || r.failed);
    if (r.failed)
        snprintf(preview->failure, sizeof preview->failure, "%s", r.error.message);
    status->failure = r.failed ? preview->failure : NULL;
    return 0;
}
