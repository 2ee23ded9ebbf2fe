/* SPDX-License-Identifier: MIT */
#include "dsp/measure/recording_space.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cjson/cJSON.h>

#include "base/file.h"
#include "base/text.h"
#include "dsp/measure/spatial.h"
#include "dsp/space/harmonics.h"
#include "io/json_beside.h"

static const double SAME_PLACE = 1e-3;  /* m */
static const double NULL_OFF = 10.0;    /* degrees between null and source that need no remark */
static const double STRAIGHT_UP = 1e-3; /* smallest horizontal part of a direction that defines a lateral axis */

int recording_add_note(struct recording *r, char *text)
{
    char *joined = text && r->note ? text_format("%s; %s", r->note, text) : NULL;
    if (text && !r->note) {
        r->note = text;
        return 0;
    }
    free(text);
    if (!joined)
        return -1;
    free(r->note);
    r->note = joined;
    return 0;
}

static int out_of_memory(const char *path, struct error *e)
{
    return fail(e, ERROR_MEMORY, "%s: out of memory", path);
}

static const cJSON *first_receiver(const cJSON *json)
{
    return cJSON_GetArrayItem(cJSON_GetObjectItemCaseSensitive(json, "receivers"), 0);
}

static bool vector_of(double v[3], const cJSON *item, const char *name)
{
    const cJSON *array = cJSON_GetObjectItemCaseSensitive(item, name);
    for (int i = 0; i < 3; i++) {
        const cJSON *number = cJSON_GetArrayItem(array, i);
        if (!cJSON_IsNumber(number))
            return false;
        v[i] = number->valuedouble;
    }
    return true;
}

/* Unit vector from the receiver to the only source, in the axes of the room. */
static bool source_direction(double d[3], const cJSON *json)
{
    const cJSON *sources = cJSON_GetObjectItemCaseSensitive(cJSON_GetObjectItemCaseSensitive(json, "input"), "sources");
    double from[3], to[3], length = 0.0;
    if (cJSON_GetArraySize(sources) != 1 || !vector_of(to, cJSON_GetArrayItem(sources, 0), "position") ||
        !vector_of(from, first_receiver(json), "position"))
        return false;
    for (int i = 0; i < 3; i++)
        length = hypot(length, d[i] = to[i] - from[i]);
    for (int i = 0; i < 3; i++)
        d[i] /= length;
    return length > SAME_PLACE;
}

static struct turn orientation_of(const cJSON *json)
{
    double angle[3] = {0.0, 0.0, 0.0};
    if (!vector_of(angle, first_receiver(json), "orientation"))
        angle[0] = angle[1] = angle[2] = 0.0;
    return turn_of(angle[0], angle[1], angle[2]);
}

/* The horizontal axis perpendicular to direction d (axes of the room), in the axes of the receiver. */
static void lateral_axis(double axis[3], const double d[3], const struct turn *orientation)
{
    const double across = hypot(d[0], d[1]);
    const bool side = across > STRAIGHT_UP;
    const double lateral[3] = {side ? -d[1] / across : 0.0, side ? d[0] / across : 1.0, 0.0};
    const struct turn back = turn_back(orientation);
    turn_apply(axis, &back, lateral);
}

static int take_field(struct recording *r, const cJSON *json)
{
    double d[3];
    struct space_of_recording *s = &r->space;
    s->field_channels = r->field_channels;
    if (r->field_channels < 4)
        return 0;
    s->orientation = orientation_of(json);
    s->axis_known = source_direction(d, json);
    if (s->axis_known)
        lateral_axis(s->axis, d, &s->orientation);
    return recording_add_note(r,
                              text_format("LF, LFC%s from X, Y, Z of this file, with the null towards the %s",
                                          r->calibrated ? " and LG" : "", s->axis_known ? "source" : "direct sound"));
}

/* The channel of the omni receiver at this position in the JSON of their file; SIZE_MAX: none. */
static size_t channel_at(const cJSON *json, const double place[3])
{
    const cJSON *receivers = cJSON_GetObjectItemCaseSensitive(json, "receivers"), *item;
    size_t channel = 0;
    cJSON_ArrayForEach(item, receivers)
    {
        double at[3];
        const bool omni = !cJSON_GetObjectItemCaseSensitive(item, "type");
        if (omni && vector_of(at, item, "position") && fabs(at[0] - place[0]) <= SAME_PLACE &&
            fabs(at[1] - place[1]) <= SAME_PLACE && fabs(at[2] - place[2]) <= SAME_PLACE)
            return channel;
        channel++;
    }
    return SIZE_MAX;
}

