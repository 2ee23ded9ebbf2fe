/* SPDX-License-Identifier: MIT */
/* Calibrates the absorption of a room by measured responses. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/api/handles.h"
#include "base/file.h"
#include "base/output_file.h"
#include "base/text.h"
#include "render/calibrate/room_calibration.h"

enum { TEXT_MAX = 4 << 20 };

struct aula_calibration {
    struct aula_room *origin; /* the room that it began with */
    struct room_calibration found;
};

void aula_calibration_close(struct aula_calibration *calibration)
{
    if (!calibration)
        return;
    room_calibration_free(&calibration->found);
    room_release(calibration->origin);
    free(calibration);
}

static int take_datum(struct call *call, struct room_calibration *c, const struct aula_measured *m, size_t i)
{
    struct error *e = &call->error;
    char name[64];
    snprintf(name, sizeof name, "measured[%zu]", i);
    if (call_check_reserved(call, m->reserved, sizeof m->reserved / sizeof *m->reserved, name))
        return -1;
    if (!m->metrics)
        return fail(e, ERROR_USAGE, "%s.metrics is NULL; pass the metrics of a measured response", name);
    if (m->channel >= m->metrics->channels)
        return fail(e, ERROR_USAGE, "%s.channel is %zu; there are only %zu channels, counted from 0", name, m->channel,
                    m->metrics->channels);
    if (m->receiver >= c->room->receiver_count)
        return fail(e, ERROR_USAGE, "%s.receiver is %zu; the room has only %zu receivers, counted from 0", name,
                    m->receiver, c->room->receiver_count);
    if (calibrate_data_add(&c->data, c->room, m->receiver, name, m->channel, &m->metrics->channel[m->channel], e))
        return -1;
    c->data.measured[c->data.count - 1].held = m->held_out != 0;
    return 0;
}

static int take_choices(struct call *call, struct room_calibration *c, const struct aula_calibration_options *what)
{
    c->wish = (struct calibrate_wish){.free = what->materials, .use = what->parameters, .octaves = what->octaves};
    c->forward.source = what->source;
    if (call_check_reserved(call, what->reserved, sizeof what->reserved / sizeof *what->reserved, "what"))
        return -1;
    return call_check_source(call, c->room, what->source);
}

static int run(struct call *call, struct aula_calibration *calibration, const struct aula_measured *measured,
               size_t count, const struct aula_calibration_options *what, const struct call_options *given)
{
    static const struct aula_calibration_options automatic;
    struct room_calibration *c = &calibration->found;
    if (room_read_again(&c->room, calibration->origin, &call->error) || room_calibration_check(c->room, &call->error) ||
        take_choices(call, c, what ? what : &automatic))
        return -1;
    for (size_t i = 0; i < count; i++)
        if (take_datum(call, c, &measured[i], i))
            return -1;
    return room_calibration_run(c, &given->choice, &given->watch, &call->error);
}

static int make(struct call *call, struct aula_calibration **out, const struct aula_room *room,
                const struct aula_measured *measured, size_t count, const struct aula_calibration_options *what,
                const struct aula_options *options)
{
    struct call_options given;
    if (!out)
        return call_refuse_null(call, "calibration", "the address of a pointer");
    *out = NULL;
    if (!room)
        return call_refuse_null(call, "room", "a room of aula_room_open");
    if (!measured || !count)
        return fail(&call->error, ERROR_USAGE, "nothing was measured; pass at least one struct aula_measured");
    if (room->calibrated)
        return fail(&call->error, ERROR_USAGE,
                    "the room is calibrated; pass the room that it was made of, or write it and open its file");
    if (call_take_options(&given, call, options))
        return -1;
    struct aula_calibration *calibration = calloc(1, sizeof *calibration);
    if (!calibration)
        return fail(&call->error, ERROR_MEMORY, "out of memory");
    calibration->origin = room_hold(room);
    const int status = run(call, calibration, measured, count, what, &given);
    calibration->found.wish = (struct calibrate_wish){NULL, NULL, NULL}; /* of the caller */
    if (status) {
        aula_calibration_close(calibration);
        return -1;
    }
    *out = calibration;
    return 0;
}

