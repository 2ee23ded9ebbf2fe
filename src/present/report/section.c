/* SPDX-License-Identifier: MIT */
#include "present/report/section.h"

#include <math.h>
#include <stdlib.h>

#include <cjson/cJSON.h>

#include "base/stop.h"
#include "base/text.h"
#include "dsp/measure/metrics_table.h"
#include "io/drawing/drawing.h"
#include "io/xml.h"
#include "present/report/arrivals_plot.h"
#include "present/report/crossover_plot.h"
#include "present/report/facts.h"
#include "present/report/layers.h"
#include "present/report/listening.h"
#include "present/report/plots.h"
#include "present/report/room_3d.h"
#include "present/report/room_in_voxels.h"
#include "present/report/room_plan.h"
#include "present/report/room_views.h"
#include "present/report/tables.h"
#include "room/grid/reverberation.h"

enum { MODES_MAX = 30 };

static void key(FILE *stream, int colour, const char *name)
{
    char variable[32];
    fprintf(stream, "<span style=\"--key:%s\">%s</span>", drawing_variable(colour, variable), name);
}

static void decay_keys(FILE *stream, const struct plotted *p)
{
    fputs("<div class=\"keys\">", stream);
    for (size_t b = 0; b < METRICS_BANDS; b++) {
        char name[32] = "broadband";
        if (b != METRICS_BROAD)
            snprintf(name, sizeof name, "%.0f Hz", p->subject->channel[p->channel].band[b].centre);
        if (plotted_has_decay(p, b))
            key(stream, b == METRICS_BROAD ? DRAWING_INK : DRAWING_SERIES + (int)b, name);
    }
    fputs("</div>", stream);
}

typedef int plot_function(FILE *stream, const struct plotted *p, const char *name, struct error *e);

static int metric(FILE *stream, const struct plotted *p, size_t file, char letter, const char *caption,
                  plot_function *plot, struct error *e)
{
    char name[32];
    snprintf(name, sizeof name, "%c%zu-%zu", letter, file + 1, p->channel + 1);
    fprintf(stream, "<figure><figcaption>%s</figcaption>\n", caption);
    const int status = plot(stream, p, name, e);
    if (plot == plot_decays)
        decay_keys(stream, p);
    if (plot == plot_response) {
        fputs("<div class=\"keys\">", stream);
        key(stream, DRAWING_SERIES, "response");
        key(stream, DRAWING_SERIES + 1, "1/6-octave average");
        fputs("</div>", stream);
    }
    fputs("</figure>\n", stream);
    return status;
}

/* The modes follow the size of the box on the grid, not the size in the room file. */
static void size_on_grid(double size[3], double *c, const struct subject *s)
{
    const cJSON *grid = cJSON_GetObjectItemCaseSensitive(s->json, "grid");
    const cJSON *sides = cJSON_GetObjectItemCaseSensitive(grid, "size");
    const cJSON *speed = cJSON_GetObjectItemCaseSensitive(grid, "sound_speed");
    for (int i = 0; i < 3; i++) {
        const cJSON *side = cJSON_GetArrayItem(sides, i);
        size[i] = cJSON_IsNumber(side) ? side->valuedouble : s->room->size[i];
    }
    *c = cJSON_IsNumber(speed) ? speed->valuedouble : NAN;
}

/* The lowest modes, up to the Schroeder frequency (if known) and the end of the valid band. */
static size_t separate_modes(struct mode modes[MODES_MAX], const struct plotted *p)
{
    double size[3], c;
    size_on_grid(size, &c, p->subject);
    size_t count = box_modes(modes, MODES_MAX, size, c);
    while (count > 0 &&
           (modes[count - 1].frequency > p->schroeder || modes[count - 1].frequency > p->subject->recording.valid_high))
        count--;
    return count;
}

