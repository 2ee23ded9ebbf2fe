/* SPDX-License-Identifier: MIT */
#include "validate/hybrid/late_rig.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "room/grid/absorption.h"

static double complex real_admittance(const void *context, double frequency)
{
    const struct late_rig_wall *wall = context;
    (void)frequency;
    return wall->admittance;
}

int late_rig_make(struct late_rig *rig, const struct surface *surface, const struct late_rig_wall *walls, size_t count,
                  struct error *e)
{
    rig->bands = late_bands_make(1, 500.0, 2800.0);
    rig->walls = calloc(count + 1, sizeof *rig->walls);
    if (!rig->walls)
        return fail(e, ERROR_MEMORY, "out of memory");
    for (size_t i = 0; i < count; i++) {
        double scattering[OCTAVE_BANDS];
        for (size_t b = 0; b < OCTAVE_BANDS; b++)
            scattering[b] = walls[i].scattering;
        late_wall_make(
            &rig->walls[i],
            &(struct late_material){.admittance = real_admittance, .context = &walls[i], .scattering = scattering},
            &rig->bands);
    }
    if (ray_scene_make(&rig->scene, surface, RAY_SCENE_DEVIATION, e) || ray_tree_make(&rig->tree, &rig->scene, e))
        return -1;
    rig->room = (struct late_room){.scene = &rig->scene,
                                   .tree = &rig->tree,
                                   .walls = rig->walls,
                                   .wall_count = count,
                                   .sound_speed = LATE_RIG_SOUND_SPEED};
    return 0;
}

void late_rig_free(struct late_rig *rig)
{
    ray_tree_free(&rig->tree);
    ray_scene_free(&rig->scene);
    free(rig->walls);
    memset(rig, 0, sizeof *rig);
}

int late_rig_box(struct late_rig *rig, const double size[3], const struct late_rig_wall walls[6], struct error *e)
{
    struct scene_mesh m = {.triangles = NULL};
    mesh_add_box(&m, (const double[]){0.0, 0.0, 0.0}, size, 0);
    const struct surface surface = surface_of(&m);
    const int status = late_rig_make(rig, &surface, walls, 6, e);
    mesh_clear(&m);
    return status;
}

double late_rig_absorption(const struct late_rig_wall *wall)
{
    return random_incidence_absorption(wall->admittance);
}

void late_rig_direction(double direction[3], struct random *r)
{
    const double z = 2.0 * random_unit(r) - 1.0, angle = 6.28318530717958648 * random_unit(r), out = sqrt(1.0 - z * z);
    direction[0] = out * cos(angle);
    direction[1] = out * sin(angle);
    direction[2] = z;
}

/* The sum of the normal and a uniform direction on the sphere follows Lambert's law. */
void late_rig_lambert(double direction[3], const double normal[3], struct random *r)
{
    double length = 0.0;
    late_rig_direction(direction, r);
    for (int k = 0; k < 3; k++) {
        direction[k] += normal[k];
        length += direction[k] * direction[k];
    }
    for (int k = 0; k < 3; k++)
        direction[k] = length > 1e-12 ? direction[k] / sqrt(length) : normal[k];
}

void late_rig_paths(double *mean, double *variance, const struct late_rig *rig, const double from[3], size_t count,
                    struct random *r)
{
    struct ray ray = {.reach = INFINITY, .left = RAY_NO_FACE};
    double sum = 0.0, squares = 0.0, paths = 0.0;
    memcpy(ray.origin, from, sizeof ray.origin);
    late_rig_direction(ray.direction, r);
    for (size_t i = 0; i < count + 100; i++) { /* the first reflections depend on the source */
        struct ray_hit hit;
        double origin[3], normal[3];
        if (!ray_tree_closest(&rig->tree, &ray, &hit))
            break;
        if (i >= 100) {
            sum += hit.distance;
            squares += hit.distance * hit.distance;
            paths += 1.0;
        }
        ray_leave(origin, normal, &rig->scene, &ray, &hit);
        memcpy(ray.origin, origin, sizeof origin);
        late_rig_lambert(ray.direction, normal, r);
        ray.left = hit.face;
    }
    *mean = sum / paths;
    *variance = squares / paths / (*mean * *mean) - 1.0;
}

double late_rig_reverberation(const struct late_histogram *h, size_t band, double range)
{
    double sum = 0.0;
    for (size_t r = 0; r < h->receivers; r++)
        sum += late_reverberation(h, r, band, range) / (double)h->receivers;
    return sum;
}

double late_rig_clarity(const struct late_histogram *h, size_t receiver, size_t band, double arrival)
{
    const double late = late_energy_from(h, receiver, band, (size_t)((arrival + 0.08) / h->bin));
    return 10.0 * log10(late_energy_from(h, receiver, band, 0) / late - 1.0);
}

double late_rig_sphere_time(double admittance, double radius)
{
    enum { POINTS = 4000 };
    double low = 0.0, high = 1000.0;
    for (int round = 0; round < 60; round++) {
        const double s = 0.5 * (low + high);
        double sum = 0.0;
        for (int i = 0; i < POINTS; i++) {
            const double mu = (i + 0.5) / POINTS, reflection = (mu - admittance) / (mu + admittance);
            sum += 2.0 * mu * reflection * reflection * exp(s * 2.0 * radius * mu / LATE_RIG_SOUND_SPEED) / POINTS;
        }
        low = sum < 1.0 ? s : low;
        high = sum < 1.0 ? high : s;
    }
    return 6.0 * log(10.0) / low;
}
