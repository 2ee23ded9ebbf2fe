/* SPDX-License-Identifier: MIT */
/* Signals of image paths. */
#ifndef AULA_RENDER_HYBRID_PATH_SOUND_H
#define AULA_RENDER_HYBRID_PATH_SOUND_H

#include <complex.h>
#include <stdbool.h>
#include <stddef.h>

#include "dsp/fourier.h"
#include "dsp/space/integrators.h"
#include "render/hybrid/image_paths.h"

/* A wall at the frequencies path_sound.frequency. */
struct path_material {
    bool fixed;                 /* p = 0: each reflection is -1, whatever the admittance */
    double complex *admittance; /* [bins], specific */
    double *mirrored;           /* [bins]: √(1 - s), the specular pressure */
};

/* Shared by the paths of a room. Responses are filters at `rate`, from Pa m to Pa. */
struct path_sound {
    double rate, sound_speed;        /* Hz, m/s */
    double low;                      /* Hz: below, a path keeps the magnitude it has here, with linear phase */
    double top[2];                   /* Hz: flat up to the first, cos² down to zero at the second */
    size_t length, bins;             /* of a path's filter: a power of two; bins = length/2 + 1 */
    double *frequency, *root;        /* [bins], Hz, and its square root */
    double *end;                     /* [bins]: 1 up to top[0], 0 from top[1] on */
    double *attenuation;             /* [bins], Np/m, by the air */
    struct path_material *materials; /* [material_count] */
    size_t material_count;
    struct fourier tables;
    struct real_fourier transform;
};

struct path_settings {
    double rate, sound_speed, low, top[2];                    /* as above */
    double (*attenuation)(const void *air, double frequency); /* Np/m; NULL: lossless */
    const void *air;
    size_t material_count; /* rigid and not scattering until filled in */
    double hearing;        /* s: length of the receivers' responses */
};

/* The filter of a path lasts at least 8/low and 20 ms. ERROR_MEMORY, ERROR_STOPPED. */
int path_sound_make(struct path_sound *s, const struct path_settings *settings, struct error *e);
void path_sound_free(struct path_sound *s); /* safe on a zeroed struct */

/* Pressure of a source in a direction (unit vector of the room), relative to 1 Pa m, at a distance,
 * m: multiplies gain [bins]. */
struct path_source {
    void (*multiply)(const void *context, double complex *gain, const struct path_sound *sound,
                     const double direction[3], double distance);
    const void *context; /* multiply NULL: omnidirectional */
    double gain;         /* Pa m */
};

/* Channels for sound from a direction (unit vector of the room): gain [channels][order + 1] of the
 * contribution of each order, matching the wave solver's integrators in level and phase. */
struct path_receiver {
    size_t channels;
    int order;                    /* 0: pressure */
    struct integrator integrator; /* for orders above 0 */
    void (*gains)(const void *context, double *gain, const double direction[3]);
    const void *context; /* gains and responses NULL: one channel, the pressure */

    /* Replaces gains for channels that filter by direction: response [channels][bins], independent
     * of the order; false: out of memory. Called by several threads concurrently. */
    bool (*responses)(const void *context, double complex *response, const struct path_sound *sound,
                      const double direction[3]);
};

/* Adds the sound of the paths to out [receiver->channels][frames]. Same bits for any number of
 * threads. ERROR_MEMORY, ERROR_STOPPED. */
int path_sound_add(double *out, size_t frames, const struct path_sound *sound, const struct image_paths *paths,
                   const struct path_source *source, const struct path_receiver *receiver, struct error *e);

/* Spectrum of a path at the bins, without its delay, theory (77): Π Q √(1 - s), air, source,
 * 1/(4πr) and the end of the band. */
void path_spectrum(double complex *spectrum, const struct path_sound *sound, const struct image_path *path,
                   const struct path_source *source);

#endif
