/* SPDX-License-Identifier: MIT */
#include "io/sofa/directivity.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "io/sofa/places.h"
#include "io/sofa/units.h"
#include "io/sofa/write.h"

enum { RECEIVERS_MIN = 4, RECEIVERS_MAX_READ = 16384, FREQUENCIES_MAX = 65536, ORDER_MAX = 30 };

/* State while the document is interpreted. */
struct source {
    const struct sofa_document *document;
    const char *path;
    const struct sofa_variable *real, *imaginary, *frequency;
    size_t first; /* first row used: 1 if row 0 is 0 Hz, which is skipped; else 0 */
};

/* One measurement of some receivers at some frequencies: [1][R][N]. */
static int find_values(struct source *s, struct error *e)
{
    s->real = sofa_variable(s->document, "Data.Real");
    s->imaginary = sofa_variable(s->document, "Data.Imag");
    s->frequency = sofa_variable(s->document, "N");
    if (!s->real || !s->imaginary || !s->frequency)
        return fail(e, ERROR_INPUT, "%s: has no %s", s->path,
                    !s->real        ? "Data.Real"
                    : !s->imaginary ? "Data.Imag"
                                    : "N (frequencies)");
    const size_t *extent = s->real->extent;
    if (s->real->rank != 3 || s->imaginary->rank != 3 || memcmp(extent, s->imaginary->extent, 3 * sizeof *extent) ||
        s->frequency->rank != 1 || s->frequency->extent[0] != extent[2])
        return fail(
            e, ERROR_INPUT,
            "%s: wrong shapes; Data.Real and Data.Imag must be [1][receivers][frequencies], and N [frequencies]",
            s->path);
    if (extent[0] != 1)
        return fail(e, ERROR_INPUT,
                    "%s: has %zu measurements (perhaps one for each note); use a file with one measurement", s->path,
                    extent[0]);
    if (extent[1] < RECEIVERS_MIN || extent[1] > RECEIVERS_MAX_READ || extent[2] > FREQUENCIES_MAX)
        return fail(
            e, ERROR_INPUT,
            "%s: has %zu receivers at %zu frequencies; %d to %d receivers and at most %d frequencies are supported",
            s->path, extent[1], extent[2], (int)RECEIVERS_MIN, (int)RECEIVERS_MAX_READ, (int)FREQUENCIES_MAX);
    return 0;
}

