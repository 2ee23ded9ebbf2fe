/* SPDX-License-Identifier: MIT */
#include "io/playback/sound_devices.h"

#include <portaudio.h>
#include <strings.h>
#include <unistd.h>

#include "base/text.h"
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

enum fit { EQUAL, EQUAL_BUT_CASE, BEGINS, CONTAINS, FITS };

static bool fits(const char *name, const char *wanted, enum fit fit)
{
    switch (fit) {
    case EQUAL:
        return strcmp(name, wanted) == 0;
    case EQUAL_BUT_CASE:
        return strcasecmp(name, wanted) == 0;
    case BEGINS:
        return strncasecmp(name, wanted, strlen(wanted)) == 0;
    default:
        return strcasestr(name, wanted) != NULL;
    }
}

/* "0 hw, 3 default": those that fit, or all of them where wanted is NULL */
static void list_names(char *text, size_t size, const char *wanted, enum fit fit, const char *const *names,
                       size_t count)
{
    size_t used = 0;
    text[0] = '\0';
    for (size_t i = 0; i < count && used < size; i++)
        if (!wanted || fits(names[i], wanted, fit))
            used += (size_t)snprintf(text + used, size - used, "%s%zu \"%s\"", used ? ", " : "", i, names[i]);
    if (used >= size)
        memcpy(text + size - 4, "...", 4);
}

static int unknown(const char *wanted, const char *const *names, size_t count, struct error *e)
{
    char text[600];
    ptrdiff_t closest = text_closest(wanted, names, count);
    if (closest >= 0)
        return fail(e, ERROR_USAGE, "no sound card is called \"%s\"; did you mean %td \"%s\"? (--list shows all)",
                    wanted, closest, names[closest]);
    list_names(text, sizeof text, NULL, FITS, names, count);
    return fail(e, ERROR_USAGE, "no sound card is called \"%s\"; available: %s", wanted, text);
}

ptrdiff_t sound_device_match(const char *wanted, const char *const *names, size_t count, struct error *e)
{
    if (wanted[0] && wanted[strspn(wanted, "0123456789")] == '\0') {
        unsigned long long number = strtoull(wanted, NULL, 10);
        if (number < count)
            return (ptrdiff_t)number;
        return fail(e, ERROR_USAGE, "there is no sound card %s; they are numbered 0 to %zu", wanted, count - 1);
    }
    for (enum fit fit = EQUAL; fit < FITS && wanted[0]; fit++) {
        size_t found = 0, last = 0;
        for (size_t i = 0; i < count; i++)
            if (fits(names[i], wanted, fit)) {
                found++;
                last = i;
            }
        if (found == 1)
            return (ptrdiff_t)last;
        if (found > 1) {
            char text[600];
            list_names(text, sizeof text, wanted, fit, names, count);
            return fail(e, ERROR_USAGE, "\"%s\" matches several sound cards: %s; use the number", wanted, text);
        }
    }
    return unknown(wanted, names, count, e);
}
