/* SPDX-License-Identifier: MIT */
/* The direct sound in a response of the whole band, in a box so large that no reflection returns
 * within the record: level and delay of an omnidirectional source from 50 Hz to 18 kHz, and the
 * levels of sources with a directivity, which the wave solver forms by stencils and image
 * sources by a formula. */
#include <complex.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/nan_max.h"
#include "dsp/band_filter.h"
#include "io/sofa/library.h"
#include "render/render.h"
#include "room/grid/sources.h"
#include "validate/hybrid/checks.h"
#include "validate/space/rig.h"

enum { RECEIVERS = SPACE_RECEIVERS, FREQUENCIES = 60 };
static const double side = 20.0, edge = 1000.0, rate = 48000.0, seconds = 0.048; /* m, Hz, Hz, s */
static const double low = 50.0, high = 18000.0;                                  /* Hz */
static const double low_of_patterns = 100.0;                      /* Hz: the record truncates their slow orders */
static const double angles[RECEIVERS] = {0.0, 45.0, 75.0, 100.0}; /* degrees from the front */

static void make_room(struct space_box *b, struct random *random)
{
    space_box_init(b, (double[]){side, side, side}, 1.0);
    b->room.grid.precision = PRECISION_SINGLE;
    b->room.receiver_count = RECEIVERS;
    b->room.duration = seconds;
    b->room.output.rate = rate;
    b->room.grid.scheme = GRID_SCHEME_19_POINT;
    b->room.grid.max_frequency = edge;
    b->room.hybrid.full = true;
    b->room.hybrid.order = 1;
    for (int axis = 0; axis < 3; axis++)
        b->source.position[axis] = 0.5 * side + 0.1 * random_unit(random);
    for (int i = 0; i < RECEIVERS; i++) {
        double direction[3];
        space_direction(direction, random);
        b->receivers[i] = (struct receiver){.name = "R"};
        for (int axis = 0; axis < 3; axis++)
            b->receivers[i].position[axis] = b->source.position[axis] + (1.5 + 0.5 * i) * direction[axis];
    }
}

static double complex spectrum_of(const double *samples, size_t frames, double frequency)
{
    double complex sum = 0.0;
    for (size_t n = 0; n < frames; n++)
        sum += samples[n] * cexp(-2.0 * I * M_PI * frequency / rate * (double)n);
    return sum;
}

/* The end of the record truncates the tail of the high-pass filter after the direct sound; the
 * ideal response is truncated alike. */
static double complex ideal(double frequency, double distance, double speed, size_t frames)
{
    double after[4096] = {1.0};
    const size_t arrival = (size_t)(distance / speed * rate);
    high_pass(after, frames, RESPONSE_HIGH_PASS, rate);
    return spectrum_of(after, frames - arrival, frequency) * cexp(-2.0 * I * M_PI * frequency * distance / speed) /
           (4.0 * M_PI * distance);
}

static int check_omni(struct validation *v, struct report *r, struct error *e)
{
    struct space_box b;
    struct rendering rendering;
    double level = 0.0, delay[2] = {0.0, 0.0}; /* s: up to the crossover, and above */
    make_room(&b, &v->random);
    if (space_box_make(&b, e))
        return -1;
    if (render_sources(&rendering, b.model, 0, 1, &v->choice, NULL, e)) {
        space_box_free(&b);
        return -1;
    }
    const size_t frames = rendering.response.frames;
    for (size_t i = 0; i < RECEIVERS; i++) {
        const double *to = b.model->receivers[i].position, *from = b.model->sources[0].position;
        const double distance = hypot(hypot(to[0] - from[0], to[1] - from[1]), to[2] - from[2]);
        for (int f = 0; f < FREQUENCIES; f++) {
            const double frequency = low * pow(high / low, (double)f / (FREQUENCIES - 1));
            const double complex ratio = spectrum_of(rendering.response.samples + i * frames, frames, frequency) /
                                         ideal(frequency, distance, b.model->grid.sound_speed, frames);
            level = nan_max(level, fabs(20.0 * log10(cabs(ratio))));
            double *own = &delay[frequency > edge];
            *own = nan_max(*own, fabs(carg(ratio)) / (2.0 * M_PI * frequency));
        }
    }
    report_bound(r, "free-field", level, 0.12,
                 "direct sound, %.0f Hz to %.0f kHz, crossover at %.0f Hz: error of the level, dB", low, high / 1000.0,
                 edge);
    report_bound(r, "free-field", delay[0] * b.model->grid.rate, 0.1,
                 "    error of the delay up to the crossover, samples at the grid rate");
    report_figure(r, "free-field", delay[0] * rate, "        in samples at 48 kHz");
    report_bound(r, "free-field", delay[1] * rate, 0.1,
                 "    error of the delay above the crossover, samples at 48 kHz");
    rendering_free(&rendering);
    space_box_free(&b);
    return 0;
}

/* ---- sources with a pattern */

/* θ_n(jx)/(jx)^n */
static double complex nearness(int n, double x)
{
    double complex sum = 0.0;
    for (int j = 0; j <= n; j++)
        sum += tgamma(n + j + 1) / (tgamma(j + 1) * tgamma(n - j + 1)) * cpow(2.0 * I * x, -j);
    return sum;
}

