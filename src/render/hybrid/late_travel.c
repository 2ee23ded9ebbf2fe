/* SPDX-License-Identifier: MIT */
#include "render/hybrid/late_travel.h"

#include "render/hybrid/late_path.h"

struct late_sink {
    struct late_tally *tally;
    struct late_seen *seen;
};

static double pattern_of(const struct late_point *p, const double direction[3])
{
    return p->pattern ? p->pattern(p->context, direction) : 1.0;
}

struct late_start late_start_of(const struct tracer *t, size_t index)
{
    struct ray_guide aim = {.energy = 1.0};
    struct late_start start;
    if (t->aims)
        aim = ray_guide_of(t->aims, index, t->rays, t->seed);
    else
        late_spiral(aim.direction, index, t->rays);
    for (int k = 0; k < 3; k++)
        start.direction[k] = dot3(t->turn[k], aim.direction);
    start.cell = (uint32_t)ray_guide_cell(aim.direction);
    start.kind = (float)aim.energy;
    start.energy = (float)(aim.energy * pattern_of(t->source, start.direction));
    return start;
}

static inline bool late_closest(struct late_sink *sink, const struct tracer *t, const struct ray *ray,
                                struct ray_hit *hit)
{
    (void)sink;
    return ray_tree_closest(t->room->tree, ray, hit);
}

static inline bool late_blocked(struct late_sink *sink, const struct tracer *t, const struct ray *ray)
{
    (void)sink;
    return ray_tree_blocked(t->room->tree, ray);
}

static inline void late_first_edge(struct late_sink *sink, const struct tracer *t, const struct ray_flight *flight,
                                   struct ray_passage *passage)
{
    (void)sink;
    ray_edges_first(t->room->edges, flight, passage);
}

static inline size_t late_next_sphere(struct late_sink *sink, const struct tracer *t, const struct traveller *a,
                                      size_t from, double length)
{
    (void)sink, (void)t, (void)a, (void)length;
    return from;
}

static inline void late_hear(struct late_sink *sink, const struct tracer *t, size_t receiver, size_t bin,
                             const float *energy, double share, const double towards[3])
{
    late_tally_add(sink->tally, receiver, bin, t->group.first, t->group.count, energy,
                   share * pattern_of(&t->receivers[receiver], towards), towards);
}

static inline void late_lose(struct late_sink *sink, uint64_t amount)
{
    sink->tally->lost += amount;
}

static inline void late_meet(struct late_sink *sink, const struct tracer *t, const float *energy,
                             const struct late_wall *wall, bool joined, size_t material, double cosine, double way)
{
    if (sink->tally->audit)
        late_audit_add(sink->tally->audit, wall, joined, material, t->group.first, t->group.count, energy, t->share,
                       cosine, way / t->room->sound_speed);
}

static inline void late_see(struct late_sink *sink, const struct tracer *t, const struct traveller *a, double length)
{
    late_reference_see(&sink->seen->energies, a->way, length, a->energy, t->group.count);
    if (t->guiding)
        ray_guiding_see(&sink->seen->shares, a->cell, (a->way + 0.5 * length) / t->farthest,
                        length * late_reference_weight(t->reference, a->way, a->energy, t->group.count));
}

static inline void late_flown(struct late_sink *sink, uint32_t looked, bool is_hit)
{
    sink->seen->work += 1.0 + looked / LATE_LEAVES;
    sink->seen->hits += is_hit;
}

void late_travel(struct late_tally *tally, struct late_seen *seen, const struct tracer *t, size_t index)
{
    struct traveller waiting[LATE_WAITING_MAX];
    struct late_sink sink = {tally, seen};
    const struct late_start start = late_start_of(t, index);
    late_follow(waiting, &sink, t, &start, index);
}
