/* aula synth: from a room file with instruments and a score to a sound file. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/text.h"
#include "cmd/cmd.h"
#include "cmd/outputs.h"
#include "cmd/piece_picture.h"
#include "cmd/progress.h"
#include "cmd/say.h"
#include "cmd/setup_watch.h"
#include "cmd/shipped.h"
#include "synth/session.h"

struct work {
    struct room *room;
    struct session session;
    struct take take;
    struct sound_names names;
};

/* Checks the files, and that they can hold the sound: FLAC holds less than WAV. */
static int check_outputs(const struct work *w, const struct options *o, struct error *e)
{
    const char *const outputs[OUTPUTS] = {w->names.sound, w->names.json, o->plot};
    struct room *room = w->room;
    const size_t channels = (w->session.model ? room_channel_count(room) : 0) + room->pickup_count;
    if (plot_check_name(o->plot, e))
        return -1;
    if (o->json && !w->names.json)
        return fail(e, ERROR_USAGE, "-o - and --json: standard output takes one of them");
    if (outputs_settle_format(room, o, w->names.sound, channels,
                              room->output.rate > 0.0 ? room->output.rate : w->session.rate, e) ||
        outputs_keep_inputs(room, outputs, e))
        return -1;
    return outputs_check(outputs, OUTPUTS, o->no_clobber, e);
}

static void describe(const struct work *w, const struct options *o)
{
    const struct session *s = &w->session;
    if (s->model)
        say(o->quiet, "%s: %zu x %zu x %zu points of %.4g m at %.6g Hz, %s precision; believable to %.0f Hz",
            w->room->path, s->model->grid.points[0], s->model->grid.points[1], s->model->grid.points[2],
            s->model->grid.spacing, s->rate, precision_names[w->room->grid.precision], s->model->grid.valid_frequency);
    else
        say(o->quiet, "%s: the instruments alone, at %.6g steps a second", w->room->path, s->rate);
    if (!o->quiet) {
        if (s->model)
            say_lines("note", s->model->notes, s->model->note_count);
        say_lines("note", s->ensemble->notes, s->ensemble->note_count);
    }
    if (s->model)
        say_lines("warning", s->model->warnings, s->model->warning_count);
    say_lines("warning", s->ensemble->warnings, s->ensemble->warning_count);
    say_lines("warning", s->warnings, s->warning_count);
}

/* Pressures and velocities have no common scale: a gain for each kind. */
static void normalise(double gain[2], const struct work *w)
{
    const struct response *parts[] = {&w->take.air, &w->take.pickups};
    for (int i = 0; i < 2; i++) {
        const double peak = response_peak(parts[i]);
        gain[i] = w->room->output.normalise == NORMALISE_PEAK && peak > 0.0 ? 1.0 / peak : 1.0;
    }
}

static int write_sound(struct output_file *file, const struct work *w, const double gain[2], struct audio *format,
                       struct audio_written *written, struct error *e)
{
    const char **names;
    if (take_mix(format, &names, &w->take, &w->session, gain, e))
        return -1;
    const struct audio_description d = {w->room->output.format, "piece",
                                        w->session.model ? "instruments in the air of a room, by aula synth"
                                                         : "instruments alone, by aula synth",
                                        names};
    const int status = audio_write_to(file, format, &d, written, e);
    free(format->samples);
    format->samples = NULL;
    free(names);
    return status;
}

/* Both files take their names together: no sound without its description. */
static int write_files(const struct work *w, const double gain[2], const struct options *o, struct error *e)
{
    struct output_file pair[2];
    struct audio audio;
    struct audio_written written;
    char *text = NULL;
    const char *said = output_said(w->names.sound), *json = w->names.json;
    if (sound_pair_open(pair, &w->names, o->no_clobber, e))
        return -1;
    int status = write_sound(&pair[0], w, gain, &audio, &written, e);
    if (!status && json && !(text = take_json(&w->take, &w->session, &written, path_name(w->names.sound), gain)))
        status = fail(e, ERROR_MEMORY, "out of memory");
    if (status)
        sound_pair_discard(pair);
    else
        status = sound_pair_commit(pair, text, e);
    if (!status && o->json)
        printf("%s\n", text);
    free(text);
    if (status)
        return -1;
    if (written.gain != 1.0)
        say(false, "warning: %s: the peak is above full scale: the whole file is scaled by %.6g (%.2f dB)", said,
            written.gain, 20.0 * log10(written.gain));
    say_faint(said, w->room->output.format,
              fmax(response_peak(&w->take.air) * gain[0], response_peak(&w->take.pickups) * gain[1]),
              "--set output.normalise=peak");
    say(o->quiet, "%s: %zu channel%s (%zu of air in Pa, %zu pickup%s in m/s) of %.3g s at %.6g Hz, %s%s%s", said,
        audio.channels, audio.channels == 1 ? "" : "s", w->take.air.channels, w->take.pickups.channels,
        w->take.pickups.channels == 1 ? "" : "s", (double)audio.frames / audio.rate, audio.rate,
        format_names[w->room->output.format], json ? "; described in " : "", json ? json : "");
    return 0;
}

