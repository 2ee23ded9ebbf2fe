/* SPDX-License-Identifier: MIT */
/* Macros for the rows of keys.c: the member that holds a value, and the kinds of items that use it. */
#ifndef AULA_ROOM_KEY_COLUMNS_H
#define AULA_ROOM_KEY_COLUMNS_H

#include "room/keys.h"

#define COUNT(names) (sizeof(names) / sizeof *(names))
#define CHOICES(names) .choices = names, .choice_count = COUNT(names)
#define USED_BY(kind) .uses = 1u << (kind)
#define ROOM(member) offsetof(struct room, member)
#define OBJECT(member) offsetof(struct object, member)
#define RULE(member) offsetof(struct mesh_rule, member)
#define BOX (1u << SHAPE_BOX)
#define CYLINDER (1u << SHAPE_CYLINDER)
#define SPHERE (1u << SHAPE_SPHERE)
#define WEDGE (1u << SHAPE_WEDGE)
#define POLYGON (1u << SHAPE_POLYGON)
#define IN_BOX .forms = 1u << ROOM_BOX
#define IN_POLYGON .forms = 1u << ROOM_POLYGON
#define SOURCE(member) offsetof(struct source, member)
#define RECEIVER(member) offsetof(struct receiver, member)
#define ARRAY (1u << RECEIVER_ARRAY)
#define TURNED (~(1u << RECEIVER_OMNI) & ((1u << RECEIVER_KINDS) - 1u))
#define MATERIAL(member) offsetof(struct material, member)
#define LAYER(member) offsetof(struct material_layer, layer.member)
#define AIR (1u << LAYER_AIR)
#define POROUS (1u << LAYER_POROUS)
#define PERFORATED (1u << LAYER_PERFORATED)
#define SLOTTED (1u << LAYER_SLOTTED)
#define IMPERVIOUS (1u << LAYER_MEMBRANE)
#define CLOTH (1u << LAYER_CLOTH)
#define TABLE (1u << LAYER_TABLE)
#define CLASS(member) offsetof(struct scattering_class, member)
#define INSTRUMENT(member) offsetof(struct instrument, member)
#define PICKUP(member) offsetof(struct pickup, member)
#define EVENT(member) offsetof(struct event, member)
#define CHANNEL(member) offsetof(struct midi_channel, member)
#define STRING (1u << INSTRUMENT_STRING)
#define BAR (1u << INSTRUMENT_BAR)
#define MEMBRANE (1u << INSTRUMENT_MEMBRANE)
#define PLATE (1u << INSTRUMENT_PLATE)
#define WIND (1u << INSTRUMENT_WIND)
#define STRUCK (STRING | BAR | MEMBRANE | PLATE)
#define WALL(wall) offsetof(struct room, walls) + (wall) * sizeof(size_t)
#define WALL_ORIGIN(wall) ROOM(wall_origins) + (wall) * sizeof(struct origin)
#define LIST(array, items, type)                                                                                       \
    .offset = ROOM(array), .count = ROOM(items), .item_size = sizeof(struct type),                                     \
    .origin = offsetof(struct type, origin)
#define KIND(type, member)                                                                                             \
    .kind = offsetof(struct type, member), .kind_key = #member, .kind_names = member##_names,                          \
    .kind_count = COUNT(member##_names)

#define COURANT_LIMIT 0.57735026918962576 /* 1/sqrt(3), rounded to the nearest double */

#endif
