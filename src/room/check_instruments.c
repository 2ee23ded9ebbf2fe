/* SPDX-License-Identifier: MIT */
/* Checks of instruments, pickups and events that involve several keys. Each key has been checked on
 * its own by then. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "room/instrument.h"
#include "room/notes.h"
#include "room/reader.h"

static int refuse(struct reader *r, size_t index, const char *key, const char *what)
{
    return reader_refuse_at(r, &r->room->instruments[index].origin, "instruments[%zu].%s: %s", index, key, what);
}

static int check_outline(struct reader *r, size_t index, struct instrument *i)
{
    const enum outline given = i->radius > 0 ? OUTLINE_CIRCLE : OUTLINE_RECTANGLE;
    if (instrument_is_line(i))
        return 0;
    if ((unsigned)i->outline == CHOICE_OPEN)
        i->outline = given;
    if (i->outline != given)
        return refuse(r, index, "outline",
                      given == OUTLINE_CIRCLE ? "a rectangle has sides, not a radius; remove outline or radius"
                                              : "a circle has a radius, not sides; remove outline or sides");
    return 0;
}

/* The instrument and its shell must lie inside the room. */
static int check_extent(struct reader *r, size_t index, const struct instrument *i)
{
    const struct room *room = r->room;
    size_t side = 0;
    for (size_t axis = 0; axis < 3; axis++) {
        const bool across = axis == (size_t)i->normal;
        const double half = across ? 0 : i->outline == OUTLINE_CIRCLE ? i->radius : 0.5 * i->sides[side++];
        const double low = i->position[axis] - (across ? i->shell : half), high = i->position[axis] + half;
        const char *const part = across && i->shell > 0 ? "the instrument with its shell" : "the instrument";
        const double lower = room->lower[axis], upper = lower + room->size[axis];
        if (low >= lower && (room->sized_by_points || high <= upper))
            continue;
        if (room->sized_by_points)
            return reader_refuse_at(
                r, &i->origin,
                "instruments[%zu].position: %s spans %c = %g to %g m, outside the room, which starts at 0", index, part,
                "xyz"[axis], low, high);
        return reader_refuse_at(
            r, &i->origin,
            "instruments[%zu].position: %s spans %c = %g to %g m, outside the room, which spans %g to %g m", index,
            part, "xyz"[axis], low, high, lower, upper);
    }
    return 0;
}

static int check_decay(struct reader *r, size_t index, const struct instrument *i)
{
    const double low = i->decay_at[0], high = i->decay_at[1];
    if (!(high > low))
        return reader_refuse_at(
            r, &i->origin, "instruments[%zu].decay_at: %g and %g Hz are not ascending; put the lower frequency first",
            index, low, high);
    if (i->decay[1] > i->decay[0])
        return reader_refuse_at(r, &i->origin,
                                "instruments[%zu].decay: %g s at %g Hz is longer than %g s at %g Hz, but losses grow "
                                "with frequency; use at most the same",
                                index, i->decay[1], high, i->decay[0], low);
    const double min = i->decay[0] * instrument_loss_ratio(i, low, high);
    if (i->decay[1] < min * (1.0 - 1e-9))
        return reader_refuse_at(r, &i->origin,
                                "instruments[%zu].decay: %g s at %g Hz is too short for %g s at %g Hz, as the loss at "
                                "low frequencies would be negative; use at least %.3g s",
                                index, i->decay[1], high, i->decay[0], low, min);
    return 0;
}

static int check_body(struct reader *r, size_t index, struct instrument *i)
{
    char why[INSTRUMENT_WHY], what[INSTRUMENT_WHY + 64];
    i->body_index = SIZE_MAX;
    if (!i->body)
        return 0;
    i->body_index = instrument_find(r->room, i->body, why);
    if (i->body_index == SIZE_MAX)
        return refuse(r, index, "body", why);
    if (reader_found_wrong(r, &r->room->instruments[i->body_index]))
        return 0;
    const struct instrument *body = &r->room->instruments[i->body_index];
    if (instrument_is_line(body) || body->type == INSTRUMENT_WIND) {
        snprintf(what, sizeof what, "\"%.64s\" is a %s; name a membrane or a plate", body->name,
                 instrument_type_names[body->type]);
        return refuse(r, index, "body", what);
    }
    if (instrument_check_place(body, i->body_place, why))
        return refuse(r, index, "body_place", why);
    if (i->termination == TERMINATION_SPRING && !(i->spring > 0))
        return refuse(r, index, "spring", "is missing; set it in N/m with termination = \"spring\"");
    if (i->termination != TERMINATION_SPRING && i->spring > 0)
        return refuse(r, index, "spring", "is used with termination = \"spring\" only; remove it or set termination");
    return 0;
}

