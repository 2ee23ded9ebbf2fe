/* SPDX-License-Identifier: MIT */
#include "dsp/place/search.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/stop.h"

enum { EXCHANGES = 50 };

uint64_t place_set_count(size_t candidates, size_t subs)
{
    uint64_t count = 1;
    if (subs > candidates)
        return 0;
    for (size_t k = 1; k <= subs; k++) {
        const uint64_t factor = candidates - subs + k;
        if (count > UINT64_MAX / factor)
            return UINT64_MAX;
        count = count * factor / k;
    }
    return count;
}

/* A set with equal signals. `rank`: its place in the order of its candidates, or of its start. */
struct scored {
    double spread, output;
    uint32_t candidate[PLACE_SUBS_MAX];
    size_t rank;
};

/* Memory of one thread: partial sums of the first subs of a set. */
struct walk {
    const struct place_transfers *t;
    size_t subs, lines;
    double *re[PLACE_SUBS_MAX], *im[PLACE_SUBS_MAX], *levels, *memory;
    uint32_t candidate[PLACE_SUBS_MAX];
};

static int walk_open(struct walk *w, const struct place_transfers *t, size_t subs)
{
    const size_t lines = place_transfers_lines(t);
    *w = (struct walk){.t = t, .subs = subs, .lines = lines};
    w->memory = malloc((2 * PLACE_SUBS_MAX + 1) * lines * sizeof *w->memory);
    if (!w->memory)
        return -1;
    for (size_t k = 0; k < PLACE_SUBS_MAX; k++) {
        w->re[k] = w->memory + 2 * k * lines;
        w->im[k] = w->re[k] + lines;
    }
    w->levels = w->memory + 2 * PLACE_SUBS_MAX * lines;
    return 0;
}

/* Puts a candidate at place k of the set, and the sum up to there. */
static void walk_put(struct walk *w, size_t k, size_t candidate)
{
    const double *x = w->t->values + 2 * candidate * w->lines, *y = x + w->lines;
    w->candidate[k] = (uint32_t)candidate;
    for (size_t i = 0; i < w->lines; i++) {
        w->re[k][i] = (k ? w->re[k - 1][i] : 0.0) + x[i];
        w->im[k][i] = (k ? w->im[k - 1][i] : 0.0) + y[i];
    }
}

static void walk_score(struct walk *w, struct scored *to)
{
    struct place_score score;
    place_score_make(&score, w->levels, w->t, w->re[w->subs - 1], w->im[w->subs - 1]);
    to->spread = score.spread;
    to->output = score.output;
    memcpy(to->candidate, w->candidate, sizeof to->candidate);
}

/* All sets whose first candidates are those of places 0 .. k - 1. */
static void walk_all(struct walk *w, size_t k, size_t first, struct scored **to)
{
    for (size_t i = first; k < PLACE_SUBS_MAX && i + (w->subs - 1 - k) < w->t->candidates && !stop_requested(); i++) {
        walk_put(w, k, i);
        if (k + 1 < w->subs)
            walk_all(w, k + 1, i + 1, to);
        else
            walk_score(w, (*to)++);
    }
}

/* sets [place_set_count]. */
static int score_all(struct scored *sets, const struct place_transfers *t, size_t subs, struct error *e)
{
    int failures = 0;
#pragma omp parallel for schedule(dynamic, 1)
    for (size_t first = 0; first < t->candidates; first++) {
        struct walk w;
        const uint64_t after = place_set_count(t->candidates - first, subs);
        struct scored *to = sets + (place_set_count(t->candidates, subs) - after);
        if (after && walk_open(&w, t, subs)) {
#pragma omp atomic
            failures++;
        } else if (after) {
            walk_put(&w, 0, first);
            if (subs > 1)
                walk_all(&w, 1, first + 1, &to);
            else
                walk_score(&w, to);
            free(w.memory);
        }
    }
    return failures ? fail(e, ERROR_MEMORY, "out of memory") : stop_check(e);
}

static void walk_set(struct walk *w, const uint32_t *candidate, struct scored *to)
{
    const size_t subs = w->subs;
    for (size_t k = 0; k < subs; k++)
        walk_put(w, k, candidate[k]);
    walk_score(w, to);
}