static int modes_figure(FILE *stream, const struct plotted *p, size_t file, struct error *e)
{
    struct mode modes[MODES_MAX];
    if (!p->subject->room)
        return 0;
    const char *why_not = not_a_box(p->subject->room, p->subject->space.volume, p->subject->box_volume);
    const size_t count = why_not ? 0 : separate_modes(modes, p);
    if (count < 2) {
        fprintf(stream, "<p class=\"notes\">Room modes are not marked: %s.</p>\n",
                why_not ? why_not : "fewer than two modes lie below the Schroeder frequency and within the valid band");
        return 0;
    }
    char name[32];
    snprintf(name, sizeof name, "m%zu-%zu", file + 1, p->channel + 1);
    fprintf(stream,
            "<figure><figcaption><b>Room modes</b> the lowest %zu of the rigid box%s; axial modes carry their "
            "indices</figcaption>\n",
            count, p->subject->room->object_count ? " without objects, which shift them" : "");
    const int status = plot_modes(stream, p, modes, count, name, e);
    fputs("<div class=\"keys\">", stream);
    key(stream, DRAWING_SERIES + 1, "axial");
    key(stream, DRAWING_SERIES + 3, "tangential");
    key(stream, DRAWING_SERIES + 5, "oblique");
    fputs("</div></figure>\n", stream);
    return status;
}

static double longest_known(const struct metrics_band *b)
{
    return isfinite(b->t30.time) ? b->t30.time : isfinite(b->t20.time) ? b->t20.time : b->edt.time;
}

static double schroeder_of(const struct subject *s, size_t channel)
{
    const struct metrics *m = &s->channel[channel];
    const double middle = subject_middle(m, longest_known);
    if (!s->room)
        return NAN;
    return schroeder_frequency(isfinite(middle) ? middle : longest_known(&m->band[METRICS_BROAD]), s->space.volume);
}

/* "STI 0.61. ", or the reason for a missing value. */
static int single_metric(FILE *stream, const struct metric *metric, const struct subject *s, const struct metrics *m,
                         struct error *e)
{
    const struct metric_format *format = &metric->page;
    const double value = metric_of_response(metric, m);
    if (!format->unit)
        return 0;
    if (isfinite(value)) {
        fprintf(stream, "%s %.*f%s%s%s. ", metric->symbol, format->decimals, format->scale * value,
                *format->unit ? " " : "", format->unit,
                doubts_of_single(&s->recording.doubts, m, metric) ? "<sup>?</sup>" : "");
        return 0;
    }
    if (metric->optional)
        return 0;
    char *why = metric->why ? metric->why(&s->recording, m) : text_copy("not measured");
    if (!why)
        return fail(e, ERROR_MEMORY, "out of memory");
    fprintf(stream, "%s not available: ", metric->symbol);
    xml_text(stream, why);
    fputs(". ", stream);
    free(why);
    return 0;
}

static int single_figures_line(FILE *stream, const struct subject *s, size_t channel, struct error *e)
{
    const struct metrics *m = &s->channel[channel];
    fputs("<p class=\"notes\">", stream);
    for (size_t i = 0; i < single_metric_count; i++)
        if (single_metric(stream, &single_metrics[i], s, m, e))
            return -1;
    if (isfinite(m->arrival))
        fprintf(stream, "Direct sound arrives at %.1f ms.", 1000.0 * m->arrival);
    fputs("</p>\n", stream);
    return 0;
}

static int listen(FILE *stream, const struct subject *s, size_t channel, struct error *e)
{
    const struct audio *a = &s->recording.audio;
    char name[128], label[160];
    snprintf(label, sizeof label, "impulse response at %s", subject_channel_name(s, channel, name));
    fprintf(stream, "<div class=\"sound\"><p><b>Impulse response</b> normalised by %s", s->peak < 1.0 ? "+" : "");
    write_number(stream, 1, -20.0 * log10(s->peak));
    fprintf(stream, " dB, the same gain for all channels of the file; 16 bit%s</p>\n",
            (double)a->frames > PLAYER_LONGEST * a->rate ? "; first 30 s only" : "");
    const int status = listening_write(stream, a, channel, 1, 1.0 / s->peak, label, e);
    fputs("</div>\n", stream);
    return status;
}

static int plots(FILE *stream, const struct plotted *p, size_t file, struct error *e)
{
    fputs("<div class=\"pair plots\">\n", stream);
    if (metric(stream, p, file, 'w', "<b>Waveform</b>", plot_waveform, e) ||
        metric(stream, p, file, 'd', "<b>Energy decay</b> backward-integrated, in octave bands", plot_decays, e) ||
        metric(stream, p, file, 's', "<b>Spectrogram</b>", plot_spectrogram, e) ||
        metric(stream, p, file, 'f', "<b>Frequency response</b>", plot_response, e) || modes_figure(stream, p, file, e))
        return -1;
    fputs("</div>\n", stream);
    return 0;
}

