/* The CUDA engine: device memory, the step graph, audio up and down once a block. */
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

extern "C" {
#include "base/memory.h"
#include "base/text.h"
#include "check.h"
#include "layout.h"
#include "solver.h"
}
#include "audio.cuh"
#include "kernel.cuh"

namespace {

/* Steps in one graph: even, so that the grids are back in their places; steps that a block of audio on the device can hold. */
enum { GRAPH_STEPS = 32, BLOCK_STEPS = 8192 };

/* A point whose energy is followed when auditing. */
struct watched_point {
    uint64_t at;
    double half_a; /* a/2 of a wall */
};

struct cuda_state {
    const struct problem *problem;
    const struct cuda_kernel *kernel;
    struct block_shape block;
    int variant;
    bool audited;
    struct layout layout;
    struct rows rows;
    cudaStream_t stream;
    int now; /* index of p^n in grids */
    void *grids[2];
    void *states, *codes;
    uint8_t *map, *tiles;
    unsigned long long *base;
    /* audio */
    std::vector<drive_point> drive_points; /* tile is set for the chosen tiling */
    drive_point *device_drive_points;
    term *drive_terms, *tap_terms;
    uint32_t *tap_first;
    double *drive, *taps;
    std::vector<uint64_t> drive_at;
    /* audit */
    watched_point *walls;
    size_t wall_count;
    double *wall_before, *wall_absorbed, *drive_before, *drive_supplied;
    cudaGraphExec_t graphs[2]; /* by `now` */
};

size_t real_size(enum precision precision)
{
    return precision == PRECISION_DOUBLE ? sizeof(double) : sizeof(float);
}

size_t grid_values(const cuda_state *s)
{
    return s->layout.pitch * s->layout.points[1] * s->layout.points[2];
}

int device_count()
{
    int count = 0;
    if (cudaGetDeviceCount(&count) != cudaSuccess) {
        cudaGetLastError(); /* forget it: the next call starts clean */
        return 0;
    }
    return count;
}

__global__ void probe()
{
}

const char *unavailable(void)
{
    static char reason[128];
    if (device_count() == 0)
        return "no NVIDIA GPU and driver were found";
    int major = 0;
    cudaFuncAttributes attributes;
    cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, 0);
    if (cudaFuncGetAttributes(&attributes, probe) != cudaSuccess) {
        cudaGetLastError();
        snprintf(reason, sizeof reason, "the GPU (compute capability %d) or its driver is too old for this build", major);
        return reason;
    }
    return nullptr;
}

template <typename T> int upload(T **device, const T *host, size_t count, const char *what, struct error *e)
{
    const size_t bytes = (count ? count : 1) * sizeof(T);
    if (cuda_check(cudaMalloc(device, bytes), what, e))
        return -1;
    return host && count ? cuda_check(cudaMemcpy(*device, host, count * sizeof(T), cudaMemcpyHostToDevice), what, e)
                         : cuda_check(cudaMemset(*device, 0, bytes), what, e);
}

/* The step as the kernels see it; `offset` counts from *base. */
template <typename REAL> step<REAL> make_step(const cuda_state *s, int now, int offset)
{
    step<REAL> out;
    const struct layout *l = &s->layout;
    memset(&out, 0, sizeof out);
    out.next = (REAL *)s->grids[!now];
    out.now = (const REAL *)s->grids[now];
    out.nx = (int)l->points[0];
    out.ny = (int)l->points[1];
    out.nz = (int)l->points[2];
    out.pitch = (int)l->pitch;
    out.plane = (int64_t)(l->pitch * l->points[1]);
    out.courant_squared = (REAL)s->problem->as.leapfrog.courant_squared;
    for (int axis = 0; axis < 3; axis++) {
        out.from[axis] = (int)l->from[axis];
        out.to[axis] = (int)l->to[axis];
    }
    out.missing = l->missing;
    out.states = (const point_code<REAL> *)s->states;
    out.codes = (const point_code<REAL> *)s->codes;
    out.map = s->map;
    out.tiles = s->tiles;
    out.base = s->base;
    out.offset = offset;
    out.drive_points = s->device_drive_points;
    out.drive_point_count = (unsigned)s->drive_points.size();
    out.drive_terms = s->drive_terms;
    out.drive = s->drive;
    out.drive_stride = BLOCK_STEPS;
    out.tap_terms = s->tap_terms;
    out.tap_first = s->tap_first;
    out.tap_count = (unsigned)s->problem->tap_count;
    out.taps = s->taps;
    out.tap_stride = BLOCK_STEPS;
    return out;
}

