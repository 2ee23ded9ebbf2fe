/* SPDX-License-Identifier: MIT */
/* Instruments played live: messages, voices and dampers. */
#include "base/nan_max.h"
#include "dsp/band_filter.h"
#include "io/midi_input/midi_queue.h"
#include "render/play/controls.h"
#include "render/play/damper.h"
#include "render/play/upsampler.h"
#include "render/response.h"
#include "render/synth/midi_messages.h"
#include "render/synth/perform.h"
#include "room/notes.h"
#include "support/random_cases.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { RATE = 48000, BLOCK = 64 };

/* 0 to count - 1 */
static size_t random_below(struct random *r, size_t count)
{
    return random_between(r, 0, count - 1);
}

static struct room *room_of(const char *text)
{
    struct room *room;
    struct error e;
    if (room_read_text(&room, "piece.cfg", text, NULL, 0, &e))
        fail_msg("%s", e.message);
    return room;
}

#define ROOM "room: { size = [8.0, 8.0, 8.0]; }; time: { duration = 1.0; };"
#define STRING "{ name = \"string\"; preset = \"guitar_string_e4\"; }"
#define BAR "{ name = \"bar\"; preset = \"marimba_bar\"; }"
#define DRUM "{ name = \"drum\"; preset = \"tom\"; position = [4.0, 4.0, 4.0]; }"
#define PICKUP(of, at) "{ instrument = \"" of "\"; place = " at "; }"

static struct performer *performer_at(const struct room *room, int low, int high, size_t divisor)
{
    static const struct solver_options choice = {.engine = "cpu", .threads = 1};
    const struct performer_settings s = {
        .room = room, .rate = RATE, .block = BLOCK, .divisor = divisor, .range = {low, high}, .choice = &choice};
    struct performer *p;
    struct error e;
    if (performer_open(&p, &s, &e))
        fail_msg("%s", e.message);
    return p;
}

static struct performer *performer_on(const struct room *room, int low, int high)
{
    return performer_at(room, low, high, 1);
}

static void run(struct performer *p, float *out, size_t blocks)
{
    struct error e;
    for (size_t i = 0; i < blocks; i++)
        if (performer_run(p, out + i * BLOCK, &e))
            fail_msg("%s", e.message);
}

static double level(const float *x, size_t from, size_t count)
{
    double sum = 0.0;
    for (size_t n = from; n < from + count; n++)
        sum += (double)x[n] * (double)x[n];
    return 10.0 * log10(sum / (double)count + 1e-40);
}

/* ---- messages */

static bool is_kept(uint8_t kind)
{
    return kind == MIDI_NOTE_ON || kind == MIDI_NOTE_OFF || kind == MIDI_CONTROLLER || kind == MIDI_PROGRAM ||
           kind == MIDI_PITCH_BEND;
}

static void messages_of_a_cable_are_those_of_a_file(void **state)
{
    (void)state;
    enum { MESSAGES = 200 };
    struct random r = random_cases("messages");
    uint8_t file[22 + 4 * MESSAGES + 4] = "MThd\0\0\0\6\0\0\0\1\0\x60MTrk";
    uint8_t cable[MESSAGES][3];
    size_t counts[MESSAGES], at = 22;
    for (size_t i = 0; i < MESSAGES; i++) {
        cable[i][0] = (uint8_t)(0x80 + random_below(&r, 0x70));
        counts[i] = 1 + midi_data_count(cable[i][0]);
        file[at++] = 0;
        for (size_t k = 0; k < counts[i]; k++) {
            cable[i][k] = k ? (uint8_t)random_below(&r, 128) : cable[i][0];
            file[at++] = cable[i][k];
        }
        if (i % 4 == 0 && counts[i] == 3) /* some notes of velocity 0 */
            file[at - 1] = cable[i][2] = 0;
    }
    memcpy(file + at, "\0\xff\x2f\0", 4);
    at += 4;
    file[20] = (uint8_t)((at - 22) >> 8);
    file[21] = (uint8_t)(at - 22);
    struct midi_messages m;
    struct error e;
    if (midi_messages_parse(&m, file, at, "x.mid", &e))
        fail_msg("%s", e.message);
    size_t kept = 0;
    for (size_t i = 0; i < MESSAGES; i++) {
        struct midi_message one;
        assert_true(midi_message_of(&one, cable[i], counts[i]));
        if (!is_kept(one.kind))
            continue;
        assert_true(kept < m.count);
        const struct midi_message *other = &m.messages[kept++];
        assert_int_equal(one.kind, other->kind);
        assert_int_equal(one.channel, other->channel);
        assert_memory_equal(one.data, other->data, sizeof one.data);
    }
    assert_int_equal(kept, m.count);
    midi_messages_free(&m);
}

