/* SPDX-License-Identifier: MIT */
#include "room/grid/ears.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/text.h"
#include "dsp/space/coverage.h"
#include "dsp/space/harmonics.h"

enum { LISTED_MAX = 4 };

/* Sound from directions outside the coverage: their number, and a list of the first few. */
struct outside {
    const struct receiver *receiver;
    const struct coverage *coverage;
    struct turn back; /* from the axes of the room to those of the head */
    size_t count;
    struct growing_text list;
};

/* Checks the sound of a source or of its image at a position; `wall` NULL: direct sound. */
static void look(struct outside *o, const struct source *s, const double place[3], const char *wall)
{
    double way[3], own[3], angles[2];
    for (int axis = 0; axis < 3; axis++)
        way[axis] = place[axis] - o->receiver->position[axis];
    const double distance = hypot(hypot(way[0], way[1]), way[2]);
    if (!(distance > 0.0))
        return;
    for (int axis = 0; axis < 3; axis++)
        way[axis] /= distance;
    turn_apply(own, &o->back, way);
    const double away = coverage_away(o->coverage, own);
    if (!(away > o->coverage->limit) || o->count++ >= LISTED_MAX)
        return;
    coverage_angles(angles, own);
    growing_text_add(&o->list, "%s%s of source %s%s%s from azimuth %.0f, elevation %.0f, %.0f degrees outside",
                     o->count > 1 ? "; " : "", wall ? "the reflection" : "the direct sound", s->name,
                     wall ? " off " : "", wall ? wall : "", angles[0], angles[1], away);
}

static void look_at_source(struct outside *o, const struct model *m, const struct source *s)
{
    look(o, s, s->position, NULL);
    for (int wall = 0; wall < FACES && room_form(m->room) == ROOM_BOX; wall++) {
        double image[3];
        memcpy(image, s->position, sizeof image);
        image[wall / 2] = (wall % 2 ? 2.0 * m->room->size[wall / 2] : 0.0) - image[wall / 2];
        look(o, s, image, face_names[wall]);
    }
}

static int warn_of_directions(struct model *m, const struct receiver *r, const struct coverage *c, struct error *e)
{
    const struct turn turn = turn_of(r->orientation[0], r->orientation[1], r->orientation[2]);
    struct outside o = {.receiver = r, .coverage = c, .back = turn_back(&turn)};
    char more[48] = "", covered[COVERAGE_TEXT];
    for (size_t i = 0; i < m->room->source_count; i++)
        look_at_source(&o, m, &m->room->sources[i]);
    char *list = growing_text_take(&o.list, NULL);
    if (o.count > LISTED_MAX)
        snprintf(more, sizeof more, "; and %zu more", o.count - LISTED_MAX);
    const int status = !list ? fail(e, ERROR_MEMORY, "out of memory")
                       : o.count
                           ? lines_add(&m->warnings, &m->warning_count, e,
                                       "receiver %s: %s covers %s; sound from other directions is extrapolated: %s%s",
                                       r->name, path_name(r->hrtf), coverage_text(covered, c), list, more)
                           : 0;
    free(list);
    return status;
}

/* Adds lines of the file, which name it themselves. */
static int add_lines(char ***lines, size_t *count, const struct receiver *r, char *const *more, size_t more_count,
                     struct error *e)
{
    for (size_t i = 0; i < more_count; i++)
        if (lines_add(lines, count, e, "receiver %s: %s", r->name, more[i]))
            return -1;
    return 0;
}

static int note_receiver(struct model *m, const struct receiver *r, const struct coverage *c, struct error *e)
{
    const struct hrtf *h = &r->ears;
    char covered[COVERAGE_TEXT];
    return lines_add(&m->notes, &m->note_count, e, "receiver %s: %s: %zu directions at %.3g m, %s", r->name,
                     path_name(r->hrtf), h->directions, h->distance, coverage_text(covered, c)) ||
                   add_lines(&m->notes, &m->note_count, r, h->notes, h->note_count, e) ||
                   add_lines(&m->warnings, &m->warning_count, r, h->warnings, h->warning_count, e) ||
                   coverage_warn(&m->warnings, &m->warning_count, c, "receiver", r->name, path_name(r->hrtf), e) ||
                   warn_of_directions(m, r, c, e)
               ? -1
               : 0;
}

int ears_note(struct model *m, struct error *e)
{
    int status = 0;
    for (size_t i = 0; i < m->room->receiver_count && !status; i++) {
        const struct receiver *r = &m->room->receivers[i];
        struct coverage c = {.share = 0.0};
        if (r->kind != RECEIVER_BINAURAL || !r->ears.directions)
            continue;
        status = coverage_make(&c, (const double(*)[3])r->ears.direction, r->ears.directions, e) ||
                         note_receiver(m, r, &c, e)
                     ? -1
                     : 0;
        coverage_free(&c);
    }
    return status;
}
