/* SPDX-License-Identifier: MIT */
/* The table and the JSON of aula calibrate. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "app/calibrate.h"
#include "base/text.h"
#include "io/json_build.h"

static const double listed = 0.7;  /* of the prior's deviation: combinations with less left are listed */
static const double weighty = 0.2; /* of a combination: materials with less are left out */

static void print_combinations(const struct room_calibration *c, size_t k)
{
    struct calibrate_combination all[CALIBRATE_MATERIALS];
    calibrate_combinations(all, &c->result.posterior[k], &c->task.problem[k]);
    if (!(all[0].remaining < listed)) {
        printf("  the data tell no combination of materials\n");
        return;
    }
    for (size_t n = 0; n < c->task.materials && all[n].remaining < listed; n++) {
        const char *between = "  the data tell ";
        for (size_t m = 0; m < c->task.materials; m++)
            if (fabs(all[n].weight[m]) >= weighty) {
                printf("%s%.2f %s", between, all[n].weight[m], room_calibration_material(c, m));
                between = " + ";
            }
        printf(": %.0f %% of its prior deviation remains\n", 100.0 * all[n].remaining);
    }
}

static void print_octave(const struct room_calibration *c, size_t k)
{
    char octave[16];
    printf("\n%s, %s\n  %-24s %8s  %-14s %8s  %-14s %s\n", calibrate_octave_unit(octave, c->task.octave[k]),
           c->forward.waves[k] ? "waves" : "rays", "material", "value", "95 %", "prior", "95 %", "told");
    for (size_t m = 0; m < c->task.materials; m++) {
        const struct calibrate_interval now = room_calibration_posterior(c, k, m),
                                        before = room_calibration_prior(c, k, m);
        const double left = room_calibration_remaining(c, k, m);
        printf("  %-24s %8.3f  %.3f to %.3f %8.3f  %.3f to %.3f ", room_calibration_material(c, m), now.value, now.low,
               now.high, before.value, before.low, before.high);
        if (left < CALIBRATE_UNTOLD)
            printf("%.0f %% of the prior's deviation remains\n", 100.0 * left);
        else
            printf("nothing: posterior = prior\n");
    }
    print_combinations(c, k);
}

static void print_residuals(const struct room_calibration *c, size_t p)
{
    char octave[16];
    printf("\n%s, calibrated less measured, in JND%s\n  %-24s", calibrate_kinds[p].name,
           p == CALIBRATE_C80 ? " of 1 dB" : " of 5 %", "receiver");
    for (size_t k = 0; k < c->task.octaves; k++)
        printf(" %7s", calibrate_octave_text(octave, c->task.octave[k]));
    printf("\n");
    for (size_t i = 0; i < c->data.count; i++) {
        printf("  %-24s", room_calibration_receiver(c, i));
        for (size_t k = 0; k < c->task.octaves; k++) {
            const double now = room_calibration_residual(c, k, i, (enum calibrate_parameter)p).steps;
            if (isfinite(now))
                printf(" %+7.2f", now);
            else
                printf(" %7s", "-");
        }
        printf("%s\n", c->data.measured[i].held ? "  held out" : "");
    }
}

int calibrate_print_table(const struct room_calibration *c)
{
    printf("%s: %zu free material%s, %zu receiver%s, %zu evaluations (%zu runs of waves, %zu of rays)\n", c->room->path,
           c->task.materials, c->task.materials == 1 ? "" : "s", c->data.count, c->data.count == 1 ? "" : "s",
           c->result.renders, c->forward.wave_runs, c->forward.ray_runs);
    for (size_t k = 0; k < c->task.octaves; k++)
        print_octave(c, k);
    for (size_t p = 0; p < CALIBRATE_PARAMETERS; p++)
        if (c->use[p])
            print_residuals(c, p);
    return 0;
}

static void add_interval(cJSON *to, const char *name, const struct calibrate_interval *interval, double deviation)
{
    cJSON *json = cJSON_AddObjectToObject(to, name);
    cJSON_AddNumberToObject(json, "value", interval->value);
    cJSON_AddNumberToObject(json, "low", interval->low);
    cJSON_AddNumberToObject(json, "high", interval->high);
    cJSON_AddNumberToObject(json, "deviation_ln_a", deviation);
}