static void a_note_of_velocity_0_is_a_release(void **state)
{
    (void)state;
    struct midi_message m;
    assert_true(midi_message_of(&m, (const uint8_t[3]){0x93, 60, 0}, 3));
    assert_true(m.kind == MIDI_NOTE_OFF && m.channel == 3 && m.data[0] == 60);
    assert_true(midi_message_of(&m, (const uint8_t[3]){0x93, 60, 1}, 3));
    assert_int_equal(m.kind, MIDI_NOTE_ON);
}

static void incomplete_messages_and_those_of_the_system_are_refused(void **state)
{
    (void)state;
    static const struct {
        uint8_t bytes[3];
        size_t count;
    } wrong[] = {{{0x90, 60, 0}, 2}, {{0x90, 60, 0x80}, 3}, {{0xc0, 1, 0}, 3}, {{60, 60, 60}, 3},
                 {{0xf8, 0, 0}, 1},  {{0xf0, 1, 2}, 3},     {{0x90, 0, 0}, 0}};
    struct midi_message m;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        assert_false(midi_message_of(&m, wrong[i].bytes, wrong[i].count));
}

static void the_queue_keeps_messages_in_order_and_counts_those_it_has_no_room_for(void **state)
{
    (void)state;
    static struct midi_queue q;
    struct midi_packet packet = {.count = 0};
    assert_false(midi_queue_read(&q, &packet));
    midi_queue_write(&q, 0.0, (const uint8_t[4]){0xf0, 1, 2, 0xf7}, 4);
    assert_false(midi_queue_read(&q, &packet));
    for (size_t i = 0; i < MIDI_QUEUE_SIZE + 3; i++)
        midi_queue_write(&q, (double)i, (const uint8_t[3]){0x90, (uint8_t)(i % 128), 1}, 3);
    assert_int_equal(atomic_load(&q.lost), 3);
    for (size_t i = 0; i < MIDI_QUEUE_SIZE; i++) {
        assert_true(midi_queue_read(&q, &packet));
        assert_true(packet.time == (double)i && packet.bytes[1] == i % 128 && packet.count == 3);
    }
    assert_false(midi_queue_read(&q, &packet));
}

/* ---- voices */

/* What aula synth computes for these events, as the performer filters it. */
static double *performed(const struct room *room, const struct score *score, size_t steps)
{
    struct ensemble *ensemble;
    struct performance p;
    struct high_pass_state filter = {0};
    struct error e;
    if (ensemble_make(&ensemble, room, score, NULL, RATE, &e))
        fail_msg("%s", e.message);
    const struct piece piece = {.room = room, .ensemble = ensemble, .score = score, .rate = RATE, .steps = steps};
    static const struct solver_options choice = {.engine = "cpu", .threads = 1};
    if (perform(&p, &piece, &choice, NULL, &e))
        fail_msg("%s", e.message);
    double *sum = calloc(steps, sizeof *sum);
    assert_non_null(sum);
    for (size_t i = 0; i < p.pickups.channels * steps; i++)
        sum[i % steps] += p.pickups.samples[i];
    high_pass_run(&filter, sum, steps, RESPONSE_HIGH_PASS, RATE);
    performance_free(&p);
    ensemble_free(ensemble);
    return sum;
}

