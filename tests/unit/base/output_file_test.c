/* SPDX-License-Identifier: MIT */
/* Files are complete or absent, and pairs change together. */
#include <dirent.h>
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

#include "base/output_journal.h"
#include "base/output_set.h"
#include "base/sanitize_text.h"
#include "base/sha256.h"
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

/* The second name cannot be used: it has become a folder that is not empty. */
static void when_the_second_name_is_refused_the_first_is_given_back(void **state)
{
    (void)state;
    struct output_set set;
    struct error e = {0};
    for (int older = 0; older < 2; older++) {
        if (older)
            put("a.wav", "old wav");
        open_pair(&set, "new");
        assert_int_equal(mkdir("a.json", 0700), 0);
        put("a.json/file", "");
        assert_int_not_equal(output_set_commit(&set, &e), 0);
        assert_non_null(strstr(e.message, "a.json: "));
        if (older)
            assert_holds("a.wav", "old wav");
        else
            assert_int_not_equal(access("a.wav", F_OK), 0);
        assert_int_equal(files_there(), 1 + (size_t)older); /* no part, nothing kept */
        unlink("a.json/file");
        rmdir("a.json");
    }
    unlink("a.wav");
}

/* Of files that came meanwhile and are kept by no_clobber, and of names in two folders. */
static void what_is_refused_in_one_folder_is_given_back_in_another(void **state)
{
    (void)state;
    struct error e = {0};
    struct output_set set;
    assert_int_equal(mkdir("pictures", 0700), 0);
    put("pictures/a.svg", "old picture");
    for (int clash = 0; clash < 2; clash++) {
        open_pair(&set, "new");
        set.no_clobber = clash == 0;
        assert_int_equal(output_set_text(&set, clash ? "pictures/b.svg" : "pictures/a.svg", "new", &e), 0);
        if (clash) {
            assert_int_equal(mkdir("pictures/b.svg", 0700), 0);
            put("a.json", "old json");
        }
        assert_int_not_equal(output_set_commit(&set, &e), 0);
        assert_holds("pictures/a.svg", "old picture");
        assert_int_not_equal(access("a.wav", F_OK), 0);
        assert_int_equal(files_there(), clash ? 2 : 1);
    }
    assert_holds("a.json", "old json");
    open_pair(&set, "new");
    assert_int_equal(output_set_text(&set, "pictures/a.svg", "new", &e), 0);
    assert_int_equal(output_set_commit(&set, &e), 0);
    assert_holds("pictures/a.svg", "new");
    assert_int_equal(files_there(), 3);
    rmdir("pictures/b.svg");
    unlink("pictures/a.svg");
    rmdir("pictures");
    unlink("a.wav");
    unlink("a.json");
}

static void clean_up(void)
{
    struct output_file f;
    struct error e = {0};
    assert_int_equal(output_file_open(&f, "another", &e), 0); /* any file of the folder */
    output_file_discard(&f);
}

/* Killed at any moment: after the next run that writes into the folder, under any name, the files are all of the older
 * set or all of the newer, with nothing beside them but parts of that set's names. */
