/* SPDX-License-Identifier: MIT */
/* What the program knows of the pages: the room files that they opened, their copies until they are saved, and the folder of
 * temporary files. */
#ifndef AULA_STUDIO_SESSION_H
#define AULA_STUDIO_SESSION_H

#include <stdbool.h>

#include "base/error.h"
#include "studio/events.h"

struct cJSON;
struct session;

/* room: path or name of a shipped room that pages begin with, or NULL. ERROR_INPUT: it cannot be read; ERROR_OUTPUT: there
 * is no place for temporary files. */
int session_open(struct session **s, const char *room, struct events *events, struct error *e);
void session_close(struct session *s); /* removes the temporary files; NULL-safe */

const char *session_folder(const struct session *s); /* of the files of jobs */

/* Answers, fresh; NULL with *e. */

struct cJSON *session_state(struct session *s, struct error *e);
struct cJSON *session_begin(struct session *s, const char *path, struct error *e); /* api/open */
/* {scene, inputs} of a text; inputs as of watch_room. ERROR_INPUT: it is no room. */
struct cJSON *session_room(struct session *s, const char *path, const char *text, struct error *e);

/* What a page saves. */
struct session_save {
    const char *path, *text;
    const char *known; /* what the page takes the file to have; NULL: it knows no file there */
    const char *page;
    bool replace; /* whatever the file has */
};

/* {file, text}: models that were uploaded are put beside the file, and the text names them there. *conflict: the file has
 * another text than the known one, and replace is not set; *e says so. Other pages are told. */
struct cJSON *session_save(struct session *s, const struct session_save *save, bool *conflict, struct error *e);
/* {path, drop}: keeps the bytes of a descriptor, as of uploads_keep. */
struct cJSON *session_upload(struct session *s, const char *name, int file, struct error *e);

/* Keeps a text that is not saved, as autosave_keep does, of a file that was opened. */
int session_keep(struct session *s, const char *path, const char *variant, const char *text, struct error *e);

void session_answer_free(struct cJSON *answer); /* NULL-safe */

/* Tells pages of room files, and of files that they name, that changed on disk; to be called about twice a second. */
void session_look(struct session *s);

/* A list that the program prints: "materials", "targets" or "keys"; NULL with *e. Fresh. */
char *session_list(struct session *s, const char *name, struct error *e);

#endif
