/* SPDX-License-Identifier: MIT */
/* The table and the JSON of aula calibrate, and its warnings. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "app/calibrate.h"
#include "base/text.h"
#include "io/json_build.h"

static const double far = 3.0;      /* standard deviations: the model cannot reach such a datum */
static const double listed = 0.7;   /* of the prior's deviation: combinations with less left are listed */
static const double weighty = 0.2;  /* of a combination: materials with less are left out */
static const double misfit = 0.03;  /* α: of the wall that is fitted to all octaves */
static const double unlikely = 2.5; /* prior deviations */

const char *calibrate_octave_text(char text[16], size_t octave)
{
    const double centre = octave_band_centre[octave];
    snprintf(text, 16, centre < 1000.0 ? "%g" : "%gk", centre < 1000.0 ? centre : centre / 1000.0);
    return text;
}

static const char *name_of(const struct calibrate_findings *f, size_t m)
{
    return f->room->room->materials[f->room->material[m]].name;
}

static const char *receiver_of(const struct calibrate_findings *f, size_t i)
{
    return f->room->room->receivers[f->data->measured[i].receiver].name;
}

struct interval {
    double value, low, high; /* α */
};

static struct interval interval_of(double value, double deviation)
{
    const double half = CALIBRATE_INTERVAL * deviation;
    return (struct interval){calibrate_absorption(value), calibrate_absorption(value - half),
                             calibrate_absorption(value + half)};
}

static struct interval posterior_of(const struct calibrate_findings *f, size_t k, size_t m)
{
    const struct calibrate_posterior *p = &f->result->posterior[k];
    return interval_of(p->value[m], sqrt(fmax(p->covariance[m][m], 0.0)));
}

static struct interval prior_of(const struct calibrate_findings *f, size_t k, size_t m)
{
    return interval_of(f->task->problem[k].prior[m], f->task->problem[k].prior_deviation[m]);
}

static double remaining_of(const struct calibrate_findings *f, size_t k, size_t m)
{
    return calibrate_remaining(&f->result->posterior[k], &f->task->problem[k], m);
}

/* JND of the model less the measurement; NaN: either is missing. */
static double residual_of(const struct calibrate_findings *f, const struct calibrate_prediction *all, size_t k,
                          size_t i, size_t p)
{
    const size_t index = calibrate_index(i, (enum calibrate_parameter)p);
    return calibrate_steps(f->task->problem[k].measured[index], all[k].value[index], (enum calibrate_parameter)p);
}

/* A wall that cannot be what it should, and a value that the prior hardly allows. */
static int warn_of_material(struct calibrate_findings *f, size_t k, size_t m, const char *octave, struct error *e)
{
    const size_t band = f->task->octave[k];
    const struct calibrate_octave *o = &f->task->problem[k];
    const struct wall_model *wall = &f->room->model->walls[f->room->material[m]];
    const double away = (f->result->posterior[k].value[m] - o->prior[m]) / o->prior_deviation[m];
    if (wall_misfit(wall, band) > misfit &&
        lines_add(
            &f->warnings, &f->warning_count, e,
            "%s at %s Hz: the wall absorbs %.3f in place of %.3f, because its neighbouring octaves differ too much; "
            "calibrate them together",
            name_of(f, m), octave, wall->fitted[band], wall->target[band]))
        return -1;
    return fabs(away) > unlikely ? lines_add(&f->warnings, &f->warning_count, e,
                                             "%s at %s Hz: the value lies %.1f deviations from its prior: check sizes, "
                                             "furniture and the materials that are not free",
                                             name_of(f, m), octave, fabs(away))
                                 : 0;
}

static int warn_of_octave(struct calibrate_findings *f, size_t k, struct error *e)
{
    char octave[16];
    const struct calibrate_octave *o = &f->task->problem[k];
    const double most = calibrate_misfit(o, &f->result->fit[k]);
    size_t told = 0;
    calibrate_octave_text(octave, f->task->octave[k]);
    for (size_t m = 0; m < f->task->materials; m++) {
        told += remaining_of(f, k, m) < CALIBRATE_UNTOLD;
        if (warn_of_material(f, k, m, octave, e))
            return -1;
    }
    if (!f->result->posterior[k].used)
        return lines_add(
            &f->warnings, &f->warning_count, e,
            "at %s Hz the model yields none of the measured parameters: the calibration tells nothing there, "
            "and the room keeps its absorption",
            octave);
    if (!told && lines_add(&f->warnings, &f->warning_count, e,
                           "at %s Hz the data tell no material by itself: every interval is the prior's; free fewer "
                           "materials, or measure the absorption of one",
                           octave))
        return -1;
    return most > far
               ? lines_add(&f->warnings, &f->warning_count, e,
                           "at %s Hz the calibrated room misses a measured parameter by %.1f standard deviations: "
                           "check sizes, positions, furniture and materials that are not free",
                           octave, most)
               : 0;
}

