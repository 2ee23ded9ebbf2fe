/* SPDX-License-Identifier: MIT */
/* A room behind a sound card, for tests of aula measure:
 *   sound_room decay FILE SECONDS T60 TAPS SEED   a response: a direct sound of 0.5 after 5 ms, then random taps that
 *                                                 decay by 60 dB in T60 s; 48 kHz
 *   sound_room room NAME FILE SECONDS NOISE SQUARE GAP GAIN   a JACK client, the device NAME, until SIGTERM or that
 *                                                 long: its output 1 is its input 1, x + SQUARE x^2, through the
 *                                                 response in FILE times GAIN, clipped at full scale, with noise of
 *                                                 this amplitude; its output 2 is its input 2. GAP s after it first
 *                                                 hears something a period is lost without a word on both; 0: none
 *   sound_room difference FILE OTHER              dB: energy of their difference over that of FILE, up to the end of
 *                                                 the shorter
 *   sound_room tone NAME SECONDS HZ AMPLITUDE     a JACK client whose output is a tone */
#include <jack/jack.h>
#include <math.h>
#include <signal.h>
#include <sndfile.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/random.h"

enum { LINE = 1 << 17 }; /* frames that a client remembers */

static void give_up(const char *what, const char *why)
{
    fprintf(stderr, "sound_room: %s: %s\n", what, why);
    exit(1);
}

static void make_decay(const char *path, double seconds, double decay, size_t taps, uint64_t seed)
{
    const size_t frames = (size_t)(48000.0 * seconds), direct = 240;
    float *samples = calloc(frames, sizeof *samples);
    struct random random = {seed};
    SF_INFO info = {.samplerate = 48000, .channels = 1, .format = SF_FORMAT_WAV | SF_FORMAT_FLOAT};
    SNDFILE *file = sf_open(path, SFM_WRITE, &info);
    if (!samples || !file)
        give_up(path, "cannot be written");
    for (size_t k = 0; k < taps; k++) {
        const size_t n = random_between(&random, direct + 48, frames - 1);
        const double level = exp(-6.9078 * (double)(n - direct) / 48000.0 / decay);
        samples[n] = (float)(0.2 * level * (2.0 * random_unit(&random) - 1.0));
    }
    samples[direct] = 0.5f;
    if (sf_writef_float(file, samples, (sf_count_t)frames) != (sf_count_t)frames || sf_close(file))
        give_up(path, "cannot be written");
    free(samples);
}

struct room {
    jack_client_t *client;
    jack_port_t *in[2], *out[2];
    size_t *place; /* [taps] frames late */
    float *gain;   /* [taps] */
    size_t taps;
    double noise, square, gap;
    struct random random;
    float line[2][LINE];
    size_t now, heard_at, lost; /* frames */
    int heard;
    double phase, step, amplitude; /* of a tone */
};

static struct room room;

static void read_response(const char *path, double gain)
{
    SF_INFO info = {0};
    SNDFILE *file = sf_open(path, SFM_READ, &info);
    float *samples = file ? calloc((size_t)info.frames, sizeof *samples) : NULL;
    if (!samples || info.channels != 1 || info.frames >= LINE / 2 ||
        sf_readf_float(file, samples, info.frames) != info.frames)
        give_up(path, "cannot be read");
    room.place = calloc((size_t)info.frames, sizeof *room.place);
    room.gain = calloc((size_t)info.frames, sizeof *room.gain);
    for (size_t n = 0; n < (size_t)info.frames; n++)
        if (samples[n] != 0.0f) {
            room.place[room.taps] = n;
            room.gain[room.taps++] = (float)gain * samples[n];
        }
    sf_close(file);
    free(samples);
}

/* What was heard `late` frames ago, or a lost period earlier. */
static float past(size_t channel, size_t frame, size_t late)
{
    return room.line[channel][(frame + 2 * (size_t)LINE - late - room.lost) % LINE];
}

static int sound_in_room(jack_nframes_t frames, void *unused)
{
    (void)unused;
    float *out[2];
    for (size_t c = 0; c < 2; c++) {
        const float *in = jack_port_get_buffer(room.in[c], frames);
        out[c] = jack_port_get_buffer(room.out[c], frames);
        for (size_t i = 0; i < frames; i++)
            room.line[c][(room.now + i) % LINE] = c ? in[i] : in[i] + (float)room.square * in[i] * in[i];
        for (size_t i = 0; i < frames && !room.heard; i++)
            if (in[i] != 0.0f) {
                room.heard = 1;
                room.heard_at = room.now;
            }
    }
    if (room.gap > 0.0 && room.heard && room.now >= room.heard_at + (size_t)(48000.0 * room.gap))
        room.lost = frames;
    for (size_t i = 0; i < frames; i++) {
        double sum = room.noise * (random_unit(&room.random) + random_unit(&room.random) - 1.0);
        for (size_t k = 0; k < room.taps; k++)
            sum += (double)(room.gain[k] * past(0, room.now + i, room.place[k]));
        out[0][i] = (float)fmin(fmax(sum, -1.0), 1.0);
        out[1][i] = past(1, room.now + i, 0);
    }
    room.now += frames;
    return 0;
}