static void a_killed_commit_leaves_one_whole_set(void **state)
{
    (void)state;
    enum { TURNS = 60 };
    struct random random = random_cases(__func__);
    struct output_set set;
    struct error e = {0};
    char wav[64], json[64];
    for (int turn = 0; turn < TURNS; turn++) {
        const bool older = turn % 2;
        unlink("a.wav");
        unlink("a.json");
        if (older) {
            put("a.wav", "0");
            put("a.json", "0");
        }
        const pid_t child = fork();
        if (!child) {
            char what[16];
            for (int i = 1;; i++) {
                snprintf(what, sizeof what, "%d", i);
                open_pair(&set, what);
                output_set_commit(&set, &e);
                if (!older) {
                    unlink("a.json");
                    unlink("a.wav");
                }
            }
        }
        usleep((useconds_t)random_between(&random, 0, 3000));
        kill(child, SIGKILL);
        waitpid(child, NULL, 0);
        clean_up();
        content(wav, "a.wav");
        content(json, "a.json");
        if (older) {
            assert_true(*wav);
            assert_string_equal(wav, json);
        } else {
            assert_true(!*json || !strcmp(wav, json)); /* the child removes the JSON first */
        }
    }
    put("a.wav", "0");
    put("a.json", "0");
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

/* Killed at any flush: after the next run that writes into each folder, the sound and its JSON are of one run, and the
 * picture is of that run or of the one before, never of a later one. */
static void a_picture_in_another_folder_is_never_newer_than_the_sound(void **state)
{
    (void)state;
    struct output_file other;
    struct error e = {0};
    char wav[64], json[64], svg[64];
    int apart = 0;
    bool ended = false;
    assert_int_equal(mkdir("pictures", 0700), 0);
    for (long flush = 1; !ended; flush++) {
        put("a.wav", "old");
        put("a.json", "old");
        put("pictures/a.svg", "old");
        ended = commit_and_die(flush);
        clean_up();
        assert_int_equal(output_file_open(&other, "pictures/another", &e), 0);
        output_file_discard(&other);
        assert_string_equal(content(wav, "a.wav"), content(json, "a.json"));
        content(svg, "pictures/a.svg");
        assert_true(!strcmp(svg, wav) || (!strcmp(svg, "old") && !strcmp(wav, "new")));
        apart += strcmp(svg, wav) != 0;
    }
    assert_string_equal(wav, "new");
    assert_true(apart > 0);         /* which the manual says */
    assert_true(commit_and_die(0)); /* removes the parts of the dead */
    unlink("pictures/a.svg");
    assert_int_equal(rmdir("pictures"), 0);
    unlink("a.wav");
    unlink("a.json");
}

/* Every state that the folder may be in between the first entry of the journal and its end. */
static void a_journal_gives_back_what_was_there(void **state)
{
    (void)state;
    for (int named = 0; named <= 2; named++)               /* files that have their new names */
        for (int complete = 0; complete < 3; complete++) { /* nothing written, all but the mark, all */
            struct output_journal j;
            struct output_set set;
            struct error e = {0};
            put("a.wav", "old");
            open_pair(&set, "new"); /* and no older JSON */
            assert_int_equal(output_journal_begin(&j, "a.wav", "a.wav", &e), 0);
            for (size_t i = 0; i < 2; i++)
                assert_int_equal(output_journal_add(&j, set.files[i]->target, set.files[i]->descriptor, &e), 0);
            if (complete)
                assert_int_equal(output_journal_keep(&j, &e), 0);
            for (int i = 0; i < named && complete; i++)
                assert_int_equal(rename(set.files[i]->temporary, set.files[i]->target), 0);
            if (complete == 2 && named == 2) {
                const int file = open("a.wav.part-set", O_WRONLY | O_APPEND);
                assert_true(write(file, "done\n", 5) == 5);
                close(file);
            }
            assert_int_equal(access("a.wav.part-set", F_OK), 0);
            clean_up(); /* it is alive */
            assert_int_equal(access("a.wav.part-set", F_OK), 0);
            output_journal_free(&j); /* as by its death */
            clean_up();
            output_set_discard(&set);
            const bool new = complete == 2 && named == 2;
            assert_holds("a.wav", new ? "new" : "old");
            assert_int_equal(access("a.json", F_OK), new ? 0 : -1);
            assert_int_equal(files_there(), new ? 2 : 1);
            unlink("a.wav");
            unlink("a.json");
        }
}

/* A journal that is somebody's text, of another version, or cut off touches nothing. */
static void what_is_no_journal_touches_nothing(void **state)
{
    (void)state;
    static const char *const texts[] = {"aula files 2\n3 0 0 1 1-00000000 1 b\nend\n",
                                        "aula files 1\n3 0 0 1 1-00000000 4 ../b\nend\n",
                                        "aula files 1\n3 0 0 1 ../../x 1 b\nend\n",
                                        "aula files 1\n3 0 0 1 1-00000000 9 b\nend\n",
                                        "my words\n",
                                        "aula files 1\n3 0 0 1 1-00000000 1 b\ne",
                                        "aula files 1\nend\n",
                                        ""};
    put("b", "mine");
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        put("x.part-set", texts[i]);
        clean_up();
        assert_holds("b", "mine");
        assert_int_equal(access("x.part-set", F_OK), i < 5 ? 0 : -1); /* the last ones renamed nothing */
        unlink("x.part-set");
    }
    assert_int_equal(symlink("b", "x.part-set"), 0);
    clean_up();
    assert_int_equal(unlink("x.part-set"), 0);
    unlink("b");
}

