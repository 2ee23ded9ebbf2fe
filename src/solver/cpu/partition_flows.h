/* SPDX-License-Identifier: MIT */
/* Links through partitions on the CPU engine: their states, and their flows into the points of both faces
 * (solver/schemes/leapfrog/partition_links.h). */
#ifndef AULA_SOLVER_CPU_PARTITION_FLOWS_H
#define AULA_SOLVER_CPU_PARTITION_FLOWS_H

#include "solver/schemes/leapfrog/partition_links.h"
#include "solver/solver.h"

struct partition_flows {
    struct partition_links links;
    const struct problem *problem;
    size_t *at;                    /* [count][2 n], of the links' points in the padded grid */
    struct partition_state *state; /* [count] */
    struct flow_term *terms;       /* `point` is the index in the padded grid */
    size_t term_count;
    size_t *term_start, *link_start; /* [rows + 1]; NULL without links */
    size_t rows;
};

uint64_t partition_flows_bytes(const struct partition_links *links, const struct problem *p);
int partition_flows_make(struct partition_flows *f, const struct problem *p, const struct rows *rows, struct error *e);
void partition_flows_free(struct partition_flows *f);

/* Before steps and audits: sets the states of links that have not started as if they had been at rest one step earlier,
 * and the energy lost so far to 0. `now` is p^n, `before` p^{n-1}, in padded rows; absorbed [rows]. */
void partition_flows_start(struct partition_flows *f, const void *now, const void *before, double *absorbed);

/* Computes the flows of a step from p^n, a thread its share of them; adds the energy lost to absorbed [rows]. */
void partition_flows_step(struct partition_flows *f, const void *now, size_t thread, size_t team, double *absorbed);

/* Adds the flows to p^{n+1} in rows row0 .. row1 - 1, between the kernel's sweep and finish. */
void partition_flows_add(const struct partition_flows *f, void *next, size_t row0, size_t row1);

/* Adds the energy of the links of rows first .. end - 1 to the balance; `now`: the newest level. */
void partition_flows_audit(const struct partition_flows *f, const void *now, const size_t counted[2], struct audit *a);

/* The states of planes z0 .. z0 + nz - 1 of points: partition_links_of. */
size_t partition_states_bytes(const struct partition_flows *f, size_t z0, size_t nz);
void partition_states_copy(struct partition_flows *f, size_t z0, size_t nz, char *saved, bool out);

#endif
