/* SPDX-License-Identifier: MIT */
#include "room/instrument.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/text.h"

size_t instrument_find(const struct room *room, const char *name, char why[INSTRUMENT_WHY])
{
    const char **names = malloc((room->instrument_count + 1) * sizeof *names);
    char given[QUOTED], known[QUOTED];
    ptrdiff_t closest = -1;
    size_t used = 0;
    for (size_t i = 0; i < room->instrument_count; i++) {
        if (room->instruments[i].name && !strcmp(room->instruments[i].name, name)) {
            free(names);
            return i;
        }
        if (names)
            names[i] = room->instruments[i].name ? room->instruments[i].name : ""; /* NULL: refused */
    }
    if (names)
        closest = text_closest(name, names, room->instrument_count);
    used = (size_t)snprintf(why, INSTRUMENT_WHY, "unknown instrument \"%s\"; ", quoted(given, name));
    if (closest >= 0)
        snprintf(why + used, INSTRUMENT_WHY - used, "did you mean \"%s\"?", quoted(known, names[closest]));
    else if (!room->instrument_count)
        snprintf(why + used, INSTRUMENT_WHY - used, "the file has no instruments");
    else
        for (size_t i = 0; i < room->instrument_count && used < INSTRUMENT_WHY; i++)
            used += (size_t)snprintf(why + used, INSTRUMENT_WHY - used, "%s%s", i ? ", " : "the file has ",
                                     quoted(known, room->instruments[i].name ? room->instruments[i].name : ""));
    free(names);
    return SIZE_MAX;
}

bool instrument_has_pitches(const struct instrument *instrument)
{
    return instrument_kinds[instrument->type].has_pitches;
}

int instrument_check_place(const struct instrument *i, const double place[2], char why[INSTRUMENT_WHY])
{
    if (i->type == INSTRUMENT_WIND) {
        if (place[1] == 0 && (place[0] == 0 || place[0] == 1))
            return 0;
        snprintf(why, INSTRUMENT_WHY,
                 "a wind instrument has two positions; use 0 for the pressure in the mouthpiece, or 1 for the pressure "
                 "that it radiates");
        return -1;
    }
    if (instrument_is_line(i)) {
        if (place[1] != 0) {
            snprintf(why, INSTRUMENT_WHY, "a position on a %s is one number; use 0 to 1 along its length",
                     instrument_type_names[i->type]);
            return -1;
        }
        if (place[0] >= 0 && place[0] <= 1)
            return 0;
        snprintf(why, INSTRUMENT_WHY, "%g lies beyond the end of the %s; use 0 to 1", place[0],
                 instrument_type_names[i->type]);
        return -1;
    }
    if (i->outline == OUTLINE_CIRCLE && !(hypot(place[0], place[1]) <= 1)) {
        snprintf(why, INSTRUMENT_WHY, "[%g, %g] lies outside the %s, %g radii from its centre; use at most 1", place[0],
                 place[1], instrument_type_names[i->type], hypot(place[0], place[1]));
        return -1;
    }
    if (!(fabs(place[0]) <= 1 && fabs(place[1]) <= 1)) {
        snprintf(why, INSTRUMENT_WHY, "[%g, %g] lies outside the %s; use -1 to 1", place[0], place[1],
                 instrument_type_names[i->type]);
        return -1;
    }
    return 0;
}

static int unused_by(const struct instrument *played, const char *remedy, char why[INSTRUMENT_WHY])
{
    snprintf(why, INSTRUMENT_WHY, "\"%.64s\" is played with \"%s\"; %s", played->name, excitation_names[played->played],
             remedy);
    return -1;
}

static int check_breath(const struct event *event, const struct instrument *played, const char **key,
                        char why[INSTRUMENT_WHY])
{
    const struct {
        const char *key;
        bool given;
    } of_others[] = {{"place", event->placed},
                     {"force", event->force > 0},
                     {"duration", event->duration > 0},
                     {"velocity", event->velocity != 0},
                     {"force_curve", event->force_curve.count > 0},
                     {"velocity_curve", event->velocity_curve.count > 0},
                     {"place_curve", event->place_curve.count > 0}};
    for (size_t i = 0; i < sizeof of_others / sizeof *of_others; i++)
        if (of_others[i].given) {
            *key = of_others[i].key;
            return unused_by(played, "remove this; use breath and hold", why);
        }
    *key = "hold";
    if (!(event->hold > 0) && event->breath_curve.count < 2)
        return unused_by(played, "set hold to the duration of the note, s", why);
    *key = "breath";
    if (event->breath > 0 && event->breath_curve.count)
        return unused_by(played, "set breath or breath_curve, not both", why);
    return 0;
}

