/* SPDX-License-Identifier: MIT */
#include "cuda/temporal/event_boxes.cuh"

#include <algorithm>
#include <array>

#include "cuda/engine/device.cuh"
#include "cuda/engine/state.cuh"
#include "cuda/ptx.cuh"
#include "cuda/temporal/temporal.cuh"
#include "cuda/temporal/tile_cut.cuh"

namespace
{

typedef std::array<int, 3> point;

/* Threads per thread block of a launch for boxes only. */
enum { EVENT_BOX_THREADS = 512 };

/* Largest number of boxes per thread block; with more, the tiles would wait for them. */
enum { BOXES_OF_BLOCK_MAX = 8 };

/* Overhead of a box in points, in addition to the points that it loads. */
const size_t COST_OF_BOX = 1500;

struct planner {
    const cuda_state *s;
    int steps;
    size_t values_max; /* values of the largest box, including a ring around the points that it loads */
    bool fits;
    event_boxes_plan *out;
};

point point_at(const struct layout *l, uint64_t canonical)
{
    const uint64_t row = canonical / l->points[0];
    return {(int)(canonical % l->points[0]), (int)(row % l->points[1]), (int)(row / l->points[1])};
}

/* The box of points first .. last - 1 and, for sources, of all points that they reach within a
 * block. */
event_box box_around(const planner &p, const point *first, const point *last, bool driven)
{
    event_box b = {};
    for (int axis = 0; axis < 3; axis++) {
        const int end = (int)p.s->layout.points[axis], reach = driven ? p.steps - 1 : 0;
        int low = (*first)[(size_t)axis], high = low;
        for (const point *at = first; at < last; at++) {
            low = std::min(low, (*at)[(size_t)axis]);
            high = std::max(high, (*at)[(size_t)axis]);
        }
        b.low[axis] = std::max(low - reach, 0);
        b.high[axis] = std::min(high + 1 + reach, end);
        b.from[axis] = std::max(b.low[axis] - p.steps, 0);
        b.size[axis] = std::min(b.high[axis] + p.steps, end) - b.from[axis];
    }
    b.driven = driven;
    return b;
}

size_t values_of(const event_box &b)
{
    return (size_t)(b.size[0] + 2) * (size_t)(b.size[1] + 2) * (size_t)(b.size[2] + 2);
}

size_t cost_of(const event_box &b)
{
    return values_of(b) + COST_OF_BOX;
}

void add_event(planner &p, const event_box &b, uint64_t canonical, tile_event event)
{
    const point at = point_at(&p.s->layout, canonical);
    int value = 0, halo = 0;
    for (int axis = 2; axis >= 0; axis--) {
        const int x = at[(size_t)axis], within = x - b.from[axis];
        if (within < 0 || within >= b.size[axis])
            return;
        value = value * (b.size[axis] + 2) + within + 1;
        halo = std::max({halo, b.low[axis] - x, x - b.high[axis] + 1});
    }
    if (!event.tap || (!halo && !b.driven))
        p.out->events.push_back({event, (uint32_t)value, (uint32_t)halo});
}

void add_box(planner &p, event_box b)
{
    const cuda_state *s = p.s;
    b.first_event = (uint32_t)p.out->events.size();
    for (size_t i = 0; i < s->drive_at.size(); i++)
        add_event(p, b, s->drive_at[i],
                  {0, 0, 0, 0, s->drive_points[i].first, s->drive_points[i].end, s->drive_points[i].factor});
    for (size_t i = 0; i < s->tap_history->points.size(); i++)
        add_event(p, b, s->tap_history->points[i], {0, 0, 1, 0, (uint32_t)i, 0, 0.0});
    b.event_count = (uint32_t)p.out->events.size() - b.first_event;
    p.out->values = std::max(p.out->values, values_of(b));
    p.out->boxes.push_back(b);
}

/* A box of points first .. last - 1, or two parts divided at the widest gap along an axis, if
 * these cost less. */
void plan_boxes(planner &p, point *first, point *last, bool driven)
{
    if (first == last || !p.fits)
        return;
    const event_box whole = box_around(p, first, last, driven);
    const bool possible = values_of(whole) <= p.values_max;
    int axis_best = -1, gap = 0, cut = 0;
    point lowest, highest;
    for (int axis = 0; axis < 3; axis++) {
        std::sort(first, last, [axis](const point &a, const point &b) { return a[(size_t)axis] < b[(size_t)axis]; });
        for (const point *at = first + 1; at < last; at++)
            if (at[0][(size_t)axis] - at[-1][(size_t)axis] > gap) {
                gap = at[0][(size_t)axis] - at[-1][(size_t)axis];
                cut = at[0][(size_t)axis];
                axis_best = axis;
            }
        lowest[(size_t)axis] = first[0][(size_t)axis];
        highest[(size_t)axis] = last[-1][(size_t)axis];
    }
    if (axis_best < 0) { /* a single point */
        p.fits = p.fits && possible;
        if (possible)
            add_box(p, whole);
        return;
    }
    if (gap == 1) { /* no gap: the middle of the longest axis */
        for (size_t axis = 0; axis < 3; axis++)
            if (highest[axis] - lowest[axis] > highest[(size_t)axis_best] - lowest[(size_t)axis_best])
                axis_best = (int)axis;
        cut = (lowest[(size_t)axis_best] + highest[(size_t)axis_best] + 1) / 2;
    }
    point *second = std::partition(first, last, [&](const point &at) { return at[(size_t)axis_best] < cut; });
    const bool parts_cost_less =
        gap > 1 &&
        cost_of(box_around(p, first, second, driven)) + cost_of(box_around(p, second, last, driven)) < cost_of(whole);
    if (possible && !parts_cost_less) {
        add_box(p, whole);
        return;
    }
    plan_boxes(p, first, second, driven);
    plan_boxes(p, second, last, driven);
}

std::vector<point> points_at(const struct layout *l, const std::vector<uint64_t> &canonical)
{
    std::vector<point> points;
    for (uint64_t at : canonical)
        points.push_back(point_at(l, at));
    return points;
}

bool meet(int a_first, int a_end, int b_first, int b_end)
{
    return a_first < b_end && b_first < a_end;
}

/* A separate launch, whose thread blocks take the boxes in turn. Phases: until the tiles are
 * complete, reads only values older than the temporal block that it follows, and writes only to
 * the tap history; then writes boxes with sources over the tiles' values. */
template <typename REAL>
__global__ void __launch_bounds__(EVENT_BOX_THREADS, 1)
    step_event_boxes_beside(const __grid_constant__ temporal_block<REAL> s, int steps)
{
    release_next_kernel();
    invalidate_first_level_cache();
    extern __shared__ __align__(128) unsigned char shared_memory[];
    const unsigned long long level = *s.base + (unsigned long long)s.offset;
#pragma unroll 1
    for (unsigned i = blockIdx.x; i < s.boxes.count; i += gridDim.x) {
        temporal::event_box_stream<STENCIL_7_POINT, REAL, EVENT_BOX_THREADS> stream(
            s, s.boxes.boxes[i], reinterpret_cast<REAL *>(shared_memory), steps);
        stream.run(level);
        if (stream.b.driven) {
            wait_for_previous_kernel();
            stream.write();
        }
        __syncthreads();
    }
    wait_for_previous_kernel();
}

} // namespace

