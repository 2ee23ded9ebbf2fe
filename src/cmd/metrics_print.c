#include "cmd/metrics_print.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/metrics_missing.h"
#include "cmd/metrics_speech.h"
#include "io/json_print.h"

enum { FIGURES = 15 };

/* A column: what it is called in each form, its place, how many decimals people want, and whether it is in the table. */
struct figure {
    const char *name, *unit, *key;
    size_t offset;
    int decimals;
    bool shown;
};
#define AT(member) offsetof(struct metrics_band, member)
static const struct figure figures[FIGURES] = {
    {"EDT", "s", "edt", AT(edt.time), 2, true},
    {"T20", "s", "t20", AT(t20.time), 2, true},
    {"T30", "s", "t30", AT(t30.time), 2, true},
    {"xi20", "", "t20_nonlinearity", AT(t20.nonlinearity), 1, false},
    {"xi30", "", "t30_nonlinearity", AT(t30.nonlinearity), 1, true},
    {"C", "%", "curvature", AT(curvature), 1, true},
    {"C50", "dB", "c50", AT(c50), 1, true},
    {"C80", "dB", "c80", AT(c80), 1, true},
    {"D50", "", "d50", AT(d50), 2, true},
    {"Ts", "ms", "ts", AT(ts), 1, true},
    {"G", "dB", "g", AT(g), 1, true},
    {"span", "dB", "range", AT(range), 0, true},
    {"r20", "", "t20_correlation", AT(t20.correlation), 4, false},
    {"r30", "", "t30_correlation", AT(t30.correlation), 4, false},
    {"noise", "dB", "noise", AT(noise), 0, false},
};

static double figure_of(const struct metrics_band *b, size_t f)
{
    double value;
    memcpy(&value, (const char *)b + figures[f].offset, sizeof value);
    return value;
}

static void print_band(const struct metrics_band *b)
{
    char text[16];
    printf("  %-6s", metrics_band_text(text, b));
    for (size_t f = 0; f < FIGURES; f++) {
        const double value = figure_of(b, f) * (strcmp(figures[f].unit, "ms") ? 1.0 : 1000.0);
        if (figures[f].shown && isnan(value))
            printf("%8s", "-");
        else if (figures[f].shown)
            printf("%8.*f", figures[f].decimals, value);
    }
    printf("%s\n", b->validity == METRICS_PARTLY ? " *" : "");
}

/* What a row stands for: the octaves, or the third octaves in their place, and the broad band. */
static size_t rows_of(struct metrics_band rows[METRICS_THIRDS + 1], const struct metrics *m,
                      const struct metrics_wanted *w)
{
    const size_t count = w->third_octaves ? METRICS_THIRDS : METRICS_OCTAVES;
    memcpy(rows, w->third_octaves ? m->third : m->band, count * sizeof *rows);
    rows[count] = m->band[METRICS_BROAD];
    return count + 1;
}

static int print_channel(const struct measured_file *f, size_t c, const struct metrics_wanted *w, struct error *e)
{
    const struct recording *r = &f->recording;
    const struct metrics *m = &f->channel[c];
    struct metrics_band rows[METRICS_THIRDS + 1];
    const size_t count = rows_of(rows, m, w);
    bool marked = false;
    printf("%s: channel %zu", f->path, c + 1);
    if (r->channel_name[c])
        printf(", %s", r->channel_name[c]);
    if (r->source)
        printf(", source %s", r->source);
    printf("\n  %.3f s at %g Hz, valid from %.0f to %.0f Hz, %s; ", (double)r->audio.frames / m->rate, m->rate,
           r->valid_low, r->valid_high, r->calibrated ? "calibrated" : "not calibrated");
    if (isnan(m->arrival))
        printf("%s\n\n", metrics_reason_text(METRICS_SILENT));
    else
        printf("direct sound after %.2f ms\n\n", 1000.0 * m->arrival);
    printf("  %-6s", "Hz");
    for (size_t i = 0; i < FIGURES; i++) {
        char head[24];
        snprintf(head, sizeof head, "%s%s%s", figures[i].name, *figures[i].unit ? " " : "", figures[i].unit);
        if (figures[i].shown)
            printf("%8s", head);
    }
    printf("\n");
    for (size_t i = 0; i < count; i++) {
        print_band(&rows[i]);
        marked = marked || rows[i].validity == METRICS_PARTLY;
    }
    printf("\n");
    if (marked)
        printf("  * the band reaches beyond what the response is valid for\n");
    metrics_print_missing(rows, count);
    if (w->stage)
        metrics_print_stage(r, c, m);
    return metrics_print_speech(r, m, w, e);
}

