/* SPDX-License-Identifier: MIT */
/* aula preview: plays a sound in a room while its response is computed on successively finer grids, or while the room
 * itself is stepped in real time. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "app/cmd.h"
#include "app/hrtf.h"
#include "app/keyboard.h"
#include "app/preview_print.h"
#include "app/preview_stages.h"
#include "app/say.h"
#include "app/shipped.h"
#include "app/sound_card.h"
#include "app/source.h"
#include "base/clock.h"
#include "base/stop.h"
#include "base/text.h"
#include "io/playback/player.h"
#include "io/playback/sound_devices.h"
#include "render/feeder/feeder.h"
#include "render/preview/dry_sound.h"
#include "render/preview/head.h"
#include "render/preview/head_tracker.h"
#include "render/preview/live.h"
#include "render/preview/live_gain.h"
#include "render/preview/mixer.h"
#include "render/preview/monitor.h"
#include "render/preview/refiner.h"
#include "render/preview/stages.h"
#include "render/render.h"

struct preview_options {
    struct common_options common;
    struct solver_options choice;
    struct hrtf_options hrtf;
    struct card_options card;
    const char *source, *dry, *osc, *stages;
    bool input, live, list;
    double seconds;
};

enum { BLOCK = 512, INPUT_BLOCK = 256 };
static const double first_stage = 0.3;    /* s: time budget of the first response */
static const double first_below = 1.0;    /* s: the same of the first waves if image sources and rays play before */
static const double live_reserve = 1.3;   /* live stepping must be this many times faster than real time */
static const double file_ahead = 0.25;    /* s of sound buffered for the device; 0 with --input */
static const double look_seconds = 0.05;  /* s between two checks of keys and devices */
static const double behind_seconds = 2.0; /* s without real time until the live engine is abandoned */
static const double file_rate = 48000.0;  /* Hz, of --stages for a room whose output has the rate of its grid */
static const double yaw_step = 5.0;       /* degrees per arrow key */

struct preview {
    const struct preview_options *options;
    struct player *player;
    struct mixer *mixer;
    struct feeder *feeder;
    struct refiner *refiner; /* NULL while the room is stepped live */
    struct live *live;
    double live_gain;
    struct room *room;
    struct monitor monitor;
    struct ear_filters ears; /* of the head, if there is one */
    struct head *head;
    struct head_tracker *tracker;
    struct head_pose pose;      /* initial pose of the next head */
    unsigned long long tracked; /* poses of trackers that have ended */
    struct stages stages;
    struct dry_sound dry;        /* a loop; with --input, noise that stands for it in level estimates */
    struct mixer_status earlier; /* totals of a live engine that was abandoned */
    double level;                /* dB */
    bool paused, hears_dry;
    int receiver;
};

static int run_live(void *context, const float *in, float *const *out, struct error *e)
{
    return live_run(context, in, out, e);
}

static int open_room(struct preview *p, struct error *e)
{
    const struct preview_options *o = p->options;
    if (read_named_room(&p->room, &o->common, NULL, e) || render_is_possible(p->room, e))
        return -1;
    monitor_make(&p->monitor, p->room);
    if (!p->monitor.field && (o->osc || o->hrtf.file))
        return fail(e, ERROR_USAGE,
                    "--%s: %s has no head to turn; add a receiver of type = \"ambisonic\" or \"binaural\"",
                    o->osc ? "osc" : "hrtf", o->common.arguments[0]);
    p->stages.room = p->room;
    p->stages.monitor = p->monitor;
    return o->source ? find_source(p->room, o->source, &p->stages.source, e) : 0;
}

static int open_player(struct preview *p, struct error *e)
{
    const struct preview_options *o = p->options;
    const struct player_settings settings = {.device = o->card.device,
                                             .outputs = MIXER_EARS,
                                             .inputs = o->input ? 1 : 0,
                                             .latency = o->card.latency * 1e-3,
                                             .buffered = 0.5};
    if (player_open(&p->player, &settings, e))
        return -1;
    p->stages.out_rate = player_status(p->player).rate;
    return 0;
}

/* Reports the HRTF and warns if it does not cover all directions, from all of which a room is heard. */
static int say_ears(const struct preview_options *o, const char *path, const struct hrtf *h, struct error *e)
{
    struct coverage c;
    char **warnings = NULL;
    size_t count = 0;
    int status = coverage_make(&c, (const double(*)[3])h->direction, h->directions, e);
    if (!status) {
        say_hrtf(&o->common, path, h, &c);
        status = coverage_warn(&warnings, &count, &c, NULL, NULL, path, e);
    }
    say_lines("warning", warnings, count);
    lines_free(warnings, count);
    coverage_free(&c);
    return status;
}

