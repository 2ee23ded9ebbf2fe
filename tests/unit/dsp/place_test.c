/* SPDX-License-Identifier: MIT */
/* Sets of places against brute force, settings of pairs against all settings, and equalisers against their closed form. */
#include <complex.h>
#include <math.h>
#include <omp.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dsp/band_filter.h"
#include "dsp/place/equaliser.h"
#include "dsp/place/search.h"
#include "support/random_cases.h"

#include <cmocka.h> /* last: its macro fail() would break the declaration in base/error.h */

#include "support/within.h"

enum { SEATS = 2, CANDIDATES = 11 };
static struct random chance;
static struct place_bands bands;
static double *values;
static struct place_transfers transfers;

static double between(double low, double high)
{
    return low + (high - low) * random_unit(&chance);
}

/* A few damped modes between each candidate and seat. */
static int make_transfers(void **state)
{
    (void)state;
    struct error e;
    chance = random_cases("places");
    if (place_bands_make(&bands, 30.0, 90.0, &e))
        return -1;
    const size_t own = bands.count * PLACE_LINES, lines = SEATS * own;
    values = calloc(2 * lines * CANDIDATES, sizeof *values);
    for (size_t c = 0; values && c < CANDIDATES; c++)
        for (size_t s = 0; s < SEATS; s++)
            for (int mode = 0; mode < 6; mode++) {
                const double centre = 25.0 + 13.0 * mode, damping = between(1.0, 3.0), gain = between(-1.0, 1.0);
                for (size_t i = 0; i < own; i++) {
                    const double complex h = gain * centre / (centre - bands.frequency[i] + I * damping);
                    values[2 * c * lines + s * own + i] += creal(h);
                    values[(2 * c + 1) * lines + s * own + i] += cimag(h);
                }
            }
    transfers = (struct place_transfers){&bands, SEATS, CANDIDATES, values};
    return values ? 0 : -1;
}

static int free_transfers(void **state)
{
    (void)state;
    place_bands_free(&bands);
    free(values);
    return 0;
}

static struct place_search wish(size_t subs, bool tunes)
{
    return (struct place_search){.subs = subs,
                                 .delay_step = 2e-3,
                                 .gain_step = 2.0,
                                 .delays = tunes ? 4 : 0,
                                 .cuts = tunes ? 2 : 0,
                                 .polarity = tunes,
                                 .tuned = 4,
                                 .most = 1000000};
}

/* The score by its definition, in complex numbers. */
static struct place_score score_of(const struct place_set *set, const struct place_search *s)
{
    const size_t own = bands.count * PLACE_LINES, lines = SEATS * own, count = SEATS * bands.count;
    double *level = calloc(count, sizeof *level);
    double mean = 0.0, power = 0.0, variance = 0.0, seats = 0.0;
    assert_non_null(level);
    for (size_t b = 0; b < count; b++) {
        double square = 0.0;
        for (size_t i = b * PLACE_LINES; i < (b + 1) * PLACE_LINES; i++) {
            double complex sum = 0.0;
            for (size_t k = 0; k < set->count; k++) {
                const double *h = values + 2 * set->candidate[k] * lines + i;
                const double angle = 2.0 * M_PI * bands.frequency[i % own] * s->delay_step * set->setting[k].delay;
                sum += (set->setting[k].inverted ? -1.0 : 1.0) * pow(10.0, -s->gain_step * set->setting[k].cut / 20.0) *
                       cexp(-I * angle) * (h[0] + I * h[lines]);
            }
            square += pow(cabs(sum), 2.0) / PLACE_LINES;
        }
        level[b] = 10.0 * log10(square);
        mean += level[b] / (double)count;
        power += square / (double)count;
    }
    for (size_t b = 0; b < count; b++)
        variance += pow(level[b] - mean, 2.0) / (double)count;
    for (size_t b = 0; b < bands.count; b++) /* of two seats */
        seats += pow(0.5 * (level[b] - level[bands.count + b]), 2.0) / (double)bands.count;
    free(level);
    return (struct place_score){sqrt(variance), sqrt(seats), 10.0 * log10(power)};
}

static void assert_score(const struct place_set *set, const struct place_search *s)
{
    const struct place_score score = score_of(set, s);
    assert_within(set->score.spread, score.spread, 1e-9);
    assert_within(set->score.seats, score.seats, 1e-9);
    assert_within(set->score.output, score.output, 1e-9);
}

