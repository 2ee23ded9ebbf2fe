/* SPDX-License-Identifier: MIT */
/* The parser of command lines, the rows of shared options, and --help. */
#include "app/options.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/say.h"
#include "app/slips.h"
#include "base/text.h"
#include "solver/schemes/leapfrog/leapfrog.h"

#define COMMON(member) OPTION_AT(COMMON, common_options, member)
#define CHOICE(member) OPTION_AT(CHOICE, solver_options, member)
#define OUTPUT(member) OPTION_AT(OUTPUT, output_options, member)
#define TRIAL(member) OPTION_AT(TRIAL, trial_options, member)

const struct option_row option_help = {"help", 'h', OPTION_FLAG, COMMON(help), NULL, "show this help"};
const struct option_row option_json = {"json",       0,    OPTION_FLAG,
                                       COMMON(json), NULL, "print the results as JSON on standard output"};
const struct option_row option_quiet = {"quiet",       'q',  OPTION_FLAG,
                                        COMMON(quiet), NULL, "print only warnings and errors"};
const struct option_row option_verbose = {"verbose", 'v', OPTION_FLAG, COMMON(verbose), NULL, "print more details"};
const struct option_row option_set = {
    "set", 0, OPTION_SETTING, COMMON(settings), "KEY=VALUE", "set any key of the room file, e.g. grid.rate=48000"};
const struct option_row option_engine = {"engine",       0,      OPTION_TEXT,
                                         CHOICE(engine), "NAME", "choose the engine: auto (default), cpu or cuda"};
const struct option_row option_kernel = {"kernel",       0,      OPTION_TEXT,
                                         CHOICE(kernel), "NAME", "choose the kernel (aula devices lists them)"};
const struct option_row option_threads = {"threads",       0,   OPTION_COUNT,
                                          CHOICE(threads), "N", "use N CPU threads (default: OMP_NUM_THREADS)"};
const struct option_row option_parts = {
    "parts", 0, OPTION_COUNT, CHOICE(parts.count), "N", "split the grid into N parts, each with its own threads"};
const struct option_row option_parts_or_auto = {"parts",
                                                0,
                                                OPTION_PARTS,
                                                CHOICE(parts.count),
                                                "N",
                                                "split the grid into N parts, each with its own threads; auto "
                                                "measures which number is fastest"};
const struct option_row option_device = {"device",       0,   OPTION_INDEX,
                                         CHOICE(device), "N", "use this GPU, counted from 0"};
const struct option_row option_devices = {
    "devices", 0, OPTION_DEVICES, GROUP_CHOICE, 0, "LIST", "split the grid among these GPUs, e.g. 0,1,2,3"};
const struct option_row option_through_host = {
    "through-host", 0,
    OPTION_FLAG,    CHOICE(parts.through_host),
    NULL,           "under mpirun, send halos through host memory even if NCCL can send them from GPU to GPU"};
const struct option_row option_block = {
    "block",      0,
    OPTION_BLOCK, CHOICE(block),
    "XxYxZ",      "set the threads of a CUDA block along x and y, threads or planes along z; cpu: Y rows per tile"};
const struct option_row option_time_block = {
    "time-block",       0,       OPTION_COUNT,
    CHOICE(time_block), "STEPS", "take STEPS time steps per pass over memory (default: automatic)"};
const struct option_row option_in_place = {"in-place",  0,
                                           OPTION_FLAG, CHOICE(cuda.in_place),
                                           NULL,        "run temporal blocks on two grids even if four fit (cuda)"};
const struct option_row option_no_tune = {"no-tune",   0,
                                          OPTION_FLAG, CHOICE(cuda.no_tune),
                                          NULL,        "use the CUDA kernel's default block without measuring others"};
const struct option_row option_read_only = {
    "read-only-cache", 0, OPTION_FLAG, TRIAL(read_only), NULL, "read p through the read-only cache in Webb's kernels"};
