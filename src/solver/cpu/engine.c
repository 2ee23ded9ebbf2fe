/* SPDX-License-Identifier: MIT */
/* The CPU engine's row of the engine table. */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/memory.h"
#include "solver/cpu/kernels.h"
#include "solver/cpu/stencils/arrays.h"
#include "solver/engine.h"
#include "solver/schemes/isotropic19/isotropic19.h"
#include "solver/schemes/leapfrog/leapfrog.h"

/* A kernel that refuses this problem cannot run on this machine. */
static const struct problem any = {.points = {1, 1, 1}};

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
    const char *kernel = "none";
    for (size_t i = 0; kernels[i]; i++)
        if (!kernels[i]->applicable(&any)) {
            kernel = kernels[i]->name;
            break;
        }
    snprintf(text, size, "%s, %d threads, kernel %s", model, omp_get_max_threads(), kernel);
}

static const struct kernel *leapfrog_kernel(const struct scheme *scheme, size_t index)
{
    const struct kernel *const *table = scheme == &isotropic19_scheme ? isotropic19_kernels : kernels;
    size_t count = 0;
    while (table[count])
        count++;
    return index < count ? table[index] : NULL;
}

static const char *leapfrog_kernel_name(const struct scheme *scheme, size_t index)
{
    const struct kernel *k = leapfrog_kernel(scheme, index);
    return k ? k->name : NULL;
}

static const char *leapfrog_kernel_fault(const struct scheme *scheme, size_t index)
{
    const struct kernel *k = leapfrog_kernel(scheme, index);
    return k ? k->applicable(&any) : NULL;
}

/* Schemes and their steppers. */
static const struct {
    const struct scheme *scheme; /* NULL: all other schemes */
    const struct stepper *stepper;
    const char *(*kernel_name)(const struct scheme *scheme, size_t index);
    const char *(*kernel_fault)(const struct scheme *scheme, size_t index); /* NULL: no reasons are available */
} steppers[] = {
    {&cartesian7_scheme, &cpu_leapfrog, leapfrog_kernel_name, leapfrog_kernel_fault},
    {&isotropic19_scheme, &cpu_leapfrog, leapfrog_kernel_name, leapfrog_kernel_fault},
    {NULL, &cpu_arrays, array_kernel_name, NULL},
};

static size_t row_of(const struct scheme *scheme)
{
    size_t row = 0;
    while (steppers[row].scheme && steppers[row].scheme != scheme)
        row++;
    return row;
}

static const struct stepper *stepper(const struct scheme *scheme)
{
    return steppers[row_of(scheme)].stepper;
}

static const char *kernel_name(const struct scheme *scheme, size_t index)
{
    return steppers[row_of(scheme)].kernel_name(scheme, index);
}

static const char *kernel_fault(const struct scheme *scheme, size_t index)
{
    const size_t row = row_of(scheme);
    return steppers[row].kernel_fault ? steppers[row].kernel_fault(scheme, index) : NULL;
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

/* Returns the fastest of several copies of a quarter of a gigabyte by all threads, as other load
 * can only slow a copy. */
static int copy_bandwidth(double *bytes_per_second, const struct solver_options *c, struct error *e)
{
    const int threads = c && c->threads > 0 ? c->threads : omp_get_max_threads();
    char *from = memory_large(COPY_BYTES), *to = memory_large(COPY_BYTES);
    int status = from && to ? 0 : fail(e, ERROR_MEMORY, "out of memory");
    double best = 0.0;
    if (!status) {
        copy(from, to, threads); /* first touch, before timing */
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
    .kernel_fault = kernel_fault,
    .copy_bandwidth = copy_bandwidth,
};
