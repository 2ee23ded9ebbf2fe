/* SPDX-License-Identifier: MIT */
/* Plans the parts and their requirements before any is opened. */
#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "solver/parts/leader.h"
#include "solver/parts/links.h"
#include "solver/parts/voxel_slabs.h"
#include "solver/schemes/leapfrog/partition_links.h"

int leader_part_count(const struct solver_options *c)
{
    return c->parts.transport ? c->parts.transport->count : c->parts.count ? c->parts.count : c->device_count;
}

/* GPUs are used only if requested. */
bool leader_on_devices(const struct solver_options *c)
{
    return c->device_count || (c->engine && !strcmp(c->engine, "cuda"));
}

/* The GPU of a part. Neighbours share a GPU if there are more parts than GPUs. */
static int device_of_part(const struct solver_options *c, int part)
{
    return c->device_count ? c->devices[(long long)part * c->device_count / leader_part_count(c)] : c->device;
}

/* The parts of one process share its threads; each process has its own. */
struct part_options leader_options_of_part(const struct solver_options *c, int part)
{
    const int threads = c->threads > 0 ? c->threads : omp_get_max_threads(), shared = threads / leader_part_count(c);
    struct part_options of_part = {.threads = c->parts.transport ? c->threads
                                              : shared > 0       ? shared
                                                                 : 1,
                                   .block = {c->block[0], c->block[1], c->block[2]},
                                   .time_block = c->time_block,
                                   .device = device_of_part(c, part),
                                   .in_place = c->cuda.in_place,
                                   .no_tune = c->cuda.no_tune,
                                   .tune_anew = c->cuda.tune_anew,
                                   .audit = c->audit,
                                   .halo_way = c->parts.way,
                                   .steps = c->steps};
    if (c->parts.transport && c->parts.transport->beside) { /* every host has devices of these numbers */
        of_part.device_count = c->device_count;
        memcpy(of_part.devices, c->devices, sizeof of_part.devices);
    }
    snprintf(of_part.engine, sizeof of_part.engine, "%s", leader_on_devices(c) ? "cuda" : "cpu");
    if (c->kernel)
        snprintf(of_part.kernel, sizeof of_part.kernel, "%.60s", c->kernel);
    return of_part;
}

size_t leader_halo(const struct problem *p, const struct solver_options *c)
{
    const size_t usual = cut_halo(p->points[2], (size_t)leader_part_count(c));
    /* largest depth of a temporal block of the cuda engine: one block hides the exchange of the
     * previous one. When halos pass through the host, steps wait for exchanges, and halos of two
     * blocks make exchanges less frequent. */
    const size_t pass = leapfrog_of(p)->stencil == STENCIL_19_POINT ? 3 : 5;
    const size_t most = c->parts.way == HALOS_STAGED ? 2 * pass : pass;
    return c->parts.halo ? (size_t)c->parts.halo : leader_on_devices(c) && usual > most ? most : usual;
}

double leader_branch_work(const struct solver_options *c)
{
    return leader_on_devices(c) ? 4.0 : 2.0;
}

int leader_check(const struct problem *p, const struct solver_options *c, struct error *e)
{
    const char *fault = part_problem_fault(p);
    if (c->device_count && c->engine && !strcmp(c->engine, "cpu"))
        return fail(e, ERROR_USAGE, "--devices selects GPUs of the cuda engine; remove --engine cpu");
    if (c->device_count > leader_part_count(c))
        return fail(e, ERROR_USAGE, "--devices: %d GPUs for %d part%s; each GPU needs at least one part",
                    c->device_count, leader_part_count(c), leader_part_count(c) == 1 ? "" : "s");
    if (c->cuda.in_place && !leader_on_devices(c))
        return fail(e, ERROR_ENGINE, "--in-place is supported by the cuda engine only; remove it");
    if (fault)
        return fail(e, ERROR_ENGINE, "%s", fault);
    if (leapfrog_of(p)->slabs && transmission_any(leapfrog_of(p)))
        return fail(e, ERROR_ENGINE,
                    "partitions that transmit cannot be stepped by several processes; use the parts of one process, "
                    "--parts or --devices");
    return 0;
}

