/* SPDX-License-Identifier: MIT */
/* From a directivity file to the response: the shipped loudspeaker and talker, turned at random,
 * in free field. Receivers in directions of the file and at its distance record levels relative
 * to an omnidirectional source in the same position, which are compared with the file. */
#include <complex.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/nan_max.h"
#include "io/sofa/directivity.h"
#include "io/sofa/library.h"
#include "render/render.h"
#include "validate/space/checks.h"
#include "validate/space/rig.h"

enum { EARS = 8, FREQUENCIES = 12 };

static const double LOWEST = 300.0;    /* Hz: only the direct sound lasts 5 ms */
static const double OFF_CENTRE = 0.05; /* m: largest offset from the centre */
static const double LEFT = 0.015; /* error of the directivity that its harmonics may have at the frequencies compared */

struct shipped {
    const char *name, *file;
    double side; /* m, of the box */
};
static const struct shipped files[] = {{"loudspeaker", "directivities/loudspeaker.sofa", 5.8},
                                       {"talker", "directivities/talker.sofa", 3.8}};

/* The direction of the file whose angle to the front is nearest to 180° i/(EARS - 1). */
static size_t pick(const struct directivity_data *d, int i, struct random *r)
{
    double best = INFINITY;
    size_t found = 0;
    for (size_t k = 0; k < d->receivers; k++) {
        const double angle = acos(fmax(-1.0, fmin(1.0, d->direction[k][0])));
        const double off = fabs(angle - M_PI * i / (EARS - 1.0)) + 0.1 * random_unit(r);
        if (off < best) {
            best = off;
            found = k;
        }
    }
    return found;
}

/* Spectrum of the direct sound, by a window that ends before the first reflection. */
static double complex spectrum_at(const double *samples, double rate, double frequency, double begin, double end)
{
    double complex sum = 0.0;
    for (size_t n = 0; (double)n < end * rate; n++) {
        const double left = (end - (double)n / rate) / (0.3 * (end - begin));
        const double window = left < 1.0 ? 0.5 - 0.5 * cos(M_PI * left) : 1.0;
        sum += window * samples[n] * cexp(-2.0 * M_PI * I * frequency / rate * (double)n);
    }
    return sum;
}

/* The file's value relative to the front, which is one of its directions, at one of its
 * frequencies. */
static double level_of(const struct directivity_data *d, size_t k, size_t direction, size_t front)
{
    const double *value = d->value[k * d->receivers + direction], *ahead = d->value[k * d->receivers + front];
    return hypot(value[0], value[1]) / hypot(ahead[0], ahead[1]);
}

static void judge(struct report *r, const struct space_box *b, const struct response *of_file,
                  const struct response *of_omni, const struct directivity_data *d, const size_t picked[EARS],
                  const char *name, const char *scheme)
{
    const double c = b->model->grid.sound_speed, begin = d->distance / c;
    const double end = (b->room.size[0] - 2.0 * OFF_CENTRE - d->distance) / c; /* arrival of the first reflection */
    double worst = 0.0, top = 0.0;
    for (size_t k = 0; k < d->frequencies; k++) {
        const double f = d->frequency[k], rate = of_file->rate;
        if (f < LOWEST || f > b->model->grid.valid_frequency || !(radiation_residual(&b->source.radiation, f) <= LEFT))
            continue;
        top = f;
        for (size_t i = 0; i < EARS; i++) {
            const double complex heard = spectrum_at(of_file->samples + i * of_file->frames, rate, f, begin, end),
                                 omni = spectrum_at(of_omni->samples + i * of_omni->frames, rate, f, begin, end);
            worst = nan_max(worst, fabs(20.0 * log10(cabs(heard / omni) / level_of(d, k, picked[i], picked[0]))));
        }
    }
    report_bound(r, "directivity", worst, 0.5,
                 "%s, %s: error of the levels in %d directions from front to back, %g to %g Hz, dB", scheme, name,
                 (int)EARS, LOWEST, top);
}

static void place(struct space_box *b, double places[EARS][3], size_t picked[EARS], const struct directivity_data *d,
                  struct validation *v)
{
    for (int axis = 0; axis < 3; axis++) {
        b->source.position[axis] = 0.5 * b->room.size[axis] + OFF_CENTRE * random_unit(&v->random);
        b->source.orientation[axis] = 360.0 * random_unit(&v->random) - 180.0;
    }
    const double *angles = b->source.orientation;
    const struct turn turn = turn_of(angles[0], angles[1], angles[2]);
    for (int i = 0; i < EARS; i++) {
        double way[3];
        picked[i] = pick(d, i, &v->random);
        turn_apply(way, &turn, d->direction[picked[i]]);
        for (int axis = 0; axis < 3; axis++)
            places[i][axis] = b->source.position[axis] + d->distance * way[axis];
    }
    b->room.receiver_count = 1;
    b->receivers[0] = (struct receiver){.name = "R", .kind = RECEIVER_ARRAY};
    b->receivers[0].array.places = places;
    b->receivers[0].array.place_count = EARS;
}

/* The response of the source in the box. */
static int render(struct rendering *rendering, struct space_box *b, struct validation *v, struct error *e)
{
    return space_box_make(b, e) || render_sources(rendering, b->model, 0, 1, &v->choice, NULL, e) ? -1 : 0;
}

static int check_file(struct validation *v, struct report *r, const struct shipped *file, int scheme, struct error *e)
{
    struct space_box b;
    struct directivity_data d = {0};
    struct rendering of_omni = {0}, of_file = {0};
    double places[EARS][3];
    size_t picked[EARS];
    char *path = data_path(file->file, e);
    space_box_init(&b, (double[]){file->side, file->side, file->side}, 1.0);
    b.room.duration = 0.025;
    b.room.grid.scheme = scheme ? GRID_SCHEME_19_POINT : GRID_SCHEME_7_POINT;
    b.room.grid.max_frequency = scheme ? 1500.0 : 900.0;
    b.room.grid.precision = PRECISION_SINGLE;
    b.room.output.filter = scheme ? FILTER_VALID : FILTER_NONE; /* which rings beyond the window; the map requires it */
    b.source.pattern = path;
    b.source.directivity = DIRECTIVITY_FILE;
    int status = path ? directivity_read(&d, path, e) || source_read_pattern(&b.source, e) : -1;
    if (!status) {
        place(&b, places, picked, &d, v);
        b.source.directivity = DIRECTIVITY_OMNI;
        status = render(&of_omni, &b, v, e);
        space_box_free(&b); /* before the room changes */
        b.source.directivity = DIRECTIVITY_FILE;
    }
    if (!status)
        status = render(&of_file, &b, v, e);
    if (!status)
        judge(r, &b, &of_file.response, &of_omni.response, &d, picked, file->name, space_scheme_of(scheme).name);
    rendering_free(&of_omni);
    rendering_free(&of_file);
    space_box_free(&b);
    radiation_free(&b.source.radiation);
    directivity_free(&d);
    free(path);
    return status ? -1 : 0;
}

int check_space_directivity(struct validation *v, struct report *r, struct error *e)
{
    if (sofa_library.unavailable()) {
        report_skip(r, "directivity", sofa_library.unavailable());
        return 0;
    }
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        for (int scheme = 0; scheme < SPACE_SCHEMES; scheme++)
            if (check_file(v, r, &files[i], scheme, e))
                return -1;
    return 0;
}
