/* SPDX-License-Identifier: MIT */
/* What the sound tests need beside aula:
 *   sound_tool wait SECONDS                     until the JACK server answers
 *   sound_tool make FILE CHANNELS SECONDS SEED  noise, another in each channel, 48 kHz
 *   sound_tool twice MONO STEREO                the same in two channels
 *   sound_tool record NAME CHANNELS SECONDS FILE  a JACK client with inputs, which PortAudio offers as the device NAME;
 *                                               says "ready", records until SIGTERM or that long, writes the file
 *                                               and says when it began
 *   sound_tool through NAME CHANNELS SECONDS    a JACK client whose outputs repeat its inputs, until SIGTERM or that long
 *   sound_tool midi NAME SECONDS FILE           a JACK client that sends MIDI messages, lines of seconds and three bytes
 *                                               in order of time, from two seconds after its port was connected; says
 *                                               when the first was sent, in s of the server
 *   sound_tool late SECONDS                     how late, in ms, the machine woke a thread that slept 2 ms, at worst
 *   sound_tool compare SENT RECORDED            latency by correlation, and what differs, in dB
 *   sound_tool peak FILE                        the largest magnitude, and how many samples are above full scale
 *   sound_tool onsets FILE                      seconds at which sound begins after 0.1 s below -60 dB of the peak
 *   sound_tool fit SENT RECORDED FROM           the same for any gain, in what was recorded from FROM s after its first sound
 * Not the packaged jack_rec and jack_thru: not every release has them, and a client with inputs of its own is recorded
 * to the sample, with nothing in between. */
#include <jack/jack.h>
#include <jack/midiport.h>
#include <math.h>
#include <signal.h>
#include <sndfile.h>
#include <stdatomic.h>
#include <stdbool.h>

#include "base/clock.h"
#include "base/random.h"

enum { CHANNELS_MAX = 16 };

static void give_up(const char *what, const char *why)
{
    fprintf(stderr, "sound_tool: %s: %s\n", what, why);
    exit(1);
}

struct sound {
    float *frames; /* [count][channels] */
    size_t count, channels;
};

static struct sound make_sound(size_t count, size_t channels)
{
    struct sound sound = {calloc(count * channels + 1, sizeof(float)), count, channels};
    if (!sound.frames)
        give_up("memory", "there is not enough");
    return sound;
}

static void write_sound(const char *path, const struct sound *sound)
{
    SF_INFO info = {.samplerate = 48000, .channels = (int)sound->channels, .format = SF_FORMAT_WAV | SF_FORMAT_FLOAT};
    SNDFILE *file = sf_open(path, SFM_WRITE, &info);
    if (!file || sf_writef_float(file, sound->frames, (sf_count_t)sound->count) != (sf_count_t)sound->count ||
        sf_close(file))
        give_up(path, "cannot be written");
}

/* With `silence` frames added to its end */
static struct sound read_sound(const char *path, size_t silence)
{
    SF_INFO info = {0};
    SNDFILE *file = sf_open(path, SFM_READ, &info);
    if (!file)
        give_up(path, "cannot be read");
    struct sound sound = make_sound((size_t)info.frames + silence, (size_t)info.channels);
    if (sf_readf_float(file, sound.frames, info.frames) != info.frames)
        give_up(path, "is not complete");
    sf_close(file);
    return sound;
}

static void make(const char *path, size_t channels, double seconds, uint64_t seed)
{
    struct sound sound = make_sound((size_t)(seconds * 48000.0), channels);
    struct random random = {seed};
    for (size_t i = 0; i < sound.count * channels; i++)
        sound.frames[i] = (float)(random_unit(&random) - 0.5);
    write_sound(path, &sound);
    free(sound.frames);
}

static void twice(const struct sound *mono, const char *path)
{
    struct sound stereo = make_sound(mono->count, 2);
    for (size_t i = 0; i < 2 * mono->count; i++)
        stereo.frames[i] = mono->frames[i / 2];
    write_sound(path, &stereo);
    free(stereo.frames);
}

/* Silence after it, up to `seconds`. */
static void pad(const struct sound *sound, const char *path, double seconds)
{
    struct sound longer = make_sound((size_t)(seconds * 48000.0 + 0.5), sound->channels);
    const size_t count = sound->count < longer.count ? sound->count : longer.count;
    memset(longer.frames, 0, longer.count * longer.channels * sizeof *longer.frames);
    memcpy(longer.frames, sound->frames, count * sound->channels * sizeof *sound->frames);
    write_sound(path, &longer);
    free(longer.frames);
}

