/* The CPU engine's row of the engine table. */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/memory.h"
#include "cpu/kernel.h"
#include "cpu/stencils/arrays.h"
#include "schemes/leapfrog/leapfrog.h"

static const char *unavailable(void)
{
    return NULL;
}

static void describe(char *text, size_t size)
{
    char model[256] = "processor", line[512];
    FILE *f = fopen("/proc/cpuinfo", "r");
    while (f && fgets(line, sizeof line, f))
        if (sscanf(line, "model name : %255[^\n]", model) == 1)
            break;
    if (f)
        fclose(f);
    const struct problem any = {.points = {1, 1, 1}};
    const char *kernel = "none";
    for (size_t i = 0; kernels[i]; i++)
        if (!kernels[i]->applicable(&any)) {
            kernel = kernels[i]->name;
            break;
        }
    snprintf(text, size, "%s, %d threads, kernel %s", model, omp_get_max_threads(), kernel);
}

static const struct stepper *stepper(const struct scheme *scheme)
{
    return scheme == &leapfrog_scheme ? &cpu_leapfrog : &cpu_arrays;
}

static const char *kernel_name(const struct scheme *scheme, size_t index)
{
    if (scheme != &leapfrog_scheme)
        return array_kernel_name(scheme, index);
    size_t count = 0;
    while (kernels[count])
        count++;
    return index < count ? kernels[index]->name : NULL;
}

enum { COPY_BYTES = 1 << 28, COPIES = 9 };

static void copy(char *to, const char *from, int threads)
{
#pragma omp parallel for num_threads(threads) schedule(static)
    for (int part = 0; part < threads; part++) {
        const size_t first = (size_t)COPY_BYTES / (size_t)threads * (size_t)part;
        const size_t end = part + 1 < threads ? first + (size_t)COPY_BYTES / (size_t)threads : (size_t)COPY_BYTES;
        memcpy(to + first, from + first, end - first);
    }
}

/* Fastest of several copies of a quarter of a gigabyte by all threads: other load on the machine only slows a copy. */
static int copy_bandwidth(double *bytes_per_second, const struct choice *c, struct error *e)
{
    const int threads = c && c->threads > 0 ? c->threads : omp_get_max_threads();
    char *from = memory_large(COPY_BYTES), *to = memory_large(COPY_BYTES);
    int status = from && to ? 0 : fail(e, ERROR_MEMORY, "out of memory for measuring the copy bandwidth");
    double best = 0.0;
    if (!status) {
        copy(from, to, threads); /* first touch, outside the measured time */
        copy(to, from, threads);
    }
    for (int i = 0; i < COPIES && !status; i++) {
        const double start = clock_seconds();
        copy(to, from, threads);
        const double rate = 2.0 * COPY_BYTES / (clock_seconds() - start);
        best = rate > best ? rate : best;
    }
    free(from);
    free(to);
    *bytes_per_second = best;
    return status;
}

const struct engine cpu_engine = {
    .name = "cpu",
    .unavailable = unavailable,
    .describe = describe,
    .stepper = stepper,
    .kernel_name = kernel_name,
    .copy_bandwidth = copy_bandwidth,
};
