/* SPDX-License-Identifier: MIT */
/* Plane waves of the grid at 14 positions in a cell: the response of the stencils and exact
 * integrators compared with their harmonics; level of each order, and direction from order 1. */
#include <math.h>
#include <stdlib.h>

#include "base/nan_max.h"
#include "validate/space/checks.h"
#include "validate/space/rig.h"

enum { ORDER = 3, FREQUENCIES = 6, DIRECTIONS = 200 };

static const double at_frequency[SPACE_SCHEMES][FREQUENCIES] = {{0.002, 0.01, 0.02, 0.03, 0.054, 0.0758},
                                                                {0.002, 0.01, 0.054, 0.1321, 0.1729, 0.2161}};
/* dB, worst position */
static const double bounds[SPACE_SCHEMES][ORDER + 1][FREQUENCIES] = {
    {{-99, -96, -85, -81, -83, -82},
     {-76, -77, -69, -63, -60, -64},
     {-69, -70, -64, -58, -53, -60},
     {-50, -51, -48, -45, -40, -37}},
    {{-99, -93, -73, -68, -70, -72},
     {-84, -80, -70, -66, -66, -66},
     {-63, -63, -54, -53, -47, -47},
     {-53, -53, -48, -45, -41, -40}},
};

struct wave_errors {
    double squares[ORDER + 1], level[ORDER + 1], direction; /* mean squares; dB; degrees */
};

static void add_wave(struct wave_errors *w, double along[ORDER + 1], const struct field_stencil *s,
                     const struct grid_waves *waves, double frequency, const double d[3])
{
    double values[FIELD_CHANNELS_MAX][2], y[HARMONICS_MAX];
    harmonics_at(y, ORDER, d);
    field_stencil_response(values, s, waves, frequency, d);
    for (size_t c = 0; c < harmonics_count(ORDER); c++) {
        const int n = harmonics_order_of(c);
        w->squares[n] += (pow(values[c][0] - y[c], 2.0) + pow(values[c][1], 2.0)) / DIRECTIONS;
        along[n] += values[c][0] * y[c] / DIRECTIONS;
    }
    const double v[3] = {values[3][0], values[1][0], values[2][0]};
    const double length = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    const double cross[3] = {v[1] * d[2] - v[2] * d[1], v[2] * d[0] - v[0] * d[2], v[0] * d[1] - v[1] * d[0]};
    const double sine = sqrt(cross[0] * cross[0] + cross[1] * cross[1] + cross[2] * cross[2]) / length;
    w->direction = nan_max(w->direction, asin(fmin(sine, 1.0)) * 180.0 / M_PI);
}

static int check_scheme(struct validation *v, struct report *r, int index, struct error *e)
{
    const struct space_scheme scheme = space_scheme_of(index);
    double places[SPACE_PLACES][3], worst[FREQUENCIES][ORDER + 1] = {{0.0}}, level[ORDER + 1] = {0.0}, turned = 0.0;
    struct field_lattice *lattices = NULL;
    struct field_stencil *s = malloc(sizeof *s);
    int status = s ? 0 : fail(e, ERROR_MEMORY, "out of memory");
    space_places(places, &v->random);
    for (int place = 0; place < SPACE_PLACES && !status; place++) {
        status = space_stencil_make(s, &lattices, &scheme, places[place], ORDER, e);
        for (int f = 0; f < FREQUENCIES && !status; f++) {
            struct wave_errors w = {{0.0}, {0.0}, 0.0};
            double along[ORDER + 1] = {0.0};
            for (int i = 0; i < DIRECTIONS; i++) {
                double d[3];
                space_direction(d, &v->random);
                add_wave(&w, along, s, &scheme.waves, at_frequency[index][f], d);
            }
            for (int n = 0; n <= ORDER; n++) {
                worst[f][n] = nan_max(worst[f][n], w.squares[n]);
                level[n] = nan_max(level[n], fabs(20.0 * log10(along[n])));
            }
            turned = nan_max(turned, w.direction);
        }
    }
    for (int n = 0; n <= ORDER && !status; n++) {
        for (int f = 0; f < FREQUENCIES; f++)
            report_bound(r, "plane-waves", 10.0 * log10(worst[f][n]), bounds[index][n][f],
                         "%s, order %d at %g of the grid rate: error at the worst of %d positions, dB", scheme.name, n,
                         at_frequency[index][f], (int)SPACE_PLACES);
        report_bound(r, "plane-waves", level[n], 0.1, "    error of the level of order %d, dB", n);
    }
    if (!status)
        report_bound(r, "plane-waves", turned, 0.1, "    error of the direction from order 1, degrees");
    free(s);
    field_lattices_free(&lattices);
    return status;
}

int check_space_plane_waves(struct validation *v, struct report *r, struct error *e)
{
    for (int i = 0; i < SPACE_SCHEMES; i++)
        if (check_scheme(v, r, i, e))
            return -1;
    return 0;
}
