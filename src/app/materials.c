/* SPDX-License-Identifier: MIT */
/* aula info --materials as a table, as JSON and as a picture. */
#include "app/materials.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "app/say.h"
#include "app/shipped.h"
#include "base/sanitize_text.h"
#include "base/text.h"
#include "io/drawing/svg_plot.h"
#include "io/json_build.h"
#include "render/model_json.h"
#include "room/grid/absorption.h"
#include "room/grid/model.h"
#include "solver/schemes/leapfrog/leapfrog.h"

/* The materials of a room and the walls fitted to them. */
struct list {
    struct room *room;
    struct model *model; /* NULL for the library, whose `walls` are owned */
    struct wall_model *walls;
    size_t bands;
    struct wall_discretization clock;
};

static void list_free(struct list *l)
{
    if (!l->model)
        free(l->walls);
    model_free(l->model);
    room_free(l->room);
}

static int read_room(struct list *l, const struct common_options *o, struct error *e)
{
    if (read_named_room(&l->room, o, NULL, e))
        return -1;
    const struct grid_use use = grid_use_of_file(l->room);
    if (model_make_for(&l->model, l->room, &use, e))
        return -1;
    l->walls = l->model->walls;
    l->bands = l->model->bands;
    l->clock = walls_clock(&l->model->grid);
    return 0;
}

static int read_library(struct list *l, struct error *e)
{
    double courant_squared;
    if (cartesian7_courant_squared(0.0, &courant_squared, e) || room_read_library(&l->room, e))
        return -1;
    const double edge = M_SQRT2 * octave_band_centre[OCTAVE_BANDS - 1];
    l->bands = OCTAVE_BANDS;
    l->clock = (struct wall_discretization){.rate = ceil(edge / cartesian7_valid_frequency(courant_squared, 0.02)),
                                            .edge = edge};
    return walls_make(&l->walls, l->room, l->bands, &l->clock, e);
}

/* Whether the target exceeds the random-incidence absorption of any locally reacting wall. */
static bool is_clamped(const struct list *l, size_t i, size_t band)
{
    return boundary_kind_of(&l->room->materials[i])->has_absorption &&
           l->room->materials[i].absorption[band] > ABSORPTION_MAX;
}

static bool is_asked(const struct list *l, size_t i)
{
    return boundary_kind_of(&l->room->materials[i])->has_absorption;
}

static void print_bands(const char *name, const char *what, const double *values, const struct list *l)
{ /* values[bands] */
    printf("%-28s %-9s", name, what);
    for (size_t b = 0; b < l->bands; b++)
        if (isnan(values[b]))
            printf("%7s", "-");
        else
            printf("%7.3f", values[b]);
}

/* Prints the target and the absorption of the fitted wall, a line each. */
static void print_material(const struct list *l, size_t i)
{
    const struct wall_model *wall = &l->walls[i];
    const double off = wall_misfit(wall, wall->worst_band);
    char how[48] = "rigid";
    if (wall->branch_count)
        snprintf(how, sizeof how, "%zu branch%s", wall->branch_count, wall->branch_count == 1 ? "" : "es");
    else if (wall->admittance > 0.0)
        snprintf(how, sizeof how, "real admittance %.5f", wall->admittance);
    else if (boundary_kind_of(&l->room->materials[i])->fixed)
        snprintf(how, sizeof how, "p = 0");
    if (is_asked(l, i)) {
        bool clamped = false;
        for (size_t b = 0; b < l->bands; b++)
            clamped = clamped || is_clamped(l, i, b);
        print_bands(l->room->materials[i].name, "target", l->room->materials[i].absorption, l);
        printf("%s\n", clamped ? "  ^" : "");
        print_bands("", "fitted", wall->fitted, l);
        printf("  %.3f%s  %s\n", off, off > FIT_GOOD ? " *" : "  ", how);
    } else {
        print_bands(l->room->materials[i].name, "has", wall->fitted, l);
        printf("           %s\n", how);
    }
}

/* Prints the scattering of materials that differ from smooth walls. */
static void print_scattering(const struct material *material)
{
    const char *class = material->scattering_class;
    if (material->smooth)
        return;
    printf("%-28s %-9s", "", "scatters"); /* all octaves: rays extend above the grid's frequency limit */
    for (size_t b = 0; b < OCTAVE_BANDS; b++)
        printf("%7.3f", material->scattering[b]);
    printf("%s%s\n", class ? "  class " : "", class ? class : "");
}

