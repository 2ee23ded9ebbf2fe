/* SPDX-License-Identifier: MIT */
#include "app/target_print.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "app/metrics.h"
#include "base/sanitize_text.h"
#include "base/text.h"

static const char *octave_text(char text[16], size_t band)
{
    const struct metrics_band b = {.centre = octave_band_centre[band]};
    return metrics_band_text(text, &b);
}

static void print_worst(const struct judgement *j, const struct target *t, const struct target_room *room)
{
    size_t band = 0;
    const struct judged *worst = judgement_worst(j, t, &band);
    if (!worst)
        return;
    const bool is_long = worst->value > worst->upper;
    char area[PLAIN_TEXT];
    if (band == OCTAVE_BANDS)
        printf("; the mean");
    else
        printf("; %g Hz", octave_band_centre[band]);
    printf(" is %.2f s too %s: %s m2 of absorption %s%s", -worst->margin, is_long ? "long" : "short",
           text_plain(area, fabs(worst->to_limit), 3), is_long ? "are missing" : "are too much",
           judgement_part_doubtful(j, t, room, band) ? " (doubtful)" : "");
}

static void print_verdict(const struct subject_judged *s, const struct target *t)
{
    const struct judgement *j = &s->judgement;
    const size_t parts = j->passed + j->failed + j->unknown;
    const char *doubtful = judgement_is_doubtful(j, t, &s->room) ? " (doubtful)" : "";
    printf("%s: ", sanitize_name(s->path));
    if (t->quantity == TARGET_SPEECH) {
        if (isnan(j->speech.value))
            printf("%s %s: no STI: %s\n", judgement_text(j), t->name, j->speech.why);
        else {
            printf("%s%s%s%s: STI %.2f", judgement_text(j), *judgement_text(j) ? doubtful : "",
                   *judgement_text(j) ? " " : "", t->name, j->speech.value);
            if (j->grade)
                printf(" is grade %s", j->grade);
            if (!isnan(t->least))
                printf(", %.2f needed", t->least);
            printf("%s\n", *judgement_text(j) ? "" : doubtful);
        }
        return;
    }
    if (!parts) {
        printf("%s: not judged, for %s\n", t->name,
               isnan(j->time) ? "there is no limit at this volume" : "all its octaves are guidance");
        return;
    }
    printf("%s%s %s: ", judgement_text(j), doubtful, t->name);
    if (j->failed && parts == 1)
        printf("the limit is not met");
    else if (j->failed)
        printf("%zu of %zu limits not met", j->failed, parts);
    else if (j->unknown)
        printf("%zu of %zu limits met", j->passed, parts);
    else
        printf(parts == 1 ? "the limit is met" : "all %zu limits met", parts);
    if (judgement_doubtful(j, t, &s->room))
        printf(", %zu doubtful", judgement_doubtful(j, t, &s->room));
    print_worst(j, t, &s->room);
    if (j->unknown)
        printf("; %zu cannot be judged%s", j->unknown, j->failed ? ", so the verdict is incomplete" : "");
    if (!strcmp(s->room.measured[0].by ? s->room.measured[0].by : "", "Eyring"))
        printf(" (estimate by Eyring)");
    printf("\n");
}

/* With its sign where `is_signed`; "-" where it is not finite. */
static void print_number(double value, int width, int decimals, bool is_signed)
{
    if (!isfinite(value))
        printf("%*s", width, "-");
    else if (is_signed)
        printf("%+*.*f", width, decimals, value);
    else
        printf("%*.*f", width, decimals, value);
}

static void print_row(const char *name, const struct judged *part, bool t20, bool guidance, bool doubtful)
{
    const bool failed = part->verdict == VERDICT_FAIL;
    printf("  %-8s", name);
    print_number(part->value, 8, 2, false);
    print_number(part->lower > 0.0 ? part->lower : NAN, 8, 2, false);
    print_number(part->upper, 8, 2, false);
    print_number(part->margin, 10, 2, true);
    print_number(failed ? part->to_limit : NAN, 13, 1, true);
    print_number(failed ? part->to_target : NAN, 14, 1, true);
    printf("  %s%s%s%s\n", verdict_text(part->verdict), guidance ? " (guidance)" : "", doubtful ? " ?" : "",
           t20 ? " T20" : "");
}

