/* SPDX-License-Identifier: MIT */
#include "io/sofa/hrtf_distances.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

enum { SETS_MAX = 32, LISTED_MAX = 8 };
static const double APART = 1.05;         /* ratio of two radii next to each other that parts two sets */
static const double TWICE = M_PI / 180.0; /* rad between two sources that count as one direction */

/* Sources by distance. */
struct sets {
    size_t count, first[SETS_MAX + 1]; /* in `sorted`; the last is its length */
    double *sorted;                    /* m: all radii, ascending */
};

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static int sets_make(struct sets *s, const double *radius, size_t count, struct error *e)
{
    *s = (struct sets){.sorted = malloc(count * sizeof *s->sorted)};
    if (!s->sorted)
        return fail(e, ERROR_MEMORY, "out of memory");
    memcpy(s->sorted, radius, count * sizeof *s->sorted);
    qsort(s->sorted, count, sizeof *s->sorted, compare);
    for (size_t i = 0; i < count; i++)
        if (!i || (s->sorted[i] > APART * s->sorted[i - 1] && s->count < SETS_MAX))
            s->first[s->count++] = i;
    s->first[s->count] = count;
    return 0;
}

static void join_sets(struct sets *s)
{
    s->first[1] = s->first[s->count];
    s->count = 1;
}

static size_t size_of(const struct sets *s, size_t set)
{
    return s->first[set + 1] - s->first[set];
}

static double median_of(const struct sets *s, size_t set)
{
    return s->sorted[s->first[set] + size_of(s, set) / 2];
}

static size_t set_of(const struct sets *s, double radius)
{
    size_t set = 0;
    while (set + 1 < s->count && radius >= s->sorted[s->first[set + 1]])
        set++;
    return set;
}

struct source {
    const double *direction;
    size_t set;
};

static int compare_heights(const void *a, const void *b)
{
    const struct source *p = a, *q = b;
    return compare(&p->direction[2], &q->direction[2]);
}

/* Whether a direction was measured in two sets. By height, so that few are compared. */
static int find_twice(bool *twice, const struct sets *s, const struct hrtf *h, const double *radius, struct error *e)
{
    struct source *by_height = malloc(h->directions * sizeof *by_height);
    if (!by_height)
        return fail(e, ERROR_MEMORY, "out of memory");
    for (size_t i = 0; i < h->directions; i++)
        by_height[i] = (struct source){h->direction[i], set_of(s, radius[i])};
    qsort(by_height, h->directions, sizeof *by_height, compare_heights);
    *twice = false;
    for (size_t i = 0; i < h->directions && !*twice; i++)
        for (size_t k = i + 1; k < h->directions && !*twice; k++) {
            const double *a = by_height[i].direction, *b = by_height[k].direction;
            if (b[2] - a[2] > TWICE)
                break;
            *twice =
                by_height[i].set != by_height[k].set && hypot(hypot(a[0] - b[0], a[1] - b[1]), a[2] - b[2]) <= TWICE;
        }
    free(by_height);
    return 0;
}

/* The set nearest to a distance; s->count: none is large enough. */
static size_t nearest_set(const struct sets *s, double wanted, size_t least)
{
    size_t best = s->count;
    for (size_t i = 0; i < s->count; i++)
        if (size_of(s, i) >= least &&
            (best == s->count || fabs(median_of(s, i) - wanted) < fabs(median_of(s, best) - wanted)))
            best = i;
    return best;
}

static int note_choice(struct hrtf *h, const struct sets *s, size_t taken, const char *path, struct error *e)
{
    struct growing_text list = {.text = NULL};
    for (size_t i = 0; i < s->count && i < LISTED_MAX; i++)
        growing_text_add(&list, "%s%.3g m (%zu)", i ? ", " : "", median_of(s, i), size_of(s, i));
    if (s->count > LISTED_MAX)
        growing_text_add(&list, " .. %.3g m (%zu)", median_of(s, s->count - 1), size_of(s, s->count - 1));
    char *text = growing_text_take(&list, NULL);
    const int status = text ? lines_add(&h->notes, &h->note_count, e,
                                        "%s: has directions at %s; those at %.3g m are used (choose others with "
                                        "--distance, or hrtf_distance in a room file)",
                                        path, text, median_of(s, taken))
                            : fail(e, ERROR_MEMORY, "out of memory");
    free(text);
    return status;
}

static int choose(size_t *taken, struct sets *s, struct hrtf *h, const double *radius, double wanted, size_t least,
                  const char *path, struct error *e)
{
    bool twice = false;
    if (s->count > 1 && find_twice(&twice, s, h, radius, e))
        return -1;
    if (!twice) {
        const double nearest = s->sorted[0], farthest = s->sorted[h->directions - 1];
        const bool scattered = s->count > 1;
        join_sets(s);
        *taken = 0;
        return scattered ? lines_add(&h->notes, &h->note_count, e,
                                     "%s: the sources are %.3g to %.3g m away, each direction at one distance; all are "
                                     "used as if they were %.3g m away",
                                     path, nearest, farthest, median_of(s, 0))
                         : 0;
    }
    *taken = nearest_set(s, wanted, least);
    return *taken < s->count ? note_choice(h, s, *taken, path, e)
                             : fail(e, ERROR_INPUT, "%s: has fewer than %zu directions at each of its %zu distances",
                                    path, least, s->count);
}

int hrtf_keep_distance(size_t *kept, struct hrtf *h, const double *radius, double wanted, size_t least,
                       const char *path, struct error *e)
{
    struct sets s;
    size_t taken = 0, count = 0;
    if (sets_make(&s, radius, h->directions, e))
        return -1;
    const int status = choose(&taken, &s, h, radius, wanted, least, path, e);
    for (size_t i = 0; i < h->directions && !status; i++)
        if (set_of(&s, radius[i]) == taken) {
            memmove(h->direction[count], h->direction[i], sizeof h->direction[i]);
            kept[count++] = i;
        }
    if (!status) {
        h->distance = median_of(&s, taken);
        h->directions = count;
    }
    free(s.sorted);
    return status;
}
