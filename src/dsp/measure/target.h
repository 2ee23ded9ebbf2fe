/* SPDX-License-Identifier: MIT */
/* Targets: what a publication asks of the reverberation time or of the speech transmission index of a room, and whether
 * a room meets it. rooms/targets.cfg has the shipped ones (room/targets/targets.h reads them). */
#ifndef AULA_DSP_MEASURE_TARGET_H
#define AULA_DSP_MEASURE_TARGET_H

#include <stdbool.h>
#include <stddef.h>

#include "base/acoustics/conventions.h"
#include "dsp/measure/doubts.h"
#include "dsp/measure/metrics.h"

enum target_quantity { TARGET_TIME, TARGET_SPEECH };
enum target_form { TARGET_STEPS, TARGET_LOGARITHM, TARGET_POWER };
enum { TARGET_STEPS_MAX = 8, TARGET_GRADES_MAX = 16, TARGET_GRADE_NAME = 4 };

struct target_step {
    double volume; /* m3: up to and including this */
    double time;   /* s */
};

struct target_grade {
    char name[TARGET_GRADE_NAME];
    double least; /* STI, from this value on */
};

struct target {
    char *name, *description, *publication;
    char *condition; /* state of the room for which it holds; NULL: none is stated */
    enum target_quantity quantity;
    double volume[2]; /* m3: range for which it is defined; 0 and INFINITY: any */

    /* Reverberation time T, s, of the volume V, m3:
     * TARGET_STEPS      T of the first step whose volume is not below V
     * TARGET_LOGARITHM  T = logarithm[0] lg V + logarithm[1]
     * TARGET_POWER      T = power[0] (V / power[1])^power[2] */
    enum target_form form;
    struct target_step steps[TARGET_STEPS_MAX];
    size_t step_count;
    double logarithm[2], power[3];
    double longest;                                  /* s: T is at most this; INFINITY: no limit */
    bool octave[OCTAVE_BANDS];                       /* judged */
    bool guidance[OCTAVE_BANDS];                     /* judged, but not part of the verdict */
    double lower[OCTAVE_BANDS], upper[OCTAVE_BANDS]; /* factors of T; 0 and INFINITY: no limit */
    double tolerance;                                /* s: T - tolerance to T + tolerance in place of factors; NaN */
    bool mean[OCTAVE_BANDS];                         /* the mean of these octaves is at most T */
    double noise;                                    /* dB(A): the background noise is at most this; NaN: no limit */

    /* Speech transmission index */
    struct target_grade grades[TARGET_GRADES_MAX]; /* from the worst to the best; `least` of the first is 0 */
    size_t grade_count;
    double least; /* NaN: none is asked for */
};

void target_clear(struct target *target); /* frees its texts, NULL-safe */

/* s; NaN: the publication has no limit for this volume (m3). */
double target_time(const struct target *target, double volume);
bool target_covers(const struct target *target, double volume);
/* The grade of an index, or NULL without grades. */
const char *target_grade_of(const struct target *target, double sti);

/* m2, equivalent absorption area to be added so that the reverberation time falls from `time` to `wanted` (s):
 * 24 ln 10 V / c (1/wanted - 1/time), 24 ln 10 = 55.26; negative: to be removed. (Sabine; ISO 354:2003, 8.1.2) */
double target_absorption(double volume, double sound_speed, double time, double wanted);

/* dB(A) of octave levels from 125 Hz to 8 kHz, and of 63 Hz unless NaN; -INFINITY: silent. Weights: IEC 61672-1. */
double weighted_level(const double octave[SPEECH_BANDS], double level_63);
extern const double weight_a[OCTAVE_BANDS]; /* dB, 63 Hz to 8 kHz */

/* A reverberation time to be judged. */
struct target_measured {
    double time;     /* s; NaN: see why */
    const char *why; /* static text; NULL where there is a time */
    const char *by;  /* "T30", "T20" or "Eyring" */
    size_t places;   /* it is the mean of */
    unsigned doubts; /* bits of enum doubt, of any channel */
};

/* The mean over channels by octave: of T30 where each channel with a valid decay has it, else of T20. An octave that is
 * not wholly within the valid band has none. */
void target_measure(struct target_measured measured[OCTAVE_BANDS], const struct metrics *channels, size_t count,
                    const struct doubts *doubts);

enum verdict { VERDICT_PASS, VERDICT_FAIL, VERDICT_UNKNOWN, VERDICT_NONE /* not judged */ };

struct judged {
    enum verdict verdict;
    double value;               /* NaN: see why */
    double lower, upper;        /* 0 and INFINITY: no limit */
    double margin;              /* to the nearer limit; negative: beyond it */
    double to_limit, to_target; /* m2 of absorption until a failed time meets its limit, or T; 0 where it passes */
    const char *why;            /* why the verdict is unknown */
};

struct judgement {
    enum verdict verdict; /* of all; PASS and FAIL say nothing of the parts that are unknown: see `unknown` */
    bool covered;         /* the volume lies in the target's range */
    double time;          /* s: T; NaN: no limit at this volume */
    struct judged octave[OCTAVE_BANDS], mean, noise, speech;
    const char *grade;              /* of the speech transmission index; NULL: none */
    size_t passed, failed, unknown; /* parts of the verdict, guidance left out */
};

#define TARGET_SOUND_SPEED 343.2 /* m/s, of air at 20 °C, where it is not known */

/* What is judged. */
struct target_room {
    double volume;      /* m3 */
    double sound_speed; /* m/s */
    struct target_measured measured[OCTAVE_BANDS];
    double noise; /* dB(A); NaN: not known, and then not judged */
    double sti;   /* NaN: see no_sti */
    bool sti_doubtful;
    const char *no_sti;
};

/* The lowest speech transmission index of the channels, into room->sti, or NaN and the reason: a channel without one makes
 * it unknown. It is doubtful if that of any channel is. */
void target_measure_speech(struct target_room *room, const struct metrics *channels, size_t count,
                           const struct doubts *doubts);
/* The second of these alone. */
bool target_speech_doubtful(const struct metrics *channels, size_t count, const struct doubts *doubts);

void target_judge(struct judgement *j, const struct target *target, const struct target_room *room);

/* Whether any part is judged, guidance included. */
bool judgement_has_limits(const struct judgement *j);
/* Whether the octave, or the mean (OCTAVE_BANDS), passed or failed by a doubtful value. */
bool judgement_part_doubtful(const struct judgement *j, const struct target *target, const struct target_room *room,
                             size_t band);
/* Whether its time, or one of those in the mean, is of T20, because a response lacks T30. */
bool target_part_by_t20(const struct target *target, const struct target_room *room, size_t band);
/* The parts of the verdict that rest on a doubtful value, guidance left out. */
size_t judgement_doubtful(const struct judgement *j, const struct target *target, const struct target_room *room);
/* Whether the verdict itself rests on doubtful values: FAIL where all failed parts do, others where any part does. */
bool judgement_is_doubtful(const struct judgement *j, const struct target *target, const struct target_room *room);

/* The octave, or the mean (OCTAVE_BANDS), that fails by most; NULL: none fails. Guidance is left out. */
const struct judged *judgement_worst(const struct judgement *j, const struct target *target, size_t *band);

/* "PASS", "FAIL", "-", "" */
const char *verdict_text(enum verdict verdict);
/* "PASS", "FAIL" or "INCOMPLETE": the last where nothing fails and a part is unknown. "" where nothing is asked. */
const char *judgement_text(const struct judgement *j);

#endif
