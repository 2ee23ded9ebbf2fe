/* SPDX-License-Identifier: MIT */
#include "app/material_print.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/sanitize_text.h"
#include "base/text.h"
#include "io/drawing/svg_plot.h"
#include "io/json_build.h"
#include "io/text_stream.h"
#include "present/materials/layers_text.h"
#include "room/grid/walls.h"

enum { RESONANCES_PRINTED = 8 };

/* ---- The table ---- */

static void print_layers(const struct material *material)
{
    char name[LAYER_TEXT], values[LAYER_TEXT];
    for (size_t i = 0; i < material->layered.count; i++) {
        layer_name_text(name, &material->layered.layers[i]);
        layer_values_text(values, &material->layered.layers[i]);
        printf(*values ? "%7zu  %-22s %s\n" : "%7zu  %s\n", i + 1, name, values);
    }
    if (material->layered.count)
        printf("%7s  %-22s depth %.4g mm%s\n", "", "rigid wall", 1000.0 * layers_depth(&material->layered),
               material->partitioned ? ", gaps divided" : "");
}

static void print_row(const char *name, const double values[OCTAVE_BANDS])
{
    printf("%-24s", name);
    for (size_t b = 0; b < OCTAVE_BANDS; b++)
        printf("%8.3f", values[b]);
    putchar('\n');
}

static void print_difference(const struct material_shown *m)
{
    const struct material_acoustics *a = &m->acoustics;
    printf("%-24s", "  difference");
    for (size_t b = 0; b < OCTAVE_BANDS; b++)
        printf("%+7.3f%c", a->along[b] - a->local[b], material_differs_along(a, b) ? '*' : ' ');
    putchar('\n');
}

static void print_resonances(const struct material_acoustics *a)
{
    if (!a->resonances_found) {
        printf("\nno resonance from %g to %g Hz\n", MATERIAL_LOW, MATERIAL_HIGH);
        return;
    }
    printf("\n%-24s%10s%12s%8s\n", "resonances", "Hz", "absorption", "Q");
    for (size_t i = 0; i < a->resonance_count && i < RESONANCES_PRINTED; i++)
        printf("%-24s%10.1f%12.3f%8.2f\n", "", a->resonances[i].frequency, a->resonances[i].absorption,
               a->resonances[i].quality);
    if (a->resonances_found > RESONANCES_PRINTED)
        printf("%-24sand %zu more up to %g Hz\n", "", a->resonances_found - RESONANCES_PRINTED, MATERIAL_HIGH);
}

void material_print(const struct material_shown *m)
{
    const struct material_acoustics *a = &m->acoustics;
    printf("%s\n", sanitize_name(m->title));
    print_layers(m->material);
    printf("\n%-24s", "absorption, Hz");
    for (size_t b = 0; b < OCTAVE_BANDS; b++)
        printf("%8g", octave_band_centre[b]);
    putchar('\n');
    print_row("normal incidence", a->normal);
    print_row("random, local reaction", a->local);
    if (a->layered) {
        print_row("random, along layers", a->along);
        print_difference(m);
    }
    print_resonances(a);
    fflush(stdout);
}

/* ---- JSON ---- */

/* Values of a layer that are set, by the keys of the room file. */
static cJSON *layer_json(const struct layer *l)
{
    const struct {
        const char *key;
        double value;
    } values[] = {
        {"thickness", l->thickness},
        {"flow_resistivity", l->flow_resistivity},
        {"porosity", l->porosity},
        {"tortuosity", l->porosity > 0.0 ? l->tortuosity : 0.0},
        {"viscous_length", l->viscous_length},
        {"thermal_length", l->thermal_length},
        {"hole", l->hole},
        {"slot", l->slot},
        {"spacing", l->spacing},
        {"mass", l->kind == LAYER_CLOTH ? l->cloth_mass : l->mass},
        {"loss", l->kind == LAYER_MEMBRANE ? l->loss : 0.0},
        {"flow_resistance", l->flow_resistance},
    };
    cJSON *json = cJSON_CreateObject();
    cJSON_AddStringToObject(json, "kind", layer_kind_names[l->kind]);
    for (size_t i = 0; i < sizeof values / sizeof *values; i++)
        if (values[i].value > 0.0)
            cJSON_AddNumberToObject(json, values[i].key, values[i].value);
    if (l->kind == LAYER_PERFORATED || l->kind == LAYER_SLOTTED)
        cJSON_AddNumberToObject(json, "open_area", layer_open_area(l));
    return json;
}

static void add_layers(cJSON *json, const struct material *material)
{
    const struct layered_wall *wall = &material->layered;
    if (!wall->count)
        return;
    cJSON *layers = cJSON_AddArrayToObject(json, "layers");
    for (size_t i = 0; i < wall->count; i++)
        cJSON_AddItemToArray(layers, layer_json(&wall->layers[i]));
    cJSON_AddNumberToObject(json, "depth", layers_depth(wall));
    cJSON_AddBoolToObject(json, "partitioned", material->partitioned);
    cJSON_AddNumberToObject(json, "sound_speed", wall->sound_speed);
    cJSON_AddNumberToObject(json, "density", wall->density);
}

