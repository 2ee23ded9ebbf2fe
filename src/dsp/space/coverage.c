/* SPDX-License-Identifier: MIT */
#include "dsp/space/coverage.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

enum { SAMPLES = 100 }; /* directions of which the spacing of a set is taken */
static const double DEGREE = M_PI / 180.0;
static const double LIMIT = 20.0, SPACINGS = 1.25; /* degrees */
static const double SAME = 0.1;                    /* degrees between directions that count as one */
static const double LACKING = 0.1;                 /* of the sphere */

static double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static double angle_of(double cosine)
{
    return acos(fmin(fmax(cosine, -1.0), 1.0)) / DEGREE;
}

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Degrees: the median, over some of the directions, of the way to the nearest other one. */
static double spacing_of(const double (*directions)[3], size_t count)
{
    double nearest[SAMPLES];
    const size_t step = count / SAMPLES + 1, samples = (count + step - 1) / step;
    const double same = cos(SAME * DEGREE);
    for (size_t i = 0; i < samples; i++) {
        double most = -1.0;
        for (size_t k = 0; k < count; k++) {
            const double cosine = dot(directions[i * step], directions[k]);
            most = cosine < same ? fmax(most, cosine) : most;
        }
        nearest[i] = angle_of(most);
    }
    qsort(nearest, samples, sizeof *nearest, compare);
    return nearest[samples / 2];
}

static void find_elevations(struct coverage *c, const double (*directions)[3], size_t count)
{
    c->low = INFINITY;
    c->high = -INFINITY;
    for (size_t i = 0; i < count; i++) {
        double angles[2];
        coverage_angles(angles, directions[i]);
        c->low = fmin(c->low, angles[1]);
        c->high = fmax(c->high, angles[1]);
    }
}

/* Looks at each cell of the map; its share of the sphere goes with the cosine of its elevation. */
static void fill_map(struct coverage *c)
{
    double all = 0.0, outside = 0.0;
    for (int row = 0; row < COVERAGE_ROWS; row++)
        for (int column = 0; column < COVERAGE_COLUMNS; column++) {
            const double azimuth = COVERAGE_STEP * column, elevation = COVERAGE_STEP * row - 90.0;
            const double across = cos(elevation * DEGREE);
            const double place[3] = {across * cos(azimuth * DEGREE), across * sin(azimuth * DEGREE),
                                     sin(elevation * DEGREE)};
            const double away = coverage_away(c, place);
            c->outside[row][column] = away > c->limit;
            all += across;
            outside += c->outside[row][column] ? across : 0.0;
            if (!(away > c->farthest + SAME))
                continue;
            c->farthest = away;
            c->at[0] = azimuth > 180.0 ? azimuth - 360.0 : azimuth;
            c->at[1] = elevation;
        }
    c->share = outside / all;
}

int coverage_make(struct coverage *c, const double (*directions)[3], size_t count, struct error *e)
{
    memset(c, 0, sizeof *c);
    if (direction_tree_make(&c->tree, directions, count, e))
        return -1;
    c->limit = fmax(LIMIT, SPACINGS * spacing_of(directions, count));
    find_elevations(c, directions, count);
    fill_map(c);
    return 0;
}

void coverage_free(struct coverage *c)
{
    direction_tree_free(&c->tree);
}

double coverage_away(const struct coverage *c, const double direction[3])
{
    double cosine;
    direction_tree_nearest(&c->tree, direction, &cosine, NULL);
    return angle_of(cosine);
}

void coverage_angles(double angles[2], const double direction[3])
{
    angles[0] = atan2(direction[1], direction[0]) / DEGREE;
    angles[1] = atan2(direction[2], hypot(direction[0], direction[1])) / DEGREE;
}

const char *coverage_text(char text[COVERAGE_TEXT], const struct coverage *c)
{
    if (c->low > -1.0 && c->high < 1.0)
        snprintf(text, COVERAGE_TEXT, "only the horizontal plane");
    else if (c->high - c->low < 1.0)
        snprintf(text, COVERAGE_TEXT, "only an elevation of %.0f degrees", c->low);
    else
        snprintf(text, COVERAGE_TEXT, "elevations from %.0f to %.0f degrees", c->low, c->high);
    return text;
}

int coverage_warn(char ***lines, size_t *count, const struct coverage *c, const char *what, const char *name,
                  const char *file, struct error *e)
{
    char text[COVERAGE_TEXT];
    if (!(c->share > LACKING))
        return 0;
    return lines_add(lines, count, e,
                     "%s%s%s%s%s covers %s; %.0f %% of the sphere lies more than %.0f degrees outside (up to %.0f "
                     "degrees at azimuth %.0f, elevation %.0f), where the result is an extrapolation",
                     name ? what : "", name ? " " : "", name ? name : "", name ? ": " : "", file,
                     coverage_text(text, c), 100.0 * c->share, c->limit, c->farthest, c->at[0], c->at[1]);
}
