/* SPDX-License-Identifier: MIT */
/* Places for subwoofers and pairs of loudspeakers. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "app/api/handles.h"
#include "base/acoustics/conventions.h"
#include "base/text.h"
#include "render/place/place.h"

struct aula_place {
    struct place found;
    char *equaliser[2]; /* by enum aula_equaliser */
    char **warnings, **materials;
    size_t warning_count, material_count;
};

void aula_place_close(struct aula_place *place)
{
    if (!place)
        return;
    lines_free(place->warnings, place->warning_count);
    lines_free(place->materials, place->material_count);
    free(place->equaliser[AULA_EQUALISER_APO]);
    free(place->equaliser[AULA_EQUALISER_REW]);
    place_free(&place->found);
    free(place);
}

int aula_place_defaults(struct aula_place_options *options)
{
    if (!options)
        return -1;
    memset(options, 0, sizeof *options);
    options->subs = 1;
    options->low = PLACE_LOW;
    options->high = PLACE_HIGH;
    options->clearance = PLACE_CLEARANCE;
    options->delay = 1e-3 * PLACE_DELAY;
    options->gain = PLACE_GAIN;
    options->boost = PLACE_BOOST;
    return 0;
}

static int find_facing(struct call *call, int *facing, const char *name)
{
    *facing = -1;
    for (int i = 0; name && i < PLACE_FACINGS; i++)
        if (!strcasecmp(name, place_facings[i]))
            *facing = i;
    return name && *facing < 0 ? fail(&call->error, ERROR_USAGE,
                                      "facing is not a direction that the listener can face; use x, -x, y or -y")
                               : 0;
}

static int take_wish(struct call *call, struct place_wish *wish, const struct aula_place_options *o)
{
    const struct place_limits limits = {
        .subs = (double)o->subs, .delay = 1e3 * o->delay, .gain = o->gain, .equal = o->equal != 0};
    *wish = (struct place_wish){.seats = o->seats,
                                .candidates = o->candidates,
                                .clearance = o->clearance,
                                .low = o->low,
                                .high = o->high,
                                .max_frequency = o->max_frequency,
                                .boost = o->boost,
                                .walls = o->walls != 0};
    if (!(o->delay >= 0.0 && o->delay <= 0.1)) /* as the command, which says it in ms */
        return fail(&call->error, ERROR_USAGE, "delay is %g s; must be from 0 to 0.1 s", o->delay);
    return call_check_reserved(call, o->reserved, sizeof o->reserved / sizeof *o->reserved, "what") ||
                   find_facing(call, &wish->facing, o->facing) || place_wish_set(wish, &limits, &call->error)
               ? -1
               : 0;
}

static int fill(struct aula_place *place, const struct room *room, struct error *e)
{
    static const enum equaliser_format formats[2] = {
        [AULA_EQUALISER_APO] = EQUALISER_APO, [AULA_EQUALISER_REW] = EQUALISER_REW};
    for (int i = 0; i < 2; i++)
        if (!(place->equaliser[i] = equaliser_text(&place->found.equaliser, formats[i])))
            return fail(e, ERROR_MEMORY, "out of memory");
    for (size_t i = 0; i < room->material_count; i++)
        if (lines_add(&place->materials, &place->material_count, e, "%s", room->materials[i].name))
            return -1;
    return place_doubts(&place->warnings, &place->warning_count, &place->found, e);
}

static int make(struct call *call, struct aula_place **out, const struct aula_room *room,
                const struct aula_place_options *what, const struct aula_options *options)
{
    struct aula_place_options defaults;
    struct call_options given;
    struct place_wish wish;
    if (!out)
        return call_refuse_null(call, "place", "the address of a pointer");
    *out = NULL;
    if (!room)
        return call_refuse_null(call, "room", "a room of aula_room_open");
    aula_place_defaults(&defaults);
    if (take_wish(call, &wish, what ? what : &defaults) || call_take_options(&given, call, options))
        return -1;
    struct aula_place *place = calloc(1, sizeof *place);
    if (!place)
        return fail(&call->error, ERROR_MEMORY, "out of memory");
    struct aula_room *held = room_hold(room); /* `progress` may close the room */
    const int status = place_make(&place->found, &wish, room->room, &given.choice, &given.watch, &call->error) ||
                       fill(place, room->room, &call->error);
    place->found.wish.seats = place->found.wish.candidates = NULL; /* of the caller */
    room_release(held);
    if (status) {
        aula_place_close(place);
        return -1;
    }
    *out = place;
    return 0;
}

int aula_place_make(struct aula_place **place, const struct aula_room *room, const struct aula_place_options *what,
                    const struct aula_options *options, struct aula_error *error)
{
    struct call call;
    if (call_begin(&call, error))
        return -1;
    return call_end(&call, make(&call, place, room, what, options));
}

const char *aula_place_warning(const struct aula_place *place, size_t index)
{
    return place && index < place->warning_count ? place->warnings[index] : NULL;
}

int aula_place_search(const struct aula_place *place, struct aula_placing *search)
{
    if (!search)
        return -1;
    memset(search, 0, sizeof *search);
    search->spacing = search->duration = search->difference = search->preamp = search->target = NAN;
    if (!place)
        return -1;
    const struct place *p = &place->found;
    search->spacing = p->spacing;
    search->duration = p->seconds;
    search->difference = p->difference;
    search->preamp = p->equaliser.preamp;
    search->target = p->equaliser.target;
    search->scored = (double)p->found.scored;
    search->exhaustive = p->found.exhaustive;
    return 0;
}

