/* SPDX-License-Identifier: MIT */
#include "render/calibrate/room_forward.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/stop.h"
#include "render/calibrate/heard.h"
#include "render/calibrate/rays.h"
#include "render/calibrate/sensitivity.h"
#include "render/directions.h"
#include "render/early_part.h"
#include "render/geometric.h"
#include "render/late_part.h"
#include "render/render.h"

static const double raised = 0.3;      /* of ln a, for slopes of waves */
static const double rounding = 1.0001; /* of the edge of the valid band */
enum { CALIBRATE_STEPS = 128 };

bool calibrate_is_of_waves(const struct model *m, double centre)
{
    return centre * M_SQRT2 <= m->grid.valid_frequency * rounding;
}

static bool any(const struct calibrate_room *c, bool waves)
{
    for (size_t k = 0; k < c->task->octaves; k++)
        if (c->waves[k] == waves)
            return true;
    return false;
}

int calibrate_room_open(struct calibrate_room *c, double longest, struct error *e)
{
    static const double shortest = 0.3; /* s */
    c->seconds = fmax(1.1 * longest, shortest);
    c->room->duration = c->seconds;
    c->room->max_duration = 0.0;
    c->room->hybrid.full = false;
    if (!any(c, false))
        return 0;
    c->has_faces = true;
    return image_room_make(&c->faces, c->model, IMAGE_RAYS, IMAGE_TRIES, e);
}

void calibrate_room_free(struct calibrate_room *c)
{
    if (c->has_faces)
        image_room_free(&c->faces);
    c->has_faces = false;
}

int calibrate_room_set(struct calibrate_room *c, const double (*at)[CALIBRATE_MATERIALS], struct error *e)
{
    for (size_t k = 0; k < c->task->octaves; k++)
        for (size_t i = 0; i < c->task->materials; i++)
            c->room->materials[c->material[i]].absorption[c->task->octave[k]] = calibrate_absorption(at[k][i]);
    return model_remake_walls(c->model, e);
}

/* Hz: from the centre of the lowest octave of rays to the upper edge of the highest. */
static void choose_range(double *low, double *top, const struct calibrate_room *c)
{
    const struct calibrate_task *task = c->task;
    size_t first = task->octaves, last = 0;
    for (size_t k = 0; k < task->octaves; k++)
        if (!c->waves[k]) {
            first = k < first ? k : first;
            last = k;
        }
    *low = octave_band_centre[task->octave[first]];
    *top = octave_band_centre[task->octave[last]] * M_SQRT2;
}

/* Octaves that are not fitted may absorb as they like: they are not blended into their neighbours. */
static void blend(struct late_histogram *h, const struct calibrate_room *c)
{
    bool fitted[LATE_BANDS_MAX] = {false};
    for (size_t k = 0; k < c->task->octaves; k++)
        for (size_t band = 0; band < h->bands.count && !c->waves[k]; band++)
            if (fabs(log2(h->bands.centre[band] / octave_band_centre[c->task->octave[k]])) < 0.1)
                fitted[band] = true;
    heard_blend(h, fitted);
}

/* Microphones with a pattern hear image sources through it, and the energies of rays know none: rays carry all then. */
static bool any_directed(const struct calibrate_room *c)
{
    for (size_t r = 0; r < c->task->receivers; r++)
        if (receiver_order(&c->room->receivers[c->receiver[r]]) > 0)
            return true;
    return false;
}

static int add_images(struct late_histogram *h, const struct calibrate_room *c, const size_t *place, double top,
                      struct error *e)
{
    const double flat = 1.5 * top, gain = 1.0; /* with the skirt of the highest filter */
    const double rate = fmin(model_output_rate(c->model), 2.5 * flat);
    const size_t frames = (size_t)ceil(c->seconds * rate);
    struct early_part part = {.rate = rate, .low = h->bands.lower[0]};
    size_t ways;
    double *heard = calloc(room_channel_count(c->room) * frames + 1, sizeof *heard);
    if (!heard)
        return fail(e, ERROR_MEMORY, "out of memory");
    geometric_end(part.top, fmin(flat, geometric_top(rate)), rate);
    int status = early_part_add(heard, frames, &ways, &part, &c->faces, c->model, c->source, 1, &gain, e);
    for (size_t r = 0; r < c->task->receivers && !status; r++)
        status = heard_add(h, place[r], heard + room_first_channel(c->room, c->receiver[r]) * frames, frames, rate, e);
    free(heard);
    return status;
}

