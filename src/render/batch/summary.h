/* SPDX-License-Identifier: MIT */
/* The spread of acoustic parameters over the finished rooms of a data set, and how much of it each
 * varied key explains.
 *
 * A room has one value of a parameter in an octave, the mean over its sources and receivers that
 * have it. Rooms in which the octave is not entirely valid are left out and counted. Keys with
 * numbers are compared by Spearman's rank correlation, whose square is the share; keys with a
 * choice by eta squared of the values. */
#ifndef AULA_RENDER_BATCH_SUMMARY_H
#define AULA_RENDER_BATCH_SUMMARY_H

#include <stdbool.h>

#include "dsp/measure/metrics_table.h"
#include "render/batch/manifest.h"
#include "render/batch/spread.h"

struct cJSON;

/* What varies from room to room: a varied key, one component of it, or the base room. */
struct summary_key {
    char *name;      /* "air.temperature", "room.size[0]", "base" */
    const char *key; /* of the plan; NULL: the base room */
    int component;   /* of a value of several numbers; -1: none */
    bool choice;
    struct cJSON *choices; /* array, of a choice */
    double *values;        /* [done]: numbers, or indices of choices; NaN: missing */
    bool constant;         /* the same in all finished rooms */
};

enum effect_gap {
    EFFECT_KNOWN,
    EFFECT_FEW,      /* too few rooms */
    EFFECT_CONSTANT, /* the key does not vary in these rooms */
    EFFECT_FLAT,     /* the parameter does not */
    EFFECT_GAPS
};

struct summary_effect {
    enum effect_gap gap;
    double correlation; /* -1 .. 1; NaN for a choice */
    double share;       /* 0 .. 1 */
    double chance;      /* probability of such a share where key and parameter are independent */
};

struct summary_cell {
    size_t partly;     /* rooms in which the octave is valid only in part, or not at all */
    size_t unmeasured; /* further rooms without a value */
    size_t incomplete; /* rooms with a value in which some sources or receivers lack it */
    struct spread spread;
    struct summary_effect *effects; /* [key_count] */
};

struct summary_parameter {
    const struct metric *metric;
    size_t octaves; /* METRICS_OCTAVES, or 1 for a single number of the whole response */
    struct summary_cell cell[METRICS_OCTAVES];
};

struct summary_pair {
    size_t a, b;        /* keys */
    double association; /* rank correlation, root of eta squared of ranks, or Cramér's V */
};

struct summary {
    char *plan; /* its file name */
    size_t rooms, done, failed;
    bool several; /* a room has more than one source or receiver */
    struct summary_key *keys;
    size_t key_count;
    struct summary_parameter *parameters;
    size_t parameter_count;
    struct summary_pair *pairs; /* keys with an association of at least SUMMARY_TOGETHER */
    size_t pair_count;
    bool marks_known;                 /* whether the rooms have sidecars */
    size_t doubtful[METRICS_OCTAVES]; /* rooms that aula metrics marks with ? there */
};

#define SUMMARY_TOGETHER 0.5 /* association from which two keys cannot be told apart well */
#define SUMMARY_CHANCE 0.05  /* a share is not by chance below this probability for all keys */

/* Reads the manifest and the sidecars. ERROR_OUTPUT, ERROR_MEMORY, ERROR_STOPPED. Free in any
 * case. */
int summary_make(struct summary *s, const struct manifest *m, struct error *e);
void summary_free(struct summary *s); /* safe on a zeroed struct */

/* Whether the share is larger than chance explains. */
bool summary_stands_out(const struct summary *s, const struct summary_effect *effect);

/* Indices of the keys whose shares stand out, the largest first, at most `most`. Returns their
 * number. */
size_t summary_leaders(const struct summary *s, const struct summary_cell *cell, size_t *keys, size_t most);

/* The octave of the one line about a parameter: 500 Hz, or the nearest that has rooms. */
size_t summary_octave(const struct summary_parameter *p);

/* "500 Hz", "1 kHz". Returns text. */
enum { SUMMARY_HERTZ = 24 };
const char *summary_hertz(char text[SUMMARY_HERTZ], size_t octave);

/* "T30 at 500 Hz: 0.61 ± 0.05 s; 71 % of the variance from air.temperature"; fresh memory; NULL:
 * out of memory. */
char *summary_line(const struct summary *s, const struct summary_parameter *p);

/* summary_doubts.c: adds lines about values that are missing, keys that vary together and octaves
 * that are marked. `folder`: in messages. ERROR_MEMORY. */
int summary_doubts(char ***lines, size_t *count, const struct summary *s, const char *folder, struct error *e);

/* summary_files.c: the texts of summary.csv and summary.json, fresh memory; NULL: out of memory. */
char *summary_csv(const struct summary *s);
char *summary_json(const struct summary *s);

/* "too few rooms", for a gap; "" for EFFECT_KNOWN. */
const char *effect_gap_text(enum effect_gap gap);

#endif
