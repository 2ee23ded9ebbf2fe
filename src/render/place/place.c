/* SPDX-License-Identifier: MIT */
#include "render/place/place.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/stop.h"
#include "base/threads.h"
#include "render/place/runs.h"

static const double FINE = 700.0;  /* Hz: of the grid, for a spacing of about 0.14 m, which holds furniture */
static const double LOWEST = 16.0; /* Hz: above the high-pass of responses */
static const double WIDTHS = 0.5;  /* least duration over that of the narrowest band's own response */

double place_delay(const struct place *place, const struct place_set *set, size_t k)
{
    return 1000.0 * place->wish.search.delay_step * set->setting[k].delay;
}

double place_gain(const struct place *place, const struct place_set *set, size_t k)
{
    return set->setting[k].cut ? -place->wish.search.gain_step * set->setting[k].cut : 0.0;
}

static bool has_own_grid(const struct room *room)
{
    return room->sized_by_points || room->grid.rate > 0.0;
}

static double grid_frequency(const struct place *place, const struct room *room)
{
    if (has_own_grid(room))
        return 0.0;
    if (place->wish.max_frequency > 0.0)
        return place->wish.max_frequency;
    return fmin(room->grid.max_frequency, fmax(FINE, 1.1 * place_bands_top(&place->bands)));
}

static int check_band(const struct place *place, const struct room *room, struct error *e)
{
    const struct place_wish *w = &place->wish;
    const double least = WIDTHS / place_bands_finest(&place->bands);
    if (!(w->low >= LOWEST))
        return fail(e, ERROR_USAGE, "--band %g,%g: begins below %g Hz, where responses are filtered; use a higher band",
                    w->low, w->high, LOWEST);
    if (!has_own_grid(room) && grid_frequency(place, room) < place_bands_top(&place->bands))
        return fail(e, ERROR_USAGE,
                    "--band %g,%g: %s is valid up to %g Hz only; use a lower band or --max-frequency %.0f", w->low,
                    w->high, room->path, grid_frequency(place, room), ceil(1.1 * w->high));
    if (room->duration > 0.0 && room->duration < least)
        return fail(
            e, ERROR_USAGE,
            "--band %g,%g: a response of %g s cannot resolve a twelfth of an octave there; use a higher band or "
            "--set time.duration=%.1f",
            w->low, w->high, room->duration, ceil(10.0 * least) / 10.0);
    return 0;
}

/* Of subs, or of pairs in front of the seats. */
static int find_candidates(struct place *place, const struct room *room, const struct model *m, struct error *e)
{
    const struct place_wish *w = &place->wish;
    double spacing, height = NAN;
    if (w->facing < 0)
        return place_points_candidates(&place->candidates, w->candidates, w->clearance, PLACE_CANDIDATES_MAX, room, m,
                                       e);
    if (place_points_spacing(&spacing, &height, w->candidates, e))
        return -1;
    if (!isnan(height))
        return fail(e, ERROR_USAGE, "--candidates: a pair stands at the height of the seat; leave out z=");
    return place_pairs_make(&place->found.sets, &place->found.count, &place->candidates, &place->seats, w->facing,
                            spacing, w->clearance, PLACE_CANDIDATES_MAX, m, e);
}

/* The room without sources and receivers, on whose grid the places are looked for. */
static int find_points(struct place *place, const struct room *room, struct error *e)
{
    struct place_room empty = {.sources = NULL};
    struct model *m = NULL;
    const struct grid_use use = {.purpose = PURPOSE_RESPONSES};
    const struct place_wish *w = &place->wish;
    int status = place_points_named(&place->seats, w->seats, "seats", false, room, e) ||
                 place_room_make(&empty, room, NULL, 0, NULL, 0, grid_frequency(place, room), e) ||
                 model_make_for(&m, &empty.room, &use, e);
    if (!status && !m->voxels.set)
        status = fail(e, ERROR_INPUT, "%s: the grid does not fit in memory; lower grid.max_frequency", room->path);
    if (!status && place->seats.count > PLACE_SEATS_MAX)
        status = fail(e, ERROR_USAGE, "--seats: at most %d seats; name fewer", PLACE_SEATS_MAX);
    if (!status)
        status = place_points_check(&place->seats, "seats", m, e) || find_candidates(place, room, m, e);
    if (!status && place->wish.facing < 0 && place->candidates.count < w->search.subs)
        status = fail(e, ERROR_USAGE, "--subs %zu: there are %zu candidates only; add some with --candidates",
                      w->search.subs, place->candidates.count);
    if (!status && w->walls)
        status = wall_areas_make(&place->walls, m, e);
    if (!status) {
        place->spacing = m->grid.spacing;
        place->valid = m->grid.valid_frequency;
        if (place->valid < place_bands_top(&place->bands))
            status = fail(e, ERROR_USAGE, "--band %g,%g: %s is valid up to %.0f Hz only; use a lower band", w->low,
                          w->high, room->path, place->valid);
    }
    model_free(m);
    place_room_free(&empty);
    return status ? -1 : 0;
}