static void print_classes(const struct list *l)
{
    const struct room *room = l->room;
    fputs(
        "\nscattering classes, for materials with scattering = \"NAME\"; the default is 0.05 (500 Hz/f)^2, limited to "
        "0.01..0.05\n\n",
        stdout);
    for (size_t i = 0; i < room->scattering_class_count; i++) {
        const struct scattering_class *class = &room->scattering_classes[i];
        print_bands(class->name, "scatters", class->scattering, l);
        printf("\n%-28s %s\n", "", class->source ? sanitize_name(class->source) : "no source");
    }
}

static void print_list(const struct list *l)
{
    size_t asked = 0, marked = 0, clamped = 0;
    double worst = 0.0;
    printf("%s: random-incidence absorption by octave, on a grid at %.0f Hz%s\n\n%-28s %-9s",
           sanitize_name(l->room->path), l->clock.rate, l->clock.mapped ? ", mapped in frequency" : "", "material", "");
    for (size_t b = 0; b < l->bands; b++)
        printf("%7g", octave_band_centre[b]);
    printf("  %s\n", "off by");
    for (size_t i = 0; i < l->room->material_count; i++) {
        const double off = wall_misfit(&l->walls[i], l->walls[i].worst_band);
        print_material(l, i);
        print_scattering(&l->room->materials[i]);
        if (l->room->materials[i].description)
            printf("%-28s %s\n", "", sanitize_name(l->room->materials[i].description));
        asked += is_asked(l, i);
        marked += off > FIT_GOOD;
        worst = fmax(worst, off);
        bool too_much = false;
        for (size_t b = 0; b < l->bands; b++)
            too_much = too_much || is_clamped(l, i, b);
        clamped += too_much;
    }
    printf("\n%zu of %zu materials fit within %g in every octave; the largest misfit is %.3f", asked - marked, asked,
           FIT_GOOD, worst);
    printf(marked ? "; * marks the others\n" : "\n");
    if (clamped)
        printf("^ %zu materials exceed %.3f, the most that a locally reacting wall absorbs at random incidence; they "
               "are fitted to it\n",
               clamped, ABSORPTION_MAX);
    if (l->room->scattering_class_count)
        print_classes(l);
}

static cJSON *bands_json(const double *values, size_t bands)
{
    cJSON *array = cJSON_CreateArray();
    for (size_t b = 0; b < bands; b++)
        cJSON_AddItemToArray(array, isnan(values[b]) ? cJSON_CreateNull() : cJSON_CreateNumber(values[b]));
    return array;
}

static void add_scattering(cJSON *json, const struct material *material)
{
    cJSON_AddItemToObject(json, "scattering", bands_json(material->scattering, OCTAVE_BANDS));
    if (material->scattering_class)
        cJSON_AddStringToObject(json, "scattering_class", material->scattering_class);
    if (material->smooth)
        cJSON_AddBoolToObject(json, "default_scattering", true);
}

static void add_classes(cJSON *json, const struct room *room)
{
    cJSON *array = room->scattering_class_count ? cJSON_AddArrayToObject(json, "scattering_classes") : NULL;
    for (size_t i = 0; i < room->scattering_class_count; i++) {
        const struct scattering_class *class = &room->scattering_classes[i];
        cJSON *one = cJSON_CreateObject();
        cJSON_AddStringToObject(one, "name", class->name);
        cJSON_AddItemToObject(one, "scattering", bands_json(class->scattering, OCTAVE_BANDS));
        if (class->source)
            cJSON_AddStringToObject(one, "source", class->source);
        cJSON_AddItemToArray(array, one);
    }
}

static int print_json_list(const struct list *l, struct error *e)
{
    cJSON *json = cJSON_CreateObject();
    cJSON_AddNumberToObject(json, "rate", l->clock.rate);
    cJSON_AddItemToObject(json, "octave_bands", bands_json(octave_band_centre, l->bands));
    cJSON *array = cJSON_AddArrayToObject(json, "materials");
    for (size_t i = 0; i < l->room->material_count; i++) {
        const struct wall_model *wall = &l->walls[i];
        cJSON *one = cJSON_CreateObject();
        cJSON_AddStringToObject(one, "name", l->room->materials[i].name);
        if (l->room->materials[i].description)
            cJSON_AddStringToObject(one, "description", l->room->materials[i].description);
        if (l->room->materials[i].source)
            cJSON_AddStringToObject(one, "source", l->room->materials[i].source);
        if (is_asked(l, i))
            cJSON_AddItemToObject(one, "asked", bands_json(l->room->materials[i].absorption, l->bands));
        cJSON_AddItemToObject(one, "target", bands_json(wall->target, l->bands));
        cJSON_AddItemToObject(one, "fitted", bands_json(wall->fitted, l->bands));
        cJSON_AddNumberToObject(one, "off_by", wall_misfit(wall, wall->worst_band));
        if (is_asked(l, i)) {
            cJSON_AddNumberToObject(one, "off_by_linear", wall->worst_linear);
            cJSON_AddNumberToObject(one, "overshoot", wall->overshoot);
        }
        cJSON_AddBoolToObject(one, "marked", wall_misfit(wall, wall->worst_band) > FIT_GOOD);
        cJSON_AddNumberToObject(one, "specific_admittance", wall->admittance);
        add_scattering(one, &l->room->materials[i]);
        cJSON_AddItemToObject(one, "branches", branches_json(wall->branches, wall->branch_count, l->clock.rate));
        cJSON_AddItemToArray(array, one);
    }
    add_classes(json, l->room);
    return json_print(json, e);
}

