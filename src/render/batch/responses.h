/* SPDX-License-Identifier: MIT */
/* The responses of a data set one after the other, as rows of a table: one for each finished room, source and receiver,
 * in the order of rooms and of their files. Formats for loaders are written from these rows. */
#ifndef AULA_RENDER_BATCH_RESPONSES_H
#define AULA_RENDER_BATCH_RESPONSES_H

#include "io/wav_image.h"
#include "render/batch/manifest.h"

enum response_column_kind { COLUMN_WHOLE, COLUMN_REAL, COLUMN_TEXT };

struct response_column {
    char *name;
    enum response_column_kind kind;
    bool is_json;     /* of text: JSON, different in each row */
    size_t variation; /* of a varied key: its index in the plan */
    size_t component; /* of [x, y, z] */
};

struct response_value {
    double number;    /* NaN: missing */
    const char *text; /* never NULL in a column of text; valid until the next row */
};

struct responses {
    const struct manifest *manifest;
    struct response_column *columns;         /* [column_count] */
    size_t column_count, varied, varied_end; /* of the varied keys: the first column, and the one behind the last */
    /* of the current row */
    struct response_value *values; /* [column_count] */
    size_t room, source, receiver; /* indices; of source and receiver: in the record */
    const char *split, *file;      /* the name of the file: relative to the folder */
    size_t first, channels;        /* of the file: those of this response */
    /* private */
    struct cJSON *record;
    const struct cJSON *at;
    bool is_in_file;
    char **texts; /* [text_count], of this row */
    size_t text_count;
    struct wav_image image; /* of the file `loaded`; NULL: none */
    char *loaded;
};

/* Columns: room, split, base, source, receiver, receiver_type, first_channel, channels, rate (Hz), frames, size_x .. size_z,
 * source_x .. receiver_z (m), volume (m3), surface (m2), valid_low, valid_high (Hz), T30 and the other parameters of
 * manifest.csv as NAME_mid, the varied keys, `use` of generated rooms, and `metrics`, the parameters by octave as JSON. ERROR_MEMORY. Close in any
 * case. */
int responses_open(struct responses *r, const struct manifest *m, struct error *e);
void responses_close(struct responses *r);

/* The next row; *more: there is one. From the first row again after the last. ERROR_STOPPED, ERROR_OUTPUT, ERROR_MEMORY. */
int responses_next(struct responses *r, bool *more, struct error *e);

/* Fresh bytes of a WAV file of this response. */
int responses_sound(struct responses *r, unsigned char **bytes, size_t *count, struct error *e);

/* The row as a line of JSON, without newline, fresh; NULL with *e. */
char *responses_json(const struct responses *r, struct error *e);

/* "room_0000012_s0_r1": a name without dots, since loaders take them for suffixes. Returns text. */
enum { RESPONSE_NAME = 80 };
const char *responses_name(const struct responses *r, char text[RESPONSE_NAME]);

/* The value of a column by name; NULL: there is none. */
const struct response_value *responses_value(const struct responses *r, const char *name);

#endif
