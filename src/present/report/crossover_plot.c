/* SPDX-License-Identifier: MIT */
#include "present/report/crossover_plot.h"

#include <math.h>

#include <cjson/cJSON.h>

#include "present/report/chart.h"
#include "render/hybrid/crossover.h"

static double number(const cJSON *json, const char *group, const char *name)
{
    const cJSON *inner = group ? cJSON_GetObjectItemCaseSensitive(json, group) : json;
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(inner, name);
    return cJSON_IsNumber(item) ? item->valuedouble : NAN;
}

double crossover_of(const struct subject *s)
{
    const cJSON *hybrid = json_hybrid(s->json);
    const double middle = number(hybrid, NULL, "crossover"), edge = number(hybrid, "waves", "to"),
                 top = number(hybrid, "rays", "to");
    return middle > 0.0 && isfinite(middle) && edge > middle && top > edge && isfinite(top) ? middle : NAN;
}

static int gain_curve(struct chart *c, enum crossover_part part, double edge, double low, double high, struct error *e)
{
    enum { POINTS = 400 };
    double x[POINTS], y[POINTS];
    for (size_t i = 0; i < POINTS; i++) {
        x[i] = low * pow(high / low, (double)i / (POINTS - 1));
        y[i] = crossover_gain(part, edge, x[i]);
    }
    return chart_curve(c, x, y, POINTS, DRAWING_SERIES + (int)part, 2.0, e);
}

static int plot(FILE *stream, const struct subject *s, const char *name, struct error *e)
{
    const double edge = number(json_hybrid(s->json), "waves", "to"), top = number(json_hybrid(s->json), "rays", "to"),
                 low = 0.25 * edge;
    const struct chart_settings settings = {.name = name,
                                            .x_label = "frequency, Hz",
                                            .y_label = "gain",
                                            .x_min = low,
                                            .x_max = fmin(top, 4.0 * edge),
                                            .y_min = 0.0,
                                            .y_max = 1.1,
                                            .octaves = true,
                                            .height = 120.0};
    struct chart c = {0};
    int status = chart_open(&c, &settings, e);
    for (int part = CROSSOVER_WAVES; !status && part <= CROSSOVER_LATE; part++)
        status = gain_curve(&c, (enum crossover_part)part, edge, low, settings.x_max, e);
    if (status) {
        chart_free(&c);
        return -1;
    }
    chart_mark(&c, crossover_of(s), "crossover");
    return chart_finish(&c, "Gains of the wave solver, the image-source model and the late rays over frequency", stream,
                        e);
}

static void key(FILE *stream, enum crossover_part part, const char *name)
{
    char variable[32];
    fprintf(stream, "<span style=\"--key:%s\">%s</span>", drawing_variable(DRAWING_SERIES + (int)part, variable), name);
}

static void write_parameter(FILE *stream, const cJSON *decay, const char *member, const char *name, const char *unit)
{
    const double waves = number(decay, member, "waves"), rays = number(decay, member, "rays");
    if (isfinite(waves) && isfinite(rays))
        fprintf(stream, " %s is %.2f%s from the wave solver and %.2f%s from image sources and rays.", name, waves, unit,
                rays, unit);
}

static void write_decays(FILE *stream, const cJSON *hybrid)
{
    const cJSON *decay = cJSON_GetObjectItemCaseSensitive(hybrid, "decay");
    const double octave = number(hybrid, "decay", "octave");
    if (!isfinite(octave))
        return;
    fprintf(stream, " Both halves cover the %.0f Hz octave, the highest below the crossover.", octave);
    write_parameter(stream, decay, "t30", "T30", " s");
    write_parameter(stream, decay, "edt", "EDT", " s");
    write_parameter(stream, decay, "c80", "C80", " dB");
}

int crossover_write(FILE *stream, const struct subject *s, size_t file, struct error *e)
{
    const cJSON *hybrid = json_hybrid(s->json);
    char name[32];
    if (!isfinite(crossover_of(s)))
        return 0;
    snprintf(name, sizeof name, "b%zu", file + 1);
    fprintf(stream,
            "<div class=\"pair\">\n<figure><figcaption><b>Crossover</b> wave solver up to %.0f Hz, image sources and "
            "rays from %.0f to %.0f Hz</figcaption>\n",
            number(hybrid, "waves", "to"), number(hybrid, "rays", "from"), number(hybrid, "rays", "to"));
    if (plot(stream, s, name, e))
        return -1;
    fputs("<div class=\"keys\">", stream);
    key(stream, CROSSOVER_WAVES, "wave solver");
    key(stream, CROSSOVER_IMAGES, "image sources");
    key(stream, CROSSOVER_LATE, "late rays");
    fputs("</div></figure>\n<div><p class=\"notes\">Waves and image sources are coherent, and their gains add up to "
          "one. Late rays are incoherent with the waves, and their squared gains add up to one.",
          stream);
    write_decays(stream, hybrid);
    fputs(" If hybrid.edges is true, free edges bend rays.</p></div>\n</div>\n", stream);
    return 0;
}
