/* SPDX-License-Identifier: MIT */
/* Summaries of the data sets that aula batch makes. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "app/api/handles.h"
#include "base/text.h"
#include "render/batch/folder.h"
#include "render/batch/summary.h"

struct aula_summary {
    struct summary found;
    char **lines; /* [parameter_count] */
    size_t line_count;
    char **warnings;
    size_t warning_count;
};

void aula_summary_close(struct aula_summary *summary)
{
    if (!summary)
        return;
    lines_free(summary->lines, summary->line_count);
    lines_free(summary->warnings, summary->warning_count);
    summary_free(&summary->found);
    free(summary);
}

static int fill(struct aula_summary *summary, const char *folder, struct error *e)
{
    for (size_t i = 0; i < summary->found.parameter_count; i++) {
        char *line = summary_line(&summary->found, &summary->found.parameters[i]);
        const int status = line ? lines_add(&summary->lines, &summary->line_count, e, "%s", line)
                                : fail(e, ERROR_MEMORY, "out of memory");
        free(line);
        if (status)
            return -1;
    }
    return summary_doubts(&summary->warnings, &summary->warning_count, &summary->found, folder, e);
}

static int read_set(struct aula_summary *summary, struct plan *plan, struct manifest *manifest, const char *path,
                    const char *folder, struct error *e)
{
    if (plan_read(plan, path, e) || folder_check(folder, plan, e) ||
        manifest_open(manifest, plan, folder, "manifest", MANIFEST_READ, e))
        return -1;
    if (!manifest->done)
        return fail(e, ERROR_FAILED, "%s: no room is finished, so there is nothing to summarize; see %s/manifest.csv",
                    folder, folder);
    return summary_make(&summary->found, manifest, e) || fill(summary, folder, e) ? -1 : 0;
}

static int make(struct call *call, struct aula_summary **out, const char *path, const char *folder)
{
    struct plan plan;
    struct manifest manifest;
    if (!out)
        return call_refuse_null(call, "summary", "the address of a pointer");
    *out = NULL;
    if (call_check_text(call, path, "plan", "the name of a plan") ||
        call_check_text(call, folder, "folder", "the folder of a data set"))
        return -1;
    struct aula_summary *summary = calloc(1, sizeof *summary);
    if (!summary)
        return fail(&call->error, ERROR_MEMORY, "out of memory");
    memset(&plan, 0, sizeof plan);
    memset(&manifest, 0, sizeof manifest);
    manifest.descriptor = manifest.place = -1;
    const int status = read_set(summary, &plan, &manifest, path, folder, &call->error);
    manifest_close(&manifest);
    plan_free(&plan);
    if (status) {
        aula_summary_close(summary);
        return -1;
    }
    *out = summary;
    return 0;
}

int aula_summary_make(struct aula_summary **summary, const char *plan, const char *folder, struct aula_error *error)
{
    struct call call;
    if (call_begin(&call, error))
        return -1;
    return call_end(&call, make(&call, summary, plan, folder));
}

const char *aula_summary_warning(const struct aula_summary *summary, size_t index)
{
    return summary && index < summary->warning_count ? summary->warnings[index] : NULL;
}

size_t aula_summary_room_count(const struct aula_summary *summary)
{
    return summary ? summary->found.rooms : 0;
}

size_t aula_summary_done_count(const struct aula_summary *summary)
{
    return summary ? summary->found.done : 0;
}

size_t aula_summary_parameter_count(const struct aula_summary *summary)
{
    return summary ? summary->found.parameter_count : 0;
}

/* NULL beyond the last. */
static const struct summary_parameter *parameter_at(const struct aula_summary *summary, size_t index)
{
    return index < aula_summary_parameter_count(summary) ? &summary->found.parameters[index] : NULL;
}

const char *aula_summary_parameter_name(const struct aula_summary *summary, size_t parameter)
{
    const struct summary_parameter *p = parameter_at(summary, parameter);
    return p ? p->metric->name : NULL;
}

const char *aula_summary_parameter_unit(const struct aula_summary *summary, size_t parameter)
{
    const struct summary_parameter *p = parameter_at(summary, parameter);
    return !p ? NULL : p->metric->public.unit ? p->metric->public.unit : "";
}

size_t aula_summary_octave_count(const struct aula_summary *summary, size_t parameter)
{
    const struct summary_parameter *p = parameter_at(summary, parameter);
    return p ? p->octaves : 0;
}

const char *aula_summary_line(const struct aula_summary *summary, size_t parameter)
{
    return summary && parameter < summary->line_count ? summary->lines[parameter] : NULL;
}

static const struct summary_cell *cell_at(const struct aula_summary *summary, size_t parameter, size_t octave)
{
    return octave < aula_summary_octave_count(summary, parameter) ? &parameter_at(summary, parameter)->cell[octave]
                                                                  : NULL;
}

int aula_summary_spread(const struct aula_summary *summary, size_t parameter, size_t octave, struct aula_spread *spread)
{
    const struct summary_cell *cell = cell_at(summary, parameter, octave);
    if (!spread)
        return -1;
    memset(spread, 0, sizeof *spread);
    spread->mean = spread->deviation = spread->low = spread->high = spread->minimum = spread->maximum = NAN;
    if (!cell)
        return -1;
    spread->rooms = cell->spread.count;
    spread->partly_valid = cell->partly;
    spread->unmeasured = cell->unmeasured;
    spread->incomplete = cell->incomplete;
    spread->mean = cell->spread.mean;
    spread->deviation = cell->spread.deviation;
    spread->low = cell->spread.low;
    spread->high = cell->spread.high;
    spread->minimum = cell->spread.minimum;
    spread->maximum = cell->spread.maximum;
    return 0;
}

size_t aula_summary_key_count(const struct aula_summary *summary)
{
    return summary ? summary->found.key_count : 0;
}

const char *aula_summary_key_name(const struct aula_summary *summary, size_t key)
{
    return key < aula_summary_key_count(summary) ? summary->found.keys[key].name : NULL;
}

int aula_summary_key_varies(const struct aula_summary *summary, size_t key)
{
    return key < aula_summary_key_count(summary) && !summary->found.keys[key].constant;
}

int aula_summary_effect(const struct aula_summary *summary, size_t parameter, size_t octave, size_t key,
                        struct aula_effect *effect)
{
    const struct summary_cell *cell = cell_at(summary, parameter, octave);
    if (!effect)
        return -1;
    memset(effect, 0, sizeof *effect);
    effect->correlation = effect->share = effect->chance = NAN;
    if (!cell || key >= aula_summary_key_count(summary))
        return -1;
    const struct summary_effect *found = &cell->effects[key];
    effect->correlation = found->correlation;
    effect->share = found->share;
    effect->chance = found->chance;
    effect->stands_out = summary_stands_out(&summary->found, found);
    effect->missing = effect_gap_text(found->gap);
    return 0;
}

double aula_summary_together(const struct aula_summary *summary, size_t index, size_t keys[2])
{
    if (!summary || index >= summary->found.pair_count)
        return NAN;
    const struct summary_pair *pair = &summary->found.pairs[index];
    if (keys) {
        keys[0] = pair->a;
        keys[1] = pair->b;
    }
    return pair->association;
}