/* A key that only some excitations use. */
struct excitation_key {
    const char *name;
    size_t offset;
    double fallback; /* NAN: required */
    bool thrown, bowed;
};

static const struct excitation_key excitation_keys[] = {
    {"velocity", offsetof(struct instrument, velocity), 2.0, true, true},
    {"mallet_mass", offsetof(struct instrument, mallet_mass), NAN, true, false},
    {"mallet_stiffness", offsetof(struct instrument, mallet_stiffness), NAN, true, false},
    {"mallet_exponent", offsetof(struct instrument, mallet_exponent), NAN, true, false},
    {"mallet_loss", offsetof(struct instrument, mallet_loss), 0.0, true, false},
    {"bow_force", offsetof(struct instrument, bow_force), 0.5, false, true},
    {"bow_friction", offsetof(struct instrument, bow_friction), 0.8, false, true},
    {"bow_friction_speed", offsetof(struct instrument, bow_friction_speed), 0.1, false, true},
};

static int check_excitation(struct reader *r, size_t index, struct instrument *i)
{
    char what[128];
    const bool thrown = is_thrown(i->played), bowed = i->played == EXCITATION_BOW;
    if (!instrument_is_line(i) && i->played != EXCITATION_STRIKE && i->played != EXCITATION_MALLET) {
        snprintf(what, sizeof what, "only strings and bars can be played with \"%s\"; use \"strike\" or \"mallet\"",
                 excitation_names[i->played]);
        return refuse(r, index, "played", what);
    }
    for (size_t k = 0; k < sizeof excitation_keys / sizeof *excitation_keys; k++) {
        const struct excitation_key *key = &excitation_keys[k];
        double *value = (double *)((char *)i + key->offset);
        const bool used = (thrown && key->thrown) || (bowed && key->bowed);
        if (*value > 0 && !used) {
            snprintf(what, sizeof what, "is used with played = %s only; remove it or set played",
                     key->thrown && key->bowed ? "\"mallet\", \"hammer\" or \"bow\""
                     : key->thrown             ? "\"mallet\" or \"hammer\""
                                               : "\"bow\"");
            return refuse(r, index, key->name, what);
        }
        if (*value > 0 || !used)
            continue;
        if (isnan(key->fallback)) {
            snprintf(what, sizeof what, "is missing; set it with played = \"%s\"", excitation_names[i->played]);
            return refuse(r, index, key->name, what);
        }
        *value = key->fallback;
        if (bowed && value == &i->velocity)
            *value = 0.2;
        if (value == i->bow_friction)
            i->bow_friction[1] = 0.3;
    }
    if (bowed && i->bow_friction[1] > i->bow_friction[0])
        return refuse(r, index, "bow_friction", "friction must not grow with speed; put the coefficient at rest first");
    if (i->torsion && !bowed)
        return refuse(r, index, "torsion", "is used with played = \"bow\" only; remove it or set played");
    /* their ratio is that of the moment of inertia to the mass times the squared radius */
    if (i->torsion && i->torsion_impedance_ratio > i->torsion_speed_ratio)
        return refuse(r, index, "torsion_impedance_ratio",
                      "exceeds torsion_speed_ratio, as if more than all mass of the string lay at its surface; a solid "
                      "string has half of it");
    return 0;
}

/* Half the shorter side, or the radius. */
static double half_width(const struct instrument *i)
{
    return i->outline == OUTLINE_CIRCLE ? i->radius : 0.5 * fmin(i->sides[0], i->sides[1]);
}

/* What the instrument hits as it moves. */
static int check_barriers(struct reader *r, size_t index, const struct instrument *i)
{
    char why[INSTRUMENT_WHY];
    if (i->rattle_stiffness > 0 && instrument_check_place(i, i->rattle_place, why))
        return refuse(r, index, "rattle_place", why);
    if (i->frets && i->fret_gap > 0.1 * i->length)
        return refuse(r, index, "fret_gap", "exceeds a tenth of the length; use a smaller distance");
    if (!i->snares)
        return 0;
    const double across = i->outline == OUTLINE_CIRCLE ? 2.0 * i->radius : i->sides[1];
    if (!(i->snare_length > 0))
        return refuse(r, index, "snare_length", "is missing; set it in m with snares");
    if (!(i->snare_length < across))
        return refuse(r, index, "snare_length", "exceeds the diameter, or second side, of the head; use shorter wires");
    if ((double)(i->snares - 1) * i->snare_spacing >= 0.8 * (i->outline == OUTLINE_CIRCLE ? across : i->sides[0]))
        return refuse(r, index, "snare_spacing", "spreads the wires over the edge of the head; lower it, or snares");
    return 0;
}

