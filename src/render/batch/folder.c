/* SPDX-License-Identifier: MIT */
#include "render/batch/folder.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/file.h"
#include "base/stop.h"
#include "base/text.h"
#include "io/json_build.h"
#include "render/batch/room_task.h"
#include "render/batch/shard.h"

enum { LOCK_TRIES = 40, JSON_MAX = 1 << 28 };

/* Waits, because workers of a killed run hold the lock until they have ended too. Any other error than EWOULDBLOCK comes
 * from file systems without locks, such as Lustre without the option flock. */
static int wait_for_lock(int descriptor, const char *folder, const char *name, struct error *e)
{
    const struct timespec nap = {.tv_nsec = 50000000};
    for (int tries = 0; tries < LOCK_TRIES; tries++) {
        if (!flock(descriptor, LOCK_EX | LOCK_NB) || errno != EWOULDBLOCK)
            return 0;
        nanosleep(&nap, NULL);
        if (stop_check(e))
            return -1;
    }
    if (strchr(name, '/'))
        return fail(e, ERROR_USAGE,
                    "%s: another aula batch renders this shard; wait for it, or give another --shard K/N", folder);
    return fail(e, ERROR_USAGE,
                "%s: another aula batch is writing to this folder; wait for it, choose another folder with -o, or run "
                "shards (--shard K/N), which share a folder",
                folder);
}

static bool is_there(const char *folder, const char *name)
{
    struct stat status;
    char *path = text_format("%s/%s", folder, name);
    const bool there = path && !lstat(path, &status);
    free(path);
    return there;
}

/* A data set has batch.json, written first. A folder with other files of a data set's names but
 * without it belongs to someone else. */
static int refuse_foreign(const char *folder, struct error *e)
{
    static const char *const names[] = {"manifest.jsonl", "manifest.csv", "rooms", "rooms.nc"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (is_there(folder, names[i]) && !is_there(folder, "batch.json"))
            return fail(e, ERROR_USAGE,
                        "%s: contains %s but no batch.json, and is not a data set of aula batch; choose another folder "
                        "with -o, or move that file away",
                        folder, names[i]);
    return 0;
}

static int open_lock(int *descriptor, const char *path, struct error *e)
{
    struct stat status;
    *descriptor = open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0666);
    if (*descriptor < 0 && errno != ELOOP && errno != EISDIR && errno != ENXIO)
        return fail(e, ERROR_OUTPUT, "%s: cannot write: %s; choose another folder with -o", path, strerror(errno));
    if (*descriptor < 0 || fstat(*descriptor, &status) || !S_ISREG(status.st_mode))
        return fail(e, ERROR_OUTPUT, "%s: is not a regular file; move it away, or choose another folder with -o", path);
    return 0;
}

int folder_lock(int *lock, const char *folder, const char *name, struct error *e)
{
    struct stat status;
    *lock = -1;
    if (mkdir(folder, 0777) && errno != EEXIST)
        return errno == ENOENT ? fail(e, ERROR_OUTPUT, "%s: its parent folder does not exist; create it (mkdir -p %s)",
                                      folder, folder)
                               : fail(e, ERROR_OUTPUT, "%s: cannot create the folder: %s", folder, strerror(errno));
    if (stat(folder, &status) || !S_ISDIR(status.st_mode))
        return fail(e, ERROR_USAGE, "-o %s: is not a folder; name a folder, which need not exist", folder);
    if (refuse_foreign(folder, e))
        return -1;
    char *path = text_format("%s/%s", folder, name);
    int descriptor = -1;
    if (!path)
        return fail(e, ERROR_MEMORY, "%s: out of memory", folder);
    const int inside = inside_make(folder, name, e);
    const int result =
        inside < 0 || open_lock(&descriptor, path, e) || wait_for_lock(descriptor, folder, name, e) ? -1 : 0;
    if (inside >= 0)
        close(inside);
    free(path);
    if (result && descriptor >= 0)
        close(descriptor);
    else
        *lock = descriptor;
    return result;
}

