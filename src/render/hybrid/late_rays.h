/* SPDX-License-Identifier: MIT */
/* Late part by ray tracing: rays that carry energy by band, reflected and scattered by the faces of
 * a room, theory (84) to (86).
 *
 * Each of N rays leaves the source with 1/(4πN) of |H|² on average; in directions whose energy
 * lasts, more rays leave with less energy each (ray_guiding.h). A face multiplies the energy by
 * |R|²; of this, the fraction s is scattered by Lambert's law, and 1 - s is reflected specularly. A
 * ray takes one of the two paths at random, with weights that preserve the mean of each band; bands
 * of very different s are traced separately. The energy of an octave averages over its frequencies
 * at the end of the path, not at each wall, because the frequencies that the walls absorb least
 * survive. Rays may therefore carry the energies of parts of each band. Receivers detect
 *
 *   spheres       e l/V for a path segment of length l within a sphere of volume V around the
 *                 receiver, of rays whose last reflection was specular
 *   diffuse rain  e s cos θ/(π d²) from each visible hit at the distance d, θ from the normal of
 *                 the face (Schröder 2011, "Physically based real-time auralization")
 *
 * Spheres ignore the segment after a scattering, which rain has counted. Receivers less than
 * LATE_NEAREST from a face, at which rain diverges, count by spheres only. A sphere that faces
 * reach into counts the segments and the volume that its centre sees. Paths of up to image_order
 * reflections, all specular and off flat faces, are left to image sources. */
#ifndef AULA_RENDER_HYBRID_LATE_RAYS_H
#define AULA_RENDER_HYBRID_LATE_RAYS_H

#include <stdint.h>

#include "geometry/rays/edges.h"
#include "render/hybrid/late_audit.h"
#include "render/hybrid/late_tally.h"

#define LATE_PARTS 3     /* parts of an octave, whose frequencies decay separately */
#define LATE_NEAREST 0.2 /* m */
#define LATE_PILOTS 4096
#define LATE_EDGE_RAYS 4
#define LATE_EDGE_LEAST 0.2   /* of all rays: least share of a group, whatever it costs */
#define LATE_EDGE_PILOTS 1024 /* of each group with deflecting edges */
#define LATE_SPREAD 0.3       /* of the mean distance of the visible surroundings: largest radius */

/* |D|² into, or from, a direction (unit vector); 1 for omnidirectional. */
typedef double late_pattern(const void *context, const double direction[3]);

struct late_point {
    double position[3];    /* m */
    late_pattern *pattern; /* of a source towards departure, of a receiver towards arrival; NULL: 1 */
    const void *context;
};

struct late_room {
    const struct ray_scene *scene;
    const struct ray_tree *tree;
    const struct ray_edges *edges; /* that deflect rays, see late_walls.h; NULL: none */
    const struct late_wall *walls; /* by material, for settings.parts of each band */
    size_t wall_count;
    const struct late_wall *pairs;    /* [sheets][sheets]: walls of two materials, whose sheets act together, by
                                      late_wall.sheet of the one that a ray meets, then of the one behind it */
    size_t sheets;                    /* 0: there are no such walls */
    double sound_speed;               /* m/s */
    const struct air_conditions *air; /* NULL: lossless */
};

struct late_settings {
    size_t rays;  /* with deflecting edges each band has its own rays, LATE_EDGE_RAYS times as many in total */
    size_t parts; /* parts of each band, in which rays carry energies: late_bands_split; 0: 1 */
    uint64_t seed;
    int image_order;          /* reflections of the image sources; -1: none, not even the direct sound */
    double duration;          /* s */
    size_t pilots;            /* pilot rays that estimate the mean energies; 0: LATE_PILOTS */
    double variance;          /* variance that one scattering may add to a band traced together with others; 0: 0.02 */
    double rain_share;        /* mean number of shadow rays per hit; 0: 0.25 per receiver, at most 1 */
    bool directions;          /* also sum the moments of direction; else they stay 0 */
    int threads;              /* 0: OpenMP's default */
    bool on_device;           /* a GPU traces if it can: late_device.h */
    int device;               /* its index */
    struct late_audit *audit; /* filled for the walls, with [bands × parts] bands; NULL: none. The CPU traces then */
    bool plain; /* rays leave evenly, without roulette and splitting (late_reference.h): slow, for tests */
};

/* *h: made here, with enough bins for the duration. Same bits for any number of threads.
 * ERROR_MEMORY, ERROR_STOPPED. */
int late_rays_trace(struct late_histogram *h, const struct late_room *room, const struct late_bands *bands,
                    const struct late_point *source, const struct late_point *receivers, size_t receiver_count,
                    const struct late_settings *settings, struct error *e);

/* Bands traced with the same rays, and the range of scattering from which their chance follows. */
struct late_group {
    size_t first, count;
};
#define LATE_VARIANCE 0.02 /* default of late_settings.variance */
/* Fills groups[LATE_BANDS_MAX] and returns their number. Within a group, one scattering raises the
 * variance of no band by more than `variance`. */
size_t late_groups_make(struct late_group *groups, const struct late_wall *walls, size_t wall_count, size_t bands,
                        double variance);

/* Splits groups of `parts` parts per band such that no group contains two bands up to
 * LATE_EDGE_HIGHEST or crosses that limit, since edges deflect rays at one wavelength.
 * members[count]: number of pieces of each original group. Returns the number of groups. */
size_t late_groups_cut(struct late_group *groups, size_t *members, size_t count, const struct late_bands *bands,
                       size_t parts);

/* Chance of scattering at a wall with which a group is traced. */
double late_group_chance(const struct late_group *group, const struct late_wall *wall);

#endif
