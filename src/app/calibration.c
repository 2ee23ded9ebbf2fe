/* SPDX-License-Identifier: MIT */
#include "app/calibration.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cjson/cJSON.h>

#include "base/file.h"
#include "base/output_file.h"
#include "dsp/sweep_spectrum.h"
#include "io/json_build.h"

enum { CHANNELS_MAX = 1024 };
static const double PI = 3.14159265358979323846;
static const double REFERENCE = 20e-6;                   /* Pa */
static const double WANDER_MAX = 0.2;                    /* dB */
static const double PURITY_MIN = 20.0;                   /* dB */
static const double TONE_MIN = 200.0, TONE_MAX = 1100.0; /* Hz: calibrators play 250 Hz or 1 kHz */

/* ---- The tone ---- */

/* dB between the loudest and the softest tenth of a second. */
static double wander_of(const double *samples, size_t frames, double rate)
{
    const size_t block = (size_t)(0.1 * rate);
    double most = 0.0, least = INFINITY;
    for (size_t at = 0; at + block <= frames; at += block) {
        double squares = 0.0;
        for (size_t n = at; n < at + block; n++)
            squares += samples[n] * samples[n];
        most = fmax(most, squares);
        least = fmin(least, squares);
    }
    return 10.0 * log10(most / least);
}

/* The mean square of a tone within 3 % of the strongest bin of a Hann window. */
int calibrator_tone_find(struct calibrator_tone *tone, const double *samples, size_t frames, double rate, double level,
                         struct error *e)
{
    struct sweep_spectrum spectrum = {0};
    double *window = malloc((frames + 1) * sizeof *window);
    if (!window)
        return fail(e, ERROR_MEMORY, "out of memory");
    for (size_t n = 0; n < frames; n++)
        window[n] = samples[n] * (0.5 - 0.5 * cos(2.0 * PI * ((double)n + 0.5) / (double)frames));
    const int status = sweep_spectrum_make(&spectrum, window, frames, frames, e);
    free(window);
    if (status)
        return -1;
    const double bins = (double)spectrum.length / rate;
    size_t best = (size_t)(TONE_MIN * bins);
    double power = 0.0;
    for (size_t b = best; b < (size_t)(TONE_MAX * bins) && b <= spectrum.length / 2; b++) {
        const double one = hypot(spectrum.bins[b][0], spectrum.bins[b][1]);
        if (one > power) {
            power = one;
            best = b;
        }
    }
    tone->frequency = (double)best / bins;
    const double scale = 1.0 / (0.375 * (double)frames), f = tone->frequency / rate;
    const double own = scale * sweep_spectrum_energy(&spectrum, 0.97 * f, 1.03 * f);
    const double all = scale * sweep_spectrum_energy(&spectrum, 20.0 / rate, 0.5);
    sweep_spectrum_free(&spectrum);
    tone->pascals = REFERENCE * pow(10.0, level / 20.0) / sqrt(own);
    tone->purity = 10.0 * log10(own / fmax(all - own, 1e-30));
    tone->wander = wander_of(samples, frames, rate);
    if (!(tone->purity >= PURITY_MIN))
        return fail(e, ERROR_INPUT,
                    "the recording is no calibrator tone: at %.0f Hz it is only %.0f dB above all else; put the "
                    "calibrator on the microphone, switch it on, and check the channel",
                    tone->frequency, tone->purity);
    if (!(tone->wander <= WANDER_MAX))
        return fail(e, ERROR_INPUT,
                    "the tone of the calibrator wanders by %.1f dB; seat the microphone firmly in it and wait until it "
                    "is steady",
                    tone->wander);
    return 0;
}

/* ---- The file ---- */

static const char remedy[] = "use a file that aula measure --calibrator wrote";

static int parse(cJSON **json, const char *path, struct error *e)
{
    char *text = NULL;
    if (file_read_text(path, 1 << 20, &text, e))
        return -1;
    *json = cJSON_Parse(text);
    free(text);
    if (cJSON_IsArray(cJSON_GetObjectItemCaseSensitive(*json, "calibration")))
        return 0;
    cJSON_Delete(*json);
    *json = NULL;
    return fail(e, ERROR_INPUT, "%s: is no calibration file; %s", path, remedy);
}

/* The channel that an entry calibrates, from 1; 0: not a sound entry. */
static size_t channel_of(const cJSON *entry)
{
    const cJSON *channel = cJSON_GetObjectItemCaseSensitive(entry, "channel");
    const double number = cJSON_IsNumber(channel) ? channel->valuedouble : 0.0;
    return number >= 1.0 && number <= CHANNELS_MAX && number == floor(number) ? (size_t)number : 0;
}

int calibration_write(const char *path, size_t channel, const struct calibrator_tone *tone, double level,
                      const char *device, struct error *e)
{
    cJSON *json = NULL;
    if (!access(path, F_OK) && parse(&json, path, e))
        return -1;
    if (!json) {
        json = cJSON_CreateObject();
        cJSON_AddStringToObject(json, "aula", AULA_VERSION);
        cJSON_AddArrayToObject(json, "calibration");
    }
    cJSON *list = cJSON_GetObjectItemCaseSensitive(json, "calibration");
    for (cJSON *old = list->child, *next; old; old = next) { /* by pointers: an index takes a walk along the list */
        next = old->next;
        if (channel_of(old) == channel)
            cJSON_Delete(cJSON_DetachItemViaPointer(list, old));
    }
    cJSON *entry = cJSON_CreateObject();
    cJSON_AddNumberToObject(entry, "channel", (double)channel);
    cJSON_AddNumberToObject(entry, "pascals_per_unit", tone->pascals);
    cJSON_AddNumberToObject(entry, "calibrator_level", level);
    cJSON_AddNumberToObject(entry, "frequency", tone->frequency);
    cJSON_AddStringToObject(entry, "device", device);
    cJSON_AddItemToArray(list, entry);
    char *text = json_text(json);
    const int status = text ? output_file_text(path, text, e) : fail(e, ERROR_MEMORY, "out of memory");
    free(text);
    return status;
}

int calibration_read(struct calibration *c, const char *path, size_t channels, struct error *e)
{
    cJSON *json;
    size_t count = 0;
    c->pascals = NULL;
    if (!path)
        return 0;
    if (parse(&json, path, e))
        return -1;
    c->pascals = calloc(channels, sizeof *c->pascals);
    const cJSON *entry;
    cJSON_ArrayForEach(entry, cJSON_GetObjectItemCaseSensitive(json, "calibration"))
    {
        const cJSON *value = cJSON_GetObjectItemCaseSensitive(entry, "pascals_per_unit");
        const size_t channel = channel_of(entry);
        if (!c->pascals || !channel || channel > channels)
            continue;
        if (!cJSON_IsNumber(value) || !(value->valuedouble > 0.0 && value->valuedouble < 1e9))
            continue;
        c->pascals[channel - 1] = value->valuedouble;
        count++;
    }
    cJSON_Delete(json);
    if (!c->pascals)
        return fail(e, ERROR_MEMORY, "out of memory");
    return count ? 0
                 : fail(e, ERROR_INPUT, "%s: calibrates none of the %zu channels of this recording; %s", path, channels,
                        remedy);
}

void calibration_free(struct calibration *c)
{
    if (c)
        free(c->pascals);
}
