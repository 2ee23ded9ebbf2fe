/* SPDX-License-Identifier: MIT */
/* Room-acoustic parameters of one impulse response: ISO 3382-1 in octave or third-octave bands and broad band, stage
 * support, and the speech transmission index of IEC 60268-16, without or with levels, noise and masking.
 *
 * Typical use
 *     struct metrics m;
 *     const struct metrics_settings s = {.valid_low = 10.0, .valid_high = 3600.0, .calibrated = true, .scale = 1.0};
 *     if (metrics_measure(&m, samples, frames, 48000.0, &s, e)) return -1;
 *     m.band[4].t30.time                       1 kHz: s, or NaN with the reason in m.band[4].t30.reason
 *     metrics_reason_text(m.band[4].t30.reason)
 *
 * A parameter that cannot be measured is NaN. struct metrics owns no memory. */
#ifndef AULA_DSP_MEASURE_METRICS_H
#define AULA_DSP_MEASURE_METRICS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "dsp/measure/clipping.h"

enum {
    METRICS_OCTAVES = 8,                 /* 63 Hz to 8 kHz */
    METRICS_BROAD = METRICS_OCTAVES,     /* index of the broad band */
    METRICS_BANDS = METRICS_OCTAVES + 1, /* the octaves, then the broad band */
    METRICS_THIRDS = 24,                 /* third octaves, 50 Hz to 10 kHz: the three of each octave */
    SPEECH_BANDS = 7,                    /* 125 Hz to 8 kHz */
    SPEECH_MODULATIONS = 14,             /* 0.63 to 12.5 Hz */
};

/* Hz: band of the speech transmission index, from the lower edge of the 125 Hz octave to the upper edge of 8 kHz. */
#define METRICS_SPEECH_LOW 88.388347648318447
#define METRICS_SPEECH_HIGH 11313.708498984761

/* Reasons of missing parameters: name, text */
#define METRICS_REASONS(X)                                                                                             \
    X(NONE, "")                                                                                                        \
    X(BEYOND, "the band lies outside the valid band")                                                                  \
    X(SILENT, "the response is silent")                                                                                \
    X(NOISE, "the decay does not rise far enough above the noise")                                                     \
    X(SHORT, "the response is shorter than the decay")                                                                 \
    X(FILTER, "the decay is too short for the band filter")                                                            \
    X(SHAPE, "there is hardly any decay (noise, or a truncated response)")                                             \
    X(STEPS, "the level falls in steps because there are too few arrivals")                                            \
    X(UNLIKE, "the energy is negative (not an impulse response, too short, or too noisy)")                             \
    X(LEVEL, "the response is not calibrated")                                                                         \
    X(SPLIT, "the early or late energy lies below the measured range of the decay")

enum metrics_reason {
#define X(name, words) METRICS_##name,
    METRICS_REASONS(X)
#undef X
        METRICS_REASON_COUNT
};

/* "" for METRICS_NONE */
const char *metrics_reason_text(enum metrics_reason reason);

/* A reverberation time, and the linearity of its decay. */
struct metrics_decay {
    double time;         /* s, for 60 dB; NaN: see reason */
    double correlation;  /* r of level and time along the range: -1 (straight) to 0 */
    double nonlinearity; /* xi = 1000 (1 - r^2), per mille (ISO 3382-2 annex B): 5 usual, above 10 not straight */
    enum metrics_reason reason;
    double length; /* s: required duration of the response if reason is METRICS_SHORT; else NaN */
};

enum metrics_validity {
    METRICS_VALID,  /* both edges of the band lie within the valid band */
    METRICS_PARTLY, /* one edge lies outside: parameters are measured and marked */
    METRICS_OUTSIDE /* no part lies within, or half the sample rate cuts it: no parameters */
};

struct metrics_band {
    double centre;    /* Hz; 0 for the broad band */
    double low, high; /* Hz, -3 dB */
    enum metrics_validity validity;
    struct metrics_decay edt, t20, t30; /* 0..-10, -5..-25, -5..-35 dB */
    double curvature;   /* C = 100 (T30/T20 - 1) % (ISO 3382-2 annex B): above 10 two slopes are likely */
    double c50, c80;    /* clarity, dB */
    double d50;         /* definition, 0..1 */
    double ts;          /* centre time, s */
    double g;           /* strength, dB; NaN when not calibrated */
    double lf, lfc, lg; /* early lateral energy fractions, late lateral level in dB (spatial.h); NaN: not known */
    double iacc_early, iacc_late, iacc; /* interaural cross-correlation, 0..1; NaN: not of two ears */
    double range;                       /* dB between the start of the decay and where it was cut */
    double noise;                       /* noise floor below the start of the decay, dB (negative); NaN: none found */
    double cut;                         /* s after the arrival: where the decay was cut and its rest extrapolated */
    enum metrics_reason reason;         /* why the energy parameters (C, D, Ts, G) are missing */
    enum metrics_reason c50_reason, c80_reason; /* where reason is METRICS_NONE: why C50 or C80 alone is missing */
    double length;        /* s: required duration of the response if that reason is METRICS_SHORT; else NaN */
    double shortest_edt;  /* s: a shorter decay is the response of the filter and omitted */
    double shortest_late; /* s: for T20 and T30 */
};

