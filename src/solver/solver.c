/* SPDX-License-Identifier: MIT */
#include "solver/engine.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "solver/scheme.h"

/* The engine table. */
const struct engine *const engines[] = {&cuda_engine, &cpu_engine, NULL};

struct solver {
    const struct stepper *stepper;
    const struct scheme *scheme;
    size_t planes;
    void *state;
    struct solver_plan plan;
};

const struct engine *solver_engine(const struct solver_options *c, struct error *e)
{
    const char *name = c && c->engine ? c->engine : "auto";
    const char *names[8] = {"auto"};
    size_t count = 1;
    for (size_t i = 0; engines[i]; i++) {
        const char *reason = engines[i]->unavailable();
        names[count++] = engines[i]->name;
        if (!strcmp(name, "auto") && !reason)
            return engines[i];
        if (!strcmp(name, engines[i]->name)) {
            if (!reason)
                return engines[i];
            fail(e, ERROR_ENGINE,
                 "the %s engine is not available: %s; remove --engine and --device to let aula choose an engine", name,
                 reason);
            return NULL;
        }
    }
    char hint[HINT];
    fail(e, ERROR_USAGE, "--engine %s: unknown engine%s; use auto, cpu or cuda", name,
         text_hint(hint, name, names, count));
    return NULL;
}

static bool is_auto(const struct solver_options *c)
{
    return !c || !c->engine || !strcmp(c->engine, "auto");
}

/* The next engine of the table that can run here; NULL after the last. */
static const struct engine *engine_after(const struct engine *engine)
{
    size_t i = 0;
    while (engines[i] != engine)
        i++;
    for (i++; engines[i]; i++)
        if (!engines[i]->unavailable())
            return engines[i];
    return NULL;
}

/* Whether another engine may succeed after this error. */
static bool may_fall_back(const struct error *e)
{
    return e->code == ERROR_MEMORY || e->code == ERROR_ENGINE || e->code == ERROR_DEVICE;
}

static bool fits(const struct solver_plan *r)
{
    return r->field_bytes + r->boundary_bytes + r->channel_bytes <= r->available_bytes;
}

/* Only engines that step parts can count only some planes. */
static int check_counted(const struct engine *engine, const struct problem *p, struct error *e)
{
    return p->counted[1] && !engine->stepper(p->scheme)->states
               ? fail(e, ERROR_ENGINE, "the %s engine cannot step part of a grid", engine->name)
               : 0;
}

static bool in_parts(const struct solver_options *c)
{
    return c && (c->parts.transport || c->parts.count > 1 || c->device_count > 1);
}

int solver_make_plan(struct solver_plan *r, const struct problem *p, const struct solver_options *c, struct error *e)
{
    const struct engine *engine = solver_engine(c, e);
    struct error reason = {ERROR_NONE, ""};
    memset(r, 0, sizeof *r);
    if (!engine || p->scheme->check(p, e))
        return -1;
    if (in_parts(c))
        return parts_stepper.plan(r, p, c, e);
    for (;;) {
        char passed_over[sizeof r->passed_over];
        memcpy(passed_over, r->passed_over, sizeof passed_over);
        memset(r, 0, sizeof *r);
        memcpy(r->passed_over, passed_over, sizeof passed_over);
        const struct engine *next = is_auto(c) ? engine_after(engine) : NULL;
        int status = check_counted(engine, p, &reason) || engine->stepper(p->scheme)->plan(r, p, c, &reason) ? -1 : 0;
        if (!next || (!status && fits(r)) || (status && !may_fall_back(&reason))) {
            if (status)
                *e = reason;
            return status;
        }
        snprintf(r->passed_over, sizeof r->passed_over, "%s: %.200s", engine->name,
                 status ? reason.message : "the grid does not fit into memory");
        engine = next;
    }
}

