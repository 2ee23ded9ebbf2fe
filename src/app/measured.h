/* SPDX-License-Identifier: MIT */
/* The measured response of `aula measure` and `aula deconvolve`: from recording to sound, sidecar, table and warnings. */
#ifndef AULA_APP_MEASURED_H
#define AULA_APP_MEASURED_H

#include "app/options.h"
#include "dsp/measure/sweep_findings.h"
#include "io/sound_pair.h"
#include "io/wav_header.h"

struct audio_written;
struct cJSON;

/* One microphone. Levels are mean squares of the recording by octave, NaN: unknown or outside the sweep. */
struct measured_channel {
    double noise[SWEEP_OCTAVES], sweep[SWEEP_OCTAVES];
    double pascals; /* per unit of the recording; 0: not calibrated */
    const struct metrics *metrics;
};

struct measured {
    const char *command;       /* "measure" or "deconvolve" */
    const char *name;          /* of the recording, for messages */
    struct sweep_recording in; /* samples belong to the caller */
    const double *noise;       /* [in.channels][noise_frames]: background noise; NULL: the silence before the sweep */
    size_t noise_frames;
    size_t averaged;                /* sweeps in the mean that the recording is; 1: none */
    double spread;                  /* dB: difference of those sweeps from their mean; NaN: not known */
    const double *pascals;          /* [in.channels] per unit of the recording; NULL: not calibrated */
    const char *device;             /* name of the sound card; NULL: a file */
    size_t takes, dropped, refused; /* of a measurement: attempts, dropped blocks, sweeps that were not used */

    struct sweep_response response;
    struct measured_channel *channel; /* [response.channels] */
    struct sweep_findings findings;
};

/* Computes the members behind `response` from those before it. Errors as sweep_response_make. */
int measured_make(struct measured *m, struct error *e);
void measured_free(struct measured *m); /* of what measured_make computed */

/* Writes the sound and the sidecar. */
int measured_write(const struct measured *m, const struct sound_names *names, enum sample_format format,
                   bool no_clobber, struct error *e);

/* Prints notes and warnings on stderr, the table on standard output. */
void measured_say(const struct measured *m, bool quiet);
void measured_print(const struct measured *m, const struct sound_names *names);

/* Prints the sidecar that was written. */
int measured_print_json(const char *json, struct error *e);

/* The sidecar of the sound as it was written. */
struct cJSON *measured_json(const struct measured *m, const char *sound, const struct audio_written *written,
                            enum sample_format format);

/* dB of a mean square of channel c: sound pressure level where it is calibrated, else re full scale. */
double measured_level(const struct measured_channel *c, double power);

#endif
