/* Cuts a room into the tiles of a fused kernel, and launches its passes. */
#include <algorithm>
#include <cmath>
#include <cstring>
#include <new>
#include <utility>
#include <vector>

#include "cuda/engine/device.cuh"
#include "cuda/engine/state.cuh"
#include "cuda/ptx.cuh"
#include "cuda/temporal/boundary_region.cuh"
#include "cuda/temporal/tile_parts.cuh"
#include "cuda/temporal/tile_plan.cuh"

struct tile_plan {
    const struct tile_kernel *kernel;
    enum tile_walls walls;
    int column_count, chunk, chunks, across, cluster[2]; /* tiles of a cluster */
    bool shelled;                                        /* s->boundary_region mends what a pass makes wrong */
    int slab;                                            /* chunks of a launch: all, but in place */
    size_t bytes;                                        /* of shared memory */
    tile_column *columns;
    uint8_t *flags;
    tile_event *events;
    uint32_t *first_events;
    unsigned events_max;
    CUtensorMap now[4], before[4]; /* by grid */
};

namespace
{

typedef CUresult (*encode_tiled)(CUtensorMap *, CUtensorMapDataType, cuuint32_t, void *, const cuuint64_t *,
                                 const cuuint64_t *, const cuuint32_t *, const cuuint32_t *, CUtensorMapInterleave,
                                 CUtensorMapSwizzle, CUtensorMapL2promotion, CUtensorMapFloatOOBfill);

/* By the runtime, so that the program starts without the driver's library. */
encode_tiled find_encoder()
{
    void *function = nullptr;
    cudaDriverEntryPointQueryResult found;
    if (cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &function, 12000, cudaEnableDefault, &found) !=
            cudaSuccess ||
        found != cudaDriverEntryPointSuccess) {
        cudaGetLastError();
        return nullptr;
    }
    return (encode_tiled)function;
}

