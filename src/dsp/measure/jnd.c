/* SPDX-License-Identifier: MIT */
#include "dsp/measure/jnd.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* The values of ISO 3382-1:2009, Table A.1, were checked against two publications that quote it: M. Skålevik, "Room
 * acoustic parameters and their distribution over concert hall seats" (akutek.info), Table 1, for EDT, C80, G and LF or
 * LFC with their octaves; the reference report of Phonometry on ISO 3382-1 for EDT, C80, D50 and Ts. C50 and STI are of
 * the abstract of Bradley, Reich and Norcross; Galbrun and Kitapci (Applied Acoustics 81, 2014) confirm STI. */
#define ISO_TABLE "ISO 3382-1:2009, Table A.1"
#define BRADLEY "Bradley, Reich, Norcross: Applied Acoustics 58 (1999) 99-108"
#define AS_EDT "taken as that of EDT; ISO 3382-1 lists EDT alone"
#define IACC_STEP "often quoted; no source was checked"

enum { AT_125 = 1, AT_500 = 3 }; /* octaves */

/* clang-format off */
const struct jnd jnds[] = {
    {"edt", 0.05, true, JND_STANDARD, ISO_TABLE, JND_MEAN, AT_500, 2, "longer early decay", "shorter early decay"},
    {"t20", 0.05, true, JND_ASSUMED, AS_EDT, JND_MEAN, AT_500, 2, NULL, NULL},
    {"t30", 0.05, true, JND_ASSUMED, AS_EDT, JND_MEAN, AT_500, 2, "longer late decay", "shorter late decay"},
    {"c50", 1.1, false, JND_PAPER, BRADLEY, JND_MEAN, AT_500, 2, NULL, NULL},
    {"c80", 1.0, false, JND_STANDARD, ISO_TABLE, JND_MEAN, AT_500, 2, "clearer", "less clear"},
    {"d50", 0.05, false, JND_STANDARD, ISO_TABLE, JND_MEAN, AT_500, 2, NULL, NULL},
    {"ts", 0.01, false, JND_STANDARD, ISO_TABLE, JND_MEAN, AT_500, 2, NULL, NULL},
    {"g", 1.0, false, JND_STANDARD, ISO_TABLE, JND_MEAN, AT_500, 2, "louder", "quieter"},
    {"lf", 0.05, false, JND_STANDARD, ISO_TABLE, JND_MEAN, AT_125, 4, "wider", "narrower"},
    {"lfc", 0.05, false, JND_STANDARD, ISO_TABLE, JND_MEAN, AT_125, 4, NULL, NULL},
    {"lg", 1.0, false, JND_ASSUMED, "taken as that of G", JND_MEAN_ENERGY, AT_125, 4, NULL, NULL},
    {"iacc_early", 0.075, false, JND_ASSUMED, IACC_STEP, JND_MEAN, AT_500, 3, "narrower", "wider"},
    {"iacc_late", 0.075, false, JND_ASSUMED, IACC_STEP, JND_MEAN, AT_500, 3, NULL, NULL},
    {"iacc", 0.075, false, JND_ASSUMED, IACC_STEP, JND_MEAN, AT_500, 3, NULL, NULL},
    {"sti", 0.03, false, JND_PAPER, BRADLEY, JND_WHOLE, 0, 0, "more intelligible", "less intelligible"},
};
/* clang-format on */
const size_t jnd_count = sizeof jnds / sizeof *jnds;

const struct jnd *jnd_find(const char *name)
{
    for (size_t i = 0; i < jnd_count; i++)
        if (!strcmp(jnds[i].name, name))
            return &jnds[i];
    return NULL;
}

const struct metric *jnd_metric(const struct jnd *jnd)
{
    for (size_t i = 0; jnd->mean == JND_WHOLE && i < single_metric_count; i++)
        if (!strcmp(single_metrics[i].name, jnd->name))
            return &single_metrics[i];
    return metric_find(jnd->name);
}

double jnd_steps(const struct jnd *jnd, double first, double second)
{
    if (jnd->relative && !(first > 0.0))
        return NAN;
    return (second - first) / (jnd->relative ? jnd->step * first : jnd->step);
}

double jnd_single(const struct jnd *jnd, const struct metrics *metrics)
{
    const struct metric *metric = jnd_metric(jnd);
    double sum = 0.0;
    if (jnd->mean == JND_WHOLE)
        return metric_of_response(metric, metrics);
    for (size_t i = jnd->first; i < jnd->first + jnd->count; i++) {
        const double value = metric_of_band(metric, &metrics->band[i]);
        if (metrics->band[i].validity != METRICS_VALID)
            return NAN;
        sum += jnd->mean == JND_MEAN_ENERGY ? pow(10.0, 0.1 * value) : value;
    }
    sum /= (double)jnd->count;
    return jnd->mean == JND_MEAN_ENERGY ? 10.0 * log10(sum) : sum;
}

const char *jnd_octaves(char text[JND_OCTAVES_TEXT], const struct jnd *jnd)
{
    static const char *const names[METRICS_OCTAVES] = {"63 Hz", "125 Hz", "250 Hz", "500 Hz",
                                                       "1 kHz", "2 kHz",  "4 kHz",  "8 kHz"};
    if (jnd->mean == JND_WHOLE)
        snprintf(text, JND_OCTAVES_TEXT, "the whole response");
    else
        snprintf(text, JND_OCTAVES_TEXT, "%s %s %s", names[jnd->first], jnd->count == 2 ? "and" : "to",
                 names[jnd->first + jnd->count - 1]);
    return text;
}

const char *jnd_step_text(char text[JND_STEP_TEXT], const struct jnd *jnd)
{
    const struct metric_format *format = &jnd_metric(jnd)->text;
    const char *unit = jnd->relative ? "%" : format->unit, *assumed = jnd->origin == JND_ASSUMED ? " (assumed)" : "";
    snprintf(text, JND_STEP_TEXT, "%g%s%s%s", jnd->step * (jnd->relative ? 100.0 : format->scale), *unit ? " " : "",
             unit, assumed);
    return text;
}

const char *jnd_origin_name(enum jnd_origin origin)
{
    static const char *const names[] = {"standard", "paper", "assumed"};
    return names[origin];
}
