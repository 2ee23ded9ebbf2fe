/* SPDX-License-Identifier: MIT */
/* What receivers get of a ray on its way, for the CPU and for GPUs. The file that includes this
 * defines struct late_sink and the functions below, by which a processor searches faces and edges
 * and adds up what rays bring. */
#ifndef AULA_RENDER_HYBRID_LATE_RECEIVE_H
#define AULA_RENDER_HYBRID_LATE_RECEIVE_H

#include <math.h>

#include "base/vector3.h"
#include "render/hybrid/late_travel.h"

struct late_sink;

/* As ray_tree_closest, ray_tree_blocked and ray_edges_first. */
ON_DEVICE bool late_closest(struct late_sink *sink, const struct tracer *t, const struct ray *ray, struct ray_hit *hit);
ON_DEVICE bool late_blocked(struct late_sink *sink, const struct tracer *t, const struct ray *ray);
ON_DEVICE void late_first_edge(struct late_sink *sink, const struct tracer *t, const struct ray_flight *flight,
                               struct ray_passage *passage);

/* The first receiver from `from` on whose sphere a segment may cross; t->receiver_count: none. */
ON_DEVICE size_t late_next_sphere(struct late_sink *sink, const struct tracer *t, const struct traveller *a,
                                  size_t from, double length);

/* Adds share × energy to a receiver's bin, and energy without absorption to what is lost. */
ON_DEVICE void late_hear(struct late_sink *sink, const struct tracer *t, size_t receiver, size_t bin,
                         const float *energy, double share, const double towards[3]);
ON_DEVICE void late_lose(struct late_sink *sink, uint64_t amount);

/* A ray is about to reflect, `way` m from the source. Only for the audit: it changes nothing. */
ON_DEVICE void late_meet(struct late_sink *sink, const struct tracer *t, const float *energy,
                         const struct late_wall *wall, bool joined, size_t material, double cosine, double way);

/* Of rays that look ahead: a segment of `length` m, and a flight, with the parts of the edge tree
 * that its search took. */
ON_DEVICE void late_see(struct late_sink *sink, const struct tracer *t, const struct traveller *a, double length);
ON_DEVICE void late_flown(struct late_sink *sink, uint32_t looked, bool is_hit);

ON_DEVICE void late_count(struct late_sink *sink, const struct tracer *t, const float *energy, size_t receiver,
                          double way, double share, const double towards[3])
{
    const double bin = way / t->room->sound_speed / t->bin;
    if (bin < (double)t->bins)
        late_hear(sink, t, receiver, (size_t)bin, energy, t->share * share, towards);
}

/* Whether a receiver sees a random point of a segment: on average, the visible fraction of the
 * segment. */
ON_DEVICE bool late_sees(struct late_sink *sink, const struct tracer *t, struct traveller *a, size_t receiver,
                         double start, double end)
{
    const double at = start + (end - start) * random_unit(&a->random);
    const double *centre = t->receivers[receiver].position;
    struct ray ray;
    double square = 0.0;
    for (int k = 0; k < 3; k++) {
        const double place = a->ray.origin[k] + at * a->ray.direction[k];
        ray.origin[k] = centre[k];
        ray.direction[k] = place - centre[k];
        square += ray.direction[k] * ray.direction[k];
    }
    ray.left = RAY_NO_FACE;
    ray.reach = sqrt(square);
    for (int k = 0; k < 3; k++)
        ray.direction[k] /= ray.reach;
    return !(ray.reach > 0.0) || !late_blocked(sink, t, &ray);
}

/* The part of a segment up to the next face that lies in the sphere around a receiver. */
struct late_chord {
    struct late_ball ball;
    double start, end; /* m from the origin of the segment */
};

/* Whether a segment has such a part that counts. */
ON_DEVICE bool late_crosses(struct late_chord *chord, const struct tracer *t, const struct traveller *a,
                            size_t receiver, double length)
{
    const struct late_sphere *sphere = &t->spheres[receiver];
    double from[3];
    if (a->last_diffuse && sphere->rained)
        return false;
    for (int k = 0; k < 3; k++)
        from[k] = t->receivers[receiver].position[k] - a->ray.origin[k];
    const double along = dot3(from, a->ray.direction);
    chord->ball = late_sphere_after(sphere, a->way + along);
    const double square = chord->ball.radius * chord->ball.radius - dot3(from, from) + along * along;
    if (!(square > 0.0))
        return false;
    const double half = sqrt(square);
    chord->start = fmax(along - half, 0.0);
    chord->end = fmin(along + half, length);
    return chord->end > chord->start;
}

ON_DEVICE void late_pass_spheres(struct late_sink *sink, const struct tracer *t, struct traveller *a, double length)
{
    const double back[3] = {-a->ray.direction[0], -a->ray.direction[1], -a->ray.direction[2]};
    struct late_chord c;
    if (a->by_images && a->reflections <= t->settings->image_order)
        return;
    for (size_t r = 0; r < t->receiver_count; r++) {
        r = late_next_sphere(sink, t, a, r, length);
        if (r >= t->receiver_count || !late_crosses(&c, t, a, r, length) ||
            (c.ball.cut && !late_sees(sink, t, a, r, c.start, c.end)))
            continue;
        late_count(sink, t, a->energy, r, a->way + 0.5 * (c.start + c.end),
                   (c.end - c.start) / (4.0 / 3.0 * M_PI * pow(c.ball.radius, 3.0) * c.ball.share), back);
    }
}

/* Counts the energy that a hit scatters towards one random receiver, weighted for the others. */
ON_DEVICE void late_rain(struct late_sink *sink, const struct tracer *t, struct traveller *a,
                         const struct late_wall *wall, const double normal[3])
{
    const double chosen = random_unit(&a->random) * (double)t->receiver_count / t->rain_chance;
    if (!(chosen < (double)t->receiver_count))
        return;
    const size_t receiver = (size_t)chosen;
    if (!t->spheres[receiver].rained)
        return;
    struct ray ray = a->ray;
    double distance = 0.0;
    for (int k = 0; k < 3; k++) {
        ray.direction[k] = t->receivers[receiver].position[k] - a->ray.origin[k];
        distance += ray.direction[k] * ray.direction[k];
    }
    distance = sqrt(distance);
    for (int k = 0; k < 3; k++)
        ray.direction[k] /= distance;
    const double cosine = dot3(ray.direction, normal);
    ray.reach = distance;
    if (!(cosine > 0.0) || a->way + distance > t->farthest || late_blocked(sink, t, &ray))
        return;
    float energy[LATE_BANDS_MAX];
    for (size_t b = 0; b < t->group.count; b++)
        energy[b] = a->energy[b] * wall->scattered[t->group.first + b];
    const double back[3] = {-ray.direction[0], -ray.direction[1], -ray.direction[2]};
    late_count(sink, t, energy, receiver, a->way + distance,
               (double)t->receiver_count / t->rain_chance * cosine / (M_PI * distance * distance), back);
}

#endif
