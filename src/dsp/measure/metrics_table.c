/* SPDX-License-Identifier: MIT */
#include "dsp/measure/metrics_table.h"

#include <math.h>
#include <string.h>

#include "dsp/measure/recording.h"

#define AT(member) offsetof(struct metrics_band, member)
#define OF(member) offsetof(struct metrics, member)

const struct metric_gap metric_gaps[METRIC_GAPS] = {
    [GAP_EDT] = {"EDT", "no_edt", "edt_needs_length", AT(edt.reason), AT(edt.length), AT(shortest_edt)},
    [GAP_T20] = {"T20", "no_t20", "t20_needs_length", AT(t20.reason), AT(t20.length), AT(shortest_late)},
    [GAP_T30] = {"T30", "no_t30", "t30_needs_length", AT(t30.reason), AT(t30.length), AT(shortest_late)},
    [GAP_ENERGIES] = {"C, D, Ts, G", "no_energies", "energies_need_length", AT(reason), AT(length), AT(shortest_late)},
    [GAP_C50] = {"C50", "no_c50", NULL, AT(c50_reason), AT(length), AT(shortest_late)},
    [GAP_C80] = {"C80", "no_c80", NULL, AT(c80_reason), AT(length), AT(shortest_late)},
};

/* clang-format off */
const struct metric band_metrics[] = {
    {"EDT", "edt", AT(edt.time), {GAP_EDT}, .text = {"s", 1, 2}, .page = {"s", 1, 2}, .compared = true,
     .public = {0, "EDT", "s", "early decay time"}},
    {"T20", "t20", AT(t20.time), {GAP_T20}, .text = {"s", 1, 2}, .page = {"s", 1, 2},
     .public = {1, "T20", "s", "reverberation time from -5 to -25 dB"}},
    {"T30", "t30", AT(t30.time), {GAP_T30}, .text = {"s", 1, 2}, .page = {"s", 1, 2}, .compared = true,
     .public = {2, "T30", "s", "reverberation time from -5 to -35 dB"}},
    {"xi20", "t20_nonlinearity", AT(t20.nonlinearity), .gap = {GAP_T20}, .public = {.number = METRIC_NOT_PUBLIC}},
    {"xi30", "t30_nonlinearity", AT(t30.nonlinearity), {GAP_T30}, .text = {"", 1, 1},
     .public = {.number = METRIC_NOT_PUBLIC}},
    {"C", "curvature", AT(curvature), {GAP_T20, GAP_T30}, .text = {"%", 1, 1},
     .public = {.number = METRIC_NOT_PUBLIC}},
    {"C50", "c50", AT(c50), {GAP_ENERGIES, GAP_C50}, .text = {"dB", 1, 1}, .page = {"dB", 1, 1}, .compared = true,
     .public = {3, "C50", "dB", "clarity"}},
    {"C80", "c80", AT(c80), {GAP_ENERGIES, GAP_C80}, .text = {"dB", 1, 1}, .page = {"dB", 1, 1}, .compared = true,
     .public = {4, "C80", "dB", "clarity"}},
    {"D50", "d50", AT(d50), {GAP_ENERGIES}, .text = {"", 1, 2}, .page = {"", 1, 2}, .compared = true,
     .public = {5, "D50", "", "definition, 0..1"}},
    {"Ts", "ts", AT(ts), {GAP_ENERGIES}, .text = {"ms", 1000, 1}, .page = {"ms", 1000, 0}, .compared = true,
     .public = {6, "Ts", "s", "centre time"}},
    {"G", "g", AT(g), {GAP_ENERGIES}, .text = {"dB", 1, 1}, .page = {"dB", 1, 1}, .compared = true,
     .public = {7, "G", "dB", "strength"}},
    {"span", "range", AT(range), {GAP_ENERGIES}, .text = {"dB", 1, 0},
     .public = {8, "range", "dB", "decay range down to the noise or the end of the response"}},
    {"r20", "t20_correlation", AT(t20.correlation), .gap = {GAP_T20}, .public = {.number = METRIC_NOT_PUBLIC}},
    {"r30", "t30_correlation", AT(t30.correlation), .gap = {GAP_T30}, .public = {.number = METRIC_NOT_PUBLIC}},
    {"noise", "noise", AT(noise), .gap = {GAP_NONE}, .public = {.number = METRIC_NOT_PUBLIC}},
    {"LF", "lf", AT(lf), .text = {"", 1, 2}, .page = {"", 1, 2}, .optional = true,
     .public = {9, "LF", "", "early lateral energy fraction"}},
    {"LFC", "lfc", AT(lfc), .text = {"", 1, 2}, .page = {"", 1, 2}, .optional = true,
     .public = {10, "LFC", "", "early lateral energy fraction from |p_L p|"}},
    {"LG", "lg", AT(lg), .text = {"dB", 1, 1}, .page = {"dB", 1, 1}, .optional = true,
     .public = {11, "LG", "dB", "late lateral level"}},
    {"IACCe", "iacc_early", AT(iacc_early), .text = {"", 1, 2}, .page = {"", 1, 2}, .optional = true,
     .public = {12, "IACC_early", "", "interaural cross-correlation coefficient, first 80 ms"}},
    {"IACCl", "iacc_late", AT(iacc_late), .text = {"", 1, 2}, .page = {"", 1, 2}, .optional = true,
     .public = {13, "IACC_late", "", "interaural cross-correlation coefficient, after 80 ms"}},
    {"IACC", "iacc", AT(iacc), .text = {"", 1, 2}, .page = {"", 1, 2}, .optional = true,
     .public = {14, "IACC", "", "interaural cross-correlation coefficient"}},
};
const size_t band_metric_count = sizeof band_metrics / sizeof *band_metrics;