/* What somebody puts in the place of a new file after the crash is not taken for it. */
static void a_file_of_somebody_else_stays(void **state)
{
    (void)state;
    struct output_journal j;
    struct output_set set;
    struct error e = {0};
    put("a.wav", "old");
    open_pair(&set, "new");
    assert_int_equal(output_journal_begin(&j, "a.wav", "a.wav", &e), 0);
    for (size_t i = 0; i < 2; i++)
        assert_int_equal(output_journal_add(&j, set.files[i]->target, set.files[i]->descriptor, &e), 0);
    assert_int_equal(output_journal_keep(&j, &e), 0);
    for (size_t i = 0; i < 2; i++)
        assert_int_equal(rename(set.files[i]->temporary, set.files[i]->target), 0);
    output_journal_free(&j);
    unlink("a.wav");
    put("a.wav", "recorded");
    unlink("a.json");
    put("a.json", "own");
    clean_up();
    assert_holds("a.wav", "recorded");
    assert_holds("a.json", "own");
    output_set_discard(&set);
    assert_int_equal(files_there(), 2);
    unlink("a.wav");
    unlink("a.json");
}

/* Several writers of one name at once: what is there at any moment when none of them renames, and in the end, is one
 * set of one of them. */
static void of_two_writers_one_set_is_left(void **state)
{
    (void)state;
    enum { WRITERS = 4, SETS = 25 };
    pid_t writers[WRITERS];
    char wav[64], json[64];
    for (int w = 0; w < WRITERS; w++) {
        writers[w] = fork();
        if (writers[w])
            continue;
        int bad = 0;
        for (int i = 0; i < SETS; i++) {
            struct output_set set;
            struct error e = {0};
            char what[32];
            snprintf(what, sizeof what, "%d of %d", i, w);
            open_pair(&set, what);
            bad |= output_set_commit(&set, &e);
        }
        _exit(bad != 0);
    }
    int status, looks = 0;
    for (int left = WRITERS; left;) {
        struct output_journal j;
        struct error e = {0};
        assert_int_equal(output_journal_begin(&j, "a.wav", "a.wav", &e), 0); /* nobody renames meanwhile */
        assert_string_equal(content(wav, "a.wav"), content(json, "a.json"));
        looks += *wav != 0;
        output_journal_undo(&j);
        output_journal_free(&j);
        while (left && waitpid(-1, &status, WNOHANG) > 0) {
            assert_int_equal(status, 0);
            left--;
        }
        usleep(500);
    }
    assert_true(looks > 0);
    assert_string_equal(content(wav, "a.wav"), content(json, "a.json"));
    assert_int_equal(files_there(), 2);
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
    assert_non_null(strstr(e.message, "a.wav: is there already, and --no-clobber keeps it"));
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
        cmocka_unit_test(when_the_second_name_is_refused_the_first_is_given_back),
        cmocka_unit_test(what_is_refused_in_one_folder_is_given_back_in_another),
        cmocka_unit_test(a_killed_commit_leaves_one_whole_set),
        cmocka_unit_test(a_picture_in_another_folder_is_never_newer_than_the_sound),
        cmocka_unit_test(a_journal_gives_back_what_was_there),
        cmocka_unit_test(what_is_no_journal_touches_nothing),
        cmocka_unit_test(a_file_of_somebody_else_stays),
        cmocka_unit_test(of_two_writers_one_set_is_left),
        cmocka_unit_test(what_came_meanwhile_is_not_clobbered),
        cmocka_unit_test(a_file_that_is_replaced_keeps_its_permissions),
        cmocka_unit_test(no_two_files_share_a_temporary_name),
        cmocka_unit_test(checksums_are_those_of_the_standard),
        cmocka_unit_test(a_name_begins_no_other_line),
        cmocka_unit_test(visible_text_does_not_depend_on_its_pieces),
    };
    return cmocka_run_group_tests(tests, go_to_folder, remove_folder);
}
