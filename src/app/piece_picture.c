/* SPDX-License-Identifier: MIT */
#include "app/piece_picture.h"

#include <math.h>
#include <stdlib.h>

#include "base/file.h"
#include "base/text.h"
#include "dsp/spectrogram.h"
#include "io/drawing/svg_map.h"

enum { COLUMNS = 480, ROWS = 200 };
static const double RANGE = 70.0;              /* dB */
static const double LOWEST = 30.0;             /* Hz */
static const double WINDOW = 0.08;             /* s: resolves semitones from about 300 Hz on, and single strokes */
static const double REFERENCE_PRESSURE = 2e-5; /* Pa */

/* From levels of a sine's amplitude to those of its root mean square re `reference`. */
static void scale(double *level, double reference)
{
    for (size_t i = 0; i < COLUMNS * ROWS; i++)
        level[i] -= 10.0 * log10(2.0) + 20.0 * log10(reference);
}

int picture_of_piece(struct output_set *set, const char *path, const struct session *s, const struct take *take,
                     struct error *e)
{
    char *text = NULL;
    const bool air = take->air.channels > 0;
    const struct response *r = air ? &take->air : &take->pickups;
    const double highest = fmin(0.5 * r->rate, air ? s->output.air.valid_frequency : s->output.pickups.valid_frequency);
    const struct spectrogram_settings settings = {.columns = COLUMNS,
                                                  .rows = ROWS,
                                                  .lowest = fmin(LOWEST, 0.1 * highest),
                                                  .highest = highest,
                                                  .logarithmic = true,
                                                  .window = WINDOW};
    double *level = malloc(COLUMNS * ROWS * sizeof *level);
    char *stem = path_stem(s->room->path);
    char *title = stem ? text_format("%s: %s \"%s\", to %.0f Hz", stem, air ? "receiver" : "pickup",
                                     air ? s->room->receivers[0].name : s->room->pickups[0].name, highest)
                       : NULL;
    int status = level && title ? spectrogram_make(level, &settings, r->samples, r->frames, r->rate, e)
                                : fail(e, ERROR_MEMORY, "out of memory for a picture");
    if (!status) {
        scale(level, air ? REFERENCE_PRESSURE : 1.0);
        const double peak = spectrogram_peak(level, COLUMNS * ROWS),
                     top = isfinite(peak) ? 5.0 * ceil(peak / 5.0) : 0.0;
        const struct svg_map map = {.title = title,
                                    .x_label = "time, s",
                                    .y_label = "frequency, Hz",
                                    .value_label = air ? "level, dB re 20 µPa" : "level, dB re 1 m/s",
                                    .values = level,
                                    .columns = COLUMNS,
                                    .rows = ROWS,
                                    .x_max = (double)r->frames / r->rate,
                                    .y_min = settings.lowest,
                                    .y_max = highest,
                                    .logarithmic = true,
                                    .low = top - RANGE,
                                    .high = top};
        status = svg_map_text(&text, &map, e) || output_set_text(set, path, text, e) ? -1 : 0;
    }
    free(text);
    free(level);
    free(title);
    free(stem);
    return status;
}