static void best_set_is_that_of_brute_force(void **state)
{
    (void)state;
    struct error e;
    struct place_search s = wish(3, false);
    s.tuned = 60; /* enough for sets that are not of the Pareto list */
    struct place_found found = {0};
    double least = INFINITY, loudest = -INFINITY, of_place[CANDIDATES];
    struct place_set best = {.count = 3}, trial = {.count = 3};
    for (size_t i = 0; i < CANDIDATES; i++)
        of_place[i] = INFINITY;
    for (size_t i = 0; i < CANDIDATES; i++)
        for (size_t j = i + 1; j < CANDIDATES; j++)
            for (size_t k = j + 1; k < CANDIDATES; k++) {
                trial.candidate[0] = i;
                trial.candidate[1] = j;
                trial.candidate[2] = k;
                const struct place_score score = score_of(&trial, &s);
                loudest = fmax(loudest, score.output);
                for (int n = 0; n < 3; n++)
                    of_place[trial.candidate[n]] = fmin(of_place[trial.candidate[n]], score.spread);
                if (score.spread < least) {
                    least = score.spread;
                    best = trial;
                }
            }
    assert_int_equal(place_search_run(&found, &transfers, &s, &e), 0);
    assert_true(found.exhaustive);
    assert_int_equal(found.scored, place_set_count(CANDIDATES, 3));
    assert_true(found.count >= s.tuned && found.count < found.scored);
    assert_memory_equal(found.sets[0].candidate, best.candidate, 3 * sizeof *best.candidate);
    assert_within(found.sets[0].score.spread, least, 1e-9);
    for (size_t i = 0; i < CANDIDATES; i++)
        assert_within(found.least[i], of_place[i], 1e-9);
    double output = -INFINITY; /* the list goes up to the loudest set, and no set beats one of it in both */
    for (size_t i = 0; i < found.count; i++) {
        assert_score(&found.sets[i], &s);
        assert_int_equal(found.pareto[i], found.sets[i].score.output > output);
        output = fmax(output, found.sets[i].score.output);
    }
    assert_within(output, loudest, 1e-9);
    place_found_free(&found);
}

/* The least spread - weight · output, with the loudest sub at 0 dB, of all settings of two subs. */
static double best_of_pair(const struct place_set *pair, const struct place_search *s, double weight)
{
    struct place_set trial = *pair;
    double least = INFINITY;
    for (int i = 0; i < (s->delays + 1) * (s->delays + 1) * (s->cuts + 1) * (s->cuts + 1) * 2; i++) {
        int rest = i;
        trial.setting[1].inverted = rest % 2;
        rest /= 2;
        for (int k = 0; k < 2; k++) {
            trial.setting[k].cut = rest % (s->cuts + 1);
            rest /= s->cuts + 1;
            trial.setting[k].delay = rest % (s->delays + 1);
            rest /= s->delays + 1;
        }
        const struct place_score score = score_of(&trial, s);
        if (!trial.setting[0].cut || !trial.setting[1].cut)
            least = fmin(least, score.spread - weight * score.output);
    }
    return least;
}

static void settings_of_a_pair_are_the_best_of_all(void **state)
{
    (void)state;
    struct error e;
    const struct place_search s = wish(2, true);
    for (int turn = 0; turn < 6; turn++) {
        const double weight = turn < 3 ? 0.0 : between(0.1, 2.0);
        struct place_set set = {.count = 2};
        set.candidate[0] = random_between(&chance, 0, 4);
        set.candidate[1] = random_between(&chance, 5, CANDIDATES - 1);
        const double least = best_of_pair(&set, &s, weight);
        assert_int_equal(place_tune(&set, &transfers, &s, weight, &e), 0);
        assert_score(&set, &s);
        assert_within(set.score.spread - weight * set.score.output, least, 1e-8);
        assert_true(!set.setting[0].delay || !set.setting[1].delay);
        assert_true(!set.setting[0].cut || !set.setting[1].cut);
    }
}

