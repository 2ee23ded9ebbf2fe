/* SPDX-License-Identifier: MIT */
/* aula metrics: computes acoustic parameters from impulse responses. */
#include "app/metrics.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/cmd.h"
#include "app/metrics_print.h"
#include "app/outputs.h"
#include "app/say.h"
#include "app/target_print.h"
#include "base/stop.h"
#include "base/text.h"
#include "dsp/measure/metrics_table.h"

static void measured_free(struct measured_file *f)
{
    measured_findings_free(&f->findings);
    recording_free(&f->recording);
    free(f->channel);
}

static int stopped(struct error *e)
{
    return fail(e, ERROR_STOPPED, "stopped; nothing was printed");
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

/* Judges the files and prints the verdicts; of JSON, which holds the parameters as well, returns them in *judged. */
static int judge(struct subject_judged **judged, const struct aim *aim, const struct measured_file *files, size_t count,
                 const struct metrics_options *o, const struct metrics_wanted *wanted, struct error *e)
{
    struct subject_judged *s = *judged = calloc(count, sizeof *s);
    if (!s)
        return fail(e, ERROR_MEMORY, "out of memory");
    for (size_t i = 0; i < count; i++)
        if (judge_file(&s[i], aim, &files[i], &o->target, wanted, e))
            return -1;
    for (size_t i = 0; i < count; i++)
        judged_warn(&s[i], aim->target, &o->common);
    return 0;
}

static int print(const struct measured_file *files, const struct aim *aim, const struct metrics_options *o,
                 const struct metrics_wanted *wanted, struct error *e)
{
    const size_t count = o->common.argument_count;
    struct subject_judged *judged = NULL;
    int status = aim->target ? judge(&judged, aim, files, count, o, wanted, e) : 0;
    if (!status && o->common.json)
        status = metrics_print_json(files, count, wanted, judged, aim->target, e);
    else if (!status && judged)
        status = o->csv ? judged_print_csv(judged, count, aim->target) : judged_print(judged, count, aim->target);
    else if (!status && o->csv)
        status = metrics_print_csv(files, count, wanted, e);
    else if (!status)
        status = metrics_print_table(files, count, wanted, e);
    if (!status && o->target.check)
        status = judged_check(judged, count, aim->target, e);
    free(judged);
    return status;
}

static int run(void *options, struct error *e)
{
    const struct metrics_options *o = options;
    if (o->common.json && o->csv)
        return fail(e, ERROR_USAGE, "--json and --csv exclude each other; remove one of them");
    if (o->target.name && o->third_octaves)
        return fail(e, ERROR_USAGE, "--target and --third-octaves exclude each other: targets are judged by octave");
    struct metrics_wanted wanted;
    struct aim aim = {.target = NULL};
    if (metrics_wanted_parse(&wanted, o, e) || standard_input_once(o->common.arguments, o->common.argument_count, e))
        return -1;
    if (aim_open(&aim, &o->target, e)) {
        aim_free(&aim);
        return -1;
    }
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
    if (!status)
        status = print(files, &aim, o, &wanted, e);
    aim_free(&aim);
    for (size_t i = 0; files && i < o->common.argument_count; i++)
        measured_free(&files[i]);
    free(files);
    return status;
}

static const struct option_row csv = {"csv",       0,
                                      OPTION_FLAG, OPTION_AT(OWN, metrics_options, csv),
                                      NULL,        "print the results as CSV on standard output, one row per band"};
static const struct option_row *const options[] = {&option_third_octaves,
                                                   &option_stage,
                                                   &option_voice,
                                                   &option_speech_level,
                                                   &option_at_one_metre,
                                                   &option_noise_level,
                                                   &option_unmasked,
                                                   &option_target,
                                                   &option_targets,
                                                   &option_volume,
                                                   &option_check,
                                                   &option_json,
                                                   &csv,
                                                   &option_quiet,
                                                   &option_verbose,
                                                   &option_help,
                                                   NULL};

const struct command command_metrics = {
    .name = "metrics",
    .synopsis = "FILE.wav ... [--json | --csv] [--target NAME]",
    .meaning = "compute EDT, T20, T30, C50, C80, D50, Ts, G by octave (ISO 3382-1) and STI of impulse responses",
    .details = "Ambisonic receivers, and figure-of-eight receivers with an omni receiver at the same position, also\n"
               "give LF, LFC and LG; binaural receivers give IACC. Valid band and calibration come from the JSON that\n"
               "aula render writes beside a file. * marks bands that extend beyond the valid band, ? marks doubtful\n"
               "values. Without --speech-level, STI describes the room alone, for a male voice (IEC 60268-16:2011).\n"
               "The word - reads standard input.\n",
    .options = options,
    .arguments_min = 1,
    .arguments_max = 4096,
    .options_size = sizeof(struct metrics_options),
    .groups = {[GROUP_TARGET] = offsetof(struct metrics_options, target)},
    .run = run,
};

const char *metrics_band_text(char text[16], const struct metrics_band *b)
{
    if (b->centre > 0.0)
        snprintf(text, 16, b->centre < 1000.0 ? "%g" : "%gk", b->centre < 1000.0 ? b->centre : b->centre / 1000.0);
    else
        snprintf(text, 16, "broad");
    return text;
}

static void print_shortest(const struct metrics_band *bands, size_t count, const struct metric_gap *gap)
{
    const char *between = "; it resolves";
    for (size_t i = 0; i < count; i++)
        if (metric_gap_reason(gap, &bands[i]) == METRICS_FILTER) {
            printf("%s %.2g", between, metric_gap_shortest(gap, &bands[i]));
            between = ",";
        }
    printf(" s or more");
}

/* Prints the bands that lack a parameter for this reason; `known` selects whether the necessary length is known. */
static void print_reason(const struct metrics_band *bands, size_t count, const struct metric_gap *gap,
                         enum metrics_reason reason, bool known)
{
    size_t found = 0;
    double length = 0.0; /* s: the longest */
    for (size_t i = 0; i < count; i++) {
        char text[16];
        if (metric_gap_reason(gap, &bands[i]) != reason || !isnan(metric_gap_length(gap, &bands[i])) != known)
            continue;
        if (!found++)
            printf("  no %s at", gap->figures);
        printf(" %s", metrics_band_text(text, &bands[i]));
        length = fmax(length, metric_gap_length(gap, &bands[i]));
    }
    if (!found)
        return;
    printf(": %s", metrics_reason_text(reason));
    if (reason == METRICS_SHORT && known)
        printf("; at least %.2f s are needed", ceil(100.0 * length) / 100.0);
    else if (reason == METRICS_SHORT)
        printf("; the necessary length is unknown");
    if (reason == METRICS_FILTER)
        print_shortest(bands, count, gap);
    printf("\n");
}

void metrics_print_missing(const struct metrics_band *bands, size_t count)
{
    struct metric_gap all = metric_gaps[GAP_ENERGIES]; /* a band beyond the valid band has no parameters */
    all.figures = "parameters";
    print_reason(bands, count, &all, METRICS_BEYOND, false);
    for (size_t i = GAP_EDT; i < METRIC_GAPS; i++)
        for (int reason = METRICS_BEYOND + 1; reason < METRICS_REASON_COUNT; reason++) {
            print_reason(bands, count, &metric_gaps[i], (enum metrics_reason)reason, true);
            print_reason(bands, count, &metric_gaps[i], (enum metrics_reason)reason, false);
        }
}

#define OWN(member) OPTION_AT(OWN, metrics_options, member)

const struct option_row option_voice = {"voice",    0,      OPTION_TEXT,
                                        OWN(voice), "NAME", "compute STI for a male (default) or female voice"};
const struct option_row option_speech_level = {
    "speech-level", 0,
    OPTION_TEXT,    OWN(speech_level),
    "DB",           "compute STI with this speech level at the listener: dB(A), or seven octaves, 125 Hz to 8 kHz"};
const struct option_row option_at_one_metre = {
    "speech-at-1m", 0, OPTION_FLAG, OWN(at_one_metre), NULL, "take the speech level 1 m in front of the talker"};
const struct option_row option_noise_level = {
    "noise-level",    0,       OPTION_TEXT,
    OWN(noise_level), "DB,..", "set the noise at the listener: seven octaves, 125 Hz to 8 kHz"};
const struct option_row option_unmasked = {"no-masking",  0,    OPTION_FLAG,
                                           OWN(unmasked), NULL, "compute STI without masking and reception threshold"};
const struct option_row option_third_octaves = {
    "third-octaves",    0,    OPTION_FLAG,
    OWN(third_octaves), NULL, "print third octaves, 50 Hz to 10 kHz, instead of octaves"};
const struct option_row option_stage = {
    "stage",    0,    OPTION_FLAG,
    OWN(stage), NULL, "print stage support ST_early and ST_late, for a receiver 1 m from the source"};

/* Parses levels in dB, separated by commas; returns their number, or -1. */
static int parse_levels(double levels[SPEECH_BANDS], const char *text)
{
    static const double lowest = -100.0, highest = 200.0;
    char *copy = text_copy(text), *rest = copy;
    int count = copy ? 0 : -1;
    while (count >= 0 && rest) {
        const char *word = strsep(&rest, ",");
        double value;
        if (count == SPEECH_BANDS || text_number(word, &value) || !(value >= lowest && value <= highest))
            count = -1;
        else
            levels[count++] = value;
    }
    free(copy);
    return count;
}

static int take_voice(struct metrics_wanted *w, const char *name, struct error *e)
{
    if (!name || !strcmp(name, "male"))
        return 0;
    if (strcmp(name, "female"))
        return fail(e, ERROR_USAGE, "--voice %s: unknown voice; expected male or female", name);
    w->conditions.voice = METRICS_FEMALE;
    w->speech = true;
    return 0;
}

static int take_speech(struct metrics_wanted *w, const char *text, struct error *e)
{
    const int count = parse_levels(w->conditions.speech, text);
    if (count != 1 && count != SPEECH_BANDS)
        return fail(
            e, ERROR_USAGE,
            "--speech-level %s: expected an A-weighted level in dB, such as 60, or seven levels separated by commas, "
            "for the octaves 125 Hz to 8 kHz",
            text);
    w->speech = w->levels = true;
    if (count == 1) {
        w->weighted = w->conditions.speech[0];
        metrics_speech_spectrum(w->conditions.speech, w->conditions.voice, w->weighted);
    }
    return 0;
}

static int take_noise(struct metrics_wanted *w, const char *text, struct error *e)
{
    if (parse_levels(w->conditions.noise, text) != SPEECH_BANDS)
        return fail(
            e, ERROR_USAGE,
            "--noise-level %s: expected seven levels in dB for the octaves 125 Hz to 8 kHz, separated by commas, such "
            "as 45,40,35,30,25,20,15",
            text);
    w->noise = true;
    return 0;
}

int metrics_wanted_parse(struct metrics_wanted *w, const struct metrics_options *o, struct error *e)
{
    *w = (struct metrics_wanted){.weighted = NAN, .third_octaves = o->third_octaves, .stage = o->stage};
    w->conditions.unmasked = o->unmasked;
    w->conditions.at_one_metre = o->at_one_metre;
    for (int k = 0; k < SPEECH_BANDS; k++)
        w->conditions.noise[k] = -INFINITY;
    if (take_voice(w, o->voice, e))
        return -1;
    if (o->speech_level)
        return take_speech(w, o->speech_level, e) || (o->noise_level && take_noise(w, o->noise_level, e)) ? -1 : 0;
    if (o->noise_level && o->target.name && take_noise(w, o->noise_level, e)) /* a target may limit the noise alone */
        return -1;
    const char *needs = o->at_one_metre ? "speech-at-1m" : o->unmasked ? "no-masking" : "noise-level";
    if ((o->noise_level && !o->target.name) || o->at_one_metre || o->unmasked)
        return fail(e, ERROR_USAGE, "--%s: needs a speech level; add --speech-level, such as --speech-level 60", needs);
    metrics_speech_spectrum(w->conditions.speech, w->conditions.voice,
                            60.0); /* without masking the level has no effect */
    w->conditions.unmasked = true;
    return 0;
}
