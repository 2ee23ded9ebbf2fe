/* SPDX-License-Identifier: MIT */
/* Time and memory for the voxels of a concert hall with two threads. Memory always has a bound,
 * time only with --full, as it depends on the load of the machine. */
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "validate/geometry/checks.h"
#include "validate/geometry/model_room.h"

enum { HALL = 1, THREADS = 2 };

/* Kilobytes in a line of /proc/self/status; -1: no such line. */
static double status_kilobytes(const char *name)
{
    FILE *file = fopen("/proc/self/status", "r");
    char line[256];
    double value = -1.0;
    while (file && fgets(line, sizeof line, file))
        if (!strncmp(line, name, strlen(name)) && line[strlen(name)] == ':')
            sscanf(line + strlen(name) + 1, "%lf", &value);
    if (file)
        fclose(file);
    return value;
}

/* Restarts the measurement of peak memory. Fails if the system does not support it. */
static bool reset_peak(void)
{
    FILE *file = fopen("/proc/self/clear_refs", "w");
    bool done = file && fputs("5", file) >= 0;
    if (file && fclose(file))
        done = false;
    return done;
}

static int measure(struct validation *v, struct report *r, const struct scene_mesh *mesh, double points,
                   double seconds_bound, struct error *e)
{
    const struct surface surface = surface_of(mesh);
    const struct lattice lattice = lattice_around(mesh, spacing_for(mesh, points));
    const double *source = models[HALL].source;
    const struct source_voxel seed = {{source[0], source[1], source[2]}, "source", false};
    const struct voxelize_options options = {
        .seal = VOXELIZE_SEAL, .crop = true, .threads = v->choice.threads ? v->choice.threads : THREADS};
    struct voxel_set *set;
    struct voxel_report report;
    const bool peaks = reset_peak();
    const double before = status_kilobytes("VmRSS"), start = clock_seconds(), used = processor_seconds();
    if (voxelize(&set, &report, &surface, &lattice, &seed, 1, &options, e)) {
        voxel_report_free(&report);
        return -1;
    }
    const double seconds = clock_seconds() - start, processor = processor_seconds() - used;
    const double megabytes = (status_kilobytes("VmHWM") - before) / 1024.0;
    const double own = (double)voxel_set_bytes(set) / 1048576.0;
    voxel_set_free(set);
    voxel_report_free(&report);
    if (v->full)
        report_bound(r, "speed", seconds, seconds_bound, "%s of %zu triangles, %.3g points (%.1f mm), %d threads: s",
                     models[HALL].name, mesh->count, points, 1e3 * lattice.spacing, options.threads);
    else
        report_figure(r, "speed", seconds, "%s of %zu triangles, %.3g points (%.1f mm), %d threads: s",
                      models[HALL].name, mesh->count, points, 1e3 * lattice.spacing, options.threads);
    report_figure(r, "speed", processor, "    processor time, s");
    if (peaks)
        report_bound(r, "speed", megabytes, 1024.0, "    peak memory, MiB, including %.1f for the voxels", own);
    else
        report_skip(r, "speed", "the system does not report peak memory");
    return 0;
}

int check_geometry_speed(struct validation *v, struct report *r, struct error *e)
{
    struct scene_mesh mesh = {.count = 0};
    const int status = model_read(&mesh, HALL, v, e) || measure(v, r, &mesh, 1e8, 1.0, e) ||
                       (v->full && measure(v, r, &mesh, 6e9, 15.0, e));
    mesh_clear(&mesh);
    return status ? -1 : 0;
}
