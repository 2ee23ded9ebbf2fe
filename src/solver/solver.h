/* The solver contract: what a scheme needs computed, and how any engine is driven.
 *
 * A *scheme* says what is computed (scheme/), a *kernel* is one way to compute it on one engine, an *engine* (cpu,
 * cuda) owns memory and stepping. What crosses solver_run are blocks of audio, never the grid, so an engine may keep
 * the field wherever and in whatever layout it likes, and may take several steps in one pass over memory.
 *
 * Conventions
 *   points   index of point (x, y, z) = (z ny + y) nx + x, 64 bits; x is contiguous in canonical order
 *   steps    a solver opens with the field zero at levels n = 0 and n = -1; step n makes level n + 1 from n and n - 1
 *   drives   weight * drive[channel][n] is added to the new level n + 1 of the entry's point, inside the wall's bracket
 *   taps     taps[channel][n] = sum of weight * field at level n + entry.level; level 0: before the step, 1: after it
 *   numbers  drives and taps are double whatever the precision of the field
 *   blocks   the field after a row of blocks does not depend on how the steps were cut into blocks
 *   threads  nor on the number of threads, bit for bit
 *
 * arrays   a scheme's state arrays are put and got by name, in canonical order, without ghost points; the states of
 *          walls with branches and those of bodies are not among them: they begin at rest, and put leaves them as they
 *          are
 *
 * Errors: every function returns 0 or nonzero with *e filled; a solver whose run failed can only be closed. */
#ifndef AULA_SOLVER_H
#define AULA_SOLVER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "acoustics/branch.h"
#include "acoustics/cell.h"
#include "acoustics/faces.h"
#include "acoustics/precision.h"
#include "base/error.h"

struct bodies; /* schemes/bodies/bodies.h */

enum scheme_tag { SCHEME_LEAPFROG, SCHEME_SWEEP, SCHEME_DERIVATIVE, SCHEME_SEDIMENT };

/* One point of a drive or tap channel. */
struct channel_entry {
    uint64_t point; /* of the canonical index */
    double weight;
    uint16_t array; /* index into the scheme's arrays: 0 is the field; leapfrog: bodies from BODY_ARRAYS on */
    int8_t level;   /* taps: 0 or 1; drives: 1 */
};

/* A sparse combination of points: a trilinear receiver, a force on a plate, an ambisonic pickup. */
struct channel {
    struct channel_entry *entries;
    size_t count;
};

/* The leapfrog scheme's own parameters. */
struct leapfrog_problem {
    double courant_squared; /* λ², cut to few enough bits that K λ² is exact for K = 0..6: leapfrog_courant_squared() */
    /* Writes cells[nz][ny][nx] of planes z0 .. z0 + nz - 1. Called from one thread at a time. */
    void (*cells)(const void *voxels, size_t z0, size_t nz, uint8_t *cells);
    const void *voxels;
    uint8_t outside[FACES]; /* code of what lies beyond each face of the box */
    /* What the face that a solid cell of this code shows to air lets through: Y = 1/ξ = admittance + the sum over its
     * branches of 1/(jω inertance + resistance + stiffness/(jω)). */
    double admittance[CELL_CODES];
    const struct branch *branches[CELL_CODES]; /* in units of the time step: D/k, E, F k */
    uint8_t branch_count[CELL_CODES];
    /* λ² τ/k of viscothermal air, p_tt = c²∇²p + c²τ ∇²p_t: a multiple of 2^-23, leapfrog_viscosity(); 0: lossless */
    double viscosity;
    /* NULL: none. With bodies the field is the velocity potential, and they are stepped with it (schemes/bodies/bodies.h). */
    const struct bodies *bodies;
};

/* u at every point becomes the sum of coefficients times its neighbours, arms of `radius` points along the axes:
 * coefficients[0] for the point itself, then for each distance 1 .. radius, for each axis x, y, z, the neighbour on the
 * lower side and the one on the upper side. Points nearer to an edge than the radius keep their values for ever. */
