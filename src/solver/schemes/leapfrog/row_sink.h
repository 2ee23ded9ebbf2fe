/* SPDX-License-Identifier: MIT */
/* Receives the rows of some planes of a room in order, from the scan of its map. */
#ifndef AULA_SOLVER_SCHEMES_LEAPFROG_ROW_SINK_H
#define AULA_SOLVER_SCHEMES_LEAPFROG_ROW_SINK_H

#include "solver/schemes/leapfrog/rows.h"

/* Lists as in struct rows for planes z0 .. z1 - 1; indices of rows, runs and walls are relative
 * to these planes. */
struct row_sink {
    size_t z0, z1;
    enum precision precision;
    struct run *runs;
    uint32_t *wall_x;
    void *wall_weight;
    uint8_t *wall_mass; /* NULL: not stored */
    bool keeps_mass;
    uint64_t *run_start, *wall_start; /* [rows of these planes], sections of the lists of the whole room */
    uint64_t run_count, run_room, wall_count, wall_room;
    uint64_t air_points;
    uint64_t walls_in_plane, walls_in_plane_max;
    struct branches branches;
    struct branch_builder *builder;
};

/* The absorbing faces of a point. */
struct row_wall {
    struct wall_key key;
    bool branched;
    double weight; /* a/(1 + a) of its real admittances; used only if the point has no branches */
};

int row_sink_row(struct row_sink *sink, size_t row, struct error *e); /* called before the points of each row */
int row_sink_run(struct row_sink *sink, size_t start, size_t length, unsigned links, struct error *e);
int row_sink_wall(struct row_sink *sink, size_t x, const struct row_wall *wall, struct error *e);
int row_sink_plane_end(struct row_sink *sink, struct error *e);

/* Scans the sink's planes for either stencil. The cost of a row is the number of its runs and of
 * its points at absorbing walls. */
int voxel_rows_scan(const struct problem *p, struct row_sink *sink, struct error *e);
int corner_rows_scan(const struct problem *p, struct row_sink *sink, struct error *e);

#endif