static int channel_part(FILE *stream, const struct subject *s, size_t file, size_t channel, struct error *e)
{
    const struct audio *a = &s->recording.audio;
    struct plotted p = {.subject = s,
                        .channel = channel,
                        .samples = a->samples + channel * a->frames,
                        .schroeder = schroeder_of(s, channel)};
    char name[128];
    if (stop_requested())
        return fail(e, ERROR_STOPPED, "stopped; nothing was written");
    if (spectrum_make(&p.spectrum, p.samples, a->frames, a->rate, e))
        return -1;
    p.reference = plotted_reference(&s->recording, &p.spectrum);
    fprintf(stream, "<h3 id=\"file%zu-%zu\">", file + 1, channel + 1);
    xml_text(stream, subject_channel_name(s, channel, name));
    fputs("</h3>\n", stream);
    table_of_bands(stream, &s->channel[channel], &s->recording.doubts);
    const int status =
        single_figures_line(stream, s, channel, e) || listen(stream, s, channel, e) || plots(stream, &p, file, e);
    spectrum_free(&p.spectrum);
    return status ? -1 : 0;
}

static int room_part(FILE *stream, const struct subject *s, size_t file, const struct viewed_room *voxels,
                     struct error *e)
{
    char name[32];
    if (!s->room)
        return 0;
    snprintf(name, sizeof name, "r%zu", file + 1);
    fputs("<figure><figcaption><b>Room</b></figcaption>\n", stream);
    if (room_plan(stream, s->room, s->size, room_is_plain(s->room) ? NULL : voxels, NULL, name, e))
        return -1;
    fputs("</figure>\n", stream);
    return 0;
}

/* The 3D view, the plan and the settings. voxels: NULL if the voxels of the room are not available. */
static int file_part(FILE *stream, const struct subject *s, size_t file, const struct viewed_room *voxels,
                     struct error *e)
{
    int status = voxels ? room_3d(stream, voxels, &s->edges, e) : 0;
    fputs("<div class=\"pair\">\n", stream);
    if (!status)
        status = room_part(stream, s, file, voxels, e);
    fputs("<div>\n", stream);
    facts_settings(stream, s);
    facts_places(stream, s);
    fputs("</div>\n</div>\n", stream);
    return status;
}

static int write_parts(FILE *stream, const struct subject *s, size_t file, const struct viewed_room *voxels,
                       struct error *e)
{
    const size_t channels = s->recording.audio.channels;
    const struct viewed_room *drawn = s->room && !room_is_plain(s->room) ? voxels : NULL;
    fputs("<section class=\"file\">\n<h2>", stream);
    xml_text(stream, s->name);
    fputs("</h2>\n", stream);
    if (file_part(stream, s, file, voxels, e))
        return -1;
    facts_materials(stream, s);
    facts_partitions(stream, s);
    if (layers_write(stream, s, file, e))
        return -1;
    facts_notes(stream, s);
    if (crossover_write(stream, s, file, e) || arrivals_write(stream, s, file, drawn, e))
        return -1;
    for (size_t c = 0; c < channels && c < SECTION_CHANNELS; c++)
        if (channel_part(stream, s, file, c, e))
            return -1;
    if (channels > SECTION_CHANNELS)
        fprintf(stream,
                "<p class=\"notes\">The file has %zu channels. Plots cover the first %d; the comparison table lists "
                "all of them.</p>\n",
                channels, SECTION_CHANNELS);
    fputs("</section>\n", stream);
    return 0;
}

int section_write(FILE *stream, const struct subject *s, size_t file, struct error *e)
{
    struct room_in_voxels v = {0};
    const bool seen = s->room && s->voxels;
    if (seen && room_in_voxels_make(&v, s->room, s->voxels, s->origin, s->spacing, e))
        return -1;
    const int status = write_parts(stream, s, file, seen ? &v.view : NULL, e);
    room_in_voxels_free(&v);
    return status;
}