enum { SWEEP_COEFFICIENTS_MAX = 13 };
struct sweep_problem {
    int dimensions; /* 1, 2 or 3; the axes beyond have one point */
    int radius;     /* 1D: 1, 2, 3; 2D and 3D: 1, 2 */
    double coefficients[SWEEP_COEFFICIENTS_MAX];
};

/* df = the derivative of f along an axis on a periodic grid, nine points, eighth order. A step evaluates it once. */
struct derivative_problem {
    int axis;       /* 0 x, 1 y, 2 z */
    double spacing; /* between points along that axis */
};

/* Two sediments in a basin (Su et al. 2013): height h and sand fraction s, equations (1) and (2) there. The arrays are
 * h, s, alpha and beta, each [ny][nx]. A step is forward Euler: h by (3), then s by (4) or by its conservative form. */
enum sediment_part { SEDIMENT_H = 1, SEDIMENT_S = 2, SEDIMENT_BOTH = 3 };
struct sediment_problem {
    bool conservative;       /* s by (3)'s own sand fluxes, so that sand is conserved; else (4) as printed */
    enum sediment_part part; /* what a step computes; one alone is for measuring */
    double spacing[2];       /* along x and y */
    double time_step;
    double layer;         /* A: thickness of the transported layer */
    double compaction[2]; /* C_s, C_m */
    /* Inflow of sand and of mud through each side (x_min x_max y_min y_max), volume over length and time; each points to
     * the ny or nx values along that side, NULL: none. Both of the same sign at a point. */
    const double *inflow[2][4];
    double mobility_max; /* largest of alpha/C_s and beta/C_m anywhere: the stable step follows from it */
};

/* One thing to compute. The problem and what it points to outlive the solver. */
struct problem {
    enum scheme_tag scheme;
    size_t points[3];
    enum precision precision;
    const struct channel *drives;
    size_t drive_count;
    const struct channel *taps;
    size_t tap_count;
    union {
        struct leapfrog_problem leapfrog;
        struct sweep_problem sweep;
        struct derivative_problem derivative;
        struct sediment_problem sediment;
    } as;
};

static inline const struct leapfrog_problem *leapfrog_of(const struct problem *p)
{
    return &p->as.leapfrog;
}

/* How to compute it. Zeroed: everything automatic. */
struct choice {
    const char *engine; /* "auto", "cpu", "cuda"; NULL: auto */
    const char *kernel; /* NULL: the fastest that applies */
    int threads;        /* cpu; 0: what OpenMP gives */
    int device;         /* cuda: which GPU */
    int block[3];       /* cuda: threads of a block along x and y, threads or planes along z; cpu: along y the rows of a
                           tile; 0: the kernel's own */
    int time_block;     /* time steps taken in one pass over memory; 0: as many as pay */
    bool in_place;      /* cuda: such passes with two grids, however much memory there is */
    bool no_tune;       /* cuda: the kernel's own block, untried */
    bool prefer_l1;     /* cuda, Webb's kernels: as much first-level cache and as little shared memory as may be */
    bool read_only;     /* cuda, Webb's kernels: read p by the read-only cache */
    bool audit;         /* follow absorbed and supplied energy, whatever it costs (the cpu engine always does) */
};

/* Blocks of audio. A NULL drive means silence, NULL taps that nobody listens. */
struct block {
    const double *drive; /* [drive_count][drive_stride], steps of it used */
    size_t drive_stride;
    double *taps; /* [tap_count][tap_stride], steps of it written */
    size_t tap_stride;
};

