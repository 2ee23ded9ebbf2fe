/* SPDX-License-Identifier: MIT */
/* The solver contract between schemes and engines.
 *
 * A *scheme* says what is computed (schemes/), a *kernel* is one implementation of it on one engine, an *engine* (cpu,
 * cuda) owns memory and stepping. Blocks of audio pass through solver_run, never the grid, so an engine may keep
 * the field in any memory and layout, and may take several steps in a temporal block.
 *
 * Conventions
 *   points   index of point (x, y, z) = (z ny + y) nx + x, 64 bits; x is contiguous in canonical order
 *   steps    a solver opens with the field zero at levels n = 0 and n = -1; step n makes level n + 1 from n and n - 1
 *   drives   weight * drive[channel][n] is added to the new level n + 1 of the entry's point, inside the wall's bracket
 *   taps     taps[channel][n] = sum of weight * field at level n + entry.level; level 0: before the step, 1: after it
 *   numbers  drives and taps are double whatever the precision of the field
 *   blocks   the field does not depend on how the steps are divided into blocks,
 *   threads  nor on the number of threads, bit for bit
 *
 * arrays   a scheme's state arrays are put and got by name, in canonical order, without ghost points; states
 *          that are not arrays, such as those of walls, start at 0 and are not changed by put
 *
 * states   those of walls: taken from and given to a solver of the same engine, kernel and precision by planes, for
 * what
 *          steps a part of a grid (parts/)
 * pieces   all that the next steps and the next audit depend on besides the arrays: taken from and given to a solver of
 *          any engine, kernel and number of parts, of the same problem, for checkpoints
 *
 * Errors: every function returns 0 or nonzero with *e filled; a solver whose run failed can only be closed. */
#ifndef AULA_SOLVER_SOLVER_H
#define AULA_SOLVER_SOLVER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/acoustics/precision.h"
#include "base/error.h"

struct scheme;      /* solver/scheme.h */
struct transport;   /* base/transport/transport.h */
struct link_access; /* solver/links.h */
struct halo_planes;
struct halo_passage;
struct exchanges;

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

/* The problem to solve. It and everything it points to outlive the solver. */
struct problem {
    const struct scheme *scheme;
    const void *parameters; /* of the scheme's type, read by its accessor: leapfrog_of() and so on */
    size_t points[3];
    enum precision precision;
    const struct channel *drives;
    size_t drive_count;
    const struct channel *taps;
    size_t tap_count;
    /* Planes first .. end - 1 that count in an audit, and in the points of a requirement: of a part of a grid those
     * that no other part has. Both 0: all. */
    size_t counted[2];
};

enum { DEVICES_MAX = 64 };

/* How a part takes halos of its neighbours, where its engine has halos of its own. */
enum halo_way {
    HALOS_READ,   /* it reads their memory */
    HALOS_LINKED, /* links bring them into its own */
    HALOS_STAGED  /* they pass through the host's memory */
};

/* How a temporal block steps again what its tiles take for other points than they are (cuda): tile by tile, all steps
 * of the block at once; or step by step. */
enum region_form { REGION_FASTEST, REGION_BY_TILES, REGION_BY_LEVELS };

/* How to solve it. Zeroed: everything automatic. */
struct solver_options {
    const char *engine;       /* "auto", "cpu", "cuda"; NULL: auto */
    const char *kernel;       /* NULL: the fastest that applies */
    int threads;              /* cpu; 0: OpenMP's default */
    int device;               /* cuda: which GPU */
    int devices[DEVICES_MAX]; /* of parts: the GPUs that share them, in this order */
    int device_count;         /* 0: all parts on `device` */
    int block[3];   /* cuda: threads of a block along x and y, threads or planes along z; cpu: along y the rows of a
                           tile; 0: the kernel's own */
    int time_block; /* depth of a temporal block, steps; 0: the fastest */
    bool in_place;  /* cuda: temporal blocks with two grids, even if four would fit */
    enum region_form region; /* cuda: wherever it can be; for checks */
    int beside;   /* cuda: solvers of other processes that step on the GPU at the same time: several steps in a pass are
                       taken then wherever they can be, though a solver alone may be faster without */
    bool no_tune; /* cuda: the kernel's default block, not a tuned one */
    bool tune_anew; /* cuda: tries every kernel, however long that takes, and forgets what it remembered */
    uint64_t steps; /* that are planned: cuda: tuning takes no more than a tenth of their time; 0: not known */
    int parts;      /* the grid is cut into so many, each stepped by a solver of its own: docs/scale.md; 0, 1: none */
    int halo;       /* of parts: steps between two exchanges; 0: what suits */
    struct transport *transport; /* to parts that are there already, which `parts` follows; NULL: they are threads */
    bool through_host;           /* halos of processes, though links between their devices could pass them */
    enum halo_way halo_way;      /* of a part */
    bool audit;                  /* sum absorbed and supplied energy, at any cost (the cpu engine always does) */
};