/* Makes the ears of the head from the HRTF of --hrtf, else from the receiver's own, else as two cardioids. */
static int make_ears(struct preview *p, const struct hrtf *given, struct error *e)
{
    const struct preview_options *o = p->options;
    const struct monitor *l = &p->monitor;
    const struct receiver *head = &p->room->receivers[l->head];
    const struct hrtf *hrtf = o->hrtf.file ? given : head->hrtf ? &head->ears : NULL;
    const char *named = o->hrtf.file ? o->hrtf.file : head->hrtf;
    if (hrtf && say_ears(o, named, hrtf, e))
        return -1;
    if (monitor_ears(&p->ears, l, hrtf, named, p->stages.out_rate, e))
        return -1;
    p->stages.ears = &p->ears;
    if (named)
        say(o->common.quiet, "head: receiver %s, order %d, HRTF %s; the left and right arrows turn it", head->name,
            l->order, named);
    else
        say(o->common.quiet,
            "head: receiver %s, order %d, two cardioids as ears; the left and right arrows turn it; use --hrtf "
            "FILE.sofa for an HRTF",
            head->name, l->order);
    return 0;
}

/* Makes the ears at the rate of the sound card. */
static int open_ears(struct preview *p, struct error *e)
{
    const struct preview_options *o = p->options;
    struct hrtf given = {.directions = 0};
    if (!p->monitor.field || (o->hrtf.file && read_hrtf(&given, &o->hrtf, e)))
        return p->monitor.field ? -1 : 0;
    const int status = make_ears(p, &given, e);
    hrtf_free(&given);
    return status;
}

static int read_dry(struct preview *p, const char *word, struct error *e)
{
    char *path;
    if (shipped_sound(&path, word, e))
        return -1;
    const int status = dry_sound_read(&p->dry, path, p->stages.out_rate, e);
    free(path);
    return status;
}

static int make_dry(struct preview *p, struct error *e)
{
    const struct preview_options *o = p->options;
    const double rate = p->stages.out_rate;
    const int status = o->input ? dry_sound_noise(&p->dry, rate, e)
                       : o->dry ? read_dry(p, o->dry, e)
                                : dry_sound_clicks(&p->dry, rate, e);
    p->stages.dry = p->dry.samples;
    p->stages.dry_frames = p->dry.frames;
    return status;
}

/* Starts stepping in real time. Returns 0; 1, with the reason on stderr, if the engine cannot; -1 on errors. */
static int try_live(struct preview *p, size_t block, struct error *e)
{
    const struct preview_options *o = p->options;
    const struct live_settings settings = {.path = p->room->path,
                                           .settings = o->common.settings,
                                           .setting_count = o->common.setting_count,
                                           .source = p->stages.source,
                                           .rate = p->stages.out_rate,
                                           .block = block,
                                           .factor_min = live_reserve,
                                           .choice = &o->choice};
    int status = live_open(&p->live, &settings, e);
    status = status ||
             live_gain(&p->live_gain, p->live, p->stages.ears, p->dry.samples, p->dry.frames, p->stages.out_rate, e);
    if (!status) {
        say(o->common.quiet,
            "live: the room is stepped %.1f times faster than real time on a grid at %.6g Hz, valid up to %.0f Hz",
            live_factor(p->live), live_grid_rate(p->live), live_valid_frequency(p->live));
        return 0;
    }
    if (e->code != ERROR_FAILED)
        return -1;
    say(false, "note: %s; using convolution instead", e->message);
    return 1;
}

/* Starts the head, which runs in the blocks of the mixer, and its tracker. */
static int start_head(struct preview *p, size_t block, struct error *e)
{
    if (!p->monitor.field)
        return 0;
    if (head_make(&p->head, &p->ears, block, e))
        return -1;
    head_turn(p->head, &p->pose);
    if (!p->options->osc)
        return 0;
    if (head_tracker_start(&p->tracker, p->options->osc, p->head, e))
        return -1;
    say(p->options->common.quiet, "head tracker: listening for Open Sound Control on UDP port %u",
        head_tracker_port(p->tracker));
    return 0;
}

/* Must be called after the mixer has stopped. */
static void end_head(struct preview *p)
{
    if (p->tracker)
        p->tracked += head_tracker_poses(p->tracker);
    head_tracker_end(p->tracker);
    if (p->head)
        p->pose = head_pose(p->head);
    head_free(p->head);
    p->tracker = NULL;
    p->head = NULL;
}

