/* SPDX-License-Identifier: MIT */
#include "render/geometric_async.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "base/stop.h"
#include "base/threads.h"

struct geometric_async {
    pthread_t thread;
    struct geometric made;
    size_t frames, first, count;
    double rate, *gains; /* [count] */
    struct geometric_band band;
    const struct model *model;
    int threads, status;
    struct error error;
};

static void *make(void *aside)
{
    struct geometric_async *a = aside;
    threads_limit(a->threads);
    a->status = geometric_make(&a->made, a->frames, a->rate, &a->band, &geometric_whole, a->model, a->first, a->count,
                               a->gains, &a->error);
    return NULL;
}

/* Signals are the calling thread's. */
static int start(struct geometric_async *a)
{
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, &before);
    const int status = pthread_create(&a->thread, NULL, make, a);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return status;
}

int geometric_async_begin(struct geometric_async **aside, size_t frames, double rate, const struct geometric_band *band,
                          const struct model *m, size_t first, size_t count, const double *gains, int threads,
                          struct error *e)
{
    struct geometric_async *a = calloc(1, sizeof *a);
    double *own = malloc((count + 1) * sizeof *own);
    *aside = NULL;
    if (!a || !own) {
        free(a);
        free(own);
        return fail(e, ERROR_MEMORY, "out of memory for the geometric half");
    }
    memcpy(own, gains, count * sizeof *own);
    *a = (struct geometric_async){.frames = frames,
                                  .first = first,
                                  .count = count,
                                  .rate = rate,
                                  .gains = own,
                                  .band = *band,
                                  .model = m,
                                  .threads = threads};
    if (start(a)) {
        free(own);
        free(a);
        return fail(e, ERROR_FAILED, "no thread for the geometric half");
    }
    *aside = a;
    return 0;
}

int geometric_async_end(struct geometric_async *a, struct geometric *g, struct error *e)
{
    pthread_join(a->thread, NULL);
    const int status = a->status;
    *g = a->made;
    if (status)
        *e = a->error;
    free(a->gains);
    free(a);
    return status;
}

void geometric_async_drop(struct geometric_async *a)
{
    struct geometric made;
    struct error e;
    if (!a)
        return;
    stop_work(true); /* image sources and rays look for nothing else */
    geometric_async_end(a, &made, &e);
    stop_work(false);
    geometric_free(&made);
}
