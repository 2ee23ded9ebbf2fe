/* SPDX-License-Identifier: MIT */
/* Image sources of a box compared with the wave solver, over two octaves below the crossover:
 * levels of octaves, and each isolated reflection up to order 3, measured in the remainder of
 * the wave field after all other paths are subtracted. */
#include <complex.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/nan_max.h"
#include "dsp/band_filter.h"
#include "render/early_part.h"
#include "render/hybrid/crossover.h"
#include "render/hybrid/image_paths.h"
#include "render/hybrid/path_walls.h"
#include "render/render.h"
#include "validate/hybrid/checks.h"
#include "validate/isotropic19/lossy_box.h"
#include "validate/space/rig.h"

enum { ORDER = 14, SINGLE = 3, RECEIVERS = SPACE_RECEIVERS, OCTAVES = 2, SAMPLES = 49 };
static const double edge = 2000.0, rate = 48000.0, seconds = 0.09, fade = 0.018; /* Hz, Hz, s, s (fade at the end) */
static const double alone = 0.0008; /* s: distance of judged reflections to other arrivals */

enum walls { RIGID, REAL, PANEL, WALLS };
static const char *const names[WALLS] = {"rigid walls", "Y = 0.05", "Y = 0.05 and a ceiling of resonators"};

struct trial {
    struct space_box box;
    double complex admittance[2][SAMPLES]; /* of both materials */
    double *difference;                    /* [RECEIVERS][frames]: waves minus images, up to the crossover */
    size_t frames;
    double frequency[SAMPLES];              /* Hz: two octaves below the crossover, spaced logarithmically */
    double complex offset_removal[SAMPLES]; /* the high-pass filter applied to all responses */
    double complex waves[RECEIVERS][SAMPLES];
    double complex images[RECEIVERS][SAMPLES]; /* as rendered */
};

static void make_room(struct space_box *b, enum walls walls, struct random *random)
{
    static const double size[3] = {4.116, 3.087, 2.5725}, source[3] = {1.1, 0.9, 1.3};
    static const double receivers[RECEIVERS][3] = {{3.4, 2.35, 0.8}, {3.5, 0.7, 2.1}, {0.6, 2.6, 2.2}, {3.1, 2.5, 1.9}};
    space_box_init(b, size, 20.0);
    for (int wall = 0; wall < FACES; wall++)
        b->room.walls[wall] = walls == RIGID;
    if (walls == PANEL) { /* in place of the rigid material */
        b->materials[1] = (struct material){.name = "panel", .kind = MATERIAL_BRANCHES, .branch_count = 3};
        for (int i = 0; i < 3; i++)
            b->materials[1].branches[i] = lossy_resonator(500.0 * pow(2.0, i), M_SQRT2, 0.05 + 0.1 * i);
        b->room.walls[FACE_Z_MAX] = 1;
    }
    b->room.receiver_count = RECEIVERS;
    b->room.duration = seconds;
    b->room.output.rate = rate;
    b->room.output.filter = FILTER_LINEAR_PHASE;
    b->room.grid.scheme = GRID_SCHEME_19_POINT;
    b->room.grid.max_frequency = edge;
    b->room.hybrid.order = ORDER;
    for (int i = 0; i < RECEIVERS; i++)
        b->receivers[i] = (struct receiver){.name = "R"};
    for (int axis = 0; axis < 3; axis++) {
        b->source.position[axis] = source[axis] + 0.05 * random_unit(random);
        for (int i = 0; i < RECEIVERS; i++)
            b->receivers[i].position[axis] = receivers[i][axis] + 0.05 * random_unit(random);
    }
}

/* Window of the record: 1 until its end fades. */
static double window_at(double time)
{
    const double place = (time - (seconds - fade)) / fade;
    return place <= 0.0 ? 1.0 : place >= 1.0 ? 0.0 : pow(cos(0.5 * M_PI * place), 2.0);
}

static void spectrum_of(double complex to[SAMPLES], const double *samples, size_t frames, const struct trial *t)
{
    for (int f = 0; f < SAMPLES; f++) {
        to[f] = 0.0;
        for (size_t n = 0; n < frames; n++)
            to[f] +=
                samples[n] * window_at((double)n / rate) * cexp(-2.0 * I * M_PI * t->frequency[f] / rate * (double)n);
    }
}

static void take_offset_removal(struct trial *t)
{
    double impulse[4096] = {1.0};
    const size_t frames = sizeof impulse / sizeof *impulse;
    high_pass(impulse, frames, RESPONSE_HIGH_PASS, rate);
    for (int f = 0; f < SAMPLES; f++)
        t->frequency[f] = CROSSOVER_MIDDLE * edge * pow(2.0, 2.0 * ((double)f / (SAMPLES - 1) - 1.0));
    spectrum_of(t->offset_removal, impulse, frames, t);
}

static void take_walls(struct trial *t)
{
    for (int i = 0; i < 2; i++)
        for (int f = 0; f < SAMPLES; f++)
            t->admittance[i][f] = wall_admittance_at(&t->box.model->walls[i].material, t->frequency[f]);
}

