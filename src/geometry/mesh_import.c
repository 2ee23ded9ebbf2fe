#include "geometry/mesh_import.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/memory.h"
#include "base/stop.h"
#include "geometry/mesh_wire.h"

const struct import_limits import_limits = {.bytes = 4e9, .cpu_seconds = 60, .wall_seconds = 180.0};

/* Bytes of address space of this process; 0: not known. */
static double address_space(void)
{
    double pages = 0.0;
    FILE *f = fopen("/proc/self/statm", "re");
    if (!f)
        return 0.0;
    if (fscanf(f, "%lf", &pages) != 1)
        pages = 0.0;
    fclose(f);
    return pages * (double)sysconf(_SC_PAGESIZE);
}

static void limit(__rlimit_resource_t resource, double value)
{
    struct rlimit r;
    if (getrlimit(resource, &r))
        return;
    const rlim_t wanted = value < 1e18 ? (rlim_t)value : RLIM_INFINITY;
    if (r.rlim_max == RLIM_INFINITY || wanted < r.rlim_max)
        r.rlim_cur = r.rlim_max = wanted;
    else
        r.rlim_cur = r.rlim_max;
    setrlimit(resource, &r);
}

/* The child's surroundings: nothing of the parent's, and no signal handler. `space`: its address space, bytes. */
static void confine(int pipe_end, pid_t parent, double space, const struct import_limits *limits)
{
    static const int reset[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE, SIGXFSZ, SIGXCPU, SIGPROF, SIGALRM, SIGCHLD};
    for (size_t i = 0; i < sizeof reset / sizeof *reset; i++)
        signal(reset[i], SIG_DFL);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) /* it ended before that */
        _exit(1);
    dup2(pipe_end, 3); /* first: the pipe may have the number of a closed standard descriptor */
    const int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
    for (int fd = 0; fd < 3; fd++)
        dup2(nothing, fd);
    close_range(4, ~0U, 0);
    limit(RLIMIT_CORE, 0.0);
    limit(RLIMIT_FSIZE, 0.0);
    limit(RLIMIT_CPU, limits->cpu_seconds);
    if (space > 0.0)
        limit(RLIMIT_AS, space + limits->bytes);
}

_Noreturn static void be_child(const char *path, bool file_axes, const struct mesh_importer *importer)
{
    struct mesh_builder b = {0};
    struct error why = {0};
    const int failed = importer->import(&b, path, file_axes, &why);
    _exit(mesh_wire_write(3, &b.mesh, failed ? &why : NULL) ? 1 : 0);
}

static int died(const char *path, int status, const struct mesh_importer *importer, const struct import_limits *limits,
                struct error *e)
{
    const int number = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    if (number == SIGXCPU || number == SIGKILL)
        return fail(e, ERROR_INPUT,
                    "%s: reading it took more than %u s of processor time or more than %s of memory: it is damaged, or "
                    "larger than %s can take; simplify it, or export it as OBJ",
                    path, limits->cpu_seconds, memory_text((uint64_t)limits->bytes), importer->name);
    return fail(
        e, ERROR_INPUT,
        "%s: %s crashed on it%s%s: it is damaged, or beyond what %s can read; export it as OBJ from the program "
        "that wrote it",
        path, importer->name, number ? ": " : "", number ? strsignal(number) : "", importer->name);
}

/* Ends the child for good. Returns its status; 0 when it is not known. */
static int reap(pid_t child)
{
    int status = 0;
    kill(child, SIGKILL);
    while (waitpid(child, &status, 0) < 0)
        if (errno != EINTR)
            return 0; /* the program that uses the library ignores SIGCHLD */
    return status;
}

static int take_mesh(struct mesh_builder *b, const char *path, int fd, pid_t child,
                     const struct mesh_importer *importer, const struct import_limits *limits, struct error *e)
{
    bool failed = false;
    const enum wire_status s = mesh_wire_read(fd, clock_seconds() + limits->wall_seconds, path, b, &failed, e);
    const int status = reap(child);
    switch (s) {
    case WIRE_DONE:
        return failed ? -1 : 0;
    case WIRE_STOPPED:
        return stop_check(e);
    case WIRE_LATE:
        return fail(e, ERROR_INPUT,
                    "%s: reading it took longer than %g s: it is damaged, or larger than %s can take; simplify it, or "
                    "export it as OBJ",
                    path, limits->wall_seconds, importer->name);
    case WIRE_ENDED:
        return died(path, status, importer, limits, e);
    case WIRE_REFUSED:
        break;
    }
    return -1;
}

int mesh_import(struct mesh *m, const char *path, bool file_axes, const struct mesh_importer *importer,
                const struct import_limits *limits, struct error *e)
{
    memset(m, 0, sizeof *m);
    int ends[2];
    const char *missing = importer->unavailable();
    if (missing)
        return fail(e, ERROR_INPUT, "%s: %s, so it reads OBJ alone: export the model as OBJ", path, missing);
    if (access(path, R_OK))
        return fail(e, ERROR_INPUT, "%s: cannot be read: %s", path, strerror(errno));
    if (pipe2(ends, O_CLOEXEC))
        return fail(e, ERROR_INPUT, "%s: cannot be read: no pipe: %s", path, strerror(errno));
    const pid_t parent = getpid();
    const double space = address_space();
    const pid_t child = fork();
    if (!child) {
        confine(ends[1], parent, space, limits);
        be_child(path, file_axes, importer);
    }
    close(ends[1]);
    struct mesh_builder b = {0};
    const int status = child < 0 ? fail(e, ERROR_INPUT, "%s: cannot be read: no process: %s", path, strerror(errno))
                                 : take_mesh(&b, path, ends[0], child, importer, limits, e);
    close(ends[0]);
    if (!status)
        mesh_builder_take(&b, m);
    mesh_builder_free(&b);
    return status;
}
