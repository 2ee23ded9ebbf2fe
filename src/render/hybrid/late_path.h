/* SPDX-License-Identifier: MIT */
/* The path of a single ray, for the CPU and for GPUs. The file that includes this defines
 * struct late_sink and the functions below, by which a processor searches faces and edges and adds
 * up what rays bring. */
#ifndef AULA_RENDER_HYBRID_LATE_PATH_H
#define AULA_RENDER_HYBRID_LATE_PATH_H

#include <math.h>

#include "base/vector3.h"
#include "render/hybrid/late_travel.h"

/* A ray and its splits, which wait for their turn. */
struct late_family {
    struct traveller *waiting; /* [LATE_WAITING_MAX] */
    size_t count, born;
};

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

/* Of rays that look ahead: a segment of `length` m, and a flight, with the parts of the edge tree
 * that its search took. */
ON_DEVICE void late_see(struct late_sink *sink, const struct tracer *t, const struct traveller *a, double length);
ON_DEVICE void late_flown(struct late_sink *sink, uint32_t looked, bool is_hit);

static const float late_faintest = 1e-10f; /* of its initial energy: a ray ends */

/* Factor on a ray's scattered energy, relative to the mean of rays, that gives its number of splits. */
static const double late_divided = 0.25;

/* of the mean energy of rays after an equal path: below the first a ray ends at random, or
 * continues with the second. */
static const double late_weight_least = 0.25, late_weight_kept = 0.5;
static const double late_weight_of_guide_rays = 0.125; /* weaker guide rays end */

/* The random numbers of a ray depend only on the seed and its index. */
ON_DEVICE void late_begin(struct traveller *a, const struct tracer *t, const struct late_start *start, size_t index)
{
    struct random random = {t->seed};
    random.state = random_bits(&random) + index * 0xd1342543de82ef95u;
    random.state = random_bits(&random);
    a->random = random;
    a->way = 0.0;
    a->reflections = 0;
    a->by_images = true;
    a->turns = 0;
    a->last_diffuse = false;
    a->cell = start->cell;
    a->kind = a->whole = start->kind;
    for (int k = 0; k < 3; k++) {
        a->ray.origin[k] = t->source->position[k];
        a->ray.direction[k] = start->direction[k];
    }
    for (size_t b = 0; b < t->group.count; b++)
        a->energy[b] = start->energy;
    a->ray.left = RAY_NO_FACE;
    a->ray.reach = INFINITY;
}

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

ON_DEVICE void late_reflect(struct traveller *a, const double normal[3])
{
    late_mirror(a->ray.direction, normal);
    a->reflections++;
    a->last_diffuse = false;
}

ON_DEVICE void late_diffuse(struct traveller *a, const struct tracer *t, const double normal[3])
{
    const float weight = (float)late_scatter(a->ray.direction, normal, t->aims, t->turn, &a->random);
    a->kind *= fminf(weight, 1.0f);
    a->whole *= weight;
    for (size_t b = 0; b < t->group.count; b++)
        a->energy[b] *= weight;
    a->by_images = false;
    a->last_diffuse = true;
}

/* energy *= part/chance in each band, with the scattered or the specular part. */
ON_DEVICE void late_weigh(struct traveller *a, const struct tracer *t, const struct late_wall *wall, bool is_diffuse,
                          double chance)
{
    const float *scattered = wall->scattered + t->group.first;
    for (size_t b = 0; b < t->group.count; b++)
        a->energy[b] *= (is_diffuse ? scattered[b] : 1.0f - scattered[b]) / (float)chance;
}

/* Specular reflection of a guide ray, with the energy that is not scattered. */
ON_DEVICE void late_guide_ray_on(struct traveller *a, const struct tracer *t, const struct late_wall *wall,
                                 const double normal[3])
{
    late_weigh(a, t, wall, false, 1.0);
    late_reflect(a, normal);
}

/* Takes either path at random. A ray with much more energy than others of its kind takes both, and
 * splits the diffuse one. */