static double first_waves(const struct room *room)
{
    return room->hybrid.full ? first_below : first_stage;
}

static int start_sound(struct preview *p, size_t block, struct error *e)
{
    const double rate = p->stages.out_rate;
    const size_t mixed = p->live ? live_block(p->live) : block;
    if (start_head(p, mixed, e))
        return -1;
    const struct mixer_settings s = {
        .receivers = p->monitor.receivers,
        .field = p->monitor.field,
        .head = p->head,
        .block = mixed,
        .rate = rate,
        .live = {p->live ? run_live : NULL, p->live, p->live_gain},
    };
    if (mixer_make(&p->mixer, &s, e))
        return -1;
    mixer_choose(p->mixer, p->receiver); /* keeps the state set by keys */
    mixer_set_dry(p->mixer, p->hears_dry);
    mixer_set_paused(p->mixer, p->paused);
    mixer_set_level(p->mixer, p->level);
    const struct feeder_settings f = {.player = p->player,
                                      .mixer = p->mixer,
                                      .dry = p->options->input ? NULL : p->dry.samples,
                                      .dry_frames = p->dry.frames,
                                      .rate = rate,
                                      .ahead = p->options->input ? 0.0 : file_ahead};
    if (feeder_start(&p->feeder, &f, e))
        return -1;
    return p->live ? 0 : refiner_start(&p->refiner, &p->stages, first_waves(p->room), p->mixer, e);
}

static struct preview_state look(struct preview *p)
{
    struct preview_state state = {
        .paused = p->paused,
        .hears_dry = p->hears_dry,
        .live = p->live != NULL,
        .receiver = p->receiver,
        .has_head = p->head != NULL,
        .tracked = p->tracked + (p->tracker ? head_tracker_poses(p->tracker) : 0),
        .level = p->level,
        .load = feeder_load(p->feeder),
        .mixed = mixer_status(p->mixer),
        .sound = player_status(p->player),
    };
    if (p->head)
        state.pose = head_pose(p->head);
    if (p->live)
        state.room = (struct refiner_status){.grid_rate = live_grid_rate(p->live),
                                             .valid_frequency = live_valid_frequency(p->live)};
    else
        state.room = refiner_status(p->refiner);
    return state;
}

static void print_line(struct preview *p, bool terminal)
{
    struct preview_state state = look(p);
    state.reduction = mixer_reduction(p->mixer);
    preview_print_line(&state, terminal);
}

/* Turns the head by `left` degrees; 0 turns it to the front. */
static void turn_head(struct preview *p, double left)
{
    struct head_pose pose = {0.0, 0.0, 0.0};
    if (!p->head)
        return;
    if (left != 0.0) {
        pose = head_pose(p->head);
        pose.yaw += left;
    }
    head_turn(p->head, &pose);
}

/* Handles a key; returns false to quit. */
static bool press(struct preview *p, int key)
{
    if (key == 'q' || key == 'Q' || key == 4)
        return false;
    if (key == ' ')
        mixer_set_paused(p->mixer, p->paused = !p->paused);
    else if (key == 'd' || key == 'D')
        mixer_set_dry(p->mixer, p->hears_dry = !p->hears_dry);
    else if (key == '+' || key == '=')
        mixer_set_level(p->mixer, p->level = fmin(p->level + 1.0, 40.0));
    else if (key == '-' || key == '_')
        mixer_set_level(p->mixer, p->level = fmax(p->level - 1.0, -80.0));
    else if (key == KEY_LEFT || key == KEY_RIGHT)
        turn_head(p, key == KEY_LEFT ? yaw_step : -yaw_step);
    else if (key == KEY_UP)
        turn_head(p, 0.0);
    else if (key == '0' || (key >= '1' && key <= '9' && (size_t)(key - '1') < p->monitor.receivers))
        mixer_choose(p->mixer, p->receiver = key - '1');
    return true;
}

enum ending { ENDED, ENDED_BADLY = -1, ENDED_BEHIND = 1 /* the live engine fell behind real time */ };

/* Reports why refinement stopped. This is an error if there is no response at all, else a note. */
static int tell_failure(const struct preview *p, bool terminal, struct error *e)
{
    const struct refiner_status refined = refiner_status(p->refiner);
    if (!(refined.band > 0.0)) {
        *e = refined.error;
        return -1;
    }
    if (terminal)
        fputc('\n', stderr);
    say(false, "note: cannot be refined further: %s", refined.error.message);
    return 0;
}

