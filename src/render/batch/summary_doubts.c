/* SPDX-License-Identifier: MIT */
/* Doubts about the summary of a data set. */
#include <stdlib.h>

#include "base/text.h"
#include "render/batch/summary.h"

enum { NAMED = 5 };

static int tell_incomplete(char ***lines, size_t *count, const struct summary *s, struct error *e)
{
    bool incomplete = false;
    for (size_t i = 0; i < s->parameter_count; i++)
        for (size_t b = 0; b < s->parameters[i].octaves; b++)
            incomplete = incomplete || s->parameters[i].cell[b].incomplete;
    return incomplete
               ? lines_add(lines, count, e,
                           "some sources or receivers lack a parameter in some rooms; the mean of a room is over "
                           "the others (`incomplete` in summary.csv)")
               : 0;
}

/* Rooms that lack a value are seldom like the others: their decays are too long for the record,
 * for example. */
static int tell_unmeasured(char ***lines, size_t *count, const struct summary *s, const char *folder, struct error *e)
{
    const struct summary_parameter *worst = NULL;
    const struct summary_cell *cell = NULL;
    size_t octave = 0;
    for (size_t i = 0; i < s->parameter_count; i++)
        for (size_t b = 0; b < s->parameters[i].octaves; b++) {
            const struct summary_cell *other = &s->parameters[i].cell[b];
            if (!other->spread.count || other->unmeasured <= (cell ? cell->unmeasured : 0))
                continue;
            worst = &s->parameters[i];
            cell = other;
            octave = b;
        }
    char text[SUMMARY_HERTZ];
    return !worst ? 0
                  : lines_add(lines, count, e,
                              "%s: %s%s%s could not be measured in %zu of %zu rooms; means and shares describe the "
                              "others, which may differ from these; aula metrics gives the reasons, and a longer "
                              "time.duration often helps",
                              folder, worst->metric->symbol, worst->octaves > 1 ? " at " : "",
                              worst->octaves > 1 ? summary_hertz(text, octave) : "", cell->unmeasured, s->done);
}

static int tell_together(char ***lines, size_t *count, const struct summary *s, struct error *e)
{
    for (size_t i = 0; i < s->pair_count && i < NAMED; i++)
        if (lines_add(
                lines, count, e,
                "%s and %s vary together in these rooms (correlation %.2f); their shares overlap, and neither can "
                "be told apart from the other",
                s->keys[s->pairs[i].a].name, s->keys[s->pairs[i].b].name, s->pairs[i].association))
            return -1;
    return s->pair_count > NAMED
               ? lines_add(lines, count, e,
                           "%zu more pairs of keys vary together; summary.json lists them under vary_together",
                           s->pair_count - NAMED)
               : 0;
}

static int tell_marks(char ***lines, size_t *count, const struct summary *s, const char *folder, struct error *e)
{
    struct growing_text t = {0};
    for (size_t b = 0; b < METRICS_OCTAVES; b++) {
        char text[SUMMARY_HERTZ];
        if (s->doubtful[b])
            growing_text_add(&t, "%s%s in %zu", t.length ? ", " : "", summary_hertz(text, b), s->doubtful[b]);
    }
    char *list = growing_text_take(&t, NULL);
    const int status = list && *list
                           ? lines_add(lines, count, e,
                                       "%s: aula metrics marks octaves as doubtful: %s of %zu rooms; they are included",
                                       folder, list, s->done)
                           : 0;
    free(list);
    return status;
}

int summary_doubts(char ***lines, size_t *count, const struct summary *s, const char *folder, struct error *e)
{
    return tell_incomplete(lines, count, s, e) || tell_unmeasured(lines, count, s, folder, e) ||
                   tell_together(lines, count, s, e) || tell_marks(lines, count, s, folder, e)
               ? -1
               : 0;
}
