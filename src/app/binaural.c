/* SPDX-License-Identifier: MIT */
/* aula binaural: renders an ambisonic field for two ears through an HRTF. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/cmd.h"
#include "app/hrtf.h"
#include "app/outputs.h"
#include "app/say.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/text.h"
#include "io/json_build.h"
#include "render/binaural.h"
#include "render/sidecar.h"

struct binaural_options {
    struct common_options common;
    struct output_options output;
    struct hrtf_options hrtf;
    struct binaural_head head;
};

enum { EARS = 2 };

struct work {
    struct audio field;
    int order;
    double valid_to; /* Hz; 0: unknown */
    struct hrtf hrtf;
    struct binaural ears;
    struct sound_names names;
    enum sample_format format;
};

static void free_work(struct work *w)
{
    audio_free(&w->field);
    hrtf_free(&w->hrtf);
    binaural_free(&w->ears);
    sound_names_free(&w->names);
}

/* Checks the arguments and the output file before any work. */
static int read_words(struct work *w, const struct binaural_options *o, struct error *e)
{
    const char *field = o->common.arguments[0];
    if (!o->hrtf.file)
        return fail(e, ERROR_USAGE, "no HRTF; add --hrtf: aula binaural %s --hrtf FILE.sofa -o EARS.wav", field);
    if (!o->output.path)
        return fail(e, ERROR_USAGE, "no output; add -o: aula binaural %s --hrtf %s -o EARS.wav", field, o->hrtf.file);
    if (sample_format_named(&w->format, o->output.format, e) ||
        sound_names_make(&w->names, o->output.path, field, NULL, e) ||
        audio_format_settle(&w->format, o->output.format != NULL, w->names.sound, 0, 0.0, e))
        return -1;
    const char *heard = w->names.sound;
    if (o->common.json && !w->names.json)
        return fail(e, ERROR_USAGE, "-o - and --json cannot share standard output; remove one of them");
    if (w->names.json && (same_file(heard, field) || same_file(heard, o->hrtf.file)))
        return fail(e, ERROR_USAGE, "%s: is also an input; choose another name with -o", heard);
    return outputs_check(&heard, 1, o->output.no_clobber, e);
}

/* The channel names in the JSON show whether aula wrote an ambisonic field. */
static int check_names(const struct sidecar_facts *facts, const char *path, struct error *e)
{
    char name[QUOTED];
    if (!facts->receiver_count || strstr(facts->receivers[0], " ACN 0"))
        return 0;
    return fail(e, ERROR_INPUT,
                "%s: is not an AmbiX field: the JSON beside it names its first channel %s; render a receiver of "
                "type = \"ambisonic\"",
                path, quoted(name, facts->receivers[0]));
}

/* Reads the field. Its order N follows from its (N + 1)² channels. */
static int read_field(struct work *w, const char *path, struct error *e)
{
    struct sidecar_facts facts;
    char *comment = NULL;
    if (audio_read_with_comment(&w->field, &comment, path, e))
        return -1;
    w->valid_to = comment_valid_to(comment);
    free(comment);
    if (binaural_order(&w->order, w->field.channels, path, e))
        return -1;
    int status = sidecar_read(&facts, path, &w->field, e) || check_names(&facts, path, e);
    if (!status && facts.of == JSON_OF_OTHER)
        say(false, "warning: %s: the JSON of the same name %s", path, json_of_text(facts.of));
    if (!status && facts.valid_to > 0.0)
        w->valid_to = facts.valid_to;
    sidecar_facts_free(&facts);
    return status ? -1 : 0;
}

static double peak_of(const struct audio *a)
{
    double peak = 0.0;
    for (size_t n = 0; n < a->channels * a->frames; n++)
        peak = fmax(peak, fabs(a->samples[n]));
    return peak;
}

static int write_heard(const struct work *w, const struct binaural_options *o, double *gain, struct error *e)
{
    static const char *const names[EARS] = {"left ear", "right ear"};
    struct audio_written written;
    struct output_file file = {0};
    char valid[64] = "";
    if (w->valid_to > 0.0)
        snprintf(valid, sizeof valid, "; valid to %.0f Hz", fmin(w->valid_to, 0.5 * w->ears.heard.rate));
    char *title = text_format("%s by two ears", path_name(o->common.arguments[0]));
    char *description =
        text_format("binaural: %s by %s, yaw %g, pitch %g, roll %g degrees%s", path_name(o->common.arguments[0]),
                    path_name(o->hrtf.file), o->head.yaw, o->head.pitch, o->head.roll, valid);
    int status = title && description ? 0 : fail(e, ERROR_MEMORY, "out of memory");
    const struct audio_description d = {w->format, title, description, names};
    if (!status && !(status = output_file_open(&file, w->names.sound, e))) {
        file.no_clobber = o->output.no_clobber;
        status = audio_write_to(&file, &w->ears.heard, &d, &written, e) || output_file_commit(&file, e) ? -1 : 0;
        output_file_discard(&file);
    }
    *gain = status ? 1.0 : written.gain;
    free(title);
    free(description);
    return status;
}

