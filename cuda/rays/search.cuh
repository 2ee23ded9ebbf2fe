/* SPDX-License-Identifier: MIT */
/* Searches of a warp: eight lanes look at the eight boxes or edges of a node, the others repeat
 * them. All lanes call these functions with the same arguments and get the same result, which is
 * that of the CPU's searches, bit for bit. */
#ifndef AULA_CUDA_RAYS_SEARCH_CUH
#define AULA_CUDA_RAYS_SEARCH_CUH

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <ctime>

extern "C" {
#include "geometry/rays/edge_pass.h"
#include "geometry/rays/tree_build.h"
}

/* Nodes that wait. Four at a time are taken from up to SEARCH_WIDE of them; one at a time then needs
 * RAY_LANES - 1 for each level of the tree and no more. */
enum { SEARCH_STACK = 256, SEARCH_WIDE = 64, SEARCH_DEPTH = (SEARCH_STACK - SEARCH_WIDE - 28) / (8 - 1) };
constexpr unsigned all_lanes = 0xffffffffu, eight_lanes = 0xffu;

struct waiting_node {
    float entry;
    uint32_t link;
};

/* In shared memory, of a warp. */
union search_stack {
    waiting_node faces[SEARCH_STACK];
    ray_edge_pending edges[RAY_EDGE_STACK];
};

/* Where lane i of the eight in a group belongs among those in `met`, the smallest entry on top; of
 * equal ones the higher lane, as on the CPU. */
__device__ inline int place_of(float entry, unsigned met, int i)
{
    int place = 0;
    for (int j = 0; j < 8; j++) {
        const float other = __shfl_sync(all_lanes, entry, j, 8);
        place += (met >> j & 1) && (other > entry || (other == entry && j < i));
    }
    return place;
}

struct box_ray {
    float origin[3], inverse[3];
    int near[3];
};

__device__ inline box_ray box_ray_of(const ray_tree *t, const ray *r)
{
    box_ray b;
    for (int k = 0; k < 3; k++) {
        const double d = r->direction[k], least = 1e-30;
        b.origin[k] = (float)(r->origin[k] - t->centre[k]);
        b.inverse[k] = (float)(1.0 / (fabs(d) > least ? d : copysign(least, d)));
        b.near[k] = signbit(d) ? 1 : 0;
    }
    return b;
}

__device__ inline bool enter_box(float *entry, const ray_node *n, int i, const box_ray *r, float reach)
{
    float from = 0.0f, to = reach;
    for (int k = 0; k < 3; k++) {
        const float in = (n->bound[k][r->near[k]][i] - r->origin[k]) * r->inverse[k];
        const float out = (n->bound[k][1 - r->near[k]][i] - r->origin[k]) * r->inverse[k];
        from = in > from ? in : from;
        to = out < to ? out : to;
    }
    *entry = from;
    return from <= to * (1.0f + 0x1p-20f);
}

/* The nearest of the hits of all lanes; of several at the same distance the last of the scene. */
__device__ inline void agree(ray_hit *hit)
{
    for (int apart = 16; apart; apart /= 2) {
        const double distance = __shfl_xor_sync(all_lanes, hit->distance, apart);
        const uint32_t face = __shfl_xor_sync(all_lanes, hit->face, apart);
        const bool nearer = distance < hit->distance || (distance == hit->distance && face != RAY_NO_FACE &&
                                                         (hit->face == RAY_NO_FACE || face > hit->face));
        hit->distance = nearer ? distance : hit->distance;
        hit->face = nearer ? face : hit->face;
    }
}

/* The first face on a ray or, for `any`, one of them. Groups of eight lanes take a node or a leaf
 * each, up to four at a time from the top of the stack. */
__device__ inline bool search_faces(const ray_tree *t, const ray *r, ray_hit *hit, bool any, waiting_node *stack)
{
    const int lane = (int)(threadIdx.x & 31), i = lane & 7, group = lane / 8;
    const box_ray boxes = box_ray_of(t, r);
    const sheared_ray sheared = sheared_ray_of(r->origin, r->direction);
    const float widening = 1.0f + 0x1p-20f;
    float reach = (float)r->reach * widening;
    int top = 0, taken = 1;
    uint32_t link = 0;
    hit->distance = r->reach;
    hit->face = RAY_NO_FACE;
    for (;;) {
        const uint32_t count = link & RAY_LINK_FACES;
        float entry = 0.0f;
        bool entered = false, met = false;
        if (group < taken && !count) {
            entered = enter_box(&entry, &t->nodes[link >> RAY_LINK_BITS], i, &boxes, reach);
        } else if (group < taken && (uint32_t)i < count) {
            met = ray_leaf_meets(hit, &sheared, &t->leaves[(link >> RAY_LINK_BITS) + (uint32_t)i], r->left);
        }
        if (__any_sync(all_lanes, met)) {
            if (any)
                return true;
            agree(hit);
            reach = (float)hit->distance * widening;
        }
        const unsigned all = __ballot_sync(all_lanes, entered), own = all >> (8 * group) & eight_lanes;
        if (all) { /* the children of the nearest node come on top */
            const int place = place_of(entry, own, i) + (group < 3 ? __popc(all >> (8 * group + 8)) : 0);
            if (entered)
                stack[top + place] = {entry, t->nodes[link >> RAY_LINK_BITS].child[i]};
            top += __popc(all);
        }
        __syncwarp();
        while (top > 0 && stack[top - 1].entry > reach)
            top--;
        if (top == 0)
            return hit->face != RAY_NO_FACE;
        taken = top > SEARCH_WIDE ? 1 : top < 4 ? top : 4;
        link = group < taken ? stack[top - 1 - group].link : 0;
        top -= taken;
        __syncwarp();
    }
}