static struct event event_of(const struct room *room, size_t instrument, double frame, double pitch, double share)
{
    const struct instrument *i = &room->instruments[instrument];
    return (struct event){.time = frame / RATE,
                          .instrument = instrument,
                          .place = {i->place[0], i->place[1]},
                          .force = share * i->force,
                          .duration = i->contact,
                          .pitch = pitch};
}

static void notes_played_live_sound_as_those_of_a_score(void **state)
{
    (void)state;
    enum { BLOCKS = 100, STEPS = BLOCKS * BLOCK, NOTES = 6 };
    struct random r = random_cases("notes");
    struct room *room = room_of(ROOM "instruments: ( " STRING ", " DRUM ", " BAR " ); pickups: ( " PICKUP(
        "string", "0.1") ", " PICKUP("drum", "[0.1, 0.2]") ", " PICKUP("bar", "0.1") " );");
    struct performer *p = performer_on(room, 60, 63);
    static struct event events[NOTES];
    static float heard[STEPS];
    size_t frame = 0;
    for (size_t i = 0; i < NOTES; i++) {
        const unsigned channel = (unsigned)(i % 3), note = 60 + (unsigned)random_below(&r, 4);
        const unsigned velocity = 1 + (unsigned)random_below(&r, 127);
        size_t next = frame + random_below(&r, STEPS / NOTES - 8);
        while ((double)next / RATE * RATE != (double)next) /* rounding would move the end of a pluck by a step */
            next++;
        run(p, heard + frame / BLOCK * BLOCK, next / BLOCK - frame / BLOCK);
        frame = next;
        events[i] =
            event_of(room, channel, (double)frame, channel == 1 ? 0.0 : midi_note_pitch(note), velocity / 127.0);
        const struct midi_message m = {
            .kind = MIDI_NOTE_ON, .channel = (uint8_t)channel, .data = {(uint8_t)note, (uint8_t)velocity}};
        assert_true(controls_take(p, &m, frame % BLOCK));
    }
    run(p, heard + frame / BLOCK * BLOCK, BLOCKS - frame / BLOCK);
    const struct score score = {.events = events, .count = NOTES};
    double *wanted = performed(room, &score, STEPS), gain = performer_facts(p).gain, peak = 0.0, worst = 0.0;
    for (size_t n = 0; n < STEPS; n++) {
        peak = fmax(peak, fabs(gain * wanted[n]));
        worst = fmax(worst, fabs((double)heard[n] - gain * wanted[n]));
    }
    assert_true(peak > 1e-3);
    if (!(worst <= 1e-6 * peak)) /* the output is in single precision */
        fail_msg("differs by %g of the peak", worst / peak);
    free(wanted);
    performer_close(p);
    room_free(room);
}

/* Struck softly, so that only modes sound whose frequency the longer step leaves as it is. */
static void a_plate_sounds_alike_at_a_quarter_of_the_steps(void **state)
{
    (void)state;
    enum { BLOCKS = 60, FRAMES = BLOCKS * BLOCK };
    struct room *room = room_of(
        ROOM "instruments: ( { name = \"plate\"; preset = \"wind_gong\"; cells = 12; force = 1.0; "
             "contact = 0.012; position = [4.0, 4.0, 4.0]; } ); pickups: ( " PICKUP("plate", "[0.1, 0.2]") " );");
    static float heard[2][FRAMES];
    double peak = 0.0, worst = 0.0;
    size_t late[2];
    for (size_t i = 0; i < 2; i++) {
        struct performer *p = performer_at(room, 0, 127, i ? 4 : 1);
        const struct performer_facts facts = performer_facts(p);
        assert_true(facts.rate == RATE / (i ? 4.0 : 1.0));
        late[i] = (size_t)lrint(facts.delay * RATE);
        assert_true(performer_strike(p, 0, 60, 0.5, 0));
        run(p, heard[i], BLOCKS);
        for (size_t n = 0; n < FRAMES; n++)
            heard[i][n] /= (float)facts.gain;
        performer_close(p);
    }
    assert_true(late[0] == 1 && late[1] > late[0]);
    for (size_t n = 0; n + late[1] - late[0] < FRAMES; n++) {
        peak = fmax(peak, fabs((double)heard[0][n]));
        worst = nan_max(worst, fabs((double)heard[1][n + late[1] - late[0]] - (double)heard[0][n]));
    }
    if (!(peak > 0.0 && worst <= 0.08 * peak))
        fail_msg("differs by %g of the peak", worst / peak);
    room_free(room);
}

