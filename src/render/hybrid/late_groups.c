/* SPDX-License-Identifier: MIT */
#include <math.h>

#include <string.h>

#include "render/hybrid/late_edges.h"
#include "render/hybrid/late_rays.h"

/* E[w²] - 1 of the weights s/p and (1 - s)/(1 - p) with the chances p and 1 - p is (s - p)²/(p (1 - p)). */
static void range_of(double range[2], const struct late_group *g, const struct late_wall *wall)
{
    range[0] = range[1] = wall->scattered[g->first];
    for (size_t b = g->first; b < g->first + g->count; b++) {
        range[0] = fmin(range[0], wall->scattered[b]);
        range[1] = fmax(range[1], wall->scattered[b]);
    }
}

double late_group_chance(const struct late_group *group, const struct late_wall *wall)
{
    double range[2];
    range_of(range, group, wall);
    return 0.5 * (range[0] + range[1]);
}

static bool holds(const struct late_group *g, const struct late_wall *wall, double variance)
{
    double range[2];
    range_of(range, g, wall);
    const double chance = 0.5 * (range[0] + range[1]), off = range[1] - chance;
    return off * off <= variance * chance * (1.0 - chance);
}

size_t late_groups_make(struct late_group *groups, const struct late_wall *walls, size_t wall_count, size_t bands,
                        double variance)
{
    size_t count = 0;
    for (size_t b = 0; b < bands; b++) {
        struct late_group longer = {count ? groups[count - 1].first : 0, count ? groups[count - 1].count + 1 : 1};
        bool fits = count > 0;
        for (size_t w = 0; w < wall_count && fits; w++)
            fits = holds(&longer, &walls[w], variance);
        if (fits)
            groups[count - 1] = longer;
        else
            groups[count++] = (struct late_group){b, 1};
    }
    return count;
}

/* The first band of the group of a band that edges turn alone, or all above. */
static bool begins(const struct late_bands *bands, size_t parts, size_t b)
{
    return b % parts == 0 && (b == 0 || bands->centre[b / parts - 1] <= LATE_EDGE_HIGHEST);
}

size_t late_groups_cut(struct late_group *groups, size_t *members, size_t count, const struct late_bands *bands,
                       size_t parts)
{
    struct late_group whole[LATE_BANDS_MAX];
    size_t cut = 0;
    memcpy(whole, groups, count * sizeof *groups);
    for (size_t g = 0; g < count; g++) {
        const size_t first = cut;
        for (size_t b = whole[g].first; b < whole[g].first + whole[g].count; b++)
            if (b == whole[g].first || begins(bands, parts, b))
                groups[cut++] = (struct late_group){b, 1};
            else
                groups[cut - 1].count++;
        for (size_t i = first; i < cut; i++)
            members[i] = cut - first;
    }
    return cut;
}