const struct metric single_metrics[] = {
    {"STI", "sti", OF(sti), {GAP_NONE}, .text = {"", 1, 2}, .page = {"", 1, 2}, .compared = true,
     .note = "male weights; room only, without background noise and level-dependent masking", .why = recording_speech_remedy,
     .rests = {1, SPEECH_BANDS}},
    {"LI", "intensity_level", OF(intensity_level), {GAP_NONE}, .text = {"dB", 1, 1}, .page = {"dB", 1, 1}, .optional = true,
     .note = "active intensity re free field at 10 m",
     .rests = {METRICS_BROAD, 1}},
    {"azimuth", "intensity_azimuth", OF(intensity_azimuth), {GAP_NONE}, .text = {"degrees", 1, 1}, .page = {"°", 1, 1},
     .optional = true, .note = "direction the active intensity comes from, positive to the left of the receiver's front",
     .rests = {METRICS_BROAD, 1}},
    {"elevation", "intensity_elevation", OF(intensity_elevation), {GAP_NONE}, .text = {"degrees", 1, 1},
     .page = {"°", 1, 1}, .optional = true, .note = "direction the active intensity comes from, positive upwards",
     .rests = {METRICS_BROAD, 1}},
    {"LF", "lf_mean", OF(lf_mean), .text = {"", 1, 2}, .page = {"", 1, 2}, .optional = true,
     .note = "early lateral energy, mean of 125 Hz to 1 kHz",
     .rests = {1, 4}},
    {"LFC", "lfc_mean", OF(lfc_mean), .text = {"", 1, 2}, .page = {"", 1, 2}, .optional = true,
     .note = "early lateral energy from |p_L p|, mean of 125 Hz to 1 kHz",
     .rests = {1, 4}},
    {"LG", "lg_mean", OF(lg_mean), .text = {"dB", 1, 1}, .page = {"dB", 1, 1}, .optional = true,
     .note = "late lateral level re free field at 10 m, mean energy of 125 Hz to 1 kHz",
     .rests = {1, 4}},
    {"IACC E3", "iacc_early_mean", OF(iacc_early_mean), .text = {"", 1, 2}, .page = {"", 1, 2}, .optional = true,
     .note = "interaural cross-correlation, early, mean of 500 Hz to 2 kHz",
     .rests = {3, 3}},
};
const size_t single_metric_count = sizeof single_metrics / sizeof *single_metrics;
/* clang-format on */

static double double_at(const void *base, size_t offset)
{
    double value;
    memcpy(&value, (const char *)base + offset, sizeof value);
    return value;
}

enum metrics_reason metric_gap_reason(const struct metric_gap *gap, const struct metrics_band *band)
{
    enum metrics_reason reason;
    memcpy(&reason, (const char *)band + gap->reason, sizeof reason);
    return reason;
}

double metric_gap_length(const struct metric_gap *gap, const struct metrics_band *band)
{
    return double_at(band, gap->length);
}

double metric_gap_shortest(const struct metric_gap *gap, const struct metrics_band *band)
{
    return double_at(band, gap->shortest);
}

const struct metric *metric_find(const char *name)
{
    for (size_t i = 0; i < band_metric_count; i++)
        if (!strcmp(band_metrics[i].name, name))
            return &band_metrics[i];
    return NULL;
}

const struct metric *metric_of_number(size_t number)
{
    for (size_t i = 0; i < band_metric_count; i++)
        if (band_metrics[i].public.number >= 0 && (size_t)band_metrics[i].public.number == number)
            return &band_metrics[i];
    return NULL;
}

bool metric_in_data_sets(const struct metric *metric)
{
    return metric->page.unit && !metric->optional;
}

void metrics_clear(struct metrics_band *band)
{
    const double missing = NAN;
    for (size_t i = 0; i < band_metric_count; i++)
        memcpy((char *)band + band_metrics[i].offset, &missing, sizeof missing);
}

void metrics_clear_single(struct metrics *metrics)
{
    const double missing = NAN;
    for (size_t i = 0; i < single_metric_count; i++)
        memcpy((char *)metrics + single_metrics[i].offset, &missing, sizeof missing);
}

double metric_of_band(const struct metric *metric, const struct metrics_band *band)
{
    return double_at(band, metric->offset);
}

double metric_of_response(const struct metric *metric, const struct metrics *metrics)
{
    return double_at(metrics, metric->offset);
}

bool metric_shown(const struct metric *metric, const struct metrics_band *bands, size_t count)
{
    bool any = !metric->optional;
    for (size_t i = 0; i < count; i++)
        any = any || !isnan(metric_of_band(metric, &bands[i]));
    return any;
}

enum metrics_reason metric_reason(const struct metric *metric, const struct metrics_band *band)
{
    enum metrics_reason reason = METRICS_NONE;
    for (size_t i = 0; i < 2 && !reason && metric->gap[i]; i++)
        reason = metric_gap_reason(&metric_gaps[metric->gap[i]], band);
    return reason;
}