static int play(struct work *w, const struct options *o, struct error *e)
{
    struct progress progress;
    const struct watch watch = {progress_look, &progress};
    const struct session *s = &w->session;
    char took[32];
    progress_start(&progress, "piece", o->quiet);
    int status = take_make(&w->take, s, &o->choice, &watch, e);
    progress_end(&progress);
    if (status && e->code == ERROR_STOPPED) {
        const struct error reason = *e;
        fail(e, ERROR_STOPPED, "%.300s; nothing was kept", reason.message);
    }
    if (status)
        return -1;
    const struct block_outcome *outcome = &w->take.outcome;
    if (*w->take.requirement.passed_over)
        say(o->quiet, "note: not on the %s", w->take.requirement.passed_over);
    say_more(o, "%zu steps in %s by %s/%s: %.3g times real time", s->output.length.steps,
             say_duration(took, outcome->seconds), w->take.requirement.engine, w->take.requirement.kernel,
             (double)s->output.length.steps / s->rate / outcome->seconds);
    if (outcome->audit.balanced)
        say_more(o, "energy residual %.1e", outcome->energy_residual);
    return 0;
}

static int run(const struct options *o, struct error *e)
{
    struct work w = {0};
    double gain[2];
    setup_watch_start(o->arguments[0], o->quiet);
    int status = read_named_room(&w.room, o, e) || session_make(&w.session, w.room, o->instruments_alone, e) ||
                 sound_names_make(&w.names, o->output, w.room->path, NULL, e) || check_outputs(&w, o, e) ||
                 session_check(&w.session, &o->choice, e);
    if (!status) {
        describe(&w, o);
        say_engines_passed_over(o);
        status = play(&w, o, e);
    }
    if (!status) {
        normalise(gain, &w);
        status = write_files(&w, gain, o, e);
    }
    if (!status && o->plot)
        status = picture_of_piece(o->plot, &w.session, &w.take, e);
    setup_watch_stop();
    say_phases(o);
    take_free(&w.take);
    session_free(&w.session);
    sound_names_free(&w.names);
    room_free(w.room);
    return status ? -1 : 0;
}

static const struct option_row alone = {"dry",       0,
                                        OPTION_FLAG, offsetof(struct options, instruments_alone),
                                        NULL,        "the instruments alone, heard by their pickups: no room, no air"};

static const struct option_row *const options[] = {
    &option_output, &option_set,     &option_format,     &alone,
    &option_plot,   &option_engine,  &option_kernel,     &option_threads,
    &option_device, &option_no_tune, &option_no_clobber, &option_json,
    &option_quiet,  &option_verbose, &option_help,       NULL,
};

const struct command command_synth = {
    .name = "synth",
    .synopsis = "PIECE.cfg [-o NAME.wav] [--dry] [--plot NAME.svg] [--set KEY=VALUE ...]",
    .meaning = "instruments played in the air of a room, to a WAV file",
    .details =
        "PIECE.cfg is a room file with `instruments` and a `score` (its own events, or a MIDI or CSV file). One "
        "channel\nfor each receiver (Pa), then one for each pickup (m/s); NAME.json beside it, which `aula synth "
        "NAME.json`\nplays again. --plot draws the spectrogram of the first channel. aula info --keys lists "
        "every\nkey, "
        "rooms/instruments.cfg the presets.\n",
    .options = options,
    .arguments_min = 1,
    .arguments_max = 1,
    .run = run,
};
