/* SPDX-License-Identifier: MIT */
/* Device memory of an open solver: grids, tables, map, audio channels. */
#include <algorithm>
#include <cstring>

#include "cuda/engine/device.cuh"
#include "cuda/engine/energy.cuh"
#include "cuda/engine/state.cuh"

namespace
{

size_t padded(const struct layout *l, uint64_t point)
{
    return (size_t)(point / l->points[0]) * l->pitch + (size_t)(point % l->points[0]);
}

/* Merges drives by point, sorted by point; sorts taps by channel. */
int upload_audio(cuda_state *s, struct error *e)
{
    const struct problem *p = s->problem;
    std::vector<term> drives, taps;
    std::vector<uint32_t> first;
    for (size_t c = 0; c < p->drive_count; c++)
        for (size_t i = 0; i < p->drives[c].count; i++) {
            const struct channel_entry *entry = &p->drives[c].entries[i];
            if (entry->array) /* on a body */
                continue;
            drives.push_back({entry->point, entry->weight, (uint32_t)c, 1});
        }
    std::stable_sort(drives.begin(), drives.end(), [](const term &a, const term &b) { return a.at < b.at; });
    for (size_t i = 0; i < drives.size();) {
        size_t end = i;
        while (end < drives.size() && drives[end].at == drives[i].at)
            end++;
        const double weight = layout_weight(&s->rows, p, drives[i].at); /* a/(1+a): 1 - it is 1/(1+a) */
        s->drive_at.push_back(drives[i].at);
        s->drive_points.push_back({padded(&s->layout, drives[i].at), 0, (uint32_t)i, (uint32_t)end, 1.0 - weight});
        i = end;
    }
    for (size_t c = 0; c < p->tap_count; c++) {
        first.push_back((uint32_t)taps.size());
        for (size_t i = 0; i < p->taps[c].count; i++) {
            const struct channel_entry *entry = &p->taps[c].entries[i];
            if (entry->array)
                continue;
            taps.push_back({padded(&s->layout, entry->point), entry->weight, (uint32_t)c, entry->level});
        }
    }
    first.push_back((uint32_t)taps.size());
    return upload(&s->drive_terms, drives.data(), drives.size(), "drive channels", e) ||
           upload(&s->tap_terms, taps.data(), taps.size(), "tap channels", e) ||
           upload(&s->tap_first, first.data(), first.size(), "tap channels", e) ||
           upload(&s->device_drive_points, s->drive_points.data(), s->drive_points.size(), "drive channels", e) ||
           upload<double>(&s->drive, nullptr, p->drive_count * BLOCK_STEPS, "drive signals", e) ||
           upload<double>(&s->taps, nullptr, p->tap_count * BLOCK_STEPS, "taps", e);
}

template <typename REAL> coefficients<REAL> coefficients_of(const struct point_kind &kind, const struct problem *p)
{
    const struct leapfrog_problem *l = leapfrog_of(p);
    const REAL side = (REAL)(l->courant_squared + l->viscosity);
    return {l->stencil == STENCIL_19_POINT ? REAL(kind.links) : REAL(2) - REAL(kind.links) * side, (REAL)kind.weight};
}

template <typename REAL> int upload_kinds(cuda_state *s, struct error *e)
{
    coefficients<REAL> states[STATES];
    std::vector<coefficients<REAL>> codes(s->layout.code_count);
    std::vector<REAL> old_states(STATES), old_codes(s->layout.code_count);
    const REAL old_side = (REAL)leapfrog_of(s->problem)->viscosity;
    for (int i = 0; i < STATES; i++) {
        states[i] = coefficients_of<REAL>(s->layout.states[i], s->problem);
        old_states[i] = REAL(1) - REAL(s->layout.states[i].links) * old_side;
    }
    for (size_t i = 0; i < s->layout.code_count; i++) {
        codes[i] = coefficients_of<REAL>(s->layout.codes[i], s->problem);
        old_codes[i] = REAL(1) - REAL(s->layout.codes[i].links) * old_side;
    }
    if (s->grid_count == 3 && (upload((REAL **)&s->old_states, old_states.data(), old_states.size(), "wall table", e) ||
                               upload((REAL **)&s->old_codes, old_codes.data(), old_codes.size(), "wall table", e)))
        return -1;
    return upload((coefficients<REAL> **)&s->states, states, STATES, "wall table", e) ||
           upload((coefficients<REAL> **)&s->codes, codes.data(), codes.size(), "wall table", e);
}

} // namespace