int metrics_print_table(const struct measured_file *files, size_t count, const struct metrics_wanted *w,
                        struct error *e)
{
    for (size_t i = 0; i < count; i++)
        for (size_t c = 0; c < files[i].recording.audio.channels; c++) {
            if (i || c)
                printf("\n");
            if (print_channel(&files[i], c, w, e))
                return -1;
        }
    return 0;
}

static void csv_text(const char *text)
{
    putchar('"');
    for (; text && *text; text++) {
        if (*text == '"')
            putchar('"');
        putchar(*text);
    }
    putchar('"');
}

static void csv_number(double value)
{
    if (isnan(value))
        printf(",");
    else
        printf(",%.9g", value);
}

static const char *validity_text(enum metrics_validity validity)
{
    static const char *const words[] = {"yes", "partly", "no"};
    return words[validity];
}

/* Figures of speech and of the stage that an octave has, its own and the whole response's. */
static void csv_octave(const struct metrics *m, const struct metrics_speech *speech, const struct metrics_band *b)
{
    size_t octave = 0;
    while (octave < METRICS_OCTAVES && m->band[octave].centre != b->centre)
        octave++;
    const bool spoken = octave >= 1 && octave <= SPEECH_BANDS, staged = octave >= 2 && octave < 2 + STAGE_BANDS;
    csv_number(m->sti);
    csv_number(spoken ? m->mti[octave - 1] : NAN);
    csv_number(staged ? m->stage.early[octave - 2] : NAN);
    csv_number(staged ? m->stage.late[octave - 2] : NAN);
    csv_number(speech->sti);
    csv_number(spoken ? speech->mti[octave - 1] : NAN);
}

static void csv_channel(const struct measured_file *file, size_t c, const struct metrics_wanted *w)
{
    const struct metrics *m = &file->channel[c];
    struct metrics_speech speech = {.sti = NAN};
    for (size_t k = 0; k < SPEECH_BANDS; k++)
        speech.mti[k] = NAN;
    if (w->speech)
        metrics_speech(&speech, m, &w->conditions);
    struct metrics_band rows[METRICS_THIRDS + 1];
    const size_t count = rows_of(rows, m, w);
    for (size_t k = 0; k < count; k++) {
        const struct metrics_band *b = &rows[k];
        csv_text(file->path);
        printf(",%zu,", c + 1);
        csv_text(file->recording.channel_name[c]);
        if (b->centre > 0.0)
            printf(",%g", b->centre);
        else
            printf(",broad");
        printf(",%s", validity_text(b->validity));
        csv_number(m->arrival);
        for (size_t f = 0; f < FIGURES; f++)
            csv_number(figure_of(b, f));
        csv_octave(m, &speech, b);
        printf("\n");
    }
}

int metrics_print_csv(const struct measured_file *files, size_t count, const struct metrics_wanted *w, struct error *e)
{
    (void)e;
    printf("file,channel,receiver,band,valid,arrival");
    for (size_t f = 0; f < FIGURES; f++)
        printf(",%s", figures[f].key);
    printf(",sti,mti,st_early,st_late,speech_sti,speech_mti\n");
    for (size_t i = 0; i < count; i++)
        for (size_t c = 0; c < files[i].recording.audio.channels; c++)
            csv_channel(&files[i], c, w);
    return 0;
}

static void json_number(cJSON *json, const char *name, double value)
{
    cJSON_AddItemToObject(json, name, isfinite(value) ? cJSON_CreateNumber(value) : cJSON_CreateNull());
}

static void json_reason(cJSON *json, const char *name, enum metrics_reason reason)
{
    if (reason)
        cJSON_AddStringToObject(json, name, metrics_reason_text(reason));
}

static void json_length(cJSON *json, const char *name, double length)
{
    if (isfinite(length))
        cJSON_AddNumberToObject(json, name, length);
}