static void add_absorption(cJSON *json, const struct material_acoustics *a)
{
    cJSON *absorption = cJSON_AddObjectToObject(json, "absorption");
    cJSON_AddItemToObject(json, "octave_bands", cJSON_CreateDoubleArray(octave_band_centre, OCTAVE_BANDS));
    cJSON_AddItemToObject(absorption, "normal", cJSON_CreateDoubleArray(a->normal, OCTAVE_BANDS));
    cJSON_AddItemToObject(absorption, "random_local", cJSON_CreateDoubleArray(a->local, OCTAVE_BANDS));
    if (a->layered)
        cJSON_AddItemToObject(absorption, "random_along", cJSON_CreateDoubleArray(a->along, OCTAVE_BANDS));
}

int material_print_json(const struct material_shown *m, char *const *notes, size_t note_count, struct error *e)
{
    const struct material_acoustics *a = &m->acoustics;
    cJSON *json = cJSON_CreateObject();
    cJSON_AddStringToObject(json, "material", m->title);
    add_layers(json, m->material);
    add_absorption(json, a);
    cJSON *resonances = cJSON_AddArrayToObject(json, "resonances");
    for (size_t i = 0; i < a->resonance_count; i++) {
        cJSON *one = cJSON_CreateObject();
        cJSON_AddNumberToObject(one, "frequency", a->resonances[i].frequency);
        cJSON_AddNumberToObject(one, "absorption", a->resonances[i].absorption);
        cJSON_AddNumberToObject(one, "quality", a->resonances[i].quality);
        cJSON_AddItemToArray(resonances, one);
    }
    cJSON_AddNumberToObject(json, "resonances_found", (double)a->resonances_found);
    cJSON *lines = cJSON_AddArrayToObject(json, "notes");
    for (size_t i = 0; i < note_count; i++)
        cJSON_AddItemToArray(lines, cJSON_CreateString(notes[i]));
    return json_print(json, e);
}

/* ---- Files ---- */

char *material_csv(const struct material_shown *m)
{
    const struct material_acoustics *a = &m->acoustics;
    struct text_stream page;
    FILE *stream = text_stream_open(&page);
    if (!stream)
        return NULL;
    fputs("frequency,normal,random_local,random_along,real_admittance,imaginary_admittance\n", stream);
    for (size_t i = 0; i < a->point_count; i++) {
        const struct material_point *p = &a->points[i];
        fprintf(stream, "%.8g,%.6f,%.6f,", p->frequency, p->normal, p->local);
        if (a->layered)
            fprintf(stream, "%.6f", p->along);
        fprintf(stream, ",%.9g,%.9g\n", p->real, p->imaginary);
    }
    return text_stream_close(&page, NULL);
}

enum { CURVES = 5, PANELS = 2 };

char *material_svg(const struct material_shown *m)
{
    static const char *const labels[CURVES] = {"normal incidence", "random incidence, local reaction",
                                               "random incidence, along the layers", "Re Y", "Im Y"};
    static const double at[] = {31.5, 63, 125, 250, 500, 1000, 2000, 4000, 8000, 16000};
    static const char *const names[] = {"31.5", "63", "125", "250", "500", "1000", "2000", "4000", "8000", "16000"};
    enum { TICKS = sizeof at / sizeof *at };
    const struct material_acoustics *a = &m->acoustics;
    const double low = log2(MATERIAL_LOW), high = log2(MATERIAL_HIGH);
    struct plot_tick ticks[TICKS];
    struct plot_line lines[CURVES];
    double *values = calloc(CURVES * a->point_count, sizeof *values);
    if (!values)
        return NULL;
    for (size_t t = 0; t < TICKS; t++)
        ticks[t] = (struct plot_tick){log2(at[t]), names[t]};
    for (size_t i = 0; i < a->point_count; i++) {
        const struct material_point *p = &a->points[i];
        const double one[CURVES] = {p->normal, p->local, p->along, p->real, p->imaginary};
        for (size_t c = 0; c < CURVES; c++)
            values[c * a->point_count + i] = one[c];
    }
    for (size_t c = 0; c < CURVES; c++)
        lines[c] = (struct plot_line){labels[c], values + c * a->point_count, a->point_count - 1, low,
                                      1.0 / MATERIAL_POINTS_AN_OCTAVE};
    const struct plot_panel panels[PANELS] = {
        {.title = "Absorption",
         .y_label = "absorption",
         .lines = lines,
         .line_count = a->layered ? 3 : 2,
         .x_min = low,
         .x_max = high,
         .y_min = 0.0,
         .y_max = 1.0,
         .x_ticks = ticks,
         .x_tick_count = TICKS},
        {.title = "Specific admittance at normal incidence",
         .x_label = "frequency, Hz",
         .y_label = "Y",
         .lines = lines + 3,
         .line_count = 2,
         .x_min = low,
         .x_max = high,
         .x_ticks = ticks,
         .x_tick_count = TICKS},
    };
    char *text = svg_plot_text(m->title, panels, PANELS);
    free(values);
    return text;
}
