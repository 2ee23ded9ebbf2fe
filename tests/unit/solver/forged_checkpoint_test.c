/* SPDX-License-Identifier: MIT */
/* Checkpoints of which somebody has changed what they state, and made the checksums anew: they are refused, or what is
 * read lies within the file. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "solver/checkpoint/blocks_file.h"
#include "solver/checkpoint/checkpoint.h"
#include "solver/checkpoint/checksum.h"
#include "support/random_cases.h"
#include "support/scratch.h"
#include "validate/scene/scene.h"

#include <cmocka.h>

enum { CHANNELS = 2, STEPS = 24, MORE = 4, BLOCKS_MAX = 64, FILE_HEAD = 24 };

/* --- a file as blocks --- */

struct forged_block {
    struct block_head head;
    char *bytes; /* [head.bytes], of its own memory */
};

struct forgery {
    char begin[FILE_HEAD];
    struct forged_block blocks[BLOCKS_MAX];
    size_t count;
};

static void forgery_free(struct forgery *f)
{
    for (size_t i = 0; i < f->count; i++)
        free(f->blocks[i].bytes);
    f->count = 0;
}

static void forgery_read(struct forgery *f, const char *path)
{
    char *bytes;
    const size_t size = scratch_read(path, &bytes);
    memcpy(f->begin, bytes, FILE_HEAD);
    f->count = 0;
    for (size_t at = FILE_HEAD; at < size;) {
        struct forged_block *b = &f->blocks[f->count++];
        assert_true(f->count < BLOCKS_MAX);
        memcpy(&b->head, bytes + at, sizeof b->head);
        at += sizeof b->head;
        b->bytes = malloc(b->head.bytes + 1);
        memcpy(b->bytes, bytes + at, b->head.bytes);
        at += b->head.bytes;
    }
    free(bytes);
}

/* With checksums made anew. Returns the bytes of the file. */
static size_t forgery_write(struct forgery *f, const char *path)
{
    char *bytes = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&bytes, &size);
    fwrite(f->begin, 1, FILE_HEAD, out);
    for (size_t i = 0; i < f->count; i++) {
        struct forged_block *b = &f->blocks[i];
        if (b->head.kind == BLOCK_END)
            b->head.first = i;
        b->head.checksum = checksum_add(CHECKSUM_START, b->bytes, b->head.bytes);
        b->head.of_head = checksum_add(CHECKSUM_START, &b->head, offsetof(struct block_head, of_head));
        fwrite(&b->head, sizeof b->head, 1, out);
        fwrite(b->bytes, 1, b->head.bytes, out);
    }
    fclose(out);
    scratch_write(path, bytes, size);
    free(bytes);
    return size;
}

/* --- what is forged --- */

/* Numbers that wrap when they are multiplied by sizes or added to others, and their neighbours. */
static uint64_t hostile(uint64_t honest, struct random *r)
{
    const uint64_t near = random_between(r, 0, 4) - 2;
    switch (random_between(r, 0, 5)) {
    case 0:
        return (uint64_t)1 << random_between(r, 0, 63);
    case 1:
        return ((uint64_t)1 << random_between(r, 31, 63)) + near;
    case 2:
        return UINT64_MAX / random_between(r, 1, 24) + near;
    case 3:
        return honest + near;
    case 4:
        return random_bits(r) >> random_between(r, 0, 63);
    default:
        return honest + ((uint64_t)1 << random_between(r, 58, 63));
    }
}

static void forge_length(struct forged_block *b, struct random *r)
{
    const size_t length = random_between(r, 0, 3) ? random_between(r, 0, b->head.bytes + 16) : 0;
    char *bytes = calloc(length + 1, 1);
    memcpy(bytes, b->bytes, length < b->head.bytes ? length : b->head.bytes);
    free(b->bytes);
    b->bytes = bytes;
    b->head.bytes = length;
}

/* A word of the bytes: sizes of pieces begin a block. */
static void forge_word(struct forged_block *b, struct random *r)
{
    uint64_t word;
    if (b->head.bytes < sizeof word)
        return;
    const size_t words = b->head.bytes / sizeof word;
    char *at = b->bytes + sizeof word * (random_between(r, 0, 1) ? random_between(r, 0, words - 1) : 0);
    memcpy(&word, at, sizeof word);
    word = hostile(word, r);
    memcpy(at, &word, sizeof word);
}

