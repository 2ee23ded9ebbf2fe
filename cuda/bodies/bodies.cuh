/* Vibrating bodies on the device, stepped with the field as schemes/bodies/bodies.h has them and cpu/bodies.c does it. All of it is double.
 *
 * A step must not wait for what can be known before it. So a body's own step is cut where the air comes in, and beside the field's
 * kernel, on a stream of its own, run
 *     finish   w and q of level n, from r and the forces of lines that the step before found; forces of the drives
 *     free     N w + B w⁻ + f, and the lines for a surface at rest: what level n + 1 would be without air and joints; flux of cut links
 *     lean     J of that, and everything in r's equation that does not need the new air
 * and after the field's kernel, in its way, only
 *     meet     a block or a cluster of them a surface: gathers the new air, solves for r, moves the air; what taps hear of level n.
 * Level n + 1 itself is made by the next step's `finish`, or by bodies_settle when somebody wants to see it. */
#ifndef AULA_CUDA_BODIES_CUH
#define AULA_CUDA_BODIES_CUH

#include <cstddef>
#include <cstdint>
#include <cuda_runtime.h>
#include <vector>

extern "C" {
#include "schemes/bodies/bodies.h"
#include "solver/solver.h"
}
#include "cuda/grid/view.cuh"

enum { BODY_THREADS = 128 };

/* `meet` comes in two kinds: entries of the coupling that a thread can keep at hand, and then threads that a block can have. */
enum { MEET_ENTRIES = 8, MEET_THREADS = 768, MEET_MANY_ENTRIES = 24, MEET_MANY_THREADS = 512, MEET_ARRAYS = 3 };
#define MEET_THREADS_OF(entries) ((entries) == MEET_ENTRIES ? MEET_THREADS : MEET_MANY_THREADS)

/* Of the cells of a surface, how many a block of the cluster has. */
static __host__ __device__ inline uint32_t cells_of_block(uint32_t cells, unsigned blocks)
{
    return (cells + blocks - 1) / blocks;
}

/* A sparse matrix: entry k of row i at [k * rows + i]. Rows shorter than `width`, a multiple of BATCH, end in zeros: a batch of entries is
 * loaded at once. */
template <typename INDEX, int BATCH> struct entry_table {
    uint32_t rows, width;
    const INDEX *column;
    const double *value;
};
enum { MAP_BATCH = 8, SPREAD_BATCH = 4, COUPLING_BATCH = 4 };

/* Levels of w and q lie behind each other: level l is at w + l * nodes. Of what is computed in a step only levels and `force`
 * outlive it. */
struct device_line {
    uint32_t modes, points; /* points: with the bridge */
    double *q;              /* [3][points] */
    double *force;          /* [points] N */
    double *free;           /* [points] q of the next level while the surface does not move */
    const double *now, *before, *gain;
    struct connection connection; /* kind NONE when there is no surface; shape on the device */
    double shape_gain;            /* Σ shape² gain */
    double slope;
    double outward, inward; /* what spring and dashpot make of the next elongation and of the last, N/m */
    double stiff;           /* BRIDGE: of its next displacement, N/m */
};

struct device_body {
    /* the surface; nodes 0: none */
    uint32_t nodes, cells;
    const uint16_t *kind; /* [nodes] */
    const struct stencil *stencils;
    double denominator, force_gain, area_ratio, pressure_gain, load, flow_gain;
    double *w;     /* [3][nodes] */
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
    double *lean;                  /* [2][cells] J w by the parity of the level */
    double *difference;            /* [2][cells] Δψ likewise */
    double *lean_free;             /* [cells] J of `free` over D */
    double *known;                 /* [cells] of the right side */
    double *flux;                  /* [2][cells] what the air's step takes across cut links, below and above */
    double *scratch;               /* [MEET_ARRAYS][cells], where shared memory is too small */
    /* the lines */
    uint32_t line_count;
    const struct device_line *lines;
    const double *joint_free, *joint_forced; /* [lines][lines] */
    const uint32_t *answer_start;            /* [nodes + 1]: of the entries of each node; NULL: no lines */
    const uint32_t *answer_line;
    const double *answer;        /* m/N */
    const double *lean_answer;   /* [lines][cells] J of that */
    double *reaction, *partial;  /* [lines] */
    double *at_free, *at, *pull; /* [lines] where lines meet the surface: w⁺ without them, with them; F, N */
};