/* For kernels that leave the audio to the engine: taps of p^n, drives into p^{n+1}. */
template <typename REAL> __global__ void audio_step(const step<REAL> s)
{
    for (unsigned channel = threadIdx.x; channel < s.tap_count; channel += blockDim.x)
        read_taps(s, channel);
    add_drives(s, EVERY_TILE, threadIdx.x, blockDim.x);
}

/* After the last step of a block: what taps of level 1 hear of the field now. */
template <typename REAL> __global__ void last_taps(const step<REAL> s)
{
    for (unsigned channel = threadIdx.x; channel < s.tap_count; channel += blockDim.x)
        read_late_taps(s, channel);
}

__global__ void advance_base(unsigned long long *base, unsigned long long steps)
{
    *base += steps;
}

template <typename REAL> __global__ void keep_before(const step<REAL> s, const watched_point *walls, size_t count, double *before,
                                                     double *drive_before)
{
    for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < count; i += (size_t)gridDim.x * blockDim.x)
        before[i] = (double)s.next[walls[i].at];
    if (blockIdx.x == 0)
        for (unsigned i = threadIdx.x; i < s.drive_point_count; i += blockDim.x)
            drive_before[i] = (double)s.next[s.drive_points[i].at];
}

template <typename REAL>
__global__ void follow_energy(const step<REAL> s, const watched_point *walls, size_t count, const double *before, double *absorbed,
                              const double *drive_before, double *supplied)
{
    for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < count; i += (size_t)gridDim.x * blockDim.x) {
        const double change = (double)s.next[walls[i].at] - before[i];
        absorbed[i] += walls[i].half_a * change * change;
    }
    if (blockIdx.x != 0)
        return;
    const unsigned long long n = *s.base + (unsigned long long)s.offset;
    for (unsigned i = threadIdx.x; i < s.drive_point_count; i += blockDim.x) {
        double sum = 0.0;
        for (uint32_t k = s.drive_points[i].first; k < s.drive_points[i].end; k++)
            sum += s.drive_terms[k].weight * s.drive[s.drive_terms[k].channel * s.drive_stride + n];
        supplied[i] += 0.5 * sum * ((double)s.next[s.drive_points[i].at] - drive_before[i]);
    }
}

template <typename REAL> int enqueue_step(const cuda_state *s, int now, int offset, struct error *e)
{
    const step<REAL> args = make_step<REAL>(s, now, offset);
    const unsigned blocks = (unsigned)(s->wall_count / 256 < 1024 ? s->wall_count / 256 + 1 : 1024);
    if (s->audited)
        keep_before<REAL><<<blocks, 256, 0, s->stream>>>(args, s->walls, s->wall_count, s->wall_before, s->drive_before);
    if constexpr (sizeof(REAL) == sizeof(double))
        s->kernel->launch_double(&args, s->block, s->variant, s->stream);
    else
        s->kernel->launch_single(&args, s->block, s->variant, s->stream);
    if (!s->kernel->own_audio && (args.tap_count || args.drive_point_count))
        audio_step<REAL><<<1, 256, 0, s->stream>>>(args);
    if (s->audited)
        follow_energy<REAL><<<blocks, 256, 0, s->stream>>>(args, s->walls, s->wall_count, s->wall_before, s->wall_absorbed,
                                                           s->drive_before, s->drive_supplied);
    return cuda_check(cudaGetLastError(), s->kernel->name, e);
}

int enqueue(const cuda_state *s, int now, int offset, struct error *e)
{
    return s->problem->precision == PRECISION_DOUBLE ? enqueue_step<double>(s, now, offset, e)
                                                     : enqueue_step<float>(s, now, offset, e);
}