static cJSON *claim_json(const struct plan *plan, const char *const *settings, size_t setting_count, const cJSON *bases,
                         const cJSON *inputs)
{
    cJSON *json = cJSON_CreateObject();
    cJSON_AddStringToObject(json, "aula", AULA_VERSION);
    cJSON_AddStringToObject(json, "name", path_name(plan->path));
    cJSON_AddItemToObject(json, "plan", plan_json(plan));
    cJSON_AddItemToObject(json, "settings", cJSON_CreateStringArray(settings, (int)setting_count));
    cJSON_AddItemToObject(json, "rooms", cJSON_Duplicate(bases, true));
    cJSON_AddItemToObject(json, "inputs", cJSON_Duplicate(inputs, true));
    return json;
}

/* Whether two claims have an equal member, compared as text. */
static bool is_same(const cJSON *a, const cJSON *b, const char *name)
{
    char *one = cJSON_PrintUnformatted(cJSON_GetObjectItemCaseSensitive(a, name));
    char *other = cJSON_PrintUnformatted(cJSON_GetObjectItemCaseSensitive(b, name));
    const bool same = one && other && !strcmp(one, other);
    cJSON_free(one);
    cJSON_free(other);
    return same;
}

/* Names the first input file that differs or is new. */
static const char *other_input(const cJSON *there, const cJSON *now, char *text, size_t size)
{
    const cJSON *before = cJSON_GetObjectItemCaseSensitive(there, "inputs");
    const cJSON *after = cJSON_GetObjectItemCaseSensitive(now, "inputs"), *input = after ? after->child : NULL;
    char name[QUOTED];
    while (input && is_same(before, after, input->string))
        input = input->next;
    snprintf(text, size, input ? "another file %s" : "fewer input files",
             input ? quoted(name, path_name(input->string)) : "");
    return text;
}

/* By how many rooms a plan with `rooms` exceeds the one in the folder, whose draws it repeats; 0: by none. */
static double more_rooms(const cJSON *there, const cJSON *now)
{
    const double before = cJSON_GetNumberValue(cJSON_GetObjectItemCaseSensitive(there, "rooms")),
                 after = cJSON_GetNumberValue(cJSON_GetObjectItemCaseSensitive(now, "rooms"));
    return cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(now, "drawn")) && after > before ? after - before : 0.0;
}

/* Whether both plans render WAV files, from which their other files are made. */
static bool have_same_rooms(const cJSON *there, const cJSON *now)
{
    const char *before = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(there, "files"));
    const char *after = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(now, "files"));
    return before && after && strcmp(before, plan_file_names[PLAN_SOFA]) && strcmp(after, plan_file_names[PLAN_SOFA]);
}

/* Whether a member that differs leaves the rooms of the folder as they are: more rooms, or files made of the same WAVs. */
static bool may_differ(const cJSON *there, const cJSON *now, const char *member)
{
    return (!strcmp(member, "rooms") && more_rooms(there, now) > 0.0) ||
           (!strcmp(member, "files") && have_same_rooms(there, now));
}

/* The first member of the plan `now` that differs from the plan `there`; NULL: none that must not. Members that only one
 * of the two has differ. */
static const char *other_member(const cJSON *there, const cJSON *now)
{
    const cJSON *member;
    cJSON_ArrayForEach(member, now) if (!is_same(there, now, member->string) && !may_differ(there, now, member->string))
    {
        return member->string;
    }
    cJSON_ArrayForEach(member, there) if (!cJSON_GetObjectItemCaseSensitive(now, member->string))
    {
        return member->string;
    }
    return NULL;
}

/* Describes the difference; NULL: none that matters. */
static const char *difference(const cJSON *there, const cJSON *now, char *text, size_t size)
{
    const char *member =
        other_member(cJSON_GetObjectItemCaseSensitive(there, "plan"), cJSON_GetObjectItemCaseSensitive(now, "plan"));
    if (member) {
        snprintf(text, size, "another `%s`", member);
        return text;
    }
    if (!is_same(there, now, "settings"))
        return "other --set options";
    if (!is_same(there, now, "rooms"))
        return "another base room";
    if (!is_same(there, now, "inputs"))
        return other_input(there, now, text, size);
    if (!is_same(there, now, "aula"))
        return "another version of aula";
    return NULL;
}

