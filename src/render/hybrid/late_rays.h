/* SPDX-License-Identifier: MIT */
/* The late half: rays that carry energy by band, reflected and scattered by a room's faces, theory (84) to (86).
 *
 * Each of N rays leaves the source with 1/(4πN) of |H|² in the mean; more leave, with less, where it lasts
 * (ray_guiding.h). At a face its energy is multiplied by |R|²; of that the part s is scattered by Lambert's law, the rest
 * reflected as by a mirror. A ray goes one of the two ways by chance, with weights that leave the mean of each band as
 * it is; bands whose s differ much are traced apart. What an octave keeps of its energy is a mean over its frequencies
 * at the end, not at each wall: the frequencies that walls absorb least are those that are left. So rays may carry the
 * energies of parts of each band. What a receiver gets:
 *
 *   spheres   e l/V for a way of l within a sphere of volume V around it, from rays last reflected as by a mirror
 *   rain      e s cos θ/(π d²) from each hit at a distance d that nothing hides, θ from the normal of the face: diffuse rain
 *             (Schröder 2011, "Physically based real-time auralization")
 *
 * The way after a scattering is not counted by spheres, since rain has counted it, but for receivers less than
 * LATE_NEAREST from a face, which rain would drench: they have no rain. A sphere that faces reach into counts what its
 * centre sees of ways and of its volume. Ways reflected by flat faces alone, as by mirrors and image_order times at
 * most, are left to image sources. */
#ifndef AULA_RENDER_HYBRID_LATE_RAYS_H
#define AULA_RENDER_HYBRID_LATE_RAYS_H

#include <stdint.h>

#include "geometry/rays/edges.h"
#include "render/hybrid/late_tally.h"

#define LATE_PARTS 3     /* of an octave, so that its frequencies decay each by themselves */
#define LATE_NEAREST 0.2 /* m */
#define LATE_PILOTS 4096
#define LATE_EDGE_RAYS 4
#define LATE_EDGE_LEAST 0.2   /* of all rays: a group has at least so many, whatever work they are */
#define LATE_EDGE_PILOTS 1024 /* of each group that edges turn */
#define LATE_RADIUS 0.3       /* m: of spheres; LATE_WIDENING of ways that are longer */
#define LATE_WIDENING 0.1
#define LATE_SPREAD 0.3 /* of the mean distance of what a receiver sees: the largest */

/* Into, or from, a direction (unit vector): |D|², 1 for all directions alike. */
typedef double late_pattern(const void *context, const double direction[3]);

struct late_point {
    double position[3];    /* m */
    late_pattern *pattern; /* of a source into where rays leave; of a receiver towards where they come from; NULL: 1 */
    const void *context;
};

struct late_room {
    const struct ray_scene *scene;
    const struct ray_tree *tree;
    const struct ray_edges *edges; /* that turn rays, as late_walls.h has it; NULL: none do */
    const struct late_wall *walls; /* by material, in settings.parts of each band */
    size_t wall_count;
    double sound_speed;               /* m/s */
    const struct air_conditions *air; /* NULL: lossless */
};

struct late_settings {
    size_t rays;  /* where edges turn them, bands have rays of their own, together LATE_EDGE_RAYS times as many */
    size_t parts; /* of each band, in which rays carry energies: late_bands_split; 0: 1 */
    uint64_t seed;
    int image_order;   /* reflections of the image sources; -1: there are none, not even the direct sound */
    double duration;   /* s */
    size_t pilots;     /* rays that go ahead for the mean energies of all; 0: LATE_PILOTS */
    double variance;   /* that one scattering may add to a band that is traced with others; 0: 0.02 */
    double rain_share; /* shadow rays for each hit, in the mean; 0: 0.25 for each receiver, 1 at most */
    bool directions;   /* sum the moments of direction, too; else they stay 0 */
    int threads;       /* 0: as many as OpenMP gives */
    bool plain; /* rays leave evenly, and neither end by chance nor are divided (late_reference.h): slower, for tests */
};

/* *h: made here, with as many bins as the duration has. The same bits for any number of threads. ERROR_MEMORY,
 * ERROR_STOPPED. */
int late_rays_trace(struct late_histogram *h, const struct late_room *room, const struct late_bands *bands,
                    const struct late_point *source, const struct late_point *receivers, size_t receiver_count,
                    const struct late_settings *settings, struct error *e);

/* Bands traced with the same rays, and by chance how often they are scattered there. */
struct late_group {
    size_t first, count;
};
#define LATE_VARIANCE 0.02 /* the default of late_settings.variance */
/* groups[LATE_BANDS_MAX]; how many. Within each, one scattering raises the variance of no band by more than
 * `variance`. */
size_t late_groups_make(struct late_group *groups, const struct late_wall *walls, size_t wall_count, size_t bands,
                        double variance);

/* Cuts groups of `parts` bands of each of these, so that none is in two of them up to LATE_EDGE_HIGHEST, nor across it:
 * edges turn rays by one wavelength. members[count]: of how many each group is one. Returns their number. */
size_t late_groups_cut(struct late_group *groups, size_t *members, size_t count, const struct late_bands *bands,
                       size_t parts);

/* The chance of scattering at a wall with which a group is traced. */
double late_group_chance(const struct late_group *group, const struct late_wall *wall);

#endif
