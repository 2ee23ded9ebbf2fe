/* SPDX-License-Identifier: MIT */
/* The difference of two files in one line. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "dsp/measure/comparison.h"

/* A single number over all pairs of channels. */
struct change {
    const struct jnd *jnd;
    double difference, steps; /* means over `count` pairs; SI units, JND */
    double low, high;         /* JND: extremes */
    size_t count;
    bool doubtful;
    size_t octave;       /* with the largest change, of all pairs */
    double octave_steps; /* there; 0: none was compared */
};

enum { ROWS = 32 };

static struct change change_of(const struct comparison *c, const struct jnd *jnd)
{
    struct change change = {.jnd = jnd, .low = INFINITY, .high = -INFINITY};
    for (size_t pair = 0; pair < c->count; pair++) {
        const struct compared v = comparison_single(c, pair, jnd);
        if (v.why)
            continue;
        change.count++;
        change.difference += v.difference;
        change.steps += v.steps;
        change.low = fmin(change.low, v.steps);
        change.high = fmax(change.high, v.steps);
        change.doubtful = change.doubtful || v.doubtful;
    }
    for (size_t pair = 0; pair < c->count && jnd->mean != JND_WHOLE; pair++)
        for (size_t octave = 0; octave < METRICS_OCTAVES; octave++) {
            const struct compared v = comparison_octave(c, pair, jnd, octave);
            if (v.why || !(fabs(v.steps) > fabs(change.octave_steps)))
                continue;
            change.octave = octave;
            change.octave_steps = v.steps;
        }
    change.difference /= (double)change.count;
    change.steps /= (double)change.count;
    return change;
}

/* Whether the mean hides a difference: receivers change by 1 JND or more in both directions, or some of them do while
 * the mean does not. */
static bool is_mixed(const struct change *change)
{
    const bool rises = change->high >= 1.0, falls = change->low <= -1.0;
    return (rises && falls) || ((rises || falls) && !(fabs(change->steps) >= 1.0));
}

static int larger_first(const void *a, const void *b)
{
    const double x = fabs(((const struct change *)a)->steps), y = fabs(((const struct change *)b)->steps);
    return x < y ? 1 : x > y ? -1 : ((const struct change *)a)->jnd < ((const struct change *)b)->jnd ? -1 : 1;
}

static void say_changed(struct growing_text *t, const struct change *change, size_t pairs, const char **last)
{
    static const char *const signs[] = {"-", "+"};
    const struct metric *metric = jnd_metric(change->jnd);
    const struct metric_format *format = &metric->text;
    const bool up = change->steps > 0.0;
    char octaves[JND_OCTAVES_TEXT];
    jnd_octaves(octaves, change->jnd);
    growing_text_add(t, "%s%s: %s %s%.*f%s%s (%.0f JND%s)", t->length ? "; " : "",
                     up ? change->jnd->more : change->jnd->less, metric->symbol, signs[up], format->decimals,
                     fabs(format->scale * change->difference), *format->unit ? " " : "", format->unit,
                     fabs(change->steps), change->doubtful ? ", doubtful" : "");
    if (change->jnd->mean == JND_WHOLE)
        return;
    if (!*last || change->jnd->first != jnd_find(*last)->first || change->jnd->count != jnd_find(*last)->count)
        growing_text_add(t, " in mean of %s", octaves);
    if (!*last && pairs > 1)
        growing_text_add(t, " over %zu receivers", pairs);
    *last = change->jnd->name;
}

static void say_mixed(struct growing_text *t, const struct change *change)
{
    growing_text_add(t, "%s%s differs by receiver, %+.1f to %+.1f JND%s", t->length ? "; " : "",
                     jnd_metric(change->jnd)->symbol, change->low, change->high, change->doubtful ? " (doubtful)" : "");
}

/* The mean of a parameter stays, while octaves differ. */
static void say_in_octaves(struct growing_text *t, const struct change *change)
{
    growing_text_add(t, "%s%s unchanged in its mean, %+.1f JND at %.4g Hz", t->length ? "; " : "",
                     jnd_metric(change->jnd)->symbol, change->octave_steps, 62.5 * (double)(1 << change->octave));
}

/* "T30, STI unchanged" */
static void say_list(struct growing_text *t, const struct change *changes, size_t count, const char *what)
{
    for (size_t i = 0; i < count; i++)
        growing_text_add(t, "%s%s", i ? ", " : t->length ? "; " : "", jnd_metric(changes[i].jnd)->symbol);
    if (count)
        growing_text_add(t, " %s", what);
}

char *comparison_summary(const struct comparison *c)
{
    struct change changed[ROWS], mixed[ROWS], same[ROWS], hidden[ROWS], missing[ROWS];
    size_t changed_count = 0, mixed_count = 0, same_count = 0, hidden_count = 0, missing_count = 0;
    struct growing_text t = {0};
    const char *last = NULL;
    for (size_t i = 0; i < jnd_count && i < ROWS; i++) {
        if (!jnds[i].more || !comparison_shown(c, &jnds[i]))
            continue;
        const struct change change = change_of(c, &jnds[i]);
        if (!change.count)
            missing[missing_count++] = change;
        else if (is_mixed(&change))
            mixed[mixed_count++] = change;
        else if (fabs(change.steps) >= 1.0)
            changed[changed_count++] = change;
        else if (fabs(change.octave_steps) >= 1.0)
            hidden[hidden_count++] = change;
        else
            same[same_count++] = change;
    }
    qsort(changed, changed_count, sizeof *changed, larger_first);
    for (size_t i = 0; i < changed_count; i++)
        say_changed(&t, &changed[i], c->count, &last);
    for (size_t i = 0; i < mixed_count; i++)
        say_mixed(&t, &mixed[i]);
    for (size_t i = 0; i < hidden_count; i++)
        say_in_octaves(&t, &hidden[i]);
    if (!changed_count && !mixed_count && !hidden_count && same_count)
        growing_text_add(&t, "no difference of 1 JND or more");
    say_list(&t, same, same_count, "unchanged");
    say_list(&t, missing, missing_count, "not compared");
    return growing_text_take(&t, NULL);
}
