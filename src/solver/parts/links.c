/* SPDX-License-Identifier: MIT */
#include "solver/parts/links.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "solver/engine.h"
#include "solver/parts/leader.h"

struct part_links {
    const struct link_access *access; /* of the engine; NULL: not supported */
    int device;
    void *open;
    /* members of part 0: */
    char *linked_devices; /* [parts][LINK_DEVICE_BYTES]: devices joined by the open links; NULL: no links are open */
    char *failed_devices; /* likewise: devices that could not be linked, which are not tried again */
    char failed_why[120];
    struct error lost; /* error of a part whose device is lost, or that must stop */
    char why[120];     /* reason why the parts cannot be linked; empty: none */
};

static struct part_links *links_of(struct transport *t, struct error *e)
{
    if (!t->links && !(t->links = calloc(1, sizeof *t->links)))
        fail(e, ERROR_MEMORY, "out of memory");
    return t->links;
}

int part_links_identify(struct transport *t, const struct solver_options *c, char id[LINK_DEVICE_BYTES],
                        struct error *e)
{
    struct part_links *links = links_of(t, e);
    const struct engine *engine = links ? solver_engine(c, e) : NULL;
    memset(id, 0, LINK_DEVICE_BYTES);
    if (!engine)
        return -1;
    if (!engine->links)
        return fail(e, ERROR_ENGINE, "the %s engine does not support links between GPUs", engine->name);
    if (engine->links->identify(id, c->device, e))
        return -1;
    links->access = engine->links;
    links->device = c->device;
    return 0;
}

int part_links_open(struct transport *t, const char name[LINK_NAME_BYTES], struct error *e)
{
    struct part_links *links = t->links;
    if (!links || !links->access)
        return fail(e, ERROR_ENGINE, "no links between GPUs are available to this part");
    links->access->close(links->open, 0);
    return links->access->open(&links->open, name, t->part, t->count, links->device, e);
}

void *part_links(const struct transport *t)
{
    return t->links ? t->links->open : NULL;
}

void part_links_close(struct transport *t, bool broken)
{
    if (t->links && t->links->access)
        t->links->access->close(t->links->open, broken);
    if (t->links) {
        free(t->links->linked_devices);
        free(t->links->failed_devices);
    }
    free(t->links);
    t->links = NULL;
}

/* --- part 0 --- */

/* Keeps only the first reason. */
static void note_why(struct part_links *links, const char *who, const struct error *why)
{
    if (!*links->why)
        snprintf(links->why, sizeof links->why, "%s%.100s", who, why->message);
    if (!links->lost.code && (why->code == ERROR_DEVICE || why->code == ERROR_STOPPED))
        fail(&links->lost, why->code, "%s%.400s", who, why->message);
}

/* Receives the answers of all parts to orders already sent, and notes the reasons of failures. */
static int take_answers(struct transport *t, char *bytes, size_t count, struct error *e)
{
    for (int part = 1; part < t->count; part++) {
        struct error why = {ERROR_NONE, ""};
        const int answered = leader_answer(t, part, bytes ? bytes + (size_t)part * count : NULL, count, &why);
        if (answered)
            note_why(t->links, "", &why); /* the message already names the part */
        if (answered < 0) {
            *e = why;
            transport_abandon(t, e);
            return -1;
        }
    }
    return transport_flush(t, e);
}

/* Sends the same order to all parts, with `count` bytes for each. */
static int send_orders(struct transport *t, enum order_kind kind, const char *bytes, size_t count, size_t stride,
                       struct error *e)
{
    const struct order o = {.kind = kind, .bytes = count};
    for (int part = 1; part < t->count; part++)
        if (transport_send(t, part, &o, sizeof o, e) ||
            transport_send(t, part, bytes + (size_t)part * stride, count, e))
            return transport_give_up(t, e);
    return transport_flush(t, e);
}

static int ask_all(struct transport *t, char *devices, const struct part_options *choices, struct error *e)
{
    struct error why = {ERROR_NONE, ""};
    const struct solver_options own = part_options_open(&choices[0], t);
    *t->links->why = 0;
    if (send_orders(t, ORDER_IDENTIFY, (const char *)choices, sizeof *choices, sizeof *choices, e))
        return -1;
    if (part_links_identify(t, &own, devices, &why))
        note_why(t->links, "part 0: ", &why);
    return take_answers(t, devices, LINK_DEVICE_BYTES, e);
}

static bool are_distinct(const char *devices, int count)
{
    for (int a = 0; a < count; a++)
        for (int b = 0; b < a; b++)
            if (!memcmp(devices + a * LINK_DEVICE_BYTES, devices + b * LINK_DEVICE_BYTES, LINK_DEVICE_BYTES))
                return false;
    return true;
}

/* devices[parts][LINK_DEVICE_BYTES]: identifiers of the parts' devices, valid if links->why is
 * empty. */