/* NAME.wav of NAME_RECEIVER.wav, fresh; NULL: out of memory, or a name of another form. */
static char *omni_path(const char *path, const char *receiver)
{
    const char *suffix = strrchr(path_name(path), '.');
    const size_t end = suffix ? (size_t)(suffix - path) : strlen(path), own = strlen(receiver) + 1;
    if (!*receiver || end <= own || path[end - own] != '_' || strncmp(path + end - own + 1, receiver, own - 1) != 0)
        return NULL;
    return text_format("%.*s%s", (int)(end - own), path, path + end);
}

static double gain_of(const cJSON *json)
{
    const cJSON *output = cJSON_GetObjectItemCaseSensitive(json, "output");
    const cJSON *gain = cJSON_GetObjectItemCaseSensitive(output, "gain");
    return cJSON_IsNumber(gain) && gain->valuedouble > 0.0 ? gain->valuedouble : 1.0;
}

/* Reads the pressure of the omni receiver at the same position and scales it to the unit of this file's samples. */
static int read_pressure(struct recording *r, const char *path, const cJSON *json, struct error *e)
{
    const struct audio *own = &r->audio;
    struct audio audio = {0};
    cJSON *other = NULL;
    double place[3];
    if (access(path, R_OK) || !vector_of(place, first_receiver(json), "position"))
        return 0;
    int status = audio_read(&audio, path, e) || json_beside(&other, NULL, path, audio.checksum, e) ? -1 : 0;
    const size_t channel = status ? SIZE_MAX : channel_at(other, place);
    if (!status && channel < audio.channels && audio.frames == own->frames && fabs(audio.rate - own->rate) <= 0.5) {
        const double ratio = gain_of(json) / gain_of(other);
        r->space.pressure = malloc(audio.frames * sizeof *r->space.pressure);
        status = r->space.pressure ? 0 : out_of_memory(path, e);
        for (size_t n = 0; n < audio.frames && !status; n++)
            r->space.pressure[n] = ratio * audio.samples[channel * audio.frames + n];
    }
    cJSON_Delete(other);
    audio_free(&audio);
    return status;
}

/* A remark on the direction of the null, or "". */
static const char *null_words(char text[64], const cJSON *json)
{
    static const double front[3] = {1.0, 0.0, 0.0};
    double d[3], axis[3];
    const struct turn orientation = orientation_of(json);
    *text = '\0';
    if (!source_direction(d, json))
        return "; it is unknown whether its null points towards the source";
    turn_apply(axis, &orientation, front);
    const double share = fabs(axis[0] * d[0] + axis[1] * d[1] + axis[2] * d[2]);
    const double off = asin(fmin(share, 1.0)) * 180.0 / M_PI;
    if (off > NULL_OFF)
        snprintf(text, 64, "; its null is %.0f degrees off the direction of the source", off);
    return text;
}

static int take_eight(struct recording *r, const char *path, const cJSON *json, struct error *e)
{
    const char *name = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(json, "receiver"));
    char off[64], *omni = omni_path(path, name ? name : "");
    const int status = omni ? read_pressure(r, omni, json, e) : 0;
    char *text = r->space.pressure
                     ? text_format("LF, LFC%s from the pressure at the same position in %s%s",
                                   r->calibrated ? " and LG" : "", path_name(omni), null_words(off, json))
                     : text_format("no LF, LFC and LG; they need an omni receiver at the same position, in %s",
                                   omni ? path_name(omni) : "a separate file");
    free(omni);
    if (status) {
        free(text);
        return -1;
    }
    return recording_add_note(r, text) ? out_of_memory(path, e) : 0;
}

int recording_space_take(struct recording *r, const char *path, const cJSON *json, const char *comment, struct error *e)
{
    static const char said[] = "binaural: ";
    const char *type = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(first_receiver(json), "type"));
    if (!json) {
        r->space.ears = r->audio.channels == 2 && comment && !strncmp(comment, said, strlen(said));
        if (r->space.ears)
            snprintf(r->space.receiver, sizeof r->space.receiver, "binaural");
        return 0;
    }
    if (!type)
        return 0;
    snprintf(r->space.receiver, sizeof r->space.receiver, "%s", type);
    r->space.ears = !strcmp(type, "binaural") && r->audio.channels == 2;
    if (!strcmp(type, "figure_of_eight"))
        return take_eight(r, path, json, e);
    return !strcmp(type, "ambisonic") && take_field(r, json) ? out_of_memory(path, e) : 0;
}

void recording_space_free(struct recording *r)
{
    free(r->space.pressure);
    memset(&r->space, 0, sizeof r->space);
}

