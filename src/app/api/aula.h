/* SPDX-License-Identifier: MIT */
/* aula: room acoustics by finite differences in time. The C interface of libaula.
 *
 * Conventions
 *   units      SI: metres, seconds, hertz, pascal; temperatures in degrees Celsius.
 *   axes       Right-handed, z up; the room spans 0..size.
 *   level      A source of strength x (Pa m) arrives in free field as x(t - r/c)/(4 pi r) Pa.
 *   time       Sample 0 of a response is the instant of emission: the direct sound begins at r/c.
 *   samples    Planar doubles, [channel][frame]. The channels of a response follow the order of the receivers.
 *   indices    Count from 0.
 *   errors     Functions with an `error` parameter return 0 on success. On failure they return nonzero, fill *error
 *              (`error` may be NULL) and set their result to NULL. Messages name a parameter, or a member of a struct,
 *              by its own name alone, so that they fit other languages. A NULL argument that must not be NULL and a number
 *              out of range are such failures. Functions without an `error` parameter accept NULL handles and indices
 *              beyond the last; they then return 0, NULL or NaN as documented.
 *   ownership  You close every handle that a function returns through a pointer to a pointer; closing NULL is allowed.
 *              Strings and arrays belong to the handle they were obtained from and are valid until it is closed. A
 *              response remains valid after its room is closed.
 *   threads    Different rooms may be used from different threads. A room, and everything made from it, may be used
 *              from one thread at a time. The CPU engine starts threads of its own.
 *   locale     Numbers are read and written with a decimal point in any locale; the program's locale is not changed.
 *   versions   0.x: a program works with later libraries of the same minor version. Structs end in `reserved` members
 *              for future extensions: zero every struct before you fill it.
 *
 * Typical use
 *     struct aula_error error;
 *     struct aula_room *room;
 *     struct aula_response *response;
 *     const char *settings[] = {"time.duration=0.5"};
 *     if (aula_room_open(&room, "rooms/studio.cfg", settings, 1, &error)) { puts(error.message); return 1; }
 *     if (!aula_render(&response, room, 0, NULL, &error)) {
 *         const double *left = aula_response_samples(response, 0);
 *         ...
 *         aula_response_close(response);
 *     }
 *     aula_room_close(room);
 *
 * Contents
 *   1 Library       errors, version, stopping, files that ship
 *   2 Rooms         open a room file; grid, sources, receivers
 *   3 Materials     of a room, and the library of materials
 *   4 Responses     render them and write them
 *   5 Parameters    ISO 3382-1, and IEC 60268-16 for speech
 *   6 Differences   between responses, in just noticeable differences
 *   7 Targets       of standards
 *   8 Auralization  dry sounds in the room
 *   9 Sweeps        measured responses
 *   10 Open-plan offices  ISO 3382-3
 *   11 Modes        of a room: frequency, decay, order, level at its places
 *   12 Places       for subwoofers and pairs of loudspeakers, with an equaliser
 *   13 Calibration  absorption of a room's materials from measured responses
 *   14 Summaries    of data sets: spread of the parameters, and the keys that explain it
 *   15 Layers       absorption, admittance and resonances of a material, without a room
 *   16 Pictures     maps of parameters, films, reports
 *   17 Instruments  played by the score of a room file
 *   18 Data sets    plans of many rooms: render, list, merge
 *   19 Preview      a room that is heard while it is computed */
#ifndef AULA_H
#define AULA_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

#define AULA_API __attribute__((visibility("default")))

/* Version of this header: major * 10000 + minor * 100 + patch, so that 100 means 0.1.0. */
#define AULA_HEADER_VERSION 100

struct aula_error {
    int exit_status;    /* exit status of the program aula for this error: 1 the work failed, 2 the input is wrong */
    char message[4096]; /* one line; for a room file with several mistakes one line each, separated by newlines */
};

struct aula_room;
struct aula_response;
struct aula_metrics;
struct aula_sound;
struct aula_library;
struct aula_deconvolution;
struct aula_open_plan;
struct aula_modes;
struct aula_place;
struct aula_calibration;
struct aula_summary;
struct aula_material;
struct aula_map;
struct aula_preview;
struct aula_report;
struct aula_batch;
struct aula_take;

/* ---- 1 Library ---- */

/* Version of the library, as "0.1.0" and in the form of AULA_HEADER_VERSION. */
AULA_API const char *aula_version(void);
AULA_API int aula_version_number(void);

/* Stops all running calls of this process, in every thread: they soon fail as if `progress` had returned nonzero. So do
 * calls that begin before all of these have ended; later calls are not affected. May be called from any thread and from
 * a signal handler. */
AULA_API void aula_stop(void);

/* Writes the path of a file that ships with aula, such as "rooms/studio.cfg" or "sounds/voice.flac", to path[size]. Fails
 * if there is no such file or the path does not fit. */
AULA_API int aula_data_path(char *path, size_t size, const char *name, struct aula_error *error);

/* ---- 2 Rooms ---- */

/* Reads a room file, or the JSON beside a rendered file, applies settings[setting_count] such as "grid.rate=48000" (NULL
 * if there are none), and builds the grid for responses to one source. */
AULA_API int aula_room_open(struct aula_room **room, const char *path, const char *const *settings,
                            size_t setting_count, struct aula_error *error);
/* Does the same for the text of a room file or of such a JSON. `name` takes the place of its path in messages
 * ("name:12: grid.rate: ..") and descriptions; files that the text names are relative to the folder of `name`. */
AULA_API int aula_room_open_text(struct aula_room **room, const char *name, const char *text,
                                 const char *const *settings, size_t setting_count, struct aula_error *error);
AULA_API void aula_room_close(struct aula_room *room);

/* The complete description of the room as JSON: the keys of the room file with all defaults and the definitions of the
 * materials in use. aula_room_open_text reads it as the same room. NULL for NULL and if out of memory. */
AULA_API const char *aula_room_json(struct aula_room *room);

struct aula_grid {
    size_t points[3];       /* 7-point scheme: at the centres of the cells; 19-point scheme: at their corners */
    double spacing;         /* m, between grid points */
    double rate;            /* Hz */
    double size[3];         /* m, rounded to whole cells */
    double sound_speed;     /* m/s */
    double valid_frequency; /* Hz: the wave solver is valid up to this frequency (docs/science/accuracy.md) */
    double reserved[8];     /* 0 */
};
/* Fills *grid. Returns 0; nonzero if an argument is NULL, in which case *grid is all zeros. */
AULA_API int aula_room_grid(const struct aula_room *room, struct aula_grid *grid);

/* Volume in m3 of the air that the sources reach, on the grid and without objects. NaN for NULL. */
AULA_API double aula_room_volume(const struct aula_room *room);

AULA_API size_t aula_room_source_count(const struct aula_room *room);   /* 0 for NULL */
AULA_API size_t aula_room_receiver_count(const struct aula_room *room); /* 0 for NULL */
AULA_API size_t aula_room_receiver_channels(const struct aula_room *room,
                                            size_t receiver); /* in a response, 1 for omni; 0 beyond the last */
AULA_API const char *aula_room_source_name(const struct aula_room *room, size_t source);     /* NULL beyond the last */
AULA_API const char *aula_room_receiver_name(const struct aula_room *room, size_t receiver); /* NULL beyond the last */

/* Positions [x y z] in m: as requested, and the weighted centre of the grid points that represent it, which differs next
 * to walls. Either array may be NULL. Returns 0; nonzero beyond the last and for a NULL room, in which case the arrays
 * are NaN. */
AULA_API int aula_room_source_position(const struct aula_room *room, size_t source, double asked[3], double placed[3]);
AULA_API int aula_room_receiver_position(const struct aula_room *room, size_t receiver, double asked[3],
                                         double placed[3]);

/* Remarks about the room as it will be simulated, one line each: simplifications, rounding, clamped absorption, former
 * names of keys. NULL beyond the last. */
AULA_API const char *aula_room_remark(const struct aula_room *room, size_t index);

/* ---- 3 Materials of a room, in the order of their first use ---- */

/* Octave bands, 63 Hz to 8 kHz. */
#define AULA_OCTAVES 8
AULA_API double aula_octave_centre(size_t band); /* Hz; NaN beyond the last */

enum aula_material_kind {
    AULA_MATERIAL_NONE,      /* beyond the last, or a NULL room */
    AULA_MATERIAL_RIGID,     /* zero admittance */
    AULA_MATERIAL_FIXED,     /* zero pressure */
    AULA_MATERIAL_ABSORPTION /* a specific admittance, which absorbs */
};
AULA_API size_t aula_room_material_count(const struct aula_room *room);                      /* 0 for NULL */
AULA_API const char *aula_room_material_name(const struct aula_room *room, size_t material); /* NULL beyond the last */
AULA_API enum aula_material_kind aula_room_material_kind(const struct aula_room *room, size_t material);

