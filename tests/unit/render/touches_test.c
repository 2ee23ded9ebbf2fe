/* SPDX-License-Identifier: MIT */
/* What mallets, bows and stretching refuse once a score is known, torsion, and curves over time. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "render/synth/gesture.h"
#include "render/synth/session.h"
#include "support/random_cases.h"

#include <cmocka.h>

#define PIECE(keys, event)                                                                                             \
    "room: { size = [8.0, 8.0, 8.0]; }; time: { duration = 0.1; };\n"                                                  \
    "instruments: ( { name = \"s\"; preset = \"guitar_string_e4\"; " keys " } );\n"                                    \
    "pickups: ( { instrument = \"s\"; place = 0.3; } );\n"                                                             \
    "score: { events: ( { time = 0.0; instrument = \"s\"; " event " } ); };\n"
#define BOW "played = \"bow\"; place = 0.9;"
#define STROKE(note) ", { time = 0.0; instrument = \"s\"; hold = 0.1; note = \"" note "\"; }"
#define STROKES                                                                                                        \
    "room: { size = [8.0, 8.0, 8.0]; }; time: { duration = 0.1; };\n"                                                  \
    "instruments: ( { name = \"s\"; preset = \"bowed_violin_d4\"; }, { name = \"t\"; preset = \"bowed_violin_a4\"; } " \
    ");\n"                                                                                                             \
    "pickups: ( { instrument = \"s\"; place = 0.3; } );\n"                                                             \
    "score: { events: ( { time = 0.0; instrument = \"t\"; hold = 0.1; }" STROKE("D4")
#define STROKES_END " ); };\n"
#define MALLET "played = \"mallet\"; mallet_mass = 0.01; mallet_stiffness = 1e7; mallet_exponent = 2.0;"

static const char *refusal_of(const char *text)
{
    static struct error e;
    struct room *room;
    struct session s;
    if (room_read_text(&room, "piece.cfg", text, NULL, 0, &e))
        fail_msg("%s", e.message);
    const int status = session_make(&s, room, true, &e);
    if (!status)
        session_free(&s);
    room_free(room);
    return status ? e.message : "";
}

/* A head that stretches. */
#define HEAD(keys, event)                                                                                              \
    "room: { size = [4.0, 3.0, 3.0]; };\n time: { duration = 0.2; };\n"                                                \
    "instruments: ( { name = \"tom\"; preset = \"stretching_tom\"; position = [2.0, 1.5, 1.0]; " keys " } );\n"        \
    "pickups: ( { instrument = \"tom\"; place = [0.3, 0.1]; } );\n"                                                    \
    "score: { events: ( { time = 0.0; instrument = \"tom\"; " event " } ); };\n"
#define FELT "played = \"mallet\"; mallet_mass = 0.03; mallet_stiffness = 5e6; mallet_exponent = 2.5;"

