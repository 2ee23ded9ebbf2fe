/* SPDX-License-Identifier: MIT */
#include "support/random_cases.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

struct random random_cases(const char *name)
{
    const char *given = getenv("SEED");
    const uint64_t seed = given ? strtoull(given, NULL, 10) : random_fresh_seed();
    print_message("%s: seed %llu\n", name, (unsigned long long)seed);
    return (struct random){seed};
}

bool under_sanitizers(void)
{
#ifdef AULA_SANITIZED
    return true;
#else
    return false;
#endif
}

int case_count(int count)
{
    const int cases = under_sanitizers() ? count / 10 : count;
    return cases < 2 ? 2 : cases;
}

double random_uniform(struct random *r, double low, double high)
{
    return low + (high - low) * random_unit(r);
}

double random_log_uniform(struct random *r, double low, double high)
{
    return low * pow(high / low, random_unit(r));
}

double random_normal(struct random *r)
{
    return sqrt(-2.0 * log(1.0 - random_unit(r))) * cos(2.0 * M_PI * random_unit(r));
}
