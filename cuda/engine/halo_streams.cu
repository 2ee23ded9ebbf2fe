/* SPDX-License-Identifier: MIT */
/* The streams of halos in addition to that of the steps, and their dependences. Each read
 * follows the write that it needs, and each write the reads of the values it replaces:
 * docs/design/parallel.md (P13 to P20). */
#include <atomic>

#include "cuda/engine/device.cuh"
#include "cuda/engine/halo.cuh"
#include "cuda/engine/halos.cuh"

namespace
{

/* A step may start, and read the results of the last kernel but one, before the last kernel is
 * complete (docs/design/parallel.md P20). This kernel separates it from a wait for halos, or for
 * the readers of halos. */
__global__ void end_of_halo()
{
}

/* Number of parts of this process on each GPU. */
std::atomic<int> parts_on[DEVICES_MAX];

std::atomic<int> *parts_beside(const cuda_state *s)
{
    return s->device < DEVICES_MAX ? &parts_on[s->device] : nullptr;
}

__global__ void tell_taken(unsigned *taken, unsigned count)
{
    tell_halos_taken(taken, count);
}

/* Writes a word when a stream reaches it, without a kernel. False: not supported by this device
 * or its driver. */
bool write_word(const struct halo_streams *h, unsigned value)
{
    static const auto write = DRIVER_FUNCTION(cuStreamWriteValue32);
    return !DELAYS_ARE_KERNELS && write &&
           write(h->copies, (CUdeviceptr)h->taken_count, value, CU_STREAM_WRITE_VALUE_DEFAULT) == CUDA_SUCCESS;
}

/* Makes the stream of copies wait until a word has reached `value`. False: not supported by this
 * device or its driver. */
bool wait_for_word(const struct halo_streams *h, unsigned value)
{
    static const auto wait = DRIVER_FUNCTION(cuStreamWaitValue32);
    return wait && wait(h->copies, (CUdeviceptr)h->written_count, value, CU_STREAM_WAIT_VALUE_GEQ) == CUDA_SUCCESS;
}

} // namespace

int halo_make_event(cudaEvent_t *event, struct error *e)
{
    return cuda_check(cudaEventCreateWithFlags(event, cudaEventDisableTiming), "halo", e);
}

/* The stream of copies has a high priority: copies are short, and work that the steps' stream
 * has started releases multiprocessors one by one. */
int halo_open_streams(cuda_state *s, struct error *e)
{
    struct halo_streams *h = &s->halo_streams;
    int least = 0, greatest = 0;
    if (h->copies)
        return 0;
    if (upload<unsigned>(&h->taken_count, nullptr, 1, "halo", e) ||
        upload<unsigned>(&h->written_count, nullptr, 1, "halo", e))
        return -1;
    if (parts_beside(s)) {
        ++*parts_beside(s);
        h->counted = true;
    }
    if (cuda_check(cudaDeviceGetStreamPriorityRange(&least, &greatest), "halo", e) ||
        cuda_check(cudaStreamCreateWithPriority(&h->copies, cudaStreamNonBlocking, greatest), "halo", e) ||
        cuda_check(cudaStreamCreateWithFlags(&h->near, cudaStreamNonBlocking), "halo", e) ||
        halo_make_event(&h->stepped, e) || halo_make_event(&h->given, e) || halo_make_event(&h->taken, e) ||
        halo_make_event(&h->done, e) || halo_make_event(&h->passed[0], e) || halo_make_event(&h->passed[1], e))
        return -1;
    h->writes_words = write_word(h, 0);
    h->waits_for_words = wait_for_word(h, 0);
    return 0;
}

int halo_follow(cudaStream_t stream, cudaEvent_t event, cudaStream_t other, struct error *e)
{
    return cuda_check(cudaEventRecord(event, other), "halo", e) ||
                   cuda_check(cudaStreamWaitEvent(stream, event, 0), "halo", e)
               ? -1
               : 0;
}

int halo_follow_steps(cuda_state *s, bool written, struct error *e)
{
    struct halo_streams *h = &s->halo_streams;
    h->followed_count = written && h->counts_written;
    if (!h->followed_count)
        return halo_follow(h->copies, h->stepped, s->stream, e);
    return wait_for_word(h, h->written_expected)
               ? 0
               : fail(e, ERROR_DEVICE, "halo: the driver does not support waiting on memory");
}

