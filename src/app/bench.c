/* SPDX-License-Identifier: MIT */
/* aula bench: tables of the papers, measured on this machine. */
#include <stdio.h>
#include <string.h>

#include "app/cmd.h"
#include "app/say.h"
#include "app/schemes.h"
#include "base/text.h"

static const char *benchmark_name(size_t index)
{
    const struct benchmark *benchmark = benchmark_at(index);
    return benchmark ? benchmark->name : NULL;
}

static int run(const struct options *o, struct error *e)
{
    const char *names[BENCHMARKS_MAX + 1];
    size_t count = 0;
    while ((names[count] = benchmark_name(count)))
        count++;
    char today[SCHEME_NAME];
    const char *wanted = o->argument_count ? scheme_present_name(today, o->arguments[0], o->quiet) : names[0];
    char hint[HINT], known[256] = "";
    for (size_t i = 0, used = 0; i < count; i++) {
        if (!strcmp(wanted, names[i])) {
            say_engines_passed_over(o);
            const struct bench_settings settings = {.choice = o->choice,
                                                    .webb_variant = options_webb_variant(o),
                                                    .full = o->full,
                                                    .json = o->json,
                                                    .plot = o->plot};
            return benchmark_at(i)->run(&settings, e);
        }
        if (used < sizeof known)
            used += (size_t)snprintf(known + used, sizeof known - used, "%s%s",
                                     !i              ? ""
                                     : i + 1 < count ? ", "
                                                     : " and ",
                                     names[i]);
    }
    return fail(e, ERROR_USAGE, "%s: no such benchmark%s (there are %s)", wanted, text_hint(hint, wanted, names, count),
                known);
}

static const struct option_row *const options[] = {
    &option_engine,   &option_kernel,  &option_threads,   &option_device,    &option_block, &option_time_block,
    &option_in_place, &option_no_tune, &option_read_only, &option_prefer_l1, &option_full,  &option_plot,
    &option_json,     &option_parts,   &option_devices,   &option_verbose,   &option_help,  NULL,
};

const struct command command_bench = {
    .name = "bench",
    .argument_name = benchmark_name,
    .meaning = "speed: published tables on this machine, against its memory bandwidth",
    .options = options,
    .arguments_min = 0,
    .arguments_max = 1,
    .run = run,
};