/* Blocks of audio. NULL drive: silence; NULL taps: not recorded. */
struct block {
    const double *drive; /* [drive_count][drive_stride], steps of it used */
    size_t drive_stride;
    double *taps; /* [tap_count][tap_stride], steps of it written */
    size_t tap_stride;
};

/* Memory and kernel of a solver, known before anything is allocated. */
struct solver_plan {
    const char *engine, *kernel;
    uint64_t field_bytes;    /* the grids, as far as they are stored: pages without air need not be */
    uint64_t boundary_bytes; /* lists of runs and walls, maps */
    uint64_t channel_bytes;
    uint64_t air_points, wall_points; /* points updated; of these, points with an absorbing face */
    uint64_t available_bytes;         /* of the memory that these bytes come from */
    bool on_device;                   /* that memory is the GPU's */
    int time_block;                   /* cuda: depth of the temporal blocks, steps, when more than one */
    bool in_place;                    /* cuda: temporal blocks with two grids and spare planes, else four grids */
    enum region_form region;          /* cuda: of an open solver, of parts by levels where one is */
    bool untried;                     /* cuda: opening would time kernels; this one is likely */
    double step_seconds;              /* cuda: of a step, as remembered or, after opening, timed; 0: not known */
    int block[3];                     /* cuda, plain arrays: the block shape, asked for or tuned */
    int registers, shared_bytes;      /* cuda, of the kernel: per thread, per block */
    double occupancy;                 /* cuda: share of the warps that a multiprocessor can hold */
    int parts;                        /* of a grid that is cut, else 0; then field_bytes and so on are of all of them in
                                         this process, or of the largest where each has its own */
    int halo;                         /* planes of each side, and steps between two exchanges */
    uint64_t halo_bytes;              /* sent across a cut in an exchange, each way */
    char halo_path[192];              /* how halos pass from part to part, and why so */
    bool linked;                      /* by links between devices of processes */
    uint64_t part_bytes, part_points; /* of the largest part; points of air that it steps, its halos' included */
    bool balanced;                    /* an audit sums what was absorbed and supplied, and pieces keep these sums */
    char passed_over[256];            /* a preferred engine that could not do this, and why; empty: none */
};

/* Energy balance since the solver was opened, in the scheme's units. */
struct audit {
    double stored;   /* energy in the field now */
    double absorbed; /* by boundaries, summed over steps */
    double supplied; /* by drives */
    bool balanced;   /* absorbed and supplied are valid */
};

struct solver;
struct engine;

/* The engine of a choice on this machine; NULL with *e filled when there is none. */
const struct engine *solver_engine(const struct solver_options *c, struct error *e);

/* Chooses engine and kernel and computes their requirement. Keeps nothing allocated. When the grids alone exceed the
 * available memory, even without what holds no air, the map is not scanned: the counts of points and the boundary lists
 * stay 0. */
int solver_make_plan(struct solver_plan *r, const struct problem *p, const struct solver_options *c, struct error *e);

int solver_open(struct solver **s, const struct problem *p, const struct solver_options *c, struct error *e);

/* Takes `steps` steps, any number. */
int solver_run(struct solver *s, size_t steps, const struct block *b, struct error *e);

/* Slabs of the scheme's arrays in canonical order, in the problem's precision. put leaves points unchanged that the
 * scheme does not step. */
