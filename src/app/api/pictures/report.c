/* SPDX-License-Identifier: MIT */
/* Reports about files of responses. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "app/api/handles.h"
#include "base/file.h"
#include "base/output_file.h"
#include "base/text.h"
#include "io/drawing/drawing_library.h"
#include "present/page/report_page.h"

struct aula_report {
    struct remarks remarks;
    char *text;
};

void aula_report_close(struct aula_report *report)
{
    if (!report)
        return;
    remarks_free(&report->remarks);
    free(report->text);
    free(report);
}

static int check_names(struct call *call, const char *const *names, size_t count, const char *what)
{
    if (count && !names)
        return call_refuse_null(call, what, "the names of files, or a count of 0");
    for (size_t i = 0; i < count; i++)
        if (!names[i] || !*names[i])
            return fail(&call->error, ERROR_USAGE, "%s[%zu] is %s", what, i, names[i] ? "empty" : "NULL");
    return 0;
}

static int check(struct call *call, const char *const *responses, size_t count, const struct aula_report_options *o)
{
    struct error *e = &call->error;
    if (check_names(call, responses, count, "responses") || check_names(call, o->wets, o->wet_count, "wets") ||
        check_names(call, o->targets, o->target_count, "targets") ||
        call_check_reserved(call, o->reserved, sizeof o->reserved / sizeof *o->reserved, "what"))
        return -1;
    if (!count || count > REPORT_RESPONSES_MAX)
        return fail(e, ERROR_USAGE, "responses: there are %zu; name 1 to %d files", count, REPORT_RESPONSES_MAX);
    if (o->match_level && !o->dry)
        return fail(
            e, ERROR_USAGE,
            "match_level makes rooms equally loud with the dry sound; name that as dry, or leave match_level out");
    if (o->dry && count < 2)
        return fail(e, ERROR_USAGE, "dry compares rooms by ear; pass at least two responses");
    if (!(o->volume >= 0.0 && isfinite(o->volume)))
        return fail(e, ERROR_USAGE, "volume is %g m3; must be 0 or more", o->volume);
    return 0;
}

static int make(struct call *call, struct aula_report **out, const char *const *responses, size_t count,
                const struct aula_report_options *what)
{
    static const struct aula_report_options none;
    const struct aula_report_options *o = what ? what : &none;
    if (!out)
        return call_refuse_null(call, "report", "the address of a pointer");
    *out = NULL;
    if (check(call, responses, count, o) || drawing_library_load(&call->error))
        return -1;
    const struct report_request request = {.responses = responses,
                                           .count = count,
                                           .wets = o->wets,
                                           .wet_count = o->wet_count,
                                           .film = o->film,
                                           .map = o->map,
                                           .dry = o->dry,
                                           .match_level = o->match_level != 0,
                                           .cover = {o->title, o->client, o->author, o->logo, o->note, o->locale,
                                                     o->targets, o->target_count, o->target_file, o->volume}};
    struct aula_report *report = calloc(1, sizeof *report);
    if (!report)
        return fail(&call->error, ERROR_MEMORY, "out of memory");
    if (report_page_make(&report->text, &report->remarks, &request, &call->error)) {
        aula_report_close(report);
        return -1;
    }
    *out = report;
    return 0;
}

int aula_report_make(struct aula_report **report, const char *const *responses, size_t count,
                     const struct aula_report_options *what, struct aula_error *error)
{
    struct call call;
    if (call_begin(&call, error))
        return -1;
    return call_end(&call, make(&call, report, responses, count, what));
}

const char *aula_report_text(const struct aula_report *report)
{
    return report ? report->text : NULL;
}

const char *aula_report_warning(const struct aula_report *report, size_t index)
{
    return report && index < report->remarks.warning_count ? report->remarks.warnings[index] : NULL;
}