namespace
{

/* The lists of some rows, and the codes of their runs and walls. */
struct map_rows {
    const struct run *runs;
    const uint32_t *wall_x;
    const point_code *of_runs, *of_walls;
    const uint64_t *run_start, *wall_start; /* [rows + 1], in the lists of the room */
    size_t rows, pitch;
    point_code *map; /* map of the first of these rows, zero on entry */
};

/* A warp for each row. */
__global__ void fill_map(const map_rows m)
{
    const size_t row = blockIdx.x * (size_t)blockDim.y + threadIdx.y;
    if (row >= m.rows)
        return;
    point_code *out = m.map + row * m.pitch;
    for (uint64_t r = m.run_start[row] - m.run_start[0]; r < m.run_start[row + 1] - m.run_start[0]; r++) {
        const struct run run = m.runs[r];
        for (uint32_t i = threadIdx.x; i < run.length; i += 32)
            out[run.start + i] = m.of_runs[r];
    }
    __syncwarp(); /* walls after the runs that contain them */
    for (uint64_t w = m.wall_start[row] - m.wall_start[0] + threadIdx.x; w < m.wall_start[row + 1] - m.wall_start[0];
         w += 32)
        out[m.wall_x[w]] = m.of_walls[w];
}

/* Sends the lists of rows row0 .. row1 - 1 and fills in their part of the map. */
int fill_rows(const cuda_state *s, size_t row0, size_t row1, struct error *e)
{
    const struct rows *rows = &s->rows;
    const uint64_t run = rows->run_start[row0], runs = rows->run_start[row1] - run;
    const uint64_t wall = rows->wall_start[row0], walls = rows->wall_start[row1] - wall;
    std::vector<point_code> of_runs(runs), of_walls(walls);
    layout_list_codes(&s->layout, rows, s->problem, row0, row1, of_runs.data(), of_walls.data());
    map_rows m = {};
    m.rows = row1 - row0;
    m.pitch = s->layout.pitch;
    m.map = s->map + row0 * m.pitch;
    int status = upload((struct run **)&m.runs, rows->runs + run, runs, "voxel map", e) ||
                 upload((uint32_t **)&m.wall_x, rows->wall_x + wall, walls, "voxel map", e) ||
                 upload((point_code **)&m.of_runs, of_runs.data(), runs, "voxel map", e) ||
                 upload((point_code **)&m.of_walls, of_walls.data(), walls, "voxel map", e) ||
                 upload((uint64_t **)&m.run_start, rows->run_start + row0, m.rows + 1, "voxel map", e) ||
                 upload((uint64_t **)&m.wall_start, rows->wall_start + row0, m.rows + 1, "voxel map", e);
    if (!status) {
        fill_map<<<(unsigned)((m.rows + 7) / 8), dim3(32, 8)>>>(m);
        status = cuda_check(cudaGetLastError(), "voxel map", e) || cuda_check(cudaDeviceSynchronize(), "voxel map", e);
    }
    for (const void *list : {(const void *)m.runs, (const void *)m.wall_x, (const void *)m.of_runs,
                             (const void *)m.of_walls, (const void *)m.run_start, (const void *)m.wall_start})
        cudaFree((void *)list);
    return status ? -1 : 0;
}

/* Largest number of list entries on the device. */
const uint64_t LIST_MAX = (uint64_t)4 << 20;

} // namespace

