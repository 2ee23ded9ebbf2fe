/* SPDX-License-Identifier: MIT */
/* The unit sphere as triangles: an icosahedron whose edges are halved, and the middles moved out to the sphere. */
#ifndef AULA_GEOMETRY_GEODESIC_SPHERE_H
#define AULA_GEOMETRY_GEODESIC_SPHERE_H

enum { ICOSAHEDRON = 20 }; /* triangles; each subdivision makes four of one */

typedef void geodesic_triangle(void *context, const double corner[3][3]);

/* Calls `add` with each triangle, its corners on the sphere. Triangles beside each other share corners to the last
 * bit. */
void geodesic_sphere(int subdivisions, geodesic_triangle *add, void *context);

#endif
