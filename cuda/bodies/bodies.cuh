/* SPDX-License-Identifier: MIT */
/* Vibrating bodies on the device, stepped together with the field as in solver/cpu/bodies.c;
 * equations in solver/schemes/bodies/bodies.h. Everything is double.
 *
 * A step of a body is divided into the work that depends on the new air and the work that does not.
 * On a second stream, concurrent with the field's kernels:
 *      finish   w and q of level n, from r and the forces of lines found in the previous step;
 *               forces of the drives
 *      free     N w + B w⁻ + f, and the lines for a surface at rest: level n + 1 without air and
 *               connections; flux across cut links
 *      cells    J of that, and the terms of r's equation without the new air
 * On the field's stream, after its kernels:
 *      couple   a block or a cluster of blocks for each surface: gathers the new air, solves for r,
 *               moves the air; taps of level n
 * Level n + 1 is completed by `finish` of the next step, or by bodies_settle if it is needed
 * earlier. A level that was put (bodies_put_state_block) is complete: `settled` tells `finish` so,
 * until `couple` of the step that follows. */
#ifndef AULA_CUDA_BODIES_CUH
#define AULA_CUDA_BODIES_CUH

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <cuda_runtime.h>
#include <vector>

extern "C" {
#include "solver/schemes/bodies/bodies.h"
#include "solver/solver.h"
}
#include "cuda/grid/view.cuh"

enum { BODY_THREADS = 128 };

/* Two variants of `couple`: number of entries of its row of the coupling that a thread keeps in
 * registers, and number of threads of a block that then fit. */
enum {
    COUPLE_ENTRIES = 8,
    COUPLE_THREADS = 768,
    COUPLE_MANY_ENTRIES = 24,
    COUPLE_MANY_THREADS = 512,
    COUPLE_ARRAYS = 3
};
#define COUPLE_THREADS_OF(entries) ((entries) == COUPLE_ENTRIES ? COUPLE_THREADS : COUPLE_MANY_THREADS)

/* Number of cells of a surface assigned to one block of the cluster. */
static __host__ __device__ inline uint32_t cells_of_block(uint32_t cells, unsigned blocks)
{
    return (cells + blocks - 1) / blocks;
}

/* A sparse matrix: entry k of row i is at [k * rows + i]. Rows are padded with zeros to `width`,
 * a multiple of BATCH, so that entries are loaded in batches. */
template <typename INDEX, int BATCH> struct entry_table {
    uint32_t rows, width;
    const INDEX *column;
    const double *value;
};
enum { MAP_BATCH = 8, SPREAD_BATCH = 4, COUPLING_BATCH = 4 };

/* The three levels of w and q are contiguous: level l is at w + l * nodes. Only levels and
 * `force` persist from step to step. */
struct device_line {
    uint32_t modes, points; /* modes, and points including the bridge */
    double *q;              /* [3][points] */
    double *force;          /* [points] N */
    double *free;           /* [points] q of the next level for a surface at rest */
    const double *now, *before, *gain;
    struct connection connection; /* kind NONE without a surface; shape on the device */
    double shape_gain;            /* Σ shape² gain */
    double slope;
    double outward, inward; /* force of spring and dashpot per next and last elongation, N/m */
    double stiff;           /* BRIDGE: force per next displacement, N/m */
};

struct device_body {
    /* the surface; nodes == 0: none */
    uint32_t nodes, cells;
    const uint16_t *kind; /* [nodes] */
    const struct stencil *stencils;
    double denominator, force_gain, area_ratio, pressure_gain, load, flow_gain;
    double *w;     /* [3][nodes] m */
    double *force; /* [nodes] N */
    double *free;  /* [nodes] D w of the next level without air and lines */
    struct entry_table<uint32_t, MAP_BATCH> map;
    struct entry_table<uint32_t, SPREAD_BATCH> spread;
    /* r = inverse * right - (coupling times inverse c) r, and J w⁺ = free + own r + other * (that coupling) r */
    struct entry_table<uint16_t, COUPLING_BATCH> coupling;
    const double *inverse, *own, *other; /* [cells] */
    const uint8_t *readers;              /* [cells] bit k: block k of the cluster reads r there */
    unsigned iterations;
    const uint64_t *below, *above; /* [cells] in the padded grid */
    const uint8_t *faces;          /* [2][cells] cut, below and above */
    double *r;                     /* [cells] */
    double *displacement;          /* [2][cells] J w by the parity of the level */
    double *difference;            /* [2][cells] Δψ likewise */
    double *displacement_free;     /* [cells] J of `free` over D */
    double *known;                 /* [cells] part of the right side that does not depend on the new air */
    double *flux;                  /* [2][cells] flux of the air's step across cut links, below and above */
    double *scratch;               /* [COUPLE_ARRAYS][cells], used if shared memory is too small */
    /* the lines */
    uint32_t line_count;
    const struct device_line *lines;
    const double *coupled_free, *coupled_forced; /* [lines][lines] */
    const uint32_t *answer_start;                /* [nodes + 1]: start of the entries of each node; NULL: no lines */
    const uint32_t *answer_line;
    const double *answer;              /* m/N */
    const double *displacement_answer; /* [lines][cells] J of that */
    double *reaction, *partial;        /* [lines] */
    double *at_free, *at, *pull;       /* [lines] at the connections: w⁺ without and with the forces of lines; F, N */
};

