/* SPDX-License-Identifier: MIT */
#include "render/batch/device_service.h"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/child.h"
#include "base/clock.h"
#include "base/data_path.h"
#include "base/stop.h"

static const char program[] = "nvidia-cuda-mps-control";
static const char pipe_folder[] = "CUDA_MPS_PIPE_DIRECTORY", log_folder[] = "CUDA_MPS_LOG_DIRECTORY";
static const char usual_pipe[] = "/tmp/nvidia-mps/control";

#define PATIENCE 10.0    /* s, for the program to start or end a service */
#define ASK_SECONDS 1.0  /* s, for a running service to answer */
#define STOP_SECONDS 3.0 /* s, for the service to end */
enum { TRIES_TO_QUIT = 20, FOLDER_MAX = 64 };

/* Waits for a process and kills it after `seconds`. Nonzero: it has failed. */
static int wait_for(pid_t id, double seconds)
{
    const double until = clock_seconds() + seconds;
    int status = 0;
    pid_t got;
    while (!(got = waitpid(id, &status, WNOHANG)) && clock_seconds() < until)
        poll_sleep();
    if (got == id)
        return WIFEXITED(status) && !WEXITSTATUS(status) ? 0 : -1;
    kill(id, SIGKILL);
    waitpid(id, &status, 0);
    return -1;
}

/* Runs the program with an option, or with a command on its standard input; ignores its output. */
static int control(const char *option, const char *command, double seconds)
{
    char *arguments[] = {(char *)program, (char *)option, NULL};
    int input[2];
    pid_t id;
    if (pipe2(input, O_CLOEXEC))
        return -1;
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    sigset_t usual; /* the keeper ignores some signals */
    sigfillset(&usual);
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setsigdefault(&attributes, &usual);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, input[0], STDIN_FILENO);
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    int status = posix_spawnp(&id, program, &actions, &attributes, arguments, environ) ? -1 : 0;
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    if (!status && command) /* into the pipe, which `input[0]` keeps open */
        status = wire_put(input[1], command, strlen(command));
    close(input[0]);
    close(input[1]);
    return status ? -1 : wait_for(id, seconds);
}

/* ---- The keeper: a process that starts the service and ends it when the lifeline is closed,
 * however this process ends */

/* Removes the folder and the few files that the service leaves in it. */
static void remove_folder(const char *folder)
{
    DIR *d = opendir(folder);
    for (const struct dirent *entry; d && (entry = readdir(d)) != NULL;)
        unlinkat(dirfd(d), entry->d_name, 0);
    if (d)
        closedir(d);
    rmdir(folder);
}

/* Detaches from the terminal's signals, and from all streams of this process. */
static void stand_alone(void)
{
    static const int ignored[] = {SIGINT, SIGTERM, SIGHUP, SIGPIPE};
    const int nowhere = open("/dev/null", O_RDWR);
    sigset_t none;
    setsid();
    for (size_t i = 0; i < sizeof ignored / sizeof *ignored; i++)
        signal(ignored[i], SIG_IGN);
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    for (int stream = STDIN_FILENO; stream <= STDERR_FILENO; stream++)
        dup2(nowhere, stream);
}

/* Reports its folder once the service runs, and nothing if it does not start. */
static void keep(int lifeline, int news)
{
    char folder[FOLDER_MAX] = "/tmp/aula-mps-XXXXXX", byte; /* short, because it becomes the path of a socket */
    stand_alone();
    if (!mkdtemp(folder) || setenv(pipe_folder, folder, 1) || setenv(log_folder, folder, 0))
        _exit(1);
    const bool runs = !control("-d", NULL, PATIENCE);
    if (runs)
        wire_put(news, folder, sizeof folder);
    close(news);
    while (runs && read(lifeline, &byte, 1) > 0)
        ;
    for (int i = 0; i < TRIES_TO_QUIT && control(NULL, "quit -t 1\n", PATIENCE);
         i++) /* the service may have missed the first one */
        for (int k = 0; k < TRIES_TO_QUIT; k++)
            poll_sleep();
    remove_folder(folder);
    _exit(0);
}

/* Blocks signals, which the keeper would receive too. */
static pid_t fork_keeper(int lifeline[2], int news[2])
{
    sigset_t all, before;
    fflush(NULL);
    sigfillset(&all);
    sigprocmask(SIG_SETMASK, &all, &before);
    const pid_t id = fork();
    if (!id) {
        close(lifeline[1]);
        close(news[0]);
        keep(lifeline[0], news[1]);
    }
    sigprocmask(SIG_SETMASK, &before, NULL);
    return id;
}

static void close_both(int ends[2])
{
    close(ends[0]);
    close(ends[1]);
}

static int start_keeper(struct device_service *s, int *answer)
{
    int lifeline[2], news[2];
    if (pipe2(lifeline, O_CLOEXEC))
        return -1;
    if (pipe2(news, O_CLOEXEC)) {
        close_both(lifeline);
        return -1;
    }
    s->keeper = fork_keeper(lifeline, news);
    close(lifeline[0]);
    close(news[1]);
    s->lifeline = lifeline[1];
    *answer = news[0];
    return 0;
}

/* Whether a service answers at the folder in the environment, or at the default one. */
static bool another_runs(void)
{
    return (getenv(pipe_folder) || !access(usual_pipe, F_OK)) && !control(NULL, "get_server_list\n", ASK_SECONDS);
}

static void find_service(struct device_service *s)
{
    *s = (struct device_service){.shared = is_installed(program) && another_runs()};
}

void device_service_start(struct device_service *s)
{
    char folder[FOLDER_MAX];
    int answer;
    find_service(s);
    if (s->shared || getenv(pipe_folder) || !is_installed(program) || start_keeper(s, &answer))
        return;
    s->started = true;
    s->sets_log = !getenv(log_folder);
    const enum wire_status told = wire_get(answer, clock_seconds() + PATIENCE, folder, sizeof folder);
    close(answer);
    s->shared = s->keeper > 0 && told == WIRE_DONE && !setenv(pipe_folder, folder, 1) &&
                (!s->sets_log || !setenv(log_folder, folder, 1));
    if (!s->shared)
        device_service_stop(s);
}

void device_service_stop(struct device_service *s)
{
    if (s->started) {
        close(s->lifeline);
        const double until = clock_seconds() + STOP_SECONDS;
        while (s->keeper > 0 && !waitpid(s->keeper, NULL, WNOHANG) && clock_seconds() < until && !stop_requested())
            poll_sleep();
        unsetenv(pipe_folder);
        if (s->sets_log)
            unsetenv(log_folder);
    }
    *s = (struct device_service){0};
}