int describe_grid(CUtensorMap *map, const cuda_state *s, void *grid, int width, int height, struct error *e)
{
    static const encode_tiled encode = find_encoder();
    const struct layout *l = &s->layout;
    const bool wide = s->problem->precision == PRECISION_DOUBLE;
    const cuuint64_t points[3] = {l->points[0], l->points[1], l->points[2]},
                     row = l->pitch * precision_bytes(s->problem->precision);
    const cuuint64_t strides[2] = {row, row * l->points[1]};
    const cuuint32_t box[3] = {(cuuint32_t)width, (cuuint32_t)height, 1}, each[3] = {1, 1, 1};
    if (!encode)
        return fail(
            e, ERROR_DEVICE,
            "the NVIDIA driver cannot describe a grid to the copy engine: update the driver, or use --kernel room");
    const CUresult status =
        encode(map, wide ? CU_TENSOR_MAP_DATA_TYPE_FLOAT64 : CU_TENSOR_MAP_DATA_TYPE_FLOAT32, 3, grid, points, strides,
               box, each, CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_NONE, CU_TENSOR_MAP_L2_PROMOTION_L2_256B,
               CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
    return status == CUDA_SUCCESS
               ? 0
               : fail(e, ERROR_DEVICE, "a grid cannot be described to the copy engine (error %d)", (int)status);
}

int multiprocessors()
{
    int device = 0, count = 1;
    if (cudaGetDevice(&device) == cudaSuccess)
        cudaDeviceGetAttribute(&count, cudaDevAttrMultiProcessorCount, device);
    return count;
}

struct tiles {
    std::vector<tile_column> columns;   /* [along][across], first points ascending both ways */
    int across, along, cluster[2];      /* tiles; of a cluster */
    std::vector<uint8_t> flags;         /* [column][nz] */
    std::vector<tile_event> events;     /* by column and plane */
    std::vector<uint32_t> first_events; /* [column][nz + 1] */
    size_t events_max;                  /* of a column */
};

/* Tiles overlap by their margins. Along x they begin on 16 bytes, as the copy engine demands, and go beyond the box of air by a column at
 * least: a lane at the edge of a tile has no neighbour there. Along y the first begins and the last ends at a wall of the box, where the
 * kernel needs no margin and expects the wall. Where tiles form clusters, these overlap in place of tiles, and what lies beside one reads as
 * zero, as it should at a wall. False: clusters overlap by more than a tile, whose rows would not ascend. */
bool cut_plane(tiles &t, const struct layout *l, const struct tile_kernel *k, int real)
{
    const int unit = 16 / real, margin = (k->steps + k->values - 1) / k->values * k->values;
    const int width = t.cluster[0] * k->width, height = t.cluster[1] * k->height; /* of a cluster */
    const int stride = (width - k->steps - margin) / unit * unit;
    const int x_end = (int)l->to[0], y_begin = (int)l->from[1], y_end = (int)l->to[1];
    const int beyond = k->beside ? 0 : 1; /* columns before the first point, and after the last */
    const int last = (int)l->from[0] - beyond, aligned = -(margin / unit * unit);
    int x_begin = (last - (last % unit + unit) % unit), across = 1, along = 1;
    while (x_begin + (across - 1) * stride + width < x_end + beyond)
        across++;
    if (aligned < x_begin && aligned + (across - 1) * stride + width >= x_end + beyond)
        x_begin = aligned; /* whole sectors are written then, mostly */
    const int rows = y_end - y_begin, keeps = height - 2 * (k->steps - 1);
    while (height + (along - 1) * keeps < rows)
        along++;
    t.across = across * t.cluster[0];
    t.along = along * t.cluster[1];
    t.columns.clear();
    if (along > 1 && (rows - height) / (along - 1) <= height - k->height)
        return false;
    for (int row = 0; row < t.along; row++)
        for (int tile_x = 0; tile_x < t.across; tile_x++) {
            auto first_row = [&](int tile) {
                return y_begin + (along > 1 ? (int)((int64_t)tile * (rows - height) / (along - 1)) : 0);
            };
            const int i = tile_x / t.cluster[0], j = row / t.cluster[1];
            tile_column c = {};
            c.x = x_begin + i * stride;
            c.y = first_row(j);
            c.x0 = i ? c.x + margin : 0;
            c.x1 = i + 1 < across ? c.x + stride + margin : x_end;
            c.y0 = j ? c.y + k->steps - 1 : y_begin;
            c.y1 = j + 1 < along ? first_row(j + 1) + k->steps - 1 : y_end;
            /* that was the cluster; its tile */
            c.x += tile_x % t.cluster[0] * k->width;
            c.y += row % t.cluster[1] * k->height;
            if (k->beside) {
                c.x0 = std::max(c.x0, tile_x % t.cluster[0] ? c.x : 0);
                c.x1 = std::min(c.x1, c.x + k->width);
                c.y0 = std::max(c.y0, c.y);
                c.y1 = std::min(c.y1, c.y + k->height);
            }
            t.columns.push_back(c);
        }
    return true;
}

/* The last of `count` tiles, ascending, that begins at `at` or before; -1: none. */
template <typename FIRST> int last_from(int count, int at, FIRST first)
{
    int low = -1, high = count;
    while (high - low > 1) {
        const int middle = low + (high - low) / 2;
        (first(middle) <= at ? low : high) = middle;
    }
    return low;
}

/* odd: tiles with anything but the box of air read the map. */
void flag_planes(tiles &t, const struct layout *l, const struct tile_kernel *k, bool odd)
{
    const size_t nz = l->points[2];
    t.flags.assign(t.columns.size() * nz, 0);
    for (size_t i = 0; i < t.columns.size(); i++) {
        const bool whole = t.columns[i].y + k->height <= (int)l->to[1]; /* no row beyond the wall */
        for (size_t z = 0; z < nz; z++) {
            uint8_t &flag = t.flags[i * nz + z];
            if (z < l->from[2] || z >= l->to[2])
                flag = PLANE_OUTSIDE;
            else
                flag = (uint8_t)((whole ? 0 : PLANE_MAP) | (z == l->from[2] ? PLANE_LOW : 0) |
                                 (z + 1 == l->to[2] ? PLANE_HIGH : 0));
        }
    }
    for (size_t i = 0; i < l->odd_count && odd; i++) {
        const size_t row = l->odd[i] / l->segments, z = row / l->points[1];
        const int y = (int)(row % l->points[1]), x = (int)(l->odd[i] % l->segments) * SEGMENT;
        for (int j = last_from(t.along, y, [&](int tile) { return t.columns[(size_t)tile * (size_t)t.across].y; });
             j >= 0; j--) {
            if (t.columns[(size_t)j * (size_t)t.across].y + k->height <= y)
                break;
            for (int i = last_from(t.across, x + SEGMENT - 1, [&](int tile) { return t.columns[(size_t)tile].x; });
                 i >= 0; i--) {
                if (t.columns[(size_t)i].x + k->width <= x)
                    break;
                uint8_t &flag = t.flags[((size_t)j * (size_t)t.across + (size_t)i) * nz + z];
                flag = (uint8_t)(flag | (flag & PLANE_OUTSIDE ? 0 : PLANE_MAP));
            }
        }
    }
    for (size_t i = 0; i < t.columns.size(); i++)
        t.columns[i].map =
            std::any_of(t.flags.begin() + (ptrdiff_t)(i * nz), t.flags.begin() + (ptrdiff_t)((i + 1) * nz),
                        [](uint8_t flag) { return flag & PLANE_MAP; });
}

/* Every tile that makes a driven point drives it; the tile that writes a heard point hears it. In a plane drives come first. */
void list_events(tiles &t, const cuda_state *s, const struct tile_kernel *k)
{
    const struct layout *l = &s->layout;
    const size_t nz = l->points[2];
    t.events_max = 0;
    for (size_t c = 0; c < t.columns.size(); c++) {
        const tile_column &column = t.columns[c];
        std::vector<std::pair<size_t, tile_event>> found; /* plane, event */
        auto add = [&](uint64_t point, tile_event event) {
            const uint64_t row = point / l->points[0];
            const int x = (int)(point % l->points[0]), y = (int)(row % l->points[1]);
            const bool made = x >= column.x && x < column.x + k->width && y >= column.y && y < column.y + k->height;
            const bool written = x >= column.x0 && x < column.x1 && y >= column.y0 && y < column.y1;
            if (event.tap ? !written : !made)
                return;
            event.row = (uint16_t)(y - column.y);
            event.x = (uint16_t)(x - column.x);
            found.push_back({(size_t)(row / l->points[1]), event});
        };
        for (size_t i = 0; i < s->drive_at.size(); i++)
            add(s->drive_at[i], {0, 0, 0, s->drive_points[i].first, s->drive_points[i].end, s->drive_points[i].factor});
        for (size_t i = 0; i < s->capture_at.size(); i++)
            add(s->capture_at[i], {0, 0, 1, (uint32_t)i, 0, 0.0});
        std::stable_sort(found.begin(), found.end(),
                         [](const std::pair<size_t, tile_event> &a, const std::pair<size_t, tile_event> &b) {
                             return a.first < b.first;
                         });
        size_t next = 0;
        for (size_t z = 0; z <= nz; z++) {
            t.first_events.push_back((uint32_t)t.events.size());
            for (; z < nz && next < found.size() && found[next].first == z; next++) {
                t.events.push_back(found[next].second);
                t.flags[c * nz + z] |= PLANE_EVENT;
            }
        }
        t.events_max = std::max(t.events_max, found.size());
    }
}

/* Planes of a chunk so that the multiprocessors, each with a block at a time, are done first: a chunk costs its planes and the climb to
 * its first. */
int chunk_of(int columns, int at_once, int nz, const struct tile_kernel *k, double *cost_of_best)
{
    const size_t events = 32; /* room for a few */
    int best = nz;
    double least = -1.0;
    for (int chunks = 1; chunks == 1 || chunks <= nz / 4; chunks++) {
        const int planes = (nz + chunks - 1) / chunks;
        const double cost = (double)(((int64_t)columns * chunks + at_once - 1) / at_once) * (planes + k->steps + 2.0);
        if (k->bytes(planes, events) <= shared_memory_max() && (least < 0.0 || cost < least)) {
            least = cost;
            best = planes;
        }
    }
    *cost_of_best = least < 0.0 ? HUGE_VAL : least;
    return best;
}

/* In place: planes of a chunk, and in *slab chunks of a launch, for launches of `most` planes at most; each costs its blocks in turn, and
 * waits for the one before. */
int slab_of(int *slab, int columns, int at_once, int nz, int steps, int most, double *cost_of_best)
{
    const int wait = 4; /* in planes */
    int best = 1;
    double least = -1.0;
    for (int chunks = 1; chunks <= most; chunks++) {
        const int launch = std::min(most / chunks * chunks, nz), launches = (nz + launch - 1) / launch;
        const int planes = (nz + launches * chunks - 1) / (launches * chunks);
        const double turns = (double)(((int64_t)columns * chunks + at_once - 1) / at_once),
                     cost = launches * (turns * (planes + steps + 2.0) + wait);
        if (least < 0.0 || cost < least) {
            least = cost;
            best = planes;
            *slab = chunks;
        }
    }
    *cost_of_best = least < 0.0 ? HUGE_VAL : least;
    return best;
}

/* Planes of a launch at most. */
int launch_max(const cuda_state *s, const struct tile_kernel *k)
{
    return s->spare ? (int)s->spare - k->steps : (int)s->layout.points[2];
}

/* What handing edges costs of the time of a tile, along x and along y. */
const double handing[2] = {0.02, 0.04};

/* The tiles, in the clusters that are done first, and *chunk and *slab with them; none if none fits. */
tiles cut_best(const cuda_state *s, const struct tile_kernel *k, int *chunk, int *slab)
{
    const struct layout *l = &s->layout;
    const int real = (int)precision_bytes(s->problem->precision), nz = (int)l->points[2],
              rows = (int)(l->to[1] - l->from[1]);
    double least = -1.0;
    tiles best = {};
    for (int blocks = 1; blocks <= (k->beside ? (int)CLUSTER_MAX : 1); blocks++) {
        const int at_once = k->beside ? k->at_once(blocks, shared_memory_max()) : multiprocessors();
        for (int x = 1; x <= blocks && at_once > 0; x++) {
            const int y = blocks / x;
            const bool asked =
                !s->tile_extent[0] || (x * k->width == s->tile_extent[0] && y * k->height == s->tile_extent[1]);
            tiles t = {};
            t.cluster[0] = x;
            t.cluster[1] = y;
            if (blocks % x || !asked || (y > 1 && y * k->height > rows) || !cut_plane(t, l, k, real))
                continue;
            double cost;
            int slab_here = 0;
            const int clusters = (int)t.columns.size() / blocks;
            const int planes = s->spare ? slab_of(&slab_here, clusters, at_once, nz, k->steps, launch_max(s, k), &cost)
                                        : chunk_of(clusters, at_once, nz, k, &cost);
            cost *= 1.0 + (x > 1 ? handing[0] : 0.0) + (y > 1 ? handing[1] : 0.0);
            if (least >= 0.0 && cost >= least)
                continue;
            least = cost;
            best = std::move(t);
            *chunk = planes;
            *slab = slab_here;
        }
    }
    return best;
}

template <typename REAL> int enqueue(const cuda_state *s, int phase, int pair_of_grids, int offset, struct error *e)
{
    const struct tile_plan *plan = s->fused;
    const struct tile_kernel *k = plan->kernel;
    const struct layout *l = &s->layout;
    const step<REAL> one = make_step<REAL>(s, phase, offset);
    const int now = grid_in(s, pair_of_grids, phase), before = grid_in(s, pair_of_grids, phase - 1);
    temporal_block<REAL> pass;
    memset(&pass, 0, sizeof pass);
    pass.next = (REAL *)s->grids[grid_in(s, !pair_of_grids, phase + k->steps)];
    pass.next_before = (REAL *)s->grids[grid_in(s, !pair_of_grids, phase + k->steps - 1)];
    pass.nx = one.nx;
    pass.ny = one.ny;
    pass.nz = one.nz;
    pass.pitch = one.pitch;
    pass.plane = one.plane;
    memcpy(pass.from, one.from, sizeof pass.from);
    memcpy(pass.to, one.to, sizeof pass.to);
    pass.missing = one.missing;
    pass.side = one.side;
    for (int i = 0; i < STATES; i++)
        pass.states[i] = {REAL(2) - REAL(l->states[i].links) * one.side, (REAL)l->states[i].weight};
    pass.codes = one.codes;
    pass.map = one.map;
    pass.columns = plan->columns;
    pass.flags = plan->flags;
    pass.column_count = plan->column_count;
    pass.chunk = plan->chunk;
    pass.across = plan->across;
    memcpy(pass.cluster, plan->cluster, sizeof pass.cluster);
    pass.events = plan->events;
    pass.base = s->base;
    pass.offset = offset;
    pass.first_events = plan->first_events;
    pass.events_max = plan->events_max;
    pass.drive_terms = one.drive_terms;
    pass.drive = one.drive;
    pass.drive_stride = one.drive_stride;
    pass.complete = plan->shelled ? boundary_region_completion_flag(s->boundary_region) : nullptr;
    pass.tap_history = s->captures;
    pass.tap_history_stride = CAPTURE_LEVELS;
    const int launches = (plan->chunks + plan->slab - 1) / plan->slab;
    for (int i = 0; i < launches;
         i++) { /* in place, pair 1 lies below pair 0: what goes down begins at the bottom, what goes up at the top */
        pass.first_chunk = (pair_of_grids ? launches - 1 - i : i) * plan->slab;
        const int chunks = std::min(plan->slab, plan->chunks - pass.first_chunk);
        k->launch(&plan->now[now], &plan->before[before], &pass, plan->walls, (unsigned)(plan->column_count * chunks),
                  plan->bytes, s->stream);
    }
    if (plan->shelled)
        boundary_region_enqueue<REAL>(s->boundary_region, s, pass, k->steps, phase, pair_of_grids);
    return cuda_check(cudaGetLastError(), "fused", e);
}

const char *passes_refusal(const struct problem *p, const struct layout *l)
{
    return tile_plan_refusal(p, l, false, 0);
}

} // namespace

