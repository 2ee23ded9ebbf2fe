/* SPDX-License-Identifier: MIT */
#include "render/modes/room_modes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "dsp/modes/damped.h"
#include "render/mapping.h"
#include "render/modes/places.h"
#include "render/simulate.h"
#include "room/grid/reverberation.h"
#include "solver/schemes/isotropic19/isotropic19.h"

static const double GUARD = 40.0;       /* Hz: edges of the bands' filters */
static const double REFINED = 12.0;     /* the finest spacing over the coarsest */
static const double WORK = 1e10;        /* points times steps that a finer spacing may take */
static const double SHORTEST = 1.0;     /* s of response, after the filters */
static const double LONGEST = 3.0;      /* s */
static const double VALID_MARGIN = 1.2; /* the grid's valid band over `to` */

static double largest(const double size[3])
{
    return fmax(size[0], fmax(size[1], size[2]));
}

double modes_weyl(const void *room_modes, double frequency)
{
    const struct room_modes *r = room_modes;
    const struct model *m = r->model;
    const double k = frequency / m->grid.sound_speed;
    const double edges = 4.0 * (m->grid.size[0] + m->grid.size[1] + m->grid.size[2]);
    return 4.0 * M_PI / 3.0 * m->space.volume * k * k * k + 0.25 * M_PI * m->space.surface * k * k + edges / 8.0 * k;
}

static int check_room(const struct room *room, double to, struct error *e)
{
    if (damped_unavailable())
        return fail(e, ERROR_ENGINE, "modes: %s", damped_unavailable());
    if (room->sized_by_points)
        return fail(e, ERROR_INPUT, "%s: room.points: modes need a grid of their own; give room.size in metres",
                    room->path);
    const double lowest = 0.5 * sound_speed(room->air.temperature) / largest(room->size);
    if (!(to >= 1.1 * lowest))
        return fail(e, ERROR_USAGE,
                    "--to %g: no mode lies so low; the lowest mode of %s is near %.1f Hz, so use a "
                    "higher value",
                    to, room->path, lowest);
    return 0;
}

/* The room on a grid of this spacing. */
static void set_grid(struct room *room, double spacing, double to)
{
    const double speed = sound_speed(room->air.temperature);
    room->grid.scheme = GRID_SCHEME_19_POINT;
    room->grid.courant = 0.0;
    room->grid.rate = speed / (sqrt(ISOTROPIC19_COURANT_SQUARED) * spacing);
    room->grid.max_frequency = 0.0;
    room->grid.points_per_wavelength = speed / (spacing * VALID_MARGIN * to);
    room->grid.precision = PRECISION_DOUBLE;
    room->output.filter = FILTER_VALID;
    room->output.rate = 0.0;
    room->hybrid.full = false;
    room->instrument_count = room->pickup_count = room->event_count = 0;
}

/* Finer spacings only as far as the work stays small. */
static void choose_spacing(struct room_modes *r, const struct room *room, double to)
{
    const double speed = sound_speed(room->air.temperature),
                 coarsest = fmin(speed / ((r->points > 0.0 ? r->points : MODES_POINTS) * to), 0.25 * room->size[2]);
    const double volume = room->size[0] * room->size[1] * room->size[2];
    const double steps = 2.0 * speed / sqrt(ISOTROPIC19_COURANT_SQUARED);
    const double affordable = pow(volume * steps / WORK, 0.25); /* X⁴ = V · 2 s · c/λ / work */
    r->spacing = spacing_find(room, coarsest, fmin(coarsest, fmax(coarsest / REFINED, affordable)));
}

static int make_model(struct room_modes *r, const struct room *room, double to, struct error *e)
{
    choose_spacing(r, room, to);
    if (!(room->size[0] * room->size[1] * room->size[2] <= GRID_POINTS_MAX * pow(r->spacing.metres, 3.0)))
        return fail(e, ERROR_USAGE, "--to %g: the grid would have more than 1e13 points; lower --to", to);
    r->grid_room = *room;
    set_grid(&r->grid_room, r->spacing.metres, to);
    if (model_make(&r->model, &r->grid_room, e))
        return -1;
    const struct model *m = r->model;
    for (int axis = 0; axis < 3; axis++)
        r->size_error = fmax(r->size_error, fabs(m->grid.size[axis] / room->size[axis] - 1.0));
    r->to = to;
    r->low = 0.45 * m->grid.sound_speed / largest(m->grid.size);
    r->expected = modes_weyl(r, to) - modes_weyl(r, r->low);
    if (r->expected <= MODES_MAX)
        return 0;
    double possible = to;
    while (modes_weyl(r, possible) > MODES_MAX)
        possible *= 0.98;
    return fail(e, ERROR_USAGE,
                "--to %g: about %.0f modes are expected, and at most %d can be told apart; use --to %.0f", to,
                r->expected, MODES_MAX, floor(possible / 5.0) * 5.0);
}