static int read_frequencies(struct directivity_data *d, struct source *s, struct error *e)
{
    static const enum sofa_quantity frequency = SOFA_FREQUENCY;
    const double *f = s->frequency->values;
    const size_t count = s->frequency->extent[0];
    double factor;
    if (sofa_units(&factor, &frequency, 1, s->frequency, 0.0, s->path, e))
        return -1;
    s->first = f[0] == 0.0;
    if (count <= s->first)
        return fail(e, ERROR_INPUT, "%s: has no frequency above 0 Hz", s->path);
    for (size_t i = s->first; i < count; i++)
        if (!(f[i] > (i ? f[i - 1] : 0.0) && factor * f[i] <= 1e6))
            return fail(e, ERROR_INPUT, "%s: N (frequencies) must rise from 0 Hz or above to at most 1 MHz", s->path);
    d->frequencies = count - s->first;
    d->frequency = malloc(d->frequencies * sizeof *d->frequency);
    if (!d->frequency)
        return fail(e, ERROR_MEMORY, "%s: out of memory", s->path);
    for (size_t k = 0; k < d->frequencies; k++)
        d->frequency[k] = factor * f[s->first + k];
    return 0;
}

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* From the source, in its axes; receivers are given in the axes of the listener, which has its own place. */
static int read_directions(struct directivity_data *d, const struct source *s, double *radius, struct error *e)
{
    struct sofa_places receivers, listener, source;
    struct sofa_axes ears, mouth;
    if (sofa_places(&receivers, s->document, "ReceiverPosition", d->receivers, s->path, e) ||
        sofa_places(&listener, s->document, "ListenerPosition", 1, s->path, e) ||
        sofa_places(&source, s->document, "SourcePosition", 1, s->path, e) ||
        sofa_axes(&ears, s->document, "ListenerView", "ListenerUp", 1, s->path, e) ||
        sofa_axes(&mouth, s->document, "SourceView", "SourceUp", 1, s->path, e))
        return -1;
    double centre[3], from[3], axis[3][3];
    sofa_place(centre, &listener, 0);
    sofa_place(from, &source, 0);
    for (int k = 0; k < 3; k++) { /* rows: x, y and z of the room as the listener has them */
        const double unit[3] = {k == 0, k == 1, k == 2};
        if (sofa_seen(axis[k], &ears, 0, unit, s->path, e))
            return -1;
    }
    for (size_t i = 0; i < d->receivers; i++) {
        double local[3], place[3];
        sofa_place(local, &receivers, i);
        for (int k = 0; k < 3; k++)
            place[k] = centre[k] - from[k] + axis[k][0] * local[0] + axis[k][1] * local[1] + axis[k][2] * local[2];
        if (sofa_seen(d->direction[i], &mouth, 0, place, s->path, e))
            return -1;
        radius[i] = sqrt(place[0] * place[0] + place[1] * place[1] + place[2] * place[2]);
        for (int k = 0; k < 3; k++)
            d->direction[i][k] /= radius[i];
        if (!(radius[i] >= 0.01))
            return fail(e, ERROR_INPUT, "%s: receiver %zu is at the position of the source", s->path, i + 1);
    }
    qsort(radius, d->receivers, sizeof *radius, compare);
    d->distance = radius[d->receivers / 2];
    return 0;
}

/* Harmonics are not rotated, so the source must have view x and up z. */
static int check_unturned(const struct source *s, struct error *e)
{
    struct sofa_axes axes;
    if (sofa_axes(&axes, s->document, "SourceView", "SourceUp", 1, s->path, e))
        return -1;
    for (int k = 0; k < 3; k++) {
        const double unit[3] = {k == 0, k == 1, k == 2};
        double seen[3];
        if (sofa_seen(seen, &axes, 0, unit, s->path, e))
            return -1;
        if (!(fabs(seen[k] - 1.0) <= 1e-6))
            return fail(e, ERROR_INPUT,
                        "%s: spherical harmonics require SourceView = x and SourceUp = z; rotate the harmonics, and "
                        "set the orientation of the source",
                        s->path);
    }
    return 0;
}

/* Harmonics about the source, whose axes are those of the room. Without the attributes of its data they are N3D in
 * ACN. */
static int read_harmonics(struct directivity_data *d, const struct source *s, double *factor, struct error *e)
{
    const struct sofa_variable *places = sofa_variable(s->document, "ReceiverPosition");
    const struct sofa_attributes *a = &s->real->attributes;
    static const enum sofa_quantity quantities[] = {SOFA_ANGLE, SOFA_ANGLE, SOFA_LENGTH};
    double unit[3];
    const char *channels = sofa_text(a, "ChannelOrdering"), *scale = sofa_text(a, "Normalization");
    while (d->order < ORDER_MAX && (size_t)((d->order + 1) * (d->order + 1)) < d->receivers)
        d->order++;
    if ((size_t)((d->order + 1) * (d->order + 1)) != d->receivers)
        return fail(e, ERROR_INPUT, "%s: %zu harmonics are not a complete order up to %d", s->path, d->receivers,
                    (int)ORDER_MAX);
    if ((channels && strcmp(channels, "acn") != 0) ||
        (scale && strcmp(scale, "n3d") != 0 && strcmp(scale, "sn3d") != 0))
        return fail(e, ERROR_INPUT, "%s: unsupported harmonics; convert them to \"acn\" with \"n3d\" or \"sn3d\"",
                    s->path);
    if (check_unturned(s, e))
        return -1;
    if (sofa_units(unit, quantities, 3, places, 0.0, s->path, e))
        return -1;
    d->distance = places->rank >= 2 && places->extent[1] == 3 ? unit[2] * places->values[2] : 0.0;
    if (!(d->distance >= 0.01 && d->distance <= 1e6))
        return fail(e, ERROR_INPUT,
                    "%s: the radius of the harmonics (third number of ReceiverPosition) is %g m; it must be positive",
                    s->path, d->distance);
    for (size_t c = 0, n = 0; c < d->receivers; c++) { /* Y of N3D is √(2n + 1) times that of SN3D */
        n += c == (n + 1) * (n + 1);
        factor[c] = scale && !strcmp(scale, "sn3d") ? 1.0 : sqrt(2.0 * (double)n + 1.0);
    }
    return 0;
}

