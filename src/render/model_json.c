/* SPDX-License-Identifier: MIT */
#include "render/model_json.h"

#include <math.h>

#include "dsp/frequency_map.h"
#include "io/json_build.h"
#include "render/mapping.h"
#include "render/places_json.h"
#include "render/response.h"
#include "render/simulate.h"
#include "room/grid/mapped_errors.h"
#include "room/grid/partition_error.h"
#include "room/grid/reverberation.h"

static cJSON *numbers(const double *values, int count)
{
    return cJSON_CreateDoubleArray(values, count);
}

static void add_lines(cJSON *parent, const char *name, char *const *lines, size_t count)
{
    cJSON *array = cJSON_AddArrayToObject(parent, name);
    for (size_t i = 0; i < count; i++)
        cJSON_AddItemToArray(array, cJSON_CreateString(lines[i]));
}

static cJSON *grid_json(const struct model *m, const struct solver_plan *r, const struct length *length)
{
    const struct grid *g = &m->grid;
    cJSON *grid = cJSON_CreateObject();
    const double points[3] = {(double)g->points[0], (double)g->points[1], (double)g->points[2]};
    const double voxels[3] = {(double)g->voxels[0], (double)g->voxels[1], (double)g->voxels[2]};
    cJSON_AddStringToObject(grid, "scheme", grid_scheme_names[scheme_key(g->stencil)]);
    cJSON_AddBoolToObject(grid, "mapped", g->mapped);
    cJSON_AddStringToObject(grid, "scheme_reason", g->scheme_reason);
    cJSON_AddItemToObject(grid, "points", numbers(points, 3));
    cJSON_AddItemToObject(grid, "voxels", numbers(voxels, 3));
    cJSON_AddNumberToObject(grid, "points_total", (double)grid_points(g));
    cJSON_AddNumberToObject(grid, "spacing", g->spacing);
    cJSON_AddNumberToObject(grid, "rate", g->rate);
    cJSON_AddNumberToObject(grid, "courant", sqrt(g->courant_squared));
    cJSON_AddNumberToObject(grid, "courant_squared", g->courant_squared);
    cJSON_AddNumberToObject(grid, "sound_speed", g->sound_speed);
    cJSON_AddItemToObject(grid, "origin", numbers(g->origin, 3));
    cJSON_AddItemToObject(grid, "size", numbers(g->size, 3));
    cJSON_AddItemToObject(grid, "size_rounding", numbers(g->rounding, 3));
    cJSON_AddNumberToObject(grid, "steps", (double)length->steps);
    cJSON_AddNumberToObject(grid, "air_points", (double)r->air_points);
    cJSON_AddNumberToObject(grid, "wall_points", (double)r->wall_points);
    const struct memory_plan plan = memory_plan(m, r, 1, length);
    cJSON_AddNumberToObject(grid, "memory_bytes", (double)(plan.grid + plan.signals));
    cJSON_AddStringToObject(grid, "precision", precision_names[m->room->grid.precision]);
    return grid;
}

/* The valid band, and the error at its end, where it is largest; for a mapped grid, the worst over
 * directions and walls. */
static void add_band(cJSON *json, const struct model *m)
{
    const struct grid *g = &m->grid;
    cJSON *band = cJSON_AddObjectToObject(json, "valid_band");
    cJSON_AddNumberToObject(band, "low", m->room->output.filter != FILTER_NONE ? RESPONSE_HIGH_PASS : 0.0);
    cJSON_AddNumberToObject(band, "high", g->valid_frequency);
    cJSON_AddNumberToObject(band, "points_per_wavelength", g->sound_speed / (g->valid_frequency * g->spacing));
    if (!g->mapped) {
        cJSON_AddNumberToObject(band, "dispersion", m->room->output.dispersion);
        return;
    }
    struct mapped_errors left;
    mapped_errors_at(&left, g->valid_frequency / g->rate);
    cJSON_AddNumberToObject(band, "dispersion", left.phase);
    cJSON_AddNumberToObject(band, "reflection", left.wall);
    cJSON_AddItemToObject(band, "level_dB", numbers(left.level, 2));
}