/* The nearest of the passages of all lanes; of several at the same place the first edge of the list. */
__device__ inline void agree(ray_passage *p, int apart)
{
    for (; apart; apart /= 2) {
        const double at = __shfl_xor_sync(all_lanes, p->at, apart),
                     distance = __shfl_xor_sync(all_lanes, p->distance, apart);
        const uint32_t edge = __shfl_xor_sync(all_lanes, p->edge, apart);
        const bool first = at < p->at || (at == p->at && edge < p->edge);
        p->at = first ? at : p->at;
        p->distance = first ? distance : p->distance;
        p->edge = first ? edge : p->edge;
    }
}

/* Tests the edges of a leaf, whose lanes are told by `active`. */
__device__ inline bool pass_leaf(ray_passage *p, const ray_edges *edges, uint32_t leaf, const ray_flight *f,
                                 const ray_lane_flight *l, float end, bool active)
{
    const int i = (int)(threadIdx.x & 7);
    const uint32_t index = RAY_EDGE_LANES * leaf + (uint32_t)i;
    const bool may = active && index < edges->count && ray_edge_may_pass(&edges->lanes[leaf], i, l, end);
    if (may)
        ray_edge_pass(p, &edges->list[index], index, f);
    return __any_sync(all_lanes, may && p->edge == index);
}

__device__ inline float end_of(const ray_passage *p, const ray_lane_flight *l)
{
    return p->at < (double)l->end ? (float)p->at + l->margin : l->end;
}

__device__ inline void no_passage(ray_passage *p)
{
    p->edge = RAY_NO_EDGE;
    p->at = INFINITY;
    p->distance = 0.0;
    p->looked = 0;
}

/* The set bit of a mask that a group of eight lanes takes, the lowest for group 0; -1: none. */
__device__ inline int bit_of_group(unsigned mask, int group)
{
    for (int skip = group; skip > 0; skip--)
        mask &= mask - 1;
    return __ffs((int)mask) - 1;
}

__device__ inline unsigned without_four(unsigned mask)
{
    for (int done = 0; done < 4; done++)
        mask &= mask - 1;
    return mask;
}

/* Tests the leaves of up to four blocks of the tree, first + the lowest bits of `entered`. */
__device__ inline void scan_blocks(const ray_edges *edges, const ray_flight *f, ray_passage *p,
                                   const ray_lane_flight *l, uint32_t first, unsigned entered)
{
    const int lane = (int)(threadIdx.x & 31), group = lane / 8, block = bit_of_group(entered, group);
    float entry;
    unsigned leaves = __ballot_sync(
        all_lanes, block >= 0 && ray_edge_may_enter(&entry, &edges->boxes[first + block], lane & 7, l, end_of(p, l)));
    for (; leaves; leaves = without_four(leaves)) {
        const int bit = bit_of_group(leaves, group), of = bit < 0 ? 0 : bit_of_group(entered, bit / 8);
        const uint32_t leaf = RAY_EDGE_LANES * (first + (uint32_t)of) + (uint32_t)(bit & 7);
        if (pass_leaf(p, edges, bit < 0 ? 0 : leaf, f, l, end_of(p, l), bit >= 0))
            agree(p, 16);
    }
}

/* Tests the boxes around 32 blocks of eight leaves at a time, then the boxes of the leaves of four
 * blocks, then the edges of four leaves. The order does not change the result. */
__device__ inline void scan_edges(const ray_edges *edges, const ray_flight *f, ray_passage *p)
{
    const ray_lane_flight l = ray_lane_flight_of(edges, f);
    const uint32_t each = RAY_EDGE_LANES * RAY_EDGE_LANES, blocks = (uint32_t)((edges->count + each - 1) / each);
    float entry;
    no_passage(p);
    for (uint32_t first = 0; first < blocks; first += 32) {
        const uint32_t own = first + (threadIdx.x & 31);
        unsigned entered = __ballot_sync(
            all_lanes, own < blocks && (edges->level_count < 2 ||
                                        ray_edge_may_enter(&entry, &edges->boxes[edges->levels[1] + own / 8],
                                                           (int)(own % 8), &l, end_of(p, &l))));
        for (; entered; entered = without_four(entered))
            scan_blocks(edges, f, p, &l, first, entered);
    }
}

/* As ray_edges_first, in its order: p->looked is the same. */
__device__ inline void search_edges(const ray_edges *edges, const ray_flight *f, ray_passage *p,
                                    ray_edge_pending *stack)
{
    const int lane = (int)(threadIdx.x & 31), i = lane & 7;
    const ray_lane_flight lanes = ray_lane_flight_of(edges, f);
    ray_edge_pending next = {0.0f, edges->level_count - 1, 0};
    float end = lanes.end;
    int top = 0;
    no_passage(p);
    while (edges->count && !(next.entry > end)) {
        if (next.level < 0) {
            if (pass_leaf(p, edges, next.index, f, &lanes, end, true))
                agree(p, 4);
        } else {
            float entry;
            const bool entered =
                ray_edge_may_enter(&entry, &edges->boxes[edges->levels[next.level] + next.index], i, &lanes, end);
            const unsigned met = __ballot_sync(all_lanes, entered) & eight_lanes;
            if (met) {
                const int place = place_of(entry, met, i);
                __syncwarp();
                if (lane < 8 && entered)
                    stack[top + place] = {entry, next.level - 1, RAY_EDGE_LANES * next.index + (uint32_t)i};
                top += __popc(met);
            }
        }
        p->looked++;
        end = end_of(p, &lanes);
        __syncwarp();
        while (top > 0 && stack[top - 1].entry > end)
            top--;
        if (top == 0)
            return;
        next = stack[--top];
    }
}

#endif
