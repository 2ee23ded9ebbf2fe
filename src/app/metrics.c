/* SPDX-License-Identifier: MIT */
/* aula metrics: figures of room acoustics from impulse responses. */
#include <stdlib.h>

#include "app/cmd.h"
#include "app/metrics_print.h"
#include "app/outputs.h"
#include "app/say.h"
#include "base/stop.h"

static void measured_free(struct measured_file *f)
{
    measured_findings_free(&f->findings);
    recording_free(&f->recording);
    free(f->channel);
}

static int stopped(struct error *e)
{
    return fail(e, ERROR_STOPPED, "stopped: nothing was printed");
}

/* Frees the samples once they are measured, so that many long files fit. */
static int measure(struct measured_file *f, const struct metrics_wanted *wanted, struct error *e)
{
    struct recording *r = &f->recording;
    if (recording_read(r, f->path, e))
        return e->code == ERROR_STOPPED ? stopped(e) : -1;
    struct metrics_settings settings = recording_settings(r);
    settings.third_octaves = wanted->third_octaves;
    f->channel = calloc(r->audio.channels, sizeof *f->channel);
    if (!f->channel)
        return fail(e, ERROR_MEMORY, "%s: out of memory", f->path);
    if (recording_measure(f->channel, r, &settings, f->path, e))
        return e->code == ERROR_STOPPED ? stopped(e) : -1;
    free(r->audio.samples);
    r->audio.samples = NULL;
    const double length = (double)r->audio.frames / r->audio.rate;
    return measured_findings_make(&f->findings, f->channel, r->audio.channels, length, e);
}

static void say_findings(const struct metrics_options *o, const struct measured_file *f)
{
    say_recording_note(&o->common, f->path, &f->recording);
    for (size_t i = 0; i < f->findings.note_count; i++)
        say(o->common.quiet, "note: %s: %s", f->path, f->findings.notes[i]);
    for (size_t i = 0; i < f->findings.warning_count; i++)
        say(false, "warning: %s: %s", f->path, f->findings.warnings[i]);
    say_recording(&o->common, f->path, &f->recording);
}

static int run(void *options, struct error *e)
{
    const struct metrics_options *o = options;
    if (o->common.json && o->csv)
        return fail(e, ERROR_USAGE, "--json and --csv: give one of them");
    struct metrics_wanted wanted;
    if (metrics_wanted_parse(&wanted, o, e) || standard_input_once(o->common.arguments, o->common.argument_count, e))
        return -1;
    struct measured_file *files = calloc(o->common.argument_count, sizeof *files);
    int status = files ? 0 : fail(e, ERROR_MEMORY, "out of memory");
    for (size_t i = 0; !status && i < o->common.argument_count; i++) {
        files[i].path = o->common.arguments[i];
        status = measure(&files[i], &wanted, e);
        if (!status)
            say_findings(o, &files[i]);
    }
    if (!status && stop_requested())
        status = stopped(e);
    if (!status && o->common.json)
        status = metrics_print_json(files, o->common.argument_count, &wanted, e);
    else if (!status && o->csv)
        status = metrics_print_csv(files, o->common.argument_count, &wanted, e);
    else if (!status)
        status = metrics_print_table(files, o->common.argument_count, &wanted, e);
    for (size_t i = 0; files && i < o->common.argument_count; i++)
        measured_free(&files[i]);
    free(files);
    return status;
}

static const struct option_row csv = {"csv",       0,
                                      OPTION_FLAG, OPTION_AT(OWN, metrics_options, csv),
                                      NULL,        "results as CSV on standard output, a row for each band"};
static const struct option_row *const options[] = {&option_third_octaves,
                                                   &option_stage,
                                                   &option_voice,
                                                   &option_speech_level,
                                                   &option_at_one_metre,
                                                   &option_noise_level,
                                                   &option_unmasked,
                                                   &option_json,
                                                   &csv,
                                                   &option_quiet,
                                                   &option_verbose,
                                                   &option_help,
                                                   NULL};

const struct command command_metrics = {
    .name = "metrics",
    .synopsis = "FILE.wav ... [--json | --csv]",
    .meaning = "EDT, T20, T30, C50, C80, D50, Ts, G by octave (ISO 3382-1) and STI of impulse responses",
    .details = "Ambisonic receivers, and figures of eight with an omni receiver at their place, have LF, LFC and LG; "
               "ears have IACC.\n"
               "Valid band and calibration are those of the JSON that aula render writes beside a file.\n"
               "Figures marked * are of bands that reach beyond the valid band, those marked ? are doubtful. The word "
               "- is standard input.\n"
               "STI is that of the room alone for a male voice, unless a speech level is given (IEC 60268-16:2011).\n",
    .options = options,
    .arguments_min = 1,
    .arguments_max = 4096,
    .options_size = sizeof(struct metrics_options),
    .run = run,
};
