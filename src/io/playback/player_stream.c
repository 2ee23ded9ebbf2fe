/* SPDX-License-Identifier: MIT */
#include "io/playback/player_stream.h"

#include <portaudio.h>
#include <time.h>

#include "base/stop.h"
#include "io/playback/sound_devices.h"
#include "io/playback/sound_system.h"

#define OPEN_LIMIT 5.0  /* s */
#define CLOSE_LIMIT 2.0 /* s */
#define DROP_LIMIT 0.1

struct player_stream {
    PaStream *stream; /* NULL: closed */
    struct player_settings settings;
    struct player_rings *rings;
    PaStreamParameters output, input;
    unsigned long frames;
    double rate, latency;
    PaError status; /* of the last limited call */
    char device[256];
};

static void count(atomic_ullong *counter, unsigned long long by)
{
    atomic_fetch_add_explicit(counter, by, memory_order_relaxed);
}

/* Copies a single channel to two, or to the first of two, from the end, in place. */
static void spread(float *samples, size_t frames, bool apart)
{
    for (size_t i = frames; i-- > 0;) {
        const float sample = samples[i];
        samples[2 * i] = sample;
        samples[2 * i + 1] = apart ? 0.0f : sample;
    }
}

static void play(struct player_stream *s, float *out, size_t frames, PaStreamCallbackFlags flags)
{
    struct player_rings *rings = s->rings;
    size_t device_channels = (size_t)s->output.channelCount, channels = ring_channels(rings->output);
    size_t got = ring_read(rings->output, out, frames);
    if (device_channels != channels)
        spread(out, got, s->settings.apart);
    memset(out + got * device_channels, 0, (frames - got) * device_channels * sizeof(float));
    count(&rings->played, got);
    bool wanted = atomic_load_explicit(&rings->playing, memory_order_relaxed) &&
                  !atomic_load_explicit(&rings->ending, memory_order_relaxed);
    if (wanted && (got < frames || (flags & (paOutputUnderflow | paOutputOverflow))))
        count(&rings->underruns, 1);
}

static void record(struct player_rings *rings, const float *in, size_t frames, PaStreamCallbackFlags flags)
{
    if (ring_write(rings->input, in, frames) < frames || (flags & (paInputOverflow | paInputUnderflow)))
        count(&rings->overruns, 1);
}

/* The callback does not allocate, lock or make system calls. */
static int callback(const void *in, void *out, unsigned long frames, const PaStreamCallbackTimeInfo *times,
                    PaStreamCallbackFlags flags, void *context)
{
    (void)times;
    struct player_stream *s = context;
    if (out)
        play(s, out, frames, flags);
    if (in)
        record(s->rings, in, frames, flags);
    count(&s->rings->beats, 1);
    return paContinue;
}

/* The device that the settings mean, or -1. */
static int find_device(const char *wanted, PaDeviceIndex standard, const char *purpose, struct error *e)
{
    int devices = Pa_GetDeviceCount();
    if (devices <= 0 || (!wanted && standard == paNoDevice))
        return fail(e, ERROR_FAILED, "no sound card to %s; " SOUND_ADVICE, purpose);
    if (!wanted)
        return standard;
    const char **names = malloc((size_t)devices * sizeof *names);
    if (!names)
        return fail(e, ERROR_MEMORY, "out of memory");
    for (int i = 0; i < devices; i++)
        names[i] = Pa_GetDeviceInfo(i)->name;
    ptrdiff_t found = sound_device_match(wanted, names, (size_t)devices, e);
    free(names);
    return (int)found;
}

static int enough(size_t wanted, int channels, const char *direction, const char *name, struct error *e)
{
    if (channels > 0 && wanted <= (size_t)channels)
        return 0;
    return fail(e, ERROR_FAILED,
                "the sound card \"%s\" has %d %s, but %zu are needed; choose another with --device, or " SOUND_ADVICE,
                name, channels, direction, wanted);
}

/* 0.1 s in place of an impossible latency: PortAudio 19.6 on JACK counts modulo 2^32 frames, and reports a day for a
 * port without latency. */