static int print_json(const struct work *w, const struct binaural_options *o, double peak, double gain, struct error *e)
{
    cJSON *json = cJSON_CreateObject();
    cJSON_AddStringToObject(json, "file", w->names.sound);
    cJSON_AddStringToObject(json, "field", o->common.arguments[0]);
    cJSON_AddStringToObject(json, "hrtf", o->hrtf.file);
    cJSON_AddNumberToObject(json, "order", w->order);
    cJSON_AddNumberToObject(json, "yaw", o->head.yaw);
    cJSON_AddNumberToObject(json, "pitch", o->head.pitch);
    cJSON_AddNumberToObject(json, "roll", o->head.roll);
    cJSON_AddNumberToObject(json, "rate", w->ears.heard.rate);
    cJSON_AddNumberToObject(json, "frames", (double)w->ears.heard.frames);
    cJSON_AddNumberToObject(json, "hrtf_directions", (double)w->hrtf.directions);
    cJSON_AddNumberToObject(json, "hrtf_rate", w->hrtf.rate);
    cJSON_AddNumberToObject(json, "hrtf_distance", w->hrtf.distance);
    cJSON *elevations = cJSON_AddArrayToObject(json, "hrtf_elevations");
    cJSON_AddItemToArray(elevations, cJSON_CreateNumber(w->ears.coverage.low));
    cJSON_AddItemToArray(elevations, cJSON_CreateNumber(w->ears.coverage.high));
    cJSON_AddNumberToObject(json, "magnitudes_from", ear_filters_change(w->order));
    if (w->valid_to > 0.0)
        cJSON_AddNumberToObject(json, "valid_to", w->valid_to);
    cJSON_AddStringToObject(json, "format", format_names[w->format]);
    cJSON_AddNumberToObject(json, "peak", peak * gain);
    cJSON_AddNumberToObject(json, "gain", gain);
    return json_print(json, e);
}

static int run(void *options, struct error *e)
{
    const struct binaural_options *o = options;
    struct work w = {0};
    double gain = 1.0;
    char took[32];
    const double start = clock_seconds();
    int status = read_words(&w, o, e) || read_field(&w, o->common.arguments[0], e) || read_hrtf(&w.hrtf, &o->hrtf, e) ||
                 binaural_prepare(&w.ears, &w.hrtf, o->hrtf.file, w.order, w.field.rate, e);
    if (status)
        goto done;
    say_hrtf(&o->common, o->hrtf.file, &w.hrtf, &w.ears.coverage);
    say_more(&o->common, "%s: %zu taps at %g Hz; only magnitudes are matched above %.0f Hz", o->hrtf.file, w.hrtf.taps,
             w.hrtf.rate, ear_filters_change(w.order));
    if (w.order < 3)
        say(o->common.quiet, "note: %s: has order %d; the directions of the HRTF are resolved from order 3 on",
            o->common.arguments[0], w.order);
    status = binaural_hear(&w.ears, &w.field, &o->head, o->common.arguments[0], o->hrtf.file, e);
    if (!status && w.ears.warning)
        say(false, "warning: %s", w.ears.warning);
    status = status || write_heard(&w, o, &gain, e);
    if (status)
        goto done;
    const double peak = peak_of(&w.ears.heard);
    if (gain != 1.0)
        say(false, "warning: %s: the peak exceeded full scale, so the whole file was scaled by %.6g (%.2f dB)",
            output_said(w.names.sound), gain, 20.0 * log10(gain));
    say_faint(output_said(w.names.sound), w.format, peak, "--format=float");
    say(o->common.quiet, "%s: two ears from order %d, %.3g s at %.6g Hz, %s; in %s", output_said(w.names.sound),
        w.order, (double)w.ears.heard.frames / w.ears.heard.rate, w.ears.heard.rate, format_names[w.format],
        say_duration(took, clock_seconds() - start));
    if (o->common.json)
        status = print_json(&w, o, peak, gain, e);
done:
    free_work(&w);
    return status ? -1 : 0;
}

static const struct option_row hrtf = {
    "hrtf", 0, OPTION_TEXT, OPTION_AT(HRTF, hrtf_options, file), "FILE.sofa", "use this HRTF (SimpleFreeFieldHRIR)"};
static const struct option_row yaw = {"yaw",        0,
                                      OPTION_ANGLE, OPTION_AT(OWN, binaural_options, head.yaw),
                                      "DEGREES",    "turn the head to the left (default: 0)"};
static const struct option_row pitch = {"pitch",      0,
                                        OPTION_ANGLE, OPTION_AT(OWN, binaural_options, head.pitch),
                                        "DEGREES",    "tilt the head down (default: 0)"};
static const struct option_row roll = {"roll",       0,
                                       OPTION_ANGLE, OPTION_AT(OWN, binaural_options, head.roll),
                                       "DEGREES",    "tilt the head to the right, left ear up (default: 0)"};
static const struct option_row format = {"format",    0,
                                         OPTION_TEXT, OPTION_AT(OUTPUT, output_options, format),
                                         "NAME",      "set the sample format: float (default), double, pcm24 or pcm16"};

static const struct option_row *const options[] = {
    &hrtf,   &option_distance, &yaw,          &pitch,          &roll,        &option_output, &option_no_clobber,
    &format, &option_json,     &option_quiet, &option_verbose, &option_help, NULL,
};

const struct command command_binaural = {
    .name = "binaural",
    .synopsis = "FIELD.wav --hrtf FILE.sofa [--yaw DEGREES] -o EARS.wav",
    .meaning = "render an ambisonic field for two ears through an HRTF",
    .details =
        "FIELD.wav is AmbiX (ACN, SN3D) of order 1 to 7: an ambisonic receiver of aula render, or any recording.\n",
    .options = options,
    .arguments_min = 1,
    .arguments_max = 1,
    .options_size = sizeof(struct binaural_options),
    .groups = {[GROUP_OUTPUT] = offsetof(struct binaural_options, output),
               [GROUP_HRTF] = offsetof(struct binaural_options, hrtf)},
    .run = run,
};
