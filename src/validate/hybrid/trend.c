/* SPDX-License-Identifier: MIT */
/* Levels over frequency of responses over the whole band, in boxes and rooms from models: the
 * rays must continue the trend of the wave solver. */
#include <math.h>
#include <string.h>

#include "base/nan_max.h"
#include "dsp/measure/metrics.h"
#include "render/render.h"
#include "room/grid/room_measures.h"
#include "validate/hybrid/checks.h"
#include "validate/hybrid/trend_levels.h"
#include "validate/hybrid/trend_room.h"

/* α at random incidence: 0.05 at Y = 0.0066, 0.14 at 0.02, 0.20 at 0.03, 0.30 at 0.05, 0.49 at
 * 0.1. The pews of CTK scatter: with a scattering coefficient of 0.05, rays decay in 1.4 s, the
 * wave solver in 1.1 s. */
static const struct trend_spec specs[] = {
    {.name = "4 x 3 x 2.5 m, Y = 0.05",
     .size = {4.0, 3.0, 2.5},
     .walls = 20.0,
     .edge = 1000.0,
     .seconds = 0.4,
     .even = true,
     .quick = true},
    {.name = "4 x 3 x 2.5 m, Y = 0.02, floor 0.2",
     .size = {4.0, 3.0, 2.5},
     .walls = 50.0,
     .floor = 5.0,
     .edge = 1000.0,
     .seconds = 0.6,
     .quick = true},
    {.name = "6 x 5 x 3 m, Y = 0.1",
     .size = {6.0, 5.0, 3.0},
     .walls = 10.0,
     .edge = 800.0,
     .seconds = 0.35,
     .even = true,
     .quick = true},
    {.name = "4 x 3 x 2.5 m, Y = 0.0066",
     .size = {4.0, 3.0, 2.5},
     .walls = 150.0,
     .edge = 1000.0,
     .seconds = 1.5,
     .even = true},
    {.name = "5 x 4 x 2.8 m, Y = 0.02",
     .size = {5.0, 4.0, 2.8},
     .walls = 50.0,
     .edge = 800.0,
     .seconds = 0.9,
     .even = true},
    {.name = "12 x 2.4 x 2.6 m, Y = 0.05",
     .size = {12.0, 2.4, 2.6},
     .walls = 20.0,
     .edge = 800.0,
     .seconds = 0.7,
     .even = true},
    {.name = "10 x 8 x 4 m, Y = 0.03",
     .size = {10.0, 8.0, 4.0},
     .walls = 33.0,
     .edge = 500.0,
     .seconds = 1.2,
     .even = true},
    {.name = "7 x 5 x 3.5 m, Y = 0.05, floor 0.01",
     .size = {7.0, 5.0, 3.5},
     .walls = 20.0,
     .floor = 100.0,
     .edge = 500.0,
     .seconds = 1.0},
    {.name = "CTK, Y = 0.03, scattering 0.3",
     .model = "CTK",
     .walls = 33.0,
     .edge = 400.0,
     .seconds = 1.6,
     .scattering = 0.3,
     .even = true,
     .quick = true},
    {.name = "living room, Y = 0.05",
     .model = "LivingRoom",
     .walls = 20.0,
     .edge = 500.0,
     .seconds = 0.8,
     .even = true,
     .quick = true},
};

/* Octaves from half the lower crossover; crossovers an octave apart; number of sources used with
 * both. */
enum { OCTAVES = 4, EDGES = 2, MOVED = 3 };
static const double warned = 10.0; /* %: larger differences of the decays make a render warn */

/* Means over positions. */
struct picture {
    struct trend_thirds thirds;
    double energy[TREND_SOURCES][TREND_THIRDS_MAX];                   /* by source: mean over the receivers */
    double level[OCTAVES], t30[OCTAVES], c80[OCTAVES], told[OCTAVES]; /* sums; number of positions with T30 and C80 */
    double decay[2];            /* s: of the wave solver and of the rays below the crossover */
    double volume, sound_speed; /* m³, m/s */
};

/* The octave of the metrics at half the crossover. */
static int first_octave(double edge)
{
    return (int)lround(log2(0.5 * edge / 62.5));
}