/* One point that is driven: force = Σ weight * drive[channel]. */
struct body_drive {
    double *force;
    uint32_t first, end;
};
struct body_term {
    uint32_t channel;
    double weight;
};

/* One point that is heard: level l is at [l * stride]. */
struct body_tap {
    const double *values;
    uint32_t stride;
    double weight;
};

/* What a block does. */
enum body_work { WORK_NODES, WORK_LINE, WORK_DRIVES, WORK_CUTS };
struct body_job {
    uint32_t work, body, first; /* first node, drive or cut; line */
};

/* Cut links of a point that no surface moves come first. */
struct device_cut {
    uint64_t at;
    uint8_t faces;
};

struct device_bodies {
    const struct bodies *bodies;
    std::vector<void *> memory;    /* all that was allocated */
    std::vector<device_body> host; /* pointers into the device */
    std::vector<std::vector<device_line>> host_lines;
    device_body *body;
    uint32_t *surfaces; /* bodies with a surface in air or with lines on one */
    unsigned surface_count;
    unsigned cells_max; /* of a surface */
    body_job *finish_jobs, *free_jobs, *lean_jobs;
    unsigned finish_count, settle_count, free_count, lean_count; /* settle: of the finish jobs, without the drives */
    body_drive *drives;
    body_term *terms;
    uint32_t drive_count;
    body_tap *taps;
    uint32_t *tap_first; /* [channels + 1] */
    unsigned tap_channels;
    bool heard; /* any tap on a body */
    device_cut *cuts;
    double *cut_flux, *cut_energy; /* [stray cuts], [all cuts] */
    unsigned stray_count, cut_count;
    double *lost, *given;           /* [bodies] J, when audited */
    size_t shared_bytes;            /* of meet; 0: it works in `scratch` */
    unsigned meet_threads, cluster; /* of its blocks; blocks that share a surface */
    bool many_entries;
    cudaStream_t stream; /* beside the field's */
    cudaEvent_t begun, ready;
};

uint64_t bodies_device_bytes(const struct problem *p);

/* NULL in *b when the problem has none. After the field's own set-up; pitch and audited as there. */
int bodies_setup(struct device_bodies **b, const struct problem *p, size_t pitch, bool audited, struct error *e);
void bodies_drop(struct device_bodies *b); /* NULL-safe */

/* Around the kernels of the step that makes p^{phase + 1}. NULL-safe, as all below. */
template <typename REAL>
void bodies_begin(const struct device_bodies *b, const step<REAL> &s, int phase, cudaStream_t stream);
template <typename REAL>
void bodies_end(const struct device_bodies *b, const step<REAL> &s, int phase, cudaStream_t stream);

/* Makes level `phase` whole, of which the last step left parts. */
void bodies_settle(const struct device_bodies *b, int phase, cudaStream_t stream);

/* After the last step, level `phase` being settled: what taps of that sample hear; *base stands after it. */
template <typename REAL>
void bodies_listen(const struct device_bodies *b, const step<REAL> &s, int phase, cudaStream_t stream);

/* Δψ of level phase - 1 from the grid. */
template <typename REAL>
void bodies_read_history(const struct device_bodies *b, const step<REAL> &s, int phase, cudaStream_t stream);

/* bodies_meet.cu: the shape of `meet` on this device, for surfaces of so many cells and entries in a row of the coupling at most. */
int bodies_shape(struct device_bodies *b, unsigned cells, unsigned width, struct error *e);

/* bodies_audit.cu. When audited, after bodies_end of the step that made p^{phase + 1}: what it lost and was given. */
void bodies_follow(const struct device_bodies *b, int phase, cudaStream_t stream);

/* Adds to the balance what bodies hold, have lost and were given, and takes out what the field's own sum counts for cut links. */
template <typename REAL>
int bodies_audit(const struct device_bodies *b, const step<REAL> &s, int phase, struct audit *a, cudaStream_t stream,
                 struct error *e);

#endif