static int take_responses(struct trial *t, const struct validation *v, struct error *e)
{
    const struct early_part half = {.rate = rate, .low = 150.0, .top = {20000.0, 24000.0}};
    const double gain = 1.0;
    struct rendering r;
    struct image_room room;
    size_t ways = 0;
    if (image_room_make(&room, t->box.model, IMAGE_RAYS, IMAGE_TRIES, e))
        return -1;
    if (render_sources(&r, t->box.model, 0, 1, &v->choice, NULL, e)) {
        image_room_free(&room);
        return -1;
    }
    t->frames = r.response.frames;
    t->difference = calloc(RECEIVERS * t->frames, sizeof *t->difference);
    int status = t->difference
                     ? early_part_add(t->difference, t->frames, &ways, &half, &room, t->box.model, 0, 1, &gain, e)
                     : fail(e, ERROR_MEMORY, "out of memory");
    for (size_t i = 0; i < RECEIVERS && !status; i++) {
        spectrum_of(t->waves[i], r.response.samples + i * t->frames, t->frames, t);
        spectrum_of(t->images[i], t->difference + i * t->frames, t->frames, t);
    }
    for (size_t n = 0; n < RECEIVERS * t->frames && !status; n++)
        t->difference[n] = r.response.samples[n] - t->difference[n];
    rendering_free(&r);
    image_room_free(&room);
    return status ? -1 : crossover_apply(CROSSOVER_WAVES, edge, t->difference, RECEIVERS, t->frames, rate, e);
}

/* Spectrum of a path from its formula. */
static void way_of(double complex to[SAMPLES], const struct trial *t, const struct image_path *path)
{
    const double speed = t->box.model->grid.sound_speed;
    for (int f = 0; f < SAMPLES; f++) {
        const double k = 2.0 * M_PI * t->frequency[f] / speed;
        to[f] = t->offset_removal[f] * window_at(path->distance / speed) * cexp(-I * k * path->distance) /
                (4.0 * M_PI * path->distance);
        double complex y[PATH_WALLS_MAX];
        for (uint32_t w = 0; w < path->wall_count; w++)
            y[w] = t->admittance[path->walls[w].material][f];
        to[f] *= path_walls_factor(path, y, k * path->distance);
    }
}

struct box_errors {
    double rendering, squares,
        whole;                 /* rendered images relative to the formula; squared differences and squares of waves */
    double level, delay, weak; /* worst reflection: dB, samples, relative to the incident pressure */
    double octave[2][OCTAVES]; /* energies of waves and images, over all receivers */
    double low;                /* smallest cosine at a wall of those judged */
    size_t judged;
};

/* Remainder of the wave field around an arrival: 0.6 ms before and after, and a fade of 0.6 ms. */
static void rest_around(double complex to[SAMPLES], const struct trial *t, int receiver, double time)
{
    const double *difference = t->difference + (size_t)receiver * t->frames;
    const long first = lround((time - 0.0012) * rate), last = lround((time + 0.0012) * rate);
    for (int f = 0; f < SAMPLES; f++)
        to[f] = 0.0;
    for (long n = first < 0 ? 0 : first; n <= last && n < (long)t->frames; n++) {
        const double place = fabs((double)n / rate - time) / 0.0006 - 1.0;
        const double gate = place <= 0.0 ? 1.0 : pow(cos(0.5 * M_PI * fmin(place, 1.0)), 2.0);
        for (int f = 0; f < SAMPLES; f++)
            to[f] += gate * difference[n] * cexp(-2.0 * I * M_PI * t->frequency[f] / rate * (double)n);
    }
}

/* Compares a reflection in the wave field (the remainder around it plus its own image) with its
 * image. */
static void judge(struct box_errors *errors, const struct image_path *path, double complex own[SAMPLES], int receiver,
                  const struct trial *t)
{
    double complex rest[SAMPLES];
    rest_around(rest, t, receiver, path->distance / t->box.model->grid.sound_speed);
    for (int f = 0; f < SAMPLES; f++)
        own[f] *= crossover_gain(CROSSOVER_WAVES, edge, t->frequency[f]);
    double complex match = 0.0;
    double square = 0.0, incident = 0.0, turned = 0.0, weight = 0.0;
    for (int f = 0; f < SAMPLES; f++) {
        const double complex product = (rest[f] + own[f]) * conj(own[f]);
        const double strength = pow(cabs(own[f]), 2.0), omega = 2.0 * M_PI * t->frequency[f];
        match += product;
        square += strength;
        incident += pow(crossover_gain(CROSSOVER_WAVES, edge, t->frequency[f]) / (4.0 * M_PI * path->distance), 2.0);
        turned += strength * omega * carg(product); /* a delay changes the phase by -ω times it */
        weight += strength * omega * omega;
    }
    errors->judged++;
    if (!(square > 0.01 * incident)) {
        errors->weak = nan_max(errors->weak, cabs(match - square) / sqrt(square * incident));
        return;
    }
    for (uint32_t w = 0; w < path->wall_count; w++)
        errors->low = fmin(errors->low, path->walls[w].cosine);
    errors->level = nan_max(errors->level, fabs(20.0 * log10(cabs(match) / square)));
    errors->delay = nan_max(errors->delay, fabs(turned / weight) * rate);
}

