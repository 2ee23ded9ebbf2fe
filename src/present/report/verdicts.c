/* SPDX-License-Identifier: MIT */
#include "present/report/verdicts.h"

#include <math.h>

#include "base/text.h"
#include "io/xml.h"
#include "present/report/tables.h"

static const char *const octave_names[OCTAVE_BANDS] = {"63 Hz", "125 Hz", "250 Hz", "500 Hz",
                                                       "1 kHz", "2 kHz",  "4 kHz",  "8 kHz"};

double verdict_volume(const struct subject *s, double given)
{
    return given > 0.0 ? given : s->recording.volume;
}

void verdict_of(struct judgement *j, struct target_room *room, const struct target *target, const struct subject *s,
                double volume)
{
    const struct recording *r = &s->recording;
    *room = (struct target_room){.volume = verdict_volume(s, volume),
                                 .sound_speed = r->sound_speed > 0.0 ? r->sound_speed : TARGET_SOUND_SPEED,
                                 .noise = NAN};
    target_measure(room->measured, s->channel, r->audio.channels, &r->doubts);
    target_measure_speech(room, s->channel, r->audio.channels, &r->doubts);
    target_judge(j, target, room);
}

void verdict_badge(FILE *stream, const struct judgement *j, const struct target_room *room, const struct target *target)
{
    static const char *const classes[] = {"pass", "fail", "unknown", "none"};
    const char *text = judgement_text(j);
    fprintf(stream, "<b class=\"badge %s\">", classes[j->verdict]);
    if (!*text && j->grade)
        fprintf(stream, "GRADE %s", j->grade);
    else
        fputs(*text ? text : "NOT JUDGED", stream);
    fputs(judgement_is_doubtful(j, target, room) ? ", DOUBTFUL</b> " : "</b> ", stream);
}

static void name_target(FILE *stream, const struct target *target)
{
    fputs("<span translate=\"no\">", stream);
    xml_text(stream, target->publication);
    fputs(" (", stream);
    write_words(stream, target->description);
    fputs(")</span>", stream);
}

static void speech_words(FILE *stream, const struct judgement *j, const struct target_room *room,
                         const struct target *target)
{
    if (isnan(j->speech.value)) {
        fputs(" is not judged by ", stream);
        name_target(stream, target);
        fputs(", because its speech transmission index is missing: ", stream);
        xml_text(stream, j->speech.why);
        fputs(".", stream);
        return;
    }
    if (isnan(target->least))
        fputs(" is classified by ", stream);
    else
        fputs(j->speech.verdict == VERDICT_PASS ? " meets " : " does not meet ", stream);
    name_target(stream, target);
    fprintf(stream, ": its speech transmission index is %.2f", j->speech.value);
    if (j->grade)
        fprintf(stream, ", grade %s", j->grade);
    if (!isnan(target->least))
        fprintf(stream, "; %.2f is needed", target->least);
    fputs(judgement_doubtful(j, target, room)
              ? ". The index is doubtful, for the reason below the table of the response."
              : ".",
          stream);
}

/* The limit that is missed by most. */
static void worst_words(FILE *stream, const struct judgement *j, const struct target_room *room,
                        const struct target *target)
{
    size_t band = 0;
    const struct judged *worst = judgement_worst(j, target, &band);
    if (!worst)
        return;
    const bool is_long = worst->value > worst->upper;
    fprintf(stream,
            " %s %s%s, the reverberation time of %.2f s is %s the limit of %.2f s; %.1f m² of absorption are %s%s.",
            j->failed > 1 ? "The largest deviation:" : "There,", band < OCTAVE_BANDS ? "at " : "in the mean",
            band < OCTAVE_BANDS ? octave_names[band] : "", worst->value, is_long ? "above" : "below",
            is_long ? worst->upper : worst->lower, fabs(worst->to_limit), is_long ? "missing" : "too much",
            judgement_part_doubtful(j, target, room, band) ? " (doubtful)" : "");
}

