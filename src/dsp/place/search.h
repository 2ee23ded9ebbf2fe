/* SPDX-License-Identifier: MIT */
/* Searches the sets of places, delays, gains and polarities whose sum is most even at all seats. */
#ifndef AULA_DSP_PLACE_SEARCH_H
#define AULA_DSP_PLACE_SEARCH_H

#include <stdbool.h>
#include <stdint.h>

#include "dsp/place/bands.h"

enum { PLACE_SUBS_MAX = 4 };

/* Delays and gains are whole numbers of steps, so that sets compare exactly. */
struct place_setting {
    int delay;     /* steps, not below 0 */
    int cut;       /* steps of gain below 0 dB */
    bool inverted; /* polarity */
};

struct place_set {
    size_t count;
    size_t candidate[PLACE_SUBS_MAX]; /* rising */
    struct place_setting setting[PLACE_SUBS_MAX];
    size_t seat; /* of a pair of loudspeakers: the only one that it is for */
    struct place_score score;
};

struct place_search {
    size_t subs;          /* of each set, 1 to PLACE_SUBS_MAX */
    double delay_step;    /* s */
    double gain_step;     /* dB */
    int delays, cuts;     /* largest steps; 0 and 0 without polarity: all subs play the same signal */
    bool polarity;        /* tries it */
    size_t tuned;         /* sets of least spread whose settings are searched, besides those of the Pareto list */
    uint64_t most;        /* sets that are scored one by one; more: greedy, then exchanges */
    double output_weight; /* dB of spread that 1 dB of output is worth in a second search of the settings; 0: none */
};

struct place_found {
    struct place_set *sets; /* [count]: by rising spread */
    size_t count;
    bool *pareto;  /* [count]: no other set has less spread and more output */
    double *least; /* [candidates]: least spread, with equal signals, of a set that holds the candidate; of one grown
                         from it where not every set is scored */
    uint64_t scored;
    bool exhaustive; /* every set of places was scored with equal signals */
};

/* Number of sets, or UINT64_MAX where it is more than 64 bits hold. */
uint64_t place_set_count(size_t candidates, size_t subs);

/* The score of a set with its settings. ERROR_MEMORY. */
int place_set_score(struct place_set *set, const struct place_transfers *t, const struct place_search *s,
                    struct error *e);
/* re, im [seats][bands][lines]: the sum of a set with its settings. */
void place_set_sum(double *re, double *im, const struct place_set *set, const struct place_transfers *t,
                   const struct place_search *s);

/* Scores all sets with equal signals, or searches them greedily, then searches the settings of the
 * best ones, one sub after the other over all steps until none improves the set; that is exhaustive
 * for two subs. Delays and gains are shifted such that the least delay and the least cut of a set
 * are 0. The result does not depend on the number of threads. ERROR_MEMORY, ERROR_STOPPED. Zero
 * *found first; free after failures too. */
int place_search_run(struct place_found *found, const struct place_transfers *t, const struct place_search *s,
                     struct error *e);
/* Sorts found->sets, drops copies, and marks the Pareto list. */
void place_found_rank(struct place_found *found);
void place_found_free(struct place_found *found);

/* For search.c and its tests: improves the settings of one set by spread - weight * output. */
int place_tune(struct place_set *set, const struct place_transfers *t, const struct place_search *s, double weight,
               struct error *e);

#endif
