/* Walls with branches as a fused kernel's tiles see them, on the host: fused_walls.cuh says how they are stepped. */
#ifndef AULA_CUDA_FUSED_WALLS_PLAN_CUH
#define AULA_CUDA_FUSED_WALLS_PLAN_CUH

#include <vector>

#include "fused_parts.cuh"
#include "fused_plan.cuh"
#include "state.cuh"

/* Wall points of all tiles. */
struct fused_wall_lists {
    std::vector<branch_place> places;      /* of the room, ascending */
    std::vector<fused_wall_item> items;    /* by column, plane and point */
    std::vector<uint32_t> first;           /* [column * nz + z], and the end */
    double weights[STATES];                /* of the box's points, with the walls that have branches */
    unsigned at_once;                      /* branches that the kernel takes at once */
    std::vector<uint32_t> factors_at;      /* by kind: where its factors are, filled up to multiples of at_once */
    size_t factor_count;
    bool fits;                             /* false: more than the indices of an item can say */
};

/* Cuts the room's wall points into the columns of a kernel, [along][across]; sets column.walled, and FUSED_DENSE and FUSED_MAP in the flags [column][nz]
 * where the box of air does not say what the walls are. */
void fused_walls_list(fused_wall_lists &lists, const cuda_state *s, const struct fused_kernel *k, std::vector<fused_column> &columns,
                      size_t across, std::vector<uint8_t> &flags);

/* 1 - w of the wall at a point, 1 where there is none. */
double fused_walls_share(const fused_wall_lists &lists, const cuda_state *s, uint64_t at);

/* What a launch needs of them, on the device. */
struct fused_walls_device {
    fused_wall_plane *planes;
    fused_wall_item *items;
    void *factors; /* fused_branch of the field's precision */
    void *scratch, *dense;
    unsigned memory, factor_count, slot_branches, branches_at_once; /* fused_walls_pass */
};

/* Branches of the points of a plane that shared memory must keep. */
size_t fused_walls_slot(const fused_wall_lists &lists, const cuda_state *s, const std::vector<uint8_t> &flags);

/* slot_branches: 0 when they go to global memory instead. */
int fused_walls_upload(fused_walls_device *d, const fused_wall_lists &lists, const cuda_state *s, const struct fused_kernel *k,
                       const std::vector<fused_column> &columns, const std::vector<uint8_t> &flags, int chunk, int chunks, size_t slot_branches,
                       struct error *e);
void fused_walls_drop(fused_walls_device *d);

#endif