static void a_raised_rate_keeps_sines_and_adds_no_image(void **state)
{
    (void)state;
    enum { BLOCKS = 40, STEPS = 32, FACTOR_MAX = 4 };
    struct random r = random_cases("sines");
    for (size_t factor = 1; factor <= FACTOR_MAX; factor++) {
        const double frequency = 2.0 * M_PI * random_uniform(&r, 0.01, 0.45), phase = random_uniform(&r, 0.0, 6.0);
        struct upsampler u;
        struct error e;
        double in[STEPS], out[STEPS * FACTOR_MAX], worst = 0.0;
        assert_int_equal(upsampler_make(&u, factor, STEPS, &e), 0);
        for (size_t b = 0; b < BLOCKS; b++) {
            for (size_t n = 0; n < STEPS; n++)
                in[n] = sin(frequency * (double)(b * STEPS + n) + phase);
            upsampler_run(&u, in, STEPS, out);
            for (size_t n = 0; n < STEPS * factor && b > BLOCKS / 2; n++) {
                const double at = ((double)(b * STEPS * factor + n) - (double)u.delay) / (double)factor;
                worst = nan_max(worst, fabs(out[n] - sin(frequency * at + phase)));
            }
        }
        if (!(worst <= (factor > 1 ? 3e-4 : 0.0)))
            fail_msg("factor %zu: off by %g", factor, worst);
        upsampler_free(&u);
    }
}

static void the_loudest_note_has_the_stated_peak(void **state)
{
    (void)state;
    struct room *room = room_of(ROOM "instruments: ( " STRING " ); pickups: ( " PICKUP("string", "0.1") " );");
    struct performer *p = performer_on(room, 64, 64);
    static float heard[200 * BLOCK];
    double peak = 0.0;
    assert_true(performer_strike(p, 0, 64, 1.0, 0));
    run(p, heard, 200);
    for (size_t n = 0; n < 200 * BLOCK; n++)
        peak = fmax(peak, fabs((double)heard[n]));
    if (!(fabs(peak - PERFORMER_PEAK) <= 1e-6))
        fail_msg("peak %g", peak);
    performer_close(p);
    room_free(room);
}

static void keys_beyond_the_range_and_of_other_channels_have_no_voice(void **state)
{
    (void)state;
    struct room *room = room_of(ROOM "instruments: ( " STRING ", " DRUM " ); pickups: ( " PICKUP(
        "string", "0.1") " ); score: { channels = "
                         "( { channel = 3; instrument = \"string\"; }, { channel = 3; note = 36; instrument = "
                         "\"drum\"; } ); };");
    struct performer *p = performer_on(room, 60, 62);
    assert_true(performer_strike(p, 2, 60, 0.5, 0));
    assert_true(performer_strike(p, 2, 36, 0.5, 0)); /* C2, the drum */
    assert_false(performer_strike(p, 2, 59, 0.5, 0));
    assert_false(performer_strike(p, 2, 63, 0.5, 0));
    assert_false(performer_strike(p, 0, 60, 0.5, 0));
    assert_int_equal(performer_facts(p).voices, 4);
    performer_close(p);
    room_free(room);
}

/* ---- dampers */

static void send(struct performer *p, uint8_t kind, uint8_t first, uint8_t second)
{
    const struct midi_message m = {.kind = kind, .data = {first, second}};
    controls_take(p, &m, 0);
}