/* Whole periods of a sine of amplitude 0.25. */
static void tone(const char *path, double frequency, double seconds)
{
    struct sound sound = make_sound((size_t)(seconds * 48000.0 + 0.5), 1);
    for (size_t i = 0; i < sound.count; i++)
        sound.frames[i] = 0.25f * (float)sin(2.0 * M_PI * frequency * (double)i / 48000.0);
    write_sound(path, &sound);
    free(sound.frames);
}

/* The largest second difference over that of a sine as large as the peak, from `from` s after the first sound to as
 * long before the end: 1 for a steady tone, more by the jump of a click over (2 pi f/48000)^2. */
static void roughness(const struct sound *s, double frequency, double from)
{
    size_t begin = 0, end = s->count, skip = (size_t)(from * 48000.0);
    double peak = 0.0, max = 0.0;
    while (begin < end && fabsf(s->frames[begin * s->channels]) < 1e-7f)
        begin++;
    while (end > begin && fabsf(s->frames[(end - 1) * s->channels]) < 1e-7f)
        end--;
    if (end < begin + 2 * skip + 3)
        give_up("roughness", "too little was recorded");
    for (size_t i = begin + skip + 1; i + 1 + skip < end; i++) {
        const double a = (double)s->frames[(i - 1) * s->channels], b = (double)s->frames[i * s->channels],
                     c = (double)s->frames[(i + 1) * s->channels];
        peak = fmax(peak, fabs(b));
        max = fmax(max, fabs(a - 2.0 * b + c));
    }
    const double omega = 2.0 * M_PI * frequency / 48000.0;
    printf("peak %.4g\nroughness %.3f\n", peak, max / (peak * omega * omega));
}

static void pick(const struct sound *sound, const char *path, size_t channel)
{
    struct sound one = make_sound(sound->count, 1);
    for (size_t i = 0; i < sound->count; i++)
        one.frames[i] = sound->frames[i * sound->channels + channel];
    write_sound(path, &one);
    free(one.frames);
}

static void wait_for_server(double seconds)
{
    double end = clock_seconds() + seconds;
    jack_client_t *client = NULL;
    while (!(client = jack_client_open("waiting", JackNoStartServer, NULL))) {
        if (clock_seconds() > end)
            give_up("wait", "no JACK server answers");
        nanosleep(&(struct timespec){.tv_nsec = 50000000}, NULL);
    }
    jack_client_close(client);
}

/* The machine itself, without JACK and without aula: a virtual one may stand still for longer than a period. */
static void measure_lateness(double seconds)
{
    double end = clock_seconds() + seconds, max = 0.0;
    for (double from; (from = clock_seconds()) < end;) {
        nanosleep(&(struct timespec){.tv_nsec = 2000000}, NULL);
        double late = clock_seconds() - from - 0.002;
        max = late > max ? late : max;
    }
    printf("late %.1f\n", 1000.0 * max);
}

struct recorder {
    jack_client_t *client;
    jack_port_t *ports[CHANNELS_MAX];
    jack_nframes_t first; /* of JACK's frames */
    struct sound sound;
    atomic_size_t filled; /* frames */
    atomic_int dropouts;
};

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

static int dropped_out(void *context)
{
    struct recorder *r = context;
    atomic_fetch_add(&r->dropouts, 1);
    return 0;
}

static int process(jack_nframes_t frames, void *context)
{
    struct recorder *r = context;
    size_t at = atomic_load(&r->filled), channels = r->sound.channels;
    if (!at)
        r->first = jack_last_frame_time(r->client);
    size_t count = frames < r->sound.count - at ? frames : r->sound.count - at;
    for (size_t c = 0; c < channels; c++) {
        const float *in = jack_port_get_buffer(r->ports[c], frames);
        for (size_t i = 0; i < count; i++)
            r->sound.frames[(at + i) * channels + c] = in[i];
    }
    atomic_store(&r->filled, at + count);
    return 0;
}