/* Adds the requirements of a part; `shared`: the parts belong to this process. */
void leader_add_plan(struct solver_plan *r, const struct solver_plan *part, bool shared, int index,
                     const struct slab *slab)
{
    const double more = (double)slab_planes(slab) / (double)(slab->end - slab->first);
    const uint64_t stepped = (uint64_t)((double)part->air_points * more);
    const uint64_t bytes = part->field_bytes + part->boundary_bytes + part->channel_bytes;
    if (shared || bytes > r->parts.largest_bytes) {
        r->field_bytes = part->field_bytes + (shared ? r->field_bytes : 0);
        r->boundary_bytes = part->boundary_bytes + (shared ? r->boundary_bytes : 0);
        r->channel_bytes = part->channel_bytes + (shared ? r->channel_bytes : 0);
    }
    r->parts.largest_bytes = bytes > r->parts.largest_bytes ? bytes : r->parts.largest_bytes;
    r->parts.largest_points = stepped > r->parts.largest_points ? stepped : r->parts.largest_points;
    r->air_points += part->air_points;
    r->wall_points += part->wall_points;
    r->cuda.untried = r->cuda.untried || part->cuda.untried;
    r->balanced = (index == 0 || r->balanced) && part->balanced;
    if (index == 0) {
        r->engine = part->engine;
        r->kernel = part->kernel;
        r->on_device = part->on_device;
        r->time_block = part->time_block;
        r->cuda.in_place = part->cuda.in_place;
    }
}

/* Memory that the parts of each GPU need. */
struct device_needs {
    int devices[DEVICES_MAX], count;
    uint64_t needed[DEVICES_MAX], available[DEVICES_MAX];
};

static void add_need(struct device_needs *n, const struct solver_plan *part, int device)
{
    int i = 0;
    while (i < n->count && n->devices[i] != device)
        i++;
    if (i == DEVICES_MAX)
        return;
    if (i == n->count)
        n->devices[n->count++] = device;
    n->needed[i] += part->field_bytes + part->boundary_bytes + part->channel_bytes;
    n->available[i] = part->available_bytes;
}

/* Total memory that the parts can use, in proportion to their needs, before the first GPU is
 * full. */
static uint64_t available_to_all(const struct device_needs *n)
{
    double all = 0.0, share = INFINITY;
    for (int i = 0; i < n->count; i++) {
        all += (double)n->needed[i];
        share = fmin(share, (double)n->available[i] / fmax((double)n->needed[i], 1.0));
    }
    return n->count ? (uint64_t)fmin(all * share, 9e18) : 0;
}

struct layer_span *leader_spans(const struct problem *p, const struct slab *slabs, int count)
{
    struct layer_span *spans = calloc((size_t)count, sizeof *spans);
    for (int part = 0; part < count && spans; part++) {
        const size_t from = slab_from(&slabs[part]);
        spans[part] = (struct layer_span){from, from + slab_layers(&slabs[part], leapfrog_of(p)->stencil)};
    }
    return spans;
}

int leader_send_problem(struct transport *t, int part, struct order *o, const struct part_options *choice,
                        const struct part_problem *q, const struct layer_span *spans, struct error *e)
{
    struct packet w = {.bytes = NULL};
    packet_put(&w, choice, sizeof *choice);
    part_problem_pack(q, &w);
    if (spans)
        packet_put(&w, spans, (size_t)t->count * sizeof *spans);
    o->slabs = spans != NULL;
    o->bytes = w.count;
    int status = w.failed ? fail(e, ERROR_MEMORY, "out of memory") : 0;
    if (!status && (transport_send(t, part, o, sizeof *o, e) || transport_send(t, part, w.bytes, w.count, e) ||
                    transport_flush(t, e)))
        status = transport_give_up(t, e);
    packet_free(&w);
    return status;
}

/* all[count]: requirements of parts whose problems are made here, one after the other. */
static int require_here(struct solver_plan *all, const struct problem *p, const struct solver_options *c,
                        const struct slab *slabs, struct error *e)
{
    int status = 0;
    for (int part = 0; part < leader_part_count(c) && !status; part++) {
        const struct part_options of_part = leader_options_of_part(c, part);
        const struct solver_options choice =
            part_options_open(&of_part, NULL); /* assumes GPUs like those of this host */
        struct part_problem q;
        status = part_problem_make(&q, p, &slabs[part], e) || solver_make_plan(&all[part], &q.problem, &choice, e);
        part_problem_free(&q);
    }
    return status ? -1 : 0;
}

