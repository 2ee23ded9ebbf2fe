/* SPDX-License-Identifier: MIT */
/* --target of aula metrics and aula info: judges measured or estimated parameters by a target. */
#ifndef AULA_APP_TARGET_H
#define AULA_APP_TARGET_H

#include "app/options.h"
#include "room/targets/targets.h"

struct measured_file;
struct metrics_wanted;

struct target_options {
    const char *name, *file; /* --target, --targets; NULL: not given */
    double volume;           /* m3; 0: not given */
    bool check;
};

extern const struct option_row option_target, option_targets, option_volume, option_check;

/* The target that the command line names. Free in any case. */
struct aim {
    struct target_list list;
    const struct target *target; /* NULL: none is named */
};
int aim_open(struct aim *aim, const struct target_options *o, struct error *e);
void aim_free(struct aim *aim);

/* One room or response, judged. */
struct subject_judged {
    const char *path, *volume_from;
    struct target_room room;
    struct judgement judgement;
};

/* Judges the mean over the channels of a file. ERROR_USAGE: its volume is unknown. */
int judge_file(struct subject_judged *s, const struct aim *aim, const struct measured_file *file,
               const struct target_options *o, const struct metrics_wanted *wanted, struct error *e);

/* Prints warnings about the volume and notes about what is not judged. */
void judged_warn(const struct subject_judged *s, const struct target *target, const struct common_options *o);

/* ERROR_FAILED unless each passes. */
int judged_check(const struct subject_judged *subjects, size_t count, const struct target *target, struct error *e);

/* aula info ROOM --target: judges the statistical estimate of the reverberation time. */
int show_target(const struct common_options *common, const struct target_options *o, struct error *e);
/* aula info --list-targets */
int show_targets(const struct common_options *common, const struct target_options *o, struct error *e);

#endif
