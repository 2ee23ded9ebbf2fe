/* SPDX-License-Identifier: MIT */
/* Figures of responses, and sounds that go through them. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "use_aula.h"

void refuse_metrics(void)
{
    struct aula_metrics *metrics = NULL;
    check_refused(aula_metrics_of_response(&metrics, NULL, &error) && !metrics, "response is NULL",
                  "metrics of nothing");
    check_refused(aula_metrics_of_response(NULL, NULL, &error), "metrics is NULL", "no place for figures");
    check_refused(aula_metrics_of_file(&metrics, NULL, &error) && !metrics, "path is NULL", "figures of no file");
    check_refused(aula_metrics_of_file(&metrics, "", &error) && !metrics, "path is empty", "nor of an empty name");
    check_refused(aula_metrics_of_file(NULL, "x.wav", &error), "metrics is NULL", "no place for figures of a file");
    check_refused(aula_metrics_of_file(&metrics, "no such.wav", &error) && !metrics, "no such.wav", "a missing file");
    check(!aula_metrics_channels(NULL) && !aula_metrics_note(NULL), "no metrics");
    check(isnan(aula_metrics_arrival(NULL, 0)) && isnan(aula_metrics_sti(NULL, 0)), "of nothing");
    check(isnan(aula_metrics_value(NULL, 0, 0, AULA_T30)) && !aula_metrics_missing(NULL, 0, 0, AULA_T30), "at all");
    check(!aula_metrics_sti_missing(NULL, 0) && aula_metrics_validity(NULL, 0, 0) == AULA_OUTSIDE, "nor valid");
    double sti = 0.5, octaves[AULA_SPEECH_OCTAVES] = {0};
    struct aula_speech speech;
    memset(&speech, 0, sizeof speech);
    speech.level = 60.0;
    check_refused(aula_metrics_speech(&sti, octaves, NULL, 0, &speech, &error) && isnan(sti) && isnan(octaves[6]),
                  "metrics is NULL", "no index of no metrics");
    check_refused(aula_metrics_speech(NULL, NULL, NULL, 0, &speech, &error), "sti is NULL", "no place for an index");
    struct aula_judgement judgement;
    check_refused(aula_metrics_judge(NULL, NULL, "din18041_a3", NULL, 0.0, &error), "judgement is NULL",
                  "no place for a verdict");
    check_refused(aula_metrics_judge(&judgement, NULL, "din18041_a3", NULL, 0.0, &error) &&
                      judgement.verdict == AULA_NOT_JUDGED,
                  "metrics is NULL", "no verdict about no metrics");
    aula_metrics_close(NULL);
}

/* How many there are; each has a unit and a meaning. */
static int use_names_of_metrics(void)
{
    int count = 0;
    while (aula_metric_name((enum aula_metric)count)) {
        const char *meaning = aula_metric_meaning((enum aula_metric)count);
        check(aula_metric_unit((enum aula_metric)count) && meaning && *meaning, "a metric has a unit and a meaning");
        count++;
    }
    check(!aula_metric_unit((enum aula_metric)count) && !aula_metric_meaning((enum aula_metric)count),
          "and none beyond the last");
    check(!strcmp(aula_metric_name(AULA_T30), "T30") && !strcmp(aula_metric_unit(AULA_T30), "s"), "such as T30");
    return count;
}