static void print_times(const struct subject_judged *s, const struct target *t)
{
    const struct judgement *j = &s->judgement;
    bool doubtful = false;
    char text[16];
    printf("\n  %-8s%8s%8s%8s%10s%13s%14s\n", "Hz", "T s", "from s", "to s", "margin s", "to limit m2", "to target m2");
    for (size_t b = 0; b < OCTAVE_BANDS; b++)
        if (j->octave[b].verdict != VERDICT_NONE) {
            print_row(octave_text(text, b), &j->octave[b], target_part_by_t20(t, &s->room, b), t->guidance[b],
                      s->room.measured[b].doubts);
            doubtful = doubtful || s->room.measured[b].doubts;
        }
    if (j->mean.verdict != VERDICT_NONE) {
        print_row("mean", &j->mean, target_part_by_t20(t, &s->room, OCTAVE_BANDS), false,
                  judgement_part_doubtful(j, t, &s->room, OCTAVE_BANDS));
        doubtful = doubtful || judgement_part_doubtful(j, t, &s->room, OCTAVE_BANDS);
    }
    if (j->noise.verdict != VERDICT_NONE)
        printf("  noise %.1f dB(A), at most %.1f dB(A): %s\n", j->noise.value, j->noise.upper,
               verdict_text(j->noise.verdict));
    for (size_t b = 0; b < OCTAVE_BANDS; b++)
        if (j->octave[b].verdict == VERDICT_UNKNOWN)
            printf("  - %g Hz: %s\n", octave_band_centre[b], j->octave[b].why);
    if (doubtful)
        printf("  ? doubtful; aula metrics without --target says why\n");
    if (j->mean.verdict == VERDICT_UNKNOWN)
        printf("  - mean: %s\n", j->mean.why);
}

/* "T30", "T20", or both where octaves differ. */
static const char *method_of(const struct target_room *room, const struct target *t)
{
    const char *method = NULL;
    for (size_t b = 0; b < OCTAVE_BANDS; b++) {
        const char *by = isnan(room->measured[b].time) || !(t->octave[b] || t->mean[b]) ? NULL : room->measured[b].by;
        if (by && method && strcmp(by, method))
            return "T30, where missing T20";
        method = by ? by : method;
    }
    return method ? method : "T30";
}

static size_t places_of(const struct target_room *room)
{
    size_t most = 0;
    for (size_t b = 0; b < OCTAVE_BANDS; b++)
        most = room->measured[b].places > most ? room->measured[b].places : most;
    return most;
}

static void print_subject(const struct subject_judged *s, const struct target *t)
{
    const size_t places = places_of(&s->room);
    char volume[PLAIN_TEXT];
    print_verdict(s, t);
    printf("  %s: ", sanitize_name(t->publication));
    printf("%s\n", sanitize_name(t->description));
    if (t->condition)
        printf("  applies to a room that is %s\n", sanitize_name(t->condition));
    if (t->quantity == TARGET_SPEECH)
        return;
    printf("  %s m3 (%s)", text_plain(volume, s->room.volume, 4), s->volume_from);
    if (!isnan(s->judgement.time))
        printf(", target T %.2f s; %s", s->judgement.time, method_of(&s->room, t));
    if (places > 1)
        printf(", mean of %zu places", places);
    printf("\n");
    if (judgement_has_limits(&s->judgement))
        print_times(s, t);
}

int judged_print(const struct subject_judged *subjects, size_t count, const struct target *target)
{
    for (size_t i = 0; i < count; i++) {
        if (i)
            printf("\n");
        print_subject(&subjects[i], target);
    }
    return 0;
}

static const char *verdict_word(enum verdict verdict)
{
    static const char *const words[] = {"pass", "fail", "incomplete", "none"};
    return words[verdict];
}

