/* SPDX-License-Identifier: MIT */
/* aula validate: checks schemes and kernels against exact solutions. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/cmd.h"
#include "app/processes.h"
#include "app/say.h"
#include "app/schemes.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/text.h"
#include "solver/schemes/leapfrog/leapfrog.h"

struct validate_options {
    struct common_options common;
    struct solver_options choice;
    struct output_options output;
    struct trial_options trial;
    double seed; /* -1: draw one */
    int cases;   /* 0: each check's default */
    const char *models;
    bool scenario;
    const char *basin;
};

const char *validate_name(size_t index, char name[VALIDATE_NAME])
{
    for (size_t scheme = 0; scheme < scheme_count; scheme++) {
        if (!index--)
            return schemes[scheme].name;
        for (size_t i = 0; schemes[scheme].checks[i]; i++)
            if (!index--) {
                snprintf(name, VALIDATE_NAME, "%s/%s", schemes[scheme].name, schemes[scheme].checks[i]->name);
                return name;
            }
    }
    return NULL;
}

static void print_checks(void)
{
    printf("Schemes and their checks:\n");
    for (size_t scheme = 0; scheme < scheme_count; scheme++) {
        const struct check *const *checks = schemes[scheme].checks;
        printf("  %-10s  ", schemes[scheme].name);
        for (size_t i = 0; checks[i]; i++)
            printf("%s%s", i ? ", " : "", checks[i]->name);
        putchar('\n');
    }
}

static int find_scheme(const char *name, size_t *index, struct error *e)
{
    const char *names[SCHEMES_MAX];
    for (size_t i = 0; i < scheme_count; i++) {
        names[i] = schemes[i].name;
        if (!strcmp(name, names[i])) {
            *index = i;
            return 0;
        }
    }
    char hint[HINT];
    return fail(e, ERROR_USAGE, "%s: unknown scheme%s (aula validate --help lists them)", name,
                text_hint(hint, name, names, scheme_count));
}

/* Parses "cartesian7", which names all checks of a scheme (*check becomes NULL), or "cartesian7/modes", which names
 * one. */
static int find_checks(const char *wanted, size_t *scheme, const struct check **check, struct error *e)
{
    char name[SCHEME_NAME], today[SCHEME_NAME], known[256] = "";
    wanted = scheme_present_name(today, wanted, true);
    const char *slash = strchr(wanted, '/');
    snprintf(name, sizeof name, "%.*s", slash ? (int)(slash - wanted) : (int)strlen(wanted), wanted);
    *check = NULL;
    if (find_scheme(name, scheme, e))
        return -1;
    if (!slash)
        return 0;
    for (size_t i = 0, used = 0; schemes[*scheme].checks[i] && used < sizeof known; i++) {
        *check = schemes[*scheme].checks[i];
        if (!strcmp(slash + 1, (*check)->name))
            return 0;
        used += (size_t)snprintf(known + used, sizeof known - used, "%s%s", i ? ", " : "", (*check)->name);
    }
    return fail(e, ERROR_USAGE, "%s: unknown check; the checks of %s are %s", wanted, name, known);
}

static int run_checks(const struct validate_options *o, const char *wanted, struct validation *v, struct report *r,
                      struct error *e)
{
    size_t scheme;
    const struct check *only;
    if (find_checks(wanted, &scheme, &only, e))
        return -1;
    for (size_t i = 0; schemes[scheme].checks[i]; i++) {
        const struct check *check = schemes[scheme].checks[i];
        const double start = clock_seconds();
        char took[32];
        if (only && only != check)
            continue;
        v->named = only;
        if (check->run(v, r, e))
            return -1;
        say_more(&o->common, "%s/%s: %s", schemes[scheme].name, check->name,
                 say_duration(took, clock_seconds() - start));
    }
    return 0;
}

/* Refuses unknown names before any work. */
static int check_names(const struct validate_options *o, struct error *e)
{
    size_t scheme;
    const struct check *only;
    char today[SCHEME_NAME];
    for (size_t i = 0; i < o->common.argument_count; i++)
        if (find_checks(scheme_present_name(today, o->common.arguments[i], o->common.quiet), &scheme, &only, e))
            return -1;
    return 0;
}

static int run_scenario(const struct scenario *s, const struct validate_options *o, struct error *e)
{
    if (o->common.json || o->trial.full || o->seed >= 0.0 || o->cases || o->models || o->choice.block[0] ||
        o->choice.time_block || o->choice.cuda.in_place || o->trial.prefer_l1 || o->trial.read_only ||
        o->choice.device_count)
        return fail(e, ERROR_USAGE,
                    "--scenario: only --engine, --kernel, --threads, --device, --basin and --output apply; remove the "
                    "other options");
    char *path = o->basin ? path_join(".", o->basin) : data_path(s->input, e);
    if (!path)
        return -1;
    say_engines_passed_over(&o->choice, &o->common);
    const int status = s->run(path, o->output.path ? o->output.path : s->prefix, &o->choice, e);
    free(path);
    return status;
}

