/* aula bench: the papers' tables, on this machine. */
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "bench/bench.h"
#include "cmd/cmd.h"
#include "cmd/say.h"

static const struct benchmark *const benchmarks[] = {&benchmark_webb, &benchmark_sediment, &benchmark_derivative,
                                                     &benchmark_sweep, &benchmark_room};
enum { BENCHMARKS = sizeof benchmarks / sizeof *benchmarks };

static int run(const struct options *o, struct error *e)
{
    const char *names[BENCHMARKS];
    const char *wanted = o->argument_count ? o->arguments[0] : benchmarks[0]->name;
    for (size_t i = 0; i < BENCHMARKS; i++) {
        names[i] = benchmarks[i]->name;
        if (!strcmp(wanted, names[i])) {
            say_engines_passed_over(o);
            return benchmarks[i]->run(o, e);
        }
    }
    char hint[HINT];
    return fail(e, ERROR_USAGE, "%s: no such benchmark%s (there are webb, sediment, derivative, sweep and room)",
                wanted, text_hint(hint, wanted, names, BENCHMARKS));
}

static const struct option_row *const options[] = {
    &option_engine,    &option_kernel,     &option_threads,  &option_device,
    &option_block,     &option_time_block, &option_in_place, &option_no_tune,
    &option_read_only, &option_prefer_l1,  &option_full,     &option_plot,
    &option_json,      &option_verbose,    &option_help,     NULL,
};

const struct command command_bench = {
    .name = "bench",
    .synopsis = "[webb | sediment | derivative | sweep | room]",
    .meaning = "speed: published tables on this machine, against its memory bandwidth",
    .options = options,
    .arguments_min = 0,
    .arguments_max = 1,
    .run = run,
};