/* No index of so narrow a band, for that reason and no other. */
static void use_speech(const struct aula_metrics *metrics, size_t channels)
{
    double sti = 0.5, noise[AULA_SPEECH_OCTAVES] = {45.0, 40.0, 35.0, 30.0, 25.0, 20.0, 15.0};
    struct aula_speech speech;
    memset(&speech, 0, sizeof speech);
    speech.level = 60.0;
    speech.noise = noise;
    check_refused(aula_metrics_speech(&sti, NULL, metrics, 0, &speech, &error) && isnan(sti),
                  "no speech transmission index: the band lies outside", "no index of so narrow a band");
    check_refused(aula_metrics_speech(&sti, NULL, metrics, channels, &speech, &error), "channel ",
                  "nor beyond the last");
    check_refused(aula_metrics_speech(&sti, NULL, metrics, 0, NULL, &error), "speech is NULL", "nor of no speech");
    noise[3] = 300.0;
    check_refused(aula_metrics_speech(&sti, NULL, metrics, 0, &speech, &error), "noise: 300", "nor of such noise");
    speech.noise = NULL;
    speech.level = NAN;
    check_refused(aula_metrics_speech(&sti, NULL, metrics, 0, &speech, &error), "level", "nor of no level");
    speech.level = 60.0;
    speech.reserved[2] = noise;
    check_refused(aula_metrics_speech(&sti, NULL, metrics, 0, &speech, &error), "speech.reserved", "nor unzeroed");
}

/* A response does not differ from its own file, and differences are by receiver and octave. */
static void use_differences(const struct aula_metrics *here, const struct aula_metrics *there, size_t channels)
{
    size_t compared = 0, explained = 0, differing = 0;
    check(aula_jnd(AULA_C80, -3.0) == 1.0 && fabs(aula_jnd(AULA_EDT, 2.0) - 0.1) < 1e-12, "JND, absolute and relative");
    check(isnan(aula_jnd(AULA_RANGE, 1.0)) && !aula_jnd_source(AULA_RANGE) && !aula_jnd_source((enum aula_metric)99),
          "none of a parameter without one");
    check(strstr(aula_jnd_source(AULA_C80), "ISO 3382-1") && strstr(aula_jnd_source(AULA_C50), "Bradley"),
          "their sources");
    for (size_t c = 0; c < channels; c++)
        for (size_t band = 0; band < AULA_OCTAVES; band++) {
            const double steps = aula_metrics_compare(here, c, there, c, band, AULA_C80);
            const char *why = aula_metrics_compare_missing(here, c, there, c, band, AULA_C80);
            compared += steps == 0.0 && why && !*why;
            explained += isnan(steps) && why && *why;
            differing += !(isnan(steps) || steps == 0.0);
        }
    check(compared > 0 && explained > 0 && !differing && compared + explained == channels * AULA_OCTAVES,
          "no difference from itself, or the reason why there is none");
    check(isnan(aula_metrics_single(here, 0, AULA_T30)) &&
              strstr(aula_metrics_compare_missing(here, 0, there, 0, AULA_SINGLE_NUMBER, AULA_T30), "valid band"),
          "no single number of so narrow a band, and why");
    check(isnan(aula_metrics_compare_sti(here, 0, there, 0)), "nor an STI");
    check(isnan(aula_metrics_compare(here, channels, there, 0, 1, AULA_C80)) &&
              isnan(aula_metrics_compare(NULL, 0, there, 0, 1, AULA_C80)) &&
              !aula_metrics_compare_missing(here, 0, there, 0, AULA_BROAD_BAND, AULA_C80),
          "nothing beyond the last");
    if (channels > 1)
        check(aula_metrics_compare(here, 0, there, 1, 1, AULA_C80) ==
                  aula_metrics_value(there, 1, 1, AULA_C80) - aula_metrics_value(here, 0, 1, AULA_C80),
              "another receiver differs by its C80");
}

