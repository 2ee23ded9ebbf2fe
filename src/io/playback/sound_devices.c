/* SPDX-License-Identifier: MIT */
#include "io/playback/sound_devices.h"

#include <portaudio.h>
#include <unistd.h>

#include "io/playback/device_match.h"
#include "io/playback/sound_system.h"

static void print_device(FILE *stream, int i)
{
    const PaDeviceInfo *device = Pa_GetDeviceInfo(i);
    fprintf(stream, "sound    %-3d %s: %d in, %d out, %.0f Hz\n", i, device->name, device->maxInputChannels,
            device->maxOutputChannels, device->defaultSampleRate);
}

static void list_device(FILE *stream, int i)
{
    const PaDeviceInfo *device = Pa_GetDeviceInfo(i);
    bool plays = i == Pa_GetDefaultOutputDevice(), records = i == Pa_GetDefaultInputDevice();
    fprintf(stream, "%-3d %s: %s, %d in, %d out, %.0f Hz%s\n", i, device->name,
            Pa_GetHostApiInfo(device->hostApi)->name, device->maxInputChannels, device->maxOutputChannels,
            device->defaultSampleRate,
            plays     ? " (default)"
            : records ? " (default to record)"
                      : "");
}

/* Runs in a child process, so that this one loads no sound system. */
struct printing {
    FILE *stream;
    void (*print)(FILE *stream, int i);
};

enum { PRINTED, NO_DEVICES, NO_SYSTEM };

static int print_all(void *context)
{
    struct printing *printing = context;
    if (sound_system_begin() != paNoError)
        return NO_SYSTEM;
    int count = Pa_GetDeviceCount();
    for (int i = 0; i < count; i++)
        printing->print(printing->stream, i);
    fflush(printing->stream);
    Pa_Terminate();
    return count > 0 ? PRINTED : NO_DEVICES;
}

static int print_in_child(FILE *stream, void (*print)(FILE *, int))
{
    return sound_system_in_child(print_all, &(struct printing){stream, print}, 10.0);
}

static const char *reason(int status)
{
    switch (status) {
    case NO_DEVICES:
        return "PortAudio found no sound card";
    case NO_SYSTEM:
        return "PortAudio cannot start";
    default:
        return "the sound libraries of this system crashed or hung";
    }
}

void sound_devices_print(FILE *stream)
{
    int status = print_in_child(stream, print_device);
    if (status != PRINTED)
        fprintf(stream, "sound    none: %s\n", reason(status));
}

int sound_devices_list(FILE *stream, struct error *e)
{
    int status = print_in_child(stream, list_device);
    return status == PRINTED ? 0 : fail(e, ERROR_FAILED, "no sound card: %s; " SOUND_ADVICE, reason(status));
}

ptrdiff_t sound_device_match(const char *wanted, const char *const *names, size_t count, struct error *e)
{
    return device_match("sound card", "--list", wanted, names, count, e);
}
