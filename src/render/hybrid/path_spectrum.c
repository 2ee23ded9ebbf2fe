/* SPDX-License-Identifier: MIT */
#include <math.h>

#include "render/hybrid/path_edges.h"
#include "render/hybrid/path_walls.h"

/* The first bin at which ways are computed. */
static size_t first_bin(const struct path_sound *sound)
{
    const double bin = ceil(sound->low / sound->rate * (double)sound->length);
    return bin < 1.0 ? 1 : (size_t)bin;
}

/* All walls on a way. */
static void reflect(double complex *spectrum, const struct path_sound *sound, const struct image_path *path)
{
    const double delay = path->distance / sound->sound_speed;
    for (size_t k = first_bin(sound); k < sound->bins && sound->end[k] > 0.0; k++) {
        double complex admittance[PATH_WALLS_MAX];
        double sign = 1.0;
        for (uint32_t w = 0; w < path->wall_count; w++) {
            const struct path_material *m = &sound->materials[path->walls[w].material];
            admittance[w] = m->fixed ? 0.0 : m->admittance[k];
            for (uint32_t n = 0; n < path->walls[w].count; n++)
                sign *= m->fixed ? -m->mirrored[k] : m->mirrored[k];
        }
        spectrum[k] *= sign * path_walls_factor(path, admittance, 2.0 * M_PI * sound->frequency[k] * delay);
    }
}

/* Below the first bin: its magnitude, and a phase proportional to frequency, so that the filter stays short. */
static void continue_down(double complex *spectrum, size_t first)
{
    const double magnitude = cabs(spectrum[first]), phase = carg(spectrum[first]);
    for (size_t k = 0; k < first; k++)
        spectrum[k] = magnitude * cexp(I * (phase * (double)k / (double)first));
}

void path_spectrum(double complex *spectrum, const struct path_sound *sound, const struct image_path *path,
                   const struct path_source *source)
{
    const double level = source->gain / (4.0 * M_PI * path->distance);
    for (size_t k = 0; k < sound->bins; k++)
        spectrum[k] = level * exp(-sound->attenuation[k] * path->distance);
    if (path->wall_count)
        reflect(spectrum, sound, path);
    if (path->turned[0] > 0.0)
        path_edges_multiply(spectrum, sound, path, first_bin(sound));
    if (source->multiply)
        source->multiply(source->context, spectrum, sound, path->departure, path->distance);
    continue_down(spectrum, first_bin(sound));
    for (size_t k = 0; k < sound->bins; k++)
        spectrum[k] *= sound->end[k];
}