static int find_devices(char *devices, const struct solver_options *c, struct error *e)
{
    struct transport *t = c->parts.transport;
    struct part_options *choices = calloc((size_t)t->count, sizeof *choices);
    if (!choices)
        return fail(e, ERROR_MEMORY, "out of memory");
    for (int part = 0; part < t->count; part++)
        choices[part] = leader_options_of_part(c, part);
    const int status = ask_all(t, devices, choices, e);
    free(choices);
    if (!status && !*t->links->why && !are_distinct(devices, t->count))
        snprintf(t->links->why, sizeof t->links->why, "several parts share a GPU");
    return status;
}

static bool may_be_linked(const struct solver_options *c)
{
    return c->parts.transport && !c->parts.transport->addresses && c->parts.transport->count > 1 &&
           leader_on_devices(c) && !c->parts.through_host;
}

static bool are_same(const char *devices, const char *others, const struct transport *t)
{
    return devices && !memcmp(devices, others, (size_t)t->count * LINK_DEVICE_BYTES);
}

/* *devices: in new memory; NULL: the parts cannot be linked. */
static int linkable(char **devices, const struct solver_options *c, struct error *e)
{
    *devices = NULL;
    if (!may_be_linked(c))
        return 0;
    struct part_links *links = links_of(c->parts.transport, e);
    char *all = links ? calloc((size_t)c->parts.transport->count, LINK_DEVICE_BYTES) : NULL;
    if (!all)
        return fail(e, ERROR_MEMORY, "out of memory");
    const int status = find_devices(all, c, e);
    if (!status && !*links->why && are_same(links->failed_devices, all, c->parts.transport))
        memcpy(links->why, links->failed_why, sizeof links->why);
    if (status || *links->why)
        free(all);
    else
        *devices = all;
    return status;
}

static enum halo_way way_without_links(const struct solver_options *c)
{
    return c->parts.transport && !c->parts.transport->addresses ? HALOS_STAGED : HALOS_READ;
}

int leader_can_link(enum halo_way *way, const struct solver_options *c, struct error *e)
{
    char *devices;
    const int status = linkable(&devices, c, e);
    *way = devices ? HALOS_LINKED : way_without_links(c);
    free(devices);
    return status;
}

/* On return links->why is empty if all parts have opened their ends. If the device of one part
 * is lost, or one must stop, the others have no alternative path and fail too. */
static int open_all(struct transport *t, struct error *e)
{
    char name[LINK_NAME_BYTES];
    struct part_links *links = t->links;
    struct error why = {ERROR_NONE, ""};
    links->lost = (struct error){ERROR_NONE, ""};
    if (links->access->make_name(name, &why)) {
        note_why(links, "part 0: ", &why);
        return 0;
    }
    if (send_orders(t, ORDER_LINK, name, sizeof name, 0, e))
        return -1;
    if (part_links_open(t, name, &why))
        note_why(links, "part 0: ", &why);
    if (take_answers(t, NULL, 0, e))
        return -1;
    if (links->lost.code) {
        *e = links->lost;
        transport_abandon(t, e);
    }
    return links->lost.code ? -1 : 0;
}

/* devices: those of the parts, in new memory; links_of(part 0) takes ownership. */
static int link_devices(bool *linked, char *devices, struct transport *t, struct error *e)
{
    struct part_links *links = t->links;
    *linked = are_same(links->linked_devices, devices, t);
    if (*linked) {
        free(devices);
        return 0;
    }
    free(links->linked_devices);
    links->linked_devices = NULL;
    const int status = open_all(t, e);
    *linked = !status && !*links->why;
    if (*linked) {
        links->linked_devices = devices;
        return 0;
    }
    free(links->failed_devices);
    links->failed_devices = devices;
    memcpy(links->failed_why, links->why, sizeof links->failed_why);
    return status;
}

int leader_link(enum halo_way *way, const struct solver_options *c, struct error *e)
{
    char *devices;
    bool linked = false;
    int status = linkable(&devices, c, e);
    if (!status && devices)
        status = link_devices(&linked, devices, c->parts.transport, e);
    *way = linked ? HALOS_LINKED : way_without_links(c);
    return status;
}

void leader_say_halo_path(struct solver_plan *r, const struct solver_options *c)
{
    const struct part_links *links = c->parts.transport ? c->parts.transport->links : NULL;
    char library[96] = "", *to = r->parts.halo_path;
    r->parts.linked = c->parts.way == HALOS_LINKED;
    if (c->parts.way == HALOS_READ)
        snprintf(to, sizeof r->parts.halo_path, "%s",
                 leader_on_devices(c) ? "directly between GPUs" : "through shared memory");
    else if (r->parts.linked) {
        links->access->describe(library, sizeof library);
        snprintf(to, sizeof r->parts.halo_path, "through %s", library);
    } else if (may_be_linked(c) && links)
        snprintf(to, sizeof r->parts.halo_path, "through the host, because no links between GPUs could be opened: %s",
                 links->why);
    else
        snprintf(to, sizeof r->parts.halo_path, "through the host");
}
