/* SPDX-License-Identifier: MIT */
/* From a room to the AmbiX file: a reflecting floor and absorbing walls. Compares the direction
 * of the reflection by active intensity with that of the image source, and its delay after the
 * direct sound. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/nan_max.h"
#include "render/render.h"
#include "validate/space/checks.h"
#include "validate/space/rig.h"

static const double size[3] = {8.0, 8.0, 6.4}, lowest = 350.0, before = 0.0025, after = 0.0035; /* m; Hz; s */

/* Band-pass with a finite window: each channel is convolved with a cosine tone burst of lowest
 * .. edge. */
static void band_pass(double *out, const double *in, size_t frames, double rate, double low, double high)
{
    const size_t half = (size_t)(rate / low * 1.5);
    for (size_t n = 0; n < frames; n++) {
        double sum = 0.0;
        for (size_t k = 0; k <= 2 * half; k++) {
            const double t = ((double)k - (double)half) / rate, w = cos(0.5 * M_PI * t * rate / (double)half);
            const double ideal =
                t == 0.0 ? 2.0 * (high - low) : (sin(2.0 * M_PI * high * t) - sin(2.0 * M_PI * low * t)) / (M_PI * t);
            const size_t at = n + half - k;
            if (n + half >= k && at < frames)
                sum += in[at] * ideal * w * w / rate;
        }
        out[n] = sum;
    }
}

/* Σ W (X, Y, Z) around a time: points towards the origin of the sound. */
static void intensity_at(double v[3], const double *const field[4], double rate, double time)
{
    memset(v, 0, 3 * sizeof *v);
    for (size_t n = (size_t)((time - before) * rate); n <= (size_t)((time + after) * rate); n++) {
        v[0] += field[0][n] * field[3][n];
        v[1] += field[0][n] * field[1][n];
        v[2] += field[0][n] * field[2][n];
    }
}

static double angle_to(const double v[3], const double to[3])
{
    double dot = 0.0, a = 0.0, b = 0.0;
    for (int i = 0; i < 3; i++) {
        dot += v[i] * to[i];
        a += v[i] * v[i];
        b += to[i] * to[i];
    }
    return acos(fmin(dot / sqrt(a * b), 1.0)) * 180.0 / M_PI;
}

/* Samples between two arrivals of W by their cross-correlation, refined by a parabola. */
static double delay_of(const double *w, double rate, double first, double second)
{
    const long from = lround((first - before) * rate), count = lround((before + after) * rate);
    const long middle = lround((second - first) * rate);
    double best = -INFINITY, at = NAN, values[41];
    for (int k = 0; k < 41; k++) {
        values[k] = 0.0;
        for (long n = from; n < from + count; n++)
            values[k] += w[n] * w[n + middle + k - 20];
    }
    for (int k = 1; k < 40; k++)
        if (values[k] > best) {
            best = values[k];
            const double a = values[k - 1], c = values[k + 1];
            at = (double)(middle + k - 20) + 0.5 * (a - c) / (a - 2.0 * best + c);
        }
    return at;
}

static void judge(struct report *r, const struct space_box *b, const struct rendering *rendering, double *filtered,
                  const char *name)
{
    const struct response *response = &rendering->response;
    const double rate = response->rate, c = b->model->grid.sound_speed, late = response->band.delay[0];
    const double *from = b->source.position, *to = b->receivers[0].position;
    const double direct[3] = {from[0] - to[0], from[1] - to[1], from[2] - to[2]};
    const double image[3] = {direct[0], direct[1], -from[2] - to[2]};
    const double ways[2] = {hypot(hypot(direct[0], direct[1]), direct[2]), hypot(hypot(image[0], image[1]), image[2])};
    const double *field[4];
    for (size_t i = 0; i < 4; i++) {
        field[i] = filtered + i * response->frames;
        band_pass(filtered + i * response->frames, response->samples + i * response->frames, response->frames, rate,
                  lowest, 0.9 * b->model->grid.valid_frequency);
    }
    double v[3];
    intensity_at(v, field, rate, ways[0] / c + late);
    report_bound(r, "reflection", angle_to(v, direct), 1.0,
                 "%s: error of the direction of the direct sound in the file, degrees", name);
    intensity_at(v, field, rate, ways[1] / c + late);
    report_bound(r, "reflection", angle_to(v, image), 2.0,
                 "    error of the direction of the floor reflection, degrees");
    /* without the map, waves on the grid are delayed by dispersion: samples of the grid count */
    const double counted = b->model->grid.mapped ? rate : b->model->grid.rate;
    const double measured = delay_of(field[0], rate, ways[0] / c + late, ways[1] / c + late) / rate;
    report_bound(r, "reflection", fabs(measured - (ways[1] - ways[0]) / c) * counted, 1.0,
                 "    error of its delay after the direct sound, samples at %.6g Hz", counted);
}

static int check_scheme(struct validation *v, struct report *r, int scheme, struct error *e)
{
    struct space_box b;
    struct rendering rendering;
    space_box_init(&b, size, 1.0);
    b.room.walls[FACE_Z_MIN] = 1;
    b.room.receiver_count = 1;
    b.room.duration = 0.04;
    b.room.output.rate = 48000.0;
    b.room.grid.scheme = scheme ? GRID_SCHEME_19_POINT : GRID_SCHEME_7_POINT;
    b.room.grid.max_frequency = scheme ? 1500.0 : 900.0;
    b.room.grid.precision = PRECISION_SINGLE;
    b.receivers[0] = (struct receiver){.name = "R", .kind = RECEIVER_AMBISONIC, .order = 1};
    for (int axis = 0; axis < 3; axis++) {
        static const double source[3] = {3.2, 3.4, 1.7}, receiver[3] = {4.4, 3.9, 1.9};
        b.source.position[axis] = source[axis] + 0.1 * random_unit(&v->random);
        b.receivers[0].position[axis] = receiver[axis] + 0.1 * random_unit(&v->random);
    }
    if (space_box_make(&b, e))
        return -1;
    if (render_sources(&rendering, b.model, 0, 1, &v->choice, NULL, e)) {
        space_box_free(&b);
        return -1;
    }
    double *filtered = malloc(4 * rendering.response.frames * sizeof *filtered);
    const int status = filtered ? 0 : fail(e, ERROR_MEMORY, "out of memory");
    if (!status)
        judge(r, &b, &rendering, filtered, space_scheme_of(scheme).name);
    free(filtered);
    rendering_free(&rendering);
    space_box_free(&b);
    return status;
}

int check_space_reflection(struct validation *v, struct report *r, struct error *e)
{
    for (int scheme = 0; scheme < SPACE_SCHEMES; scheme++)
        if (check_scheme(v, r, scheme, e))
            return -1;
    return 0;
}
