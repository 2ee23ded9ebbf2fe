/* SPDX-License-Identifier: MIT */
#include "render/warnings.h"

#include <math.h>
#include <stdlib.h>

#include "base/text.h"
#include "dsp/measure/doubts.h"
#include "render/directions.h"
#include "render/hybrid/crossover.h"

static int add_silence(struct rendering *r, struct error *e, const char *name)
{
    return lines_add(
        &r->warnings, &r->warning_count, e,
        "receiver %s is silent: it is sealed off from the source, or time.duration ends before sound arrives", name);
}

int warn_of_silence(struct rendering *r, const struct model *m, struct error *e)
{
    const struct traces *t = &r->simulation.traces;
    for (size_t i = 0; i < m->room->receiver_count; i++) {
        const double *samples = t->samples + room_first_tap(m->room, i) * t->frames; /* of the pressure */
        bool silent = true;
        for (size_t n = 0; n < t->frames && silent; n++)
            silent = samples[n] == 0.0;
        if (silent && add_silence(r, e, m->room->receivers[i].name))
            return -1;
    }
    return 0;
}

int warn_of_cut_ringing(struct rendering *r, const struct model *m, const struct response_settings *s, struct error *e)
{
    const double ringing = (double)response_ringing(s, m->grid.rate) / m->grid.rate * m->grid.sound_speed;
    for (size_t i = r->first; i < r->first + r->count; i++)
        for (size_t c = 0; c < room_tap_count(m->room); c++) {
            const double *a = m->sources[room_first_drive(m->room, i)].position, *b = m->receivers[c].position;
            const double distance = hypot(hypot(a[0] - b[0], a[1] - b[1]), a[2] - b[2]);
            if (distance < ringing)
                return lines_add(
                    &r->warnings, &r->warning_count, e,
                    "the linear-phase filter rings %.3g m ahead of each arrival, but receiver %s is only %.3g m from "
                    "source %s, and the ringing before t = 0 is cut off; use output.filter = \"minimum-phase\"",
                    ringing, room_receiver_of_tap(m->room, c)->name, distance, m->room->sources[i].name);
        }
    return 0;
}

int warn_of_narrow_file(struct rendering *r, const struct model *m, struct error *e)
{
    const double carried = r->response.band.pass, valid = m->grid.valid_frequency;
    if (r->halves.full || !(carried > 0.0 && carried < valid * (1.0 - 1e-9)))
        return 0;
    return lines_add(&r->warnings, &r->warning_count, e,
                     "a file at %.6g Hz carries frequencies up to %.0f Hz only, although the response is valid up to "
                     "%.0f Hz; set output.rate = %.0f",
                     r->response.rate, carried, valid, ceil(r->response.rate * valid / carried));
}

int warn_of_short_decay(struct rendering *r, const struct length *length, bool filtered, struct error *e)
{
    if (length->chosen && r->decay > DECAY_WANTED && !(length->seconds < length->max))
        return lines_add(&r->warnings, &r->warning_count, e,
                         "time.max_duration ends the response after %g s, at a decay of only %.0f dB instead of %.0f "
                         "dB; raise time.max_duration",
                         length->seconds, fabs(r->decay), -DECAY_WANTED);
    if (length->chosen && isnan(r->decay) && filtered)
        return lines_add(&r->warnings, &r->warning_count, e,
                         "time.max_duration ends the response after %g s, before all signals have ended and reached "
                         "every receiver; raise time.max_duration",
                         length->seconds);
    if (!length->chosen && r->decay > DECAY_MEASURABLE)
        return lines_add(&r->warnings, &r->warning_count, e,
                         "time.duration = %g s ends at a decay of only %.0f dB, but a reverberation time needs %.0f "
                         "dB; set time.duration = \"auto\"",
                         length->seconds, fabs(r->decay), -DECAY_MEASURABLE);
    return 0;
}

int warn_of_decays(struct rendering *r, struct error *e)
{
    const struct half_pair *t30 = &r->halves.t30, *edt = &r->halves.edt, *c80 = &r->halves.c80;
    if (!halves_are_apart(t30, edt, c80))
        return 0;
    char *halves = halves_text(*t30, *edt, *c80);
    const int status =
        halves ? lines_add(&r->warnings, &r->warning_count, e,
                           "in the %.0f Hz octave, below the crossover, image sources and rays disagree with the wave "
                           "solver: %s; the response is not corrected, and aula metrics and aula report mark the next "
                           "octave with ?; raise grid.max_frequency to move the crossover up",
                           r->halves.octave, halves)
               : fail(e, ERROR_MEMORY, "out of memory");
    free(halves);
    return status;
}

int warn_of_lost_rays(struct rendering *r, struct error *e)
{
    if (!(r->halves.lost > r->halves.rays / 1000))
        return 0;
    return lines_add(&r->warnings, &r->warning_count, e,
                     "%zu of %zu rays escaped through gaps between faces, and the late part above %.0f Hz is too weak; "
                     "close the gaps in the geometry",
                     r->halves.lost, r->halves.rays, r->halves.edge);
}
