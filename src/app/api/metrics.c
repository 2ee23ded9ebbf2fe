/* SPDX-License-Identifier: MIT */
/* Acoustic parameters of responses, files and samples. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "app/api/handles.h"
#include "base/text.h"
#include "dsp/measure/findings.h"
#include "dsp/measure/metrics_table.h"
#include "dsp/measure/recording.h"
#include "room/targets/targets.h"

_Static_assert(AULA_SPEECH_OCTAVES == SPEECH_BANDS, "aula.h and the metrics have the same octaves of speech");
_Static_assert(AULA_OCTAVES == METRICS_OCTAVES && AULA_BROAD_BAND == METRICS_BROAD,
               "aula.h and the metrics have the same bands");

void aula_metrics_close(struct aula_metrics *m)
{
    if (!m)
        return;
    for (size_t c = 0; m->sti_missing && c < m->channels; c++)
        free(m->sti_missing[c]);
    free(m->sti_missing);
    free(m->channel);
    free(m->note);
    free(m->json);
    free(m);
}

/* Appends lines to *note, which may be NULL. */
static int join(char **note, char *const *lines, size_t count, struct error *e)
{
    for (size_t i = 0; i < count; i++) {
        char *joined = *note ? text_format("%s; %s", *note, lines[i]) : text_copy(lines[i]);
        if (!joined)
            return fail(e, ERROR_MEMORY, "out of memory");
        free(*note);
        *note = joined;
    }
    return 0;
}

static int add_findings(struct aula_metrics *m, const struct audio *a, struct error *e)
{
    struct measured_findings f;
    const int status = measured_findings_make(&f, m->channel, m->channels, (double)a->frames / a->rate, e) ||
                       join(&m->note, f.warnings, f.warning_count, e) || join(&m->note, f.notes, f.note_count, e);
    measured_findings_free(&f);
    return status ? -1 : 0;
}

int metrics_of_recording(struct call *call, struct aula_metrics **out, const struct recording *r, const char *note,
                         const char *name)
{
    struct error *e = &call->error;
    const size_t channels = r->audio.channels;
    const struct metrics_settings settings = recording_settings(r);
    struct aula_metrics *m = calloc(1, sizeof *m);
    if (!m)
        return fail(e, ERROR_MEMORY, "out of memory");
    m->channels = channels;
    m->channel = calloc(channels, sizeof *m->channel);
    m->sti_missing = calloc(channels, sizeof *m->sti_missing);
    m->note = note ? text_copy(note) : NULL;
    m->facts = (struct recording){.audio.channels = channels,
                                  .is_signal = r->is_signal,
                                  .calibrated = r->calibrated,
                                  .volume = r->volume,
                                  .sound_speed = r->sound_speed,
                                  .space.ears = r->space.ears};
    memcpy(m->facts.space.receiver, r->space.receiver, sizeof m->facts.space.receiver);
    int status = m->channel && m->sti_missing && !m->note == !note ? 0 : fail(e, ERROR_MEMORY, "out of memory");
    status = status || recording_measure(m->channel, r, &settings, name, e) || add_findings(m, &r->audio, e) ? -1 : 0;
    for (size_t c = 0; !status && c < channels; c++) {
        if (!(m->sti_missing[c] = recording_speech_remedy(r, &m->channel[c])))
            status = fail(e, ERROR_MEMORY, "out of memory");
    }
    if (status) {
        aula_metrics_close(m);
        return -1;
    }
    *out = m;
    return 0;
}

/* The recording that reading the written response would yield. It owns nothing; its note is in *note. */
static struct recording recording_of(const struct aula_response *response, const char **note)
{
    const struct rendering *rendering = &response->rendering;
    const struct response *r = &rendering->response;
    const struct model *model = response->model;
    const double strength = fabs(model->room->sources[rendering->first].gain);
    const double valid = hybrid_valid_to(model, &rendering->halves);
    double band[2];
    aula_response_band(response, band);
    const char *why = recording_uncalibrated(r->is_filter, rendering->count > 1, strength);
    *note = why;
    return (struct recording){
        .audio = {.samples = r->samples, .channels = r->channels, .frames = r->frames, .rate = r->rate},
        .described = true,
        .valid_low = band[0],
        .valid_high = band[1],
        .grid_valid = valid,
        .is_signal = !r->is_filter,
        .noiseless = r->is_filter,
        .calibrated = !why,
        .scale = 1.0 / strength,
        .volume = model->space.volume,
        .sound_speed = model->grid.sound_speed,
        .delay = r->band.delay[0],
    };
}

