/* SPDX-License-Identifier: MIT */
/* Grids for checks: a map of cells, walls by number, and channels of single points. */
#ifndef AULA_VALIDATE_SCENE_SCENE_H
#define AULA_VALIDATE_SCENE_SCENE_H

#include "base/random.h"
#include "solver/schemes/leapfrog/problem.h"

enum { SCENE_CHANNELS = 64, SCENE_MATERIALS = 8 };

struct scene {
    struct leapfrog_problem leapfrog;
    struct problem problem; /* its parameters point to `leapfrog`: do not move the struct */
    size_t voxels[3];       /* as many as points, or one fewer along each axis with the 19-point stencil */
    uint8_t *cells;         /* [voxels], enum cell */
    uint8_t outside[FACES]; /* code beyond each face of the box */
    uint64_t areas;         /* seed of random areas of faces; 0: all faces are whole */
    struct scene_set *set;  /* made by scene_voxels */
    struct channel drives[SCENE_CHANNELS], taps[SCENE_CHANNELS];
    struct branch branches[SCENE_MATERIALS][BRANCHES_MAX]; /* for codes from CELL_SOLID */
};

/* A box of air with rigid walls (code CELL_SOLID, Y = 0) at the default Courant number. Free with scene_free.
 * ERROR_STOPPED. */
int scene_box(struct scene *s, size_t nx, size_t ny, size_t nz, enum precision precision, struct error *e);
void scene_free(struct scene *s);

/* Makes the voxel set of the problem from the current cells, outside and areas; scene_open calls
 * it. A set from an earlier call remains valid while these do not change. */
int scene_voxels(struct scene *s, struct error *e);
int scene_open(struct solver **solver, struct scene *s, const struct solver_options *c, struct error *e);

/* Steps the same voxels by the 19-point scheme, in lossless air; to be called before channels
 * are added. */
void scene_use_corners(struct scene *s);

uint64_t scene_point(const struct scene *s, size_t x, size_t y, size_t z);
uint64_t scene_voxel(const struct scene *s, size_t x, size_t y, size_t z); /* index of `cells` */
bool scene_is_air(const struct scene *s, uint64_t point);                  /* the point is stepped */

uint64_t scene_air_points(const struct scene *s); /* number of these; smaller after a stop is requested */

/* With the 19-point stencil, an air point has an absorbing wall if its area is not 0. */
bool scene_absorbs(const struct scene *s, uint64_t point);

/* Weight of a source of strength λ²/m at an air point; m is its mass (7-point: 1). */
double scene_source_weight(const struct scene *s, uint64_t point);

/* Sets the voxels x0 <= x < x1 and so on to `code`. */
void scene_fill(struct scene *s, const size_t from[3], const size_t to[3], uint8_t code);

/* Sets a random area, from 0 to a whole face, for each face of a voxel. */
void scene_random_areas(struct scene *s, struct random *r);

/* Sets these branches, in units of the time step, on the material of code CELL_SOLID + material. */
void scene_branches(struct scene *s, int material, const struct branch *branches, size_t count);

/* Draws 1 to `max` random passive branches, with any time scale of a grid; some lack one or two
 * of the three elements. Returns their number. */
size_t scene_draw_branches(struct branch branches[BRANCHES_MAX], size_t max, struct random *r);

/* Makes tanks of some branches, each of one before it. */
void scene_draw_tanks(struct branch *branches, size_t count, struct random *r);
/* Sets them on the material. */
void scene_random_branches(struct scene *s, int material, size_t max, struct random *r);

/* Lets a wall transmit, as a partition of any mass that either stencil steps, and of any resistance. */
void scene_draw_transmission(struct leapfrog_problem *l, int code, struct random *r);

/* Adds a channel with one point; returns its number. */
size_t scene_drive(struct scene *s, uint64_t point, double weight);
size_t scene_tap(struct scene *s, uint64_t point, double weight);
/* Adds a point to the latest channel. */
void scene_extend(struct channel *c, uint64_t point, double weight, int8_t level);

/* A random air point; the scene must have one. */
uint64_t scene_air_point(const struct scene *s, struct random *r);

/* Random geometry: sizes 1..max, scattered solid cells of eight materials with Y from 0 to 2, half of them with
 * branches, fixed cells, different walls; every other room in lossy air, every other with random areas of faces, every
 * third with walls that transmit. */
int scene_random(struct scene *s, size_t max, enum precision precision, struct random *r, struct error *e);

/* Sets both levels of the field to zero-mean random values within about ±loudness/2; the mean is
 * computed over the air. */
int scene_noise(const struct scene *s, struct solver *solver, double loudness, struct random *r, struct error *e);

/* Runs `steps` steps; drive [drive_count][steps] (NULL: silence), taps [tap_count][steps]. */
int scene_run(struct scene *s, const struct solver_options *c, size_t steps, const double *drive, double *taps,
              struct error *e);

#endif