static int trace(struct calibrate_prediction *predictions, struct calibrate_room *c,
                 const double (*at)[CALIBRATE_MATERIALS], struct error *e)
{
    const struct calibrate_task *task = c->task;
    const struct air_conditions air = air_conditions(c->room);
    const bool images = !any_directed(c);
    size_t place[CALIBRATE_RECEIVERS];
    double low, top;
    choose_range(&low, &top, c);
    for (size_t r = 0; r < task->receivers; r++) {
        place[r] = 0;
        for (size_t i = 0; i < c->receiver[r]; i++)
            place[r] += receiver_place_count(&c->room->receivers[i]);
    }
    const struct late_part half = {.rate = model_output_rate(c->model), .low = low, .top = {top, top}, .rays = c->rays};
    struct late_energies energies = {.h = {.energy = NULL}};
    int status = late_part_energies(&energies, CALIBRATE_STEPS, c->seconds, images ? (int)c->faces.order : -1, &half,
                                    &c->faces, c->model, c->source, e);
    c->ray_runs++;
    if (!status)
        blend(&energies.h, c);
    if (!status && images)
        status = add_images(&energies.h, c, place, top, e);
    const struct calibrate_rays rays = {
        &energies.h, &energies.audit, c->room->air.losses ? &air : NULL, c->model->grid.sound_speed, c->material,
        place};
    for (size_t k = 0; k < task->octaves && !status; k++)
        if (!c->waves[k])
            calibrate_of_rays(&predictions[k], &rays, task, k, at[k]);
    late_energies_free(&energies);
    return status;
}

/* The progress of one run as a part of all, if the calibration takes all evaluations. */
static bool look(void *context, size_t done, size_t steps, double points_per_second)
{
    const struct calibrate_room *c = context;
    const size_t before = c->wave_runs + c->ray_runs, waves = any(c, true);
    const size_t total = CALIBRATE_RENDERS * (waves + any(c, false)) + waves * c->task->materials;
    return !c->watch || !c->watch->look ||
           c->watch->look(c->watch->context, before * steps + done, total * steps, points_per_second);
}

static int tell(struct calibrate_room *c, struct error *e)
{
    if (stop_check(e))
        return -1;
    return look(c, 0, 1, 0.0) ? 0 : fail(e, ERROR_STOPPED, "stopped after %zu runs", c->wave_runs + c->ray_runs);
}

/* The data of one run of the wave solver: values [octave][datum], of its octaves alone. */
static int run_waves(double (*values)[CALIBRATE_DATA], struct calibrate_room *c, struct error *e)
{
    const struct calibrate_task *task = c->task;
    const struct metrics_settings settings = {
        .valid_high = c->model->grid.valid_frequency * rounding, .scale = 1.0, .noiseless = true};
    const struct watch watch = {.look = look, .context = c};
    struct rendering r = {.first = c->source};
    int status = render_sources(&r, c->model, c->source, 1, c->choice, &watch, e);
    const bool rendered = !status;
    c->wave_runs++;
    for (size_t i = 0; i < task->receivers && !status; i++) {
        const size_t channel = room_first_channel(c->room, c->receiver[i]);
        struct metrics metrics;
        status = metrics_measure(&metrics, r.response.samples + channel * r.response.frames, r.response.frames,
                                 r.response.rate, &settings, e);
        for (size_t k = 0; k < task->octaves && !status; k++)
            for (size_t p = 0; p < CALIBRATE_PARAMETERS; p++)
                values[k][calibrate_index(i, (enum calibrate_parameter)p)] =
                    calibrate_datum(calibrate_value(&metrics.band[task->octave[k]], (enum calibrate_parameter)p),
                                    (enum calibrate_parameter)p);
    }
    if (rendered)
        rendering_free(&r);
    return status;
}

