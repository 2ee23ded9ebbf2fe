#include "solver.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "scheme/scheme.h"

/* The engine table. */
const struct engine *const engines[] = {&cuda_engine, &cpu_engine, NULL};

struct solver {
    const struct engine *engine;
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
    ptrdiff_t closest = text_closest(name, names, count);
    fail(e, ERROR_USAGE, "--engine %s: no such engine%s%s; there are auto, cpu and cuda", name,
         closest < 0 ? "" : ": did you mean ", closest < 0 ? "" : names[closest]);
    return NULL;
}

int solver_require(struct requirement *r, const struct problem *p, const struct choice *c, struct error *e)
{
    const struct engine *engine = solver_engine(c, e);
    memset(r, 0, sizeof *r);
    if (!engine || scheme_of(p->scheme)->check(p, e))
        return -1;
    return engine->require(r, p, c, e);
}

int solver_open(struct solver **out, const struct problem *p, const struct choice *c, struct error *e)
{
    *out = NULL;
    const struct engine *engine = solver_engine(c, e);
    if (!engine || scheme_of(p->scheme)->check(p, e))
        return -1;
    struct solver *s = calloc(1, sizeof *s);
    if (!s)
        return fail(e, ERROR_MEMORY, "out of memory");
    s->engine = engine;
    s->scheme = scheme_of(p->scheme);
    s->planes = p->points[2];
    if (engine->open(&s->state, &s->requirement, p, c, e)) {
        free(s);
        return -1;
    }
    *out = s;
    return 0;
}

int solver_run(struct solver *s, size_t steps, const struct block *b, struct error *e)
{
    return steps == 0 ? 0 : s->engine->run(s->state, steps, b, e);
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
    return find_array(s, array, z0, nz, &index, e) || s->engine->put(s->state, index, z0, nz, values, e);
}

int solver_get(struct solver *s, const char *array, size_t z0, size_t nz, void *values, struct error *e)
{
    size_t index;
    return find_array(s, array, z0, nz, &index, e) || s->engine->get(s->state, index, z0, nz, values, e);
}

int solver_audit(struct solver *s, struct audit *a, struct error *e)
{
    if (s->engine->audit(s->state, a, e))
        return -1;
    if (!isfinite(a->stored) || !isfinite(a->absorbed) || !isfinite(a->supplied))
        return fail(e, ERROR_UNSTABLE, "the field left the range of numbers (energy %g): this run cannot be believed",
                    a->stored);
    return 0;
}

int solver_plain_pass(struct solver *s, size_t passes, struct error *e)
{
    return s->engine->plain_pass(s->state, passes, e);
}

const struct requirement *solver_requirement(const struct solver *s)
{
    return &s->requirement;
}

void solver_close(struct solver *s)
{
    if (!s)
        return;
    s->engine->close(s->state);
    free(s);
}
