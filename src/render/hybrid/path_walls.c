/* SPDX-License-Identifier: MIT */
#include "render/hybrid/path_walls.h"

#include <math.h>

#include "base/complex_numbers.h"
#include "render/hybrid/late_walls.h"
#include "render/hybrid/wall_factor.h"

/* t · t' */
static double turn_of(const struct path_wall *a, const struct path_wall *b)
{
    return a->normal[0] * b->normal[0] + a->normal[1] * b->normal[1] + a->normal[2] * b->normal[2] -
           a->cosine * b->cosine;
}

double complex path_walls_factor(const struct image_path *path, const double complex *admittance, double complex kr)
{
    const double complex root = csqrt(-0.5 * I * kr);
    double complex steepness[PATH_WALLS_MAX], whole = 1.0, pairs = 0.0; /* (dQ/d cos θ)/Q */
    for (uint32_t w = 0; w < path->wall_count; w++) {
        const struct path_wall *wall = &path->walls[w];
        double complex slope, factor = wall_factor_slope(&slope, admittance[w], wall->cosine, root);
        if (!(creal(factor) * creal(factor) + cimag(factor) * cimag(factor) > 1e-24))
            factor = 1e-12;
        steepness[w] = slope / factor;
        for (uint32_t n = 0; n < wall->count; n++)
            whole = complex_product(whole, factor);
        const double own = 0.5 * wall->count * (wall->count - 1.0);
        pairs += own * turn_of(wall, wall) * complex_product(steepness[w], steepness[w]);
        for (uint32_t v = 0; v < w; v++)
            pairs += (double)wall->count * path->walls[v].count * turn_of(wall, &path->walls[v]) *
                     complex_product(steepness[w], steepness[v]);
    }
    return pairs == 0.0 ? whole : complex_product(whole, 1.0 + I * pairs / kr);
}

/* Multiplies by the chance of each edge that a flight passes. False: it passes none. */
static bool pass_flight(double *kept, const struct ray_edges *edges, const struct ray *ray, double wavelength)
{
    uint32_t passed[LATE_EDGE_TURNS];
    double origin[3] = {ray->origin[0], ray->origin[1], ray->origin[2]};
    struct ray_passage passage;
    struct ray_flight flight = {.origin = origin,
                                .direction = ray->direction,
                                .length = ray->reach,
                                .reach = LATE_EDGE_REACH * wavelength,
                                .passed = passed};
    while (flight.passed_count < LATE_EDGE_TURNS && ray_edges_first(edges, &flight, &passage)) {
        passed[flight.passed_count++] = passage.edge;
        *kept *= late_edge_chance(passage.distance / wavelength, LATE_EDGE_KEPT);
        for (int k = 0; k < 3; k++)
            origin[k] += passage.at * ray->direction[k];
        flight.length -= passage.at;
    }
    return flight.passed_count > 0;
}

void path_edges_find(struct image_path *path, const struct ray_edges *edges, const struct ray *flights, size_t count,
                     double sound_speed)
{
    bool meets = edges->count > 0;
    for (int band = 0; band < OCTAVE_BANDS;
         band++) { /* an edge out of reach of a longer wave is out of reach of shorter ones */
        const double wavelength = sound_speed / octave_band_centre[band];
        double kept = 1.0;
        bool met = false;
        for (size_t n = 0; n < count && meets && octave_band_centre[band] <= LATE_EDGE_HIGHEST; n++)
            met = pass_flight(&kept, edges, &flights[n], wavelength) || met;
        meets = met;
        path->turned[band] = 1.0 - kept;
    }
}

void path_edges_multiply(double complex *spectrum, const struct path_sound *sound, const struct image_path *path,
                         size_t first)
{
    const double lowest = 62.5; /* Hz: a whole number of octaves below 1 kHz */
    double gains[OCTAVE_BANDS + 1];
    for (int band = 0; band < OCTAVE_BANDS; band++)
        gains[band] = sqrt(1.0 - path->turned[band]);
    gains[OCTAVE_BANDS] = 1.0;
    for (size_t k = first; k < sound->bins; k++) {
        const double above = log2(sound->frequency[k] / lowest);
        const double place = fmin(fmax(above, 0.0), OCTAVE_BANDS - 1e-9);
        const int octave = (int)place;
        spectrum[k] *= gains[octave] + (place - octave) * (gains[octave + 1] - gains[octave]);
    }
}
