#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/text.h"

char *path_folder(const char *path)
{
    const char *slash = strrchr(path, '/');
    if (!slash)
        return text_copy(".");
    if (slash == path)
        return text_copy("/");
    return text_format("%.*s", (int)(slash - path), path);
}

char *path_join(const char *folder, const char *path)
{
    if (path[0] == '/' || !strcmp(folder, "."))
        return text_copy(path);
    return text_format("%s/%s", folder, path);
}

bool same_file(const char *a, const char *b)
{
    struct stat x, y;
    if (!strcmp(a, b))
        return true;
    return !stat(a, &x) && !stat(b, &y) && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

static size_t stem_end(const char *path)
{
    const char *slash = strrchr(path, '/');
    const char *name = slash ? slash + 1 : path;
    const char *dot = strrchr(name, '.');
    return dot && dot != name ? (size_t)(dot - path) : strlen(path);
}

char *path_with_suffix(const char *path, const char *suffix)
{
    return text_format("%.*s%s", (int)stem_end(path), path, suffix);
}

const char *path_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

char *path_stem(const char *path)
{
    const char *slash = strrchr(path, '/');
    size_t start = slash ? (size_t)(slash + 1 - path) : 0;
    return text_format("%.*s", (int)(stem_end(path) - start), path + start);
}

int output_file_open(struct output_file *f, const char *path, struct error *e)
{
    memset(f, 0, sizeof *f);
    struct stat status;
    if (!stat(path, &status) && !S_ISREG(status.st_mode))
        return fail(e, ERROR_OUTPUT, "%s: is %s: give the name of a file to write", path,
                    S_ISDIR(status.st_mode) ? "a folder" : "not a regular file");
    f->path = text_copy(path);
    f->temporary = text_format("%s.part-%ld", path, (long)getpid());
    if (!f->path || !f->temporary) {
        fail(e, ERROR_MEMORY, "%s: out of memory", path);
        goto fail;
    }
    int descriptor = open(f->temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (descriptor < 0) {
        const int reason = errno;
        char *folder = path_folder(path);
        if (folder && stat(folder, &status))
            fail(e, ERROR_OUTPUT, "%s: there is no folder %s: make it first (mkdir -p %s)", path, folder ? folder : "",
                 folder ? folder : "");
        else
            fail(e, ERROR_OUTPUT, "%s: cannot write in folder %s: %s: choose another with -o", path,
                 folder ? folder : "", strerror(reason));
        free(folder);
        free(f->temporary);
        f->temporary = NULL;
        goto fail;
    }
    close(descriptor);
    return 0;
fail:
    output_file_discard(f);
    return -1;
}

int output_file_commit(struct output_file *f, struct error *e)
{
    int descriptor = open(f->temporary, O_RDONLY | O_CLOEXEC);
    bool synced = descriptor >= 0 && !fsync(descriptor);
    int reason = errno;
    if (descriptor >= 0)
        close(descriptor);
    if (!synced) {
        fail(e, ERROR_OUTPUT, "%s: cannot be flushed to disk: %s", f->path, strerror(reason));
        output_file_discard(f);
        return -1;
    }
    if (rename(f->temporary, f->path)) {
        fail(e, ERROR_OUTPUT, "%s: cannot take its final name: %s", f->path, strerror(errno));
        output_file_discard(f);
        return -1;
    }
    free(f->temporary);
    f->temporary = NULL;
    output_file_discard(f);
    return 0;
}

void output_file_discard(struct output_file *f)
{
    if (f->temporary)
        unlink(f->temporary);
    free(f->temporary);
    free(f->path);
    memset(f, 0, sizeof *f);
}

int output_file_text(const char *path, const char *text, struct error *e)
{
    struct output_file f;
    if (output_file_open(&f, path, e))
        return -1;
    FILE *stream = fopen(f.temporary, "w");
    bool good = stream && fputs(text, stream) >= 0;
    int reason = errno;
    if (stream && fclose(stream)) {
        good = false;
        reason = errno;
    }
    if (!good) {
        fail(e, ERROR_OUTPUT, "%s: cannot be written: %s", path, strerror(reason));
        output_file_discard(&f);
        return -1;
    }
    return output_file_commit(&f, e);
}

/* Whoever reads the text up to its first NUL byte would silently lose the rest. */
static int check_text(const char *path, const char *text, size_t length, struct error *e)
{
    if (length >= 2 && (!memcmp(text, "\xFF\xFE", 2) || !memcmp(text, "\xFE\xFF", 2)))
        return fail(e, ERROR_INPUT, "%s: is UTF-16: save it as UTF-8", path);
    const char *nul = memchr(text, '\0', length);
    int line = 1;
    for (const char *at = text; nul && at < nul; at++)
        line += *at == '\n' || (*at == '\r' && at[1] != '\n');
    return nul ? fail(e, ERROR_INPUT, "%s:%d: holds a NUL byte: it is not text; save it as UTF-8", path, line) : 0;
}

int file_read_text(const char *path, size_t most, char **text, struct error *e)
{
    *text = NULL;
    struct stat status;
    FILE *stream = fopen(path, "rb");
    if (!stream)
        return fail(e, ERROR_INPUT, "%s: cannot be read: %s", path, strerror(errno));
    if (!fstat(fileno(stream), &status) && S_ISDIR(status.st_mode)) {
        fclose(stream);
        return fail(e, ERROR_INPUT, "%s: is a folder, not a file", path);
    }
    size_t length = 0, room = 0;
    char *buffer = NULL;
    for (;;) {
        if (length + 1 >= room) {
            room = room ? 2 * room : 4096;
            char *larger = realloc(buffer, room);
            if (!larger) {
                free(buffer);
                fclose(stream);
                return fail(e, ERROR_MEMORY, "%s: out of memory", path);
            }
            buffer = larger;
        }
        size_t got = fread(buffer + length, 1, room - length - 1, stream);
        length += got;
        if (!got || length > most)
            break;
    }
    bool bad = ferror(stream) != 0;
    fclose(stream);
    if (bad || length > most) {
        free(buffer);
        return fail(e, ERROR_INPUT, bad ? "%s: cannot be read" : "%s: is too large to be a text file of this kind",
                    path);
    }
    buffer[length] = '\0';
    if (check_text(path, buffer, length, e)) {
        free(buffer);
        return -1;
    }
    *text = buffer;
    return 0;
}
