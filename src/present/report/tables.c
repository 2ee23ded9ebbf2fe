/* SPDX-License-Identifier: MIT */
#include "present/report/tables.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "dsp/measure/metrics_table.h"
#include "io/xml.h"

void write_number(FILE *stream, int decimals, double value)
{
    if (!isfinite(value)) {
        fputs("–", stream);
        return;
    }
    char text[64];
    snprintf(text, sizeof text, "%.*f", decimals, fabs(value));
    bool zero = true; /* no minus before a zero */
    for (const char *c = text; *c; c++)
        zero = zero && (*c == '0' || *c == '.');
    fprintf(stream, "%s%s", value < 0.0 && !zero ? "−" : "", text);
}

void write_words(FILE *stream, const char *words)
{
    struct growing_text text = {0};
    for (const char *c = words; *c; c++) {
        const bool starts = c == words || strchr(" (", c[-1]), unit = c > words && c[-1] == 'm';
        if (starts && *c == '-' && isdigit((unsigned char)c[1]))
            growing_text_add(&text, "−");
        else if (unit && (*c == '2' || *c == '3') && !isalnum((unsigned char)c[1]) && (c < words + 2 || c[-2] == ' '))
            growing_text_add(&text, *c == '2' ? "²" : "³");
        else
            growing_text_bytes(&text, c, 1);
    }
    char *shown = growing_text_take(&text, NULL);
    xml_text(stream, shown ? shown : words);
    free(shown);
}

/* Footnotes that explain empty cells. A reason has the same letter in every table. */
struct footnotes {
    unsigned used; /* a bit for each reason */
    bool partly;
    unsigned doubts; /* bits of enum doubt */
};

static char letter_of(unsigned reason)
{
    return (char)('a' + (int)reason - 1);
}

static void cell(FILE *stream, struct footnotes *f, const struct metric *metric, const struct metrics_band *band)
{
    const double value = metric_of_band(metric, band);
    const enum metrics_reason reason = metric_reason(metric, band);
    fputs("<td>", stream);
    write_number(stream, metric->page.decimals, metric->page.scale * value);
    if (!isfinite(value) && reason != METRICS_NONE) {
        f->used |= 1u << reason;
        fprintf(stream, "<sup>%c</sup>", letter_of(reason));
    }
    fputs("</td>", stream);
}

static void band_name(FILE *stream, const struct metrics_band *band)
{
    if (band->centre > 0.0)
        fprintf(stream, "%.0f", band->centre);
    else
        fputs("broadband", stream);
}

static void head(FILE *stream, const struct metric *metric)
{
    const char *unit = metric->page.unit;
    fprintf(stream, "<th>%s<br><i>%s</i></th>", metric->symbol, *unit ? unit : "&nbsp;");
}

static void row(FILE *stream, struct footnotes *f, const struct metrics *m, const struct metrics_band *band,
                unsigned doubts)
{
    fputs(band->validity == METRICS_VALID ? "<tr><th scope=\"row\">" : "<tr class=\"weak\"><th scope=\"row\">", stream);
    band_name(stream, band);
    if (band->validity == METRICS_PARTLY) {
        fputs("<sup>*</sup>", stream);
        f->partly = true;
    }
    if (doubts)
        fputs("<sup>?</sup>", stream);
    f->doubts |= doubts;
    fputs("</th>", stream);
    for (size_t i = 0; i < band_metric_count; i++)
        if (band_metrics[i].page.unit && metric_shown(&band_metrics[i], m->band, METRICS_BANDS))
            cell(stream, f, &band_metrics[i], band);
    fputs("</tr>\n", stream);
}

/* s: duration the response needs for the parameters of all bands; 0: long enough already. */
static double length_needed(const struct metrics *m)
{
    double length = 0.0;
    for (size_t b = 0; b < METRICS_BANDS; b++)
        for (size_t i = GAP_EDT; i < METRIC_GAPS; i++)
            length = fmax(length, metric_gap_length(&metric_gaps[i], &m->band[b]));
    return length;
}

void write_doubts(FILE *stream, const struct doubts *d, unsigned found)
{
    for (unsigned doubt = 1; doubt < DOUBTS_END; doubt <<= 1) {
        char *text = found & doubt ? doubt_text(d, (enum doubt)doubt) : NULL;
        if (!text)
            continue;
        fputs("<span><sup>?</sup> ", stream);
        xml_text(stream, text);
        fputs("</span> ", stream);
        free(text);
    }
}

void table_of_bands(FILE *stream, const struct metrics *m, const struct doubts *doubts)
{
    struct footnotes f = {.used = 0};
    fputs("<div class=\"wide\"><table><thead><tr><th scope=\"col\">Hz</th>", stream);
    for (size_t i = 0; i < band_metric_count; i++)
        if (band_metrics[i].page.unit && metric_shown(&band_metrics[i], m->band, METRICS_BANDS))
            head(stream, &band_metrics[i]);
    fputs("</tr></thead><tbody>\n", stream);
    bool calibrated = false;
    for (size_t b = 0; b < METRICS_BANDS; b++)
        calibrated = calibrated || isfinite(m->band[b].g);
    for (size_t b = 0; b < METRICS_BANDS; b++)
        row(stream, &f, m, &m->band[b], doubts_of(doubts, &m->band[b]));
    fputs("</tbody></table></div>\n", stream);
    fputs("<p class=\"notes\">", stream);
    if (f.partly)
        fputs("<span><sup>*</sup> the band extends beyond the valid band</span> ", stream);
    write_doubts(stream, doubts, f.doubts);
    for (unsigned reason = 0; f.used >> reason; reason++)
        if (f.used >> reason & 1) {
            fprintf(stream, "<span><sup>%c</sup> ", letter_of(reason));
            xml_text(stream, metrics_reason_text((enum metrics_reason)reason));
            if (reason == METRICS_SHORT && length_needed(m) > 0.0)
                fprintf(stream, "; at least %.2f s are needed", ceil(100.0 * length_needed(m)) / 100.0);
            fputs("</span> ", stream);
        }
    if (!calibrated)
        fputs("<span>G not available: the level is not calibrated</span>", stream);
    fputs("</p>\n", stream);
}

