/* SPDX-License-Identifier: MIT */
/* Responses of boxes over the whole band, with the crossover at one frequency and an octave
 * higher: the response must be continuous at the crossover, and depend little on its frequency. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dsp/measure/metrics.h"
#include "render/render.h"
#include "validate/hybrid/checks.h"
#include "validate/hybrid/comparison.h"
#include "validate/space/rig.h"

enum {
    MAX_PLACES = 60,
    PLACES = 12, /* in the short run */
    EDGES = 2,
    FIRST = 3,
    LAST = 6,
    OCTAVES = LAST - FIRST + 1,
    THIRD = 11,
    THIRDS = 4
}; /* octaves 500 Hz to 4 kHz, third octaves 630 Hz to 1250 Hz */
static const double edges[EDGES] = {1000.0, 2000.0}, rate = 48000.0; /* Hz */

struct crossed_room {
    const char *name;
    double size[3], walls, floor, seconds; /* m; specific impedances; s */
    bool even;                             /* absorption */
};

static const struct crossed_room rooms[] = {
    {"4 x 3 x 2.5 m, Y = 0.05", {4.0, 3.0, 2.5}, 20.0, 20.0, 0.6, true},
    {"6 x 5 x 3 m, Y = 0.1", {6.0, 5.0, 3.0}, 10.0, 10.0, 0.5, true},
    {"4 x 3 x 2.5 m, Y = 0.02, floor 0.2", {4.0, 3.0, 2.5}, 50.0, 5.0, 0.9, false},
    {"4 x 3 x 2.5 m, Y = 0.013", {4.0, 3.0, 2.5}, 77.0, 77.0, 1.0, true}, /* with --full */
};

/* By position: energies of the response, s, dB. */
struct figures {
    size_t places;
    double energy[OCTAVES][MAX_PLACES], third[THIRDS][MAX_PLACES], t30[OCTAVES][MAX_PLACES], c80[OCTAVES][MAX_PLACES];
    double decay[2]; /* s: of the wave solver and of the rays, in the octave below the crossover */
};

/* Above the crossover the late field is noise: its energy in one third octave at one position
 * scatters by some dB, as does that of the wave solver. The bounds apply to means over all
 * positions. The measured value is a mean over a sample, so that this number of its standard
 * errors is allowed in addition. */
#define STANDARD_ERRORS 3.5

static double mean_of_places(const double *of, size_t n)
{
    double sum = 0.0;
    for (size_t i = 0; i < n; i++)
        sum += of[i];
    return sum / (double)n;
}

/* The mean of b - a over positions, and its standard error. */
struct shift {
    double value, error;
};

static struct shift shift_of_places(const double *a, const double *b, size_t n)
{
    const double mean = mean_of_places(b, n) - mean_of_places(a, n);
    double squares = 0.0;
    for (size_t i = 0; i < n; i++)
        squares += pow(b[i] - a[i] - mean, 2.0);
    return (struct shift){mean, sqrt(squares / (double)(n * (n - 1)))};
}

static int measure(struct figures *to, const struct rendering *r, struct error *e)
{
    const struct response *response = &r->response;
    const struct metrics_settings settings = {.valid_low = RESPONSE_HIGH_PASS,
                                              .valid_high = r->halves.top,
                                              .calibrated = true,
                                              .scale = 1.0,
                                              .third_octaves = true};
    memset(to, 0, sizeof *to);
    to->places = response->channels;
    to->decay[0] = r->halves.t30.waves;
    to->decay[1] = r->halves.t30.rays;
    for (size_t c = 0; c < response->channels; c++) {
        struct metrics m;
        if (metrics_measure(&m, response->samples + c * response->frames, response->frames, rate, &settings, e))
            return -1;
        for (int i = 0; i < OCTAVES; i++) {
            const struct metrics_band *b = &m.band[FIRST + i];
            to->energy[i][c] = pow(10.0, 0.1 * b->g);
            to->t30[i][c] = b->t30.time;
            to->c80[i][c] = b->c80;
        }
        for (int i = 0; i < THIRDS; i++)
            to->third[i][c] = pow(10.0, 0.1 * m.third[THIRD + i].g);
    }
    return 0;
}

static void place(double at[3], const double size[3], struct random *random)
{
    for (int axis = 0; axis < 3; axis++)
        at[axis] = 0.5 + (size[axis] - 1.0) * random_unit(random);
}

