/* SPDX-License-Identifier: MIT */
/* Levels by ray tracing: the direct sound, and diffuse reflections where their sum is known. */
#include <math.h>

#include "validate/hybrid/checks.h"
#include "validate/hybrid/late_rig.h"

static const double pi = 3.14159265358979323846;

static double distance(const double a[3], const double b[3])
{
    return sqrt(pow(a[0] - b[0], 2.0) + pow(a[1] - b[1], 2.0) + pow(a[2] - b[2], 2.0));
}

static int check_direct(struct validation *v, struct report *r, struct error *e)
{
    enum { RECEIVERS = 4 };
    const struct late_rig_wall dead = {1.0, 0.0}, walls[6] = {dead, dead, dead, dead, dead, dead};
    const struct late_point source = {.position = {15.0, 15.0, 15.0}};
    struct late_point receivers[RECEIVERS] = {{.pattern = NULL}};
    struct late_rig rig = {.walls = NULL};
    struct late_histogram h = {.energy = NULL};
    const double lengths[RECEIVERS] = {1.5, 3.0, 6.0, 9.0};
    for (int i = 0; i < RECEIVERS; i++) {
        double d[3];
        late_rig_direction(d, &v->random);
        for (int k = 0; k < 3; k++)
            receivers[i].position[k] = source.position[k] + lengths[i] * d[k];
    }
    const struct late_settings settings = {
        .rays = v->full ? 10000000 : 2000000, .seed = random_bits(&v->random), .image_order = -1, .duration = 0.04};
    int status = late_rig_box(&rig, (const double[]){30.0, 31.0, 32.0}, walls, e);
    if (!status)
        status = late_rays_trace(&h, &rig.room, &rig.bands, &source, receivers, RECEIVERS, &settings, e);
    for (size_t i = 0; i < RECEIVERS && !status; i++) {
        const double expected = 1.0 / pow(4.0 * pi * distance(source.position, receivers[i].position), 2.0);
        report_bound(r, "rays", fabs(10.0 * log10(late_energy_from(&h, i, 1, 0) / expected)), 0.1,
                     "direct sound at %g m: error of the energy, dB", lengths[i]);
    }
    late_histogram_free(&h);
    late_rig_free(&rig);
    return status;
}

static int check_rain(struct validation *v, struct report *r, struct error *e)
{
    enum { RECEIVERS = 3 };
    const double radius = 4.0;
    const struct late_rig_wall wall = {0.06, 1.0};
    const struct surface_solid sphere = {.shape = SOLID_SPHERE, .radius = radius};
    const struct surface_material material = {.name = "m"};
    const struct surface surface = {.materials = &material, .material_count = 1, .solids = &sphere, .solid_count = 1};
    const struct late_point source = {.pattern = NULL};
    const struct late_point receivers[RECEIVERS] = {
        {.pattern = NULL}, {.position = {1.5, 1.0, 0.0}}, {.position = {-2.0, 1.0, 2.0}}};
    const struct late_settings settings = {
        .rays = v->full ? 1000000 : 100000, .seed = random_bits(&v->random), .image_order = 0, .duration = 1.5};
    struct late_rig rig = {.walls = NULL};
    struct late_histogram h = {.energy = NULL};
    int status = late_rig_make(&rig, &surface, &wall, 1, e);
    if (!status)
        status = late_rays_trace(&h, &rig.room, &rig.bands, &source, receivers, RECEIVERS, &settings, e);
    const double most = v->full ? 0.05 : 0.1; /* dB: a standard error is 0.02 with 100,000 rays */
    for (size_t i = 0; i < RECEIVERS && !status; i++) {
        const double first = pow((1.0 - wall.admittance) / (1.0 + wall.admittance), 2.0);
        const double expected = first / (4.0 * pi * pi * radius * radius * late_rig_absorption(&wall));
        report_bound(r, "rays", fabs(10.0 * log10(late_energy_from(&h, i, 1, 0) / expected)), most,
                     "diffuse reflections in a sphere, position %zu: error of the energy, dB", i);
        const double time = late_rig_sphere_time(wall.admittance, radius);
        report_bound(r, "rays", 100.0 * fabs(late_reverberation(&h, i, 1, 30.0) / time - 1.0), 1.0,
                     "    error of T30 relative to the exact decay, %%");
    }
    late_histogram_free(&h);
    late_rig_free(&rig);
    return status;
}

int check_band_rays(struct validation *v, struct report *r, struct error *e)
{
    return check_direct(v, r, e) || check_rain(v, r, e) ? -1 : 0;
}
