/* SPDX-License-Identifier: MIT */
#include "dsp/measure/target.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "dsp/measure/jnd.h"

/* IEC 61672-1, table 3 */
const double weight_a[OCTAVE_BANDS] = {-26.2, -16.1, -8.6, -3.2, 0.0, 1.2, 1.0, -1.1};

void target_clear(struct target *target)
{
    if (!target)
        return;
    free(target->name);
    free(target->description);
    free(target->publication);
    free(target->condition);
    *target = (struct target){.name = NULL};
}

static double step_time(const struct target *target, double volume)
{
    for (size_t i = 0; i < target->step_count; i++)
        if (volume <= target->steps[i].volume)
            return target->steps[i].time;
    return NAN;
}

double target_time(const struct target *target, double volume)
{
    double time = NAN;
    if (!(volume > 0.0) || target->quantity != TARGET_TIME)
        return NAN;
    switch (target->form) {
    case TARGET_STEPS:
        time = step_time(target, volume);
        break;
    case TARGET_LOGARITHM:
        time = target->logarithm[0] * log10(volume) + target->logarithm[1];
        break;
    case TARGET_POWER:
        time = target->power[0] * pow(volume / target->power[1], target->power[2]);
        break;
    }
    if (!(time > 0.0)) /* a logarithm far below its range of volumes */
        return NAN;
    return time > target->longest ? target->longest : time;
}

bool target_covers(const struct target *target, double volume)
{
    return volume >= target->volume[0] && volume <= target->volume[1];
}

const char *target_grade_of(const struct target *target, double sti)
{
    const char *name = NULL;
    for (size_t i = 0; i < target->grade_count; i++)
        if (sti >= target->grades[i].least)
            name = target->grades[i].name;
    return name;
}

double target_absorption(double volume, double sound_speed, double time, double wanted)
{
    return 24.0 * log(10.0) * volume / sound_speed * (1.0 / wanted - 1.0 / time);
}

double weighted_level(const double octave[SPEECH_BANDS], double level_63)
{
    double sum = isnan(level_63) ? 0.0 : pow(10.0, 0.1 * (level_63 + weight_a[0]));
    for (size_t k = 0; k < SPEECH_BANDS; k++)
        sum += pow(10.0, 0.1 * (octave[k] + weight_a[k + 1]));
    return 10.0 * log10(sum);
}

/* Of one octave of all channels. */
struct times {
    double sum_t20, sum_t30;
    size_t t20, t30;
    unsigned doubts; /* bits of enum doubt */
    const char *why; /* the first reason for a missing T20 */
};

static void add_times(struct times *s, const struct metrics_band *b, const struct doubts *doubts)
{
    if (b->validity == METRICS_PARTLY && !s->why)
        s->why = "the octave extends beyond the valid band";
    if (b->validity == METRICS_OUTSIDE && !s->why)
        s->why = metrics_reason_text(METRICS_BEYOND);
    if (b->validity != METRICS_VALID)
        return;
    if (!isnan(b->t20.time)) {
        s->sum_t20 += b->t20.time;
        s->t20++;
    } else if (!s->why)
        s->why = metrics_reason_text(b->t20.reason);
    if (!isnan(b->t30.time)) {
        s->sum_t30 += b->t30.time;
        s->t30++;
    }
    s->doubts |= doubts ? doubts_of(doubts, b) : 0;
}

void target_measure(struct target_measured measured[OCTAVE_BANDS], const struct metrics *channels, size_t count,
                    const struct doubts *doubts)
{
    for (size_t b = 0; b < OCTAVE_BANDS; b++) {
        struct times s = {.sum_t20 = 0.0};
        for (size_t c = 0; c < count; c++)
            add_times(&s, &channels[c].band[b], doubts);
        struct target_measured *m = &measured[b];
        *m = (struct target_measured){.time = NAN, .why = s.why, .doubts = s.doubts};
        if (s.t30 && s.t30 >= s.t20)
            *m = (struct target_measured){s.sum_t30 / (double)s.t30, NULL, "T30", s.t30, s.doubts};
        else if (s.t20)
            *m = (struct target_measured){s.sum_t20 / (double)s.t20, NULL, "T20", s.t20, s.doubts};
    }
}

