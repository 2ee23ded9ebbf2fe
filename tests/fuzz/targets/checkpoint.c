/* SPDX-License-Identifier: MIT */
/* A checkpoint, as a generation and as the traces of a source, read into a solver. Mutations get new checksums, which would
 * otherwise stop nearly all of them at the first block. */
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness.h"
#include "solver/checkpoint/blocks_file.h"
#include "solver/checkpoint/checkpoint.h"
#include "solver/checkpoint/checksum.h"
#include "validate/scene/scene.h"

enum { CHANNELS = 2, STEPS = 4, FILE_HEAD = 24, GENUINE_MAX = 1 << 16 };

static const struct checkpoint_job job = {0, 1, "{\"voxels\": \"12ab\"}"};
static const struct solver_options one = {.engine = "cpu", .threads = 1};
static struct scene scene;

static void must(int status)
{
    if (status)
        abort();
}

/* A box whose walls have states. */
static struct solver *open_solver(void)
{
    struct error e;
    struct solver *solver;
    if (!scene.cells) {
        static const struct branch branch = {.inertance = 1.0, .resistance = 1.0, .stiffness = 1.0};
        must(scene_box(&scene, 4, 3, 5, PRECISION_DOUBLE, &e));
        scene_branches(&scene, 0, &branch, 1);
        scene_drive(&scene, scene_point(&scene, 2, 1, 2), 1.0);
        scene_tap(&scene, scene_point(&scene, 1, 1, 1), 1.0);
        must(scene_voxels(&scene, &e));
    }
    must(scene_open(&solver, &scene, &one, &e));
    return solver;
}

static struct checkpoint *open_checkpoint(const char *folder)
{
    struct checkpoint *c;
    struct error e;
    const struct checkpoint_settings settings = {
        .folder = folder, .every = 600.0, .resume = true, .run = "{\"aula\": \"1\"}"};
    return checkpoint_open(&c, &settings, &e) ? NULL : c;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct checkpoint_state state = {.channels = CHANNELS};
    struct error e;
    harness_write("generation-1", data, size);
    harness_write("source-0", data, size);
    struct checkpoint *c = open_checkpoint(harness_path("."));
    if (!c)
        return 0;
    static struct solver *solver; /* takes any state after any other */
    if (!solver)
        solver = open_solver();
    checkpoint_read(c, &job, &state, &scene.problem, solver, &e);
    free(state.traces);
    checkpoint_close(c);
    return 0;
}

/* --- mutations --- */

/* What a run writes after a few steps. */
static size_t genuine(uint8_t *to, size_t room)
{
    static uint8_t bytes[GENUINE_MAX];
    static size_t count;
    if (!count) {
        double drive[STEPS] = {1.0}, taps[CHANNELS][STEPS] = {{0.0}};
        const struct block block = {drive, STEPS, taps[0], STEPS};
        const struct checkpoint_state state = {
            .steps = STEPS, .traces = taps[0], .channels = CHANNELS, .stride = STEPS};
        struct error e;
        unlink(harness_path("generation-1"));
        unlink(harness_path("source-0"));
        struct checkpoint *c = open_checkpoint(harness_path("."));
        struct solver *solver = open_solver();
        must(!c || solver_run(solver, STEPS, &block, &e));
        checkpoint_write(c, &job, &state, &scene.problem, solver);
        solver_close(solver);
        checkpoint_close(c);
        FILE *f = fopen(harness_path("generation-1"), "rb");
        must(!f);
        count = fread(bytes, 1, sizeof bytes, f);
        fclose(f);
    }
    if (count > room)
        return 0;
    memcpy(to, bytes, count);
    return count;
}

/* Makes lengths fit and checksums anew, and ends the file after its last block. Returns the number of blocks. */
static size_t mend(uint8_t *data, size_t size)
{
    size_t blocks = 0;
    for (size_t at = FILE_HEAD; at + sizeof(struct block_head) <= size; blocks++) {
        struct block_head head;
        const size_t left = size - at - sizeof head;
        memcpy(&head, data + at, sizeof head);
        head.bytes = head.bytes > left ? left : head.bytes;
        if (head.kind == BLOCK_END)
            head.first = blocks;
        head.checksum = checksum_add(CHECKSUM_START, data + at + sizeof head, head.bytes);
        head.of_head = checksum_add(CHECKSUM_START, &head, offsetof(struct block_head, of_head));
        memcpy(data + at, &head, sizeof head);
        at += sizeof head + head.bytes;
    }
    return blocks;
}

/* Where a block begins. */
static size_t find_block(const uint8_t *data, size_t number)
{
    size_t at = FILE_HEAD;
    for (struct block_head head; number--; at += sizeof head + head.bytes)
        memcpy(&head, data + at, sizeof head);
    return at;
}

/* Changes the bytes of one block, or how many they are. */
static size_t mutate_block(uint8_t *data, size_t size, size_t room, size_t at)
{
    struct block_head head;
    memcpy(&head, data + at, sizeof head);
    const size_t start = at + sizeof head, end = start + head.bytes, spare = room - size;
    uint8_t *block = malloc(head.bytes + spare + 1);
    must(!block);
    memcpy(block, data + start, head.bytes);
    const size_t count = LLVMFuzzerMutate(block, head.bytes, head.bytes + spare);
    memmove(data + start + count, data + end, size - end);
    memcpy(data + start, block, count);
    free(block);
    head.bytes = count;
    memcpy(data + at, &head, sizeof head);
    return size - (end - start) + count;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t room, unsigned seed)
{
    static uint8_t begin[FILE_HEAD];
    if (!*begin) {
        static uint8_t whole[GENUINE_MAX];
        genuine(whole, sizeof whole);
        memcpy(begin, whole, sizeof begin);
    }
    if (size < FILE_HEAD || memcmp(data, begin, sizeof begin) != 0)
        return genuine(data, room);
    const size_t blocks = mend(data, size);
    if (seed % 16 == 0 || !blocks)
        return LLVMFuzzerMutate(data, size, room); /* as it is: damaged */
    const size_t at = find_block(data, seed / 64 % blocks);
    if (seed % 4 == 0)
        LLVMFuzzerMutate(data + at, offsetof(struct block_head, bytes), offsetof(struct block_head, bytes));
    else if (seed % 4 == 1)
        size = FILE_HEAD + LLVMFuzzerMutate(data + FILE_HEAD, size - FILE_HEAD, room - FILE_HEAD);
    else
        size = mutate_block(data, size, room, at);
    mend(data, size);
    return size;
}