/* The keys of the event that its instrument's excitation does not use, and those it needs. */
static int check_gesture(const struct event *event, const struct instrument *played, const char **key,
                         char why[INSTRUMENT_WHY])
{
    const bool bowed = played->played == EXCITATION_BOW, thrown = is_thrown(played->played);
    const struct {
        const char *key;
        bool given;
    } of_bows[] = {{"hold", event->hold > 0},
                   {"force_curve", event->force_curve.count > 0},
                   {"velocity_curve", event->velocity_curve.count > 0},
                   {"place_curve", event->place_curve.count > 0}};
    if (played->type == INSTRUMENT_WIND)
        return check_breath(event, played, key, why);
    *key = event->breath > 0 ? "breath" : "breath_curve";
    if (event->breath > 0 || event->breath_curve.count)
        return unused_by(played, "remove this, which is for wind instruments", why);
    for (size_t i = 0; i < sizeof of_bows / sizeof *of_bows && !bowed; i++)
        if (of_bows[i].given) {
            *key = of_bows[i].key;
            return unused_by(played, "remove this, or set played = \"bow\" there", why);
        }
    *key = "velocity";
    if (event->velocity != 0 && !bowed && !thrown)
        return unused_by(played, "use force", why);
    if (event->velocity < 0 && thrown)
        return unused_by(played, "use a positive velocity", why);
    *key = "force";
    if (event->force > 0 && thrown)
        return unused_by(played, "use velocity", why);
    if (event->force > 50 && bowed)
        return unused_by(played, "use at most 50 N", why);
    *key = "duration";
    if (event->duration > 0 && (thrown || bowed))
        return unused_by(played, bowed ? "use hold" : "its contact follows from mass and stiffness; remove this", why);
    *key = "hold";
    if (bowed && !(event->hold > 0) && event->force_curve.count < 2 && event->velocity_curve.count < 2 &&
        event->place_curve.count < 2)
        return unused_by(played, "set hold to the duration of the stroke, s", why);
    for (size_t i = 0; i < event->place_curve.count; i++) {
        *key = "place_curve";
        if (instrument_check_place(played, (double[2]){event->place_curve.points[i][1], 0.0}, why))
            return -1;
    }
    return 0;
}

int event_check(const struct event *event, const struct instrument *played, const char **key, char why[INSTRUMENT_WHY])
{
    *key = "place";
    if (event->placed && played->type != INSTRUMENT_WIND && instrument_check_place(played, event->place, why))
        return -1;
    if (check_gesture(event, played, key, why))
        return -1;
    *key = "note";
    if (!(event->pitch > 0) || instrument_has_pitches(played))
        return 0;
    snprintf(why, INSTRUMENT_WHY, "\"%.64s\" is a plate, whose pitch is fixed; remove the note", played->name);
    return -1;
}

static void string_constants(const struct instrument *i, double *tension, double *stiffness)
{
    const double area = 0.25 * M_PI * i->diameter * i->diameter;
    const double mass = i->linear_density > 0 ? i->linear_density : i->density * area;
    *tension = i->pitch > 0 ? 4.0 * i->length * i->length * i->pitch * i->pitch : i->tension / mass;
    *stiffness = i->young * area * i->diameter * i->diameter / (16.0 * mass);
}

static void bar_constants(const struct instrument *i, double *tension, double *stiffness)
{
    (void)tension;
    *stiffness = i->young * i->thickness * i->thickness / (12.0 * i->density);
}

static void membrane_constants(const struct instrument *i, double *tension, double *stiffness)
{
    (void)stiffness;
    const double wave_number =
        i->outline == OUTLINE_CIRCLE ? J0_FIRST_ZERO / i->radius : M_PI * hypot(1.0 / i->sides[0], 1.0 / i->sides[1]);
    const double speed = 2.0 * M_PI * i->pitch / wave_number;
    *tension = i->pitch > 0 ? speed * speed : i->tension / i->surface_density;
}

static void plate_constants(const struct instrument *i, double *tension, double *stiffness)
{
    (void)tension;
    *stiffness = i->young * i->thickness * i->thickness / (12.0 * i->density * (1.0 - i->poisson * i->poisson));
}

const struct instrument_kind instrument_kinds[] = {
    [INSTRUMENT_STRING] = {.is_line = true, .has_pitches = true, string_constants},
    [INSTRUMENT_BAR] = {.is_line = true, .has_pitches = true, bar_constants},
    [INSTRUMENT_MEMBRANE] = {.is_line = false, .has_pitches = true, membrane_constants},
    [INSTRUMENT_PLATE] = {.is_line = false, .has_pitches = false, plate_constants},
    [INSTRUMENT_WIND] = {.is_line = false, .has_pitches = true, NULL},
};
_Static_assert(sizeof instrument_kinds / sizeof *instrument_kinds == INSTRUMENT_TYPES, "each type has a row");

double instrument_loss_ratio(const struct instrument *instrument, double low, double high)
{
    double c2 = 0, k2 = 0, xi[2];
    instrument_kinds[instrument->type].wave_constants(instrument, &c2, &k2);
    for (size_t i = 0; i < 2; i++) { /* 2ω²/(c² + sqrt(c⁴ + 4κ²ω²)): theory (60), without cancellation */
        const double omega = 2.0 * M_PI * (i ? high : low);
        xi[i] = 2.0 * omega * omega / (c2 + sqrt(c2 * c2 + 4.0 * k2 * omega * omega));
    }
    return xi[0] / xi[1];
}