/* The search keeps equal signals, the least spread and the best trade of spread for output of its best sets. */
static void searches_trade_spread_for_output(void **state)
{
    (void)state;
    struct error e;
    struct place_search s = wish(2, true), equal = wish(2, false);
    struct place_found found = {0}, first = {0};
    s.output_weight = between(2.0, 10.0);
    assert_int_equal(place_search_run(&first, &transfers, &equal, &e), 0);
    assert_int_equal(place_search_run(&found, &transfers, &s, &e), 0);
    for (size_t n = 0; n < s.tuned; n++) {
        const struct place_set *pair = &first.sets[n];
        double spread = INFINITY, trade = INFINITY;
        bool is_equal = false;
        for (size_t i = 0; i < found.count; i++) {
            const struct place_set *set = &found.sets[i];
            if (set->candidate[0] != pair->candidate[0] || set->candidate[1] != pair->candidate[1])
                continue;
            spread = fmin(spread, set->score.spread);
            trade = fmin(trade, set->score.spread - s.output_weight * set->score.output);
            is_equal = is_equal || set->score.spread == pair->score.spread;
        }
        assert_true(is_equal);
        assert_within(spread, best_of_pair(pair, &s, 0.0), 1e-8);
        assert_within(trade, best_of_pair(pair, &s, s.output_weight), 1e-8);
    }
    place_found_free(&first);
    place_found_free(&found);
}

static bool is_copy(const struct place_set *x, const struct place_set *y)
{
    bool same = true;
    for (size_t k = 0; k < x->count; k++)
        same = same && x->candidate[k] == y->candidate[k] && x->setting[k].delay == y->setting[k].delay &&
               x->setting[k].cut == y->setting[k].cut && x->setting[k].inverted == y->setting[k].inverted;
    return same;
}

/* A weight of next to nothing finds the settings of the least spread a second time. */
static void no_set_is_listed_twice(void **state)
{
    (void)state;
    struct error e;
    struct place_search s = wish(3, true);
    struct place_found found = {0}, grown = {0};
    s.output_weight = 1e-12;
    assert_int_equal(place_search_run(&found, &transfers, &s, &e), 0);
    for (size_t i = 0; i < found.count; i++)
        for (size_t k = 0; k < i; k++)
            assert_false(is_copy(&found.sets[i], &found.sets[k]));
    place_found_free(&found);
    /* of sets that grow to the same one, one counts among those whose settings are searched */
    s = wish(3, false);
    s.most = 10;
    s.tuned = CANDIDATES;
    assert_int_equal(place_search_run(&grown, &transfers, &s, &e), 0);
    s.tuned = grown.count;
    assert_int_equal(place_search_run(&found, &transfers, &s, &e), 0);
    assert_int_equal(found.count, grown.count);
    place_found_free(&grown);
    place_found_free(&found);
}

/* The spread of the set that grows from a candidate, one by one. */
static double grown_from(size_t first, const struct place_search *s)
{
    struct place_set set = {.count = 1, .candidate = {first}};
    double least = INFINITY;
    while (set.count < s->subs) {
        size_t best = 0;
        least = INFINITY;
        set.count++;
        for (size_t c = 0; c < CANDIDATES; c++) {
            bool held = false;
            for (size_t k = 0; k + 1 < set.count; k++)
                held = held || set.candidate[k] == c;
            set.candidate[set.count - 1] = c;
            const double spread = held ? INFINITY : score_of(&set, s).spread;
            best = spread < least ? c : best;
            least = fmin(least, spread);
        }
        set.candidate[set.count - 1] = best;
    }
    return least;
}

static void settings_of_more_subs_keep_their_limits_and_never_lose(void **state)
{
    (void)state;
    struct error e;
    const struct place_search s = wish(4, true);
    struct place_set set = {.count = 4, .candidate = {0, 3, 5, 9}}, equal = set;
    equal.score = score_of(&equal, &s);
    assert_int_equal(place_tune(&set, &transfers, &s, 0.0, &e), 0);
    assert_score(&set, &s);
    assert_true(set.score.spread <= equal.score.spread);
    for (int k = 0; k < 4; k++) {
        assert_in_range(set.setting[k].delay, 0, s.delays);
        assert_in_range(set.setting[k].cut, 0, s.cuts);
    }
    for (int k = 0; k < 4; k++) /* no other setting of one sub is better */
        for (int i = 0; i < (s.delays + 1) * (s.cuts + 1) * 2; i++) {
            struct place_set other = set;
            other.setting[k] = (struct place_setting){
                .delay = i / 2 % (s.delays + 1), .cut = i / 2 / (s.delays + 1), .inverted = i % 2};
            assert_true(score_of(&other, &s).spread >= set.score.spread - 1e-8);
        }
}

