/* SPDX-License-Identifier: MIT */
#include "render/hybrid/late_directions.h"

#include <math.h>
#include <string.h>

#include "render/hybrid/late_rays.h"
#include "render/hybrid/late_walls.h"

static const double pi = 3.14159265358979323846;

static double mean_length(double concentration)
{
    return concentration < 1e-3 ? concentration / 3.0 : 1.0 / tanh(concentration) - 1.0 / concentration;
}

/* κ, theory (91), of that distribution for a length of the mean: coth κ - 1/κ = length. */
static double late_concentration(double length)
{
    if (!(length > 1e-6))
        return 0.0;
    const double most = 0.999, r = fmin(length, most);
    double k = r * (3.0 - r * r) / (1.0 - r * r); /* Banerjee et al. 2005; refined by Newton's method */
    for (int i = 0; i < 3; i++) {
        const double slope = k < 1e-3 ? 1.0 / 3.0 : 1.0 / (k * k) - (k < 300.0 ? pow(sinh(k), -2.0) : 0.0);
        k = fmax(k - (mean_length(k) - r) / slope, 0.0);
    }
    return k;
}

struct late_spread late_spread_of(const double mean[3])
{
    const double length = sqrt(mean[0] * mean[0] + mean[1] * mean[1] + mean[2] * mean[2]);
    struct late_spread s = {.concentration = late_concentration(length), .axis = {0.0, 0.0, 1.0}};
    double square = 0.0;
    for (int i = 0; i < 3 && length > 1e-6; i++)
        s.axis[i] = mean[i] / length;
    const int least = fabs(s.axis[0]) < 0.6 ? 0 : 1;
    for (int i = 0; i < 3; i++) {
        s.across[i] = (i == least ? 1.0 : 0.0) - s.axis[least] * s.axis[i];
        square += s.across[i] * s.across[i];
    }
    for (int i = 0; i < 3; i++)
        s.across[i] /= sqrt(square);
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        s.up[i] = s.axis[j] * s.across[k] - s.axis[k] * s.across[j];
    }
    return s;
}

void late_spread_draw(double direction[3], const struct late_spread *s, struct random *r)
{
    const double k = s->concentration, share = random_unit(r), angle = 2.0 * pi * random_unit(r);
    const double cosine = k > 1e-4 ? 1.0 + log(share + (1.0 - share) * exp(-2.0 * k)) / k : 2.0 * share - 1.0;
    const double z = fmin(fmax(cosine, -1.0), 1.0), out = sqrt(1.0 - z * z);
    for (int i = 0; i < 3; i++)
        direction[i] = z * s->axis[i] + out * (cos(angle) * s->across[i] + sin(angle) * s->up[i]);
}

/* With the weights s/p and (1 - s)/(1 - p), taken with the chances p and 1 - p, E[w²] - 1 = (s -
 * p)²/(p (1 - p)). */
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

/* Whether part b begins a band with deflecting edges, or the bands above these. */
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