static jack_client_t *begin(const char *name, size_t channels)
{
    if (channels < 1 || channels > CHANNELS_MAX)
        give_up(name, "1 to 16 channels");
    jack_client_t *client = jack_client_open(name, JackNoStartServer | JackUseExactName, NULL);
    if (!client)
        give_up(name, "no JACK server answers");
    return client;
}

static jack_port_t *port(jack_client_t *client, const char *direction, size_t channel, unsigned long flags)
{
    char name[32];
    snprintf(name, sizeof name, "%s_%zu", direction, channel + 1);
    jack_port_t *made = jack_port_register(client, name, JACK_DEFAULT_AUDIO_TYPE, flags, 0);
    if (!made)
        give_up(name, "this port cannot be made");
    return made;
}

/* Until SIGTERM, the server's end, or for so long. */
static void run(jack_client_t *client, double seconds)
{
    jack_on_shutdown(client, server_ended, NULL);
    signal(SIGTERM, end_running);
    if (jack_activate(client))
        give_up("JACK", "cannot begin");
    printf("ready\n");
    fflush(stdout);
    double end = clock_seconds() + seconds;
    while (!ended && clock_seconds() < end)
        nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
    jack_deactivate(client);
    jack_client_close(client);
}

static void record(const char *name, size_t channels, double seconds, const char *path)
{
    static struct recorder r;
    jack_client_t *client = begin(name, channels);
    r.client = client;
    r.sound = make_sound((size_t)(seconds * 48000.0), channels);
    for (size_t c = 0; c < channels; c++)
        r.ports[c] = port(client, "in", c, JackPortIsInput);
    jack_set_process_callback(client, process, &r);
    jack_set_xrun_callback(client, dropped_out, &r);
    run(client, seconds);
    r.sound.count = atomic_load(&r.filled);
    write_sound(path, &r.sound);
    printf("from %.6f\n", r.first / 48000.0);
    printf("recorded %zu\ndropouts %d\n", r.sound.count, atomic_load(&r.dropouts));
    free(r.sound.frames);
}

struct repeater {
    jack_port_t *in[CHANNELS_MAX], *out[CHANNELS_MAX];
    size_t channels;
};

static int repeat(jack_nframes_t frames, void *context)
{
    struct repeater *r = context;
    for (size_t c = 0; c < r->channels; c++)
        memcpy(jack_port_get_buffer(r->out[c], frames), jack_port_get_buffer(r->in[c], frames), frames * sizeof(float));
    return 0;
}

static void through(const char *name, size_t channels, double seconds)
{
    static struct repeater r;
    jack_client_t *client = begin(name, channels);
    r.channels = channels;
    for (size_t c = 0; c < channels; c++) {
        r.in[c] = port(client, "in", c, JackPortIsInput);
        r.out[c] = port(client, "out", c, JackPortIsOutput);
    }
    jack_set_process_callback(client, repeat, &r);
    run(client, seconds);
}

enum { MESSAGES_MAX = 1000 };

struct sender {
    jack_client_t *client;
    jack_port_t *port;
    size_t frame, next, count; /* frame: since the port was connected */
    jack_nframes_t first;      /* of JACK's frames: of the first message */
    struct {
        double seconds;
        unsigned bytes[3];
    } messages[MESSAGES_MAX];
};

static int send_messages(jack_nframes_t frames, void *context)
{
    struct sender *s = context;
    void *buffer = jack_port_get_buffer(s->port, frames);
    jack_midi_clear_buffer(buffer);
    if (!jack_port_connected(s->port))
        return 0;
    for (; s->next < s->count; s->next++) {
        const size_t at = (size_t)lrint(48000.0 * (2.0 + s->messages[s->next].seconds));
        if (at >= s->frame + frames)
            break;
        const unsigned *bytes = s->messages[s->next].bytes;
        if (!s->next)
            s->first = jack_last_frame_time(s->client) + (jack_nframes_t)(at - s->frame);
        const jack_midi_data_t message[3] = {(jack_midi_data_t)bytes[0], (jack_midi_data_t)bytes[1],
                                             (jack_midi_data_t)bytes[2]};
        jack_midi_event_write(buffer, (jack_nframes_t)(at - s->frame), message, 3);
    }
    s->frame += frames;
    return 0;
}

