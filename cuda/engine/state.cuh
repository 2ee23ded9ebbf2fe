/* SPDX-License-Identifier: MIT */
/* An open solver of the leapfrog scheme on one GPU: data shared by its strategies, walls and
 * bodies. */
#ifndef AULA_CUDA_STATE_CUH
#define AULA_CUDA_STATE_CUH

#include <vector>

extern "C" {
#include "base/memory.h"
#include "cuda/engine/check.h"
#include "cuda/grid/layout.h"
#include "solver/engine.h"
#include "solver/links.h"
#include "solver/solver.h"
}
#include "cuda/bodies/bodies.cuh"
#include "cuda/engine/device.cuh"
#include "cuda/engine/strategy.cuh"
#include "cuda/grid/device_pages.cuh"
#include "cuda/grid/view.cuh"
#include "cuda/step/branches.cuh"
#include "cuda/step/partitions.cuh"

/* Largest number of steps of a block of audio on the device. After PHASES steps, two grids,
 * three grids and two levels of bodies are all back in their initial positions. Graphs of single
 * steps have a multiple of PHASES. */
enum { BLOCK_STEPS = 8192, PHASES = 6, GRAPH_STEPS = 30 };

struct tap_history;
struct watched_point;
struct plane_states;

/* Streams in addition to that of the steps. Halos are sent and received on `copies`, while steps
 * that read none of them continue; steps that read them follow on `near` (halos.cuh). */
struct halo_streams {
    cudaStream_t copies, near; /* NULL until the first halo is opened */
    cudaEvent_t stepped, given, taken, done;
    bool taking;                 /* the steps have not yet waited for the halos received last */
    unsigned *taken_count;       /* device memory: number of halos received; `takes`: its value after the last one */
    unsigned takes, takes_below; /* for the halo below */
    unsigned *written_count;     /* device memory: number of thread blocks that have written planes to be sent */
    unsigned written_expected;   /* its value after all work enqueued so far */
    bool counts_written;         /* the steps before the next exchange are a temporal block whose thread blocks count */
    bool followed_count;         /* the last exchange waited only for these, not for the steps */
    bool pass_follows;           /* a single temporal block precedes the next exchange */
    int open;             /* number of halos; those still open when the solver closes are lent after a failed run */
    int by_kernels;       /* number of halos whose exchange needs multiprocessors */
    bool writes_words;    /* streams can write words without a kernel */
    bool waits_for_words; /* streams can wait for words */
    bool counted;         /* counted among the parts of the GPU */
    bool staged;          /* the last halos came from the host */
    void *links;          /* links that passed the last halos; NULL: another path */
    unsigned passes;
    cudaEvent_t passed[2]; /* recorded every few exchanges on `copies` */
};

struct open_strategy {
    const struct strategy *strategy;
    void *state; /* owned by the strategy */
};

struct cuda_state {
    const struct problem *problem;
    int device;
    bool audited;
    bool tune_anew;         /* as in struct solver_options */
    uint64_t planned_steps; /* likewise */
    double step_seconds;    /* of the open strategies, measured or cached; 0: unknown */
    struct layout layout;
    struct rows rows;
    cudaStream_t stream;
    cudaEvent_t part_begin, part_end; /* time a part of a block on the GPU */
    struct halo_streams halo_streams;
    /* The first takes single steps. Steps are offered to the last one first. */
    struct open_strategy open[2];
    int open_count;
    /* p^n is grids[grid_at(s, phase)]. Temporal blocks alternate between the pair of grids 0 and
     * 1 and the pair 2 and 3. With spare planes the pairs share memory: grids 2 and 3 begin at
     * the start of the memory of 0 and 1, which are `spare` planes above. */
    int grid_count;                 /* for single steps: 2, in lossy air 3 */
    int phase;                      /* n modulo PHASES */
    int pair_of_grids;              /* the pair that contains p^n */
    int pass_steps;                 /* steps of a temporal block; 0: none is open */
    bool exchanging;                /* exchanges of halos divide the steps */
    unsigned long long base_behind; /* number of steps by which *base lags; offsets account for them */
    size_t spare; /* at least the planes that a launch writes plus the adjacent planes that it reads */
    struct device_pages memory[4];
    void *grids[4];
    void *states, *codes;         /* coefficients in the precision of the field */
    void *old_states, *old_codes; /* 1 - K viscosity, for lossy air */
    struct device_pages map_memory;
    point_code *map; /* NULL: not needed */
    /* walls with branches, and instruments */
    struct branch_walls branches;
    bool history_is_old;                  /* p^n was put, or set by a temporal block, since bodies last read it */
    struct device_bodies *bodies;         /* NULL: none */
    struct device_partitions *partitions; /* that transmit; NULL: none */
    struct plane_states *plane_states;    /* locations of the states of branches, by planes; NULL: not needed so far */
    uint64_t steps;                       /* taken so far */
    /* audio */
    unsigned long long *base; /* steps of the block of audio that are done or in progress, without base_behind */
    std::vector<drive_point> drive_points; /* `tile` refers to the tiling of single steps */
    std::vector<uint64_t> drive_at;        /* [drive point] canonical index */
    drive_point *device_drive_points;
    term *drive_terms, *tap_terms;
    uint32_t *tap_first;
    double *drive, *taps; /* [channel][BLOCK_STEPS] */
    const struct tap_history
        *tap_history; /* with temporal blocks; otherwise NULL: kernels of single steps sum the taps */
    /* audit: energy.cu */
    double *energy_sums; /* per block of the field, then of branches; allocated by the first audit */
    struct watched_point *walls;
    size_t wall_count;
    double *wall_before, *wall_absorbed, *drive_before, *drive_mass, *drive_supplied;
    std::vector<double> absorbed_before, supplied_before; /* sums that were put: by row, by drive point; may be empty */
    double share_before[2];                               /* sums that belong to no row */
};

