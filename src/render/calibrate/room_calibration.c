/* SPDX-License-Identifier: MIT */
#include "render/calibrate/room_calibration.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "render/calibrate/room_text.h"
#include "render/render.h"
#include "room/grid/reverberation.h"

/* Fewer scatter T20 by 13 % where a carpet faces hard walls, 4000 by 3 %: docs/results/calibrate.md. */
enum { LEAST_RAYS = 4000, MOST_RAYS = 20000 };

int calibrate_data_add(struct calibrate_data *d, const struct room *room, size_t receiver, const char *path,
                       size_t channel, const struct metrics *metrics, struct error *e)
{
    for (size_t i = 0; i < d->count; i++)
        if (d->measured[i].receiver == receiver)
            return fail(e, ERROR_USAGE, "%s and %s: both are of the receiver %s; leave one out", d->measured[i].path,
                        path, room->receivers[receiver].name);
    if (metrics->swept)
        return fail(e, ERROR_INPUT, "%s: is a recorded sweep, not an impulse response; deconvolve it first", path);
    struct calibrate_measured *more = realloc(d->measured, (d->count + 1) * sizeof *more);
    if (!more)
        return fail(e, ERROR_MEMORY, "out of memory");
    d->measured = more;
    more[d->count] = (struct calibrate_measured){
        .receiver = receiver, .path = text_copy(path), .channel = channel, .metrics = *metrics};
    return more[d->count++].path ? 0 : fail(e, ERROR_MEMORY, "out of memory");
}

void calibrate_data_free(struct calibrate_data *d)
{
    for (size_t i = 0; i < d->count; i++)
        free(d->measured[i].path);
    free(d->measured);
    *d = (struct calibrate_data){.count = 0};
}

int room_calibration_check(const struct room *room, struct error *e)
{
    if (render_is_possible(room, e))
        return -1;
    return room->from_sidecar ? fail(e, ERROR_INPUT, "%s: is the JSON of a render; calibrate the room file", room->path)
                              : 0;
}

static int check_data(const struct calibrate_data *d, struct error *e)
{
    size_t fitted = 0;
    if (!d->count)
        return fail(e, ERROR_USAGE, "no measured response; add MEASURED.wav, --receiver NAME=FILE or --table FILE.csv");
    if (d->count > CALIBRATE_RECEIVERS)
        return fail(e, ERROR_INPUT, "%zu receivers are measured, and at most %d are supported; leave some out",
                    d->count, CALIBRATE_RECEIVERS);
    for (size_t i = 0; i < d->count; i++)
        fitted += !d->measured[i].held;
    return fitted ? 0 : fail(e, ERROR_USAGE, "--hold-out: leaves no receiver to fit; name fewer");
}

/* s: of the measured decays, and of Eyring's at the prior. */
static double longest_decay(const struct room_calibration *c)
{
    double longest = 0.0, estimated = 0.0, times[2];
    for (size_t k = 0; k < c->task.octaves; k++) {
        double absorbing = 0.0;
        for (size_t i = 0; i < c->data.count; i++) {
            const struct metrics_band *band = &c->data.measured[i].metrics.band[c->task.octave[k]];
            longest = fmax(longest, fmax(band->t20.time, fmax(band->t30.time, band->edt.time)));
        }
        for (size_t w = 0; w < c->room->material_count; w++)
            absorbing += c->model->space.area[w] * wall_admittance_absorption(&c->model->walls[w].material,
                                                                              octave_band_centre[c->task.octave[k]]);
        reverberation_times(&times[0], &times[1], c->model, absorbing, octave_band_centre[c->task.octave[k]]);
        estimated = isfinite(times[1]) ? fmax(estimated, 0.8 * times[1]) : estimated;
    }
    return fmax(longest, fmin(estimated, 3.0 * longest));
}

static int compute(struct room_calibration *c, const struct solver_options *choice, const struct watch *watch,
                   struct error *e)
{
    double at[OCTAVE_BANDS][CALIBRATE_MATERIALS];
    calibrate_fill_task(c);
    c->forward.room = c->room;
    c->forward.model = c->model;
    c->forward.task = &c->task;
    const size_t asked = c->room->hybrid.rays;
    c->forward.rays = asked < LEAST_RAYS ? LEAST_RAYS : asked < MOST_RAYS ? asked : MOST_RAYS;
    c->forward.choice = choice;
    c->forward.watch = watch;
    if (calibrate_room_open(&c->forward, longest_decay(c), e) ||
        calibrate_run(&c->result, &c->task, calibrate_room_forward, &c->forward, e))
        return -1;
    for (size_t k = 0; k < c->task.octaves; k++)
        memcpy(at[k], c->result.posterior[k].value, sizeof at[k]);
    return calibrate_room_set(&c->forward, (const double(*)[CALIBRATE_MATERIALS])at, e);
}

