/* SPDX-License-Identifier: MIT */
/* Sources and receivers of a room by direction, as image sources and rays meet them. */
#ifndef AULA_RENDER_VIEWS_H
#define AULA_RENDER_VIEWS_H

#include <complex.h>

#include "dsp/space/harmonics.h"
#include "dsp/space/integrators.h"
#include "render/hybrid/path_sound.h"
#include "room/grid/model.h"

/* The pattern Σ_c D_c Y_c(d) of a source, in its own axes; one with a name has D = a_n at Y = P_n(cos θ). */
enum { LATE_FREQUENCIES = 5 };
struct source_view {
    const struct source *source;
    struct turn back;                         /* from the room to the source's own axes */
    int order;                                /* as walls allow it */
    double a[PATTERN_ORDER_MAX + 1];          /* of a pattern with a name */
    double distance[RADIATION_ORDER_MAX + 1]; /* m, at which each order is known: source_integrator */
    double complex *over_frequency; /* [radiation.used][bins], of a pattern from a file; NULL: for energy alone */
    double late[RADIATION_HARMONICS_MAX][2][LATE_FREQUENCIES]; /* [used], likewise: in octaves from 500 Hz on */
};

/* sound: with the frequencies of source_view_multiply; NULL: for source_view_energy alone. ERROR_MEMORY. */
int source_view_make(struct source_view *view, size_t source, const struct model *m, const struct path_sound *sound,
                     struct error *e);
void source_view_free(struct source_view *view);

/* multiply of a struct path_source: Σ_n D_n(d) F_n(jkr)/F_n(jkR), as higher orders are stronger nearby. */
void source_view_multiply(const void *view, double complex *gain, const struct path_sound *sound,
                          const double direction[3], double distance);

/* A late_pattern: far away, squared; of a file the mean of the octaves from 500 Hz to 8 kHz, as rays have one
 * pattern. */
double source_view_energy(const void *view, const double direction[3]);

/* What is heard at one place of a receiver: two ears hear through the harmonics of the field. */
struct receiver_view {
    const struct receiver *receiver;
    struct turn back; /* from the room to the receiver's own axes */
    double scale;     /* of a velocity */
    size_t channels;
    int order;
    struct integrator integrator;
    bool directed; /* else one channel, the pressure */
};

void receiver_view_make(struct receiver_view *view, const struct receiver *receiver, const struct model *m);

/* gains of a struct path_receiver: [channels][order + 1]. */
void receiver_view_orders(const void *view, double *gain, const double direction[3]);

/* The same as late_gains: [channels], orders added up. */
void receiver_view_gains(const void *view, double *gain, const double direction[3]);

/* Adds gain times what two ears hear of a field [channels of the view][frames] at `rate` to out [2][frames]. */
int receiver_view_add_ears(double *out, size_t frames, const double *field, const struct receiver_view *view,
                           double rate, double gain, struct error *e);

#endif
