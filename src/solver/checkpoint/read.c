/* SPDX-License-Identifier: MIT */
/* Reads checkpoints: surveys a file, and restores the state of a job. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/sizes.h"
#include "base/stop.h"
#include "solver/checkpoint/difference.h"
#include "solver/checkpoint/folder.h"
#include "solver/state.h"

/* ERROR_USAGE if `there` (from the file) differs from `here`. */
static int compare(const char *path, const char *there, const char *here, struct error *e)
{
    char *difference;
    if (difference_find(&difference, there, here, e))
        return e->code == ERROR_INPUT
                   ? fail(e, ERROR_INPUT, "%s: damaged checkpoint: the description of its run is missing", path)
                   : -1;
    const int status =
        difference
            ? fail(e, ERROR_USAGE,
                   "%s: checkpoint of a different run: %s; restore the original settings, or choose another folder",
                   path, difference)
            : 0;
    free(difference);
    return status;
}

static int survey_blocks(struct generation *g, const struct checkpoint *c, struct blocks_in *f, struct error *e)
{
    struct generation seen = {g->path, 0, 0, 0};
    char *run = NULL;
    int status = 0;
    while (!f->ended && !status) {
        status = stop_check(e) || blocks_next(f, e) ? -1 : 0;
        if (!status && f->head.kind == BLOCK_RUN && !run) {
            seen.serial = f->head.first;
            run = strdup(f->bytes);
            status = run ? 0 : fail(e, ERROR_MEMORY, "out of memory");
        } else if (!status && f->head.kind == BLOCK_JOB) {
            seen.first = (size_t)f->head.first;
            seen.count = (size_t)f->head.count;
        }
    }
    if (!status && (!run || !seen.serial || !seen.count))
        status = fail(e, ERROR_INPUT, "%s: damaged checkpoint: the description of its %s is missing", f->path,
                      run && seen.serial ? "sources" : "run");
    status = status || compare(f->path, run, c->run, e) ? -1 : 0;
    free(run);
    if (!status)
        *g = seen;
    return status;
}

int checkpoint_survey(struct generation *g, const struct checkpoint *c, const char *path, struct error *e)
{
    struct blocks_in f;
    g->serial = 0;
    int status = blocks_open(&f, path, e);
    if (!status) {
        status = survey_blocks(g, c, &f, e);
        blocks_close(&f);
    }
    if (status && e->code == ERROR_INPUT) {
        checkpoint_say(c, NEWS_WARNING, "%s; the file is ignored", e->message);
        status = 0;
    }
    return status ? -1 : 0;
}

/* A state while it is being read. */
struct reading {
    const struct checkpoint_job *job;
    struct checkpoint_state *state;
    const struct problem *problem;
    struct solver *solver;
    struct solver_blocks solved;
    bool named;              /* the job of the file has been read */
    size_t traces, channels; /* traces: number read so far */
};

static int not_of_this_run(const struct blocks_in *f, struct error *e)
{
    return fail(e, ERROR_INPUT, "%s: damaged checkpoint: block %llu does not fit this run", f->path,
                (unsigned long long)f->blocks - 1);
}

static int take_job(struct reading *r, const struct blocks_in *f, struct error *e)
{
    if (r->named || f->head.first != r->job->first || f->head.count != r->job->count)
        return not_of_this_run(f, e);
    r->named = true;
    return compare(f->path, f->bytes, r->job->text, e);
}

/* Precedes the traces; the rest of the file must be large enough for them. */
static int take_figures(struct reading *r, const struct blocks_in *f, struct error *e)
{
    struct checkpoint_state *state = r->state;
    if (!r->named || state->traces || f->head.bytes != sizeof state->figures || f->head.count != state->channels ||
        !sizes_fit(f->head.first, state->channels * sizeof *state->traces, f->left))
        return not_of_this_run(f, e);
    memcpy(state->figures, f->bytes, sizeof state->figures);
    state->steps = state->stride = (size_t)f->head.first;
    state->traces = calloc(state->channels * state->steps + 1, sizeof *state->traces);
    return state->traces ? 0 : fail(e, ERROR_MEMORY, "out of memory");
}

