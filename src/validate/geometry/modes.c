/* SPDX-License-Identifier: MIT */
/* Frequency and decay of modes of a turned box and of a sphere, all of whose walls have the same
 * real admittance, compared with exact values. */
#include <complex.h>
#include <math.h>
#include <stdlib.h>

#include "base/stop.h"
#include "validate/geometry/checks.h"
#include "validate/geometry/voxel_run.h"
#include "validate/isotropic19/robin_box.h"

enum { PARTS = 6 /* PARTS: samples per period */, ITERATIONS = 50 };

static const double admittance = 0.05, spacing = 0.05, angles[3] = {30.0, 20.0, 10.0}, radius = 1.5;
static const double size[3] = {5.0, 4.0, 3.0};

struct mode {
    double frequency, decay; /* Hz, 1/s: e^{-decay t} cos(2 π frequency t) */
};

static double complex robin_box_mode(void)
{
    struct robin_box box = {.speed = SPEED_OF_SOUND / spacing};
    const size_t numbers[3] = {1, 0, 0};
    double complex q[3];
    for (int k = 0; k < 3; k++) {
        box.length[k] = size[k] / spacing;
        box.walls[k] = (struct admittance){.real = admittance};
    }
    return box.speed * robin_mode(&box, numbers, q);
}

/* The lowest radial mode sin(kr)/r of a sphere with e^{-jωt}: z cot z - 1 - j z Y = 0, z = ka, by Newton's method from
 * the rigid sphere's root. */
static double complex sphere_wavenumber(double y)
{
    double complex z = 4.4934 - 0.9 * I * y;
    for (int i = 0; i < ITERATIONS; i++) {
        const double complex cotangent = ccos(z) / csin(z);
        z -= (z * cotangent - 1.0 - I * z * y) / (cotangent - z / (csin(z) * csin(z)) - I * y);
    }
    return z / radius;
}

static struct mode exact_mode(bool sphere)
{
    const double complex omega = sphere ? SPEED_OF_SOUND * sphere_wavenumber(admittance) : robin_box_mode();
    return (struct mode){creal(omega) / (2.0 * M_PI), fabs(cimag(omega))};
}

/* The mode with rigid walls. */
static double box_shape(const double place[3])
{
    double axis[3]; /* of the turned box: its x */
    mesh_turn_point(axis, (const double[]){1.0, 0.0, 0.0}, angles[0], angles[1], angles[2]);
    return sin(M_PI * (axis[0] * place[0] + axis[1] * place[1] + axis[2] * place[2]) / size[0]);
}

static double sphere_shape(const double place[3])
{
    const double k = creal(sphere_wavenumber(0.0));
    const double kr = k * sqrt(place[0] * place[0] + place[1] * place[1] + place[2] * place[2]);
    return kr < 1e-9 ? 1.0 : sin(kr) / kr;
}

/* Least squares of s[t] = a s[t-1] + b s[t-2] (Prony): the pole pair of samples at distance
 * `interval`. */
static struct mode fit(const double *s, size_t count, double interval)
{
    double a11 = 0.0, a12 = 0.0, a22 = 0.0, b1 = 0.0, b2 = 0.0;
    for (size_t t = 2; t < count; t++) {
        a11 += s[t - 1] * s[t - 1];
        a12 += s[t - 1] * s[t - 2];
        a22 += s[t - 2] * s[t - 2];
        b1 += s[t - 1] * s[t];
        b2 += s[t - 2] * s[t];
    }
    const double determinant = a11 * a22 - a12 * a12;
    const double a = (b1 * a22 - b2 * a12) / determinant, b = (a11 * b2 - a12 * b1) / determinant;
    const double size_of_pole = sqrt(-b);
    return (struct mode){acos(0.5 * a / size_of_pole) / (2.0 * M_PI * interval), -log(size_of_pole) / interval};
}

