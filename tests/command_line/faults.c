/* SPDX-License-Identifier: MIT */
/* Loaded before the C library (LD_PRELOAD): makes the n-th call of a kind fail, counted from the start of main.
 *   FAULT=KIND:N     KIND is malloc, open, write, short, fsync, rename or close; N from 1. short: a write of one byte
 *   FAULT=kill:N     the program is killed before the n-th call that changes files
 *   FAULT_WORKERS=1  the calls of processes that it forks are counted with its own, in the order in which they are made
 *   FAULT_COUNT=FILE gets a line "KIND CALLS" for each kind when main returns
 * A stream made of a descriptor to write to becomes one that writes through here. */
#include <dirent.h>
#include <dlfcn.h>
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum kind { MALLOC, OPEN, WRITE, SHORT, FSYNC, RENAME, CLOSE, KILL, KINDS };
static const char *const names[KINDS] = {"malloc", "open", "write", "short", "fsync", "rename", "close", "kill"};
static const int reasons[KINDS] = {ENOMEM, EMFILE, ENOSPC, 0, EIO, EIO, EIO, 0};

static atomic_long own_calls[KINDS], *calls = own_calls;
static long wanted[KINDS];
static atomic_bool armed;

/* The C library's own, also where functions of that name are taken over: nothing is looked up by dlsym, which
 * allocates. */
extern void *__libc_malloc(size_t), *__libc_calloc(size_t, size_t), *__libc_realloc(void *, size_t),
    *__libc_memalign(size_t, size_t);

/* Code of libconfig 1.5, cairo 1.16 and libsndfile 1.2, which crash where memory is out: src/room/scan.c,
 * src/io/drawing/drawing.c and src/io see to it that they get what they need. fontconfig crashes, too; where it, or what
 * it reads fonts by, cannot open a file it takes another font. */
enum { SPARED_MAX = 32 };
static uintptr_t spared_from[SPARED_MAX], spared_to[SPARED_MAX];
static int spared_count;

static int find_spared(struct dl_phdr_info *info, size_t size, void *nothing)
{
    (void)size;
    (void)nothing;
    static const char *const names_of_spared[] = {"libconfig",   "libcairo", "libsndfile", "libfontconfig",
                                                  "libfreetype", "libexpat", "libpixman"};
    bool is = false;
    for (size_t i = 0; i < sizeof names_of_spared / sizeof *names_of_spared; i++)
        is = is || strstr(info->dlpi_name, names_of_spared[i]);
    for (int i = 0; is && i < info->dlpi_phnum; i++)
        if (info->dlpi_phdr[i].p_type == PT_LOAD && info->dlpi_phdr[i].p_flags & PF_X && spared_count < SPARED_MAX) {
            spared_from[spared_count] = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr;
            spared_to[spared_count] = spared_from[spared_count] + info->dlpi_phdr[i].p_memsz;
            spared_count++;
        }
    return 0;
}

static bool is_spared(const void *caller)
{
    for (int i = 0; i < spared_count; i++)
        if ((uintptr_t)caller >= spared_from[i] && (uintptr_t)caller < spared_to[i])
            return true;
    return false;
}

static bool fails(enum kind kind)
{
    if (!atomic_load(&armed) || atomic_fetch_add(&calls[kind], 1) + 1 != wanted[kind])
        return false;
    errno = reasons[kind];
    return true;
}

/* Before each call that changes files. */
static void step(void)
{
    if (fails(KILL))
        kill(getpid(), SIGKILL);
}

#define NEXT(name) ((__typeof__(&name))next(#name))
static void *next(const char *name)
{
    return dlsym(RTLD_NEXT, name);
}

void *malloc(size_t size)
{
    return !is_spared(__builtin_return_address(0)) && fails(MALLOC) ? NULL : __libc_malloc(size);
}

/* Its memory is asked for by whoever calls it. */
static char *copy_of(const char *text, const void *caller)
{
    const size_t size = strlen(text) + 1;
    char *copy = !is_spared(caller) && fails(MALLOC) ? NULL : __libc_malloc(size);
    return copy ? memcpy(copy, text, size) : NULL;
}

