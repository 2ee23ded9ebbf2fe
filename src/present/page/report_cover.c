/* SPDX-License-Identifier: MIT */
#include "present/page/report_cover.h"

#include <math.h>
#include <stdlib.h>

#include "base/sanitize_text.h"
#include "base/text.h"
#include "present/report/decimals.h"
#include "present/report/verdicts.h"

static int find_targets(struct report_cover *c, const struct cover_options *o, struct error *e)
{
    const char *needs = o->target_file ? "targets" : o->volume > 0.0 ? "volume" : NULL;
    if (!o->target_count)
        return needs ? fail(e, ERROR_USAGE, "--%s: needs a target; add --target NAME", needs) : 0;
    c->targets = calloc(o->target_count, sizeof *c->targets);
    if (!c->targets)
        return fail(e, ERROR_MEMORY, "out of memory");
    if (targets_read(&c->list, o->target_file, e))
        return -1;
    for (size_t i = 0; i < o->target_count; i++) {
        const struct target *found;
        if (targets_find(&found, &c->list, o->targets[i], "--target", e))
            return -1;
        c->targets[i] = malloc(sizeof *found);
        if (!c->targets[i])
            return fail(e, ERROR_MEMORY, "out of memory");
        *c->targets[i] = *found; /* its texts belong to the list */
        c->cover.target_count++;
    }
    c->cover.targets = (const struct target *const *)c->targets;
    return 0;
}

int report_cover_open(struct report_cover *c, const struct cover_options *o, struct error *e)
{
    c->cover = (struct cover){
        .title = o->title, .client = o->client, .author = o->author, .note = o->note, .volume = o->volume};
    c->decimal_sign = o->locale ? decimals_of_locale(o->locale) : '.';
    if (!c->decimal_sign)
        return fail(e, ERROR_USAGE,
                    "--locale %s: unknown language; use two letters, and a country if it matters, such "
                    "as de or de-CH",
                    sanitize_name(o->locale));
    if (o->logo && logo_read(&c->logo, o->logo, e))
        return -1;
    c->cover.logo = o->logo ? &c->logo : NULL;
    return find_targets(c, o, e);
}

void report_cover_free(struct report_cover *c)
{
    for (size_t i = 0; c->targets && i < c->cover.target_count; i++)
        free(c->targets[i]);
    free(c->targets);
    targets_free(&c->list);
    logo_free(&c->logo);
}

int report_cover_check(const struct report_cover *c, const struct subject *s, struct remarks *remarks, struct error *e)
{
    const char *path = sanitize_name(s->path);
    const double volume = verdict_volume(s, c->cover.volume);
    char shown[PLAIN_TEXT];
    for (size_t i = 0; i < c->cover.target_count; i++) {
        const struct target *target = c->targets[i];
        if (target->quantity != TARGET_TIME)
            continue;
        if (!(volume > 0.0))
            return fail(e, ERROR_USAGE,
                        "%s: the volume of the room is not known; add --volume M3, such as --volume 180", s->path);
        if (!target_covers(target, volume))
            remarks_warn(remarks, "%s: %s is defined for %g to %g m3, not for %s m3", path, target->name,
                         target->volume[0], target->volume[1], text_plain(shown, volume, 4));
        if (isnan(target_time(target, volume)))
            remarks_warn(remarks, "%s: %s has no limit of the reverberation time for %s m3", path, target->name,
                         text_plain(shown, volume, 4));
    }
    return 0;
}