static void greedy_search_ends_where_no_exchange_helps(void **state)
{
    (void)state;
    struct error e;
    struct place_search s = wish(3, false);
    struct place_found all = {0}, found = {0};
    assert_int_equal(place_search_run(&all, &transfers, &s, &e), 0);
    s.most = 10;
    s.tuned = CANDIDATES;
    assert_int_equal(place_search_run(&found, &transfers, &s, &e), 0);
    assert_false(found.exhaustive);
    const struct place_set *best = &found.sets[0];
    printf("# spread %g dB, of all sets %g dB\n", best->score.spread, all.sets[0].score.spread);
    assert_true(best->score.spread >= all.sets[0].score.spread);
    assert_true(best->score.spread <= 1.5 * all.sets[0].score.spread);
    for (size_t i = 0; i < CANDIDATES; i++)
        assert_within(found.least[i], grown_from(i, &s), 1e-9);
    for (size_t i = 0; i < found.count; i++)
        assert_true(found.sets[i].candidate[0] < found.sets[i].candidate[1] &&
                    found.sets[i].candidate[1] < found.sets[i].candidate[2]);
    for (size_t i = 0; i < found.count; i++) /* grown from each candidate */
        for (size_t k = 0; k < 3; k++)
            for (size_t c = 0; c < CANDIDATES; c++) {
                struct place_set other = found.sets[i];
                other.candidate[k] = c;
                if (other.candidate[0] != other.candidate[1] && other.candidate[1] != other.candidate[2] &&
                    other.candidate[0] != other.candidate[2])
                    assert_true(score_of(&other, &s).spread >= found.sets[i].score.spread - 1e-9);
            }
    place_found_free(&all);
    place_found_free(&found);
}

static void any_number_of_threads_gives_the_same_bits(void **state)
{
    (void)state;
    struct error e;
    struct place_search s = wish(3, true);
    for (int greedy = 0; greedy < 2; greedy++) {
        struct place_found found[2] = {{0}, {0}};
        s.most = greedy ? 10 : 1000;
        s.output_weight = 0.25;
        for (int i = 0; i < 2; i++) {
            omp_set_num_threads(i ? 5 : 1);
            assert_int_equal(place_search_run(&found[i], &transfers, &s, &e), 0);
        }
        assert_int_equal(found[0].count, found[1].count);
        for (size_t i = 0; i < found[0].count; i++) {
            assert_memory_equal(&found[0].sets[i].score, &found[1].sets[i].score, sizeof found[0].sets[i].score);
            assert_memory_equal(found[0].sets[i].candidate, found[1].sets[i].candidate,
                                sizeof found[0].sets[i].candidate);
        }
        place_found_free(&found[0]);
        place_found_free(&found[1]);
    }
}

static void more_subs_than_places_are_refused(void **state)
{
    (void)state;
    struct error e;
    const struct place_search s = wish(4, false);
    struct place_transfers few = transfers;
    struct place_found found = {0};
    few.candidates = 3;
    assert_int_not_equal(place_search_run(&found, &few, &s, &e), 0);
    assert_int_equal(e.code, ERROR_INPUT);
    place_found_free(&found);
    assert_true(place_set_count(100, 4) == 3921225);
    assert_true(place_set_count(3, 4) == 0);
    assert_true(place_set_count(1000000, 4) == UINT64_MAX);
}

static void transform_is_that_of_a_delay_without_the_high_pass(void **state)
{
    (void)state;
    enum { FRAMES = 8000 };
    const double rate = 2000.0;
    const size_t own = bands.count * PLACE_LINES, delay = random_between(&chance, 0, 50);
    double *h = calloc(FRAMES, sizeof *h), *re = calloc(2 * own, sizeof *re), *im = re + own;
    assert_true(h && re);
    h[delay] = 0.5;
    high_pass(h, FRAMES, 10.0, rate);
    place_transform(re, im, &bands, h, FRAMES, rate, 10.0);
    for (size_t i = 0; i < own; i++) {
        const double complex exact = 0.5 * cexp(-2.0 * I * M_PI * bands.frequency[i] * (double)delay / rate);
        assert_within(re[i], creal(exact), 1e-9);
        assert_within(im[i], cimag(exact), 1e-9);
    }
    free(h);
    free(re);
}