int halo_tell_steps(cuda_state *s, const device_halo *const *taken, int count, struct error *e)
{
    struct halo_streams *h = &s->halo_streams;
    const unsigned takes = ++h->takes;
    halo_delay(h->copies);
    for (int i = 0; i < count; i++)
        if (!taken[i]->planes.z0)
            h->takes_below = takes;
    if (!h->writes_words)
        tell_taken<<<1, 1, 0, h->copies>>>(h->taken_count, takes);
    else if (!write_word(h, takes))
        return fail(e, ERROR_DEVICE, "halo: the driver does not support writing to memory from a stream");
    return cuda_check(cudaGetLastError(), "halo", e) || cuda_check(cudaEventRecord(h->taken, h->copies), "halo", e) ? -1
                                                                                                                    : 0;
}

void halo_note_kernels(cuda_state *s, device_halo *h, bool needs)
{
    needs = needs || !s->halo_streams.writes_words;
    s->halo_streams.by_kernels += (int)needs - (int)h->by_kernels;
    h->by_kernels = needs;
}

int halos_wait_until_given(const cuda_state *s, struct error *e)
{
    if (cuda_check(cudaStreamWaitEvent(s->stream, s->halo_streams.given, 0), "halo", e))
        return -1;
    end_of_halo<<<1, 1, 0, s->stream>>>();
    return cuda_check(cudaGetLastError(), "halo", e);
}

int halos_wait(cuda_state *s, struct error *e)
{
    if (!s->halo_streams.taking)
        return 0;
    s->halo_streams.taking = false;
    if (cuda_check(cudaStreamWaitEvent(s->stream, s->halo_streams.taken, 0), "halo", e))
        return -1;
    halo_delay(s->stream);
    end_of_halo<<<1, 1, 0, s->stream>>>();
    return cuda_check(cudaGetLastError(), "halo", e);
}

bool halos_may_be_awaited(const cuda_state *s, bool leaves_room)
{
    const std::atomic<int> *beside = parts_beside(s);
    return beside && *beside == 1 && !s->halo_streams.staged && (leaves_room || !s->halo_streams.by_kernels);
}

bool halos_await(cuda_state *s, bool leaves_room, struct halo_gate *gate)
{
    struct halo_streams *h = &s->halo_streams;
    if (!halos_may_be_awaited(s, leaves_room))
        return false;
    h->taking = false;
    gate->taken = h->taken_count;
    gate->awaited = h->takes_below;
    gate->all = h->takes;
    return true;
}

void halos_count_written(cuda_state *s, unsigned blocks, struct halo_gate *gate)
{
    struct halo_streams *h = &s->halo_streams;
    if (!s->exchanging || !h->waits_for_words)
        return;
    h->counts_written = true;
    h->written_expected += blocks;
    gate->written = h->written_count;
}

int halos_begin_near(const cuda_state *s, cudaStream_t *near, struct error *e)
{
    *near = s->halo_streams.near;
    if ((s->halo_streams.followed_count && halo_follow(*near, s->halo_streams.stepped, s->stream, e)) ||
        cuda_check(cudaStreamWaitEvent(*near, s->halo_streams.taken, 0), "halo", e))
        return -1;
    halo_delay(*near);
    end_of_halo<<<1, 1, 0, *near>>>();
    return cuda_check(cudaGetLastError(), "halo", e);
}

int halos_end_near(cuda_state *s, struct error *e)
{
    s->halo_streams.taking = false;
    halo_delay(s->halo_streams.near);
    if (halo_follow(s->stream, s->halo_streams.done, s->halo_streams.near, e))
        return -1;
    end_of_halo<<<1, 1, 0, s->stream>>>();
    return cuda_check(cudaGetLastError(), "halo", e);
}

void halos_drop(cuda_state *s)
{
    struct halo_streams *h = &s->halo_streams;
    if (h->counted)
        --*parts_beside(s);
    cudaFree(h->taken_count);
    cudaFree(h->written_count);
    for (cudaEvent_t event : {h->stepped, h->given, h->taken, h->done, h->passed[0], h->passed[1]})
        if (event)
            cudaEventDestroy(event);
    for (cudaStream_t stream : {h->copies, h->near})
        if (stream)
            cudaStreamDestroy(stream);
    *h = {};
}
