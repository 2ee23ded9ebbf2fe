/* SPDX-License-Identifier: MIT */
/* Loads MPI where a launcher has started several processes, each of which would do the whole work otherwise. */
#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/transport/process_module.h"
#include "solver/parts/processes.h"

static const char remedy[] = "install Open MPI (Debian: openmpi-bin; to build with it: libopenmpi-dev)";

/* mpirun of Open MPI; mpiexec of MPICH and its descendants, and srun --mpi=pmi2; srun, whatever it connects. */
static const char *const sizes[][2] = {
    {"OMPI_COMM_WORLD_SIZE", "mpirun"}, {"PMI_SIZE", "mpiexec"}, {"SLURM_STEP_NUM_TASKS", "srun"}};
enum { LAUNCHERS = sizeof sizes / sizeof *sizes };

/* The launcher of *count processes, as an index of `sizes`; LAUNCHERS: none, and one process. */
static size_t find_launcher(int *count)
{
    *count = 1;
    for (size_t i = 0; i < LAUNCHERS; i++) {
        const char *size = getenv(sizes[i][0]);
        const long processes = size ? strtol(size, NULL, 10) : 0;
        if (processes > 1 && processes <= INT_MAX) {
            *count = (int)processes;
            return i;
        }
    }
    return LAUNCHERS;
}

int processes_started(const char **launcher)
{
    int count;
    const size_t found = find_launcher(&count);
    if (launcher)
        *launcher = found < LAUNCHERS ? sizes[found][1] : NULL;
    return count;
}

const char *processes_variable(void)
{
    int count;
    const size_t found = find_launcher(&count);
    return found < LAUNCHERS ? sizes[found][0] : NULL;
}

/* Never unloaded. NULL, and the reason in `why`. Symbols are global: Open MPI's own plugins look for them there. */
static const struct process_module *load(char *why, size_t size)
{
    char *path = module_path("aula_mpi.so");
    void *handle = path ? dlopen(path, RTLD_NOW | RTLD_GLOBAL) : NULL;
    const struct process_module *module = handle ? dlsym(handle, "aula_process_module") : NULL;
    if (!path)
        snprintf(why, size, "aula was built without MPI");
    else if (!module)
        snprintf(why, size, "%s", dlerror());
    else if (strcmp(module->version, AULA_VERSION)) {
        snprintf(why, size, "%s is of aula %s", path, module->version);
        module = NULL;
    }
    free(path);
    return module;
}

const char *processes_describe(char *text, size_t size)
{
    static char why[512];
    const struct process_module *module = load(why, sizeof why);
    if (!module)
        return why;
    module->describe(text, size);
    return NULL;
}

static const struct process_module *opened;

int processes_open(struct transport **t, struct error *e)
{
    char why[512];
    const char *launcher;
    const int count = processes_started(&launcher);
    *t = NULL;
    opened = load(why, sizeof why);
    if (!opened)
        return fail(
            e, ERROR_USAGE,
            "%s started %d processes of aula, and there is no MPI (%s): %s, or start aula without %s; for a run "
            "of its own in each, add --parts 1",
            launcher, count, why, remedy, launcher);
    if (opened->open(t, e))
        return -1;
    if ((*t)->count == count)
        return 0;
    const int connected = (*t)->count;
    processes_close(*t);
    *t = NULL;
    return fail(e, ERROR_USAGE,
                "%s started %d processes of aula, of which Open MPI connects %d: start them with Open MPI's mpirun, or "
                "with srun --mpi=pmix; for a run of its own in each, add --parts 1",
                launcher, count, connected);
}

void processes_close(struct transport *t)
{
    if (t)
        opened->close(t);
}
