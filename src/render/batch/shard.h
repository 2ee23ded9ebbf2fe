/* SPDX-License-Identifier: MIT */
/* The rooms of a plan that a run renders: all, those of shard K of N, or a list of numbers. Shards are independent runs,
 * on one machine or many, that see one folder; batch_merge makes the manifest of what they have rendered. */
#ifndef AULA_RENDER_BATCH_SHARD_H
#define AULA_RENDER_BATCH_SHARD_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

/* Folder of the manifests of shards, in that of the data set. */
#define SHARD_FOLDER "parts"

struct room_range {
    size_t first, last;
};

/* Zeroed: all rooms. */
struct shard {
    size_t index, count; /* rooms k with k mod count = index; count 0: no shard */
    struct room_range *ranges;
    size_t range_count;   /* 0: no list */
    char name[96];        /* of its manifest, without folder and suffix: "3-of-8", "rooms-17,40-99"; empty: all rooms */
    const char *variable; /* of the environment, that gave the number; NULL: the caller did */
};

/* "K/N", with K from 0 to N - 1. ERROR_USAGE. */
int shard_parse(struct shard *s, const char *text, struct error *e);

/* Numbers and ranges, "17,40-99", from 0. ERROR_USAGE, ERROR_MEMORY. Free with shard_free in any case. */
int shard_parse_rooms(struct shard *s, const char *text, struct error *e);
void shard_free(struct shard *s);

/* The task of an array of Slurm (SLURM_ARRAY_TASK_ID, _MIN, _STEP, _COUNT) or the index of a job of Kubernetes
 * (JOB_COMPLETION_INDEX with JOB_COMPLETIONS); all rooms outside of both. ERROR_USAGE: a variable is missing, or makes
 * no sense. */
int shard_of_environment(struct shard *s, struct error *e);

bool shard_has(const struct shard *s, size_t room);

/* ERROR_USAGE where the list has a room that a plan of `count` rooms lacks. */
int shard_check(const struct shard *s, size_t count, struct error *e);

#endif