/* Random-incidence absorption coefficients by octave, 0..1. `target` is the requested coefficient, `fitted` the octave
 * mean of the wall in the simulation; in octaves that are not entirely within the valid band, `fitted` is the material's
 * own coefficient. NaN if none was requested (a material defined by impedance or branches) or if p = 0. Either array may
 * be NULL. Returns 0; nonzero beyond the last and for a NULL room, in which case the arrays are NaN. */
AULA_API int aula_room_material_absorption(const struct aula_room *room, size_t material, double target[AULA_OCTAVES],
                                           double fitted[AULA_OCTAVES]);

/* Scattering coefficients of ray tracing by octave, 0..1; the wave solver does not use them. Returns 0; nonzero beyond
 * the last and for a NULL room, in which case the array is NaN. */
AULA_API int aula_room_material_scattering(const struct aula_room *room, size_t material,
                                           double scattering[AULA_OCTAVES]);
/* Area in m2 of the material exposed to the air, measured on the true surface and not on its cells. NaN beyond the
 * last. */
AULA_API double aula_room_material_area(const struct aula_room *room, size_t material);
/* Publication of the material data. NULL if none is stated, and beyond the last. */
AULA_API const char *aula_room_material_source(const struct aula_room *room, size_t material);

/* The wall's admittance relative to the characteristic admittance of air: a real part in parallel with RLC branches,
 *     Y(w) = admittance + sum of 1/(jw D + E + F/(jw)), branch = [D s, E, F 1/s],
 * after Bilbao, Hamilton, Botts and Savioja, IEEE/ACM TASLP 24(1), 161-173, 2016. These are the values that the wave
 * solver steps; on a grid whose responses are corrected by a frequency map, they differ from the wall in the response
 * (docs/science/walls.md). The first two functions return NaN and 0 beyond the last and for a NULL room.
 * aula_room_material_branch returns 0; nonzero beyond the last, in which case `branch` is NaN. */
AULA_API double aula_room_material_admittance(const struct aula_room *room, size_t material);
AULA_API size_t aula_room_material_branch_count(const struct aula_room *room, size_t material);
AULA_API int aula_room_material_branch(const struct aula_room *room, size_t material, size_t index, double branch[3]);

/* The library of materials, which every room file may use by name. */
AULA_API int aula_library_open(struct aula_library **library, struct aula_error *error);
AULA_API void aula_library_close(struct aula_library *library);
AULA_API size_t aula_library_material_count(const struct aula_library *library);                      /* 0 for NULL */
AULA_API const char *aula_library_material_name(const struct aula_library *library, size_t material); /* NULL beyond */
AULA_API const char *aula_library_material_source(const struct aula_library *library, size_t material); /* likewise */
/* Random-incidence absorption and scattering coefficients by octave, 0..1; of layers, the mean over the octave as they
 * react locally. Either array may be NULL. Returns 0; nonzero beyond the last, in which case the arrays are NaN. */
AULA_API int aula_library_material_absorption(const struct aula_library *library, size_t material,
                                              double absorption[AULA_OCTAVES], double scattering[AULA_OCTAVES]);

/* Reads a table of absorption as `aula materials import` does: CSV, or the lists of CATT and ODEON. `format`: "csv",
 * "catt" or "odeon"; NULL: by the content. `source` names the publication of the values. Absorption may exceed 1, as in
 * the table; octaves that the table lacks repeat the nearest one; scattering is that of smooth walls where the table has none. */
AULA_API int aula_library_import(struct aula_library **library, const char *path, const char *format,
                                 const char *source, struct aula_error *error);
/* The imported materials as the command writes them, a part of a room file; NULL for the library that ships. */
AULA_API const char *aula_library_text(const struct aula_library *library);
/* Notes about the table, such as values that no wall can have; NULL beyond the last. */
AULA_API const char *aula_library_note(const struct aula_library *library, size_t index);

/* ---- 4 Responses ---- */

/* Options of aula_render. A zeroed struct, or NULL, chooses everything automatically. */
struct aula_options {
    const char *engine; /* "auto", "cpu" or "cuda"; NULL: auto */
    int threads;        /* of the cpu engine, 1 to 4096; 0: the default of OpenMP */
    /* Called a few times a second with the completed fraction, 0..1, in the thread and locale of the caller; nonzero
     * stops the work. The fraction decreases if time.duration = "auto" extends the response. */
    int (*progress)(void *context, double share);
    void *context;
    void *reserved[8]; /* NULL */
};

/* As `source`: renders all sources together into one response. */
#define AULA_ALL_SOURCES ((size_t)-1)

/* Renders the response of every receiver to one source. output.rate, filter and dispersion apply; output.format and
 * normalise concern only files. */
AULA_API int aula_render(struct aula_response **response, const struct aula_room *room, size_t source,
                         const struct aula_options *options, struct aula_error *error);
AULA_API void aula_response_close(struct aula_response *response);

/* Warnings of the render, such as a receiver that no sound reaches; NULL beyond the last. */
AULA_API const char *aula_response_warning(const struct aula_response *response, size_t index);

AULA_API size_t aula_response_channels(const struct aula_response *response); /* 0 for NULL */
AULA_API size_t aula_response_frames(const struct aula_response *response);   /* 0 for NULL */
AULA_API double aula_response_rate(const struct aula_response *response);     /* Hz; NaN for NULL */
/* The valid band [low high] of the response in Hz, including rays with hybrid.full. Returns 0; nonzero for NULL, in
 * which case the array is NaN. */
AULA_API int aula_response_band(const struct aula_response *response, double band[2]);
/* Samples [frames] of one channel; NULL beyond the last. Channels are contiguous: the pointer for channel 0 is an array
 * [channels][frames]. */
AULA_API const double *aula_response_samples(const struct aula_response *response, size_t channel);
/* 1 for an impulse response, which sounds can be convolved with; 0 for a recorded signal in Pa and for NULL. */
AULA_API int aula_response_is_filter(const struct aula_response *response);

/* Writes sound files and the JSON beside each as `aula render -o path` does: `path` itself for one response,
 * NAME_SOURCE.wav for the responses to all sources of one room, in their order, with a common gain if output.normalise
 * requires one. output.format applies. Each file is complete or absent. */
AULA_API int aula_responses_write(const struct aula_response *const *responses, size_t count, const char *path,
                                  struct aula_error *error);

/* Writes SOFA files (AES69) as `aula render --sofa` does: `path`, which ends in .sofa, for the omni receivers, and
 * NAME_RECEIVER.sofa for each other receiver; SingleRoomSRIR for one response, SingleRoomMIMOSRIR for those to several
 * sources. Receivers of velocities have none. Each file is complete or absent. Fails without netCDF. */
AULA_API int aula_responses_write_sofa(const struct aula_response *const *responses, size_t count, const char *path,
                                       struct aula_error *error);
/* Writes SOFA files as `aula render --sofa-positions` does, each place of a receiver a position of the listener: `path` for
 * one response, NAME_SOURCE.sofa for those to all sources. Fails if the receivers record in different ways. */
AULA_API int aula_responses_write_positions(const struct aula_response *const *responses, size_t count,
                                            const char *path, struct aula_error *error);

/* Everything but the samples of a response, as JSON: with the samples and the room it makes the response again, also in
 * another process. NULL for NULL and if out of memory. */
AULA_API const char *aula_response_json(struct aula_response *response);
/* Makes a response again from samples[channels][frames], which are copied, and the text of aula_response_json. `room`: one
 * of the same description. Libraries of the same minor version read each other's texts. */
AULA_API int aula_response_of_samples(struct aula_response **response, const struct aula_room *room, const char *json,
                                      const double *samples, size_t channels, size_t frames, struct aula_error *error);

/* ---- 5 Acoustic parameters: ISO 3382-1, and IEC 60268-16 for speech ---- */

enum aula_metric {
    AULA_EDT,   /* early decay time, s */
    AULA_T20,   /* reverberation time from -5 to -25 dB, s */
    AULA_T30,   /* reverberation time from -5 to -35 dB, s */
    AULA_C50,   /* clarity, dB */
    AULA_C80,   /* clarity, dB */
    AULA_D50,   /* definition, 0..1 */
    AULA_TS,    /* centre time, s */
    AULA_G,     /* strength, dB */
    AULA_RANGE, /* dynamic range in dB from the start of the decay to its truncation by noise or the end */
    /* Only in files, for directional receivers: ambisonic and figure-of-eight (LF, LFC, LG) or binaural (IACC). */
    AULA_LF,         /* early lateral energy fraction */
    AULA_LFC,        /* early lateral energy fraction from |p_L p| */
    AULA_LG,         /* late lateral level, dB */
    AULA_IACC_EARLY, /* interaural cross-correlation of the first 80 ms, 0..1 */
    AULA_IACC_LATE,  /* interaural cross-correlation after 80 ms, 0..1 */
    AULA_IACC,       /* interaural cross-correlation of the whole response, 0..1 */
};