const struct option_row option_prefer_l1 = {
    "prefer-l1", 0, OPTION_FLAG, TRIAL(prefer_l1), NULL, "give Webb's kernels the largest possible L1 cache"};
const struct option_row option_output = {"output", 'o', OPTION_TEXT, OUTPUT(path), "FILE", "write to this file"};
const struct option_row option_format = {"format",       0,      OPTION_TEXT,
                                         OUTPUT(format), "NAME", "set output.format: float, double, pcm24 or pcm16"};
const struct option_row option_no_clobber = {"no-clobber",       0,    OPTION_FLAG,
                                             OUTPUT(no_clobber), NULL, "refuse to overwrite existing files"};
const struct option_row option_full = {"full", 0, OPTION_FLAG, TRIAL(full), NULL, "run the long version"};
const struct option_row option_plot = {"plot", 0, OPTION_TEXT, OUTPUT(plot), "FILE.svg", "draw the result as SVG"};

/* Names of the previous release that are still accepted, with a note. */
static const struct {
    const char *old, *name;
} former_names[] = {
    {"fuse", "time-block"}, {"figures", "parameters"},        {"top", "color-max"},        {"span", "dynamic-range"},
    {"strip", "frames"},    {"every", "checkpoint-interval"}, {"together", "all-sources"},
};
enum { FORMER_NAMES = sizeof former_names / sizeof *former_names };

static bool is_named(const char *known, const char *name, size_t length)
{
    return strlen(known) == length && !strncmp(known, name, length);
}

/* Index into former_names, or -1. */
static ptrdiff_t find_former(const char *name, size_t length)
{
    for (size_t i = 0; name && i < FORMER_NAMES; i++)
        if (is_named(former_names[i].old, name, length))
            return (ptrdiff_t)i;
    return -1;
}

/* The option of this very name, or of this letter where name is NULL. */
static const struct option_row *find_exact(const struct command *command, const char *name, size_t length, char letter)
{
    for (size_t i = 0; command->options[i]; i++) {
        const struct option_row *row = command->options[i];
        if (name ? is_named(row->name, name, length) : row->letter == letter)
            return row;
    }
    return NULL;
}

/* An option of the command takes precedence over the former name of another. */
static const struct option_row *find(const struct command *command, const char *name, size_t length, char letter)
{
    const struct option_row *row = find_exact(command, name, length, letter);
    const ptrdiff_t former = row ? -1 : find_former(name, length);
    return former < 0 ? row : find_exact(command, former_names[former].name, strlen(former_names[former].name), letter);
}

/* Options of other programs and their equivalent here, for commands that have the option `needs`. */
static const struct {
    const char *word, *needs, *remedy;
} other_words[] = {
    {"duration", "set", "--set time.duration=SECONDS"},
    {"rate", "set", "--set output.rate=HZ, or --set grid.rate=HZ for the grid"},
    {"sr", "set", "--set output.rate=HZ, or --set grid.rate=HZ for the grid"},
    {"cpu", "engine", "--engine cpu"},
    {"gpu", "engine", "--engine cuda"},
    {"cuda", "engine", "--engine cuda"},
    {"output-file", "output", "--output FILE? (short: -o)"},
};

static const char *remedy_of(const struct command *command, const char *word)
{
    word += strspn(word, "-");
    const size_t length = strcspn(word, "=");
    for (size_t i = 0; i < sizeof other_words / sizeof *other_words; i++)
        if (is_named(other_words[i].word, word, length) &&
            find(command, other_words[i].needs, strlen(other_words[i].needs), 0))
            return other_words[i].remedy;
    return NULL;
}