static double legendre(int n, double z)
{
    return n == 0 ? 1.0 : n == 1 ? z : ((2 * n - 1) * z * legendre(n - 1, z) - (n - 1) * legendre(n - 2, z)) / n;
}

/* Directivity of a source at a distance, in a direction along its own axes, whose orders grow
 * from the distance where they are known. */
static double complex pattern_at(const struct source *s, const double own[3], double distance, double frequency,
                                 double speed)
{
    const double k = 2.0 * M_PI * frequency / speed;
    double a[PATTERN_ORDER_MAX + 1] = {0.0}, y[RADIATION_HARMONICS_MAX];
    double complex sum = 0.0;
    const bool file = s->directivity == DIRECTIVITY_FILE;
    if (!file)
        source_pattern(a, s->directivity, source_order(s));
    harmonics_at(y, source_order(s), own);
    for (size_t drive = 0; drive < source_drives(s); drive++) {
        const int n = source_drive_order(s, drive);
        double value[2] = {a[file ? 0 : n], 0.0};
        if (file)
            radiation_at(value, &s->radiation, source_order(s), s->radiation.harmonic[drive], frequency);
        sum += (value[0] + I * value[1]) * (file ? y[s->radiation.harmonic[drive]] : legendre(n, own[0])) *
               nearness(n, k * distance) / nearness(n, k * source_integrator(s, n, speed).distance);
    }
    return sum;
}

/* Receivers at angles from the front of the source, distributed around its axis. */
static void turn_room(struct space_box *b, double own[RECEIVERS][3], struct random *random)
{
    for (int axis = 0; axis < 3; axis++)
        b->source.orientation[axis] = 360.0 * random_unit(random) - 180.0;
    const struct turn turn = turn_of(b->source.orientation[0], b->source.orientation[1], b->source.orientation[2]);
    for (int i = 0; i < RECEIVERS; i++) {
        const double angle = angles[i] * M_PI / 180.0, around = 2.0 * M_PI * random_unit(random);
        double way[3];
        own[i][0] = cos(angle);
        own[i][1] = sin(angle) * cos(around);
        own[i][2] = sin(angle) * sin(around);
        turn_apply(way, &turn, own[i]);
        for (int axis = 0; axis < 3; axis++)
            b->receivers[i].position[axis] = b->source.position[axis] + (1.5 + 0.5 * i) * way[axis];
    }
}

/* dB: largest error of the levels up to the crossover, and above. */
static void level_of_pattern(double level[2], const struct space_box *b, const struct response *response,
                             double own[RECEIVERS][3])
{
    level[0] = level[1] = 0.0;
    for (int i = 0; i < RECEIVERS; i++)
        for (int f = 0; f < FREQUENCIES; f++) {
            const double frequency = low_of_patterns * pow(high / low_of_patterns, (double)f / (FREQUENCIES - 1));
            const double distance = 1.5 + 0.5 * i, speed = b->model->grid.sound_speed;
            const double complex heard =
                spectrum_of(response->samples + (size_t)i * response->frames, response->frames, frequency);
            const double complex wanted = ideal(frequency, distance, speed, response->frames) *
                                          pattern_at(&b->source, own[i], distance, frequency, speed);
            double *half = &level[frequency > edge];
            *half = nan_max(*half, fabs(20.0 * log10(cabs(heard / wanted))));
        }
}

static int check_pattern(struct validation *v, struct report *r, enum directivity directivity, size_t order,
                         const char *file, struct error *e)
{
    struct space_box b;
    struct rendering rendering;
    double own[RECEIVERS][3], level[2];
    make_room(&b, &v->random);
    b.source.directivity = directivity;
    b.source.order = order;
    b.source.pattern = file ? data_path(file, e) : NULL;
    int status = file && (!b.source.pattern || source_read_pattern(&b.source, e)) ? -1 : 0;
    turn_room(&b, own, &v->random);
    if (!status)
        status = space_box_make(&b, e);
    if (!status)
        status = render_sources(&rendering, b.model, 0, 1, &v->choice, NULL, e);
    if (!status) {
        level_of_pattern(level, &b, &rendering.response, own);
        for (int half = 0; half < 2; half++)
            report_bound(r, "free-field", level[half], 0.3,
                         "%s of order %d, 0 to 100 degrees off axis, %s %.0f Hz: error of the level, dB",
                         source_pattern_name(&b.source), source_order(&b.source), half ? "above" : "up to", edge);
        rendering_free(&rendering);
    }
    space_box_free(&b);
    radiation_free(&b.source.radiation);
    free(b.source.pattern);
    return status;
}

int check_band_free_field(struct validation *v, struct report *r, struct error *e)
{
    if (check_omni(v, r, e) || check_pattern(v, r, DIRECTIVITY_CARDIOID, 2, NULL, e))
        return -1;
    if (!sofa_library.unavailable())
        return check_pattern(v, r, DIRECTIVITY_FILE, 3, "directivities/talker.sofa", e);
    report_skip(r, "free-field", sofa_library.unavailable());
    return 0;
}