ON_DEVICE void late_turn_off(struct traveller *a, struct late_family *f, const struct tracer *t,
                             const struct late_wall *wall, double chance, const double normal[3])
{
    const double weight = late_reference_weight(t->reference, a->way, a->energy, t->group.count);
    const double parts = floor(late_divided * chance * weight / fmax((double)a->kind, 1.0) + 0.5);
    size_t children = t->reference && parts >= 1.0 ? (size_t)fmin(parts, 8.0) : 0;
    children = f->count + children <= LATE_WAITING_MAX && f->born + children <= LATE_BORN_MAX ? children : 0;
    for (size_t i = 0; i < children; i++) {
        struct traveller child = *a;
        child.random.state = random_bits(&a->random);
        late_weigh(&child, t, wall, true, (double)children);
        child.whole *= (float)(chance / (double)children);
        late_diffuse(&child, t, normal);
        f->waiting[f->count++] = child;
    }
    f->born += children;
    if (children)
        a->whole *= (float)(1.0 - chance);
    const bool is_diffuse = !children && chance > 0.0 && random_unit(&a->random) < chance;
    if (chance > 0.0)
        late_weigh(a, t, wall, is_diffuse, children ? 1.0 : is_diffuse ? chance : 1.0 - chance);
    if (is_diffuse)
        late_diffuse(a, t, normal);
    else
        late_reflect(a, normal);
}

ON_DEVICE bool late_is_faint(const struct traveller *a, size_t bands)
{
    float most = 0.0f;
    for (size_t b = 0; b < bands; b++)
        most = a->energy[b] > most ? a->energy[b] : most;
    return !(most > late_faintest * a->kind);
}

/* Russian roulette; false: the ray has ended. It compares the energy relative to the weight of its
 * kind, because rays of small weight are many. */
ON_DEVICE bool late_goes_on(struct traveller *a, const struct tracer *t)
{
    if (late_is_faint(a, t->group.count))
        return false;
    const double weight = late_reference_weight(t->reference, a->way, a->energy, t->group.count) / (double)a->kind;
    if (!t->reference || weight >= late_weight_least)
        return true;
    if (t->guiding)
        return weight >= late_weight_of_guide_rays;
    const double chance = weight / late_weight_kept;
    for (size_t b = 0; b < t->group.count; b++)
        a->energy[b] /= (float)chance;
    a->whole /= (float)chance;
    return random_unit(&a->random) < chance;
}

ON_DEVICE void late_go(struct late_sink *sink, const struct tracer *t, struct traveller *a, double length)
{
    if (t->looking_ahead)
        late_see(sink, t, a, isinf(length) ? 0.0 : length);
    else
        late_pass_spheres(sink, t, a, length);
}

/* Number of splits at an edge: more than one for a ray with much more energy than others. */
ON_DEVICE size_t late_ways_on(const struct traveller *a, const struct late_family *f, const struct tracer *t)
{
    if (!t->reference || t->guiding)
        return 1;
    const double weight = late_reference_weight(t->reference, a->way, a->energy, t->group.count);
    const double parts = fmin(floor(late_divided * weight / fmax((double)a->kind, 1.0) + 0.5), 8.0);
    return parts > 1.0 && f->count + (size_t)parts <= LATE_WAITING_MAX && f->born + (size_t)parts <= LATE_BORN_MAX
               ? (size_t)parts
               : 1;
}

/* Image sources keep what is hardly deflected. */
ON_DEVICE void late_turn(struct traveller *a, const struct tracer *t, const struct ray_passage *passage)
{
    const double angle = late_edge_angle(passage->distance / t->wavelength, 2.0 * random_unit(&a->random) - 1.0);
    a->by_images = a->by_images && fabs(angle) <= LATE_EDGE_KEPT;
    late_edge_turn(a->ray.direction, t->room->edges->list[passage->edge].along, angle);
}

