/* SPDX-License-Identifier: MIT */
/* The solver contract between schemes and engines.
 *
 * A *scheme* defines the equations (schemes/), a *kernel* is one implementation of it on one
 * engine, and an *engine* (cpu, cuda) owns memory and stepping. Only blocks of audio pass through
 * solver_run, never the grid, so that an engine may keep the field in any memory and layout, and
 * may take several steps in a temporal block.
 *
 * Conventions
 *   points   index of point (x, y, z) = (z ny + y) nx + x, 64 bits; x is contiguous in canonical
 *            order
 *   steps    a solver opens with the field zero at levels n = 0 and n = -1; step n makes level n +
 *            1 from n and n - 1
 *   drives   weight * drive[channel][n] is added to the new level n + 1 of the entry's point,
 *            inside the wall's bracket
 *   taps     taps[channel][n] = sum of weight * field at level n + entry.level; level 0: before the
 *            step, 1: after it
 *   numbers  drives and taps are double for any precision of the field
 *   blocks   the field does not depend on the division of steps into blocks, bit for bit
 *   threads  the field does not depend on the number of threads, bit for bit
 *   arrays   the state arrays of a scheme are put and got by name, in canonical order, without
 *            ghost points; states that are not arrays, such as those of walls, start at 0 and are
 *            not changed by put
 *
 * Errors: every function returns 0 or nonzero with *e filled; a solver whose run failed can only be
 * closed. */
#ifndef AULA_SOLVER_SOLVER_H
#define AULA_SOLVER_SOLVER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/acoustics/conventions.h"
#include "base/error.h"
#include "solver/cuda_options.h"
#include "solver/parts_options.h"

struct scheme; /* solver/scheme.h */

/* One entry of a drive or tap channel. */
struct channel_entry {
    uint64_t point; /* canonical index */
    double weight;
    uint16_t array; /* index of a state array of the scheme: 0 is the field */
    int8_t level;   /* taps: 0 or 1; drives: 1 */
};

/* A sparse combination of points: a trilinear receiver, a force on a plate, an ambisonic pickup. */
struct channel {
    struct channel_entry *entries;
    size_t count;
};

/* The problem to solve. It and everything it points to must outlive the solver. */
struct problem {
    const struct scheme *scheme;
    const void *parameters; /* of the scheme's type; read through its accessor, such as leapfrog_of() */
    size_t points[3];
    enum precision precision;
    const struct channel *drives;
    size_t drive_count;
    const struct channel *taps;
    size_t tap_count;
    /* Planes first .. end - 1 count in an audit and in the points of a plan; in a part of a
     * grid, the planes that the part owns. Both 0: all. */
    size_t counted[2];
};

enum { DEVICES_MAX = 64 };

/* How to solve it. Zero-initialized: everything is automatic. */
struct solver_options {
    const char *engine;       /* "auto", "cpu", "cuda"; NULL: auto */
    const char *kernel;       /* NULL: the fastest that applies */
    int threads;              /* cpu; 0: OpenMP's default */
    int device;               /* cuda: index of the GPU */
    int devices[DEVICES_MAX]; /* for parts: the GPUs that share them, in this order */
    int device_count;         /* 0: all parts on `device` */
    /* cuda: threads of a block along x and y, threads or planes along z; cpu: rows of a tile along
     * y; 0: the kernel's default */
    int block[3];
    int time_block; /* depth of a temporal block in steps; 0: the fastest */
    uint64_t steps; /* number of planned steps; cuda: tuning takes at most a tenth of their time; 0: unknown */
    bool audit;     /* sum absorbed and supplied energy, even at the cost of speed (the cpu engine always does) */
    struct cuda_options cuda;
    struct parts_options parts;
};

/* Blocks of audio. NULL drive: silence; NULL taps: not recorded. */
struct block {
    const double *drive; /* [drive_count][drive_stride], steps of it used */
    size_t drive_stride;
    double *taps; /* [tap_count][tap_stride], steps of it written */
    size_t tap_stride;
};

/* Memory, kernel and time per step of a solver, known before anything is allocated. */
struct solver_plan {
    const char *engine, *kernel;
    uint64_t field_bytes;    /* the stored grids; pages without air may not be stored */
    uint64_t boundary_bytes; /* lists of runs and walls, maps */
    uint64_t channel_bytes;
    uint64_t air_points, wall_points; /* points updated; points with an absorbing face among them */
    uint64_t available_bytes;         /* in the memory that these bytes come from */
    bool on_device;                   /* that memory belongs to the GPU */
    int time_block;                   /* depth of the temporal blocks in steps, if more than one */
    double step_seconds;              /* cuda: time per step, cached or, after opening, measured; 0: unknown */
    bool balanced;         /* an audit sums absorbed and supplied energy, and blocks of the state include these sums */
    char passed_over[256]; /* the preferred engine that could not be used, with the reason; empty: none */
    struct cuda_plan cuda;
    struct parts_plan parts;
};

/* Energy balance since the solver was opened, in the scheme's units. */
struct audit {
    double stored;   /* energy in the field */
    double absorbed; /* by boundaries, summed over steps */
    double supplied; /* by drives */
    bool balanced;   /* absorbed and supplied are valid */
};

struct solver;
struct engine;

/* The engine that the options select on this machine; NULL with *e filled if there is none. */
const struct engine *solver_engine(const struct solver_options *options, struct error *e);

/* Chooses engine and kernel and computes their requirements, without keeping memory allocated.
 * If the grids exceed the available memory even without pages that contain no air, the map is
 * not scanned: the numbers of points and the boundary lists stay 0. */
int solver_make_plan(struct solver_plan *plan, const struct problem *p, const struct solver_options *options,
                     struct error *e);

int solver_open(struct solver **s, const struct problem *p, const struct solver_options *options, struct error *e);

/* Takes `steps` steps, any number. */
int solver_run(struct solver *s, size_t steps, const struct block *b, struct error *e);

/* Slabs of the scheme's arrays in canonical order, in the problem's precision. put does not
 * change points that the scheme does not step. */
int solver_put(struct solver *s, const char *array, size_t z0, size_t nz, const void *values, struct error *e);
int solver_get(struct solver *s, const char *array, size_t z0, size_t nz, void *values, struct error *e);

/* ERROR_UNSTABLE if the energy is not finite. */
int solver_audit(struct solver *s, struct audit *a, struct error *e);

/* Runs u = p - u over the solver's grids `passes` times with its threads: the plain loop that
 * `bench` uses as a reference for the time of a step. Destroys the field. */
int solver_plain_pass(struct solver *s, size_t passes, struct error *e);

const struct solver_plan *solver_plan_of(const struct solver *s);
void solver_close(struct solver *s); /* NULL-safe */

#endif