static int measure_response(struct call *call, struct aula_metrics **out, const struct aula_response *response)
{
    if (!out)
        return call_refuse_null(call, "metrics", "the address of a pointer");
    *out = NULL;
    if (!response)
        return call_refuse_null(call, "response", "a response of aula_render");
    const char *note;
    const struct recording recording = recording_of(response, &note);
    return metrics_of_recording(call, out, &recording, note, "response");
}

int aula_metrics_of_response(struct aula_metrics **metrics, const struct aula_response *response,
                             struct aula_error *error)
{
    struct call call;
    if (call_begin(&call, error))
        return -1;
    return call_end(&call, measure_response(&call, metrics, response));
}

/* The recording owns nothing, and `samples` are only read. */
static int measure_samples(struct call *call, struct aula_metrics **out, const double *samples, size_t channels,
                           size_t frames, double rate)
{
    static const char note[] = "the whole band counts as valid, and G is missing because the level is not calibrated";
    if (!out)
        return call_refuse_null(call, "metrics", "the address of a pointer");
    *out = NULL;
    if (call_check_samples(call, "samples", samples, channels, frames, rate))
        return -1;
    const struct recording recording = {
        .audio = {.samples = (double *)samples, .channels = channels, .frames = frames, .rate = rate},
        .valid_high = 0.5 * rate,
        .scale = 1.0};
    return metrics_of_recording(call, out, &recording, note, "samples");
}

int aula_metrics_of_samples(struct aula_metrics **metrics, const double *samples, size_t channels, size_t frames,
                            double rate, struct aula_error *error)
{
    struct call call;
    if (call_begin(&call, error))
        return -1;
    return call_end(&call, measure_samples(&call, metrics, samples, channels, frames, rate));
}

static int measure_file(struct call *call, struct aula_metrics **out, const char *path)
{
    struct recording recording;
    if (!out)
        return call_refuse_null(call, "metrics", "the address of a pointer");
    *out = NULL;
    if (call_check_text(call, path, "path", "the name of a sound file") ||
        recording_read(&recording, path, &call->error))
        return -1;
    const int status = metrics_of_recording(call, out, &recording, recording.note, path);
    recording_free(&recording);
    return status;
}

int aula_metrics_of_file(struct aula_metrics **metrics, const char *path, struct aula_error *error)
{
    struct call call;
    if (call_begin(&call, error))
        return -1;
    return call_end(&call, measure_file(&call, metrics, path));
}

const char *aula_metrics_note(const struct aula_metrics *metrics)
{
    return metrics ? metrics->note : NULL;
}

size_t aula_metrics_channels(const struct aula_metrics *metrics)
{
    return metrics ? metrics->channels : 0;
}

double aula_metrics_arrival(const struct aula_metrics *metrics, size_t channel)
{
    return channel < aula_metrics_channels(metrics) ? metrics->channel[channel].arrival : NAN;
}

/* NULL beyond the last. */
static const struct metrics_band *band_of(const struct aula_metrics *metrics, size_t channel, size_t band)
{
    return channel < aula_metrics_channels(metrics) && band < METRICS_BANDS ? &metrics->channel[channel].band[band]
                                                                            : NULL;
}

enum aula_validity aula_metrics_validity(const struct aula_metrics *metrics, size_t channel, size_t band)
{
    const struct metrics_band *b = band_of(metrics, channel, band);
    if (!b || b->validity == METRICS_OUTSIDE)
        return AULA_OUTSIDE;
    return b->validity == METRICS_PARTLY ? AULA_PARTLY : AULA_VALID;
}

/* NULL for a number without a metric. */
static const struct metric *metric_of(enum aula_metric metric)
{
    return metric_of_number((size_t)metric);
}

