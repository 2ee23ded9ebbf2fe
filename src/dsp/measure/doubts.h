/* SPDX-License-Identifier: MIT */
/* Marks bands of a hybrid response whose parameters are doubtful: image sources and rays contribute to them, and either
 * the decay of the rays differs from that of the waves or a default scattering coefficient determines the decay. */
#ifndef AULA_DSP_MEASURE_DOUBTS_H
#define AULA_DSP_MEASURE_DOUBTS_H

#include "dsp/measure/metrics.h"
#include "dsp/measure/metrics_table.h"

struct cJSON;

/* The member "hybrid" of the JSON beside a response; NULL: none. Accepts the name "band" of older files. */
const struct cJSON *json_hybrid(const struct cJSON *json);

enum doubt { DOUBT_HALVES = 1, DOUBT_SCATTERING = 2, DOUBTS_END = 4 }; /* bits */

/* Two just noticeable differences (ISO 3382-1). Halves that differ by more make bands up to one octave above the end of
 * the waves doubtful. Further up the comparison says nothing, because the difference may change its sign. */
#define DOUBT_DECAYS_APART 0.1  /* of T30 and EDT */
#define DOUBT_CLARITY_APART 2.0 /* dB of C80 */

/* A T30 above this multiple of the Eyring value is doubtful. In boxes with smooth walls, scattering coefficients of 0.05
 * and 0.3 change T30 by at most 3 % if it is below 1.15 times the Eyring value, and by 40 to 90 % at 1.6 to 2.2 times. */
#define DOUBT_ABOVE_EYRING 1.2

/* A parameter of both halves; NaN: not known. */
struct half_pair {
    double waves, rays;
};

/* Read from the sidecar of the response; zeroed: nothing is doubtful. */
struct doubts {
    double from;   /* Hz: rays contribute above; 0: nowhere */
    double alone;  /* Hz: only rays above; NaN: not known */
    double octave; /* Hz: octave below the crossover in which the halves are compared; NaN: not known */
    struct half_pair t30, edt, c80; /* s, dB, there */
    double eyring[METRICS_OCTAVES]; /* s; NaN: not known */
    char *materials;                /* materials with default scattering, "carpet, plaster"; NULL: none */
};

/* Nonzero: out of memory. Free in any case. */
int doubts_take(struct doubts *d, const struct cJSON *json);
void doubts_free(struct doubts *d);

/* Bits of enum doubt. */
unsigned doubts_of(const struct doubts *d, const struct metrics_band *band);
/* The same of a single number: of all bands that it rests on. */
unsigned doubts_of_single(const struct doubts *d, const struct metrics *m, const struct metric *single);

/* "halves" or "scattering", as in JSON. */
const char *doubt_name(enum doubt doubt);

/* Names of bits of enum doubt, as in CSV: "halves scattering"; "" without any. */
const char *doubt_names(unsigned doubts);

/* Whether the halves differ by more than DOUBT_DECAYS_APART or DOUBT_CLARITY_APART in a parameter that both have. */
bool halves_are_apart(const struct half_pair *t30, const struct half_pair *edt, const struct half_pair *c80);

/* "T30 0.46 s from image sources and rays, 0.42 s from the wave solver; EDT ...", for the parameters that both halves
 * have; "" if there are none. NULL: out of memory. */
char *halves_text(struct half_pair t30, struct half_pair edt, struct half_pair c80);

/* The reason as one line of text, to be freed; NULL: out of memory. */
char *doubt_text(const struct doubts *d, enum doubt doubt);

#endif