/* The name of a parameter, such as "T30", its unit, such as "s" ("" if none), and its description. Parameters are
 * numbered from 0; NULL beyond the last. */
AULA_API const char *aula_metric_name(enum aula_metric metric);
AULA_API const char *aula_metric_unit(enum aula_metric metric);
AULA_API const char *aula_metric_meaning(enum aula_metric metric);

/* Index of the broad band, after the AULA_OCTAVES octaves. */
#define AULA_BROAD_BAND AULA_OCTAVES

enum aula_validity {
    AULA_OUTSIDE, /* the band lies outside the valid band and has no parameters. Also beyond the last */
    AULA_PARTLY,  /* one edge lies outside the valid band: parameters exist and should be marked */
    AULA_VALID    /* both edges lie within the valid band */
};

/* Computes the parameters of every channel of a response. A silent channel has none, with silence as the reason; it is
 * an error if all channels are silent. */
AULA_API int aula_metrics_of_response(struct aula_metrics **metrics, const struct aula_response *response,
                                      struct aula_error *error);
/* Computes the parameters of a sound file as `aula metrics` prints them, with valid band and calibration from the JSON
 * beside it. */
AULA_API int aula_metrics_of_file(struct aula_metrics **metrics, const char *path, struct aula_error *error);
/* Computes the parameters of samples[channels][frames] of any impulse response at `rate` Hz. The whole band counts as
 * valid, and G is missing because the level is not calibrated. */
AULA_API int aula_metrics_of_samples(struct aula_metrics **metrics, const double *samples, size_t channels,
                                     size_t frames, double rate, struct aula_error *error);
/* Parameters as JSON, and again from that text, also in another process. Libraries of the same minor version read each
 * other's texts. NULL for NULL and if out of memory. */
AULA_API const char *aula_metrics_json(struct aula_metrics *metrics);
AULA_API int aula_metrics_of_json(struct aula_metrics **metrics, const char *json, struct aula_error *error);
AULA_API void aula_metrics_close(struct aula_metrics *metrics);

/* Assumptions, such as for a missing JSON, and findings, such as clipping, a sweep or silence at the end: one line, or
 * NULL. */
AULA_API const char *aula_metrics_note(const struct aula_metrics *metrics);
AULA_API size_t aula_metrics_channels(const struct aula_metrics *metrics); /* 0 for NULL */
/* Seconds from the first sample to the direct sound; NaN for a silent channel and beyond the last. */
AULA_API double aula_metrics_arrival(const struct aula_metrics *metrics, size_t channel);
AULA_API enum aula_validity aula_metrics_validity(const struct aula_metrics *metrics, size_t channel, size_t band);

/* A parameter in its unit; NaN if it cannot be determined from the response, and beyond the last. */
AULA_API double aula_metrics_value(const struct aula_metrics *metrics, size_t channel, size_t band,
                                   enum aula_metric metric);
/* The reason why a parameter is NaN; "" if it is not; NULL beyond the last. */
AULA_API const char *aula_metrics_missing(const struct aula_metrics *metrics, size_t channel, size_t band,
                                          enum aula_metric metric);

/* Speech transmission index of the room without noise and masking, with male weights, 0..1; NaN if it is missing, and
 * beyond the last. */
AULA_API double aula_metrics_sti(const struct aula_metrics *metrics, size_t channel);
/* The reason why the index is missing, with the remedy; "" if it is not; NULL beyond the last. */
AULA_API const char *aula_metrics_sti_missing(const struct aula_metrics *metrics, size_t channel);

#define AULA_SPEECH_OCTAVES 7 /* 125 Hz to 8 kHz */

/* Conditions of speech: level, noise and hearing (IEC 60268-16:2011). Levels in dB re 20 uPa, -100 to 200. */
struct aula_speech {
    int female;           /* weights and spectrum of a female voice; 0: male */
    int at_one_metre;     /* the speech level holds 1 m in front of the talker, and the response, which must be
                             calibrated, carries it to the listener; 0: at the listener */
    int unmasked;         /* omit masking by the octave below and the reception threshold */
    double level;         /* A-weighted; used if `speech` is NULL */
    const double *speech; /* [AULA_SPEECH_OCTAVES]; NULL: the standard's spectrum at `level` */
    const double *noise;  /* [AULA_SPEECH_OCTAVES] at the listener; NULL: none */
    void *reserved[8];    /* NULL */
};

/* Computes the speech transmission index under these conditions and the modulation transfer index of each octave, both
 * 0..1. `octaves` may be NULL; a female voice has NaN at 125 Hz. Fails, with NaN, if there is no index. */
AULA_API int aula_metrics_speech(double *sti, double octaves[AULA_SPEECH_OCTAVES], const struct aula_metrics *metrics,
                                 size_t channel, const struct aula_speech *speech, struct aula_error *error);

/* ---- 6 Differences between responses ---- */

/* One just noticeable difference (JND) of a parameter in its unit; `first` is the value that relative JND are a share
 * of. NaN for parameters without one, and beyond the last. */
AULA_API double aula_jnd(enum aula_metric metric, double first);
/* Where the JND comes from: a standard, a paper, or the words that it is assumed; NULL without one. */
AULA_API const char *aula_jnd_source(enum aula_metric metric);

/* In place of an octave: the single number of ISO 3382-1, a mean over octaves that are wholly valid. */
#define AULA_SINGLE_NUMBER 9

/* The single number of a parameter, such as the mean of T30 at 500 Hz and 1 kHz; NaN if an octave lacks it. */
AULA_API double aula_metrics_single(const struct aula_metrics *metrics, size_t channel, enum aula_metric metric);

/* The difference of `second` from `first` in JND, in an octave or AULA_SINGLE_NUMBER. Rates, lengths and sources may
 * differ. NaN if a response lacks the parameter, or if they cannot be compared. */
AULA_API double aula_metrics_compare(const struct aula_metrics *first, size_t first_channel,
                                     const struct aula_metrics *second, size_t second_channel, size_t band,
                                     enum aula_metric metric);
/* The reason why it is NaN; "" if it is not; NULL beyond the last. */
AULA_API const char *aula_metrics_compare_missing(const struct aula_metrics *first, size_t first_channel,
                                                  const struct aula_metrics *second, size_t second_channel, size_t band,
                                                  enum aula_metric metric);
/* The difference of the speech transmission index in JND; NaN if one is missing, and beyond the last. */
AULA_API double aula_metrics_compare_sti(const struct aula_metrics *first, size_t first_channel,
                                         const struct aula_metrics *second, size_t second_channel);

/* ---- 7 Targets ---- */

enum aula_verdict {
    AULA_PASS,
    AULA_FAIL,
    AULA_INCOMPLETE, /* nothing fails, but a value is missing */
    AULA_NOT_JUDGED  /* not a part of the target, or without a limit for this volume */
};

struct aula_judged {
    enum aula_verdict verdict;
    double value;        /* s of an octave or a mean; STI; NaN: missing */
    double lower, upper; /* limits; 0 and infinite: none */
    double
        to_limit; /* m2 of equivalent absorption area to add until a failed time meets its limit; negative: to remove */
    double to_target; /* m2 until it equals the target */
};

struct aula_judgement {
    enum aula_verdict verdict;               /* of all */
    int volume_in_range;                     /* the publication defines the target for this volume */
    double time;                             /* s: target of the reverberation time; NaN: none */
    struct aula_judged octave[AULA_OCTAVES]; /* 63 Hz to 8 kHz */
    struct aula_judged mean, sti;
    char grade[4]; /* of the STI; "": none */
    void *reserved[8];
};

/* Judges the mean over the channels by a target of rooms/targets.cfg, such as "din18041_a3" or "iec_60268_16:D", as
 * `aula metrics --target` does. `file` has further targets, or is NULL. `volume` in m3; 0: that of the render. Fails if
 * the volume is not known, or there is no such target. */
AULA_API int aula_metrics_judge(struct aula_judgement *judgement, const struct aula_metrics *metrics,
                                const char *target, const char *file, double volume, struct aula_error *error);

/* ---- 8 Auralization ---- */

/* Convolves the dry sound dry[count][frames] at `rate` Hz: channel i with responses[i], summed at each receiver. The
 * responses must have equal numbers of receivers and equal rates. The dry sound is resampled to that rate, which may
 * differ by a factor of up to 256. No gain is applied. The result has the frames of the resampled dry sound plus the
 * longest response, minus 1. */
AULA_API int aula_auralize(struct aula_sound **wet, const struct aula_response *const *responses, size_t count,
                           const double *dry, size_t frames, double rate, struct aula_error *error);
/* Moves through the receivers along a path, as `aula auralize --path` does. `responses` [count]: files of aula_render or of
 * the program, with the JSON beside each, all of one source; `dry`: a sound file, whose channels are averaged; `path`: a
 * CSV table with the columns time (s), x, y, z (m) and yaw, pitch, roll (degrees). `source_moves`: the source along the
 * path, by reciprocity; 0: the listener. */
