/* SPDX-License-Identifier: MIT */
/* The stability limit of the time step: refused above, bounded below. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/nan_max.h"
#include "validate/sediment/checks.h"
#include "validate/sediment/test_basin.h"

enum { LIMIT_STEPS = 2000 };

/* Whether the problem is refused with ERROR_ENGINE and the limit in its message. */
static bool is_refused(const struct test_basin *b, const struct solver_options *c)
{
    struct solver *s = NULL;
    struct error reason = {ERROR_NONE, ""};
    char limit[64];
    snprintf(limit, sizeof limit, "%.9g", sediment_step_limit(&b->sediment));
    const int status = solver_open(&s, &b->problem, c, &reason);
    solver_close(s);
    return status && reason.code == ERROR_ENGINE && strstr(reason.message, limit);
}

/* The roughest heights, for which the limit is sharp, over constant sand: s = 1. The sizes
 * produce a limit with many digits. */
static int check_step_limit(struct validation *v, struct report *r, struct error *e)
{
    struct test_basin b;
    double largest = 0.0;
    if (test_basin_make(&b, 31, 41, 1.0, e))
        return -1;
    b.sediment.conservative = true;
    b.sediment.layer = 10.0;
    for (size_t i = 0; i < b.points; i++) {
        b.values[H][i] = (i % 31 + i / 31) % 2 ? 1.0 : -1.0;
        b.values[S][i] = b.values[ALPHA][i] = 1.0;
        b.values[BETA][i] = 0.5;
    }
    test_basin_set_step(&b, 1.01);
    report_bound(r, "step-limit", is_refused(&b, &v->choice) ? 0.0 : 1.0, 0.0,
                 "time step 1 %% above the limit: 0 if it is refused and the message names the limit");
    test_basin_set_step(&b, 0.99);
    double *after = malloc(2 * b.points * sizeof *after);
    const int status =
        after ? test_basin_run(after, &b, &v->choice, LIMIT_STEPS, e) : fail(e, ERROR_MEMORY, "out of memory");
    for (size_t i = 0; i < b.points && !status; i++)
        largest = nan_max(nan_max(largest, fabs(after[i])), 0.0 * after[b.points + i]);
    if (!status)
        report_bound(r, "step-limit", largest, 1.0,
                     "time step 1 %% below the limit: largest height after %d steps from a rough start of height 1",
                     LIMIT_STEPS);
    free(after);
    test_basin_free(&b);
    return status;
}

const struct check check_sediment_step_limit = {"step-limit", check_step_limit};
