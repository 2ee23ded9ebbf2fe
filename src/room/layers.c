/* SPDX-License-Identifier: MIT */
/* The layers of materials: rules between them, and their tables. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/acoustics/air.h"
#include "base/file.h"
#include "base/text.h"
#include "room/reader.h"

enum { TABLE_MAX = 1 << 20 /* bytes */, ROWS_MAX = 4096 };

static int refuse_table(struct reader *r, const struct material_layer *l, size_t line, const char *why)
{
    return fail(r->error, ERROR_INPUT, "%s: line %zu: %s", l->file, line, why);
}

/* A line of the table, or of comment or heading, which begins with neither digit nor sign. */
static int read_row(struct reader *r, struct material_layer *l, const char *text, size_t line)
{
    struct admittance_row row;
    const double before = l->layer.count ? l->rows[l->layer.count - 1].frequency : 0.0;
    int used = 0;
    text += strspn(text, " \t");
    if (!*text || !strchr("+-.0123456789", *text))
        return 0;
    if (sscanf(text, "%lf%*[ \t,;]%lf%*[ \t,;]%lf %n", &row.frequency, &row.real, &row.imaginary, &used) != 3 ||
        text[used])
        return refuse_table(r, l, line, "expected frequency in Hz, real and imaginary part of the admittance");
    if (!(row.frequency > before && row.frequency <= 1e6))
        return refuse_table(r, l, line, "frequencies must ascend from above 0 to at most 1e6 Hz");
    if (!(row.real >= 0.0 && row.real <= 1e6 && fabs(row.imaginary) <= 1e6))
        return refuse_table(r, l, line,
                            "a passive wall has a real part of 0 or more; use rho c/Z, at most 1e6, for e^(jwt)");
    if (l->layer.count == ROWS_MAX)
        return refuse_table(r, l, line, "more than 4096 rows; thin them out");
    l->rows[l->layer.count++] = row;
    return 0;
}

static int read_table(struct reader *r, struct material_layer *l)
{
    char *text;
    if (file_read_text(l->file, TABLE_MAX, &text, r->error))
        return -1;
    l->rows = calloc(ROWS_MAX, sizeof *l->rows);
    int status = l->rows ? 0 : reader_no_memory(r);
    size_t line = 1;
    for (char *at = text, *end; !status && at; at = end, line++) {
        end = strchr(at, '\n');
        if (end)
            *end++ = '\0';
        at[strcspn(at, "\r")] = '\0';
        status = read_row(r, l, at, line);
    }
    free(text);
    if (!status && l->layer.count < 2)
        return fail(r->error, ERROR_INPUT, "%s: expected two or more rows of frequency in Hz, real and imaginary part",
                    l->file);
    return status;
}

static int check_layer(struct reader *r, const config_setting_t *item, struct material_layer *l, bool last)
{
    const struct layer *layer = &l->layer;
    if (last && !layer_is_medium(layer) && layer->kind != LAYER_TABLE)
        return reader_refuse(r, item, NULL,
                             "a %s directly on the rigid wall does nothing; add the air or porous layer behind it",
                             layer_kind_names[layer->kind]);
    if (!last && layer->kind == LAYER_TABLE)
        return reader_refuse(r, item, NULL, "a table stands for all that lies behind it; make it the last layer");
    if (layer->kind == LAYER_PERFORATED && !(layer->hole < layer->spacing))
        return reader_refuse(r, item, NULL, "holes of %g m at a spacing of %g m leave no plate; use a larger spacing",
                             layer->hole, layer->spacing);
    if (layer->kind == LAYER_SLOTTED && !(layer->slot < layer->spacing))
        return reader_refuse(r, item, NULL, "slots of %g m at a spacing of %g m leave no boards; use a larger spacing",
                             layer->slot, layer->spacing);
    return layer->kind == LAYER_TABLE ? read_table(r, l) : 0;
}

int material_layers_make(struct reader *r, const config_setting_t *definition, struct material *material)
{
    const config_setting_t *list = config_setting_get_member(definition, "layers");
    if (material->kind != MATERIAL_LAYERS)
        return 0;
    if (!material->layer_count || material->layer_count > LAYERS_MAX)
        return reader_refuse(r, list, NULL, "has %zu layers; use 1 to %d", material->layer_count, (int)LAYERS_MAX);
    material->layered.count = material->layer_count;
    for (size_t i = 0; i < material->layer_count; i++) {
        struct material_layer *l = &material->layers[i];
        if (check_layer(r, config_setting_get_elem(list, (unsigned)i), l, i + 1 == material->layer_count))
            return -1;
        material->layered.layers[i] = l->layer;
        if (l->rows)
            material->layered.rows = l->rows;
    }
    return 0;
}

void material_layers_free(struct material *material)
{
    for (size_t i = 0; i < material->layer_count && material->layers; i++) {
        free(material->layers[i].file);
        free(material->layers[i].rows);
    }
    free(material->layers);
}

void materials_set_air(struct room *room)
{
    const bool given = room->air.pressure > 0.0; /* not in the library */
    const struct air_conditions air = {.temperature = given ? room->air.temperature : 20.0,
                                       .pressure = given ? room->air.pressure : 101.325};
    for (size_t i = 0; i < room->material_count; i++) {
        room->materials[i].layered.sound_speed = sound_speed(air.temperature);
        room->materials[i].layered.density = air_density(&air);
    }
}