bool event_boxes_in_launch(const struct tile_kernel *k)
{
    return k->stencil == STENCIL_19_POINT;
}

size_t event_boxes_bytes_max(const struct tile_kernel *k, int chunk)
{
    const size_t of_tile = k->bytes(chunk, 0);
    return event_boxes_in_launch(k) ? of_tile : std::max(of_tile, shared_memory_max());
}

size_t event_boxes_idle(const struct tile_kernel *k, const tile_cut &cut, int nz)
{
    const size_t all = (size_t)multiprocessors(), tiles = tile_chunks_all(cut, nz).size(),
                 cluster = (size_t)(cut.cluster[0] * cut.cluster[1]);
    if (event_boxes_in_launch(k)) /* if no multiprocessor is idle, boxes follow the tiles */
        return all - tiles % all;
    const size_t at_once = k->halo_columns ? cluster * (size_t)k->at_once((int)cluster, shared_memory_max()) : all;
    return at_once && at_once <= all && tiles ? all - (tiles - 1) % at_once - 1 : 0;
}

void event_boxes_make(event_boxes_plan *plan, const cuda_state *s, const struct tile_kernel *k, const tile_cut &cut,
                      size_t idle)
{
    const std::vector<tile_chunk> chunks = tile_chunks_all(cut, (int)s->layout.points[2]);
    const size_t bytes_max = event_boxes_bytes_max(k, cut.chunk);
    planner p = {s, k->steps, bytes_max / (2 * precision_bytes(s->problem->precision)), true, plan};
    std::vector<point> taps = points_at(&s->layout, s->tap_history->points),
                       drives = points_at(&s->layout, s->drive_at);
    *plan = {};
    if (taps.size() + drives.size() > 200 * BOXES_OF_BLOCK_MAX * idle) /* each box searches all points */
        return;
    plan_boxes(p, taps.data(), taps.data() + taps.size(), false);
    plan->first_driven = (unsigned)plan->boxes.size();
    plan_boxes(p, drives.data(), drives.data() + drives.size(), true);
    for (event_box &b : plan->boxes)
        for (const tile_chunk &one : chunks) {
            const tile_column &c = cut.columns[(size_t)one.column];
            b.tiles += b.driven && meet(b.low[0], b.high[0], c.x0, c.x1) && meet(b.low[1], b.high[1], c.y0, c.y1) &&
                       meet(b.low[2], b.high[2], one.z0, one.z1);
        }
    plan->blocks =
        p.fits && plan->boxes.size() <= BOXES_OF_BLOCK_MAX * idle ? (unsigned)std::min(plan->boxes.size(), idle) : 0;
}

int event_boxes_prepare(enum precision precision, size_t values, struct error *e)
{
    const void *kernel = precision == PRECISION_DOUBLE ? (const void *)step_event_boxes_beside<double>
                                                       : (const void *)step_event_boxes_beside<float>;
    return allow_shared_memory(kernel, 2 * values * precision_bytes(precision), "tiles", e);
}

template <typename REAL>
void event_boxes_launch(const temporal_block<REAL> &block, int steps, size_t values, cudaStream_t stream)
{
    launch_overlapping(step_event_boxes_beside<REAL>,
                       {dim3(block.boxes.blocks), dim3(EVENT_BOX_THREADS), stream, 2 * values * sizeof(REAL)}, block,
                       steps);
}

template void event_boxes_launch<float>(const temporal_block<float> &, int, size_t, cudaStream_t);
template void event_boxes_launch<double>(const temporal_block<double> &, int, size_t, cudaStream_t);
