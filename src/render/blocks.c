/* SPDX-License-Identifier: MIT */
#include "render/blocks.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/phase_timer.h"

static const double block_seconds = 0.25;

static void find_residual(struct block_outcome *outcome)
{
    const struct audit *a = &outcome->audit;
    outcome->audit.balanced = a->balanced && !outcome->sums_lost;
    const double scale = fmax(fabs(a->supplied), fabs(a->stored) + fabs(a->absorbed));
    outcome->energy_residual = !a->balanced  ? NAN
                               : scale > 0.0 ? fabs(a->stored + a->absorbed - a->supplied) / scale
                                             : 0.0;
}

int blocks_run(struct block_outcome *outcome, struct solver *solver, const struct block_row *row,
               const struct watch *watch, struct error *e)
{
    const size_t timely = (size_t)fmax(row->rate * block_seconds, 1.0);
    const size_t max = row->longest && row->longest < timely ? row->longest : timely;
    double *drive = malloc((row->drive_count * max + 1) * sizeof *drive);
    const struct solver_plan *r = solver_plan_of(solver);
    const size_t depth = r->time_block > 1 ? (size_t)r->time_block : 1; /* other steps are run one at a time */
    size_t block = depth, audited = row->done; /* steps of the next block; step of the last audit */
    int status = drive ? 0 : fail(e, ERROR_MEMORY, "out of memory");
    if (!row->done)
        *outcome = (struct block_outcome){.first_step = phase_timer_elapsed()};
    phase_begin_shown(PHASE_STEPPING);
    double begin = clock_seconds() - outcome->seconds;
    for (size_t done = row->done; done < row->steps && !status;) {
        const size_t steps = row->steps - done < block ? row->steps - done : block;
        const struct block b = {
            .drive = drive, .drive_stride = steps, .taps = row->taps + done, .tap_stride = row->steps};
        const double start = clock_seconds();
        row->fill(row->context, drive, steps, done, steps);
        status = solver_run(solver, steps, &b, e);
        const double stepped = clock_seconds();
        done += steps;
        if (!status && (done - audited >= AUDIT_STEPS || done == row->steps)) {
            status = solver_audit(solver, &outcome->audit, e);
            audited = done;
            outcome->audits++;
            outcome->audit_seconds += clock_seconds() - stepped;
        }
        outcome->seconds = clock_seconds() - begin;
        const double speed = (double)r->air_points * (double)done / outcome->seconds;
        const bool stopping = !status && watch && watch->look &&
                              !watch->look(watch->context, done, row->steps, speed) && done < row->steps;
        if (!status && row->keep) {
            const double before = clock_seconds();
            row->keep(row->keeper, done, outcome, stopping);
            const double kept = clock_seconds() - before;
            outcome->kept_seconds += kept;
            begin += kept;
        }
        if (stopping)
            status = fail(e, ERROR_STOPPED, "stopped after %zu of %zu steps", done, row->steps);
        const double fitting = (double)steps * block_seconds / fmax(stepped - start, 1e-9);
        block = fitting < 1.0 ? 1 : fitting > (double)max ? max : (size_t)fitting;
        block = block > depth ? block - block % depth : depth;
    }
    phase_end();
    free(drive);
    find_residual(outcome);
    return status ? -1 : 0;
}