AULA_API int aula_auralize_path(struct aula_sound **wet, const char *const *responses, size_t count, const char *dry,
                                const char *path, int source_moves, struct aula_error *error);
/* Reads a sound file (WAV, FLAC and what else libsndfile reads), such as a dry sound. Full scale is 1. */
AULA_API int aula_sound_read(struct aula_sound **sound, const char *path, struct aula_error *error);
AULA_API void aula_sound_close(struct aula_sound *sound);

/* Warnings, such as silence or a response that is a recorded signal; NULL beyond the last. */
AULA_API const char *aula_sound_warning(const struct aula_sound *sound, size_t index);
/* Name of a channel of aula_auralize_path, such as "listener ACN 0"; NULL if it has none, and beyond the last. */
AULA_API const char *aula_sound_channel_name(const struct aula_sound *sound, size_t channel);
AULA_API size_t aula_sound_channels(const struct aula_sound *sound); /* 0 for NULL */
AULA_API size_t aula_sound_frames(const struct aula_sound *sound);   /* 0 for NULL */
AULA_API double aula_sound_rate(const struct aula_sound *sound);     /* Hz; NaN for NULL */
/* Samples [frames] of one channel; NULL beyond the last. Channels are contiguous, as in a response. */
AULA_API const double *aula_sound_samples(const struct aula_sound *sound, size_t channel);

/* The ears of a listener. Zero the struct before you fill it. */
struct aula_head {
    const char *hrtf;        /* path of a SOFA file of the convention SimpleFreeFieldHRIR */
    double distance;         /* m: uses the measurements nearest to this distance; 0: 1.5 */
    double yaw, pitch, roll; /* degrees: to the left, down, left ear up */
    void *reserved[8];       /* NULL */
};
/* Renders an ambisonic field[channels][frames] (AmbiX: ACN, SN3D), of order 1 to 7, for two ears, as `aula binaural`
 * does: the samples of an ambisonic receiver, or of a sound that was auralized with them. The result has the channels
 * left and right. Fails if the library was built without netCDF. */
AULA_API int aula_binaural(struct aula_sound **ears, const double *field, size_t channels, size_t frames, double rate,
                           const struct aula_head *head, struct aula_error *error);

/* ---- 9 Measured responses: exponential sweeps (Farina, 108th AES Convention, 2000) ---- */

struct aula_sweep {
    double low, high;   /* Hz: from 1 Hz; at least an octave, and up to half the rate */
    double seconds;     /* from low to high: 0.1 to 600 */
    double rate;        /* Hz */
    double level;       /* dB re full scale: -80 to 0 */
    double reserved[4]; /* 0 */
};

/* Makes the samples of a sweep, one channel from its first sample to its last, to be played with silence around it. */
AULA_API int aula_sweep_make(struct aula_sound **samples, const struct aula_sweep *sweep, struct aula_error *error);

/* The instant t = 0 of a measured response. */
enum aula_time_zero {
    AULA_ZERO_DIRECT,   /* the strongest sound of channel 0 */
    AULA_ZERO_DELAY,    /* the emission, by a known delay */
    AULA_ZERO_LOOPBACK, /* the emission, by a channel that recorded the played sweep through a cable */
};

/* A recording of one or several equal sweeps. */
struct aula_recording {
    const double *samples; /* [channels][frames] */
    size_t channels, frames;
    double rate;                    /* Hz */
    const struct aula_sweep *sweep; /* the sweep that was played, at the same rate; or */
    const double *played; /* NULL with `sweep`; [played_frames]: samples that hold it, by which its frequencies
                                       and its length are recognised */
    size_t played_frames;
    size_t repeats; /* 0 and 1: one sweep; up to 1000 */
    double pause;   /* s from the end of one sweep to the beginning of the next, 0.2 to 60; not used for one sweep */
    enum aula_time_zero zero;
    size_t loopback;   /* channel of AULA_ZERO_LOOPBACK, which is left out of the response */
    double delay;      /* s of AULA_ZERO_DELAY, from the first sample of the recording to that of the emitted sweep */
    void *reserved[8]; /* NULL */
};

/* Makes the impulse response of every channel, recording over played sweep, as the mean over the repeats. Fails if the
 * recording does not contain the sweep or ends with it, or if the repeats differ by more than -10 dB. */
AULA_API int aula_deconvolve(struct aula_deconvolution **deconvolution, const struct aula_recording *recording,
                             struct aula_error *error);
AULA_API void aula_deconvolution_close(struct aula_deconvolution *deconvolution);

/* Warnings, such as clipping, distortion or noise, in which channels count from 1; NULL beyond the last. */
AULA_API const char *aula_deconvolution_warning(const struct aula_deconvolution *deconvolution, size_t index);
AULA_API size_t aula_deconvolution_channels(const struct aula_deconvolution *deconvolution); /* 0 for NULL */
AULA_API size_t aula_deconvolution_frames(const struct aula_deconvolution *deconvolution);   /* 0 for NULL */
AULA_API double aula_deconvolution_rate(const struct aula_deconvolution *deconvolution);     /* Hz; NaN for NULL */
/* Samples [frames] of one channel; NULL beyond the last. Channels are contiguous, as in a response. */
AULA_API const double *aula_deconvolution_samples(const struct aula_deconvolution *deconvolution, size_t channel);
/* Time of sample 0 in s, -0.05: the response begins before t = 0. NaN for NULL. */
AULA_API double aula_deconvolution_start(const struct aula_deconvolution *deconvolution);
/* Frequencies [low high] of the sweep in Hz. Returns 0; nonzero for NULL, in which case the array is NaN. */
AULA_API int aula_deconvolution_band(const struct aula_deconvolution *deconvolution, double band[2]);
/* Energy by which the repeats differ from their mean, in dB re that of the mean; NaN for one sweep and for NULL. */
AULA_API double aula_deconvolution_difference(const struct aula_deconvolution *deconvolution);
/* Drift of the clocks of player and recorder, by the distances of the repeats: 1e-6 is 1 ppm. 0: less than a sample, or
 * one sweep; NaN for NULL. */
AULA_API double aula_deconvolution_drift(const struct aula_deconvolution *deconvolution);

#define AULA_DISTORTION_ORDERS 5 /* the highest order */
/* Energy of the harmonic of an order from 2 on, and that of the noise in its place, in dB re the linear response in the
 * same band. NaN: not in the band, or unknown. Either pointer may be NULL. Returns 0; nonzero for other orders, beyond
 * the last channel and for NULL, in which case the values are NaN. */
AULA_API int aula_deconvolution_distortion(const struct aula_deconvolution *deconvolution, size_t channel, size_t order,
                                           double *level, double *noise);

/* Computes the parameters of every channel within the band of the sweep. Arrivals count from t = 0, and G is missing
 * because the strength of the source is not known. */
AULA_API int aula_metrics_of_deconvolution(struct aula_metrics **metrics,
                                           const struct aula_deconvolution *deconvolution, struct aula_error *error);

/* ---- 10 Open-plan offices: ISO 3382-3:2022, normal speech of 57.4 dB(A) at 1 m along a line of places ---- */

/* A place: one channel of a calibrated response to one source. */
struct aula_open_plan_place {
    const struct aula_metrics *metrics; /* only read by aula_open_plan_make */
    size_t channel;
    double distance;   /* m from the source, 0.001 to 10000 */
    void *reserved[4]; /* NULL */
};

/* Evaluates places[count], 1 to 4096, in any order. noise[noise_count]: background noise in dB, -100 to 200, of the 7
 * octaves from 125 Hz to 8 kHz or of 8 octaves from 63 Hz on; NULL with 0: none. Fails if a response is not calibrated.
 * It cannot know that source and receivers are 1.2 m high and the source is omnidirectional, as the standard asks. */
AULA_API int aula_open_plan_make(struct aula_open_plan **plan, const struct aula_open_plan_place *places, size_t count,
                                 const double *noise, size_t noise_count, struct aula_error *error);
AULA_API void aula_open_plan_close(struct aula_open_plan *plan);

/* Warnings, such as for too few places or an extrapolated distance; NULL beyond the last. */
AULA_API const char *aula_open_plan_warning(const struct aula_open_plan *plan, size_t index);

enum aula_open_plan_value {
    AULA_DECAY_RATE,            /* D2,S: decay of the level of speech for a doubling of the distance, dB */
    AULA_LEVEL_4M,              /* Lp,A,S,4m: level of speech at 4 m, dB(A) */
    AULA_COMFORT_DISTANCE,      /* rC: speech of 45 dB(A), m */
    AULA_DISTRACTION_DISTANCE,  /* rD: speech transmission index of 0.50, m */
    AULA_PRIVACY_DISTANCE_2012, /* rP: speech transmission index of 0.20 (ISO 3382-3:2012), m */
    AULA_BACKGROUND_LEVEL,      /* Lp,A,B, dB(A) */
};
/* NaN if the value is missing or unknown, and for NULL. */
AULA_API double aula_open_plan_value(const struct aula_open_plan *plan, enum aula_open_plan_value value);
/* The reason why a value is missing; "" if it is not; NULL for an unknown one and a NULL plan. */
AULA_API const char *aula_open_plan_missing(const struct aula_open_plan *plan, enum aula_open_plan_value value);

