#include "io/sound_devices.h"

#include <fcntl.h>
#include <portaudio.h>
#include <sys/wait.h>
#include <unistd.h>

/* ALSA and JACK write pages of complaints to stderr while they are probed; none of them is a message of ours. */
static PaError initialise_quietly(void)
{
    int kept = dup(STDERR_FILENO), nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
    fflush(stderr);
    if (kept >= 0 && nowhere >= 0)
        dup2(nowhere, STDERR_FILENO);
    PaError status = Pa_Initialize();
    if (kept >= 0) {
        dup2(kept, STDERR_FILENO);
        close(kept);
    }
    if (nowhere >= 0)
        close(nowhere);
    return status;
}

static void print_devices(FILE *stream)
{
    PaError status = initialise_quietly();
    if (status != paNoError) {
        fprintf(stream, "sound    none: PortAudio: %s\n", Pa_GetErrorText(status));
        return;
    }
    int count = Pa_GetDeviceCount();
    for (int i = 0; i < count; i++) {
        const PaDeviceInfo *device = Pa_GetDeviceInfo(i);
        fprintf(stream, "sound    %-3d %s: %d in, %d out, %.0f Hz\n", i, device->name, device->maxInputChannels,
                device->maxOutputChannels, device->defaultSampleRate);
    }
    if (count <= 0)
        fprintf(stream, "sound    none: PortAudio finds no sound card\n");
    Pa_Terminate();
}

/* In a process of its own: where no sound system is set up, the libraries below PortAudio are known to abort. */
void sound_devices_print(FILE *stream)
{
    int status = 0;
    fflush(stream);
    pid_t child = fork();
    if (child == 0) {
        print_devices(stream);
        fflush(stream);
        _exit(0);
    }
    if (child < 0 || waitpid(child, &status, 0) != child || !WIFEXITED(status))
        fprintf(stream, "sound    none: the sound libraries of this system gave up\n");
}