/* The frequency map of the responses. */
static void add_map(cJSON *json, const struct grid *g, const struct length *length)
{
    if (!g->mapped)
        return;
    cJSON *map = cJSON_AddObjectToObject(json, "frequency_map");
    cJSON_AddNumberToObject(map, "recorded_seconds", (double)length->steps / g->rate);
    cJSON_AddNumberToObject(map, "faded_share", FREQUENCY_MAP_FADE);
    cJSON_AddNumberToObject(map, "grid_frequency_of_high", mapping_grid_frequency(g, g->valid_frequency));
}

static const char *admittance_source(const struct material *material)
{
    const struct boundary_kind *kind = boundary_kind_of(material);
    return kind->has_absorption ? "absorption, fitted in the octaves from 63 Hz to 8 kHz"
           : kind->built_in     ? kind->built_in
                                : kind->key;
}

static cJSON *branch_json(const struct branch *b, double rate)
{
    return numbers((const double[3]){b->inertance / rate, b->resistance, b->stiffness * rate}, 3);
}

cJSON *branches_json(const struct branch *branches, size_t count, double rate)
{
    cJSON *all = cJSON_CreateArray();
    for (size_t m = 0; m < count; m += 1 + branches[m].tanks) {
        cJSON *branch = branch_json(&branches[m], rate);
        for (size_t t = 1; t <= branches[m].tanks; t++)
            cJSON_AddItemToArray(branch, branch_json(&branches[m + t], rate));
        cJSON_AddItemToArray(all, branch);
    }
    return all;
}

/* A partition with the mass that is simulated, and its sound reduction index by octave. */
static cJSON *partition_json(const struct model *m, size_t material)
{
    const struct partition *p = &m->partitions.of[material];
    const double impedance = partition_air_impedance(m->room);
    const struct partition_error error = partition_error_of(m, material);
    struct material_transmission t = m->room->materials[material].transmission;
    double normal[OCTAVE_BANDS], field[OCTAVE_BANDS];
    t.mass = p->mass;
    for (size_t b = 0; b < OCTAVE_BANDS; b++) {
        normal[b] = partition_reduction(&t, impedance, octave_band_centre[b]);
        field[b] = partition_field_reduction(&t, impedance, octave_band_centre[b]);
    }
    cJSON *json = cJSON_CreateObject();
    cJSON_AddNumberToObject(json, "mass", t.mass);
    cJSON_AddNumberToObject(json, "resistance", t.resistance);
    cJSON_AddItemToObject(json, "octave_bands", numbers(octave_band_centre, OCTAVE_BANDS));
    cJSON_AddItemToObject(json, "reduction_normal_incidence_dB", numbers(normal, OCTAVE_BANDS));
    cJSON_AddItemToObject(json, "reduction_field_incidence_dB", numbers(field, OCTAVE_BANDS));
    if (m->partitions.counted) {
        cJSON_AddNumberToObject(json, "joined_faces", (double)p->faces);
        cJSON_AddNumberToObject(json, "joined_area", p->area);
    }
    cJSON_AddNumberToObject(json, "grid_error_field_incidence_dB", error.field);
    cJSON_AddNumberToObject(json, "grid_error_single_angles_dB", error.angle);
    if (isfinite(error.above[0]))
        cJSON_AddNumberToObject(json, "grid_error_above_0.2_dB_from_Hz", error.above[0]);
    if (isfinite(error.above[1]))
        cJSON_AddNumberToObject(json, "grid_error_above_1_dB_from_Hz", error.above[1]);
    return json;
}

/* Each material: absorption by octave, and the wall stepped on the grid, in SI units. */
static cJSON *walls_json(const struct model *m)
{
    cJSON *walls = cJSON_CreateArray();
    for (size_t i = 0; i < m->room->material_count; i++) {
        const struct wall_model *w = &m->walls[i];
        cJSON *wall = cJSON_CreateObject();
        cJSON_AddStringToObject(wall, "material", m->room->materials[i].name);
        cJSON_AddNumberToObject(wall, "area", m->space.area[i]);
        if (!boundary_kind_of(&m->room->materials[i])->fixed)
            cJSON_AddItemToObject(wall, "absorption", numbers(w->fitted, (int)m->bands));
        cJSON_AddStringToObject(wall, "admittance_from", admittance_source(&m->room->materials[i]));
        cJSON_AddNumberToObject(wall, "specific_admittance", w->admittance);
        if (w->branch_count)
            cJSON_AddItemToObject(wall, "branches", branches_json(w->branches, w->branch_count, m->grid.rate));
        if (m->room->materials[i].transmission.given)
            cJSON_AddItemToObject(wall, "transmission", partition_json(m, i));
        cJSON_AddItemToArray(walls, wall);
    }
    return walls;
}