bool target_speech_doubtful(const struct metrics *channels, size_t count, const struct doubts *doubts)
{
    const struct metric *sti = jnd_metric(jnd_find("sti"));
    for (size_t c = 0; c < count; c++)
        if (doubts_of_single(doubts, &channels[c], sti))
            return true;
    return false;
}

void target_measure_speech(struct target_room *room, const struct metrics *channels, size_t count,
                           const struct doubts *doubts)
{
    room->sti = INFINITY;
    room->sti_doubtful = target_speech_doubtful(channels, count, doubts);
    for (size_t c = 0; c < count; c++) {
        if (isnan(channels[c].sti)) {
            room->sti = NAN;
            room->no_sti = metrics_reason_text(channels[c].sti_reason);
            return;
        }
        room->sti = fmin(room->sti, channels[c].sti);
    }
}

static struct judged judge_value(double value, double lower, double upper, const char *why)
{
    struct judged j = {VERDICT_UNKNOWN, value, lower, upper, NAN, 0.0, 0.0, why};
    if (isnan(value))
        return j;
    j.why = NULL;
    j.margin = fmin(upper - value, value - lower);
    j.verdict = value >= lower && value <= upper ? VERDICT_PASS : VERDICT_FAIL;
    return j;
}

/* A time, with the absorption until it meets its limit and the target itself. */
static struct judged judge_time(double time, double lower, double upper, double target, const struct target_room *room,
                                const char *why)
{
    struct judged j = judge_value(time, lower, upper, why);
    if (j.verdict == VERDICT_FAIL) {
        j.to_limit = target_absorption(room->volume, room->sound_speed, time, time > upper ? upper : lower);
        j.to_target = target_absorption(room->volume, room->sound_speed, time, target);
    }
    return j;
}

static void count_verdict(struct judgement *j, const struct judged *part)
{
    j->passed += part->verdict == VERDICT_PASS;
    j->failed += part->verdict == VERDICT_FAIL;
    j->unknown += part->verdict == VERDICT_UNKNOWN;
}

static void judge_octaves(struct judgement *j, const struct target *t, const struct target_room *room)
{
    const bool within = !isnan(t->tolerance);
    for (size_t b = 0; b < OCTAVE_BANDS; b++) {
        const struct target_measured *m = &room->measured[b];
        const double lower = within ? j->time - t->tolerance : t->lower[b] * j->time;
        const double upper = within ? j->time + t->tolerance : t->upper[b] * j->time;
        if (!t->octave[b])
            continue;
        j->octave[b] = judge_time(m->time, fmax(lower, 0.0), upper, j->time, room, m->why);
        if (!t->guidance[b])
            count_verdict(j, &j->octave[b]);
    }
}

static void judge_mean(struct judgement *j, const struct target *t, const struct target_room *room)
{
    double sum = 0.0;
    const char *why = NULL;
    size_t count = 0;
    for (size_t b = 0; b < OCTAVE_BANDS; b++) {
        if (!t->mean[b])
            continue;
        count++;
        sum += room->measured[b].time; /* one missing octave makes the mean unknown */
        if (!why)
            why = room->measured[b].why;
    }
    if (!count)
        return;
    j->mean = judge_time(sum / (double)count, 0.0, j->time, j->time, room, why);
    count_verdict(j, &j->mean);
}

static void judge_speech(struct judgement *j, const struct target *t, const struct target_room *room)
{
    j->grade = isnan(room->sti) ? NULL : target_grade_of(t, room->sti);
    j->speech = judge_value(room->sti, isnan(t->least) ? 0.0 : t->least, INFINITY, room->no_sti);
    if (isnan(t->least) && j->speech.verdict == VERDICT_PASS)
        j->speech.verdict = VERDICT_NONE;
    count_verdict(j, &j->speech);
}