/* All sources, all receivers, and places of our own. */
static int take_places(struct room_modes *r, const struct room *room, struct error *e)
{
    double own[OWN_PLACES][3];
    size_t own_count;
    if (own_places_find(own, &own_count, r->model, e))
        return -1;
    r->named = room->source_count + room->receiver_count;
    r->places = calloc(r->named + own_count, sizeof *r->places);
    r->positions = calloc(r->named + own_count, sizeof *r->positions);
    if (!r->places || !r->positions)
        return fail(e, ERROR_MEMORY, "out of memory");
    for (size_t i = 0; i < r->named + own_count; i++) {
        const bool receiver = i >= room->source_count && i < r->named;
        const double *at = i < room->source_count ? room->sources[i].position
                           : receiver             ? receiver_place(&room->receivers[i - room->source_count], 0)
                                                  : own[i - r->named];
        r->places[i].name = i >= r->named ? NULL
                            : receiver    ? room->receivers[i - room->source_count].name
                                          : room->sources[i].name;
        r->places[i].receiver = receiver;
        memcpy(r->places[i].position, at, sizeof r->places[i].position);
        memcpy(r->positions[i], at, sizeof r->positions[i]);
    }
    r->place_count = r->named + own_count;
    return 0;
}

/* An impulse in the corner nearest the origin, where no mode of a box has a node. */
static int make_run(struct room_modes *r, struct error *e)
{
    static char source[] = "corner", receiver[] = "places";
    r->source = (struct source){.name = source, .signal = SIGNAL_IMPULSE, .gain = 1.0};
    memcpy(r->source.position, r->positions[r->named], sizeof r->source.position);
    r->receiver = (struct receiver){.name = receiver, .kind = RECEIVER_ARRAY};
    r->receiver.array.shape = ARRAY_LIST;
    r->receiver.array.positions = r->receiver.array.places = r->positions;
    r->receiver.array.position_count = r->receiver.array.place_count = r->place_count;
    memcpy(r->receiver.position, r->positions[0], sizeof r->receiver.position);
    r->run_room = r->grid_room;
    r->run_room.sources = &r->source;
    r->run_room.receivers = &r->receiver;
    r->run_room.source_count = r->run_room.receiver_count = 1;
    return model_make(&r->run, &r->run_room, e);
}

/* s: as long as the slowest octave decays by 60 dB, within limits, and long enough that the data matrix of a band of
 * B Hz, with 0.8 B T rows, has half more rows than modes at the upper end of the range. */
static double useful_seconds(const struct room_modes *r)
{
    struct reverberation times;
    reverberation_estimate(&times, r->run);
    const double estimate = times.eyring[times.longest];
    const double decay = isfinite(estimate) ? fmin(LONGEST, fmax(SHORTEST, estimate)) : LONGEST;
    return fmax(decay, 1.9 * (modes_weyl(r, r->to + GUARD) - modes_weyl(r, r->to)) / GUARD);
}

static double true_frequency(const struct room_modes *r, double frequency)
{
    const double rate = r->run->grid.rate;
    return rate * isotropic19_true_frequency(frequency / rate);
}

static double grid_frequency(const struct room_modes *r, double frequency)
{
    const double rate = r->run->grid.rate;
    return rate * isotropic19_grid_frequency(frequency / rate);
}

/* Of the drive's high-pass (response.h), whose effect on the level of a mode is taken back. */
static double high_pass_gain(double frequency)
{
    return 1.0 / (1.0 + pow(RESPONSE_HIGH_PASS / frequency, 2.0));
}

