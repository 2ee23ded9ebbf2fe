/* SPDX-License-Identifier: MIT */
/* Decays by ray tracing: reverberation times of diffuse rooms, two coupled rooms, convergence
 * with the number of rays, and octaves whose frequencies decay at different rates. */
#include <math.h>

#include "validate/hybrid/checks.h"
#include "validate/hybrid/late_rig.h"

enum {
    RECEIVERS = 5,
    COUPLED_RECEIVERS = 40 /* COUPLED_RECEIVERS: for a mean over the room, as in the theory of diffuse fields */
};

static void receivers_in(struct late_point *receivers, int count, const double from[3], const double to[3],
                         struct random *r)
{
    for (int i = 0; i < count; i++) {
        receivers[i] = (struct late_point){.pattern = NULL};
        for (int k = 0; k < 3; k++)
            receivers[i].position[k] = from[k] + (0.2 + 0.6 * random_unit(r)) * (to[k] - from[k]);
    }
}

/* Kuttruff 2009, "Room acoustics", 5.3: with the variance γ² of free paths over their squared mean, Eyring's exponent
 * -ln(1 - α) becomes -ln(1 - α) (1 + γ²/2 ln(1 - α)). */
static double kuttruff(double mean_path, double variance, double absorption)
{
    const double exponent = log(1.0 - absorption);
    return 6.0 * log(10.0) * mean_path / LATE_RIG_SOUND_SPEED / (-exponent * (1.0 + 0.5 * variance * exponent));
}

static int check_box(struct validation *v, struct report *r, const double size[3], double admittance, struct error *e)
{
    const struct late_rig_wall wall = {admittance, 1.0}, walls[6] = {wall, wall, wall, wall, wall, wall};
    const struct late_point source = {.position = {0.3 * size[0], 0.4 * size[1], 0.45 * size[2]}};
    const double origin[3] = {0.0, 0.0, 0.0}, absorption = late_rig_absorption(&wall);
    struct late_point receivers[RECEIVERS];
    struct late_rig rig = {.walls = NULL};
    struct late_histogram h = {.energy = NULL};
    double mean, variance;
    receivers_in(receivers, RECEIVERS, origin, size, &v->random);
    int status = late_rig_box(&rig, size, walls, e);
    if (!status) {
        late_rig_paths(&mean, &variance, &rig, source.position, 200000, &v->random);
        const double time = kuttruff(mean, variance, absorption);
        const double volume = size[0] * size[1] * size[2],
                     surface = 2.0 * (size[0] * size[1] + size[1] * size[2] + size[2] * size[0]);
        const struct late_settings settings = {.rays = v->full ? 200000 : 20000,
                                               .seed = random_bits(&v->random),
                                               .image_order = 0,
                                               .duration = 1.2 * time};
        report_bound(r, "decays", 100.0 * fabs(mean * surface / (4.0 * volume) - 1.0), 1.0,
                     "box %g x %g x %g m: error of the mean free path relative to 4V/S, %%", size[0], size[1], size[2]);
        status = late_rays_trace(&h, &rig.room, &rig.bands, &source, receivers, RECEIVERS, &settings, e);
        if (!status)
            report_bound(r, "decays", 100.0 * fabs(late_rig_reverberation(&h, 1, 30.0) / time - 1.0), 5.0,
                         "    absorption %.3f, error of T30 relative to Eyring with Kuttruff's correction (%.3f s), %%",
                         absorption, time);
    }
    late_histogram_free(&h);
    late_rig_free(&rig);
    return status;
}

int check_band_decays(struct validation *v, struct report *r, struct error *e)
{
    const double sizes[3][3] = {{5.0, 5.5, 4.5}, {8.0, 6.0, 4.0}, {12.0, 6.0, 3.0}},
                 admittances[3] = {0.01, 0.05, 0.15};
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            if (check_box(v, r, sizes[i], admittances[k], e))
                return -1;
    return 0;
}

/* ---- two rooms, joined by an opening */

static const double opening[2][2] = {{1.5, 1.0}, {2.5, 2.0}}; /* y, z, m: from, to */
static const double lively[3] = {7.0, 5.0, 4.0}, damped[3] = {4.0, 5.0, 4.0};

