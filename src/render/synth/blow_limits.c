/* SPDX-License-Identifier: MIT */
#include "render/synth/blow_limits.h"

#include <math.h>
#include <stdio.h>

/* Of the tension: above, the models do not apply. The bound of a head is that of all energy in its shape, which blows
 * reach to two thirds. */
static const double STRING_RISE_MAX = 0.5, HEAD_RISE_MAX = 1.0;

double blow_impulse(const struct event *event, const struct instrument *played)
{
    return is_thrown(played->played)             ? played->mallet_mass * event->velocity
           : played->played == EXCITATION_STRIKE ? 0.5 * event->force * event->duration
                                                 : 0.0;
}

/* ---- tension */

static int refuse_rise(const struct room *room, const struct event *event, double rise, struct error *e)
{
    char why[200];
    snprintf(why, sizeof why,
             "the event at %.6g s would raise its tension by up to %.0f %%, for which the model of stretching is too "
             "simple; play it more softly, or set large_amplitude = false",
             event->time, 100.0 * rise);
    return instrument_refused(room, &room->instruments[event->instrument], e, why);
}

/* An upper bound of the relative rise of the tension that an event causes: by the shape of a string that the force pulls
 * aside, which a short blow does not reach, or with all energy of a thrown mass in that shape. */
static double rise_of(const struct line *line, const struct instrument *i, const struct event *event, double stretch)
{
    const double place = fmin(fmax(event->place[0], 0.01), 0.99), tension = line->tension, length = line->length;
    double slope_squares = i->mallet_mass * event->velocity * event->velocity / tension;
    if (i->played == EXCITATION_PLUCK || i->played == EXCITATION_STRIKE) {
        double aside = event->force * place * (1.0 - place) * length / tension;
        if (i->played == EXCITATION_STRIKE)
            aside = fmin(aside, 0.25 * event->force * event->duration / sqrt(tension * line->density));
        slope_squares = aside * aside / length * (1.0 / place + 1.0 / (1.0 - place));
    }
    return stretch * slope_squares / (2.0 * length * tension);
}

int string_rise_check(const struct ensemble *s, const struct room *room, const struct score *score, size_t voice,
                      double stretch, struct error *e)
{
    const struct voice *v = &s->voices[voice];
    const struct instrument *i = &room->instruments[v->instrument];
    for (size_t k = 0; k < score->count; k++) {
        const struct event *event = &score->events[k];
        if (ensemble_voice(s, event->instrument, event->pitch) != voice || i->played == EXCITATION_BOW)
            continue;
        const double rise = rise_of(&v->modes.line, i, event, stretch);
        if (!(rise <= STRING_RISE_MAX))
            return refuse_rise(room, event, rise, e);
    }
    return 0;
}

/* J: of a thrown mass, or what a blow of the force F (1 - cos(2πt/D))/2 at a point radiates into a head without edge. By
 * the density of its modes, area ω/2πc², the mobility of a point has the real part ω/4T, and the energy is
 * (1/4πT) ∫ |F(ω)|² ω dω, whatever the duration D. */
static double energy_of(const struct event *event, const struct instrument *i, double tension)
{
    static const double share = 0.27427; /* ¼π ∫ (sin πu/(πu (1 - u²)))² u du */
    return is_thrown(i->played) ? 0.5 * i->mallet_mass * event->velocity * event->velocity
                                : share * event->force * event->force / tension;
}

/* With S = ∬ |∇w|², energy ½ T S + ⅛ stretch S² and rise ½ stretch S/T. */
int head_rise_check(const struct ensemble *s, const struct room *room, const struct score *score, size_t voice,
                    double stretch, struct error *e)
{
    const double tension = s->voices[voice].plan.tension;
    for (size_t k = 0; k < score->count; k++) {
        const struct event *event = &score->events[k];
        if (ensemble_voice(s, event->instrument, event->pitch) != voice)
            continue;
        const double energy = energy_of(event, &room->instruments[event->instrument], tension);
        const double rise = sqrt(1.0 + 2.0 * stretch * energy / (tension * tension)) - 1.0;
        if (!(rise <= HEAD_RISE_MAX))
            return refuse_rise(room, event, rise, e);
    }
    return 0;
}

/* ---- impulses */

/* A wave on a string passes its impulse on where it is reflected. That of a pluck of force F, at the share x of the
 * length, pulls with F x for the share 1 - x of a period, and back for the rest. */
double attached_impulse(const struct ensemble *s, const struct room *room, const struct score *score, size_t voice)
{
    double most = 0.0;
    for (size_t k = 0; k < score->count; k++) {
        const struct event *event = &score->events[k];
        const struct voice *v = &s->voices[ensemble_voice(s, event->instrument, event->pitch)];
        const struct instrument *i = &room->instruments[event->instrument];
        if (!instrument_is_line(i) || v->body_voice != voice)
            continue;
        const double place = event->place[0];
        const double pluck =
            i->played == EXCITATION_PLUCK && v->lowest > 0.0 ? event->force * place * (1.0 - place) / v->lowest : 0.0;
        most = fmax(most, fmax(pluck, blow_impulse(event, i)));
    }
    return most;
}