int calibrate_warn(struct calibrate_findings *f, struct error *e)
{
    for (size_t k = 0; k < f->task->octaves; k++)
        if (warn_of_octave(f, k, e))
            return -1;
    return f->result->settled ? 0
                              : lines_add(&f->warnings, &f->warning_count, e,
                                          "the calibration has not settled after %d evaluations, and its intervals are "
                                          "doubtful: free fewer materials "
                                          "or octaves",
                                          CALIBRATE_RENDERS);
}

static void print_combinations(const struct calibrate_findings *f, size_t k)
{
    struct calibrate_combination all[CALIBRATE_MATERIALS];
    calibrate_combinations(all, &f->result->posterior[k], &f->task->problem[k]);
    if (!(all[0].remaining < listed)) {
        printf("  the data tell no combination of materials\n");
        return;
    }
    for (size_t c = 0; c < f->task->materials && all[c].remaining < listed; c++) {
        const char *between = "  the data tell ";
        for (size_t m = 0; m < f->task->materials; m++)
            if (fabs(all[c].weight[m]) >= weighty) {
                printf("%s%.2f %s", between, all[c].weight[m], name_of(f, m));
                between = " + ";
            }
        printf(": %.0f %% of its prior deviation remains\n", 100.0 * all[c].remaining);
    }
}

static void print_octave(const struct calibrate_findings *f, size_t k)
{
    char octave[16];
    printf("\n%s Hz, %s\n  %-24s %8s  %-14s %8s  %-14s %s\n", calibrate_octave_text(octave, f->task->octave[k]),
           f->room->waves[k] ? "waves" : "rays", "material", "value", "95 %", "prior", "95 %", "told");
    for (size_t m = 0; m < f->task->materials; m++) {
        const struct interval now = posterior_of(f, k, m), before = prior_of(f, k, m);
        const double left = remaining_of(f, k, m);
        printf("  %-24s %8.3f  %.3f to %.3f %8.3f  %.3f to %.3f ", name_of(f, m), now.value, now.low, now.high,
               before.value, before.low, before.high);
        if (left < CALIBRATE_UNTOLD)
            printf("%.0f %% of the prior's deviation remains\n", 100.0 * left);
        else
            printf("nothing: posterior = prior\n");
    }
    print_combinations(f, k);
}

static void print_residuals(const struct calibrate_findings *f, size_t p)
{
    char octave[16];
    printf("\n%s, calibrated less measured, in JND%s\n  %-24s", calibrate_kinds[p].name,
           p == CALIBRATE_C80 ? " of 1 dB" : " of 5 %", "receiver");
    for (size_t k = 0; k < f->task->octaves; k++)
        printf(" %7s", calibrate_octave_text(octave, f->task->octave[k]));
    printf("\n");
    for (size_t i = 0; i < f->data->count; i++) {
        printf("  %-24s", receiver_of(f, i));
        for (size_t k = 0; k < f->task->octaves; k++) {
            const double now = residual_of(f, f->result->fit, k, i, p);
            if (isfinite(now))
                printf(" %+7.2f", now);
            else
                printf(" %7s", "-");
        }
        printf("%s\n", f->data->measured[i].held ? "  held out" : "");
    }
}

int calibrate_print_table(const struct calibrate_findings *f, struct error *e)
{
    (void)e;
    printf("%s: %zu free material%s, %zu receiver%s, %zu evaluations (%zu runs of waves, %zu of rays)\n",
           f->room->room->path, f->task->materials, f->task->materials == 1 ? "" : "s", f->data->count,
           f->data->count == 1 ? "" : "s", f->result->renders, f->room->wave_runs, f->room->ray_runs);
    for (size_t k = 0; k < f->task->octaves; k++)
        print_octave(f, k);
    for (size_t p = 0; p < CALIBRATE_PARAMETERS; p++)
        if (f->use[p])
            print_residuals(f, p);
    return 0;
}

static void add_interval(cJSON *to, const char *name, const struct interval *interval, double deviation)
{
    cJSON *json = cJSON_AddObjectToObject(to, name);
    cJSON_AddNumberToObject(json, "value", interval->value);
    cJSON_AddNumberToObject(json, "low", interval->low);
    cJSON_AddNumberToObject(json, "high", interval->high);
    cJSON_AddNumberToObject(json, "deviation_ln_a", deviation);
}

