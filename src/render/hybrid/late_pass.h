/* SPDX-License-Identifier: MIT */
/* Rays at faces that let sound through, for the CPU and for GPUs. Like late_path.h, which includes it.
 *
 * A ray that meets such a face with the energy e goes on as one that is reflected, with |R|² e, and with the chance q as
 * another one that passes, with τ e/q. The mean of both is (|R|² + τ) e, the energy that remains. Partitions let so
 * little through that rays which passed with the chance τ would be too few for a level in the room behind. q is therefore
 * τ times a factor that makes its mean at random incidence late_pass_chance, but at most 1. The rays that pass all weigh
 * the same, but for grazing ones, and less than others, which late_goes_on takes into account by their kind. With every
 * passage the factor falls, so that rays between two rooms do not multiply. Guide rays do not pass. */
#ifndef AULA_RENDER_HYBRID_LATE_PASS_H
#define AULA_RENDER_HYBRID_LATE_PASS_H

#include <math.h>

#include "render/hybrid/late_receive.h"

/* A ray and its splits, which wait for their turn. */
struct late_family {
    struct traveller *waiting; /* [LATE_WAITING_MAX] */
    size_t count, born;
};

static const double late_pass_chance = 0.2; /* mean of q, of rays that have not passed yet */
static const double late_pass_falls = 0.25; /* times this after each passage */

enum { LATE_FACES_WITHIN = 16 }; /* of touching bodies, that a ray passes at once */

/* Moves a ray inside a body, straight ahead, to the last face before the air behind it: *last; through other bodies that
 * touch it or overlap it too. False: the ray does not come out, or not where sound passes. */
ON_DEVICE bool late_come_out(struct ray *probe, uint32_t *last, struct late_sink *sink, const struct tracer *t)
{
    const struct ray_scene *scene = t->room->scene;
    struct ray ahead = *probe;
    bool left = false, out = false;
    for (int i = 0; i < LATE_FACES_WITHIN; i++) {
        struct ray_hit hit;
        double origin[3];
        if (!late_closest(sink, t, &ahead, &hit))
            return out;
        const struct ray_face *face = &scene->faces[hit.face];
        const bool solid = face->solid != RAY_NO_SOLID, enters = solid && dot3(face->normal, ahead.direction) < 0.0;
        if (left && hit.distance > scene->touching && (enters || !solid))
            return out;
        ray_pass(origin, scene, &ahead, &hit);
        for (int k = 0; k < 3; k++)
            ahead.origin[k] = origin[k];
        ahead.left = hit.face;
        if (enters)
            continue;
        if (face->through != RAY_BODY && !solid && !t->room->walls[face->material].transmits)
            return out;
        out = face->through == RAY_BODY;
        left = left || solid || out;
        *probe = ahead;
        *last = hit.face;
    }
    return false;
}

/* The ray's place behind a face, and the face on which it begins: right behind a sheet, and straight behind a body, whose
 * faces move alike. *material: of the side on which it begins. False: the ray does not come out. */
ON_DEVICE bool late_behind(struct ray *ray, uint32_t *material, struct late_sink *sink, const struct tracer *t,
                           const struct ray_hit *hit, const double normal[3])
{
    const struct ray_scene *scene = t->room->scene;
    struct ray probe = *ray;
    uint32_t last = hit->face;
    ray_pass(probe.origin, scene, ray, hit);
    probe.left = hit->face;
    probe.reach = INFINITY;
    for (int k = 0; k < 3; k++)
        probe.direction[k] = -normal[k];
    if (scene->faces[hit->face].through == RAY_BODY && !late_come_out(&probe, &last, sink, t))
        return false;
    *material = ray_face_material(&scene->faces[last], normal);
    for (int k = 0; k < 3; k++)
        ray->origin[k] = probe.origin[k];
    ray->left = last;
    return t->room->walls[*material].transmits;
}

/* The wall that a ray meets: of a material, and of another one behind it. */
ON_DEVICE const struct late_wall *late_wall_before(const struct late_room *room, uint32_t material, uint32_t behind)
{
    const size_t first = room->walls[material].sheet, second = room->walls[behind].sheet;
    return material == behind || first >= room->sheets || second >= room->sheets
               ? &room->walls[material]
               : &room->pairs[first * room->sheets + second];
}

/* passed[]: τ of each band of the group. Returns the largest q of the bands; *most: the largest τ. */
ON_DEVICE double late_chance_to_pass(float *passed, float *most, const struct traveller *a, const struct tracer *t,
                                     const struct late_wall *wall, double cosine)
{
    const double wanted = late_pass_chance * pow(late_pass_falls, (double)a->passages);
    double chance = 0.0;
    *most = 0.0f;
    for (size_t b = 0; b < t->group.count; b++)
        passed[b] = 1.0f;
    late_wall_multiply(passed, wall->passed, t->group.first, t->group.count, cosine);
    for (size_t b = 0; b < t->group.count; b++) {
        const double mean = (double)wall->passed_mean[t->group.first + b];
        chance = fmax(chance, (double)passed[b] * fmax(wanted / fmax(mean, 1e-30), 1.0));
        *most = fmaxf(*most, passed[b]);
    }
    return fmin(chance, 1.0);
}

/* Adds the ray that passes to the splits, with a's energies before the reflection. *wall: the wall that they reflect from,
 * with what lies behind it. False: there is no way through here, so that the face reflects like others. */
ON_DEVICE bool late_let_through(const struct late_wall **wall, struct traveller *a, struct late_family *f,
                                struct late_sink *sink, const struct tracer *t, const struct ray_hit *hit,
                                const double normal[3], double cosine)
{
    float passed[LATE_BANDS_MAX], most;
    struct ray behind = a->ray;
    uint32_t material;
    if (f->count == LATE_WAITING_MAX || f->born == LATE_BORN_MAX ||
        !late_behind(&behind, &material, sink, t, hit, normal))
        return false;
    *wall = late_wall_before(t->room, ray_face_material(&t->room->scene->faces[hit->face], a->ray.direction), material);
    const double chance = late_chance_to_pass(passed, &most, a, t, *wall, cosine);
    if (!(most > 0.0f) || !(random_unit(&a->random) < chance))
        return true;
    struct traveller *other = &f->waiting[f->count++];
    f->born++;
    *other = *a;
    other->ray = behind;
    other->random.state = random_bits(&a->random);
    for (size_t b = 0; b < t->group.count; b++)
        other->energy[b] *= passed[b] / (float)chance;
    other->kind *= most / (float)chance;
    other->whole *= most / (float)chance;
    other->way += hit->distance;
    other->passages++;
    other->by_images = false;
    other->last_diffuse = false;
    return true;
}

#endif