/* The live room at x = 0 .. 7 m has material 0, the other at 7 .. 11 m material 1. */
static void add_rooms(struct scene_mesh *m)
{
    const double end = lively[0] + damped[0];
    struct scene_mesh box = {.triangles = NULL};
    for (int room = 0; room < 2; room++) {
        const double from[3] = {room ? lively[0] : 0.0, 0.0, 0.0}, to[3] = {room ? end : lively[0], 5.0, 4.0};
        mesh_add_box(&box, from, to, 0);
        for (size_t i = 0; i < box.count; i++) {
            const struct surface_triangle *t = &box.triangles[i];
            if (t->material != (room ? FACE_X_MIN : FACE_X_MAX))
                mesh_add(m, t->corner[0], t->corner[1], t->corner[2], (uint32_t)room);
        }
        mesh_clear(&box);
        mesh_add_holed(m, 0, lively[0] + (room ? 0.01 : 0.0), (const double[]){0.0, 0.0}, (const double[]){5.0, 4.0},
                       opening[0], opening[1], (uint32_t)room);
    }
}

/* Sum of two exponentials: energies of two diffuse fields that exchange energy through the
 * opening S12, V dE/dt = -c/4 ((A + S12) E - S12 E'), A = -S ln(1 - α), with all energy in the
 * damped room at t = 0. rates: slow, fast. */
struct two_rooms {
    double rate[2], share[2]; /* 1/s; share of the energy in the damped room */
};

static struct two_rooms two_rooms_of(const struct late_rig_wall walls[2])
{
    const double area = (opening[1][0] - opening[0][0]) * (opening[1][1] - opening[0][1]),
                 quarter = LATE_RIG_SOUND_SPEED / 4.0;
    const double *sizes[2] = {lively, damped};
    double loss[2], gain[2];
    for (int i = 0; i < 2; i++) {
        const double *s = sizes[i], volume = s[0] * s[1] * s[2];
        const double surface = 2.0 * (s[0] * s[1] + s[1] * s[2] + s[2] * s[0]) - area;
        loss[i] = quarter * (-surface * log(1.0 - late_rig_absorption(&walls[i])) + area) / volume;
        gain[i] = quarter * area / volume;
    }
    const double middle = 0.5 * (loss[0] + loss[1]), off = 0.5 * (loss[1] - loss[0]);
    const double root = sqrt(off * off + gain[0] * gain[1]);
    struct two_rooms t = {.rate = {middle - root, middle + root}};
    t.share[0] = (root - off) / (2.0 * root); /* E2 = share0 e^{-rate0 t} + share1 e^{-rate1 t} with E2 = 1, E1 = 0 */
    t.share[1] = 1.0 - t.share[0];
    return t;
}

/* Decay of the mean energy between two levels below the total, as a reverberation time. */
static double slope(const struct late_histogram *h, double from, double to)
{
    double all = 0.0, left, time[2] = {NAN, NAN}, level[2] = {0.0, 0.0};
    for (size_t r = 0; r < h->receivers; r++)
        all += late_energy_from(h, r, 1, 0);
    left = all;
    for (size_t bin = 0; bin < h->bins; bin++) {
        const double now = 10.0 * log10(left / all);
        for (int i = 0; i < 2; i++)
            if (isnan(time[i]) && now <= (i ? to : from)) {
                time[i] = (double)bin * h->bin;
                level[i] = now;
            }
        for (size_t r = 0; r < h->receivers; r++)
            left -= *late_energy(h, r, bin, 1);
    }
    return -60.0 * (time[1] - time[0]) / (level[1] - level[0]);
}

/* The same for the two exponentials, integrated backwards. */
static double model_slope(const struct two_rooms *t, double from, double to)
{
    const double all = t->share[0] / t->rate[0] + t->share[1] / t->rate[1], step = 1e-4;
    double time[2] = {NAN, NAN};
    for (double now = 0.0; isnan(time[1]) && now < 100.0; now += step) {
        double left = 0.0;
        for (int i = 0; i < 2; i++)
            left += t->share[i] / t->rate[i] * exp(-t->rate[i] * now);
        for (int i = 0; i < 2; i++)
            if (isnan(time[i]) && 10.0 * log10(left / all) <= (i ? to : from))
                time[i] = now;
    }
    return 60.0 * (time[1] - time[0]) / (from - to);
}

