/* SPDX-License-Identifier: MIT */
#include "validate/model_taps.h"

#include <math.h>

#include "base/nan_max.h"
#include "base/stop.h"

enum { PART = 64 }; /* steps between checks for stop */

int model_taps_record(double *taps, struct validation *v, const struct model *m, size_t drive, const double *signal,
                      size_t steps, size_t first, size_t count, struct error *e)
{
    struct leapfrog_problem leapfrog;
    struct problem all = {0};
    struct solver *solver = NULL;
    if (model_problem(&all, &leapfrog, m, 0, 1, e)) {
        model_problem_free(&all);
        return -1;
    }
    struct problem some = all;
    some.drives += drive;
    some.drive_count = 1;
    some.taps += first;
    some.tap_count = count;
    int status = solver_open(&solver, &some, &v->choice, e);
    for (size_t done = 0, part; done < steps && !status; done += part) {
        const struct block block = {signal + done, steps, taps + done, steps};
        part = steps - done < PART ? steps - done : PART;
        status = stop_check(e) || solver_run(solver, part, &block, e);
    }
    solver_close(solver);
    model_problem_free(&all);
    return status ? -1 : 0;
}

double model_taps_difference(const double *there, const double *back, size_t steps)
{
    double peak = 0.0, worst = 0.0;
    for (size_t n = 0; n < steps; n++) {
        peak = fmax(peak, fabs(back[n]));
        worst = nan_max(worst, fabs(there[n] - back[n]));
    }
    return worst / peak;
}
