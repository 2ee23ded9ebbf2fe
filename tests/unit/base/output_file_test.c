/* SPDX-License-Identifier: MIT */
/* Files are complete or absent, and those of a set take their names in order. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/checksum.h"
#include "base/output_set.h"
#include "base/sanitize_text.h"
#include "base/text.h"
#include "support/random_cases.h"

#include <cmocka.h>

static char folder[] = "/tmp/aula-output-test-XXXXXX";

static int go_to_folder(void **state)
{
    (void)state;
    return mkdtemp(folder) && !chdir(folder) ? 0 : -1;
}

static int remove_folder(void **state)
{
    (void)state;
    return chdir("/") || rmdir(folder) ? -1 : 0; /* every test leaves it empty */
}

static void put(const char *path, const char *text)
{
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    assert_true(fputs(text, f) >= 0);
    assert_int_equal(fclose(f), 0);
}

static void assert_holds(const char *path, const char *text)
{
    char got[64] = "poison";
    FILE *f = fopen(path, "r");
    assert_non_null(f);
    got[fread(got, 1, sizeof got - 1, f)] = '\0';
    fclose(f);
    assert_string_equal(got, text);
}

static size_t files_there(void)
{
    size_t count = 0;
    DIR *here = opendir(".");
    assert_non_null(here);
    for (const struct dirent *entry; (entry = readdir(here));)
        count += strcmp(entry->d_name, ".") && strcmp(entry->d_name, "..");
    closedir(here);
    return count;
}

/* A set of two files, complete; `what` stands in both. */
static void open_pair(struct output_set *set, const char *what)
{
    struct error e = {0};
    *set = (struct output_set){0};
    if (output_set_text(set, "a.wav", what, &e) || output_set_text(set, "a.json", what, &e))
        fail_msg("%s", e.message);
}

/* "" where there is no file. */
static const char *content(char text[64], const char *path)
{
    FILE *f = fopen(path, "r");
    text[f ? fread(text, 1, 63, f) : 0] = '\0';
    if (f)
        fclose(f);
    return text;
}

static void a_pair_takes_its_names(void **state)
{
    (void)state;
    struct output_set set;
    struct error e = {0};
    put("a.wav", "old wav");
    for (int turn = 0; turn < 2; turn++) { /* over an older one with no JSON, then over both */
        open_pair(&set, turn ? "newer" : "new");
        assert_int_equal(output_set_commit(&set, &e), 0);
        assert_holds("a.wav", turn ? "newer" : "new");
        assert_holds("a.json", turn ? "newer" : "new");
        assert_int_equal(files_there(), 2);
    }
    unlink("a.wav");
    unlink("a.json");
}

/* It has become a folder, or a file that no_clobber keeps, in this folder or another. */
static void a_name_that_cannot_be_taken_is_found_before_the_first_rename(void **state)
{
    (void)state;
    struct error e = {0};
    struct output_set set;
    assert_int_equal(mkdir("pictures", 0700), 0);
    put("a.wav", "old wav");
    for (int clobber = 0; clobber < 2; clobber++)
        for (int elsewhere = 0; elsewhere < 2; elsewhere++) {
            const char *name = elsewhere ? "pictures/a.svg" : "a.json";
            unlink("a.wav");
            if (clobber)
                put("a.wav", "old wav");
            open_pair(&set, "new");
            set.no_clobber = !clobber;
            assert_int_equal(output_set_text(&set, "pictures/a.svg", "new", &e), 0);
            if (clobber)
                assert_int_equal(mkdir(name, 0700), 0);
            else
                put(name, "of another");
            assert_int_not_equal(output_set_commit(&set, &e), 0);
            assert_non_null(strstr(e.message, name));
            assert_non_null(strstr(e.message, clobber ? "became a folder" : "--no-clobber is set"));
            assert_null(strstr(e.message, "new: "));
            if (clobber)
                assert_holds("a.wav", "old wav");
            else
                assert_holds(name, "of another");
            assert_int_equal(files_there(), 1 + (size_t)clobber + (size_t)!elsewhere); /* no part */
            assert_true(!(clobber ? rmdir(name) : unlink(name)));
        }
    unlink("a.wav");
    assert_int_equal(rmdir("pictures"), 0);
}

/* The n-th rename is refused; 0: none. */
static long renames_left;