/* The octaves that a comparison averages. */
struct octaves {
    size_t index[2], count;
};

static bool valid_in_all(const struct subject *subjects, size_t count, size_t octave)
{
    for (size_t file = 0; file < count; file++)
        for (size_t c = 0; c < subjects[file].recording.audio.channels; c++)
            if (subjects[file].channel[c].band[octave].validity != METRICS_VALID)
                return false;
    return true;
}

/* 500 Hz and 1 kHz, as far as they are valid in every response, so that all rows compare the same band; if neither is
 * valid, the next lower octave that is. */
static struct octaves octaves_compared(const struct subject *subjects, size_t count)
{
    struct octaves o = {.count = 0};
    for (size_t i = 3; i <= 4; i++)
        if (valid_in_all(subjects, count, i))
            o.index[o.count++] = i;
    for (size_t i = 3; !o.count && i-- > 0;)
        if (valid_in_all(subjects, count, i))
            o.index[o.count++] = i;
    return o;
}

/* NaN if the value of one octave is missing. */
static double mean_over(const struct octaves *o, const struct metrics *m, const struct metric *metric)
{
    double sum = o->count ? 0.0 : NAN;
    for (size_t i = 0; i < o->count; i++)
        sum += metric->page.scale * metric_of_band(metric, &m->band[o->index[i]]) / (double)o->count;
    return sum;
}

static unsigned doubts_over(const struct octaves *o, const struct metrics *m, const struct doubts *doubts)
{
    unsigned found = 0;
    for (size_t i = 0; i < o->count; i++)
        found |= doubts_of(doubts, &m->band[o->index[i]]);
    return found;
}

static void write_octaves(FILE *stream, const struct octaves *o)
{
    static const char *const names[METRICS_OCTAVES] = {"63 Hz", "125 Hz", "250 Hz", "500 Hz",
                                                       "1 kHz", "2 kHz",  "4 kHz",  "8 kHz"};
    if (!o->count)
        fputs("No parameters: no octave up to 1 kHz is valid in all responses.", stream);
    else if (o->count == 2)
        fprintf(stream, "Means of the %s and %s octaves; “–” if either value is missing.", names[o->index[0]],
                names[o->index[1]]);
    else
        fprintf(stream, "Values of the %s octave, the highest up to 1 kHz that is valid in all responses.",
                names[o->index[0]]);
}

/* `value` as it is printed. */
static void compared_cell(FILE *stream, const struct metric *metric, double value, unsigned doubts)
{
    fputs("<td>", stream);
    write_number(stream, metric->page.decimals, value);
    fputs(doubts && isfinite(value) ? "<sup>?</sup></td>" : "</td>", stream);
}

/* Returns the doubts about its values. */
static unsigned compared(FILE *stream, const struct subject *s, const struct octaves *octaves, size_t file,
                         size_t channel, bool linked)
{
    const struct metrics *m = &s->channel[channel];
    const unsigned of_octaves = doubts_over(octaves, m, &s->recording.doubts);
    unsigned found = of_octaves;
    char name[128];
    fputs("<tr><th scope=\"row\">", stream);
    if (linked)
        fprintf(stream, "<a href=\"#file%zu-%zu\">", file + 1, channel + 1);
    xml_text(stream, s->name);
    fputs(" · ", stream);
    xml_text(stream, subject_channel_name(s, channel, name));
    fputs(linked ? "</a></th><td>" : "</th><td>", stream);
    write_number(stream, 2, subject_distance(s, channel));
    fputs("</td>", stream);
    for (size_t i = 0; i < band_metric_count; i++)
        if (band_metrics[i].compared)
            compared_cell(stream, &band_metrics[i], mean_over(octaves, m, &band_metrics[i]), of_octaves);
    for (size_t i = 0; i < single_metric_count; i++)
        if (single_metrics[i].compared) {
            const unsigned doubts = doubts_of_single(&s->recording.doubts, m, &single_metrics[i]);
            compared_cell(stream, &single_metrics[i],
                          single_metrics[i].page.scale * metric_of_response(&single_metrics[i], m), doubts);
            found |= doubts;
        }
    fputs("</tr>\n", stream);
    return found;
}

void table_of_comparison(FILE *stream, const struct subject *subjects, size_t count, size_t shown)
{
    const struct octaves octaves = octaves_compared(subjects, count);
    unsigned doubts = 0;
    fputs("<div class=\"wide\"><table><thead><tr><th scope=\"col\">response</th><th>distance<br><i>m</i></th>", stream);
    for (size_t i = 0; i < band_metric_count; i++)
        if (band_metrics[i].compared)
            head(stream, &band_metrics[i]);
    for (size_t i = 0; i < single_metric_count; i++)
        if (single_metrics[i].compared)
            head(stream, &single_metrics[i]);
    fputs("</tr></thead><tbody>\n", stream);
    for (size_t file = 0; file < count; file++)
        for (size_t c = 0; c < subjects[file].recording.audio.channels; c++)
            doubts |= compared(stream, &subjects[file], &octaves, file, c, c < shown);
    fputs("</tbody></table></div>\n<p class=\"notes\">", stream);
    write_octaves(stream, &octaves);
    fputs(doubts ? " <span><sup>?</sup> Doubtful, for the reason below the table of the response.</span></p>\n"
                 : "</p>\n",
          stream);
}