static void add_materials(cJSON *octave, const struct calibrate_findings *f, size_t k)
{
    struct calibrate_combination all[CALIBRATE_MATERIALS];
    cJSON *materials = cJSON_AddArrayToObject(octave, "materials");
    for (size_t m = 0; m < f->task->materials; m++) {
        cJSON *json = cJSON_CreateObject();
        const struct interval now = posterior_of(f, k, m), before = prior_of(f, k, m);
        const double prior = f->task->problem[k].prior_deviation[m], left = remaining_of(f, k, m);
        cJSON_AddStringToObject(json, "name", name_of(f, m));
        add_interval(json, "absorption", &now, left * prior);
        add_interval(json, "prior", &before, prior);
        cJSON_AddNumberToObject(json, "remaining", left);
        cJSON_AddBoolToObject(json, "told", left < CALIBRATE_UNTOLD);
        cJSON_AddItemToArray(materials, json);
    }
    cJSON *combinations = cJSON_AddArrayToObject(octave, "combinations");
    calibrate_combinations(all, &f->result->posterior[k], &f->task->problem[k]);
    for (size_t c = 0; c < f->task->materials; c++) {
        cJSON *json = cJSON_CreateObject();
        cJSON_AddNumberToObject(json, "remaining", all[c].remaining);
        cJSON_AddItemToObject(json, "weights", cJSON_CreateDoubleArray(all[c].weight, (int)f->task->materials));
        cJSON_AddItemToArray(combinations, json);
    }
}

static void add_receivers(cJSON *octave, const struct calibrate_findings *f, size_t k)
{
    cJSON *receivers = cJSON_AddArrayToObject(octave, "receivers");
    for (size_t i = 0; i < f->data->count; i++) {
        cJSON *json = cJSON_CreateObject();
        cJSON_AddStringToObject(json, "name", receiver_of(f, i));
        cJSON_AddStringToObject(json, "file", f->data->measured[i].path);
        cJSON_AddBoolToObject(json, "held_out", f->data->measured[i].held);
        for (size_t p = 0; p < CALIBRATE_PARAMETERS; p++) {
            const enum calibrate_parameter parameter = (enum calibrate_parameter)p;
            const size_t index = calibrate_index(i, parameter);
            if (!f->use[p])
                continue;
            cJSON *value = cJSON_AddObjectToObject(json, calibrate_kinds[p].name);
            cJSON_AddNumberToObject(value, "measured", calibrate_undo(f->task->problem[k].measured[index], parameter));
            cJSON_AddNumberToObject(value, "prior", calibrate_undo(f->result->prior[k].value[index], parameter));
            cJSON_AddNumberToObject(value, "calibrated", calibrate_undo(f->result->fit[k].value[index], parameter));
            cJSON_AddNumberToObject(value, "jnd", residual_of(f, f->result->fit, k, i, p));
        }
        cJSON_AddItemToArray(receivers, json);
    }
}

int calibrate_print_json(const struct calibrate_findings *f, struct error *e)
{
    cJSON *json = cJSON_CreateObject();
    cJSON_AddStringToObject(json, "room", f->room->room->path);
    if (f->options->output.path)
        cJSON_AddStringToObject(json, "output", f->options->output.path);
    cJSON_AddNumberToObject(json, "evaluations", (double)f->result->renders);
    cJSON_AddBoolToObject(json, "settled", f->result->settled);
    cJSON_AddNumberToObject(json, "wave_runs", (double)f->room->wave_runs);
    cJSON_AddNumberToObject(json, "ray_runs", (double)f->room->ray_runs);
    cJSON *octaves = cJSON_AddArrayToObject(json, "octaves");
    for (size_t k = 0; k < f->task->octaves; k++) {
        cJSON *octave = cJSON_CreateObject();
        cJSON_AddNumberToObject(octave, "centre", octave_band_centre[f->task->octave[k]]);
        cJSON_AddStringToObject(octave, "model", f->room->waves[k] ? "waves" : "rays");
        cJSON_AddNumberToObject(octave, "data", (double)f->result->posterior[k].used);
        cJSON_AddNumberToObject(octave, "chi_squared", f->result->posterior[k].chi_squared);
        add_materials(octave, f, k);
        add_receivers(octave, f, k);
        cJSON_AddItemToArray(octaves, octave);
    }
    cJSON *warnings = cJSON_AddArrayToObject(json, "warnings");
    for (size_t i = 0; i < f->warning_count; i++)
        cJSON_AddItemToArray(warnings, cJSON_CreateString(f->warnings[i]));
    return json_print(json, e);
}
