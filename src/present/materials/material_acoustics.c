/* SPDX-License-Identifier: MIT */
#include "present/materials/material_acoustics.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/stop.h"
#include "base/text.h"
#include "room/grid/absorption.h"
#include "room/grid/walls.h"

enum { OCTAVE_POINTS = 64 };
static const double MIKI_FROM = 50.0;   /* Hz, of single layers */
static const double MIKI_ACTIVE = 8e-4; /* frequency over flow resistivity: below, the model supplies energy */
static const double FIT_RATE = 192000.0, FIT_EDGE = 11314.0; /* Hz: all octaves, far below the rate */

/* ---- Absorption ---- */

/* 1 - |R|² with R = (1 - Y)/(1 + Y). */
static double normal_absorption(double complex y)
{
    const double size = cabs(1.0 + y);
    return 4.0 * creal(y) / (size * size);
}

/* Gauss-Legendre with four nodes in each of equal parts of the cosine, in which the weight is linear. A gap has a
 * resonance wherever k d cos θ passes a multiple of π, hence more parts for deeper layers. */
double material_random_absorption(const struct layered_wall *wall, double frequency, bool local)
{
    static const double node[4] = {-0.8611363115940526, -0.3399810435848563, 0.3399810435848563, 0.8611363115940526};
    static const double weight[4] = {0.3478548451374538, 0.6521451548625461, 0.6521451548625461, 0.3478548451374538};
    const double turns = frequency * layers_depth(wall) / wall->sound_speed;
    const int parts = (int)fmin(8.0 + 8.0 * turns, 400.0);
    double sum = 0.0;
    for (int p = 0; p < parts; p++)
        for (int n = 0; n < 4; n++) {
            const double cosine = (p + 0.5 + 0.5 * node[n]) / parts;
            sum += weight[n] * cosine * layers_absorption(wall, frequency, acos(cosine), local);
        }
    return sum / parts;
}

static void find_octaves(struct material_acoustics *a)
{
    for (size_t b = 0; b < OCTAVE_BANDS; b++) {
        const double centre = octave_band_centre[b];
        double sum = 0.0;
        for (int i = 0; i < OCTAVE_POINTS; i++)
            sum += normal_absorption(wall_admittance_at(&a->wall, centre * exp2((i + 0.5) / OCTAVE_POINTS - 0.5)));
        a->normal[b] = sum / OCTAVE_POINTS;
        a->local[b] = wall_admittance_absorption(&a->wall, centre);
        a->along[b] = a->layered ? layers_octave_absorption(&a->wall.layers, centre, M_PI_2, false) : NAN;
    }
}

struct material_point material_acoustics_at(const struct material_acoustics *a, double frequency)
{
    const double complex y = wall_admittance_at(&a->wall, frequency);
    return (struct material_point){
        .frequency = frequency,
        .normal = normal_absorption(y),
        .local = complex_incidence_absorption(y, NULL),
        .along = a->layered ? material_random_absorption(&a->wall.layers, frequency, false) : NAN,
        .real = creal(y),
        .imaginary = cimag(y),
    };
}

static int find_curves(struct material_acoustics *a, struct error *e)
{
    a->point_count = (size_t)floor(MATERIAL_POINTS_AN_OCTAVE * log2(MATERIAL_HIGH / MATERIAL_LOW)) + 2;
    a->points = calloc(a->point_count, sizeof *a->points);
    if (!a->points)
        return fail(e, ERROR_MEMORY, "out of memory");
    for (size_t i = 0; i < a->point_count; i++) {
        if (stop_requested())
            return fail(e, ERROR_STOPPED, "stopped; nothing was written");
        a->points[i] =
            material_acoustics_at(a, fmin(MATERIAL_LOW * exp2((double)i / MATERIAL_POINTS_AN_OCTAVE), MATERIAL_HIGH));
    }
    return 0;
}

/* ---- Resonances ---- */

/* Im Z/ρc. Infinite or NaN where Y is 0, which is no resonance. */
static double reactance(const struct wall_admittance *wall, double frequency)
{
    return cimag(1.0 / wall_admittance_at(wall, frequency));
}

static struct material_resonance resonance_between(const struct wall_admittance *wall, double low, double high)
{
    for (int i = 0; i < 60; i++) {
        const double middle = 0.5 * (low + high);
        *(reactance(wall, middle) < 0.0 ? &low : &high) = middle;
    }
    const double f = 0.5 * (low + high), d = 1e-5 * f;
    const double complex y = wall_admittance_at(wall, f);
    const double slope = (reactance(wall, f + d) - reactance(wall, f - d)) / (2.0 * d);
    return (struct material_resonance){
        .frequency = f, .absorption = normal_absorption(y), .quality = 0.5 * f * fabs(slope) / (creal(1.0 / y) + 1.0)};
}

