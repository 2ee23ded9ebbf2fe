/* SPDX-License-Identifier: MIT */
#include "band/path_edges.h"

#include <math.h>

#include "band/late_edges.h"

double path_edges_share(const struct image_path *path, double frequency, double sound_speed)
{
    const double wavelength = sound_speed / frequency;
    double share = 1.0;
    for (uint32_t i = 0; i < path->edge_count && frequency <= LATE_EDGE_HIGHEST; i++)
        if (path->edges[i] < LATE_EDGE_REACH * wavelength)
            share *= late_edge_chance(path->edges[i] / wavelength, LATE_EDGE_KEPT);
    return share;
}

void path_edges_multiply(double complex *spectrum, const struct path_sound *sound, const struct image_path *path,
                         size_t first)
{
    enum { OCTAVES = 11 };
    const double lowest = 15.625; /* Hz */
    double gains[OCTAVES + 1];
    for (int i = 0; i <= OCTAVES; i++)
        gains[i] = sqrt(path_edges_share(path, lowest * exp2(i), sound->sound_speed));
    for (size_t k = first; k < sound->bins; k++) {
        const double place = fmin(fmax(log2(sound->frequency[k] / lowest), 0.0), OCTAVES - 1e-9);
        const int octave = (int)place;
        spectrum[k] *= gains[octave] + (place - octave) * (gains[octave + 1] - gains[octave]);
    }
}