int aula_calibrate(struct aula_calibration **calibration, const struct aula_room *room,
                   const struct aula_measured *measured, size_t count, const struct aula_calibration_options *what,
                   const struct aula_options *options, struct aula_error *error)
{
    struct call call;
    if (call_begin(&call, error))
        return -1;
    return call_end(&call, make(&call, calibration, room, measured, count, what, options));
}

const char *aula_calibration_warning(const struct aula_calibration *calibration, size_t index)
{
    return calibration && index < calibration->found.warning_count ? calibration->found.warnings[index] : NULL;
}

int aula_calibration_settled(const struct aula_calibration *calibration)
{
    return calibration && calibration->found.result.settled;
}

size_t aula_calibration_evaluations(const struct aula_calibration *calibration)
{
    return calibration ? calibration->found.result.renders : 0;
}

size_t aula_calibration_material_count(const struct aula_calibration *calibration)
{
    return calibration ? calibration->found.task.materials : 0;
}

const char *aula_calibration_material_name(const struct aula_calibration *calibration, size_t material)
{
    return material < aula_calibration_material_count(calibration)
               ? room_calibration_material(&calibration->found, material)
               : NULL;
}

size_t aula_calibration_octave_count(const struct aula_calibration *calibration)
{
    return calibration ? calibration->found.task.octaves : 0;
}

int aula_calibration_octave(const struct aula_calibration *calibration, size_t octave,
                            struct aula_calibrated_octave *about)
{
    if (!about)
        return -1;
    memset(about, 0, sizeof *about);
    about->centre = about->chi_squared = NAN;
    if (octave >= aula_calibration_octave_count(calibration))
        return -1;
    const struct room_calibration *c = &calibration->found;
    about->centre = octave_band_centre[c->task.octave[octave]];
    about->by_waves = c->forward.waves[octave];
    about->data = c->result.posterior[octave].used;
    about->chi_squared = c->result.posterior[octave].chi_squared;
    return 0;
}

int aula_calibration_absorption(const struct aula_calibration *calibration, size_t octave, size_t material,
                                struct aula_calibrated *absorption)
{
    if (!absorption)
        return -1;
    memset(absorption, 0, sizeof *absorption);
    absorption->value = absorption->low = absorption->high = absorption->remaining = NAN;
    absorption->prior = absorption->prior_low = absorption->prior_high = NAN;
    if (octave >= aula_calibration_octave_count(calibration) ||
        material >= aula_calibration_material_count(calibration))
        return -1;
    const struct room_calibration *c = &calibration->found;
    const struct calibrate_interval now = room_calibration_posterior(c, octave, material);
    const struct calibrate_interval before = room_calibration_prior(c, octave, material);
    absorption->value = now.value;
    absorption->low = now.low;
    absorption->high = now.high;
    absorption->prior = before.value;
    absorption->prior_low = before.low;
    absorption->prior_high = before.high;
    absorption->remaining = room_calibration_remaining(c, octave, material);
    absorption->told = absorption->remaining < CALIBRATE_UNTOLD;
    return 0;
}

int aula_calibration_combination(const struct aula_calibration *calibration, size_t octave, size_t index,
                                 double *remaining, double *weights)
{
    struct calibrate_combination all[CALIBRATE_MATERIALS];
    if (remaining)
        *remaining = NAN;
    if (octave >= aula_calibration_octave_count(calibration) || index >= aula_calibration_material_count(calibration))
        return -1;
    const struct room_calibration *c = &calibration->found;
    calibrate_combinations(all, &c->result.posterior[octave], &c->task.problem[octave]);
    if (remaining)
        *remaining = all[index].remaining;
    if (weights)
        memcpy(weights, all[index].weight, c->task.materials * sizeof *weights);
    return 0;
}

