/* SPDX-License-Identifier: MIT */
#include "render/places_json.h"

#include <math.h>

#include "dsp/space/field_stencil.h"
#include "io/json_build.h"
#include "render/directions.h"
#include "render/response.h"
#include "room/grid/sources.h"

static cJSON *numbers(const double *values, int count)
{
    return cJSON_CreateDoubleArray(values, count);
}

static cJSON *placed_json(const char *name, const double asked[3], const struct placed *placed, const struct model *m,
                          double scale)
{
    cJSON *item = cJSON_CreateObject();
    const size_t nx = m->grid.points[0], ny = m->grid.points[1];
    cJSON_AddStringToObject(item, "name", name);
    cJSON_AddItemToObject(item, "position", numbers(asked, 3));
    cJSON_AddItemToObject(item, "placed", numbers(placed->position, 3));
    cJSON *points = cJSON_AddArrayToObject(item, "points");
    for (size_t i = 0; i < placed->channel.count; i++) {
        const struct channel_entry *entry = &placed->channel.entries[i];
        const double row[4] = {(double)(entry->point % nx), (double)(entry->point / nx % ny),
                               (double)(entry->point / nx / ny), entry->weight / scale};
        cJSON_AddItemToArray(points, numbers(row, 4)); /* x, y, z, weight */
    }
    return item;
}

/* dB, by octave: residual of the harmonics fitted to a pattern from a file; null if the file lacks
 * that frequency. */
static void add_residuals(cJSON *item, const struct radiation *r, const struct model *m)
{
    cJSON *bands = cJSON_AddArrayToObject(item, "residual_octaves"),
          *levels = cJSON_AddArrayToObject(item, "residual_dB");
    for (size_t band = 0; band < m->bands; band++) {
        cJSON_AddItemToArray(bands, cJSON_CreateNumber(octave_band_centre[band]));
        cJSON_AddItemToArray(levels, cJSON_CreateNumber(20.0 * log10(radiation_residual(r, octave_band_centre[band]))));
    }
}

cJSON *source_json(const struct model *m, size_t source)
{
    const struct source *s = &m->room->sources[source];
    const struct placed *placed = &m->sources[room_first_drive(m->room, source)];
    const struct integrator integrator = source_integrator(s, 1, m->grid.sound_speed);
    if (s->directivity == DIRECTIVITY_OMNI)
        return placed_json(s->name, s->position, placed, m, m->grid.courant_squared / m->grid.spacing);
    cJSON *item = cJSON_CreateObject();
    cJSON_AddStringToObject(item, "name", s->name);
    cJSON_AddItemToObject(item, "position", numbers(s->position, 3));
    cJSON_AddItemToObject(item, "placed", numbers(placed->position, 3));
    cJSON_AddNumberToObject(item, "point_count", (double)placed->channel.count);
    cJSON_AddStringToObject(item, "directivity", source_pattern_name(s));
    cJSON_AddNumberToObject(item, "order", m->orders[source]);
    cJSON_AddItemToObject(item, "orientation", numbers(s->orientation, 3));
    cJSON_AddNumberToObject(item, "pattern_distance", integrator.distance);
    if (s->directivity == DIRECTIVITY_FILE) {
        cJSON_AddNumberToObject(item, "file_distance", s->radiation.distance);
        cJSON_AddItemToObject(
            item, "file_band",
            numbers((const double[]){s->radiation.frequency[0], s->radiation.frequency[s->radiation.count - 1]}, 2));
        add_residuals(item, &s->radiation, m);
    }
    return item;
}

static cJSON *numbers_of_order(const struct receiver *r, double sound_speed)
{
    const struct integrator integrator = receiver_integrator(r, sound_speed);
    double low[FIELD_ORDER_MAX + 1];
    for (int n = 0; n <= receiver_order(r); n++)
        low[n] = fmax(integrator_low(&integrator, n), RESPONSE_HIGH_PASS);
    return numbers(low, receiver_order(r) + 1);
}

/* Quantity that a receiver records, and the frequency from which it is accurate. */
static void add_direction(cJSON *item, const struct receiver *r, const struct model *m)
{
    const bool field = r->kind == RECEIVER_AMBISONIC;
    cJSON_AddStringToObject(item, "type", receiver_type_names[r->kind]);
    cJSON_AddItemToObject(item, "orientation", numbers(r->orientation, 3));
    if (r->kind == RECEIVER_BINAURAL) {
        cJSON_AddNumberToObject(item, "order", (double)r->order);
        cJSON_AddStringToObject(item, "hrtf", r->hrtf);
        cJSON_AddNumberToObject(item, "hrtf_distance", r->ears.distance);
    }
    if (field) {
        cJSON_AddNumberToObject(item, "order", (double)r->order);
        cJSON_AddStringToObject(item, "convention", "AmbiX: ACN, SN3D; x front, y left, z up");
    }
    cJSON_AddStringToObject(item, "integrator",
                            field ? "1/(1 + (f_n/f)^8) (c/s)^n, f_n = n c/(2 pi 1.5 m): zero phase"
                            : r->kind == RECEIVER_BINAURAL ? "R^n/theta_n(s R/c), R = hrtf_distance: causal"
                                                           : "R/(1 + s R/c), R = 10 m: causal");
    cJSON *band = cJSON_AddObjectToObject(item, "valid_band");
    cJSON_AddNumberToObject(band, "low", fmax(receiver_low(r, m->grid.sound_speed), RESPONSE_HIGH_PASS));
    if (r->kind != RECEIVER_BINAURAL)
        cJSON_AddItemToObject(band, "low_of_order", numbers_of_order(r, m->grid.sound_speed));
    cJSON_AddNumberToObject(band, "high", m->grid.valid_frequency);
}

cJSON *channel_json(const struct model *m, size_t channel)
{
    const struct room *room = m->room;
    const struct receiver *r = room_receiver_of(room, channel);
    const size_t index = (size_t)(r - room->receivers), own = channel - room_first_channel(room, index);
    char name[CHANNEL_NAME];
    const bool array = r->kind == RECEIVER_ARRAY, directed = receiver_order(r) > 0;
    const struct placed *placed = &m->receivers[room_first_tap(room, index) + (array ? own : 0)];
    room_channel_name(room, channel, name);
    if (!directed)
        return placed_json(name, receiver_place(r, array ? own : 0), placed, m, 1.0);
    cJSON *item = cJSON_CreateObject();
    cJSON_AddStringToObject(item, "name", name);
    cJSON_AddItemToObject(item, "position", numbers(r->position, 3));
    cJSON_AddItemToObject(item, "placed", numbers(placed->position, 3));
    cJSON_AddNumberToObject(item, "point_count", (double)placed->channel.count);
    if (!own)
        add_direction(item, r, m);
    return item;
}
