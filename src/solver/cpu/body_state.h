/* SPDX-License-Identifier: MIT */
/* State of bodies on the CPU engine, shared by bodies.c, body_steps.c and body_energy.c. */
#ifndef AULA_SOLVER_CPU_BODY_STATE_H
#define AULA_SOLVER_CPU_BODY_STATE_H

#include "solver/cpu/bodies.h"
#include "solver/cpu/wind_state.h"
#include "solver/schemes/bodies/loops.h"
#include "solver/schemes/bodies/ports.h"

struct surface_state {
    struct node_runs runs;
    double *w[3];                /* [nodes] of the body's levels */
    double *force;               /* [nodes] N */
    double *velocity, *lossy;    /* [nodes], for the energy balance */
    double *displacement[3];     /* [cells]: J w at the same levels */
    double *difference;          /* [cells]: Δψ at n - 1 */
    double *right, *r, *scratch; /* [cells] */
    size_t *below, *above;       /* [cells] in the padded grid */
};

struct line_state {
    double *q[3];    /* [modes], then with CONNECTION_BRIDGE the bridge, m: of the body's levels */
    double *force;   /* indexed as q, N */
    double reaction; /* in F = reaction - slope w⁺, N */
    double partial;  /* CONNECTION_BRIDGE: next displacement of the bridge for w⁺ = 0 */
};

struct body_state {
    const struct body *body;
    double lost, given; /* J, since the solver was opened */
    double *levels[3];  /* [points] displacements at n + 1, n, n - 1 in rotation, m */
    struct surface_state surface;
    struct line_state *lines; /* [body->line_count] */
    struct line_coupling line_coupling;
    double *at[2]; /* [body->line_count]: w⁺ at the connections, without and with the forces of the lines */
    struct port_coupling port_coupling;
    struct port_state *ports;           /* [body->port_count] */
    double *stretched;                  /* [body->stretching_count] ψ, √J */
    double *port_inputs, *port_outputs; /* [PORT_INPUTS port_count] */
    double *port_scratch;
    struct wind_state wind;
};

/* One entry of a drive or tap channel on a body. */
struct body_entry {
    size_t channel;
    double *force;         /* of the driven node or mode; the input of a port */
    double *const *levels; /* tap: of the part; NULL: forces of ports, at `force` */
    size_t point;
    double weight;
};

struct body_states {
    const struct problem *problem;
    const struct bodies *bodies;
    struct body_state *body; /* [bodies->count] */
    struct body_entry *drives, *taps;
    size_t drive_count, tap_count;
    size_t *cut_at;       /* [cut_count], index in the padded grid */
    double *flux;         /* [cut_count]: flux of the air's step across cut links */
    ptrdiff_t step_of[6]; /* offset to the neighbour across each face */
    unsigned level;       /* steps done, modulo 3 */
};

static inline double field_at(const struct body_states *b, const void *grid, size_t at)
{
    return b->problem->precision == PRECISION_DOUBLE ? ((const double *)grid)[at] : (double)((const float *)grid)[at];
}

static inline void field_add(const struct body_states *b, void *grid, size_t at, double value)
{
    if (b->problem->precision == PRECISION_DOUBLE)
        ((double *)grid)[at] += value;
    else
        ((float *)grid)[at] = (float)((double)((float *)grid)[at] + value);
}

/* Levels during step n: n + 1 (age 0), n (1), n - 1 (2). */
static inline double *body_level(const struct body_states *b, double *const arrays[3], unsigned age)
{
    return arrays[(b->level + 3 - age) % 3];
}

/* A wind instrument: wind_before saves ψ⁻ of the air at its openings, `before`; after the air's step, wind_couple steps the
 * instrument and adds the flow of its openings to `next`. */
void wind_before(const struct body_states *b, struct body_state *body, const void *before);
void wind_couple(const struct body_states *b, struct body_state *body, void *next);

/* Computes w⁺ at every node without the forces of the lines, and the reaction r of the air.
 * `next` is the field. */
void surface_step(const struct body_states *b, struct body_state *body, const void *next);
/* Adds the flow of the moving surface to the air around it. */
void surface_move_air(const struct body_states *b, struct body_state *body, void *next);

/* out = P d, P = B + (1 - σ0 k), at every node that is not fixed. */
void surface_lossy(const struct surface *s, const struct surface_state *state, const double *d, double *out);

/* Steps the lines coupled to a surface: q⁺, and adds their forces to w⁺. */
void lines_couple(const struct body_states *b, struct body_state *body);
/* Solves what touches or stretches the body, and adds its forces to level n + 1. */
void ports_couple(const struct body_states *b, struct body_state *body);
/* Steps a line without a surface. */
void line_step_alone(const struct body_states *b, const struct line_body *line, struct line_state *s);

/* Adds the energy lost and supplied in this step to body->lost and body->given. */
void body_add_energy(const struct body_states *b, struct body_state *body);

#endif