const char *aula_metric_name(enum aula_metric metric)
{
    const struct metric *named = metric_of(metric);
    return named ? named->public.name : NULL;
}

const char *aula_metric_unit(enum aula_metric metric)
{
    const struct metric *named = metric_of(metric);
    return named ? named->public.unit : NULL;
}

const char *aula_metric_meaning(enum aula_metric metric)
{
    const struct metric *named = metric_of(metric);
    return named ? named->public.meaning : NULL;
}

double aula_metrics_value(const struct aula_metrics *metrics, size_t channel, size_t band, enum aula_metric metric)
{
    const struct metrics_band *b = band_of(metrics, channel, band);
    const struct metric *wanted = metric_of(metric);
    return b && wanted ? metric_of_band(wanted, b) : NAN;
}

const char *aula_metrics_missing(const struct aula_metrics *metrics, size_t channel, size_t band,
                                 enum aula_metric metric)
{
    const struct metrics_band *b = band_of(metrics, channel, band);
    const struct metric *wanted = metric_of(metric);
    if (!b || !wanted)
        return NULL;
    if (!isnan(metric_of_band(wanted, b)))
        return "";
    if (wanted->optional)
        return "not defined for this receiver or band; use a file with a directional receiver";
    const enum metrics_reason reason = metric_reason(wanted, b);
    return reason || metric != AULA_G ? metrics_reason_text(reason) : "the level is not calibrated";
}

double aula_metrics_sti(const struct aula_metrics *metrics, size_t channel)
{
    return channel < aula_metrics_channels(metrics) ? metrics->channel[channel].sti : NAN;
}

const char *aula_metrics_sti_missing(const struct aula_metrics *metrics, size_t channel)
{
    return channel < aula_metrics_channels(metrics) ? metrics->sti_missing[channel] : NULL;
}

static int take_levels(struct call *call, double to[SPEECH_BANDS], const double *from, const char *name)
{
    static const double lowest = -100.0, highest = 200.0; /* dB */
    for (int k = 0; k < SPEECH_BANDS; k++) {
        to[k] = from[k];
        if (!(from[k] >= lowest && from[k] <= highest))
            return fail(&call->error, ERROR_USAGE, "%s: %g in octave %d of %d; must be a level from %g to %g dB", name,
                        from[k], k + 1, SPEECH_BANDS, lowest, highest);
    }
    return 0;
}

static int take_conditions(struct call *call, struct metrics_conditions *c, const struct aula_speech *speech)
{
    double level[SPEECH_BANDS];
    if (call_check_reserved(call, speech->reserved, sizeof speech->reserved / sizeof *speech->reserved, "speech"))
        return -1;
    *c = (struct metrics_conditions){.voice = speech->female ? METRICS_FEMALE : METRICS_MALE,
                                     .at_one_metre = speech->at_one_metre != 0,
                                     .unmasked = speech->unmasked != 0};
    for (int k = 0; k < SPEECH_BANDS; k++) {
        level[k] = speech->level;
        c->noise[k] = -INFINITY;
    }
    if (speech->noise && take_levels(call, c->noise, speech->noise, "noise"))
        return -1;
    if (speech->speech)
        return take_levels(call, c->speech, speech->speech, "speech");
    if (take_levels(call, c->speech, level, "level"))
        return -1;
    metrics_speech_spectrum(c->speech, c->voice, speech->level);
    return 0;
}

static int measure_speech(struct call *call, double *sti, double octaves[SPEECH_BANDS],
                          const struct aula_metrics *metrics, size_t channel, const struct aula_speech *speech)
{
    struct metrics_conditions conditions;
    struct metrics_speech s;
    for (int k = 0; octaves && k < SPEECH_BANDS; k++)
        octaves[k] = NAN;
    if (!sti)
        return call_refuse_null(call, "sti", "the address of a number");
    *sti = NAN;
    if (!metrics)
        return call_refuse_null(call, "metrics", "the metrics of aula_metrics_of_file");
    if (!speech)
        return call_refuse_null(call, "speech", "the conditions of the speech");
    if (channel >= metrics->channels)
        return fail(&call->error, ERROR_USAGE, "channel %zu: there are only %zu channels, counted from 0", channel,
                    metrics->channels);
    if (take_conditions(call, &conditions, speech))
        return -1;
    metrics_speech(&s, &metrics->channel[channel], &conditions);
    if (s.reason)
        return fail(&call->error, ERROR_INPUT, "no speech transmission index: %s", metrics_reason_text(s.reason));
    *sti = s.sti;
    if (octaves)
        memcpy(octaves, s.mti, sizeof s.mti);
    return 0;
}

