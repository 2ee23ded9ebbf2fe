/* SPDX-License-Identifier: MIT */
/* Receivers and sources with a direction in a piece: their channels are those of what was recorded, whatever blocks it
 * was recorded in, and a file of each. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/sofa/library.h"
#include "render/directions.h"
#include "render/synth/take_file.h"
#include "room/grid/air.h"
#include "support/kemar.h"
#include "support/random_cases.h"
#include "support/scratch.h"

#include <cmocka.h> /* last: its macro fail() would break the declaration in base/error.h */

#include "support/within.h"

static const struct solver_options cpu = {.engine = "cpu"};

/* ---- blocks of a given length in place of those that fit the machine's speed */

static size_t block_steps;
static double *recorded; /* [taps][steps], a copy of what a run recorded; NULL: none wanted */
static size_t recorded_count;

int __wrap_blocks_run(struct block_outcome *outcome, struct solver *solver, const struct block_row *row,
                      const struct watch *watch, struct error *e);
int __wrap_blocks_run(struct block_outcome *outcome, struct solver *solver, const struct block_row *row,
                      const struct watch *watch, struct error *e)
{
    double *drive = malloc((row->drive_count * block_steps + 1) * sizeof *drive);
    (void)watch;
    assert_non_null(drive);
    memset(outcome, 0, sizeof *outcome);
    for (size_t done = 0; done < row->steps;) {
        const size_t left = row->steps - done, steps = left < block_steps ? left : block_steps;
        const struct block b = {
            .drive = drive, .drive_stride = steps, .taps = row->taps + done, .tap_stride = row->steps};
        row->fill(row->context, drive, steps, done, steps);
        if (solver_run(solver, steps, &b, e)) {
            free(drive);
            return -1;
        }
        done += steps;
    }
    free(drive);
    if (recorded)
        memcpy(recorded, row->taps, recorded_count * row->steps * sizeof *recorded);
    return 0;
}

/* ---- the piece */

static void read_piece(struct room **room, struct session *session)
{
    struct error e;
    static const char text[] =
        "room: { size = [1.9, 1.7, 1.6]; walls: { default = \"plaster\"; }; };\n"
        "grid: { rate = 6000.0; };\ntime: { duration = 0.04; };\n"
        "sources: ( { name = \"horn\"; position = [0.6, 0.8, 0.8]; directivity = \"%s\"; order = 2;\n"
        "  orientation = [20.0, 10.0, 0.0]; signal = \"gaussian\"; width = 0.0005; },\n"
        " { name = \"point\"; position = [0.9, 0.5, 0.7]; signal = \"gaussian\"; width = 0.0004; } );\n"
        "instruments: ( { name = \"drum\"; type = \"membrane\"; radius = 0.12; tension = 2000.0;\n"
        "  surface_density = 0.26; decay = [1.0, 0.2]; position = [0.3, 0.3, 0.3]; } );\n"
        "pickups: ( { name = \"skin\"; instrument = \"drum\"; place = [0.2, 0.1]; } );\n"
        "score: { events: ( { time = 0.004; instrument = \"drum\"; } ); };\n"
        "receivers: ( { name = \"left\"; position = [1.2, 0.9, 0.8]; },\n"
        " { name = \"field\"; position = [1.2, 0.9, 0.8]; type = \"ambisonic\"; order = 3;\n"
        "   orientation = [40.0, 0.0, 0.0]; },\n%s"
        " { name = \"mic\"; position = [1.1, 0.8, 0.7]; type = \"hypercardioid\"; },\n"
        " { name = \"right\"; position = [0.9, 0.9, 0.7]; },\n"
        " { name = \"wind\"; position = [1.2, 0.9, 0.8]; type = \"velocity\"; } );\n";
    char file[4000];
    snprintf(file, sizeof file, text, sofa_library.unavailable() ? "cardioid" : "talker.sofa",
             kemar_missing() ? ""
                             : " { name = \"head\"; position = [1.2, 0.9, 0.8]; type = \"binaural\";\n   hrtf = "
                               "\"" KEMAR_PATH "\"; },\n");
    scratch_write(scratch_path("piece.cfg"), file, strlen(file));
    must(room_read(room, scratch_path("piece.cfg"), NULL, 0, &e), &e);
    must(session_make(session, *room, false, &e), &e);
    if (kemar_missing())
        print_message("without a binaural receiver: %s\n", kemar_missing());
}

/* The channels of the air, by the stages after the record one by one: pressures are the central difference of the
 * recorded potential, times the density of air. */