extern const struct cuda_kernel temporal_blocks = {"fused", {32, 4, 16},    true,    false,
                                                   {1, 1},  passes_refusal, nullptr, nullptr};

const char *tile_plan_refusal(const struct problem *p, const struct layout *l, bool audited, int time_block)
{
    static thread_local char text[120];
    const uint64_t most = (uint64_t)1 << 31;
    if (!device_overlaps()) /* code for less has no passes, and would step nothing */
        return "several steps in a pass need a GPU of compute capability 9.0 or later, and a build for it";
    if (leapfrog_of(p)->viscosity > 0.0)
        return "air that loses is stepped one step at a time";
    if (leapfrog_of(p)->bodies)
        return "instruments are stepped one step at a time";
    if (audited)
        return "energy is followed one step at a time";
    if (l->points[0] >= most || l->points[1] >= most || l->points[2] >= most || captures_bytes(p) >= most / 4)
        return "the grid or its receivers are too many for passes of several steps";
    bool known = !time_block;
    for (const struct tile_kernel *k = tile_kernels(p); k->steps; k++)
        known = known || k->steps == time_block;
    snprintf(text, sizeof text, "its passes take 3, 4 or 5 steps, not %d", time_block);
    return known ? nullptr : text;
}

const struct tile_kernel *tile_kernels(const struct problem *p)
{
    return p->precision == PRECISION_DOUBLE ? tile_kernels_double : tile_kernels_single;
}

