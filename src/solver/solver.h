/* The solver contract: what a scheme needs computed, and how any engine is driven.
 *
 * A *scheme* says what is computed (schemes/), a *kernel* is one way to compute it on one engine, an *engine* (cpu,
 * cuda) owns memory and stepping. What crosses solver_run are blocks of audio, never the grid, so an engine may keep
 * the field wherever and in whatever layout it likes, and may take several steps in a temporal block.
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
 * arrays   a scheme's state arrays are put and got by name, in canonical order, without ghost points; further states
 *          that a scheme has, as of walls, begin at rest, and put leaves them as they are
 *
 * Errors: every function returns 0 or nonzero with *e filled; a solver whose run failed can only be closed. */
#ifndef AULA_SOLVER_H
#define AULA_SOLVER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "acoustics/precision.h"
#include "base/error.h"

struct scheme; /* solver/scheme.h */

/* One point of a drive or tap channel. */
struct channel_entry {
    uint64_t point; /* of the canonical index */
    double weight;
    uint16_t array; /* index of a state array of the scheme: 0 is the field */
    int8_t level;   /* taps: 0 or 1; drives: 1 */
};

/* A sparse combination of points: a trilinear receiver, a force on a plate, an ambisonic pickup. */
struct channel {
    struct channel_entry *entries;
    size_t count;
};

/* One thing to compute. The problem and what it points to outlive the solver. */
struct problem {
    const struct scheme *scheme;
    const void *parameters; /* of the scheme's own type, read by its accessor: leapfrog_of() and so on */
    size_t points[3];
    enum precision precision;
    const struct channel *drives;
    size_t drive_count;
    const struct channel *taps;
    size_t tap_count;
};

/* How to compute it. Zeroed: everything automatic. */
struct choice {
    const char *engine; /* "auto", "cpu", "cuda"; NULL: auto */
    const char *kernel; /* NULL: the fastest that applies */
    int threads;        /* cpu; 0: what OpenMP gives */
    int device;         /* cuda: which GPU */
    int block[3];       /* cuda: threads of a block along x and y, threads or planes along z; cpu: along y the rows of a
                           tile; 0: the kernel's own */
    int time_block;     /* depth of a temporal block, steps; 0: as many as pay */
    bool in_place;      /* cuda: temporal blocks with two grids, however much memory there is */
    bool no_tune;       /* cuda: the kernel's own block, untried */
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
    int time_block;                   /* cuda: depth of the temporal blocks, steps, when more than one */
    bool in_place;                    /* cuda: these have two grids with a few planes more, else four */
    bool untried;                     /* cuda: an open solver would try which kernel is fastest; this one is likely */
    int block[3];                     /* cuda, plain arrays: the block shape that was asked for or tuned */
    int registers, shared_bytes;      /* cuda, of the kernel: for a thread, for a block */
    double occupancy;                 /* cuda: of the warps that a multiprocessor can hold */
    char passed_over[256];            /* a better engine that could not take this, and why; empty when there is none */
};

/* Energy balance in units of the scheme since the solver was opened. */
struct audit {
    double stored;   /* energy in the field now */
    double absorbed; /* by boundaries, summed over steps */
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

/* Slabs of the scheme's arrays in canonical order, in the problem's precision. put leaves points that the scheme does
 * not step as they are. */
int solver_put(struct solver *s, const char *array, size_t z0, size_t nz, const void *values, struct error *e);
int solver_get(struct solver *s, const char *array, size_t z0, size_t nz, void *values, struct error *e);

/* ERROR_UNSTABLE when the energy is not a finite number. */
int solver_audit(struct solver *s, struct audit *a, struct error *e);

/* Runs u = p - u over the solver's own grids, `passes` times, with its own threads: the plain loop that `bench`
 * measures a step against. The field is spoilt. */
int solver_plain_pass(struct solver *s, size_t passes, struct error *e);

const struct requirement *solver_requirement(const struct solver *s);
void solver_close(struct solver *s); /* NULL-safe */

/* How an engine steps a scheme. */
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
    const struct stepper *(*stepper)(const struct scheme *scheme);
    const char *(*kernel_name)(const struct scheme *scheme, size_t index); /* NULL beyond the last */
    /* Bytes read plus written a second by a large copy. */
    int (*copy_bandwidth)(double *bytes_per_second, const struct choice *c, struct error *e);
    bool absent; /* this build was made without it, which is no news to who did not ask for it */
};
extern const struct engine *const engines[]; /* NULL-terminated, best first */
extern const struct engine cpu_engine, cuda_engine;

#endif
