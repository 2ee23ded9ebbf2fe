/* SPDX-License-Identifier: MIT */
/* Sound along the ways of image sources: from ways to a signal. */
#ifndef AULA_RENDER_HYBRID_PATH_SOUND_H
#define AULA_RENDER_HYBRID_PATH_SOUND_H

#include <complex.h>
#include <stdbool.h>
#include <stddef.h>

#include "dsp/fourier.h"
#include "dsp/space/integrators.h"
#include "render/hybrid/image_paths.h"

/* A wall at the frequencies of path_sound.frequency. */
struct path_material {
    bool fixed;                 /* p = 0: each reflection is -1, and the admittance does not count */
    double complex *admittance; /* [bins], specific */
    double *mirrored;           /* [bins]: √(1 - s), the pressure that is not scattered */
};

/* What the ways of a room have in common. Responses are filters at `rate`: from Pa m to Pa. */
struct path_sound {
    double rate, sound_speed;        /* Hz, m/s */
    double low;                      /* Hz: below, a way has the magnitude that it has here, and linear phase */
    double top[2];                   /* Hz: flat up to the first, cos² down to nothing at the second */
    size_t length, bins;             /* of a way's filter: a power of two, and length/2 + 1 */
    double *frequency, *root;        /* [bins], Hz, and its root */
    double *end;                     /* [bins]: 1 up to top[0], 0 from top[1] on */
    double *attenuation;             /* [bins], Np/m, of the air */
    struct path_material *materials; /* [material_count] */
    size_t material_count;
    struct fourier tables;
    struct real_fourier transform;
};

struct path_settings {
    double rate, sound_speed, low, top[2];                    /* as above */
    double (*attenuation)(const void *air, double frequency); /* Np/m; NULL: lossless */
    const void *air;
    size_t material_count; /* rigid, and not scattering, until they are filled in */
    double hearing;        /* s: how long the responses of receivers are */
};

/* A filter of a way lasts 8/low or 20 ms, or more. ERROR_MEMORY, ERROR_STOPPED. */
int path_sound_make(struct path_sound *s, const struct path_settings *settings, struct error *e);
void path_sound_free(struct path_sound *s); /* safe on a zeroed struct */

/* Pressure that a source sends into a direction (unit vector, of the room), relative to 1 Pa m, as seen at a distance,
 * m: multiplies gain [bins]. */
struct path_source {
    void (*multiply)(const void *context, double complex *gain, const struct path_sound *sound,
                     const double direction[3], double distance);
    const void *context; /* multiply NULL: the same into all directions */
    double gain;         /* Pa m */
};

/* Channels from what arrives from a direction (unit vector, of the room): gain [channels][order + 1] of the parts of
 * each order, which are in level and phase what the wave half integrates to. */
struct path_receiver {
    size_t channels;
    int order;                    /* 0: pressure */
    struct integrator integrator; /* of orders above 0 */
    void (*gains)(const void *context, double *gain, const double direction[3]);
    const void *context; /* gains and responses NULL: one channel, the pressure */

    /* In place of gains, of channels that hear a direction by a filter: response [channels][bins], which the order has
     * no part in; false: no memory. Called by several threads at once. */
    bool (*responses)(const void *context, double complex *response, const struct path_sound *sound,
                      const double direction[3]);
};

/* Adds the sound of the ways to out [receiver->channels][frames]. The same bits for any number of threads.
 * ERROR_MEMORY, ERROR_STOPPED. */
int path_sound_add(double *out, size_t frames, const struct path_sound *sound, const struct image_paths *paths,
                   const struct path_source *source, const struct path_receiver *receiver, struct error *e);

/* The spectrum of a way at the bins, without its delay, theory (77): Π Q √(1 - s), air, source, 1/(4πr) and the end of
 * the band. */
void path_spectrum(double complex *spectrum, const struct path_sound *sound, const struct image_path *path,
                   const struct path_source *source);

#endif
