/* SPDX-License-Identifier: MIT */
#include "render/kept_run.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/phase_timer.h"
#include "base/stop.h"
#include "base/text.h"
#include "io/json_build.h"
#include "room/grid/scheme_choice.h"
#include "solver/checkpoint/checksum.h"
#include "solver/parts/voxel_slabs.h"
#include "solver/schemes/leapfrog/partition_links.h"
#include "solver/state.h"

char *kept_run_text(const struct model *m, size_t first, size_t count, bool at_once)
{
    cJSON *json = cJSON_CreateObject(), *sources;
    const struct grid *g = &m->grid;
    cJSON_AddStringToObject(json, "aula", AULA_VERSION);
    cJSON_AddItemToObject(json, "room", room_json(m->room));
    sources = cJSON_AddArrayToObject(json, "sources");
    for (size_t i = first; i < first + count; i++)
        cJSON_AddItemToArray(sources, cJSON_CreateString(m->room->sources[i].name));
    cJSON_AddBoolToObject(json, "sources_at_once", at_once);
    cJSON_AddStringToObject(json, "scheme", scheme_text(g->stencil, g->mapped));
    cJSON *points = cJSON_AddArrayToObject(json, "points");
    for (int axis = 0; axis < 3; axis++)
        cJSON_AddItemToArray(points, cJSON_CreateNumber((double)g->points[axis]));
    return json_text(json);
}

/* --- checksums of the parts of a problem --- */

static uint64_t sum_voxels(const struct leapfrog_problem *l)
{
    return l->slabs ? voxel_slabs_checksum(l->slabs) : voxel_set_checksum(l->voxels, 0);
}

static uint64_t sum_walls(const struct leapfrog_problem *l)
{
    uint64_t sum = checksum_add(CHECKSUM_START, l->admittance, sizeof l->admittance);
    sum = checksum_add(sum, l->branch_count, sizeof l->branch_count);
    for (int code = 0; code < CELL_CODES; code++)
        for (size_t i = 0; i < l->branch_count[code]; i++) {
            const struct branch *b = &l->branches[code][i];
            const double values[3] = {b->inertance, b->resistance, b->stiffness};
            sum = checksum_add(sum, values, sizeof values);
        }
    return transmission_any(l) ? checksum_add(sum, l->transmission, sizeof l->transmission) : sum;
}

static uint64_t sum_air(const struct leapfrog_problem *l)
{
    const double values[2] = {l->courant_squared, l->viscosity};
    return checksum_add(CHECKSUM_START, values, sizeof values);
}

static uint64_t sum_channels(const struct channel *channels, size_t count)
{
    uint64_t sum = checksum_word(CHECKSUM_START, count);
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < channels[i].count; k++) {
            const struct channel_entry *entry = &channels[i].entries[k];
            const uint64_t place[2] = {entry->point, (uint64_t)entry->array << 8 | (uint8_t)entry->level};
            sum = checksum_add(checksum_add(checksum_word(sum, i), place, sizeof place), &entry->weight,
                               sizeof entry->weight);
        }
    return sum;
}

_Static_assert(KEPT_RUN_SIGNALS == CHECKSUM_START, "both checksums start alike");

uint64_t kept_run_add_signals(uint64_t sum, const double *drive, size_t count)
{
    return checksum_add(sum, drive, count * sizeof *drive);
}

static char *job_text(const struct problem *p, uint64_t signals, size_t steps)
{
    const struct leapfrog_problem *l = leapfrog_of(p);
    const struct {
        const char *name;
        uint64_t sum;
    } parts[] = {{"voxels", sum_voxels(l)},
                 {"walls", sum_walls(l)},
                 {"air", sum_air(l)},
                 {"places_of_sources", sum_channels(p->drives, p->drive_count)},
                 {"places_of_receivers", sum_channels(p->taps, p->tap_count)},
                 {"signals", signals}};
    cJSON *json = cJSON_CreateObject();
    cJSON_AddStringToObject(json, "precision", precision_names[p->precision]);
    cJSON_AddNumberToObject(json, "first_steps", (double)steps);
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        char text[24];
        snprintf(text, sizeof text, "%016" PRIx64, parts[i].sum);
        cJSON_AddStringToObject(json, parts[i].name, text);
    }
    return json_text(json);
}

/* --- reading --- */

