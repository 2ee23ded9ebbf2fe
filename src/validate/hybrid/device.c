/* SPDX-License-Identifier: MIT */
/* Rays on a GPU against rays on the CPU. Both take the same decisions from the same random numbers,
 * but their mathematical libraries differ in the last bit. Every edge that deflects a ray, and every
 * curved face, multiplies such a difference; after some tens of them two rays have nothing in
 * common. Short responses therefore agree bin by bin, long ones in their decays. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/nan_max.h"
#include "base/stop.h"
#include "dsp/measure/metrics.h"
#include "render/geometric.h"
#include "room/grid/model.h"
#include "validate/hybrid/checks.h"
#include "validate/hybrid/late_rig.h"

enum { CASES = 8, BLOCKS = 6, RECEIVERS = 3 };

static double uniform(struct random *r, double low, double high)
{
    return low + (high - low) * random_unit(r);
}

/* A box with turned blocks in its lower half. */
static int make_room(struct late_rig *rig, double size[3], struct random *r, struct error *e)
{
    struct late_rig_wall walls[6];
    struct scene_mesh m = {.triangles = NULL};
    for (int k = 0; k < 3; k++)
        size[k] = uniform(r, 3.0, 12.0);
    for (int i = 0; i < 6; i++)
        walls[i] = (struct late_rig_wall){exp(uniform(r, log(0.005), log(0.3))), uniform(r, 0.0, 0.5)};
    const size_t blocks = random_between(r, 0, BLOCKS);
    for (size_t i = 0; i < blocks; i++) {
        double from[3], to[3];
        for (int k = 0; k < 3; k++) {
            from[k] = uniform(r, 0.05, k < 2 ? 0.8 : 0.3) * size[k];
            to[k] = from[k] + 0.15 * size[k];
        }
        mesh_add_box(&m, from, to, 0);
    }
    mesh_turn(&m, uniform(r, -3.0, 3.0), 0.0, 0.0);
    mesh_add_box(&m, (const double[]){0.0, 0.0, 0.0}, size, 0);
    const struct surface surface = surface_of(&m);
    const int status = late_rig_make(rig, &surface, walls, 6, e);
    mesh_clear(&m);
    return status;
}

/* What two traces have in common. */
struct likeness {
    size_t bins, different; /* bins with energy; those that differ by more than 1e-9 */
    double level;           /* dB: largest difference of a band at a receiver */
    size_t apart;           /* rooms where it is more than NEAR */
};
static const double NEAR = 0.01; /* dB */

static void compare(struct likeness *l, const struct late_histogram *a, const struct late_histogram *b)
{
    for (size_t r = 0; r < a->receivers; r++)
        for (size_t band = 0; band < a->bands.count; band++) {
            const double whole = late_energy_from(a, r, band, 0), other = late_energy_from(b, r, band, 0);
            for (size_t bin = 0; bin < a->bins; bin++) {
                const double x = *late_energy(a, r, bin, band), y = *late_energy(b, r, bin, band);
                l->bins += x > 0.0 || y > 0.0;
                l->different += !(fabs(x - y) <= 1e-9 * fmax(x, y));
            }
            l->level = nan_max(l->level, whole > 0.0 ? fabs(10.0 * log10(other / whole)) : other > 0.0 ? NAN : 0.0);
        }
}

/* Traces on the CPU and twice on the GPU. *wrong counts bits that differ between the latter, and
 * traces that did not run there. */
