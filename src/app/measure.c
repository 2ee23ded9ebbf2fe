/* SPDX-License-Identifier: MIT */
/* aula measure: plays sweeps, records them, and makes the impulse response of the room. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/calibration.h"
#include "app/cmd.h"
#include "app/measure_card.h"
#include "app/measured.h"
#include "app/outputs.h"
#include "app/say.h"
#include "app/sound_card.h"
#include "app/sweeps.h"
#include "base/text.h"
#include "io/audio_file.h"

struct measure_options {
    struct common_options common;
    struct output_options output;
    struct card_options card;
    struct sweep_options sweep;
    const char *level, *write_sweep, *input_device, *calibrator;
    double rate;
    int inputs, speaker;
};

static const double LEVEL = -12.0;          /* dB */
static const double LATENCY = 0.1;          /* s */
static const double CALIBRATOR_TIME = 5.0;  /* s */
static const double DEFAULT_RATE = 48000.0; /* Hz of --write-sweep */
enum { REPEATS = 2 };

struct measure {
    const struct measure_options *o;
    struct sound_names names;
    enum sample_format format;
    struct sweep made;
    double *sweep; /* [length] */
    size_t length;
    struct measure_card card;
    char device[256];
};

/* ---- Options ---- */

static int read_sweep(struct measure *m, double rate, struct error *e)
{
    const struct measure_options *o = m->o;
    double level = LEVEL;
    if (o->level && (text_number(o->level, &level) || !(level >= -80.0 && level <= 0.0)))
        return fail(e, ERROR_USAGE, "--level %s: must be from -80 to 0 dB re full scale", o->level);
    m->made = (struct sweep){.level = pow(10.0, level / 20.0), .rate = rate};
    return sweep_read_words(&m->made, o->sweep.sweep ? o->sweep.sweep : SWEEP_USUAL, "--sweep", e);
}

static size_t repeats_of(const struct measure_options *o)
{
    return o->sweep.repeats ? (size_t)o->sweep.repeats : REPEATS;
}

static double pause_of(const struct measure_options *o)
{
    return isnan(o->sweep.pause) ? SWEEP_PAUSE : o->sweep.pause;
}

static size_t larger(size_t a, size_t b)
{
    return a > b ? a : b;
}

/* The inputs 1 to `inputs` are recorded, and the loopback. */
static struct player_settings settings_of(const struct measure_options *o)
{
    const size_t inputs = o->inputs ? (size_t)o->inputs : 1, speaker = o->speaker ? (size_t)o->speaker : 1;
    const size_t loopback = (size_t)o->sweep.loopback;
    return (struct player_settings){.device = o->card.device,
                                    .input_device = o->input_device,
                                    .outputs = larger(speaker, loopback),
                                    .inputs = larger(inputs, loopback),
                                    .apart = true,
                                    .rate = o->rate,
                                    .latency = o->card.latency > 0.0 ? 1e-3 * o->card.latency : LATENCY,
                                    .buffered = 1.0};
}

static int check_options(const struct measure_options *o, struct error *e)
{
    if (latency_check(&o->card, e) || sweep_options_check(&o->sweep, e))
        return -1;
    if (o->rate != 0.0 && !(o->rate >= 8000.0 && o->rate <= 384000.0))
        return fail(e, ERROR_USAGE, "--rate %g: must be from 8000 to 384000 Hz", o->rate);
    if (o->sweep.loopback && o->sweep.loopback == (o->speaker ? o->speaker : 1))
        return fail(e, ERROR_USAGE,
                    "--loopback %d: the loudspeaker is on this output; use another channel for the cable, such as 2",
                    o->sweep.loopback);
    if (o->sweep.loopback && o->inputs > o->sweep.loopback)
        return fail(e, ERROR_USAGE, "--loopback %d: is among the %d inputs of microphones; use the channel after them",
                    o->sweep.loopback, o->inputs);
    if (o->output.path || o->write_sweep || o->calibrator)
        return 0;
    return fail(e, ERROR_USAGE, "no output; add -o IR.wav to measure a response: aula measure -o IR.wav");
}

/* ---- Writing the sweep, calibrating ---- */

static int write_sweep(struct measure *m, struct error *e)
{
    const struct measure_options *o = m->o;
    const double rate = o->rate > 0.0 ? o->rate : DEFAULT_RATE;
    if (read_sweep(m, rate, e) ||
        sweep_file_write(o->write_sweep, &m->made, repeats_of(o), pause_of(o), o->output.no_clobber, e))
        return -1;
    say(o->common.quiet,
        "%s: %zu sweep%s from %g to %g Hz in %g s, at %.0f Hz; play it, record from before its beginning to after its "
        "end, then aula deconvolve RECORDED.wav %s -o IR.wav",
        o->write_sweep, repeats_of(o), repeats_of(o) == 1 ? "" : "s", m->made.low, m->made.high, m->made.seconds, rate,
        o->write_sweep);
    return 0;
}