/* What a solver holds, known before anything is allocated. */
struct requirement {
    const char *engine, *kernel;
    uint64_t field_bytes;    /* the grids */
    uint64_t boundary_bytes; /* runs, wall lists, maps */
    uint64_t channel_bytes;
    uint64_t air_points, wall_points; /* points updated; of these, points with an absorbing face */
    uint64_t available_bytes;         /* of the memory that these bytes would be taken from */
    bool on_device;                   /* that is the GPU's */
    int time_block;                   /* cuda: time steps in one pass over memory, when more than one */
    bool in_place;                    /* cuda: such a pass has two grids with a few planes more, else four */
    bool untried;                     /* cuda: an open solver would try which kernel is fastest; this one is likely */
    int block[3];                     /* cuda, plain arrays: the block shape that was asked for or tuned */
    int registers, shared_bytes;      /* cuda, of the kernel: for a thread, for a block */
    double occupancy;                 /* cuda: of the warps that a multiprocessor can hold */
    char passed_over[256];            /* a better engine that could not take this, and why; empty when there is none */
};

/* Energy balance of the leapfrog scheme in units of its own (PHYSICS: E and the loss per step), since the solver was
 * opened. */
struct audit {
    double stored;   /* energy in the field now */
    double absorbed; /* by walls, summed over steps */
    double supplied; /* by drives */
    bool balanced;   /* absorbed and supplied were followed */
};

struct solver;
struct engine;

/* The engine that a choice means on this machine; NULL with *e filled when there is none. */
const struct engine *solver_engine(const struct choice *c, struct error *e);

/* Chooses engine and kernel and says what they would hold. Allocates nothing that lasts. When the grids alone exceed
 * what is available, the map is not looked through: the counts of points and the boundary lists stay 0. */
int solver_require(struct requirement *r, const struct problem *p, const struct choice *c, struct error *e);

int solver_open(struct solver **s, const struct problem *p, const struct choice *c, struct error *e);

/* Advances `steps` steps, any number. */
int solver_run(struct solver *s, size_t steps, const struct block *b, struct error *e);

/* Slabs of the scheme's arrays (leapfrog: "p" is level n, "p_previous" level n - 1) in canonical order, in the
 * problem's precision. put leaves points that are not air as they are. */
int solver_put(struct solver *s, const char *array, size_t z0, size_t nz, const void *values, struct error *e);
int solver_get(struct solver *s, const char *array, size_t z0, size_t nz, void *values, struct error *e);

/* ERROR_UNSTABLE when the energy is not a finite number. */
int solver_audit(struct solver *s, struct audit *a, struct error *e);

/* Runs u = p - u over the solver's own grids, `passes` times, with its own threads: the plain loop that `bench`
 * measures a step against. The field is spoilt. */
int solver_plain_pass(struct solver *s, size_t passes, struct error *e);

const struct requirement *solver_requirement(const struct solver *s);
void solver_close(struct solver *s); /* NULL-safe */

/* How an engine steps one kind of scheme. */
struct stepper {
    int (*require)(struct requirement *r, const struct problem *p, const struct choice *c, struct error *e);
    int (*open)(void **state, struct requirement *r, const struct problem *p, const struct choice *c, struct error *e);
    int (*run)(void *state, size_t steps, const struct block *b, struct error *e);
    int (*put)(void *state, size_t array, size_t z0, size_t nz, const void *values, struct error *e);
    int (*get)(void *state, size_t array, size_t z0, size_t nz, void *values, struct error *e);
    int (*audit)(void *state, struct audit *a, struct error *e);
    int (*plain_pass)(void *state, size_t passes, struct error *e);
    void (*close)(void *state);
};

/* What an engine implements; one row of the engine table (solver.c) each. */
struct engine {
    const char *name;
    /* NULL when the engine can run on this machine, else the reason it cannot. */
    const char *(*unavailable)(void);
    void (*describe)(char *text, size_t size); /* one line: processor, instruction set, device */
    const struct stepper *(*stepper)(enum scheme_tag scheme);
    const char *(*kernel_name)(enum scheme_tag scheme, size_t index); /* NULL beyond the last */
    /* Bytes read plus written a second by a large copy. */
    int (*copy_bandwidth)(double *bytes_per_second, const struct choice *c, struct error *e);
    bool absent; /* this build was made without it, which is no news to who did not ask for it */
};
extern const struct engine *const engines[]; /* NULL-terminated, best first */
extern const struct engine cpu_engine, cuda_engine;

#endif
