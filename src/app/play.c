/* SPDX-License-Identifier: MIT */
/* aula play: plays instruments in real time from a MIDI keyboard or from the keys of the computer. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app/cmd.h"
#include "app/keyboard.h"
#include "app/piano_keys.h"
#include "app/play_instrument.h"
#include "app/say.h"
#include "app/sound_card.h"
#include "base/clock.h"
#include "base/stop.h"
#include "base/streams.h"
#include "dsp/resample.h"
#include "io/audio_file.h"
#include "io/json_build.h"
#include "render/play/play_loop.h"
#include "render/preview/level.h"
#include "render/synth/midi_message.h"
#include "room/notes.h"

struct play_options {
    struct common_options common;
    struct card_options card;
    const char *midi, *range, *response;
    double seconds;
};

enum { BLOCK = 128, NOTE_NAME = 16, KEY_VELOCITY = 100, ESCAPE = 27, END_OF_TEXT = 4, ALL_NOTES_OFF = 123 };
static const double factor_min = 1.2;    /* times real time; below it, warn */
static const double look_seconds = 0.05; /* between two checks of the sound card */

struct play {
    const struct play_options *options;
    struct room *room;
    struct solver_options choice;
    struct player *player;
    struct midi_input *input; /* NULL: the keys of the computer */
    struct performer *performer;
    struct convolver *convolver; /* NULL: dry */
    double wet_gain, rate, level;
    struct play_loop *loop;
    int lowest;  /* note of the key z */
    double took; /* s: played */
};

/* ---- before the first sound */

/* "C3..C6"; without an option negative numbers. */
static int read_range(int range[2], const char *text, struct error *e)
{
    char low[16] = "";
    range[0] = range[1] = -1;
    if (!text)
        return 0;
    const char *dots = strstr(text, "..");
    const size_t length = dots ? (size_t)(dots - text) : 0;
    if (length && length < sizeof low) {
        memcpy(low, text, length);
        if (!note_number(low, &range[0]) && !note_number(dots + 2, &range[1]) && range[0] <= range[1])
            return 0;
    }
    return fail(e, ERROR_USAGE, "--range %s: expected two notes, the lower one first, such as C3..C6", text);
}

static int open_performer(struct play *p, struct error *e)
{
    struct performer_settings s = {.room = p->room, .rate = p->rate, .block = BLOCK, .choice = &p->choice};
    /* Not on a GPU, whose launches take longer than a block, and in one thread: several would wait for each other in
     * every step. */
    p->choice = (struct solver_options){.engine = "cpu", .threads = 1};
    return read_range(s.range, p->options->range, e) || performer_open(&p->performer, &s, e) ? -1 : 0;
}

static int open_player(struct play *p, struct error *e)
{
    const struct card_options *card = &p->options->card;
    const struct player_settings s = {
        .device = card->device, .outputs = PLAY_EARS, .latency = 1e-3 * card->latency, .buffered = 0.5};
    if (player_open(&p->player, &s, e))
        return -1;
    p->rate = player_status(p->player).rate;
    return 0;
}

/* One channel is heard by both ears, of several the first two by one ear each. */
static int open_response(struct play *p, struct error *e)
{
    const char *path = p->options->response;
    struct audio audio;
    struct convolver_filter filters[PLAY_EARS];
    double *taps[PLAY_EARS] = {NULL, NULL};
    if (!path)
        return 0;
    if (audio_read(&audio, path, e))
        return -1;
    int status = 0;
    for (size_t ear = 0; ear < PLAY_EARS && !status; ear++) {
        const double *channel = audio.samples + (ear < audio.channels ? ear : 0) * audio.frames;
        status = resample(&taps[ear], &filters[ear].count, channel, audio.frames, audio.rate, p->rate, e);
        filters[ear].taps = taps[ear];
    }
    const struct performer_facts facts = performer_facts(p->performer);
    status = status || level_gain(&p->wet_gain, filters, PLAY_EARS, facts.sample, facts.samples, p->rate, e) ||
             convolver_make(&p->convolver, 1, PLAY_EARS, filters, BLOCK, e);
    for (size_t ear = 0; ear < PLAY_EARS; ear++)
        free(taps[ear]);
    audio_free(&audio);
    return status ? -1 : 0;
}

