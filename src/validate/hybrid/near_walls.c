/* SPDX-License-Identifier: MIT */
/* The late part at a wall, an edge and a corner must have the same level above the crossover as
 * in the wave solver. */
#include <math.h>
#include <string.h>

#include "dsp/measure/metrics.h"
#include "render/render.h"
#include "validate/hybrid/checks.h"
#include "validate/hybrid/comparison.h"
#include "validate/space/rig.h"

enum { KINDS = 4, EACH = 8, PLACES = KINDS * EACH, OCTAVE = 4, EDGES = 2 };
static const double edges[EDGES] = {500.0, 2000.0}, rate = 48000.0;       /* Hz */
static const double size[3] = {3.3, 2.7, 2.3}, away = 0.01, inside = 0.6; /* m */
static const char *const names[KINDS] = {"away from walls", "at a wall", "in an edge", "in a corner"};

/* This many of its coordinates are `away` from a wall. */
static void place_near(double at[3], int walls, struct random *random)
{
    const int first = (int)random_between(random, 0, 2);
    for (int i = 0; i < 3; i++) {
        const int axis = (first + i) % 3;
        const double between = inside + (size[axis] - 2.0 * inside) * random_unit(random);
        const double near = random_unit(random) < 0.5 ? away : size[axis] - away;
        at[axis] = i < walls ? near : between;
    }
}

/* A box is rounded to its grid, by centimetres: positions keep their distance from the nearer
 * wall. */
static void move_with_walls(double to[3], const double at[3], const double walls[3])
{
    for (int axis = 0; axis < 3; axis++)
        to[axis] = at[axis] < 0.5 * size[axis] ? at[axis] : at[axis] + walls[axis] - size[axis];
}

/* energy [PLACES]: in the 1 kHz octave. */
static int measure(double *energy, const struct rendering *r, struct error *e)
{
    const struct response *response = &r->response;
    const struct metrics_settings settings = {
        .valid_low = RESPONSE_HIGH_PASS, .valid_high = r->halves.top, .calibrated = true, .scale = 1.0};
    for (size_t c = 0; c < response->channels; c++) {
        struct metrics m;
        if (metrics_measure(&m, response->samples + c * response->frames, response->frames, rate, &settings, e))
            return -1;
        energy[c] = pow(10.0, 0.1 * m.band[OCTAVE].g);
    }
    return 0;
}

static int run(double energy[EDGES][PLACES], int walls_of_source, struct validation *v, struct error *e)
{
    static struct receiver receivers[PLACES];
    static double places[PLACES][3];
    double source[3];
    struct space_box b;
    int status = 0;
    space_box_init(&b, size, 100.0);
    b.room.receivers = receivers;
    b.room.receiver_count = PLACES;
    b.room.duration = 0.5;
    b.room.output.rate = rate;
    b.room.grid.scheme = GRID_SCHEME_19_POINT;
    b.room.grid.precision = PRECISION_SINGLE;
    b.room.hybrid.full = true;
    b.room.hybrid.order = 3;
    b.room.hybrid.rays = 100000;
    for (int band = 0; band < OCTAVE_BANDS; band++)
        b.materials[0].scattering[band] = 0.3;
    place_near(source, walls_of_source, &v->random);
    for (int i = 0; i < PLACES; i++) {
        receivers[i] = (struct receiver){.name = "R"};
        do
            place_near(places[i], i / EACH, &v->random);
        while (hypot(hypot(places[i][0] - source[0], places[i][1] - source[1]), places[i][2] - source[2]) < 1.0);
    }
    for (int i = 0; i < EDGES && !status; i++) {
        struct rendering r;
        double walls[3] = {0.0};
        b.room.grid.max_frequency = edges[i];
        for (int round = 0; round < 2 && !status; round++) { /* the first round determines the size on the grid */
            move_with_walls(b.source.position, source, round ? walls : size);
            for (int k = 0; k < PLACES; k++)
                move_with_walls(receivers[k].position, places[k], round ? walls : size);
            status = space_box_make(&b, e);
            if (!status)
                memcpy(walls, b.model->grid.size, sizeof walls);
            if (!round)
                space_box_free(&b);
        }
        if (!status && !(status = render_sources(&r, b.model, 0, 1, &v->choice, NULL, e))) {
            status = measure(energy[i], &r, e);
            rendering_free(&r);
        }
        space_box_free(&b);
    }
    return status;
}

int check_band_near_walls(struct validation *v, struct report *r, struct error *e)
{
    static double energy[EDGES][PLACES];
    const double least = 1.0, errors = 3.0; /* dB; standard errors */
    for (int walls = v->full ? 0 : KINDS - 1; walls < KINDS; walls++) {
        if (run(energy, walls, v, e))
            return -1;
        for (int kind = 0; kind < KINDS; kind++) {
            const struct log_ratio ratio = log_ratio(&energy[1][kind * EACH], &energy[0][kind * EACH], EACH);
            const double by = 10.0 / M_LN10 * ratio.value, error = 10.0 / M_LN10 * ratio.error;
            report_bound(r, "near-walls", fabs(by), least + errors * error,
                         "source %s, %d receivers %s: difference between the wave solver and the model above it in the "
                         "1 kHz octave, dB (%+.2f, %.0f standard errors of %.2f)",
                         names[walls], EACH, names[kind], by, errors, error);
        }
    }
    return 0;
}
