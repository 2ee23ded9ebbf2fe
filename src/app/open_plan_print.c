/* SPDX-License-Identifier: MIT */
/* Open-plan parameters as text, CSV, JSON and a drawing. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "app/open_plan.h"
#include "base/sanitize_text.h"
#include "io/drawing/svg_plot.h"
#include "io/json_build.h"

static const char *const octave_names[SPEECH_BANDS] = {"125", "250", "500", "1k", "2k", "4k", "8k"};

static void print_value(const char *symbol, double value, int decimals, const char *unit, const char *what,
                        const char *why)
{
    if (isnan(value))
        printf("  %-12s%8s %-6s %s: %s\n", symbol, "-", "", what, why ? why : "not known");
    else
        printf("  %-12s%8.*f %-6s %s\n", symbol, decimals, value, unit, what);
}

static void print_level(double value, int width, int decimals)
{
    if (isfinite(value))
        printf("%*.*f", width, decimals, value);
    else
        printf("%*s", width, "-");
}

static void print_places(const struct open_plan_result *r)
{
    printf("  %8s%14s%8s", "r m", "Lp,A,S dB(A)", "STI");
    for (int k = 0; k < SPEECH_BANDS; k++)
        printf("%7s", octave_names[k]);
    printf("  place\n");
    for (size_t i = 0; i < r->count; i++) {
        const struct open_plan_place *p = &r->places[i];
        printf("  %8.2f", p->distance);
        print_level(p->level, 14, 1);
        print_level(p->sti, 8, 2);
        for (int k = 0; k < SPEECH_BANDS; k++)
            print_level(p->octave[k], 7, 1);
        if (r->desks[i].receiver)
            printf("  %s", sanitize_name(r->desks[i].receiver));
        else
            printf("  %s, channel %zu", sanitize_name(r->desks[i].path), r->desks[i].channel + 1);
        printf("%s%s\n", p->why ? ": " : "", p->why ? p->why : "");
    }
}

int open_plan_print(const struct open_plan_result *r)
{
    const struct open_plan *o = &r->values;
    printf("ISO 3382-3:2022, normal speech of 57.4 dB(A) at 1 m\n\n");
    print_value("D2,S", o->decay_rate, 1, "dB", "spatial decay rate of speech", o->decay_why);
    print_value("Lp,A,S,4m", o->level_4m, 1, "dB(A)", "speech level at 4 m", o->decay_why);
    print_value("r_C", o->comfort, 1, "m", "comfort distance, speech of 45 dB(A)", o->comfort_why);
    print_value("r_D", o->distraction, 1, "m", "distraction distance, STI 0.50", o->distraction_why);
    print_value("r_P", o->privacy, 1, "m", "privacy distance, STI 0.20 (ISO 3382-3:2012)", o->privacy_why);
    print_value("Lp,A,B", isfinite(r->background) ? r->background : NAN, 1, "dB(A)", "background noise",
                "not given; add --noise");
    printf("\n");
    print_places(r);
    return 0;
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

int open_plan_print_csv(const struct open_plan_result *r)
{
    const struct open_plan *o = &r->values;
    printf("file,channel,receiver,distance,speech_level,sti");
    for (int k = 0; k < SPEECH_BANDS; k++)
        printf(",speech_%s", octave_names[k]);
    printf(",decay_rate,level_4m,comfort_distance,distraction_distance,privacy_distance_2012,background_level\n");
    for (size_t i = 0; i < r->count; i++) {
        const struct open_plan_place *p = &r->places[i];
        csv_text(r->desks[i].path);
        printf(",%zu,", r->desks[i].channel + 1);
        csv_text(r->desks[i].receiver);
        csv_number(p->distance);
        csv_number(p->level);
        csv_number(p->sti);
        for (int k = 0; k < SPEECH_BANDS; k++)
            csv_number(p->octave[k]);
        csv_number(o->decay_rate);
        csv_number(o->level_4m);
        csv_number(o->comfort);
        csv_number(o->distraction);
        csv_number(o->privacy);
        csv_number(r->background);
        printf("\n");
    }
    return 0;
}

static void add_number(cJSON *json, const char *name, double value)
{
    cJSON_AddItemToObject(json, name, isfinite(value) ? cJSON_CreateNumber(value) : cJSON_CreateNull());
}

static void add_value(cJSON *json, const char *name, double value, const char *why)
{
    char no[64];
    add_number(json, name, value);
    snprintf(no, sizeof no, "no_%s", name);
    if (isnan(value) && why)
        cJSON_AddStringToObject(json, no, why);
}

static void add_octaves(cJSON *json, const char *name, const double values[SPEECH_BANDS])
{
    cJSON *array = cJSON_AddArrayToObject(json, name);
    for (int k = 0; k < SPEECH_BANDS; k++)
        cJSON_AddItemToArray(array, isfinite(values[k]) ? cJSON_CreateNumber(values[k]) : cJSON_CreateNull());
}

int open_plan_print_json(const struct open_plan_result *r, struct error *e)
{
    const struct open_plan *o = &r->values;
    cJSON *json = cJSON_CreateObject();
    cJSON_AddStringToObject(json, "standard", "ISO 3382-3:2022");
    add_value(json, "decay_rate", o->decay_rate, o->decay_why);
    add_value(json, "level_4m", o->level_4m, o->decay_why);
    add_value(json, "comfort_distance", o->comfort, o->comfort_why);
    add_value(json, "distraction_distance", o->distraction, o->distraction_why);
    add_value(json, "privacy_distance_2012", o->privacy, o->privacy_why);
    add_number(json, "background_level", r->background);
    add_octaves(json, "noise", r->noise);
    cJSON *places = cJSON_AddArrayToObject(json, "places");
    for (size_t i = 0; i < r->count; i++) {
        const struct open_plan_place *p = &r->places[i];
        cJSON *one = cJSON_CreateObject();
        cJSON_AddStringToObject(one, "file", r->desks[i].path);
        cJSON_AddNumberToObject(one, "channel", (double)r->desks[i].channel + 1);
        if (r->desks[i].receiver)
            cJSON_AddStringToObject(one, "receiver", r->desks[i].receiver);
        cJSON_AddNumberToObject(one, "distance", p->distance);
        add_number(one, "speech_level", p->level);
        add_number(one, "sti", p->sti);
        add_octaves(one, "speech_octaves", p->octave);
        if (p->why)
            cJSON_AddStringToObject(one, "why", p->why);
        cJSON_AddItemToArray(places, one);
    }
    cJSON *warnings = cJSON_AddArrayToObject(json, "warnings");
    for (size_t i = 0; i < r->warning_count; i++)
        cJSON_AddItemToArray(warnings, cJSON_CreateString(r->warnings[i]));
    return json_print(json, e);
}

enum { POINTS = 400, PANELS = 2, CURVES = 2 };

/* The values of the places, linear between them, at `x`; NaN outside. */
static double between(const struct open_plan_result *r, bool levels, double x)
{
    for (size_t i = 0; i + 1 < r->count; i++) {
        const struct open_plan_place *a = &r->places[i], *b = &r->places[i + 1];
        const double left = levels ? log10(a->distance) : a->distance;
        const double right = levels ? log10(b->distance) : b->distance;
        const double from = levels ? a->level : a->sti, to = levels ? b->level : b->sti;
        if (x >= left && x <= right && right > left)
            return from + (to - from) * (x - left) / (right - left);
    }
    return NAN;
}

