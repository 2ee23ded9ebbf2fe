/* SPDX-License-Identifier: MIT */
#include "render/hybrid/late_walls.h"

#include <math.h>

enum { POINTS = 8 }; /* frequencies in a band */

struct late_bands late_bands_make(int per_octave, double lowest, double highest)
{
    struct late_bands b = {.count = 0};
    const double half = 0.5 / per_octave;
    for (int i = (int)floor(per_octave * log2(lowest / 1000.0) + 0.5); b.count < LATE_BANDS_MAX; i++) {
        const double centre = 1000.0 * exp2((double)i / per_octave);
        if (!(centre * exp2(-half) < highest))
            break;
        b.centre[b.count] = centre;
        b.lower[b.count] = centre * exp2(-half);
        b.upper[b.count] = fmin(centre * exp2(half), highest);
        b.count++;
    }
    return b;
}

struct late_bands late_bands_split(const struct late_bands *bands, size_t parts)
{
    struct late_bands b = {.count = bands->count * parts};
    for (size_t i = 0; i < b.count; i++) {
        const double from = bands->lower[i / parts], ratio = bands->upper[i / parts] / from;
        b.lower[i] = from * pow(ratio, (double)(i % parts) / (double)parts);
        b.upper[i] = from * pow(ratio, (double)(i % parts + 1) / (double)parts);
        b.centre[i] = sqrt(b.lower[i] * b.upper[i]);
    }
    return b;
}

double late_scattering_at(const double by_octave[OCTAVE_BANDS], double frequency)
{
    const double place = log2(frequency / octave_band_centre[0]);
    const int below = (int)fmin(fmax(floor(place), 0.0), OCTAVE_BANDS - 2);
    const double share = fmin(fmax(place - below, 0.0), 1.0);
    return (1.0 - share) * by_octave[below] + share * by_octave[below + 1];
}

struct late_sheet late_sheet_at(double complex sheet, double complex front, double complex behind, double cosine)
{
    const double complex a = cosine + front, b = cosine + behind;
    if (!(cosine > 0.0))
        return (struct late_sheet){0.0, -1.0};
    const double complex passed = 2.0 * cosine / (a + b + sheet * a * b);
    return (struct late_sheet){passed, passed * (1.0 + sheet * b) - 1.0};
}

static double square(double complex z)
{
    return creal(z) * creal(z) + cimag(z) * cimag(z);
}

/* A wall at the frequencies of a band. */
struct band_wall {
    double complex front[POINTS], behind[POINTS], sheet[POINTS]; /* Y of both sides, ζ */
};

/* The means over the frequencies of a band at one angle. */
static void set_angle(struct late_wall *wall, int angle, size_t band, const struct band_wall *w)
{
    const double root = (double)angle / LATE_ANGLES, cosine = root * root;
    double sum = 0.0, passed = 0.0, kept = 0.0;
    for (int i = 0; i < POINTS; i++) {
        const double complex y = w->front[i];
        const double size = cabs(cosine + y), r = size > 0.0 ? cabs(cosine - y) / size : 1.0;
        sum += r * r / POINTS;
        if (!wall->transmits)
            continue;
        const struct late_sheet through = late_sheet_at(w->sheet[i], y, w->behind[i], cosine);
        passed += square(through.passed) / POINTS;
        kept += square(through.reflected) / POINTS;
    }
    wall->reflected[angle][band] = (float)sum;
    wall->passed[angle][band] = (float)passed;
    wall->kept[angle][band] = (float)kept;
}

/* With cos θ = x², x = a/LATE_ANGLES, the weight 2 cos θ sin θ dθ is 4 x³ dx. */
static void set_passed_mean(struct late_wall *wall, size_t band)
{
    double sum = 0.0, weights = 0.0;
    for (int a = 1; a <= LATE_ANGLES; a++) {
        const double weight = pow((double)a, 3.0) * (a < LATE_ANGLES ? 1.0 : 0.5);
        sum += weight * (double)wall->passed[a][band];
        weights += weight;
    }
    wall->passed_mean[band] = (float)(sum / weights);
}

static double complex sheet_of(const struct late_material *m, double frequency)
{
    return m->resistance + I * (2.0 * M_PI * frequency * m->mass);
}

/* behind: NULL: the same material, once. */
static void make_wall(struct late_wall *wall, const struct late_material *front, const struct late_material *behind,
                      const struct late_bands *bands)
{
    const struct late_material *other = behind ? behind : front;
    *wall = (struct late_wall){.fixed = front->fixed,
                               .sheet = LATE_NO_SHEET,
                               .transmits = !front->fixed && !other->fixed && front->mass > 0.0 && other->mass > 0.0};
    for (size_t b = 0; b < bands->count; b++) {
        struct band_wall w;
        wall->scattered[b] = (float)late_scattering_at(front->scattering, bands->centre[b]);
        for (int i = 0; i < POINTS && !front->fixed; i++) {
            const double frequency = bands->lower[b] + (bands->upper[b] - bands->lower[b]) * (i + 0.5) / POINTS;
            w.front[i] = w.behind[i] = front->admittance(front->context, frequency);
            w.sheet[i] = sheet_of(front, frequency);
            if (!wall->transmits || !behind)
                continue;
            w.behind[i] = behind->admittance(behind->context, frequency);
            w.sheet[i] += sheet_of(behind, frequency);
        }
        for (int a = 0; a <= LATE_ANGLES; a++)
            if (front->fixed)
                wall->reflected[a][b] = 1.0f;
            else
                set_angle(wall, a, b, &w);
        set_passed_mean(wall, b);
    }
}

void late_wall_make(struct late_wall *wall, const struct late_material *material, const struct late_bands *bands)
{
    make_wall(wall, material, NULL, bands);
}

void late_wall_make_pair(struct late_wall *wall, const struct late_material *front, const struct late_material *behind,
                         const struct late_bands *bands)
{
    make_wall(wall, front, behind, bands);
}

double late_edge_chance(double wavelengths, double angle)
{
    const double rate = M_SQRT2 * late_edge_strength * fmax(wavelengths, late_edge_closest);
    return atan(rate * angle) / atan(0.5 * M_PI * rate);
}