static void what_cannot_be_played_is_refused_by_line(void **state)
{
    (void)state;
    static const struct {
        const char *text, *expected;
    } cases[] = {
        {PIECE(BOW, "hold = 0.1;"), ""},
        {PIECE(BOW, "hold = 0.1; place = 0.995;"), "piece.cfg:4: instrument s: the bow is at 0.995"},
        {PIECE(BOW, "place_curve = ( [0.0, 0.9], [0.1, 0.0] );"), "piece.cfg:4: instrument s: the bow is at 0, but"},
        {PIECE(BOW "torsion = true;", "hold = 0.1;"), ""},
        {PIECE(BOW "torsion = true; torsion_speed_ratio = 90.0;", "hold = 0.1;"),
         "piece.cfg:2: instrument s: torsion has no mode below half the grid's rate"},
        {PIECE(MALLET, "velocity = 1.0;"), ""},
        {PIECE(MALLET, "velocity = 1.0; place = 1.0;"), "piece.cfg:2: instrument s: is touched where it is fixed"},
        {PIECE(MALLET "mallet_loss = 2.0;", "velocity = 1.0;"), "mallet_loss times the velocity exceeds 1"},
        {PIECE("rattle_stiffness = 1e7; rattle_place = 0.0;", ""), "is touched where it is fixed"},
        {PIECE("large_amplitude = true;", "force = 1.0;"), ""},
        {PIECE("large_amplitude = true;", "force = 30.0;"), "the event at 0 s would raise its tension by up to"},
        {HEAD("", ""), ""},
        {HEAD("", "force = 36.0;"), ""},
        {HEAD("", "force = 37.0;"), "instrument tom: the event at 0 s would raise its tension by up to 103 %"},
        {HEAD("large_amplitude = false;", "force = 37.0;"), ""},
        {HEAD(FELT, "velocity = 3.0;"), ""},
        {HEAD(FELT, "velocity = 5.0;"), "play it more softly, or set large_amplitude = false"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *message = refusal_of(cases[i].text);
        if (*cases[i].expected ? !strstr(message, cases[i].expected) : *message != '\0')
            fail_msg("expected \"%s\", got \"%s\" for %s", cases[i].expected, message, cases[i].text);
    }
}

static struct session session_of(const char *text, struct room **room)
{
    struct session s;
    struct error e;
    if (room_read_text(room, "piece.cfg", text, NULL, 0, &e) || session_make(&s, *room, true, &e))
        fail_msg("%s", e.message);
    return s;
}

static size_t lines_with(char **lines, size_t count, const char *text)
{
    size_t found = 0;
    for (size_t i = 0; i < count; i++)
        found += strstr(lines[i], text) != NULL;
    return found;
}

static void a_bow_stroke_between_two_steps_is_warned_of(void **state)
{
    (void)state;
    static const struct {
        const char *text, *expected; /* NULL: no warning */
    } cases[] = {
        {PIECE(BOW, "hold = 0.01;"), NULL},
        {PIECE(BOW, "hold = 1e-5;"), "s: 1 bow stroke, the first at 0 s, lasts less than two time steps"},
        {PIECE("", "duration = 1e-5;"), NULL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct room *room;
        struct session s = session_of(cases[i].text, &room);
        assert_int_equal(lines_with(s.ensemble->warnings, s.ensemble->warning_count, "less than two time steps"),
                         cases[i].expected != NULL);
        if (cases[i].expected)
            assert_int_equal(lines_with(s.ensemble->warnings, s.ensemble->warning_count, cases[i].expected), 1);
        session_free(&s);
        room_free(room);
    }
}

static void bow_forces_are_noted_once_for_the_notes_of_an_instrument(void **state)
{
    (void)state;
    static const struct {
        const char *more; /* strokes */
        bool several;
    } cases[] = {{"", false}, {STROKE("E4"), true}, {STROKE("E4") STROKE("A4"), true}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[2000];
        snprintf(text, sizeof text, "%s%s%s", STROKES, cases[i].more, STROKES_END);
        struct room *room;
        struct session s = session_of(text, &room);
        assert_int_equal(lines_with(s.ensemble->notes, s.ensemble->note_count, "(Schelleng)"), 2); /* two instruments */
        assert_int_equal(lines_with(s.ensemble->notes, s.ensemble->note_count, "at its highest"), cases[i].several);
        session_free(&s);
        room_free(room);
    }
}

/* Entry of a row of a sparse matrix; 0 where it has none. */
static double entry_of(const struct sparse *m, size_t row, size_t column)
{
    for (uint32_t k = m->start[row]; k < m->start[row + 1]; k++)
        if (m->column[k] == column)
            return m->value[k];
    return 0.0;
}

/* Torsion is a string of the tension Z_T c_T and the mass per length Z_T/c_T, whose motion the bow feels and the plate
 * and the frets do not. */
static void only_the_bow_feels_torsion(void **state)
{
    (void)state;
    struct random r = random_cases(__func__);
    const double speed = random_uniform(&r, 2.0, 8.0), impedance = speed * random_uniform(&r, 0.2, 0.9);
    const double place = random_uniform(&r, 0.6, 0.95), quality = random_uniform(&r, 5.0, 100.0);
    char text[2000];
    snprintf(
        text, sizeof text,
        "room: { size = [8.0, 8.0, 8.0]; }; time: { duration = 0.1; };\n"
        "instruments: (\n"
        "{ name = \"top\"; preset = \"gong\"; position = [4.0, 4.0, 4.0]; },\n"
        "{ name = \"s\"; preset = \"guitar_string_e4\"; body = \"top\"; played = \"bow\"; frets = 1; torsion = true;\n"
        "torsion_speed_ratio = %.17g; torsion_impedance_ratio = %.17g; torsion_quality = %.17g; } );\n"
        "pickups: ( { instrument = \"s\"; place = 0.3; } );\n"
        "score: { events: ( { time = 0.0; instrument = \"s\"; hold = 0.1; place = %.17g; } ); };\n",
        speed, impedance, quality, place);
    struct error e;
    struct room *room;
    struct session s;
    if (room_read_text(&room, "piece.cfg", text, NULL, 0, &e) || session_make(&s, room, true, &e))
        fail_msg("%s", e.message);
    const struct ensemble *ensemble = s.ensemble;
    const size_t voice = ensemble_voice(ensemble, 1, 0.0);
    const struct voice *v = &ensemble->voices[voice];
    const struct body *body = &ensemble->body[v->body];
    const struct line *line = &v->modes.line;
    const double wave_speed = sqrt(line->tension / line->density), first = speed * wave_speed / (2.0 * line->length);
    const size_t transverse = voice_transverse_modes(v), at = body_offset(body, v->part) + transverse;
    const double half_mass = 0.5 * impedance / speed * line->density * line->length;
    assert_int_equal(v->torsion.count, (size_t)floor(0.45 * s.rate / first));
    assert_int_equal(ensemble->touch_count, 2);
    for (size_t t = 0; t < 2; t++)
        for (size_t m = 0; m < v->torsion.count; m++) {
            const double felt = entry_of(&body->places, body->ports[ensemble->touches[t].port].place, at + m);
            const double expected = ensemble->touches[t].kind == TOUCH_BOW ? sin((double)(m + 1) * M_PI * place) : 0.0;
            assert_true(fabs(felt - expected) <= 1e-9);
        }
    for (size_t m = 0; m < v->torsion.count; m++) {
        const struct line_body *l = &v->line;
        const double frequency = (double)(m + 1) * first;
        const struct mode_step step =
            mode_step(frequency, M_PI * frequency / quality, half_mass, ensemble->bodies.time_step);
        assert_true(l->connection.shape[transverse + m] == 0.0);
        assert_true(fabs(l->now[transverse + m] - step.now) <= 1e-9);
        assert_true(fabs(l->before[transverse + m] - step.before) <= 1e-9);
        assert_true(fabs(l->gain[transverse + m] / step.gain - 1.0) <= 1e-9);
    }
    session_free(&s);
    room_free(room);
}

static void a_curve_is_linear_between_its_points_and_constant_beyond(void **state)
{
    (void)state;
    enum { POINTS = 37 };
    struct random r = random_cases(__func__);
    double points[POINTS][2];
    for (int i = 0; i < POINTS; i++) {
        points[i][0] = (i ? points[i - 1][0] : 0.0) + random_uniform(&r, 0.01, 1.0);
        points[i][1] = random_uniform(&r, -2.0, 2.0);
    }
    const struct curve curve = {points, POINTS};
    assert_true(curve_at(&curve, 0.0) == points[0][1]);
    assert_true(curve_at(&curve, points[POINTS - 1][0] + 1.0) == points[POINTS - 1][1]);
    for (int i = 0; i + 1 < POINTS; i++) {
        const double share = random_unit(&r), at = points[i][0] + share * (points[i + 1][0] - points[i][0]);
        assert_true(curve_at(&curve, points[i][0]) == points[i][1]);
        assert_true(fabs(curve_at(&curve, at) - (1.0 - share) * points[i][1] - share * points[i + 1][1]) <= 1e-12);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_cannot_be_played_is_refused_by_line),
        cmocka_unit_test(a_bow_stroke_between_two_steps_is_warned_of),
        cmocka_unit_test(bow_forces_are_noted_once_for_the_notes_of_an_instrument),
        cmocka_unit_test(only_the_bow_feels_torsion),
        cmocka_unit_test(a_curve_is_linear_between_its_points_and_constant_beyond),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