char *strdup(const char *text)
{
    return copy_of(text, __builtin_return_address(0));
}

char *__strdup(const char *text)
{
    return copy_of(text, __builtin_return_address(0));
}

void *calloc(size_t count, size_t size)
{
    return !is_spared(__builtin_return_address(0)) && fails(MALLOC) ? NULL : __libc_calloc(count, size);
}

void *realloc(void *block, size_t size)
{
    return !is_spared(__builtin_return_address(0)) && fails(MALLOC) ? NULL : __libc_realloc(block, size);
}

void *reallocarray(void *block, size_t count, size_t size)
{
    return size && count > SIZE_MAX / size ? NULL : realloc(block, count * size);
}

int posix_memalign(void **block, size_t alignment, size_t size)
{
    void *made = fails(MALLOC) ? NULL : __libc_memalign(alignment, size);
    *block = made ? made : *block;
    return made ? 0 : ENOMEM;
}

void *aligned_alloc(size_t alignment, size_t size)
{
    return fails(MALLOC) ? NULL : __libc_memalign(alignment, size);
}

static int mode_of(int flags, va_list arguments)
{
    return flags & O_CREAT || (flags & O_TMPFILE) == O_TMPFILE ? va_arg(arguments, int) : 0;
}

static bool open_fails(int flags)
{
    if (flags & O_CREAT)
        step();
    return fails(OPEN);
}

#define OPENS(name)                                                                                                    \
    int name(const char *path, int flags, ...)                                                                         \
    {                                                                                                                  \
        va_list arguments;                                                                                             \
        va_start(arguments, flags);                                                                                    \
        const int mode = mode_of(flags, arguments);                                                                    \
        va_end(arguments);                                                                                             \
        return !is_spared(__builtin_return_address(0)) && open_fails(flags) ? -1 : NEXT(name)(path, flags, mode);      \
    }
OPENS(open)
OPENS(open64)

#define OPENS_AT(name)                                                                                                 \
    int name(int folder, const char *path, int flags, ...)                                                             \
    {                                                                                                                  \
        va_list arguments;                                                                                             \
        va_start(arguments, flags);                                                                                    \
        const int mode = mode_of(flags, arguments);                                                                    \
        va_end(arguments);                                                                                             \
        return !is_spared(__builtin_return_address(0)) && open_fails(flags) ? -1                                       \
                                                                            : NEXT(name)(folder, path, flags, mode);   \
    }
OPENS_AT(openat)
OPENS_AT(openat64)

FILE *fopen(const char *path, const char *mode)
{
    return !is_spared(__builtin_return_address(0)) && fails(OPEN) ? NULL : NEXT(fopen)(path, mode);
}

FILE *fopen64(const char *path, const char *mode)
{
    return !is_spared(__builtin_return_address(0)) && fails(OPEN) ? NULL : NEXT(fopen64)(path, mode);
}

DIR *opendir(const char *path)
{
    return !is_spared(__builtin_return_address(0)) && fails(OPEN) ? NULL : NEXT(opendir)(path);
}

ssize_t write(int file, const void *bytes, size_t count)
{
    step();
    if (fails(WRITE))
        return -1;
    return NEXT(write)(file, bytes, count > 1 && fails(SHORT) ? 1 : count);
}

#define WRITES_AT(name, offset_type)                                                                                   \
    ssize_t name(int file, const void *bytes, size_t count, offset_type at)                                            \
    {                                                                                                                  \
        step();                                                                                                        \
        if (fails(WRITE))                                                                                              \
            return -1;                                                                                                 \
        return NEXT(name)(file, bytes, count > 1 && fails(SHORT) ? 1 : count, at);                                     \
    }
WRITES_AT(pwrite, off_t)
WRITES_AT(pwrite64, off64_t)

static ssize_t write_cookie(void *cookie, const char *bytes, size_t count)
{
    size_t done = 0;
    while (done < count) { /* as the C library does it */
        const ssize_t written = write((int)(intptr_t)cookie, bytes + done, count - done);
        if (written < 0)
            return done ? (ssize_t)done : 0;
        done += (size_t)written;
    }
    return (ssize_t)count;
}

