/* SPDX-License-Identifier: MIT */
/* Writes checkpoints: blocks of the run, the job, its accumulated numbers and traces, and the
 * solver's state. */
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/memory.h"
#include "solver/checkpoint/folder.h"

static int put_text(struct blocks_out *f, struct block_head head, const char *text, struct error *e)
{
    return blocks_put(f, head, text, strlen(text), e);
}

static int put_blocks(struct blocks_out *f, const struct checkpoint *c, uint64_t serial,
                      const struct checkpoint_job *job, const struct checkpoint_state *state, struct error *e)
{
    const struct block_head of_run = {.kind = BLOCK_RUN, .first = serial};
    const struct block_head of_job = {.kind = BLOCK_JOB, .first = job->first, .count = job->count};
    const struct block_head of_figures = {.kind = BLOCK_FIGURES, .first = state->steps, .count = state->channels};
    if (put_text(f, of_run, c->run, e) || put_text(f, of_job, job->text, e) ||
        blocks_put(f, of_figures, state->figures, sizeof state->figures, e))
        return -1;
    for (size_t i = 0; i < state->channels; i++) {
        const struct block_head of_trace = {.kind = BLOCK_TRACE, .first = i};
        if (blocks_put(f, of_trace, state->traces + i * state->stride, state->steps * sizeof *state->traces, e))
            return -1;
    }
    return 0;
}

/* Returns the size of the file in bytes, or 0 on failure. */
static uint64_t write_file(const struct checkpoint *c, const char *path, uint64_t serial,
                           const struct checkpoint_job *job, const struct checkpoint_state *state,
                           const struct problem *p, struct solver *s, struct error *e)
{
    struct blocks_out f;
    if (blocks_create(&f, path, e))
        return 0;
    if (put_blocks(&f, c, serial, job, state, e) || (!state->complete && solver_blocks_put(&f, p, s, e))) {
        blocks_discard(&f);
        return 0;
    }
    const uint64_t bytes = f.bytes;
    return blocks_commit(&f, e) ? 0 : bytes;
}

static uint64_t last_serial(const struct checkpoint *c)
{
    uint64_t last = 0;
    for (size_t i = 0; i < GENERATIONS; i++)
        last = c->generations[i].serial > last ? c->generations[i].serial : last;
    return last;
}

/* The generation to replace: an absent one, else the oldest. */
static struct generation *oldest(struct checkpoint *c)
{
    struct generation *g = &c->generations[0];
    for (size_t i = 1; i < GENERATIONS; i++)
        g = c->generations[i].serial < g->serial ? &c->generations[i] : g;
    return g;
}

void checkpoint_write(struct checkpoint *c, const struct checkpoint_job *job, const struct checkpoint_state *state,
                      const struct problem *p, struct solver *s)
{
    struct error e = {ERROR_MEMORY, "out of memory"};
    struct generation *g = oldest(c);
    const uint64_t serial = last_serial(c) + 1;
    const double begin = clock_seconds();
    char *of_source = state->complete ? checkpoint_source_path(c, job->first, job->count) : NULL;
    const char *path = state->complete ? of_source : g->path;
    const uint64_t bytes = path ? write_file(c, path, serial, job, state, p, s, &e) : 0;
    c->failed = !bytes || (state->complete && checkpoint_add_complete(c, job->first, job->count, &e));
    c->written = begin;
    c->took = clock_seconds() - begin;
    if (bytes && !state->complete)
        *g = (struct generation){g->path, serial, job->first, job->count};
    if (bytes)
        checkpoint_say(c, NEWS_DETAIL, "%s: wrote %s after %zu steps in %.2g s", path, memory_text(bytes), state->steps,
                       c->took);
    else
        checkpoint_say(c, NEWS_WARNING, "no checkpoint written after %zu steps: %s%s; the run continues", state->steps,
                       e.message, checkpoint_holds(c) ? " (the previous checkpoint is intact)" : "");
    free(of_source);
}