/* The octave of 63 Hz of so narrow a band is judged, and no other. */
static void use_targets(const struct aula_metrics *metrics)
{
    struct aula_judgement j, k;
    check(!aula_metrics_judge(&j, metrics, "din18041_a3", NULL, 0.0, &error), "a verdict");
    check(j.verdict == AULA_INCOMPLETE || j.verdict == AULA_FAIL, "the octaves beyond are missing");
    check(j.octave[7].verdict == AULA_INCOMPLETE && isnan(j.octave[7].value), "such as that of 8 kHz");
    check(!aula_metrics_judge(&k, metrics, "din18041_a3", NULL, 180.0, &error), "of another volume");
    check(k.volume_in_range && fabs(k.time - 0.5516872) < 1e-6, "the target is 0.32 lg 180 - 0.17 s");
    check_refused(aula_metrics_judge(&j, metrics, "din18041_a33", NULL, 0.0, &error), "did you mean din18041_a3?",
                  "no such target");
    check_refused(aula_metrics_judge(&j, metrics, NULL, NULL, 0.0, &error), "target is NULL", "nor none");
    check_refused(aula_metrics_judge(&j, metrics, "din18041_a3", NULL, -1.0, &error), "volume is -1",
                  "nor of no volume");
    check_refused(aula_metrics_judge(&j, metrics, "din18041_a3", "no such.cfg", 0.0, &error), "no such.cfg",
                  "nor of a missing file");
}

/* No level of speech in so narrow a band, for that reason and no other. */
static void use_open_plan(const struct aula_metrics *metrics, size_t channels)
{
    const double noise[8] = {45.0, 40.0, 35.0, 30.0, 25.0, 20.0, 15.0, 10.0};
    struct aula_open_plan_place places[2], wrong;
    struct aula_open_plan *plan = NULL;
    memset(places, 0, sizeof places);
    for (size_t i = 0; i < 2; i++) {
        places[i].metrics = metrics;
        places[i].distance = 2.0 + (double)i;
    }
    if (aula_open_plan_make(&plan, places, 2, noise, 8, &error))
        give_up(&error);
    check(aula_open_plan_count(plan) == 2 && isnan(aula_open_plan_level(plan, 0)), "a place without a level");
    check(strstr(aula_open_plan_place_missing(plan, 0), "band") && isnan(aula_open_plan_sti(plan, 1)), "and why");
    check(isnan(aula_open_plan_value(plan, AULA_DECAY_RATE)) &&
              strstr(aula_open_plan_missing(plan, AULA_COMFORT_DISTANCE), "fewer than 4 places"),
          "too few places");
    check(fabs(aula_open_plan_value(plan, AULA_BACKGROUND_LEVEL) - 32.39) < 0.05 &&
              !*aula_open_plan_missing(plan, AULA_BACKGROUND_LEVEL),
          "the A-weighted level of the noise");
    check(strstr(aula_open_plan_warning(plan, 0), "at least 4 places") && !aula_open_plan_warning(plan, 9),
          "a warning");
    check(isnan(aula_open_plan_level(plan, 2)) && isnan(aula_open_plan_octave(plan, 0, AULA_SPEECH_OCTAVES)) &&
              !aula_open_plan_place_missing(plan, 2) && !aula_open_plan_missing(plan, (enum aula_open_plan_value)6),
          "nothing beyond the last");
    aula_open_plan_close(plan);
    check_refused(aula_open_plan_make(&plan, places, 2, noise, 6, &error) && !plan, "noise has 6 levels", "7 or 8");
    check_refused(aula_open_plan_make(&plan, places, 2, NULL, 7, &error) && !plan, "noise has 0 levels", "nor NULL");
    check_refused(aula_open_plan_make(&plan, places, 0, NULL, 0, &error) && !plan, "count is 0", "no places");
    wrong = places[0];
    wrong.channel = channels;
    check_refused(aula_open_plan_make(&plan, &wrong, 1, NULL, 0, &error) && !plan, "places[0].channel", "no channel");
    wrong = places[0];
    wrong.distance = NAN;
    check_refused(aula_open_plan_make(&plan, &wrong, 1, NULL, 0, &error) && !plan, "places[0].distance", "no distance");
    wrong = places[0];
    wrong.reserved[3] = &wrong;
    check_refused(aula_open_plan_make(&plan, &wrong, 1, NULL, 0, &error) && !plan, "places[0].reserved", "unzeroed");
    wrong.metrics = NULL;
    wrong.reserved[3] = NULL;
    check_refused(aula_open_plan_make(&plan, &wrong, 1, NULL, 0, &error) && !plan, "places[0].metrics", "of nothing");
    check_refused(aula_open_plan_make(&plan, NULL, 1, NULL, 0, &error) && !plan, "places is NULL", "nowhere");
    check_refused(aula_open_plan_make(NULL, places, 2, NULL, 0, &error), "plan is NULL", "no place for a plan");
    check(!aula_open_plan_count(NULL) && isnan(aula_open_plan_value(NULL, AULA_LEVEL_4M)) &&
              !aula_open_plan_missing(NULL, AULA_LEVEL_4M) && !aula_open_plan_warning(NULL, 0),
          "no plan");
    aula_open_plan_close(NULL);
}

