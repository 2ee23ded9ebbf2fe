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

/* The ray's place behind a face, and the face on which it begins: right behind a sheet, and straight behind a body, whose
 * faces move alike. False: the ray does not come out. */
ON_DEVICE bool late_behind(struct ray *ray, struct late_sink *sink, const struct tracer *t, const struct ray_hit *hit,
                           const double normal[3])
{
    const struct ray_scene *scene = t->room->scene;
    struct ray probe = *ray;
    struct ray_hit end;
    ray_pass(probe.origin, scene, ray, hit);
    probe.left = hit->face;
    probe.reach = INFINITY;
    if (scene->faces[hit->face].through == RAY_BODY) {
        for (int k = 0; k < 3; k++)
            probe.direction[k] = -normal[k];
        if (!late_closest(sink, t, &probe, &end) || scene->faces[end.face].through != RAY_BODY)
            return false;
        double origin[3];
        ray_pass(origin, scene, &probe, &end);
        for (int k = 0; k < 3; k++)
            probe.origin[k] = origin[k];
        probe.left = end.face;
    }
    for (int k = 0; k < 3; k++)
        ray->origin[k] = probe.origin[k];
    ray->left = probe.left;
    return true;
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

/* Adds the ray that passes to the splits, with a's energies before the reflection. False: there is no way through here,
 * so that the face reflects like others. */
ON_DEVICE bool late_let_through(struct traveller *a, struct late_family *f, struct late_sink *sink,
                                const struct tracer *t, const struct late_wall *wall, const struct ray_hit *hit,
                                const double normal[3], double cosine)
{
    float passed[LATE_BANDS_MAX], most;
    struct ray behind = a->ray;
    if (f->count == LATE_WAITING_MAX || f->born == LATE_BORN_MAX || !late_behind(&behind, sink, t, hit, normal))
        return false;
    const double chance = late_chance_to_pass(passed, &most, a, t, wall, cosine);
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