/* Stage support (ISO 3382-1, annex C). It is defined at 1 m from the source, which is not checked here. */
enum { STAGE_BANDS = 4 }; /* 250 Hz to 2 kHz */
struct metrics_stage {
    double early[STAGE_BANDS];      /* dB: energy of 20 to 100 ms over that of the first 10 ms; NaN: not measured */
    double late[STAGE_BANDS];       /* dB: of 100 to 1000 ms over that of the first 10 ms; NaN: not measured */
    double early_mean, late_mean;   /* of the octaves that are valid and have it; NaN: none */
    size_t early_count, late_count; /* number of these octaves; the standard requires four */
};

struct metrics {
    double rate;    /* Hz */
    double arrival; /* s from the first sample to the direct sound; NaN where all is silent */
    double peak;    /* largest magnitude of the samples, unscaled */
    double end;     /* s: start of ignored silence or fade-out (record_end.h); else the length */
    bool swept;     /* a recorded sweep, not an impulse response */
    struct clipping clipped;
    struct metrics_band band[METRICS_BANDS];
    /* Calibrated ambisonic responses of order 1 and above; else NaN. Level of the active intensity re the same source in
     * free field at 10 m, which equals G if all sound comes from one direction; and the direction it comes from in the
     * axes of the receiver, azimuth positive to the left, elevation upwards. */
    double intensity_level, intensity_azimuth, intensity_elevation; /* dB, degrees, degrees */
    /* Means over octaves after ISO 3382-1 (spatial_means); NaN: not available. */
    double lf_mean, lfc_mean, lg_mean, iacc_early_mean;
    double sti; /* 0..1; NaN: see sti_reason */
    enum metrics_reason sti_reason;
    double mti[SPEECH_BANDS]; /* modulation transfer index of each octave from 125 Hz on, 0..1 */
    double transfer[SPEECH_BANDS][SPEECH_MODULATIONS]; /* of modulation, 0.63 .. 12.5 Hz, 0..1; NaN: not measured */
    struct metrics_stage stage;
    struct metrics_band third[METRICS_THIRDS]; /* where settings ask for them; else METRICS_BEYOND */
};

struct metrics_settings {
    double valid_low;  /* Hz: lower end of the valid band; 0: none */
    double valid_high; /* Hz: upper end; 0: half the sample rate */
    bool calibrated;   /* whether a source of unit strength gives 1/(4 pi r) Pa at r metres, as a filter at `rate` */
    double scale;      /* factor of the samples for that; 0 means 1 */
    double delay;      /* s: delay of a filter, not included in metrics.arrival */
    /* Energy decay curves for plots, or NULL: [METRICS_BANDS][curve_points], dB below the whole energy of the band at
     * i * curve_step seconds after the arrival; NaN beyond the cut and for bands without parameters. */
    double *curves;
    size_t curve_points;
    double curve_step;           /* s */
    bool noiseless;              /* a simulated response: a decay ends with the record, never in noise */
    bool third_octaves;          /* measure them as well */
    struct metrics_bench *bench; /* or NULL */
};

enum metrics_voice { METRICS_MALE, METRICS_FEMALE, METRICS_VOICES };

/* Conditions of a speech transmission index; levels in dB (re 20 uPa) by octave, 125 Hz to 8 kHz. */
struct metrics_conditions {
    enum metrics_voice voice;
    double speech[SPEECH_BANDS]; /* metrics_speech_spectrum fills it; -INFINITY: none */
    bool at_one_metre;           /* speech[] is 1 m before the talker in free field, and the response carries it to the
                                    listener (for a calibrated one); else it is at the listener */
    double noise[SPEECH_BANDS];  /* at the listener; -INFINITY: none */
    bool unmasked;               /* leave out masking by the octave below and the reception threshold */
};

struct metrics_speech {
    double sti;                 /* 0..1; NaN: see reason */
    enum metrics_reason reason; /* METRICS_LEVEL: at_one_metre, and the response is not calibrated */
    double mti[SPEECH_BANDS]; /* modulation transfer indices; NaN at 125 Hz for a female voice, which has none there */
    double speech[SPEECH_BANDS], noise[SPEECH_BANDS]; /* dB at the listener */
    double masking[SPEECH_BANDS];                     /* dB: masking by the octave below; -INFINITY: none */
};

/* Octave levels of speech with the A-weighted level `level`, dB (IEC 60268-16:2011); 60 at 1 m is usual. */
void metrics_speech_spectrum(double octave[SPEECH_BANDS], enum metrics_voice voice, double level);

/* The index of IEC 60268-16:2011 with levels: modulation transfer of the room (*m) times the share of speech in the sum
 * of speech, noise, masking by speech and noise of the octave below, and reception threshold. */
void metrics_speech(struct metrics_speech *s, const struct metrics *m, const struct metrics_conditions *c);

/* Hz: the highest rate of a grid, and so of files that aula writes. The cost of a band grows with the rate, so a file
 * with a higher one is refused. */
#define METRICS_RATE_MAX 1e6

/* Transform tables and filters shared by measurements of records of the same length; making them takes as long as a
 * measurement. Use by one thread at a time. NULL: out of memory. */
struct metrics_bench *metrics_bench_make(void);
void metrics_bench_free(struct metrics_bench *bench); /* NULL-safe */

/* Measures samples[frames], one channel at `rate` Hz. Silence has no parameters: METRICS_SILENT is the reason in each
 * band, and peak is 0. ERROR_INPUT: no samples, samples that are not finite, a rate beyond METRICS_RATE_MAX.
 * ERROR_MEMORY. ERROR_STOPPED when a stop is requested. Method and accuracy: docs/guide/metrics.md. */
int metrics_measure(struct metrics *m, const double *samples, size_t frames, double rate,
                    const struct metrics_settings *settings, struct error *e);

#endif
