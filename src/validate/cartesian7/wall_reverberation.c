/* SPDX-License-Identifier: MIT */
/* Reverberation of a room with equal walls, compared with Sabine and Eyring.
 *
 * A box does not have the diffuse field of their formulae, so that the ratios are only reported.
 * The bounds cover errors of walls: every band must decay, nearly along a straight line, in about
 * the time that follows from the absorption; an empty box with weak absorption as its modes; and
 * equally for a real admittance and for branches fitted to the same absorption. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/nan_max.h"
#include "room/grid/wall_fit.h"
#include "validate/cartesian7/checks.h"
#include "validate/cartesian7/decay.h"
#include "validate/cartesian7/hall.h"
#include "validate/cartesian7/spectrum.h"

enum { OBJECTS = 10, LOWEST_BAND = 1 /* 125 Hz: some fifty modes in 60 m³ */ };

static const double valid_of_rate = 0.076; /* for 2 % dispersion */
static const char *const check_name = "reverberation";

/* Contents of the room, and the faces that have the wall. */
enum surroundings { EMPTY, OBJECTS_ALIKE, OBJECTS_RIGID, SURROUNDINGS };
static const char *const surroundings_names[] = {
    [EMPTY] = "empty", [OBJECTS_ALIKE] = "objects of the same absorption", [OBJECTS_RIGID] = "rigid objects"};

struct session {
    struct validation *v;
    struct report *r;
    struct hall empty, mixed;
    double rate;
    struct wall_discretization clock; /* for this rate */
    size_t bands;                     /* octaves of the valid band, from 63 Hz */
    double bend, above, below;        /* worst with constant absorption: 1 - correlation, T30/Eyring, Eyring/T30 */
};

struct outcome {
    double time[OCTAVE_BANDS], to_sabine[OCTAVE_BANDS], to_eyring[OCTAVE_BANDS];
    double bend; /* largest 1 - correlation of a band */
};

/* Steps until the slowest band has fallen by about 60 dB in a box, where T30 may exceed Eyring's
 * by a third. */
static size_t steps_needed(const struct session *s, const struct hall *h, const struct wall_model *wall, bool rigid)
{
    double longest = 0.0;
    for (size_t b = LOWEST_BAND; b < s->bands; b++)
        longest = fmax(longest, hall_eyring(h, wall->fitted[b], rigid));
    return (size_t)((1.4 * longest + 0.1) * s->rate);
}

/* Decay of every band from one run: all sources together, with a short zero-mean pulse. */
static int measure(struct session *s, enum surroundings where, const struct wall_model *wall, struct outcome *o,
                   struct error *e)
{
    struct hall *h = where == EMPTY ? &s->empty : &s->mixed;
    const bool rigid = where == OBJECTS_RIGID;
    const size_t steps = steps_needed(s, h, wall, rigid), channels = h->scene.problem.tap_count;
    double *drive = malloc(steps * sizeof *drive), *taps = malloc(channels * steps * sizeof *taps);
    int status = drive && taps ? 0 : fail(e, ERROR_MEMORY, "out of memory");
    if (!status) {
        spectrum_pulse(drive, steps, HALL_PULSE, 1);
        hall_paint(h, wall, rigid);
        status = scene_run(&h->scene, &s->v->choice, steps, drive, taps, e);
    }
    for (size_t b = LOWEST_BAND; b < s->bands && !status; b++) {
        struct decay d;
        status = decay_measure(&d, taps, channels, steps, s->rate, octave_band_centre[b], e);
        if (status)
            break;
        o->time[b] = d.time;
        o->to_sabine[b] = d.time / hall_sabine(h, wall->fitted[b], rigid);
        o->to_eyring[b] = d.time / hall_eyring(h, wall->fitted[b], rigid);
        o->bend = nan_max(o->bend, 1.0 - d.correlation);
    }
    free(drive);
    free(taps);
    return status;
}

/* The values of all bands as text. */
static const char *list(char text[64], const struct session *s, const double *values)
{
    size_t used = 0;
    text[0] = '\0';
    for (size_t b = LOWEST_BAND; b < s->bands && used < 64; b++)
        used += (size_t)snprintf(text + used, 64 - used, "%s%.2f", b > LOWEST_BAND ? " " : "", values[b]);
    return text;
}