void target_judge(struct judgement *j, const struct target *target, const struct target_room *room)
{
    const struct judged none = {VERDICT_NONE, NAN, 0.0, INFINITY, NAN, 0.0, 0.0, NULL};
    *j = (struct judgement){.verdict = VERDICT_NONE, .time = target_time(target, room->volume)};
    j->covered = target->quantity == TARGET_SPEECH || target_covers(target, room->volume);
    j->mean = j->noise = j->speech = none;
    for (size_t b = 0; b < OCTAVE_BANDS; b++)
        j->octave[b] = none;
    if (target->quantity == TARGET_SPEECH)
        judge_speech(j, target, room);
    if (!isnan(j->time)) {
        judge_octaves(j, target, room);
        judge_mean(j, target, room);
    }
    if (!isnan(target->noise) && !isnan(room->noise)) {
        j->noise = judge_value(room->noise, -INFINITY, target->noise, NULL);
        count_verdict(j, &j->noise);
    }
    if (j->failed)
        j->verdict = VERDICT_FAIL;
    else if (j->unknown)
        j->verdict = VERDICT_UNKNOWN;
    else if (j->passed)
        j->verdict = VERDICT_PASS;
}

bool judgement_has_limits(const struct judgement *j)
{
    bool any = j->mean.verdict != VERDICT_NONE || j->noise.verdict != VERDICT_NONE;
    for (size_t b = 0; b < OCTAVE_BANDS; b++)
        any = any || j->octave[b].verdict != VERDICT_NONE;
    return any;
}

static bool is_decided(const struct judged *part)
{
    return part->verdict == VERDICT_PASS || part->verdict == VERDICT_FAIL;
}

bool judgement_part_doubtful(const struct judgement *j, const struct target *target, const struct target_room *room,
                             size_t band)
{
    bool mean = false;
    if (band < OCTAVE_BANDS)
        return is_decided(&j->octave[band]) && room->measured[band].doubts;
    for (size_t b = 0; b < OCTAVE_BANDS; b++)
        mean = mean || (room->measured[b].doubts && target->mean[b]);
    return mean && is_decided(&j->mean);
}

bool target_part_by_t20(const struct target *target, const struct target_room *room, size_t band)
{
    for (size_t b = 0; b < OCTAVE_BANDS; b++)
        if ((b == band || (band == OCTAVE_BANDS && target->mean[b])) && room->measured[b].by &&
            !strcmp(room->measured[b].by, "T20"))
            return true;
    return false;
}

/* Of all decided parts, or of those that failed. */
static size_t count_doubtful(const struct judgement *j, const struct target *target, const struct target_room *room,
                             bool failed)
{
    size_t count = 0;
    for (size_t b = 0; b <= OCTAVE_BANDS; b++) {
        const struct judged *part = b < OCTAVE_BANDS ? &j->octave[b] : &j->mean;
        const bool guidance = b < OCTAVE_BANDS && target->guidance[b];
        count += !guidance && judgement_part_doubtful(j, target, room, b) && (!failed || part->verdict == VERDICT_FAIL);
    }
    return count;
}

size_t judgement_doubtful(const struct judgement *j, const struct target *target, const struct target_room *room)
{
    if (target->quantity == TARGET_SPEECH)
        return room->sti_doubtful && !isnan(j->speech.value);
    return count_doubtful(j, target, room, false);
}

bool judgement_is_doubtful(const struct judgement *j, const struct target *target, const struct target_room *room)
{
    if (target->quantity == TARGET_TIME && j->failed)
        return count_doubtful(j, target, room, true) == j->failed;
    return judgement_doubtful(j, target, room) > 0;
}

const struct judged *judgement_worst(const struct judgement *j, const struct target *target, size_t *band)
{
    const struct judged *worst = NULL;
    for (size_t b = 0; b <= OCTAVE_BANDS; b++) {
        const struct judged *part = b < OCTAVE_BANDS ? &j->octave[b] : &j->mean;
        if (part->verdict != VERDICT_FAIL || (b < OCTAVE_BANDS && target->guidance[b]))
            continue;
        if (!worst || part->margin < worst->margin) {
            worst = part;
            *band = b;
        }
    }
    return worst;
}

const char *verdict_text(enum verdict verdict)
{
    static const char *const texts[] = {"PASS", "FAIL", "-", ""};
    return texts[verdict];
}

const char *judgement_text(const struct judgement *j)
{
    return j->verdict == VERDICT_UNKNOWN ? "INCOMPLETE" : verdict_text(j->verdict);
}