static void respond_offline(struct response *response, const struct session *s)
{
    struct error e;
    const size_t steps = s->output.length.steps;
    const struct air_conditions air = air_conditions(s->room);
    const double density = air_density(&air);
    struct traces taps = {calloc(recorded_count * steps, sizeof(double)), recorded_count, steps, s->rate}, channels;
    assert_non_null(taps.samples);
    for (size_t c = 0; c < recorded_count; c++)
        for (size_t n = 0; n < steps; n++)
            taps.samples[c * steps + n] =
                density * 0.5 * s->rate * (recorded[c * steps + n] - (n >= 2 ? recorded[c * steps + n - 2] : 0.0));
    must(directions_make(&channels, &taps, 0, s->model, &e), &e);
    const struct excitation x = {.onset = s->onset};
    must(response_make(response, &channels, &x, &s->output.air, &e), &e);
    traces_free(&taps);
    traces_free(&channels);
}

static void play(struct take *take, const struct session *s, size_t steps)
{
    struct error e;
    block_steps = steps;
    must(take_make(take, s, &cpu, NULL, &e), &e);
}

static void channels_are_those_of_the_record_in_blocks_of_any_length(void **state)
{
    (void)state;
    static const size_t blocks[] = {1, 37, 64, 100000};
    struct room *room;
    struct session s;
    struct take whole;
    read_piece(&room, &s);
    recorded_count = room_tap_count(room);
    recorded = calloc(recorded_count * s.output.length.steps, sizeof *recorded);
    assert_non_null(recorded);
    play(&whole, &s, 211);
    struct response offline;
    respond_offline(&offline, &s);
    free(recorded);
    recorded = NULL;
    const size_t bytes = whole.air.channels * whole.air.frames * sizeof *whole.air.samples;
    assert_int_equal(whole.air.channels, room_channel_count(room));
    assert_int_equal(offline.frames, whole.air.frames);
    assert_memory_equal(offline.samples, whole.air.samples, bytes);
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++) {
        struct take take;
        play(&take, &s, blocks[i]);
        assert_int_equal(take.air.frames, whole.air.frames);
        assert_memory_equal(take.air.samples, whole.air.samples, bytes);
        take_free(&take);
    }
    response_free(&offline);
    take_free(&whole);
    session_free(&s);
    room_free(room);
}

static double energy(const double *samples, const double *less, size_t frames)
{
    double sum = 0.0;
    for (size_t n = 0; n < frames; n++)
        sum += pow(samples[n] - (less ? less[n] : 0.0), 2.0);
    return sum;
}

/* W is the pressure there; and the files together have each channel once, the pickups with the omni receivers. */
static void each_receiver_with_a_direction_has_a_file(void **state)
{
    (void)state;
    struct error e;
    struct room *room;
    struct session s;
    struct take take;
    size_t channels = 0, pickups = 0;
    const double gain[2] = {1.0, 2.0};
    read_piece(&room, &s);
    play(&take, &s, 64);
    const double *omni = take.air.samples, *w = take.air.samples + take.air.frames;
    const double left = 10.0 * log10(energy(omni, w, take.air.frames) / energy(omni, NULL, take.air.frames));
    print_message("W less the pressure: %.1f dB\n", left);
    assert_true(left <= -50.0);
    assert_int_equal(take_file_count(&s), room->receiver_count - 1); /* two are omni */
    for (size_t i = 0; i < take_file_count(&s); i++) {
        struct take_file f;
        struct audio audio;
        must(take_file_make(&f, &s, i, &e), &e);
        must(take_file_mix(&audio, &f, &take, gain, &e), &e);
        assert_int_equal(audio.channels, f.count);
        for (size_t c = 0; c < f.count; c++) {
            const bool pickup = c >= f.air;
            const double *from = (pickup ? take.pickups.samples : take.air.samples) + f.channels[c] * audio.frames;
            for (size_t n = 0; n < audio.frames; n++)
                assert_true(audio.samples[c * audio.frames + n] == gain[pickup] * from[n]);
        }
        if (f.receiver)
            assert_true(!strncmp(f.names[0], f.receiver->name, strlen(f.receiver->name)));
        channels += f.air;
        pickups += f.count - f.air;
        audio_free(&audio);
        take_file_free(&f);
    }
    assert_int_equal(channels, room_channel_count(room));
    assert_int_equal(pickups, 1);
    take_free(&take);
    session_free(&s);
    room_free(room);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(channels_are_those_of_the_record_in_blocks_of_any_length),
        cmocka_unit_test(each_receiver_with_a_direction_has_a_file),
    };
    return cmocka_run_group_tests(tests, scratch_make, scratch_remove);
}