static int unknown(const struct command *command, const char *word, struct error *e)
{
    const char *remedy = remedy_of(command, word);
    if (remedy)
        return fail(e, ERROR_USAGE, "%s: unknown option; did you mean %s%s", word, remedy,
                    strchr(remedy, '?') ? "" : "?");
    const char *names[64];
    size_t count = 0;
    for (; command->options[count] && count < 64; count++)
        names[count] = command->options[count]->name;
    ptrdiff_t closest = text_closest(word + strspn(word, "-"), names, count);
    if (closest >= 0) {
        const char letter = command->options[closest]->letter;
        char brief[32] = "";
        if (letter)
            snprintf(brief, sizeof brief, " (short: -%c)", letter);
        return fail(e, ERROR_USAGE, "%s: unknown option; did you mean --%s?%s", word, names[closest], brief);
    }
    return fail(e, ERROR_USAGE, "%s: unknown option; aula %s --help lists the options", word, command->name);
}

/* Parses "0,1,2". A GPU may appear more than once. */
static int store_devices(struct solver_options *c, const struct option_row *row, const char *value, struct error *e)
{
    c->device_count = 0;
    for (const char *at = value;; at++) {
        char *end;
        const long device = strtol(at, &end, 10);
        if (end == at || *at < '0' || *at > '9' || device > 255 || (*end && *end != ','))
            return fail(e, ERROR_USAGE, "--%s %s: expected GPU numbers counted from 0, such as 0,1,2", row->name,
                        value);
        if (c->device_count == DEVICES_MAX)
            return fail(e, ERROR_USAGE, "--%s: at most %d GPUs are supported", row->name, DEVICES_MAX);
        c->devices[c->device_count++] = (int)device;
        at = end;
        if (!*at)
            break;
    }
    c->device = c->devices[0];
    return 0;
}

/* Stores one value at `at`; repeated settings and names go to `common` of the same options. */
static int store(void *at, struct common_options *common, const struct option_row *row, const char *value,
                 struct error *e)
{
    double number = 0.0;
    switch (row->kind) {
    case OPTION_FLAG:
        *(bool *)at = true;
        return 0;
    case OPTION_ONCE:
        if (*(const char **)at)
            return fail(e, ERROR_USAGE, "--%s %s: --%s %s is given as well; remove one of them", row->name, value,
                        row->name, *(const char **)at);
        __attribute__((fallthrough));
    case OPTION_TEXT:
        if (!*value)
            return fail(e, ERROR_USAGE, "--%s: expected %s", row->name, row->argument);
        *(const char **)at = value;
        return 0;
    case OPTION_SETTING:
        common->settings[common->setting_count++] = value;
        return 0;
    case OPTION_NAME:
        common->names[common->name_count++] = value;
        return 0;
    case OPTION_PARTS:
        if (!strcmp(value, "auto")) {
            *(int *)at = PARTS_AUTO;
            return 0;
        }
        __attribute__((fallthrough));
    case OPTION_COUNT:
        if (text_number(value, &number) || !(number >= 1.0 && number <= 4096.0) || number != (double)(int)number)
            return fail(e, ERROR_USAGE, "--%s %s: must be a whole number from 1 to 4096", row->name, value);
        *(int *)at = (int)number;
        return 0;
    case OPTION_BLOCK: {
        int *block = (int *)at, used = 0;
        if (sscanf(value, "%dx%dx%d%n", &block[0], &block[1], &block[2], &used) != 3 || value[used] || block[0] < 1 ||
            block[1] < 1 || block[2] < 0 || block[0] > 1024 || block[1] > 1024 || block[2] > 65535)
            return fail(e, ERROR_USAGE, "--%s %s: expected three whole numbers such as 32x8x16", row->name, value);
        return 0;
    }
    case OPTION_INDEX:
        if (text_number(value, &number) || !(number >= 0.0 && number <= 255.0) || number != (double)(int)number)
            return fail(e, ERROR_USAGE, "--%s %s: must be a whole number from 0 to 255", row->name, value);
        *(int *)at = (int)number;
        return 0;
    case OPTION_DEVICES:
        return store_devices(at, row, value, e);
    case OPTION_NUMBER:
        if (text_number(value, &number) || !(number >= 0.0 && number <= 9007199254740992.0))
            return fail(e, ERROR_USAGE, "--%s %s: must be a number of 0 or more", row->name, value);
        *(double *)at = number;
        return 0;
    case OPTION_POSITIVE:
        if (text_number(value, &number) || !(number > 0.0 && number <= 9007199254740992.0))
            return fail(e, ERROR_USAGE, "--%s %s: must be a number above 0", row->name, value);
        *(double *)at = number;
        return 0;
    case OPTION_ANGLE:
        if (text_number(value, &number) || !(number >= -360.0 && number <= 360.0))
            return fail(e, ERROR_USAGE, "--%s %s: must be an angle from -360 to 360 degrees", row->name, value);
        *(double *)at = number;
        return 0;
    }
    return fail(e, ERROR_USAGE, "--%s: unknown kind", row->name);
}

