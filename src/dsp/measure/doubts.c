/* SPDX-License-Identifier: MIT */
#include "dsp/measure/doubts.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

static const cJSON *member(const cJSON *json, const char *group, const char *name)
{
    return cJSON_GetObjectItemCaseSensitive(cJSON_GetObjectItemCaseSensitive(json, group), name);
}

static double number(const cJSON *item)
{
    return cJSON_IsNumber(item) ? item->valuedouble : NAN;
}

/* The octave of a centre frequency, or of its third octave; METRICS_OCTAVES for others, such as broad band. */
static size_t octave_of(double centre)
{
    const double octave = round(log2(centre / 1000.0)) + 4.0;
    return octave >= 0.0 && octave < METRICS_OCTAVES ? (size_t)octave : METRICS_OCTAVES;
}

static void take_eyring(struct doubts *d, const cJSON *json)
{
    const cJSON *centres = member(json, "space", "octave_bands"), *times = member(json, "space", "eyring");
    for (int i = 0; i < cJSON_GetArraySize(centres); i++) {
        const size_t octave = octave_of(number(cJSON_GetArrayItem(centres, i)));
        if (octave < METRICS_OCTAVES)
            d->eyring[octave] = number(cJSON_GetArrayItem(times, i));
    }
}

/* Lists the first TOLD names and counts the rest. */
static int take_materials(struct doubts *d, const cJSON *names)
{
    enum { TOLD = 5 };
    struct growing_text text = {0};
    const int count = cJSON_GetArraySize(names);
    char shown[QUOTED];
    if (!count)
        return 0;
    for (int i = 0; i < count && i < TOLD; i++) {
        const char *name = cJSON_GetStringValue(cJSON_GetArrayItem(names, i));
        growing_text_add(&text, "%s%s", i ? ", " : "", quoted(shown, name ? name : ""));
    }
    if (count > TOLD)
        growing_text_add(&text, " and %d more", count - TOLD);
    d->materials = growing_text_take(&text, NULL);
    return d->materials ? 0 : -1;
}

static struct half_pair half_pair_of(const cJSON *decay, const char *name)
{
    return (struct half_pair){number(member(decay, name, "waves")), number(member(decay, name, "rays"))};
}

const cJSON *json_hybrid(const cJSON *json)
{
    const cJSON *hybrid = cJSON_GetObjectItemCaseSensitive(json, "hybrid");
    return hybrid ? hybrid : cJSON_GetObjectItemCaseSensitive(json, "band");
}

int doubts_take(struct doubts *d, const cJSON *json)
{
    const cJSON *hybrid = json_hybrid(json), *decay = cJSON_GetObjectItemCaseSensitive(hybrid, "decay");
    const double from = number(member(hybrid, "rays", "from")), alone = number(member(hybrid, "rays", "alone_from"));
    *d = (struct doubts){.from = from > 0.0 ? from : 0.0, .alone = alone};
    d->octave = number(cJSON_GetObjectItemCaseSensitive(decay, "octave"));
    d->t30 = half_pair_of(decay, "t30");
    d->edt = half_pair_of(decay, "edt");
    d->c80 = half_pair_of(decay, "c80");
    for (size_t b = 0; b < METRICS_OCTAVES; b++)
        d->eyring[b] = NAN;
    take_eyring(d, json);
    return take_materials(d, cJSON_GetObjectItemCaseSensitive(hybrid, "default_scattering"));
}

void doubts_free(struct doubts *d)
{
    free(d->materials);
    *d = (struct doubts){.from = 0.0};
}

bool halves_are_apart(const struct half_pair *t30, const struct half_pair *edt, const struct half_pair *c80)
{
    return fabs(t30->rays / t30->waves - 1.0) > DOUBT_DECAYS_APART ||
           fabs(edt->rays / edt->waves - 1.0) > DOUBT_DECAYS_APART ||
           fabs(c80->rays - c80->waves) > DOUBT_CLARITY_APART;
}

/* Whether the halves differ and the band lies at most one octave above the end of the waves. */
static bool halves_doubt(const struct doubts *d, const struct metrics_band *band)
{
    const bool near = !(band->centre > 2.0 * d->alone * (1.0 + 1e-6));
    return near && halves_are_apart(&d->t30, &d->edt, &d->c80);
}

unsigned doubts_of(const struct doubts *d, const struct metrics_band *band)
{
    if (!(d->from > 0.0 && band->high > d->from * (1.0 + 1e-6)) || band->validity == METRICS_OUTSIDE)
        return 0;
    const size_t octave = band->centre > 0.0 ? octave_of(band->centre) : METRICS_OCTAVES;
    const double late = isfinite(band->t30.time) ? band->t30.time : band->t20.time;
    const double eyring = octave < METRICS_OCTAVES ? d->eyring[octave] : NAN;
    const bool slow = d->materials && late > DOUBT_ABOVE_EYRING * eyring;
    return (halves_doubt(d, band) ? DOUBT_HALVES : 0) | (slow ? DOUBT_SCATTERING : 0);
}

unsigned doubts_of_single(const struct doubts *d, const struct metrics *m, const struct metric *single)
{
    unsigned found = 0;
    for (size_t b = single->rests.first; b < single->rests.first + single->rests.count; b++)
        found |= doubts_of(d, &m->band[b]);
    return found;
}

const char *doubt_name(enum doubt doubt)
{
    return doubt == DOUBT_HALVES ? "halves" : "scattering";
}

const char *doubt_names(unsigned doubts)
{
    static const char *const names[DOUBTS_END] = {"", "halves", "scattering", "halves scattering"};
    return names[doubts % DOUBTS_END];
}

char *halves_text(struct half_pair t30, struct half_pair edt, struct half_pair c80)
{
    const struct half_pair pairs[] = {t30, edt, c80};
    static const char *const names[] = {"T30", "EDT", "C80"};
    char text[3][96] = {"", "", ""};
    const char *before = "";
    for (int i = 0; i < 3; i++) {
        const char *unit = i < 2 ? "s" : "dB";
        if (!isfinite(pairs[i].waves) || !isfinite(pairs[i].rays))
            continue;
        snprintf(text[i], sizeof text[i], "%s%s %.*f %s%s, %.*f %s%s", before, names[i], i < 2 ? 2 : 1, pairs[i].rays,
                 unit, *before ? "" : " from image sources and rays", i < 2 ? 2 : 1, pairs[i].waves, unit,
                 *before ? "" : " from the wave solver");
        before = "; ";
    }
    return text_format("%s%s%s", text[0], text[1], text[2]);
}

char *doubt_text(const struct doubts *d, enum doubt doubt)
{
    if (doubt == DOUBT_HALVES) {
        char *halves = halves_text(d->t30, d->edt, d->c80);
        char *text = halves ? text_format("the halves differ in the %.0f Hz octave (%s); the error may be as large up "
                                          "to one octave above the crossover",
                                          d->octave, halves)
                            : NULL;
        free(halves);
        return text;
    }
    return text_format("T30 exceeds %g times the Eyring value and depends on the default scattering of %s; set the "
                       "scattering coefficients",
                       DOUBT_ABOVE_EYRING, d->materials);
}
