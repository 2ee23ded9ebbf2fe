/* SPDX-License-Identifier: MIT */
#include "present/page/report_page.h"

#include <stdlib.h>

#include "present/page/report_sounds.h"

enum { PICTURES = 2 };

/* Reads the film and the map, if any. */
static int read_pictures(struct page_picture pictures[PICTURES], size_t *count, const struct report_request *r,
                         struct error *e)
{
    const struct {
        const char *option, *path, *caption;
    } named[PICTURES] = {{"--film", r->film, "Film of the sound"}, {"--map", r->map, "Map of acoustic parameters"}};
    *count = 0;
    for (size_t i = 0; i < PICTURES; i++)
        if (named[i].path &&
            page_picture_read(&pictures[(*count)++], named[i].option, named[i].path, named[i].caption, e))
            return -1;
    return 0;
}

static int read_responses(struct subject *subjects, const struct report_request *r, const struct report_cover *cover,
                          struct remarks *remarks, struct error *e)
{
    for (size_t i = 0; i < r->count; i++) {
        if (subject_read(&subjects[i], r->responses[i], e) || report_cover_check(cover, &subjects[i], remarks, e))
            return -1;
        if (r->heard)
            r->heard(r->context, &subjects[i]);
    }
    return 0;
}

int report_page_make(char **text, struct remarks *remarks, const struct report_request *r, struct error *e)
{
    struct subject *subjects = calloc(r->count, sizeof *subjects);
    struct wet *wets = calloc(r->wet_count + 1, sizeof *wets);
    struct page_picture pictures[PICTURES] = {0};
    struct report_sounds sounds = {0};
    struct report_cover cover = {0};
    struct report_content content = {subjects, r->count, wets, r->wet_count, pictures, 0, .decimal_sign = '.'};
    int status = subjects && wets ? 0 : fail(e, ERROR_MEMORY, "out of memory");
    *text = NULL;
    if (!status)
        status = report_cover_open(&cover, &r->cover, e) || read_pictures(pictures, &content.picture_count, r, e) ||
                 read_responses(subjects, r, &cover, remarks, e);
    for (size_t i = 0; !status && i < r->wet_count; i++)
        status = wet_read(&wets[i], r->wets[i], e);
    const struct report_sounds_request request = {subjects, r->count,       wets,   r->wet_count,
                                                  r->dry,   r->match_level, remarks};
    status = status || report_sounds_make(&sounds, &request, e);
    content.ab = sounds.list;
    content.cover = cover.cover;
    content.decimal_sign = cover.decimal_sign;
    status = status || report_text(text, &content, e);
    report_sounds_free(&sounds);
    report_cover_free(&cover);
    for (size_t i = 0; i < PICTURES; i++)
        page_picture_free(&pictures[i]);
    for (size_t i = 0; subjects && i < r->count; i++)
        subject_free(&subjects[i]);
    for (size_t i = 0; wets && i < r->wet_count; i++)
        wet_free(&wets[i]);
    free(subjects);
    free(wets);
    return status ? -1 : 0;
}