/* The graph of GRAPH_STEPS steps that begins with p^n in grids[now]. */
int make_graph(cuda_state *s, int now, struct error *e)
{
    cudaGraph_t graph = nullptr;
    if (cuda_check(cudaStreamBeginCapture(s->stream, cudaStreamCaptureModeThreadLocal), "step graph", e))
        return -1;
    int status = 0;
    for (int i = 0; i < GRAPH_STEPS && !status; i++)
        status = enqueue(s, (now + i) & 1, i, e);
    advance_base<<<1, 1, 0, s->stream>>>(s->base, GRAPH_STEPS);
    const cudaError_t ended = cudaStreamEndCapture(s->stream, &graph);
    if (!status)
        status = cuda_check(ended, "step graph", e) ||
                 cuda_check(cudaGraphInstantiate(&s->graphs[now], graph, 0), "step graph", e);
    if (graph)
        cudaGraphDestroy(graph);
    return status ? -1 : 0;
}

void drop_graphs(cuda_state *s)
{
    for (int i = 0; i < 2; i++) {
        if (s->graphs[i])
            cudaGraphExecDestroy(s->graphs[i]);
        s->graphs[i] = nullptr;
    }
}

/* `steps` steps from *base on, nothing waited for. */
int enqueue_steps(cuda_state *s, size_t steps, struct error *e)
{
    while (steps >= GRAPH_STEPS) {
        if (!s->graphs[s->now] && make_graph(s, s->now, e))
            return -1;
        if (cuda_check(cudaGraphLaunch(s->graphs[s->now], s->stream), "step graph", e))
            return -1;
        steps -= GRAPH_STEPS;
    }
    for (size_t i = 0; i < steps; i++) {
        if (enqueue(s, s->now, (int)i, e))
            return -1;
        s->now = !s->now;
    }
    if (steps)
        advance_base<<<1, 1, 0, s->stream>>>(s->base, steps);
    return cuda_check(cudaGetLastError(), "steps", e);
}

int run_part(cuda_state *s, size_t done, size_t steps, const struct block *b, struct error *e)
{
    const struct problem *p = s->problem;
    const size_t row = BLOCK_STEPS * sizeof(double), bytes = steps * sizeof(double);
    if (cuda_check(cudaMemsetAsync(s->base, 0, sizeof *s->base, s->stream), "block", e))
        return -1;
    if (p->drive_count) {
        cudaError_t status = b->drive ? cudaMemcpy2DAsync(s->drive, row, b->drive + done, b->drive_stride * sizeof(double), bytes,
                                                          p->drive_count, cudaMemcpyHostToDevice, s->stream)
                                      : cudaMemset2DAsync(s->drive, row, 0, bytes, p->drive_count, s->stream);
        if (cuda_check(status, "drive signals", e))
            return -1;
    }
    if (enqueue_steps(s, steps, e))
        return -1;
    if (p->tap_count && b->taps) {
        if (p->precision == PRECISION_DOUBLE)
            last_taps<double><<<1, 256, 0, s->stream>>>(make_step<double>(s, s->now, 0));
        else
            last_taps<float><<<1, 256, 0, s->stream>>>(make_step<float>(s, s->now, 0));
        if (cuda_check(cudaMemcpy2DAsync(b->taps + done, b->tap_stride * sizeof(double), s->taps, row, bytes, p->tap_count,
                                         cudaMemcpyDeviceToHost, s->stream),
                       "taps", e))
            return -1;
    }
    return cuda_check(cudaStreamSynchronize(s->stream), s->kernel->name, e);
}

int run_steps(void *state, size_t steps, const struct block *b, struct error *e)
{
    cuda_state *s = (cuda_state *)state;
    for (size_t done = 0; done < steps;) {
        const size_t part = steps - done < BLOCK_STEPS ? steps - done : (size_t)BLOCK_STEPS;
        if (run_part(s, done, part, b, e))
            return -1;
        done += part;
    }
    return 0;
}

size_t padded(const struct layout *l, uint64_t point)
{
    return (size_t)(point / l->points[0]) * l->pitch + (size_t)(point % l->points[0]);
}