int check_band_coupled(struct validation *v, struct report *r, struct error *e)
{
    const struct late_rig_wall walls[2] = {{0.005, 1.0}, {0.1, 1.0}};
    const struct late_point source = {.position = {9.0, 3.5, 1.5}};
    const double from[3] = {7.5, 0.0, 0.0}, to[3] = {11.0, 5.0, 4.0};
    const struct two_rooms rooms = two_rooms_of(walls);
    struct late_point receivers[COUPLED_RECEIVERS];
    struct scene_mesh m = {.triangles = NULL};
    struct late_rig rig = {.walls = NULL};
    struct late_histogram h = {.energy = NULL};
    add_rooms(&m);
    receivers_in(receivers, COUPLED_RECEIVERS, from, to, &v->random);
    const struct surface surface = surface_of(&m);
    const struct late_settings settings = {.rays = v->full ? 400000 : 50000,
                                           .seed = random_bits(&v->random),
                                           .image_order = -1,
                                           .duration = 70.0 / 10.0 * log(10.0) / rooms.rate[0]};
    int status = late_rig_make(&rig, &surface, walls, 2, e);
    if (!status)
        status = late_rays_trace(&h, &rig.room, &rig.bands, &source, receivers, COUPLED_RECEIVERS, &settings, e);
    if (!status) {
        const double early = slope(&h, -3.0, -12.0), late = slope(&h, -35.0, -50.0);
        const double early_model = model_slope(&rooms, -3.0, -12.0), late_model = model_slope(&rooms, -35.0, -50.0);
        report_bound(r, "coupled", 100.0 * fabs(late / late_model - 1.0), 10.0,
                     "late slope (%.3f s) compared with two diffuse fields (%.3f s): error, %%", late, late_model);
        report_bound(r, "coupled", 100.0 * fabs(early / early_model - 1.0), 30.0,
                     "early slope (%.3f s) compared with two diffuse fields (%.3f s): error, %%", early, early_model);
        report_bound(r, "coupled", early / late, 0.6, "ratio of early to late slope");
    }
    late_histogram_free(&h);
    late_rig_free(&rig);
    mesh_clear(&m);
    return status;
}

/* ---- how many rays */

static int check_rays(struct validation *v, struct report *r, double scattering, bool is_smooth, struct error *e)
{
    const double size[3] = {8.0, 6.0, 4.0}, origin[3] = {0.0, 0.0, 0.0};
    const struct late_rig_wall wall = {0.03, scattering}, floor = {0.06, scattering}, side = {0.1, scattering};
    const struct late_rig_wall walls[6] = {wall, wall, side, wall, wall, floor};
    const struct late_point source = {.position = {2.5, 2.4, 1.8}};
    const size_t many = v->full ? 10000000 : 400000;
    struct late_point receivers[RECEIVERS];
    struct late_rig rig = {.walls = NULL};
    struct late_histogram few = {.energy = NULL}, all = {.energy = NULL};
    double time = 0.0, clarity = 0.0;
    receivers_in(receivers, RECEIVERS, origin, size, &v->random);
    struct late_settings settings = {
        .rays = 100000, .seed = random_bits(&v->random), .image_order = 0, .duration = 0.8};
    int status = late_rig_box(&rig, size, walls, e);
    if (!status)
        status = late_rays_trace(&few, &rig.room, &rig.bands, &source, receivers, RECEIVERS, &settings, e);
    settings.rays = many;
    settings.seed++;
    if (!status)
        status = late_rays_trace(&all, &rig.room, &rig.bands, &source, receivers, RECEIVERS, &settings, e);
    for (size_t i = 0; i < RECEIVERS && !status; i++) {
        const double ratio = late_reverberation(&few, i, 1, 30.0) / late_reverberation(&all, i, 1, 30.0);
        time = fmax(time, 100.0 * fabs(ratio - 1.0));
        clarity += pow(late_rig_clarity(&few, i, 1, 0.0) - late_rig_clarity(&all, i, 1, 0.0), 2.0) / RECEIVERS;
    }
    if (!status) {
        const double mean = late_rig_reverberation(&few, 1, 30.0) / late_rig_reverberation(&all, 1, 30.0);
        /* few rays that met little absorption carry the late part of smooth rooms: the error was
         * 0.2 to 0.99 % for 30 seeds relative to 4e6 rays, and 0.1 to 1.2 % relative to 4e5,
         * which have errors of that size themselves */
        report_bound(r, "convergence", time, is_smooth && !v->full ? 2.0 : 1.0,
                     "s = %g, T30 from 1e5 rays compared with %g rays, worst of %d positions: error, %%", scattering,
                     (double)many, (int)RECEIVERS);
        report_bound(r, "convergence", 100.0 * fabs(mean - 1.0), 1.5, "    mean of the positions, %%");
        report_bound(r, "convergence", sqrt(clarity), 0.1, "    C80, rms of the positions, dB");
    }
    late_histogram_free(&few);
    late_histogram_free(&all);
    late_rig_free(&rig);
    return status;
}