int solver_open(struct solver **out, const struct problem *p, const struct solver_options *c, struct error *e)
{
    *out = NULL;
    const struct engine *engine = solver_engine(c, e);
    struct error reason = {ERROR_NONE, ""};
    if (!engine || p->scheme->check(p, e))
        return -1;
    struct solver *s = calloc(1, sizeof *s);
    if (!s)
        return fail(e, ERROR_MEMORY, "out of memory");
    s->scheme = p->scheme;
    s->planes = p->points[2];
    s->stepper = in_parts(c) ? &parts_stepper : NULL;
    if (s->stepper && s->stepper->open(&s->state, &s->plan, p, c, e)) {
        free(s);
        return -1;
    }
    if (s->stepper) {
        *out = s;
        return 0;
    }
    while (check_counted(engine, p, &reason) || engine->stepper(p->scheme)->open(&s->state, &s->plan, p, c, &reason)) {
        const struct engine *next = is_auto(c) && may_fall_back(&reason) ? engine_after(engine) : NULL;
        if (!next) {
            *e = reason;
            free(s);
            return -1;
        }
        memset(&s->plan, 0, sizeof s->plan);
        snprintf(s->plan.passed_over, sizeof s->plan.passed_over, "%s: %.200s", engine->name, reason.message);
        engine = next;
    }
    s->stepper = engine->stepper(p->scheme);
    *out = s;
    return 0;
}

int solver_run(struct solver *s, size_t steps, const struct block *b, struct error *e)
{
    return steps == 0 ? 0 : s->stepper->run(s->state, steps, b, e);
}

static int find_array(const struct solver *s, const char *array, size_t z0, size_t nz, size_t *index, struct error *e)
{
    if (z0 > s->planes || nz > s->planes - z0)
        return fail(e, ERROR_ENGINE, "planes %zu to %zu are out of range; the grid has %zu", z0, z0 + nz, s->planes);
    for (*index = 0; s->scheme->arrays[*index]; ++*index)
        if (!strcmp(s->scheme->arrays[*index], array))
            return 0;
    return fail(e, ERROR_ENGINE, "the %s scheme has no array '%s'", s->scheme->name, array);
}

int solver_put(struct solver *s, const char *array, size_t z0, size_t nz, const void *values, struct error *e)
{
    size_t index = 0;
    return find_array(s, array, z0, nz, &index, e) || s->stepper->put(s->state, index, z0, nz, values, e);
}

int solver_get(struct solver *s, const char *array, size_t z0, size_t nz, void *values, struct error *e)
{
    size_t index = 0;
    return find_array(s, array, z0, nz, &index, e) || s->stepper->get(s->state, index, z0, nz, values, e);
}

int solver_audit(struct solver *s, struct audit *a, struct error *e)
{
    if (s->stepper->audit(s->state, a, e))
        return -1;
    if (!isfinite(a->stored) || !isfinite(a->absorbed) || !isfinite(a->supplied))
        return fail(e, ERROR_UNSTABLE, "the simulation is unstable (energy %g); its results are invalid", a->stored);
    return 0;
}

/* Checks that the engine provides states and that these planes exist. */
static int check_states(const struct solver *s, size_t z0, size_t nz, struct error *e)
{
    if (!s->stepper->states)
        return fail(e, ERROR_ENGINE, "the %s engine cannot step part of a grid", s->plan.engine);
    if (z0 > s->planes || nz > s->planes - z0)
        return fail(e, ERROR_ENGINE, "planes %zu to %zu are out of range; the grid has %zu", z0, z0 + nz, s->planes);
    return 0;
}

int solver_states_bytes(const struct solver *s, size_t z0, size_t nz, size_t *bytes, struct error *e)
{
    if (check_states(s, z0, nz, e))
        return -1;
    *bytes = s->stepper->states->bytes(s->state, z0, nz);
    return 0;
}

int solver_get_states(struct solver *s, size_t z0, size_t nz, void *states, struct error *e)
{
    if (check_states(s, z0, nz, e))
        return -1;
    return s->stepper->states->get(s->state, z0, nz, states, e);
}