static int trace_all(struct likeness *l, size_t *wrong, const struct late_rig *rig, const double size[3],
                     struct late_settings settings, struct random *r, struct error *e)
{
    struct late_histogram h[3] = {{.energy = NULL}, {.energy = NULL}, {.energy = NULL}};
    struct late_point points[RECEIVERS + 1] = {{.pattern = NULL}};
    int status = 0;
    for (int i = 0; i <= RECEIVERS; i++)
        for (int k = 0; k < 3; k++)
            points[i].position[k] = uniform(r, k < 2 ? 0.05 : 0.5, 0.95) * size[k];
    for (int i = 0; i < 3 && !status; i++) {
        settings.on_device = i > 0;
        status = late_rays_trace(&h[i], &rig->room, &rig->bands, &points[RECEIVERS], points, RECEIVERS, &settings, e);
    }
    if (!status) {
        const size_t count = h[0].receivers * h[0].bins * h[0].bands.count * LATE_MOMENTS;
        compare(l, &h[0], &h[1]);
        *wrong += (size_t)!h[1].on_device + (size_t)!h[2].on_device + (h[1].lost != h[2].lost);
        *wrong += memcmp(h[1].energy, h[2].energy, count * sizeof *h[1].energy) != 0;
    }
    for (int i = 0; i < 3; i++)
        late_histogram_free(&h[i]);
    return status;
}

/* One random room, with edges or without. `seconds`: of the response. */
static int check_room(struct likeness *l, size_t *wrong, bool edges, double seconds, bool plain,
                      const struct validation *v, struct random *r, struct error *e)
{
    struct late_rig rig = {.walls = NULL};
    struct ray_edges turning = {.list = NULL};
    double size[3];
    const struct late_settings settings = {.rays = random_between(r, 500, 12000),
                                           .seed = random_bits(r),
                                           .image_order = (int)random_between(r, 0, 3) - 1,
                                           .duration = seconds,
                                           .directions = random_bits(r) % 2,
                                           .device = v->choice.device,
                                           .plain = plain};
    struct likeness own = {.bins = 0};
    int status = make_room(&rig, size, r, e);
    if (!status && edges)
        status = ray_edges_make(&turning, &rig.scene, &rig.tree, e);
    rig.room.edges = edges ? &turning : NULL;
    if (!status)
        status = trace_all(&own, wrong, &rig, size, settings, r, e);
    l->bins += own.bins;
    l->different += own.different;
    l->level = nan_max(l->level, own.level);
    l->apart += !(own.level <= NEAR);
    ray_edges_free(&turning);
    late_rig_free(&rig);
    return status;
}

struct room_case {
    const char *name;
    bool edges, plain;
    double seconds, different, level, apart; /* bounds: share of bins, dB, share of rooms */
};
/* Where few rays bring the energy of a band to a receiver and two of them part early, it differs by tenths of a decibel, as with
 * another seed: once in some hundred rooms. */
static const struct room_case cases[] = {
    {"flat faces", false, false, 0.5, 0.001, 0.001, 0.0},
    {"edges, without guided rays, the first 40 ms", true, true, 0.04, 0.001, 0.001, 0.0},
    {"edges, the first 40 ms", true, false, 0.04, 0.001, 0.001, 0.0},
    {"edges", true, false, 0.5, 0.2, 2.0, 0.2}};

static int check_rooms(struct validation *v, struct report *r, struct error *e)
{
    const int count = v->cases > 0 ? v->cases : CASES;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct room_case *c = &cases[i];
        struct likeness l = {.bins = 0};
        size_t wrong = 0;
        for (int n = 0; n < count; n++)
            if (stop_check(e) || check_room(&l, &wrong, c->edges, c->seconds, c->plain, v, &v->random, e))
                return -1;
        report_bound(r, "device", (double)wrong, 0.0, "%d random rooms, %s: traces that differ from their repetition",
                     count, c->name);
        report_bound(r, "device", l.bins ? (double)l.different / (double)l.bins : NAN, c->different,
                     "    share of %zu bins that differ from those of the CPU", l.bins);
        report_bound(r, "device", l.level, c->level, "    energy of a band at a receiver, dB");
        report_bound(r, "device", (double)l.apart / count, c->apart, "    share of rooms where it is more than %g dB",
                     NEAR);
    }
    return 0;
}

/* ---- shipped rooms */

static const char *const files[] = {"rooms/living_room.cfg", "rooms/classroom.cfg", "rooms/concert_hall.cfg",
                                    "rooms/church.cfg"};

/* Means over the channels. */
struct figures {
    double t30[METRICS_OCTAVES], c80[METRICS_OCTAVES];
};