/* The ticks from `low` to `high`; returns the first of them. */
static const struct plot_tick *ticks_within(const struct plot_tick *ticks, size_t *count, double low, double high)
{
    while (*count && ticks->at < low - 1e-9) {
        ticks++;
        --*count;
    }
    while (*count && ticks[*count - 1].at > high + 1e-9)
        --*count;
    return ticks;
}

int open_plan_draw(const struct open_plan_result *r, const char *path, struct error *e)
{
    static const struct plot_tick ticks[] = {{0.0, "1"},
                                             {0.30102999566398120, "2"},
                                             {0.60205999132796239, "4"},
                                             {0.90308998699194359, "8"},
                                             {1.2041199826559248, "16"},
                                             {1.5051499783199060, "32"}};
    struct plot_panel panels[PANELS];
    struct plot_line lines[PANELS][CURVES];
    double *values = calloc(PANELS * CURVES * POINTS, sizeof *values);
    if (!values)
        return fail(e, ERROR_MEMORY, "out of memory");
    for (size_t p = 0; p < PANELS; p++) {
        const bool levels = p == 0;
        const struct line_fit *fit = levels ? &r->values.decay : &r->values.speech;
        const double first = r->places[0].distance, last = r->places[r->count - 1].distance;
        const double low = levels ? log10(fmin(first, 2.0)) : 0.0, high = levels ? log10(fmax(last, 16.0)) : last;
        size_t tick_count = sizeof ticks / sizeof *ticks;
        const struct plot_tick *shown = ticks_within(ticks, &tick_count, low, high);
        const double step = (high - low) / (POINTS - 1);
        for (size_t c = 0; c < CURVES; c++) {
            double *y = values + (p * CURVES + c) * POINTS;
            for (size_t i = 0; i < POINTS; i++) {
                const double x = low + step * (double)i;
                y[i] = c ? fit->intercept + fit->slope * x : between(r, levels, x);
            }
            lines[p][c] = (struct plot_line){c ? "regression" : "between the places", y, POINTS, low, step};
        }
        panels[p] = (struct plot_panel){.title = levels ? "A-weighted level of speech" : "Speech transmission index",
                                        .x_label = "distance, m",
                                        .y_label = levels ? "Lp,A,S, dB(A)" : "STI",
                                        .lines = lines[p],
                                        .line_count = CURVES,
                                        .x_min = low,
                                        .x_max = high,
                                        .x_ticks = levels ? shown : NULL,
                                        .x_tick_count = levels ? tick_count : 0};
        if (!levels) {
            panels[p].y_min = 0.0;
            panels[p].y_max = 1.0;
        }
    }
    const int status = svg_plot(path, "Speech in an open-plan office (ISO 3382-3)", panels, PANELS, e);
    free(values);
    return status;
}