static bool holds(const uint32_t *candidate, size_t count, size_t wanted)
{
    for (size_t k = 0; k < count; k++)
        if (candidate[k] == wanted)
            return true;
    return false;
}

/* Replaces the candidate at place k by the best one, or adds it there. */
static bool improve(struct walk *w, struct scored *set, size_t k)
{
    uint32_t trial[PLACE_SUBS_MAX];
    struct scored found;
    bool better = false;
    memcpy(trial, set->candidate, sizeof trial);
    for (size_t c = 0; c < w->t->candidates && !stop_requested(); c++) {
        if (holds(set->candidate, w->subs, c))
            continue;
        trial[k] = (uint32_t)c;
        walk_set(w, trial, &found);
        if (!(found.spread < set->spread))
            continue;
        set->spread = found.spread;
        set->output = found.output;
        better = true;
        memcpy(set->candidate, trial, sizeof trial);
    }
    return better;
}

/* Places 1, 2 .. are added one by one, then each is exchanged until none improves the set. */
static void grow(struct walk *w, struct scored *set, size_t first, size_t subs, double *grown)
{
    set->candidate[0] = (uint32_t)first;
    for (size_t k = 1; k < subs; k++) {
        w->subs = k + 1;
        set->candidate[k] = UINT32_MAX;
        set->spread = INFINITY;
        improve(w, set, k);
    }
    w->subs = subs;
    *grown = set->spread;
    bool better = true;
    for (int round = 0; round < EXCHANGES && better; round++) {
        better = false;
        for (size_t k = 0; k < subs; k++)
            better = improve(w, set, k) || better;
    }
}

static int by_candidate(const void *a, const void *b)
{
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

/* sets [candidates]: grown from each of them. */
static int score_greedily(struct scored *sets, double *least, const struct place_transfers *t, size_t subs,
                          struct error *e)
{
    int failures = 0;
#pragma omp parallel for schedule(dynamic, 1)
    for (size_t first = 0; first < t->candidates; first++) {
        struct walk w;
        if (walk_open(&w, t, subs)) {
#pragma omp atomic
            failures++;
            continue;
        }
        grow(&w, &sets[first], first, subs, &least[first]);
        qsort(sets[first].candidate, subs, sizeof *sets[first].candidate, by_candidate);
        walk_set(&w, sets[first].candidate, &sets[first]); /* the bits of this order */
        free(w.memory);
    }
    return failures ? fail(e, ERROR_MEMORY, "out of memory") : stop_check(e);
}

static int by_spread(const void *a, const void *b)
{
    const struct scored *x = a, *y = b;
    if (x->spread != y->spread)
        return x->spread < y->spread ? -1 : 1;
    const int order = memcmp(x->candidate, y->candidate, sizeof x->candidate);
    return order ? order : (x->rank > y->rank) - (x->rank < y->rank);
}

static int sets_by_spread(const void *a, const void *b)
{
    const struct place_set *x = a, *y = b;
    if (x->score.spread != y->score.spread)
        return x->score.spread < y->score.spread ? -1 : 1;
    if (x->score.output != y->score.output)
        return x->score.output > y->score.output ? -1 : 1;
    for (size_t k = 0; k < x->count; k++) {
        if (x->candidate[k] != y->candidate[k])
            return x->candidate[k] < y->candidate[k] ? -1 : 1;
        const struct place_setting *p = &x->setting[k], *q = &y->setting[k];
        if (p->delay != q->delay || p->cut != q->cut || p->inverted != q->inverted)
            return p->delay != q->delay ? p->delay - q->delay
                   : p->cut != q->cut   ? p->cut - q->cut
                                        : (int)p->inverted - (int)q->inverted;
    }
    return 0;
}

/* Keeps the first `tuned` of the sorted sets and those with less spread than any of more output; without copies. */
static size_t keep_best(struct scored *sets, size_t count, size_t tuned)
{
    double output = -INFINITY;
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        if (kept && !memcmp(sets[i].candidate, sets[kept - 1].candidate, sizeof sets[i].candidate))
            continue;
        if (kept >= tuned && !(sets[i].output > output))
            continue;
        output = fmax(output, sets[i].output);
        sets[kept++] = sets[i];
    }
    return kept;
}

