/* SPDX-License-Identifier: MIT */
#include "solver/schemes/leapfrog/row_sink.h"

#include <stdlib.h>

/* Makes room for `room` items, which doubles occasionally; NULL list: not stored. */
static bool widen(void **list, uint64_t room, size_t size)
{
    void *longer = realloc(*list, room * size);
    *list = longer ? longer : *list;
    return longer != NULL;
}

static int widen_runs(struct row_sink *sink, struct error *e)
{
    void *runs = sink->runs;
    sink->run_room = sink->run_room ? 2 * sink->run_room : 1024;
    const bool good = widen(&runs, sink->run_room, sizeof *sink->runs);
    sink->runs = runs;
    return good ? 0 : fail(e, ERROR_MEMORY, "out of memory");
}

static int widen_walls(struct row_sink *sink, struct error *e)
{
    void *x = sink->wall_x, *mass = sink->wall_mass;
    sink->wall_room = sink->wall_room ? 2 * sink->wall_room : 1024;
    bool good = widen(&x, sink->wall_room, sizeof *sink->wall_x);
    good = widen(&sink->wall_weight, sink->wall_room, precision_bytes(sink->precision)) && good;
    good = (!sink->keeps_mass || widen(&mass, sink->wall_room, 1)) && good;
    sink->wall_x = x;
    sink->wall_mass = mass;
    return good ? 0 : fail(e, ERROR_MEMORY, "out of memory");
}

int row_sink_row(struct row_sink *sink, size_t row, struct error *e)
{
    sink->run_start[row] = sink->run_count;
    sink->wall_start[row] = sink->wall_count;
    return branch_builder_row(sink->builder, e);
}

int row_sink_run(struct row_sink *sink, size_t start, size_t length, unsigned links, struct error *e)
{
    if (sink->run_count == sink->run_room && widen_runs(sink, e))
        return -1;
    sink->runs[sink->run_count++] =
        (struct run){.start = (uint32_t)start, .length = (uint32_t)length & ROW_POINTS_MAX, .links = links & 0xffu};
    sink->air_points += length;
    return 0;
}

int row_sink_wall(struct row_sink *sink, size_t x, const struct row_wall *wall, struct error *e)
{
    if (wall->branched)
        return branch_builder_point(sink->builder, x, &wall->key, e);
    if (!(wall->weight > 0.0))
        return 0;
    if (sink->wall_count == sink->wall_room && widen_walls(sink, e))
        return -1;
    sink->wall_x[sink->wall_count] = (uint32_t)x;
    if (sink->precision == PRECISION_DOUBLE)
        ((double *)sink->wall_weight)[sink->wall_count] = wall->weight;
    else
        ((float *)sink->wall_weight)[sink->wall_count] = (float)wall->weight;
    if (sink->wall_mass)
        sink->wall_mass[sink->wall_count] = wall->key.mass;
    sink->wall_count++;
    sink->walls_in_plane++;
    return 0;
}

int row_sink_plane_end(struct row_sink *sink, struct error *e)
{
    if (sink->walls_in_plane > sink->walls_in_plane_max)
        sink->walls_in_plane_max = sink->walls_in_plane;
    sink->walls_in_plane = 0;
    return branch_builder_plane_end(sink->builder, e);
}
