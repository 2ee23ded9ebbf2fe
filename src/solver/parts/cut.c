/* SPDX-License-Identifier: MIT */
#include "solver/parts/cut.h"

#include <stdlib.h>

#include "solver/parts/part_bodies.h"
#include "solver/parts/voxel_slabs.h"
#include "solver/schemes/leapfrog/partition_links.h"

enum { HALO_MAX = 8 /* HALO_MAX: depth of a temporal block of the cpu engine */, HALOS_A_PART = 8 };

size_t cut_halo(size_t planes, size_t parts)
{
    const size_t halo = planes / parts / HALOS_A_PART;
    return halo < 1 ? 1 : halo > HALO_MAX ? HALO_MAX : halo;
}

/* Work of a plane of voxels, in points of air. */
static double work_of_plane(const struct leapfrog_problem *l, double branch_work, size_t z)
{
    uint64_t counted[CELL_CODES] = {0};
    const uint64_t *faces = l->slabs ? voxel_slabs_faces(l->slabs, z) : counted;
    double work = l->slabs ? (double)voxel_slabs_air(l->slabs, z) : (double)voxel_set_plane_air(l->voxels, z);
    if (!l->slabs)
        voxel_set_plane_faces(counted, l->voxels, z);
    for (size_t code = 0; faces && code < CELL_CODES; code++)
        work += branch_work * (double)l->branch_count[code] * (double)faces[code];
    return work;
}

/* Estimates the work of each plane; with the 19-point stencil, half of the work of the voxels on
 * either side. Adds 1, as every plane costs something. sums[z + 1]: work of the planes up to z. */
static void sum_work(double *sums, const struct problem *p, double branch_work)
{
    const struct leapfrog_problem *l = leapfrog_of(p);
    const bool corners = l->stencil == STENCIL_19_POINT;
    double below = 0.0;
    sums[0] = 0.0;
    for (size_t z = 0; z < p->points[2]; z++) {
        const double work = work_of_plane(l, branch_work, z);
        sums[z + 1] = sums[z] + 1.0 + (corners ? 0.5 * (below + work) : work);
        below = work;
    }
}

/* held[z]: no cut is allowed below plane z, as bodies, or a partition across z that transmits, touch a plane within a
 * halo of it. */
static int find_held(bool **held, const struct problem *p, size_t halo, struct error *e)
{
    const struct bodies *bodies = leapfrog_of(p)->bodies;
    const size_t planes = p->points[2];
    bool *touched = calloc(planes, sizeof *touched);
    *held = calloc(planes + 1, sizeof **held);
    if (touched && *held && bodies)
        part_bodies_planes(touched, bodies, (uint64_t)p->points[0] * p->points[1]);
    const int status = !touched || !*held ? fail(e, ERROR_MEMORY, "out of memory") : partition_planes(touched, p, e);
    for (size_t z = 0; !status && z < planes; z++)
        for (size_t k = z + 1 > halo ? z + 1 - halo : 0; touched[z] && k <= z + halo && k <= planes; k++)
            (*held)[k] = true;
    free(touched);
    return status;
}

/* The plane from `first` to `last` that is nearest to z and not held; 0 if there is none. */
static size_t nearest_place(const bool *held, size_t z, size_t first, size_t last)
{
    for (size_t away = 0; away <= last - first; away++) {
        if (z + away <= last && !held[z + away])
            return z + away;
        if (z >= first + away && !held[z - away])
            return z - away;
    }
    return 0;
}

/* sums: cumulative work. */
static int place_cuts(struct slab *slabs, size_t parts, const struct problem *p, size_t halo, const double *sums,
                      const bool *held, struct error *e)
{
    const size_t planes = p->points[2];
    for (size_t k = 0, z = 0; k < parts; k++) {
        const double wanted = sums[planes] * (double)(k + 1) / (double)parts;
        const size_t least = z + halo,
                     last = planes - (parts - k - 1) * halo; /* each further part needs at least a halo */
        slabs[k] = (struct slab){.first = z, .below = k ? halo : 0, .above = k + 1 < parts ? halo : 0};
        z = least;
        while (z < last && (k + 1 == parts || 0.5 * (sums[z] + sums[z + 1]) < wanted))
            z++;
        if (k + 1 < parts && least <= last)
            z = nearest_place(held, z, least, last);
        if (z < least)
            return fail(e, ERROR_USAGE,
                        "%zu parts: no position for cut %zu among the grid's %zu planes along z is %zu planes away "
                        "from every instrument and every partition across z that transmits; use fewer parts",
                        parts, k + 1, planes, halo);
        slabs[k].end = z;
    }
    return 0;
}

int cut_grid(struct slab *slabs, size_t parts, const struct problem *p, size_t halo, double branch_work,
             struct error *e)
{
    const size_t planes = p->points[2], most = planes / parts;
    if (most == 0)
        return fail(e, ERROR_USAGE, "%zu parts: the grid has only %zu planes along z; use at most one part per plane",
                    parts, planes);
    halo = halo ? halo : cut_halo(planes, parts);
    halo = halo < most ? halo : most;
    double *sums = malloc((planes + 1) * sizeof *sums);
    bool *held = NULL;
    int status = sums ? 0 : fail(e, ERROR_MEMORY, "out of memory");
    if (!status)
        sum_work(sums, p, branch_work);
    status = status || find_held(&held, p, halo, e) || place_cuts(slabs, parts, p, halo, sums, held, e) ? -1 : 0;
    free(held);
    free(sums);
    return status;
}

int part_numbers(int numbers[PART_NUMBERS], int most)
{
    int count = 0;
    for (int n = 1; n < most && count < PART_NUMBERS - 1; n *= 2)
        numbers[count++] = n;
    numbers[count++] = most;
    return count;
}

struct solver_options part_options_of(const struct solver_options *c, int parts)
{
    struct solver_options one = *c;
    one.parts.count = parts;
    if (parts < c->device_count)
        one.device_count = parts;
    if (c->device_count && parts == 1) {
        one.device_count = 0;
        one.device = c->devices[0];
        one.engine = "cuda"; /* the engine of several devices */
    }
    return one;
}
