/* SPDX-License-Identifier: MIT */
#include "support/voxelized.h" /* before cmocka, which defines a macro `fail` */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

const struct voxelize_options voxelize_plain = {.seal = VOXELIZE_SEAL, .crop = true};

struct voxelized voxelized_try(const struct surface *s, const struct lattice *l, const double source[3],
                               const struct voxelize_options *o)
{
    struct voxelized m = {.set = NULL};
    const struct source_voxel seed = {{source[0], source[1], source[2]}, "source \"S\"", false};
    m.status = voxelize(&m.set, &m.report, s, l, &seed, 1, o, &m.error);
    return m;
}

struct voxelized voxelized_room(const struct surface *s, const struct lattice *l, const double source[3],
                                const struct voxelize_options *o)
{
    struct voxelized m = voxelized_try(s, l, source, o);
    if (m.status)
        fail_msg("%s", m.error.message);
    return m;
}

struct voxelized voxelized_mesh(const struct scene_mesh *mesh, double spacing, const double source[3])
{
    const struct surface s = surface_of(mesh);
    const struct lattice l = lattice_around(mesh, spacing);
    return voxelized_room(&s, &l, source, &voxelize_plain);
}

void voxelized_drop(struct voxelized *v)
{
    voxel_set_free(v->set);
    voxel_report_free(&v->report);
}
