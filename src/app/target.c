/* SPDX-License-Identifier: MIT */
#include "app/target.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "app/metrics_print.h"
#include "app/say.h"
#include "app/shipped.h"
#include "app/target_print.h"
#include "base/sanitize_text.h"
#include "base/text.h"
#include "room/grid/model.h"
#include "room/grid/reverberation.h"

#define TARGET(member) OPTION_AT(TARGET, target_options, member)

const struct option_row option_target = {"target",     0,      OPTION_ONCE,
                                         TARGET(name), "NAME", "judge by this target (aula info --list-targets)"};
const struct option_row option_targets = {"targets",    0,          OPTION_TEXT,
                                          TARGET(file), "FILE.cfg", "read further targets from this file"};
const struct option_row option_volume = {"volume",       0,    OPTION_POSITIVE,
                                         TARGET(volume), "M3", "set the volume of the room for --target, in m3"};
const struct option_row option_check = {"check",       0,    OPTION_FLAG,
                                        TARGET(check), NULL, "exit with status 1 unless the target is met"};

int aim_open(struct aim *aim, const struct target_options *o, struct error *e)
{
    *aim = (struct aim){.target = NULL};
    if (!o->name) {
        const char *needs = o->file ? "targets" : o->volume > 0.0 ? "volume" : o->check ? "check" : NULL;
        return needs ? fail(e, ERROR_USAGE, "--%s: needs a target; add --target NAME", needs) : 0;
    }
    return targets_read(&aim->list, o->file, e) || targets_find(&aim->target, &aim->list, o->name, "--target", e) ? -1
                                                                                                                  : 0;
}

void aim_free(struct aim *aim)
{
    targets_free(&aim->list);
}

/* The lowest index of the channels; a channel without one makes it unknown. */
static void take_speech(struct target_room *room, const struct measured_file *file, const struct metrics_wanted *wanted)
{
    if (!wanted->speech) {
        target_measure_speech(room, file->channel, file->recording.audio.channels, &file->recording.doubts);
        return;
    }
    room->sti = INFINITY;
    room->sti_doubtful = target_speech_doubtful(file->channel, file->recording.audio.channels, &file->recording.doubts);
    for (size_t c = 0; c < file->recording.audio.channels; c++) {
        struct metrics_speech s;
        metrics_speech(&s, &file->channel[c], &wanted->conditions);
        if (s.reason || isnan(s.sti)) {
            room->sti = NAN;
            room->no_sti = metrics_reason_text(s.reason);
            return;
        }
        room->sti = fmin(room->sti, s.sti);
    }
}

int judge_file(struct subject_judged *s, const struct aim *aim, const struct measured_file *file,
               const struct target_options *o, const struct metrics_wanted *wanted, struct error *e)
{
    const struct recording *r = &file->recording;
    const bool given = o->volume > 0.0;
    const double speed = r->sound_speed > 0.0 ? r->sound_speed : TARGET_SOUND_SPEED;
    *s = (struct subject_judged){.path = file->path, .volume_from = given ? "given" : "of the render"};
    s->room = (struct target_room){.volume = given ? o->volume : r->volume, .sound_speed = speed, .noise = NAN};
    if (aim->target->quantity == TARGET_TIME && !(s->room.volume > 0.0))
        return fail(e, ERROR_USAGE, "%s: the volume of the room is not known; add --volume M3, such as --volume 180",
                    file->path);
    target_measure(s->room.measured, file->channel, r->audio.channels, &r->doubts);
    take_speech(&s->room, file, wanted);
    if (wanted->noise)
        s->room.noise = weighted_level(wanted->conditions.noise, NAN);
    target_judge(&s->judgement, aim->target, &s->room);
    return 0;
}

