/* SPDX-License-Identifier: MIT */
#include "present/page/report_sounds.h"

#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/text.h"

static const char levels_kept[] = "one gain for all, so that levels compare";
static const char levels_of_files[] = "one gain for all; levels are those of the files, which are not all calibrated";

void report_sounds_free(struct report_sounds *s)
{
    rooms_heard_free(&s->rooms);
    free(s->sounds);
    free(s->caption);
    memset(s, 0, sizeof *s);
}

static struct compared_file as_compared(const struct subject *s)
{
    return (struct compared_file){s->path, &s->recording, s->channel};
}

static bool all_calibrated(const struct report_sounds_request *r)
{
    for (size_t i = 0; i < r->count; i++)
        if (!r->subjects[i].recording.calibrated)
            return false;
    return true;
}

/* Both ears, or one channel. */
static size_t channels_heard(const struct report_sounds_request *r, size_t channels)
{
    return r->subjects[0].recording.space.ears && channels >= 2 ? 2 : 1;
}

static void take_rooms(struct report_sounds *s, const struct report_sounds_request *r)
{
    for (size_t i = 0; i < r->count; i++)
        s->sounds[i] = (struct ab_sound){r->subjects[i].name, &s->rooms.rooms[i], 0,
                                         channels_heard(r, s->rooms.rooms[i].channels), 1.0};
}

static int listen(struct report_sounds *s, const struct report_sounds_request *r, const struct compared_file *files,
                  const struct comparison *comparisons, struct error *e)
{
    char receiver[128];
    const struct rooms_heard_request request = {files, comparisons, r->count, r->dry, r->match_level, r->remarks};
    int status = rooms_heard_make(&s->rooms, &request, e);
    if (!status) {
        take_rooms(s, r);
        s->caption =
            text_format("%s in each room, %s; %s", path_name(r->dry), comparison_receiver(&comparisons[0], 0, receiver),
                        r->match_level      ? "levels are matched"
                        : all_calibrated(r) ? levels_kept
                                            : levels_of_files);
    }
    return status;
}

/* The responses at the first receiver that they share. */
static void take_responses(struct report_sounds *s, const struct report_sounds_request *r,
                           const struct comparison *comparisons)
{
    char receiver[128];
    const bool calibrated = all_calibrated(r);
    for (size_t i = 0; i < r->count; i++) {
        const struct recording *recording = &r->subjects[i].recording;
        const struct channel_pair *pair = &comparisons[i ? i - 1 : 0].pairs[0];
        s->sounds[i] =
            (struct ab_sound){r->subjects[i].name, &recording->audio, pair->channel[i ? 1 : 0],
                              channels_heard(r, recording->audio.channels), calibrated ? recording->scale : 1.0};
    }
    s->caption = text_format("impulse responses, %s; %s", comparison_receiver(&comparisons[0], 0, receiver),
                             calibrated ? levels_kept : levels_of_files);
}

/* Compares by ear what can be compared in parameters; `why` says why it cannot. */
static int compare(struct report_sounds *s, const struct report_sounds_request *r, struct error *e)
{
    struct compared_file *files = calloc(r->count, sizeof *files);
    struct comparison *comparisons = calloc(r->count, sizeof *comparisons);
    struct error why = {ERROR_NONE, ""};
    int status = files && comparisons ? 0 : fail(&why, ERROR_MEMORY, "out of memory");
    for (size_t i = 0; !status && i < r->count; i++) {
        files[i] = as_compared(&r->subjects[i]);
        if (i)
            status = comparison_make(&comparisons[i - 1], &files[0], &files[i], NULL, &why);
    }
    if (status && (r->dry || why.code == ERROR_MEMORY))
        status = fail(e, why.code, "%s", why.message);
    else if (status)
        status = 0; /* the page says why */
    else if (r->dry)
        status = listen(s, r, files, comparisons, e);
    else
        take_responses(s, r, comparisons);
    for (size_t i = 0; comparisons && i + 1 < r->count; i++)
        comparison_free(&comparisons[i]);
    free(comparisons);
    free(files);
    return status;
}

static void take_wets(struct report_sounds *s, const struct report_sounds_request *r)
{
    size_t channels = 2;
    for (size_t i = 0; i < r->wet_count; i++)
        if (r->wets[i].audio.channels != 2)
            channels = 1;
    for (size_t i = 0; i < r->wet_count; i++)
        s->sounds[i] = (struct ab_sound){path_name(r->wets[i].path), &r->wets[i].audio, 0, channels, 1.0};
    s->caption = text_format("auralizations; one gain for all, levels as in the files");
}

int report_sounds_make(struct report_sounds *s, const struct report_sounds_request *r, struct error *e)
{
    const bool wets = !r->dry && r->wet_count > 1;
    const size_t count = wets ? r->wet_count : r->count;
    if (count < 2)
        return 0;
    s->sounds = calloc(count, sizeof *s->sounds);
    if (!s->sounds)
        return fail(e, ERROR_MEMORY, "out of memory");
    if (wets)
        take_wets(s, r);
    else if (compare(s, r, e))
        return -1;
    if (s->caption)
        s->list = (struct ab_list){s->sounds, count, s->caption};
    else if (s->sounds[0].audio)
        return fail(e, ERROR_MEMORY, "out of memory");
    return 0;
}