static double plausible(double latency)
{
    return latency >= 0.0 && latency <= 10.0 ? latency : 0.1;
}

static int choose_output(struct player_stream *s, struct error *e)
{
    const struct player_settings *settings = &s->settings;
    int index = find_device(settings->device, Pa_GetDefaultOutputDevice(), "play", e);
    if (index < 0)
        return -1;
    const PaDeviceInfo *device = Pa_GetDeviceInfo(index);
    if (enough(settings->outputs, device->maxOutputChannels, "outputs", device->name, e))
        return -1;
    int channels = (int)settings->outputs;
    s->output = (PaStreamParameters){
        .device = index,
        .channelCount = channels == 1 && device->maxOutputChannels > 1 ? 2 : channels,
        .sampleFormat = paFloat32,
        .suggestedLatency = settings->latency > 0.0 ? settings->latency : plausible(device->defaultLowOutputLatency),
    };
    return 0;
}

/* The named device if it records; else the input of the output's sound system: PortAudio requires one system. */
static int choose_input(struct player_stream *s, struct error *e)
{
    const struct player_settings *settings = &s->settings;
    PaDeviceIndex standard = Pa_GetDefaultInputDevice();
    const char *wanted = settings->input_device ? settings->input_device : settings->device;
    if (settings->outputs > 0 && !settings->input_device) {
        const PaDeviceInfo *output = Pa_GetDeviceInfo(s->output.device);
        standard =
            output->maxInputChannels > 0 ? s->output.device : Pa_GetHostApiInfo(output->hostApi)->defaultInputDevice;
        wanted = NULL;
    }
    int index = find_device(wanted, standard, "record", e);
    if (index < 0)
        return -1;
    const PaDeviceInfo *device = Pa_GetDeviceInfo(index);
    if (enough(settings->inputs, device->maxInputChannels, "inputs", device->name, e))
        return -1;
    s->input = (PaStreamParameters){
        .device = index,
        .channelCount = (int)settings->inputs,
        .sampleFormat = paFloat32,
        .suggestedLatency = settings->latency > 0.0 ? settings->latency : plausible(device->defaultLowInputLatency),
    };
    return 0;
}

static int choose_devices(struct player_stream *s, struct error *e)
{
    const struct player_settings *settings = &s->settings;
    if (settings->outputs > 0 && choose_output(s, e))
        return -1;
    if (settings->inputs > 0 && choose_input(s, e))
        return -1;
    const PaDeviceInfo *device = Pa_GetDeviceInfo(settings->outputs > 0 ? s->output.device : s->input.device);
    snprintf(s->device, sizeof s->device, "%s", device->name);
    s->rate = settings->rate > 0.0 ? settings->rate : device->defaultSampleRate;
    s->frames = settings->frames;
    return 0;
}

/* Reason of an error, by PortAudio or the system below it. */
static const char *reason(PaError status)
{
    const PaHostErrorInfo *host = status == paUnanticipatedHostError ? Pa_GetLastHostErrorInfo() : NULL;
    return host && host->errorText && host->errorText[0] ? host->errorText : Pa_GetErrorText(status);
}

static const PaStreamParameters *used(const PaStreamParameters *parameters)
{
    return parameters->channelCount > 0 ? parameters : NULL;
}

static void open_stream(void *context)
{
    struct player_stream *s = context;
    s->status = Pa_OpenStream(&s->stream, used(&s->input), used(&s->output), s->rate,
                              s->frames ? s->frames : paFramesPerBufferUnspecified, paNoFlag, callback, s);
}

/* Quiet, because ALSA prints its failures to stderr. */
static void open_within_limit(void *context)
{
    struct player_stream *s = context;
    if (!limited_call(open_stream, s, OPEN_LIMIT))
        sound_system_abandon();
}