static int check_stretching(struct reader *r, size_t index, const struct instrument *i)
{
    if (!i->large_amplitude)
        return 0;
    if (i->type == INSTRUMENT_STRING && i->ends != ENDS_SUPPORTED)
        return refuse(r, index, "large_amplitude", "a string that stretches needs ends = \"supported\"");
    if (i->type == INSTRUMENT_MEMBRANE && !(i->young > 0))
        return refuse(r, index, "young", "is missing; set it in Pa with large_amplitude = true");
    if (i->type == INSTRUMENT_MEMBRANE && !(i->thickness > 0))
        return refuse(r, index, "thickness", "is missing; set it in m with large_amplitude = true");
    if (i->type == INSTRUMENT_PLATE && i->thickness > 0.2 * half_width(i))
        return refuse(r, index, "large_amplitude",
                      "a plate thicker than a fifth of its radius or half width does not bend as a thin one; make it "
                      "thinner, or set large_amplitude = false");
    return 0;
}

/* Distances ascend from 0, diameters are those of a tube, and the mouth and the end differ and lie in the room. */
static int check_wind(struct reader *r, size_t index, struct instrument *i)
{
    const struct room *room = r->room;
    char what[160];
    i->played = EXCITATION_BLOW;
    if (i->bore_count < 2 || i->bore[0][0] != 0)
        return refuse(r, index, "bore", "needs two points or more, the first at 0 m, the mouth");
    for (size_t k = 0; k < i->bore_count; k++) {
        snprintf(what, sizeof what, "[%zu]: %g m does not follow %g m; use ascending distances", k, i->bore[k][0],
                 k ? i->bore[k - 1][0] : 0.0);
        if (k && !(i->bore[k][0] > i->bore[k - 1][0]))
            return refuse(r, index, "bore", what);
        snprintf(what, sizeof what, "[%zu]: a diameter of %g m is out of range: expected 0.001 to 1 m", k,
                 i->bore[k][1]);
        if (!(i->bore[k][1] >= 0.001 && i->bore[k][1] <= 1.0))
            return refuse(r, index, "bore", what);
    }
    if (i->hole_count && i->reed == REED_LIPS)
        return refuse(r, index, "holes", "are used with reed = \"clarinet\" only; remove them or set reed");
    if (i->hole_count && !(i->pitch > 0))
        return refuse(r, index, "pitch", "is missing; set it to the pitch with all holes closed, in Hz");
    for (size_t k = 0; k < i->hole_count; k++) {
        const double *hole = i->holes[k], length = i->bore[i->bore_count - 1][0];
        const char *wrong = !(hole[0] > 0 && hole[0] < length)      ? "lies outside the bore"
                            : !(hole[1] >= 0.001 && hole[1] <= 0.1) ? "needs a diameter of 0.001 to 0.1 m"
                            : !(hole[2] <= 0.1)                     ? "needs a height of at most 0.1 m"
                            : !(hole[3] > i->pitch) ? "needs a pitch above the one with all holes closed"
                            : k && !(hole[0] > i->holes[k - 1][0] && hole[3] < i->holes[k - 1][3])
                                ? "must lie farther from the mouth than the hole before, with a lower pitch"
                                : NULL;
        snprintf(what, sizeof what, "[%zu]: %s", k, wrong ? wrong : "");
        if (wrong)
            return refuse(r, index, "holes", what);
    }
    if (!memcmp(i->mouth, i->position, sizeof i->mouth))
        return refuse(r, index, "mouth", "is the same as position; set it to the other end of the instrument");
    for (int end = 0; end < 2; end++)
        if (!room_spans(room, end ? i->position : i->mouth))
            return refuse(r, index, end ? "position" : "mouth", "must lie inside the room");
    return 0;
}

