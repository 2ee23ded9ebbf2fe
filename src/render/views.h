/* SPDX-License-Identifier: MIT */
/* Directivity of the sources and receivers of a room for image sources and rays. */
#ifndef AULA_RENDER_VIEWS_H
#define AULA_RENDER_VIEWS_H

#include <complex.h>

#include "dsp/space/harmonics.h"
#include "dsp/space/integrators.h"
#include "render/hybrid/path_sound.h"
#include "room/grid/model.h"

/* The pattern Σ_c D_c Y_c(d) of a source in its own axes. For a named pattern D = a_n and Y =
 * P_n(cos θ). */
enum { LATE_FREQUENCIES = 5 };
struct source_view {
    const struct source *source;
    struct turn back;                         /* from the room to the source's own axes */
    int order;                                /* as limited by the distance to walls */
    double a[PATTERN_ORDER_MAX + 1];          /* of a named pattern */
    double distance[RADIATION_ORDER_MAX + 1]; /* m: distance at which each order is known (source_integrator) */
    double complex *over_frequency; /* [radiation.used][bins], of a pattern from a file; NULL: only energy is needed */
    double late[RADIATION_HARMONICS_MAX][2]
               [LATE_FREQUENCIES]; /* [used], of a pattern from a file: in the octaves from 500 Hz up */
};

/* sound: provides the frequencies of source_view_multiply; NULL: only source_view_energy is needed.
 * ERROR_MEMORY. */
int source_view_make(struct source_view *view, size_t source, const struct model *m, const struct path_sound *sound,
                     struct error *e);
void source_view_free(struct source_view *view);

/* multiply of a struct path_source: Σ_n D_n(d) F_n(jkr)/F_n(jkR); higher orders are stronger
 * nearby. */
void source_view_multiply(const void *view, double complex *gain, const struct path_sound *sound,
                          const double direction[3], double distance);

/* A late_pattern: the squared far field; for a file the mean of the octaves from 500 Hz to 8 kHz,
 * since rays have one pattern for all bands. */
double source_view_energy(const void *view, const double direction[3]);

/* Directivity of a receiver at one of its positions. Ears hear through the harmonics of the field. */
struct receiver_view {
    const struct receiver *receiver;
    struct turn back; /* from the room's to the receiver's own axes */
    double scale;     /* scale of a velocity */
    size_t channels;
    int order;
    struct integrator integrator;
    bool directed; /* false: one channel, the pressure */
};

void receiver_view_make(struct receiver_view *view, const struct receiver *receiver, const struct model *m);

/* gains of a struct path_receiver: [channels][order + 1]. */
void receiver_view_orders(const void *view, double *gain, const double direction[3]);

/* late_gains of the same receiver: [channels], summed over orders. */
void receiver_view_gains(const void *view, double *gain, const double direction[3]);

/* Adds gain times the ear signals from a field [channels of the view][frames] at `rate` to out
 * [2][frames]. */
int receiver_view_add_ears(double *out, size_t frames, const double *field, const struct receiver_view *view,
                           double rate, double gain, struct error *e);

#endif