/* Equal signals, and the settings of both objectives, for each kept set. */
static int tune_all(struct place_found *found, const struct scored *sets, size_t count, const struct place_transfers *t,
                    const struct place_search *s, struct error *e)
{
    const bool tunes = s->subs > 1 && (s->delays || s->cuts || s->polarity);
    const size_t kinds = !tunes ? 1 : s->output_weight > 0.0 ? 3 : 2;
    int failures = 0;
    found->sets = calloc(count * kinds + 1, sizeof *found->sets);
    found->pareto = calloc(count * kinds + 1, sizeof *found->pareto);
    if (!found->sets || !found->pareto)
        return fail(e, ERROR_MEMORY, "out of memory");
    found->count = count * kinds;
#pragma omp parallel for schedule(dynamic, 1)
    for (size_t i = 0; i < count * kinds; i++) {
        struct place_set *set = &found->sets[i];
        struct error inner;
        set->count = s->subs;
        for (size_t k = 0; k < s->subs; k++)
            set->candidate[k] = sets[i / kinds].candidate[k];
        const size_t kind = i % kinds;
        if (kind ? place_tune(set, t, s, kind == 2 ? s->output_weight : 0.0, &inner)
                 : place_set_score(set, t, s, &inner)) {
#pragma omp atomic
            failures++;
        }
    }
    return failures ? fail(e, ERROR_MEMORY, "out of memory") : stop_check(e);
}

/* Sorts, drops copies (settings that no search improved), and marks the Pareto list. */
void place_found_rank(struct place_found *found)
{
    double output = -INFINITY;
    size_t kept = 0;
    qsort(found->sets, found->count, sizeof *found->sets, sets_by_spread);
    for (size_t i = 0; i < found->count; i++)
        if (!kept || sets_by_spread(&found->sets[i], &found->sets[kept - 1]) != 0)
            found->sets[kept++] = found->sets[i];
    found->count = kept;
    for (size_t i = 0; i < kept; i++) {
        found->pareto[i] = found->sets[i].score.output > output;
        output = fmax(output, found->sets[i].score.output);
    }
}

static void find_least(double *least, size_t candidates, const struct scored *sets, size_t count, size_t subs)
{
    for (size_t c = 0; c < candidates; c++)
        least[c] = INFINITY;
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < subs; k++)
            least[sets[i].candidate[k]] = fmin(least[sets[i].candidate[k]], sets[i].spread);
}

int place_search_run(struct place_found *found, const struct place_transfers *t, const struct place_search *s,
                     struct error *e)
{
    const uint64_t all = place_set_count(t->candidates, s->subs);
    if (!all)
        return fail(e, ERROR_INPUT, "%zu places cannot hold %zu subs; use more candidates", t->candidates, s->subs);
    found->exhaustive = all <= s->most;
    const size_t count = found->exhaustive ? (size_t)all : t->candidates;
    struct scored *sets = calloc(count, sizeof *sets);
    found->least = malloc(t->candidates * sizeof *found->least);
    if (!sets || !found->least) {
        free(sets);
        return fail(e, ERROR_MEMORY, "out of memory");
    }
    int status = found->exhaustive ? score_all(sets, t, s->subs, e) : score_greedily(sets, found->least, t, s->subs, e);
    if (found->exhaustive)
        find_least(found->least, t->candidates, sets, count, s->subs);
    if (!status) {
        for (size_t i = 0; i < count; i++)
            sets[i].rank = i;
        qsort(sets, count, sizeof *sets, by_spread);
        found->scored = count;
        status = tune_all(found, sets, keep_best(sets, count, s->tuned), t, s, e);
    }
    if (!status)
        place_found_rank(found);
    free(sets);
    return status ? -1 : 0;
}

void place_found_free(struct place_found *found)
{
    free(found->sets);
    free(found->pareto);
    free(found->least);
    memset(found, 0, sizeof *found);
}
