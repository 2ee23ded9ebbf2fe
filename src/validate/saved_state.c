/* SPDX-License-Identifier: MIT */
#include "validate/saved_state.h"

#include <stdlib.h>
#include <string.h>

#include "solver/scheme.h"
#include "solver/state.h"

void saved_state_free(struct saved_state *s)
{
    for (size_t i = 0; s->pieces && i <= s->planes; i++)
        free(s->pieces[i]);
    free(s->pieces);
    free(s->bytes);
    for (int i = 0; i < SAVED_ARRAYS; i++)
        free(s->fields[i]);
    memset(s, 0, sizeof *s);
}

int saved_state_take(struct saved_state *to, struct solver *s, const struct problem *p, struct error *e)
{
    const size_t planes = p->points[2], plane = p->points[0] * p->points[1] * precision_bytes(p->precision);
    *to = (struct saved_state){.bytes = calloc(planes + 1, sizeof *to->bytes),
                               .pieces = calloc(planes + 1, sizeof *to->pieces),
                               .planes = planes};
    if (!to->bytes || !to->pieces)
        return fail(e, ERROR_MEMORY, "out of memory");
    for (int i = 0; i < SAVED_ARRAYS; i++) {
        to->fields[i] = malloc(planes * plane + 1);
        if (!to->fields[i])
            return fail(e, ERROR_MEMORY, "out of memory");
        if (solver_get(s, p->scheme->arrays[i], 0, planes, to->fields[i], e))
            return -1;
    }
    if (solver_state_block_bytes(s, to->bytes, e))
        return -1;
    for (size_t i = 0; i <= planes; i++) {
        to->pieces[i] = malloc(to->bytes[i] + 1);
        if (!to->pieces[i])
            return fail(e, ERROR_MEMORY, "out of memory");
        if (solver_get_state_block(s, i, to->pieces[i], e))
            return -1;
    }
    return 0;
}

int saved_state_put(struct solver *s, const struct saved_state *from, const struct problem *p, struct error *e)
{
    for (int i = 0; i < SAVED_ARRAYS; i++)
        if (solver_put(s, p->scheme->arrays[i], 0, from->planes, from->fields[i], e))
            return -1;
    for (size_t i = 0; i <= from->planes; i++)
        if (solver_put_state_block(s, i, from->pieces[i], from->bytes[i], e))
            return -1;
    return 0;
}
