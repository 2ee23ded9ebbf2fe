/* SPDX-License-Identifier: MIT */
/* aula: room acoustics by finite differences in time. The C interface of libaula.
 *
 * Conventions
 *   units      SI: metres, seconds, hertz, pascal; temperatures in degrees Celsius
 *   axes       right-handed, z up; the room spans 0..size
 *   level      a source of strength x (Pa m) arrives in free field as x(t - r/c)/(4 pi r) Pa
 *   time       sample 0 of a response is the instant of emission: the direct sound begins at r/c
 *   samples    planar doubles, [channel][frame]; the channels of a response are those of each receiver in turn
 *   indices    count from 0
 *   errors     functions with an `error` return 0 on success, and nonzero on failure with *error filled (error may be
 *              NULL); what they would have made is then NULL. NULL where something is needed, and numbers out of their
 *              range, are such errors. Functions without an `error` answer NULL, and indices beyond the last, with 0,
 *              NULL or NaN as each says
 *   ownership  what a function gives you by a pointer to a pointer, you close; closing NULL is allowed. Texts and arrays
 *              belong to what they were asked of and live until that is closed. A response keeps what it needs of its
 *              room, which may be closed first
 *   threads    different rooms may be used from different threads; one room, and what was made from it, from one thread
 *              at a time. The CPU engine starts threads of its own
 *   locale     numbers are read and written with a point whatever the program's locale is; it is left as it was
 *   versions   0.x: a program works with later libraries of the same minor number. Structs end in `reserved` members
 *              for what may come: zero the structs that you give
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
 *     aula_room_close(room); */
#ifndef AULA_H
#define AULA_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

#define AULA_API __attribute__((visibility("default")))

/* Of this header, major * 10000 + minor * 100 + patch: 100 is 0.1.0. */
#define AULA_HEADER_VERSION 100

struct aula_error {
    int exit_status;    /* what the aula program would exit with: 1 the work failed, 2 the input is wrong */
    char message[4096]; /* one line; of a room file with several mistakes a line for each, newlines between them */
};

struct aula_room;
struct aula_response;
struct aula_metrics;
struct aula_sound;
struct aula_library;

/* Of the library: "0.1.0", and the same as AULA_HEADER_VERSION counts. */
AULA_API const char *aula_version(void);
AULA_API int aula_version_number(void);

/* Stops what is at work: every call that runs in this process, in whatever thread, ends soon with an error, as if
 * `progress` had asked for it; so do calls that begin before all of these have ended. Later ones do not know of it. May
 * be called from any thread and from a signal handler. */
AULA_API void aula_stop(void);

/* The path of a file that ships with aula, such as "rooms/studio.cfg" or "sounds/voice.flac", into path[size]. */
AULA_API int aula_data_path(char *path, size_t size, const char *name, struct aula_error *error);

/* ---- Rooms ---- */

/* Reads a room file, or the JSON beside a rendered file, with settings[setting_count] such as "grid.rate=48000" applied
 * on top (NULL when there are none), and puts it on its grid for responses to one source. */
AULA_API int aula_room_open(struct aula_room **room, const char *path, const char *const *settings,
                            size_t setting_count, struct aula_error *error);
/* The same of a text, of a room file or the JSON, in place of a file. `name` stands for its path: in messages
 * ("name:12: grid.rate: ..") and in what describes the room; files that the text names are found from its folder. */
AULA_API int aula_room_open_text(struct aula_room **room, const char *name, const char *text,
                                 const char *const *settings, size_t setting_count, struct aula_error *error);
AULA_API void aula_room_close(struct aula_room *room);

/* The room as it was understood, as JSON: the keys of the room file with defaults filled in and the materials that are
 * used spelt out; aula_room_open_text reads it as the same room. NULL for NULL, and where memory is short. */
AULA_API const char *aula_room_json(struct aula_room *room);

struct aula_grid {
    size_t points[3];       /* of the 7-point scheme at the centres of cells, of the 19-point scheme at their corners */
    double spacing;         /* m: of cells */
    double rate;            /* Hz */
    double size[3];         /* m, rounded to whole cells */
    double sound_speed;     /* m/s */
    double valid_frequency; /* Hz: up to here the response is right (docs/science/accuracy.md) */
    double reserved[8];     /* 0 */
};
/* 0; nonzero when an argument is NULL, and *grid is then all zeros. */
AULA_API int aula_room_grid(const struct aula_room *room, struct aula_grid *grid);

/* Of the air that the sources reach, on the grid and less what objects take, m3. NaN for NULL. */
AULA_API double aula_room_volume(const struct aula_room *room);