/* Steps of 1/96 octave, and at least 24 to each half wavelength in the depth: gaps resonate as often as that. */
static int find_resonances(struct material_acoustics *a, struct error *e)
{
    const double depth = a->layered ? layers_depth(&a->wall.layers) : 0.0;
    const double most = depth > 0.0 ? a->wall.layers.sound_speed / (48.0 * depth) : INFINITY;
    double low = MATERIAL_LOW, below = reactance(&a->wall, low);
    while (low < MATERIAL_HIGH) {
        const double high = fmin(low + fmin(low * (exp2(1.0 / 96.0) - 1.0), most), MATERIAL_HIGH);
        const double above = reactance(&a->wall, high);
        if (stop_requested())
            return fail(e, ERROR_STOPPED, "stopped; nothing was written");
        if (below < 0.0 && above >= 0.0) {
            if (a->resonance_count < MATERIAL_RESONANCES)
                a->resonances[a->resonance_count++] = resonance_between(&a->wall, low, high);
            a->resonances_found++;
        }
        low = high;
        below = above;
    }
    return 0;
}

/* ---- The material ---- */

static int find_wall(struct material_acoustics *a, const struct material *material, const char *path, struct error *e)
{
    static const struct wall_discretization clock = {.rate = FIT_RATE, .edge = FIT_EDGE};
    struct wall_model wall;
    a->layered = material->kind == MATERIAL_LAYERS;
    a->partitioned = material->partitioned;
    if (a->layered) {
        a->wall = (struct wall_admittance){.layers = material->layered};
        return 0;
    }
    if (boundary_kind_of(material)->fixed)
        return fail(e, ERROR_INPUT, "%s: material %s: p = 0 at the wall, which reflects everything inverted", path,
                    material->name);
    if (wall_make(&wall, material, OCTAVE_BANDS, &clock, path, e))
        return -1;
    a->wall = wall.material;
    return 0;
}

static void find_limits(struct material_acoustics *a)
{
    for (size_t i = 0; i < a->wall.layers.count; i++) {
        const struct layer *l = &a->wall.layers.layers[i];
        if (l->kind != LAYER_POROUS || l->porosity > 0.0)
            continue;
        a->modelled_from = MIKI_FROM;
        a->passive_from = fmax(a->passive_from, MIKI_ACTIVE * l->flow_resistivity);
    }
}

void material_acoustics_free(struct material_acoustics *a)
{
    free(a->points);
    memset(a, 0, sizeof *a);
}

int material_acoustics_make(struct material_acoustics *a, const struct material *material, const char *path,
                            struct error *e)
{
    memset(a, 0, sizeof *a);
    if (find_wall(a, material, path, e) || find_curves(a, e) || find_resonances(a, e)) {
        material_acoustics_free(a);
        return -1;
    }
    find_octaves(a);
    find_limits(a);
    return 0;
}

/* ---- Notes ---- */

bool material_differs_along(const struct material_acoustics *a, size_t band)
{
    return a->layered && !a->partitioned && !(fabs(a->along[band] - a->local[band]) <= LOCAL_GOOD);
}

/* "250, 500 Hz": the octaves in which propagation along the layers matters; empty: none. */
static void octaves_along(char *text, size_t size, const struct material_acoustics *a)
{
    size_t used = 0;
    *text = '\0';
    for (size_t b = 0; b < OCTAVE_BANDS; b++)
        if (material_differs_along(a, b) && used < size)
            used += (size_t)snprintf(text + used, size - used, "%s%g", used ? ", " : "", octave_band_centre[b]);
}

int material_notes(char *lines[MATERIAL_NOTES], size_t *count, const struct material_acoustics *a, struct error *e)
{
    char octaves[64];
    octaves_along(octaves, sizeof octaves, a);
    *count = 0;
    if (a->layered)
        lines[(*count)++] =
            *octaves ? text_format("walls are simulated as locally reacting; sound that propagates along the layers "
                                   "changes the absorption by more than %g in the octaves %s Hz, unless the gaps are "
                                   "divided",
                                   LOCAL_GOOD, octaves)
                     : text_copy("walls are simulated as locally reacting");
    if (a->modelled_from > 0.0)
        lines[(*count)++] =
            text_format("Miki's model of porous layers holds from about %g Hz; below %.3g Hz it would supply energy, "
                        "and Re Y is set to 0 or more; give the porosity for a model without this limit",
                        a->modelled_from, a->passive_from);
    for (size_t i = 0; i < *count; i++)
        if (!lines[i])
            return fail(e, ERROR_MEMORY, "out of memory");
    return 0;
}