int room_calibration_run(struct room_calibration *c, const struct solver_options *choice, const struct watch *watch,
                         struct error *e)
{
    if (!c->wish.use)
        c->wish.use = "t20";
    return calibrate_parse_use(c->use, c->wish.use, e) || check_data(&c->data, e) ||
                   model_make(&c->model, c->room, e) || calibrate_choose_materials(c, e) ||
                   calibrate_choose_octaves(c, e) || compute(c, choice, watch, e) || room_calibration_doubt(c, e)
               ? -1
               : 0;
}

void room_calibration_free(struct room_calibration *c)
{
    lines_free(c->warnings, c->warning_count);
    calibrate_result_free(&c->result);
    calibrate_room_free(&c->forward);
    calibrate_data_free(&c->data);
    model_free(c->model);
    room_free(c->room);
    memset(c, 0, sizeof *c);
}

const char *room_calibration_material(const struct room_calibration *c, size_t m)
{
    return c->room->materials[c->forward.material[m]].name;
}

const char *room_calibration_receiver(const struct room_calibration *c, size_t measured)
{
    return c->room->receivers[c->data.measured[measured].receiver].name;
}

static struct calibrate_interval interval_of(double value, double deviation)
{
    const double half = CALIBRATE_INTERVAL * deviation;
    return (struct calibrate_interval){calibrate_absorption(value), calibrate_absorption(value - half),
                                       calibrate_absorption(value + half)};
}

struct calibrate_interval room_calibration_posterior(const struct room_calibration *c, size_t k, size_t m)
{
    const struct calibrate_posterior *p = &c->result.posterior[k];
    return interval_of(p->value[m], sqrt(fmax(p->covariance[m][m], 0.0)));
}

struct calibrate_interval room_calibration_prior(const struct room_calibration *c, size_t k, size_t m)
{
    return interval_of(c->task.problem[k].prior[m], c->task.problem[k].prior_deviation[m]);
}

double room_calibration_remaining(const struct room_calibration *c, size_t k, size_t m)
{
    return calibrate_remaining(&c->result.posterior[k], &c->task.problem[k], m);
}

struct calibrate_residual room_calibration_residual(const struct room_calibration *c, size_t k, size_t measured,
                                                    enum calibrate_parameter parameter)
{
    const size_t index = calibrate_index(measured, parameter);
    const double datum = c->task.problem[k].measured[index], fit = c->result.fit[k].value[index];
    return (struct calibrate_residual){.measured = calibrate_undo(datum, parameter),
                                       .prior = calibrate_undo(c->result.prior[k].value[index], parameter),
                                       .calibrated = calibrate_undo(fit, parameter),
                                       .steps = calibrate_steps(datum, fit, parameter)};
}

const char *calibrate_octave_text(char text[16], size_t octave)
{
    const double centre = octave_band_centre[octave];
    snprintf(text, 16, centre < 1000.0 ? "%g" : "%gk", centre < 1000.0 ? centre : centre / 1000.0);
    return text;
}

const char *calibrate_octave_unit(char text[16], size_t octave)
{
    const double centre = octave_band_centre[octave];
    snprintf(text, 16, centre < 1000.0 ? "%g Hz" : "%g kHz", centre < 1000.0 ? centre : centre / 1000.0);
    return text;
}

/* The text must read as a room with these materials. */
static int check_text(const struct room_calibration *c, const char *text, const char *name, struct error *e)
{
    struct room *again;
    if (room_read_text(&again, name, text, NULL, 0, e))
        return -1;
    int status = 0;
    for (size_t m = 0; m < c->task.materials && !status; m++) {
        const struct material *wanted = &c->room->materials[c->forward.material[m]], *found = NULL;
        for (size_t i = 0; i < again->material_count; i++)
            found = strcmp(again->materials[i].name, wanted->name) ? found : &again->materials[i];
        for (size_t b = 0; b < OCTAVE_BANDS && !status; b++)
            if (!found || !(fabs(found->absorption[b] - wanted->absorption[b]) <= 1e-4))
                status =
                    fail(e, ERROR_INPUT,
                         "%s: cannot replace the absorption of %s there; copy its definition from the included file "
                         "into the group materials, or leave out -o and copy the table",
                         c->room->path, wanted->name);
    }
    room_free(again);
    return status;
}

char *room_calibration_text(const struct room_calibration *c, const char *text, const char *name, struct error *e)
{
    struct calibrate_definition definitions[CALIBRATE_MATERIALS];
    char remark[128] = "by aula calibrate, in the octaves of";
    for (size_t k = 0; k < c->task.octaves; k++) {
        char octave[16];
        snprintf(remark + strlen(remark), sizeof remark - strlen(remark), "%s %s", k ? "," : "",
                 calibrate_octave_unit(octave, c->task.octave[k]));
    }
    for (size_t m = 0; m < c->task.materials; m++)
        definitions[m] = (struct calibrate_definition){&c->room->materials[c->forward.material[m]], remark};
    char *changed = calibrate_room_text(text, definitions, c->task.materials, e);
    if (changed && check_text(c, changed, name, e)) {
        free(changed);
        return NULL;
    }
    return changed;
}
