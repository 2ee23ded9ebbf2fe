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
#include "app/play_print.h"
#include "app/say.h"
#include "app/sound_card.h"
#include "base/clock.h"
#include "base/stop.h"
#include "base/text.h"
#include "dsp/resample.h"
#include "io/audio_file.h"
#include "render/play/play_loop.h"
#include "render/play/range_choice.h"
#include "render/preview/level.h"
#include "render/synth/midi_message.h"
#include "room/notes.h"

struct play_options {
    struct common_options common;
    struct card_options card;
    const char *midi, *range, *response;
    double seconds;
};

enum { BLOCK = 128, KEY_VELOCITY = 100, ESCAPE = 27, END_OF_TEXT = 4, ALL_NOTES_OFF = 123 };
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
    int range[2];   /* of --range */
    int lowest;     /* note of the key z */
    double took;    /* s: played */
    bool connected; /* the MIDI input, at the last look */
};

/* ---- before the first sound */

/* "C3..C6" */
static int read_range(int range[2], const char *text, struct error *e)
{
    char low[16] = "";
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
    struct performer_settings s = {
        .room = p->room, .rate = p->rate, .block = BLOCK, .divisor = 1, .choice = &p->choice};
    /* Not on a GPU, whose launches take longer than a block, and in one thread: several would wait for each other in
     * every step. */
    p->choice = (struct solver_options){.engine = "cpu", .threads = 1};
    if (!p->options->range)
        return performer_open_fitting(&p->performer, &s, e);
    memcpy(s.range, p->range, sizeof s.range);
    return performer_open(&p->performer, &s, e);
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

/* All that is printed. */
static struct play_printed printed(const struct play *p)
{
    return (struct play_printed){.name = p->room->path,
                                 .rate = p->rate,
                                 .level = p->level,
                                 .seconds = p->took,
                                 .lowest = p->lowest,
                                 .device = player_status(p->player).device,
                                 .midi = p->input ? midi_input_name(p->input) : NULL,
                                 .lost = p->input ? midi_input_lost(p->input) : 0,
                                 .facts = performer_facts(p->performer),
                                 .status = play_loop_look(p->loop)};
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

static int look(struct play *p, struct play_status *status, bool *told, struct error *e)
{
    *status = play_loop_look(p->loop);
    if (status->failed) {
        *e = status->error;
        return -1;
    }
    if (player_check(p->player, e))
        return -1;
    const bool connected = !p->input || midi_input_is_connected(p->input);
    if (p->connected && !connected)
        say(false, "%swarning: the MIDI input \"%s\" is no longer connected; connect it again, or end with Esc",
            isatty(STDERR_FILENO) ? "\n" : "", midi_input_name(p->input));
    p->connected = connected;
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
            play_print_line(&status, p->level, terminal);
            shown = clock_seconds();
        }
    }
    keyboard_close();
    p->took = clock_seconds() - start;
    if (terminal && !quiet)
        fputc('\n', stderr);
    return result;
}

/* Ends the sound, and prints what went wrong meanwhile. */
static int warn(struct play *p, struct error *e)
{
    char **lines = NULL;
    size_t count = 0;
    play_loop_end(p->loop);
    p->loop = NULL;
    const int status = performer_warn(&lines, &count, p->performer, e);
    say_lines("warning", lines, count);
    lines_free(lines, count);
    return status;
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
    if (latency_check(&o->card, e) || (o->range && read_range(p.range, o->range, e)))
        return -1;
    int status = open_all(&p, e);
    if (!status) {
        const struct performer_facts facts = performer_facts(p.performer);
        p.lowest = first_key(&facts);
        const struct play_printed start = printed(&p);
        play_print_start(&start, o->common.quiet);
        status = play_on(&p, e);
    }
    if (!status) {
        const struct play_printed end = printed(&p);
        play_print_end(&end, o->common.quiet);
        status = (o->common.json && play_print_json(&end, e)) || warn(&p, e);
    }
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
        "pickups are heard, without air; --response adds a room. Velocity sets the force, or the speed of a\n"
        "mallet or bow; releasing a key lifts the bow and damps a string unless the sustain pedal is down; bars,\n"
        "drums and plates ring. A sounding note is not bent, and wind instruments are refused. Without\n"
        "--midi the rows z to / and q to p of the computer's keyboard are those of a piano; Esc ends.\n",
    .options = options,
    .arguments_min = 0,
    .arguments_max = 1,
    .options_size = sizeof(struct play_options),
    .groups = {[GROUP_CARD] = offsetof(struct play_options, card)},
    .run = run,
};
