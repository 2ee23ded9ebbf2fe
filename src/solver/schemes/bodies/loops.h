/* SPDX-License-Identifier: MIT */
/* The loops over nodes that take most of the time of a body, compiled for several instruction sets. All of them give the
 * same bits: nodes do not depend on each other, and a sum has LOOP_LANES partial sums in every instruction set, which are
 * added in a fixed order. */
#ifndef AULA_SOLVER_SCHEMES_BODIES_LOOPS_H
#define AULA_SOLVER_SCHEMES_BODIES_LOOPS_H

#include "solver/schemes/bodies/bodies.h"
#include "solver/schemes/bodies/plate_stretching.h"

enum { LOOP_LANES = 8 };

/* Consecutive nodes with the same stencil. */
struct node_run {
    uint32_t start, length;
    uint16_t kind;
};

/* Nodes of short runs, mostly along a rim, LOOP_LANES at a time: the terms of N and B, [term][lane], those of B first.
 * Shorter stencils are padded with terms of factor 0, and the last group repeats a node. */
struct node_group {
    uint32_t node[LOOP_LANES];
    uint32_t lossy, count; /* terms of B, and of B and N */
    size_t first;          /* term */
};

/* The nodes of a surface that are not fixed. */
struct node_runs {
    struct node_run *run; /* [count], in order */
    size_t count;
    struct node_group *group; /* [group_count]: the nodes of runs shorter than SHORT_RUN */
    size_t group_count;
    double *factor; /* [terms][LOOP_LANES] */
    uint32_t *from; /* [terms][LOOP_LANES] neighbours */
};
enum { SHORT_RUN = 4 };

/* -1: out of memory. node_runs_free accepts a zeroed struct. */
int node_runs_make(struct node_runs *r, const struct surface *s);
void node_runs_free(struct node_runs *r);

struct body_loops {
    const char *name;
    /* See plate_stretching.h. */
    double (*plate_stretching)(const struct plate_stretching *p, const double *w, double *gradient, double *scratch);
    /* Σ a b */
    double (*dot)(const double *a, const double *b, size_t count);
    /* out += factor in */
    void (*add)(double *out, double factor, const double *in, size_t count);
    /* out += factor (now - before) */
    void (*add_change)(double *out, double factor, const double *now, const double *before, size_t count);
    /* g *= factor; sums: Σ d² and Σ g d, d = now - before */
    void (*scale)(double sums[2], double *g, double factor, const double *now, const double *before, size_t count);
    /* (N w + B w⁻ + force_gain f)/divisor of the nodes of all runs */
    void (*step)(double *next, const struct surface *s, const struct node_runs *runs, const double *now,
                 const double *before, const double *force, double divisor);
    /* out = force_gain force/D of the nodes that are not fixed, 0 elsewhere */
    void (*respond)(double *out, const struct surface *s, const double *force);
};

/* Those of the best instruction set of this machine. */
const struct body_loops *body_loops(void);

/* Every instruction set of this machine, the best first, up to NULL; for tests. */
const struct body_loops *body_loops_of(size_t index);

#endif