/* -ofile means -o file, but -output is a typo for --output and does not name a file "utput". */
static bool takes_attached(const struct command *command, const struct option_row *row, const char *word)
{
    const size_t length = strcspn(word + 1, "=");
    return row->kind != OPTION_FLAG && !find(command, word + 1, length, 0);
}

const char *options_synopsis(const struct command *command, char text[SYNOPSIS])
{
    if (command->synopsis)
        return command->synopsis;
    const char *name;
    size_t used = (size_t)snprintf(text, SYNOPSIS, "[");
    for (size_t i = 0; (name = command->argument_name(i)) && used < SYNOPSIS; i++)
        used += (size_t)snprintf(text + used, SYNOPSIS - used, "%s%s", i ? " | " : "", name);
    if (used < SYNOPSIS)
        snprintf(text + used, SYNOPSIS - used, "]");
    return text;
}

/* Naming a GPU selects the cuda engine; the cpu engine never replaces it silently. */
static int require_gpu(struct solver_options *c, const char *option, struct error *e)
{
    if (!c->engine || !strcmp(c->engine, "auto"))
        c->engine = "cuda";
    return strcmp(c->engine, "cpu")
               ? 0
               : fail(e, ERROR_USAGE, "--%s: the cpu engine does not use GPUs; remove --engine cpu", option);
}

void *options_group(void *options, const struct command *command, enum option_group group)
{
    return command->groups[group] ? (char *)options + command->groups[group] : NULL;
}

/* A row whose group the command's struct lacks would write out of bounds. */
static int check_groups(const struct command *command, struct error *e)
{
    for (size_t i = 0; command->options[i]; i++) {
        const struct option_row *row = command->options[i];
        if (row->group > GROUP_COMMON && !command->groups[row->group])
            return fail(e, ERROR_USAGE, "aula %s has no struct for the value of --%s", command->name, row->name);
    }
    return 0;
}

/* Allocates the command's struct with room for `count` words. */
static int open_options(void **options, const struct command *command, int count, struct error *e)
{
    struct common_options *o = *options = calloc(1, command->options_size);
    if (!o)
        return fail(e, ERROR_MEMORY, "out of memory");
    if (command->defaults)
        memcpy(o, command->defaults, command->options_size);
    o->settings = calloc((size_t)count + 1, sizeof *o->settings);
    o->arguments = calloc((size_t)count + 1, sizeof *o->arguments);
    o->names = calloc((size_t)count + 1, sizeof *o->names);
    return o->settings && o->arguments && o->names ? check_groups(command, e) : fail(e, ERROR_MEMORY, "out of memory");
}