int check_band_convergence(struct validation *v, struct report *r, struct error *e)
{
    return check_rays(v, r, 0.3, false, e) || check_rays(v, r, 0.05, true, e) ? -1 : 0;
}

/* ---- octaves whose frequencies decay differently */

static double complex rising_admittance(const void *slope, double frequency)
{
    return 0.03 * pow(frequency / 1000.0, *(const double *)slope);
}

static void make_walls(struct late_rig *rig, const double *slope, const struct late_bands *bands)
{
    double scattering[OCTAVE_BANDS];
    for (int b = 0; b < OCTAVE_BANDS; b++)
        scattering[b] = 0.5;
    const struct late_material material = {.admittance = rising_admittance, .context = slope, .scattering = scattering};
    for (size_t i = 0; i < rig->room.wall_count; i++)
        late_wall_make(&rig->walls[i], &material, bands);
}

/* The sum over narrow bands, each weighted by its share of the octave. */
static void add_narrow(struct late_histogram *sum, const struct late_histogram *narrow)
{
    for (size_t r = 0; r < sum->receivers; r++)
        for (size_t bin = 0; bin < sum->bins; bin++)
            for (size_t b = 0; b < narrow->bands.count; b++)
                *late_energy(sum, r, bin, 0) += *late_energy(narrow, r, bin, b) *
                                                (narrow->bands.upper[b] - narrow->bands.lower[b]) /
                                                (sum->bands.upper[0] - sum->bands.lower[0]);
}

static int check_octave(struct validation *v, struct report *r, double slope, struct error *e)
{
    enum { NARROW = 24 };
    const double size[3] = {5.0, 5.5, 4.5}, origin[3] = {0.0, 0.0, 0.0};
    const struct late_rig_wall wall = {0.0, 0.0}, walls[6] = {wall, wall, wall, wall, wall, wall};
    const struct late_point source = {.position = {1.5, 2.2, 2.0}};
    struct late_bands octave = {.count = 1, .centre = {1000.0}, .lower = {1000.0 * M_SQRT1_2}};
    octave.upper[0] = 1000.0 * M_SQRT2;
    const struct late_bands narrow = late_bands_split(&octave, NARROW), parts = late_bands_split(&octave, LATE_PARTS);
    struct late_settings settings = {.rays = 20000, .seed = random_bits(&v->random), .image_order = 0, .duration = 1.5};
    struct late_point receivers[RECEIVERS];
    struct late_rig rig = {.walls = NULL};
    struct late_histogram h[3] = {{.energy = NULL}, {.energy = NULL}, {.energy = NULL}};
    receivers_in(receivers, RECEIVERS, origin, size, &v->random);
    int status = late_rig_box(&rig, size, walls, e);
    if (!status) {
        make_walls(&rig, &slope, &narrow);
        status = late_rays_trace(&h[0], &rig.room, &narrow, &source, receivers, RECEIVERS, &settings, e) ||
                         late_histogram_make(&h[1], RECEIVERS, h[0].bins, h[0].bin, &octave, e)
                     ? -1
                     : 0;
    }
    if (!status) {
        add_narrow(&h[1], &h[0]);
        make_walls(&rig, &slope, &parts);
        settings.parts = LATE_PARTS;
        status = late_rays_trace(&h[2], &rig.room, &octave, &source, receivers, RECEIVERS, &settings, e);
    }
    if (!status) {
        const double exact = late_rig_reverberation(&h[1], 0, 30.0);
        report_bound(r, "octaves", 100.0 * fabs(late_rig_reverberation(&h[2], 0, 30.0) / exact - 1.0), 4.0,
                     "Y = 0.03 (f/1 kHz)^%g: T30 in the 1 kHz octave compared with the sum of %d narrow bands (%.3f "
                     "s): error, %%",
                     slope, (int)NARROW, exact);
    }
    for (int i = 0; i < 3; i++)
        late_histogram_free(&h[i]);
    late_rig_free(&rig);
    return status;
}

int check_band_octaves(struct validation *v, struct report *r, struct error *e)
{
    return check_octave(v, r, 0.5, e) || check_octave(v, r, 1.0, e) || check_octave(v, r, -1.0, e) ? -1 : 0;
}