static cJSON *band_json(const struct metrics_band *b)
{
    cJSON *json = cJSON_CreateObject();
    if (b->centre > 0.0)
        cJSON_AddNumberToObject(json, "centre", b->centre);
    json_number(json, "low", b->low);
    json_number(json, "high", b->high);
    cJSON_AddStringToObject(json, "valid", validity_text(b->validity));
    for (size_t f = 0; f < FIGURES; f++)
        json_number(json, figures[f].key, figure_of(b, f));
    json_number(json, "cut", b->cut);
    json_reason(json, "no_edt", b->edt.reason);
    json_reason(json, "no_t20", b->t20.reason);
    json_reason(json, "no_t30", b->t30.reason);
    json_reason(json, "no_energies", b->reason);
    json_reason(json, "no_c50", b->c50_reason);
    json_reason(json, "no_c80", b->c80_reason);
    json_length(json, "edt_needs_length", b->edt.length);
    json_length(json, "t20_needs_length", b->t20.length);
    json_length(json, "t30_needs_length", b->t30.length);
    json_length(json, "energies_need_length", b->length);
    json_number(json, "shortest_edt", b->shortest_edt);
    json_number(json, "shortest_t20_t30", b->shortest_late);
    return json;
}

static cJSON *channel_json(const struct recording *r, size_t c, const struct metrics *m, const struct metrics_wanted *w)
{
    cJSON *json = cJSON_CreateObject();
    if (r->channel_name[c])
        cJSON_AddStringToObject(json, "receiver", r->channel_name[c]);
    json_number(json, "arrival", m->arrival);
    json_number(json, "peak", m->peak);
    cJSON *octaves = cJSON_AddArrayToObject(json, "octave_bands");
    for (size_t i = 0; i < METRICS_OCTAVES; i++)
        cJSON_AddItemToArray(octaves, band_json(&m->band[i]));
    cJSON_AddItemToObject(json, "broad_band", band_json(&m->band[METRICS_BROAD]));
    if (w->third_octaves) {
        cJSON *thirds = cJSON_AddArrayToObject(json, "third_octave_bands");
        for (size_t i = 0; i < METRICS_THIRDS; i++)
            cJSON_AddItemToArray(thirds, band_json(&m->third[i]));
    }
    json_number(json, "sti", m->sti);
    if (m->sti_reason) {
        char *remedy = recording_speech_remedy(r, m);
        cJSON_AddStringToObject(json, "no_sti", remedy ? remedy : metrics_reason_text(m->sti_reason));
        free(remedy);
    } else {
        cJSON_AddItemToObject(json, "modulation_transfer_indices", cJSON_CreateDoubleArray(m->mti, SPEECH_BANDS));
    }
    if (w->speech)
        cJSON_AddItemToObject(json, "speech", metrics_speech_json(m, w));
    cJSON_AddItemToObject(json, "stage_support", metrics_stage_json(r, c, m));
    return json;
}

int metrics_print_json(const struct measured_file *files, size_t count, const struct metrics_wanted *w, struct error *e)
{
    cJSON *json = cJSON_CreateObject(), *array = cJSON_AddArrayToObject(json, "files");
    for (size_t i = 0; i < count; i++) {
        const struct recording *r = &files[i].recording;
        cJSON *file = cJSON_CreateObject();
        cJSON_AddStringToObject(file, "file", files[i].path);
        if (r->source)
            cJSON_AddStringToObject(file, "source", r->source);
        cJSON_AddNumberToObject(file, "rate", r->audio.rate);
        cJSON_AddNumberToObject(file, "frames", (double)r->audio.frames);
        cJSON *band = cJSON_AddObjectToObject(file, "valid_band");
        cJSON_AddNumberToObject(band, "low", r->valid_low);
        cJSON_AddNumberToObject(band, "high", r->valid_high);
        cJSON_AddBoolToObject(file, "calibrated", r->calibrated);
        if (r->note)
            cJSON_AddStringToObject(file, "note", r->note);
        cJSON *channels = cJSON_AddArrayToObject(file, "channels");
        for (size_t c = 0; c < r->audio.channels; c++)
            cJSON_AddItemToArray(channels, channel_json(r, c, &files[i].channel[c], w));
        cJSON_AddItemToArray(array, file);
    }
    return json_print(json, e);
}
