/* SPDX-License-Identifier: MIT */
#include "validate/calibrate/twin_room.h"

#include <math.h>
#include <string.h>

#include "render/calibrate/sensitivity.h"
#include "room/grid/absorption.h"

static const double scattering = 0.4, noise = 0.03;
enum { STEPS = 96, CEILING_PARTS = 4 };

double twin_normal(struct random *r)
{
    const double radius = sqrt(-2.0 * log(1.0 - random_unit(r)));
    return radius * cos(2.0 * M_PI * random_unit(r));
}

static double between(struct random *r, double low, double high)
{
    return low + (high - low) * random_unit(r);
}

/* Published absorption: walls and floor are hard, and most of the surface. */
static double published(struct random *r, size_t material)
{
    static const double low[TWIN_MATERIALS] = {0.06, 0.1, 0.1, 0.1, 0.1},
                        high[TWIN_MATERIALS] = {0.15, 0.4, 0.4, 0.4, 0.4};
    return between(r, low[material], high[material]);
}

static void draw_absorption(struct twin_room *t, size_t k, struct random *r)
{
    const struct calibrate_octave *o = &t->task.problem[k];
    const double most = calibrate_log_exponent(CALIBRATE_LARGEST);
    for (size_t m = 0; m < TWIN_MATERIALS; m++) {
        calibrate_set_prior(&t->task, k, m, published(r, m));
        do {
            t->hidden[k][m] = o->prior[m] + o->prior_deviation[m] * twin_normal(r);
        } while (!(t->hidden[k][m] < most));
    }
}

void twin_room_draw(struct twin_room *t, struct random *r)
{
    memset(t, 0, sizeof *t);
    t->size[0] = between(r, 5.0, 9.0);
    t->size[1] = between(r, 4.0, 6.0);
    t->size[2] = between(r, 2.5, 4.0);
    t->volume = t->size[0] * t->size[1] * t->size[2];
    const double floor_area = t->size[0] * t->size[1];
    t->area[0] = 2.0 * t->size[2] * (t->size[0] + t->size[1]) + floor_area;
    for (size_t part = 0; part < CEILING_PARTS; part++)
        t->area[1 + part] = floor_area / CEILING_PARTS;
    for (size_t i = 0; i <= TWIN_RECEIVERS; i++)
        for (int axis = 0; axis < 3; axis++)
            t->position[i][axis] = t->size[axis] * between(r, 0.2, 0.8);
    t->task.octaves = TWIN_OCTAVES;
    t->task.materials = TWIN_MATERIALS;
    t->task.receivers = TWIN_RECEIVERS;
    for (size_t k = 0; k < TWIN_OCTAVES; k++) {
        t->task.octave[k] = k + 1;
        t->task.problem[k].materials = TWIN_MATERIALS;
        t->task.problem[k].data = TWIN_RECEIVERS * CALIBRATE_PARAMETERS;
        for (size_t i = 0; i < t->task.problem[k].data; i++)
            t->task.problem[k].measured[i] = NAN;
        draw_absorption(t, k, r);
    }
}

void twin_room_measure(struct twin_room *t, double time[TWIN_OCTAVES][TWIN_RECEIVERS], struct random *r)
{
    for (size_t k = 0; k < TWIN_OCTAVES; k++)
        for (size_t i = 0; i < TWIN_FITTED; i++) {
            struct calibrate_octave *o = &t->task.problem[k];
            const size_t index = calibrate_index(i, CALIBRATE_T20);
            o->measured[index] = log(time[k][i]) + noise * twin_normal(r);
            o->deviation[index] = noise;
            o->common[index] = CALIBRATE_MODEL_ERROR;
        }
}

int twin_diffuse(void *context, struct calibrate_prediction *predictions, const double (*at)[CALIBRATE_MATERIALS],
                 struct error *e)
{
    const struct twin_room *t = context;
    (void)e;
    for (size_t k = 0; k < TWIN_OCTAVES; k++) {
        double surface = 0.0, absorbing = 0.0;
        for (size_t m = 0; m < TWIN_MATERIALS; m++) {
            surface += t->area[m];
            absorbing += t->area[m] * calibrate_absorption(at[k][m]);
        }
        const double mean = absorbing / surface;
        const double time = 24.0 * log(10.0) * t->volume / (LATE_RIG_SOUND_SPEED * surface * -log1p(-mean));
        for (size_t i = 0; i < TWIN_RECEIVERS; i++) {
            const size_t index = calibrate_index(i, CALIBRATE_T20);
            predictions[k].value[index] = log(time);
            for (size_t m = 0; m < TWIN_MATERIALS; m++) {
                const double alpha = calibrate_absorption(at[k][m]);
                predictions[k].slope[index][m] = calibrate_slope(t->area[m] * alpha / absorbing, alpha, mean);
            }
        }
    }
    return 0;
}

/* Real admittance by octave. */
struct octave_wall {
    double admittance[OCTAVE_BANDS];
};

