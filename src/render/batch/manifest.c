/* SPDX-License-Identifier: MIT */
#include "render/batch/manifest.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cjson/cJSON.h>

#include "base/file.h"
#include "base/stop.h"
#include "base/text.h"
#include "render/batch/folder.h"

enum { LINE_MAX_BYTES = 1 << 26 };

void manifest_close(struct manifest *m)
{
    if (m->descriptor > 0)
        close(m->descriptor);
    if (m->place > 0)
        close(m->place);
    free(m->folder);
    free(m->path);
    free(m->csv);
    free(m->lines);
    memset(m, 0, sizeof *m);
}

static int cannot(const struct manifest *m, const char *what, struct error *e)
{
    return fail(e, ERROR_OUTPUT, "%s: cannot %s: %s", m->path, what, strerror(errno));
}

/* Whether a file of a record exists, belongs to its room and is unchanged. Nonzero: stopped. */
static int check_file(bool *whole, const char *folder, size_t room, const cJSON *file, bool verify, struct error *e)
{
    const char *name = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(file, "file"));
    const char *expected = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(file, "checksum"));
    const cJSON *expected_bytes = cJSON_GetObjectItemCaseSensitive(file, "bytes");
    char text[CHECKSUM_TEXT] = "";
    uint64_t bytes;
    struct error why = {ERROR_NONE, ""};
    *whole = name && expected && cJSON_IsNumber(expected_bytes) && inside_is_of_room(name, room) &&
             inside_look(folder, name, &bytes, NULL, &why) && (double)bytes == expected_bytes->valuedouble;
    if (*whole && verify)
        *whole = inside_look(folder, name, &bytes, text, &why) && !strcmp(text, expected);
    return why.code == ERROR_STOPPED ? stop_check(e) : 0;
}

static int check_files(bool *whole, const char *folder, size_t room, const cJSON *record, bool verify, struct error *e)
{
    const cJSON *files = cJSON_GetObjectItemCaseSensitive(record, "files"), *file;
    *whole = cJSON_GetArraySize(files) > 0;
    cJSON_ArrayForEach(file, files) if (*whole && check_file(whole, folder, room, file, verify, e)) return -1;
    return 0;
}

/* Index of the record's room; SIZE_MAX: invalid. */
static size_t room_of(const cJSON *record, size_t count)
{
    const cJSON *room = cJSON_GetObjectItemCaseSensitive(record, "room");
    if (!cJSON_IsNumber(room) || !(room->valuedouble >= 0.0 && room->valuedouble < (double)count))
        return SIZE_MAX;
    return (size_t)room->valuedouble;
}

static void set_line(struct manifest *m, size_t room, uint64_t offset, size_t length, enum room_state state)
{
    struct manifest_line *line = &m->lines[room];
    m->done -= line->state == ROOM_DONE;
    m->failed -= line->state == ROOM_FAILED;
    *line = (struct manifest_line){offset, (uint32_t)length, (uint8_t)state};
    m->done += state == ROOM_DONE;
    m->failed += state == ROOM_FAILED;
}

/* Registers a complete line; the last one of a room counts. */
static int take_line(struct manifest *m, const char *text, uint64_t offset, size_t length, bool verify, struct error *e)
{
    cJSON *record = cJSON_ParseWithLength(text, length);
    const size_t room = room_of(record, m->plan->count);
    const char *status = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(record, "status"));
    int result = 0;
    if (room != SIZE_MAX && status) {
        bool whole = false;
        if (!strcmp(status, "done"))
            result = check_files(&whole, m->folder, room, record, verify, e);
        set_line(m, room, offset, length, whole ? ROOM_DONE : !strcmp(status, "failed") ? ROOM_FAILED : ROOM_OPEN);
    }
    cJSON_Delete(record);
    return result;
}

/* Start of every line (render/batch/room_task.c). */
static const char line_begin[] = "{\"room\":";

/* Whether the text may be the start of a line of ours, cut off by a killed run. A power failure
 * leaves zeros. */
static bool may_be_ours(const char *text, size_t length)
{
    const size_t compared = length < sizeof line_begin - 1 ? length : sizeof line_begin - 1;
    return !*text || !strncmp(text, line_begin, compared);
}