/* ", but 2 of 6 rest on doubtful values (4 kHz, 8 kHz; the note below ...)" */
static void doubtful_words(FILE *stream, const struct judgement *j, const struct target_room *room,
                           const struct target *target, size_t parts)
{
    const size_t count = judgement_doubtful(j, target, room);
    const char *before = "";
    if (!count)
        return;
    if (parts == 1)
        fputs(", but it rests on a doubtful value (", stream);
    else
        fprintf(stream, ", but %zu of %zu %s (", count, parts,
                count == 1 ? "rests on a doubtful value" : "rest on doubtful values");
    for (size_t b = 0; b <= OCTAVE_BANDS; b++)
        if (judgement_part_doubtful(j, target, room, b) && !(b < OCTAVE_BANDS && target->guidance[b])) {
            fprintf(stream, "%s%s", before, b < OCTAVE_BANDS ? octave_names[b] : "the mean");
            before = ", ";
        }
    fputs("; the note below the limits by octave gives the reason)", stream);
}

static void time_words(FILE *stream, const struct judgement *j, const struct target_room *room,
                       const struct target *target)
{
    const size_t parts = j->passed + j->failed + j->unknown;
    fputs(j->verdict == VERDICT_PASS   ? " meets "
          : j->verdict == VERDICT_FAIL ? " does not meet "
          : parts                      ? " is not fully judged by "
                                       : " is not judged by ",
          stream);
    name_target(stream, target);
    if (!parts) {
        fputs(isnan(j->time) ? ", which has no limit at this volume." : ", whose octaves are all guidance.", stream);
        return;
    }
    if (j->verdict == VERDICT_PASS)
        fprintf(stream, parts == 1 ? ": the limit is met" : ": all %zu limits are met", parts);
    else if (j->verdict == VERDICT_FAIL && parts == 1)
        fputs(": the limit is not met", stream);
    else if (j->verdict == VERDICT_FAIL)
        fprintf(stream, ": %zu of %zu limits %s not met", j->failed, parts, j->failed == 1 ? "is" : "are");
    else
        fprintf(stream, ": %zu of %zu limits %s met", j->passed, parts, j->passed == 1 ? "is" : "are");
    doubtful_words(stream, j, room, target, parts);
    fputs(".", stream);
    worst_words(stream, j, room, target);
    if (j->unknown)
        fprintf(stream, " %zu limit%s cannot be judged%s.", j->unknown, j->unknown == 1 ? "" : "s",
                j->failed ? "; the verdict is incomplete" : "");
}

static void range_words(FILE *stream, const struct judgement *j, const struct target_room *room,
                        const struct target *target)
{
    if (j->covered)
        return;
    char shown[PLAIN_TEXT];
    fprintf(stream, " The volume of %s m³ is outside the range of the publication, ",
            text_plain(shown, room->volume, 4));
    if (isfinite(target->volume[1]))
        fprintf(stream, "%g to %g m³.", target->volume[0], target->volume[1]);
    else
        fprintf(stream, "from %g m³.", target->volume[0]);
}

void verdict_words(FILE *stream, const struct judgement *j, const struct target_room *room, const struct target *target)
{
    if (target->quantity == TARGET_SPEECH) {
        speech_words(stream, j, room, target);
        return;
    }
    time_words(stream, j, room, target);
    range_words(stream, j, room, target);
    if (!isnan(target->noise) && isnan(room->noise))
        fprintf(stream, " The background noise, at most %g dB(A), is not judged.", target->noise);
}

static void cell(FILE *stream, int decimals, double value, const char *marks)
{
    fputs("<td>", stream);
    write_number(stream, decimals, value);
    if (*marks && isfinite(value))
        fprintf(stream, "<sup>%s</sup>", marks);
    fputs("</td>", stream);
}

static void limit_row(FILE *stream, const char *name, const struct judged *part, bool t20, bool guidance, bool doubtful)
{
    const bool failed = part->verdict == VERDICT_FAIL;
    const char *mark = doubtful ? "?" : "";
    fprintf(stream, "<tr%s><th scope=\"row\">%s</th>", guidance ? " class=\"weak\"" : "", name);
    cell(stream, 2, part->value, t20 ? (doubtful ? "T20 ?" : "T20") : mark);
    cell(stream, 2, part->lower > 0.0 ? part->lower : NAN, "");
    cell(stream, 2, part->upper, "");
    cell(stream, 2, part->margin, mark);
    cell(stream, 1, failed ? part->to_limit : NAN, mark);
    cell(stream, 1, failed ? part->to_target : NAN, mark);
    fprintf(stream, "<td class=\"words\">%s%s%s", part->verdict == VERDICT_UNKNOWN ? "" : verdict_text(part->verdict),
            guidance ? " (guidance)" : "", doubtful ? " <sup>?</sup>" : "");
    xml_text(stream, part->verdict == VERDICT_UNKNOWN ? part->why : NULL);
    fputs("</td></tr>\n", stream);
}