/* Continues from the point closest to an edge. */
ON_DEVICE void late_turn_at(struct traveller *a, struct late_family *f, const struct tracer *t,
                            const struct ray_passage *passage)
{
    const size_t ways = late_ways_on(a, f, t);
    for (int k = 0; k < 3; k++)
        a->ray.origin[k] += passage->at * a->ray.direction[k];
    a->way += passage->at;
    a->ray.left = RAY_NO_FACE;
    a->passed[a->turns++] = passage->edge;
    a->whole /= (float)ways;
    for (size_t b = 0; b < t->group.count && ways > 1; b++)
        a->energy[b] /= (float)ways;
    for (size_t i = 1; i < ways; i++) {
        struct traveller other = *a;
        other.random.state = random_bits(&a->random);
        late_turn(&other, t, passage);
        f->waiting[f->count++] = other;
    }
    f->born += ways - 1;
    late_turn(a, t, passage);
}

/* Passes edges up to the next face; false: there is none within the duration. */
ON_DEVICE bool late_fly(struct ray_hit *hit, struct traveller *a, struct late_family *f, struct late_sink *sink,
                        const struct tracer *t)
{
    for (;;) {
        const bool met = late_closest(sink, t, &a->ray, hit);
        const double length = met ? hit->distance : INFINITY;
        const struct ray_flight flight = {.origin = a->ray.origin,
                                          .direction = a->ray.direction,
                                          .length = fmin(length, t->farthest - a->way),
                                          .reach = LATE_EDGE_REACH * t->wavelength,
                                          .passed = a->passed,
                                          .passed_count = a->turns};
        struct ray_passage passage = {.edge = RAY_NO_EDGE};
        if (t->wavelength > 0.0 && a->turns < LATE_EDGE_TURNS)
            late_first_edge(sink, t, &flight, &passage);
        if (t->looking_ahead)
            late_flown(sink, passage.looked, passage.edge == RAY_NO_EDGE);
        if (passage.edge == RAY_NO_EDGE) {
            late_go(sink, t, a, length);
            if (!met)
                late_lose(sink, (uint64_t)((double)a->whole * t->share / LATE_LOST_UNIT + 0.5));
            a->turns = 0;
            return met && a->way + length <= t->farthest;
        }
        late_go(sink, t, a, passage.at);
        late_turn_at(a, f, t, &passage);
    }
}

/* Moves to the next face and reflects; false: the ray has ended. */
ON_DEVICE bool late_advance(struct traveller *a, struct late_family *f, struct late_sink *sink, const struct tracer *t)
{
    struct ray_hit hit;
    double normal[3], origin[3];
    if (!late_fly(&hit, a, f, sink, t))
        return false;
    const struct ray_face *face = &t->room->scene->faces[hit.face];
    const uint32_t material = ray_face_material(face, a->ray.direction);
    const struct late_wall *wall = &t->room->walls[material];
    const double chance = t->chances[material];
    ray_leave(origin, normal, t->room->scene, &a->ray, &hit);
    late_wall_reflect(a->energy, wall, t->group.first, t->group.count, -dot3(a->ray.direction, normal));
    for (int k = 0; k < 3; k++)
        a->ray.origin[k] = origin[k];
    a->way += hit.distance;
    a->ray.left = hit.face;
    a->by_images = a->by_images && !face->curved;
    if (!late_goes_on(a, t))
        return false;
    if (chance > 0.0 && t->receiver_count && !t->looking_ahead)
        late_rain(sink, t, a, wall, normal);
    if (t->guiding)
        late_guide_ray_on(a, t, wall, normal);
    else
        late_turn_off(a, f, t, wall, chance, normal);
    return true;
}

/* Follows ray `index` and its splits to their ends. */
ON_DEVICE void late_follow(struct traveller *waiting, struct late_sink *sink, const struct tracer *t,
                           const struct late_start *start, size_t index)
{
    struct late_family f = {waiting, 0, 1};
    struct traveller a;
    late_begin(&a, t, start, index);
    for (;;) {
        while (late_advance(&a, &f, sink, t))
            continue;
        if (f.count == 0)
            return;
        a = f.waiting[--f.count];
    }
}

#endif
