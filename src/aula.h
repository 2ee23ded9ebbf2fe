/* aula: room acoustics by finite differences in time. The C interface of libaula.
 *
 * Conventions
 *   units      SI: metres, seconds, hertz, pascal; temperatures in degrees Celsius
 *   axes       right-handed, z up; the room spans 0..size
 *   level      a source of strength x (Pa m) arrives in free field as x(t - r/c)/(4 pi r) Pa
 *   time       sample 0 of a response is the instant of emission: the direct sound is at r/c
 *   samples    planar doubles, [receiver][frame]
 *   errors     functions return 0 on success; on failure nonzero, with *error filled (error may be NULL)
 *   ownership  what a function gives you, you close; closing NULL is allowed
 *   threads    different rooms may be used from different threads; one room from one thread at a time
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

struct aula_error {
    int exit_status;    /* what the aula program would exit with: 1 the work failed, 2 the input is wrong */
    char message[1024]; /* one line */
};

struct aula_room;
struct aula_response;

/* "0.1.0" */
AULA_API const char *aula_version(void);

/* Reads a room file, or the JSON beside a rendered file, with settings "grid.rate=48000" applied on top, and puts it on
 * its grid. */
AULA_API int aula_room_open(struct aula_room **room, const char *path, const char *const *settings,
                            size_t setting_count, struct aula_error *error);
AULA_API void aula_room_close(struct aula_room *room);

struct aula_grid {
    size_t points[3];
    double spacing;         /* m */
    double rate;            /* Hz */
    double size[3];         /* m, rounded to whole cells */
    double sound_speed;     /* m/s */
    double valid_frequency; /* Hz: phase-velocity error within output.dispersion up to here */
};
AULA_API void aula_room_grid(const struct aula_room *room, struct aula_grid *grid);

AULA_API size_t aula_room_source_count(const struct aula_room *room);
AULA_API size_t aula_room_receiver_count(const struct aula_room *room);
AULA_API const char *aula_room_source_name(const struct aula_room *room, size_t source);     /* NULL beyond the last */
AULA_API const char *aula_room_receiver_name(const struct aula_room *room, size_t receiver); /* NULL beyond the last */

/* What a user should know about this room as it will be simulated, a line each: simplifications, rounding, clamped absorption. NULL
 * beyond the last. */
AULA_API const char *aula_room_remark(const struct aula_room *room, size_t index);

/* How to render. Zeroed, or NULL: everything automatic. */
struct aula_options {
    const char *engine; /* "auto", "cpu" or "cuda" */
    int threads;        /* of the cpu engine; 0: as many as OpenMP gives */
    /* Called a few times a second with the share that is done, 0..1; returning nonzero stops the work. */
    int (*progress)(void *context, double share);
    void *context;
};

/* The response of every receiver to one source: output.rate, filter and dispersion apply; output.format and normalise, which concern
 * files, do not. */
AULA_API int aula_render(struct aula_response **response, const struct aula_room *room, size_t source,
                         const struct aula_options *options, struct aula_error *error);
AULA_API void aula_response_close(struct aula_response *response);

/* What rendering found, such as a receiver that hears nothing; NULL beyond the last. */
AULA_API const char *aula_response_warning(const struct aula_response *response, size_t index);

AULA_API size_t aula_response_channels(const struct aula_response *response);
AULA_API size_t aula_response_frames(const struct aula_response *response);
AULA_API double aula_response_rate(const struct aula_response *response); /* Hz */
/* [frames] of one receiver; NULL beyond the last. Valid until the response is closed. */
AULA_API const double *aula_response_samples(const struct aula_response *response, size_t channel);
/* 1: an impulse response, to convolve with; 0: a recorded signal in Pa */
AULA_API int aula_response_is_filter(const struct aula_response *response);

#ifdef __cplusplus
}
#endif

#endif