/* Figures of the response are those of the file that was written of it. */
void use_metrics(const struct aula_response *response, const char *path)
{
    struct aula_metrics *here = NULL, *there = NULL;
    size_t given = 0, missing = 0, differing = 0;
    if (aula_metrics_of_response(&here, response, &error) || aula_metrics_of_file(&there, path, &error))
        give_up(&error);
    const size_t channels = aula_response_channels(response);
    const int figures = use_names_of_metrics();
    check(aula_metrics_channels(here) == channels && aula_metrics_channels(there) == channels,
          "metrics of each channel");
    check(!aula_metrics_note(here) && !aula_metrics_note(there), "nothing is taken for granted");
    for (size_t c = 0; c < channels; c++) {
        check(aula_metrics_arrival(here, c) > 0.0 && aula_metrics_arrival(here, c) < 0.1, "sound arrives");
        check(isnan(aula_metrics_sti(here, c)) && strstr(aula_metrics_sti_missing(here, c), "8 kHz"),
              "no STI of so narrow a band, and why");
        check(aula_metrics_validity(here, c, 1) == AULA_VALID, "the octave of 125 Hz is valid");
        check(aula_metrics_validity(here, c, AULA_OCTAVES - 1) == AULA_OUTSIDE, "that of 8 kHz is not");
        for (size_t band = 0; band <= AULA_BROAD_BAND; band++)
            for (int f = 0; f < figures; f++) {
                const enum aula_metric wanted = (enum aula_metric)f;
                const double figure = aula_metrics_value(here, c, band, wanted);
                const char *why = aula_metrics_missing(here, c, band, wanted);
                differing += !same_number(figure, aula_metrics_value(there, c, band, wanted));
                given += isfinite(figure) && why && !*why;
                missing += isnan(figure) && why && *why;
            }
        const double t20 = aula_metrics_value(here, c, 1, AULA_T20), d50 = aula_metrics_value(here, c, 1, AULA_D50);
        const double c50 = aula_metrics_value(here, c, 1, AULA_C50);
        check(t20 > 0.05 && t20 < 5.0, "T20 at 125 Hz is one of a room");
        check(fabs(c50 - 10.0 * log10(d50 / (1.0 - d50))) < 1e-9, "C50 and D50 are of one energy");
    }
    check(differing == 0, "of the file the same metrics");
    check(given + missing == channels * (AULA_BROAD_BAND + 1) * (size_t)figures && given > missing / 8,
          "each metric is there, or the reason why it is not");
    check(isnan(aula_metrics_value(here, channels, 1, AULA_T20)) && !aula_metrics_missing(here, 0, 99, AULA_T20),
          "none beyond the last");
    check(isnan(aula_metrics_value(here, 0, 1, (enum aula_metric)99)), "nor of no name");
    use_differences(here, there, channels);
    use_speech(here, channels);
    use_open_plan(here, channels);
    use_targets(here);
    aula_metrics_close(here);
    aula_metrics_close(there);
}

