/* SPDX-License-Identifier: MIT */
#include "room/grid/reverberation.h"

#include <math.h>

double schroeder_frequency(double reverberation_time, double volume)
{
    return 2000.0 * sqrt(reverberation_time / volume);
}

/* Equivalent absorption area of the walls in an octave, m². */
static double absorbing_area(const struct model *m, size_t band)
{
    double area = 0.0;
    for (size_t i = 0; i < m->room->material_count; i++) {
        const double absorption = m->walls[i].fitted[band];
        area += isfinite(absorption) ? m->space.area[i] * absorption : 0.0; /* fixed walls have none */
    }
    return area;
}

static double time_of(double volume, double absorbing, double sound_speed)
{
    return absorbing > 0.0 ? 24.0 * log(10.0) * volume / (sound_speed * absorbing) : INFINITY;
}

static double middle_time(const struct reverberation *r, size_t bands)
{
    enum { AT_500 = 3, AT_1000 = 4 };
    if (bands > AT_1000)
        return 0.5 * (r->eyring[AT_500] + r->eyring[AT_1000]);
    return r->eyring[bands > AT_500 ? AT_500 : bands - 1];
}

void reverberation_times(double *sabine, double *eyring, const struct model *m, double absorbing, double frequency)
{
    const struct air_conditions air = air_conditions(m->room);
    const double volume = m->space.volume, surface = m->space.surface, c = m->grid.sound_speed;
    const double loss = m->room->air.losses ? 2.0 * air_absorption(frequency, &air) : 0.0;
    const double mean = surface > 0.0 ? absorbing / surface : 0.0;
    *sabine = time_of(volume, absorbing + 4.0 * loss * volume, c);
    *eyring = time_of(volume, -surface * log1p(-mean) + 4.0 * loss * volume, c);
}

void reverberation_estimate(struct reverberation *r, const struct model *m)
{
    r->longest = 0;
    for (size_t b = 0; b < OCTAVE_BANDS; b++) {
        r->sabine[b] = r->eyring[b] = NAN;
        if (b >= m->bands)
            continue;
        reverberation_times(&r->sabine[b], &r->eyring[b], m, absorbing_area(m, b), octave_band_centre[b]);
        if (r->eyring[b] > r->eyring[r->longest])
            r->longest = b;
    }
    r->schroeder = schroeder_frequency(middle_time(r, m->bands), m->space.volume);
}