int solver_put_states(struct solver *s, size_t z0, size_t nz, const void *states, struct error *e)
{
    if (check_states(s, z0, nz, e))
        return -1;
    return s->stepper->states->put(s->state, z0, nz, states, e);
}

bool solver_has_state_blocks(const struct solver *s)
{
    return s->stepper->state_blocks != NULL;
}

/* Checks that the engine provides this block. */
static int check_piece(const struct solver *s, size_t piece, struct error *e)
{
    if (!solver_has_state_blocks(s))
        return fail(e, ERROR_ENGINE, "the %s engine cannot save its state", s->plan.engine);
    return piece <= s->planes
               ? 0
               : fail(e, ERROR_ENGINE, "block %zu of a state is out of range; there are %zu", piece, s->planes + 1);
}

int solver_state_block_bytes(struct solver *s, size_t *bytes, struct error *e)
{
    return check_piece(s, 0, e) || s->stepper->state_blocks->bytes(s->state, bytes, e) ? -1 : 0;
}

int solver_get_state_block(struct solver *s, size_t piece, void *to, struct error *e)
{
    return check_piece(s, piece, e) || s->stepper->state_blocks->get(s->state, piece, to, e) ? -1 : 0;
}

int solver_put_state_block(struct solver *s, size_t piece, const void *from, size_t bytes, struct error *e)
{
    return check_piece(s, piece, e) || s->stepper->state_blocks->put(s->state, piece, from, bytes, e) ? -1 : 0;
}

bool solver_has_halos(const struct solver *s)
{
    return s->stepper->halos != NULL;
}

int solver_open_halo(struct solver *s, void **halo, const struct halo_planes *planes, struct error *e)
{
    *halo = NULL;
    return s->stepper->halos ? s->stepper->halos->open(s->state, halo, planes, e)
                             : fail(e, ERROR_ENGINE, "the %s engine does not manage halos", s->plan.engine);
}

int solver_send_halo(struct solver *s, void *halo, const void *reader, struct error *e)
{
    return s->stepper->halos->send(s->state, halo, reader, e);
}

int solver_receive_halo(struct solver *s, void *halo, const void *given, struct error *e)
{
    return s->stepper->halos->receive(s->state, halo, given, e);
}

size_t solver_halo_bytes(const struct solver *s, const void *halo)
{
    return s->stepper->halos->bytes(halo);
}

int solver_pass_halos(struct solver *s, void *links, const struct halo_passage *passages, int count, struct error *e)
{
    return s->stepper->halos->pass(s->state, links, passages, count, e);
}

void *solver_halo_on_host(const struct solver *s, void *halo)
{
    return s->stepper->halos->on_host(halo);
}

int solver_send_to_host(struct solver *s, void *halo, struct error *e)
{
    return s->stepper->halos->send_to_host(s->state, halo, e);
}

int solver_receive_from_host(struct solver *s, void *halo, struct error *e)
{
    return s->stepper->halos->receive_from_host(s->state, halo, e);
}

int solver_run_exchanging(struct solver *s, size_t steps, const struct block *b, const struct exchanges *x,
                          struct error *e)
{
    return s->stepper->halos->run(s->state, steps, b, x, e);
}

int solver_wait_for_halos(struct solver *s, struct error *e)
{
    return s->stepper->halos->wait(s->state, e);
}

void solver_close_halo(struct solver *s, void *halo)
{
    if (halo)
        s->stepper->halos->close(s->state, halo);
}

int solver_plain_pass(struct solver *s, size_t passes, struct error *e)
{
    return s->stepper->plain_pass(s->state, passes, e);
}

const struct solver_plan *solver_plan_of(const struct solver *s)
{
    return &s->plan;
}

void solver_close(struct solver *s)
{
    if (!s)
        return;
    s->stepper->close(s->state);
    free(s);
}
