/* SPDX-License-Identifier: MIT */
/* aula bench: measures the published speed tables on this machine. */
#include <stdio.h>
#include <string.h>

#include "app/cmd.h"
#include "app/say.h"
#include "app/schemes.h"
#include "base/text.h"

struct bench_options {
    struct common_options common;
    struct solver_options choice;
    struct output_options output;
    struct trial_options trial;
};

static const char *benchmark_name(size_t index)
{
    const struct benchmark *benchmark = benchmark_at(index);
    return benchmark ? benchmark->name : NULL;
}

static int run(void *options, struct error *e)
{
    const struct bench_options *o = options;
    const char *names[BENCHMARKS_MAX + 1];
    size_t count = 0;
    while ((names[count] = benchmark_name(count)))
        count++;
    char today[SCHEME_NAME];
    const char *wanted =
        o->common.argument_count ? scheme_present_name(today, o->common.arguments[0], o->common.quiet) : names[0];
    char hint[HINT], known[256] = "";
    for (size_t i = 0, used = 0; i < count; i++) {
        if (!strcmp(wanted, names[i])) {
            say_engines_passed_over(&o->choice, &o->common);
            const struct bench_settings settings = {.choice = o->choice,
                                                    .webb_variant = options_webb_variant(&o->trial),
                                                    .full = o->trial.full,
                                                    .json = o->common.json,
                                                    .plot = o->output.plot};
            return benchmark_at(i)->run(&settings, e);
        }
        if (used < sizeof known)
            used += (size_t)snprintf(known + used, sizeof known - used, "%s%s",
                                     !i              ? ""
                                     : i + 1 < count ? ", "
                                                     : " or ",
                                     names[i]);
    }
    return fail(e, ERROR_USAGE, "%s: unknown benchmark; expected %s%s", wanted, known,
                text_hint(hint, wanted, names, count));
}

static const struct option_row *const options[] = {
    &option_engine,   &option_kernel,  &option_threads,   &option_device,    &option_block, &option_time_block,
    &option_in_place, &option_no_tune, &option_read_only, &option_prefer_l1, &option_full,  &option_plot,
    &option_json,     &option_parts,   &option_devices,   &option_verbose,   &option_help,  NULL,
};

const struct command command_bench = {
    .name = "bench",
    .argument_name = benchmark_name,
    .meaning = "reproduce published speed tables on this machine and compare with its memory bandwidth",
    .options = options,
    .arguments_min = 0,
    .arguments_max = 1,
    .options_size = sizeof(struct bench_options),
    .groups = {[GROUP_CHOICE] = offsetof(struct bench_options, choice),
               [GROUP_OUTPUT] = offsetof(struct bench_options, output),
               [GROUP_TRIAL] = offsetof(struct bench_options, trial)},
    .run = run,
};