static void a_released_string_loses_60_db_in_the_stated_time_unless_the_pedal_is_down(void **state)
{
    (void)state;
    enum { TENTH = 75 /* blocks in 0.1 s */ };
    static float heard[4 * TENTH * BLOCK];
    struct room *room = room_of(ROOM "instruments: ( " STRING " ); pickups: ( " PICKUP("string", "0.1") " );");
    struct performer *p = performer_on(room, 64, 64);
    for (int pedal = 0; pedal < 2; pedal++) {
        send(p, MIDI_CONTROLLER, 64, pedal ? 127 : 0);
        send(p, MIDI_NOTE_ON, 64, 100);
        run(p, heard, TENTH);
        send(p, MIDI_NOTE_OFF, 64, 0);
        run(p, heard + TENTH * BLOCK, TENTH);
        send(p, MIDI_CONTROLLER, 64, 0);
        run(p, heard + 2 * TENTH * BLOCK, 2 * TENTH);
        const double before = level(heard, TENTH * BLOCK - 960, 960),
                     after = level(heard, 2 * TENTH * BLOCK - 960, 960);
        const double end = level(heard, 3 * TENTH * BLOCK - 960, 960);
        if (pedal ? !(before - after < 6.0 && after - end > 45.0) : !(fabs(after - end - 60.0) < 1.0))
            fail_msg("pedal %d: %g, %g, %g dB", pedal, before, after, end);
        run(p, heard, 4 * TENTH);
    }
    performer_close(p);
    room_free(room);
}

#define HAMMERED "{ name = \"piano\"; preset = \"hammered_string_c4\"; }"
#define BOWED "{ name = \"violin\"; preset = \"bowed_violin_d4\"; }"

static void a_hammer_thrown_live_sounds_as_that_of_a_score(void **state)
{
    (void)state;
    enum { BLOCKS = 100, FRAME = 3 * BLOCK + 17 };
    struct room *room = room_of(ROOM "instruments: ( " HAMMERED " ); pickups: ( " PICKUP("piano", "0.3") " );");
    struct performer *p = performer_on(room, 60, 60);
    struct event event = event_of(room, 0, FRAME, midi_note_pitch(60), 1.0);
    event.velocity = 0.5 * room->instruments[0].velocity;
    const struct score score = {.events = &event, .count = 1};
    double *expected = performed(room, &score, BLOCKS * BLOCK), difference = 0.0, peak = 0.0;
    float *heard = calloc(BLOCKS * BLOCK, sizeof *heard);
    assert_non_null(heard);
    run(p, heard, FRAME / BLOCK);
    assert_true(performer_strike(p, 0, 60, 0.5, FRAME % BLOCK));
    run(p, heard + FRAME / BLOCK * BLOCK, BLOCKS - FRAME / BLOCK);
    const double gain = performer_facts(p).gain;
    for (size_t n = 0; n < BLOCKS * BLOCK; n++) {
        difference = nan_max(difference, fabs((double)heard[n] / gain - expected[n]));
        peak = fmax(peak, fabs(expected[n]));
    }
    assert_true(peak > 0.0 && difference <= 1e-6 * peak);
    free(expected);
    free(heard);
    performer_close(p);
    room_free(room);
}

static void a_bow_sounds_until_its_key_is_released(void **state)
{
    (void)state;
    enum { SECOND = RATE / BLOCK };
    struct room *room = room_of(ROOM "instruments: ( " BOWED " ); pickups: ( " PICKUP("violin", "0.9") " );");
    struct performer *p = performer_on(room, 62, 62);
    float *heard = calloc(RATE, sizeof *heard);
    assert_non_null(heard);
    assert_true(performer_strike(p, 0, 62, 1.0, 0));
    run(p, heard, SECOND);
    const double held = level(heard, RATE / 2, RATE / 4);
    assert_true(fabs(level(heard, 3 * RATE / 4, RATE / 4) - held) < 1.0);
    performer_express(p, 0, 0.0); /* the bow then hardly touches */
    run(p, heard, SECOND);
    assert_true(level(heard, 3 * RATE / 4, RATE / 4) < held - 6.0);
    performer_express(p, 0, 1.0);
    run(p, heard, SECOND);
    assert_true(fabs(level(heard, 3 * RATE / 4, RATE / 4) - held) < 3.0);
    performer_release(p, 0, 62);
    run(p, heard, SECOND);
    assert_true(level(heard, RATE / 2, RATE / 4) < held - 60.0);
    free(heard);
    performer_close(p);
    room_free(room);
}

