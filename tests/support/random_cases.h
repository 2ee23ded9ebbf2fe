/* SPDX-License-Identifier: MIT */
/* Random cases of tests: SEED=NUMBER in the environment repeats the cases of an earlier run. */
#ifndef AULA_TESTS_RANDOM_CASES_H
#define AULA_TESTS_RANDOM_CASES_H

#include <stdbool.h>

#include "base/random.h"

/* Random numbers for the cases `name`; prints their seed. */
struct random random_cases(const char *name);

/* Whether AddressSanitizer is active. It finds errors in the code with few cases; statistics of results are tested in
 * other builds. */
bool under_sanitizers(void);
/* `count`, or a tenth of it under sanitizers, but at least 2. */
int case_count(int count);

double random_uniform(struct random *r, double low, double high);
/* Uniform in the logarithm. */
double random_log_uniform(struct random *r, double low, double high);
/* Mean 0, variance 1. */
double random_normal(struct random *r);

#endif
