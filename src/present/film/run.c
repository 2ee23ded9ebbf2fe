/* SPDX-License-Identifier: MIT */
#include "present/film/run.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/memory.h"
#include "render/blocks.h"
#include "render/drives.h"
#include "render/render.h"

enum { HELD_BYTES = 32 << 20 };        /* buffer of taps */
static const double REFERENCE = 20e-6; /* Pa: 0 dB */
static const double BLOCK_SECONDS = 0.25;
/* At RATIO times its largest frequency the spectrum of the wavelet, u exp(1 - u) with u the ratio's square, is
 * PULSE_EDGE down. */
static const double RATIO = 2.509;

/* Ricker wavelet s(t) = (1 - 2 a²) exp(-a²), a = π f t, with f the frequency of its spectral peak, Hz. */
static int make_wavelet(struct excitation *x, double gain, double frequency, double rate, struct error *e)
{
    const size_t half = (size_t)ceil(1.3 / frequency * rate);
    excitation_free(x);
    *x = (struct excitation){.length = 2 * half + 1, .onset = half, .gain = gain};
    x->samples = malloc(x->length * sizeof *x->samples);
    if (!x->samples)
        return fail(e, ERROR_MEMORY, "out of memory");
    for (size_t n = 0; n < x->length; n++) {
        const double a = M_PI * frequency * ((double)n - (double)half) / rate;
        x->samples[n] = gain * (1.0 - 2.0 * a * a) * exp(-a * a);
    }
    return 0;
}

int film_run_excite(struct film_run *r, double edge, struct error *e)
{
    const struct model *m = r->model;
    if (render_excitations(&r->excitations, &r->onset, m, r->first, r->count, e))
        return -1;
    for (size_t i = 0; i < r->count; i++) {
        const struct source *source = &m->room->sources[r->first + i];
        if (source->signal == SIGNAL_IMPULSE &&
            make_wavelet(&r->excitations[i], source->gain, edge / RATIO, m->grid.rate, e))
            return -1;
        r->onset = r->excitations[i].onset > r->onset ? r->excitations[i].onset : r->onset;
    }
    r->onset += drives_lead(m, r->first, r->count);
    return 0;
}

void film_run_free(struct film_run *r)
{
    render_excitations_free(r->excitations, r->count);
    memset(r, 0, sizeof *r);
}

double film_run_peak(const struct film_run *r)
{
    double peak = 0.0;
    for (size_t i = 0; i < r->count; i++)
        for (size_t n = 0; n < r->excitations[i].length; n++)
            peak = fmax(peak, fabs(r->excitations[i].samples[n]));
    return peak;
}

struct running {
    const struct film_run *run;
    const struct slice_sampler *sampler;
    const struct film_show *show;
    struct leapfrog_problem leapfrog;
    struct problem problem;
    struct solver *solver;
    size_t steps; /* in all */
    size_t block; /* steps in the buffer of taps */
    double *drive, *taps;
    double *square; /* [tap_count]: mean of p², for levels */
    float *values;  /* [tap_count] */
    size_t shown;   /* frames */
    size_t longest; /* steps of a block that takes BLOCK_SECONDS */
};

static int make_drives(struct running *w, struct error *e)
{
    const struct film_run *r = w->run;
    const bool high_passed = r->model->room->output.filter != FILTER_NONE;
    const double bytes = (double)w->problem.drive_count * (double)w->steps * sizeof(double);
    if (memory_demand(bytes, e, "%zu steps of the signals of %zu sources (use a shorter --ms)", w->steps, r->count))
        return -1;
    double *to = w->drive = calloc(w->problem.drive_count * w->steps + 1, sizeof *to);
    if (!to)
        return fail(e, ERROR_MEMORY, "out of memory (%zu steps of the signals of %zu sources); use a shorter --ms",
                    w->steps, r->count);
    for (size_t i = 0; i < r->count; i++) {
        if (drives_make(to, r->model, r->first + i, &r->excitations[i], r->onset, w->steps, high_passed, e))
            return -1;
        to += source_drives(&r->model->room->sources[r->first + i]) * w->steps;
    }
    return 0;
}

static size_t step_of_frame(const struct film_run *r, size_t frame)
{
    return r->onset + r->begin + frame * r->every;
}