int aula_metrics_speech(double *sti, double octaves[AULA_SPEECH_OCTAVES], const struct aula_metrics *metrics,
                        size_t channel, const struct aula_speech *speech, struct aula_error *error)
{
    struct call call;
    if (call_begin(&call, error))
        return -1;
    return call_end(&call, measure_speech(&call, sti, octaves, metrics, channel, speech));
}

static struct aula_judged judged_of(const struct judged *j)
{
    static const enum aula_verdict verdicts[] = {
        [VERDICT_PASS] = AULA_PASS,
        [VERDICT_FAIL] = AULA_FAIL,
        [VERDICT_UNKNOWN] = AULA_INCOMPLETE,
        [VERDICT_NONE] = AULA_NOT_JUDGED,
    };
    return (struct aula_judged){verdicts[j->verdict], j->value, j->lower, j->upper, j->to_limit, j->to_target};
}

static void take_judgement(struct aula_judgement *out, const struct judgement *j)
{
    out->verdict = judged_of(&(struct judged){.verdict = j->verdict}).verdict;
    out->volume_in_range = j->covered;
    out->time = j->time;
    for (size_t b = 0; b < AULA_OCTAVES; b++)
        out->octave[b] = judged_of(&j->octave[b]);
    out->mean = judged_of(&j->mean);
    out->sti = judged_of(&j->speech);
    if (j->grade)
        memcpy(out->grade, j->grade, strlen(j->grade) + 1);
}

static int judge(struct call *call, struct aula_judgement *out, const struct aula_metrics *m, const char *name,
                 const char *file, double volume)
{
    struct target_list list = {.items = NULL};
    const struct target *target = NULL;
    struct target_room room = {.volume = volume, .noise = NAN, .sti = INFINITY};
    struct judgement j;
    _Static_assert(sizeof out->grade == TARGET_GRADE_NAME, "a grade fits");
    if (!out)
        return call_refuse_null(call, "judgement", "the address of a struct aula_judgement");
    memset(out, 0, sizeof *out);
    out->verdict = AULA_NOT_JUDGED;
    if (!m)
        return call_refuse_null(call, "metrics", "the metrics of aula_metrics_of_file");
    if (call_check_text(call, name, "target", "the name of a target, such as din18041_a3"))
        return -1;
    if (!(volume >= 0.0 && isfinite(volume)))
        return fail(&call->error, ERROR_USAGE, "volume is %g m3; must be positive, or 0 for that of the render",
                    volume);
    if (!(volume > 0.0))
        room.volume = m->facts.volume;
    room.sound_speed = m->facts.sound_speed > 0.0 ? m->facts.sound_speed : TARGET_SOUND_SPEED;
    int status = targets_read(&list, file, &call->error) || targets_find(&target, &list, name, "target", &call->error);
    if (!status && target->quantity == TARGET_TIME && !(room.volume > 0.0))
        status = fail(&call->error, ERROR_USAGE, "volume is 0, and that of the room is not known; pass it in m3");
    if (!status) {
        target_measure(room.measured, m->channel, m->channels, NULL);
        for (size_t c = 0; c < m->channels; c++) /* the lowest; NaN where one is missing */
            if (!(m->channel[c].sti >= room.sti))
                room.sti = isnan(room.sti) ? NAN : m->channel[c].sti;
        target_judge(&j, target, &room);
        take_judgement(out, &j);
    }
    targets_free(&list);
    return status ? -1 : 0;
}

int aula_metrics_judge(struct aula_judgement *judgement, const struct aula_metrics *metrics, const char *target,
                       const char *file, double volume, struct aula_error *error)
{
    struct call call;
    if (call_begin(&call, error))
        return -1;
    return call_end(&call, judge(&call, judgement, metrics, target, file, volume));
}
