/* SPDX-License-Identifier: MIT */
#include "present/report/differences.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "dsp/measure/comparison.h"
#include "io/xml.h"
#include "present/report/tables.h"

/* The reasons of missing values of a pair; a cell refers to one by its number. */
struct reasons {
    struct compared list[20];
    size_t count;
};

static void refer(FILE *stream, struct reasons *r, const struct compared *v)
{
    size_t i = 0;
    while (i < r->count && (r->list[i].side != v->side || strcmp(r->list[i].why, v->why) != 0))
        i++;
    if (i == r->count && r->count < sizeof r->list / sizeof *r->list)
        r->list[r->count++] = *v;
    if (i < r->count)
        fprintf(stream, "<sup>%zu</sup>", i + 1);
}

static void explain(FILE *stream, const struct reasons *r, const struct comparison *c)
{
    fputs("<p class=\"notes\">", stream);
    for (size_t i = 0; i < r->count; i++) {
        fprintf(stream, "<span><sup>%zu</sup> ", i + 1);
        if (r->list[i].side != COMPARED_BOTH) {
            xml_text(stream, path_name(c->file[r->list[i].side == COMPARED_SECOND].path));
            fputs(": ", stream);
        }
        xml_text(stream, r->list[i].why);
        fputs("</span> ", stream);
    }
    fputs("</p>\n", stream);
}

/* With a sign, but on zero. */
static void write_signed(FILE *stream, int decimals, double value)
{
    if (value > 0.0 && !(value * pow(10.0, decimals) < 0.5))
        fputc('+', stream);
    write_number(stream, decimals, value);
}

static void write_steps(FILE *stream, struct reasons *r, const struct compared *v)
{
    fputs(v->why || fabs(v->steps) >= 1.0 ? "<td>" : "<td class=\"same\">", stream);
    if (v->why) {
        fputs("–", stream);
        refer(stream, r, v);
    } else {
        write_signed(stream, 1, v->steps);
        if (v->doubtful)
            fputs("<sup>?</sup>", stream);
    }
    fputs("</td>", stream);
}

static void single_row(FILE *stream, struct reasons *r, const struct comparison *c, size_t pair, const struct jnd *jnd)
{
    const struct metric *metric = jnd_metric(jnd);
    const struct metric_format *format = &metric->text;
    const struct compared v = comparison_single(c, pair, jnd);
    char octaves[JND_OCTAVES_TEXT], step[JND_STEP_TEXT];
    fprintf(stream, "<tr><th scope=\"row\">%s%s<i>%s</i></th><td class=\"words\">%s</td>", metric->symbol,
            *format->unit ? " " : "", format->unit, jnd_octaves(octaves, jnd));
    for (int i = 0; i < 2; i++) {
        fputs("<td>", stream);
        write_number(stream, format->decimals, format->scale * v.value[i]);
        fputs("</td>", stream);
    }
    fputs("<td>", stream);
    write_signed(stream, format->decimals, format->scale * v.difference);
    fputs("</td>", stream);
    write_steps(stream, r, &v);
    fprintf(stream, "<td>%s</td></tr>\n", jnd_step_text(step, jnd));
}

static void singles(FILE *stream, struct reasons *r, const struct comparison *c, size_t pair)
{
    fputs("<div class=\"wide\"><table><thead><tr><th scope=\"col\">single number</th><th class=\"words\">mean of</th>",
          stream);
    for (int i = 0; i < 2; i++) {
        fputs("<th>", stream);
        xml_text(stream, path_name(c->file[i].path));
        fputs("</th>", stream);
    }
    fputs("<th>difference</th><th>in JND</th><th>one JND</th></tr></thead><tbody>\n", stream);
    for (size_t i = 0; i < jnd_count; i++)
        if (comparison_shown(c, &jnds[i]))
            single_row(stream, r, c, pair, &jnds[i]);
    fputs("</tbody></table></div>\n", stream);
}