/* Drives of one point merged, in the order of points; taps by channel. */
int upload_audio(cuda_state *s, struct error *e)
{
    const struct problem *p = s->problem;
    std::vector<term> drives, taps;
    std::vector<uint32_t> first;
    for (size_t c = 0; c < p->drive_count; c++)
        for (size_t i = 0; i < p->drives[c].count; i++) {
            const struct channel_entry *entry = &p->drives[c].entries[i];
            drives.push_back({entry->point, entry->weight, (uint32_t)c, 1});
        }
    for (size_t i = 1; i < drives.size(); i++) /* few: insertion sort, stable */
        for (size_t k = i; k > 0 && drives[k - 1].at > drives[k].at; k--)
            std::swap(drives[k - 1], drives[k]);
    for (size_t i = 0; i < drives.size();) {
        size_t end = i;
        while (end < drives.size() && drives[end].at == drives[i].at)
            end++;
        const double weight = layout_weight(&s->rows, p, drives[i].at); /* a/(1+a): 1 - it is 1/(1+a) */
        s->drive_at.push_back(drives[i].at);
        s->drive_points.push_back({padded(&s->layout, drives[i].at), 0, (uint32_t)i, (uint32_t)end, 1.0 - weight});
        i = end;
    }
    for (size_t c = 0; c < p->tap_count; c++) {
        first.push_back((uint32_t)taps.size());
        for (size_t i = 0; i < p->taps[c].count; i++) {
            const struct channel_entry *entry = &p->taps[c].entries[i];
            taps.push_back({padded(&s->layout, entry->point), entry->weight, (uint32_t)c, entry->level});
        }
    }
    first.push_back((uint32_t)taps.size());
    return upload(&s->drive_terms, drives.data(), drives.size(), "drive channels", e) ||
           upload(&s->tap_terms, taps.data(), taps.size(), "tap channels", e) ||
           upload(&s->tap_first, first.data(), first.size(), "tap channels", e) ||
           upload(&s->device_drive_points, s->drive_points.data(), s->drive_points.size(), "drive channels", e) ||
           upload<double>(&s->drive, nullptr, p->drive_count * BLOCK_STEPS, "drive signals", e) ||
           upload<double>(&s->taps, nullptr, p->tap_count * BLOCK_STEPS, "taps", e);
}

template <typename REAL> int upload_kinds(cuda_state *s, struct error *e)
{
    point_code<REAL> states[STATES], codes[CODES] = {};
    const REAL courant_squared = (REAL)s->problem->as.leapfrog.courant_squared;
    for (int i = 0; i < STATES; i++)
        states[i] = {REAL(2) - REAL(s->layout.states[i].links) * courant_squared, (REAL)s->layout.states[i].weight};
    for (size_t i = 0; i < s->layout.code_count; i++)
        codes[i] = {REAL(2) - REAL(s->layout.codes[i].links) * courant_squared, (REAL)s->layout.codes[i].weight};
    return upload((point_code<REAL> **)&s->states, states, STATES, "wall table", e) ||
           upload((point_code<REAL> **)&s->codes, codes, CODES, "wall table", e);
}

int upload_map(cuda_state *s, struct error *e)
{
    const struct layout *l = &s->layout;
    if (!l->odd_count)
        return 0;
    const size_t plane = l->pitch * l->points[1];
    std::vector<uint8_t> codes(plane);
    if (cuda_check(cudaMalloc(&s->map, plane * l->points[2]), "voxel map", e))
        return -1;
    for (size_t z = 0; z < l->points[2]; z++) {
        layout_codes(l, &s->rows, s->problem, z, codes.data());
        if (cuda_check(cudaMemcpy(s->map + z * plane, codes.data(), plane, cudaMemcpyHostToDevice), "voxel map", e))
            return -1;
    }
    return 0;
}

