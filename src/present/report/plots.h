/* SPDX-License-Identifier: MIT */
/* The plots of one channel, each an <svg>. `name`: a word, unique in the page. */
#ifndef AULA_PRESENT_REPORT_PLOTS_H
#define AULA_PRESENT_REPORT_PLOTS_H

#include <stdio.h>

#include "present/report/spectrum.h"
#include "present/report/subject.h"

/* Input of a channel's plots. */
struct plotted {
    const struct subject *subject;
    size_t channel;
    const double *samples;    /* [frames] */
    struct spectrum spectrum; /* of the samples */
    double reference;         /* dB: see plotted_reference */
    double schroeder;         /* Hz; NaN when it is not known */
};

int plot_waveform(FILE *stream, const struct plotted *p, const char *name, struct error *e);
int plot_decays(FILE *stream, const struct plotted *p, const char *name, struct error *e);
int plot_response(FILE *stream, const struct plotted *p, const char *name, struct error *e);
int plot_modes(FILE *stream, const struct plotted *p, const struct mode *modes, size_t count, const char *name,
               struct error *e);
int plot_spectrogram(FILE *stream, const struct plotted *p, const char *name, struct error *e);

/* Whether the band has a decay curve to draw. */
bool plotted_has_decay(const struct plotted *p, size_t band);

/* Reference (0 dB) of a frequency response in dB re 1: the free field at 10 m, as for G; without calibration, the largest
 * bin. */
double plotted_reference(const struct recording *r, const struct spectrum *spectrum);

#endif
