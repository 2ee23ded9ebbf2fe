/* SPDX-License-Identifier: MIT */
/* The transport between processes started by mpirun, through MPI. A module of its own, which the program loads when it was
 * started so: libmpi would cost every other command 15 ms. */
#include <mpi.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/transport/process_module.h"

enum { TAG = 1, PIECE = 1 << 30 /* PIECE in bytes, as MPI counts in int */ };
enum { SPINS = 2000, TURN_BYTES = 512, NAP = 50000 /* NAP in ns */ };

struct end {
    struct transport transport; /* must be the first member */
    MPI_Request *sent;
    size_t sent_count, sent_room, sent_bytes;
};

static struct end *end_of(struct transport *t)
{
    return (struct end *)(void *)t;
}

static void describe(char *text, size_t size)
{
    char version[MPI_MAX_LIBRARY_VERSION_STRING] = "";
    int length = 0;
    MPI_Get_library_version(version, &length);
    version[strcspn(version, ",\n")] = 0;
    snprintf(text, size, "%s", version);
}

static int count_of(size_t count, size_t done)
{
    return (int)(count - done < PIECE ? count - done : PIECE);
}

static int send_piece(struct end *end, int to, const char *bytes, int count, struct error *e)
{
    if (end->sent_count == end->sent_room) {
        const size_t room = 2 * end->sent_room + 16;
        MPI_Request *longer = realloc(end->sent, room * sizeof *longer);
        if (!longer)
            return fail(e, ERROR_MEMORY, "out of memory");
        end->sent = longer;
        end->sent_room = room;
    }
    end->sent_bytes += (size_t)count;
    return MPI_Isend(bytes, count, MPI_BYTE, to, TAG, MPI_COMM_WORLD, &end->sent[end->sent_count++])
               ? fail(e, ERROR_ENGINE, "MPI failed to send to part %d", to)
               : 0;
}

static int send(struct transport *t, int to, const void *bytes, size_t count, struct error *e)
{
    size_t done = 0;
    do {
        const int piece = count_of(count, done);
        if (send_piece(end_of(t), to, (const char *)bytes + done, piece, e))
            return -1;
        done += (size_t)piece;
    } while (done < count);
    return 0;
}

/* MPI itself waits with a busy processor. Short waits poll; longer ones nap between polls. A
 * long message within a host progresses, piece by piece, only while it is polled: for as long as
 * that may take, the processor is yielded between polls instead. */
static int wait_for(MPI_Request *request, size_t bytes, MPI_Status *status)
{
    const size_t turns = SPINS + bytes / TURN_BYTES;
    const struct timespec nap = {.tv_nsec = NAP};
    int done = 0;
    for (size_t turn = 0; !done; turn++) {
        if (MPI_Test(request, &done, status))
            return -1;
        if (!done && turn >= turns)
            nanosleep(&nap, NULL);
        else if (!done && turn >= SPINS)
            sched_yield();
    }
    return 0;
}

static int receive(struct transport *t, int from, void *bytes, size_t count, struct error *e)
{
    char none[1];
    size_t done = 0;
    (void)t;
    do {
        const int piece = count_of(count, done);
        MPI_Request request;
        MPI_Status status;
        int got = -1;
        if (MPI_Irecv(count ? (char *)bytes + done : none, piece, MPI_BYTE, from, TAG, MPI_COMM_WORLD, &request) ||
            wait_for(&request, (size_t)piece, &status) || MPI_Get_count(&status, MPI_BYTE, &got))
            return fail(e, ERROR_ENGINE, "MPI failed to receive from part %d", from);
        if (got != piece)
            return fail(e, ERROR_ENGINE, "part %d sent %d bytes; expected %d", from, got, piece);
        done += (size_t)piece;
    } while (done < count);
    return 0;
}

static int flush(struct transport *t, struct error *e)
{
    struct end *end = end_of(t);
    for (size_t i = 0; i < end->sent_count; i++)
        if (wait_for(&end->sent[i], end->sent_bytes, MPI_STATUS_IGNORE))
            return fail(e, ERROR_ENGINE, "MPI failed to complete a send");
    end->sent_count = end->sent_bytes = 0;
    return 0;
}

/* Ends all processes, as others may be waiting for this one. */
static void abandon(struct transport *t, const struct error *why)
{
    fprintf(stderr, "aula: part %d of %d: %s\n", t->part, t->count, why->message);
    fflush(stderr);
    MPI_Abort(MPI_COMM_WORLD, error_exit_status(why->code ? why->code : ERROR_ENGINE));
}

static const struct transport_functions functions = {send, receive, flush, abandon};

static int open(struct transport **t, struct error *e)
{
    int level = 0;
    struct end *end = calloc(1, sizeof *end);
    *t = NULL;
    if (!end)
        return fail(e, ERROR_MEMORY, "out of memory");
    if (MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &level) || level < MPI_THREAD_FUNNELED) {
        free(end);
        return fail(e, ERROR_ENGINE, "MPI did not start with support for threads (MPI_THREAD_FUNNELED)");
    }
    end->transport.functions = &functions;
    MPI_Comm_rank(MPI_COMM_WORLD, &end->transport.part);
    MPI_Comm_size(MPI_COMM_WORLD, &end->transport.count);
    MPI_Comm host;
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &host);
    MPI_Comm_size(host, &end->transport.beside);
    MPI_Comm_rank(host, &end->transport.beside_place);
    MPI_Comm_free(&host);
    *t = &end->transport;
    return 0;
}

static void close(struct transport *t)
{
    struct error e;
    if (!t)
        return;
    flush(t, &e);
    MPI_Finalize();
    free(end_of(t)->sent);
    free(t);
}

__attribute__((visibility("default"))) const struct process_module aula_process_module = {
    .version = AULA_VERSION, .describe = describe, .open = open, .close = close};