/* Plays until q, Ctrl-C, --seconds or the loss of the device. */
static enum ending listen(struct preview *p, struct error *e)
{
    const bool terminal = isatty(STDERR_FILENO);
    const double start = clock_seconds(), limit = p->options->seconds;
    double shown = start - 10.0, in_time = start;
    bool told = false, reopened = false, behind = false;
    keyboard_open();
    int status = player_start(p->player, e);
    while (!status && !stop_requested() && (limit <= 0.0 || clock_seconds() - start < limit)) {
        const int key = keyboard_key(look_seconds);
        if (key >= 0 && !press(p, key))
            break;
        status = player_check(p->player, e);
        if (!status)
            say_reopened(&p->options->common, p->player, &reopened, terminal ? "\n" : "");
        const struct mixer_status mixed = mixer_status(p->mixer);
        if (!status && p->refiner && !told && (told = refiner_status(p->refiner).failed))
            status = tell_failure(p, terminal, e);
        const double now = clock_seconds();
        if (!p->live || (feeder_load(p->feeder) < 1.0 && !mixed.failed))
            in_time = now;
        else if ((behind = mixed.failed || now - in_time > behind_seconds))
            break;
        if (!p->options->common.quiet && (key >= 0 || now - shown > (terminal ? 0.2 : 2.0))) {
            print_line(p, terminal);
            shown = now;
        }
    }
    keyboard_close();
    if (terminal && !p->options->common.quiet)
        fputc('\n', stderr);
    return status ? ENDED_BADLY : behind ? ENDED_BEHIND : ENDED;
}

static void end(struct preview *p)
{
    feeder_end(p->feeder);
    refiner_end(p->refiner); /* before the mixer, to which it may still pass a response */
    mixer_free(p->mixer);
    end_head(p);
    player_close(p->player);
    live_close(p->live);
    room_free(p->room);
    dry_sound_free(&p->dry);
    ear_filters_free(&p->ears);
}

/* Continues by convolution after the live engine has become too slow. */
static int give_up_live(struct preview *p, size_t block, struct error *e)
{
    say(false, "note: the live engine fell behind real time; using convolution instead");
    feeder_end(p->feeder);
    p->earlier = mixer_status(p->mixer);
    mixer_free(p->mixer);
    end_head(p);
    live_close(p->live);
    p->feeder = NULL;
    p->mixer = NULL;
    p->live = NULL;
    return start_sound(p, block, e);
}

/* Prints the summary of the session, and its JSON. */
static int sum_up(struct preview *p, struct error *e)
{
    struct preview_state state = look(p);
    struct mixer_status *m = &state.mixed;
    m->peak = fmax(m->peak, p->earlier.peak);
    m->reduction = fmax(m->reduction, p->earlier.reduction);
    m->limited += p->earlier.limited;
    m->seconds += p->earlier.seconds;
    if (!p->options->common.quiet)
        preview_print_summary(&state);
    return p->options->common.json ? preview_print_json(&state, p->room->path, e) : 0;
}

/* Writes coarse responses instead of playing. */
static int write_stages(struct preview *p, struct error *e)
{
    const struct preview_options *o = p->options;
    if (read_named_room(&p->room, &o->common, NULL, e) || render_is_possible(p->room, e))
        return -1;
    p->stages.room = p->room;
    p->stages.out_rate = p->room->output.rate > 0.0 ? p->room->output.rate : file_rate;
    if (o->source && find_source(p->room, o->source, &p->stages.source, e))
        return -1;
    return make_dry(p, e) ? -1 : preview_stages(&p->stages, o->stages, first_waves(p->room), e);
}

static int check_words(const struct preview_options *o, struct error *e)
{
    if (!o->common.argument_count)
        return fail(e, ERROR_USAGE, "no room file; use aula preview ROOM.cfg [--dry FILE | --input]");
    if (o->dry && o->input)
        return fail(e, ERROR_USAGE, "--dry and --input exclude each other; remove one of them");
    if (o->stages && (o->input || o->live || o->osc))
        return fail(e, ERROR_USAGE, "--stages writes files and plays nothing; remove --input, --live and --osc");
    if (latency_check(&o->card, e))
        return -1;
    return o->osc ? head_tracker_check(o->osc, e) : 0;
}

