/* SPDX-License-Identifier: MIT */
/* The parameters of a map by their names. */
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/text.h"
#include "present/film/map.h"

enum { FIGURES = 64 };

/* Adds a parameter of the list by its name in JSON and CSV. */
static int add_figure(struct map_wish *w, const char *name, size_t length, struct error *e)
{
    const char *names[FIGURES];
    char given[64], hint[HINT], safe[QUOTED];
    size_t count = 0;
    snprintf(given, sizeof given, "%.*s", (int)length, name);
    if (w->figure_count == MAP_FIGURES_MAX)
        return fail(e, ERROR_USAGE, "--parameters: at most %d parameters are supported; remove some", MAP_FIGURES_MAX);
    for (size_t i = 0; i < band_metric_count + single_metric_count; i++) {
        const struct metric *metric = i < band_metric_count ? &band_metrics[i] : &single_metrics[i - band_metric_count];
        if (metric->optional || !metric->text.unit)
            continue;
        names[count++] = metric->name;
        if (strcasecmp(metric->name, given) != 0)
            continue;
        w->metric[w->figure_count++] = metric;
        return 0;
    }
    return fail(e, ERROR_USAGE,
                "--parameters %s: unknown parameter; expected t30, c80, g, sti or another of aula metrics%s",
                quoted(safe, given), text_hint(hint, given, names, count));
}

int map_wish_figures(struct map_wish *w, const char *list, struct error *e)
{
    for (const char *at = list; at && *at;) {
        const size_t length = strcspn(at, ",");
        if (add_figure(w, at, length, e))
            return -1;
        at += length + (at[length] == ',');
    }
    return 0;
}