static int add_octaves(struct picture *to, const struct rendering *r, double rate, double edge, struct error *e)
{
    const struct response *response = &r->response;
    const struct metrics_settings settings = {.valid_low = RESPONSE_HIGH_PASS,
                                              .valid_high = r->halves.top,
                                              .calibrated = true,
                                              .scale = 1.0,
                                              .noiseless = true};
    const int first = first_octave(edge);
    for (size_t c = 0; c < response->channels; c++) {
        struct metrics m;
        if (metrics_measure(&m, response->samples + c * response->frames, response->frames, rate, &settings, e))
            return -1;
        for (int i = 0; i < OCTAVES; i++) {
            const struct metrics_band *b = &m.band[first + i];
            to->level[i] += pow(10.0, 0.1 * b->g);
            if (isfinite(b->t30.time) && isfinite(b->c80)) {
                to->t30[i] += b->t30.time;
                to->c80[i] += b->c80;
                to->told[i] += 1.0;
            }
        }
    }
    return 0;
}

/* For `count` sources. `lower`: crossover that selects third octaves and octaves; `octaves`:
 * also measure the octaves of the first sources. */
static int take_picture(struct picture *p, struct trend_room *room, size_t count, double lower, bool octaves,
                        struct validation *v, struct error *e)
{
    const double rate = room->box.room.output.rate;
    *p = (struct picture){.thirds = trend_thirds_of(lower)};
    int status = space_box_make(&room->box, e);
    for (size_t s = 0; s < count && !status; s++) {
        struct rendering r;
        if (render_sources(&r, room->box.model, s, 1, &v->choice, NULL, e)) {
            status = -1;
            break;
        }
        const struct response *response = &r.response;
        for (size_t c = 0; c < response->channels && !status; c++)
            status = trend_energies_add(p->energy[s], &p->thirds, response->samples + c * response->frames,
                                        response->frames, rate, (double)response->channels, e);
        for (int half = 0; half < 2; half++)
            p->decay[half] += (half ? r.halves.t30.rays : r.halves.t30.waves) / (double)count;
        if (octaves && s < MOVED && !status)
            status = add_octaves(p, &r, rate, lower, e);
        rendering_free(&r);
    }
    if (!status) {
        p->volume = room->box.model->space.volume;
        p->sound_speed = room->box.model->grid.sound_speed;
    }
    space_box_free(&room->box);
    return status;
}

/* The mean over the first `count` sources except one; `but` = count: over all of these. */
static void mean_energies(double *energy, const struct picture *p, size_t count, size_t but)
{
    for (int third = 0; third < p->thirds.count; third++) {
        energy[third] = 0.0;
        for (size_t s = 0; s < count; s++)
            energy[third] += s == but ? 0.0 : p->energy[s][third] / (double)(but < count ? count - 1 : count);
    }
}

static void report_trend(const struct picture *p, const struct trend_spec *spec, struct report *r)
{
    const struct trend_chance chance = {p->volume, p->decay[0], p->sound_speed, TREND_SOURCES, TREND_RECEIVERS};
    struct trend_lines all, part;
    double energy[TREND_THIRDS_MAX], squares = 0.0;
    mean_energies(energy, p, TREND_SOURCES, TREND_SOURCES);
    trend_lines_fit(&all, energy, &p->thirds, spec->edge, &chance);
    const double step = all.level[1] - all.level[0];
    for (size_t s = 0; s < TREND_SOURCES; s++) { /* jackknife */
        mean_energies(energy, p, TREND_SOURCES, s);
        trend_lines_fit(&part, energy, &p->thirds, spec->edge, &chance);
        squares += pow(part.level[1] - part.level[0] - step, 2.0) * (TREND_SOURCES - 1) / TREND_SOURCES;
    }
    report_bound(r, "trend", fabs(step), 1.0,
                 "%s: step at %.0f Hz between the trends of the wave solver and the rays, dB; standard error %.2f, "
                 "estimate from bandwidth, decay and positions %.2f",
                 spec->name, all.middle, sqrt(squares), all.error);
    report_figure(r, "trend", all.slope[0], "    trend of the wave solver, dB/octave; trend of the rays %.2f",
                  all.slope[1]);
    report_bound(r, "trend", all.worst, 1.0,
                 "    third octaves %.0f to %.0f Hz: largest deviation of the level from both trends, dB",
                 trend_centre(&p->thirds, TREND_SIDE - 1), trend_centre(&p->thirds, p->thirds.count - TREND_SIDE));
}

