/* SPDX-License-Identifier: MIT */
#include "validate/bodies/synth_rig.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/stop.h"
enum {
    POINTS_TO_SHARE = 100000 /* fewer points are stepped by one thread, as waiting would cost more than the work */
};

static char rig_name[] = "rig";

void rig_begin(struct rig *r, double rate)
{
    memset(r, 0, sizeof *r);
    struct room *room = &r->room;
    room->path = rig_name;
    room->materials = r->materials;
    room->material_count = 1;
    r->materials[0] = (struct material){.name = rig_name, .kind = MATERIAL_RIGID};
    room->instruments = r->instruments;
    room->pickups = r->pickups;
    room->events = r->events;
    room->sources = r->sources;
    room->receivers = r->receivers;
    room->air.temperature = 20.0;
    room->air.humidity = 50.0;
    room->air.pressure = 101.325;
    room->grid.rate = rate;
    room->grid.precision = PRECISION_DOUBLE;
    room->output.filter = FILTER_NONE;
    room->output.dispersion = 0.02;
    room->duration = 1.0;
    r->score.events = r->events;
}

void rig_end(struct rig *r)
{
    performance_problem_free(&r->problem);
    ensemble_free(r->ensemble);
    model_free(r->model);
    r->ensemble = NULL;
    r->model = NULL;
}

struct instrument *rig_copy(struct rig *r, const struct instrument *instrument)
{
    struct instrument *i = &r->instruments[r->room.instrument_count++];
    *i = *instrument;
    return i;
}

struct instrument *rig_instrument(struct rig *r, enum instrument_type type)
{
    return rig_copy(r, &(struct instrument){.name = rig_name,
                                            .type = type,
                                            .normal = AXIS_Z,
                                            .decay = {INFINITY, INFINITY},
                                            .decay_at = {100.0, 1000.0},
                                            .body_index = SIZE_MAX});
}

void rig_play(struct rig *r, const struct instrument *instrument, double u, double v)
{
    r->events[r->score.count++] = (struct event){
        .instrument = (size_t)(instrument - r->instruments), .place = {u, v}, .force = 1e-3, .duration = 1e-3};
    r->room.event_count = r->score.count;
}

void rig_hear(struct rig *r, const struct instrument *instrument, double u, double v)
{
    r->pickups[r->room.pickup_count++] =
        (struct pickup){.name = rig_name, .instrument = (size_t)(instrument - r->instruments), .place = {u, v}};
}

struct source *rig_source(struct rig *r, double x, double y, double z)
{
    struct source *s = &r->sources[r->room.source_count++];
    *s = (struct source){.name = rig_name, .position = {x, y, z}, .signal = SIGNAL_IMPULSE, .gain = 1.0};
    return s;
}

void rig_receiver(struct rig *r, double x, double y, double z)
{
    r->receivers[r->room.receiver_count++] = (struct receiver){.name = rig_name, .position = {x, y, z}};
}

static void use_walls(struct rig *r)
{
    for (int wall = 0; wall < FACES; wall++)
        r->room.walls[wall] = r->room.material_count;
    r->room.material_count++;
}

void rig_impedance(struct rig *r, double impedance)
{
    r->materials[r->room.material_count] =
        (struct material){.name = rig_name, .kind = MATERIAL_IMPEDANCE, .impedance = impedance};
    use_walls(r);
}

void rig_absorption(struct rig *r, const double absorption[OCTAVE_BANDS])
{
    struct material *m = &r->materials[r->room.material_count];
    *m = (struct material){.name = rig_name, .kind = MATERIAL_ABSORPTION};
    memcpy(m->absorption, absorption, sizeof m->absorption);
    use_walls(r);
}

struct piece rig_piece(const struct rig *r)
{
    return (struct piece){.room = &r->room,
                          .model = r->model,
                          .ensemble = r->ensemble,
                          .score = &r->score,
                          .rate = r->model ? r->model->grid.rate : r->room.grid.rate,
                          .source_count = r->model ? r->room.source_count : 0};
}

int rig_build(struct rig *r, bool in_air, struct error *e)
{
    if ((in_air && model_make_for(&r->model, &r->room, &(struct grid_use){.purpose = PURPOSE_INSTRUMENTS}, e)) ||
        ensemble_make(&r->ensemble, &r->room, &r->score, r->model, r->room.grid.rate, e))
        return -1;
    const struct piece piece = rig_piece(r);
    return performance_problem_make(&r->problem, &piece, e);
}

int rig_tap(struct rig *r, size_t pickup, uint16_t array, size_t point, struct error *e)
{
    struct channel *c = &r->problem.taps[(r->model ? room_tap_count(&r->room) : 0) + pickup];
    struct channel_entry *entry = calloc(1, sizeof *entry);
    if (!entry)
        return fail(e, ERROR_MEMORY, "out of memory");
    *entry = (struct channel_entry){point, 1.0, array, 1};
    free(c->entries);
    *c = (struct channel){entry, 1};
    return 0;
}

enum { PART = 64 }; /* steps between checks for stop */

int rig_run(const struct rig *r, const struct solver_options *choice, size_t steps, const double *drive, double *taps,
            struct error *e)
{
    return rig_run_problem(r, &r->problem.problem, choice, steps, drive, taps, e);
}

int rig_run_problem(const struct rig *r, const struct problem *problem, const struct solver_options *choice,
                    size_t steps, const double *drive, double *taps, struct error *e)
{
    struct solver *solver = NULL;
    struct solver_options one = *choice;
    if (!one.threads && (!r->model || grid_points(&r->model->grid) < POINTS_TO_SHARE))
        one.threads = 1;
    if (solver_open(&solver, problem, &one, e))
        return -1;
    int status = 0;
    for (size_t done = 0, part; done < steps && !status; done += part) {
        const struct block b = {drive ? drive + done : NULL, steps, taps ? taps + done : NULL, steps};
        part = steps - done < PART ? steps - done : PART;
        status = stop_check(e) || solver_run(solver, part, &b, e);
    }
    solver_close(solver);
    return status;
}

int rig_pattern(struct channel *c, const struct voice *voice, const struct pattern *pattern, struct error *e)
{
    const struct surface *s = voice->surface;
    *c = (struct channel){calloc(s->nx * s->ny, sizeof *c->entries), 0};
    if (!c->entries)
        return fail(e, ERROR_MEMORY, "out of memory");
    for (size_t i = 0; i < s->nx * s->ny; i++) {
        const double x = voice->grid.first[0] + (double)(i % s->nx) * voice->grid.spacing[0];
        const double y = voice->grid.first[1] + (double)(i / s->nx) * voice->grid.spacing[1];
        const double weight = s->kind[i] ? pattern->at(pattern, x, y) / s->lightness[i] : 0.0; /* weighted by mass */
        if (weight != 0.0)
            c->entries[c->count++] = (struct channel_entry){i, weight, voice->array, 1};
    }
    return 0;
}