static int read_values(struct directivity_data *d, const struct source *s, const double *factor, struct error *e)
{
    const size_t columns = s->frequency->extent[0];
    for (size_t i = 0; i < d->receivers; i++)
        for (size_t k = 0; k < d->frequencies; k++) {
            const double re = s->real->values[i * columns + s->first + k],
                         im = s->imaginary->values[i * columns + s->first + k];
            if (!(fabs(re) <= 1e9 && fabs(im) <= 1e9))
                return fail(e, ERROR_INPUT, "%s: a value of receiver %zu is not finite or exceeds 1e9", s->path, i + 1);
            d->value[k * d->receivers + i][0] = factor[i] * re;
            d->value[k * d->receivers + i][1] = factor[i] * im;
        }
    return 0;
}

static int understand(struct directivity_data *d, struct source *s, struct error *e)
{
    const struct sofa_variable *places = sofa_variable(s->document, "ReceiverPosition");
    const char *type = places ? sofa_text(&places->attributes, "Type") : NULL;
    const int harmonics = type && !strcmp(type, "spherical harmonics");
    d->receivers = s->real->extent[1];
    d->value = calloc(d->receivers * d->frequencies, sizeof *d->value);
    d->direction = harmonics ? NULL : calloc(d->receivers, sizeof *d->direction);
    double *scratch = malloc(d->receivers * sizeof *scratch); /* distances, then factors */
    int status =
        d->value && scratch && (d->direction || harmonics) ? 0 : fail(e, ERROR_MEMORY, "%s: out of memory", s->path);
    if (!status)
        status = harmonics ? read_harmonics(d, s, scratch, e) : read_directions(d, s, scratch, e);
    for (size_t i = 0; i < d->receivers && !status && !harmonics; i++)
        scratch[i] = 1.0;
    status = status || read_values(d, s, scratch, e) ? -1 : 0;
    free(scratch);
    return status;
}

int directivity_of(struct directivity_data *d, const struct sofa_document *document, const char *path, struct error *e)
{
    struct source s = {.document = document, .path = path};
    memset(d, 0, sizeof *d);
    if (!sofa_need_text(s.document, s.path, "Conventions", "SOFA", e) &&
        !sofa_need_text(s.document, s.path, "SOFAConventions", "FreeFieldDirectivityTF", e) &&
        !sofa_need_text(s.document, s.path, "DataType", "TF", e) && !find_values(&s, e) &&
        !read_frequencies(d, &s, e) && !understand(d, &s, e))
        return 0;
    directivity_free(d);
    return -1;
}

int directivity_read(struct directivity_data *d, const char *path, struct error *e)
{
    struct sofa_document document;
    memset(d, 0, sizeof *d);
    if (sofa_read(&document, path, e))
        return -1;
    const int status = directivity_of(d, &document, path, e);
    sofa_document_free(&document);
    return status;
}

void directivity_free(struct directivity_data *d)
{
    free(d->frequency);
    free(d->direction);
    free(d->value);
    memset(d, 0, sizeof *d);
}