static int check_instrument(struct reader *r, size_t index, struct instrument *i)
{
    char why[INSTRUMENT_WHY];
    if (i->type == INSTRUMENT_WIND)
        return check_wind(r, index, i);
    if (check_outline(r, index, i))
        return -1;
    if (i->type == INSTRUMENT_STRING && i->ends == ENDS_FREE)
        return refuse(r, index, "ends",
                      "a string under tension cannot have free ends; use \"supported\" or \"clamped\"");
    if (check_excitation(r, index, i) || check_stretching(r, index, i) || check_barriers(r, index, i))
        return -1;
    if (instrument_check_place(i, i->place, why))
        return refuse(r, index, "place", why);
    return check_decay(r, index, i) || (!instrument_is_line(i) && check_extent(r, index, i)) ? -1 : 0;
}

static bool is_wrong(const struct reader *r, size_t instrument)
{
    return instrument >= r->room->instrument_count || reader_found_wrong(r, &r->room->instruments[instrument]);
}

static int check_pickups(struct reader *r, struct named *names)
{
    const struct room *room = r->room;
    char why[INSTRUMENT_WHY];
    const size_t channels = room_channel_count(room) + room->pickup_count;
    if (room->pickup_count && channels > RECEIVERS_MAX)
        return reader_refuse_at(
            r, &room->pickups[0].origin,
            "pickups: %zu channels with the receivers exceed the %d that a sound file holds; remove some", channels,
            (int)RECEIVERS_MAX);
    for (size_t i = 0; i < room->pickup_count; i++) {
        const struct pickup *pickup = &room->pickups[i];
        names[i] = (struct named){pickup->name, &pickup->origin, pickup};
        if (reader_found_wrong(r, pickup) || is_wrong(r, pickup->instrument) ||
            !instrument_check_place(&room->instruments[pickup->instrument], pickup->place, why))
            continue;
        reader_refuse_at(r, &pickup->origin, "pickups[%zu].place: %s", i, why);
        if (!reader_goes_on(r))
            return -1;
    }
    return check_names(r, "pickups", true, names, room->pickup_count);
}

static int check_events(struct reader *r)
{
    const struct room *room = r->room;
    char why[INSTRUMENT_WHY];
    const char *key;
    for (size_t i = 0; i < room->event_count; i++) {
        const struct event *event = &room->events[i];
        if (reader_found_wrong(r, event) || is_wrong(r, event->instrument) ||
            !event_check(event, &room->instruments[event->instrument], &key, why))
            continue;
        reader_refuse_at(r, &event->origin, "score.events[%zu].%s: %s", i, key, why);
        if (!reader_goes_on(r))
            return -1;
    }
    return 0;
}

/* Each note of a channel has at most one instrument. */
static int check_channels(struct reader *r)
{
    const struct midi_channel *channels = r->room->midi_channels;
    const struct midi_channel *taken[MIDI_CHANNELS + 1][MIDI_NOTE_MAX + 1] = {{NULL}};
    for (size_t i = 0; i < r->room->midi_channel_count; i++) {
        const struct midi_channel *channel = &channels[i];
        if (reader_found_wrong(r, channel))
            continue;
        const struct midi_channel **first = &taken[channel->channel][channel->note];
        if (!*first) {
            *first = channel;
            continue;
        }
        reader_refuse_at(r, &channel->origin, "score.channels[%zu]: channel %zu is already assigned (line %d)%s", i,
                         channel->channel, (*first)->origin.line,
                         channel->note ? " for this note" : "; set note to tell them apart");
        if (!reader_goes_on(r))
            return -1;
    }
    return 0;
}

static int check_each(struct reader *r, struct named *names, int (*check)(struct reader *, size_t, struct instrument *))
{
    struct room *room = r->room;
    for (size_t i = 0; i < room->instrument_count; i++) {
        struct instrument *instrument = &room->instruments[i];
        names[i] = (struct named){instrument->name, &instrument->origin, instrument};
        if (!reader_found_wrong(r, instrument) && check(r, i, instrument) && !reader_goes_on(r))
            return -1;
    }
    return 0;
}

int check_instruments(struct reader *r)
{
    const struct room *room = r->room;
    const size_t max = room->instrument_count > room->pickup_count ? room->instrument_count : room->pickup_count;
    struct named *names = malloc((max + 1) * sizeof *names);
    if (!names)
        return reader_no_memory(r);
    const int status =
        check_each(r, names, check_instrument) || check_names(r, "instruments", true, names, room->instrument_count) ||
        check_each(r, names, check_body) || check_pickups(r, names) || check_events(r) || check_channels(r);
    free(names);
    return status ? -1 : 0;
}