int solver_put(struct solver *s, const char *array, size_t z0, size_t nz, const void *values, struct error *e);
int solver_get(struct solver *s, const char *array, size_t z0, size_t nz, void *values, struct error *e);

/* States of the walls in nz planes from z0 on, in the engine's own order: the same bytes in every solver of this
 * engine, kernel and precision whose walls are the same in these planes. ERROR_ENGINE where the engine cannot do
 * this. */
int solver_states_bytes(const struct solver *s, size_t z0, size_t nz, size_t *bytes, struct error *e);
int solver_get_states(struct solver *s, size_t z0, size_t nz, void *states, struct error *e);
int solver_put_states(struct solver *s, size_t z0, size_t nz, const void *states, struct error *e);

/* Pieces of the state besides the arrays: one of each plane, then one of the whole. After all arrays and pieces of
 * another solver of the same problem were put, steps and audits give the same bits as that solver's; the sums of an
 * audit, where the number of parts is another, up to rounding. bytes [planes + 1]. ERROR_ENGINE where the engine
 * cannot do this; ERROR_INPUT for a piece of another problem. */
bool solver_has_state_blocks(const struct solver *s);
int solver_state_block_bytes(struct solver *s, size_t *bytes, struct error *e);
int solver_get_state_block(struct solver *s, size_t piece, void *to, struct error *e);
int solver_put_state_block(struct solver *s, size_t piece, const void *from, size_t bytes, struct error *e);

/* Halos in the engine's memory (struct halo_access), closed before the solver and after all that was given has been
 * taken. Giving and taking may go on after these calls, in the order of the calls of all solvers. Between a solver's
 * n-th and (n + 2)-th giving the neighbour has taken the n-th. */
bool solver_has_halos(const struct solver *s);
int solver_open_halo(struct solver *s, void **halo, const struct halo_planes *planes, struct error *e);
int solver_send_halo(struct solver *s, void *halo, const void *reader, struct error *e);
int solver_receive_halo(struct solver *s, void *halo, const void *given, struct error *e);
/* Instead of taking, where halos are passed by links: what was given goes to the neighbours, and theirs is taken. */
size_t solver_halo_bytes(const struct solver *s, const void *halo);
int solver_pass_halos(struct solver *s, void *links, const struct halo_passage *passages, int count, struct error *e);
/* Through the host's memory of a halo: what was given last is there on return; what is there is taken, and may be
 * changed when something that was given later is there. */
void *solver_halo_on_host(const struct solver *s, void *halo);
int solver_send_to_host(struct solver *s, void *halo, struct error *e);
int solver_receive_from_host(struct solver *s, void *halo, struct error *e);
int solver_run_exchanging(struct solver *s, size_t steps, const struct block *b, const struct exchanges *x,
                          struct error *e);
int solver_wait_for_halos(struct solver *s, struct error *e);
void solver_close_halo(struct solver *s, void *halo);

/* ERROR_UNSTABLE when the energy is not a finite number. */
int solver_audit(struct solver *s, struct audit *a, struct error *e);

/* Runs u = p - u over the solver's grids, `passes` times, with its threads: the plain loop that `bench` compares a
 * step with. Destroys the field. */
int solver_plain_pass(struct solver *s, size_t passes, struct error *e);

const struct solver_plan *solver_plan_of(const struct solver *s);
void solver_close(struct solver *s); /* NULL-safe */

/* Access to the states of walls in nz planes from z0 on. */
struct state_access {
    size_t (*bytes)(const void *state, size_t z0, size_t nz);
    int (*get)(void *state, size_t z0, size_t nz, void *states, struct error *e);
    int (*put)(void *state, size_t z0, size_t nz, const void *states, struct error *e);
};

/* Planes z0 .. z0 + nz - 1 of the arrays, and sz0 .. sz0 + snz - 1 of the states of walls. */
struct halo_planes {
    size_t z0, nz, sz0, snz;
    bool taken; /* from a neighbour; else given to it */
    enum halo_way way;
};

/* Across a cut, by links: both halos are this solver's. */
struct halo_passage {
    int neighbour; /* part */
    void *given, *taken;
};