static void send_midi(const char *name, double seconds, const char *path)
{
    static struct sender s;
    FILE *file = fopen(path, "r");
    if (!file)
        give_up(path, "cannot be read");
    while (s.count < MESSAGES_MAX &&
           fscanf(file, "%lf %u %u %u", &s.messages[s.count].seconds, &s.messages[s.count].bytes[0],
                  &s.messages[s.count].bytes[1], &s.messages[s.count].bytes[2]) == 4)
        s.count++;
    fclose(file);
    jack_client_t *client = begin(name, 1);
    s.client = client;
    s.port = jack_port_register(client, "keys", JACK_DEFAULT_MIDI_TYPE, JackPortIsOutput, 0);
    if (!s.port)
        give_up(name, "its port cannot be made");
    jack_set_process_callback(client, send_messages, &s);
    run(client, seconds);
    printf("sent %zu\nfrom %.6f\n", s.next, s.first / 48000.0);
}

/* Of the first channel: the shift that agrees best with the beginning of what was sent. */
static size_t find_latency(const struct sound *sent, const struct sound *recorded, size_t frames_max)
{
    size_t window = sent->count < frames_max ? sent->count : frames_max, best = 0;
    double max = -1.0;
    for (size_t shift = 0; shift + sent->count <= recorded->count; shift++) {
        double sum = 0.0;
        for (size_t i = 0; i < window; i++)
            sum +=
                (double)sent->frames[i * sent->channels] * (double)recorded->frames[(shift + i) * recorded->channels];
        if (sum > max) {
            max = sum;
            best = shift;
        }
    }
    return best;
}

/* What differs, and what was recorded before and after, against what was sent. */
static void compare(const struct sound *sent, const struct sound *recorded)
{
    if (sent->channels != recorded->channels || sent->count == 0)
        give_up("compare", "the channels differ, or nothing was sent");
    if (recorded->count < sent->count)
        give_up("compare", "less was recorded than sent");
    size_t latency = find_latency(sent, recorded, 2400), channels = sent->channels;
    size_t from = latency * channels, length = sent->count * channels;
    double power = 0.0, difference = 0.0, outside = 0.0;
    for (size_t i = 0; i < recorded->count * channels; i++) {
        double value = (double)recorded->frames[i];
        if (i < from || i >= from + length) {
            outside += value * value;
        } else {
            double original = (double)sent->frames[i - from];
            power += original * original;
            difference += (value - original) * (value - original);
        }
    }
    printf("latency %zu\ndifference %.1f\noutside %.1f\n", latency, 10.0 * log10(difference / power + 1e-20),
           10.0 * log10(outside / power + 1e-20));
}

/* Frames that are silent at the beginning. */
static size_t silent_frames(const struct sound *s)
{
    size_t i = 0;
    while (i < s->count * s->channels && fabsf(s->frames[i]) < 1e-7f)
        i++;
    return i / s->channels;
}

/* SENT somewhere in a second and a bit of RECORDED, at whatever level; looked for from where it began or a little
 * before, since SENT may begin with silence. */
static void fit(const struct sound *sent, const struct sound *recorded, double from)
{
    const size_t begins = silent_frames(recorded), silent = silent_frames(sent) + 480; /* the louder begins earlier */
    const size_t skip = (begins > silent ? begins - silent : 0) + (size_t)(from * 48000.0);
    struct sound part = *recorded;
    double power = 0.0, product = 0.0, difference = 0.0;
    if (sent->channels != recorded->channels || recorded->count < skip + 57600 + sent->count)
        give_up("fit", "the channels differ, or too little was recorded");
    part.frames += skip * part.channels;
    part.count = 57600 + sent->count;
    const size_t latency = find_latency(sent, &part, 19200), length = sent->count * sent->channels;
    const float *heard = part.frames + latency * part.channels;
    for (size_t i = 0; i < length; i++) {
        product += (double)heard[i] * (double)sent->frames[i];
        power += (double)sent->frames[i] * (double)sent->frames[i];
    }
    const double gain = product / power;
    for (size_t i = 0; i < length; i++) {
        const double off = (double)heard[i] - gain * (double)sent->frames[i];
        difference += off * off;
    }
    printf("begins %.3f\ngain %.6g\ndifference %.1f\n", (double)begins / 48000.0, gain,
           10.0 * log10(difference / (gain * gain * power) + 1e-20));
}

