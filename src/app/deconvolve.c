/* SPDX-License-Identifier: MIT */
/* aula deconvolve: makes an impulse response from the recording of a sweep. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "app/calibration.h"
#include "app/cmd.h"
#include "app/measured.h"
#include "app/outputs.h"
#include "app/say.h"
#include "app/sweeps.h"
#include "base/file.h"
#include "io/audio_file.h"
#include "io/json_build.h"

struct deconvolve_options {
    struct common_options common;
    struct output_options output;
    struct sweep_options sweep;
};

/* Names and formats, before any work. */
static int check(struct sound_names *names, enum sample_format *format, const struct deconvolve_options *o,
                 struct error *e)
{
    const char *recorded = o->common.arguments[0], *sweep = o->common.arguments[1];
    if (!o->output.path)
        return fail(e, ERROR_USAGE, "no output; add -o IR.wav: aula deconvolve %s %s -o IR.wav", recorded, sweep);
    if (sweep_is_words(recorded))
        return fail(e, ERROR_USAGE, "%s: is a sweep, not a recording; swap the arguments: aula deconvolve %s %s",
                    recorded, sweep, recorded);
    if (standard_input_once(o->common.arguments, 2, e) || sweep_options_check(&o->sweep, e) ||
        sound_names_make(names, o->output.path, NULL, NULL, e) || sample_format_named(format, o->output.format, e) ||
        audio_format_settle(format, o->output.format != NULL, names->sound, 0, 0.0, e))
        return -1;
    if (o->common.json && !names->json)
        return fail(e, ERROR_USAGE, "-o - and --json cannot share standard output; remove one of them");
    for (size_t i = 0; i < 2 && names->json; i++)
        if (same_file(names->sound, o->common.arguments[i]))
            return fail(e, ERROR_USAGE, "%s: is also an input; choose another name with -o", names->sound);
    return outputs_check((const char *const[]){names->sound, names->json}, 2, o->output.no_clobber, e) ||
                   outputs_warn_of_other(names, e)
               ? -1
               : 0;
}

static int report(const struct measured *m, const struct sound_names *names, const struct deconvolve_options *o,
                  enum sample_format format, struct error *e)
{
    measured_say(m, o->common.quiet);
    if (measured_write(m, names, format, o->output.no_clobber, e))
        return -1;
    if (o->common.json)
        return measured_print_json(names->json, e);
    if (!o->common.quiet && names->json)
        measured_print(m, names);
    return 0;
}

/* The sweep of the command line, which may stand where the recording should. */
static int read_sweep(struct sweep_file *sweep, const struct deconvolve_options *o, double rate, struct error *e)
{
    const char *recorded = o->common.arguments[0], *word = o->common.arguments[1];
    struct sweep_file swapped;
    struct error why;
    if (!sweep_file_read(sweep, word, rate, e))
        return 0;
    if (e->code != ERROR_INPUT || sweep_is_words(word) || !strcmp(recorded, STANDARD_STREAM) ||
        sweep_file_read(&swapped, recorded, rate, &why))
        return -1;
    sweep_file_free(&swapped);
    return fail(e, ERROR_USAGE, "%s: is the sweep, not its recording; swap the arguments: aula deconvolve %s %s -o %s",
                recorded, word, recorded, o->output.path);
}

static int run(void *options, struct error *e)
{
    const struct deconvolve_options *o = options;
    const char *path = o->common.arguments[0];
    struct sound_names names = {0};
    enum sample_format format;
    struct audio audio = {0};
    struct sweep_file sweep = {0};
    struct calibration calibration = {0};
    struct measured m = {.command = "deconvolve", .name = path, .averaged = 1, .spread = NAN};
    int status = check(&names, &format, o, e) || audio_read(&audio, path, e) || read_sweep(&sweep, o, audio.rate, e) ||
                 calibration_read(&calibration, o->sweep.calibration, audio.channels, e);
    if (status)
        goto done;
    const double pause = isnan(o->sweep.pause) ? sweep.pause : o->sweep.pause;
    m.in = (struct sweep_recording){.samples = audio.samples,
                                    .channels = audio.channels,
                                    .frames = audio.frames,
                                    .sweep = sweep.samples,
                                    .length = sweep.length,
                                    .made = sweep.made,
                                    .repeats = o->sweep.repeats ? (size_t)o->sweep.repeats : sweep.repeats,
                                    .period = sweep.length + (size_t)llround(pause * audio.rate),
                                    .loopback = (size_t)o->sweep.loopback,
                                    .delay = o->sweep.delay};
    m.pascals = calibration.pascals;
    status = measured_make(&m, e) || report(&m, &names, o, format, e);
done:
    measured_free(&m);
    calibration_free(&calibration);
    sweep_file_free(&sweep);
    audio_free(&audio);
    sound_names_free(&names);
    return status ? -1 : 0;
}

static const struct option_row delay_row = {
    "delay",       0,
    OPTION_NUMBER, OPTION_AT(SWEEP, sweep_options, delay),
    "S",           "set t = 0 at this time after the beginning of the recording, in seconds"};
static const struct option_row format_row = {
    "format",    0,
    OPTION_TEXT, OPTION_AT(OUTPUT, output_options, format),
    "NAME",      "set the sample format: float (default), double, pcm24 or pcm16"};

static const struct option_row *const options[] = {
    &option_output, &option_no_clobber,  &format_row,  &option_repeat, &option_pause, &option_loopback,
    &delay_row,     &option_calibration, &option_json, &option_quiet,  &option_help,  NULL,
};

static const struct deconvolve_options defaults = {.sweep = SWEEP_OPTIONS_ABSENT};

const struct command command_deconvolve = {
    .name = "deconvolve",
    .synopsis = "RECORDED.wav SWEEP -o IR.wav [--loopback CHANNEL | --delay S]",
    .meaning = "make an impulse response from the recording of a sweep",
    .details =
        "SWEEP is the file that was played (aula measure --write-sweep writes one), or the sweep's frequencies\n"
        "in Hz and its time in s, such as " SWEEP_USUAL ". The response begins 50 ms before t = 0: the emission, by\n"
        "--loopback or --delay, else the strongest sound of channel 1. Distortion is told by order, and the\n"
        "noise from the silence before the sweep. aula metrics and aula report take the result.\n",
    .options = options,
    .arguments_min = 2,
    .arguments_max = 2,
    .options_size = sizeof(struct deconvolve_options),
    .groups = {[GROUP_OUTPUT] = offsetof(struct deconvolve_options, output),
               [GROUP_SWEEP] = offsetof(struct deconvolve_options, sweep)},
    .defaults = &defaults,
    .run = run,
};
