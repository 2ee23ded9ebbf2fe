/* SPDX-License-Identifier: MIT */
#include "render/batch/shard.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/checksum.h"

enum { SHARDS_MAX = 1000000, NUMBER_MAX = 999999999, NAME_TAKEN = 60 };

/* A whole number from `*text` on, which ends behind it. False: there is none. */
static bool take_number(const char **text, size_t *number)
{
    char *end;
    if (**text < '0' || **text > '9')
        return false;
    errno = 0;
    const unsigned long value = strtoul(*text, &end, 10);
    *text = end;
    *number = value;
    return !errno && value <= NUMBER_MAX;
}

static void name_shard(struct shard *s)
{
    snprintf(s->name, sizeof s->name, "%zu-of-%zu", s->index, s->count);
}

int shard_parse(struct shard *s, const char *text, struct error *e)
{
    const char *at = text;
    *s = (struct shard){.index = 0};
    if (!take_number(&at, &s->index) || *at++ != '/' || !take_number(&at, &s->count) || *at)
        return fail(e, ERROR_USAGE, "--shard %s: must be K/N, for example 0/8 for the first of eight", text);
    if (s->count < 1 || s->count > SHARDS_MAX || s->index >= s->count)
        return fail(e, ERROR_USAGE, "--shard %s: K counts from 0 to N - 1, and N is at most %d", text, SHARDS_MAX);
    name_shard(s);
    return 0;
}

/* The list itself where it is short, else its checksum. */
static void name_list(struct shard *s, const char *text)
{
    if (strlen(text) <= NAME_TAKEN)
        snprintf(s->name, sizeof s->name, "rooms-%s", text);
    else
        snprintf(s->name, sizeof s->name, "rooms-%016llx", (unsigned long long)checksum_text(text));
}

int shard_parse_rooms(struct shard *s, const char *text, struct error *e)
{
    const char *at = text;
    size_t room_for = 1;
    *s = (struct shard){.index = 0};
    for (const char *c = text; *c; c++)
        room_for += *c == ',';
    s->ranges = calloc(room_for, sizeof *s->ranges);
    if (!s->ranges)
        return fail(e, ERROR_MEMORY, "out of memory");
    for (bool more = true; more; more = *at && *at++ == ',') {
        struct room_range *range = &s->ranges[s->range_count];
        bool good = take_number(&at, &range->first);
        range->last = range->first;
        if (good && *at == '-') {
            at++;
            good = take_number(&at, &range->last) && range->last >= range->first;
        }
        if (!good || (*at && *at != ','))
            return fail(e, ERROR_USAGE, "--rooms %s: must be numbers and rising ranges, for example 17,40-99", text);
        s->range_count++;
    }
    name_list(s, text);
    return 0;
}

void shard_free(struct shard *s)
{
    free(s->ranges);
    *s = (struct shard){.index = 0};
}

/* A variable that holds a whole number. *there: whether it is set. */
static int read_variable(const char *name, bool *there, size_t *number, struct error *e)
{
    const char *text = getenv(name), *at = text;
    *there = text && *text;
    if (*there && (!take_number(&at, number) || *at))
        return fail(e, ERROR_USAGE, "%s=%s: must be a whole number; set it, or give --shard K/N", name, text);
    return 0;
}

static int take_variables(struct shard *s, const char *variable, const char *missing, size_t index, size_t count,
                          struct error *e)
{
    if (!count)
        return fail(e, ERROR_USAGE, "%s is set, but %s is not: set it to the number of shards, or give --shard K/N",
                    variable, missing);
    if (count > SHARDS_MAX || index >= count)
        return fail(e, ERROR_USAGE, "%s and %s ask for shard %zu of %zu; give --shard K/N with K from 0 to N - 1",
                    variable, missing, index, count);
    *s = (struct shard){.index = index, .count = count, .variable = variable};
    name_shard(s);
    return 0;
}

int shard_of_environment(struct shard *s, struct error *e)
{
    static const char task[] = "SLURM_ARRAY_TASK_ID", tasks[] = "SLURM_ARRAY_TASK_COUNT";
    static const char job[] = "JOB_COMPLETION_INDEX", jobs[] = "JOB_COMPLETIONS";
    bool is_task, is_job, there;
    size_t index = 0, first = 0, step = 1, count = 0;
    *s = (struct shard){.index = 0};
    if (read_variable(task, &is_task, &index, e))
        return -1;
    if (is_task) {
        if (read_variable("SLURM_ARRAY_TASK_MIN", &there, &first, e) ||
            read_variable("SLURM_ARRAY_TASK_STEP", &there, &step, e) || read_variable(tasks, &there, &count, e))
            return -1;
        return take_variables(s, task, tasks, index < first || !step ? count : (index - first) / step, count, e);
    }
    if (read_variable(job, &is_job, &index, e) || (is_job && read_variable(jobs, &there, &count, e)))
        return -1;
    return is_job ? take_variables(s, job, jobs, index, count, e) : 0;
}

bool shard_has(const struct shard *s, size_t room)
{
    bool has = !s->range_count && (!s->count || room % s->count == s->index);
    for (size_t i = 0; i < s->range_count && !has; i++)
        has = room >= s->ranges[i].first && room <= s->ranges[i].last;
    return has;
}

int shard_check(const struct shard *s, size_t count, struct error *e)
{
    for (size_t i = 0; i < s->range_count; i++)
        if (s->ranges[i].last >= count)
            return fail(e, ERROR_USAGE, "--rooms: the plan has no room %zu; its %zu rooms count from 0",
                        s->ranges[i].last, count);
    return 0;
}