/* What the marks of the rows mean. */
static void limit_notes(FILE *stream, const struct judgement *j, const struct target_room *room,
                        const struct target *target, const struct doubts *doubts)
{
    unsigned found = 0;
    bool t20 = false;
    for (size_t b = 0; b < OCTAVE_BANDS; b++) {
        if (j->octave[b].verdict == VERDICT_NONE && !target->mean[b])
            continue;
        found |= room->measured[b].doubts;
        t20 = t20 || target_part_by_t20(target, room, b);
    }
    fputs("<p class=\"notes\">", stream);
    if (t20)
        fputs("<span><sup>T20</sup> mean of T20, because a response lacks T30</span> ", stream);
    write_doubts(stream, doubts, found);
    fputs("</p>\n", stream);
}

static void limits_table(FILE *stream, const struct judgement *j, const struct target_room *room,
                         const struct target *target)
{
    fputs("<div class=\"wide\"><table><thead><tr><th scope=\"col\">octave</th><th>T<br><i>s</i></th>"
          "<th>from<br><i>s</i></th><th>to<br><i>s</i></th><th>margin<br><i>s</i></th>"
          "<th>to limit<br><i>m²</i></th><th>to target<br><i>m²</i></th><th class=\"words\">verdict</th></tr></thead>"
          "<tbody>\n",
          stream);
    for (size_t b = 0; b < OCTAVE_BANDS; b++)
        if (j->octave[b].verdict != VERDICT_NONE)
            limit_row(stream, octave_names[b], &j->octave[b], target_part_by_t20(target, room, b), target->guidance[b],
                      judgement_part_doubtful(j, target, room, b));
    if (j->mean.verdict != VERDICT_NONE)
        limit_row(stream, "mean", &j->mean, target_part_by_t20(target, room, OCTAVE_BANDS), false,
                  judgement_part_doubtful(j, target, room, OCTAVE_BANDS));
    fputs("</tbody></table></div>\n", stream);
}

static void limits_of(FILE *stream, const struct target *target, const struct subject *s, double volume)
{
    struct judgement j;
    struct target_room room;
    char shown[PLAIN_TEXT];
    verdict_of(&j, &room, target, s, volume);
    if (!judgement_has_limits(&j))
        return;
    fputs("<div class=\"limits\"><h3>", stream);
    xml_text(stream, s->name);
    fputs(" · ", stream);
    xml_text(stream, target->publication);
    fprintf(stream, "</h3>\n<p class=\"notes\">Target T %.2f s for %s m³.", j.time, text_plain(shown, room.volume, 4));
    if (target->condition) {
        fputs(" Applies to a room that is ", stream);
        xml_text(stream, target->condition);
        fputs(".", stream);
    }
    fputs("</p>\n", stream);
    limits_table(stream, &j, &room, target);
    limit_notes(stream, &j, &room, target, &s->recording.doubts);
    fputs("</div>\n", stream);
}

void verdicts_write(FILE *stream, const struct cover *c, const struct subject *subjects, size_t count)
{
    bool times = false;
    for (size_t t = 0; t < c->target_count; t++)
        times = times || c->targets[t]->quantity == TARGET_TIME;
    if (!times)
        return;
    fputs("<section class=\"targets\">\n<h2>Limits by octave</h2>\n", stream);
    for (size_t t = 0; t < c->target_count; t++)
        for (size_t i = 0; c->targets[t]->quantity == TARGET_TIME && i < count; i++)
            limits_of(stream, c->targets[t], &subjects[i], c->volume);
    fputs("<p class=\"notes\">A positive area in the columns “to limit” and “to target” is missing, a negative one is "
          "too much.</p>\n</section>\n",
          stream);
}