static int refuse_foreign(const struct manifest *m, size_t number, struct error *e)
{
    return fail(e, ERROR_OUTPUT,
                "%s:%zu: was not written by aula batch; move the file away, or choose another folder with -o", m->path,
                number);
}

static FILE *stream_of(const struct manifest *m, struct error *e)
{
    const int copy = fcntl(m->descriptor, F_DUPFD_CLOEXEC, 0);
    FILE *f = copy < 0 ? NULL : fdopen(copy, "rb");
    if (!f)
        cannot(m, "read", e);
    if (!f && copy >= 0)
        close(copy);
    return f;
}

static int read_lines(struct manifest *m, bool verify, struct error *e)
{
    FILE *f = stream_of(m, e);
    char *text = NULL;
    size_t room = 0;
    ssize_t length;
    int status = f ? 0 : -1;
    for (size_t number = 1; !status && (length = getline(&text, &room, f)) > 0; number++) {
        if (!may_be_ours(text, (size_t)length))
            status = refuse_foreign(m, number, e);
        else if (text[length - 1] != '\n' || length >= LINE_MAX_BYTES)
            break;
        else
            status = take_line(m, text, m->end, (size_t)length, verify, e) || stop_check(e);
        m->end += status ? 0 : (uint64_t)length;
    }
    if (!status && f && ferror(f))
        status = cannot(m, "read", e);
    free(text);
    if (f)
        fclose(f);
    return status ? -1 : 0;
}

/* Refuses links, and does not block on a pipe. */
static int open_file(struct manifest *m, enum manifest_use use, struct stat *status, struct error *e)
{
    const int flags = use == MANIFEST_READ ? O_RDONLY : O_RDWR | O_CREAT | O_APPEND;
    char *place = path_folder(m->path);
    m->place = place ? open(place, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
    free(place);
    m->descriptor =
        m->place < 0 ? -1 : openat(m->place, path_name(m->path), flags | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0666);
    if (m->descriptor < 0 && use == MANIFEST_READ)
        return fail(e, ERROR_INPUT, "%s: cannot read: %s", m->path, strerror(errno));
    if (m->descriptor < 0 && errno != ELOOP && errno != ENXIO && errno != EISDIR)
        return fail(e, ERROR_OUTPUT, "%s: cannot write: %s; choose another folder with -o", m->path, strerror(errno));
    if (m->descriptor < 0 || fstat(m->descriptor, status) || !S_ISREG(status->st_mode))
        return fail(e, ERROR_OUTPUT, "%s: is not a regular file; move it away, or choose another folder with -o",
                    m->path);
    return 0;
}

int manifest_open(struct manifest *m, const struct plan *plan, const char *folder, const char *name,
                  enum manifest_use use, struct error *e)
{
    struct stat status;
    *m = (struct manifest){.plan = plan, .descriptor = -1, .place = -1};
    m->folder = text_copy(folder);
    m->path = text_format("%s/%s.jsonl", folder, name);
    m->csv = text_format("%s/%s.csv", folder, name);
    m->lines = calloc(plan->count + 1, sizeof *m->lines);
    if (!m->folder || !m->path || !m->csv || !m->lines)
        return fail(e, ERROR_MEMORY, "%s: out of memory", folder);
    if (open_file(m, use, &status, e) || read_lines(m, use == MANIFEST_VERIFY, e))
        return -1;
    const bool is_cut = (use == MANIFEST_WRITE || use == MANIFEST_VERIFY) && (uint64_t)status.st_size > m->end;
    return is_cut && ftruncate(m->descriptor, (off_t)m->end) ? cannot(m, "write", e) : 0;
}

static int append(struct manifest *m, const char *bytes, size_t count, struct error *e)
{
    for (size_t done = 0; done < count;) {
        const ssize_t written = write(m->descriptor, bytes + done, count - done);
        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0) { /* the next line must not join an incomplete one */
            const int reason = errno;
            (void)!ftruncate(m->descriptor, (off_t)m->end);
            errno = reason;
            return cannot(m, "write", e);
        }
        done += (size_t)written;
    }
    return 0;
}

