/* SPDX-License-Identifier: MIT */
/* The sounds that the player of a report switches between. */
#ifndef AULA_PRESENT_PAGE_REPORT_SOUNDS_H
#define AULA_PRESENT_PAGE_REPORT_SOUNDS_H

#include "present/page/rooms_heard.h"
#include "present/report/report.h"

struct report_sounds_request {
    const struct subject *subjects; /* [count] */
    size_t count;
    const struct wet *wets; /* [wet_count] */
    size_t wet_count;
    const char *dry;  /* path; NULL: none */
    bool match_level; /* of `dry` in the rooms */
    struct remarks *remarks;
};

/* Zero it first; free it also on failure. */
struct report_sounds {
    struct ab_list list; /* of the members below */
    struct ab_sound *sounds;
    char *caption;
    struct rooms_heard rooms;
};

/* The dry sound in all rooms; without one, the wet sounds if there are several; without these, the responses. Nothing
 * for a single subject without several wet sounds, and for responses that cannot be compared. */
int report_sounds_make(struct report_sounds *s, const struct report_sounds_request *r, struct error *e);
void report_sounds_free(struct report_sounds *s);

#endif