static int run_room(struct figures figures[EDGES], const struct crossed_room *room, struct validation *v,
                    struct error *e)
{
    static struct receiver receivers[MAX_PLACES];
    const int places = v->full ? MAX_PLACES : PLACES;
    struct space_box b;
    int status = 0;
    space_box_init(&b, room->size, room->walls);
    b.materials[1] = (struct material){.name = "floor", .kind = MATERIAL_IMPEDANCE, .impedance = room->floor};
    b.room.walls[FACE_Z_MIN] = 1;
    for (int m = 0; m < 2; m++)
        for (int band = 0; band < OCTAVE_BANDS; band++)
            b.materials[m].scattering[band] = 0.05;
    b.room.receivers = receivers;
    b.room.receiver_count = (size_t)places;
    b.room.duration = room->seconds;
    b.room.output.rate = rate;
    b.room.grid.scheme = GRID_SCHEME_19_POINT;
    b.room.grid.precision = PRECISION_SINGLE;
    b.room.hybrid.full = true;
    b.room.hybrid.rays = v->full ? 1000000 : 100000;
    place(b.source.position, room->size, &v->random);
    for (int i = 0; i < places; i++) {
        receivers[i] = (struct receiver){.name = "R"};
        do
            place(receivers[i].position, room->size, &v->random);
        while (hypot(hypot(receivers[i].position[0] - b.source.position[0],
                           receivers[i].position[1] - b.source.position[1]),
                     receivers[i].position[2] - b.source.position[2]) < 1.0);
    }
    for (int i = 0; i < EDGES && !status; i++) {
        struct rendering r;
        b.room.grid.max_frequency = edges[i];
        status = space_box_make(&b, e);
        if (!status && !(status = render_sources(&r, b.model, 0, 1, &v->choice, NULL, e))) {
            status = measure(&figures[i], &r, e);
            rendering_free(&r);
        }
        space_box_free(&b);
    }
    return status;
}

/* scale: 100 for per cent, 10 / ln 10 for decibels. */
static void bound_ratio(struct report *r, double scale, const struct log_ratio *ratio, double bound, const char *what)
{
    report_bound(r, "crossover", scale * fabs(ratio->value), bound + STANDARD_ERRORS * scale * ratio->error,
                 "%s, bound %.1f plus %.1f standard errors of %.2f", what, bound, STANDARD_ERRORS,
                 scale * ratio->error);
}

static void report_octave(struct report *r, const struct crossed_room *room, const struct figures f[EDGES], int octave)
{
    const size_t n = f->places;
    const struct log_ratio level = log_ratio(f[0].energy[octave], f[1].energy[octave], n),
                           t30 = log_ratio(f[0].t30[octave], f[1].t30[octave], n);
    char what[160];
    snprintf(what, sizeof what,
             "%s, %.0f Hz octave, crossover at %.0f or %.0f Hz, %zu positions: difference of the level, dB", room->name,
             500.0 * exp2(octave), edges[0], edges[1], n);
    bound_ratio(r, 10.0 / M_LN10, &level, 0.5, what);
    if (room->even)
        bound_ratio(r, 100.0, &t30, 10.0, "    difference of T30, %");
    else
        report_figure(r, "crossover", 100.0 * expm1(t30.value),
                      "    difference of T30, %%; no bound, as the absorption is uneven");
    const struct shift c80 = shift_of_places(f[0].c80[octave], f[1].c80[octave], n);
    const double c80_of = mean_of_places(f[1].c80[octave], n);
    if (c80_of < 15.0 && room->even) /* beyond that there is hardly any late energy */
        report_bound(r, "crossover", fabs(c80.value), 1.0 + STANDARD_ERRORS * c80.error,
                     "    difference of C80 (%.1f dB), dB, bound 1.0 plus %.1f standard errors of %.2f", c80_of,
                     STANDARD_ERRORS, c80.error);
    else
        report_figure(r, "crossover", c80.value, "    difference of C80 (%.1f dB), dB", c80_of);
}

int check_band_crossover(struct validation *v, struct report *r, struct error *e)
{
    static struct figures f[EDGES];
    const size_t count = sizeof rooms / sizeof *rooms - (v->full ? 0 : 1);
    for (size_t i = 0; i < count; i++) {
        if (run_room(f, &rooms[i], v, e))
            return -1;
        for (int octave = 0; octave < OCTAVES; octave++)
            report_octave(r, &rooms[i], f, octave);
        for (int third = 0; third < THIRDS; third++) {
            const struct log_ratio ratio = log_ratio(f[0].third[third], f[1].third[third], f->places);
            char what[80];
            snprintf(what, sizeof what, "    %.0f Hz third octave, lower crossover: difference of the level, dB",
                     1000.0 * pow(10.0, 0.1 * (third - 2)));
            bound_ratio(r, 10.0 / M_LN10, &ratio, 0.6, what);
        }
        for (int edge = 0; edge < EDGES; edge++)
            report_figure(r, "crossover", 100.0 * (f[edge].decay[1] / f[edge].decay[0] - 1.0),
                          "    octave below %.0f Hz: T30 of the rays relative to the wave solver (%.3f s), %%",
                          edges[edge], f[edge].decay[0]);
    }
    return 0;
}
