/* SPDX-License-Identifier: MIT */
/* Partitions that transmit, on the device: solver/schemes/leapfrog/partition_links.h.
 *
 * Before each step, one kernel computes the flows of all links from p^n, and a second one their sums at points, which
 * it leaves beside the list of boundary points. All these points are boundary points; the step adds the sums before the
 * wall acts, in the order of the CPU engine, so that both engines give the same bits. */
#ifndef AULA_CUDA_PARTITIONS_CUH
#define AULA_CUDA_PARTITIONS_CUH

extern "C" {
#include "solver/schemes/leapfrog/partition_links.h"
#include "solver/solver.h"
}
#include "cuda/grid/view.cuh"

struct cuda_state;
struct boundary_points;
struct device_partitions;

/* Device memory, bytes. */
uint64_t partitions_device_bytes(const struct problem *p, const struct layout *l, const struct rows *rows);

/* Finds the links; *out is NULL without any. Their states are to be the last values of those of branches. */
int partitions_find(struct device_partitions **out, const struct problem *p, struct error *e);
/* Number of values of these states in the field's precision; NULL-safe. */
size_t partitions_state_values(const struct device_partitions *d, enum precision precision);
int partitions_setup(struct device_partitions *d, const cuda_state *s, struct error *e);
void partitions_drop(struct device_partitions *d); /* NULL-safe */
const struct partition_links *partitions_links(const struct device_partitions *d);

/* Finds the points among the lists of boundary points, and marks them there. NULL-safe. */
int partitions_place(struct device_partitions *d, const struct boundary_points *b, const cuda_state *s,
                     struct error *e);
/* The sums by slot of boundary points with and without branches; NULL-safe. */
void *partitions_flows(const struct device_partitions *d, bool branched);

/* Starts the links that have not started from the field, before steps and audits. NULL-safe. */
void partitions_start(const cuda_state *s);
int partitions_restart(const struct device_partitions *d, struct error *e); /* all are to start again; NULL-safe */

/* Before the kernels of a step. NULL-safe. */
template <typename REAL>
void partitions_step(const struct device_partitions *d, const step<REAL> &step, cudaStream_t stream);

/* Energy lost in the links so far, [link], in an audited solver, and 0 from here on. */
int partitions_lost(const struct device_partitions *d, double *lost, struct error *e);
int partitions_forget_lost(const struct device_partitions *d, struct error *e);

/* Adds the stored energy of the links of the planes that count, and what they lose until the middle of the next step,
 * to the balance. NULL-safe. */
int partitions_audit(const cuda_state *s, struct audit *a, struct error *e);

#endif