static int ask_parts(const struct problem *p, const struct solver_options *c, const struct slab *slabs,
                     const struct layer_span *spans, struct error *e)
{
    int status = 0;
    for (int part = 1; part < c->parts.transport->count && !status; part++) {
        const struct part_options of_part = leader_options_of_part(c, part);
        struct order order = {.kind = ORDER_REQUIRE};
        struct part_problem q;
        status = part_problem_make(&q, p, &slabs[part], e) ||
                 leader_send_problem(c->parts.transport, part, &order, &of_part, &q, spans, e);
        part_problem_free(&q);
    }
    return status ? -1 : 0;
}

static int require_own(struct solver_plan *own, const struct problem *p, const struct solver_options *c,
                       const struct slab *slabs, const struct layer_span *spans, struct error *e)
{
    const struct part_options of_part = leader_options_of_part(c, 0);
    const struct solver_options choice = part_options_open(&of_part, c->parts.transport);
    struct part_problem q;
    int status = part_problem_make(&q, p, &slabs[0], e);
    status = voxel_slabs_take(&q.leapfrog.voxels, leapfrog_of(p)->slabs, spans, c->parts.transport, status, e) ||
                     solver_make_plan(own, &q.problem, &choice, e)
                 ? -1
                 : 0;
    part_problem_free(&q);
    return status;
}

/* The same for parts that have made the voxels, each of which reports its own requirements. An
 * error of one part does not end the others. */
static int require_there(struct solver_plan *all, const struct problem *p, const struct solver_options *c,
                         const struct slab *slabs, struct error *e)
{
    const int count = leader_part_count(c);
    struct layer_span *spans = leader_spans(p, slabs, count);
    int status = spans ? ask_parts(p, c, slabs, spans, e) : fail(e, ERROR_MEMORY, "out of memory");
    bool lost = status != 0;
    if (!lost)
        status = require_own(&all[0], p, c, slabs, spans, e);
    for (int part = 1; part < count && !lost; part++) {
        struct error other = {ERROR_NONE, ""};
        const int answered = leader_answer(c->parts.transport, part, &all[part], sizeof all[part], &other);
        lost = answered < 0;
        if (answered && !status)
            *e = other;
        status = answered ? -1 : status;
    }
    free(spans);
    if (lost)
        transport_abandon(c->parts.transport, e);
    return status;
}

static int require_parts(struct solver_plan *r, const struct problem *p, const struct solver_options *c,
                         struct error *e)
{
    const int count = leader_part_count(c);
    struct device_needs needs = {.count = 0};
    struct slab *slabs = calloc((size_t)count, sizeof *slabs);
    struct solver_plan *all = calloc((size_t)count, sizeof *all);
    int status = slabs && all ? 0 : fail(e, ERROR_MEMORY, "out of memory");
    status = status || cut_grid(slabs, (size_t)count, p, leader_halo(p, c), leader_branch_work(c), e) ? -1 : 0;
    if (!status)
        status = leapfrog_of(p)->slabs ? require_there(all, p, c, slabs, e) : require_here(all, p, c, slabs, e);
    for (int part = 0; part < count && !status; part++) {
        leader_add_plan(r, &all[part], !c->parts.transport, part, &slabs[part]);
        add_need(&needs, &all[part], device_of_part(c, part));
    }
    if (!status) {
        const size_t plane = p->points[0] * p->points[1] * precision_bytes(p->precision);
        r->available_bytes = r->on_device ? available_to_all(&needs) : memory_available();
        r->parts.count = count;
        r->parts.halo = (int)(slabs[0].below + slabs[0].above);
        r->parts.halo_bytes = (uint64_t)r->parts.halo * plane * 2; /* both time levels */
    }
    free(slabs);
    free(all);
    return status;
}

int leader_plan(struct solver_plan *r, const struct problem *p, const struct solver_options *c, struct error *e)
{
    struct solver_options choice = *c;
    if (leader_check(p, c, e) || leader_can_link(&choice.parts.way, c, e) || require_parts(r, p, &choice, e))
        return -1;
    leader_say_halo_path(r, &choice);
    return 0;
}
