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

#include "base/output_file.h"
#include "base/visible.h"
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

static void open_pair(struct output_file pair[2])
{
    struct error e = {0};
    if (output_file_open(&pair[0], "a.wav", &e) || output_file_put(&pair[0], "new wav", &e) ||
        output_file_open(&pair[1], "a.json", &e) || output_file_put(&pair[1], "new json", &e))
        fail_msg("%s", e.message);
}

static void a_pair_takes_its_names(void **state)
{
    (void)state;
    struct output_file pair[2];
    struct error e = {0};
    put("a.wav", "old wav");
    for (int turn = 0; turn < 2; turn++) { /* over an older one with no JSON, then over both */
        open_pair(pair);
        assert_int_equal(output_files_commit(pair, 2, &e), 0);
        assert_holds("a.wav", "new wav");
        assert_holds("a.json", "new json");
        assert_int_equal(files_there(), 2);
    }
    unlink("a.wav");
    unlink("a.json");
}

/* The second name cannot be used: it has become a folder that is not empty. */
static void when_the_second_name_is_refused_the_first_is_given_back(void **state)
{
    (void)state;
    struct output_file pair[2];
    struct error e = {0};
    for (int older = 0; older < 2; older++) {
        if (older)
            put("a.wav", "old wav");
        open_pair(pair);
        assert_int_equal(mkdir("a.json", 0700), 0);
        put("a.json/file", "");
        assert_int_not_equal(output_files_commit(pair, 2, &e), 0);
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

/* Killed at any moment: the WAV and the JSON are each complete, older or newer, and no older file is lost. */
static void a_killed_commit_loses_nothing(void **state)
{
    (void)state;
    struct random random = random_cases(__func__);
    for (int turn = 0; turn < 40; turn++) {
        put("a.wav", "old wav");
        put("a.json", "old json");
        const pid_t child = fork();
        if (!child) {
            struct output_file pair[2];
            struct error e;
            for (;;) {
                open_pair(pair);
                output_files_commit(pair, 2, &e);
            }
        }
        usleep((useconds_t)random_between(&random, 0, 3000));
        kill(child, SIGKILL);
        waitpid(child, NULL, 0);
        char wav[16] = "", json[16] = "";
        FILE *f = fopen("a.wav", "r"), *g = fopen("a.json", "r");
        assert_true(f && g);
        assert_true(fgets(wav, sizeof wav, f) && fgets(json, sizeof json, g));
        fclose(f);
        fclose(g);
        assert_true(!strcmp(wav, "old wav") || !strcmp(wav, "new wav"));
        assert_true(!strcmp(json, "old json") || !strcmp(json, "new json"));
        if (system("rm -f a.*.part-kept-*"))
            fail();
    }
    struct output_file pair[2];
    struct error e = {0};
    open_pair(pair); /* removes the parts of the dead */
    assert_int_equal(files_there(), 4);
    assert_int_equal(output_files_commit(pair, 2, &e), 0);
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
        char text[64], whole[VISIBLE_MAX(64)], pieces[VISIBLE_MAX(64) + 64 * VISIBLE_MAX(0)];
        const enum visible_form form = turn % 2 ? VISIBLE_JSON : VISIBLE_TEXT;
        for (size_t i = 0; i < sizeof text; i++)
            text[i] = (char)random_bits(&random);
        struct visible a = {.form = form}, b = {.form = form};
        size_t length = visible_piece(&a, whole, text, sizeof text), used = 0;
        length += visible_end(&a, whole + length);
        for (size_t at = 0; at < sizeof text;) {
            size_t piece = random_between(&random, 1, 5);
            piece = piece < sizeof text - at ? piece : sizeof text - at;
            used += visible_piece(&b, pieces + used, text + at, piece);
            at += piece;
        }
        used += visible_end(&b, pieces + used);
        assert_int_equal(used, length);
        assert_memory_equal(pieces, whole, length);
        struct visible again = {.form = form};
        char twice[VISIBLE_MAX(VISIBLE_MAX(64))];
        size_t second = visible_piece(&again, twice, whole, length);
        second += visible_end(&again, twice + second);
        assert_int_equal(second, length); /* nothing is left that would have to be made visible */
        for (size_t i = 0; i < length; i++)
            assert_true((unsigned char)whole[i] >= 0x20 || whole[i] == '\n' || whole[i] == '\t');
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_pair_takes_its_names),
        cmocka_unit_test(when_the_second_name_is_refused_the_first_is_given_back),
        cmocka_unit_test(a_killed_commit_loses_nothing),
        cmocka_unit_test(what_came_meanwhile_is_not_clobbered),
        cmocka_unit_test(no_two_files_share_a_temporary_name),
        cmocka_unit_test(visible_text_does_not_depend_on_its_pieces),
    };
    return cmocka_run_group_tests(tests, go_to_folder, remove_folder);
}