static int open_all(struct play *p, struct error *e)
{
    const struct play_options *o = p->options;
    if (read_instrument(&p->room, &o->common, e) || open_player(p, e) ||
        (o->midi && midi_input_open(&p->input, o->midi, e)) || open_performer(p, e) || open_response(p, e))
        return -1;
    const struct play_loop_settings s = {.performer = p->performer,
                                         .player = p->player,
                                         .input = p->input,
                                         .convolver = p->convolver,
                                         .wet_gain = p->wet_gain,
                                         .rate = p->rate,
                                         .block = BLOCK};
    return play_loop_start(&p->loop, &s, e);
}

static const char *note_name(char text[NOTE_NAME], int note)
{
    static const char *const names[] = {"C", "C#", "D", "Eb", "E", "F", "F#", "G", "G#", "A", "Bb", "B"};
    snprintf(text, NOTE_NAME, "%s%d", names[note % 12], note / 12 - 1);
    return text;
}

static void describe(const struct play *p)
{
    const bool quiet = p->options->common.quiet;
    const struct performer_facts facts = performer_facts(p->performer);
    const struct play_status status = play_loop_look(p->loop);
    char low[NOTE_NAME], high[NOTE_NAME], keys[64] = "every key plays it";
    if (facts.range[1] - facts.range[0] < MIDI_NOTE_MAX)
        snprintf(keys, sizeof keys, "keys %s to %s", note_name(low, facts.range[0]), note_name(high, facts.range[1]));
    say(quiet, "%s: %zu voice%s, %s, stepped %.2g times faster than real time at %.6g Hz", p->room->path, facts.voices,
        facts.voices == 1 ? "" : "s", keys, facts.factor, p->rate);
    if (facts.factor < factor_min)
        say(false,
            "warning: the voices are stepped only %.2g times as fast as real time, and the sound will break up; "
            "reduce --range, or use a lower rate of the sound card",
            facts.factor);
    say(quiet, "latency %.1f ms: %.1f ms in blocks, %.1f ms in the sound card \"%s\", %.1f ms in the limiter",
        1e3 * (status.buffered + status.card + status.limiter), 1e3 * status.buffered, 1e3 * status.card,
        player_status(p->player).device, 1e3 * status.limiter);
    if (p->input)
        say(quiet, "MIDI input: %s; Esc or Ctrl-C ends, the arrows up and down change the level",
            midi_input_name(p->input));
    else
        say(quiet,
            "keys: z to / and q to p from %s on; space damps, left and right change the octave, up and down the level, "
            "Esc ends; use --midi NAME for a MIDI keyboard",
            note_name(low, p->lowest));
}

/* ---- playing */

/* The lowest C among the keys, or else the lowest key. */
static int first_key(const struct performer_facts *facts)
{
    const int c = (facts->range[0] + 11) / 12 * 12;
    return c <= facts->range[1] && facts->range[1] - facts->range[0] < MIDI_NOTE_MAX ? c
           : facts->range[1] == MIDI_NOTE_MAX                                        ? 60
                                                                                     : facts->range[0];
}

static void strike(struct play *p, int key)
{
    const int above = piano_key(key), note = p->lowest + above;
    if (above >= 0 && note >= 0 && note <= MIDI_NOTE_MAX)
        play_loop_send(p->loop, (const uint8_t[3]){MIDI_NOTE_ON, (uint8_t)note, KEY_VELOCITY});
}