/* From the poles on the grid to the modes of the air: f = F(f_n), δ = F'(f_n) δ_n + c α(f). */
static int take_mode(struct room_modes *r, struct room_mode *mode, const struct found_mode *found, double strongest,
                     struct error *e)
{
    const double step = 1e-3 * found->frequency, rate = r->run->grid.rate;
    const double slope =
        (true_frequency(r, found->frequency + step) - true_frequency(r, found->frequency - step)) / (2.0 * step);
    const struct air_conditions air = air_conditions(r->run->room);
    mode->frequency = true_frequency(r, found->frequency);
    const double by_air =
        r->run->room->air.losses ? r->run->grid.sound_speed * air_absorption(mode->frequency, &air) : 0.0;
    mode->t60 = 3.0 * M_LN10 / (slope * found->decay + by_air);
    mode->level = 20.0 * log10(found->strength / strongest / high_pass_gain(found->frequency));
    mode->exponent = (-found->decay + I * (2.0 * M_PI * found->frequency)) / rate;
    mode->heard = malloc((r->named + 1) * sizeof *mode->heard);
    if (!mode->heard)
        return fail(e, ERROR_MEMORY, "out of memory");
    for (size_t p = 0; p < r->named; p++)
        mode->heard[p] = 20.0 * log10(fmax(cabs(found->amplitudes[p]) / found->largest, 1e-6));
    return 0;
}

static int compare(const void *a, const void *b)
{
    const double first = *(const double *)a, second = *(const double *)b;
    return (first > second) - (first < second);
}

static double median_time(const struct room_modes *r, struct error *e)
{
    double *times = malloc((r->count + 1) * sizeof *times), median = NAN;
    if (!times) {
        fail(e, ERROR_MEMORY, "out of memory");
        return NAN;
    }
    for (size_t i = 0; i < r->count; i++)
        times[i] = r->modes[i].t60;
    qsort(times, r->count, sizeof *times, compare);
    if (r->count)
        median = times[r->count / 2];
    free(times);
    return median;
}

static int take_modes(struct room_modes *r, const struct mode_list *list, struct error *e)
{
    double strongest = 0.0;
    r->modes = calloc(list->count + 1, sizeof *r->modes);
    r->bands = calloc(list->band_count + 1, sizeof *r->bands);
    if (!r->modes || !r->bands)
        return fail(e, ERROR_MEMORY, "out of memory");
    r->band_count = list->band_count;
    for (size_t i = 0; i < list->band_count; i++) {
        r->bands[i] = list->bands[i];
        r->bands[i].low = true_frequency(r, r->bands[i].low);
        r->bands[i].high = true_frequency(r, r->bands[i].high);
    }
    for (size_t i = 0; i < list->count; i++)
        strongest = fmax(strongest, list->modes[i].strength / high_pass_gain(list->modes[i].frequency));
    for (size_t i = 0; i < list->count; i++) {
        struct room_mode *mode = &r->modes[r->count++];
        if (take_mode(r, mode, &list->modes[i], strongest, e))
            return -1;
        mode->resolved = list->bands[list->modes[i].band].resolved;
    }
    room_modes_name(r, list->modes);
    const double time = median_time(r, e);
    r->schroeder = schroeder_frequency(time, r->model->space.volume);
    return 0;
}

/* Steps the run, with the impulse at step 0, and searches what follows it. */
static int search(struct room_modes *r, const struct solver_options *choice, const struct watch *watch, struct error *e)
{
    double sample[1];
    const struct excitation impulse = mapping_impulse(sample);
    struct simulation simulation = {.steps = 0};
    struct mode_list list = {0};
    const double rate = r->run->grid.rate;
    r->seconds = mode_record_length(GUARD, r->low, useful_seconds(r));
    r->steps = (size_t)ceil(r->seconds * rate);
    const struct length length = {.seconds = r->seconds, .steps = r->steps, .max = r->seconds};
    int status = simulate(&simulation, r->run, 0, 1, &impulse, 0, &length, choice, watch, e);
    const struct mode_records records = {simulation.traces.samples, simulation.traces.channels,
                                         simulation.traces.frames, rate};
    const struct mode_wish wish = {.low = grid_frequency(r, r->low),
                                   .high = grid_frequency(r, r->to),
                                   .count = modes_weyl,
                                   .context = r,
                                   .guard = GUARD};
    if (!status)
        status = mode_search(&list, &records, &wish, e) || take_modes(r, &list, e) ? -1 : 0;
    mode_list_free(&list);
    traces_free(&simulation.traces);
    return status;
}

int room_modes_find(struct room_modes *r, const struct room *room, double to, const struct solver_options *choice,
                    const struct watch *watch, struct error *e)
{
    return check_room(room, to, e) || make_model(r, room, to, e) || take_places(r, room, e) || make_run(r, e) ||
                   search(r, choice, watch, e)
               ? -1
               : 0;
}

void room_modes_free(struct room_modes *r)
{
    for (size_t i = 0; i < r->count; i++)
        free(r->modes[i].heard);
    free(r->modes);
    free(r->bands);
    free(r->places);
    free(r->positions);
    model_free(r->model);
    model_free(r->run);
    memset(r, 0, sizeof *r);
}