extern const struct stepper cuda_leapfrog;
extern const struct link_access cuda_links; /* links between the GPUs of parts in separate processes: links.cu */

/* Index of p^{phase} among the grids of a pair; phase >= -2. */
static inline int grid_in(const cuda_state *s, int pair_of_grids, int phase)
{
    return 2 * pair_of_grids + s->grid_count - 1 - (phase + PHASES + s->grid_count - 1) % s->grid_count;
}

static inline int grid_at(const cuda_state *s, int phase)
{
    return grid_in(s, s->pair_of_grids, phase);
}

static inline size_t grid_values(const cuda_state *s)
{
    return s->layout.pitch * s->layout.points[1] * s->layout.points[2];
}

template <typename REAL> static inline void describe_grid(grid_view<REAL> *view, const cuda_state *s)
{
    const struct layout *l = &s->layout;
    view->nx = (int)l->points[0];
    view->ny = (int)l->points[1];
    view->nz = (int)l->points[2];
    view->pitch = (int)l->pitch;
    view->plane = (int64_t)(l->pitch * l->points[1]);
    for (int axis = 0; axis < 3; axis++) {
        view->from[axis] = (int)l->from[axis];
        view->to[axis] = (int)l->to[axis];
    }
    view->missing = l->missing;
    view->side = (REAL)(leapfrog_of(s->problem)->courant_squared + leapfrog_of(s->problem)->viscosity);
    view->codes = (const coefficients<REAL> *)s->codes;
    view->map = s->map;
}

/* `offset` counts from *base as if it had been advanced. */
static inline int offset_of(const cuda_state *s, int offset)
{
    return offset + (int)s->base_behind;
}

static inline void describe_drives(drive_view *view, const cuda_state *s, int offset)
{
    view->base = s->base;
    view->offset = offset_of(s, offset);
    view->drive_terms = s->drive_terms;
    view->drive = s->drive;
    view->drive_stride = BLOCK_STEPS;
}

/* The step to p^{phase + 1}, without members that depend on the tiling of a kernel. */
template <typename REAL> static inline step<REAL> make_step(const cuda_state *s, int phase, int offset)
{
    step<REAL> out;
    memset(&out, 0, sizeof out);
    describe_grid<REAL>(&out, s);
    describe_drives(&out, s, offset);
    out.next = (REAL *)s->grids[grid_at(s, phase + 1)];
    out.now = (const REAL *)s->grids[grid_at(s, phase)];
    out.before = (const REAL *)s->grids[grid_at(s, phase - 1)];
    out.old_side = (REAL)leapfrog_of(s->problem)->viscosity;
    out.states = (const coefficients<REAL> *)s->states;
    out.old_states = (const REAL *)s->old_states;
    out.old_codes = (const REAL *)s->old_codes;
    out.reversed = phase & 1; /* every other step */
    out.drive_points = s->device_drive_points;
    out.drive_point_count = (unsigned)s->drive_points.size();
    out.tap_terms = s->tap_terms;
    out.tap_first = s->tap_first;
    out.tap_count = (unsigned)s->problem->tap_count;
    out.taps = s->taps;
    out.tap_stride = BLOCK_STEPS;
    return out;
}

/* setup.cu: sets up everything on the device except the strategies; layout, rows, grid_count and
 * spare must be set. */
int setup_device(cuda_state *s, struct error *e);
int setup_grids(cuda_state *s, struct error *e);       /* of single steps; zero */
int setup_other_grids(cuda_state *s, struct error *e); /* grids 2 and 3 */
void setup_free_grids(cuda_state *s);
int setup_map(cuda_state *s, struct error *e); /* codes of all points, even if every point is regular */
void setup_free_map(cuda_state *s);
void setup_free(cuda_state *s);

/* run.cu, leapfrog.cu; `x`: exchanges of halos between the steps; NULL: none */
int run_blocks(cuda_state *s, size_t steps, const struct block *b, const struct exchanges *x, struct error *e);
int leapfrog_run(cuda_state *s, size_t steps, const struct block *b, const struct exchanges *x, struct error *e);

/* --- run.cu: graphs of steps, captured once, launched repeatedly --- */

/* Enqueues the addition of `steps` to *base. Between exchanges of halos, this is deferred until
 * catch_up_base, as a kernel between two temporal blocks delays the start of the second. */
void advance_base(cuda_state *s, unsigned long long steps);
void catch_up_base(cuda_state *s);

/* Launches on the stream between these calls are captured. graph_end appends the addition of
 * `steps` to *base and creates the graph. status: result of the capture; returned unless 0. */
int graph_begin(const cuda_state *s, struct error *e);
int graph_end(const cuda_state *s, cudaGraphExec_t *made, unsigned long long steps, int status, struct error *e);

/* Launches *graph, capturing it first if it is NULL. work: enqueues the launches and returns 0. */
template <typename WORK>
int graph_launch(cuda_state *s, cudaGraphExec_t *graph, unsigned long long steps, WORK work, struct error *e)
{
    catch_up_base(s);
    if (!*graph && (graph_begin(s, e) || graph_end(s, graph, steps, work(), e)))
        return -1;
    return cuda_check(cudaGraphLaunch(*graph, s->stream), "step graph", e);
}

void graph_drop(cudaGraphExec_t *graph); /* NULL-safe */

#endif