/* A driven point: force = Σ weight * drive[channel] over terms first to end - 1. */
struct body_drive {
    double *force;
    uint32_t first, end;
};
struct body_term {
    uint32_t channel;
    double weight;
};

/* A tap point: level l is at values[l * stride]. */
struct body_tap {
    const double *values;
    uint32_t stride;
    double weight;
};

/* Kind of work of a block. */
enum body_work { WORK_NODES, WORK_LINE, WORK_DRIVES, WORK_CUTS };
struct body_job {
    uint32_t work, body, first; /* first node, drive or cut; line */
};

/* A point with cut links. Points next to no moving surface ("other cuts") come first. */
struct device_cut {
    uint64_t at;
    uint8_t faces;
};

struct device_bodies {
    const struct bodies *bodies;
    std::vector<void *> memory;    /* every allocation */
    std::vector<device_body> host; /* pointers into the device */
    std::vector<std::vector<device_line>> host_lines;
    device_body *body;
    uint32_t *surfaces; /* bodies with a surface in air, or with lines on a surface */
    unsigned surface_count;
    unsigned cells_max; /* of the largest surface */
    body_job *finish_jobs, *free_jobs, *cell_jobs;
    unsigned finish_count, settle_count, free_count, cell_job_count; /* settle_count: finish jobs without the drives */
    body_drive *drives;
    body_term *terms;
    uint32_t drive_count;
    body_tap *taps;
    uint32_t *tap_first; /* [channels + 1] */
    unsigned tap_channels;
    bool tapped; /* there are taps on bodies */
    device_cut *cuts;
    double *cut_flux, *cut_energy; /* [other cuts], [all cuts] */
    unsigned other_cut_count, cut_count;
    uint32_t *settled;                /* whether level n is complete except for r and the forces of lines */
    double *lost, *given;             /* [bodies] J, when audited */
    size_t shared_bytes;              /* of couple; 0: it works in `scratch` */
    unsigned couple_threads, cluster; /* threads per block of couple; blocks per surface */
    bool many_entries;
    cudaStream_t stream; /* concurrent with the field's stream */
    cudaEvent_t begun, ready;
};

uint64_t bodies_device_bytes(const struct problem *p);

/* Must follow the set-up of the field, whose pitch it uses. audited: keep the balance of energy.
 * *b is NULL if the problem has no bodies. 0, or nonzero with *e filled, in which case the
 * caller still has to drop *b. */
int bodies_setup(struct device_bodies **b, const struct problem *p, size_t pitch, bool audited, struct error *e);
void bodies_drop(struct device_bodies *b); /* NULL-safe */

/* Called before and after the kernels of the step to p^{phase + 1}. NULL-safe, as are all
 * functions below. */
template <typename REAL>
void bodies_begin(const struct device_bodies *b, const step<REAL> &s, int phase, cudaStream_t stream);
template <typename REAL>
void bodies_end(const struct device_bodies *b, const step<REAL> &s, int phase, cudaStream_t stream);

/* Completes level `phase`. */
void bodies_settle(const struct device_bodies *b, int phase, cudaStream_t stream);

/* After the last step, when level `phase` is settled: adds it to the taps of the last sample,
 * *base - 1. */
template <typename REAL>
void bodies_read_taps(const struct device_bodies *b, const step<REAL> &s, int phase, cudaStream_t stream);

/* Reads Δψ of level phase - 1 from the grid. */
template <typename REAL>
void bodies_read_history(const struct device_bodies *b, const step<REAL> &s, int phase, cudaStream_t stream);

/* pieces.cu: the state between two steps, with level `phase` as the newest. */
size_t bodies_state_block_bytes(const struct device_bodies *b);
int bodies_get_state_block(const struct device_bodies *b, int phase, char *to, cudaStream_t stream, struct error *e);
int bodies_put_state_block(const struct device_bodies *b, int phase, const char *from, cudaStream_t stream,
                           struct error *e);

/* couple.cu: sets threads, cluster and shared memory of `couple` for this device. cells: those
 * of the largest surface; width: entries of the longest row of its coupling. 0, or nonzero with
 * *e filled. */
int bodies_shape(struct device_bodies *b, unsigned cells, unsigned width, struct error *e);

/* audit.cu. In an audited solver, after bodies_end of the step to p^{phase + 1}: adds the energy
 * that bodies lost and received in that step. */
void bodies_follow(const struct device_bodies *b, int phase, cudaStream_t stream);

/* Adds the energy that bodies store, have lost and have received to the balance, and subtracts
 * the field's sum over cut links. */
template <typename REAL>
int bodies_audit(const struct device_bodies *b, const step<REAL> &s, int phase, struct audit *a, cudaStream_t stream,
                 struct error *e);

#endif
