/* SPDX-License-Identifier: MIT */
/* Links between GPUs through NCCL, which is loaded on first use; the program also runs without
 * it. */
#include "cuda/engine/link_library.h"

#include <cuda_runtime.h>
#include <dlfcn.h>
#include <nccl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The functions used from the library. */
static struct {
    ncclResult_t (*get_version)(int *);
    ncclResult_t (*get_unique_id)(ncclUniqueId *);
    ncclResult_t (*comm_init_rank_config)(ncclComm_t *, int, ncclUniqueId, int, ncclConfig_t *);
    ncclResult_t (*comm_destroy)(ncclComm_t);
    ncclResult_t (*comm_abort)(ncclComm_t);
    ncclResult_t (*comm_get_async_error)(ncclComm_t, ncclResult_t *);
    ncclResult_t (*group_start)(void);
    ncclResult_t (*group_end)(void);
    ncclResult_t (*send)(const void *, size_t, ncclDataType_t, int, ncclComm_t, cudaStream_t);
    ncclResult_t (*recv)(void *, size_t, ncclDataType_t, int, ncclComm_t, cudaStream_t);
    const char *(*get_error_string)(ncclResult_t);
} nccl;

static const struct {
    const char *name;
    void *address; /* of the pointer above */
} functions[] = {
    {"ncclGetVersion", &nccl.get_version},
    {"ncclGetUniqueId", &nccl.get_unique_id},
    {"ncclCommInitRankConfig", &nccl.comm_init_rank_config},
    {"ncclCommDestroy", &nccl.comm_destroy},
    {"ncclCommAbort", &nccl.comm_abort},
    {"ncclCommGetAsyncError", &nccl.comm_get_async_error},
    {"ncclGroupStart", &nccl.group_start},
    {"ncclGroupEnd", &nccl.group_end},
    {"ncclSend", &nccl.send},
    {"ncclRecv", &nccl.recv},
    {"ncclGetErrorString", &nccl.get_error_string},
};

static pthread_once_t once = PTHREAD_ONCE_INIT;
static const char *fault; /* reason why it is not available */
static int version;

static void load(void)
{
    void *library = dlopen("libnccl.so.2", RTLD_NOW | RTLD_LOCAL);
    fault = library ? NULL : "libnccl.so.2 was not found; install NCCL";
    for (size_t i = 0; i < sizeof functions / sizeof *functions && !fault; i++) {
        void *function = dlsym(library, functions[i].name);
        if (function)
            memcpy(functions[i].address, &function, sizeof function);
        else
            fault = "libnccl.so.2 is older than version 2.17; install a later version";
    }
    if (!fault && nccl.get_version(&version))
        fault = "libnccl.so.2 failed to start";
}

static const char *unavailable(void)
{
    pthread_once(&once, load);
    return fault;
}

static void describe(char *text, size_t size)
{
    if (unavailable())
        snprintf(text, size, "not available: %s", fault);
    else
        snprintf(text, size, "NCCL %d.%d.%d", version / 10000, version / 100 % 100, version % 100);
}

/* For messages. While links are being opened, an error means that there are none: ERROR_ENGINE. */
static int check(ncclResult_t result, const char *doing, struct error *e)
{
    return result == ncclSuccess ? 0
                                 : fail(e, ERROR_DEVICE, "NCCL, %s: %s (set NCCL_DEBUG=INFO for details)", doing,
                                        nccl.get_error_string(result));
}

static int make_name(char name[LINK_NAME_BYTES], struct error *e)
{
    ncclUniqueId id;
    _Static_assert(sizeof id == LINK_NAME_BYTES, "a name holds the bytes of an ncclUniqueId");
    if (unavailable())
        return fail(e, ERROR_ENGINE, "%s", fault);
    if (check(nccl.get_unique_id(&id), "creating a unique id", e)) {
        e->code = ERROR_ENGINE;
        return -1;
    }
    memcpy(name, &id, sizeof id);
    return 0;
}

static int put(ncclComm_t comm, const struct link_message *m, cudaStream_t stream, struct error *e)
{
    return check(nccl.send(m->sent, m->sent_bytes, ncclChar, m->part, comm, stream), "sending", e) ||
                   check(nccl.recv(m->received, m->received_bytes, ncclChar, m->part, comm, stream), "receiving", e)
               ? -1
               : 0;
}

static int check_links(void *links, struct error *e)
{
    ncclResult_t state = ncclSuccess;
    return check(nccl.comm_get_async_error(links, &state), "querying errors", e) ||
                   check(state, "exchanging messages", e)
               ? -1
               : 0;
}

static int pass(void *links, const struct link_message *messages, int count, void *stream, struct error *e)
{
    ncclComm_t comm = links;
    struct error late;
    if (check_links(links, e) || check(nccl.group_start(), "exchanging messages", e))
        return -1;
    int status = 0;
    for (int i = 0; i < count && !status; i++)
        status = put(comm, &messages[i], stream, e);
    const int ended = check(nccl.group_end(), "exchanging messages", status ? &late : e); /* also after a failure */
    return status || ended ? -1 : 0;
}

/* Thread blocks of a message occupy multiprocessors that steps need, but few blocks are slow: of
 * 1, 2, 4, 8 and NCCL's default, 8 were the fastest (docs/design/parallel.md). NCCL_MAX_CTAS in
 * the environment has priority. */
enum { MESSAGE_BLOCKS = 8 };

/* Exchanges a byte with each neighbour, so that the memory that messages need is allocated
 * before the grids, and paths that do not work are detected. */
static int greet(void *links, int part, int count, struct error *e)
{
    char *memory = NULL; /* one byte to send, and one for each neighbour */
    struct link_message messages[2];
    int neighbours = 0;
    cudaStream_t stream = NULL;
    cudaError_t status = cudaMalloc((void **)&memory, 1 + 2);
    if (!status)
        status = cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    for (int other = part - 1; other <= part + 1; other += 2)
        if (other >= 0 && other < count) {
            messages[neighbours] = (struct link_message){other, memory, 1, memory + 1 + neighbours, 1};
            neighbours++;
        }
    const int failed = !status && pass(links, messages, neighbours, stream, e);
    if (!status && !failed)
        status = cudaStreamSynchronize(stream);
    if (stream)
        cudaStreamDestroy(stream);
    cudaFree(memory);
    return failed   ? -1
           : status ? fail(e, ERROR_DEVICE, "NCCL, exchanging a first message: %s", cudaGetErrorString(status))
                    : 0;
}

static int open(void **links, const char name[LINK_NAME_BYTES], int part, int count, struct error *e)
{
    ncclUniqueId id;
    ncclComm_t comm = NULL;
    ncclConfig_t config = NCCL_CONFIG_INITIALIZER;
    config.maxCTAs = MESSAGE_BLOCKS;
    config.cgaClusterSize = 1; /* a cluster would wait for that many adjacent multiprocessors to become free */
    *links = NULL;
    if (unavailable())
        return fail(e, ERROR_ENGINE, "%s", fault);
    memcpy(&id, name, sizeof id);
    int status = check(nccl.comm_init_rank_config(&comm, count, id, part, &config), "joining the other parts", e);
    if (!status && greet(comm, part, count, e)) {
        nccl.comm_abort(comm);
        status = -1;
    }
    if (status)
        e->code = ERROR_ENGINE; /* no links: halos pass through the host */
    else
        *links = comm;
    return status;
}

static void close(void *links, int broken)
{
    if (links && broken)
        nccl.comm_abort(links);
    else if (links)
        nccl.comm_destroy(links);
}

const struct link_library link_library = {"NCCL", unavailable, describe, make_name, open, pass, check_links, close};
