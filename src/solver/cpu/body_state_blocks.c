/* SPDX-License-Identifier: MIT */
/* The state of bodies between two steps. Of each body in turn, all double: energy lost and given; of its surface the
 * displacement of nodes [ny nx] and of cells, at n and at n - 1; of each line its modes, and the bridge,
 * likewise. */
#include <string.h>

#include "solver/cpu/body_state.h"

/* Copies both levels of an array of `count` values, if `saved` is given. Returns the bytes. */
static size_t copy_levels(const struct body_states *b, double *const levels[3], size_t count, char *saved, bool out)
{
    const size_t bytes = count * sizeof(double);
    for (unsigned age = 1; age <= 2 && saved && bytes; age++, saved += bytes) {
        char *level = (char *)body_level(b, levels, age);
        memcpy(out ? saved : level, out ? level : saved, bytes);
    }
    return 2 * bytes;
}

static size_t copy_body(const struct body_states *b, struct body_state *s, char *saved, bool out)
{
    double *const energies[2] = {&s->lost, &s->given};
    size_t at = 0;
    for (int i = 0; i < 2; i++, at += sizeof(double))
        if (saved)
            memcpy(out ? saved + at : (char *)energies[i], out ? (char *)energies[i] : saved + at, sizeof(double));
    const struct surface *surface = s->body->surface;
    if (surface) {
        at += copy_levels(b, s->surface.w, surface->nx * surface->ny, saved ? saved + at : NULL, out);
        at += copy_levels(b, s->surface.displacement, surface->cells, saved ? saved + at : NULL, out);
    }
    for (size_t i = 0; i < s->body->line_count; i++)
        at += copy_levels(b, s->lines[i].q, line_points(&s->body->lines[i]), saved ? saved + at : NULL, out);
    return at;
}

size_t body_states_bytes(const struct body_states *b)
{
    size_t bytes = 0;
    for (size_t i = 0; i < b->bodies->count; i++)
        bytes += copy_body(b, &b->body[i], NULL, true);
    return bytes;
}

void body_states_copy(struct body_states *b, char *saved, bool out)
{
    for (size_t i = 0; i < b->bodies->count; i++)
        saved += copy_body(b, &b->body[i], saved, out);
}
