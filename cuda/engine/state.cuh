/* What the files of the CUDA engine share: one open solver on one GPU. */
#ifndef AULA_CUDA_STATE_CUH
#define AULA_CUDA_STATE_CUH

#include <vector>

extern "C" {
#include "base/memory.h"
#include "cuda/engine/check.h"
#include "cuda/grid/layout.h"
#include "solver/solver.h"
}
#include "cuda/bodies/bodies.cuh"
#include "cuda/engine/upload.cuh"
#include "cuda/grid/view.cuh"
#include "cuda/step/branches.cuh"

/* Steps in one graph: a multiple of PHASES, after which two grids, three grids and two levels of history are all back in their places;
 * steps that a block of audio on the device can hold. */
enum { GRAPH_STEPS = 30, BLOCK_STEPS = 8192, PHASES = 6 };

/* Passes of several steps in one graph: as many as bring phase and pair of grids back, several times over; levels that a block can be
 * heard at. */
enum { GRAPH_PASSES = 4 * PHASES, CAPTURE_LEVELS = BLOCK_STEPS + 1 };

/* A point whose energy is followed when auditing. */
struct watched_point {
    uint64_t at;
    double half_a; /* a/2 of a wall */
};

struct cuda_state {
    const struct problem *problem;
    const struct cuda_kernel *kernel; /* of one step */
    struct tile_plan *fused;          /* of several in a pass, or NULL */
    struct block_shape block;
    int device;
    bool audited;
    struct layout layout;
    struct rows rows;
    cudaStream_t stream;
    int levels;         /* grids: 2, in air that loses 3 */
    int phase;          /* n modulo PHASES */
    int tile_chunk;     /* asked for, 0: not */
    int tile_extent[2]; /* likewise: of a tile, or of a cluster of them */
    int pair;           /* a pass of several steps goes from grids 0 and 1 to 2 and 3 or back */
    /* Passes in place: grids 2 and 3 begin where the memory of 0 and 1 does, and those stand so many planes above; 0: four grids apart.
     * At least the planes that a launch of a pass makes, and those below or above them that it reads. */
    size_t spare;
    void *memory[4]; /* of the grids */
    void *grids[4];  /* p^n is grid_at(s, phase) */
    struct branch_walls branches;
    struct boundary_region
        *boundary_region;        /* around these walls and objects, for passes of several steps; NULL: none */
    unsigned no_boundary_region; /* bit T: passes of T steps cannot have one, or it would not pay */
    bool history_is_old; /* the field has been put, or made by a pass, since branches and bodies last looked at it */
    struct device_bodies *bodies; /* NULL: none */
    void *states, *codes;
    void *old_states, *old_codes; /* 1 - K viscosity, in air that loses */
    point_code *map;
    uint8_t *tiles;
    unsigned long long *base;
    /* audio */
    std::vector<drive_point> drive_points; /* tile is set for the chosen tiling */
    drive_point *device_drive_points;
    term *drive_terms, *tap_terms;
    uint32_t *tap_first;
    double *drive, *taps;
    std::vector<uint64_t> drive_at;
    /* audit */
    double *energy_sums; /* of blocks of the field, then of branches; made by the first audit */
    watched_point *walls;
    size_t wall_count;
    double *wall_before, *wall_absorbed, *drive_before, *drive_supplied;
    cudaGraphExec_t graphs[PHASES];             /* by `phase` */
    cudaGraphExec_t temporal_graphs[2][PHASES]; /* by `pair` and `phase` */
    /* points that taps hear, in passes of several steps */
    std::vector<uint64_t> capture_at; /* canonical, ascending */
    uint64_t *capture_points;
    uint32_t *capture_of; /* by tap term */
    double *captures;     /* [capture][CAPTURE_LEVELS] */
};

extern const struct stepper cuda_leapfrog;