static int respond(struct response *response, const struct model *m, const struct validation *v, bool on_device,
                   struct error *e)
{
    struct geometric_effort effort = geometric_whole;
    effort.on_device = on_device;
    effort.device = v->choice.device;
    return geometric_response(response, &effort, m, 0, e);
}

static int measure(struct figures *f, const struct response *response, struct error *e)
{
    const struct metrics_settings settings = {.valid_low = 200.0, .valid_high = 20000.0, .noiseless = true};
    *f = (struct figures){.t30 = {0.0}};
    for (size_t c = 0; c < response->channels; c++) {
        struct metrics metrics;
        if (metrics_measure(&metrics, response->samples + c * response->frames, response->frames, response->rate,
                            &settings, e))
            return -1;
        for (size_t b = 0; b < METRICS_OCTAVES; b++) {
            f->t30[b] += metrics.band[b].t30.time / (double)response->channels;
            f->c80[b] += metrics.band[b].c80 / (double)response->channels;
        }
    }
    return 0;
}

/* Energy of the difference over that of the first. */
static double difference(const struct response *a, const struct response *b)
{
    double sum = 0.0, square = 0.0;
    for (size_t n = 0; n < a->channels * a->frames; n++) {
        sum += a->samples[n] * a->samples[n];
        square += (a->samples[n] - b->samples[n]) * (a->samples[n] - b->samples[n]);
    }
    return a->frames == b->frames ? square / sum : NAN;
}

/* Responses of a shipped room from the CPU and the GPU; seconds: "" for all of it. */
static int respond_twice(struct response both[2], const char *file, const char *seconds, const struct validation *v,
                         struct error *e)
{
    const char *const settings[] = {"grid.max_frequency=150", "hybrid.rays=10000", seconds};
    struct room *room = NULL;
    struct model *m = NULL;
    char *path = data_path(file, e);
    const int status = !path || room_read(&room, path, settings, *seconds ? 3 : 2, e) || model_make(&m, room, e) ||
                       respond(&both[0], m, v, false, e) || respond(&both[1], m, v, true, e);
    model_free(m);
    room_free(room);
    free(path);
    return status ? -1 : 0;
}

static int check_start(struct validation *v, struct report *r, const char *file, struct error *e)
{
    struct response both[2] = {{.samples = NULL}, {.samples = NULL}};
    const int status = respond_twice(both, file, "time.duration=0.06", v, e);
    if (!status)
        report_bound(r, "device", difference(&both[0], &both[1]), 1e-6,
                     "%s, 10000 rays over 60 ms: energy of the difference from the CPU, relative", file);
    response_free(&both[0]);
    response_free(&both[1]);
    return status;
}

static int check_decay(struct validation *v, struct report *r, const char *file, struct error *e)
{
    struct response both[2] = {{.samples = NULL}, {.samples = NULL}};
    struct figures cpu, gpu;
    double decay = 0.0, clarity = 0.0;
    const int status =
        respond_twice(both, file, "", v, e) || measure(&cpu, &both[0], e) || measure(&gpu, &both[1], e) ? -1 : 0;
    for (size_t b = 2; b < METRICS_OCTAVES && !status; b++) { /* 250 Hz and up */
        if (!isnan(cpu.t30[b]) && !isnan(gpu.t30[b]))         /* few rays may leave an octave without a decay */
            decay = fmax(decay, 100.0 * fabs(gpu.t30[b] / cpu.t30[b] - 1.0));
        clarity = nan_max(clarity, fabs(gpu.c80[b] - cpu.c80[b]));
    }
    response_free(&both[0]);
    response_free(&both[1]);
    if (status)
        return -1;
    report_bound(r, "device", decay, 8.0, "%s, 10000 rays: largest difference of T30 in an octave, %%", file);
    report_bound(r, "device", clarity, 0.5, "    C80, dB");
    return 0;
}

int check_band_device(struct validation *v, struct report *r, struct error *e)
{
    const char *reason = cuda_engine.unavailable();
    if (reason) {
        report_skip(r, "device", reason);
        return 0;
    }
    if (check_rooms(v, r, e))
        return -1;
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        if (check_start(v, r, files[i], e) || check_decay(v, r, files[i], e))
            return -1;
    return 0;
}
