/* SPDX-License-Identifier: MIT */
/* Sets of points of a room on the device, one bit per point, and lists of the vectors that
 * contain them, for planning the levels of a boundary region (region_levels.cuh). */
#ifndef AULA_CUDA_REGION_SETS_CUH
#define AULA_CUDA_REGION_SETS_CUH

#include <vector>

#include "cuda/step/boundary_points.cuh"
#include "cuda/step/branches.cuh"

/* Threads per block of vectors, the same as per block of boundary points, as one kernel steps
 * both. */
enum { VECTOR_THREADS = BRANCH_THREADS };

/* Shape of a brick of 32 points along x in several rows and planes; one lane of a warp per row. */
enum { BRICK_ROWS = 4, BRICK_PLANES = WARP / BRICK_ROWS };

/* Vectors of 16 bytes, brick by brick, so that those of a thread block share their neighbours in
 * the first-level cache. Blocks are padded with vectors of which nothing is stepped. */
struct vector_list {
    uint32_t *vectors;               /* index in the padded grid, of vectors */
    uint8_t *masks;                  /* bit i: value i belongs to the set */
    uint32_t blocks, first_driven;   /* of VECTOR_THREADS vectors; blocks from first_driven have points with drives */
    std::vector<uint32_t> of_layers; /* [layer + 1] first block of a layer of bricks */
};

/* One word for 32 points of a row, as in boundary_scan. The destructor frees the device memory. */
class region_sets
{
  public:
    explicit region_sets(const cuda_state *s);
    ~region_sets();
    region_sets(const region_sets &) = delete;
    region_sets &operator=(const region_sets &) = delete;

    int make(uint32_t **set, struct error *e); /* empty set */

    /* Points of the air; points of its box without air; points with branches or irregular, which
     * a temporal block treats as others; points with branches among these; and points with
     * drives. */
    void mark(const cuda_state *s, uint32_t *air, uint32_t *solid, uint32_t *wrong, uint32_t *branched,
              uint32_t *driven);

    /* Points of a set before plane `lower` and from plane `upper`. */
    void keep_ends(const uint32_t *set, int lower, int upper, uint32_t *out);

    /* Points of `among` in a set or one link away from it. */
    void widen(const uint32_t *set, const uint32_t *among, uint32_t *wider);

    void keep_both(const uint32_t *a, const uint32_t *b, uint32_t *out);
    void keep_either(const uint32_t *a, const uint32_t *b, uint32_t *out);
    void keep_first(const uint32_t *a, const uint32_t *without, uint32_t *out);

    /* driven: NULL if drives do not matter. */
    int list_vectors(vector_list *list, const uint32_t *set, const uint32_t *driven, struct error *e);

    /* Copies a set to the host. */
    int read(std::vector<uint32_t> *words, const uint32_t *set, struct error *e);
    bool has(const std::vector<uint32_t> &set, uint64_t at) const;

  private:
    unsigned blocks() const;

    boundary_scan scan;
    uint64_t words;
    int values; /* of a vector */
    bool diagonals;
    std::vector<uint32_t *> sets;
    uint64_t *by_brick = nullptr;
};

void vector_list_drop(vector_list *list);

#endif