int manifest_add(struct manifest *m, const char *line, struct error *e)
{
    cJSON *record = cJSON_Parse(line);
    const size_t room = room_of(record, m->plan->count), length = strlen(line) + 1;
    const char *status = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(record, "status"));
    const bool done = status && !strcmp(status, "done");
    cJSON_Delete(record);
    char *text = text_format("%s\n", line);
    int result = text && room != SIZE_MAX ? 0 : fail(e, ERROR_MEMORY, "%s: out of memory", m->path);
    result = result || append(m, text, length, e);
    free(text);
    if (!result && fsync(m->descriptor))
        result = cannot(m, "flush to disk", e);
    if (result)
        return -1;
    set_line(m, room, m->end, length, done ? ROOM_DONE : ROOM_FAILED);
    m->end += length;
    return 0;
}

char *manifest_line(const struct manifest *m, size_t room, struct error *e)
{
    const struct manifest_line *line = &m->lines[room];
    char *text = malloc(line->length + 1);
    if (!text) {
        fail(e, ERROR_MEMORY, "%s: out of memory", m->path);
        return NULL;
    }
    for (size_t done = 0; done < line->length;) {
        const ssize_t got = pread(m->descriptor, text + done, line->length - done, (off_t)(line->offset + done));
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0) {
            cannot(m, "read", e);
            free(text);
            return NULL;
        }
        done += (size_t)got;
    }
    text[line->length - 1] = '\0'; /* the newline */
    return text;
}

int manifest_merge(struct manifest *m, const char *name, struct error *e)
{
    struct manifest other;
    int status = manifest_open(&other, m->plan, m->folder, name, MANIFEST_READ, e);
    for (size_t room = 0; room < m->plan->count && !status; room++) {
        if (other.lines[room].state == ROOM_OPEN || (m->lines[room].state == ROOM_DONE))
            continue;
        char *line = manifest_line(&other, room, e);
        status = !line || manifest_add(m, line, e);
        free(line);
    }
    manifest_close(&other);
    return status ? -1 : 0;
}

static bool is_ordered(const struct manifest *m)
{
    uint64_t at = 0;
    for (size_t room = 0; room < m->plan->count; room++)
        if (m->lines[room].state != ROOM_OPEN) {
            if (m->lines[room].offset != at)
                return false;
            at += m->lines[room].length;
        }
    return at == m->end;
}

/* Writes the same lines sorted by number. */
static int write_ordered(struct manifest *m, struct output_file *file, struct error *e)
{
    FILE *f = output_file_stream(file, e);
    int status = f ? 0 : -1;
    for (size_t room = 0; room < m->plan->count && !status; room++) {
        char *line = m->lines[room].state != ROOM_OPEN ? manifest_line(m, room, e) : NULL;
        if (m->lines[room].state != ROOM_OPEN)
            status = !line || fprintf(f, "%s\n", line) < 0;
        free(line);
    }
    if (f && fclose(f) && !status)
        status = -1;
    if (status && e->code == ERROR_NONE)
        cannot(m, "write", e);
    return status ? -1 : 0;
}

static int order_lines(struct manifest *m, struct error *e)
{
    struct output_file file;
    if (is_ordered(m))
        return 0;
    e->code = ERROR_NONE;
    if (output_file_open_in(&file, m->place, m->path, e))
        return -1;
    if (write_ordered(m, &file, e)) {
        output_file_discard(&file);
        return -1;
    }
    if (output_file_commit(&file, e))
        return -1;
    close(m->descriptor);
    m->descriptor = openat(m->place, path_name(m->path), O_RDWR | O_APPEND | O_NOFOLLOW | O_CLOEXEC);
    if (m->descriptor < 0)
        return cannot(m, "read", e);
    m->end = 0;
    for (size_t room = 0; room < m->plan->count; room++)
        if (m->lines[room].state != ROOM_OPEN) {
            m->lines[room].offset = m->end;
            m->end += m->lines[room].length;
        }
    return 0;
}

int manifest_finish(struct manifest *m, struct error *e)
{
    return order_lines(m, e) || manifest_write_csv(m, e) ? -1 : 0;
}
