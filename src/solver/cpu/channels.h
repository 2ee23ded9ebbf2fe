/* SPDX-License-Identifier: MIT */
/* Drives and taps of the field on the CPU engine, sorted by row, so that a range of rows has
 * contiguous entries. */
#ifndef AULA_SOLVER_CPU_CHANNELS_H
#define AULA_SOLVER_CPU_CHANNELS_H

#include "solver/cpu/kernels.h"

/* One entry of a drive channel. */
struct drive_point {
    size_t at; /* index in the padded grid */
    size_t row, channel;
    double weight;
    double mass;     /* mass of the point, in voxels of air */
    double before;   /* p^{n-1} at the point during a step */
    double supplied; /* energy supplied so far */
};

/* One entry of a tap channel; `entry` numbers the entries of all channels consecutively. */
struct tap_point {
    size_t at, row, entry;
};

/* Steps between two summations of the taps: the length of the tap history. */
enum { CHUNK_STEPS = 64 };

struct channels {
    const struct problem *problem;
    enum precision precision;
    struct drive_point *drives;
    struct tap_point *taps;
    size_t drive_count, point_count;   /* entries on the field */
    size_t tap_count;                  /* entries of taps; those on bodies are included but contribute 0 here */
    uint32_t *drive_start, *tap_start; /* [rows + 1] */
    double *history;                   /* [CHUNK_STEPS + 1][tap_count]: levels before the first step and after each */
};

uint64_t channels_bytes(const struct problem *p);
int channels_make(struct channels *c, const struct problem *p, const struct rows *rows); /* -1: out of memory */
void channels_free(struct channels *c);

/* Applies drives in the step to level `step` + 1 of the chunk, in rows row0 .. row1 - 1 of
 * `next`; channel k has its signal at drive[k * stride]. channels_drive runs between the
 * kernel's sweep and finish. */
void channels_before(struct channels *c, const void *next, size_t row0, size_t row1);
void channels_drive(struct channels *c, void *next, size_t row0, size_t row1, const double *drive, size_t stride);
void channels_after(struct channels *c, const void *next, size_t row0, size_t row1, const double *drive, size_t stride);

/* Stores the tap points of these rows at level `level` of the chunk. */
void channels_record(struct channels *c, const void *grid, size_t row0, size_t row1, size_t level);

/* Computes taps[channel][first .. first + steps - 1] from the tap history. */
void channels_sum(const struct channels *c, const struct block *b, size_t first, size_t steps);

#endif
