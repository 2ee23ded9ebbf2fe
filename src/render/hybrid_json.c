/* SPDX-License-Identifier: MIT */
#include "render/hybrid_json.h"

#include <math.h>
#include <stdlib.h>

#include "base/text.h"
#include "io/json_build.h"
#include "render/hybrid/crossover.h"
#include "room/grid/reverberation.h"

static const double BEYOND = 16000.0; /* Hz: the octave above those that materials have */

static void set_high(cJSON *of, double high)
{
    cJSON *band = cJSON_GetObjectItemCaseSensitive(of, "valid_band");
    cJSON *item = cJSON_GetObjectItemCaseSensitive(band, "high");
    if (item)
        cJSON_SetNumberHelper(item, high);
}

static void add_waves(cJSON *hybrid, const struct hybrid_halves *halves)
{
    cJSON *waves = cJSON_AddObjectToObject(hybrid, "waves");
    cJSON_AddNumberToObject(waves, "alone_to", CROSSOVER_LOW * halves->edge);
    cJSON_AddNumberToObject(waves, "to", halves->edge);
    cJSON_AddStringToObject(
        waves, "believes", "the wave equation on the grid: interference, diffraction, modes; walls that react locally");
}

static void add_rays(cJSON *hybrid, const struct model *m, const struct hybrid_halves *halves)
{
    cJSON *rays = cJSON_AddObjectToObject(hybrid, "rays");
    cJSON_AddNumberToObject(rays, "from", CROSSOVER_LOW * halves->edge);
    cJSON_AddNumberToObject(rays, "alone_from", halves->edge);
    cJSON_AddNumberToObject(rays, "to", halves->top);
    cJSON_AddNumberToObject(rays, "image_order", (double)halves->order);
    if (halves->image_count) /* after a render */
        cJSON_AddNumberToObject(rays, "images", (double)halves->image_count);
    cJSON_AddNumberToObject(rays, "rays", (double)(halves->rays ? halves->rays : m->room->hybrid.rays));
    cJSON_AddNumberToObject(rays, "lost", (double)halves->lost);
    cJSON_AddStringToObject(
        rays, "believes",
        "image sources with the spherical-wave factor of the same walls, then energy of rays by "
        "octave as noise, turned by free edges up to the octave of 8 kHz where hybrid.edges is set; "
        "scattering as the materials say");
}

/* Absorption in the octaves above those that waves hold, as image sources and rays meet it: to 16 kHz where the band
 * reaches that. */
static void add_absorption(cJSON *walls, const struct model *m, const struct hybrid_halves *halves,
                           double absorbing[OCTAVE_BANDS])
{
    for (size_t i = 0; i < m->room->material_count; i++) {
        cJSON *absorption = cJSON_GetObjectItemCaseSensitive(cJSON_GetArrayItem(walls, (int)i), "absorption");
        for (size_t b = m->bands; absorption && b <= OCTAVE_BANDS; b++) {
            const double centre = b < OCTAVE_BANDS ? octave_band_centre[b] : BEYOND;
            if (!(centre <= halves->top))
                continue;
            const double share = wall_admittance_absorption(&m->walls[i].material, centre);
            cJSON_AddItemToArray(absorption, cJSON_CreateNumber(share));
            if (b < OCTAVE_BANDS)
                absorbing[b] += m->space.area[i] * share;
        }
    }
}

/* The estimates for a diffuse field in the octaves above those that waves hold. */
static void add_times(cJSON *space, const struct model *m, const struct hybrid_halves *halves,
                      const double absorbing[OCTAVE_BANDS])
{
    cJSON *bands = cJSON_GetObjectItemCaseSensitive(space, "octave_bands");
    cJSON *sabine = cJSON_GetObjectItemCaseSensitive(space, "sabine");
    cJSON *eyring = cJSON_GetObjectItemCaseSensitive(space, "eyring");
    for (size_t b = m->bands; bands && b < OCTAVE_BANDS && octave_band_centre[b] <= halves->top; b++) {
        double times[2];
        reverberation_times(&times[0], &times[1], m, absorbing[b], octave_band_centre[b]);
        cJSON_AddItemToArray(bands, cJSON_CreateNumber(octave_band_centre[b]));
        cJSON_AddItemToArray(sabine, cJSON_CreateNumber(times[0]));
        cJSON_AddItemToArray(eyring, cJSON_CreateNumber(times[1]));
    }
}

/* Materials in the room whose scattering is the default. */
static void add_default_scattering(cJSON *hybrid, const struct model *m)
{
    cJSON *names = cJSON_AddArrayToObject(hybrid, "default_scattering");
    for (size_t i = 0; i < m->room->material_count; i++) {
        const struct material *material = &m->room->materials[i];
        if (material->smooth && m->space.area[i] > 0.0)
            cJSON_AddItemToArray(names, cJSON_CreateString(material->name));
    }
}

/* null: it cannot be told */
static void add_compared(cJSON *decay, const char *name, struct half_pair halves)
{
    cJSON *parameter = cJSON_AddObjectToObject(decay, name);
    cJSON_AddNumberToObject(parameter, "waves", halves.waves);
    cJSON_AddNumberToObject(parameter, "rays", halves.rays);
}

void add_hybrid_json(cJSON *json, const struct model *m, const struct hybrid_halves *halves)
{
    cJSON *hybrid = cJSON_AddObjectToObject(json, "hybrid"), *receiver;
    cJSON_AddBoolToObject(hybrid, "full", halves->full);
    if (!halves->full)
        return;
    cJSON_AddNumberToObject(hybrid, "crossover", CROSSOVER_MIDDLE * halves->edge);
    add_waves(hybrid, halves);
    add_rays(hybrid, m, halves);
    cJSON *decay = cJSON_AddObjectToObject(hybrid, "decay");
    cJSON_AddNumberToObject(decay, "octave", halves->octave);
    add_compared(decay, "t30", halves->t30);
    add_compared(decay, "edt", halves->edt);
    add_compared(decay, "c80", halves->c80);
    cJSON *edges = cJSON_AddObjectToObject(hybrid, "edges");
    cJSON_AddBoolToObject(edges, "turn", m->room->hybrid.edges);
    cJSON_AddNumberToObject(edges, "count", (double)halves->edges.count);
    cJSON_AddNumberToObject(edges, "length", halves->edges.length);
    add_default_scattering(hybrid, m);
    double absorbing[OCTAVE_BANDS] = {0.0};
    add_absorption(cJSON_GetObjectItemCaseSensitive(json, "walls"), m, halves, absorbing);
    add_times(cJSON_GetObjectItemCaseSensitive(json, "space"), m, halves, absorbing);
    set_high(json, halves->top);
    cJSON_ArrayForEach(receiver, cJSON_GetObjectItemCaseSensitive(json, "receivers")) set_high(receiver, halves->top);
}

char *hybrid_text(const struct model *m, const struct hybrid_halves *halves)
{
    char *rays = m->room->hybrid.rays ? text_format(" and %zu rays", m->room->hybrid.rays) : text_copy("");
    char *text = rays ? text_format("waves alone to %.0f Hz, image sources of up to %zu reflections%s alone from %.0f "
                                    "to %.0f Hz",
                                    CROSSOVER_LOW * halves->edge, halves->order, rays, halves->edge, halves->top)
                      : NULL;
    free(rays);
    return text;
}