static int begin(struct running *w, const struct solver_options *choice, struct error *e)
{
    const struct film_run *r = w->run;
    const size_t count = w->sampler->tap_count, held = HELD_BYTES / sizeof *w->taps / count;
    w->steps = step_of_frame(r, r->frames - 1) + 1;
    w->block = held ? held : 1;
    w->longest = 8;
    if (model_problem(&w->problem, &w->leapfrog, r->model, r->first, r->count, e))
        return -1;
    struct channel *taps = malloc((count + 1) * sizeof *taps); /* the sampler's points in place of the receivers */
    w->taps = malloc(w->block * count * sizeof *w->taps);
    w->square = calloc(count, sizeof *w->square);
    w->values = calloc(count, sizeof *w->values);
    if (!taps || !w->taps || !w->square || !w->values) {
        free(taps);
        return fail(e, ERROR_MEMORY, "out of memory");
    }
    memcpy(taps, w->sampler->taps, count * sizeof *taps);
    free((void *)w->problem.taps);
    w->problem.taps = taps;
    w->problem.tap_count = count;
    struct solver_options planned = *choice;
    struct solver_plan need;
    planned.steps = w->steps;
    if (solver_make_plan(&need, &w->problem, choice, e))
        return -1;
    if (need.field_bytes + need.boundary_bytes + need.channel_bytes > need.available_bytes)
        return fail(e, ERROR_MEMORY,
                    "%s: out of memory (the film needs %s of %s, %s is available); lower grid.max_frequency",
                    r->model->room->path, memory_text(need.field_bytes + need.boundary_bytes + need.channel_bytes),
                    need.on_device ? "GPU memory" : "memory", memory_text(need.available_bytes));
    return make_drives(w, e) || solver_open(&w->solver, &w->problem, &planned, e) ? -1 : 0;
}

/* Exponentially averages p² over `steps` steps; the time constant is run->window. */
static void follow_levels(struct running *w, size_t steps)
{
    const double keep = exp(-1.0 / (w->run->window * w->run->model->grid.rate));
    for (size_t tap = 0; tap < w->sampler->tap_count; tap++)
        for (size_t n = 0; n < steps; n++) {
            const double p = w->taps[tap * steps + n];
            w->square[tap] = keep * w->square[tap] + (1.0 - keep) * p * p;
        }
}

static int stopped(const struct running *w, struct error *e)
{
    return fail(e, ERROR_STOPPED, "stopped after %zu of %zu frames", w->shown, w->run->frames);
}

/* The last of the `steps` recorded steps is the step of a frame. */
static int show_frame(struct running *w, size_t steps, struct error *e)
{
    const struct film_run *r = w->run;
    for (size_t tap = 0; tap < w->sampler->tap_count; tap++)
        w->values[tap] = (float)(r->window > 0.0 ? 10.0 * log10(w->square[tap] / (REFERENCE * REFERENCE) + 1e-30)
                                                 : w->taps[tap * steps + steps - 1]);
    const struct film_frame frame = {.index = w->shown,
                                     .time = (double)(step_of_frame(r, w->shown) - r->onset) / r->model->grid.rate,
                                     .values = w->values};
    if (!w->show->frame(w->show->context, &frame, e)) {
        w->shown++;
        return 0;
    }
    return e && e->code == ERROR_STOPPED ? stopped(w, e) : -1;
}

/* Runs from step `done` up to and including the step of the next frame. Only levels need every step recorded. */
static int run_block(struct running *w, size_t done, size_t *steps, bool *recorded, struct error *e)
{
    const size_t frame = step_of_frame(w->run, w->shown), left = frame + 1 - done;
    const bool levels = w->run->window > 0.0;
    *recorded = levels || left == 1;
    size_t most = levels ? w->block : left > 1 ? left - 1 : 1;
    most = most < w->longest ? most : w->longest;
    *steps = left < most ? left : most;
    const struct block b = {
        .drive = w->drive + done, .drive_stride = w->steps, .taps = *recorded ? w->taps : NULL, .tap_stride = *steps};
    return solver_run(w->solver, *steps, &b, e);
}

static int step_through(struct running *w, const struct watch *watch, struct error *e)
{
    size_t audited = 0;
    struct audit audit;
    const uint64_t points = solver_plan_of(w->solver)->air_points;
    const double start = clock_seconds();
    for (size_t done = 0; done < w->steps;) {
        size_t steps;
        bool recorded;
        if (run_block(w, done, &steps, &recorded, e))
            return -1;
        done += steps;
        if (w->run->window > 0.0)
            follow_levels(w, steps);
        if (recorded && done == step_of_frame(w->run, w->shown) + 1 && show_frame(w, steps, e))
            return -1;
        if (done - audited >= AUDIT_STEPS || done == w->steps) {
            if (solver_audit(w->solver, &audit, e))
                return -1;
            audited = done;
        }
        const double seconds = clock_seconds() - start;
        w->longest = 1 + (size_t)fmin(1e6, BLOCK_SECONDS * (double)done / fmax(seconds, 1e-9));
        if (watch && watch->look &&
            !watch->look(watch->context, done, w->steps, (double)points * (double)done / fmax(seconds, 1e-9)) &&
            done < w->steps)
            return stopped(w, e);
    }
    return 0;
}

int film_run(struct film_cost *cost, const struct film_run *r, const struct slice_sampler *s,
             const struct solver_options *choice, const struct watch *watch, const struct film_show *show,
             struct error *e)
{
    struct running w = {.run = r, .sampler = s, .show = show};
    const double start = clock_seconds();
    int status = begin(&w, choice, e);
    if (!status)
        status = step_through(&w, watch, e);
    if (!status) {
        const struct solver_plan *q = solver_plan_of(w.solver);
        *cost = (struct film_cost){q->engine, q->kernel, w.steps, clock_seconds() - start};
    }
    solver_close(w.solver);
    model_problem_free(&w.problem);
    free(w.drive);
    free(w.taps);
    free(w.square);
    free(w.values);
    return status;
}
