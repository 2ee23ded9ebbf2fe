/* SPDX-License-Identifier: MIT */
#include "app/sweeps.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "io/audio_file.h"

#define OWN_ROW(member) OPTION_AT(SWEEP, sweep_options, member)

const struct option_row option_sweep = {
    "sweep",        0,
    OPTION_TEXT,    OWN_ROW(sweep),
    "FROM,TO,TIME", "play a sweep from one frequency to another, Hz, in so many seconds (default: " SWEEP_USUAL ")"};
const struct option_row option_repeat = {
    "repeat",         0,   OPTION_COUNT,
    OWN_ROW(repeats), "N", "average N sweeps (default: 2, or as many as the sweep's file plays)"};
const struct option_row option_pause = {
    "pause",        0,   OPTION_NUMBER,
    OWN_ROW(pause), "S", "keep silent after each sweep for S seconds, longer than the room reverberates (default: 3)"};
const struct option_row option_loopback = {
    "loopback",        0,         OPTION_COUNT,
    OWN_ROW(loopback), "CHANNEL", "take t = 0 from this input, to which a cable returns the played sweep"};
const struct option_row option_delay = {
    "delay",        0,   OPTION_NUMBER,
    OWN_ROW(delay), "S", "set t = 0 by the delay from playing to recording, such as the sound card's, in seconds"};
const struct option_row option_calibration = {
    "calibration",        0,      OPTION_TEXT,
    OWN_ROW(calibration), "FILE", "give levels as sound pressure, by the file that aula measure --calibrator wrote"};

int sweep_options_check(const struct sweep_options *o, struct error *e)
{
    if (!isnan(o->pause) && !(o->pause >= 0.2 && o->pause <= 60.0))
        return fail(e, ERROR_USAGE, "--pause %g: must be from 0.2 to 60 s", o->pause);
    if (!isnan(o->delay) && o->loopback)
        return fail(e, ERROR_USAGE, "--delay and --loopback both set t = 0; remove one of them");
    return 0;
}

bool sweep_is_words(const char *word)
{
    return *word && strspn(word, "0123456789.,eE+-") == strlen(word) && strchr(word, ',');
}

int sweep_read_words(struct sweep *s, const char *words, const char *what, struct error *e)
{
    double values[3];
    char *copy = text_copy(words), *rest = copy;
    size_t count = 0;
    bool sound = copy != NULL;
    while (sound && rest) {
        const char *word = strsep(&rest, ",");
        sound = count < 3 && !text_number(word, &values[count]);
        count++;
    }
    free(copy);
    if (!copy)
        return fail(e, ERROR_MEMORY, "out of memory");
    if (!sound || count != 3)
        return fail(e, ERROR_USAGE, "%s %s: expected two frequencies in Hz and a time in s, such as " SWEEP_USUAL, what,
                    words);
    s->low = values[0];
    s->high = values[1];
    s->seconds = values[2];
    struct error why;
    return sweep_check(s, &why) ? fail(e, ERROR_USAGE, "%s: %s", what, why.message) : 0;
}

/* ---- Files ---- */

static const char comment[] = "exponential sweep %.17g,%.17g,%.17g at %.17g dB; %zu times, pause %.17g s";

int sweep_file_write(const char *path, const struct sweep *s, size_t repeats, double pause, bool no_clobber,
                     struct error *e)
{
    const size_t length = sweep_frames(s), period = length + (size_t)llround(pause * s->rate);
    const size_t silence = (size_t)llround(SWEEP_SILENCE * s->rate);
    struct audio audio = {.channels = 1, .frames = silence + repeats * period, .rate = s->rate};
    char *text = text_format(comment, s->low, s->high, s->seconds, 20.0 * log10(s->level), repeats, pause);
    const struct audio_description d = {.format = FORMAT_PCM24, .description = text};
    struct output_file file = {.no_clobber = false};
    audio.samples = calloc(audio.frames, sizeof *audio.samples);
    int status = text && audio.samples ? sweep_make(audio.samples + silence, s, e)
                                       : fail(e, ERROR_MEMORY, "%s: out of memory", path);
    for (size_t k = 1; !status && k < repeats; k++)
        memcpy(audio.samples + silence + k * period, audio.samples + silence, length * sizeof *audio.samples);
    status = status || output_file_open(&file, path, e);
    file.no_clobber = no_clobber;
    status = status || audio_write_to(&file, &audio, &d, NULL, e) || output_file_commit(&file, e);
    output_file_discard(&file);
    free(audio.samples);
    free(text);
    return status ? -1 : 0;
}

/* Without %n and rounding: the numbers of the comment, or false. */
static bool read_comment(struct sweep_file *f, const char *text)
{
    static const char *const between[] = {"exponential sweep ", ",", ",", " at ", " dB; ", " times, pause ", " s"};
    double values[6];
    for (size_t i = 0; i < 7; i++) {
        char *end;
        if (!text || strncmp(text, between[i], strlen(between[i])) != 0)
            return false;
        text += strlen(between[i]);
        if (i == 6)
            break;
        values[i] = strtod(text, &end);
        if (end == text)
            return false;
        text = end;
    }
    f->made.low = values[0];
    f->made.high = values[1];
    f->made.seconds = values[2];
    f->made.level = pow(10.0, values[3] / 20.0);
    f->repeats = (size_t)fmin(fmax(values[4], 1.0), 1000.0);
    f->pause = fmin(fmax(values[5], 0.0), 600.0);
    return !sweep_check(&f->made, NULL) && f->made.level > 0.0;
}

static int make_samples(struct sweep_file *f, struct error *e)
{
    f->length = sweep_frames(&f->made);
    f->samples = malloc(f->length * sizeof *f->samples);
    return f->samples ? sweep_make(f->samples, &f->made, e) : fail(e, ERROR_MEMORY, "out of memory");
}

static int take_samples(struct sweep_file *f, const struct audio *audio, const char *path, struct error *e)
{
    size_t first;
    if (sweep_recognise(&f->made, &first, audio->samples, audio->frames, audio->rate, path, e))
        return -1;
    f->repeats = 1;
    f->pause = SWEEP_PAUSE;
    f->length = sweep_frames(&f->made) < audio->frames - first ? sweep_frames(&f->made) : audio->frames - first;
    f->samples = malloc(f->length * sizeof *f->samples);
    if (!f->samples)
        return fail(e, ERROR_MEMORY, "%s: out of memory", path);
    memcpy(f->samples, audio->samples + first, f->length * sizeof *f->samples);
    return 0;
}

int sweep_file_read(struct sweep_file *f, const char *word, double rate, struct error *e)
{
    *f = (struct sweep_file){.made = {.rate = rate, .level = 1.0}, .repeats = 1, .pause = SWEEP_PAUSE};
    if (sweep_is_words(word))
        return sweep_read_words(&f->made, word, "SWEEP", e) || make_samples(f, e) ? -1 : 0;
    struct audio audio;
    char *text = NULL;
    if (audio_read_with_comment(&audio, &text, word, e))
        return -1;
    int status = audio.rate == rate
                     ? 0
                     : fail(e, ERROR_INPUT, "%s: is at %g Hz, but the recording at %g Hz; resample one of them", word,
                            audio.rate, rate);
    if (!status)
        status = read_comment(f, text) ? make_samples(f, e) : take_samples(f, &audio, word, e);
    free(text);
    audio_free(&audio);
    if (status)
        sweep_file_free(f);
    return status ? -1 : 0;
}

void sweep_file_free(struct sweep_file *f)
{
    if (f)
        free(f->samples);
}
