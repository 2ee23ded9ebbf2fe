/* SPDX-License-Identifier: MIT */
#include "render/length.h"

#include <math.h>

#include "room/grid/reverberation.h"

static const double growth = 1.25; /* factor from estimate to estimate */

double length_rounded(double seconds)
{
    return fmax(1.0, ceil(10.0 * seconds - 1e-6)) / 10.0;
}

size_t length_frames(double seconds, double rate)
{
    return (size_t)fmax(1.0, round(seconds * rate));
}

double travel_time(const struct model *m, size_t source, size_t receiver, size_t place)
{
    const double *from = m->room->sources[source].position, *to = receiver_place(&m->room->receivers[receiver], place);
    return hypot(hypot(to[0] - from[0], to[1] - from[1]), to[2] - from[2]) / m->grid.sound_speed;
}

/* s after t = 0. */
static double end_of_signals(const struct model *m, const struct excitation *excitations, size_t count)
{
    double end = 0.0;
    for (size_t i = 0; i < count; i++)
        if (!excitations[i].deconvolve && excitations[i].length > excitations[i].onset + 1)
            end = fmax(end, (double)(excitations[i].length - excitations[i].onset) / m->grid.rate);
    return end;
}

struct length length_of(const struct model *m, size_t first, size_t count, const struct excitation *excitations)
{
    struct reverberation reverberation;
    double way = 0.0;
    reverberation_estimate(&reverberation, m);
    struct length l = {.seconds = m->room->duration,
                       .chosen = !(m->room->duration > 0.0),
                       .signal = end_of_signals(m, excitations, count),
                       .estimate = reverberation.eyring[reverberation.longest],
                       .octave = octave_band_centre[reverberation.longest]};
    for (size_t s = first; s < first + count; s++)
        for (size_t r = 0; r < m->room->receiver_count; r++)
            for (size_t place = 0; place < receiver_place_count(&m->room->receivers[r]); place++)
                way = fmax(way, travel_time(m, s, r, place));
    l.max = fmin(l.signal + m->room->max_duration, LENGTH_MAX);
    if (l.chosen)
        l.seconds = fmin(length_rounded(fmin(l.signal + way + l.estimate, LENGTH_MAX)), l.max);
    return l;
}

bool length_extend(struct length *l)
{
    if (!l->chosen || !(l->seconds < l->max))
        return false;
    l->seconds = fmin(length_rounded(l->signal + growth * (l->seconds - l->signal)), l->max);
    return true;
}
