/* SPDX-License-Identifier: MIT */
/* aula batch: renders the rooms of a plan into a data set. */
#include "render/batch/batch.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app/batch_summary.h"
#include "app/cmd.h"
#include "app/say.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/stop.h"
#include "base/streams.h"
#include "solver/parts/processes.h"

struct batch_options {
    struct common_options common;
    struct solver_options choice;
    struct output_options output;
    int workers; /* 0: automatic */
    const char *shard, *rooms;
    bool summary, merge, list;
};

#define CLEAR_LINE "\r\033[K"

/* The progress line: redrawn on a terminal, printed every ten seconds to a log. */
struct line {
    bool quiet, terminal, drawn;
    double last; /* clock_seconds */
};

/* A duration in s as 1:02:03. */
static void clock_text(char text[32], double seconds)
{
    const unsigned long whole = (unsigned long)(seconds + 0.5);
    if (whole >= 3600)
        snprintf(text, 32, "%lu:%02lu:%02lu", whole / 3600, whole / 60 % 60, whole % 60);
    else
        snprintf(text, 32, "%lu:%02lu", whole / 60, whole % 60);
}

static size_t finished(const struct batch_progress *p)
{
    return p->done + p->failed;
}

/* Rooms per hour in this run; 0 until the first room is done. */
static double rooms_an_hour(const struct batch_progress *p)
{
    return p->done > p->before && p->seconds > 0.0 ? 3600.0 * (double)(p->done - p->before) / p->seconds : 0.0;
}

static void look(void *context, const struct batch_progress *p)
{
    struct line *line = context;
    const double now = clock_seconds(), rate = rooms_an_hour(p);
    char text[160], left[32] = "?", failed[40] = "";
    if (line->quiet || now - line->last < (line->terminal ? 0.2 : 10.0))
        return;
    line->last = now;
    if (rate > 0.0)
        clock_text(left, 3600.0 * (double)(p->count > finished(p) ? p->count - finished(p) : 0) / rate);
    if (p->failed)
        snprintf(failed, sizeof failed, ", %zu failed", p->failed);
    snprintf(text, sizeof text, "%zu of %zu rooms%s, %zu running, %.0f rooms per hour, %s left", p->done, p->count,
             failed, p->at_work, rate, left);
    if (line->terminal)
        streams_control(CLEAR_LINE);
    fprintf(stderr, line->terminal ? "%s" : "%s\n", text);
    line->drawn = line->terminal;
    fflush(stderr);
}

static void clear(struct line *line)
{
    if (line->drawn)
        streams_control(CLEAR_LINE);
    line->drawn = false;
}

static void say_rooms(const struct batch_options *o, const struct batch *b)
{
    const struct batch_progress *p = &b->progress;
    if (*b->shard.name)
        say(o->common.quiet, "%s: %zu of %zu rooms of %s; --merge makes the manifest of all shards", b->folder, p->done,
            p->count, b->shard.name);
    else
        say(o->common.quiet, "%s: %zu of %zu rooms; %s/manifest.csv and %s/manifest.jsonl list them", b->folder,
            p->done, b->plan.count, b->folder, b->folder);
}

/* A loader that asks for an empty split fails. */
static void say_splits(const struct batch_options *o, const struct batch *b)
{
    char *empty = *b->shard.name ? NULL : plan_empty_splits(&b->plan);
    if (empty)
        say(o->common.quiet,
            "warning: none of the %zu base rooms is in the split %s, since each is drawn alone; use more base rooms or "
            "another seed",
            plan_base_count(&b->plan), empty);
    free(empty);
}

/* Prints the number of rooms, the speed, and the workers' share of time in the wave solver. */
static void say_result(const struct batch_options *o, const struct batch *b)
{
    const struct batch_progress *p = &b->progress;
    const size_t done = p->done - p->before;
    char took[32];
    if (b->note)
        say(o->common.quiet, "note: %s", b->note);
    say_splits(o, b);
    if (b->card_kept)
        say(o->common.quiet,
            "note: %s/README.md was written or edited by a person and stays; move it away for a new one", b->folder);
    say_rooms(o, b);
    if (!done || o->merge)
        return;
    say(o->common.quiet, "%zu room%s in %s, %.0f rooms per hour, %zu at a time%s", done, done == 1 ? "" : "s",
        say_duration(took, p->seconds), rooms_an_hour(p), b->worker_count,
        b->shares_devices ? " on shared GPUs"
        : b->devices      ? " on GPUs"
                          : "");
    if (b->account.total > 0.0)
        say(o->common.quiet, "the wave solver took %.1f %% of the workers' time",
            100.0 * b->account.stepping / b->account.total);
}

