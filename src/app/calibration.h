/* SPDX-License-Identifier: MIT */
/* The calibration of microphones: pascals per unit of recorded samples, by the tone of a sound calibrator. */
#ifndef AULA_APP_CALIBRATION_H
#define AULA_APP_CALIBRATION_H

#include <stddef.h>

#include "base/error.h"

struct calibration {
    double *pascals; /* [channels]; 0: that channel is not calibrated; NULL: none is */
};

struct calibrator_tone {
    double frequency; /* Hz */
    double pascals;   /* per unit of the recording */
    double wander;    /* dB: between the loudest and the softest tenth of a second */
    double purity;    /* dB: tone over all else */
};

/* From samples [frames] of the tone of a calibrator at `level` dB re 20 uPa. ERROR_INPUT if they are not a steady tone. */
int calibrator_tone_find(struct calibrator_tone *tone, const double *samples, size_t frames, double rate, double level,
                         struct error *e);

/* The file of one channel, counted from 1; other channels in an existing calibration file are kept. */
int calibration_write(const char *path, size_t channel, const struct calibrator_tone *tone, double level,
                      const char *device, struct error *e);

/* path NULL: no calibration. ERROR_INPUT, with the remedy, if it is no calibration file or calibrates none of these
 * channels. Free in any case. */
int calibration_read(struct calibration *c, const char *path, size_t channels, struct error *e);
void calibration_free(struct calibration *c); /* NULL-safe */

#endif
