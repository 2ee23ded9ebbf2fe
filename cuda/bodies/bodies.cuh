/* SPDX-License-Identifier: MIT */
/* Vibrating bodies on the device, stepped together with the field as solver/cpu/bodies.c does it; equations in
 * solver/schemes/bodies/bodies.h. All of it is double.
 *
 * A step of a body is split into what the new air changes and what it does not. On a second stream, while the
 * field's kernels run:
 *     finish   w and q of level n, from r and the forces of lines that the step before found; forces of the drives
 *     free     N w + B w⁻ + f, and the lines for a surface at rest: level n + 1 without air and connections;
 *              flux across cut links
 *     cells    J of that, and the terms of r's equation without the new air
 * On the field's stream, after its kernels:
 *     couple   a block or a cluster of blocks for each surface: gathers the new air, solves for r, moves the air;
 *              taps of level n
 * Level n + 1 is completed by `finish` of the next step, or by bodies_settle when it is needed before. A level that was
 * put (bodies_put_state_block) is complete: `settled` says so to `finish`, until `couple` of the step from it. */
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

/* Two variants of `couple`: entries of its row of the coupling that a thread keeps in registers, and threads of a
 * block that then fit. */
enum {
    COUPLE_ENTRIES = 8,
    COUPLE_THREADS = 768,
    COUPLE_MANY_ENTRIES = 24,
    COUPLE_MANY_THREADS = 512,
    COUPLE_ARRAYS = 3
};
#define COUPLE_THREADS_OF(entries) ((entries) == COUPLE_ENTRIES ? COUPLE_THREADS : COUPLE_MANY_THREADS)

/* Cells of a surface that one block of the cluster has. */
static __host__ __device__ inline uint32_t cells_of_block(uint32_t cells, unsigned blocks)
{
    return (cells + blocks - 1) / blocks;
}

/* A sparse matrix: entry k of row i is at [k * rows + i]. Rows are padded with zeros to `width`, a multiple of
 * BATCH: a batch of entries is loaded at once. */
template <typename INDEX, int BATCH> struct entry_table {
    uint32_t rows, width;
    const INDEX *column;
    const double *value;
};
enum { MAP_BATCH = 8, SPREAD_BATCH = 4, COUPLING_BATCH = 4 };

/* Three levels of w and q lie one after the other: level l is at w + l * nodes. Only levels and `force` are kept
 * from step to step. */
struct device_line {
    uint32_t modes, points; /* points: with the bridge */
    double *q;              /* [3][points] */
    double *force;          /* [points] N */
    double *free;           /* [points] q of the next level while the surface does not move */
    const double *now, *before, *gain;
    struct connection connection; /* kind NONE without a surface; shape on the device */
    double shape_gain;            /* Σ shape² gain */
    double slope;
    double outward, inward; /* force of spring and dashpot by the next elongation and by the last, N/m */
    double stiff;           /* BRIDGE: force by its next displacement, N/m */
};