/* Flags of the chosen tiling, and the tile of each drive. */
int upload_tiles(cuda_state *s, struct error *e)
{
    const struct layout *l = &s->layout;
    const int values = s->kernel->values_per_thread[s->problem->precision];
    const struct block_shape b = s->block;
    drop_graphs(s); /* they hold the old arguments */
    if (s->tiles)
        cudaFree(s->tiles);
    s->tiles = nullptr;
    if (!s->kernel->own_audio)
        return 0;
    const dim3 n = tiling((int)l->points[0], (int)l->points[1], (int)l->points[2], b, values);
    const size_t width = (size_t)(b.x * values);
    std::vector<uint8_t> flags((size_t)n.x * n.y * n.z, 0);
    auto tile_of = [&](size_t x, size_t y, size_t z) {
        return ((z / (size_t)b.z) * n.y + y / (size_t)b.y) * n.x + x / width;
    };
    for (size_t i = 0; i < l->odd_count; i++) {
        const size_t row = (size_t)(l->odd[i] / l->segments), x = (size_t)(l->odd[i] % l->segments) * SEGMENT;
        for (size_t part = x; part < x + SEGMENT && part < l->points[0]; part += width < SEGMENT ? width : SEGMENT)
            flags[tile_of(part, row % l->points[1], row / l->points[1])] |= TILE_MAP;
    }
    for (size_t i = 0; i < s->drive_points.size(); i++) {
        const uint64_t point = s->drive_at[i], row = point / l->points[0];
        const size_t tile = tile_of((size_t)(point % l->points[0]), (size_t)(row % l->points[1]), (size_t)(row / l->points[1]));
        s->drive_points[i].tile = (uint32_t)tile;
        flags[tile] |= TILE_DRIVE;
    }
    bool any = !s->drive_points.empty() || l->odd_count;
    if (!s->drive_points.empty() &&
        cuda_check(cudaMemcpy(s->device_drive_points, s->drive_points.data(), s->drive_points.size() * sizeof(drive_point),
                              cudaMemcpyHostToDevice),
                   "drive channels", e))
        return -1;
    return any ? upload(&s->tiles, flags.data(), flags.size(), "tiles", e) : 0;
}

int upload_walls(cuda_state *s, struct error *e)
{
    std::vector<watched_point> walls;
    const struct rows *rows = &s->rows;
    if (!s->audited)
        return 0;
    for (size_t row = 0; row < rows->count; row++)
        for (uint64_t w = rows->wall_start[row]; w < rows->wall_start[row + 1]; w++) {
            const double b = s->problem->precision == PRECISION_DOUBLE ? ((const double *)rows->wall_weight)[w]
                                                                       : (double)((const float *)rows->wall_weight)[w];
            walls.push_back({row * s->layout.pitch + rows->wall_x[w], 0.5 * b / (1.0 - b)});
        }
    s->wall_count = walls.size();
    return upload(&s->walls, walls.data(), walls.size(), "audit", e) ||
           upload<double>(&s->wall_before, nullptr, walls.size(), "audit", e) ||
           upload<double>(&s->wall_absorbed, nullptr, walls.size(), "audit", e) ||
           upload<double>(&s->drive_before, nullptr, s->drive_points.size(), "audit", e) ||
           upload<double>(&s->drive_supplied, nullptr, s->drive_points.size(), "audit", e);
}

const struct cuda_kernel *find_kernel(const struct problem *p, const struct layout *l, const struct choice *c, struct error *e)
{
    const char *names[32];
    size_t count = 0;
    const char *wanted = c ? c->kernel : nullptr;
    for (size_t i = 0; cuda_kernels[i]; i++) {
        const char *reason = cuda_kernels[i]->applicable(p, l);
        names[count++] = cuda_kernels[i]->name;
        if (wanted ? strcmp(wanted, cuda_kernels[i]->name) != 0 : reason != nullptr)
            continue;
        if (!reason)
            return cuda_kernels[i];
        fail(e, ERROR_ENGINE, "the %s kernel cannot run this: %s", wanted, reason);
        return nullptr;
    }
    const ptrdiff_t closest = wanted ? text_closest(wanted, names, count) : -1;
    fail(e, ERROR_USAGE, "--kernel %s: the cuda engine has no such kernel%s%s", wanted ? wanted : "",
         closest < 0 ? "" : "; did you mean ", closest < 0 ? "" : names[closest]);
    return nullptr;
}

uint64_t needed_field_bytes(const struct problem *p, const struct layout *l)
{
    return 2 * (uint64_t)l->pitch * l->points[1] * l->points[2] * real_size(p->precision);
}

int fill_requirement(struct requirement *r, const struct problem *p, const struct layout *l, const struct rows *rows,
                     const struct cuda_kernel *kernel)
{
    r->engine = "cuda";
    r->kernel = kernel->name;
    r->field_bytes = needed_field_bytes(p, l);
    r->boundary_bytes = l->odd_count ? (uint64_t)l->pitch * l->points[1] * l->points[2] : 0;
    r->channel_bytes = (uint64_t)(p->drive_count + p->tap_count) * BLOCK_STEPS * sizeof(double);
    r->air_points = rows->air_points;
    r->wall_points = rows->wall_start[rows->count];
    r->on_device = true;
    return 0;
}

