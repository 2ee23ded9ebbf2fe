/* SPDX-License-Identifier: MIT */
/* A sound file to be measured with the description in its sidecar or, without one, in its comment. */
#ifndef AULA_DSP_MEASURE_RECORDING_H
#define AULA_DSP_MEASURE_RECORDING_H

#include "dsp/measure/doubts.h"
#include "dsp/measure/metrics.h"
#include "dsp/space/harmonics.h"
#include "io/audio_file.h"

/* Directions in a recording: dsp/measure/recording_space.h. */
struct space_of_recording {
    size_t field_channels; /* of an ambisonic response; 0 of others */
    struct turn orientation;
    bool axis_known;   /* else the lateral axis is found by the direct sound */
    double axis[3];    /* lateral, in the receiver's axes */
    double *pressure;  /* [audio.frames] at the place of a figure of eight, in the unit of its samples; or NULL */
    bool ears;         /* two channels are the left and the right ear */
    char receiver[24]; /* type in the room file, "ambisonic"; "": omnidirectional, or not described */
};

struct recording {
    struct audio audio; /* its rate exact, where the JSON has it */
    size_t
        field_channels; /* of an ambisonic response, of which audio has but the first: its samples are [these][frames]; 0
                              of others */
    bool parted;        /* the checksum in the sidecar is that of another sound: a warning, in `note` */
    bool described;     /* the sidecar of `aula render` exists and is for this file */
    bool is_signal;     /* a recorded signal or an auralization by its description, not an impulse response */
    bool measured;      /* described by `aula measure` or `aula deconvolve`: there is no room in its sidecar */
    double valid_low;   /* Hz; 0 where not described */
    double valid_high;  /* Hz; half the rate where neither JSON nor comment gives it */
    double grid_valid;  /* Hz: upper end of the grid's valid band, at any rate of the file; 0: not known */
    bool noiseless;     /* an impulse response that aula rendered, not of 16 bit */
    bool calibrated;    /* an impulse response of one source whose strength is known */
    double scale;       /* times the samples: the response to unit strength */
    double delay;       /* s: delay of the low-pass; 0 where neither JSON nor comment gives it */
    char *source;       /* name, or NULL */
    char **channel_name;  /* [audio.channels], each may be NULL */
    double volume;        /* m3 of air, NaN: not known */
    double sound_speed;   /* m/s, NaN: not known */
    double source_height; /* m, z of the only source; NaN: not known */
    bool source_directed; /* the only source is known to radiate other than equally to all sides */
    double *height;       /* [audio.channels] m, z of each receiver; NaN: not known */
    double *distance;     /* [audio.channels] m from the source to each receiver; NaN: not known */
    struct space_of_recording space;
    struct doubts doubts;
    char *note; /* assumptions, one line without the file's name; or NULL */
};

/* ERROR_INPUT as audio_read. A missing or foreign JSON is no error: see note. On failure *r is zero. */
int recording_read(struct recording *r, const char *path, struct error *e);
void recording_free(struct recording *r); /* NULL-safe */

/* Why the level of a rendered response is not calibrated; NULL: it is. `together`: the response to several sources;
 * `strength`: of the source, NaN: unknown. */
const char *recording_uncalibrated(bool is_filter, bool together, double strength);

struct metrics_settings recording_settings(const struct recording *r);

/* Measures every channel into channels[r->audio.channels]; settings->curves (or NULL):
 * [channel][METRICS_BANDS][curve_points]. `name` stands in messages. Errors as metrics_measure, and ERROR_INPUT where
 * all channels are silent. */
int recording_measure(struct metrics *channels, const struct recording *r, const struct metrics_settings *settings,
                      const char *name, struct error *e);

/* Why the speech transmission index is missing, and the remedy; text to be freed, NULL: out of memory. */
char *recording_speech_remedy(const struct recording *r, const struct metrics *m);

#endif