/* An engine without state blocks saves only the field, which suffices if nothing else has a state. */
static int check_engine(const struct solver *s, const struct problem *p, struct error *e)
{
    const struct leapfrog_problem *l = leapfrog_of(p);
    bool has_states = l->bodies != NULL;
    for (int code = 0; code < CELL_CODES; code++)
        has_states = has_states || l->branch_count[code] > 0;
    return !has_states || solver_has_state_blocks(s)
               ? 0
               : fail(e, ERROR_ENGINE,
                      "--checkpoint: the %s engine cannot save the state of instruments or of frequency-dependent "
                      "walls; use --engine cpu",
                      solver_plan_of(s)->engine);
}

int kept_run_open(struct kept_run *k, struct checkpoint *c, const struct checkpoint_job *job,
                  const struct problem *problem, struct solver *solver, uint64_t signals, size_t steps, struct error *e)
{
    *k = (struct kept_run){.job = *job, .problem = problem, .solver = solver};
    if (check_engine(solver, problem, e))
        return -1;
    k->text = job_text(problem, signals, steps);
    if (!k->text)
        return fail(e, ERROR_MEMORY, "out of memory");
    k->job.text = k->text;
    k->saved.channels = problem->tap_count;
    phase_begin("reading the checkpoint");
    const int status = checkpoint_read(c, &k->job, &k->saved, problem, solver, e);
    phase_end();
    if (status)
        return -1;
    k->checkpoint = c;
    k->written = k->saved.steps;
    checkpoint_begin(c);
    return 0;
}

void kept_run_close(struct kept_run *k)
{
    free(k->text);
    free(k->saved.traces);
    memset(k, 0, sizeof *k);
}

/* Order of the numbers of a run in a checkpoint. */
enum { STORED, ABSORBED, SUPPLIED, BALANCED, SECONDS, AUDIT_SECONDS, AUDITS, SUMS_LOST };

static void take_figures(struct block_outcome *o, const struct checkpoint_state *saved)
{
    const double *f = saved->figures;
    const bool counted = f[AUDITS] >= 0.0 && f[AUDITS] < 0x1p53; /* a forged file may contain anything */
    *o = (struct block_outcome){
        .audit = {f[STORED], f[ABSORBED], f[SUPPLIED], f[BALANCED] != 0.0},
        .seconds = f[SECONDS],
        .audit_seconds = f[AUDIT_SECONDS],
        .audits = counted ? (size_t)f[AUDITS] : 0,
        .first_step = phase_timer_elapsed(),
        .sums_lost = f[SUMS_LOST] != 0.0 || !saved->sums,
    };
}

size_t kept_run_copy(struct kept_run *k, struct traces *t, struct block_outcome *outcome, size_t done, size_t steps)
{
    struct checkpoint_state *saved = &k->saved;
    if (saved->complete &&
        saved->steps < steps) { /* the run has been extended, but the state of its solver is not saved */
        saved->steps = k->written = 0;
        return 0;
    }
    const size_t there = saved->steps < steps ? saved->steps : steps;
    if (there <= done)
        return done;
    for (size_t c = 0; c < t->channels; c++)
        memcpy(t->samples + c * t->frames + done, saved->traces + c * saved->stride + done,
               (there - done) * sizeof *t->samples);
    take_figures(outcome, saved);
    return there;
}

/* --- writing --- */

void kept_run_write(struct kept_run *k, const struct traces *t, const struct block_outcome *outcome, size_t done,
                    bool complete)
{
    const struct audit *a = &outcome->audit;
    if (complete ? k->saved.complete && k->saved.steps == done : k->written >= done)
        return;
    const struct checkpoint_state state = {
        .steps = done,
        .figures = {[STORED] = a->stored,
                    [ABSORBED] = a->absorbed,
                    [SUPPLIED] = a->supplied,
                    [BALANCED] = a->balanced,
                    [SECONDS] = outcome->seconds,
                    [AUDIT_SECONDS] = outcome->audit_seconds,
                    [AUDITS] = (double)outcome->audits,
                    [SUMS_LOST] = outcome->sums_lost || !solver_plan_of(k->solver)->balanced},
        .traces = t->samples,
        .channels = t->channels,
        .stride = t->frames,
        .complete = complete,
    };
    checkpoint_write(k->checkpoint, &k->job, &state, k->problem, k->solver);
    k->written = done;
}

void kept_run_after_block(struct kept_run *k, const struct traces *t, const struct block_outcome *outcome, size_t done,
                          bool stopping)
{
    if (stopping ? stop_terminated() : checkpoint_due(k->checkpoint))
        kept_run_write(k, t, outcome, done, false);
}
