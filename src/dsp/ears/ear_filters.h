/* SPDX-License-Identifier: MIT */
/* Filters that render the harmonics of a field for two ears: ear(ω) = Σ_nm h_nm(ω) a_nm(ω).
 *
 * h is a least-squares fit over the directions of the HRTF, weighted by their areas on the sphere, with a Tikhonov
 * penalty of 1e-4 of the mean diagonal in N3D. Below f_c = N c/(2π 87.5 mm), theory (58), limited to 500..2000 Hz, it fits
 * the complex HRTF. Above f_c it fits the magnitude with the phase of the solution one bin below (Schörkhuber,
 * Zaunschirm, Höldrich 2018, "Binaural rendering of Ambisonic signals via magnitude least squares"), because order N
 * cannot follow the phase there and the ear does not need it. */
#ifndef AULA_DSP_EARS_EAR_FILTERS_H
#define AULA_DSP_EARS_EAR_FILTERS_H

#include <stddef.h>

#include "base/error.h"
#include "io/sofa/hrtf.h"

struct ear_filters {
    int order;
    size_t channels, taps;
    size_t lead;    /* taps before the instant 0 */
    double rate;    /* Hz */
    double *filter; /* [left, right][channels][taps], for SN3D in ACN */
};

/* Filters for fields at `rate`. ERROR_INPUT where the directions do not determine the order; ERROR_MEMORY;
 * ERROR_STOPPED. On failure *f is empty. */
int ear_filters_make(struct ear_filters *f, const struct hrtf *h, int order, double rate, const char *path,
                     struct error *e);
void ear_filters_free(struct ear_filters *f);

/* Hz: the frequency f_c above which only the magnitude of the HRTF is fitted. */
double ear_filters_change(int order);

/* s: largest lead of the filters before time 0. */
double ear_filters_lead(const struct hrtf *h);

/* Response of an ear, 0 or 1, to the plane wave from a direction, relative to the pressure at the head's centre. */
void ear_filters_response(double value[2], const struct ear_filters *f, size_t ear, const double direction[3],
                          double frequency);

/* Two ears from a field [f->channels][frames]: *out fresh, [2][*out_frames], its frame 0 that of the field. Single
 * precision (dsp/convolve.h). */
int ear_filters_run(double **out, size_t *out_frames, const struct ear_filters *f, const double *field, size_t frames,
                    struct error *e);

#endif
