/* SPDX-License-Identifier: MIT */
/* Ray tracing in a hall of many triangles: speed of intersection tests, and time for the late
 * part. */
#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/random.h"
#include "geometry/rays/tree.h"
#include "io/json_build.h"
#include "render/hybrid/late_rays.h"
#include "render/hybrid/late_walls.h"
#include "validate/bench/bench.h"
#include "validate/hybrid/checks.h"
#include "validate/scene/meshes.h"

/* A hall of many triangles, for the speed of rays. */

enum { RAY_HALL_HARD, RAY_HALL_SEATS = 6, RAY_HALL_MATERIALS = 12 };

enum { ROWS = 36, SEATS = 24, COFFERS_ALONG = 24, COFFERS_ACROSS = 10, LAMPS = 20, LAMP_SUBDIVISIONS = 2 };

static void add_seat(struct scene_mesh *mesh, double x, double y)
{
    mesh_add_box(mesh, (const double[]){x, y, 0.0}, (const double[]){x + 0.5, y + 0.5, 0.45}, RAY_HALL_SEATS);
    mesh_add_box(mesh, (const double[]){x + 0.5, y, 0.45}, (const double[]){x + 0.6, y + 0.5, 0.9}, RAY_HALL_SEATS);
}

static void ray_hall_make(struct scene_mesh *mesh)
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

enum { BOUNCES = 100, WALK_RAYS = 100000 };
static const double speed = 343.2;                                                     /* m/s */
static const double source_at[3] = {4.0, 9.0, 1.6}, receiver_at[3] = {20.0, 9.1, 1.4}; /* m */

struct hall {
    struct ray_scene scene;
    struct ray_tree tree;
    struct late_bands bands;
    struct late_wall walls[RAY_HALL_MATERIALS];
};

/* A direction by Lambert's law around a normal: the sum of the normal and a uniform direction on
 * the sphere. */
static void scatter(double direction[3], const double normal[3], struct random *random)
{
    const double z = 2.0 * random_unit(random) - 1.0, angle = 6.28318530717958648 * random_unit(random);
    const double sphere[3] = {sqrt(1.0 - z * z) * cos(angle), sqrt(1.0 - z * z) * sin(angle), z};
    double square = 0.0;
    for (int k = 0; k < 3; k++) {
        direction[k] = sphere[k] + normal[k];
        square += direction[k] * direction[k];
    }
    for (int k = 0; k < 3; k++)
        direction[k] = square > 1e-24 ? direction[k] / sqrt(square) : normal[k];
}

/* Sums over rays that every face scatters by Lambert's law. */
struct walk {
    double seconds, length; /* s; m: total length of all segments */
    size_t segments;
};

static void walk_one(const struct hall *hall, size_t index, size_t *segments, double *length)
{
    struct random random = {index * 7919 + 1};
    struct ray ray = {.reach = INFINITY, .left = RAY_NO_FACE};
    memcpy(ray.origin, source_at, sizeof ray.origin);
    scatter(ray.direction, (const double[]){1.0, 0.0, 0.0}, &random);
    for (int bounce = 0; bounce < BOUNCES; bounce++) {
        struct ray_hit hit;
        double origin[3], normal[3];
        if (!ray_tree_closest(&hall->tree, &ray, &hit))
            return;
        ray_leave(origin, normal, &hall->scene, &ray, &hit);
        memcpy(ray.origin, origin, sizeof origin);
        scatter(ray.direction, normal, &random);
        ray.left = hit.face;
        ++*segments;
        *length += hit.distance;
    }
}

static struct walk walk_all(const struct hall *hall, int threads)
{
    struct walk walk = {.segments = 0};
    size_t segments = 0;
    double length = 0.0;
    const double start = clock_seconds();
#pragma omp parallel for schedule(dynamic, 64) reduction(+ : segments, length) num_threads(threads)
    for (size_t i = 0; i < WALK_RAYS; i++)
        walk_one(hall, i, &segments, &length);
    walk.seconds = clock_seconds() - start;
    walk.segments = segments;
    walk.length = length;
    return walk;
}

struct late_case {
    const char *name;
    double admittance[2]; /* of walls and seats, specific */
};
static const struct late_case cases[] = {{"very low absorption", {0.001, 0.001}}, {"absorbing seats", {0.01, 0.2}}};
enum { CASES = sizeof cases / sizeof *cases };

struct late_time {
    double seconds, reverberation; /* s */
    size_t lost;
};

static double complex real_admittance(const void *admittance, double frequency)
{
    (void)frequency;
    return *(const double *)admittance;
}

