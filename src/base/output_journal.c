/* SPDX-License-Identifier: MIT */
/* FIRST.part-set:
 *     aula files 1
 *     BYTES SECONDS NANOSECONDS INODE KEPT LENGTH NAME     for each file; KEPT: process and random number, or "-"
 *     end
 *     done                                                 once all have their names
 * Without "end" no file was renamed; without "done" the older files count. */
#include "base/output_journal.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/growing_text.h"
#include "base/output_parts.h"
#include "base/stop.h"
#include "base/text.h"

static const char head[] = "aula files 1\n", foot[] = "end\n", done[] = "done\n";
enum { TEXT_MAX = 1 << 28 };
enum { TWO_SECONDS = 2 };            /* the coarsest time stamps of a file system, FAT's */
static const double WAIT = 10.0;     /* s, for another run's renames */
static const time_t FORGOTTEN = 600; /* s: without locks, a journal as old as this is a dead run's */

static void free_entries(struct journal_entry *entries, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        free(entries[i].name);
        free(entries[i].kept);
    }
    free(entries);
}

static bool has_file(int place, const char *name, struct stat *status)
{
    return !fstatat(place, name, status, AT_SYMLINK_NOFOLLOW) && S_ISREG(status->st_mode);
}

/* By size and time, which a copy of the folder keeps. */
static bool is_new_file(const struct stat *status, const struct journal_entry *entry)
{
    const int64_t apart = (int64_t)status->st_mtim.tv_sec - (int64_t)entry->modified.tv_sec;
    return (int64_t)status->st_size == entry->bytes && apart >= -TWO_SECONDS && apart <= TWO_SECONDS;
}

/* Where nothing is kept, a file is removed only if it is the very same. */
static bool is_same_file(const struct stat *status, const struct journal_entry *entry)
{
    return is_new_file(status, entry) && (uint64_t)status->st_ino == entry->inode &&
           status->st_mtim.tv_sec == entry->modified.tv_sec && status->st_mtim.tv_nsec == entry->modified.tv_nsec;
}

/* What somebody else has put there meanwhile stays. */
static int undo_entry(int place, const struct journal_entry *entry)
{
    struct stat named, kept;
    const bool there = !fstatat(place, entry->name, &named, AT_SYMLINK_NOFOLLOW);
    if (!entry->kept)
        return there && S_ISREG(named.st_mode) && is_same_file(&named, entry) ? unlinkat(place, entry->name, 0) : 0;
    if (!has_file(place, entry->kept, &kept))
        return 0;
    const bool own = there && S_ISREG(named.st_mode) &&
                     (is_new_file(&named, entry) || (named.st_ino == kept.st_ino && named.st_dev == kept.st_dev));
    if ((!there || own) && renameat(place, entry->kept, place, entry->name))
        return -1;
    return unlinkat(place, entry->kept, 0) && errno != ENOENT ? -1 : 0; /* links to one file: both names remain */
}

/* A rename is durable once its folder is flushed, which some file systems do not support. */
static int flush(int place)
{
    const bool failed = fsync(place) != 0;
    return failed && errno != EINVAL && errno != ENOTSUP && errno != EBADF && errno != EROFS ? -1 : 0;
}

static int undo_entries(int place, const struct journal_entry *entries, size_t count)
{
    int status = 0;
    for (size_t i = count; i-- > 0;)
        status = undo_entry(place, &entries[i]) || status ? -1 : 0;
    return flush(place) || status ? -1 : 0;
}

static void drop_kept(int place, const struct journal_entry *entries, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (entries[i].kept)
            unlinkat(place, entries[i].kept, 0);
}

/* A name in this folder, of a line that begins with its length. */
static char *parse_name(const char **at, size_t length)
{
    const size_t there = strnlen(*at, length + 1);
    if (!length || length > NAME_MAX || there <= length || (*at)[length] != '\n' || memchr(*at, '/', length))
        return NULL;
    char *name = text_format("%.*s", (int)length, *at);
    *at += length + 1;
    return name;
}