/* Reads batch.json at `path`, which has members "name" and "aula". */
static int read_claim(cJSON **there, const char *path, struct error *e)
{
    char *text = NULL;
    if (file_read_text(path, JSON_MAX, &text, e))
        return -1;
    const bool is_empty = !text[strspn(text, " \t\r\n")];
    *there = cJSON_Parse(text);
    free(text);
    if (!*there)
        return fail(
            e, ERROR_USAGE,
            "%s: is %s; the rooms beside it are untouched: aula batch PLAN -o NEW --rooms 0 writes the same file "
            "for the same plan, to be copied here; or choose another folder with -o",
            path, is_empty ? "empty" : "damaged, and no JSON");
    if (cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(*there, "name")) &&
        cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(*there, "aula")))
        return 0;
    cJSON_Delete(*there);
    *there = NULL;
    return fail(e, ERROR_USAGE, "%s: was not written by aula batch; choose another folder with -o", path);
}

/* *grows: the plan has more rooms or makes other files of them, and is otherwise the same. */
static int compare(bool *grows, const char *folder, const char *path, const cJSON *now, struct error *e)
{
    char differs[120];
    cJSON *there = NULL;
    if (read_claim(&there, path, e))
        return -1;
    const char *name = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(there, "name"));
    const char *version = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(there, "aula"));
    const char *what = difference(there, now, differs, sizeof differs);
    const char *mine = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(now, "name"));
    char theirs[QUOTED], quoted_version[QUOTED];
    int status = 0;
    if (what)
        status = fail(e, ERROR_USAGE,
                      "%s: contains the rooms of the plan %s (aula %s), but %s has %s; choose another folder with -o, "
                      "or continue with the old plan",
                      folder, quoted(theirs, name), quoted(quoted_version, version), mine, what);
    *grows = !is_same(there, now, "plan");
    cJSON_Delete(there);
    return status;
}

/* Takes the name unless another run has taken it meanwhile. */
static int write_first(const char *path, const char *text, struct error *e)
{
    struct output_file file;
    if (output_file_open(&file, path, e))
        return -1;
    file.no_clobber = true;
    const int status = output_file_put(&file, text, e) || output_file_commit(&file, e);
    output_file_discard(&file);
    return status && access(path, F_OK) ? -1 : 0;
}

int folder_claim(const char *folder, const struct plan *plan, const char *const *settings, size_t setting_count,
                 const cJSON *bases, const cJSON *inputs, struct error *e)
{
    char *path = text_format("%s/batch.json", folder);
    cJSON *now = claim_json(plan, settings, setting_count, bases, inputs), *copy = cJSON_Duplicate(now, true);
    char *text = copy ? json_text(copy) : NULL;
    bool grows = false;
    int status = path && now && text ? 0 : fail(e, ERROR_MEMORY, "%s: out of memory", folder);
    if (!status && access(path, F_OK))
        status = write_first(path, text, e);
    if (!status)
        status = compare(&grows, folder, path, now, e);
    if (!status && grows)
        status = output_file_text(path, text, e);
    cJSON_Delete(now);
    free(text);
    free(path);
    return status;
}

int folder_check(const char *folder, const struct plan *plan, struct error *e)
{
    char *path = text_format("%s/batch.json", folder), name[QUOTED];
    cJSON *there = NULL;
    int status = path ? 0 : fail(e, ERROR_MEMORY, "%s: out of memory", folder);
    if (!status && access(path, F_OK))
        status =
            fail(e, ERROR_USAGE,
                 "%s: is no data set: it has no batch.json; render it with aula batch PLAN -o FOLDER first", folder);
    if (!status)
        status = read_claim(&there, path, e);
    cJSON *now = status ? NULL : plan_json(plan);
    const char *member = status ? NULL : other_member(cJSON_GetObjectItemCaseSensitive(there, "plan"), now);
    if (!status && !now)
        status = fail(e, ERROR_MEMORY, "%s: out of memory", folder);
    if (!status && member)
        status = fail(
            e, ERROR_USAGE,
            "%s: contains the rooms of the plan %s, but %s has another `%s`; give the plan that rendered them", folder,
            quoted(name, cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(there, "name"))), plan->path, member);
    cJSON_Delete(there);
    cJSON_Delete(now);
    free(path);
    return status;
}