enum { POINTS_AN_OCTAVE = 64, CURVES = 3, PANELS_MAX = 8 };

/* Three curves over frequency on an octave axis: target and fitted mean of each octave as steps, and α(f) of the wall
 * on the grid. */
static void draw_curves(double *curves[CURVES], const struct list *l, size_t material)
{
    const struct wall_model *wall = &l->walls[material];
    for (size_t i = 0; i < l->bands * POINTS_AN_OCTAVE; i++) {
        const size_t band = i / POINTS_AN_OCTAVE;
        const double f =
            octave_band_centre[band] * exp2(((double)(i % POINTS_AN_OCTAVE) + 0.5) / POINTS_AN_OCTAVE - 0.5);
        curves[0][i] = wall->target[band];
        curves[1][i] = wall->fitted[band];
        curves[2][i] = wall_absorption(wall, &l->clock, f);
    }
}

static int plot_list(const struct list *l, const char *path, struct error *e)
{
    static const char *const labels[CURVES] = {"target", "mean over the octave", "at each frequency"};
    const size_t panels = l->room->material_count, points = l->bands * POINTS_AN_OCTAVE;
    struct plot_panel panel[PANELS_MAX];
    struct plot_line lines[PANELS_MAX][CURVES];
    struct plot_tick ticks[OCTAVE_BANDS];
    char names[OCTAVE_BANDS][16];
    if (panels > PANELS_MAX)
        return fail(e, ERROR_USAGE, "--plot: %zu materials are too many for a picture; use a room with at most %d",
                    panels, PANELS_MAX);
    double *values = calloc(panels * CURVES * points + 1, sizeof *values);
    if (!values)
        return fail(e, ERROR_MEMORY, "out of memory");
    for (size_t b = 0; b < l->bands; b++) {
        snprintf(names[b], sizeof names[b], "%g", octave_band_centre[b]);
        ticks[b] = (struct plot_tick){log2(octave_band_centre[b]), names[b]};
    }
    for (size_t i = 0; i < panels; i++) {
        double *curves[CURVES];
        const double low = log2(octave_band_centre[0]) - 0.5;
        for (size_t c = 0; c < CURVES; c++) {
            curves[c] = values + (i * CURVES + c) * points;
            lines[i][c] =
                (struct plot_line){labels[c], curves[c], points, low + 0.5 / POINTS_AN_OCTAVE, 1.0 / POINTS_AN_OCTAVE};
        }
        draw_curves(curves, l, i);
        panel[i] = (struct plot_panel){.title = l->room->materials[i].name,
                                       .x_label = i + 1 == panels ? "frequency, Hz" : NULL,
                                       .y_label = "absorption",
                                       .lines = lines[i],
                                       .line_count = CURVES,
                                       .x_min = low,
                                       .x_max = low + (double)l->bands,
                                       .y_min = 0.0,
                                       .y_max = 1.0,
                                       .x_ticks = ticks,
                                       .x_tick_count = l->bands};
    }
    char *title = text_format("Random-incidence absorption, target and fitted, on a grid at %.0f Hz", l->clock.rate);
    const int status = title ? svg_plot(path, title, panel, panels, e) : fail(e, ERROR_MEMORY, "out of memory");
    free(title);
    free(values);
    return status;
}

int show_materials(const struct common_options *o, const char *plot, struct error *e)
{
    struct list l = {.room = NULL};
    if (!o->argument_count && o->setting_count)
        return fail(e, ERROR_USAGE, "--set needs a room; add ROOM.cfg or remove --set");
    int status = o->argument_count ? read_room(&l, o, e) : read_library(&l, e);
    if (!status && o->json)
        status = print_json_list(&l, e);
    else if (!status)
        print_list(&l);
    if (!status && plot)
        status = plot_list(&l, plot, e);
    if (!status && l.model)
        say_lines("warning", l.model->warnings, l.model->warning_count);
    list_free(&l);
    return status ? -1 : 0;
}