int options_parse(void **options, const struct command *command, int count, char **words, struct error *e)
{
    bool only_arguments = false;
    const char *gpu = NULL; /* the option that names one */
    bool typed_former[FORMER_NAMES] = {false};
    if (open_options(options, command, count, e))
        return -1;
    struct common_options *o = *options;
    for (int i = 0; i < count; i++) {
        const char *word = words[i];
        if (only_arguments || word[0] != '-' || !word[1]) {
            o->arguments[o->argument_count++] = word;
            continue;
        }
        if (!strcmp(word, "--")) {
            only_arguments = true;
            continue;
        }
        const char *name = word[1] == '-' ? word + 2 : NULL, *equals = name ? strchr(name, '=') : NULL;
        size_t length = equals ? (size_t)(equals - name) : name ? strlen(name) : 0;
        const struct option_row *row = find(command, name, length, word[1]);
        const bool attached = !name && word[2];
        if (!row || (attached && !takes_attached(command, row, word)))
            return unknown(command, word, e);
        if (attached && word[2] == '=')
            return fail(e, ERROR_USAGE, "%s: a short option takes no \"=\"; use -%c %s or --%s%s", word, word[1],
                        word[3] ? word + 3 : row->argument, row->name, word[3] ? word + 2 : "=..");
        const char *value = equals ? equals + 1 : attached ? word + 2 : NULL;
        if (row->kind == OPTION_FLAG && equals)
            return fail(e, ERROR_USAGE, "--%s takes no value; remove \"=\" and what follows", row->name);
        if (row->kind != OPTION_FLAG && !value) {
            if (i + 1 >= count)
                return fail(e, ERROR_USAGE, "--%.*s: expected %s", name ? (int)length : (int)strlen(row->name),
                            name ? name : row->name, row->argument);
            value = words[++i];
        }
        if (row == &option_set && slip_of_setting(value, i + 1 < count ? words[i + 1] : NULL, e))
            return -1;
        struct option_row typed = *row; /* messages name the option as it was typed */
        const ptrdiff_t former = name && is_named(row->name, name, length) ? -1 : find_former(name, length);
        if (former >= 0) {
            typed.name = former_names[former].old;
            typed_former[former] = true;
        }
        if (store((char *)*options + command->groups[row->group] + row->offset, o, &typed, value, e))
            return -1;
        if (row == &option_device || row == &option_devices)
            gpu = row->name;
    }
    if (o->help)
        return 0;
    for (size_t i = 0; i < FORMER_NAMES; i++)
        say(o->quiet || !typed_former[i], "note: --%s is the former name of --%s", former_names[i].old,
            former_names[i].name);
    const struct output_options *output = options_group(*options, command, GROUP_OUTPUT);
    if (slip_of_words(o, output ? output->path : NULL, command, e) ||
        (gpu && require_gpu(options_group(*options, command, GROUP_CHOICE), gpu, e)))
        return -1;
    char synopsis[SYNOPSIS];
    if (o->argument_count < command->arguments_min || o->argument_count > command->arguments_max)
        return fail(e, ERROR_USAGE, "%s: usage: aula %s %s",
                    o->argument_count < command->arguments_min ? "missing argument" : "too many arguments",
                    command->name, options_synopsis(command, synopsis));
    return 0;
}

unsigned options_webb_variant(const struct trial_options *o)
{
    return (o->read_only ? WEBB_READ_ONLY : 0u) | (o->prefer_l1 ? WEBB_PREFER_L1 : 0u);
}

void options_free(void *options)
{
    struct common_options *o = options;
    if (!o)
        return;
    free(o->settings);
    free(o->arguments);
    free(o->names);
    free(o);
}

void options_print_help(const struct command *command)
{
    char synopsis[SYNOPSIS];
    printf("usage: aula %s %s\n%s\n\n", command->name, options_synopsis(command, synopsis), command->meaning);
    for (size_t i = 0; command->options[i]; i++) {
        const struct option_row *row = command->options[i];
        char left[64];
        snprintf(left, sizeof left, "%s%c%s--%s%s%s", row->letter ? "-" : "  ", row->letter ? row->letter : ' ',
                 row->letter ? ", " : " ", row->name, row->argument ? " " : "", row->argument ? row->argument : "");
        printf("  %-26s %s\n", left, row->meaning);
    }
    if (command->print_list || command->details)
        putchar('\n');
    if (command->print_list)
        command->print_list();
    if (command->details)
        fputs(command->details, stdout);
}