static void csv_text(const char *text)
{
    putchar('"');
    for (; text && *text; text++) {
        if (*text == '"')
            putchar('"');
        putchar(*text);
    }
    putchar('"');
}

static void csv_number(double value)
{
    if (isfinite(value))
        printf(",%.9g", value);
    else
        printf(",");
}

static void csv_part(const struct subject_judged *s, const struct target *t, const char *name,
                     const struct judged *part, bool guidance, bool doubtful)
{
    const bool failed = part->verdict == VERDICT_FAIL;
    if (part->verdict == VERDICT_NONE && isnan(part->value))
        return;
    csv_text(s->path);
    printf(",%s,%s", t->name, name);
    csv_number(part->value);
    csv_number(part->lower);
    csv_number(part->upper);
    csv_number(part->margin);
    csv_number(failed ? part->to_limit : NAN);
    csv_number(failed ? part->to_target : NAN);
    printf(",%s,%s,", verdict_word(part->verdict), guidance ? "yes" : "no");
    csv_text(part->why);
    printf(",%s\n", doubtful ? "yes" : "no");
}

int judged_print_csv(const struct subject_judged *subjects, size_t count, const struct target *target)
{
    printf("file,target,part,value,lower,upper,margin,absorption_to_limit,absorption_to_target,verdict,guidance,why,"
           "doubtful\n");
    for (size_t i = 0; i < count; i++) {
        const struct subject_judged *s = &subjects[i];
        const struct judgement *j = &s->judgement;
        char name[32];
        for (size_t b = 0; b < OCTAVE_BANDS; b++) {
            snprintf(name, sizeof name, "%g", octave_band_centre[b]);
            csv_part(s, target, name, &j->octave[b], target->guidance[b],
                     judgement_part_doubtful(j, target, &s->room, b));
        }
        csv_part(s, target, "mean", &j->mean, false, judgement_part_doubtful(j, target, &s->room, OCTAVE_BANDS));
        csv_part(s, target, "noise", &j->noise, false, false);
        if (target->quantity == TARGET_SPEECH)
            csv_part(s, target, "sti", &j->speech, false, s->room.sti_doubtful);
        csv_text(s->path);
        printf(",%s,all,,,,,,,%s,no,,%s\n", target->name, verdict_word(j->verdict),
               judgement_is_doubtful(j, target, &s->room) ? "yes" : "no");
    }
    return 0;
}

static void add_number(cJSON *json, const char *name, double value)
{
    cJSON_AddItemToObject(json, name, isfinite(value) ? cJSON_CreateNumber(value) : cJSON_CreateNull());
}

static cJSON *part_json(const struct judged *part)
{
    cJSON *json = cJSON_CreateObject();
    cJSON_AddStringToObject(json, "verdict", verdict_word(part->verdict));
    add_number(json, "value", part->value);
    add_number(json, "lower", part->lower);
    add_number(json, "upper", part->upper);
    add_number(json, "margin", part->margin);
    if (part->verdict == VERDICT_FAIL && part->to_limit != 0.0) {
        add_number(json, "absorption_to_limit", part->to_limit);
        add_number(json, "absorption_to_target", part->to_target);
    }
    if (part->why)
        cJSON_AddStringToObject(json, "why", part->why);
    return json;
}

static void add_octaves(cJSON *json, const struct subject_judged *s, const struct target *t)
{
    cJSON *octaves = cJSON_AddArrayToObject(json, "octave_bands");
    for (size_t b = 0; b < OCTAVE_BANDS; b++) {
        const struct target_measured *m = &s->room.measured[b];
        if (s->judgement.octave[b].verdict == VERDICT_NONE)
            continue;
        cJSON *one = part_json(&s->judgement.octave[b]);
        cJSON_AddNumberToObject(one, "centre", octave_band_centre[b]);
        cJSON_AddBoolToObject(one, "guidance", t->guidance[b]);
        if (!isnan(m->time))
            cJSON_AddStringToObject(one, "by", m->by);
        cJSON_AddNumberToObject(one, "places", (double)m->places);
        if (m->doubts)
            cJSON_AddBoolToObject(one, "doubtful", true);
        cJSON_AddItemToArray(octaves, one);
    }
}