AULA_API size_t aula_open_plan_count(const struct aula_open_plan *plan); /* of places; 0 for NULL */
/* Of one place, in the order given: the level of speech in dB(A) and in dB by octave, 125 Hz to 8 kHz, and the speech
 * transmission index in the noise. NaN if missing and beyond the last. */
AULA_API double aula_open_plan_level(const struct aula_open_plan *plan, size_t place);
AULA_API double aula_open_plan_octave(const struct aula_open_plan *plan, size_t place, size_t octave);
AULA_API double aula_open_plan_sti(const struct aula_open_plan *plan, size_t place);
/* The reason why a place has no level or index; "" if it has; NULL beyond the last. */
AULA_API const char *aula_open_plan_place_missing(const struct aula_open_plan *plan, size_t place);

/* ---- 11 Modes ---- */

/* Finds the modes of a room up to `to` Hz (0: 200), as `aula modes` does: by one wave run on a
 * grid of its own, whose spacing meets the sizes of the room. The walls are those of the room.
 * `options`: of aula_render. Fails if the library was built without LAPACK, or if more than 400
 * modes are expected. */
AULA_API int aula_modes_make(struct aula_modes **modes, const struct aula_room *room, double to,
                             const struct aula_options *options, struct aula_error *error);
AULA_API void aula_modes_close(struct aula_modes *modes);

/* Warnings, such as bands in which too many modes overlap; NULL beyond the last. */
AULA_API const char *aula_modes_warning(const struct aula_modes *modes, size_t index);

struct aula_mode_range {
    double low, high;   /* Hz: of the search */
    double expected;    /* modes there, by Weyl's count */
    double schroeder;   /* Hz: Schroeder frequency, by the median T60 of the modes; NaN without any */
    double spacing;     /* m, of the grid */
    double size_error;  /* largest error of a size on the grid, over that size */
    double seconds;     /* of the response that was searched */
    double reserved[5]; /* 0 */
};
/* Returns 0; nonzero if an argument is NULL, in which case the numbers are NaN. */
AULA_API int aula_modes_range(const struct aula_modes *modes, struct aula_mode_range *range);

struct aula_mode {
    double frequency;   /* Hz, of the decaying oscillation */
    double t60;         /* s */
    double level;       /* dB: at resonance, at its loudest place, re the strongest mode */
    int resolved;       /* 0: too many modes overlap in its band, and the numbers may be wrong */
    int has_order;      /* the room is a box, and the order was found */
    int order[3];       /* half wavelengths along x, y and z */
    double reserved[4]; /* 0 */
};
AULA_API size_t aula_modes_count(const struct aula_modes *modes); /* by rising frequency; 0 for NULL */
/* Returns 0; nonzero beyond the last, in which case the numbers are NaN. */
AULA_API int aula_modes_mode(const struct aula_modes *modes, size_t index, struct aula_mode *mode);

/* The places at which the level of each mode is known: the sources of the room, then its
 * receivers. */
AULA_API size_t aula_modes_place_count(const struct aula_modes *modes);                   /* 0 for NULL */
AULA_API const char *aula_modes_place_name(const struct aula_modes *modes, size_t place); /* NULL beyond the last */
/* Level of a mode at a place in dB re its loudest place, not below -120; NaN beyond the last. */
AULA_API double aula_modes_level(const struct aula_modes *modes, size_t mode, size_t place);

/* A part of the range, which was searched at once. */
struct aula_mode_band {
    double low, high;   /* Hz */
    double expected;    /* modes, by Weyl's count */
    double residual;    /* norm of what the modes leave of the response, over that of the response */
    size_t found;       /* modes */
    int resolved;       /* 0: too many modes overlap */
    double reserved[4]; /* 0 */
};
AULA_API size_t aula_modes_band_count(const struct aula_modes *modes); /* 0 for NULL */
/* Returns 0; nonzero beyond the last, in which case the numbers are NaN. */
AULA_API int aula_modes_band(const struct aula_modes *modes, size_t index, struct aula_mode_band *band);

/* ---- 12 Places for subwoofers, or for a pair of loudspeakers ---- */

struct aula_place_options {
    const char *seats;      /* receivers as "A,B", or positions as "x,y,z;x,y,z" in m; NULL: all omni receivers */
    const char *candidates; /* "grid 0.3 z=0.2", "walls 0.3", "FILE.csv" with x,y,z, names or positions; NULL:
                               "grid 0.5", 0.2 m above the floor; of a pair "grid 0.2" */
    const char *facing;     /* a pair in front of listeners who face "x", "-x", "y" or "-y"; NULL: subs */
    size_t subs;            /* 1 to 4; not of a pair */
    double low, high;       /* Hz: of the band */
    double clearance;       /* m: distance of the places of a grid from walls and objects */
    double delay;           /* s: the longest that is tried, 0 to 0.1 */
    double gain;            /* dB: the lowest that is tried, -24 to 0 */
    double boost;           /* dB: the most that the equaliser amplifies, 0 to 12 */
    double max_frequency;   /* Hz: of the grid; 0: that of the room, 700 at most */
    int equal;              /* the same signal from all subs, without delays, gains and polarity */
    int walls;              /* also rank areas of walls and objects */
    void *reserved[8];      /* NULL */
};
/* Fills *what as `aula place` does where nothing else is asked for. Returns 0; nonzero for NULL. */
AULA_API int aula_place_defaults(struct aula_place_options *what);

/* Searches places, as `aula place` does: one wave run for each seat, by reciprocity, and one for
 * each sub of the first set as a check. `what` NULL: the defaults. `options`: of aula_render. */
AULA_API int aula_place_make(struct aula_place **place, const struct aula_room *room,
                             const struct aula_place_options *what, const struct aula_options *options,
                             struct aula_error *error);
AULA_API void aula_place_close(struct aula_place *place);

/* Warnings, such as for responses that end before they have decayed; NULL beyond the last. */
AULA_API const char *aula_place_warning(const struct aula_place *place, size_t index);

struct aula_placing {
    double spacing;     /* m, of the grid */
    double duration;    /* s, of the responses */
    double scored;      /* number of sets */
    double difference;  /* dB: largest difference of the first set's levels from those of its own runs */
    double preamp;      /* dB: of the equaliser, not above 0 */
    double target;      /* dB: level that the equaliser aims at */
    int exhaustive;     /* 0: sets were searched greedily */
    double reserved[6]; /* 0 */
};
/* Returns 0; nonzero if an argument is NULL, in which case the numbers are NaN. */
AULA_API int aula_place_search(const struct aula_place *place, struct aula_placing *search);

/* A set of subs, as all seats hear their sum. Levels are those of bands of a twelfth of an
 * octave. */
struct aula_sub_set {
    double spread;          /* dB: standard deviation of the levels over bands and seats */
    double spread_of_seats; /* dB: over the seats alone */
    double output;          /* dB: mean level, with the loudest candidate of the set at a gain of 1 */
    int pareto;             /* no other set has less spread and more output */
    size_t subs;
    size_t seat;        /* of a pair: the seat that it belongs to */
    double reserved[4]; /* 0 */
};
AULA_API size_t aula_place_count(const struct aula_place *place); /* sets that were kept, by rising spread */
/* Returns 0; nonzero beyond the last, in which case the numbers are NaN. */
AULA_API int aula_place_set(const struct aula_place *place, size_t rank, struct aula_sub_set *set);

struct aula_sub {
    size_t candidate;
    double delay; /* s */
    double gain;  /* dB */
    int inverted; /* polarity */
    double reserved[4];
};
/* Returns 0; nonzero beyond the last, in which case the numbers are NaN. */
AULA_API int aula_place_sub(const struct aula_place *place, size_t rank, size_t index, struct aula_sub *sub);

/* Positions [x y z] in m, NaN beyond the last, where the function returns nonzero. The names are
 * NULL there. */
AULA_API size_t aula_place_seat_count(const struct aula_place *place);
AULA_API const char *aula_place_seat_name(const struct aula_place *place, size_t seat);
AULA_API int aula_place_seat_position(const struct aula_place *place, size_t seat, double position[3]);
AULA_API size_t aula_place_candidate_count(const struct aula_place *place);
AULA_API const char *aula_place_candidate_name(const struct aula_place *place, size_t candidate);
AULA_API int aula_place_candidate_position(const struct aula_place *place, size_t candidate, double position[3]);
/* Least spread in dB of a set with equal signals that has this candidate; NaN beyond the last. */
AULA_API double aula_place_candidate_spread(const struct aula_place *place, size_t candidate);

