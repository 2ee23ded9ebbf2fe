/* SPDX-License-Identifier: MIT */
/* Plates at large amplitude: what they need, and what a blow does to them. */
#include <math.h>
#include <stdio.h>

#include "base/text.h"
#include "render/synth/blow_limits.h"
#include "render/synth/ensemble.h"
#include "render/synth/large_amplitude.h"

enum { RADIUS_CELLS_MIN = 9, WIDTH_CELLS_MIN = 12 }; /* of discs and rectangles: modes stiffen to within 3 % */
static const double DEFLECTION_MAX = 0.1;            /* of the radius or half width: von Kármán's range */

static int check_cells(const struct voice *v, const struct room *room, const struct instrument *i, struct error *e)
{
    char why[256];
    const bool circle = v->plan.outline == SURFACE_CIRCLE;
    const double narrow = fmin(v->plan.half[0] / v->grid.spacing[0], v->plan.half[1] / v->grid.spacing[1]);
    const double cells = round(circle ? narrow : 2.0 * narrow);
    const int min = circle ? RADIUS_CELLS_MIN : WIDTH_CELLS_MIN;
    if (cells >= min)
        return 0;
    snprintf(why, sizeof why,
             "large_amplitude needs %d cells along %s, and it has %.0f at %.6g steps per second; raise grid.rate%s, or "
             "make it larger or thinner",
             min, circle ? "the radius" : "the shorter side", cells, 1.0 / v->plan.time_step,
             i->cells ? " or cells" : "");
    return instrument_refused(room, i, e, why);
}

/* Where an impulse P hits a thin plate, it stays behind deflected by P/(8 √(D ρH)) until waves return from the edge:
 * L. Cremer, M. Heckl and B. A. T. Petersson, Structure-Borne Sound, 3rd edition, Springer 2005, the impedance of
 * an infinite plate. */
static int describe_blow(struct ensemble *s, const struct voice *v, const struct room *room, const struct instrument *i,
                         double attached, size_t functions, struct error *e)
{
    char why[256];
    const double half = fmin(v->plan.half[0], v->plan.half[1]), impulse = fmax(v->impulse, attached);
    const double deflection = impulse / (8.0 * sqrt(v->plan.bending * v->plan.density));
    if (deflection > DEFLECTION_MAX * half) {
        snprintf(
            why, sizeof why,
            "a blow of %.3g N s%s would bend it by %.3g mm, more than a tenth of its radius or half width, where the "
            "model ends; play %s more softly",
            impulse, attached > v->impulse ? " from a string on it" : "", 1e3 * deflection,
            attached > v->impulse ? "that string" : "it");
        return instrument_refused(room, i, e, why);
    }
    return lines_add(&s->notes, &s->note_count, e,
                     "%s: stretches with %zu stress functions; its hardest blow bends it by about %.2g mm, %.2g of its "
                     "thickness",
                     i->name, functions, 1e3 * deflection, deflection / i->thickness);
}

int voice_plate_stretch(struct stretching *t, struct ensemble *s, size_t voice, const struct room *room,
                        const struct score *score, struct error *e)
{
    const struct voice *v = &s->voices[voice];
    const struct instrument *i = &room->instruments[v->instrument];
    struct large_amplitude_fit fit;
    if (check_cells(v, room, i, e) ||
        large_amplitude_make(&t->plate, &fit, v->surface, &v->grid, &v->plan, i->young * i->thickness, e))
        return -1;
    return describe_blow(s, v, room, i, attached_impulse(s, room, score, voice), fit.functions, e);
}