/* Runs of `sources` to `places`; values in fresh memory. */
static int run(struct place *place, double **values, const struct room *room, double (*sources)[3], size_t source_count,
               double (*places)[3], size_t place_count, size_t done, const struct solver_options *choice,
               const struct watch *watch, double *sound_speed, struct error *e)
{
    struct place_room own = {.sources = NULL};
    struct model *m = NULL;
    const struct grid_use use = {.purpose = PURPOSE_RESPONSES, .count = source_count};
    struct place_runs runs = {.bands = &place->bands,
                              .sources = source_count,
                              .places = place_count,
                              .tail = -INFINITY,
                              .done = done,
                              .total = done + source_count + (done ? 0 : place->wish.search.subs)};
    runs.values = *values =
        calloc(2 * place_count * source_count * place->bands.count * PLACE_LINES + 1, sizeof **values);
    int status = *values ? place_room_make(&own, room, sources, source_count, places, place_count,
                                           grid_frequency(place, room), e)
                         : fail(e, ERROR_MEMORY, "out of memory");
    if (!status)
        status = model_make_for(&m, &own.room, &use, e) || place_runs_make(&runs, m, choice, watch, e);
    if (!status) {
        place->seconds = runs.seconds;
        place->tail = fmax(place->tail, runs.tail);
        *sound_speed = m->grid.sound_speed;
    }
    model_free(m);
    place_room_free(&own);
    return status ? -1 : 0;
}

/* first, then second, in fresh memory. */
static double (*joined(double (*first)[3], size_t count, double (*second)[3], size_t more))[3]
{
    double(*all)[3] = malloc((count + more + 1) * sizeof *all);
    if (all && count)
        memcpy(all, first, count * sizeof *all);
    if (all && more)
        memcpy(all + count, second, more * sizeof *all);
    return all;
}

/* Runs from the seats to candidates and points of the walls. */
static int run_seats(struct place *place, const struct room *room, const struct solver_options *choice,
                     const struct watch *watch, struct error *e)
{
    const size_t points = place->walls.point_count;
    double sound_speed;
    double(*places)[3] = joined(place->candidates.at, place->candidates.count, place->walls.points, points);
    const int status = places ? run(place, &place->values, room, place->seats.at, place->seats.count, places,
                                    place->candidates.count + points, 0, choice, watch, &sound_speed, e)
                              : fail(e, ERROR_MEMORY, "out of memory");
    free(places);
    place->transfers = (struct place_transfers){.bands = &place->bands,
                                                .seats = place->seats.count,
                                                .candidates = place->candidates.count,
                                                .values = place->values};
    return status;
}

/* Keeps one seat in the values of candidates and walls, and among the seats. */
static int keep_seat(struct place *place, size_t seat, struct error *e)
{
    const size_t own = place->bands.count * PLACE_LINES, seats = place->seats.count;
    const size_t parts = 2 * (place->candidates.count + place->walls.point_count);
    place->listeners = place->seats;
    memset(&place->seats, 0, sizeof place->seats);
    for (size_t i = 0; i < parts; i++) /* forwards, into the place of what was moved */
        memmove(place->values + i * own, place->values + (i * seats + seat) * own, own * sizeof *place->values);
    place->transfers.seats = 1;
    return place_points_add(&place->seats, place->listeners.at[seat], place->listeners.name[seat], e);
}

static int search_pairs(struct place *place, struct error *e)
{
    struct place_found *found = &place->found;
    const size_t candidates = place->candidates.count;
    found->exhaustive = true;
    found->scored = found->count;
    found->pareto = calloc(found->count + 1, sizeof *found->pareto);
    found->least = malloc(candidates * sizeof *found->least);
    if (!found->pareto || !found->least)
        return fail(e, ERROR_MEMORY, "out of memory");
    if (place_pairs_score(found->sets, found->count, &place->transfers, e))
        return -1;
    for (size_t i = 0; i < found->count; i++)
        for (size_t k = 0; k < 2; k++) /* each candidate belongs to one pair */
            found->least[found->sets[i].candidate[k]] = found->sets[i].score.spread;
    place_found_rank(found);
    place->winner = found->sets[0];
    return keep_seat(place, place->winner.seat, e);
}

static int search(struct place *place, int threads, struct error *e)
{
    if (place->wish.facing >= 0)
        return search_pairs(place, e);
    const int before = threads_limit(threads);
    const int status = place_search_run(&place->found, &place->transfers, &place->wish.search, e);
    threads_limit(before);
    if (!status)
        place->winner = place->found.sets[0];
    return status;
}

/* The sum of the winner's subs at `count` places: from [place][re, im][sub][band][line] to
 * [re, im][place][band][line]. */