void judged_warn(const struct subject_judged *s, const struct target *target, const struct common_options *o)
{
    const char *path = sanitize_name(s->path);
    const double volume = s->room.volume;
    char shown[PLAIN_TEXT];
    if (!s->judgement.covered)
        say(false, "warning: %s: %s is defined for %g to %g m3, not for %s m3", path, target->name, target->volume[0],
            target->volume[1], text_plain(shown, volume, 4));
    if (target->quantity == TARGET_TIME && isnan(s->judgement.time))
        say(false, "warning: %s: %s has no limit of the reverberation time for %s m3", path, target->name,
            text_plain(shown, volume, 4));
    if (!isnan(target->noise) && isnan(s->room.noise))
        say(o->quiet, "note: %s: %s also limits the background noise to %g dB(A), which is not judged", path,
            target->name, target->noise);
}

int judged_check(const struct subject_judged *subjects, size_t count, const struct target *target, struct error *e)
{
    for (size_t i = 0; i < count; i++)
        if (subjects[i].judgement.verdict != VERDICT_PASS)
            return fail(e, ERROR_FAILED, "%s: does not meet %s%s", subjects[i].path, target->name,
                        subjects[i].judgement.verdict == VERDICT_FAIL ? "" : " as far as it can be judged");
    return 0;
}

/* m2 in an octave that the grid does not carry: absorption as the materials state it, as rays take it. */
static double stated_area(const struct model *m, size_t band)
{
    double area = 0.0;
    for (size_t i = 0; i < m->room->material_count; i++) {
        const struct material *material = &m->room->materials[i];
        if (boundary_kind_of(material)->has_absorption)
            area += m->space.area[i] * fmin(material->absorption[band], 1.0);
        else if (!boundary_kind_of(material)->built_in)
            return NAN;
    }
    return area;
}

static void estimate(struct target_measured measured[OCTAVE_BANDS], const struct model *m)
{
    struct reverberation r;
    reverberation_estimate(&r, m);
    for (size_t b = 0; b < OCTAVE_BANDS; b++) {
        double sabine, eyring = r.eyring[b];
        if (b >= m->bands)
            reverberation_times(&sabine, &eyring, m, stated_area(m, b), octave_band_centre[b]);
        const bool known = isfinite(eyring);
        measured[b] = (struct target_measured){.time = known ? eyring : NAN, .by = "Eyring", .places = 1};
        measured[b].why = known          ? NULL
                          : b < m->bands ? "no wall absorbs in this octave"
                                         : "a material has no absorption beyond the grid's valid band";
    }
}

int show_target(const struct common_options *common, const struct target_options *o, struct error *e)
{
    struct aim aim;
    struct room *room = NULL;
    struct model *model = NULL;
    int status = aim_open(&aim, o, e);
    if (!status && aim.target->quantity == TARGET_SPEECH)
        status = fail(e, ERROR_USAGE,
                      "--target %s: a room has no speech transmission index before it is rendered; judge a response "
                      "with aula metrics",
                      o->name);
    status = status || read_named_room(&room, common, NULL, e) ? -1 : 0;
    if (!status) {
        const struct grid_use use = grid_use_of_file(room);
        status = model_make_for(&model, room, &use, e);
    }
    if (!status) {
        const bool given = o->volume > 0.0;
        struct subject_judged s = {.path = room->path, .volume_from = given ? "given" : "of its air"};
        s.room = (struct target_room){.volume = given ? o->volume : model->space.volume,
                                      .sound_speed = model->grid.sound_speed,
                                      .noise = NAN,
                                      .sti = NAN};
        estimate(s.room.measured, model);
        target_judge(&s.judgement, aim.target, &s.room);
        judged_warn(&s, aim.target, common);
        status = common->json ? judged_print_json(&s, aim.target, e) : judged_print(&s, 1, aim.target);
        say_lines("warning", model->warnings, model->warning_count);
        if (!status && o->check)
            status = judged_check(&s, 1, aim.target, e);
    }
    model_free(model);
    room_free(room);
    aim_free(&aim);
    return status ? -1 : 0;
}

int show_targets(const struct common_options *common, const struct target_options *o, struct error *e)
{
    struct target_list list;
    int status = targets_read(&list, o->file, e);
    if (!status)
        status = common->json ? targets_print_json(&list, e) : targets_print(&list);
    targets_free(&list);
    return status;
}