static double mean_of(const struct session *s, const double *values)
{
    double sum = 0.0;
    for (size_t b = LOWEST_BAND; b < s->bands; b++)
        sum += values[b];
    return sum / (double)(s->bands - LOWEST_BAND);
}

static void report_outcome(struct session *s, const char *walls, enum surroundings where, const struct outcome *o)
{
    char times[64], eyring[64], sabine[64];
    report_figure(s->r, check_name, mean_of(s, o->to_eyring),
                  "%s, %s: T30 relative to Eyring, mean of bands %s; relative to Sabine %s, mean %.3f; T30 %s s", walls,
                  surroundings_names[where], list(eyring, s, o->to_eyring), list(sabine, s, o->to_sabine),
                  mean_of(s, o->to_sabine), list(times, s, o->time));
}

/* Only for absorption that is constant over the octave; otherwise an octave decays at several
 * rates. */
static void judge_times(struct session *s, const struct outcome *o)
{
    s->bend = nan_max(s->bend, o->bend);
    for (size_t b = LOWEST_BAND; b < s->bands; b++) {
        s->above = nan_max(s->above, o->to_eyring[b]);
        s->below = nan_max(s->below, 1.0 / o->to_eyring[b]);
    }
}

static int run_case(struct session *s, const char *walls, enum surroundings where, const struct wall_model *wall,
                    struct outcome *o, struct error *e)
{
    *o = (struct outcome){.bend = 0.0};
    if (measure(s, where, wall, o, e))
        return -1;
    report_outcome(s, walls, where, o);
    return 0;
}

/* Fits branches to an absorption that a real admittance can also have. */
static int fit_branches(struct wall_model *wall, const double absorption[OCTAVE_BANDS], const struct session *s,
                        struct error *e)
{
    struct wall_fit fit;
    if (wall_fit_make(&fit, absorption, true, e))
        return -1;
    struct material material = {.name = "branches", .kind = MATERIAL_BRANCHES, .branch_count = fit.wall.branch_count};
    memcpy(material.branches, fit.wall.branches, sizeof fit.wall.branches);
    return wall_make(wall, &material, s->bands, &s->clock, "constant absorption", e);
}

/* The same room and absorption with other walls must have the same decay. */
static int compare_branches(struct session *s, double absorption, const double targets[OCTAVE_BANDS],
                            enum surroundings where, const struct outcome *real, struct error *e)
{
    struct wall_model wall;
    struct outcome o;
    char text[64];
    double worst = 0.0;
    if (fit_branches(&wall, targets, s, e))
        return -1;
    snprintf(text, sizeof text, "absorption %g with %zu branches", absorption, wall.branch_count);
    if (run_case(s, text, where, &wall, &o, e))
        return -1;
    for (size_t b = LOWEST_BAND; b < s->bands; b++)
        worst = nan_max(worst, fabs(o.time[b] / real->time[b] - 1.0));
    judge_times(s, &o);
    report_bound(s->r, check_name, worst, 0.04,
                 "    largest relative difference of T30 in a band from a real admittance");
    return 0;
}

/* Compares the empty box with its own modes. */
static int compare_modes(struct session *s, const struct wall_model *wall, const struct outcome *o, struct error *e)
{
    double ratios[OCTAVE_BANDS], worst = 0.0;
    char text[64];
    for (size_t b = LOWEST_BAND; b < s->bands; b++) {
        struct decay d;
        if (hall_modal_decay(&d, &s->empty, wall->admittance, octave_band_centre[b],
                             steps_needed(s, &s->empty, wall, false), e))
            return -1;
        ratios[b] = o->time[b] / d.time;
        worst = nan_max(worst, fabs(ratios[b] - 1.0));
    }
    if (wall->fitted[LOWEST_BAND] < 0.15)
        report_bound(s->r, check_name, worst, 0.06,
                     "    T30 relative to the modes of the empty box %s: largest deviation from 1",
                     list(text, s, ratios));
    else
        report_figure(
            s->r, check_name, worst,
            "    T30 relative to the modes of the empty box %s: largest deviation from 1, as the walls shift the modes",
            list(text, s, ratios));
    return 0;
}

