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
    target_measure_speech(room, s->channel, r->audio.channels);
    target_judge(j, target, room);
}

void verdict_badge(FILE *stream, const struct judgement *j)
{
    static const char *const classes[] = {"pass", "fail", "unknown", "none"};
    const char *text = judgement_text(j);
    fprintf(stream, "<b class=\"badge %s\">", classes[j->verdict]);
    if (!*text && j->grade)
        fprintf(stream, "GRADE %s", j->grade);
    else
        fputs(*text ? text : "NOT JUDGED", stream);
    fputs("</b> ", stream);
}

static void name_target(FILE *stream, const struct target *target)
{
    fputs("<span translate=\"no\">", stream);
    xml_text(stream, target->publication);
    fputs(" (", stream);
    write_words(stream, target->description);
    fputs(")</span>", stream);
}

static void speech_words(FILE *stream, const struct judgement *j, const struct target *target)
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
    fputs(".", stream);
}

/* The limit that is missed by most. */
static void worst_words(FILE *stream, const struct judgement *j, const struct target *target)
{
    size_t band = 0;
    const struct judged *worst = judgement_worst(j, target, &band);
    if (!worst)
        return;
    const bool is_long = worst->value > worst->upper;
    fprintf(stream,
            " %s %s%s, the reverberation time of %.2f s is %s the limit of %.2f s; %.1f m² of absorption are %s.",
            j->failed > 1 ? "The largest deviation:" : "There,", band < OCTAVE_BANDS ? "at " : "in the mean",
            band < OCTAVE_BANDS ? octave_names[band] : "", worst->value, is_long ? "above" : "below",
            is_long ? worst->upper : worst->lower, fabs(worst->to_limit), is_long ? "missing" : "too much");
}

static void time_words(FILE *stream, const struct judgement *j, const struct target *target)
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
        fprintf(stream, parts == 1 ? ": the limit is met." : ": all %zu limits are met.", parts);
    else if (j->verdict == VERDICT_FAIL && parts == 1)
        fputs(": the limit is not met.", stream);
    else if (j->verdict == VERDICT_FAIL)
        fprintf(stream, ": %zu of %zu limits %s not met.", j->failed, parts, j->failed == 1 ? "is" : "are");
    else
        fprintf(stream, ": %zu of %zu limits %s met.", j->passed, parts, j->passed == 1 ? "is" : "are");
    worst_words(stream, j, target);
    if (j->unknown)
        fprintf(stream, " %zu limit%s cannot be judged%s.", j->unknown, j->unknown == 1 ? "" : "s",
                j->failed ? "; the verdict is incomplete" : "");
}

static void doubtful_words(FILE *stream, const struct judgement *j, const struct target_room *room)
{
    size_t count = 0;
    for (size_t b = 0; b < OCTAVE_BANDS; b++)
        if (j->octave[b].verdict != VERDICT_NONE && room->measured[b].doubtful)
            fprintf(stream, "%s%s", count++ ? ", " : " Doubtful: ", octave_names[b]);
    if (count)
        fputs(" (see methods and limits).", stream);
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
        speech_words(stream, j, target);
        return;
    }
    time_words(stream, j, target);
    doubtful_words(stream, j, room);
    range_words(stream, j, room, target);
    if (!isnan(target->noise) && isnan(room->noise))
        fprintf(stream, " The background noise, at most %g dB(A), is not judged.", target->noise);
}

static void cell(FILE *stream, int decimals, double value)
{
    fputs("<td>", stream);
    write_number(stream, decimals, value);
    fputs("</td>", stream);
}

static void limit_row(FILE *stream, const char *name, const struct judged *part, bool guidance, bool doubtful)
{
    const bool failed = part->verdict == VERDICT_FAIL;
    fprintf(stream, "<tr%s><th scope=\"row\">%s</th>", guidance ? " class=\"weak\"" : "", name);
    cell(stream, 2, part->value);
    cell(stream, 2, part->lower > 0.0 ? part->lower : NAN);
    cell(stream, 2, part->upper);
    cell(stream, 2, part->margin);
    cell(stream, 1, failed ? part->to_limit : NAN);
    cell(stream, 1, failed ? part->to_target : NAN);
    fprintf(stream, "<td class=\"words\">%s%s%s", part->verdict == VERDICT_UNKNOWN ? "" : verdict_text(part->verdict),
            guidance ? " (guidance)" : "", doubtful ? " <sup>?</sup>" : "");
    xml_text(stream, part->verdict == VERDICT_UNKNOWN ? part->why : NULL);
    fputs("</td></tr>\n", stream);
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
            limit_row(stream, octave_names[b], &j->octave[b], target->guidance[b], room->measured[b].doubtful);
    if (j->mean.verdict != VERDICT_NONE)
        limit_row(stream, "mean", &j->mean, false, false);
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
          "too much. <sup>?</sup> The value is doubtful.</p>\n</section>\n",
          stream);
}