static int open_on_device(struct player_stream *s, struct error *e)
{
    sound_system_quietly(open_within_limit, s);
    if (sound_system_abandoned())
        return fail(e, ERROR_FAILED,
                    "the sound card \"%s\" does not respond; choose another with --device, or " SOUND_ADVICE,
                    s->device);
    if (s->status == paInvalidSampleRate)
        return fail(e, ERROR_FAILED, "the sound card \"%s\" does not support %g Hz; its default rate is %g Hz",
                    s->device, s->rate,
                    Pa_GetDeviceInfo(s->output.channelCount ? s->output.device : s->input.device)->defaultSampleRate);
    if (s->status != paNoError)
        return fail(e, ERROR_FAILED,
                    "cannot open the sound card \"%s\": %s; choose another with --device, or " SOUND_ADVICE, s->device,
                    reason(s->status));
    const PaStreamInfo *info = Pa_GetStreamInfo(s->stream);
    s->rate = info->sampleRate;
    const double latency = s->output.channelCount ? info->outputLatency : info->inputLatency;
    s->latency = latency == plausible(latency) ? latency : 0.0;
    return 0;
}

int player_stream_open(struct player_stream **stream, const struct player_settings *settings,
                       struct player_rings *rings, struct error *e)
{
    *stream = NULL;
    if (sound_system_open(e))
        return -1;
    struct player_stream *s = stop_check(e) ? NULL : calloc(1, sizeof *s);
    if (!s) {
        sound_system_close();
        return stop_requested() ? -1 : fail(e, ERROR_MEMORY, "out of memory");
    }
    s->rings = rings;
    s->settings = *settings;
    if (choose_devices(s, e) || open_on_device(s, e)) {
        if (!sound_system_abandoned()) {
            sound_system_close();
            free(s);
        }
        return -1;
    }
    *stream = s;
    return 0;
}

static void start_stream(void *context)
{
    struct player_stream *s = context;
    s->status = Pa_StartStream(s->stream);
}

int player_stream_start(struct player_stream *s, struct error *e)
{
    if (!limited_call(start_stream, s, OPEN_LIMIT)) {
        sound_system_abandon();
        return fail(e, ERROR_FAILED,
                    "the sound card \"%s\" does not respond; choose another with --device, or " SOUND_ADVICE,
                    s->device);
    }
    if (s->status != paNoError)
        return fail(e, ERROR_FAILED,
                    "cannot start the sound card \"%s\": %s; choose another with --device, or " SOUND_ADVICE, s->device,
                    reason(s->status));
    return 0;
}

static void close_stream(void *context)
{
    struct player_stream *s = context;
    Pa_AbortStream(s->stream);
    Pa_CloseStream(s->stream);
    Pa_Terminate();
}

static bool close_within(struct player_stream *s, double limit)
{
    if (sound_system_abandoned())
        return false;
    if (s->stream && !limited_call(close_stream, s, limit)) {
        sound_system_abandon();
        return false;
    }
    s->stream = NULL;
    return true;
}

/* Requires an open sound system. Finding another device than before is a failure: the chosen one has disappeared. */
static int open_again(struct player_stream *s, struct error *e)
{
    char device[sizeof s->device];
    snprintf(device, sizeof device, "%s", s->device);
    if (choose_devices(s, e))
        return -1;
    if (strcmp(device, s->device))
        return fail(e, ERROR_FAILED, "the sound card \"%s\" has disappeared", device);
    return open_on_device(s, e);
}

int player_stream_reopen(struct player_stream *s, double latency, struct error *e)
{
    if (!close_within(s, CLOSE_LIMIT))
        return fail(e, ERROR_FAILED, "cannot close the sound card \"%s\"", s->device);
    s->settings.latency = latency;
    s->settings.rate = s->rate;
    if (sound_system_open(e))
        return -1;
    if (!open_again(s, e))
        return player_stream_start(s, e);
    s->stream = NULL;
    sound_system_close();
    return -1;
}

bool player_stream_close(struct player_stream *s, bool drop)
{
    if (!close_within(s, drop ? DROP_LIMIT : CLOSE_LIMIT))
        return false;
    free(s);
    return true;
}

double player_stream_rate(const struct player_stream *s)
{
    return s->rate;
}

double player_stream_latency(const struct player_stream *s)
{
    return s->latency;
}

double player_stream_load(const struct player_stream *s)
{
    return s->stream ? Pa_GetStreamCpuLoad(s->stream) : 0.0;
}

const char *player_stream_device(const struct player_stream *s)
{
    return s->device;
}
