/* SPDX-License-Identifier: MIT */
/* Comparisons as tables on standard output. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/compare.h"
#include "app/metrics.h"
#include "base/sanitize_text.h"
#include "base/text.h"

/* A table of one pair of channels: bands, then the single number. */
struct table {
    const struct comparison *comparison;
    size_t pair, bands;
    bool third_octaves;
};

/* `row` counts bands; the row after the last is the single number. */
static struct compared value_of(const struct table *t, const struct jnd *jnd, size_t row)
{
    if (row == t->bands)
        return comparison_single(t->comparison, t->pair, jnd);
    return t->third_octaves ? comparison_third(t->comparison, t->pair, jnd, row)
                            : comparison_octave(t->comparison, t->pair, jnd, row);
}

static const struct metrics_band *band_of(const struct table *t, size_t row)
{
    const struct metrics *m = &t->comparison->file[0].channels[t->comparison->pairs[t->pair].channel[0]];
    return t->third_octaves ? &m->third[row] : &m->band[row];
}

static const char *row_name(char text[16], const struct table *t, size_t row)
{
    return row == t->bands ? "mean" : metrics_band_text(text, band_of(t, row));
}

static bool is_column(const struct table *t, const struct jnd *jnd)
{
    return jnd->mean != JND_WHOLE && comparison_shown(t->comparison, jnd);
}

/* "%+.1f", without a sign on zero. */
static const char *signed_text(char text[24], int decimals, double value)
{
    snprintf(text, 24, "%+.*f", decimals, value);
    if (!strpbrk(text, "123456789"))
        memmove(text, text + 1, strlen(text));
    return text;
}

static void print_row(const struct table *t, size_t row, unsigned *marks)
{
    char text[24];
    bool partly = false, doubtful = false;
    printf("  %-6s", row_name(text, t, row));
    for (size_t i = 0; i < jnd_count; i++) {
        if (!is_column(t, &jnds[i]))
            continue;
        const struct compared v = value_of(t, &jnds[i], row);
        partly = partly || v.partly;
        doubtful = doubtful || v.doubtful;
        printf("%8s", v.why ? "-" : signed_text(text, 1, v.steps));
    }
    printf("%s%s\n", partly ? " *" : "", doubtful ? " ?" : "");
    *marks |= (partly ? 1U : 0U) | (doubtful ? 2U : 0U);
}

/* Doubts about the bands of one side of the pair. */
static void print_doubts(const struct table *t, int side)
{
    const struct compared_file *file = &t->comparison->file[side];
    const struct metrics *m = &file->channels[t->comparison->pairs[t->pair].channel[side]];
    const struct doubts *d = &file->recording->doubts;
    unsigned found = 0;
    for (size_t b = 0; b < t->bands; b++)
        found |= doubts_of(d, t->third_octaves ? &m->third[b] : &m->band[b]);
    for (unsigned doubt = 1; doubt < DOUBTS_END; doubt <<= 1) {
        char *text = found & doubt ? doubt_text(d, (enum doubt)doubt) : NULL;
        if (text)
            printf("  ? %s: %s\n", sanitize_name(file->path), text);
        free(text);
    }
}

static bool same_gap(const struct compared *a, const struct compared *b)
{
    return a->why && b->why && a->side == b->side && !strcmp(a->why, b->why);
}

/* Whether both parameters lack the same rows for the reason of `gap`. */
static bool same_rows(const struct table *t, const struct jnd *a, const struct jnd *b, const struct compared *gap)
{
    for (size_t row = 0; row <= t->bands; row++) {
        const struct compared x = value_of(t, a, row), y = value_of(t, b, row);
        if (same_gap(&x, gap) != same_gap(&y, gap))
            return false;
    }
    return true;
}

/* Whether an earlier parameter or row has named this gap. */
static bool named_before(const struct table *t, size_t index, size_t row, const struct compared *gap)
{
    for (size_t before = 0; before < row; before++) {
        const struct compared v = value_of(t, &jnds[index], before);
        if (same_gap(&v, gap))
            return true;
    }
    for (size_t i = 0; i < index; i++)
        if (is_column(t, &jnds[i]) && same_rows(t, &jnds[i], &jnds[index], gap))
            return true;
    return false;
}

static void print_side(const struct comparison *c, const struct compared *v)
{
    if (v->side != COMPARED_BOTH)
        printf("%s: ", sanitize_name(c->file[v->side == COMPARED_SECOND].path));
    printf("%s\n", v->why);
}