AULA_API size_t aula_room_source_count(const struct aula_room *room);   /* 0 for NULL */
AULA_API size_t aula_room_receiver_count(const struct aula_room *room); /* 0 for NULL */
AULA_API size_t aula_room_receiver_channels(const struct aula_room *room,
                                            size_t receiver); /* of a response: omni 1; 0 beyond the last */
AULA_API const char *aula_room_source_name(const struct aula_room *room, size_t source);     /* NULL beyond the last */
AULA_API const char *aula_room_receiver_name(const struct aula_room *room, size_t receiver); /* NULL beyond the last */

/* Where it was asked for, and the weighted centre of the grid points it was placed on, which differs next to walls: m,
 * [x y z]. Either array may be NULL. 0; nonzero beyond the last and for a NULL room, and the arrays are then NaN. */
AULA_API int aula_room_source_position(const struct aula_room *room, size_t source, double asked[3], double placed[3]);
AULA_API int aula_room_receiver_position(const struct aula_room *room, size_t receiver, double asked[3],
                                         double placed[3]);

/* What a user should know about this room as it will be simulated, a line each: simplifications, rounding, clamped
 * absorption, keys by former names. NULL beyond the last. */
AULA_API const char *aula_room_remark(const struct aula_room *room, size_t index);

/* ---- Materials: those that the room uses, in the order of their first use ---- */

/* Octave bands, 63 Hz to 8 kHz. */
#define AULA_OCTAVES 8
AULA_API double aula_octave_centre(size_t band); /* Hz; NaN beyond the last */

enum aula_material_kind {
    AULA_MATERIAL_NONE,      /* beyond the last, or no room */
    AULA_MATERIAL_RIGID,     /* reflects everything */
    AULA_MATERIAL_FIXED,     /* holds the pressure at 0 */
    AULA_MATERIAL_ABSORPTION /* has a specific admittance: absorbs */
};
AULA_API size_t aula_room_material_count(const struct aula_room *room);                      /* 0 for NULL */
AULA_API const char *aula_room_material_name(const struct aula_room *room, size_t material); /* NULL beyond the last */
AULA_API enum aula_material_kind aula_room_material_kind(const struct aula_room *room, size_t material);

/* Random-incidence absorption by octave, 0..1: what was asked for, and the mean over the octave of what the wall in the
 * simulation has; in octaves that the valid band does not hold whole, that of the material. NaN: nothing was asked for
 * (a material of an impedance or of branches), or p = 0. Either array may be NULL. 0; nonzero beyond the last and for a
 * NULL room, and the arrays are then NaN. */
AULA_API int aula_room_material_absorption(const struct aula_room *room, size_t material, double target[AULA_OCTAVES],
                                           double fitted[AULA_OCTAVES]);

/* Part of the reflected energy that rays scatter, by octave, 0..1; waves do not know it. 0; nonzero beyond the last and
 * for a NULL room, and the array is then NaN. */
AULA_API int aula_room_material_scattering(const struct aula_room *room, size_t material,
                                           double scattering[AULA_OCTAVES]);
/* m2 of the material that the air touches: of the true surface, not of its cells. NaN beyond the last. */
AULA_API double aula_room_material_area(const struct aula_room *room, size_t material);
/* Publication of its figures. NULL: none is given, and beyond the last. */
AULA_API const char *aula_room_material_source(const struct aula_room *room, size_t material);

/* The wall's specific admittance (of the wave impedance of air): a real one, and beside it branches in parallel,
 *     Y(w) = admittance + sum of 1/(jw D + E + F/(jw)), branch = [D s, E, F 1/s],
 * after Bilbao, Hamilton, Botts and Savioja, IEEE/ACM TASLP 24(1), 161-173, 2016, as it is stepped: on a grid whose
 * responses are corrected by a frequency map it differs from the wall that is heard (docs/science/walls.md). NaN and 0 beyond
 * the last and for a NULL room; aula_room_material_branch: 0, or nonzero beyond the last, and *branch is then NaN. */
AULA_API double aula_room_material_admittance(const struct aula_room *room, size_t material);
AULA_API size_t aula_room_material_branch_count(const struct aula_room *room, size_t material);
AULA_API int aula_room_material_branch(const struct aula_room *room, size_t material, size_t index, double branch[3]);

/* The materials that ship, which every room file may name. */
AULA_API int aula_library_open(struct aula_library **library, struct aula_error *error);
AULA_API void aula_library_close(struct aula_library *library);
AULA_API size_t aula_library_material_count(const struct aula_library *library);                      /* 0 for NULL */
AULA_API const char *aula_library_material_name(const struct aula_library *library, size_t material); /* NULL beyond */
AULA_API const char *aula_library_material_source(const struct aula_library *library, size_t material); /* likewise */
/* Random-incidence absorption and scattering by octave, 0..1. Either array may be NULL. 0; nonzero beyond the last, and
 * the arrays are then NaN. */