static void measure_peak(const struct sound *s)
{
    double peak = 0.0;
    size_t clipped = 0;
    for (size_t i = 0; i < s->count * s->channels; i++) {
        const double magnitude = fabs((double)s->frames[i]);
        peak = magnitude <= peak ? peak : magnitude;
        clipped += !(magnitude <= 1.0);
    }
    printf("peak %.6f\nclipped %zu\n", peak, clipped);
}

static void find_onsets(const struct sound *s)
{
    float peak = 0.0f;
    size_t quiet = 4800;
    for (size_t i = 0; i < s->count; i++)
        peak = fmaxf(peak, fabsf(s->frames[i * s->channels]));
    for (size_t i = 0; i < s->count; i++) {
        const bool loud = fabsf(s->frames[i * s->channels]) > 1e-3f * peak;
        if (loud && quiet >= 4800)
            printf("%.6f\n", (double)i / 48000.0);
        quiet = loud ? 0 : quiet + 1;
    }
}

int main(int count, char **a)
{
    if (count == 3 && strcmp(a[1], "wait") == 0) {
        wait_for_server(strtod(a[2], NULL));
    } else if (count == 3 && strcmp(a[1], "late") == 0) {
        measure_lateness(strtod(a[2], NULL));
    } else if (count == 6 && strcmp(a[1], "make") == 0) {
        make(a[2], strtoul(a[3], NULL, 10), strtod(a[4], NULL), strtoull(a[5], NULL, 10));
    } else if (count == 4 && strcmp(a[1], "twice") == 0) {
        struct sound mono = read_sound(a[2], 0);
        twice(&mono, a[3]);
        free(mono.frames);
    } else if (count == 6 && strcmp(a[1], "record") == 0) {
        record(a[2], strtoul(a[3], NULL, 10), strtod(a[4], NULL), a[5]);
    } else if (count == 5 && strcmp(a[1], "through") == 0) {
        through(a[2], strtoul(a[3], NULL, 10), strtod(a[4], NULL));
    } else if (count == 5 && strcmp(a[1], "midi") == 0) {
        send_midi(a[2], strtod(a[3], NULL), a[4]);
    } else if (count == 4 && strcmp(a[1], "compare") == 0) {
        struct sound sent = read_sound(a[2], 0), recorded = read_sound(a[3], sent.count); /* what is cut off differs */
        compare(&sent, &recorded);
        free(sent.frames);
        free(recorded.frames);
    } else if (count == 3 && strcmp(a[1], "peak") == 0) {
        struct sound sound = read_sound(a[2], 0);
        measure_peak(&sound);
        free(sound.frames);
    } else if (count == 3 && strcmp(a[1], "onsets") == 0) {
        struct sound sound = read_sound(a[2], 0);
        find_onsets(&sound);
        free(sound.frames);
    } else if (count == 5 && strcmp(a[1], "tone") == 0) {
        tone(a[2], strtod(a[3], NULL), strtod(a[4], NULL));
    } else if (count == 5 && strcmp(a[1], "roughness") == 0) {
        struct sound sound = read_sound(a[2], 0);
        roughness(&sound, strtod(a[3], NULL), strtod(a[4], NULL));
        free(sound.frames);
    } else if (count == 5 && strcmp(a[1], "pad") == 0) {
        struct sound sound = read_sound(a[2], 0);
        pad(&sound, a[3], strtod(a[4], NULL));
        free(sound.frames);
    } else if (count == 5 && strcmp(a[1], "channel") == 0) {
        struct sound sound = read_sound(a[2], 0);
        pick(&sound, a[3], strtoul(a[4], NULL, 10));
        free(sound.frames);
    } else if (count == 5 && strcmp(a[1], "fit") == 0) {
        struct sound sent = read_sound(a[2], 0), recorded = read_sound(a[3], 0);
        fit(&sent, &recorded, strtod(a[4], NULL));
        free(sent.frames);
        free(recorded.frames);
    } else {
        give_up("usage",
                "wait SECONDS | late SECONDS | make FILE CHANNELS SECONDS SEED | record NAME CHANNELS SECONDS FILE | "
                "through NAME CHANNELS SECONDS | midi NAME SECONDS FILE | twice MONO STEREO | pad IN OUT SECONDS | "
                "channel IN OUT N | "
                "compare SENT RECORDED | peak FILE | onsets FILE | fit SENT RECORDED FROM");
    }
    return 0;
}