static double complex admittance_at(const void *context, double frequency)
{
    const struct octave_wall *wall = context;
    const int octave = (int)floor(log2(frequency / octave_band_centre[0]) + 0.5);
    return wall->admittance[octave < 0 ? 0 : octave >= OCTAVE_BANDS ? OCTAVE_BANDS - 1 : octave];
}

/* The ceiling is cut into parts of their own materials. */
static int make_rig(struct late_rig *rig, const struct twin_room *t, struct error *e)
{
    struct scene_mesh box = {.triangles = NULL}, m = {.triangles = NULL};
    const double *s = t->size, width = s[0] / CEILING_PARTS, z = s[2];
    const struct late_rig_wall walls[TWIN_MATERIALS] = {{0.0, scattering}};
    mesh_add_box(&box, (const double[]){0.0, 0.0, 0.0}, s, 0);
    for (size_t i = 0; i < box.count; i++) {
        const struct surface_triangle *f = &box.triangles[i];
        if (f->material != FACE_Z_MAX)
            mesh_add(&m, f->corner[0], f->corner[1], f->corner[2], 0);
    }
    for (int part = 0; part < CEILING_PARTS; part++) { /* normals point down, into the room */
        const double x0 = part * width, x1 = x0 + width;
        const double a[3] = {x0, 0.0, z}, b[3] = {x1, 0.0, z}, c[3] = {x1, s[1], z}, d[3] = {x0, s[1], z};
        mesh_add(&m, a, c, b, (uint32_t)(1 + part));
        mesh_add(&m, a, d, c, (uint32_t)(1 + part));
    }
    const struct surface surface = surface_of(&m);
    const int status = late_rig_make(rig, &surface, walls, TWIN_MATERIALS, e);
    mesh_clear(&box);
    mesh_clear(&m);
    return status;
}

static double longest_time(const struct twin_room *t, const double (*at)[CALIBRATE_MATERIALS])
{
    double longest = 0.0;
    for (size_t k = 0; k < TWIN_OCTAVES; k++) {
        double absorbing = 0.0;
        for (size_t m = 0; m < TWIN_MATERIALS; m++)
            absorbing += t->area[m] * calibrate_absorption(at[k][m]);
        longest = fmax(longest, 24.0 * log(10.0) * t->volume / (LATE_RIG_SOUND_SPEED * absorbing));
    }
    return fmin(longest, 6.0);
}

int twin_rays(void *context, struct calibrate_prediction *predictions, const double (*at)[CALIBRATE_MATERIALS],
              struct error *e)
{
    static const size_t material[TWIN_MATERIALS] = {0, 1, 2, 3, 4}, place[TWIN_RECEIVERS] = {0, 1, 2, 3};
    const struct twin_rays *w = context;
    const struct twin_room *t = w->room;
    const double by_octave[OCTAVE_BANDS] = {scattering, scattering, scattering, scattering,
                                            scattering, scattering, scattering, scattering};
    const struct late_bands bands = late_bands_make(1, 125.0, 4000.0 * M_SQRT2);
    const double seconds = longest_time(t, at);
    struct late_point source = {.pattern = NULL}, receivers[TWIN_RECEIVERS] = {{.pattern = NULL}};
    struct late_rig rig = {.walls = NULL};
    struct late_histogram h = {.energy = NULL};
    struct late_audit audit = {.met = NULL};
    struct octave_wall own[TWIN_MATERIALS];
    memcpy(source.position, t->position[0], sizeof source.position);
    for (size_t i = 0; i < TWIN_RECEIVERS; i++)
        memcpy(receivers[i].position, t->position[i + 1], sizeof source.position);
    int status = make_rig(&rig, t, e);
    for (size_t m = 0; m < TWIN_MATERIALS && !status; m++) {
        for (size_t b = 0; b < OCTAVE_BANDS; b++) {
            const size_t k = b < 1 ? 0 : b > TWIN_OCTAVES ? TWIN_OCTAVES - 1 : b - 1;
            own[m].admittance[b] = admittance_of_absorption(calibrate_absorption(at[k][m]));
        }
        late_wall_make(
            &rig.walls[m],
            &(struct late_material){.admittance = admittance_at, .context = &own[m], .scattering = by_octave}, &bands);
    }
    if (!status)
        status = late_audit_make(&audit, STEPS, seconds / STEPS, TWIN_MATERIALS, bands.count, e);
    const struct late_settings settings = {
        .rays = w->rays, .seed = w->seed, .image_order = -1, .duration = seconds, .audit = &audit};
    if (!status)
        status = late_rays_trace(&h, &rig.room, &bands, &source, receivers, TWIN_RECEIVERS, &settings, e);
    const struct calibrate_rays rays = {&h, &audit, NULL, LATE_RIG_SOUND_SPEED, material, place};
    for (size_t k = 0; k < TWIN_OCTAVES && !status; k++)
        calibrate_of_rays(&predictions[k], &rays, &t->task, k, at[k]);
    late_histogram_free(&h);
    late_audit_free(&audit);
    late_rig_free(&rig);
    return status;
}
