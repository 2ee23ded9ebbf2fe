/* SPDX-License-Identifier: MIT */
#include "batch/device_service.h"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/stop.h"
#include "base/text.h"

static const char program[] = "nvidia-cuda-mps-control";
static const char *const folders[] = {"CUDA_MPS_PIPE_DIRECTORY", "CUDA_MPS_LOG_DIRECTORY"};
static const char usual_pipe[] = "/tmp/nvidia-mps/control";

#define PATIENCE 10.0    /* s, for the program to answer */
#define STOP_SECONDS 3.0 /* for the service to end */

/* Waits for a process, which is killed where it takes too long or a stop is requested. Nonzero: it has failed. */
static int wait_for(pid_t id, double seconds)
{
    const struct timespec nap = {.tv_nsec = 2000000};
    const double until = clock_seconds() + seconds;
    int status = 0;
    pid_t got;
    while (!(got = waitpid(id, &status, WNOHANG)) && clock_seconds() < until && !stop_requested())
        nanosleep(&nap, NULL);
    if (got == id)
        return WIFEXITED(status) && !WEXITSTATUS(status) ? 0 : -1;
    kill(id, SIGKILL);
    waitpid(id, &status, 0);
    return -1;
}

/* Runs the program with an option, or with a command on its standard input; what it prints is of no use. */
static int control(const char *option, const char *command)
{
    char *arguments[] = {(char *)program, (char *)option, NULL};
    int input[2];
    pid_t id;
    if (pipe2(input, O_CLOEXEC))
        return -1;
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, input[0], STDIN_FILENO);
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    int status = posix_spawnp(&id, program, &actions, NULL, arguments, environ) ? -1 : 0;
    posix_spawn_file_actions_destroy(&actions);
    close(input[0]);
    if (!status && command && write(input[1], command, strlen(command)) < 0)
        status = -1;
    close(input[1]);
    return status ? -1 : wait_for(id, PATIENCE);
}

/* With the few files that the service leaves in it. */
static void remove_folder(const char *folder)
{
    DIR *d = opendir(folder);
    for (const struct dirent *entry; d && (entry = readdir(d)) != NULL;)
        unlinkat(dirfd(d), entry->d_name, 0);
    if (d)
        closedir(d);
    rmdir(folder);
}

/* The keeper: also when this process is killed, the service ends. Signals of a terminal are not for it. */
static void keep(int lifeline, const char *folder)
{
    char byte;
    const int nowhere = open("/dev/null", O_RDWR);
    setsid();
    signal(SIGINT, SIG_IGN);
    signal(SIGTERM, SIG_IGN);
    signal(SIGHUP, SIG_IGN);
    signal(SIGPIPE, SIG_IGN);
    for (int stream = STDIN_FILENO; stream <= STDERR_FILENO; stream++)
        dup2(nowhere, stream);
    while (read(lifeline, &byte, 1) > 0)
        ;
    control(NULL, "quit -t 1\n");
    remove_folder(folder);
    _exit(0);
}

static int start_keeper(struct device_service *s)
{
    int ends[2];
    if (pipe2(ends, O_CLOEXEC))
        return -1;
    fflush(NULL);
    s->keeper = fork();
    if (!s->keeper) {
        close(ends[1]);
        keep(ends[0], s->folder);
    }
    close(ends[0]);
    s->lifeline = ends[1];
    if (s->keeper > 0)
        return 0;
    close(ends[1]);
    return -1;
}

static void forget_folder(struct device_service *s)
{
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++)
        unsetenv(folders[i]);
    free(s->folder);
    s->folder = NULL;
}

void device_service_start(struct device_service *s)
{
    *s = (struct device_service){.shared = getenv(folders[0]) || !access(usual_pipe, F_OK)};
    if (s->shared)
        return;
    s->folder = text_format("/tmp/aula-mps-XXXXXX"); /* short: the path of a socket */
    if (!s->folder || !mkdtemp(s->folder)) {
        free(s->folder);
        s->folder = NULL;
        return;
    }
    bool started = true;
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++)
        started = started && !setenv(folders[i], s->folder, 1);
    started = started && !start_keeper(s); /* before the service: it cannot be left over */
    s->shared = started && !control("-d", NULL);
    if (s->shared)
        return;
    if (s->keeper > 0)
        device_service_stop(s);
    else if (s->folder) {
        remove_folder(s->folder);
        forget_folder(s);
    }
}

void device_service_stop(struct device_service *s)
{
    if (s->folder) {
        close(s->lifeline);
        const double until = clock_seconds() + STOP_SECONDS;
        const struct timespec nap = {.tv_nsec = 2000000};
        while (!waitpid(s->keeper, NULL, WNOHANG) && clock_seconds() < until && !stop_requested())
            nanosleep(&nap, NULL);
        forget_folder(s);
    }
    *s = (struct device_service){0};
}
