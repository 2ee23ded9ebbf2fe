/* SPDX-License-Identifier: MIT */
/* Band filters of late sound, and gains that restore its energies. */
#ifndef AULA_RENDER_HYBRID_LATE_SHAPE_H
#define AULA_RENDER_HYBRID_LATE_SHAPE_H

#include <stdbool.h>

#include "dsp/fourier.h"
#include "render/hybrid/late_sound.h"

/* Circular filters over `length` frames. */
struct late_shape {
    size_t length;
    const struct late_sound *sound;
    const struct late_histogram *h;
    struct fourier tables;
    struct real_fourier transform;
    double *gain;               /* [length/2 + 1]: gain of the chosen band */
    double power;               /* of white noise of variance 1 through that filter */
    double powers[RISE_POINTS]; /* its distribution over the points of a rise */
    size_t band, window;        /* window: bins over which energies are corrected */
};

/* Buffers of one thread. */
struct late_work {
    double *re, *im;       /* [length/2] */
    double (*spectrum)[2]; /* [length/2 + 1] */
    double *correction;    /* [windows] */
};

/* Zero the structs first; free with .._free, after errors too. ERROR_MEMORY, ERROR_STOPPED. */
int late_shape_make(struct late_shape *s, size_t length, const struct late_sound *sound, const struct late_histogram *h,
                    struct error *e);
void late_shape_free(struct late_shape *s);
bool late_work_make(struct late_work *w, const struct late_shape *s); /* false: out of memory */
void late_work_free(struct late_work *w);

/* Gain of a band's filter at a frequency, Hz: amplitudes of neighbouring bands add up to 1, because all bands filter the
 * same noise. */
double late_shape_gain(const struct late_bands *b, size_t band, double frequency);

void late_shape_choose(struct late_shape *s, size_t band);

/* samples [length], in place */
void late_shape_filter(const struct late_shape *s, struct late_work *w, double *samples);

/* Computes and keeps the gain, by windows, that makes the energies of filtered pressure equal a
 * receiver's in the chosen band, with the rise at its position (NULL: none). */
void late_shape_correct(const struct late_shape *s, struct late_work *w, const double *pressure, size_t receiver,
                        const struct near_rise *rise);
double late_shape_correction(const struct late_shape *s, const struct late_work *w, size_t frame);

/* First frame of a bin. */
size_t late_shape_frame(const struct late_shape *s, size_t bin);

#endif