static int run(void *options, struct error *e)
{
    const struct preview_options *o = options;
    struct preview p = {.options = o, .receiver = -1};
    const size_t block = o->input ? INPUT_BLOCK : BLOCK;
    if (o->list)
        return sound_devices_list(stdout, e);
    if (check_words(o, e))
        return -1;
    p.stages = (struct stages){.choice = &o->choice, .block = block};
    if (o->stages) {
        const int written = write_stages(&p, e);
        end(&p);
        return written;
    }
    int status = open_room(&p, e) || open_player(&p, e) || open_ears(&p, e) || make_dry(&p, e);
    if (!status) {
        say_engines_passed_over(&o->choice, &o->common);
        say_more(&o->common, "sound card at %g Hz, in blocks of %zu frames", p.stages.out_rate, block);
    }
    if (!status && o->live)
        status = try_live(&p, block, e) < 0;
    status = status || start_sound(&p, block, e);
    enum ending ending = status ? ENDED_BADLY : listen(&p, e);
    if (ending == ENDED_BEHIND)
        ending = give_up_live(&p, block, e) ? ENDED_BADLY : listen(&p, e);
    if (ending == ENDED)
        status = sum_up(&p, e);
    end(&p);
    return ending == ENDED && !status ? 0 : -1;
}

static const struct option_row dry = {
    "dry",       0,
    OPTION_TEXT, OPTION_AT(OWN, preview_options, dry),
    "FILE",      "loop this dry sound, a file or one that ships (default: one click per second)"};
static const struct option_row input = {"input",     0,
                                        OPTION_FLAG, OPTION_AT(OWN, preview_options, input),
                                        NULL,        "hear the input of the sound card in the room"};
static const struct option_row live = {"live",      0,
                                       OPTION_FLAG, OPTION_AT(OWN, preview_options, live),
                                       NULL,        "step the room itself in real time if the engine is fast enough"};
static const struct option_row list = {
    "list", 0, OPTION_FLAG, OPTION_AT(OWN, preview_options, list), NULL, "list the sound cards"};
static const struct option_row seconds = {
    "seconds", 0, OPTION_NUMBER, OPTION_AT(OWN, preview_options, seconds), "N", "stop after N seconds"};
static const struct option_row source = {"source",    0,
                                         OPTION_TEXT, OPTION_AT(OWN, preview_options, source),
                                         "NAME",      "choose the source (default: the first)"};
static const struct option_row hrtf = {
    "hrtf",      0,
    OPTION_TEXT, OPTION_AT(HRTF, hrtf_options, file),
    "FILE.sofa", "hear an ambisonic receiver through this HRTF (SimpleFreeFieldHRIR)"};
static const struct option_row osc = {
    "osc",
    0,
    OPTION_TEXT,
    OPTION_AT(OWN, preview_options, osc),
    "[ADDRESS:]PORT",
    "listen on this UDP port for a head tracker by Open Sound Control (default address: 127.0.0.1)"};
static const struct option_row stages = {
    "stages",    0,
    OPTION_TEXT, OPTION_AT(OWN, preview_options, stages),
    "FOLDER",    "write the coarse responses as WAV files into FOLDER and play nothing"};
static const struct option_row *const options[] = {
    &dry,
    &input,
    &live,
    &stages,
    &source,
    &hrtf,
    &option_distance,
    &osc,
    &option_sound_device,
    &list,
    &option_latency,
    &seconds,
    &option_set,
    &option_engine,
    &option_kernel,
    &option_threads,
    &option_json,
    &option_quiet,
    &option_verbose,
    &option_help,
    NULL,
};

const struct command command_preview = {
    .name = "preview",
    .synopsis = "ROOM.cfg [--dry FILE | --input] [--live] [--hrtf FILE.sofa] [--stages FOLDER]",
    .meaning = "listen to a room while its response is computed",
    .details =
        "Sound starts within seconds from a coarse model of the room, which is refined up to the rate of the room "
        "file.\n"
        "Keys: space pause, 1-9 receiver, 0 first two receivers as left and right, d dry or wet, + - level, q quit.\n"
        "If a receiver is ambisonic or binaural, 0 selects its head, the left and right arrows turn it by 5 degrees,\n"
        "and up turns it to the front. The status line shows grid rate, valid band, load, underruns and the gain\n"
        "reduction of the limiter.\n",
    .options = options,
    .arguments_min = 0,
    .arguments_max = 1,
    .options_size = sizeof(struct preview_options),
    .groups = {[GROUP_CHOICE] = offsetof(struct preview_options, choice),
               [GROUP_HRTF] = offsetof(struct preview_options, hrtf),
               [GROUP_CARD] = offsetof(struct preview_options, card)},
    .run = run,
};
