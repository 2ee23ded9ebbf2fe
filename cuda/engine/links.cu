/* SPDX-License-Identifier: MIT */
/* The link library between devices of different processes: opening both ends, with a limit on the wait, and identifying
 * devices. */
#include "cuda/engine/state.cuh"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <pthread.h>

#include "cuda/engine/device.cuh"

extern "C" {
#include "base/stop.h"
#include "cuda/engine/link_library.h"
}

namespace
{

enum { WAIT = 600 /* tenths of a second for all parts to open their ends */ };

int identify(char id[LINK_DEVICE_BYTES], int device, struct error *e)
{
    cudaDeviceProp properties;
    const char *reason = link_library.unavailable();
    if (reason)
        return fail(e, ERROR_ENGINE, "%s", reason);
    if (cuda_check(cudaGetDeviceProperties(&properties, device), "device", e))
        return -1;
    memset(id, 0, LINK_DEVICE_BYTES);
    memcpy(id, &properties.uuid, sizeof properties.uuid);
    return 0;
}

/* The library waits for all parts without limit, so that a thread calls it, which is abandoned
 * if they do not respond. Messages that never end may then remain on its GPU: it cannot be used
 * any more, and the program must end. */
struct opening {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    int device, part, count, status;
    bool done, left; /* the one that sees the other's flag set frees the struct */
    char name[LINK_NAME_BYTES];
    void *links;
    struct error why;
};

void *open_in_thread(void *context)
{
    opening *o = (opening *)context;
    struct error why = {ERROR_NONE, ""};
    const int status = cuda_check(cudaSetDevice(o->device), "device", &why) ||
                               link_library.open(&o->links, o->name, o->part, o->count, &why)
                           ? -1
                           : 0;
    pthread_mutex_lock(&o->lock);
    o->status = status;
    o->why = why;
    o->done = true;
    const bool left = o->left;
    pthread_cond_signal(&o->changed);
    pthread_mutex_unlock(&o->lock);
    if (left)
        delete o;
    return nullptr;
}

int start(opening *o, struct error *e)
{
    pthread_t thread;
    if (pthread_create(&thread, nullptr, open_in_thread, o))
        return fail(e, ERROR_ENGINE, "cannot start a thread that opens links between GPUs");
    pthread_detach(thread);
    return 0;
}

/* Whether opening ended, successfully or not, within the limit and before a stop was requested. */
bool waited_for(opening *o)
{
    struct timespec until;
    clock_gettime(CLOCK_MONOTONIC, &until);
    pthread_mutex_lock(&o->lock);
    for (int turn = 0; !o->done && turn < WAIT && !stop_requested(); turn++) {
        until.tv_nsec += 100000000;
        until.tv_sec += until.tv_nsec / 1000000000;
        until.tv_nsec %= 1000000000;
        while (!o->done && pthread_cond_timedwait(&o->changed, &o->lock, &until) != ETIMEDOUT)
            ;
    }
    const bool left = o->left = !o->done;
    pthread_mutex_unlock(&o->lock);
    return !left;
}

int wait_for(opening *o, void **links, struct error *e)
{
    if (!waited_for(o))
        return stop_check(e) ? -1
                             : fail(e, ERROR_DEVICE,
                                    "%s: the GPUs of the other parts did not respond within %d s (set NCCL_DEBUG=INFO "
                                    "for details); use --through-host",
                                    link_library.name, WAIT / 10);
    const int status = o->status;
    *links = o->links;
    if (status)
        *e = o->why;
    delete o;
    return status;
}

int open(void **links, const char name[LINK_NAME_BYTES], int part, int count, int device, struct error *e)
{
    pthread_condattr_t monotonic;
    *links = nullptr;
    opening *o = new (std::nothrow) opening();
    if (!o)
        return fail(e, ERROR_MEMORY, "out of memory");
    pthread_mutex_init(&o->lock, nullptr);
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_cond_init(&o->changed, &monotonic);
    pthread_condattr_destroy(&monotonic);
    o->device = device;
    o->part = part;
    o->count = count;
    memcpy(o->name, name, sizeof o->name);
    if (start(o, e)) {
        delete o;
        return -1;
    }
    return wait_for(o, links, e);
}

int make_name(char name[LINK_NAME_BYTES], struct error *e)
{
    return link_library.make_name(name, e);
}

void close(void *links, int broken)
{
    link_library.close(links, broken);
}

void describe(char *text, size_t size)
{
    link_library.describe(text, size);
}

} // namespace

const struct link_access cuda_links = {identify, make_name, open, close, describe};
