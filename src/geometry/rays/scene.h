/* SPDX-License-Identifier: MIT */
/* The faces of a room as triangles for rays, from the same surface that is voxelized
 * (geometry/surface.h). */
#ifndef AULA_GEOMETRY_RAYS_SCENE_H
#define AULA_GEOMETRY_RAYS_SCENE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/device.h"
#include "base/error.h"
#include "geometry/surface.h"

#define RAY_SCENE_DEVIATION 0.0005 /* m: the default of how far facets of round solids are from the true surface */

/* Whether a face lets rays through where its material does: to the air right behind it, or through a body to the face
 * on its other side. ray_scene_make makes all of them opaque. */
enum ray_through { RAY_OPAQUE, RAY_SHEET, RAY_BODY };

/* Both sides reflect: walls and sheets of a mesh have no orientation. The normal of a solid's face points out of it,
 * into the air; that of other faces is that of corners counter-clockwise. */
struct ray_face {
    double corner[3][3]; /* m */
    double normal[3];    /* unit */
    double area;         /* m² */
    uint32_t material;   /* index of surface.materials: of the side to which the normal points */
    uint32_t back;       /* of the other side */
    uint32_t solid;      /* index of surface.solids; RAY_NO_SOLID: a triangle of the surface */
    bool curved;         /* one of many facets of a sphere or around a cylinder */
    uint8_t through;     /* enum ray_through */
};
#define RAY_NO_SOLID UINT32_MAX

/* Of faces at the same place the later one is seen, as voxels see them: triangles by falling index of their material,
 * then solids in their order. Triangles without any area are left out; where solids are joined, faces within them
 * stay. */
struct ray_scene {
    struct ray_face *faces; /* [count] */
    size_t count;
    double lower[3], upper[3]; /* m: the box around them */
    double extent;             /* m: its longest side */
    double touching;  /* m: solids this close to each other are one partition for rays that pass; of ray_scene_make 0 */
    double deviation; /* m: the largest of any facet, inwards or outwards, from a round solid; 0: there are none */
};

/* The material of the side on which a ray of this direction, or a look, meets a face. */
ON_DEVICE uint32_t ray_face_material(const struct ray_face *f, const double direction[3])
{
    const double *n = f->normal;
    return n[0] * direction[0] + n[1] * direction[1] + n[2] * direction[2] > 0.0 ? f->back : f->material;
}

/* `deviation` > 0, m: round solids get as many facets, within limits, as keep them closer. Zero it first; ends with
 * ray_scene_free, also after an error. ERROR_MEMORY; ERROR_INPUT: there is no face. */
int ray_scene_make(struct ray_scene *s, const struct surface *surface, double deviation, struct error *e);
void ray_scene_free(struct ray_scene *s);

/* The distance, m, from a position to the closest face. */
double ray_scene_distance(const struct ray_scene *s, const double at[3]);

/* The volume, m³, that faces whose normals point out of it enclose; below 0 where they point inwards. Of closed
 * surfaces that are oriented throughout. */
double ray_scene_enclosed(const struct ray_scene *s);

#endif