/* Free with hall_free, also after an error. */
static int hall_make(struct hall *hall, const struct late_case *c, struct error *e)
{
    const double scattering[OCTAVE_BANDS] = {0.3, 0.3, 0.3, 0.3, 0.3, 0.3, 0.3, 0.3};
    struct scene_mesh mesh = {.triangles = NULL};
    ray_hall_make(&mesh);
    const struct surface surface = surface_of(&mesh);
    *hall = (struct hall){.bands = late_bands_make(1, 63.0, 20000.0)};
    const struct late_bands parts = late_bands_split(&hall->bands, LATE_PARTS);
    for (int i = 0; i < RAY_HALL_MATERIALS; i++)
        late_wall_make(&hall->walls[i],
                       &(struct late_material){.admittance = real_admittance,
                                               .context = &c->admittance[i < RAY_HALL_SEATS ? 0 : 1],
                                               .scattering = scattering},
                       &parts);
    const int status =
        ray_scene_make(&hall->scene, &surface, RAY_SCENE_DEVIATION, e) || ray_tree_make(&hall->tree, &hall->scene, e);
    mesh_clear(&mesh);
    return status ? -1 : 0;
}

static void hall_free(struct hall *hall)
{
    ray_tree_free(&hall->tree);
    ray_scene_free(&hall->scene);
}

static int time_late(struct late_time *t, const struct hall *hall, size_t rays, double duration, int threads,
                     struct error *e)
{
    const struct late_point source = {.position = {source_at[0], source_at[1], source_at[2]}};
    const struct late_point receiver = {.position = {receiver_at[0], receiver_at[1], receiver_at[2]}};
    const struct late_settings settings = {
        .rays = rays, .parts = LATE_PARTS, .seed = 1, .image_order = 3, .duration = duration, .threads = threads};
    const struct late_room room = {.scene = &hall->scene,
                                   .tree = &hall->tree,
                                   .walls = hall->walls,
                                   .wall_count = RAY_HALL_MATERIALS,
                                   .sound_speed = speed};
    struct late_histogram h;
    const double start = clock_seconds();
    if (late_rays_trace(&h, &room, &hall->bands, &source, &receiver, 1, &settings, e))
        return -1;
    *t = (struct late_time){clock_seconds() - start, late_reverberation(&h, 0, 4, 30.0), h.lost};
    late_histogram_free(&h);
    return 0;
}

static void add_row(cJSON *rows, const char *name, double seconds, size_t rays, double segments)
{
    if (!rows) {
        printf("%-46s %10.0f %10.2f %12.2f\n", name, (double)rays, seconds, 1e-6 * segments / seconds);
        fflush(stdout);
        return;
    }
    cJSON *row = cJSON_CreateObject();
    cJSON_AddStringToObject(row, "name", name);
    cJSON_AddNumberToObject(row, "rays", (double)rays);
    cJSON_AddNumberToObject(row, "seconds", seconds);
    cJSON_AddNumberToObject(row, "segments_per_second", segments / seconds);
    cJSON_AddItemToArray(rows, row);
}

static int measure(cJSON *rows, const struct bench_settings *o, struct error *e)
{
    const int threads = o->choice.threads > 0 ? o->choice.threads : omp_get_max_threads();
    const size_t rays = o->full ? 1000000 : 100000;
    int status = 0;
    for (int i = 0; i < CASES && !status; i++) {
        static struct hall hall;
        struct late_time late = {.lost = 0};
        const double start = clock_seconds();
        status = hall_make(&hall, &cases[i], e);
        const double made = clock_seconds() - start;
        if (!status) {
            const struct walk walk = walk_all(&hall, threads);
            const double path = walk.length / (double)walk.segments;
            if (!rows && !i)
                printf("Rays in a hall: %zu triangles, mean free path %.2f m, scene built in %.2f s; %d "
                       "threads\n\n%-46s %10s %10s %12s\n",
                       hall.scene.count, path, made, threads, "", "rays", "time s", "Mray/s");
            if (!i)
                add_row(rows, "intersections only, 100 diffuse reflections", walk.seconds, WALK_RAYS,
                        (double)walk.segments);
            status = time_late(&late, &hall, rays, BOUNCES * path / speed, threads, e);
        }
        if (!status) {
            char name[80];
            snprintf(name, sizeof name, "late part, 100 mean free paths, %s", cases[i].name);
            add_row(rows, name, late.seconds, rays, (double)(BOUNCES * rays));
        }
        hall_free(&hall);
    }
    return status;
}

static int run(const struct bench_settings *o, struct error *e)
{
    if (o->plot || o->webb_variant || o->choice.kernel || o->choice.block[0] || o->choice.time_block ||
        o->choice.cuda.in_place || o->choice.parts.count || o->choice.device_count)
        return fail(e, ERROR_USAGE, "aula bench rays supports --threads, --full and --json only");
    cJSON *rows = o->json ? cJSON_CreateArray() : NULL;
    if (measure(rows, o, e)) {
        cJSON_Delete(rows);
        return -1;
    }
    return o->json ? json_print(rows, e) : 0;
}

const struct benchmark benchmark_rays = {"rays", "ray tracing of the late part in a hall of 36,428 triangles", run};