static int tone(jack_nframes_t frames, void *unused)
{
    (void)unused;
    float *out = jack_port_get_buffer(room.out[0], frames);
    for (size_t i = 0; i < frames; i++, room.phase += room.step)
        out[i] = (float)(room.amplitude * sin(room.phase));
    return 0;
}

static volatile sig_atomic_t ended;

static void end_running(int number)
{
    (void)number;
    ended = 1;
}

static void server_ended(void *unused)
{
    (void)unused;
    ended = 1;
}

static void begin(const char *name, JackProcessCallback process, size_t ins, size_t outs)
{
    room.client = jack_client_open(name, JackNoStartServer | JackUseExactName, NULL);
    if (!room.client)
        give_up(name, "no JACK server answers");
    for (size_t c = 0; c < ins; c++)
        room.in[c] = jack_port_register(room.client, c ? "in_2" : "in_1", JACK_DEFAULT_AUDIO_TYPE, JackPortIsInput, 0);
    for (size_t c = 0; c < outs; c++)
        room.out[c] =
            jack_port_register(room.client, c ? "out_2" : "out_1", JACK_DEFAULT_AUDIO_TYPE, JackPortIsOutput, 0);
    jack_set_process_callback(room.client, process, NULL);
    jack_on_shutdown(room.client, server_ended, NULL);
}

static void run(double seconds)
{
    signal(SIGTERM, end_running);
    if (jack_activate(room.client))
        give_up("JACK", "cannot begin");
    printf("ready\n");
    fflush(stdout);
    const double end = clock_seconds() + seconds;
    while (!ended && clock_seconds() < end)
        nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
    jack_deactivate(room.client);
    jack_client_close(room.client);
}

static float *read_samples(const char *path, size_t *frames)
{
    SF_INFO info = {0};
    SNDFILE *file = sf_open(path, SFM_READ, &info);
    float *samples = file ? calloc((size_t)info.frames, sizeof *samples) : NULL;
    if (!samples || info.channels != 1 || sf_readf_float(file, samples, info.frames) != info.frames)
        give_up(path, "cannot be read");
    sf_close(file);
    *frames = (size_t)info.frames;
    return samples;
}

static void difference(const char *path, const char *other)
{
    size_t frames, more;
    float *a = read_samples(path, &frames), *b = read_samples(other, &more);
    double off = 0.0, energy = 0.0;
    for (size_t n = 0; n < frames && n < more; n++) {
        off += ((double)a[n] - (double)b[n]) * ((double)a[n] - (double)b[n]);
        energy += (double)a[n] * (double)a[n];
    }
    printf("%.1f\n", 10.0 * log10(off / energy + 1e-20));
    free(a);
    free(b);
}

int main(int count, char **a)
{
    if (count == 7 && strcmp(a[1], "decay") == 0) {
        make_decay(a[2], strtod(a[3], NULL), strtod(a[4], NULL), strtoul(a[5], NULL, 10), strtoull(a[6], NULL, 10));
    } else if (count == 9 && strcmp(a[1], "room") == 0) {
        read_response(a[3], strtod(a[8], NULL));
        room.noise = strtod(a[5], NULL);
        room.square = strtod(a[6], NULL);
        room.gap = strtod(a[7], NULL);
        begin(a[2], sound_in_room, 2, 2);
        run(strtod(a[4], NULL));
    } else if (count == 4 && strcmp(a[1], "difference") == 0) {
        difference(a[2], a[3]);
    } else if (count == 6 && strcmp(a[1], "tone") == 0) {
        room.step = 2.0 * M_PI * strtod(a[4], NULL) / 48000.0;
        room.amplitude = strtod(a[5], NULL);
        begin(a[2], tone, 0, 1);
        run(strtod(a[3], NULL));
    } else {
        give_up(
            "usage",
            "decay FILE SECONDS T60 TAPS SEED | room NAME FILE SECONDS NOISE SQUARE GAP GAIN | difference FILE OTHER | "
            "tone NAME SECONDS HZ AMPLITUDE");
    }
    return 0;
}