static void bands_are_twelfths_of_an_octave(void **state)
{
    (void)state;
    struct place_bands wide = {0};
    struct error e;
    assert_int_equal(place_bands_make(&wide, 20.0, 1000.0, &e), 0);
    assert_true(wide.centre[0] >= 20.0 && wide.centre[wide.count - 1] <= 1000.0);
    assert_within(wide.centre[wide.count - 1], 1000.0 * pow(10.0, -0.3 / 24.0), 1e-9); /* 1 kHz is an edge */
    for (size_t b = 1; b < wide.count; b++)
        assert_within(wide.centre[b] / wide.centre[b - 1], pow(10.0, 0.3 / 12.0), 1e-12);
    assert_within(place_bands_top(&wide), 1000.0, 1e-9);
    assert_within(place_bands_finest(&wide), wide.centre[0] * (pow(10.0, 0.3 / 24.0) - pow(10.0, -0.3 / 24.0)), 1e-9);
    for (size_t i = 0; i < wide.count * PLACE_LINES; i++) /* evenly from edge to edge, on a logarithmic axis */
        assert_within(wide.frequency[i] / wide.centre[0],
                      pow(10.0, 0.3 / 12.0 * (((double)i + 0.5) / PLACE_LINES - 0.5)), 1e-9);
    place_bands_free(&wide);
    assert_int_not_equal(place_bands_make(&wide, 50.0, 50.1, &e), 0);
    assert_int_equal(e.code, ERROR_USAGE);
    place_bands_free(&wide);
}

/* dB, by the coefficients of the cookbook: b0, b1, b2 = 1 + αA, -2 cos w, 1 - αA; a: α/A. */
static double cookbook_gain(const struct equaliser_filter *f, double frequency, double rate)
{
    const double w = 2.0 * M_PI * f->frequency / rate, a = pow(10.0, f->gain / 40.0), alpha = sin(w) / (2.0 * f->q);
    const double complex z = cexp(-2.0 * I * M_PI * frequency / rate);
    const double complex up = 1.0 + alpha * a - 2.0 * cos(w) * z + (1.0 - alpha * a) * z * z;
    const double complex down = 1.0 + alpha / a - 2.0 * cos(w) * z + (1.0 - alpha / a) * z * z;
    return 20.0 * log10(cabs(up / down));
}

static void filters_have_the_gain_of_their_coefficients(void **state)
{
    (void)state;
    for (int turn = 0; turn < 300; turn++) {
        const struct equaliser_filter f = {between(15.0, 500.0), between(-15.0, 12.0), between(0.5, 10.0)};
        const double frequency = between(10.0, 500.0);
        assert_within(equaliser_filter_gain(&f, frequency, 48000.0), cookbook_gain(&f, frequency, 48000.0), 1e-5);
        assert_within(equaliser_filter_gain(&f, f.frequency, 48000.0), f.gain, 1e-9);
        assert_within(equaliser_filter_gain(&f, frequency, 44100.0), equaliser_filter_gain(&f, frequency, 48000.0),
                      0.02);
    }
}