int require(struct requirement *r, const struct problem *p, const struct choice *c, struct error *e)
{
    struct rows rows;
    struct layout layout;
    size_t available = 0, total = 0;
    if (cuda_check(cudaSetDevice(c ? c->device : 0), "device", e) || cuda_check(cudaMemGetInfo(&available, &total), "GPU memory", e))
        return -1;
    r->engine = "cuda";
    r->kernel = "none";
    r->on_device = true;
    r->available_bytes = available;
    r->field_bytes = 2 * (uint64_t)p->points[0] * p->points[1] * p->points[2] * real_size(p->precision);
    if (r->field_bytes > available)
        return 0; /* the map of a grid that cannot fit is not looked through */
    if (rows_make(&rows, p, e))
        return -1;
    int status = layout_make(&layout, &rows, p, e);
    if (!status) {
        const struct cuda_kernel *kernel = find_kernel(p, &layout, c, e);
        status = kernel ? fill_requirement(r, p, &layout, &rows, kernel) : -1;
        layout_free(&layout);
    }
    rows_free(&rows);
    return status;
}

void close_state(void *state)
{
    cuda_state *s = (cuda_state *)state;
    if (!s)
        return;
    drop_graphs(s);
    void *const blocks[] = {s->grids[0],    s->grids[1],     s->states,         s->codes,        s->map,
                            s->tiles,       s->base,         s->device_drive_points, s->drive_terms, s->tap_terms,
                            s->tap_first,   s->drive,        s->taps,           s->walls,        s->wall_before,
                            s->wall_absorbed, s->drive_before, s->drive_supplied};
    for (void *block : blocks)
        if (block)
            cudaFree(block);
    if (s->stream)
        cudaStreamDestroy(s->stream);
    layout_free(&s->layout);
    rows_free(&s->rows);
    delete s;
}

int check_device_memory(const struct requirement *r, struct error *e)
{
    size_t available = 0, total = 0;
    const uint64_t needed = r->field_bytes + r->boundary_bytes + r->channel_bytes;
    if (cuda_check(cudaMemGetInfo(&available, &total), "GPU memory", e))
        return -1;
    return needed <= available ? 0
                               : fail(e, ERROR_MEMORY, "this grid needs %s of GPU memory and %s is free: lower grid.rate, or use --engine cpu",
                                      memory_text(needed), memory_text(available));
}

int open_device(cuda_state *s, struct error *e)
{
    const size_t bytes = grid_values(s) * real_size(s->problem->precision);
    if (cuda_check(cudaStreamCreateWithFlags(&s->stream, cudaStreamNonBlocking), "stream", e))
        return -1;
    for (int i = 0; i < 2; i++)
        if (cuda_check(cudaMalloc(&s->grids[i], bytes), "grid", e) || cuda_check(cudaMemset(s->grids[i], 0, bytes), "grid", e))
            return -1;
    if (upload<unsigned long long>(&s->base, nullptr, 1, "step counter", e) ||
        (s->problem->precision == PRECISION_DOUBLE ? upload_kinds<double>(s, e) : upload_kinds<float>(s, e)) ||
        upload_map(s, e) || upload_audio(s, e) || upload_walls(s, e) || upload_tiles(s, e))
        return -1;
    return cuda_check(cudaDeviceSynchronize(), "set-up", e);
}

int open_state(void **out, struct requirement *r, const struct problem *p, const struct choice *c, struct error *e)
{
    cuda_state *s = new (std::nothrow) cuda_state();
    if (!s)
        return fail(e, ERROR_MEMORY, "out of memory");
    s->problem = p;
    s->audited = c && c->audit;
    s->variant = c && c->read_only ? VARIANT_READ_ONLY : VARIANT_PLAIN;
    if (cuda_check(cudaSetDevice(c ? c->device : 0), "device", e) || rows_make(&s->rows, p, e) ||
        layout_make(&s->layout, &s->rows, p, e) || !(s->kernel = find_kernel(p, &s->layout, c, e)) ||
        fill_requirement(r, p, &s->layout, &s->rows, s->kernel) || check_device_memory(r, e))
        goto fail;
    s->block = s->kernel->block;
    if (c && c->block[0] > 0)
        s->block = {c->block[0], c->block[1], c->block[2]};
    if (open_device(s, e))
        goto fail;
    *out = s;
    return 0;
fail:
    close_state(s);
    return -1;
}