static bool parse_entry(struct journal_entry *entry, const char **at)
{
    char kept[64];
    int64_t seconds;
    long nanoseconds;
    size_t length;
    int used = 0;
    *entry = (struct journal_entry){0};
    if (sscanf(*at, "%" SCNd64 " %" SCNd64 " %ld %" SCNu64 " %63[-0-9a-f] %zu%n", &entry->bytes, &seconds, &nanoseconds,
               &entry->inode, kept, &length, &used) != 6 ||
        (*at)[used] != ' ')
        return false;
    entry->modified = (struct timespec){.tv_sec = (time_t)seconds, .tv_nsec = nanoseconds};
    *at += used + 1;
    entry->name = parse_name(at, length);
    if (entry->name && strcmp(kept, "-") != 0)
        entry->kept = output_part_named(entry->name, OUTPUT_OLDER_KIND, kept);
    return entry->name && (entry->kept || !strcmp(kept, "-"));
}

enum text_state { TEXT_UNKNOWN, TEXT_UNFINISHED, TEXT_READY, TEXT_DONE };

/* Of memory that is out it makes TEXT_UNKNOWN, which is left alone. */
static enum text_state parse(const char *text, struct journal_entry **entries, size_t *count)
{
    if (strncmp(text, head, strlen(head)) != 0)
        return strncmp(head, text, strlen(text)) ? TEXT_UNKNOWN : TEXT_UNFINISHED;
    const char *at = text + strlen(head);
    if (!strstr(at, foot))
        return TEXT_UNFINISHED;
    while (strncmp(at, foot, strlen(foot)) != 0) {
        struct journal_entry *more = reallocarray(*entries, *count + 1, sizeof *more);
        if (!more)
            return TEXT_UNKNOWN;
        *entries = more;
        if (!parse_entry(&more[(*count)++], &at))
            return TEXT_UNKNOWN;
    }
    return strcmp(at + strlen(foot), done) ? TEXT_READY : TEXT_DONE;
}

/* Its text in fresh memory; a NUL byte, of a block that never came to the disk, ends it. */
static char *read_text(int descriptor, off_t bytes)
{
    size_t length = 0;
    char *text = bytes < TEXT_MAX ? calloc(1, (size_t)bytes + 1) : NULL;
    while (text && length < (size_t)bytes) {
        const ssize_t got = pread(descriptor, text + length, (size_t)bytes - length, (off_t)length);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0) {
            free(text);
            return NULL;
        }
        length += (size_t)got;
    }
    return text;
}

static enum journal_found recover_opened(int place, const char *name, int descriptor, off_t bytes)
{
    struct journal_entry *entries = NULL;
    size_t count = 0;
    char *text = read_text(descriptor, bytes);
    const enum text_state state = text ? parse(text, &entries, &count) : TEXT_UNKNOWN;
    bool good = state != TEXT_UNKNOWN;
    if (state == TEXT_DONE)
        drop_kept(place, entries, count);
    else if (state == TEXT_READY)
        good = !undo_entries(place, entries, count);
    free_entries(entries, count);
    free(text);
    return good && !unlinkat(place, name, 0) ? JOURNAL_GONE : JOURNAL_STUCK;
}

/* Whether nobody holds it; then it is locked, where there are locks. */
static bool is_dead(int descriptor, const struct stat *opened)
{
    if (!flock(descriptor, LOCK_EX | LOCK_NB))
        return true;
    return errno != EWOULDBLOCK && time(NULL) - opened->st_mtim.tv_sec > FORGOTTEN;
}

