/* SPDX-License-Identifier: MIT */
/* Hybrid responses compared with the wave solver in nine rooms: reverberation, early decay,
 * clarity and level. */
#include <math.h>

#include "base/nan_max.h"
#include "validate/hybrid/checks.h"
#include "validate/hybrid/compared_responses.h"

/* The valid band of the wave solver includes the whole 2 kHz octave. The crossovers lie below
 * the octaves of 1 kHz and of 500 Hz. */
static const struct compared_run waves = {2900.0, false}, above = {725.0, true}, low = {340.0, true};

#define STANDARD_ERRORS 2.0 /* of the comparison, allowed in addition to the accepted error */

/* Octaves of 1 and 2 kHz of all rooms. */
struct tally {
    size_t cells, t30, edt, c80; /* number of cells with errors within 10 %, 10 % and 1 dB */
    double worst_t30, worst_c80; /* %, dB */
};

static void count(struct tally *t, const struct compared_octave *c)
{
    t->cells++;
    t->t30 += fabs(c->t30.value) <= 10.0;
    t->edt += fabs(c->edt.value) <= 10.0;
    t->c80 += fabs(c->c80.value) <= 1.0;
    t->worst_t30 = nan_max(t->worst_t30, fabs(c->t30.value));
    t->worst_c80 = nan_max(t->worst_c80, fabs(c->c80.value));
}

static void bound(struct report *r, const struct compared_room *room, int octave, const char *what,
                  const struct comparison *c, double accepted)
{
    if (accepted > 0.0)
        report_bound(r, "rooms", fabs(c->value), accepted + STANDARD_ERRORS * c->error,
                     "%s, %.0f Hz: error of %s, bound %.1f plus %.0f standard errors of %.2f", room->name,
                     compared_centre(octave), what, accepted, STANDARD_ERRORS, c->error);
}

static void bound_octave(struct report *r, const struct compared_room *room, int octave,
                         const struct compared_octave *c)
{
    bound(r, room, octave, "T30, %", &c->t30, room->accepted.t30);
    bound(r, room, octave, "EDT, %", &c->edt, room->accepted.edt);
    bound(r, room, octave, "C80, dB", &c->c80, room->accepted.c80);
}

static int check_room(struct tally *tally, const struct compared_room *room, const struct validation *v,
                      struct report *r, struct error *e)
{
    struct parameters truth, hybrid;
    struct compared_octave c;
    report_note(r, "%s: %.1f s, %s", room->name, room->seconds, room->free_edges ? "free edges" : "no free edges");
    if (parameters_measure(&truth, room, &waves, v, e))
        return -1;
    if (v->full) {
        if (parameters_measure(&hybrid, room, &low, v, e))
            return -1;
        c = compared_octave_of(&truth, &hybrid, 0);
        compared_octave_note(r, room, 0, &c);
    }
    if (parameters_measure(&hybrid, room, &above, v, e))
        return -1;
    for (int octave = 1; octave < COMPARED_OCTAVES; octave++) {
        c = compared_octave_of(&truth, &hybrid, octave);
        compared_octave_note(r, room, octave, &c);
        bound_octave(r, room, octave, &c);
        count(tally, &c);
    }
    return 0;
}

int check_band_rooms(struct validation *v, struct report *r, struct error *e)
{
    struct tally t = {.cells = 0};
    report_note(r,
                "wave solver up to %.0f Hz, and errors of hybrid responses with the crossover at %.0f Hz (with --full "
                "also at %.0f Hz for the 500 Hz octave)",
                waves.max_frequency, above.max_frequency, low.max_frequency);
    for (size_t i = 0; i < COMPARED_ROOMS; i++)
        if ((v->full || compared_rooms[i].quick) && check_room(&t, &compared_rooms[i], v, r, e))
            return -1;
    report_figure(r, "rooms", (double)t.t30, "number of %zu results at 1 and 2 kHz with T30 within 10 %%", t.cells);
    report_figure(r, "rooms", (double)t.edt, "    with EDT within 10 %%");
    report_figure(r, "rooms", (double)t.c80, "    with C80 within 1 dB");
    report_figure(r, "rooms", t.worst_t30, "    largest error of T30, %%");
    report_figure(r, "rooms", t.worst_c80, "    largest error of C80, dB");
    return 0;
}