static void octaves(FILE *stream, struct reasons *r, const struct comparison *c, size_t pair)
{
    fputs("<div class=\"wide\"><table><thead><tr><th scope=\"col\">Hz</th>", stream);
    for (size_t i = 0; i < jnd_count; i++)
        if (jnds[i].mean != JND_WHOLE && comparison_shown(c, &jnds[i]))
            fprintf(stream, "<th>%s<br><i>JND</i></th>", jnd_metric(&jnds[i])->symbol);
    fputs("</tr></thead><tbody>\n", stream);
    for (size_t b = 0; b < METRICS_OCTAVES; b++) {
        const bool partly = comparison_octave(c, pair, &jnds[0], b).partly;
        fprintf(stream, "<tr%s><th scope=\"row\">%.0f%s</th>", partly ? " class=\"weak\"" : "",
                c->file[0].channels[c->pairs[pair].channel[0]].band[b].centre, partly ? "<sup>*</sup>" : "");
        for (size_t i = 0; i < jnd_count; i++)
            if (jnds[i].mean != JND_WHOLE && comparison_shown(c, &jnds[i])) {
                const struct compared v = comparison_octave(c, pair, &jnds[i], b);
                write_steps(stream, r, &v);
            }
        fputs("</tr>\n", stream);
    }
    fputs("</tbody></table></div>\n", stream);
}

static void write_pair(FILE *stream, const struct comparison *c, size_t pair)
{
    struct reasons reasons = {.count = 0};
    char receiver[128];
    fputs("<h4>", stream);
    xml_text(stream, comparison_receiver(c, pair, receiver));
    fputs("</h4>\n", stream);
    singles(stream, &reasons, c, pair);
    octaves(stream, &reasons, c, pair);
    explain(stream, &reasons, c);
}

static void title(FILE *stream, const struct subject *first, const struct subject *second)
{
    fputs("<h3>", stream);
    xml_text(stream, second->name);
    fputs(" against ", stream);
    xml_text(stream, first->name);
    fputs("</h3>\n", stream);
}

static int write_comparison(FILE *stream, const struct comparison *c, size_t shown, struct error *e)
{
    char *summary = comparison_summary(c);
    if (!summary)
        return fail(e, ERROR_MEMORY, "out of memory");
    fputs("<p><b>", stream);
    write_words(stream, summary);
    fputs("</b></p>\n", stream);
    free(summary);
    for (size_t i = 0; i < c->note_count; i++) {
        fputs("<p class=\"notes\">", stream);
        xml_text(stream, c->notes[i]);
        fputs("</p>\n", stream);
    }
    for (size_t pair = 0; pair < c->count && pair < shown; pair++)
        write_pair(stream, c, pair);
    if (c->count > shown)
        fprintf(stream, "<p class=\"notes\">Only the first %zu of %zu receivers are shown.</p>\n", shown, c->count);
    return 0;
}

int differences_write(FILE *stream, const struct subject *subjects, size_t count, size_t shown, struct error *e)
{
    const struct compared_file first = {subjects[0].path, &subjects[0].recording, subjects[0].channel};
    int status = 0;
    for (size_t i = 1; !status && i < count; i++) {
        const struct compared_file second = {subjects[i].path, &subjects[i].recording, subjects[i].channel};
        struct comparison c = {0};
        struct error why = {ERROR_NONE, ""};
        title(stream, &subjects[0], &subjects[i]);
        if (!comparison_make(&c, &first, &second, NULL, &why)) {
            status = write_comparison(stream, &c, shown, e);
        } else if (why.code == ERROR_MEMORY) {
            status = fail(e, why.code, "%s", why.message);
        } else {
            fputs("<p class=\"notes\">Not compared: ", stream);
            xml_text(stream, why.message);
            fputs("</p>\n", stream);
        }
        comparison_free(&c);
    }
    fputs(
        "<p class=\"notes\">Differences in just noticeable differences (JND); those below 1 JND are grey. Assumed JND "
        "have no standard or listening test behind them. <sup>*</sup> The octave extends beyond "
        "the valid band of a file. <sup>?</sup> Doubtful, for the reason below the table of a response.</p>\n",
        stream);
    return status;
}