/* The tone of the calibrator on input --inputs, the last of them. */
static int calibrate(struct measure *m, struct error *e)
{
    const struct measure_options *o = m->o;
    const size_t inputs = o->inputs ? (size_t)o->inputs : 1;
    double level, rate;
    struct calibrator_tone tone;
    if (text_number(o->calibrator, &level) || !(level >= 60.0 && level <= 140.0))
        return fail(e, ERROR_USAGE, "--calibrator %s: must be the level of the calibrator, 60 to 140 dB",
                    o->calibrator);
    if (!o->sweep.calibration)
        return fail(e, ERROR_USAGE, "--calibrator: add --calibration FILE, which the calibration is written to");
    m->card.settings.outputs = 0;
    m->card.settings.inputs = inputs;
    if (measure_card_probe(&rate, m->device, &m->card.settings, e))
        return -1;
    const size_t frames = (size_t)(CALIBRATOR_TIME * rate);
    float *recorded = malloc(frames * inputs * sizeof *recorded);
    double *samples = malloc(frames * sizeof *samples);
    int status = recorded && samples ? 0 : fail(e, ERROR_MEMORY, "out of memory");
    say(o->common.quiet, "records the calibrator on input %zu of \"%s\" for %g s", inputs, m->device, CALIBRATOR_TIME);
    status = status || measure_card_record(&m->card, recorded, frames, e);
    for (size_t n = 0; !status && n < frames; n++)
        samples[n] = (double)recorded[n * inputs + inputs - 1];
    status = status || calibrator_tone_find(&tone, samples, frames, rate, level, e) ||
             calibration_write(o->sweep.calibration, inputs, &tone, level, m->device, e);
    if (!status)
        say(o->common.quiet, "%s: input %zu: %.1f dB at %.1f Hz; full scale is %.1f dB", o->sweep.calibration, inputs,
            level, tone.frequency, 20.0 * log10(tone.pascals / 20e-6));
    free(recorded);
    free(samples);
    return status ? -1 : 0;
}

/* ---- Measuring ---- */

static void tell(void *context, size_t take, size_t sweep, size_t of)
{
    const struct measure *m = context;
    (void)take;
    say(m->o->common.quiet, "sweep %zu of %zu", sweep, of);
}

static int open_output(struct measure *m, struct error *e)
{
    const struct measure_options *o = m->o;
    if (sound_names_make(&m->names, o->output.path, NULL, NULL, e) ||
        sample_format_named(&m->format, o->output.format, e) ||
        audio_format_settle(&m->format, o->output.format != NULL, m->names.sound, 0, 0.0, e))
        return -1;
    if (o->common.json && !m->names.json)
        return fail(e, ERROR_USAGE, "-o - and --json cannot share standard output; remove one of them");
    return outputs_check((const char *const[]){m->names.sound, m->names.json}, 2, o->output.no_clobber, e) ||
                   outputs_warn_of_other(&m->names, e)
               ? -1
               : 0;
}

static int report(struct measure *m, const struct sweep_take *take, const double *pascals, struct error *e)
{
    const struct measure_options *o = m->o;
    const struct player_settings *settings = &m->card.settings;
    const size_t period = m->length + (size_t)llround(pause_of(o) * m->made.rate);
    struct measured result = {.command = "measure",
                              .name = m->names.sound,
                              .noise = take->noise,
                              .noise_frames = take->noise_frames,
                              .averaged = take->used,
                              .spread = take->spread,
                              .pascals = pascals,
                              .device = m->device,
                              .takes = take->takes,
                              .dropped = take->dropped,
                              .refused = take->refused};
    result.in = (struct sweep_recording){.samples = take->mean,
                                         .channels = settings->inputs,
                                         .frames = period,
                                         .sweep = m->sweep,
                                         .length = m->length,
                                         .made = m->made,
                                         .repeats = 1,
                                         .loopback = (size_t)o->sweep.loopback,
                                         .delay = o->sweep.delay};
    int status = measured_make(&result, e);
    if (!status) {
        measured_say(&result, o->common.quiet);
        status = measured_write(&result, &m->names, m->format, o->output.no_clobber, e);
    }
    if (!status && o->common.json)
        status = measured_print_json(m->names.json, e);
    else if (!status && !o->common.quiet && m->names.json)
        measured_print(&result, &m->names);
    measured_free(&result);
    return status;
}

