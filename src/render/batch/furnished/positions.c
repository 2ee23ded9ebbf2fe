/* SPDX-License-Identifier: MIT */
/* One talker or loudspeaker and two listeners, seated where there is a seat. */
#include <string.h>

#include "render/batch/furnished/sketch.h"

enum { TRIES = 2000, FROM_SOURCE = 1000, FROM_EACH_OTHER = 500 };

static long long square_of_distance(const int a[3], const int low[3], const int high[3])
{
    long long sum = 0;
    for (int i = 0; i < 3; i++) {
        const long long beyond = a[i] < low[i] ? low[i] - a[i] : a[i] > high[i] ? a[i] - high[i] : 0;
        sum += beyond * beyond;
    }
    return sum;
}

static bool is_free(const struct sketch *s, const int at[3])
{
    const struct rect around = {{at[0] - CLEARANCE, at[1] - CLEARANCE}, {at[0] + CLEARANCE, at[1] + CLEARANCE}};
    struct part parts[PARTS_MAX];
    if (!outline_contains(s, &around) || at[2] + CLEARANCE > s->height)
        return false;
    for (size_t i = 0; i < s->piece_count; i++) {
        const size_t count = piece_parts(parts, &s->pieces[i]);
        for (size_t k = 0; k < count; k++)
            if (square_of_distance(at, parts[k].low, parts[k].high) < CLEARANCE * CLEARANCE)
                return false;
    }
    return true;
}

static void draw_anywhere(const struct sketch *s, int at[3], struct random *r)
{
    const bool stands = draw_chance(r, 0.5);
    for (int i = 0; i < 2; i++)
        at[i] = draw_length(r, 0, s->size[i], 10);
    at[2] = stands ? draw_length(r, 1500, 1700, 10) : draw_length(r, 1150, 1300, 10);
}

/* Above the middle of a seat; false: there is none. */
static bool draw_seated(const struct sketch *s, int at[3], struct random *r)
{
    size_t seats[PIECES_MAX], count = 0;
    for (size_t i = 0; i < s->piece_count; i++)
        if (piece_is_seat(s->pieces[i].kind))
            seats[count++] = i;
    if (!count)
        return false;
    const struct rect rect = piece_rect(&s->pieces[seats[random_between(r, 0, count - 1)]]);
    for (int i = 0; i < 2; i++)
        at[i] = (rect.low[i] + rect.high[i]) / 2;
    at[2] = draw_length(r, 1200, 1300, 10);
    return true;
}

static bool is_apart(const int a[3], const int b[3], int distance)
{
    return square_of_distance(a, b, b) >= (long long)distance * distance;
}

bool positions_draw(struct sketch *s, struct random *r)
{
    int tries = TRIES;
    do
        draw_anywhere(s, s->source, r);
    while (!is_free(s, s->source) && --tries);
    for (int k = 0; k < RECEIVERS && tries; k++) {
        int *at = s->receivers[k];
        bool good = false;
        while (!good && --tries) {
            if (!draw_chance(r, 0.7) || !draw_seated(s, at, r))
                draw_anywhere(s, at, r);
            good = is_free(s, at) && is_apart(at, s->source, FROM_SOURCE);
            for (int i = 0; i < k; i++)
                good = good && is_apart(at, s->receivers[i], FROM_EACH_OTHER);
        }
    }
    return tries > 0;
}