static int take_trace(struct reading *r, const struct blocks_in *f, struct error *e)
{
    struct checkpoint_state *state = r->state;
    if (!state->traces || f->head.first != r->traces || r->traces >= state->channels ||
        f->head.bytes != state->steps * sizeof *state->traces)
        return not_of_this_run(f, e);
    double *trace = state->traces + r->traces * state->steps;
    memcpy(trace, f->bytes, (size_t)f->head.bytes);
    for (size_t i = 0; i < state->steps; i++)
        if (!isfinite(trace[i]))
            return fail(e, ERROR_INPUT, "%s: damaged checkpoint: trace %zu is not finite at step %zu", f->path,
                        r->traces, i);
    r->traces++;
    return 0;
}

static int take_block(struct reading *r, const struct blocks_in *f, struct error *e)
{
    switch (f->head.kind) {
    case BLOCK_JOB:
        return take_job(r, f, e);
    case BLOCK_FIGURES:
        return take_figures(r, f, e);
    case BLOCK_TRACE:
        return take_trace(r, f, e);
    case BLOCK_FIELD:
    case BLOCK_PIECES:
        return r->state->complete ? not_of_this_run(f, e) : solver_blocks_take(&r->solved, f, r->problem, r->solver, e);
    default:
        return 0;
    }
}

static int read_blocks(struct reading *r, struct blocks_in *f, struct error *e)
{
    int status = 0;
    while (!f->ended && !status)
        status = stop_check(e) || blocks_next(f, e) || take_block(r, f, e) ? -1 : 0;
    if (status)
        return -1;
    const bool solved = r->state->complete || solver_blocks_are_all(&r->solved, r->problem);
    if (!r->state->traces || r->traces != r->state->channels || !solved)
        return fail(e, ERROR_INPUT, "%s: damaged checkpoint: the state is incomplete", f->path);
    r->state->sums = r->state->complete || (r->solved.pieces && solver_has_state_blocks(r->solver));
    return 0;
}

static int read_file(struct reading *r, const char *path, struct error *e)
{
    struct blocks_in f;
    if (blocks_open(&f, path, e))
        return -1;
    const int status = read_blocks(r, &f, e);
    blocks_close(&f);
    if (status) {
        free(r->state->traces);
        r->state->traces = NULL;
        r->state->steps = r->state->stride = 0;
    }
    return status;
}

/* Reads the file of complete traces, if any. */
static int read_complete(struct checkpoint *c, struct reading *r, struct error *e)
{
    if (!checkpoint_has_complete(c, r->job->first, r->job->count))
        return 0;
    char *path = checkpoint_source_path(c, r->job->first, r->job->count);
    if (!path)
        return fail(e, ERROR_MEMORY, "out of memory");
    r->state->complete = true;
    int status = read_file(r, path, e);
    if (status && e->code == ERROR_INPUT) {
        checkpoint_say(c, NEWS_WARNING, "%s; the file is ignored", e->message);
        status = 0;
    }
    r->state->complete = r->state->traces != NULL;
    free(path);
    return status;
}

/* Reads the latest generation, if any. */
static int read_generation(struct checkpoint *c, struct reading *r, struct error *e)
{
    const struct generation *latest = NULL;
    for (size_t i = 0; i < GENERATIONS; i++) {
        const struct generation *g = &c->generations[i];
        if (g->serial && g->first == r->job->first && g->count == r->job->count &&
            (!latest || g->serial > latest->serial))
            latest = g;
    }
    r->traces = 0;
    r->named = false;
    if (!latest || !read_file(r, latest->path, e))
        return 0;
    const struct error reason = *e;
    return reason.code == ERROR_INPUT
               ? fail(e, ERROR_INPUT, "%.3000s; remove the file to continue without it", reason.message)
               : -1;
}

int checkpoint_read(struct checkpoint *c, const struct checkpoint_job *job, struct checkpoint_state *state,
                    const struct problem *p, struct solver *s, struct error *e)
{
    struct reading r = {.job = job, .state = state, .problem = p, .solver = s};
    *state = (struct checkpoint_state){.channels = state->channels};
    if (read_complete(c, &r, e) || (!state->complete && read_generation(c, &r, e)))
        return -1;
    if (state->steps)
        checkpoint_say(c, NEWS_NOTE, "%s: resuming after %zu steps", c->folder, state->steps);
    else if (!c->asked && checkpoint_holds(c))
        checkpoint_say(c, NEWS_NOTE, "%s: no checkpoint of the first source; it starts at the first step", c->folder);
    c->asked = true;
    return 0;
}