static int compare_names(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

int folder_list_shards(char ***names, size_t *count, const char *folder, struct error *e)
{
    static const char suffix[] = ".jsonl";
    char *path = text_format("%s/" SHARD_FOLDER, folder);
    DIR *shards = path ? opendir(path) : NULL;
    const struct dirent *entry;
    int status = path ? 0 : fail(e, ERROR_MEMORY, "%s: out of memory", folder);
    *names = NULL;
    *count = 0;
    if (!status && !shards && errno != ENOENT)
        status = fail(e, ERROR_OUTPUT, "%s: cannot read the folder: %s", path, strerror(errno));
    while (shards && !status && (entry = readdir(shards)) != NULL) {
        const size_t length = strlen(entry->d_name), end = sizeof suffix - 1;
        if (length > end && !strcmp(entry->d_name + length - end, suffix))
            status = lines_add(names, count, e, SHARD_FOLDER "/%.*s", (int)(length - end), entry->d_name);
    }
    if (shards)
        closedir(shards);
    if (*count)
        qsort(*names, *count, sizeof **names, compare_names);
    free(path);
    return status ? -1 : 0;
}

enum { FOLDER_FLAGS = O_RDONLY | O_DIRECTORY | O_CLOEXEC };

bool inside_is_of_room(const char *name, size_t room)
{
    char *stem = room_stem(room);
    const size_t length = stem ? strlen(stem) : 0;
    const bool is = stem && !strncmp(name, stem, length) && (name[length] == '.' || name[length] == '_') &&
                    !strchr(name + length, '/');
    free(stem);
    return is;
}

/* Opens the folder `name` in an open folder and closes the latter. -1 with errno. */
static int step(int above, const char *name, bool make)
{
    int below = -1;
    if (!make || !mkdirat(above, name, 0777) || errno == EEXIST)
        below = openat(above, name, FOLDER_FLAGS | O_NOFOLLOW);
    const int reason = errno;
    close(above);
    errno = reason;
    return below;
}

/* Opens the folder that contains `name`. *failed: length of the part of `name` that could not be
 * opened; 0: the data set's folder itself. */
static int walk(const char *folder, const char *name, bool make, size_t *failed)
{
    char *text = text_copy(name);
    int at = text && (!make || !mkdir(folder, 0777) || errno == EEXIST) ? open(folder, FOLDER_FLAGS) : -1;
    *failed = 0;
    for (char *part = text, *end; at >= 0 && (end = strchr(part, '/')); part = end + 1) {
        *end = '\0';
        *failed = (size_t)(end - text);
        at = step(at, part, make);
    }
    const int reason = errno;
    free(text);
    errno = reason;
    return at;
}

int inside_make(const char *folder, const char *name, struct error *e)
{
    size_t failed;
    const int at = walk(folder, name, true, &failed);
    if (at >= 0)
        return at;
    const bool is_other = errno == ENOTDIR || errno == ELOOP;
    return fail(e, ERROR_OUTPUT,
                is_other ? "%s/%.*s: is a link or a file, not a folder of the data set; move it away"
                         : "%s/%.*s: cannot create the folder: %s",
                folder, (int)failed, name, strerror(errno));
}

bool inside_look(const char *folder, const char *name, uint64_t *bytes, char checksum[CHECKSUM_TEXT], struct error *e)
{
    struct stat status;
    size_t failed;
    const int at = walk(folder, name, false, &failed);
    const int file = at < 0 ? -1 : openat(at, path_name(name), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    bool is_there = file >= 0 && !fstat(file, &status) && S_ISREG(status.st_mode);
    e->code = ERROR_NONE;
    if (is_there) {
        *bytes = (uint64_t)status.st_size;
        is_there = !checksum || !sha256_of_file(checksum, file, name, e);
    }
    if (file >= 0)
        close(file);
    if (at >= 0)
        close(at);
    return is_there;
}