/* Air absorption by octave: of ISO 9613-1, or of the scheme, ω²τ/(2c). */
static cJSON *air_json(const struct model *m, enum air_method method)
{
    const struct air_conditions conditions = air_conditions(m->room);
    const double time = m->grid.viscosity / m->grid.courant_squared / m->grid.rate;
    double levels[OCTAVE_BANDS];
    for (int band = 0; band < OCTAVE_BANDS; band++) {
        const double omega = 2.0 * M_PI * octave_band_centre[band];
        levels[band] = method == AIR_NONE     ? 0.0
                       : method == AIR_FILTER ? air_absorption_level(octave_band_centre[band], &conditions)
                                              : 2e4 / log(10.0) * omega * omega * time / (2.0 * m->grid.sound_speed);
    }
    cJSON *air = cJSON_CreateObject();
    cJSON_AddStringToObject(air, "method", air_method_names[method]);
    cJSON_AddNumberToObject(air, "temperature", conditions.temperature);
    cJSON_AddNumberToObject(air, "humidity", conditions.humidity);
    cJSON_AddNumberToObject(air, "pressure", conditions.pressure);
    if (method == AIR_SCHEME) {
        cJSON_AddNumberToObject(air, "viscothermal_time", time);
        cJSON_AddNumberToObject(air, "as_iso_9613_1_at", m->grid.matched);
    }
    cJSON_AddItemToObject(air, "octave_bands", numbers(octave_band_centre, OCTAVE_BANDS));
    cJSON_AddItemToObject(air, "attenuation_dB_per_km", numbers(levels, OCTAVE_BANDS));
    return air;
}

/* Volume, and diffuse-field estimates; the walls list the areas by material. */
static cJSON *space_json(const struct model *m)
{
    struct reverberation r;
    reverberation_estimate(&r, m);
    cJSON *space = cJSON_CreateObject();
    cJSON_AddNumberToObject(space, "volume", m->space.volume);
    cJSON_AddNumberToObject(space, "volume_by_model", m->space.model_volume);
    cJSON_AddNumberToObject(space, "closed_off", m->space.closed_off);
    cJSON_AddNumberToObject(space, "surface", m->space.surface);
    cJSON_AddItemToObject(space, "octave_bands", numbers(octave_band_centre, (int)m->bands));
    cJSON_AddItemToObject(space, "sabine", numbers(r.sabine, (int)m->bands));
    cJSON_AddItemToObject(space, "eyring", numbers(r.eyring, (int)m->bands));
    cJSON_AddNumberToObject(space, "schroeder_frequency", r.schroeder);
    if (m->partitions.room_count > 1) {
        cJSON *rooms = cJSON_AddArrayToObject(space, "joined_rooms");
        for (size_t i = 0; i < m->partitions.room_count; i++)
            cJSON_AddItemToArray(rooms, cJSON_CreateNumber(m->partitions.rooms[i].volume));
    }
    return space;
}

/* Relative error of the phase velocity at the edge and, with a map, the remaining errors there. */
cJSON *model_json(const struct model *m, const struct solver_plan *r, const struct length *length, enum air_method air)
{
    const struct room *room = m->room;
    cJSON *json = cJSON_CreateObject();
    cJSON_AddItemToObject(json, "grid", grid_json(m, r, length));
    add_band(json, m);
    add_map(json, &m->grid, length);
    cJSON_AddItemToObject(json, "air", air_json(m, air));
    cJSON_AddItemToObject(json, "space", space_json(m));
    cJSON_AddItemToObject(json, "walls", walls_json(m));
    cJSON *sources = cJSON_AddArrayToObject(json, "sources"), *receivers = cJSON_AddArrayToObject(json, "receivers");
    for (size_t i = 0; i < room->source_count; i++)
        cJSON_AddItemToArray(sources, source_json(m, i));
    for (size_t i = 0; i < room_channel_count(room); i++)
        cJSON_AddItemToArray(receivers, channel_json(m, i));
    add_lines(json, "notes", m->notes, m->note_count);
    add_lines(json, "warnings", m->warnings, m->warning_count);
    return json;
}
