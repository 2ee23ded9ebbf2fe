#include "render/simulate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/memory.h"

/* A block is a quarter of a second of sound at most, and about this long to compute, so that stopping stays prompt. */
static const double block_seconds = 0.25;

uint64_t working_memory(const struct model *m, const struct requirement *r, size_t steps)
{
    /* traces, and the copy that filtering makes of them */
    uint64_t traces = 2 * (uint64_t)m->room->receiver_count * steps * sizeof(double);
    return r->field_bytes + r->boundary_bytes + r->channel_bytes + traces;
}

int check_memory(const struct model *m, const struct requirement *r, size_t steps, struct error *e)
{
    uint64_t needed = working_memory(m, r, steps), available = memory_available();
    if (needed <= available)
        return 0;
    /* the number of points goes with the cube of the rate; leave some room for rounding and lists */
    double rate = m->grid.rate * cbrt(0.95 * (double)available / (double)needed);
    double digits = pow(10.0, floor(log10(rate)) - 1.0);
    rate = floor(rate / digits) * digits;
    if (m->room->sized_by_points)
        return fail(e, ERROR_MEMORY,
                    "%s: %zu x %zu x %zu points need %s of memory and %s is available: give fewer points%s",
                    m->room->path, m->grid.points[0], m->grid.points[1], m->grid.points[2], memory_text(needed),
                    memory_text(available),
                    m->room->grid.precision == PRECISION_DOUBLE ? " or grid.precision = \"single\"" : "");
    return fail(e, ERROR_MEMORY,
                "%s: a grid rate of %.6g Hz needs %s of memory and %s is available: --set grid.rate=%.0f fits%s",
                m->room->path, m->grid.rate, memory_text(needed), memory_text(available), rate,
                m->room->grid.precision == PRECISION_DOUBLE ? ", and grid.precision = \"single\" takes half" : "");
}

/* drive [count][steps]: the excitations with their onsets on one sample. */
static double *make_drive(const struct excitation *excitations, size_t count, size_t onset, size_t steps)
{
    double *drive = calloc(count * steps + 1, sizeof *drive);
    for (size_t i = 0; drive && i < count; i++) {
        const struct excitation *x = &excitations[i];
        size_t delay = onset - x->onset;
        for (size_t n = 0; n < x->length && delay + n < steps; n++)
            drive[i * steps + delay + n] = x->samples[n];
    }
    return drive;
}

static int run_blocks(struct simulation *s, struct solver *solver, const struct model *m, const double *drive,
                      const struct watch *watch, struct error *e)
{
    size_t most = (size_t)(m->grid.rate * block_seconds), block = 16;
    most = most ? most : 1;
    for (size_t done = 0; done < s->steps;) {
        size_t steps = s->steps - done < block ? s->steps - done : block;
        struct block b = {
            .drive = drive + done, .drive_stride = s->steps, .taps = s->traces.samples + done, .tap_stride = s->steps};
        double start = clock_seconds();
        if (solver_run(solver, steps, &b, e))
            return -1;
        double seconds = clock_seconds() - start;
        s->seconds += seconds;
        done += steps;
        if (solver_audit(solver, &s->audit, e))
            return -1;
        double speed = (double)grid_points(&m->grid) * (double)done / s->seconds;
        if (watch && watch->look && !watch->look(watch->context, done, s->steps, speed) && done < s->steps)
            return fail(e, ERROR_STOPPED, "stopped after %zu of %zu steps", done, s->steps);
        double fitting = (double)steps * block_seconds / (seconds > 1e-9 ? seconds : 1e-9);
        block = fitting < 1.0 ? 1 : fitting > (double)most ? most : (size_t)fitting;
    }
    return 0;
}

int simulate(struct simulation *s, const struct model *m, size_t first, size_t count,
             const struct excitation *excitations, size_t onset, size_t steps, const struct choice *choice,
             const struct watch *watch, struct error *e)
{
    struct problem problem;
    struct solver *solver = NULL;
    double *drive = NULL;
    int status = -1;
    memset(s, 0, sizeof *s);
    if (model_problem(&problem, m, first, count, e))
        return -1;
    if (solver_require(&s->requirement, &problem, choice, e) || check_memory(m, &s->requirement, steps, e))
        goto done;
    s->steps = steps;
    s->traces = (struct traces){.samples = calloc(m->room->receiver_count * steps + 1, sizeof(double)),
                                .channels = m->room->receiver_count,
                                .frames = steps,
                                .rate = m->grid.rate};
    drive = make_drive(excitations, count, onset, steps);
    if (!s->traces.samples || !drive) {
        fail(e, ERROR_MEMORY, "out of memory for %zu steps of %zu receivers", steps, m->room->receiver_count);
        goto done;
    }
    if (solver_open(&solver, &problem, choice, e) || run_blocks(s, solver, m, drive, watch, e))
        goto done;
    double scale = fmax(fabs(s->audit.supplied), fabs(s->audit.stored) + fabs(s->audit.absorbed));
    s->energy_residual = scale > 0.0 ? fabs(s->audit.stored + s->audit.absorbed - s->audit.supplied) / scale : 0.0;
    status = 0;
done:
    solver_close(solver);
    free(drive);
    model_problem_free(&problem);
    if (status)
        traces_free(&s->traces);
    return status;
}