static void a_bar_rings_on_when_its_key_is_released(void **state)
{
    (void)state;
    static float heard[2][100 * BLOCK];
    struct room *room = room_of(ROOM "instruments: ( " BAR " ); pickups: ( " PICKUP("bar", "0.1") " );");
    for (int released = 0; released < 2; released++) {
        struct performer *p = performer_on(room, 60, 60);
        send(p, MIDI_NOTE_ON, 60, 100);
        run(p, heard[released], 20);
        if (released)
            send(p, MIDI_NOTE_OFF, 60, 0);
        run(p, heard[released] + 20 * BLOCK, 80);
        performer_close(p);
    }
    for (size_t n = 0; n < 100 * BLOCK; n++)
        assert_true(fabs((double)heard[0][n] - (double)heard[1][n]) <= 1e-6);
    room_free(room);
}

static void a_damper_never_adds_energy(void **state)
{
    (void)state;
    enum { MODES = 40, STEPS = 2000 };
    struct random r = random_cases("damper");
    const double k = 1.0 / RATE;
    double now[MODES], before[MODES], gain[MODES], q[2][MODES];
    const struct line_body line = {.modes = MODES, .now = now, .before = before, .gain = gain};
    for (int i = 0; i < case_count(100); i++) {
        struct damper d;
        struct error e;
        for (size_t m = 0; m < MODES; m++) {
            const double radius = exp(-random_log_uniform(&r, 0.1, 300.0) * k);
            now[m] = 2.0 * radius * cos(random_log_uniform(&r, 0.002, 3.1));
            before[m] = radius * radius;
            gain[m] = random_log_uniform(&r, 1e-9, 1e-6);
            for (int level = 0; level < 2; level++)
                q[level][m] = random_uniform(&r, -1.0, 1.0);
        }
        assert_int_equal(damper_make(&d, &line, k, &e), 0);
        double raised = INFINITY; /* the energy before the damper last came down */
        double energy = modes_energy(&line, (const double *const[2]){q[0], q[1]});
        for (int n = 0; n < STEPS; n++) {
            if (random_below(&r, 50) == 0) {
                damper_set(&d, !d.rests);
                const double after = modes_energy(&line, (const double *const[2]){q[0], q[1]});
                assert_true(after <= (d.rests ? energy : raised) * (1.0 + 1e-12));
                raised = d.rests ? energy : raised;
                energy = after;
            }
            for (size_t m = 0; m < MODES; m++) {
                const double after = now[m] * q[0][m] - before[m] * q[1][m];
                q[1][m] = q[0][m];
                q[0][m] = after;
            }
            const double after = modes_energy(&line, (const double *const[2]){q[0], q[1]});
            assert_true(after <= energy * (1.0 + 1e-12));
            energy = after;
        }
        damper_free(&d);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(messages_of_a_cable_are_those_of_a_file),
        cmocka_unit_test(a_note_of_velocity_0_is_a_release),
        cmocka_unit_test(incomplete_messages_and_those_of_the_system_are_refused),
        cmocka_unit_test(the_queue_keeps_messages_in_order_and_counts_those_it_has_no_room_for),
        cmocka_unit_test(notes_played_live_sound_as_those_of_a_score),
        cmocka_unit_test(a_plate_sounds_alike_at_a_quarter_of_the_steps),
        cmocka_unit_test(a_raised_rate_keeps_sines_and_adds_no_image),
        cmocka_unit_test(the_loudest_note_has_the_stated_peak),
        cmocka_unit_test(keys_beyond_the_range_and_of_other_channels_have_no_voice),
        cmocka_unit_test(a_released_string_loses_60_db_in_the_stated_time_unless_the_pedal_is_down),
        cmocka_unit_test(a_hammer_thrown_live_sounds_as_that_of_a_score),
        cmocka_unit_test(a_bow_sounds_until_its_key_is_released),
        cmocka_unit_test(a_bar_rings_on_when_its_key_is_released),
        cmocka_unit_test(a_damper_never_adds_energy),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
