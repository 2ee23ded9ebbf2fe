/* SPDX-License-Identifier: MIT */
/* Bands of a response over the whole band whose parameters are doubtful: where image sources and rays carry it and their
 * decay is not that of the waves, or the scattering that a material has by default decides the decay. */
#ifndef AULA_DSP_MEASURE_DOUBTS_H
#define AULA_DSP_MEASURE_DOUBTS_H

#include "dsp/measure/metrics.h"

struct cJSON;

/* The member "hybrid" of the JSON beside a response; NULL: none. It was called "band" in the previous release. */
const struct cJSON *json_hybrid(const struct cJSON *json);

enum doubt { DOUBT_HALVES = 1, DOUBT_SCATTERING = 2, DOUBTS_END = 4 }; /* bits */

/* Two just noticeable differences (ISO 3382-1): halves that differ by more are doubtful up to an octave above the
 * waves' end. Beyond it they say nothing: the difference may change its sign. */
#define DOUBT_DECAYS_APART 0.1  /* of T30 and EDT */
#define DOUBT_CLARITY_APART 2.0 /* dB of C80 */

/* A T30 above Eyring's by more is doubtful. Boxes with smooth walls, 0.05
 * against 0.3 of scattering: where T30 is within 1.15 of Eyring's, scattering changes it by 3 % at most; where it is 1.6
 * to 2.2 of it, by 40 to 90 %. */
#define DOUBT_ABOVE_EYRING 1.2

/* A parameter of both halves; NaN: not known. */
struct half_pair {
    double waves, rays;
};

/* By the JSON beside the response; zeroed: nothing is doubted. */
struct doubts {
    double from;                    /* Hz: rays contribute above; 0: nowhere */
    double alone;                   /* Hz: without waves above; NaN: not known */
    double octave;                  /* Hz: below the crossover, in which both halves are compared; NaN: not known */
    struct half_pair t30, edt, c80; /* s, dB, there */
    double eyring[METRICS_OCTAVES]; /* s; NaN: not known */
    char *materials;                /* that have the default scattering, "carpet, plaster"; NULL: none */
};

/* Nonzero: out of memory. Free in any case. */
int doubts_take(struct doubts *d, const struct cJSON *json);
void doubts_free(struct doubts *d);

/* Bits of enum doubt. */
unsigned doubts_of(const struct doubts *d, const struct metrics_band *band);

/* "halves" or "scattering", as in JSON. */
const char *doubt_name(enum doubt doubt);

/* Whether they differ by more than that in one of the parameters that both have. */
bool halves_are_apart(const struct half_pair *t30, const struct half_pair *edt, const struct half_pair *c80);

/* "T30 0.46 s by image sources and rays, 0.42 s by waves; EDT ...": of the parameters that both halves have. "": of
 * none. NULL: out of memory. */
char *halves_text(struct half_pair t30, struct half_pair edt, struct half_pair c80);

/* Why, as a line for people; fresh memory. */
char *doubt_text(const struct doubts *d, enum doubt doubt);

#endif
