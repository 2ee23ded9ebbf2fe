/* SPDX-License-Identifier: MIT */
#include "io/playback/sound_system.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <portaudio.h>
#include <pthread.h>
#include <signal.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/stop.h"

struct call {
    void (*function)(void *);
    void *argument;
};

static void *run(void *context)
{
    struct call call = *(struct call *)context;
    free(context);
    call.function(call.argument);
    return NULL;
}

/* The new thread takes no signals. */
static int start(pthread_t *thread, struct call *call)
{
    sigset_t all, kept;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &kept);
    int status = pthread_create(thread, NULL, run, call);
    pthread_sigmask(SIG_SETMASK, &kept, NULL);
    return status;
}

bool limited_call(void (*function)(void *), void *argument, double seconds)
{
    pthread_t thread;
    struct call *call = malloc(sizeof *call);
    if (call)
        *call = (struct call){function, argument};
    if (!call || start(&thread, call) != 0) {
        free(call);
        function(argument);
        return true;
    }
    struct timespec until;
    clock_gettime(CLOCK_MONOTONIC, &until);
    double end = (double)until.tv_nsec * 1e-9 + seconds;
    until.tv_sec += (time_t)end;
    until.tv_nsec = (long)((end - (double)(time_t)end) * 1e9);
    if (pthread_clockjoin_np(thread, NULL, CLOCK_MONOTONIC, &until) == 0)
        return true;
    pthread_detach(thread);
    return false;
}

static bool abandoned;

/* Hides messages that ALSA and JACK write to stderr while they are probed. */
void sound_system_quietly(void (*function)(void *context), void *context)
{
    fflush(stderr);
    int kept = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3), nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
    if (kept >= 0 && nowhere >= 0)
        dup2(nowhere, STDERR_FILENO);
    function(context);
    fflush(stderr);
    if (kept >= 0) {
        dup2(kept, STDERR_FILENO);
        close(kept);
    }
    if (nowhere >= 0)
        close(nowhere);
}

static void say_nothing(const char *text)
{
    (void)text;
}

static void say_no_error(const char *file, int line, const char *function, int number, const char *format, ...)
{
    (void)file;
    (void)line;
    (void)function;
    (void)number;
    (void)format;
}

/* Replaces the message handlers of ALSA and JACK, whose threads also write at underruns and at the end of a server.
 * They are looked up in the process, because PortAudio may be built with either, and aula without. */
static void silence_libraries(void)
{
    const char *const setters[] = {"jack_set_error_function", "jack_set_info_function"};
    for (size_t i = 0; i < sizeof setters / sizeof *setters; i++) {
        void (*set)(void (*)(const char *)) = NULL;
        *(void **)&set = dlsym(RTLD_DEFAULT, setters[i]);
        if (set)
            set(say_nothing);
    }
    int (*set_alsa)(void (*)(const char *, int, const char *, int, const char *, ...)) = NULL;
    *(void **)&set_alsa = dlsym(RTLD_DEFAULT, "snd_lib_error_set_handler");
    if (set_alsa)
        set_alsa(say_no_error);
}

static void initialise(void *status)
{
    setenv("JACK_NO_START_SERVER", "1", 0); /* playing a sound starts no server */
    silence_libraries();
    *(PaError *)status = Pa_Initialize();
}

int sound_system_begin(void)
{
    PaError status = paInternalError;
    sound_system_quietly(initialise, &status);
    return status;
}

static int try_to_begin(void *unused)
{
    (void)unused;
    if (sound_system_begin() == paNoError)
        Pa_Terminate();
    return 0;
}

/* Kills a child that hangs, or that a stop has made useless. */
static int wait_for(pid_t child, double seconds)
{
    int status = 0;
    double end = clock_seconds() + seconds;
    pid_t ended;
    while ((ended = waitpid(child, &status, WNOHANG)) == 0 || (ended < 0 && errno == EINTR)) {
        if (stop_requested() || !(clock_seconds() < end)) {
            kill(child, SIGKILL);
            waitpid(child, NULL, 0);
            return -1;
        }
        poll_sleep();
    }
    return ended == child && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

int sound_system_in_child(int (*function)(void *context), void *context, double seconds)
{
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        signal(SIGINT, SIG_DFL);
        signal(SIGTERM, SIG_DFL);
        _exit(function(context));
    }
    return child < 0 ? -1 : wait_for(child, seconds);
}

int sound_system_open(struct error *e)
{
    if (abandoned)
        return fail(e, ERROR_FAILED, "the sound system hangs because its sound card disappeared; " SOUND_ADVICE);
    if (sound_system_in_child(try_to_begin, NULL, 5.0) != 0)
        return stop_check(e) ? -1
                             : fail(e, ERROR_FAILED,
                                    "no sound card: the sound libraries of this system crashed or hung; " SOUND_ADVICE);
    PaError status = sound_system_begin();
    if (status != paNoError)
        return fail(e, ERROR_FAILED, "no sound card: PortAudio: %s; " SOUND_ADVICE, Pa_GetErrorText(status));
    return 0;
}

static void terminate(void *unused)
{
    (void)unused;
    Pa_Terminate();
}

void sound_system_close(void)
{
    if (!abandoned && !limited_call(terminate, NULL, 2.0))
        abandoned = true;
}

void sound_system_abandon(void)
{
    abandoned = true;
}

bool sound_system_abandoned(void)
{
    return abandoned;
}