/* Slopes by one run for each material, with more absorption in all octaves of waves. */
static int find_shares(struct calibrate_room *c, double (*values)[CALIBRATE_DATA], double (*other)[CALIBRATE_DATA],
                       const double (*at)[CALIBRATE_MATERIALS], struct error *e)
{
    const struct calibrate_task *task = c->task;
    const double high = calibrate_log_exponent(CALIBRATE_LARGEST);
    for (size_t m = 0; m < task->materials; m++) {
        double raised_at[OCTAVE_BANDS][CALIBRATE_MATERIALS];
        memcpy(raised_at, at, sizeof raised_at);
        for (size_t k = 0; k < task->octaves; k++)
            if (c->waves[k]) /* downwards next to the largest absorption */
                raised_at[k][m] += at[k][m] + raised > high ? -raised : raised;
        if (calibrate_room_set(c, (const double(*)[CALIBRATE_MATERIALS])raised_at, e) || run_waves(other, c, e))
            return -1;
        for (size_t k = 0; k < task->octaves; k++)
            for (size_t i = 0; i < task->receivers * CALIBRATE_PARAMETERS && c->waves[k]; i++) {
                const double slope = (other[k][i] - values[k][i]) / (raised_at[k][m] - at[k][m]);
                c->share[k][i][m] = isfinite(slope) ? -slope : 0.0;
            }
    }
    memcpy(c->shared_at, at, sizeof c->shared_at);
    c->has_shares = true;
    return 0;
}

static void predict_waves(struct calibrate_prediction *p, const struct calibrate_room *c, size_t k,
                          const double *values, const double *at)
{
    const struct calibrate_task *task = c->task;
    double factors[CALIBRATE_MATERIALS];
    for (size_t m = 0; m < task->materials; m++)
        factors[m] = exp(at[m] - c->shared_at[k][m]);
    for (size_t i = 0; i < task->receivers * CALIBRATE_PARAMETERS; i++) {
        double shares[CALIBRATE_MATERIALS];
        memcpy(shares, c->share[k][i], sizeof shares);
        if (i % CALIBRATE_PARAMETERS != CALIBRATE_C80)
            calibrate_scale_shares(shares, factors, task->materials);
        p->value[i] = values[i];
        for (size_t m = 0; m < task->materials; m++)
            p->slope[i][m] = -shares[m];
    }
}

static int solve(struct calibrate_prediction *predictions, struct calibrate_room *c,
                 const double (*at)[CALIBRATE_MATERIALS], struct error *e)
{
    double(*values)[CALIBRATE_DATA] = calloc(2 * OCTAVE_BANDS, sizeof *values);
    int status = values ? run_waves(values, c, e) : fail(e, ERROR_MEMORY, "out of memory");
    if (!status && !c->has_shares) {
        status = find_shares(c, values, values + OCTAVE_BANDS, at, e);
        if (!status)
            status = calibrate_room_set(c, at, e);
    }
    for (size_t k = 0; k < c->task->octaves && !status; k++)
        if (c->waves[k])
            predict_waves(&predictions[k], c, k, values[k], at[k]);
    free(values);
    return status;
}

int calibrate_room_forward(void *context, struct calibrate_prediction *predictions,
                           const double (*at)[CALIBRATE_MATERIALS], struct error *e)
{
    struct calibrate_room *c = context;
    return tell(c, e) || calibrate_room_set(c, at, e) ||
                   (any(c, false) && (trace(predictions, c, at, e) || tell(c, e))) ||
                   (any(c, true) && solve(predictions, c, at, e))
               ? -1
               : 0;
}
