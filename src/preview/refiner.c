#include "preview/refiner.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/resource.h>

#include "base/stop.h"

struct refiner {
    const struct stages *stages;
    struct mixer *mixer;
    pthread_t thread;
    atomic_bool quit, finished;
    _Atomic double grid_rate, valid_frequency, progress;
    atomic_size_t stage;
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

static int render_stage(struct refiner *r, size_t index, struct error *e)
{
    const struct watch watch = {note_progress, r};
    struct stage stage;
    atomic_store(&r->stage, index);
    if (stages_render(&stage, r->stages, index, &watch, e))
        return -1;
    if (atomic_load(&r->quit)) {
        convolver_free(stage.convolver);
        return 0;
    }
    if (mixer_offer(r->mixer, stage.convolver, stage.gain, e))
        return -1;
    atomic_store(&r->grid_rate, stage.grid_rate);
    atomic_store(&r->valid_frequency, stage.valid_frequency);
    return 0;
}

static void *run(void *context)
{
    struct refiner *r = context;
    struct error e;
    setpriority(PRIO_PROCESS, 0, 10); /* of this thread and of those it starts: sound has priority */
    for (size_t i = 0; i < r->stages->count && !atomic_load(&r->quit); i++)
        if (render_stage(r, i, &e)) {
            if (atomic_load(&r->quit) || e.code == ERROR_STOPPED)
                break;
            r->error = e; /* the current response stays in use */
            atomic_store(&r->failed, true);
            break;
        }
    atomic_store(&r->finished, true);
    return NULL;
}

int refiner_start(struct refiner **out, const struct stages *stages, struct mixer *mixer, struct error *e)
{
    struct refiner *r = calloc(1, sizeof *r);
    *out = NULL;
    if (!r)
        return fail(e, ERROR_MEMORY, "out of memory");
    r->stages = stages;
    r->mixer = mixer;
    if (pthread_create(&r->thread, NULL, run, r)) {
        free(r);
        return fail(e, ERROR_FAILED, "no thread for the room");
    }
    *out = r;
    return 0;
}

void refiner_end(struct refiner *r)
{
    if (!r)
        return;
    atomic_store(&r->quit, true);
    pthread_join(r->thread, NULL);
    free(r);
}

struct refiner_status refiner_status(struct refiner *r)
{
    struct refiner_status status = {
        .grid_rate = atomic_load(&r->grid_rate),
        .valid_frequency = atomic_load(&r->valid_frequency),
        .next_rate = atomic_load(&r->finished) ? 0.0 : r->stages->rates[atomic_load(&r->stage)],
        .progress = atomic_load(&r->progress),
        .failed = atomic_load(&r->failed),
    };
    if (status.failed)
        status.error = r->error;
    return status;
}