cJSON *judged_json(const struct subject_judged *s, const struct target *t)
{
    const struct judgement *j = &s->judgement;
    cJSON *json = cJSON_CreateObject();
    cJSON_AddStringToObject(json, "name", t->name);
    cJSON_AddStringToObject(json, "publication", t->publication);
    cJSON_AddStringToObject(json, "description", t->description);
    if (t->condition)
        cJSON_AddStringToObject(json, "condition", t->condition);
    cJSON_AddStringToObject(json, "verdict", verdict_word(j->verdict));
    cJSON_AddBoolToObject(json, "complete", !j->unknown);
    cJSON_AddBoolToObject(json, "doubtful", judgement_is_doubtful(j, t, &s->room));
    if (t->quantity == TARGET_SPEECH) {
        cJSON *speech = part_json(&j->speech);
        if (j->grade)
            cJSON_AddStringToObject(speech, "grade", j->grade);
        cJSON_AddItemToObject(json, "sti", speech);
        return json;
    }
    add_number(json, "volume", s->room.volume);
    cJSON_AddBoolToObject(json, "volume_in_range", j->covered);
    add_number(json, "time", j->time);
    add_octaves(json, s, t);
    if (j->mean.verdict != VERDICT_NONE) {
        cJSON *mean = part_json(&j->mean);
        if (judgement_part_doubtful(j, t, &s->room, OCTAVE_BANDS))
            cJSON_AddBoolToObject(mean, "doubtful", true);
        cJSON_AddItemToObject(json, "mean", mean);
    }
    if (j->noise.verdict != VERDICT_NONE)
        cJSON_AddItemToObject(json, "noise", part_json(&j->noise));
    return json;
}

int judged_print_json(const struct subject_judged *s, const struct target *t, struct error *e)
{
    cJSON *json = cJSON_CreateObject();
    cJSON_AddStringToObject(json, "room", s->path);
    cJSON_AddStringToObject(json, "method", "estimate by Eyring, for a diffuse field");
    cJSON_AddItemToObject(json, "target", judged_json(s, t));
    return json_print(json, e);
}

static void print_volumes(const struct target *t)
{
    if (t->quantity == TARGET_SPEECH || (t->volume[0] <= 0.0 && !isfinite(t->volume[1])))
        return;
    if (t->volume[0] > 0.0)
        printf("; %g to %g m3", t->volume[0], t->volume[1]);
    else
        printf("; to %g m3", t->volume[1]);
}

int targets_print(const struct target_list *list)
{
    for (size_t i = 0; i < list->count; i++) {
        const struct target *t = &list->items[i];
        printf("%-16s %s\n%-16s %s", t->name, sanitize_name(t->description), "", sanitize_name(t->publication));
        print_volumes(t);
        printf("\n");
    }
    return 0;
}

int targets_print_json(const struct target_list *list, struct error *e)
{
    cJSON *json = cJSON_CreateObject(), *array = cJSON_AddArrayToObject(json, "targets");
    for (size_t i = 0; i < list->count; i++) {
        const struct target *t = &list->items[i];
        cJSON *one = cJSON_CreateObject();
        cJSON_AddStringToObject(one, "name", t->name);
        cJSON_AddStringToObject(one, "description", t->description);
        cJSON_AddStringToObject(one, "publication", t->publication);
        if (t->condition)
            cJSON_AddStringToObject(one, "condition", t->condition);
        cJSON_AddStringToObject(one, "quantity", t->quantity == TARGET_SPEECH ? "speech" : "time");
        if (t->quantity == TARGET_TIME) {
            add_number(one, "volume_min", t->volume[0]);
            add_number(one, "volume_max", t->volume[1]);
        }
        cJSON_AddItemToArray(array, one);
    }
    return json_print(json, e);
}