int __real_rename(const char *from, const char *to);
int __wrap_rename(const char *from, const char *to);
int __wrap_rename(const char *from, const char *to)
{
    if (renames_left && !--renames_left) {
        errno = EPERM;
        return -1;
    }
    return __real_rename(from, to);
}

static void a_rename_that_fails_midway_tells_new_files_from_old_ones(void **state)
{
    (void)state;
    static const char *const said[] = {"a.wav: cannot rename the finished file: Operation not permitted",
                                       "; new: a.wav; unchanged: a.json, a.svg",
                                       "; new: a.wav, a.json; unchanged: a.svg"};
    static const char *const names[] = {"a.wav", "a.json", "a.svg"};
    for (long n = 1; n <= 3; n++) {
        struct output_set set;
        struct error e = {0};
        for (int i = 0; i < 3; i++)
            put(names[i], "old");
        open_pair(&set, "new");
        assert_int_equal(output_set_text(&set, "a.svg", "new", &e), 0);
        renames_left = n;
        assert_int_not_equal(output_set_commit(&set, &e), 0);
        const char *end = e.message + strlen(e.message) - strlen(said[n - 1]);
        assert_string_equal(end, said[n - 1]);
        for (int i = 0; i < 3; i++)
            assert_holds(names[i], i + 1 < n ? "new" : "old");
        assert_int_equal(files_there(), 3);
    }
    for (int i = 0; i < 3; i++)
        unlink(names[i]);
}

/* Killed at any moment: each file is whole, and of the sets that were written one after the other the sound is of the
 * same as its JSON, or of the next. */
static void a_killed_commit_leaves_whole_files_in_order(void **state)
{
    (void)state;
    enum { TURNS = 60 };
    struct random random = random_cases(__func__);
    struct output_set set;
    struct error e = {0};
    char wav[64], json[64];
    put("a.wav", "0");
    put("a.json", "0");
    for (int turn = 0; turn < TURNS; turn++) {
        const pid_t child = fork();
        if (!child) {
            char what[16];
            for (int i = 1;; i++) {
                snprintf(what, sizeof what, "%d", turn * 1000000 + i);
                open_pair(&set, what);
                output_set_commit(&set, &e);
            }
        }
        usleep((useconds_t)random_between(&random, 0, 3000));
        kill(child, SIGKILL);
        waitpid(child, NULL, 0);
        const long sound = strtol(content(wav, "a.wav"), NULL, 10),
                   described = strtol(content(json, "a.json"), NULL, 10);
        assert_true(*wav && *json);
        assert_true(sound == described || sound == described + 1 ||
                    (sound % 1000000L == 1 && described < sound)); /* the first of a turn, which may have left it so */
    }
    open_pair(&set, "new"); /* removes the parts of the dead */
    assert_int_equal(files_there(), 4);
    assert_int_equal(output_set_commit(&set, &e), 0);
    assert_int_equal(files_there(), 2);
    unlink("a.wav");
    unlink("a.json");
}

/* The process dies at the n-th flush; 0: at none. */
static long flushes_left;

int __real_fsync(int descriptor);
int __wrap_fsync(int descriptor);
int __wrap_fsync(int descriptor)
{
    if (flushes_left && !--flushes_left)
        raise(SIGKILL);
    return __real_fsync(descriptor);
}

