#include "schemes/leapfrog/row_sink.h"

int row_sink_row(struct row_sink *sink, size_t row, struct error *e)
{
    if (sink->rows) {
        sink->rows->run_start[row] = sink->runs;
        sink->rows->wall_start[row] = sink->walls;
    }
    return branch_builder_row(sink->branches, e);
}

void row_sink_run(struct row_sink *sink, size_t start, size_t length, unsigned links)
{
    if (sink->rows)
        sink->rows->runs[sink->runs] =
            (struct run){.start = (uint32_t)start, .length = (uint32_t)length & ROW_POINTS_MAX, .links = links & 0xffu};
    sink->runs++;
    sink->air_points += length;
}

int row_sink_wall(struct row_sink *sink, size_t x, const struct row_wall *wall, struct error *e)
{
    if (wall->branched)
        return branch_builder_point(sink->branches, x, &wall->key, e);
    if (!(wall->weight > 0.0))
        return 0;
    if (sink->rows) {
        sink->rows->wall_x[sink->walls] = (uint32_t)x;
        if (sink->precision == PRECISION_DOUBLE)
            ((double *)sink->rows->wall_weight)[sink->walls] = wall->weight;
        else
            ((float *)sink->rows->wall_weight)[sink->walls] = (float)wall->weight;
        if (sink->rows->wall_mass)
            sink->rows->wall_mass[sink->walls] = wall->key.mass;
    }
    sink->walls++;
    sink->walls_in_plane++;
    return 0;
}

int row_sink_plane_end(struct row_sink *sink, struct error *e)
{
    if (sink->walls_in_plane > sink->walls_in_plane_max)
        sink->walls_in_plane_max = sink->walls_in_plane;
    sink->walls_in_plane = 0;
    return branch_builder_plane_end(sink->branches, e);
}