struct device_body {
    /* the surface; nodes 0: none */
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
    const uint8_t *readers;              /* [cells] bit k: block k of the cluster needs r there */
    unsigned iterations;
    const uint64_t *below, *above; /* [cells] in the padded grid */
    const uint8_t *faces;          /* [2][cells] cut, below and above */
    double *r;                     /* [cells] */
    double *displacement;          /* [2][cells] J w by the parity of the level */
    double *difference;            /* [2][cells] Δψ likewise */
    double *displacement_free;     /* [cells] J of `free` over D */
    double *known;                 /* [cells] part of the right side that the new air does not change */
    double *flux;                  /* [2][cells] flux of the air's step across cut links, below and above */
    double *scratch;               /* [COUPLE_ARRAYS][cells], where shared memory is too small */
    /* the lines */
    uint32_t line_count;
    const struct device_line *lines;
    const double *coupled_free, *coupled_forced; /* [lines][lines] */
    const uint32_t *answer_start;                /* [nodes + 1]: of the entries of each node; NULL: no lines */
    const uint32_t *answer_line;
    const double *answer;              /* m/N */
    const double *displacement_answer; /* [lines][cells] J of that */
    double *reaction, *partial;        /* [lines] */
    double *at_free, *at, *pull;       /* [lines] at the connections: w⁺ without lines' forces, with them; F, N */
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

/* A point of a tap: level l is at values[l * stride]. */
struct body_tap {
    const double *values;
    uint32_t stride;
    double weight;
};

/* The work of a block. */
enum body_work { WORK_NODES, WORK_LINE, WORK_DRIVES, WORK_CUTS };
struct body_job {
    uint32_t work, body, first; /* first node, drive or cut; line */
};

/* A point with cut links. Points whose air no surface moves ("other cuts") come first. */
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
    uint32_t *surfaces; /* bodies with a surface in air or with lines on one */
    unsigned surface_count;
    unsigned cells_max; /* of a surface */
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
    uint32_t *settled;                /* whether level n is complete without r and the forces of lines */
    double *lost, *given;             /* [bodies] J, when audited */
    size_t shared_bytes;              /* of couple; 0: it works in `scratch` */
    unsigned couple_threads, cluster; /* of a block of couple; blocks of a surface */
    bool many_entries;
    cudaStream_t stream; /* beside the field's */
    cudaEvent_t begun, ready;
};

uint64_t bodies_device_bytes(const struct problem *p);

/* After the field's set-up, with its pitch; audited: keep the balance of energy. NULL in *b when the problem has no
 * bodies. 0, or nonzero with *e filled; *b is then dropped by the caller too. */
int bodies_setup(struct device_bodies **b, const struct problem *p, size_t pitch, bool audited, struct error *e);
void bodies_drop(struct device_bodies *b); /* NULL-safe */

/* Around the kernels of the step that makes p^{phase + 1}. NULL-safe, as all below. */
template <typename REAL>
void bodies_begin(const struct device_bodies *b, const step<REAL> &s, int phase, cudaStream_t stream);
template <typename REAL>
void bodies_end(const struct device_bodies *b, const step<REAL> &s, int phase, cudaStream_t stream);

/* Completes level `phase`. */
void bodies_settle(const struct device_bodies *b, int phase, cudaStream_t stream);

/* After the last step, level `phase` being settled: adds it to the taps of the last sample, *base - 1. */
template <typename REAL>
void bodies_read_taps(const struct device_bodies *b, const step<REAL> &s, int phase, cudaStream_t stream);

/* Reads Δψ of level phase - 1 from the grid. */
template <typename REAL>
void bodies_read_history(const struct device_bodies *b, const step<REAL> &s, int phase, cudaStream_t stream);

/* pieces.cu: the state between two steps, level `phase` being the newest. */
size_t bodies_state_block_bytes(const struct device_bodies *b);
int bodies_get_state_block(const struct device_bodies *b, int phase, char *to, cudaStream_t stream, struct error *e);
int bodies_put_state_block(const struct device_bodies *b, int phase, const char *from, cudaStream_t stream,
                           struct error *e);

/* couple.cu: threads, cluster and shared memory of `couple` on this device. cells: of the largest surface; width:
 * entries of the longest row of its coupling. 0, or nonzero with *e filled. */
int bodies_shape(struct device_bodies *b, unsigned cells, unsigned width, struct error *e);

/* audit.cu. When audited, after bodies_end of the step that made p^{phase + 1}: adds the energy that bodies lost and
 * were given in it. */
void bodies_follow(const struct device_bodies *b, int phase, cudaStream_t stream);

/* Adds the energy that bodies hold, have lost and were given to the balance, and subtracts the field's sum over cut
 * links. */
template <typename REAL>
int bodies_audit(const struct device_bodies *b, const step<REAL> &s, int phase, struct audit *a, cudaStream_t stream,
                 struct error *e);

#endif