/* Runs the scenario of the scheme that was named. */
static int run_named_scenario(const struct validate_options *o, struct error *e)
{
    const char *owner = "";
    for (size_t i = 0; i < scheme_count; i++) {
        if (!schemes[i].scenario)
            continue;
        owner = schemes[i].name;
        if (o->common.argument_count == 1 && !strcmp(o->common.arguments[0], owner))
            return run_scenario(schemes[i].scenario, o, e);
    }
    return fail(e, ERROR_USAGE, "--scenario and --basin apply only to aula validate %s", owner);
}

static int validate(void *options, struct error *e)
{
    const struct validate_options *o = options;
    if (o->scenario || o->basin)
        return run_named_scenario(o, e);
    if (o->output.path)
        return fail(e, ERROR_USAGE, "--output: applies only to a scenario; add --scenario");
    const uint64_t seed = o->seed >= 0.0 ? (uint64_t)o->seed : random_fresh_seed();
    struct validation v = {.choice = o->choice,
                           .webb_variant = options_webb_variant(&o->trial),
                           .full = o->trial.full,
                           .cases = o->cases,
                           .models = o->models,
                           .random = {seed},
                           .device_count = o->choice.device_count};
    struct report report;
    int status = 0;
    memcpy(v.devices, o->choice.devices, sizeof v.devices);
    v.choice.device_count = 0; /* checks run on one part unless they set the number themselves */
    if (v.device_count)
        v.choice.device = v.devices[0];
    v.choice.kernel = webb_kernel(o->choice.kernel, v.webb_variant);
    if (check_names(o, e))
        return -1;
    say_engines_passed_over(&o->choice, &o->common);
    report_begin(&report, o->common.json);
    report_note(&report, "random cases from seed %llu (--seed to repeat), engine %s", (unsigned long long)seed,
                o->choice.engine ? o->choice.engine : "auto");
    for (size_t i = 0; i < o->common.argument_count && !status; i++)
        status = run_checks(o, o->common.arguments[i], &v, &report, e);
    for (size_t i = 0; i < scheme_count && !o->common.argument_count && !status; i++)
        status = run_checks(o, schemes[i].name, &v, &report, e);
    struct error unprinted;
    if (report_end(&report, &unprinted) && !status) {
        status = -1;
        *e = unprinted;
    }
    if (!status && report.failed)
        status = fail(e, ERROR_FAILED, "%zu of %zu checks failed", report.failed, report.passed + report.failed);
    return status;
}

static int run(void *options, struct error *e)
{
    struct validate_options *o = options;
    return processes_run(o, &o->choice, validate, e);
}

static const struct option_row cases = {
    "cases",      0,
    OPTION_COUNT, OPTION_AT(OWN, validate_options, cases),
    "N",          "run N random cases per check (default: each check's own number)"};
static const struct option_row folder = {
    "models",    0,
    OPTION_TEXT, OPTION_AT(OWN, validate_options, models),
    "FOLDER",    "geometry, hybrid: also check rooms from the models in this folder"};
static const struct option_row seed = {"seed",        0,
                                       OPTION_NUMBER, OPTION_AT(OWN, validate_options, seed),
                                       "N",           "set the seed of the random cases (default: a fresh one)"};
static const struct option_row scenario = {"scenario",  0,
                                           OPTION_FLAG, OPTION_AT(OWN, validate_options, scenario),
                                           NULL,        "sediment: run the basin and write pictures"};
static const struct option_row basin = {"basin",     0,
                                        OPTION_TEXT, OPTION_AT(OWN, validate_options, basin),
                                        "FILE",      "sediment: run this basin instead of rooms/basin.cfg"};
static const struct option_row *const options[] = {
    &option_engine,
    &option_kernel,
    &option_threads,
    &option_device,
    &option_devices,
    &option_through_host,
    &option_block,
    &option_time_block,
    &option_in_place,
    &option_read_only,
    &option_prefer_l1,
    &option_full,
    &seed,
    &cases,
    &folder,
    &scenario,
    &basin,
    &option_output,
    &option_json,
    &option_verbose,
    &option_help,
    NULL,
};

const struct command command_validate = {
    .name = "validate",
    .synopsis = "[SCHEME | SCHEME/CHECK ...]",
    .meaning = "check every scheme and kernel against exact solutions",
    .print_list = print_checks,
    .details =
        "--full runs the stability check over 100,000 steps instead of 20,000, walls/random over 50,000 instead of\n"
        "5,000, and geometry with more and larger rooms.\n"
        "--scenario writes PREFIX-h.png, PREFIX-s.png and PREFIX-profile.csv; -o sets PREFIX.\n",
    .options = options,
    .arguments_min = 0,
    .arguments_max = 64,
    .options_size = sizeof(struct validate_options),
    .groups = {[GROUP_CHOICE] = offsetof(struct validate_options, choice),
               [GROUP_OUTPUT] = offsetof(struct validate_options, output),
               [GROUP_TRIAL] = offsetof(struct validate_options, trial)},
    .defaults = &(const struct validate_options){.seed = -1.0},
    .many_processes = true,
    .run = run,
};