/* Active intensity from W and X, Y, Z: Σ W (X, Y, Z) is along d, and is Σ W² for one plane wave. */
static void measure_intensity(struct metrics *m, const struct recording *r)
{
    static const size_t axis[3] = {3, 1, 2}; /* ACN of x, y, z */
    const struct audio *a = &r->audio;
    double energy = 0.0, v[3] = {0.0, 0.0, 0.0};
    for (size_t n = 0; n < a->frames; n++) {
        energy += a->samples[n] * a->samples[n];
        for (int i = 0; i < 3; i++)
            v[i] += a->samples[n] * a->samples[axis[i] * a->frames + n];
    }
    const double across = hypot(v[0], v[1]), length = hypot(across, v[2]);
    if (!(length > 0.0))
        return;
    m->intensity_level = m->band[METRICS_BROAD].g + 10.0 * log10(length / energy);
    m->intensity_azimuth = atan2(v[1], v[0]) * 180.0 / M_PI;
    m->intensity_elevation = atan2(v[2], across) * 180.0 / M_PI;
}

/* The lateral axis perpendicular to the direct sound, whose direction is W (X, Y, Z) from 1 ms before to 5 ms after the
 * arrival. */
static void axis_by_sound(double axis[3], const struct recording *r, double arrival)
{
    static const size_t channel[3] = {3, 1, 2};
    const struct audio *a = &r->audio;
    const double first = fmax((arrival - 0.001) * a->rate, 0.0), last = (arrival + 0.005) * a->rate;
    double v[3] = {0.0, 0.0, 0.0}, d[3], length = 0.0;
    for (size_t n = (size_t)first; n < a->frames && (double)n < last; n++)
        for (int i = 0; i < 3; i++)
            v[i] += a->samples[n] * a->samples[channel[i] * a->frames + n];
    turn_apply(d, &r->space.orientation, v);
    for (int i = 0; i < 3; i++)
        length = hypot(length, d[i]);
    for (int i = 0; i < 3; i++)
        d[i] = length > 0.0 ? d[i] / length : 0.0;
    lateral_axis(axis, d, &r->space.orientation);
}

/* Frames of the audio that the metrics are of. */
static size_t measured_frames(const struct metrics *m, const struct audio *a)
{
    const size_t frames = (size_t)lround(m->end * a->rate);
    return frames < a->frames ? frames : a->frames;
}

static int measure_field(struct metrics *m, const struct recording *r, const struct metrics_settings *s,
                         struct error *e)
{
    const struct audio *a = &r->audio;
    const double arrival = m->arrival + s->delay, *w = a->samples;
    double axis[3], *lateral = malloc(a->frames * sizeof *lateral);
    if (!lateral)
        return fail(e, ERROR_MEMORY, "out of memory");
    memcpy(axis, r->space.axis, sizeof axis);
    if (!r->space.axis_known)
        axis_by_sound(axis, r, arrival);
    for (size_t n = 0; n < a->frames; n++)
        lateral[n] = axis[0] * w[3 * a->frames + n] + axis[1] * w[a->frames + n] + axis[2] * w[2 * a->frames + n];
    const struct spatial_pair pair = {w, lateral, measured_frames(m, a), a->rate, arrival};
    const int status = spatial_measure_lateral(m, &pair, s, e);
    free(lateral);
    return status;
}

/* The null hides the direct sound, so its arrival is that of the pressure. */
static int measure_eight(struct metrics *m, const struct recording *r, const struct metrics_settings *s,
                         struct error *e)
{
    const struct audio *a = &r->audio;
    struct metrics_settings alone = *s;
    struct metrics pressure;
    alone.curves = NULL;
    alone.third_octaves = false;
    if (metrics_measure(&pressure, r->space.pressure, a->frames, a->rate, &alone, e))
        return -1;
    const struct spatial_pair pair = {r->space.pressure, a->samples, measured_frames(&pressure, a), a->rate,
                                      pressure.arrival + s->delay};
    return spatial_measure_lateral(m, &pair, s, e);
}

/* From the arrival at the nearer ear on; both channels have the parameters. */
static int measure_ears(struct metrics channels[2], const struct recording *r, const struct metrics_settings *s,
                        struct error *e)
{
    const struct audio *a = &r->audio;
    const bool right = channels[1].arrival < channels[0].arrival;
    struct metrics *nearer = &channels[right], *other = &channels[!right];
    const struct spatial_pair pair = {a->samples, a->samples + a->frames, measured_frames(nearer, a), a->rate,
                                      nearer->arrival + s->delay};
    if (spatial_measure_ears(nearer, &pair, e))
        return -1;
    for (size_t i = 0; i < METRICS_BANDS; i++) {
        other->band[i].iacc = nearer->band[i].iacc;
        other->band[i].iacc_early = nearer->band[i].iacc_early;
        other->band[i].iacc_late = nearer->band[i].iacc_late;
    }
    spatial_means(other);
    return 0;
}

int recording_space_measure(struct metrics *channels, const struct recording *r, const struct metrics_settings *s,
                            struct error *e)
{
    if (r->space.ears)
        return measure_ears(channels, r, s, e);
    if (r->space.pressure)
        return measure_eight(channels, r, s, e);
    if (r->space.field_channels < 4)
        return 0;
    measure_intensity(channels, r);
    return measure_field(channels, r, s, e);
}