void refuse_auralizations(const struct aula_response *response)
{
    struct aula_sound *wet = NULL;
    const struct aula_response *one[] = {response}, *none[] = {NULL};
    double dry[4] = {1.0, 0.0, 0.0, 0.0};
    check_refused(aula_auralize(NULL, one, 1, dry, 4, 8000.0, &error), "wet is NULL", "no place for a sound");
    check_refused(aula_auralize(&wet, NULL, 1, dry, 4, 8000.0, &error) && !wet, "responses is NULL", "no responses");
    check_refused(aula_auralize(&wet, none, 1, dry, 4, 8000.0, &error) && !wet, "responses[0]", "a NULL among them");
    check_refused(aula_auralize(&wet, one, 0, dry, 4, 8000.0, &error) && !wet, "0 responses", "none of them");
    check_refused(aula_auralize(&wet, one, 1, NULL, 4, 8000.0, &error) && !wet, "dry is NULL", "no dry sound");
    check_refused(aula_auralize(&wet, one, 1, dry, 0, 8000.0, &error) && !wet, "frames", "no frames");
    check_refused(aula_auralize(&wet, one, 1, dry, 4, NAN, &error) && !wet, "rate", "no rate");
    check_refused(aula_auralize(&wet, one, 1, dry, 4, -8000.0, &error) && !wet, "rate", "a negative one");
    check_refused(aula_auralize(&wet, one, 1, dry, 4, 1e9, &error) && !wet, "256", "one too far");
    dry[2] = NAN;
    check_refused(aula_auralize(&wet, one, 1, dry, 4, 8000.0, &error) && !wet, "dry[0][2]", "what is no sample");
    check(!aula_sound_channels(NULL) && !aula_sound_frames(NULL) && isnan(aula_sound_rate(NULL)), "no sound");
    check(!aula_sound_samples(NULL, 0) && !aula_sound_warning(NULL, 0), "has no samples");
    aula_sound_close(NULL);
}

/* A click in the last channel after a few frames gives the last response so much later. */
void use_auralization(struct aula_response *const *responses, size_t sources)
{
    enum { FRAMES = 50, LATE = 7 };
    double *dry = (double *)calloc(sources * FRAMES, sizeof *dry);
    const struct aula_response **given = (const struct aula_response **)calloc(sources, sizeof *given);
    struct aula_sound *wet = NULL;
    if (!dry || !given)
        exit(1);
    for (size_t s = 0; s < sources; s++)
        given[s] = responses[s];
    dry[(sources - 1) * FRAMES + LATE] = 0.5;
    if (aula_auralize(&wet, given, sources, dry, FRAMES, 8000.0, &error))
        give_up(&error);
    const size_t frames = aula_response_frames(given[0]), channels = aula_response_channels(given[0]);
    check(aula_sound_channels(wet) == channels && aula_sound_rate(wet) == 8000.0, "as many channels, at that rate");
    check(aula_sound_frames(wet) == frames + FRAMES - 1, "both lengths in a row");
    check(!aula_sound_warning(wet, 0) && !aula_sound_samples(wet, channels), "no warnings, no more channels");
    for (size_t c = 0; c < channels; c++) {
        const double *sound = aula_sound_samples(wet, c), *response = aula_response_samples(given[sources - 1], c);
        double worst = 0.0, peak = 0.0;
        for (size_t n = 0; n < frames; n++) {
            worst = fmax(worst, fabs(sound[n + LATE] - 0.5 * response[n]));
            worst = isnan(sound[n]) ? INFINITY : worst;
            peak = fmax(peak, fabs(response[n]));
        }
        check(worst <= 1e-6 * peak, "a click comes out as the response");
    }
    aula_sound_close(wet);
    wet = NULL;
    dry[(sources - 1) * FRAMES + LATE] = 0.0;
    check(!aula_auralize(&wet, given, sources, dry, FRAMES, 4000.0, NULL), "silence, at another rate");
    check(wet && aula_sound_frames(wet) == frames + 2 * FRAMES - 1, "is twice as many frames");
    check(aula_sound_warning(wet, 0) && strstr(aula_sound_warning(wet, 0), "silent"), "and is said to be silent");
    aula_sound_close(wet);
    free(given);
    free(dry);
}