/* Where p^{phase} is among the grids of a pair (0 but for passes of several steps); phase from -2 on. */
static inline int grid_in(const cuda_state *s, int pair, int phase)
{
    return 2 * pair + s->levels - 1 - (phase + PHASES + s->levels - 1) % s->levels;
}

static inline int grid_at(const cuda_state *s, int phase)
{
    return grid_in(s, s->pair, phase);
}

static inline size_t grid_values(const cuda_state *s)
{
    return s->layout.pitch * s->layout.points[1] * s->layout.points[2];
}

/* The step as the kernels see it; `offset` counts from *base. */
template <typename REAL> static inline step<REAL> make_step(const cuda_state *s, int phase, int offset)
{
    step<REAL> out;
    const struct layout *l = &s->layout;
    memset(&out, 0, sizeof out);
    out.next = (REAL *)s->grids[grid_at(s, phase + 1)];
    out.now = (const REAL *)s->grids[grid_at(s, phase)];
    out.before = (const REAL *)s->grids[grid_at(s, phase - 1)];
    out.nx = (int)l->points[0];
    out.ny = (int)l->points[1];
    out.nz = (int)l->points[2];
    out.pitch = (int)l->pitch;
    out.plane = (int64_t)(l->pitch * l->points[1]);
    out.side = (REAL)(leapfrog_of(s->problem)->courant_squared + leapfrog_of(s->problem)->viscosity);
    out.old_side = (REAL)leapfrog_of(s->problem)->viscosity;
    for (int axis = 0; axis < 3; axis++) {
        out.from[axis] = (int)l->from[axis];
        out.to[axis] = (int)l->to[axis];
    }
    out.missing = l->missing;
    out.states = (const coefficients<REAL> *)s->states;
    out.codes = (const coefficients<REAL> *)s->codes;
    out.old_states = (const REAL *)s->old_states;
    out.old_codes = (const REAL *)s->old_codes;
    out.map = s->map;
    out.tiles = s->tiles;
    out.base = s->base;
    out.offset = offset;
    out.reversed = phase & 1; /* every other step */
    out.drive_points = s->device_drive_points;
    out.drive_point_count = (unsigned)s->drive_points.size();
    out.drive_terms = s->drive_terms;
    out.drive = s->drive;
    out.drive_stride = BLOCK_STEPS;
    out.tap_terms = s->tap_terms;
    out.tap_first = s->tap_first;
    out.tap_count = (unsigned)s->problem->tap_count;
    out.taps = s->taps;
    out.tap_stride = BLOCK_STEPS;
    return out;
}

/* setup.cu: everything on the device but the field of a running solver; state->rows, layout, kernel, block and spare are set. */
int setup_device(cuda_state *s, struct error *e);
int setup_grids(cuda_state *s,
                struct error *e); /* of single steps, silent; s->spare planes more where passes are to be in place */
int setup_other_pair(cuda_state *s, struct error *e); /* the grids 2 and 3 of passes */
void setup_free_grids(cuda_state *s);
int setup_tiles(cuda_state *s, struct error *e); /* again after kernel or block have changed */
int setup_map(cuda_state *s, struct error *e);   /* the codes of all points, whether the box needs them or not */
void setup_free(cuda_state *s);

/* steps.cu */
int steps_run(cuda_state *s, size_t steps, const struct block *b, struct error *e);
int steps_enqueue(cuda_state *s, size_t steps, struct error *e); /* from *base on, nothing waited for */
void steps_drop_graphs(cuda_state *s);

/* energy.cu */
int energy_audit(cuda_state *s, struct audit *a, struct error *e);

/* tuner.cu: sets kernel and block to the fastest for this device and grid, measured on the silent field, or as found before. */
int tuner_choose(cuda_state *s, struct error *e);

/* Sets the kernel of several steps, of those that take `fuse` (0: any), and drops it where one step at a time is faster, but for `insist`. */
int tuner_choose_temporal(cuda_state *s, int time_block, bool insist, struct error *e);

#endif
