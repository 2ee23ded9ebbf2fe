/* SPDX-License-Identifier: MIT */
#include "app/picture.h"

#include <math.h>
#include <stdlib.h>

#include "base/text.h"
#include "io/drawing/svg_plot.h"

/* Schroeder's backward integral in dB of its start; values below -90 dB are not drawn. */
static void decay(double *out, const double *samples, size_t frames)
{
    double sum = 0.0;
    for (size_t n = frames; n-- > 0;) {
        sum += samples[n] * samples[n];
        out[n] = sum;
    }
    for (size_t n = 0; n < frames; n++) {
        double level = sum > 0.0 ? 10.0 * log10(out[n] / sum) : NAN;
        out[n] = level >= -90.0 ? level : NAN;
    }
}

int picture_of_response(struct output_set *set, const char *path, const struct model *m, const struct rendering *r,
                        const size_t *channels, size_t count, struct error *e)
{
    const struct response *response = &r->response;
    const size_t frames = response->frames;
    struct plot_line *waves = calloc(2 * count, sizeof *waves), *decays = waves ? waves + count : NULL;
    double *levels = calloc(count * frames, sizeof *levels);
    char(*names)[CHANNEL_NAME] = calloc(count, sizeof *names);
    char *title = text_format("%s: %s, %.4g x %.4g x %.4g m, valid to %.0f Hz", m->room->path,
                              r->count > 1 ? "all sources" : m->room->sources[r->first].name, m->grid.size[0],
                              m->grid.size[1], m->grid.size[2], hybrid_valid_to(m, &r->halves));
    char *text = NULL;
    int status = -1;
    if (!waves || !levels || !names || !title) {
        fail(e, ERROR_MEMORY, "out of memory");
        goto done;
    }
    for (size_t c = 0; c < count; c++) {
        waves[c] = (struct plot_line){room_channel_name(m->room, channels[c], names[c]),
                                      response->samples + channels[c] * frames, frames, 0.0, 1.0 / response->rate};
        decays[c] = waves[c];
        decay(levels + c * frames, waves[c].y, frames);
        decays[c].y = levels + c * frames;
    }
    const double seconds = (double)frames / response->rate;
    const struct plot_panel panels[] = {
        {.title = response->is_filter ? "Impulse response" : "Recorded signal",
         .x_label = "time, s",
         .y_label = response->is_filter ? "Pa per Pa m" : "Pa",
         .lines = waves,
         .line_count = count,
         .x_min = 0.0,
         .x_max = seconds},
        {.title = "Decay of energy (backward integral)",
         .x_label = "time, s",
         .y_label = "dB",
         .lines = decays,
         .line_count = count,
         .x_min = 0.0,
         .x_max = seconds},
    };
    text = svg_plot_text(title, panels, sizeof panels / sizeof *panels);
    status = text ? output_set_text(set, path, text, e) : fail(e, ERROR_MEMORY, "%s: out of memory", path);
done:
    free(text);
    free(title);
    free(names);
    free(levels);
    free(waves);
    return status;
}
