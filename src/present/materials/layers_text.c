/* SPDX-License-Identifier: MIT */
#include "present/materials/layers_text.h"

#include <stdio.h>

/* Flow resistivity and flow resistance: "10 kPa s/m2", "300 Pa s/m". */
static int flow_text(char text[LAYER_TEXT], double value, const char *unit)
{
    const bool kilo = value >= 1000.0;
    return snprintf(text, LAYER_TEXT, "%.4g %sPa %s", kilo ? value / 1000.0 : value, kilo ? "k" : "", unit);
}

const char *layer_name_text(char text[LAYER_TEXT], const struct layer *layer)
{
    if (layer->thickness > 0.0)
        snprintf(text, LAYER_TEXT, "%s %.4g mm", layer_kind_names[layer->kind], 1000.0 * layer->thickness);
    else
        snprintf(text, LAYER_TEXT, "%s", layer_kind_names[layer->kind]);
    return text;
}

static void porous_text(char text[LAYER_TEXT], const struct layer *l)
{
    const size_t used = (size_t)flow_text(text, l->flow_resistivity, "s/m2");
    if (l->porosity > 0.0)
        snprintf(text + used, LAYER_TEXT - used, ", porosity %.4g, tortuosity %.4g", l->porosity, l->tortuosity);
}

static void cloth_text(char text[LAYER_TEXT], const struct layer *l)
{
    const size_t used = (size_t)flow_text(text, l->flow_resistance, "s/m");
    if (l->cloth_mass > 0.0)
        snprintf(text + used, LAYER_TEXT - used, ", %.4g kg/m2", l->cloth_mass);
}

const char *layer_values_text(char text[LAYER_TEXT], const struct layer *layer)
{
    const bool slots = layer->kind == LAYER_SLOTTED;
    *text = '\0';
    switch (layer->kind) {
    case LAYER_POROUS:
        porous_text(text, layer);
        break;
    case LAYER_PERFORATED:
    case LAYER_SLOTTED:
        snprintf(text, LAYER_TEXT, "%s %.4g mm every %.4g mm, %.3g %% open", slots ? "slots" : "holes",
                 1000.0 * (slots ? layer->slot : layer->hole), 1000.0 * layer->spacing, 100.0 * layer_open_area(layer));
        break;
    case LAYER_MEMBRANE:
        snprintf(text, LAYER_TEXT, "%.4g kg/m2, loss factor %.4g", layer->mass, layer->loss);
        break;
    case LAYER_CLOTH:
        cloth_text(text, layer);
        break;
    case LAYER_TABLE:
        snprintf(text, LAYER_TEXT, "%zu rows", layer->count);
        break;
    case LAYER_AIR:
    case LAYER_KINDS:
        break;
    }
    return text;
}

const char *layers_section_text(char text[SECTION_TEXT], const struct material *material)
{
    const struct layered_wall *wall = &material->layered;
    char name[LAYER_TEXT], values[LAYER_TEXT];
    size_t used = 0;
    for (size_t i = 0; i < wall->count && used < SECTION_TEXT; i++) {
        const struct layer *l = &wall->layers[i];
        layer_name_text(name, l);
        layer_values_text(values, l);
        used += (size_t)snprintf(text + used, SECTION_TEXT - used, "%s%s%s | ", name,
                                 !*values             ? ""
                                 : l->thickness > 0.0 ? ", "
                                                      : " ",
                                 values);
    }
    if (used < SECTION_TEXT)
        snprintf(text + used, SECTION_TEXT - used, "rigid; %.4g mm%s", 1000.0 * layers_depth(wall),
                 material->partitioned ? ", partitioned" : "");
    return text;
}