/* Prints "no T30, G at 63 125: FILE: REASON", one line per reason and set of bands. */
static void print_missing(const struct table *t)
{
    for (size_t i = 0; i < jnd_count; i++)
        for (size_t row = 0; is_column(t, &jnds[i]) && row <= t->bands; row++) {
            const struct compared gap = value_of(t, &jnds[i], row);
            char text[16];
            if (!gap.why || named_before(t, i, row, &gap))
                continue;
            printf("  no %s", jnd_metric(&jnds[i])->symbol);
            for (size_t k = i + 1; k < jnd_count; k++)
                if (is_column(t, &jnds[k]) && same_rows(t, &jnds[i], &jnds[k], &gap))
                    printf(", %s", jnd_metric(&jnds[k])->symbol);
            printf(" at");
            for (size_t r = row; r <= t->bands; r++) {
                const struct compared v = value_of(t, &jnds[i], r);
                if (same_gap(&v, &gap))
                    printf(" %s", row_name(text, t, r));
            }
            printf(": ");
            print_side(t->comparison, &gap);
        }
}

static void print_single(const struct table *t, const struct jnd *jnd)
{
    const struct metric *metric = jnd_metric(jnd);
    const struct metric_format *format = &metric->text;
    const struct compared v = comparison_single(t->comparison, t->pair, jnd);
    char name[24], octaves[JND_OCTAVES_TEXT], step[JND_STEP_TEXT], text[24];
    if (!comparison_shown(t->comparison, jnd))
        return;
    snprintf(name, sizeof name, "%s%s%s", metric->symbol, *format->unit ? " " : "", format->unit);
    printf("  %-9s%-19s", name, jnd_octaves(octaves, jnd));
    for (int i = 0; i < 2; i++)
        if (isnan(v.value[i]))
            printf("%9s", "-");
        else
            printf("%9.*f", format->decimals, format->scale * v.value[i]);
    printf("%12s", v.why ? "-" : signed_text(text, format->decimals, format->scale * v.difference));
    printf("%8s", v.why ? "-" : signed_text(text, 1, v.steps));
    printf("   %s%s\n", jnd_step_text(step, jnd), v.doubtful ? " ?" : "");
    if (v.why && jnd->mean == JND_WHOLE) {
        printf("  no %s: ", metric->symbol);
        print_side(t->comparison, &v);
    }
}

static void print_pair(const struct table *t)
{
    const struct comparison *c = t->comparison;
    char receiver[128];
    unsigned marks = 0;
    printf("\n%s against %s, %s: differences in JND\n\n  %-6s", sanitize_name(c->file[1].path),
           sanitize_name(c->file[0].path), sanitize_name(comparison_receiver(c, t->pair, receiver)), "Hz");
    for (size_t i = 0; i < jnd_count; i++)
        if (is_column(t, &jnds[i]))
            printf("%8s", jnd_metric(&jnds[i])->symbol);
    printf("\n");
    for (size_t row = 0; row <= t->bands; row++)
        print_row(t, row, &marks);
    printf("\n");
    if (marks & 1U)
        printf("  * the band extends beyond the valid band of a file\n");
    for (int i = 0; marks & 2U && i < 2; i++)
        print_doubts(t, i);
    print_missing(t);
    printf("\n  %-9s%-19s%9s%9s%12s%8s   one JND\n", "", "mean of", "first", "second", "difference", "JND");
    for (size_t i = 0; i < jnd_count; i++)
        print_single(t, &jnds[i]);
}

int compare_print_table(const struct compared_files *c, struct error *e)
{
    for (size_t i = 0; i + 1 < c->count; i++) {
        const struct comparison *comparison = &c->comparisons[i];
        char *summary = comparison_summary(comparison);
        if (!summary)
            return fail(e, ERROR_MEMORY, "out of memory");
        if (c->count > 2)
            printf("%s%s: ", i ? "\n" : "", sanitize_name(comparison->file[1].path));
        printf("%s\n", summary);
        free(summary);
        for (size_t pair = 0; pair < comparison->count; pair++) {
            const struct table t = {comparison, pair, c->third_octaves ? METRICS_THIRDS : METRICS_OCTAVES,
                                    c->third_octaves};
            print_pair(&t);
        }
    }
    return 0;
}
