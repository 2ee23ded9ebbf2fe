/* SPDX-License-Identifier: MIT */
#include "support/beam_elements.h"

#include <math.h>

/* Two unknowns a node, displacement and slope times the element's length; row i holds the columns i - 3 to i. */
enum { BAND = 4 };

struct beam {
    size_t unknowns;
    double (*stiffness)[BAND], (*mass)[BAND], (*work)[BAND]; /* [unknowns] */
};

static const double bent[4][4] = {{12, 6, -12, 6}, {6, 4, -6, 2}, {-12, -6, 12, -6}, {6, 2, -6, 4}};
static const double pulled[4][4] = {{36, 3, -36, 3}, {3, 4, -3, -1}, {-36, -3, 36, -3}, {3, -1, -3, 4}};
static const double moved[4][4] = {{156, 22, 54, -13}, {22, 4, 13, -3}, {54, 13, 156, -22}, {-13, -3, -22, 4}};

static void hold(struct beam *b, size_t unknown)
{
    for (size_t row = unknown; row < b->unknowns && row < unknown + BAND; row++)
        b->stiffness[row][BAND - 1 - (row - unknown)] = b->mass[row][BAND - 1 - (row - unknown)] = 0.0;
    for (size_t k = 0; k < BAND; k++)
        b->stiffness[unknown][k] = b->mass[unknown][k] = 0.0;
    b->stiffness[unknown][BAND - 1] = 1.0;
}

static struct beam beam_make(const struct line *line, size_t elements)
{
    struct beam b = {2 * elements + 2, NULL, NULL, NULL};
    b.stiffness = calloc(b.unknowns, sizeof *b.stiffness);
    b.mass = calloc(b.unknowns, sizeof *b.mass);
    b.work = calloc(b.unknowns, sizeof *b.work);
    const double h = line->length / (double)elements;
    const double bending = line->bending / (h * h * h), tension = line->tension / (30.0 * h);
    const double density = line->density * h / 420.0;
    for (size_t element = 0; element < elements; element++)
        for (size_t i = 0; i < 4; i++)
            for (size_t j = 0; j <= i; j++) {
                const size_t row = 2 * element + i, column = BAND - 1 - (i - j);
                b.stiffness[row][column] += bending * bent[i][j] + tension * pulled[i][j];
                b.mass[row][column] += density * moved[i][j];
            }
    return b;
}

static void fix_ends(struct beam *b, enum line_ends ends)
{
    if (ends == LINE_FREE)
        return;
    hold(b, 0);
    hold(b, b->unknowns - 2);
    if (ends == LINE_CLAMPED) {
        hold(b, 1);
        hold(b, b->unknowns - 1);
    }
}

static void beam_free(struct beam *b)
{
    free(b->stiffness);
    free(b->mass);
    free(b->work);
}

/* K - value M = L D Lᵀ in `work`, D on the diagonal. Returns the number of negative D, which is the number of modes
 * with ω² < value (Sylvester). */
static size_t factorise(struct beam *b, double value)
{
    size_t negative = 0;
    for (size_t i = 0; i < b->unknowns; i++) {
        double *row = b->work[i];
        for (size_t k = 0; k < BAND; k++) {
            row[k] = b->stiffness[i][k] - value * b->mass[i][k];
            if (i + k + 1 < BAND)
                continue;
            const size_t column = i + k + 1 - BAND;
            for (size_t before = 0; before < k; before++) {
                if (i + before + 1 < BAND)
                    continue;
                const size_t at = i + before + 1 - BAND, there = at + BAND - 1 - column;
                const double left = k == BAND - 1 ? row[before] : b->work[column][there];
                row[k] -= row[before] * b->work[at][BAND - 1] * left;
            }
            if (k < BAND - 1)
                row[k] /= b->work[column][BAND - 1];
        }
        negative += row[BAND - 1] < 0.0;
    }
    return negative;
}

static double frequency_of(struct beam *b, size_t mode, double guess)
{
    double low = 0.0, high = guess * guess;
    while (factorise(b, high) <= mode)
        high *= 2.0;
    for (int i = 0; i < 60; i++) {
        const double middle = 0.5 * (low + high);
        *(factorise(b, middle) <= mode ? &low : &high) = middle;
    }
    return sqrt(0.5 * (low + high)) / (2.0 * M_PI);
}

void beam_frequencies(const struct line *line, size_t elements, size_t count, double *frequency)
{
    struct beam coarse = beam_make(line, elements), fine = beam_make(line, 2 * elements);
    fix_ends(&coarse, line->ends);
    fix_ends(&fine, line->ends);
    const double k = M_PI / line->length;
    const double guess = k * sqrt((line->tension + line->bending * k * k) / line->density);
    for (size_t mode = 0; mode < count; mode++)
        frequency[mode] = (16.0 * frequency_of(&fine, mode, guess) - frequency_of(&coarse, mode, guess)) / 15.0;
    beam_free(&coarse);
    beam_free(&fine);
}

static double at(double (*matrix)[BAND], size_t i, size_t j)
{
    const size_t row = i > j ? i : j, distance = i > j ? i - j : j - i;
    return distance < BAND ? matrix[row][BAND - 1 - distance] : 0.0;
}

double beam_end_moved(const struct line *line, size_t elements, double *displacement)
{
    struct beam whole = beam_make(line, elements), restrained = beam_make(line, elements);
    const size_t unknowns = whole.unknowns, end = unknowns - 2;
    double *u = calloc(unknowns, sizeof *u), force = 0.0;
    fix_ends(&restrained, line->ends);
    for (size_t i = 0; i < unknowns; i++) {
        const int fixed = i == 0 || (line->ends == LINE_CLAMPED && (i == 1 || i == unknowns - 1));
        u[i] = fixed ? 0.0 : -at(whole.stiffness, i, end);
    }
    u[end] = 1.0;
    factorise(&restrained, 0.0);
    for (size_t i = 0; i < unknowns; i++)
        for (size_t j = i < BAND ? 0 : i - BAND + 1; j < i; j++)
            u[i] -= at(restrained.work, i, j) * u[j];
    for (size_t i = 0; i < unknowns; i++)
        u[i] /= restrained.work[i][BAND - 1];
    for (size_t i = unknowns; i-- > 0;)
        for (size_t j = i + 1; j < unknowns && j < i + BAND; j++)
            u[i] -= at(restrained.work, i, j) * u[j];
    for (size_t i = 0; i < unknowns; i++)
        force += at(whole.stiffness, end, i) * u[i];
    for (size_t node = 0; node <= elements; node++)
        displacement[node] = u[2 * node];
    free(u);
    beam_free(&whole);
    beam_free(&restrained);
    return force;
}
