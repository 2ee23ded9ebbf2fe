#include "render/sidecar.h"

#include <math.h>
#include <stdlib.h>

#include "base/phases.h"
#include "base/text.h"
#include "io/json_build.h"
#include "model/mapped_errors.h"
#include "model/reverberation.h"
#include "model/sources.h"
#include "render/directions.h"
#include "render/mapping.h"
#include "space/field_stencil.h"

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

static cJSON *grid_json(const struct model *m, const struct requirement *r, const struct length *length)
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

/* The valid band, and what is wrong at its end, where it is most: of a mapped grid in any direction, at any wall. */
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

/* The frequency map that responses went through. */
static void add_map(cJSON *json, const struct grid *g, const struct length *length)
{
    if (!g->mapped)
        return;
    cJSON *map = cJSON_AddObjectToObject(json, "frequency_map");
    cJSON_AddNumberToObject(map, "recorded_seconds", (double)length->steps / g->rate);
    cJSON_AddNumberToObject(map, "faded_share", FREQUENCY_MAP_FADE);
    cJSON_AddNumberToObject(map, "grid_frequency_of_high", mapping_grid_frequency(g, g->valid_frequency));
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

/* The points of stencils, hundreds of weights, are left out. */
static cJSON *source_json(const struct model *m, size_t source)
{
    const struct source *s = &m->room->sources[source];
    const struct placed *placed = &m->sources[room_first_drive(m->room, source)];
    const struct integrator integrator = sources_integrator(m->grid.sound_speed);
    if (s->directivity == DIRECTIVITY_OMNI)
        return placed_json(s->name, s->position, placed, m, m->grid.courant_squared / m->grid.spacing);
    cJSON *item = cJSON_CreateObject();
    cJSON_AddStringToObject(item, "name", s->name);
    cJSON_AddItemToObject(item, "position", numbers(s->position, 3));
    cJSON_AddItemToObject(item, "placed", numbers(placed->position, 3));
    cJSON_AddNumberToObject(item, "point_count", (double)placed->channel.count);
    cJSON_AddStringToObject(item, "directivity", directivity_names[s->directivity]);
    cJSON_AddItemToObject(item, "orientation", numbers(s->orientation, 3));
    cJSON_AddNumberToObject(item, "pattern_distance", integrator.distance);
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

/* What is recorded, and from which frequency on it is right. */
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
    cJSON_AddItemToObject(band, "low_of_order", numbers_of_order(r, m->grid.sound_speed));
    cJSON_AddNumberToObject(band, "high", m->grid.valid_frequency);
}

/* A channel of the response; the points of stencils, hundreds of weights, are left out. */
static cJSON *channel_json(const struct model *m, size_t channel)
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

/* Each material: absorption by octave, and the wall fitted to it, in SI units. */
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
        cJSON_AddNumberToObject(wall, "specific_admittance", w->admittance);
        if (w->branch_count) {
            cJSON *branches = cJSON_AddArrayToObject(wall, "branches");
            for (size_t k = 0; k < w->branch_count; k++)
                cJSON_AddItemToArray(branches, numbers((const double[3]){w->branches[k].inertance / m->grid.rate,
                                                                         w->branches[k].resistance,
                                                                         w->branches[k].stiffness * m->grid.rate},
                                                       3));
        }
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

/* Volume, and the estimates for a diffuse field; areas by material are listed with the walls. */
static cJSON *space_json(const struct model *m)
{
    struct reverberation r;
    reverberation_estimate(&r, m);
    cJSON *space = cJSON_CreateObject();
    cJSON_AddNumberToObject(space, "volume", m->space.volume);
    cJSON_AddNumberToObject(space, "closed_off", m->space.closed_off);
    cJSON_AddNumberToObject(space, "surface", m->space.surface);
    cJSON_AddItemToObject(space, "octave_bands", numbers(octave_band_centre, (int)m->bands));
    cJSON_AddItemToObject(space, "sabine", numbers(r.sabine, (int)m->bands));
    cJSON_AddItemToObject(space, "eyring", numbers(r.eyring, (int)m->bands));
    cJSON_AddNumberToObject(space, "schroeder_frequency", r.schroeder);
    return space;
}

/* Relative error of the phase velocity at the edge, and with a map what else it leaves there. */
cJSON *model_json(const struct model *m, const struct requirement *r, const struct length *length, enum air_method air)
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

/* Without path and time: a room rendered again from its sidecar gives the same bytes. */
char *response_description(const struct model *m, const struct rendering *r)
{
    const char *name = r->count > 1 ? "all sources at once" : m->room->sources[r->first].name;
    static const char *const air[] = {[AIR_NONE] = "lossless air",
                                      [AIR_FILTER] = "air by ISO 9613-1, as a filter",
                                      [AIR_SCHEME] = "air that absorbs in the scheme"};
    const double late = round(1e6 * r->response.band.delay[0]); /* us */
    char delay[64] = "";
    if (late > 0.0)
        snprintf(delay, sizeof delay, " %.0f us late by the low-pass;", late);
    return text_format("%s of %s; valid to %.0f Hz;%s%s t = 0 is the emission; %s; %s",
                       r->response.is_filter ? "impulse response" : "recorded signal", name, m->grid.valid_frequency,
                       m->grid.mapped ? " mapped in frequency;" : "", delay,
                       r->response.is_filter ? "a filter from source strength in Pa m to Pa" : "in Pa",
                       air[air_method(m->room, r->first, r->count)]);
}

static cJSON *output_json(const struct model *m, const struct rendering *r, const struct audio_written *written,
                          double gain)
{
    const struct response *response = &r->response;
    cJSON *output = cJSON_CreateObject();
    cJSON_AddNumberToObject(output, "channels", (double)response->channels);
    cJSON_AddNumberToObject(output, "frames", (double)response->frames);
    cJSON_AddNumberToObject(output, "rate", response->rate);
    cJSON_AddNumberToObject(output, "header_rate", round(response->rate));
    cJSON_AddStringToObject(output, "format", format_names[m->room->output.format]);
    cJSON_AddStringToObject(output, "content",
                            response->is_filter ? "impulse response: a filter, the excitation taken out"
                                                : "recorded signal");
    cJSON_AddStringToObject(output, "calibration",
                            response->is_filter
                                ? "convolved with a source strength in Pa m (pressure at 1 m times 4 pi) it gives Pa"
                                : "sample values are Pa");
    cJSON_AddStringToObject(output, "time_zero", "sample 0 is the instant of emission: direct sound arrives at r/c");
    cJSON_AddNumberToObject(output, "resampling_scale", response->scale);
    cJSON_AddNumberToObject(output, "gain", gain * written->gain);
    cJSON_AddNumberToObject(output, "peak", response_peak(response) * written->gain);
    cJSON_AddBoolToObject(output, "rf64", written->rf64);
    cJSON *filter = cJSON_AddObjectToObject(output, "filter");
    if (m->room->output.filter != FILTER_NONE) {
        cJSON_AddNumberToObject(filter, "high_pass", RESPONSE_HIGH_PASS);
        cJSON_AddStringToObject(filter, "high_pass_kind", "two first-order sections, causal: removes offset and ramp");
        cJSON_AddNumberToObject(filter, "low_pass", response->band.pass);
        cJSON_AddStringToObject(filter, "low_pass_kind", response_phase(m->room->output.filter));
        cJSON *delay = cJSON_AddObjectToObject(filter, "group_delay_ms");
        cJSON_AddNumberToObject(delay, "low", 1e3 * response->band.delay[0]);
        cJSON_AddNumberToObject(delay, "edge", 1e3 * response->band.delay[1]);
    } else {
        cJSON_AddStringToObject(filter, "kind", "none: the raw field, offset and dispersion included");
    }
    if (response->rate != m->grid.rate)
        cJSON_AddStringToObject(output, "resampling", "libsamplerate, best sinc, single precision inside");
    return output;
}

/* Whether several files share one gain. */
static bool shares_gain(const struct model *m, size_t files)
{
    return files > 1 && m->room->output.normalise != NORMALISE_NONE;
}

cJSON *input_json(const struct room *room, double seconds)
{
    struct room settled = *room;
    settled.duration = seconds;
    settled.max_duration = 0.0;
    return room_json(&settled);
}

/* Whether a render of these sources alone takes the scheme of m, which was taken for all that were rendered with them.
 */
static bool takes_the_scheme(const struct model *m, const struct room *part)
{
    const struct grid_use use = grid_use_responses(part);
    struct scheme_choice choice;
    return !scheme_choose(&choice, part, &use, NULL) && choice.stencil == m->grid.stencil;
}

/* The room that reproduces this file: only the sources in it, unless all files share a gain; all receivers, as the
 * length of the record depends on them. */
static cJSON *rendered_input(const struct model *m, const struct rendering *r, size_t files)
{
    struct room part = r->whole ? *r->whole : *m->room;
    if (!shares_gain(m, files)) {
        part.sources += r->first;
        part.source_count = r->count;
        if (r->count == 1 && !takes_the_scheme(m, &part))
            part.grid.scheme = scheme_key(m->grid.stencil);
    }
    return input_json(&part, r->length.seconds);
}

/* The command that reproduces this file; THIS.json stands for the sidecar. */
static void add_command(cJSON *json, const struct model *m, const struct rendering *r, size_t files)
{
    const bool shared = r->count == 1 && shares_gain(m, files);
    const char *source = shared && m->room->source_count > 1 ? m->room->sources[r->first].name : "";
    const struct receiver *only = room_file_receiver(m->room, 0);
    char text[512], name[300];
    snprintf(name, sizeof name, "%s%s%s%s", *source ? "_" : "", source, only ? "_" : "", only ? only->name : "");
    const int used =
        snprintf(text, sizeof text, "aula render THIS.json%s -o AGAIN.wav", r->count > 1 ? " --together" : "");
    if (*name)
        snprintf(text + used, sizeof text - (size_t)used, " makes it as AGAIN%s.wav%s", name,
                 shared     ? ", with the files that share its gain"
                 : r->whole ? ", with the files of the other receivers"
                            : "");
    cJSON_AddStringToObject(json, "again", text);
}

void add_kernel_json(cJSON *json, const struct requirement *r)
{
    cJSON_AddStringToObject(json, "engine", r->engine);
    cJSON_AddStringToObject(json, "kernel", r->kernel);
    if (r->time_block > 1) {
        cJSON_AddNumberToObject(json, "time_block", r->time_block);
        cJSON_AddNumberToObject(json, "steps_in_a_pass", r->time_block); /* its former name */
    }
    if (r->in_place)
        cJSON_AddBoolToObject(json, "in_place", true);
    if (r->untried)
        cJSON_AddBoolToObject(json, "kernel_untried", true);
}

/* What the time went to besides the steps. */
static void add_phases(cJSON *timing, const struct block_outcome *o)
{
    struct phase phases[PHASES_MAX];
    const size_t count = phases_list(phases);
    cJSON_AddNumberToObject(timing, "seconds_to_first_step", o->first_step);
    cJSON *list = cJSON_AddObjectToObject(timing, "other_seconds");
    for (size_t i = 0; i < count; i++)
        cJSON_AddNumberToObject(list, phases[i].name, phases[i].seconds);
}

void add_outcome_json(cJSON *json, const struct block_outcome *o, const struct requirement *r, uint64_t updates)
{
    cJSON *energy = cJSON_AddObjectToObject(json, "energy");
    cJSON_AddNumberToObject(energy, "stored", o->audit.stored);
    if (o->audit.balanced) {
        cJSON_AddNumberToObject(energy, "supplied", o->audit.supplied);
        cJSON_AddNumberToObject(energy, "absorbed", o->audit.absorbed);
        cJSON_AddNumberToObject(energy, "residual", o->energy_residual);
    }
    cJSON *timing = cJSON_AddObjectToObject(json, "timing");
    add_kernel_json(timing, r);
    cJSON_AddNumberToObject(timing, "seconds", o->seconds);
    cJSON_AddNumberToObject(timing, "audit_seconds", o->audit_seconds);
    cJSON_AddNumberToObject(timing, "points_per_second", (double)updates / o->seconds);
    if (o->first_step > 0.0)
        add_phases(timing, o);
}

cJSON *length_json(const struct length *length)
{
    cJSON *json = cJSON_CreateObject();
    cJSON_AddNumberToObject(json, "seconds", length->seconds);
    cJSON_AddStringToObject(json, "chosen_by", length->chosen ? "auto" : "time.duration");
    cJSON_AddNumberToObject(json, "estimate", length->estimate); /* null: no absorption */
    return json;
}

cJSON *sidecar_json(const struct model *m, const struct rendering *r, const struct audio_written *written,
                    const char *file, double gain, size_t files)
{
    const struct simulation *s = &r->simulation;
    cJSON *json = cJSON_CreateObject();
    cJSON_AddStringToObject(json, "aula", AULA_VERSION);
    cJSON_AddStringToObject(json, "file", file);
    add_command(json, m, r, files);
    if (room_file_receiver(m->room, 0))
        cJSON_AddStringToObject(json, "receiver", room_file_receiver(m->room, 0)->name);
    cJSON_AddItemToObject(json, "input", rendered_input(m, r, files));
    cJSON_AddItemToObject(json, "output", output_json(m, r, written, gain));
    cJSON *described = model_json(m, &s->requirement, &r->length, air_method(m->room, r->first, r->count));
    while (described && described->child) {
        cJSON *item = cJSON_DetachItemViaPointer(described, described->child);
        cJSON_AddItemToObject(json, item->string, item);
    }
    cJSON_Delete(described);
    cJSON *duration = length_json(&r->length);
    cJSON_AddNumberToObject(duration, "decay_dB", r->decay); /* null: silence, or too short */
    cJSON_AddItemToObject(json, "duration", duration);
    cJSON *warnings = cJSON_GetObjectItem(json, "warnings");
    for (size_t i = 0; i < r->warning_count; i++)
        cJSON_AddItemToArray(warnings, cJSON_CreateString(r->warnings[i]));
    add_outcome_json(json, &s->outcome, &s->requirement, grid_points(&m->grid) * s->steps);
    return json;
}

char *sidecar_text(const struct model *m, const struct rendering *r, const struct audio_written *written,
                   const char *file, double gain, size_t files)
{
    return json_text(sidecar_json(m, r, written, file, gain, files));
}