/* Commits a sound, its JSON and a picture in another folder, and dies at the n-th flush. Whether it came to its end. */
static bool commit_and_die(long flush)
{
    struct output_set set;
    struct error e = {0};
    int status;
    const pid_t child = fork();
    if (!child) {
        open_pair(&set, "new");
        output_set_text(&set, "pictures/a.svg", "new", &e);
        flushes_left = flush;
        _exit(output_set_commit(&set, &e) != 0);
    }
    waitpid(child, &status, 0);
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

/* Killed at any flush: no picture in another folder is of a later run than the sound. */
static void a_picture_in_another_folder_is_never_newer_than_the_sound(void **state)
{
    (void)state;
    char wav[64], json[64], svg[64];
    int apart = 0;
    bool ended = false;
    assert_int_equal(mkdir("pictures", 0700), 0);
    for (long flush = 1; !ended; flush++) {
        put("a.wav", "old");
        put("a.json", "old");
        put("pictures/a.svg", "old");
        ended = commit_and_die(flush);
        content(json, "a.json");
        content(svg, "pictures/a.svg");
        assert_string_equal(content(wav, "a.wav"), json); /* both are renamed between two flushes */
        assert_true(!strcmp(svg, wav) || (!strcmp(svg, "old") && !strcmp(wav, "new")));
        apart += strcmp(svg, wav) != 0;
    }
    assert_string_equal(wav, "new");
    assert_string_equal(svg, "new");
    assert_true(apart > 0);         /* which the manual says */
    assert_true(commit_and_die(0)); /* removes the parts of the dead */
    unlink("pictures/a.svg");
    assert_int_equal(rmdir("pictures"), 0);
    unlink("a.wav");
    unlink("a.json");
}

static void what_came_meanwhile_is_not_clobbered(void **state)
{
    (void)state;
    struct output_file f;
    struct error e = {0};
    assert_int_equal(output_file_open(&f, "a.wav", &e), 0);
    f.no_clobber = true;
    put("a.wav", "of another");
    assert_int_not_equal(output_file_commit(&f, &e), 0);
    assert_non_null(strstr(e.message, "a.wav: already exists, and --no-clobber is set"));
    assert_holds("a.wav", "of another");
    assert_int_equal(files_there(), 1);
    unlink("a.wav");
}

static unsigned mode_of(const char *path)
{
    struct stat status;
    assert_int_equal(stat(path, &status), 0);
    return status.st_mode & 07777;
}

/* Of two files in one commit, and while they are written: then nobody else may read them. */
static void a_file_that_is_replaced_keeps_its_permissions(void **state)
{
    (void)state;
    struct random r = random_cases("permissions");
    const mode_t mask = umask(022);
    for (int i = 0; i < case_count(100); i++) {
        struct output_set set;
        struct error e = {0};
        const unsigned mode = (unsigned)random_between(&r, 0, 0777), other = (unsigned)random_between(&r, 0, 0777);
        put("a.wav", "old");
        put("a.json", "old");
        assert_true(!chmod("a.wav", mode) && !chmod("a.json", other));
        open_pair(&set, "new");
        assert_int_equal(mode_of(set.files[0]->temporary), 0600);
        assert_int_equal(output_set_commit(&set, &e), 0);
        assert_int_equal(mode_of("a.wav"), mode);
        assert_int_equal(mode_of("a.json"), other);
        unlink("a.wav");
        unlink("a.json");
    }
    struct error e = {0};
    assert_int_equal(output_file_text("a.wav", "new", &e), 0); /* none there before: as the umask says */
    assert_int_equal(mode_of("a.wav"), 0644);
    unlink("a.wav");
    umask(mask);
}

/* Of one process, and of two containers with the same process number. */
static void no_two_files_share_a_temporary_name(void **state)
{
    (void)state;
    enum { FILES = 50 };
    struct output_file f[FILES];
    struct error e = {0};
    for (int i = 0; i < FILES; i++) {
        assert_int_equal(output_file_open(&f[i], "a.wav", &e), 0);
        assert_int_equal(files_there(), i + 1);
        assert_int_equal(strncmp(f[i].temporary, "a.wav.part-", 11), 0);
        assert_int_equal(flock(f[i].descriptor, LOCK_EX | LOCK_NB), 0); /* its own lock; a second opening has none */
        const int other = open(f[i].temporary, O_RDWR);
        assert_true(other >= 0 && flock(other, LOCK_EX | LOCK_NB) < 0);
        close(other);
    }
    for (int i = 0; i < FILES; i++)
        output_file_discard(&f[i]);
    assert_int_equal(files_there(), 0);
}

/* For any division of a text into pieces the visible form is the same, without control characters. */
static void visible_text_does_not_depend_on_its_pieces(void **state)
{
    (void)state;
    struct random random = random_cases(__func__);
    for (int turn = 0; turn < 2000; turn++) {
        char text[64], whole[SANITIZE_MAX(64)], pieces[SANITIZE_MAX(64) + 64 * SANITIZE_MAX(0)];
        const enum sanitize_form form = turn % 2 ? SANITIZE_JSON : SANITIZE_TEXT;
        for (size_t i = 0; i < sizeof text; i++)
            text[i] = (char)random_bits(&random);
        struct sanitize_text a = {.form = form}, b = {.form = form};
        size_t length = sanitize_piece(&a, whole, text, sizeof text), used = 0;
        length += sanitize_end(&a, whole + length);
        for (size_t at = 0; at < sizeof text;) {
            size_t piece = random_between(&random, 1, 5);
            piece = piece < sizeof text - at ? piece : sizeof text - at;
            used += sanitize_piece(&b, pieces + used, text + at, piece);
            at += piece;
        }
        used += sanitize_end(&b, pieces + used);
        assert_int_equal(used, length);
        assert_memory_equal(pieces, whole, length);
        struct sanitize_text again = {.form = form};
        char twice[SANITIZE_MAX(SANITIZE_MAX(64))];
        size_t second = sanitize_piece(&again, twice, whole, length);
        second += sanitize_end(&again, twice + second);
        assert_int_equal(second, length); /* nothing is left that would have to be made visible */
        for (size_t i = 0; i < length; i++)
            assert_true((unsigned char)whole[i] >= 0x20 || whole[i] == '\n' || whole[i] == '\t');
    }
}

/* Whatever a name holds, a message and a name in a table stay one line, and what is readable stays as it is. */
static void a_name_begins_no_other_line(void **state)
{
    (void)state;
    struct random random = random_cases(__func__);
    struct error e = {0};
    for (int turn = 0; turn < 2000; turn++) {
        char name[64], shown[QUOTED];
        const size_t length = random_between(&random, 0, sizeof name - 1);
        for (size_t i = 0; i < length; i++)
            name[i] = (char)(random_between(&random, 0, 2) ? random_bits(&random) | 1 : '\n');
        name[length] = '\0';
        (fail)(&e, ERROR_INPUT, "%s: is \"%s\"", name, quoted(shown, name));
        assert_string_equal(sanitize_name(sanitize_name(name)), sanitize_name(name));
        const char *const lines[] = {e.message, shown, sanitize_name(name)};
        for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
            for (const char *at = lines[i]; *at; at++)
                if ((unsigned char)*at < ' ' || *at == 127)
                    fail_msg("control character %d in %s", *at, lines[i]);
    }
    assert_string_equal(sanitize_name("a\nwarning: \x1b[31m\tGröße"), "a\\x0awarning: \\x1b[31m\\x09Größe");
    (fail)(&e, ERROR_INPUT, "%s: cannot be read", "a\nb.wav");
    assert_string_equal(e.message, "a\\x0ab.wav: cannot be read");
}

/* The examples of FIPS 180-4, and a million letters, in pieces of any length. */
static void checksums_are_those_of_the_standard(void **state)
{
    (void)state;
    static const char *const texts[][2] = {{"", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"},
                                           {"abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"},
                                           {"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
                                            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"}};
    struct random random = random_cases(__func__);
    struct sha256 s;
    char got[CHECKSUM_TEXT], letters[1000];
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        sha256_start(&s);
        sha256_add(&s, texts[i][0], strlen(texts[i][0]));
        sha256_finish(&s, got);
        assert_memory_equal(got, "sha256:", 7);
        assert_string_equal(got + 7, texts[i][1]);
    }
    memset(letters, 'a', sizeof letters);
    sha256_start(&s);
    for (size_t left = 1000000, some; left; left -= some) {
        some = random_between(&random, 0, left < sizeof letters ? left : sizeof letters);
        sha256_add(&s, letters, some);
    }
    sha256_finish(&s, got);
    assert_string_equal(got + 7, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_pair_takes_its_names),
        cmocka_unit_test(a_name_that_cannot_be_taken_is_found_before_the_first_rename),
        cmocka_unit_test(a_rename_that_fails_midway_tells_new_files_from_old_ones),
        cmocka_unit_test(a_killed_commit_leaves_whole_files_in_order),
        cmocka_unit_test(a_picture_in_another_folder_is_never_newer_than_the_sound),
        cmocka_unit_test(what_came_meanwhile_is_not_clobbered),
        cmocka_unit_test(a_file_that_is_replaced_keeps_its_permissions),
        cmocka_unit_test(no_two_files_share_a_temporary_name),
        cmocka_unit_test(checksums_are_those_of_the_standard),
        cmocka_unit_test(a_name_begins_no_other_line),
        cmocka_unit_test(visible_text_does_not_depend_on_its_pieces),
    };
    return cmocka_run_group_tests(tests, go_to_folder, remove_folder);
}
