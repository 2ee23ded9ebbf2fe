/* SPDX-License-Identifier: MIT */
/* aula compare: compares impulse responses in just noticeable differences, and by ear. */
#include "app/compare.h"

#include <stdio.h>
#include <stdlib.h>

#include "app/cmd.h"
#include "app/metrics.h"
#include "app/outputs.h"
#include "app/say.h"
#include "base/file.h"

static int stopped(struct error *e)
{
    return fail(e, ERROR_STOPPED, "stopped; nothing was printed");
}

/* Frees the samples once they are measured, so that many long files fit. */
static int measure(struct measured_response *f, bool third_octaves, struct error *e)
{
    struct recording *r = &f->recording;
    if (recording_read(r, f->path, e))
        return e->code == ERROR_STOPPED ? stopped(e) : -1;
    struct metrics_settings settings = recording_settings(r);
    settings.third_octaves = third_octaves;
    f->channel = calloc(r->audio.channels, sizeof *f->channel);
    if (!f->channel)
        return fail(e, ERROR_MEMORY, "%s: out of memory", f->path);
    if (recording_measure(f->channel, r, &settings, f->path, e))
        return e->code == ERROR_STOPPED ? stopped(e) : -1;
    free(r->audio.samples);
    r->audio.samples = NULL;
    return measured_findings_make(&f->findings, f->channel, r->audio.channels, (double)r->audio.frames / r->audio.rate,
                                  e);
}

static void say_findings(const struct compare_options *o, const struct measured_response *f)
{
    say_recording_note(&o->common, f->path, &f->recording);
    for (size_t i = 0; i < f->findings.note_count; i++)
        say(o->common.quiet, "note: %s: %s", f->path, f->findings.notes[i]);
    for (size_t i = 0; i < f->findings.warning_count; i++)
        say(false, "warning: %s: %s", f->path, f->findings.warnings[i]);
    say_recording(&o->common, f->path, &f->recording);
}

static struct compared_file as_compared(const struct measured_response *f)
{
    return (struct compared_file){f->path, &f->recording, f->channel};
}

static int compare(struct compared_files *c, const struct compare_options *o, struct error *e)
{
    for (size_t i = 1; i < c->count; i++) {
        const struct compared_file first = as_compared(&c->files[0]), second = as_compared(&c->files[i]);
        struct comparison *comparison = &c->comparisons[i - 1];
        if (comparison_make(comparison, &first, &second, o->receiver, e))
            return -1;
        for (size_t k = 0; k < comparison->note_count; k++)
            say(o->common.quiet, "note: %s", comparison->notes[k]);
    }
    return 0;
}

static int print(const struct compared_files *c, const struct compare_options *o, struct error *e)
{
    if (o->common.json)
        return compare_print_json(c, e);
    return o->csv ? compare_print_csv(c, e) : compare_print_table(c, e);
}

static int run(void *options, struct error *e)
{
    const struct compare_options *o = options;
    const size_t count = o->common.argument_count;
    if (o->common.json && o->csv)
        return fail(e, ERROR_USAGE, "--json and --csv exclude each other; remove one of them");
    if (standard_input_once(o->common.arguments, count, e) || compare_listen_check(o, e))
        return -1;
    struct compared_files c = {.files = calloc(count, sizeof *c.files),
                               .count = count,
                               .comparisons = calloc(count, sizeof *c.comparisons),
                               .third_octaves = o->third_octaves};
    int status = c.files && c.comparisons ? 0 : fail(e, ERROR_MEMORY, "out of memory");
    for (size_t i = 0; !status && i < count; i++) {
        c.files[i].path = o->common.arguments[i];
        status = measure(&c.files[i], o->third_octaves, e);
        if (!status)
            say_findings(o, &c.files[i]);
    }
    if (!status)
        status = compare(&c, o, e);
    if (!status && o->dry)
        status = compare_listen(o, &c, e);
    if (!status)
        status = print(&c, o, e);
    for (size_t i = 0; c.files && i < count; i++) {
        measured_findings_free(&c.files[i].findings);
        recording_free(&c.files[i].recording);
        free(c.files[i].channel);
    }
    for (size_t i = 0; c.comparisons && i + 1 < count; i++)
        comparison_free(&c.comparisons[i]);
    free(c.files);
    free(c.comparisons);
    return status ? -1 : 0;
}

#define OWN(member) OPTION_AT(OWN, compare_options, member)

static const struct option_row csv = {
    "csv",    0,    OPTION_FLAG,
    OWN(csv), NULL, "print the results as CSV on standard output, one row per band and parameter"};
static const struct option_row third_octaves = {
    "third-octaves",    0,    OPTION_FLAG,
    OWN(third_octaves), NULL, "print third octaves, 50 Hz to 10 kHz, instead of octaves"};
static const struct option_row receiver = {
    "receiver",    0,      OPTION_TEXT,
    OWN(receiver), "NAME", "compare only this receiver, or channel number, of files that have several"};
static const struct option_row listen = {
    "listen", 0,         OPTION_TEXT,
    OWN(dry), "DRY.wav", "write DRY.wav in all rooms in turn to -o; a sound that ships will do"};
static const struct option_row every = {"every",    0,   OPTION_NUMBER,
                                        OWN(every), "S", "set the time between switches of --listen [2 s]"};
static const struct option_row match_level = {
    "match-level",    0,    OPTION_FLAG,
    OWN(match_level), NULL, "make all rooms of --listen equally loud by their mean square; default: one gain for all"};

static const struct option_row *const options[] = {
    &third_octaves, &receiver,    &listen, &every,        &match_level,    &option_output, &option_no_clobber,
    &option_format, &option_json, &csv,    &option_quiet, &option_verbose, &option_help,   NULL,
};

static const struct compare_options defaults = {.every = COMPARE_EVERY};

const struct command command_compare = {
    .name = "compare",
    .synopsis = "FIRST.wav SECOND.wav ... [--json | --csv] [--listen DRY.wav -o AB.wav]",
    .meaning = "compare impulse responses in just noticeable differences (JND), and by ear",
    .details =
        "Each response is compared with the first: one line, then the differences by receiver and octave in JND,\n"
        "and single numbers by ISO 3382-1. Rendered and measured files of any rate and length can be compared. A\n"
        "parameter that a file cannot support is a dash, with the reason below the table. * marks bands that extend\n"
        "beyond the valid band, ? marks doubtful values.\n",
    .options = options,
    .arguments_min = 2,
    .arguments_max = 256,
    .options_size = sizeof(struct compare_options),
    .groups = {[GROUP_OUTPUT] = offsetof(struct compare_options, output)},
    .defaults = &defaults,
    .run = run,
};
