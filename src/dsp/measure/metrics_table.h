/* SPDX-License-Identifier: MIT */
/* One table of all acoustic parameters: symbols, units, formats, values and reasons of gaps. `aula metrics`, `aula report`,
 * the C interface, Python and data sets read it. A new parameter needs its computation and one row. */
#ifndef AULA_DSP_MEASURE_METRICS_TABLE_H
#define AULA_DSP_MEASURE_METRICS_TABLE_H

#include "dsp/measure/metrics.h"

struct recording;

/* Where a band keeps the reason of missing parameters. */
struct metric_gap {
    const char *figures;             /* "C, D, Ts, G" */
    const char *name, *length_name;  /* in JSON; length_name NULL: given by another gap */
    size_t reason, length, shortest; /* in struct metrics_band */
};

enum metric_gap_id { GAP_NONE, GAP_EDT, GAP_T20, GAP_T30, GAP_ENERGIES, GAP_C50, GAP_C80, METRIC_GAPS };
extern const struct metric_gap metric_gaps[METRIC_GAPS]; /* from GAP_EDT on */

enum metrics_reason metric_gap_reason(const struct metric_gap *gap, const struct metrics_band *band);
double metric_gap_length(const struct metric_gap *gap, const struct metrics_band *band); /* s; NaN: not known */
double metric_gap_shortest(const struct metric_gap *gap,
                           const struct metrics_band *band); /* s that the filter resolves */

/* As printed: value * scale with `decimals`, in `unit`; unit NULL: not printed. */
struct metric_format {
    const char *unit;
    double scale;
    int decimals;
};

/* The parameter in the C library and in Python. */
struct metric_public {
    int number;       /* in enum aula_metric; permanent, so use the next free one; METRIC_NOT_PUBLIC: not there */
    const char *name; /* the name in JSON, with capitals; the enumerator is AULA_ and the name in capitals */
    const char *unit; /* SI; "": none */
    const char *meaning;
};

enum { METRIC_NOT_PUBLIC = -1 };

struct metric {
    const char *symbol;              /* "T30" */
    const char *name;                /* in JSON and CSV, where values are in SI units */
    size_t offset;                   /* of the double in struct metrics_band, or in struct metrics (single) */
    enum metric_gap_id gap[2];       /* why a band may lack it, in this order; GAP_NONE: no reason is kept */
    struct metric_format text, page; /* a column of the table of aula metrics, of the page of aula report */
    struct metric_public public;     /* of bands */
    bool optional;    /* left out of text and page where it is NaN; of bands: where all of them lack it */
    bool compared;    /* also a column where the page compares responses */
    const char *note; /* single: method, after the value in the text */
    char *(*why)(const struct recording *r, const struct metrics *m); /* single: why it is NaN; fresh memory */
    struct {
        size_t first, count;
    } rests; /* single: bands of struct metrics that it rests on */
};

/* One value for each octave, third octave and the broad band. */
extern const struct metric band_metrics[];
extern const size_t band_metric_count;

/* One value for the whole response. */
extern const struct metric single_metrics[];
extern const size_t single_metric_count;

const struct metric *metric_find(const char *name);   /* of a band; NULL: none */
const struct metric *metric_of_number(size_t number); /* of a band, by its public number; NULL: none */

/* Whether the manifest of a data set has this parameter for each octave, which excludes those of directional receivers. */
bool metric_in_data_sets(const struct metric *metric);

/* Sets every parameter of the band to NaN. */
void metrics_clear(struct metrics_band *band);
void metrics_clear_single(struct metrics *metrics);

/* NaN: missing */
double metric_of_band(const struct metric *metric, const struct metrics_band *band);
double metric_of_response(const struct metric *metric, const struct metrics *metrics);

/* Whether to show the parameter for these bands; an optional one is shown if a band has it. */
bool metric_shown(const struct metric *metric, const struct metrics_band *bands, size_t count);

/* Why a band lacks the parameter; METRICS_NONE: unknown. */
enum metrics_reason metric_reason(const struct metric *metric, const struct metrics_band *band);

#endif
