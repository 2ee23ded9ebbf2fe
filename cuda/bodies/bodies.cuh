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
 *      stretch  of bodies that stretch: g from level n, and the step's response to it (stretching.cu,
 *               and before it for plates plate_stretching.cu)
 *      winds    reeds and bores of wind instruments, without the flows of their openings
 * On the field's stream, after its kernels:
 *      couple   a block or a cluster of blocks for each surface: gathers the new air, solves for r,
 *               moves the air; taps of level n
 *      ports    of bodies with ports or stretching: their forces, and the air that these move
 *      winds    the flows of the openings of wind instruments, and the air that these move (winds.cuh)
 * Level n + 1 is completed by `finish` of the next step, or by bodies_settle if it is needed
 * earlier. A level that was put (bodies_put_state_block) is complete: `settled` tells `finish` so,
 * until `couple` of the step that follows. */
#ifndef AULA_CUDA_BODIES_CUH
#define AULA_CUDA_BODIES_CUH

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <cuda_runtime.h>
#include <vector>

extern "C" {
#include "solver/schemes/bodies/ports.h"
#include "solver/solver.h"
}
#include "cuda/bodies/winds.cuh"
#include "cuda/grid/view.cuh"

enum { BODY_THREADS = 128 };
enum { PLATE_LAUNCHES = 3 /* of plate_stretching.cu */ };

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
    uint32_t offset;        /* of its first point among those of the body */
    /* while it stretches; otherwise NULL */
    const double *slope_now;     /* [modes] g */
    const double *stretch_force; /* its force along g */
};

/* An entry of the row of a place. */
struct place_entry {
    uint32_t part, point; /* part 0: the surface; 1 + i: line i */
    double value;
};

/* The stretching of a part, and the response of the step to a force of 1 along g: displacements at the
 * connections, forces of the lines on the surface, and its own bridge; then theory (73) from rest. */
struct device_stretching {
    uint32_t line;        /* index; UINT32_MAX: the surface */
    double factor;        /* 2 C */
    const double *slope;  /* line: [modes] */
    double *g;            /* [modes], or [nodes] */
    double *at, *pull;    /* [lines]; NULL: a line without a surface */
    double *bridge;       /* [1] m */
    double *sums;         /* [STRETCH_SUMS] below */
    double *answer;       /* surface: [nodes] its own response to g, without lines */
    double *at_cells;     /* surface: [2][cells] J of g and of that response */
    double *at_connected; /* surface: [lines] that response at the connections */
    /* surface of a plate (plate_stretching.cuh), without a factor; otherwise NULL */
    const struct device_plate *plate;
};
enum {
    SUM_OLD,   /* g·w⁻ */
    SUM_FREE,  /* g·free */
    SUM_REACH, /* line: Σ shape gain g; surface: g times its own response */
    SUM_GAIN,  /* line: Σ gain g² */
    STRETCH_SUMS
};

/* Ports and stretching of a body. `state`, `stretched` and the levels of `forces` persist from step to step. */
struct device_ports {
    uint32_t port_count, place_count, stretching_count, points;
    const struct port *ports;
    const uint32_t *row_start; /* [places + 1] */
    const struct place_entry *row;
    const double *gain;                  /* [places][places] */
    const double *response;              /* [places][points] m/N */
    const double *displacement_response; /* [places][cells] J of that */
    struct port_state *state;
    double *inputs;    /* [PORT_INPUTS ports] */
    double *forces;    /* [3][PORT_INPUTS ports]: those of a step at its new level */
    double *stretched; /* [stretching] ψ */
    double *energy;    /* [2] J lost and given, since `follow` took them over */
    /* forces of the last step: of places, the others being 0, and along g */
    uint32_t *active_count, *active_row; /* [places] */
    double *active_force, *stretch_force;
    /* of stretching */
    uint32_t surface_stretching; /* index of that of the surface, if it stretches */
    const struct device_stretching *stretching;
    double *stretch_gain, *stretch_reach; /* [stretching][stretching], [stretching][places], as in ports_solve.h */
    double *scratch;                      /* NULL: shared memory is large enough */
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
    const struct device_ports *ports;  /* NULL: neither ports nor stretching */
    const double *stretch_answer;      /* [nodes] of a surface that stretches; otherwise NULL */
    const double *stretch_force;       /* its force along g */
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
    uint32_t work, body, first; /* first node, drive or cut; line; of stretching: its index */
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
    std::vector<device_ports> host_ports; /* by body, zeros: none */
    device_body *body;
    uint32_t *surfaces; /* bodies with a surface in air, or with lines on a surface */
    unsigned surface_count;
    unsigned cells_max;            /* of the largest surface */
    uint32_t *ported, *stretching; /* bodies with ports or stretching, with stretching */
    unsigned ported_count, stretching_count;
    size_t ports_shared_bytes, stretch_shared_bytes;
    std::vector<device_wind> host_winds; /* by body, zeros: none */
    device_wind *winds;                  /* [wind_count] */
    unsigned wind_count;
    size_t winds_shared_bytes;
    body_job *slope_jobs; /* of stretching */
    unsigned slope_job_count;
    body_job *plate_jobs[PLATE_LAUNCHES];
    unsigned plate_job_count[PLATE_LAUNCHES];
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

/* stretching.cu, on b->stream after `free`. ports.cu, after `couple`. */
void stretching_begin(const struct device_bodies *b, int phase);
template <typename REAL>
void ports_end(const struct device_bodies *b, const step<REAL> &s, int phase, cudaStream_t stream);

/* Completes level `phase`. */
void bodies_settle(const struct device_bodies *b, int phase, cudaStream_t stream);

/* After the last step, when level `phase` is settled: adds it to the taps of the last sample,
 * *base - 1. */
template <typename REAL>
void bodies_read_taps(const struct device_bodies *b, const step<REAL> &s, int phase, cudaStream_t stream);

/* Reads Δψ, or the mean ψ at openings, of level phase - 1 from the grid. */
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

/* stretching.cu: shared memory of its kernels, of which the surfaces are as in bodies_shape. */
int stretching_shape(struct device_bodies *b, struct error *e);

/* audit.cu. In an audited solver, after bodies_end of the step to p^{phase + 1}: adds the energy
 * that bodies lost and received in that step. */
void bodies_follow(const struct device_bodies *b, int phase, cudaStream_t stream);

/* Adds the energy that bodies store, have lost and have received to the balance, and subtracts
 * the field's sum over cut links. */
template <typename REAL>
int bodies_audit(const struct device_bodies *b, const step<REAL> &s, int phase, struct audit *a, cudaStream_t stream,
                 struct error *e);

#endif