/* Levels of the first set in dB by seat and band, and of the mean over the seats. A pair has the
 * level of its own seat alone. Counts are 0 for NULL, and numbers NaN beyond the last. */
AULA_API size_t aula_place_band_count(const struct aula_place *place);
AULA_API double aula_place_frequency(const struct aula_place *place, size_t band); /* Hz: centre */
AULA_API size_t aula_place_level_count(const struct aula_place *place);            /* seats that have levels */
AULA_API double aula_place_level(const struct aula_place *place, size_t seat, size_t band);
AULA_API double aula_place_mean(const struct aula_place *place, size_t band);

/* A peaking filter (R. Bristow-Johnson's biquad), with A = 10^(gain/40):
 *     H(s) = (s2 + s A/Q + 1)/(s2 + s/(A Q) + 1). */
struct aula_filter {
    double frequency; /* Hz */
    double gain;      /* dB */
    double q;
    double reserved[4]; /* 0 */
};
/* The equaliser that flattens the mean level of the first set. */
AULA_API size_t aula_place_filter_count(const struct aula_place *place); /* 0 for NULL */
/* Returns 0; nonzero beyond the last, in which case the numbers are NaN. */
AULA_API int aula_place_filter(const struct aula_place *place, size_t index, struct aula_filter *filter);

enum aula_equaliser {
    AULA_EQUALISER_APO, /* Equalizer APO */
    AULA_EQUALISER_REW  /* Room EQ Wizard */
};
/* The text of a file of the equaliser; NULL for NULL and for an unknown format. */
AULA_API const char *aula_place_equaliser(const struct aula_place *place, enum aula_equaliser format);

/* An area of a wall or an object, of one material and about 1 m wide; with `walls` alone, from that
 * whose absorber lowers the spread the most. */
struct aula_wall_area {
    const char *wall;     /* "x_min" to "z_max": the side of the air on which it lies; of the library, always valid */
    const char *material; /* of the room; valid until aula_place_close */
    double centre[3];     /* m */
    double area;          /* m2 */
    double change;        /* dB of spread by 1 m2 whose specific admittance rises by 0.1, to first order */
    size_t band;          /* in which it takes the largest part of the energy that the walls would absorb alike */
    double density;       /* that part over its part of the area of all walls */
    double reserved[4];   /* 0 */
};
AULA_API size_t aula_place_wall_count(const struct aula_place *place); /* 0 for NULL and without `walls` */
/* Returns 0; nonzero beyond the last, in which case the numbers are NaN. */
AULA_API int aula_place_wall(const struct aula_place *place, size_t index, struct aula_wall_area *area);

/* ---- 13 Calibration of absorption by measured responses ---- */

/* A channel of a measured response, at a receiver of the room. */
struct aula_measured {
    const struct aula_metrics *metrics; /* only read by aula_calibrate */
    size_t channel;
    size_t receiver;
    int held_out;      /* compare it with the calibrated room without fitting it */
    void *reserved[4]; /* NULL */
};

/* Lists are separated by commas. A zeroed struct, or NULL, chooses as `aula calibrate` does. */
struct aula_calibration_options {
    size_t source;          /* of the room, from which was measured */
    const char *materials;  /* names of those to calibrate; NULL: those with absorption that cover 1 % of the surface */
    const char *parameters; /* of "t20", "t30", "edt" and "c80"; NULL: "t20" */
    const char *octaves;    /* centres in Hz, such as "250,500"; NULL: all that were measured */
    void *reserved[8];      /* NULL */
};

/* Finds the absorption by which the room has the measured parameters, with intervals, as `aula
 * calibrate` does. The room itself does not change; its file is read again, and must not have
 * changed. Octaves above the grid's valid band come from rays. `options`: of aula_render. */
AULA_API int aula_calibrate(struct aula_calibration **calibration, const struct aula_room *room,
                            const struct aula_measured *measured, size_t count,
                            const struct aula_calibration_options *what, const struct aula_options *options,
                            struct aula_error *error);
AULA_API void aula_calibration_close(struct aula_calibration *calibration);

/* Warnings, such as what the data cannot tell; NULL beyond the last. */
AULA_API const char *aula_calibration_warning(const struct aula_calibration *calibration, size_t index);
/* 1 if the search has settled; 0 if its intervals are doubtful, and for NULL. */
AULA_API int aula_calibration_settled(const struct aula_calibration *calibration);
AULA_API size_t aula_calibration_evaluations(const struct aula_calibration *calibration); /* of the room; 0 for NULL */

AULA_API size_t aula_calibration_material_count(const struct aula_calibration *calibration); /* 0 for NULL */
/* NULL beyond the last. */
AULA_API const char *aula_calibration_material_name(const struct aula_calibration *calibration, size_t material);

struct aula_calibrated_octave {
    double centre;      /* Hz */
    int by_waves;       /* 1: the wave solver; 0: rays */
    size_t data;        /* measured parameters that count */
    double chi_squared; /* of these; about `data` where the model fits */
    double reserved[4]; /* 0 */
};
AULA_API size_t aula_calibration_octave_count(const struct aula_calibration *calibration); /* 0 for NULL */
/* Returns 0; nonzero beyond the last, in which case the numbers are NaN. */
AULA_API int aula_calibration_octave(const struct aula_calibration *calibration, size_t octave,
                                     struct aula_calibrated_octave *about);

/* Absorption coefficients, 0..1, with intervals of 95 %. */
struct aula_calibrated {
    double value, low, high;
    double prior, prior_low, prior_high; /* of the room file and the reproducibility of measured coefficients */
    double remaining;                    /* share of the prior's deviation of ln(-ln(1 - absorption)) that remains */
    int told;                            /* 0: the data tell nothing of this material by itself */
    double reserved[4];                  /* 0 */
};
/* Returns 0; nonzero beyond the last, in which case the numbers are NaN. */
AULA_API int aula_calibration_absorption(const struct aula_calibration *calibration, size_t octave, size_t material,
                                         struct aula_calibrated *absorption);

/* The combinations of the materials' ln(-ln(1 - absorption)), each in units of its prior
 * deviation, that the data tell best, the best first: weights[materials] of unit length, and the
 * share of the prior's deviation that remains. As many as materials. Returns 0; nonzero beyond
 * the last, in which case *remaining is NaN and `weights` unchanged. */
AULA_API int aula_calibration_combination(const struct aula_calibration *calibration, size_t octave, size_t index,
                                          double *remaining, double *weights);

struct aula_residual {
    double measured, prior, calibrated; /* s or dB; NaN: missing */
    double jnd;                         /* calibrated less measured */
    double reserved[4];                 /* 0 */
};
/* Of AULA_T20, AULA_T30, AULA_EDT or AULA_C80 at measured[index]. Returns 0; nonzero beyond the
 * last and for a parameter that was not used, in which case the numbers are NaN. */
AULA_API int aula_calibration_residual(const struct aula_calibration *calibration, size_t octave, size_t index,
                                       enum aula_metric parameter, struct aula_residual *residual);

/* Opens the room with the calibrated absorption, which can be rendered. */
AULA_API int aula_calibration_room(struct aula_room **room, const struct aula_calibration *calibration,
                                   struct aula_error *error);
/* Writes its room file, as `aula calibrate -o path` does: the text of the room with the
 * calibrated absorption. Settings are not included. The file is complete, or the older one
 * stays. */
AULA_API int aula_calibration_write(const struct aula_calibration *calibration, const char *path,
                                    struct aula_error *error);

/* ---- 14 Summaries of data sets ---- */

/* Reads the finished rooms of the data set in `folder`, which `aula batch plan -o folder` has
 * made, and summarizes them as `aula batch --summary` does. A room has one value, the mean over
 * its sources and receivers. Fails if the folder is that of another plan or has no finished
 * room. */
AULA_API int aula_summary_make(struct aula_summary **summary, const char *plan, const char *folder,
                               struct aula_error *error);
AULA_API void aula_summary_close(struct aula_summary *summary);

/* Warnings, such as keys that vary together or rooms without a value; NULL beyond the last. */
AULA_API const char *aula_summary_warning(const struct aula_summary *summary, size_t index);
AULA_API size_t aula_summary_room_count(const struct aula_summary *summary); /* of the plan; 0 for NULL */
AULA_API size_t aula_summary_done_count(const struct aula_summary *summary); /* finished; 0 for NULL */

AULA_API size_t aula_summary_parameter_count(const struct aula_summary *summary); /* 0 for NULL */
/* Name, such as "t30", and SI unit, such as "s" ("" if none); NULL beyond the last. */
AULA_API const char *aula_summary_parameter_name(const struct aula_summary *summary, size_t parameter);
AULA_API const char *aula_summary_parameter_unit(const struct aula_summary *summary, size_t parameter);
/* AULA_OCTAVES from 63 Hz on, or 1 for a single number of the whole response; 0 beyond the last. */
AULA_API size_t aula_summary_octave_count(const struct aula_summary *summary, size_t parameter);
/* One sentence, such as "T30 at 500 Hz: 0.61 s ± 0.05 s; 71 % of the variance from
 * air.temperature"; NULL beyond the last. */