/* Returns false to end. */
static bool press(struct play *p, int key)
{
    if (key == ESCAPE || key == END_OF_TEXT || (p->input && (key == 'q' || key == 'Q')))
        return false;
    if (key == KEY_UP || key == KEY_DOWN)
        play_loop_set_level(p->loop, p->level = fmax(fmin(p->level + (key == KEY_UP ? 1.0 : -1.0), 40.0), -80.0));
    else if (key == KEY_LEFT && p->lowest >= 12)
        p->lowest -= 12;
    else if (key == KEY_RIGHT && p->lowest + 12 <= MIDI_NOTE_MAX)
        p->lowest += 12;
    else if (key == ' ')
        play_loop_send(p->loop, (const uint8_t[3]){MIDI_CONTROLLER, ALL_NOTES_OFF, 0});
    else if (!p->input)
        strike(p, key);
    return true;
}

/* On a terminal over the line before, cut to its width: a wrapped line could not be redrawn. */
static void print_line(const struct play *p, const struct play_status *status, bool terminal)
{
    char limited[48] = "", line[256];
    if (status->reduction > 0.01)
        snprintf(limited, sizeof limited, ", limited by %.1f dB", status->reduction);
    snprintf(line, sizeof line, "level %+.0f dB%s | load %.0f %%, notes %llu, late blocks %llu, underruns %llu",
             p->level, limited, 100.0 * status->load, status->notes, status->late, status->underruns);
    if (terminal) {
        streams_control("\r\033[K");
        fprintf(stderr, "%.*s", keyboard_columns() - 1, line);
    } else {
        fprintf(stderr, "%s\n", line);
    }
    fflush(stderr);
}

static int look(struct play *p, struct play_status *status, bool *told, struct error *e)
{
    *status = play_loop_look(p->loop);
    if (status->failed) {
        *e = status->error;
        return -1;
    }
    if (player_check(p->player, e))
        return -1;
    if (p->input && !midi_input_is_alive(p->input))
        return fail(e, ERROR_FAILED, "the MIDI input \"%s\" has ended; choose another with --midi",
                    midi_input_name(p->input));
    say_reopened(&p->options->common, p->player, told, isatty(STDERR_FILENO) ? "\n" : "");
    return 0;
}

/* Until Esc, Ctrl-C, --seconds, the end of the keys or the loss of a device. */
static int play_on(struct play *p, struct error *e)
{
    const bool terminal = isatty(STDERR_FILENO), quiet = p->options->common.quiet;
    const double start = clock_seconds(), limit = p->options->seconds;
    double shown = start;
    bool told = false;
    struct play_status status;
    int result = 0;
    keyboard_open();
    while (!(result = look(p, &status, &told, e)) && !stop_requested() &&
           (limit <= 0.0 || clock_seconds() - start < limit)) {
        const int key = keyboard_key(look_seconds);
        if ((key == -2 && !p->input && limit <= 0.0) || (key >= 0 && !press(p, key)))
            break;
        if (!quiet && clock_seconds() - shown > (terminal ? 0.2 : 2.0)) {
            print_line(p, &status, terminal);
            shown = clock_seconds();
        }
    }
    keyboard_close();
    p->took = clock_seconds() - start;
    if (terminal && !quiet)
        fputc('\n', stderr);
    return result;
}

static int print_json(const struct play *p, const struct play_status *s, struct error *e)
{
    const struct performer_facts facts = performer_facts(p->performer);
    cJSON *json = cJSON_CreateObject();
    cJSON_AddStringToObject(json, "instrument", p->room->path);
    cJSON_AddNumberToObject(json, "rate", p->rate);
    cJSON_AddNumberToObject(json, "voices", (double)facts.voices);
    cJSON_AddNumberToObject(json, "lowest_note", facts.range[0]);
    cJSON_AddNumberToObject(json, "highest_note", facts.range[1]);
    cJSON_AddNumberToObject(json, "real_time_factor", facts.factor);
    cJSON_AddNumberToObject(json, "latency_ms", 1e3 * (s->buffered + s->card + s->limiter));
    cJSON_AddNumberToObject(json, "seconds", p->took);
    cJSON_AddNumberToObject(json, "notes", (double)s->notes);
    cJSON_AddNumberToObject(json, "notes_without_voice", (double)s->unheard);
    cJSON_AddNumberToObject(json, "late_blocks", (double)s->late);
    cJSON_AddNumberToObject(json, "underruns", (double)s->underruns);
    if (p->input)
        cJSON_AddNumberToObject(json, "lost_messages", (double)midi_input_lost(p->input));
    return json_print(json, e);
}

