/* SPDX-License-Identifier: MIT */
/* The search for the fastest of some candidates, and its memory. Host only; what is timed is the caller's, so that
 * tests need no GPU. */
#ifndef AULA_CUDA_TUNER_SEARCH_CUH
#define AULA_CUDA_TUNER_SEARCH_CUH

#include <functional>
#include <string>
#include <vector>

#include "cuda/engine/tuner_cache.cuh"

struct tuner_question {
    std::string key;
    std::vector<struct tuned> candidates; /* kernel, shape and planes, the likeliest first */
    size_t always = 1;                    /* of these are timed in any case, and their time is not counted */
    /* Times a candidate: milliseconds per step, negative where it cannot run. Nonzero with *e filled: the end of
     * all. */
    std::function<int(size_t candidate, double *milliseconds, struct error *e)> time;
    std::function<double()> now; /* a clock, s */
    double seconds;              /* that the search for others may take */
    uint64_t steps;              /* planned: it takes no more than a tenth of their time; 0: not known */
    bool anew;                   /* times every candidate, whatever is remembered, however long it takes */
};

struct tuner_answer {
    size_t best;         /* candidate; SIZE_MAX: none can run */
    double milliseconds; /* per step */
    bool timed_last;     /* it was the last one that was timed */
};

/* A remembered answer is believed when its candidate, timed again, takes as long as it took; else the candidates are
 * timed until the time is up, and the fastest is remembered. */
int tuner_ask(const tuner_question &q, tuner_answer *answer, struct error *e);

#endif