int close(int file)
{
    const bool bad = fails(CLOSE);
    const int result = NEXT(close)(file);
    return bad ? (errno = EIO, -1) : result;
}

static int close_cookie(void *cookie)
{
    return close((int)(intptr_t)cookie);
}

static int seek_cookie(void *cookie, off64_t *at, int whence)
{
    const off64_t to = lseek64((int)(intptr_t)cookie, *at, whence);
    *at = to;
    return to < 0 ? -1 : 0;
}

FILE *fdopen(int file, const char *mode)
{
    if (*mode != 'w')
        return NEXT(fdopen)(file, mode);
    return fopencookie((void *)(intptr_t)file, mode,
                       (cookie_io_functions_t){.write = write_cookie, .seek = seek_cookie, .close = close_cookie});
}

int fclose(FILE *stream)
{
    const bool bad = fails(CLOSE);
    const int result = NEXT(fclose)(stream);
    return bad ? (errno = EIO, EOF) : result;
}

int fsync(int file)
{
    step();
    return fails(FSYNC) ? -1 : NEXT(fsync)(file);
}

int rename(const char *from, const char *to)
{
    step();
    return fails(RENAME) ? -1 : NEXT(rename)(from, to);
}

int renameat(int from_place, const char *from, int to_place, const char *to)
{
    step();
    return fails(RENAME) ? -1 : NEXT(renameat)(from_place, from, to_place, to);
}

int renameat2(int from_place, const char *from, int to_place, const char *to, unsigned flags)
{
    step();
    return fails(RENAME) ? -1 : NEXT(renameat2)(from_place, from, to_place, to, flags);
}

int linkat(int from_place, const char *from, int to_place, const char *to, int flags)
{
    step();
    return fails(RENAME) ? -1 : NEXT(linkat)(from_place, from, to_place, to, flags);
}

int unlink(const char *path)
{
    step();
    return NEXT(unlink)(path);
}

int unlinkat(int place, const char *path, int flags)
{
    step();
    return NEXT(unlinkat)(place, path, flags);
}

int ftruncate(int file, off_t length)
{
    step();
    return NEXT(ftruncate)(file, length);
}

static void read_wanted(void)
{
    const char *text = getenv("FAULT"), *colon = text ? strchr(text, ':') : NULL;
    for (int kind = 0; colon && kind < KINDS; kind++)
        if (strlen(names[kind]) == (size_t)(colon - text) && !strncmp(text, names[kind], (size_t)(colon - text)))
            wanted[kind] = strtol(colon + 1, NULL, 10);
}

/* Memory that forked processes share. */
static void count_together(void)
{
    void *shared = mmap(NULL, sizeof own_calls, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (getenv("FAULT_WORKERS") && shared != MAP_FAILED)
        calls = shared;
}

static void tell_count(void)
{
    const char *path = getenv("FAULT_COUNT");
    FILE *file = path ? fopen(path, "w") : NULL;
    for (int kind = 0; file && kind < KINDS; kind++)
        fprintf(file, "%s %ld\n", names[kind], atomic_load(&calls[kind]));
    if (file)
        fclose(file);
}

static int (*own_main)(int, char **, char **);

static int armed_main(int count, char **words, char **environment)
{
    read_wanted();
    count_together();
    dl_iterate_phdr(find_spared, NULL);
    unsetenv("LD_PRELOAD"); /* not of the programs that it starts */
    atomic_store(&armed, true);
    const int status = own_main(count, words, environment);
    atomic_store(&armed, false);
    tell_count();
    return status;
}

int __libc_start_main(int (*main)(int, char **, char **), int count, char **words, int (*init)(int, char **, char **),
                      void (*fini)(void), void (*rtld_fini)(void), void *stack_end)
{
    own_main = main;
    return NEXT(__libc_start_main)(armed_main, count, words, init, fini, rtld_fini, stack_end);
}
