/* SPDX-License-Identifier: MIT */
#include "validate/parts/host_parts.h"

#include <pthread.h>
#include <stdlib.h>

#include "base/transport/thread_transport.h"
#include "solver/parts/processes.h"
#include "solver/parts/protocol.h"

struct host_parts {
    struct thread_hub *hub;
    pthread_t *threads; /* [count] */
    int count, started; /* number of threads started, for parts 1 .. started */
};

static void *serve(void *transport)
{
    struct error e = {ERROR_NONE, ""};
    parts_serve(transport, &e); /* its errors reach the leader through the transport */
    return NULL;
}

int host_parts_open(struct host_parts **out, int count, struct error *e)
{
    struct host_parts *parts = *out = calloc(1, sizeof *parts);
    if (!parts || !(parts->threads = calloc((size_t)count, sizeof *parts->threads)))
        return fail(e, ERROR_MEMORY, "out of memory");
    parts->count = count;
    if (thread_hub_open(&parts->hub, count, e))
        return -1;
    for (int part = 0; part < count; part++)
        thread_hub_end(parts->hub, part)->addresses = false;
    for (int part = 1; part < count; part++, parts->started++)
        if (pthread_create(&parts->threads[part], NULL, serve, thread_hub_end(parts->hub, part)))
            return fail(e, ERROR_ENGINE, "cannot start a thread for a part of the grid");
    return 0;
}

struct transport *host_parts_leader(struct host_parts *parts)
{
    return thread_hub_end(parts->hub, 0);
}

int host_parts_close(struct host_parts *parts, struct error *e)
{
    struct error late;
    if (!parts)
        return 0;
    int status = 0;
    if (parts->hub && parts->started + 1 < parts->count)
        transport_abandon(host_parts_leader(parts), &(struct error){ERROR_STOPPED, "closed"});
    else if (parts->hub)
        status = parts_end(host_parts_leader(parts), e ? e : &late);
    for (int part = 1; part <= parts->started; part++)
        pthread_join(parts->threads[part], NULL);
    thread_hub_close(parts->hub);
    free(parts->threads);
    free(parts);
    return e ? status : 0;
}