AULA_API int aula_library_material_absorption(const struct aula_library *library, size_t material,
                                              double absorption[AULA_OCTAVES], double scattering[AULA_OCTAVES]);

/* ---- Responses ---- */

/* How to render. Zeroed, or NULL: everything automatic. */
struct aula_options {
    const char *engine; /* "auto", "cpu" or "cuda"; NULL: auto */
    int threads;        /* of the cpu engine, 1 to 4096; 0: as many as OpenMP gives */
    /* Called a few times a second with the share that is done, 0..1, in the thread and the locale of the caller;
     * returning nonzero stops the work. The share falls back when time.duration = "auto" makes the response longer. */
    int (*progress)(void *context, double share);
    void *context;
    void *reserved[8]; /* NULL */
};

/* In place of a source: all of them at once, into one response. */
#define AULA_ALL_SOURCES ((size_t)-1)

/* The response of every receiver to one source: output.rate, filter and dispersion apply; output.format and normalise,
 * which concern files, do not. */
AULA_API int aula_render(struct aula_response **response, const struct aula_room *room, size_t source,
                         const struct aula_options *options, struct aula_error *error);
AULA_API void aula_response_close(struct aula_response *response);

/* What rendering found, such as a receiver that hears nothing; NULL beyond the last. */
AULA_API const char *aula_response_warning(const struct aula_response *response, size_t index);

AULA_API size_t aula_response_channels(const struct aula_response *response); /* 0 for NULL */
AULA_API size_t aula_response_frames(const struct aula_response *response);   /* 0 for NULL */
AULA_API double aula_response_rate(const struct aula_response *response);     /* Hz; NaN for NULL */
/* Hz: the band in which the response is right, [low high]: waves and, with hybrid.full, rays. 0; nonzero for NULL, and
 * the array is then NaN. */
AULA_API int aula_response_band(const struct aula_response *response, double band[2]);
/* [frames] of one channel; NULL beyond the last. The channels lie one behind the other: those of channel 0 begin an
 * array [channels][frames]. */
AULA_API const double *aula_response_samples(const struct aula_response *response, size_t channel);
/* 1: an impulse response, to convolve with; 0: a recorded signal in Pa, or NULL */
AULA_API int aula_response_is_filter(const struct aula_response *response);

/* Writes sound files and the JSON beside each exactly as `aula render -o path` does: `path` itself for one response,
 * NAME_SOURCE.wav for several of one room, which share their gain where output.normalise asks for one. output.format
 * applies. A file is whole or absent. */
AULA_API int aula_responses_write(const struct aula_response *const *responses, size_t count, const char *path,
                                  struct aula_error *error);

/* ---- Metrics of room acoustics: ISO 3382-1, and IEC 60268-16 for speech ---- */

enum aula_metric {
    AULA_EDT,   /* early decay time, s */
    AULA_T20,   /* reverberation time from -5 to -25 dB, s */
    AULA_T30,   /* reverberation time from -5 to -35 dB, s */
    AULA_C50,   /* clarity, dB */
    AULA_C80,   /* clarity, dB */
    AULA_D50,   /* definition, 0..1 */
    AULA_TS,    /* centre time, s */
    AULA_G,     /* strength, dB */
    AULA_RANGE, /* dB between the start of the decay and where noise or the end cut it */
    /* Of files alone, of receivers that know directions: ambisonic ones and figures of eight; two ears. */
    AULA_LF,         /* early lateral energy fraction */
    AULA_LFC,        /* the same by |p_L p| */
    AULA_LG,         /* late lateral level, dB */
    AULA_IACC_EARLY, /* correlation of the ears, 0..1: of 80 ms */
    AULA_IACC_LATE,  /* .. of what is later */
    AULA_IACC,       /* .. of all */
};

/* "T30", its unit "s" ("": none), and what it is in words, for lists of all metrics: from 0 on; NULL beyond the last. */
AULA_API const char *aula_metric_name(enum aula_metric metric);
AULA_API const char *aula_metric_unit(enum aula_metric metric);
AULA_API const char *aula_metric_meaning(enum aula_metric metric);

/* Index of the broad band, after the AULA_OCTAVES octaves. */
#define AULA_BROAD_BAND AULA_OCTAVES

enum aula_validity {
    AULA_OUTSIDE, /* nothing of the band lies in the valid band: no metrics. Also beyond the last */
    AULA_PARTLY,  /* one edge lies outside: metrics are given, to be marked */
    AULA_VALID    /* both edges lie in the valid band */
};

/* The metrics of every channel of a response, as rendered. A channel that is silent has none, with that as
 * the reason; where all are silent it is an error. */
AULA_API int aula_metrics_of_response(struct aula_metrics **metrics, const struct aula_response *response,
                                      struct aula_error *error);