enum journal_found output_journal_recover(int place, const char *name)
{
    struct stat opened, named;
    const int file = openat(place, name, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (file < 0)
        return errno == ENOENT ? JOURNAL_GONE : errno == EACCES ? JOURNAL_ALIVE : JOURNAL_STUCK;
    enum journal_found found = JOURNAL_STUCK;
    if (!fstat(file, &opened) && S_ISREG(opened.st_mode) && opened.st_nlink <= 1) {
        if (opened.st_uid != geteuid() || !is_dead(file, &opened)) /* another user's may be */
            found = JOURNAL_ALIVE;
        else if (!has_file(place, name, &named) || named.st_ino != opened.st_ino || named.st_dev != opened.st_dev)
            found = JOURNAL_GONE; /* and perhaps there is a new one */
        else
            found = recover_opened(place, name, file, named.st_size);
    }
    close(file);
    return found;
}

static int fail_place(const struct output_journal *j, const char *said, int reason, struct error *e)
{
    return fail(e, ERROR_OUTPUT, "%s: %s/%s cannot be made: %s", said, j->folder, j->name, strerror(reason));
}

/* 0: made and locked; 1: try again. */
static int make_file(struct output_journal *j, const char *said, enum journal_found *found, struct error *e)
{
    struct stat status;
    j->descriptor = openat(j->place, j->name, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (j->descriptor < 0 && errno != EEXIST)
        return fail_place(j, said, errno, e);
    if (j->descriptor < 0) {
        *found = output_journal_recover(j->place, j->name);
        return 1;
    }
    const bool locked = !flock(j->descriptor, LOCK_EX | LOCK_NB) || errno != EWOULDBLOCK;
    j->open = locked && !fstat(j->descriptor, &status) && status.st_nlink > 0;
    if (!j->open)
        close(j->descriptor);
    return j->open ? 0 : 1;
}

int output_journal_begin(struct output_journal *j, const char *target, const char *said, struct error *e)
{
    const struct timespec moment = {.tv_nsec = 10000000};
    const double until = clock_seconds() + WAIT;
    enum journal_found found = JOURNAL_GONE;
    *j = (struct output_journal){.place = -1};
    j->folder = path_folder(target);
    j->name = output_part_named(path_name(target), "set", "");
    if (!j->folder || !j->name)
        return fail(e, ERROR_MEMORY, "%s: out of memory", said);
    j->place = open(j->folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (j->place < 0)
        j->place = open(j->folder, O_PATH | O_DIRECTORY | O_CLOEXEC); /* may be written to, but not listed */
    if (j->place < 0)
        return fail_place(j, said, errno, e);
    for (;;) {
        const int status = make_file(j, said, &found, e);
        if (status <= 0)
            return status;
        if (stop_check(e))
            return -1;
        if (found == JOURNAL_STUCK || clock_seconds() > until)
            break;
        if (found == JOURNAL_ALIVE)
            nanosleep(&moment, NULL);
    }
    return fail(e, ERROR_OUTPUT,
                found == JOURNAL_ALIVE
                    ? "%s: another run is about to write it, by %s/%s: try again, or choose another name"
                    : "%s: what a killed run has left, %s/%s, cannot be put in order: move it away",
                said, j->folder, j->name);
}

int output_journal_add(struct output_journal *j, const char *target, int descriptor, struct error *e)
{
    struct stat status, older;
    const char *name = path_name(target);
    struct journal_entry *more = reallocarray(j->entries, j->count + 1, sizeof *more);
    if (!more)
        return fail(e, ERROR_MEMORY, "%s: out of memory", target);
    j->entries = more;
    if (fstat(descriptor, &status))
        return fail(e, ERROR_OUTPUT, "%s: cannot be looked at: %s", target, strerror(errno));
    struct journal_entry *entry = &more[j->count++];
    *entry = (struct journal_entry){.name = text_copy(name),
                                    .bytes = (int64_t)status.st_size,
                                    .modified = status.st_mtim,
                                    .inode = (uint64_t)status.st_ino};
    const bool there = !fstatat(j->place, name, &older, AT_SYMLINK_NOFOLLOW);
    if (there && !S_ISREG(older.st_mode))
        return fail(e, ERROR_OUTPUT, "%s: is not a regular file any more: its name is not taken", target);
    if (there)
        entry->kept = output_part_name(name, OUTPUT_OLDER_KIND);
    return entry->name && (entry->kept || !there) ? 0 : fail(e, ERROR_MEMORY, "%s: out of memory", target);
}

static int put(struct output_journal *j, const char *text, size_t length, struct error *e)
{
    for (size_t at = 0; at < length;) {
        const ssize_t written = pwrite(j->descriptor, text + at, length - at, (off_t)(j->written + at));
        if (written < 0 && errno == EINTR)
            continue;
        if (written < 0)
            return fail(e, ERROR_OUTPUT, "%s/%s: cannot be written: %s", j->folder, j->name, strerror(errno));
        at += (size_t)written;
    }
    return fsync(j->descriptor)
               ? fail(e, ERROR_OUTPUT, "%s/%s: cannot be flushed to disk: %s", j->folder, j->name, strerror(errno))
               : 0;
}

static char *text_of(const struct output_journal *j, size_t *length)
{
    struct growing_text text = {0};
    growing_text_add(&text, "%s", head);
    for (size_t i = 0; i < j->count; i++) {
        const struct journal_entry *entry = &j->entries[i];
        growing_text_add(&text, "%" PRId64 " %" PRId64 " %ld %" PRIu64 " %s %zu %s\n", entry->bytes,
                         (int64_t)entry->modified.tv_sec, entry->modified.tv_nsec, entry->inode,
                         entry->kept ? output_part_number(entry->kept) : "-", strlen(entry->name), entry->name);
    }
    growing_text_add(&text, "%s", foot);
    return growing_text_take(&text, length);
}

static int fail_flush(const struct output_journal *j, struct error *e)
{
    return fail(e, ERROR_OUTPUT, "%s: the folder cannot be flushed to disk: %s", j->folder, strerror(errno));
}

/* A file system without links loses the name of the older file for a moment. */
static int keep_older(const struct output_journal *j, const struct journal_entry *entry, struct error *e)
{
    struct stat status;
    if (!entry->kept || !linkat(j->place, entry->name, j->place, entry->kept, 0))
        return 0;
    if (!has_file(j->place, entry->name, &status) || !renameat(j->place, entry->name, j->place, entry->kept))
        return 0;
    return fail(e, ERROR_OUTPUT, "%s/%s: the older file cannot be kept meanwhile: %s", j->folder, entry->name,
                strerror(errno));
}

int output_journal_keep(struct output_journal *j, struct error *e)
{
    size_t length = 0;
    char *text = text_of(j, &length);
    if (!text)
        return fail(e, ERROR_MEMORY, "out of memory");
    int status = put(j, text, length, e);
    free(text);
    j->written = length;
    if (!status && flush(j->place))
        status = fail_flush(j, e);
    for (size_t i = 0; i < j->count && !status; i++)
        status = keep_older(j, &j->entries[i], e);
    if (!status && flush(j->place))
        status = fail_flush(j, e);
    return status;
}

int output_journal_complete(struct output_journal *j, struct error *e)
{
    if (flush(j->place))
        return fail_flush(j, e);
    if (put(j, done, strlen(done), e))
        return -1;
    drop_kept(j->place, j->entries, j->count);
    unlinkat(j->place, j->name, 0);
    j->open = false;
    close(j->descriptor);
    return 0;
}

int output_journal_undo(struct output_journal *j)
{
    if (!j->open)
        return 0;
    if (j->written && ftruncate(j->descriptor, (off_t)j->written)) /* a mark that may have come to the disk */
        return -1;
    if (undo_entries(j->place, j->entries, j->count) || unlinkat(j->place, j->name, 0))
        return -1;
    j->open = false;
    close(j->descriptor);
    return 0;
}

void output_journal_free(struct output_journal *j)
{
    if (j->open)
        close(j->descriptor);
    if (j->folder && j->place >= 0)
        close(j->place);
    free_entries(j->entries, j->count);
    free(j->folder);
    free(j->name);
    *j = (struct output_journal){.place = -1};
}