static int sum_up(struct play *p, struct error *e)
{
    const struct play_status s = play_loop_look(p->loop);
    say(p->options->common.quiet, "%llu note%s in %.1f s, load %.0f %%, %llu late block%s, %llu underrun%s", s.notes,
        s.notes == 1 ? "" : "s", p->took, 100.0 * s.load, s.late, s.late == 1 ? "" : "s", s.underruns,
        s.underruns == 1 ? "" : "s");
    if (s.unheard)
        say(false, "note: %llu key%s had no voice; choose the keys with --range", s.unheard, s.unheard == 1 ? "" : "s");
    if (p->input && midi_input_lost(p->input))
        say(false, "warning: %llu MIDI messages were lost, as they arrived faster than they could be played",
            midi_input_lost(p->input));
    return p->options->common.json ? print_json(p, &s, e) : 0;
}

static void close_all(struct play *p)
{
    play_loop_end(p->loop);
    convolver_free(p->convolver);
    performer_close(p->performer);
    midi_input_close(p->input);
    player_close(p->player);
    room_free(p->room);
}

static int run(void *options, struct error *e)
{
    const struct play_options *o = options;
    struct play p = {.options = o};
    if (o->midi && !strcmp(o->midi, "list"))
        return midi_inputs_list(stdout, e);
    if (!o->common.argument_count)
        return fail(e, ERROR_USAGE, "no instrument; use aula play INSTRUMENT, such as guitar_string_e4, or a piece");
    if (latency_check(&o->card, e))
        return -1;
    int status = open_all(&p, e);
    if (!status) {
        const struct performer_facts facts = performer_facts(p.performer);
        p.lowest = first_key(&facts);
        describe(&p);
        status = play_on(&p, e);
    }
    if (!status)
        status = sum_up(&p, e);
    close_all(&p);
    return status ? -1 : 0;
}

static const struct option_row midi = {
    "midi",
    0,
    OPTION_TEXT,
    OPTION_AT(OWN, play_options, midi),
    "NAME",
    "play from this MIDI input: name, part of it, or number; list: show all (default: the computer's keys)"};
static const struct option_row range = {
    "range",     0,
    OPTION_TEXT, OPTION_AT(OWN, play_options, range),
    "LOW..HIGH", "make voices for these notes, such as C3..C6 (default: three octaves, or as many as can be computed)"};
static const struct option_row response = {
    "response",  0,
    OPTION_TEXT, OPTION_AT(OWN, play_options, response),
    "FILE",      "hear the instrument through this response of a room (default: dry)"};
static const struct option_row seconds = {
    "seconds", 0, OPTION_NUMBER, OPTION_AT(OWN, play_options, seconds), "N", "stop after N seconds"};

static const struct option_row *const options[] = {
    &midi,       &range,       &response,     &option_sound_device, &option_latency, &seconds,
    &option_set, &option_json, &option_quiet, &option_verbose,      &option_help,    NULL,
};

const struct command command_play = {
    .name = "play",
    .synopsis = "INSTRUMENT|PIECE.cfg [--midi NAME] [--response FILE]",
    .meaning = "play instruments in real time from a MIDI keyboard",
    .details =
        "INSTRUMENT is a preset of rooms/instruments.cfg; PIECE.cfg is a room file with instruments. The\n"
        "pickups are heard, without air; --response adds a room. Velocity sets the force; releasing a key damps a\n"
        "string unless the sustain pedal is down; bars, drums and plates ring. A sounding note is not bent. Without\n"
        "--midi the rows z to / and q to p of the computer's keyboard are those of a piano; Esc ends.\n",
    .options = options,
    .arguments_min = 0,
    .arguments_max = 1,
    .options_size = sizeof(struct play_options),
    .groups = {[GROUP_CARD] = offsetof(struct play_options, card)},
    .run = run,
};