int put(void *state, size_t array, size_t z0, size_t nz, const void *values, struct error *e)
{
    cuda_state *s = (cuda_state *)state;
    const struct rows *rows = &s->rows;
    const size_t real = real_size(s->problem->precision), plane = s->layout.pitch * rows->ny;
    std::vector<char> slab(plane * real);
    char *grid = (char *)s->grids[array == 0 ? s->now : !s->now];
    for (size_t z = z0; z < z0 + nz; z++) {
        memset(slab.data(), 0, slab.size());
        for (size_t row = z * rows->ny; row < (z + 1) * rows->ny; row++)
            for (uint64_t r = rows->run_start[row]; r < rows->run_start[row + 1]; r++) {
                const size_t x = rows->runs[r].start;
                memcpy(slab.data() + ((row - z * rows->ny) * s->layout.pitch + x) * real,
                       (const char *)values + ((row - z0 * rows->ny) * rows->nx + x) * real, rows->runs[r].length * real);
            }
        if (cuda_check(cudaMemcpy(grid + z * plane * real, slab.data(), slab.size(), cudaMemcpyHostToDevice), "put", e))
            return -1;
    }
    return 0;
}

int get(void *state, size_t array, size_t z0, size_t nz, void *values, struct error *e)
{
    const cuda_state *s = (const cuda_state *)state;
    const size_t real = real_size(s->problem->precision), pitch = s->layout.pitch, ny = s->rows.ny, nx = s->rows.nx;
    const char *grid = (const char *)s->grids[array == 0 ? s->now : !s->now];
    return cuda_check(cudaMemcpy2D(values, nx * real, grid + z0 * pitch * ny * real, pitch * real, nx * real, nz * ny,
                                   cudaMemcpyDeviceToHost),
                      "get", e);
}

enum { ENERGY_BLOCKS = 1024, ENERGY_THREADS = 256 };

/* ½ (p⁺ - p)² + (λ²/2) p⁺ (K p - S), each thread a fixed set of rows, each block a fixed tree: the same sum every time. K p - S is
 * taken from the point's kind: solid neighbours hold 0 and are not in K. */
template <typename REAL> __global__ void stored_energy(const step<REAL> s, double *partial)
{
    __shared__ double sums[ENERGY_THREADS];
    const REAL *older = s.next, *newer = s.now; /* p^{n-1}, p^n */
    const double courant_squared = (double)s.courant_squared;
    double sum = 0.0;
    const int64_t rows = (int64_t)s.ny * s.nz;
    for (int64_t row = blockIdx.x; row < rows; row += gridDim.x) {
        const int y = (int)(row % s.ny), z = (int)(row / s.ny);
        for (int x = (int)threadIdx.x; x < s.nx; x += ENERGY_THREADS) {
            const int64_t at = row * s.pitch + x;
            point_code<REAL> kind;
            if (s.map) {
                if (s.map[at] == 0)
                    continue;
                kind = s.codes[s.map[at]];
            } else {
                if (x < s.from[0] || x >= s.to[0] || y < s.from[1] || y >= s.to[1] || z < s.from[2] || z >= s.to[2])
                    continue;
                const unsigned state = (unsigned)(x == s.from[0]) | (unsigned)(x + 1 == s.to[0]) << 1 |
                                       (unsigned)(y == s.from[1]) << 2 | (unsigned)(y + 1 == s.to[1]) << 3 |
                                       (unsigned)(z == s.from[2]) << 4 | (unsigned)(z + 1 == s.to[2]) << 5;
                kind = s.states[state & s.missing];
            }
            const double p = (double)older[at], change = (double)newer[at] - p;
            double neighbours = 0.0;
            neighbours += x > 0 ? (double)older[at - 1] : 0.0;
            neighbours += x + 1 < s.nx ? (double)older[at + 1] : 0.0;
            neighbours += y > 0 ? (double)older[at - s.pitch] : 0.0;
            neighbours += y + 1 < s.ny ? (double)older[at + s.pitch] : 0.0;
            neighbours += z > 0 ? (double)older[at - s.plane] : 0.0;
            neighbours += z + 1 < s.nz ? (double)older[at + s.plane] : 0.0;
            const double links = round((2.0 - (double)kind.centre) / courant_squared); /* exact: a whole number */
            sum += 0.5 * change * change + 0.5 * courant_squared * (double)newer[at] * (links * p - neighbours);
        }
    }
    sums[threadIdx.x] = sum;
    __syncthreads();
    for (int half = ENERGY_THREADS / 2; half > 0; half /= 2) {
        if ((int)threadIdx.x < half)
            sums[threadIdx.x] += sums[threadIdx.x + half];
        __syncthreads();
    }
    if (threadIdx.x == 0)
        partial[blockIdx.x] = sums[0];
}

