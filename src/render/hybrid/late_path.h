/* SPDX-License-Identifier: MIT */
/* The path of a single ray, for the CPU and for GPUs. The file that includes this defines struct
 * late_sink and the functions that late_receive.h declares. */
#ifndef AULA_RENDER_HYBRID_LATE_PATH_H
#define AULA_RENDER_HYBRID_LATE_PATH_H

#include <math.h>

#include "base/vector3.h"
#include "render/hybrid/late_pass.h"
#include "render/hybrid/late_receive.h"

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
    a->passages = 0;
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
    const double cosine = -dot3(a->ray.direction, normal);
    const bool joined = face->through != RAY_OPAQUE && wall->transmits && !t->guiding &&
                        late_let_through(&wall, a, f, sink, t, &hit, normal, cosine);
    late_meet(sink, t, a->energy, wall, joined, material, cosine, a->way + hit.distance);
    late_wall_reflect(a->energy, wall, joined, t->group.first, t->group.count, cosine);
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