/* The device fills in the map from lists, as it is many times as large as they are. */
int setup_map(cuda_state *s, struct error *e)
{
    const in_phase mapping("filling in the voxel map");
    const struct layout *l = &s->layout;
    const struct rows *rows = &s->rows;
    if (device_pages_make(&s->map_memory, {s->problem, l, rows, sizeof(point_code), 0}, "voxel map", e))
        return -1;
    s->map = (point_code *)s->map_memory.at;
    for (size_t row0 = 0, row1 = 0; row1 < rows->count; row0 = row1) {
        const uint64_t done = rows->run_start[row0] + rows->wall_start[row0] + row0;
        while (row1 < rows->count &&
               (row1 == row0 || rows->run_start[row1 + 1] + rows->wall_start[row1 + 1] + row1 + 1 - done <= LIST_MAX))
            row1++;
        if (fill_rows(s, row0, row1, e))
            return -1;
    }
    return 0;
}

int setup_grids(cuda_state *s, struct error *e)
{
    const in_phase clearing("clearing the grids");
    const size_t real = precision_bytes(s->problem->precision), plane = s->layout.pitch * s->layout.points[1] * real;
    for (int i = 0; i < s->grid_count; i++) {
        if (device_pages_make(&s->memory[i], {s->problem, &s->layout, &s->rows, real, s->spare}, "grid", e))
            return -1;
        s->grids[i] = (char *)s->memory[i].at + s->spare * plane;
    }
    return 0;
}

int setup_other_grids(cuda_state *s, struct error *e)
{
    const in_phase clearing("clearing the grids");
    const size_t real = precision_bytes(s->problem->precision);
    for (int i = 2; i < 4; i++) {
        if (!s->spare && device_pages_make(&s->memory[i], {s->problem, &s->layout, &s->rows, real, 0}, "grid", e))
            return -1;
        s->grids[i] = s->memory[s->spare ? i - 2 : i].at;
    }
    return 0;
}

void setup_free_grids(cuda_state *s)
{
    for (int i = 0; i < 4; i++) {
        device_pages_free(&s->memory[i]);
        s->grids[i] = nullptr;
    }
}

int setup_device(cuda_state *s, struct error *e)
{
    const in_phase sending("sending the walls");
    if (cuda_check(cudaStreamCreateWithFlags(&s->stream, cudaStreamNonBlocking), "stream", e) ||
        cuda_check(cudaEventCreate(&s->part_begin), "stream", e) ||
        cuda_check(cudaEventCreate(&s->part_end), "stream", e) || setup_grids(s, e))
        return -1;
    if (partitions_find(&s->partitions, s->problem, e) ||
        upload<unsigned long long>(&s->base, nullptr, 1, "step counter", e) ||
        (s->problem->precision == PRECISION_DOUBLE ? upload_kinds<double>(s, e) : upload_kinds<float>(s, e)) ||
        (s->layout.irregular_count && setup_map(s, e)) || upload_audio(s, e) || energy_set_up(s, e) ||
        branches_setup(&s->branches, &s->rows, s->layout.pitch, s->problem->precision, s->audited,
                       partitions_state_values(s->partitions, s->problem->precision), e) ||
        (s->partitions && partitions_setup(s->partitions, s, e)))
        return -1;
    return cuda_check(cudaDeviceSynchronize(), "set-up", e);
}

void setup_free_map(cuda_state *s)
{
    device_pages_free(&s->map_memory);
    s->map = nullptr;
}

void setup_free(cuda_state *s)
{
    partitions_drop(s->partitions);
    branches_drop(&s->branches);
    bodies_drop(s->bodies);
    energy_drop(s);
    setup_free_grids(s);
    setup_free_map(s);
    void *const blocks[] = {s->old_states,  s->old_codes, s->states,    s->codes, s->base, s->device_drive_points,
                            s->drive_terms, s->tap_terms, s->tap_first, s->drive, s->taps};
    for (void *block : blocks)
        if (block)
            cudaFree(block);
    for (cudaEvent_t event : {s->part_begin, s->part_end})
        if (event)
            cudaEventDestroy(event);
    if (s->stream)
        cudaStreamDestroy(s->stream);
}