void tile_plan_drop(cuda_state *s)
{
    steps_drop_graphs(s);
    if (!s->fused)
        return;
    cudaFree(s->fused->columns);
    cudaFree(s->fused->flags);
    cudaFree(s->fused->events);
    cudaFree(s->fused->first_events);
    delete s->fused;
    s->fused = nullptr;
}

int tile_plan_set_up(cuda_state *s, const struct tile_kernel *kernel, bool *made, struct error *e)
{
    const struct layout *l = &s->layout;
    int chunk = 0, slab = 0;
    tile_plan_drop(s);
    *made = false;
    if (l->from[0] >= l->to[0])
        return 0; /* no air at all */
    tiles t = cut_best(s, kernel, &chunk, &slab);
    if (t.columns.empty() || launch_max(s, kernel) < std::max(1, s->tile_chunk))
        return 0;
    bool shelled = false;
    if (boundary_region_set_up(s, kernel->steps, &shelled, e))
        return -1;
    if (!shelled && s->branches.block_count)
        return 0;
    shelled = shelled && boundary_region_needed(s);
    flag_planes(t, l, kernel, !shelled);
    list_events(t, s, kernel);
    chunk = s->tile_chunk ? s->tile_chunk : chunk;
    const int nz = (int)l->points[2], count = (int)t.columns.size(), chunks = (nz + chunk - 1) / chunk;
    const size_t bytes = kernel->bytes(chunk, t.events_max);
    if (bytes > shared_memory_max() || t.events_max > UINT16_MAX || (int64_t)count * chunks > INT32_MAX)
        return 0;
    const bool map = std::any_of(t.columns.begin(), t.columns.end(), [](const tile_column &c) { return c.map; });
    if (map && !s->map && setup_map(s, e))
        return -1;
    s->fused = new tile_plan();
    s->fused->kernel = kernel;
    s->fused->shelled = shelled;
    for (unsigned state = 0; state < STATES; state++)
        if (l->states[state & l->missing].weight > 0.0)
            s->fused->walls = WALLS_ABSORBING;
    if (map)
        s->fused->walls = WALLS_ANY;
    s->fused->column_count = count;
    s->fused->chunk = chunk;
    s->fused->chunks = chunks;
    s->fused->slab = !s->spare ? chunks : s->tile_chunk ? launch_max(s, kernel) / chunk : slab;
    s->fused->across = t.across;
    memcpy(s->fused->cluster, t.cluster, sizeof t.cluster);
    s->fused->bytes = bytes;
    s->fused->events_max = (unsigned)t.events_max;
    for (int i = 0; i < 4; i++)
        if (describe_grid(&s->fused->now[i], s, s->grids[i], kernel->width + 2 * kernel->beside, kernel->height + 2,
                          e) ||
            describe_grid(&s->fused->before[i], s, s->grids[i], kernel->width, kernel->height, e))
            return -1;
    if (upload(&s->fused->columns, t.columns.data(), t.columns.size(), "tiles", e) ||
        upload(&s->fused->flags, t.flags.data(), t.flags.size(), "tiles", e) ||
        upload(&s->fused->events, t.events.data(), t.events.size(), "tiles", e) ||
        upload(&s->fused->first_events, t.first_events.data(), t.first_events.size(), "tiles", e) ||
        kernel->prepare(shared_memory_max(), e))
        return -1;
    *made = true;
    return cuda_check(cudaDeviceSynchronize(), "tiles", e); /* the steps run on a stream that waits for no other */
}

const struct tile_kernel *tile_plan_kernel(const cuda_state *s)
{
    return s->fused ? s->fused->kernel : nullptr;
}

int tile_plan_enqueue(const cuda_state *s, int phase, int pair, int offset, struct error *e)
{
    return s->problem->precision == PRECISION_DOUBLE ? enqueue<double>(s, phase, pair, offset, e)
                                                     : enqueue<float>(s, phase, pair, offset, e);
}