static int check_constant(struct session *s, double absorption, bool branches, struct error *e)
{
    struct material material = {.name = "constant", .kind = MATERIAL_ABSORPTION};
    struct wall_model wall;
    struct outcome o;
    char text[64];
    for (size_t b = 0; b < OCTAVE_BANDS; b++)
        material.absorption[b] = absorption;
    snprintf(text, sizeof text, "absorption %g", absorption);
    if (wall_make(&wall, &material, s->bands, &s->clock, "constant absorption", e))
        return -1;
    for (int where = EMPTY; where < SURROUNDINGS; where++) {
        if (run_case(s, text, (enum surroundings)where, &wall, &o, e))
            return -1;
        judge_times(s, &o);
        if (where == EMPTY && compare_modes(s, &wall, &o, e))
            return -1;
        if (branches && where != OBJECTS_RIGID &&
            compare_branches(s, absorption, material.absorption, (enum surroundings)where, &o, e))
            return -1;
    }
    return 0;
}

/* Absorption that varies with the band: compares each band with the formulae for the absorption
 * of its fitted wall. */
static int check_library(struct session *s, const char *name, struct error *e)
{
    struct room *library = NULL;
    const struct material *found = NULL;
    struct wall_model wall;
    struct outcome o;
    char text[96], fitted[64];
    if (room_read_library(&library, e))
        return -1;
    for (size_t i = 0; i < library->material_count && !found; i++)
        if (!strcmp(library->materials[i].name, name))
            found = &library->materials[i];
    int status = found ? wall_make(&wall, found, s->bands, &s->clock, library->path, e)
                       : fail(e, ERROR_INPUT, "rooms/materials.cfg: material %s is missing; restore the file", name);
    if (!status)
        snprintf(text, sizeof text, "%s (%s)", name, list(fitted, s, wall.fitted));
    for (int where = EMPTY; where <= OBJECTS_ALIKE && !status; where++) {
        status = run_case(s, text, (enum surroundings)where, &wall, &o, e);
        if (!status)
            report_bound(s->r, check_name, o.bend, 0.1, "    1 - correlation of level and time, largest in a band");
    }
    room_free(library);
    return status;
}

static void note_hall(const struct session *s, const char *name, const struct hall *h)
{
    const size_t *n = h->scene.problem.points;
    report_note(s->r, "%s: %zu x %zu x %zu points at %g Hz, %.2f m3, %.2f m2 of walls, %.2f m2 of objects in %.1f %%",
                name, n[0], n[1], n[2], s->rate, h->volume, h->wall_area, h->object_area,
                100.0 - 100.0 * h->volume / ((double)(n[0] * n[1] * n[2]) * pow(h->spacing, 3.0)));
}

static int check_halls(struct session *s, struct error *e)
{
    static const struct {
        double absorption;
        bool branches;
    } rows[] = {{0.05, false}, {0.1, true}, {0.2, false}, {0.3, true}, {0.5, false}};
    note_hall(s, "empty", &s->empty);
    note_hall(s, "with objects", &s->mixed);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (check_constant(s, rows[i].absorption, rows[i].branches, e))
            return -1;
    if (check_library(s, "heavy_curtain", e))
        return -1;
    report_bound(s->r, check_name, s->bend, 0.02,
                 "constant absorption: 1 - correlation of level and time, largest of all bands");
    report_bound(s->r, check_name, s->above, 1.7, "constant absorption: T30 relative to Eyring, largest of all bands");
    report_bound(s->r, check_name, s->below, 1.0 / 0.7,
                 "constant absorption: Eyring relative to T30, largest of all bands");
    return 0;
}

int check_wall_reverberation(struct validation *v, struct report *r, struct error *e)
{
    struct session s = {.v = v, .r = r, .rate = v->full ? 14000.0 : 8000.0};
    for (; s.bands < OCTAVE_BANDS && octave_band_centre[s.bands] <= valid_of_rate * s.rate; s.bands++)
        s.clock = (struct wall_discretization){.rate = s.rate, .edge = M_SQRT2 * octave_band_centre[s.bands]};
    const int status = hall_make(&s.empty, s.rate, 0, &v->random, e) ||
                       hall_make(&s.mixed, s.rate, OBJECTS, &v->random, e) || check_halls(&s, e);
    hall_free(&s.empty);
    hall_free(&s.mixed);
    return status ? -1 : 0;
}