static void equaliser_flattens_resonances(void **state)
{
    (void)state;
    const struct equaliser_filter peaks[2] = {{40.0, 9.0, 5.0}, {70.0, 6.0, 4.0}};
    struct place_bands wide = {0};
    struct error e;
    struct equaliser q;
    double level[64], largest = 0.0;
    assert_int_equal(place_bands_make(&wide, 20.0, 150.0, &e), 0);
    for (size_t b = 0; b < wide.count; b++)
        level[b] = -20.0 + equaliser_filter_gain(&peaks[0], wide.centre[b], EQUALISER_RATE) +
                   equaliser_filter_gain(&peaks[1], wide.centre[b], EQUALISER_RATE);
    equaliser_fit(&q, wide.centre, level, wide.count, 6, 3.0);
    assert_in_range(q.count, 2, 6);
    for (size_t b = 0; b < wide.count; b++)
        largest = fmax(largest, fabs(level[b] + equaliser_gain(&q, wide.centre[b], EQUALISER_RATE) - q.target));
    printf("# %zu filters, largest error %g dB\n", q.count, largest);
    assert_true(largest <= 0.6);
    for (size_t i = 0; i < q.count; i++)
        assert_true(q.filter[i].gain <= 3.0 && q.filter[i].gain >= -15.0);
    for (size_t i = 0; i < q.count; i++) { /* with the digits of the files, by rising frequency */
        assert_true(!i || q.filter[i].frequency > q.filter[i - 1].frequency);
        assert_within(100.0 * q.filter[i].frequency, rint(100.0 * q.filter[i].frequency), 1e-6);
        assert_within(10.0 * q.filter[i].gain, rint(10.0 * q.filter[i].gain), 1e-6);
        assert_within(1000.0 * q.filter[i].q, rint(1000.0 * q.filter[i].q), 1e-6);
    }
    for (double f = 10.0; f < 400.0; f *= 1.01)
        assert_true(equaliser_gain(&q, f, EQUALISER_RATE) + q.preamp <= 0.05);
    double left = 0.0; /* of a peak beside a dip, which counts less */
    for (size_t b = 0; b < wide.count; b++)
        level[b] = b >= 12 && b < 15 ? 6.0 : b >= 15 && b < 18 ? -6.0 : 0.0;
    equaliser_fit(&q, wide.centre, level, wide.count, 8, 3.0);
    for (size_t b = 12; b < 15; b++)
        left += (level[b] + equaliser_gain(&q, wide.centre[b], EQUALISER_RATE) - q.target) / 3.0;
    assert_true(fabs(left) <= 1.0);
    for (size_t b = 0; b < wide.count; b++) /* too little for a filter */
        level[b] = b % 2 ? 0.3 : 0.0;
    equaliser_fit(&q, wide.centre, level, wide.count, 8, 3.0);
    assert_int_equal(q.count, 0);
    for (size_t b = 0; b < wide.count; b++)
        level[b] = 3.0;
    equaliser_fit(&q, wide.centre, level, wide.count, 6, 3.0);
    assert_int_equal(q.count, 0);
    place_bands_free(&wide);
}

static void equaliser_boosts_no_more_than_its_limit(void **state)
{
    (void)state;
    struct equaliser q;
    for (int turn = 0; turn < 3; turn++) {
        double level[64];
        const double boost = between(0.0, 4.0);
        for (size_t b = 0; b < bands.count; b++)
            level[b] = between(-15.0, 5.0);
        equaliser_fit(&q, bands.centre, level, bands.count, 8, boost);
        for (size_t b = 0; b < bands.count; b++)
            assert_true(equaliser_gain(&q, bands.centre[b], EQUALISER_RATE) <= boost + 0.2);
        assert_true(q.preamp >= -boost - 1.0);
    }
}

static void files_of_filters_have_the_lines_of_their_programs(void **state)
{
    (void)state;
    const struct equaliser q = {.count = 2, .preamp = -6.8, .filter = {{46.5, -9.4, 4.47}, {121.25, 6.7, 1.1}}};
    char *rew = equaliser_text(&q, EQUALISER_REW), *apo = equaliser_text(&q, EQUALISER_APO);
    assert_non_null(rew);
    assert_string_equal(strstr(rew, "Filter  1"), "Filter  1: ON  PK       Fc   46.50 Hz  Gain  -9.40 dB  Q  4.470\n"
                                                  "Filter  2: ON  PK       Fc  121.25 Hz  Gain   6.70 dB  Q  1.100\n");
    assert_string_equal(apo, "Preamp: -6.8 dB\nFilter 1: ON PK Fc 46.50 Hz Gain -9.4 dB Q 4.470\n"
                             "Filter 2: ON PK Fc 121.25 Hz Gain 6.7 dB Q 1.100\n");
    free(rew);
    free(apo);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(best_set_is_that_of_brute_force),
        cmocka_unit_test(settings_of_a_pair_are_the_best_of_all),
        cmocka_unit_test(searches_trade_spread_for_output),
        cmocka_unit_test(no_set_is_listed_twice),
        cmocka_unit_test(settings_of_more_subs_keep_their_limits_and_never_lose),
        cmocka_unit_test(greedy_search_ends_where_no_exchange_helps),
        cmocka_unit_test(any_number_of_threads_gives_the_same_bits),
        cmocka_unit_test(more_subs_than_places_are_refused),
        cmocka_unit_test(transform_is_that_of_a_delay_without_the_high_pass),
        cmocka_unit_test(bands_are_twelfths_of_an_octave),
        cmocka_unit_test(filters_have_the_gain_of_their_coefficients),
        cmocka_unit_test(equaliser_flattens_resonances),
        cmocka_unit_test(equaliser_boosts_no_more_than_its_limit),
        cmocka_unit_test(files_of_filters_have_the_lines_of_their_programs),
    };
    return cmocka_run_group_tests(tests, make_transfers, free_transfers);
}