static void swap_blocks(struct forgery *f, size_t a, size_t b)
{
    const struct forged_block kept = f->blocks[a];
    f->blocks[a] = f->blocks[b];
    f->blocks[b] = kept;
}

static void forge(struct forgery *f, struct random *r)
{
    const size_t last = f->count - 1, at = random_between(r, 0, last);
    struct forged_block *b = &f->blocks[at];
    switch (random_between(r, 0, 7)) {
    case 0:
        b->head.count = hostile(b->head.count, r);
        break;
    case 1:
        b->head.array = (uint32_t)hostile(b->head.array, r);
        break;
    case 2:
        forge_length(b, r);
        break;
    case 3:
        forge_word(b, r);
        break;
    case 4:
        swap_blocks(f, at, random_between(r, 0, last));
        break;
    case 5:
        b->head.kind = (uint32_t)random_between(r, 0, BLOCK_END + 1);
        break;
    default:
        b->head.first = hostile(b->head.first, r);
    }
}

/* --- reading --- */

static const char this_run[] = "{\"aula\": \"1.2\"}";
static const struct checkpoint_job job = {0, 1, "{\"voxels\": \"12ab\"}"};
static const struct solver_options one_thread = {.engine = "cpu", .threads = 1};

static const char *path_of(const char *name)
{
    static char path[600];
    snprintf(path, sizeof path, "%s/%s", scratch_path("kept"), name);
    return path;
}

/* Lines about files that are left out, since the last resume, and the error that refused it. */
static char told[4096];

static void tell(void *context, enum checkpoint_news news, const char *line)
{
    const size_t used = strlen(told);
    (void)context;
    if (news != NEWS_DETAIL && !strstr(line, "resuming after"))
        snprintf(told + used, sizeof told - used, "%s\n", line);
}

static struct checkpoint *open_folder(bool resume, struct error *e)
{
    struct checkpoint *c = NULL;
    const struct checkpoint_settings settings = {
        .folder = scratch_path("kept"), .every = 600.0, .resume = resume, .run = this_run, .say = tell};
    checkpoint_open(&c, &settings, e);
    return c;
}

static void assert_refused(const struct error *e)
{
    if (e->code != ERROR_INPUT && e->code != ERROR_USAGE)
        fail_msg("refused with code %d: %s", e->code, e->message);
}

/* Every trace that is said to be there can be read: AddressSanitizer looks. */
static void use_traces(const struct checkpoint_state *state, size_t file)
{
    double sum = 0.0;
    if (state->steps > file / sizeof(double) / CHANNELS)
        fail_msg("%zu steps of %d channels are read from %zu bytes", state->steps, CHANNELS, file);
    for (size_t i = 0; i < CHANNELS * state->stride; i++)
        sum += state->traces[i];
    (void)sum;
}

/* Steps of the room after what was read. */
static void use_solver(struct solver *solver)
{
    struct error e;
    double drive[MORE] = {0.0}, taps[CHANNELS][MORE];
    const struct block b = {drive, MORE, taps[0], MORE};
    must(solver_run(solver, MORE, &b, &e), &e);
}

/* Whether anything was read of a file of `size` bytes. If not, it is refused or told of. */
static bool resume_job(struct scene *s, const struct checkpoint_job *wanted, size_t size)
{
    struct error e = {ERROR_NONE, ""};
    struct checkpoint_state state = {.channels = CHANNELS};
    struct solver *solver;
    *told = '\0';
    struct checkpoint *c = open_folder(true, &e);
    if (!c) {
        assert_refused(&e);
        return false;
    }
    must(scene_open(&solver, s, &one_thread, &e), &e);
    const bool refused = checkpoint_read(c, wanted, &state, &s->problem, solver, &e) != 0;
    if (refused) {
        assert_refused(&e);
        tell(NULL, NEWS_WARNING, e.message);
    } else
        use_traces(&state, size);
    const bool any = state.steps > 0;
    if (!any && !refused && !*told)
        fail_msg("a file is left out without a word");
    if (any && !state.complete)
        use_solver(solver);
    free(state.traces);
    solver_close(solver);
    checkpoint_close(c);
    return any;
}