/* Starts from the mode shape and projects on it, until it has fallen by e^-3. */
static int follow(struct mode *found, struct validation *v, struct voxel_run *run, const struct mode *exact,
                  const double *shape, struct error *e)
{
    const double step = voxel_run_step(run);
    const size_t every = (size_t)(1.0 / (exact->frequency * PARTS * step));
    const size_t count = (size_t)(3.0 / (exact->decay * (double)every * step));
    const struct block silence = {0};
    double *samples = calloc(count, sizeof *samples);
    struct solver *solver = NULL;
    int status = samples ? 0 : fail(e, ERROR_MEMORY, "out of memory");
    status = status || solver_open(&solver, &run->problem, &v->choice, e) || voxel_run_start(run, solver, e);
    for (size_t t = 0; t < count && !status; t++) {
        status = stop_check(e) || solver_run(solver, every, &silence, e) ||
                 solver_get(solver, "p", 0, run->problem.points[2], run->values, e);
        for (size_t i = 0; i < run->points && !status; i++)
            if (run->mass[i] > 0.0)
                samples[t] += run->mass[i] * shape[i] * run->values[i];
    }
    solver_close(solver);
    *found = fit(samples, status ? 0 : count, (double)every * step);
    free(samples);
    return status ? -1 : 0;
}

static int measure(struct mode *found, struct validation *v, const struct voxel_room *room, bool sphere,
                   enum air_stencil stencil, const struct mode *exact, struct error *e)
{
    struct voxel_run run;
    double *shape = NULL;
    int status = voxel_run_make(&run, room, stencil, e);
    if (!status && !(shape = calloc(run.points, sizeof *shape)))
        status = fail(e, ERROR_MEMORY, "out of memory");
    for (size_t i = 0; i < run.points && !status; i++) {
        double place[3];
        voxel_run_place(place, &run, i);
        shape[i] = run.values[i] = sphere ? sphere_shape(place) : box_shape(place);
    }
    voxel_run_admit(&run, admittance);
    status = status || follow(found, v, &run, exact, shape, e);
    free(shape);
    voxel_run_free(&run);
    return status;
}

static int check_shape(struct validation *v, struct report *r, bool sphere, struct error *e)
{
    enum { SUBDIVISIONS = 6 };
    const struct mode exact = exact_mode(sphere);
    struct scene_mesh mesh = {.count = 0};
    if (sphere)
        mesh_add_sphere(&mesh, (const double[]){0, 0, 0}, radius, SUBDIVISIONS, 0);
    else
        mesh_add_box(&mesh, (const double[]){-2.5, -2, -1.5}, (const double[]){2.5, 2, 1.5}, 0);
    mesh_turn(&mesh, angles[0], angles[1], angles[2]);
    int status = 0;
    for (int stencil = STENCIL_7_POINT; stencil <= STENCIL_19_POINT && !status; stencil++) {
        struct voxel_room room;
        struct mode found;
        status = voxel_room_make(&room, &mesh, spacing, (const double[]){0, 0, 0}, stencil == STENCIL_19_POINT, e) ||
                 measure(&found, v, &room, sphere, (enum air_stencil)stencil, &exact, e);
        voxel_room_free(&room);
        if (status)
            break;
        report_bound(r, "modes", fabs(found.decay / exact.decay - 1.0), stencil == STENCIL_19_POINT ? 0.012 : 0.01,
                     "%s, Y = %g, %g mm, %s: decay rate %.4f /s, exact %.4f: relative error",
                     sphere ? "sphere, lowest radial mode" : "turned box, mode (1,0,0)", admittance, 1e3 * spacing,
                     stencil_names[stencil], found.decay, exact.decay);
        report_bound(r, "modes", fabs(found.frequency / exact.frequency - 1.0), 0.015,
                     "    frequency %.4f Hz, exact %.4f: relative error", found.frequency, exact.frequency);
    }
    mesh_clear(&mesh);
    return status ? -1 : 0;
}

int check_geometry_modes(struct validation *v, struct report *r, struct error *e)
{
    return check_shape(v, r, false, e) || check_shape(v, r, true, e) ? -1 : 0;
}