/* Whether no other path has the same length within `apart` m. */
static bool is_alone(const struct image_paths *paths, size_t index, double apart)
{
    const struct image_path *own = &paths->list[index];
    return !(index && own->distance - own[-1].distance < apart) &&
           !(index + 1 < paths->count && own[1].distance - own->distance < apart);
}

static int judge_receiver(struct box_errors *errors, const struct trial *t, int receiver, struct error *e)
{
    const struct model *m = t->box.model;
    struct image_box box = {.size = {m->grid.size[0], m->grid.size[1], m->grid.size[2]}};
    struct image_paths paths = {0};
    double complex sum[SAMPLES] = {0.0}, own[SAMPLES];
    for (int wall = 0; wall < FACES; wall++)
        box.materials[wall] = (uint32_t)m->room->walls[wall];
    if (box_images_find(&paths, &box, m->sources[0].position, m->receivers[receiver].position, ORDER,
                        seconds * m->grid.sound_speed, e))
        return -1;
    for (size_t p = 0; p < paths.count; p++) {
        way_of(own, t, &paths.list[p]);
        for (int f = 0; f < SAMPLES; f++)
            sum[f] += own[f];
    }
    for (int f = 0; f < SAMPLES; f++) {
        errors->rendering = nan_max(errors->rendering, cabs(t->images[receiver][f] - sum[f]));
        errors->squares += pow(cabs(t->waves[receiver][f] - sum[f]), 2.0);
        errors->whole += pow(cabs(t->waves[receiver][f]), 2.0);
        for (int side = 0; side < 2; side++)
            errors->octave[side][f * OCTAVES / SAMPLES] += pow(cabs(side ? sum[f] : t->waves[receiver][f]), 2.0);
    }
    for (size_t p = 0; p < paths.count; p++)
        if (paths.list[p].order <= SINGLE && is_alone(&paths, p, alone * m->grid.sound_speed)) {
            way_of(own, t, &paths.list[p]);
            judge(errors, &paths.list[p], own, receiver, t);
        }
    image_paths_free(&paths);
    return 0;
}

static void tell(struct report *r, const struct box_errors *errors, enum walls walls)
{
    const double level = sqrt(errors->whole / (RECEIVERS * SAMPLES));
    double worst = 0.0, mean[2] = {0.0, 0.0};
    for (int i = 0; i < OCTAVES; i++) {
        worst = nan_max(worst, fabs(10.0 * log10(errors->octave[1][i] / errors->octave[0][i])));
        for (int side = 0; side < 2; side++)
            mean[side] += errors->octave[side][i];
    }
    report_bound(r, "box", errors->rendering / level, 0.01,
                 "%s: rendered image sources compared with their formula, largest error relative to rms", names[walls]);
    report_figure(r, "box", sqrt(errors->squares / errors->whole),
                  "    difference from the wave solver, relative, rms");
    report_bound(r, "box", fabs(10.0 * log10(mean[1] / mean[0])), 0.2, "    error of the level of two octaves, dB");
    report_bound(r, "box", worst, 0.5, "    worse octave, mean of %d positions, dB", (int)RECEIVERS);
    report_bound(r, "box", errors->level, 0.5,
                 "    worst of %zu isolated reflections up to order %d, cosines from %.2g: error of the level, dB",
                 errors->judged, (int)SINGLE, errors->low);
    report_bound(r, "box", errors->delay, 0.5, "        error of the delay, samples at 48 kHz");
    report_bound(r, "box", errors->weak, 0.01, "    reflections below 0.1: error relative to the incident pressure");
}

static int check_walls(struct validation *v, struct report *r, enum walls walls, struct error *e)
{
    struct trial *t = calloc(1, sizeof *t);
    struct box_errors errors = {.low = 1.0};
    if (!t)
        return fail(e, ERROR_MEMORY, "out of memory");
    make_room(&t->box, walls, &v->random);
    take_offset_removal(t);
    int status = space_box_make(&t->box, e);
    if (!status) {
        take_walls(t);
        status = take_responses(t, v, e);
    }
    for (int i = 0; i < RECEIVERS && !status; i++)
        status = judge_receiver(&errors, t, i, e);
    if (!status)
        tell(r, &errors, walls);
    free(t->difference);
    space_box_free(&t->box);
    free(t);
    return status;
}

int check_band_box(struct validation *v, struct report *r, struct error *e)
{
    for (int walls = 0; walls < WALLS; walls++)
        if (check_walls(v, r, (enum walls)walls, e))
            return -1;
    return 0;
}