static bool resume(struct scene *s, size_t size)
{
    return resume_job(s, &job, size);
}

/* An honest file: of complete traces, or of a run between two steps. */
static void write_honest(struct scene *s, bool complete, struct random *r)
{
    static double traces[CHANNELS][STEPS];
    struct error e = {ERROR_NONE, ""};
    struct solver *solver;
    const struct checkpoint_state state = {
        .steps = STEPS, .traces = traces[0], .channels = CHANNELS, .stride = STEPS, .complete = complete};
    do {
        scene_free(s);
        must(scene_random(s, 8, PRECISION_DOUBLE, r, &e) || scene_voxels(s, &e), &e);
    } while (!scene_air_points(s));
    scene_drive(s, scene_air_point(s, r), 1.0);
    for (int i = 0; i < CHANNELS; i++)
        scene_tap(s, scene_air_point(s, r), 1.0);
    must(scene_open(&solver, s, &one_thread, &e), &e);
    struct checkpoint *c = open_folder(false, &e);
    if (!c)
        fail_msg("%s", e.message);
    checkpoint_write(c, &job, &state, &s->problem, solver);
    assert_false(checkpoint_failed(c));
    checkpoint_close(c);
    solver_close(solver);
}

static const char *name_of(bool complete)
{
    return path_of(complete ? "source-0" : "generation-1");
}

static void end_of_folder(struct scene *s, const char *name)
{
    scene_free(s);
    assert_int_equal(remove(name), 0);
    assert_int_equal(remove(scratch_path("kept")), 0);
}

static struct forged_block *block_of_kind(struct forgery *f, uint32_t kind)
{
    for (size_t i = 0; i < f->count; i++)
        if (f->blocks[i].head.kind == kind)
            return &f->blocks[i];
    fail_msg("no block of kind %u", kind);
    return NULL;
}

/* 2^63 steps of two channels are no bytes where products wrap. */
static void a_number_of_steps_that_wraps_is_refused(void **state)
{
    struct random r = random_cases("steps that wrap");
    struct scene s = {.set = NULL};
    struct forgery f;
    (void)state;
    write_honest(&s, true, &r);
    forgery_read(&f, name_of(true));
    block_of_kind(&f, BLOCK_FIGURES)->head.first = (uint64_t)1 << 63;
    for (size_t i = 0; i < f.count; i++)
        f.blocks[i].head.bytes = f.blocks[i].head.kind == BLOCK_TRACE ? 0 : f.blocks[i].head.bytes;
    assert_false(resume(&s, forgery_write(&f, name_of(true))));
    forgery_free(&f);
    end_of_folder(&s, name_of(true));
}

/* 2^60 sizes of pieces are 2^63 bytes, and 2^61 are none. */
static void a_number_of_pieces_that_wraps_is_refused(void **state)
{
    struct random r = random_cases("pieces that wrap");
    (void)state;
    for (int bit = 58; bit < 64; bit++) {
        struct scene s = {.set = NULL};
        struct forgery f;
        write_honest(&s, false, &r);
        forgery_read(&f, name_of(false));
        block_of_kind(&f, BLOCK_PIECES)->head.count += (uint64_t)1 << bit;
        assert_false(resume(&s, forgery_write(&f, name_of(false))));
        forgery_free(&f);
        end_of_folder(&s, name_of(false));
    }
}

static void assert_told(const char *name, const char *why)
{
    const char *line = strstr(told, path_of(name));
    if (!line || !strstr(line, why))
        fail_msg("expected: %s .. %s; told: %s", path_of(name), why, told);
}

/* Nothing then says whether the walls, places and signals of the traces are those of this run. */
static void traces_that_name_no_sources_are_left_out(void **state)
{
    struct random r = random_cases("no sources");
    (void)state;
    for (int complete = 0; complete < 2; complete++) {
        struct scene s = {.set = NULL};
        struct forgery f;
        write_honest(&s, complete, &r);
        forgery_read(&f, name_of(complete));
        block_of_kind(&f, BLOCK_JOB)->head.kind = 0;
        assert_false(resume(&s, forgery_write(&f, name_of(complete))));
        assert_told(complete ? "source-0" : "generation-1", "the description of its sources");
        forgery_free(&f);
        end_of_folder(&s, name_of(complete));
    }
}