/* A scheduler that ends a run by SIGTERM learns from its exit status, 75, that the same command goes on. */
static int conclude(const struct batch *b, int status, struct error *e)
{
    const struct batch_progress *p = &b->progress;
    if (status && e->code == ERROR_STOPPED && b->plan.count) {
        const struct error reason = *e;
        return fail(e, stop_terminated() ? ERROR_SUSPENDED : ERROR_STOPPED,
                    "%.300s; %zu of %zu rooms are kept in %s; run the same command to resume", reason.message, p->done,
                    p->count ? p->count : b->plan.count, b->folder);
    }
    if (!status && b->missing)
        return fail(e, ERROR_FAILED,
                    "rooms that no shard has finished: %s; run their shards, or --rooms %s, and merge again",
                    b->missing, b->missing);
    if (!status && p->failed)
        return fail(e, ERROR_FAILED, "%zu of %zu rooms failed; see %s/%s%s, and run the same command to retry them",
                    p->failed, p->count, b->folder, *b->shard.name ? SHARD_FOLDER "/" : "manifest.csv",
                    *b->shard.name ? b->shard.name : "");
    return status;
}

static int summarize(const struct batch_options *o, const struct batch *b, struct error *e)
{
    if (!b->summary.done)
        return fail(e, ERROR_FAILED, "%s: no room is finished, so there is nothing to summarize; see %s/manifest.csv",
                    b->folder, b->folder);
    return batch_summary_write(&b->summary, b->folder, e) ||
                   batch_summary_print(&b->summary, b->folder, o->common.quiet, e)
               ? -1
               : 0;
}

static int take_shard(struct shard *shard, const struct batch_options *o, struct error *e)
{
    if (o->merge && (o->shard || o->rooms))
        return fail(e, ERROR_USAGE, "--merge takes all shards; leave out %s", o->shard ? "--shard" : "--rooms");
    if (o->shard && o->rooms)
        return fail(e, ERROR_USAGE, "--shard and --rooms both choose rooms; give one of them");
    const int status = o->merge   ? 0
                       : o->shard ? shard_parse(shard, o->shard, e)
                       : o->rooms ? shard_parse_rooms(shard, o->rooms, e)
                                  : shard_of_environment(shard, e);
    if (!status && o->summary && *shard->name)
        return fail(e, ERROR_USAGE, "--summary is of all rooms; give it with --merge");
    if (!status && shard->variable)
        say(o->common.quiet, "note: shard %zu of %zu, as %s says; --shard 0/1 renders all rooms", shard->index,
            shard->count, shard->variable);
    return status;
}

static int run_batch(const struct batch_options *o, struct batch *b, struct error *e)
{
    struct line line = {.quiet = o->common.quiet, .terminal = isatty(STDERR_FILENO) != 0, .last = clock_seconds()};
    b->look = look;
    b->context = &line;
    int status = o->merge ? batch_merge(b, e) : batch_run(b, e);
    clear(&line);
    if (!status)
        say_result(o, b);
    if (!status && o->summary)
        status = summarize(o, b, e);
    return conclude(b, status, e);
}