static int parameter_of(enum aula_metric metric, enum calibrate_parameter *parameter)
{
    static const struct {
        enum aula_metric metric;
        enum calibrate_parameter parameter;
    } pairs[CALIBRATE_PARAMETERS] = {
        {AULA_T20, CALIBRATE_T20}, {AULA_T30, CALIBRATE_T30}, {AULA_EDT, CALIBRATE_EDT}, {AULA_C80, CALIBRATE_C80}};
    for (size_t i = 0; i < CALIBRATE_PARAMETERS; i++)
        if (pairs[i].metric == metric) {
            *parameter = pairs[i].parameter;
            return 0;
        }
    return -1;
}

int aula_calibration_residual(const struct aula_calibration *calibration, size_t octave, size_t index,
                              enum aula_metric metric, struct aula_residual *residual)
{
    enum calibrate_parameter parameter;
    if (!residual)
        return -1;
    memset(residual, 0, sizeof *residual);
    residual->measured = residual->prior = residual->calibrated = residual->jnd = NAN;
    if (octave >= aula_calibration_octave_count(calibration) || index >= calibration->found.data.count ||
        parameter_of(metric, &parameter) || !calibration->found.use[parameter])
        return -1;
    const struct calibrate_residual r = room_calibration_residual(&calibration->found, octave, index, parameter);
    residual->measured = r.measured;
    residual->prior = r.prior;
    residual->calibrated = r.calibrated;
    residual->jnd = r.steps;
    return 0;
}

static int open_room(struct call *call, struct aula_room **out, const struct aula_calibration *calibration)
{
    struct room *room;
    if (!out)
        return call_refuse_null(call, "room", "the address of a pointer");
    *out = NULL;
    if (!calibration)
        return call_refuse_null(call, "calibration", "a calibration of aula_calibrate");
    if (room_read_again(&room, calibration->origin, &call->error))
        return -1;
    const struct room_calibration *c = &calibration->found;
    for (size_t m = 0; m < c->task.materials; m++) {
        const struct material *from = &c->room->materials[c->forward.material[m]];
        for (size_t k = 0; k < c->task.octaves; k++)
            room->materials[c->forward.material[m]].absorption[c->task.octave[k]] = from->absorption[c->task.octave[k]];
    }
    return room_open_made(call, out, room);
}

int aula_calibration_room(struct aula_room **room, const struct aula_calibration *calibration, struct aula_error *error)
{
    struct call call;
    if (call_begin(&call, error))
        return -1;
    return call_end(&call, open_room(&call, room, calibration));
}

static int write_room(struct call *call, const struct aula_calibration *calibration, const char *path)
{
    struct error *e = &call->error;
    char *text = NULL, *changed = NULL, input_name[ROOM_INPUT];
    if (!calibration)
        return call_refuse_null(call, "calibration", "a calibration of aula_calibrate");
    if (call_check_text(call, path, "path", "the name of a room file"))
        return -1;
    const struct aula_room *origin = calibration->origin;
    const char *input = room_input_at(origin->room, path, false, input_name);
    int status = input ? fail(e, ERROR_USAGE, "%s: is %s; choose another path", path, input) : 0;
    if (!status)
        status = origin->text ? 0 : file_read_text(origin->path, TEXT_MAX, &text, e);
    if (!status && !(changed = room_calibration_text(&calibration->found, origin->text ? origin->text : text, path, e)))
        status = -1;
    if (!status)
        status = output_file_text(path, changed, e);
    free(text);
    free(changed);
    return status;
}

int aula_calibration_write(const struct aula_calibration *calibration, const char *path, struct aula_error *error)
{
    struct call call;
    if (call_begin(&call, error))
        return -1;
    return call_end(&call, write_room(&call, calibration, path));
}
