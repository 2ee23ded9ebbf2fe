/* SPDX-License-Identifier: MIT */
/* What the parts of use_aula share. */
#ifndef USE_AULA_H
#define USE_AULA_H

#include <aula.h>

extern int failures;
/* Poisoned before each call that has to fail. */
extern struct aula_error error;

void check(int good, const char *what);
/* With the message of the error, and ends the program. */
void give_up(const struct aula_error *e);
void poison(void);
/* The call failed as a wrong use does, and its message names the culprit. */
void check_refused(int status, const char *culprit, const char *what);
int same_number(double a, double b);

/* Of the cpu engine. */
struct aula_options options_of(int threads);
/* On one thread, with progress. */
struct aula_response *render(const struct aula_room *room, size_t source);

/* Rooms and their responses: use_rooms.c. */
void refuse_rooms(const char *path);
void ask_no_room(void);
void use_grid(const struct aula_room *room);
void use_places(const struct aula_room *room, size_t count, const char *(*name)(const struct aula_room *, size_t),
                int (*position)(const struct aula_room *, size_t, double[3], double[3]));
void use_materials(const struct aula_room *room);
void refuse_renders(const struct aula_room *room);
void use_response(const struct aula_room *room, const struct aula_response *response);
void use_all_sources(const struct aula_room *room, struct aula_response *const *each, size_t sources);

/* Figures and sounds: use_results.c. */
void refuse_metrics(void);
void use_metrics(const struct aula_response *response, const char *path);
void refuse_auralizations(const struct aula_response *response);
void use_auralization(struct aula_response *const *responses, size_t sources);

/* Copies by texts: use_copies.c. */
void use_copies(const struct aula_room *room, struct aula_response *response);

/* Ears, SOFA files, maps, films, performances and data sets: use_program.c. */
void use_program(const struct aula_room *room, const struct aula_response *response, const char *folder);

/* Sweeps and measured responses: use_sweeps.c. */
void use_sweeps(void);

/* Modes, places, calibrations and summaries: use_analysis.c. */
void use_analysis(const char *folder);

/* Rooms from texts, what ships, and stopping: use_texts.c. */
void use_texts(void);

#endif
