/* Receives the rows of a room in order, from the scan of its map. */
#ifndef AULA_SCHEME_ROW_SINK_H
#define AULA_SCHEME_ROW_SINK_H

#include "schemes/leapfrog/rows.h"

/* With NULL rows it only counts. */
struct row_sink {
    struct rows *rows;
    enum precision precision;
    uint64_t runs, walls, air_points;
    uint64_t walls_in_plane, walls_in_plane_max;
    struct branch_builder *branches;
};

/* The absorbing faces of a point. */
struct row_wall {
    struct wall_key key;
    bool branched;
    double weight; /* a/(1 + a) of its real admittances; used where it is not branched */
};

int row_sink_row(struct row_sink *sink, size_t row, struct error *e); /* before the points of each row */
void row_sink_run(struct row_sink *sink, size_t start, size_t length, unsigned links);
int row_sink_wall(struct row_sink *sink, size_t x, const struct row_wall *wall, struct error *e);
int row_sink_plane_end(struct row_sink *sink, struct error *e);

/* The scans of the two stencils. A row costs its runs and its points at walls that absorb. */
int voxel_rows_scan(const struct problem *p, struct row_sink *sink, struct error *e);
int corner_rows_scan(const struct problem *p, struct row_sink *sink, struct error *e);

#endif