static int run(void *options, struct error *e)
{
    const struct batch_options *o = options;
    const char *given = o->common.arguments[0];
    if (o->list && (o->output.path || o->merge || o->summary))
        return fail(e, ERROR_USAGE, "--list prints to standard output and renders nothing; leave out %s",
                    o->output.path ? "-o"
                    : o->merge     ? "--merge"
                                   : "--summary");
    if (!o->list && !o->output.path)
        return fail(e, ERROR_USAGE, "no output folder; add -o FOLDER for the data set");
    if (!o->list && !strcmp(o->output.path, STANDARD_STREAM))
        return fail(e, ERROR_USAGE, "-o -: a data set is a folder; use -o FOLDER");
    const char *launcher;
    if (processes_started(&launcher) > 1 && !o->list && !o->shard && !o->rooms)
        return fail(e, ERROR_USAGE,
                    "aula batch does not share rooms among the processes of %s; give each process a shard, and merge "
                    "them: %s sh -c "
                    "'aula batch %s -o %s --shard %s'",
                    launcher, launcher, given, o->output.path,
                    strcmp(launcher, "srun") ? "$OMPI_COMM_WORLD_RANK/$OMPI_COMM_WORLD_SIZE"
                                             : "$SLURM_PROCID/$SLURM_NTASKS");
    char *shipped = access(given, F_OK) ? data_path_of_missing(given) : NULL;
    struct batch b = {.plan_path = shipped ? shipped : given,
                      .folder = o->output.path,
                      .settings = o->common.settings,
                      .setting_count = o->common.setting_count,
                      .choice = o->choice,
                      .summarize = o->summary,
                      .workers = o->workers};
    const int status =
        take_shard(&b.shard, o, e) || (o->list ? batch_list(&b, stdout, e) : run_batch(o, &b, e)) ? -1 : 0;
    batch_free(&b);
    shard_free(&b.shard);
    free(shipped);
    return status;
}

static const struct option_row output = {
    "output", 'o', OPTION_TEXT, OPTION_AT(OUTPUT, output_options, path), "FOLDER", "write the data set to this folder"};
static const struct option_row workers = {
    "workers",    0,
    OPTION_COUNT, OPTION_AT(OWN, batch_options, workers),
    "N",          "render N rooms at a time (default: eight per GPU, or one per processor)"};
static const struct option_row summary = {
    "summary",   0,
    OPTION_FLAG, OPTION_AT(OWN, batch_options, summary),
    NULL,        "print mean and spread of each parameter over the rooms, and the keys that explain it"};

static const struct option_row shard = {
    "shard",     0,
    OPTION_TEXT, OPTION_AT(OWN, batch_options, shard),
    "K/N",       "render shard K of N, from 0: every N-th room (default in an array of Slurm or Kubernetes: its task)"};
static const struct option_row rooms = {"rooms",     0,
                                        OPTION_TEXT, OPTION_AT(OWN, batch_options, rooms),
                                        "LIST",      "render these rooms, such as 17,40-99; they count from 0"};
static const struct option_row merge = {
    "merge",     0,
    OPTION_FLAG, OPTION_AT(OWN, batch_options, merge),
    NULL,        "render nothing; make the manifests of what shards have rendered, and name rooms that are missing"};

static const struct option_row list = {
    "list",      0,
    OPTION_FLAG, OPTION_AT(OWN, batch_options, list),
    NULL,        "render nothing; print each room's values, grid points, steps, bytes and estimated seconds as JSON"};

static const struct option_row *const options[] = {
    &output,     &shard,         &rooms,         &merge,          &list,         &workers,     &summary,
    &option_set, &option_engine, &option_kernel, &option_threads, &option_quiet, &option_help, NULL,
};

const struct command command_batch = {
    .name = "batch",
    .synopsis = "PLAN.cfg -o FOLDER [--shard K/N | --rooms LIST | --merge | --list] [--summary] [--set KEY=VALUE ...]",
    .meaning = "render many variations of rooms into a data set",
    .details =
        "The plan names base rooms and the keys that vary. FOLDER/rooms holds the files. FOLDER/manifest.csv and "
        ".jsonl\n"
        "have one row per room with its settings, checksums, valid band and acoustic parameters, or the reason why it\n"
        "failed. Run the same command again to resume. With --summary, it also writes FOLDER/summary.csv, .json and "
        ".svg;\n"
        "finished rooms are not rendered again. A complete set has README.md, a data card, and files for the loaders "
        "of\n"
        "output.files. Shards are runs that share a folder, on one machine or many; --merge\n"
        "then makes the manifests. Exit status 1: some rooms failed; 75: stopped by SIGTERM, and the same command goes "
        "on.\n"
        "See docs/guide/batch.md.\n",
    .options = options,
    .arguments_min = 1,
    .arguments_max = 1,
    .options_size = sizeof(struct batch_options),
    .groups = {[GROUP_CHOICE] = offsetof(struct batch_options, choice),
               [GROUP_OUTPUT] = offsetof(struct batch_options, output)},
    .many_processes = true,
    .run = run,
};
