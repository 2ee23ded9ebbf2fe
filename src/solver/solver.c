#include "solver/solver.h"

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
    struct requirement requirement;
};

const struct engine *solver_engine(const struct choice *c, struct error *e)
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
            fail(e, ERROR_ENGINE, "the %s engine cannot run here: %s; --engine auto takes one that can", name, reason);
            return NULL;
        }
    }
    char hint[HINT];
    fail(e, ERROR_USAGE, "--engine %s: no such engine%s (there are auto, cpu and cuda)", name,
         text_hint(hint, name, names, count));
    return NULL;
}

static bool is_auto(const struct choice *c)
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

static bool fits(const struct requirement *r)
{
    return r->field_bytes + r->boundary_bytes + r->channel_bytes <= r->available_bytes;
}

int solver_require(struct requirement *r, const struct problem *p, const struct choice *c, struct error *e)
{
    const struct engine *engine = solver_engine(c, e);
    struct error reason = {ERROR_NONE, ""};
    memset(r, 0, sizeof *r);
    if (!engine || p->scheme->check(p, e))
        return -1;
    for (;;) {
        char passed_over[sizeof r->passed_over];
        memcpy(passed_over, r->passed_over, sizeof passed_over);
        memset(r, 0, sizeof *r);
        memcpy(r->passed_over, passed_over, sizeof passed_over);
        const struct engine *next = is_auto(c) ? engine_after(engine) : NULL;
        int status = engine->stepper(p->scheme)->require(r, p, c, &reason);
        if (!next || (!status && fits(r)) || (status && !may_fall_back(&reason))) {
            if (status)
                *e = reason;
            return status;
        }
        snprintf(r->passed_over, sizeof r->passed_over, "%s: %.200s", engine->name,
                 status ? reason.message : "the grid does not fit into its memory");
        engine = next;
    }
}

int solver_open(struct solver **out, const struct problem *p, const struct choice *c, struct error *e)
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
    while (engine->stepper(p->scheme)->open(&s->state, &s->requirement, p, c, &reason)) {
        const struct engine *next = is_auto(c) && may_fall_back(&reason) ? engine_after(engine) : NULL;
        if (!next) {
            *e = reason;
            free(s);
            return -1;
        }
        memset(&s->requirement, 0, sizeof s->requirement);
        snprintf(s->requirement.passed_over, sizeof s->requirement.passed_over, "%s: %.200s", engine->name,
                 reason.message);
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
        return fail(e, ERROR_ENGINE, "planes %zu to %zu: the grid has %zu", z0, z0 + nz, s->planes);
    for (*index = 0; s->scheme->arrays[*index]; ++*index)
        if (!strcmp(s->scheme->arrays[*index], array))
            return 0;
    return fail(e, ERROR_ENGINE, "the %s scheme has no array \"%s\"", s->scheme->name, array);
}

int solver_put(struct solver *s, const char *array, size_t z0, size_t nz, const void *values, struct error *e)
{
    size_t index;
    return find_array(s, array, z0, nz, &index, e) || s->stepper->put(s->state, index, z0, nz, values, e);
}

int solver_get(struct solver *s, const char *array, size_t z0, size_t nz, void *values, struct error *e)
{
    size_t index;
    return find_array(s, array, z0, nz, &index, e) || s->stepper->get(s->state, index, z0, nz, values, e);
}

int solver_audit(struct solver *s, struct audit *a, struct error *e)
{
    if (s->stepper->audit(s->state, a, e))
        return -1;
    if (!isfinite(a->stored) || !isfinite(a->absorbed) || !isfinite(a->supplied))
        return fail(e, ERROR_UNSTABLE, "the field left the range of numbers (energy %g): this run cannot be believed",
                    a->stored);
    return 0;
}

int solver_plain_pass(struct solver *s, size_t passes, struct error *e)
{
    return s->stepper->plain_pass(s->state, passes, e);
}

const struct requirement *solver_requirement(const struct solver *s)
{
    return &s->requirement;
}

void solver_close(struct solver *s)
{
    if (!s)
        return;
    s->stepper->close(s->state);
    free(s);
}