/* Of a sound file, with what the JSON beside it says of its valid band and level: as `aula metrics` prints them. */
AULA_API int aula_metrics_of_file(struct aula_metrics **metrics, const char *path, struct aula_error *error);
/* Of samples[channels][frames] of an impulse response at `rate` Hz that came from elsewhere: the whole band counts as
 * valid, and there is no G, for the level is not known to be calibrated. */
AULA_API int aula_metrics_of_samples(struct aula_metrics **metrics, const double *samples, size_t channels,
                                     size_t frames, double rate, struct aula_error *error);
AULA_API void aula_metrics_close(struct aula_metrics *metrics);

/* What was taken for granted, such as a JSON that is missing, and what was found: clipping, a sweep, silence at the end:
 * one line, or NULL. */
AULA_API const char *aula_metrics_note(const struct aula_metrics *metrics);
AULA_API size_t aula_metrics_channels(const struct aula_metrics *metrics); /* 0 for NULL */
/* s from the first sample to the direct sound; NaN where all is silent, and beyond the last. */
AULA_API double aula_metrics_arrival(const struct aula_metrics *metrics, size_t channel);
AULA_API enum aula_validity aula_metrics_validity(const struct aula_metrics *metrics, size_t channel, size_t band);

/* A metric in the unit above; NaN where the response does not hold it, never a guess, and beyond the last. */
AULA_API double aula_metrics_value(const struct aula_metrics *metrics, size_t channel, size_t band,
                                   enum aula_metric metric);
/* Why it is NaN, in words; "" where it is not; NULL beyond the last. */
AULA_API const char *aula_metrics_missing(const struct aula_metrics *metrics, size_t channel, size_t band,
                                          enum aula_metric metric);

/* Speech transmission index of the room alone (male weights, no noise, no masking by level), 0..1; NaN where there is
 * none, and beyond the last. */
AULA_API double aula_metrics_sti(const struct aula_metrics *metrics, size_t channel);
/* Why there is none, and what would give one; "" where there is one; NULL beyond the last. */
AULA_API const char *aula_metrics_sti_missing(const struct aula_metrics *metrics, size_t channel);

#define AULA_SPEECH_OCTAVES 7 /* 125 Hz to 8 kHz */

/* Speech with its level, noise and the ear (IEC 60268-16:2011). Levels in dB re 20 uPa, -100 to 200. */
struct aula_speech {
    int female;           /* weights and spectrum of a female voice; 0: male */
    int at_one_metre;     /* the speech level is that 1 m before the talker, and a calibrated response carries it to the
                             listener; 0: at the listener */
    int unmasked;         /* leave out masking by the octave below and the reception threshold */
    double level;         /* A-weighted, where `speech` is NULL */
    const double *speech; /* [AULA_SPEECH_OCTAVES]; NULL: the standard's spectrum at `level` */
    const double *noise;  /* [AULA_SPEECH_OCTAVES] at the listener; NULL: none */
    void *reserved[8];    /* NULL */
};

/* The speech transmission index under these conditions, and the modulation transfer index of each octave, both 0..1
 * (the array may be NULL; a female voice has none at 125 Hz, NaN). An error, and NaN, where there is no index. */
AULA_API int aula_metrics_speech(double *sti, double octaves[AULA_SPEECH_OCTAVES], const struct aula_metrics *metrics,
                                 size_t channel, const struct aula_speech *speech, struct aula_error *error);

/* ---- Auralization ---- */

/* dry[count][frames], a sound without a room at `rate` Hz, as it is heard at each receiver: channel i goes through
 * responses[i], and what comes out is summed. The responses have equal numbers of receivers and equal rates; the sound
 * is brought to that rate (at most 256 times faster or slower). No gain but what the responses have; frames at the
 * responses' rate + the longest response - 1 come out. */
AULA_API int aula_auralize(struct aula_sound **wet, const struct aula_response *const *responses, size_t count,
                           const double *dry, size_t frames, double rate, struct aula_error *error);
AULA_API void aula_sound_close(struct aula_sound *sound);

/* Such as silence, or a response that is a recorded signal; NULL beyond the last. */
AULA_API const char *aula_sound_warning(const struct aula_sound *sound, size_t index);
AULA_API size_t aula_sound_channels(const struct aula_sound *sound); /* 0 for NULL */
AULA_API size_t aula_sound_frames(const struct aula_sound *sound);   /* 0 for NULL */
AULA_API double aula_sound_rate(const struct aula_sound *sound);     /* Hz; NaN for NULL */
/* [frames]; NULL beyond the last. The channels lie one behind the other, as those of a response do. */
AULA_API const double *aula_sound_samples(const struct aula_sound *sound, size_t channel);

#ifdef __cplusplus
}
#endif

#endif