int sum_of(const double *device, size_t count, double *sum, struct error *e)
{
    std::vector<double> values(count);
    *sum = 0.0;
    if (count && cuda_check(cudaMemcpy(values.data(), device, count * sizeof(double), cudaMemcpyDeviceToHost), "audit", e))
        return -1;
    for (double value : values)
        *sum += value;
    return 0;
}

int take_audit(void *state, struct audit *a, struct error *e)
{
    cuda_state *s = (cuda_state *)state;
    double *partial = nullptr;
    memset(a, 0, sizeof *a);
    if (cuda_check(cudaMalloc(&partial, ENERGY_BLOCKS * sizeof(double)), "audit", e))
        return -1;
    if (s->problem->precision == PRECISION_DOUBLE)
        stored_energy<double><<<ENERGY_BLOCKS, ENERGY_THREADS, 0, s->stream>>>(make_step<double>(s, s->now, 0), partial);
    else
        stored_energy<float><<<ENERGY_BLOCKS, ENERGY_THREADS, 0, s->stream>>>(make_step<float>(s, s->now, 0), partial);
    int status = cuda_check(cudaGetLastError(), "audit", e) || cuda_check(cudaStreamSynchronize(s->stream), "audit", e) ||
                 sum_of(partial, ENERGY_BLOCKS, &a->stored, e);
    if (!status && s->audited)
        status = sum_of(s->wall_absorbed, s->wall_count, &a->absorbed, e) ||
                 sum_of(s->drive_supplied, s->drive_points.size(), &a->supplied, e);
    a->balanced = s->audited;
    cudaFree(partial);
    return status;
}

template <typename REAL> __global__ void plain_loop(REAL *u, const REAL *p, size_t count)
{
    for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < count; i += (size_t)gridDim.x * blockDim.x)
        u[i] = p[i] - u[i];
}

int plain_pass(void *state, size_t passes, struct error *e)
{
    cuda_state *s = (cuda_state *)state;
    const size_t count = grid_values(s);
    for (size_t i = 0; i < passes; i++) {
        const unsigned blocks = (unsigned)((count + 255) / 256 < 1u << 30 ? (count + 255) / 256 : 1u << 30);
        if (s->problem->precision == PRECISION_DOUBLE)
            plain_loop<double><<<blocks, 256, 0, s->stream>>>((double *)s->grids[!s->now], (const double *)s->grids[s->now], count);
        else
            plain_loop<float><<<blocks, 256, 0, s->stream>>>((float *)s->grids[!s->now], (const float *)s->grids[s->now], count);
    }
    return cuda_check(cudaGetLastError(), "plain loop", e) || cuda_check(cudaStreamSynchronize(s->stream), "plain loop", e);
}

void describe(char *text, size_t size)
{
    cudaDeviceProp properties;
    if (!device_count() || cudaGetDeviceProperties(&properties, 0) != cudaSuccess) {
        snprintf(text, size, "%s", unavailable());
        return;
    }
    snprintf(text, size, "%d x %s, compute capability %d.%d, %d multiprocessors, %s", device_count(), properties.name, properties.major,
             properties.minor, properties.multiProcessorCount, memory_text(properties.totalGlobalMem));
}

const char *kernel_name(size_t index)
{
    size_t count = 0;
    while (cuda_kernels[count])
        count++;
    return index < count ? cuda_kernels[index]->name : nullptr;
}

} // namespace

extern "C" const struct engine cuda_engine = {"cuda", unavailable, require, open_state, run_steps, put,
                                              get,    take_audit,       plain_pass, close_state, describe, kernel_name};