AULA_API const char *aula_summary_line(const struct aula_summary *summary, size_t parameter);

struct aula_spread {
    size_t rooms;            /* with a value */
    size_t partly_valid;     /* without, because the octave is valid only in part or not at all */
    size_t unmeasured;       /* without, for other reasons */
    size_t incomplete;       /* with, though some sources or receivers lack it */
    double mean, deviation;  /* NaN without rooms; below two rooms */
    double low, high;        /* 2.5 and 97.5 %; NaN below 40 rooms */
    double minimum, maximum; /* NaN without rooms */
    double reserved[4];      /* 0 */
};
/* Returns 0; nonzero beyond the last, in which case the numbers are NaN. */
AULA_API int aula_summary_spread(const struct aula_summary *summary, size_t parameter, size_t octave,
                                 struct aula_spread *spread);

/* What varies from room to room: a key, a component of it such as "room.size[0]", or "base".
 * NULL beyond the last. */
AULA_API size_t aula_summary_key_count(const struct aula_summary *summary); /* 0 for NULL */
AULA_API const char *aula_summary_key_name(const struct aula_summary *summary, size_t key);
/* 1 if the key has different values in the finished rooms. */
AULA_API int aula_summary_key_varies(const struct aula_summary *summary, size_t key);

struct aula_effect {
    double correlation;  /* Spearman's rank correlation, -1..1; NaN for a choice */
    double share;        /* of the variance, 0..1: its square, or eta squared of a choice; NaN: missing */
    double chance;       /* probability of such a share if key and parameter are independent; NaN: missing */
    int stands_out;      /* larger than chance explains, by all keys together */
    const char *missing; /* the reason why it is missing; "" if it is not; NULL beyond the last */
    double reserved[4];
};
/* Returns 0; nonzero beyond the last, in which case the numbers are NaN. */
AULA_API int aula_summary_effect(const struct aula_summary *summary, size_t parameter, size_t octave, size_t key,
                                 struct aula_effect *effect);

/* Pairs of keys that vary together, so that their shares overlap: their association, 0.5 to 1,
 * and the two keys. Returns NaN beyond the last, and leaves `keys` unchanged. */
AULA_API double aula_summary_together(const struct aula_summary *summary, size_t index, size_t keys[2]);

/* ---- 15 Materials by themselves, as `aula material` shows them ---- */

/* Computes a material: layers in words from the room to the rigid wall, such as "porous 50 mm 10000, air 100 mm"
 * (docs/guide/materials.md), or a name of the library. With `path`, a material of that room file, also one that no surface
 * has; NULL: none. settings[setting_count]: of the room, such as "air.temperature=10". Fails for a wall of zero pressure. */
AULA_API int aula_material_make(struct aula_material **material, const char *name, const char *path,
                                const char *const *settings, size_t setting_count, struct aula_error *error);
AULA_API void aula_material_close(struct aula_material *material);

/* Limits of the result, such as octaves in which sound along the layers changes the absorption; NULL beyond the last. */
AULA_API const char *aula_material_warning(const struct aula_material *material, size_t index);

AULA_API size_t aula_material_layer_count(const struct aula_material *material); /* 0: it is not made of layers */
AULA_API double aula_material_depth(const struct aula_material *material);       /* m, of the layers; NaN without any */

enum aula_incidence {
    AULA_NORMAL,       /* perpendicular to the wall */
    AULA_RANDOM,       /* all angles, of a wall that reacts locally, as walls of aula do */
    AULA_RANDOM_ALONG, /* all angles, of sound that also propagates along the layers; NaN without layers */
};
/* Mean absorption in an octave, 0..1; NaN beyond the last octave and for NULL. */
AULA_API double aula_material_octave(const struct aula_material *material, enum aula_incidence incidence, size_t band);

struct aula_material_point {
    double frequency;     /* Hz */
    double absorption[3]; /* by incidence */
    double admittance[2]; /* Y = rho c/Z at normal incidence: real and imaginary part, time factor e^{j omega t} */
    double reserved[4];   /* 0 */
};
/* Fills *point for a frequency from 1 to 100000 Hz. Returns 0; nonzero outside and for NULL, in which case the numbers
 * are NaN. */
AULA_API int aula_material_at(const struct aula_material *material, double frequency,
                              struct aula_material_point *point);

struct aula_resonance {
    double frequency;   /* Hz: Im Z passes 0 upwards */
    double absorption;  /* at normal incidence */
    double quality;     /* with the radiation into the room */
    double reserved[4]; /* 0 */
};
/* The resonances from 20 Hz to 20 kHz, ascending, 64 at most. */
AULA_API size_t aula_material_resonance_count(const struct aula_material *material); /* 0 for NULL */
/* Returns 0; nonzero beyond the last, in which case the numbers are NaN. */
AULA_API int aula_material_resonance(const struct aula_material *material, size_t index,
                                     struct aula_resonance *resonance);

/* ---- 16 Pictures: maps, films and reports. They load cairo and libpng when they draw, and fail without them. ---- */

/* A zeroed struct, or NULL, chooses as `aula map` does. */
struct aula_map_options {
    size_t source;
    const char *plane;      /* an axis and a position in m, such as "z=1.2"; NULL: 1.2 m above the floor */
    const char *parameters; /* of the picture, such as "t30,c80,g"; NULL: those of t30, c80, g and sti that can be
                               computed */
    double spacing;         /* m, between receivers; 0: a round value for 90 to 560 receivers */
    double band;            /* Hz: octave of the picture; 0: 1000, or the highest valid one */
    void *reserved[8];      /* NULL */
};

/* Computes acoustic parameters at receivers on a lattice in a plane, in one run, as `aula map` does. The receivers of the
 * room are ignored. `options`: of aula_render. */
AULA_API int aula_map_make(struct aula_map **map, const struct aula_room *room, const struct aula_map_options *what,
                           const struct aula_options *options, struct aula_error *error);
AULA_API void aula_map_close(struct aula_map *map);
/* Parameters that the picture lacks, and why; NULL: none. */
AULA_API const char *aula_map_note(const struct aula_map *map);

struct aula_lattice {
    int axis;           /* across the plane: 0 x, 1 y, 2 z */
    double at;          /* m, on this axis */
    double first[2];    /* m: of the first column and the first row, along the other two axes in their order */
    double step[2];     /* m */
    size_t count[2];    /* columns and rows */
    double valid[2];    /* Hz: valid band of the responses */
    double band;        /* Hz: octave of the picture */
    double seconds;     /* of the responses */
    double reserved[4]; /* 0 */
};
/* Returns 0; nonzero if an argument is NULL, in which case the numbers are NaN. */
AULA_API int aula_map_lattice(const struct aula_map *map, struct aula_lattice *lattice);

#define AULA_NOWHERE ((size_t)-1)
AULA_API size_t aula_map_place_count(const struct aula_map *map); /* receivers in the air; 0 for NULL */
/* The receiver in a column and a row; AULA_NOWHERE where there is no air, and beyond the last. */
AULA_API size_t aula_map_place(const struct aula_map *map, size_t column, size_t row);
/* A parameter in its unit, in an octave or AULA_BROAD_BAND, and the speech transmission index; NaN if it is missing, and
 * beyond the last. */
AULA_API double aula_map_value(const struct aula_map *map, size_t place, size_t band, enum aula_metric metric);
AULA_API double aula_map_sti(const struct aula_map *map, size_t place);

/* Writes the picture, a PNG of columns x rows pixels (0: automatic), and all parameters of all octaves as CSV; NULL: not
 * this file. Each file is complete or absent. */
AULA_API int aula_map_write(const struct aula_map *map, const char *picture, const char *csv, size_t columns,
                            size_t rows, struct aula_error *error);

/* A zeroed struct, or NULL, chooses as `aula film` does. */
struct aula_film_options {
    size_t source;        /* AULA_ALL_SOURCES: all together */
    const char *plane;    /* such as "z=1.2"; NULL: horizontal, through the source */
    int walls;            /* the pressure on all walls instead */
    int levels;           /* dB re 20 uPa in place of pressure */
    double seconds;       /* of sound; 0: twice the time across the room */
    double speed;         /* s of sound in a second of film; 0: for a film of 10 s, GIF 6 s */
    double rate;          /* frames a second; 0: 25, GIF 12.5 */
    double top;           /* Pa or dB of the strongest colour; 0: automatic */
    double dynamic_range; /* dB, of levels; 0: 50 */
    double pulse;         /* Hz: upper edge of the pulse that replaces an impulse; 0: that of the valid band */
    size_t frames;        /* one PNG with so many pictures, 16 at most, instead of a film; 0: a film */
    size_t columns, rows; /* pixels, even; 0: automatic */
    void *reserved[8];    /* NULL */
};