static void add_materials(cJSON *octave, const struct room_calibration *c, size_t k)
{
    struct calibrate_combination all[CALIBRATE_MATERIALS];
    cJSON *materials = cJSON_AddArrayToObject(octave, "materials");
    for (size_t m = 0; m < c->task.materials; m++) {
        cJSON *json = cJSON_CreateObject();
        const struct calibrate_interval now = room_calibration_posterior(c, k, m),
                                        before = room_calibration_prior(c, k, m);
        const double prior = c->task.problem[k].prior_deviation[m], left = room_calibration_remaining(c, k, m);
        cJSON_AddStringToObject(json, "name", room_calibration_material(c, m));
        add_interval(json, "absorption", &now, left * prior);
        add_interval(json, "prior", &before, prior);
        cJSON_AddNumberToObject(json, "remaining", left);
        cJSON_AddBoolToObject(json, "told", left < CALIBRATE_UNTOLD);
        cJSON_AddItemToArray(materials, json);
    }
    cJSON *combinations = cJSON_AddArrayToObject(octave, "combinations");
    calibrate_combinations(all, &c->result.posterior[k], &c->task.problem[k]);
    for (size_t n = 0; n < c->task.materials; n++) {
        cJSON *json = cJSON_CreateObject();
        cJSON_AddNumberToObject(json, "remaining", all[n].remaining);
        cJSON_AddItemToObject(json, "weights", cJSON_CreateDoubleArray(all[n].weight, (int)c->task.materials));
        cJSON_AddItemToArray(combinations, json);
    }
}

static void add_receivers(cJSON *octave, const struct room_calibration *c, size_t k)
{
    cJSON *receivers = cJSON_AddArrayToObject(octave, "receivers");
    for (size_t i = 0; i < c->data.count; i++) {
        cJSON *json = cJSON_CreateObject();
        cJSON_AddStringToObject(json, "name", room_calibration_receiver(c, i));
        cJSON_AddStringToObject(json, "file", c->data.measured[i].path);
        cJSON_AddBoolToObject(json, "held_out", c->data.measured[i].held);
        for (size_t p = 0; p < CALIBRATE_PARAMETERS; p++) {
            const struct calibrate_residual r = room_calibration_residual(c, k, i, (enum calibrate_parameter)p);
            if (!c->use[p])
                continue;
            cJSON *value = cJSON_AddObjectToObject(json, calibrate_kinds[p].name);
            cJSON_AddNumberToObject(value, "measured", r.measured);
            cJSON_AddNumberToObject(value, "prior", r.prior);
            cJSON_AddNumberToObject(value, "calibrated", r.calibrated);
            cJSON_AddNumberToObject(value, "jnd", r.steps);
        }
        cJSON_AddItemToArray(receivers, json);
    }
}

int calibrate_print_json(const struct room_calibration *c, const char *output, struct error *e)
{
    cJSON *json = cJSON_CreateObject();
    cJSON_AddStringToObject(json, "room", c->room->path);
    if (output)
        cJSON_AddStringToObject(json, "output", output);
    cJSON_AddNumberToObject(json, "evaluations", (double)c->result.renders);
    cJSON_AddBoolToObject(json, "settled", c->result.settled);
    cJSON_AddNumberToObject(json, "wave_runs", (double)c->forward.wave_runs);
    cJSON_AddNumberToObject(json, "ray_runs", (double)c->forward.ray_runs);
    cJSON *octaves = cJSON_AddArrayToObject(json, "octaves");
    for (size_t k = 0; k < c->task.octaves; k++) {
        cJSON *octave = cJSON_CreateObject();
        cJSON_AddNumberToObject(octave, "centre", octave_band_centre[c->task.octave[k]]);
        cJSON_AddStringToObject(octave, "model", c->forward.waves[k] ? "waves" : "rays");
        cJSON_AddNumberToObject(octave, "data", (double)c->result.posterior[k].used);
        cJSON_AddNumberToObject(octave, "chi_squared", c->result.posterior[k].chi_squared);
        add_materials(octave, c, k);
        add_receivers(octave, c, k);
        cJSON_AddItemToArray(octaves, octave);
    }
    cJSON *warnings = cJSON_AddArrayToObject(json, "warnings");
    for (size_t i = 0; i < c->warning_count; i++)
        cJSON_AddItemToArray(warnings, cJSON_CreateString(c->warnings[i]));
    return json_print(json, e);
}