/* ---- Sets ---- */

size_t aula_place_count(const struct aula_place *place)
{
    return place ? place->found.found.count : 0;
}

int aula_place_set(const struct aula_place *place, size_t rank, struct aula_sub_set *set)
{
    if (!set)
        return -1;
    memset(set, 0, sizeof *set);
    set->spread = set->spread_of_seats = set->output = NAN;
    if (rank >= aula_place_count(place))
        return -1;
    const struct place_set *s = &place->found.found.sets[rank];
    set->spread = s->score.spread;
    set->spread_of_seats = s->score.seats;
    set->output = s->score.output;
    set->pareto = place->found.found.pareto[rank];
    set->subs = s->count;
    set->seat = s->seat;
    return 0;
}

int aula_place_sub(const struct aula_place *place, size_t rank, size_t index, struct aula_sub *sub)
{
    if (!sub)
        return -1;
    memset(sub, 0, sizeof *sub);
    sub->delay = sub->gain = NAN;
    if (rank >= aula_place_count(place) || index >= place->found.found.sets[rank].count)
        return -1;
    const struct place_set *s = &place->found.found.sets[rank];
    sub->candidate = s->candidate[index];
    sub->delay = 1e-3 * place_delay(&place->found, s, index);
    sub->gain = place_gain(&place->found, s, index);
    sub->inverted = s->setting[index].inverted;
    return 0;
}

/* ---- Seats and candidates ---- */

/* Of a pair, all listeners that were compared. */
static const struct place_points *seats_of(const struct aula_place *place)
{
    return place->found.wish.facing < 0 ? &place->found.seats : &place->found.listeners;
}

static int give_position(double position[3], const struct place_points *points, size_t index)
{
    const bool there = points && index < points->count;
    for (int axis = 0; position && axis < 3; axis++)
        position[axis] = there ? points->at[index][axis] : NAN;
    return there ? 0 : -1;
}

size_t aula_place_seat_count(const struct aula_place *place)
{
    return place ? seats_of(place)->count : 0;
}

const char *aula_place_seat_name(const struct aula_place *place, size_t seat)
{
    return seat < aula_place_seat_count(place) ? seats_of(place)->name[seat] : NULL;
}

int aula_place_seat_position(const struct aula_place *place, size_t seat, double position[3])
{
    return give_position(position, place ? seats_of(place) : NULL, seat);
}

size_t aula_place_candidate_count(const struct aula_place *place)
{
    return place ? place->found.candidates.count : 0;
}

const char *aula_place_candidate_name(const struct aula_place *place, size_t candidate)
{
    return candidate < aula_place_candidate_count(place) ? place->found.candidates.name[candidate] : NULL;
}

int aula_place_candidate_position(const struct aula_place *place, size_t candidate, double position[3])
{
    return give_position(position, place ? &place->found.candidates : NULL, candidate);
}

double aula_place_candidate_spread(const struct aula_place *place, size_t candidate)
{
    return candidate < aula_place_candidate_count(place) ? place->found.found.least[candidate] : NAN;
}

/* ---- The first set ---- */

size_t aula_place_band_count(const struct aula_place *place)
{
    return place ? place->found.bands.count : 0;
}

double aula_place_frequency(const struct aula_place *place, size_t band)
{
    return band < aula_place_band_count(place) ? place->found.bands.centre[band] : NAN;
}

size_t aula_place_level_count(const struct aula_place *place)
{
    return place ? place->found.seats.count : 0;
}

double aula_place_level(const struct aula_place *place, size_t seat, size_t band)
{
    return seat < aula_place_level_count(place) && band < aula_place_band_count(place)
               ? place->found.levels[seat * place->found.bands.count + band]
               : NAN;
}

double aula_place_mean(const struct aula_place *place, size_t band)
{
    return band < aula_place_band_count(place) ? place->found.mean[band] : NAN;
}

size_t aula_place_filter_count(const struct aula_place *place)
{
    return place ? place->found.equaliser.count : 0;
}

int aula_place_filter(const struct aula_place *place, size_t index, struct aula_filter *filter)
{
    if (!filter)
        return -1;
    memset(filter, 0, sizeof *filter);
    filter->frequency = filter->gain = filter->q = NAN;
    if (index >= aula_place_filter_count(place))
        return -1;
    const struct equaliser_filter *f = &place->found.equaliser.filter[index];
    filter->frequency = f->frequency;
    filter->gain = f->gain;
    filter->q = f->q;
    return 0;
}

const char *aula_place_equaliser(const struct aula_place *place, enum aula_equaliser format)
{
    return place && (int)format >= AULA_EQUALISER_APO && (int)format <= AULA_EQUALISER_REW ? place->equaliser[format]
                                                                                           : NULL;
}

/* ---- Walls ---- */

size_t aula_place_wall_count(const struct aula_place *place)
{
    return place && place->found.wish.walls ? place->found.walls.count : 0;
}

int aula_place_wall(const struct aula_place *place, size_t index, struct aula_wall_area *area)
{
    if (!area)
        return -1;
    memset(area, 0, sizeof *area);
    area->centre[0] = area->centre[1] = area->centre[2] = area->area = area->change = area->density = NAN;
    if (index >= aula_place_wall_count(place))
        return -1;
    const struct wall_area *w = &place->found.walls.area[index];
    area->wall = face_names[w->wall];
    memcpy(area->centre, w->centre, sizeof area->centre);
    area->area = w->area;
    area->change = w->change;
    area->material = place->materials[w->material];
    area->band = w->band;
    area->density = w->density;
    return 0;
}
