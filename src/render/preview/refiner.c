/* SPDX-License-Identifier: MIT */
#include "render/preview/refiner.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/resource.h>

#include "base/stop.h"

struct refiner {
    struct stages stages;
    double first; /* s available for the first stage of the wave solver */
    struct mixer *mixer;
    pthread_t thread;
    atomic_bool quit, finished;
    _Atomic double grid_rate, valid_frequency, band, progress, next_rate;
    struct error error; /* before `failed` is set */
    atomic_bool failed;
};

static bool note_progress(void *context, size_t done, size_t total, double points_per_second)
{
    struct refiner *r = context;
    (void)points_per_second;
    atomic_store(&r->progress, (double)done / (double)total);
    return !atomic_load(&r->quit) && !stop_requested();
}

static int offer(struct refiner *r, const struct stage *stage, struct error *e)
{
    if (atomic_load(&r->quit)) {
        convolver_free(stage->convolver);
        return 0;
    }
    if (mixer_offer(r->mixer, stage->convolver, stage->gain, e))
        return -1;
    atomic_store(&r->grid_rate, stage->grid_rate);
    atomic_store(&r->valid_frequency, stage->valid_frequency);
    atomic_store(&r->band, stage->band);
    return 0;
}

static int render_stage(struct refiner *r, size_t index, struct error *e)
{
    const struct watch watch = {.look = note_progress, .context = r};
    struct stage stage;
    atomic_store(&r->progress, 0.0);
    atomic_store(&r->next_rate, r->stages.rates[index]);
    return stages_render(&stage, &r->stages, index, &watch, e) || offer(r, &stage, e) ? -1 : 0;
}

/* The geometric part; a room too small for a coarse grid skips it. */
static int render_first(struct refiner *r, struct error *e)
{
    struct stage stage;
    if (stages_first(&stage, &r->stages, e))
        return e->code == ERROR_INPUT ? 0 : -1;
    return stage.convolver ? offer(r, &stage, e) : 0;
}

static int render_all(struct refiner *r, struct error *e)
{
    if (render_first(r, e) || stages_plan(&r->stages, r->first, e))
        return -1;
    for (size_t i = 0; i < r->stages.count && !atomic_load(&r->quit); i++)
        if (render_stage(r, i, e))
            return -1;
    return 0;
}

static void *run(void *context)
{
    struct refiner *r = context;
    struct error e;
    setpriority(PRIO_PROCESS, 0, 10); /* of this thread and those it starts; sound has priority */
    if (render_all(r, &e) && !atomic_load(&r->quit) && e.code != ERROR_STOPPED) {
        r->error = e; /* the current response stays in use */
        atomic_store(&r->failed, true);
    }
    atomic_store(&r->finished, true);
    return NULL;
}

int refiner_start(struct refiner **out, const struct stages *stages, double first, struct mixer *mixer, struct error *e)
{
    struct refiner *r = calloc(1, sizeof *r);
    *out = NULL;
    if (!r)
        return fail(e, ERROR_MEMORY, "out of memory");
    r->stages = *stages;
    r->first = first;
    r->mixer = mixer;
    if (pthread_create(&r->thread, NULL, run, r)) {
        free(r);
        return fail(e, ERROR_FAILED, "cannot start a thread for the room");
    }
    *out = r;
    return 0;
}

void refiner_end(struct refiner *r)
{
    if (!r)
        return;
    atomic_store(&r->quit, true);
    stop_work(true); /* image sources and rays check no other flag */
    pthread_join(r->thread, NULL);
    stop_work(false);
    free(r);
}

struct refiner_status refiner_status(struct refiner *r)
{
    struct refiner_status status = {
        .grid_rate = atomic_load(&r->grid_rate),
        .valid_frequency = atomic_load(&r->valid_frequency),
        .band = atomic_load(&r->band),
        .next_rate = atomic_load(&r->finished) ? 0.0 : atomic_load(&r->next_rate),
        .progress = atomic_load(&r->progress),
        .failed = atomic_load(&r->failed),
    };
    if (status.failed)
        status.error = r->error;
    return status;
}