/* T30 of the rays relative to the wave solver, difference in %. */
static double decay_difference(const struct picture *p)
{
    return 100.0 * (p->decay[1] / p->decay[0] - 1.0);
}

/* Levels have bounds in every room; decays and clarity only if absorption is even and no render
 * warns about decays. */
static void report_octave(const struct picture p[EDGES], int octave, const struct trend_spec *spec, struct report *r)
{
    const double change = 10.0 * log10(p[1].level[octave] / p[0].level[octave]);
    const double t30 = p[1].t30[octave] / p[1].told[octave] / (p[0].t30[octave] / p[0].told[octave]) - 1.0;
    const double clarity = p[0].c80[octave] / p[0].told[octave];
    const double c80 = p[1].c80[octave] / p[1].told[octave] - clarity;
    const bool alike = fabs(decay_difference(&p[0])) <= warned && fabs(decay_difference(&p[1])) <= warned;
    const char *why =
        !spec->even ? "; no bound, as the absorption is uneven" : "; no bound, as the render warns about its decays";
    report_bound(r, "trend", fabs(change), 0.5,
                 "    crossover at %.0f or %.0f Hz, %.0f Hz octave: difference of the level, dB", spec->edge,
                 2.0 * spec->edge, 62.5 * exp2(first_octave(spec->edge) + octave));
    if (spec->even && alike)
        report_bound(r, "trend", fabs(100.0 * t30), 10.0, "        difference of T30, %%");
    else
        report_figure(r, "trend", 100.0 * t30, "        difference of T30, %%%s", why);
    if (spec->even && alike && clarity < 15.0)
        report_bound(r, "trend", fabs(c80), 1.0, "        difference of C80 (%.1f dB), dB", clarity);
    else
        report_figure(r, "trend", c80, "        difference of C80 (%.1f dB), dB%s", clarity, clarity < 15.0 ? why : "");
}

/* The same positions with the crossover an octave higher. */
static int check_moved(struct picture p[EDGES], struct trend_room *room, const struct trend_spec *spec,
                       struct validation *v, struct report *r, struct error *e)
{
    double energy[EDGES][TREND_THIRDS_MAX], worst = 0.0;
    room->box.room.grid.max_frequency = 2.0 * spec->edge;
    if (take_picture(&p[1], room, MOVED, spec->edge, true, v, e))
        return -1;
    for (int octave = 0; octave < OCTAVES; octave++)
        report_octave(p, octave, spec, r);
    for (int edge = 0; edge < EDGES; edge++)
        mean_energies(energy[edge], &p[edge], MOVED, MOVED);
    const int last = p->thirds.count - TREND_SIDE;
    for (int third = TREND_SIDE - 1; third <= last; third++)
        worst = nan_max(worst, fabs(10.0 * log10(energy[1][third] / energy[0][third])));
    report_bound(r, "trend", worst, 0.6, "    third octaves %.0f to %.0f Hz: largest difference of the level, dB",
                 trend_centre(&p->thirds, TREND_SIDE - 1), trend_centre(&p->thirds, last));
    for (int edge = 0; edge < EDGES; edge++)
        report_figure(r, "trend", decay_difference(&p[edge]),
                      "    octave below %.0f Hz: T30 of the rays relative to the wave solver (%.3f s), %%",
                      spec->edge * exp2(edge), p[edge].decay[0]);
    return 0;
}

static int check_room(const struct trend_spec *spec, size_t model, struct validation *v, struct report *r,
                      struct error *e)
{
    static struct trend_room room;
    static struct picture pictures[EDGES];
    int status = trend_room_make(&room, spec, model, v, e);
    if (!status && !(status = take_picture(&pictures[0], &room, TREND_SOURCES, spec->edge, v->full, v, e))) {
        report_trend(&pictures[0], spec, r);
        if (v->full)
            status = check_moved(pictures, &room, spec, v, r, e);
    }
    trend_room_free(&room);
    return status;
}

int check_band_trend(struct validation *v, struct report *r, struct error *e)
{
    for (size_t i = 0; i < sizeof specs / sizeof *specs; i++) {
        size_t model = 0;
        if (!specs[i].quick && !v->full)
            continue;
        while (specs[i].model && strcmp(models[model].name, specs[i].model) != 0)
            model++;
        if (specs[i].model && !model_is_there(model, v, r, "trend"))
            continue;
        if (check_room(&specs[i], model, v, r, e))
            return -1;
    }
    return 0;
}
