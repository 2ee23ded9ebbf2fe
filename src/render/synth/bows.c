/* SPDX-License-Identifier: MIT */
/* Bows as ports: their places along the string, and what is said of the forces and the strokes. */
#include <math.h>
#include <stdio.h>

#include "base/text.h"
#include "render/synth/ensemble.h"

enum { BOW_PLACES_MAX = 128, BOW_RATE_MIN = 24000 };
static const double BOW_STEPS_MIN = 2.0; /* time steps: shorter strokes may fall between two steps */

static const struct instrument *instrument_of(const struct ensemble *s, const struct room *room, size_t voice)
{
    return &room->instruments[s->voices[voice].instrument];
}

/* Schelleng's limits of the bow force for Helmholtz motion, N: J. C. Schelleng, "The bowed string and the player", J.
 * Acoust. Soc. Am. 53(1), 26-41, 1973. beta: distance of the bow from the end over the length. */
static void schelleng(double limits[2], const struct voice *v, const struct instrument *i, double beta, double velocity,
                      double rate)
{
    const struct line *line = &v->modes.line;
    const double impedance = sqrt(line->tension * line->density), drop = i->bow_friction[0] - i->bow_friction[1];
    const double decay = -0.5 * rate * log(v->line.before[0]); /* of the lowest mode, 1/s */
    const double resistance = 2.0 * impedance * v->lowest / fmax(decay, 1e-9);
    limits[0] = velocity * impedance * impedance / (2.0 * resistance * beta * beta * drop);
    limits[1] = 2.0 * impedance * velocity / (beta * drop);
}

/* One note for all strings of an instrument that are bowed, at its first touch: the limits of its lowest and its highest
 * note. */
static int note_bow(struct ensemble *s, const struct instrument *i, const struct touch *t, double rate, struct error *e)
{
    const struct touch *ends[2] = {t, t}; /* lowest and highest */
    double limits[2][2];
    if (i->type != INSTRUMENT_STRING || !(i->bow_friction[0] > i->bow_friction[1]))
        return 0;
    for (const struct touch *other = s->touches; other < s->touches + s->touch_count; other++) {
        const struct voice *v = &s->voices[other->voice];
        if (other->kind != TOUCH_BOW || v->instrument != s->voices[t->voice].instrument)
            continue;
        if (other < t)
            return 0;
        ends[0] = v->lowest < s->voices[ends[0]->voice].lowest ? other : ends[0];
        ends[1] = v->lowest > s->voices[ends[1]->voice].lowest ? other : ends[1];
    }
    double beta[2];
    for (int k = 0; k < 2; k++) {
        const double place = 0.5 * (ends[k]->low + ends[k]->high);
        beta[k] = fmin(place, 1.0 - place);
        schelleng(limits[k], &s->voices[ends[k]->voice], i, beta[k], ends[k]->velocity, rate);
    }
    char highest[160] = "";
    if (ends[1] != ends[0])
        snprintf(highest, sizeof highest,
                 " at its lowest note; at its highest, %.3g from the end and %.3g m/s, from %.2g to %.2g N", beta[1],
                 ends[1]->velocity, limits[1][0], limits[1][1]);
    return lines_add(&s->notes, &s->note_count, e,
                     "%s: bowed %.3g of its length from the end at %.3g m/s, Helmholtz motion is expected for forces "
                     "from about %.2g to %.2g N (Schelleng)%s; below, the sound is thin, above, it is raucous",
                     i->name, beta[0], ends[0]->velocity, limits[0][0], limits[0][1], highest);
}

/* Places of a bow that moves: four in half a wavelength of the highest mode. */
static size_t places_of_bow(const struct ensemble *s, const struct touch *t)
{
    if (!(t->high > t->low))
        return 1;
    const double wanted = ceil(4.0 * (double)voice_transverse_modes(&s->voices[t->voice]) * (t->high - t->low)) + 1.0;
    return (size_t)fmin(fmax(wanted, 2.0), BOW_PLACES_MAX);
}

int bow_make(struct port *p, struct rows *rows, struct ensemble *s, const struct room *room, const struct touch *t,
             double rate, struct error *e)
{
    const struct instrument *i = instrument_of(s, room, t->voice);
    p->friction = (struct friction){i->bow_friction[0], i->bow_friction[1], i->bow_friction_speed};
    p->place_count = places_of_bow(s, t);
    p->low = t->low;
    p->high = t->high;
    if (rate < BOW_RATE_MIN)
        return instrument_refused(room, i, e,
                                  "a bowed string needs 24000 steps per second, as its corner consists of its high "
                                  "partials; raise grid.rate in a small room, or use --dry");
    for (size_t k = 0; k < p->place_count; k++) {
        const double share = p->place_count > 1 ? (double)k / (double)(p->place_count - 1) : 0.0;
        if (rows_add(rows, s, t, t->voice, (double[2]){t->low + share * (t->high - t->low), 0.0}, 1.0, true, e))
            return -1;
    }
    return note_bow(s, i, t, rate, e);
}

int bows_warn(struct ensemble *s, const struct room *room, const struct score *score, double rate, struct error *e)
{
    for (size_t i = 0; i < room->instrument_count; i++) {
        size_t silent = 0;
        double first = INFINITY;
        for (size_t k = 0; k < score->count && room->instruments[i].played == EXCITATION_BOW; k++) {
            const struct event *event = &score->events[k];
            const bool is_short = event->instrument == i && event->duration * rate < BOW_STEPS_MIN;
            silent += is_short;
            first = is_short ? fmin(first, event->time) : first;
        }
        if (silent && lines_add(&s->warnings, &s->warning_count, e,
                                "%s: %zu bow stroke%s, the first at %.6g s, last%s less than two time steps and may be "
                                "silent; hold them for %.2g s or longer",
                                room->instruments[i].name, silent, silent == 1 ? "" : "s", first,
                                silent == 1 ? "s" : "", BOW_STEPS_MIN / rate))
            return -1;
    }
    return 0;
}
