/* SPDX-License-Identifier: MIT */
#include "validate/hybrid/ray_hall.h"

enum { ROWS = 36, SEATS = 24, COFFERS_ALONG = 24, COFFERS_ACROSS = 10, LAMPS = 20, LAMP_SUBDIVISIONS = 2 };

static void add_seat(struct scene_mesh *mesh, double x, double y)
{
    mesh_add_box(mesh, (const double[]){x, y, 0.0}, (const double[]){x + 0.5, y + 0.5, 0.45}, RAY_HALL_SEATS);
    mesh_add_box(mesh, (const double[]){x + 0.5, y, 0.45}, (const double[]){x + 0.6, y + 0.5, 0.9}, RAY_HALL_SEATS);
}

void ray_hall_make(struct scene_mesh *mesh)
{
    mesh_add_box(mesh, (const double[]){0.0, 0.0, 0.0}, (const double[]){48.0, 19.0, 17.0}, RAY_HALL_HARD);
    for (int row = 0; row < ROWS; row++)
        for (int seat = 0; seat < SEATS; seat++)
            add_seat(mesh, 8.0 + row, 1.0 + 0.7 * seat);
    for (int i = 0; i < COFFERS_ALONG; i++)
        for (int k = 0; k < COFFERS_ACROSS; k++)
            mesh_add_box(mesh, (const double[]){2.0 * i + 0.2, 1.9 * k + 0.2, 16.2},
                         (const double[]){2.0 * i + 1.8, 1.9 * k + 1.7, 16.9}, RAY_HALL_HARD);
    for (int i = 0; i < LAMPS; i++)
        for (int side = 0; side < 2; side++)
            mesh_add_sphere(mesh, (const double[]){2.0 + 2.2 * i, side ? 1.2 : 17.8, 6.0}, 0.4, LAMP_SUBDIVISIONS,
                            RAY_HALL_HARD);
}