static void sum_subs(double *sum, const struct place *place, const double *values, size_t count)
{
    const size_t own = place->bands.count * PLACE_LINES, subs = place->winner.count;
    memset(sum, 0, 2 * count * own * sizeof *sum);
    for (size_t k = 0; k < subs; k++) {
        const struct place_setting *setting = &place->winner.setting[k];
        const double gain = (setting->inverted ? -1.0 : 1.0) * pow(10.0, 0.05 * place_gain(place, &place->winner, k));
        for (size_t i = 0; i < own; i++) {
            const double angle = -2.0 * M_PI * place->bands.frequency[i] * 1e-3 * place_delay(place, &place->winner, k);
            const double c = gain * cos(angle), d = gain * sin(angle);
            for (size_t n = 0; n < count; n++) {
                const double *x = values + 2 * n * subs * own + k * own + i, *y = x + subs * own;
                sum[n * own + i] += c * *x - d * *y;
                sum[(count + n) * own + i] += d * *x + c * *y;
            }
        }
    }
}

/* Levels of the winner from both kinds of runs, and the ranks of the walls. */
static int compare(struct place *place, const double *values, double sound_speed, struct error *e)
{
    const size_t seats = place->seats.count, bands = place->bands.count, own = bands * PLACE_LINES;
    const size_t points = place->walls.point_count;
    struct place_score score;
    double *sum = malloc((4 * seats + 2 * points + 1) * own * sizeof *sum);
    place->levels = malloc(seats * bands * sizeof *place->levels);
    place->direct = malloc(seats * bands * sizeof *place->direct);
    place->mean = calloc(bands, sizeof *place->mean);
    if (!sum || !place->levels || !place->direct || !place->mean) {
        free(sum);
        return fail(e, ERROR_MEMORY, "out of memory");
    }
    double *direct = sum + 2 * seats * own, *walls = sum + 4 * seats * own;
    place_set_sum(sum, sum + seats * own, &place->winner, &place->transfers, &place->wish.search);
    place_score_make(&score, place->levels, &place->transfers, sum, sum + seats * own);
    sum_subs(direct, place, values, seats);
    place_score_make(&score, place->direct, &place->transfers, direct, direct + seats * own);
    place->difference = 0.0;
    for (size_t i = 0; i < seats * bands; i++) {
        const double difference = fabs(place->levels[i] - place->direct[i]);
        place->difference = difference <= place->difference ? place->difference : difference;
        place->mean[i % bands] += pow(10.0, 0.1 * place->levels[i]) / (double)seats;
    }
    for (size_t b = 0; b < bands; b++)
        place->mean[b] = 10.0 * log10(place->mean[b]);
    int status = 0;
    if (place->walls.count) {
        const struct place_transfers from = {.bands = &place->bands,
                                             .seats = seats,
                                             .candidates = points,
                                             .values = place->values + 2 * place->candidates.count *
                                                                           place_transfers_lines(&place->transfers)};
        sum_subs(walls, place, values + 2 * seats * place->winner.count * own, points);
        status = wall_areas_rank(&place->walls, &from, walls, sum, sound_speed, e);
    }
    free(sum);
    return status;
}

/* Runs of the winner's subs to the seats and the points of the walls. */
static int check_winner(struct place *place, const struct room *room, const struct solver_options *choice,
                        const struct watch *watch, struct error *e)
{
    const size_t points = place->walls.point_count;
    double subs[PLACE_SUBS_MAX][3], *values = NULL, sound_speed;
    for (size_t k = 0; k < place->winner.count; k++)
        memcpy(subs[k], place->candidates.at[place->winner.candidate[k]], sizeof subs[k]);
    double(*places)[3] = joined(place->seats.at, place->seats.count, place->walls.points, points);
    int status = places ? run(place, &values, room, subs, place->winner.count, places, place->seats.count + points,
                              place->seats.count, choice, watch, &sound_speed, e)
                        : fail(e, ERROR_MEMORY, "out of memory");
    if (!status)
        status = compare(place, values, sound_speed, e);
    free(places);
    free(values);
    return status;
}

int place_make(struct place *place, const struct place_wish *wish, const struct room *room,
               const struct solver_options *choice, const struct watch *watch, struct error *e)
{
    place->wish = *wish;
    place->tail = -INFINITY;
    if (place_bands_make(&place->bands, wish->low, wish->high, e) || check_band(place, room, e) ||
        find_points(place, room, e) || run_seats(place, room, choice, watch, e) || search(place, choice->threads, e) ||
        check_winner(place, room, choice, watch, e))
        return -1;
    equaliser_fit(&place->equaliser, place->bands.centre, place->mean, place->bands.count, PLACE_FILTERS, wish->boost);
    return stop_check(e);
}

void place_free(struct place *place)
{
    place_points_free(&place->seats);
    place_points_free(&place->listeners);
    place_points_free(&place->candidates);
    place_bands_free(&place->bands);
    place_found_free(&place->found);
    wall_areas_free(&place->walls);
    free(place->values);
    free(place->levels);
    free(place->direct);
    free(place->mean);
    memset(place, 0, sizeof *place);
}