/* Writes a film of the sound field, as `aula film` does: path ends in .webm or .gif, which need the program ffmpeg, or in
 * .png for one picture per frame, NAME_0000.png and so on. Complete or absent. `options`: of aula_render. */
AULA_API int aula_film_write(const struct aula_room *room, const char *path, const struct aula_film_options *what,
                             const struct aula_options *options, struct aula_error *error);

/* A zeroed struct, or NULL, adds nothing to the page. Texts and names of files are NULL where there is none. */
struct aula_report_options {
    const char *const *wets; /* [wet_count] sound files to listen to */
    size_t wet_count;
    const char *film, *map;                            /* of aula_film_write and aula_map_write */
    const char *dry;                                   /* a dry sound by which at least two responses are compared */
    int match_level;                                   /* make the rooms equally loud with it; 0: one gain for all */
    const char *title, *client, *author, *logo, *note; /* of the first page; logo: PNG, JPEG or SVG */
    const char *locale;                                /* write numbers as in this language, such as "de" */
    const char *const *targets;                        /* [target_count] targets to judge by on the first page */
    size_t target_count;
    const char *target_file; /* with further targets */
    double volume;           /* m3 of the room, for targets; 0: that of the render */
    void *reserved[8];       /* NULL */
};

/* Makes the page of `aula report` about files of responses, whose JSON lies beside them. */
AULA_API int aula_report_make(struct aula_report **report, const char *const *responses, size_t count,
                              const struct aula_report_options *what, struct aula_error *error);
AULA_API void aula_report_close(struct aula_report *report);
AULA_API const char *aula_report_text(const struct aula_report *report); /* the page, HTML in UTF-8; NULL for NULL */
AULA_API const char *aula_report_warning(const struct aula_report *report, size_t index); /* NULL beyond the last */

/* ---- 17 Instruments: the score of a room file, as `aula synth` plays it ---- */

/* Plays the instruments of a room in its air; `dry`: through their pickups alone, without room and air. `options`: of
 * aula_render. Fails for a room without instruments. */
AULA_API int aula_take_make(struct aula_take **take, const struct aula_room *room, int dry,
                            const struct aula_options *options, struct aula_error *error);
AULA_API void aula_take_close(struct aula_take *take);
AULA_API const char *aula_take_warning(const struct aula_take *take, size_t index); /* NULL beyond the last */

enum aula_take_part {
    AULA_TAKE_AIR,    /* the channels of the receivers, in their order */
    AULA_TAKE_PICKUPS /* the pickups of the instruments */
};
AULA_API size_t aula_take_channels(const struct aula_take *take, enum aula_take_part part); /* 0 for NULL */
AULA_API size_t aula_take_frames(const struct aula_take *take);                             /* 0 for NULL */
AULA_API double aula_take_rate(const struct aula_take *take);                               /* Hz; NaN for NULL */
/* Samples [frames] of one channel; NULL beyond the last. The channels of a part are contiguous. */
AULA_API const double *aula_take_samples(const struct aula_take *take, enum aula_take_part part, size_t channel);
AULA_API const char *aula_take_channel_name(const struct aula_take *take, enum aula_take_part part, size_t channel);
/* "Pa", or "m/s" of velocity receivers, and of pickups but those of wind instruments; NULL beyond the last. */
AULA_API const char *aula_take_unit(const struct aula_take *take, enum aula_take_part part, size_t channel);

/* Writes sound files and the JSON beside each, as `aula synth -o path` does: `path` for the omni receivers and the
 * pickups, NAME_RECEIVER.wav for each other receiver. Each file is complete or absent. */
AULA_API int aula_take_write(const struct aula_take *take, const char *path, struct aula_error *error);

/* ---- 18 Data sets: plans of many rooms, as `aula batch` renders them ---- */

/* A zeroed struct, or NULL: all rooms of the plan. */
struct aula_batch_options {
    const char *shard;           /* "K/N", from 0: every N-th room; NULL: all. The environment is not asked */
    const char *rooms;           /* or these rooms, such as "17,40-99"; they count from 0 */
    const char *const *settings; /* [setting_count], as of aula_room_open, for all base rooms */
    size_t setting_count;
    int workers;       /* rooms at a time; 0: eight per GPU, or one per processor */
    void *reserved[8]; /* NULL */
};

/* Renders the rooms of a plan that are not finished into a folder. Rooms are rendered by child processes of this one,
 * which must not have used a GPU itself. A room that fails does not stop the others. `options`: of aula_render;
 * `progress` receives the share of the rooms that have ended; nonzero stops all work of the process, like aula_stop. A stopped run keeps what is finished, and the next one goes
 * on. Fails if the plan or a base room is invalid, or if the folder is that of another plan. */
AULA_API int aula_batch_run(struct aula_batch **batch, const char *plan, const char *folder,
                            const struct aula_batch_options *what, const struct aula_options *options,
                            struct aula_error *error);
/* Makes the manifests of what shards have rendered into a folder; renders nothing. Succeeds while rooms are missing. */
AULA_API int aula_batch_merge(struct aula_batch **batch, const char *plan, const char *folder,
                              const struct aula_batch_options *what, struct aula_error *error);
/* Lists rooms without rendering: a line of JSON for each (aula_batch_line), with number, values, grid points, steps,
 * bytes and estimated seconds. */
AULA_API int aula_batch_list(struct aula_batch **batch, const char *plan, const struct aula_batch_options *what,
                             struct aula_error *error);
AULA_API void aula_batch_close(struct aula_batch *batch);

struct aula_batch_count {
    size_t rooms;        /* of the plan, or of the shard */
    size_t done, failed; /* of these, in the folder */
    size_t before;       /* of them done before this run */
    size_t workers;
    double seconds;     /* since the first room of this run began */
    double reserved[4]; /* 0 */
};
/* Returns 0; nonzero if an argument is NULL, in which case the numbers are 0 or NaN. */
AULA_API int aula_batch_count(const struct aula_batch *batch, struct aula_batch_count *count);
/* After a merge: rooms that no shard has finished, as "5,17-19"; NULL: none. */
AULA_API const char *aula_batch_missing(const struct aula_batch *batch);
AULA_API const char *aula_batch_note(const struct aula_batch *batch); /* on former names of keys; NULL: none */
AULA_API const char *aula_batch_line(const struct aula_batch *batch, size_t index); /* NULL beyond the last */

/* ---- 19 Preview: a room that is heard while it is computed, as `aula preview` does, without a sound card ---- */

struct aula_preview_options {
    size_t source;     /* of the room; heard as an impulse whatever its signal */
    double rate;       /* Hz, of the sound: 8000 to 192000 */
    size_t block;      /* frames of aula_preview_run, 16 to 65536; 0: 512 */
    const char *hrtf;  /* SOFA file for an ambisonic receiver; NULL: two cardioids, or that of the receiver */
    const double *dry; /* [dry_frames] the sound that will be heard, by which the level is found; NULL: noise */
    size_t dry_frames;
    void *reserved[8]; /* NULL */
};

/* Begins to render a room on ever finer grids, in threads of its own. `options`: of aula_render, without progress. */
AULA_API int aula_preview_open(struct aula_preview **preview, const struct aula_room *room,
                               const struct aula_preview_options *what, const struct aula_options *options,
                               struct aula_error *error);
/* Stops all running calls of the process, like aula_stop, and waits until the rendering has ended. */
AULA_API void aula_preview_close(struct aula_preview *preview);
AULA_API size_t aula_preview_block(const struct aula_preview *preview); /* frames; 0 for NULL */

/* Passes a block of sound through the best response up to now: dry [block] in, heard [block][2] out, the ears of the
 * head, or the first two receivers. Responses fade into each other. Silent until the first response. From one thread at
 * a time; does not allocate or wait, so an audio callback may call it. */
AULA_API void aula_preview_run(struct aula_preview *preview, const float *dry, float *heard);
/* Turns the head: degrees to the left, down, left ear up. From any thread. */
AULA_API void aula_preview_turn(struct aula_preview *preview, double yaw, double pitch, double roll);

struct aula_preview_status {
    double valid_frequency; /* Hz: the wave solver of the best response is valid up to this; 0: none yet */
    double band;            /* Hz: end of its whole band; 0: no response yet */
    double progress;        /* 0..1, of the grid that is being computed */
    int heard;              /* a response is in use */
    int refining;           /* a finer one will come */
    const char *failure;    /* why no finer one comes, until the next call; NULL: no failure */
    double reserved[4];     /* 0 */
};
/* Returns 0; nonzero if an argument is NULL, in which case the numbers are NaN. */
AULA_API int aula_preview_status(struct aula_preview *preview, struct aula_preview_status *status);

#ifdef __cplusplus
}
#endif

#endif
