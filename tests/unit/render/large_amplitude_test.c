/* SPDX-License-Identifier: MIT */
/* The key large_amplitude of plates: what it makes, and what it refuses. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "render/synth/ensemble.h"
#include "solver/parts/part_bodies.h"
#include "solver/schemes/bodies/stretching.h"
#include "support/pieces.h"

#include <cmocka.h>

#define CYMBAL(keys, event)                                                                                            \
    BOX RECEIVER "instruments: ( { name = \"cymbal\"; type = \"plate\"; position = [2.0, 1.5, 1.0]; radius = 0.2;\n"   \
                 "density = 8800.0; young = 1.1e11; poisson = 0.34; ends = \"free\"; decay = [15.0, 3.0];\n"           \
                 "decay_at = [200.0, 6000.0]; place = [0.85, 0.0]; " keys " } );\n"                                    \
                 "score: { events: ( { time = 0.0; instrument = \"cymbal\"; " event " } ); };\n"
#define LARGE "thickness = 0.001; large_amplitude = true;"
#define BLOW "force = 200.0; duration = 0.0015;"

/* A string on the cymbal, plucked. */
#define STRUNG(force)                                                                                                  \
    CYMBAL(LARGE "}, { name = \"wire\"; type = \"string\"; length = 0.65; diameter = 0.001; young = 2e11;\n"           \
                 "density = 7850.0; pitch = 220.0; decay = [2.0, 0.5]; body = \"cymbal\"; played = \"pluck\"; ",       \
           BLOW " }, { time = 0.1; instrument = \"wire\"; place = 0.4; force = " force ";")

/* NULL: refused, with the reason in *e. */
static struct ensemble *ensemble_of(const char *text, double rate, struct error *e)
{
    struct room *room;
    struct ensemble *s = NULL;
    struct score score = score_of(text, &room);
    (void)ensemble_make(&s, room, &score, NULL, rate, e);
    score_free(&score);
    room_free(room);
    return s;
}

static const char *note_with(const struct ensemble *s, const char *text)
{
    for (size_t i = 0; i < s->note_count; i++)
        if (strstr(s->notes[i], text))
            return s->notes[i];
    return NULL;
}

static void the_key_makes_a_plate_stretch(void **state)
{
    (void)state;
    struct error e;
    struct ensemble *linear = ensemble_of(CYMBAL("thickness = 0.001;", BLOW), 44100.0, &e);
    assert_non_null(linear);
    assert_int_equal(linear->body[0].stretching_count, 0);
    assert_null(note_with(linear, "stress functions"));
    ensemble_free(linear);
    struct ensemble *large = ensemble_of(CYMBAL(LARGE, BLOW), 44100.0, &e);
    assert_non_null(large);
    assert_int_equal(large->body[0].stretching_count, 1);
    assert_non_null(large->body[0].stretching[0].plate);
    /* 0.15 N s/(8 √(10.4 N m 8.8 kg/m²)) */
    assert_non_null(note_with(large,
                              "cymbal: stretches with 126 stress functions; its hardest blow bends it by about 2 "
                              "mm, 2 of its thickness"));
    ensemble_free(large);
}

/* V and its gradient for an arbitrary state, in memory that the caller frees. */
static double *stretched(const struct bodies *b)
{
    const struct plate_stretching *p = b->body[0].stretching[0].plate;
    const size_t nodes = p->nx * p->ny;
    double *result = calloc(1 + nodes, sizeof *result);
    double *w = calloc(nodes + plate_stretching_scratch(p), sizeof *w);
    assert_non_null(result);
    assert_non_null(w);
    for (size_t i = 0; i < nodes; i++)
        w[i] = 1e-3 * (double)(i * i % 17);
    result[0] = plate_stretching(p, w, result + 1, w + nodes);
    free(w);
    return result;
}

static void a_plate_is_sent_to_another_process(void **state)
{
    (void)state;
    struct error e;
    struct packet packet = {.bytes = NULL};
    struct part_bodies *received;
    struct ensemble *s = ensemble_of(CYMBAL(LARGE, BLOW), 44100.0, &e);
    assert_non_null(s);
    part_bodies_pack(&s->bodies, &packet);
    assert_int_equal(part_bodies_unpack(&received, &packet, &e), 0);
    assert_true(!packet.failed && packet.at == packet.count);
    double *here = stretched(&s->bodies), *there = stretched(part_bodies_of(received));
    assert_true(here[0] > 0.0);
    assert_memory_equal(here, there, (1 + bodies_points(&s->bodies, BODY_ARRAYS)) * sizeof *here);
    free(here);
    free(there);
    part_bodies_free(received);
    packet_free(&packet);
    ensemble_free(s);
}

static void assert_refused(const char *text, double rate, const char *expected)
{
    struct error e = {.message = ""};
    struct ensemble *s = ensemble_of(text, rate, &e);
    assert_null(s);
    if (!strstr(e.message, expected))
        fail_msg("\"%s\" does not contain \"%s\"", e.message, expected);
}

static void what_the_model_cannot_do_is_refused_with_a_remedy(void **state)
{
    (void)state;
    assert_refused(CYMBAL(LARGE, BLOW), 8000.0, "large_amplitude needs 9 cells along the radius, and it has 7");
    assert_refused(CYMBAL(LARGE, BLOW), 8000.0, "raise grid.rate, or make it larger or thinner");
    assert_refused(CYMBAL(LARGE "cells = 8;", BLOW), 44100.0, "raise grid.rate or cells");
    assert_refused(CYMBAL(LARGE, "force = 3000.0; duration = 0.0015;"), 44100.0,
                   "would bend it by 29.4 mm, more than a tenth of its radius");
    assert_refused(STRUNG("6000.0"), 44100.0,
                   "instrument cymbal: a blow of 6.55 N s from a string on it would bend it by");
    assert_refused(STRUNG("6000.0"), 44100.0, "play that string more softly");
    struct error e;
    struct ensemble *soft = ensemble_of(STRUNG("60.0"), 44100.0, &e);
    assert_non_null(soft);
    ensemble_free(soft);
    write_file("room.cfg", CYMBAL("thickness = 0.05; large_amplitude = true;", BLOW));
    assert_null(read_room("room.cfg", NULL, 0, &e));
    assert_non_null(strstr(e.message, "large_amplitude: a plate thicker than a fifth of its radius"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_key_makes_a_plate_stretch),
        cmocka_unit_test(a_plate_is_sent_to_another_process),
        cmocka_unit_test(what_the_model_cannot_do_is_refused_with_a_remedy),
    };
    return cmocka_run_group_tests(tests, room_files_set_up, room_files_tear_down);
}