static void traces_under_the_name_of_another_source_are_left_out(void **state)
{
    struct random r = random_cases("another source");
    const struct checkpoint_job other = {3, 1, job.text};
    struct scene s = {.set = NULL};
    char honest[600];
    (void)state;
    write_honest(&s, true, &r);
    snprintf(honest, sizeof honest, "%s", path_of("source-0"));
    assert_int_equal(rename(honest, path_of("source-3")), 0);
    assert_false(resume_job(&s, &other, SIZE_MAX));
    assert_told("source-3", honest);
    assert_false(resume(&s, SIZE_MAX));
    end_of_folder(&s, path_of("source-3"));
}

/* Each block is what was written; together they are not. */
static void traces_that_lack_a_part_are_told_of(void **state)
{
    struct random r = random_cases("a part");
    struct scene s = {.set = NULL};
    struct forgery f;
    (void)state;
    write_honest(&s, true, &r);
    forgery_read(&f, name_of(true));
    block_of_kind(&f, BLOCK_TRACE)->head.kind = 0;
    assert_false(resume(&s, forgery_write(&f, name_of(true))));
    assert_told("source-0", "does not fit this run");
    forgery_free(&f);
    end_of_folder(&s, name_of(true));
}

/* A response of them would be silence or noise from there on. */
static void traces_that_are_no_numbers_are_refused(void **state)
{
    struct random r = random_cases("no numbers");
    const double wrong[3] = {NAN, INFINITY, -INFINITY};
    (void)state;
    for (int i = 0; i < 6; i++) {
        const bool complete = i % 2;
        struct scene s = {.set = NULL};
        struct forgery f;
        char why[64];
        const size_t step = random_between(&r, 0, STEPS - 1);
        write_honest(&s, complete, &r);
        forgery_read(&f, name_of(complete));
        memcpy(block_of_kind(&f, BLOCK_TRACE)->bytes + step * sizeof *wrong, &wrong[i / 2], sizeof *wrong);
        snprintf(why, sizeof why, "trace 0 is not finite at step %zu", step);
        assert_false(resume(&s, forgery_write(&f, name_of(complete))));
        assert_told(complete ? "source-0" : "generation-1", why);
        forgery_free(&f);
        end_of_folder(&s, name_of(complete));
    }
}

static void forged_blocks_are_refused_or_read_within_the_file(void **state)
{
    struct random r = random_cases("forged checkpoints");
    const int cases = under_sanitizers() ? 60 : 250; /* of each room */
    int resumed = 0;
    (void)state;
    for (int room = 0; room < 4; room++) {
        const bool complete = room % 2;
        struct scene s = {.set = NULL};
        write_honest(&s, complete, &r);
        for (int i = 0; i < cases; i++) {
            struct forgery f;
            char *honest;
            const size_t size = scratch_read(name_of(complete), &honest);
            forgery_read(&f, name_of(complete));
            for (size_t edits = random_between(&r, 1, 3); edits > 0; edits--)
                forge(&f, &r);
            resumed += resume(&s, forgery_write(&f, name_of(complete)));
            scratch_write(name_of(complete), honest, size);
            forgery_free(&f);
            free(honest);
        }
        assert_true(resume(&s, SIZE_MAX)); /* the honest one */
        end_of_folder(&s, name_of(complete));
    }
    print_message("%d forged files of %d are resumed\n", resumed, 4 * cases);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_number_of_steps_that_wraps_is_refused),
        cmocka_unit_test(a_number_of_pieces_that_wraps_is_refused),
        cmocka_unit_test(traces_that_name_no_sources_are_left_out),
        cmocka_unit_test(traces_under_the_name_of_another_source_are_left_out),
        cmocka_unit_test(traces_that_lack_a_part_are_told_of),
        cmocka_unit_test(traces_that_are_no_numbers_are_refused),
        cmocka_unit_test(forged_blocks_are_refused_or_read_within_the_file),
    };
    return cmocka_run_group_tests(tests, scratch_make, scratch_remove);
}
