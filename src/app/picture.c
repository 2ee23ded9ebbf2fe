/* SPDX-License-Identifier: MIT */
/* Pictures of responses, and the checks of the names of films and maps. */
#include "app/picture.h"

#include <dirent.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "app/outputs.h"
#include "base/file.h"
#include "base/text.h"
#include "io/drawing/svg_plot.h"
#include "present/film/encoder.h"

/* Schroeder's backward integral in dB relative to its start; NaN, which is not drawn, below -90 dB. */
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
        {.title = "Energy decay (backward integral)",
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

static int keeps_inputs(const struct room *room, const char *path, struct error *e)
{
    char text[ROOM_INPUT];
    const char *input = room_input_at(room, path, false, text);
    return input ? fail(e, ERROR_USAGE, "%s: is %s; choose another name with -o", path, input) : 0;
}

int picture_names_check(const struct room *room, const char *const *paths, size_t count, bool no_clobber,
                        struct error *e)
{
    for (size_t i = 0; i < count; i++) {
        if (keeps_inputs(room, paths[i], e))
            return -1;
        for (size_t k = 0; k < i; k++)
            if (same_file(paths[i], paths[k]))
                return fail(e, ERROR_USAGE, "%s: is the name of two outputs; choose different names", paths[i]);
    }
    return outputs_check(paths, count, no_clobber, e);
}

/* Whether a file name is that of a frame of NAME.png, of this or another film; *number is the frame's. */
static bool is_frame(const char *name, const char *film, size_t *number)
{
    const char *stem = path_name(film);
    const size_t length = strlen(stem) - strlen(film_png.suffix);
    if (strncmp(name, stem, length) != 0 || name[length] != '_')
        return false;
    const char *digits = name + length + 1;
    const size_t count = strspn(digits, "0123456789");
    *number = strtoul(digits, NULL, 10);
    return (count == FILM_DIGITS || count == FILM_DIGITS_MORE) && !strcmp(digits + count, film_png.suffix);
}

static int check_frame(const struct room *room, const char *path, bool no_clobber, struct error *e)
{
    struct stat status;
    if (keeps_inputs(room, path, e))
        return -1;
    const bool plain = !lstat(path, &status) && S_ISREG(status.st_mode); /* the check of the first frame covers it */
    return plain && !no_clobber ? 0 : outputs_check(&path, 1, no_clobber, e);
}

static int fail_beside(const char *folder, const char *name, size_t frames, struct error *e)
{
    char *path = path_join(folder, name);
    if (!path)
        return fail(e, ERROR_MEMORY, "out of memory");
    fail(e, ERROR_OUTPUT,
         "%s: a frame of another film already exists and would mix with the %zu frames of this one; remove the old "
         "frames, or choose another name with -o",
         path, frames);
    free(path);
    return -1;
}

/* Checks the existing frames in the folder. Frames with this film's names may be replaced. *beside, owned by the
 * caller, becomes the first frame of a longer film or of one whose numbers have another length. */
static int look_through(char **beside, DIR *folder, const struct room *room, const char *path, size_t frames,
                        bool no_clobber, struct error *e)
{
    const struct dirent *entry;
    size_t number;
    int status = 0;
    while (!status && (entry = readdir(folder))) {
        if (!is_frame(entry->d_name, path, &number))
            continue;
        char *own = film_frame_name(path, number, frames);
        if (!own) {
            status = fail(e, ERROR_MEMORY, "out of memory");
        } else if (number < frames && !strcmp(path_name(own), entry->d_name)) {
            status = check_frame(room, own, no_clobber, e);
        } else if (!*beside || strcmp(entry->d_name, *beside) < 0) {
            free(*beside);
            *beside = text_copy(entry->d_name);
            status = *beside ? 0 : fail(e, ERROR_MEMORY, "out of memory");
        }
        free(own);
    }
    return status;
}

int frame_names_check(const struct room *room, const char *path, size_t frames, bool no_clobber, struct error *e)
{
    char *first = film_frame_name(path, 0, frames), *place = path_folder(path), *beside = NULL;
    const char *checked = first;
    int status = first && place ? outputs_check(&checked, 1, no_clobber, e) : fail(e, ERROR_MEMORY, "out of memory");
    DIR *folder = status ? NULL : opendir(place);
    if (folder)
        status = look_through(&beside, folder, room, path, frames, no_clobber, e);
    if (!status && beside)
        status = fail_beside(place, beside, frames, e);
    if (folder)
        closedir(folder);
    free(beside);
    free(first);
    free(place);
    return status;
}
