/* Random cases of tests that can be repeated: SEED=NUMBER in the environment gives the cases of an earlier run again. */
#ifndef AULA_TESTS_RANDOM_CASES_H
#define AULA_TESTS_RANDOM_CASES_H

#include <stdbool.h>

#include "base/random.h"

/* Numbers for the cases `name`; prints their seed. */
struct random random_cases(const char *name);

/* Whether AddressSanitizer watches. It looks for errors in the code, which a few cases show as well as many; how results
 * are distributed is tested in the other builds. */
bool under_sanitizers(void);
/* `count`, or a tenth of it under sanitizers, but at least 2. */
int case_count(int count);

double random_uniform(struct random *r, double low, double high);
/* The same density in every octave. */
double random_log_uniform(struct random *r, double low, double high);
/* Of mean 0 and variance 1. */
double random_normal(struct random *r);

#endif
