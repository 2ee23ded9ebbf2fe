#include "cpu/branch_layout.h"

#include <stdlib.h>
#include <string.h>

void branch_layout_free(struct branch_layout *l)
{
    free(l->runs);
    free(l->run_start);
    free(l->columns);
    free(l->column_start);
    free(l->multipliers);
    memset(l, 0, sizeof *l);
}

static void *multipliers_of(const struct branches *b, enum precision precision)
{
    void *all = calloc(b->factor_count + 1, sizeof(struct branch_multipliers_double));
    for (size_t i = 0; all && i < b->factor_count; i++) {
        const struct branch_factors *f = &b->factors[i];
        if (precision == PRECISION_DOUBLE)
            ((struct branch_multipliers_double *)all)[i] =
                (struct branch_multipliers_double){f->b, f->four_bd, f->twice_bf, f->push_v, f->push_g, 0.25 * f->lost};
        else
            ((struct branch_multipliers_single *)all)[i] =
                (struct branch_multipliers_single){(float)f->b,      (float)f->four_bd, (float)f->twice_bf,
                                                   (float)f->push_v, (float)f->push_g,  (float)(0.25 * f->lost)};
    }
    return all;
}

/* Adds a segment along x to the last run, if it continues it. */
static void add_along_x(struct branch_layout *l, uint64_t row_first, uint64_t *runs, const struct branch_segment *s)
{
    struct branch_run *last = *runs > row_first ? &l->runs[*runs - 1] : NULL;
    if (last && last->end == s->x && last->kind == s->kind)
        last->end += s->length;
    else
        l->runs[(*runs)++] = (struct branch_run){.from = s->x, .end = s->x + s->length, .kind = s->kind};
}

/* Values of the lines and strips of one row. */
static uint64_t row_states(const struct branches *b, const struct branch_segment *segments, uint64_t count, size_t line,
                           size_t strip)
{
    uint64_t states = 0;
    for (uint64_t i = 0; i < count;) {
        const uint64_t values = 2 * (uint64_t)b->kinds[segments[i].kind].count;
        if (segments[i].along_y) {
            states += values * ((segments[i].length + strip - 1) / strip * strip);
            i++;
            continue;
        }
        struct branch_run run = {.from = segments[i].x, .end = segments[i].x, .kind = segments[i].kind};
        for (; i < count && !segments[i].along_y && segments[i].x == run.end && segments[i].kind == run.kind; i++)
            run.end += segments[i].length;
        states += values * branch_run_lines(&run, line) * line;
    }
    return (states + line - 1) / line * line;
}

uint64_t branch_layout_bytes(const struct branches *b, uint64_t row_count, enum precision precision)
{
    const size_t line = branch_line_points(precision), strip = branch_strip_points(precision);
    uint64_t states = 0;
    for (uint64_t row = 0; row < row_count; row++)
        states += row_states(b, b->segments + b->segment_start[row], b->segment_start[row + 1] - b->segment_start[row],
                             line, strip);
    return (states - b->state_count) * precision_bytes(precision) + b->segment_count * sizeof(struct branch_run) +
           2 * (row_count + 1) * sizeof(uint64_t);
}

int branch_layout_make(struct branch_layout *l, const struct rows *rows, enum precision precision)
{
    const struct branches *b = &rows->branches;
    const size_t line = branch_line_points(precision), strip = branch_strip_points(precision);
    uint64_t runs = 0, columns = 0;
    *l = (struct branch_layout){.runs = malloc((b->segment_count + 1) * sizeof *l->runs),
                                .run_start = malloc((rows->count + 1) * sizeof *l->run_start),
                                .columns = malloc((b->segment_count + 1) * sizeof *l->columns),
                                .column_start = malloc((rows->count + 1) * sizeof *l->column_start),
                                .multipliers = multipliers_of(b, precision)};
    if (!l->runs || !l->run_start || !l->columns || !l->column_start || !l->multipliers)
        return -1;
    size_t kept = 0; /* of this plane */
    for (size_t row = 0; row < rows->count; row++) {
        kept = row % rows->ny ? kept : 0;
        l->run_start[row] = runs;
        l->column_start[row] = columns;
        for (uint64_t i = b->segment_start[row]; i < b->segment_start[row + 1]; i++) {
            const struct branch_segment *s = &b->segments[i];
            if (s->along_y)
                l->columns[columns++] = (struct branch_column){.x = s->x, .kind = s->kind, .length = s->length};
            else
                add_along_x(l, l->run_start[row], &runs, s);
        }
        for (uint64_t i = l->run_start[row]; i < runs; i++) {
            const size_t values = branch_run_lines(&l->runs[i], line) * line;
            l->runs[i].states = l->state_count;
            l->state_count += 2 * (uint64_t)b->kinds[l->runs[i].kind].count * values;
            kept += values;
        }
        for (uint64_t i = l->column_start[row]; i < columns; i++) {
            const size_t values = (l->columns[i].length + strip - 1) / strip * strip;
            l->columns[i].states = l->state_count;
            l->state_count += 2 * (uint64_t)b->kinds[l->columns[i].kind].count * values;
            kept += values;
        }
        l->state_count = (l->state_count + line - 1) / line * line;
        l->kept_max = kept > l->kept_max ? kept : l->kept_max;
    }
    l->kept_max = (l->kept_max + line - 1) / line * line;
    l->run_start[rows->count] = runs;
    l->column_start[rows->count] = columns;
    return 0;
}
