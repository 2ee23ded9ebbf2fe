/* SPDX-License-Identifier: MIT */
/* play_test [--device D] [--latency S] [--frames N] [--repeat SECONDS] [--record WAV] [--late SECONDS] FILE: plays a
 * sound file through io/player as a subcommand would, and says what was counted; --record: writes what the device's
 * inputs heard; --late: writes nothing for so long after the first blocks. Exit status and message are those of the
 * program. */
#include <math.h>
#include <sndfile.h>

#include "base/clock.h"
#include "base/stop.h"
#include "base/text.h"
#include "io/playback/player.h"

struct sound {
    float *frames; /* [count][channels] */
    size_t count, channels;
    double rate;
};

static void give_up(const char *message)
{
    fprintf(stderr, "play_test: %s\n", message);
    exit(3);
}

static struct sound read_sound(const char *path)
{
    SF_INFO info = {0};
    SNDFILE *file = sf_open(path, SFM_READ, &info);
    if (!file)
        give_up(sf_strerror(NULL));
    struct sound sound = {.count = (size_t)info.frames, .channels = (size_t)info.channels, .rate = info.samplerate};
    sound.frames = malloc(sound.count * sound.channels * sizeof(float));
    if (!sound.frames || sf_readf_float(file, sound.frames, info.frames) != info.frames)
        give_up("the sound cannot be read");
    sf_close(file);
    return sound;
}

/* What the inputs heard: [SECONDS_MAX * rate][channels] */
struct recording {
    const char *path;
    struct sound sound;
    size_t room;
};

enum { SECONDS_MAX = 20 };

static void begin_recording(struct recording *r, const char *path, const struct sound *like)
{
    r->path = path;
    r->room = SECONDS_MAX * (size_t)like->rate;
    r->sound = (struct sound){.channels = like->channels, .rate = like->rate};
    r->sound.frames = malloc(r->room * like->channels * sizeof(float));
    if (!r->sound.frames)
        give_up("no memory for a recording");
}

static void take_recorded(struct recording *r, struct player *p)
{
    struct sound *s = &r->sound;
    if (r->path)
        s->count += player_read(p, s->frames + s->count * s->channels, r->room - s->count);
}

static void end_recording(struct recording *r)
{
    SF_INFO info = {.samplerate = (int)r->sound.rate,
                    .channels = (int)r->sound.channels,
                    .format = SF_FORMAT_WAV | SF_FORMAT_FLOAT};
    SNDFILE *file = sf_open(r->path, SFM_WRITE, &info);
    sf_count_t count = (sf_count_t)r->sound.count;
    if (!file || sf_writef_float(file, r->sound.frames, count) != count || sf_close(file))
        give_up("the recording cannot be written");
    free(r->sound.frames);
}

static double be_late(double seconds)
{
    nanosleep(&(struct timespec){(time_t)seconds, (long)((seconds - floor(seconds)) * 1e9)}, NULL);
    return 0.0;
}

/* In blocks, again and again until `seconds` are over (once for 0). */
static int play(struct player *p, const struct sound *sound, double seconds, double late, struct recording *r,
                struct error *e)
{
    double end = clock_seconds() + seconds;
    do
        for (size_t at = 0; at < sound->count; at += 1000) {
            size_t count = sound->count - at < 1000 ? sound->count - at : 1000;
            if (player_play(p, sound->frames + at * sound->channels, count, e))
                return -1;
            take_recorded(r, p);
            if (late > 0.0 && at >= sound->count / 2)
                late = be_late(late);
        }
    while (clock_seconds() < end);
    int status = player_drain(p, 5.0, e);
    take_recorded(r, p);
    return status;
}

static int play_and_tell(const struct player_settings *settings, const struct sound *sound, double seconds, double late,
                         struct recording *r, struct error *e)
{
    struct player *p;
    if (player_open(&p, settings, e))
        return -1;
    int status = play(p, sound, seconds, late, r, e);
    struct player_status s = player_status(p);
    printf("device %s\nrate %g\nlatency %g\nload %g\nplayed %llu\nunderruns %llu\noverruns %llu\nreopened %d\n",
           s.device, s.rate, s.latency, s.load, s.played, s.underruns, s.overruns, s.reopened);
    fflush(stdout);
    player_close(p);
    return status;
}

static double number(const char *text)
{
    double value = NAN;
    if (!text || text_number(text, &value))
        give_up("a number is missing");
    return value;
}

int main(int count, char **arguments)
{
    struct player_settings settings = {.buffered = 1.0};
    struct recording recording = {0};
    struct error e = {0};
    double seconds = 0.0, late = 0.0;
    int i = 1;
    for (; i + 1 < count && strncmp(arguments[i], "--", 2) == 0; i += 2) {
        if (strcmp(arguments[i], "--device") == 0)
            settings.device = arguments[i + 1];
        else if (strcmp(arguments[i], "--latency") == 0)
            settings.latency = number(arguments[i + 1]);
        else if (strcmp(arguments[i], "--frames") == 0)
            settings.frames = (unsigned long)number(arguments[i + 1]);
        else if (strcmp(arguments[i], "--repeat") == 0)
            seconds = number(arguments[i + 1]);
        else if (strcmp(arguments[i], "--late") == 0)
            late = number(arguments[i + 1]);
        else if (strcmp(arguments[i], "--record") == 0)
            recording.path = arguments[i + 1];
        else
            give_up("unknown option");
    }
    if (i + 1 != count)
        give_up("one FILE, please");
    stop_on_signals();
    struct sound sound = read_sound(arguments[i]);
    settings.outputs = sound.channels;
    settings.rate = sound.rate;
    if (recording.path) {
        settings.inputs = sound.channels;
        begin_recording(&recording, recording.path, &sound);
    }
    int status = play_and_tell(&settings, &sound, seconds, late, &recording, &e);
    if (recording.path)
        end_recording(&recording);
    free(sound.frames);
    if (status)
        fprintf(stderr, "play_test: %s\n", e.message);
    return status ? error_exit_status(e.code) : 0;
}