static int measure(struct measure *m, struct error *e)
{
    const struct measure_options *o = m->o;
    struct calibration calibration = {0};
    struct sweep_take take = {0};
    double rate;
    int status = open_output(m, e) || read_sweep(m, o->rate > 0.0 ? o->rate : DEFAULT_RATE, e) ||
                 calibration_read(&calibration, o->sweep.calibration, m->card.settings.inputs, e) ||
                 measure_card_probe(&rate, m->device, &m->card.settings, e) || read_sweep(m, rate, e);
    if (status)
        goto done;
    m->card.settings.rate = rate;
    m->length = sweep_frames(&m->made);
    m->sweep = malloc(m->length * sizeof *m->sweep);
    status = m->sweep ? sweep_make(m->sweep, &m->made, e) : fail(e, ERROR_MEMORY, "out of memory");
    const struct sweep_session session = {.sweep = m->sweep,
                                          .length = m->length,
                                          .silence = (size_t)(SWEEP_SILENCE * rate),
                                          .period = m->length + (size_t)llround(pause_of(o) * rate),
                                          .rate = rate,
                                          .outputs = m->card.settings.outputs,
                                          .inputs = m->card.settings.inputs,
                                          .speaker = o->speaker ? (size_t)o->speaker : 1,
                                          .loopback = (size_t)o->sweep.loopback,
                                          .repeats = repeats_of(o),
                                          .tell = tell,
                                          .context = m};
    const struct sweep_stream stream = measure_card_stream(&m->card);
    say(o->common.quiet, "measures on \"%s\": %g s of silence, then %zu sweep%s of %g s at %.1f dB re full scale",
        m->device, SWEEP_SILENCE, session.repeats, session.repeats == 1 ? "" : "s", m->made.seconds,
        20.0 * log10(m->made.level));
    status = status || sweep_session_run(&take, &session, &stream, e) || report(m, &take, calibration.pascals, e);
done:
    sweep_take_free(&take);
    calibration_free(&calibration);
    return status ? -1 : 0;
}

static int run(void *options, struct error *e)
{
    const struct measure_options *o = options;
    struct measure m = {.o = o, .card = {.common = &o->common, .settings = settings_of(o)}};
    int status = check_options(o, e);
    if (!status)
        status = o->write_sweep ? write_sweep(&m, e) : o->calibrator ? calibrate(&m, e) : measure(&m, e);
    free(m.sweep);
    sound_names_free(&m.names);
    return status ? -1 : 0;
}

#define OWN(member) OPTION_AT(OWN, measure_options, member)

static const struct option_row level = {"level",    0,    OPTION_TEXT,
                                        OWN(level), "DB", "set the peak of the sweep, dB re full scale (default: -12)"};
static const struct option_row rate = {"rate",    0,    OPTION_NUMBER,
                                       OWN(rate), "HZ", "set the sample rate (default: that of the sound card)"};
static const struct option_row inputs = {"inputs",    0,   OPTION_COUNT,
                                         OWN(inputs), "N", "record microphones on the inputs 1 to N (default: 1)"};
static const struct option_row speaker = {"speaker",    0,         OPTION_COUNT,
                                          OWN(speaker), "CHANNEL", "play on this output (default: 1)"};
static const struct option_row input_device = {
    "input-device", 0, OPTION_TEXT, OWN(input_device), "NAME", "record from another sound card than --device"};
static const struct option_row calibrator = {
    "calibrator",    0,    OPTION_TEXT,
    OWN(calibrator), "DB", "record a calibrator of this level on the last of the inputs, and write --calibration"};
static const struct option_row write_row = {
    "write-sweep",    0,      OPTION_TEXT,
    OWN(write_sweep), "FILE", "write the sweeps as a sound file to be played elsewhere, and measure nothing"};
static const struct option_row format_row = {
    "format",    0,
    OPTION_TEXT, OPTION_AT(OUTPUT, output_options, format),
    "NAME",      "set the sample format: float (default), double, pcm24 or pcm16"};

static const struct option_row *const options[] = {
    &option_output,   &option_no_clobber,
    &format_row,      &option_sweep,
    &option_repeat,   &option_pause,
    &level,           &rate,
    &inputs,          &speaker,
    &option_loopback, &option_delay,
    &calibrator,      &option_calibration,
    &write_row,       &option_sound_device,
    &input_device,    &option_latency,
    &option_json,     &option_quiet,
    &option_help,     NULL,
};

static const struct measure_options defaults = {.sweep = SWEEP_OPTIONS_ABSENT};

const struct command command_measure = {
    .name = "measure",
    .synopsis = "-o IR.wav [--sweep FROM,TO,TIME] [--repeat N] [--loopback CHANNEL]",
    .meaning = "measure the impulse response of a real room with a loudspeaker and a microphone",
    .details =
        "Plays exponential sweeps on one output and records them at the same time. A take with dropped blocks is\n"
        "repeated, as is a sweep that is clipped or differs from the others; if that does not help, nothing is\n"
        "written. With --loopback N, connect output N to input N by a cable: t = 0 is then the emission. The\n"
        "sidecar has noise, level and distortion; aula metrics and aula report take the result.\n",
    .options = options,
    .arguments_min = 0,
    .arguments_max = 0,
    .options_size = sizeof(struct measure_options),
    .groups = {[GROUP_OUTPUT] = offsetof(struct measure_options, output),
               [GROUP_CARD] = offsetof(struct measure_options, card),
               [GROUP_SWEEP] = offsetof(struct measure_options, sweep)},
    .defaults = &defaults,
    .run = run,
};