/* What is done in a run after each `every` steps and after the last: gives and takes halos. */
struct exchanges {
    size_t every;
    int (*exchange)(void *context, struct error *e);
    void *context;
};

/* Access to halos in the engine's own memory, for parts that need not pass them through the host: those of one process,
 * and those that the engine links. */
struct halo_access {
    int (*open)(void *state, void **halo, const struct halo_planes *planes, struct error *e);
    /* Copies the planes into the halo's memory, for others to read. `reader`: the neighbour's halo that is taken from
     * there; NULL: not known yet, before the first. */
    int (*send)(void *state, void *halo, const void *reader, struct error *e);
    /* Sets the planes of a halo of this solver from what another solver has given. */
    int (*receive)(void *state, void *halo, const void *given, struct error *e);
    size_t (*bytes)(const void *halo); /* as many as the neighbour's */
    int (*pass)(void *state, void *links, const struct halo_passage *passages, int count, struct error *e);
    void *(*on_host)(void *halo); /* its memory there, of HALOS_STAGED */
    int (*send_to_host)(void *state, void *halo, struct error *e);
    int (*receive_from_host)(void *state, void *halo, struct error *e);
    int (*run)(void *state, size_t steps, const struct block *b, const struct exchanges *x, struct error *e);
    int (*wait)(void *state, struct error *e); /* waits until what was taken is there */
    void (*close)(void *state, void *halo);    /* NULL-safe */
};

/* Access to the pieces of a state, 0 .. planes. */
struct state_block_access {
    int (*bytes)(void *state, size_t *bytes, struct error *e); /* [planes + 1] */
    int (*get)(void *state, size_t piece, void *to, struct error *e);
    int (*put)(void *state, size_t piece, const void *from, size_t bytes, struct error *e);
};

/* An engine's implementation of a scheme. */
struct stepper {
    int (*plan)(struct solver_plan *r, const struct problem *p, const struct solver_options *c, struct error *e);
    int (*open)(void **state, struct solver_plan *r, const struct problem *p, const struct solver_options *c,
                struct error *e);
    int (*run)(void *state, size_t steps, const struct block *b, struct error *e);
    int (*put)(void *state, size_t array, size_t z0, size_t nz, const void *values, struct error *e);
    int (*get)(void *state, size_t array, size_t z0, size_t nz, void *values, struct error *e);
    int (*audit)(void *state, struct audit *a, struct error *e);
    int (*plain_pass)(void *state, size_t passes, struct error *e);
    void (*close)(void *state);
    const struct state_access *states; /* NULL: it cannot step a part of a grid, nor counts some planes only */
    const struct state_block_access *state_blocks; /* NULL: its state cannot be taken as a whole */
    const struct halo_access *halos;               /* NULL: halos go through the host */
};

/* An engine; each is a row of the engine table (solver.c). */
struct engine {
    const char *name;
    /* NULL when the engine can run on this machine, else the reason it cannot. */
    const char *(*unavailable)(void);
    void (*describe)(char *text, size_t size); /* one line: processor, instruction set, device */
    const struct stepper *(*stepper)(const struct scheme *scheme);
    const char *(*kernel_name)(const struct scheme *scheme, size_t index); /* NULL beyond the last */
    /* NULL when the kernel of that index can run on this machine, else the reason it cannot. May be NULL: none is
     * told. */
    const char *(*kernel_fault)(const struct scheme *scheme, size_t index);
    /* Bytes read plus written a second by a large copy. */
    int (*copy_bandwidth)(double *bytes_per_second, const struct solver_options *c, struct error *e);
    /* Bytes a second from the memory of one device to that of another, as halos go. NULL: it has no devices. */
    int (*peer_bandwidth)(double *bytes_per_second, int from, int to, struct error *e);
    const struct link_access *links; /* between devices of several processes; NULL: none */
    bool absent;                     /* not compiled into this build: reported only when asked for by name */
};
extern const struct engine *const engines[]; /* NULL-terminated, best first */
extern const struct engine cpu_engine, cuda_engine;
extern const struct stepper parts_stepper; /* of grids that are cut */

#endif
