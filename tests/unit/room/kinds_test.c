/* SPDX-License-Identifier: MIT */
/* Kinds of walls have the keys that they are given by, and those exclude each other; rows of keys are complete. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "room/key_types.h"

#include <cmocka.h>

static const char group[] = "materials.NAME";

static bool excludes(const struct key *key, const char *other)
{
    for (const char *const *name = key->unless; *name; name++)
        if (!strcmp(*name, other))
            return true;
    return false;
}

static void keys_of_walls_exclude_each_other(void **state)
{
    size_t pairs = 0;
    (void)state;
    for (int i = 0; i < MATERIAL_KINDS; i++) {
        const struct key *key = boundary_kinds[i].key ? key_find(group, boundary_kinds[i].key, 0) : NULL;
        if (!key && boundary_kinds[i].key)
            fail_msg("%s.%s: no such key", group, boundary_kinds[i].key);
        for (int k = 0; key && k < MATERIAL_KINDS; k++) {
            if (k == i || !boundary_kinds[k].key)
                continue;
            pairs++;
            if (!excludes(key, boundary_kinds[k].key))
                fail_msg("%s.%s lacks \"%s\" in its `unless`", group, key->name, boundary_kinds[k].key);
        }
    }
    assert_true(pairs > 0);
}

static void each_kind_of_wall_can_be_given(void **state)
{
    (void)state;
    for (int i = 0; i < MATERIAL_KINDS; i++) {
        const struct boundary_kind *kind = &boundary_kinds[i];
        assert_true(kind->key || (kind->built_in && kind->meaning));
        if (kind->key && !(kind->example && !strncmp(kind->example, kind->key, strlen(kind->key))))
            fail_msg("%s: its row of boundary_kinds[] lacks an example \"%s = ..;\"", kind->key, kind->key);
    }
}

static bool is_never_written(const struct key *key)
{
    static const enum key_type_tag never[] = {
        KEY_CLASSES,       KEY_PRESETS, /* spelt out where they are used */
        KEY_NOTE_NAME,                  /* as pitch */
        KEY_OCTAVES,                    /* values are written for all octaves */
        KEY_MATERIAL_NAME,              /* by the keys that take it */
        KEY_NOTE,          KEY_SPAN,    /* not kept */
    };
    for (size_t i = 0; i < sizeof never / sizeof *never; i++)
        if (key->type == never[i])
            return true;
    return false;
}

/* A room of the JSON beside a sound is the room that was rendered. */
static void each_key_is_written_to_the_json(void **state)
{
    (void)state;
    for (size_t i = 0; i < key_count; i++)
        if ((key_types[keys[i].type]->write != NULL) == is_never_written(&keys[i]))
            fail_msg("%s.%s: its type %s a `write`", keys[i].group, keys[i].name,
                     is_never_written(&keys[i]) ? "has" : "lacks");
}

static void lists_of_keys_end(void **state)
{
    (void)state;
    for (size_t i = 0; i < key_count; i++)
        if (keys[i].unless[RIVALS_MAX])
            fail_msg("%s.%s: `unless` has more than RIVALS_MAX keys", keys[i].group, keys[i].name);
}

static void each_choice_has_a_name(void **state)
{
    (void)state;
    for (size_t i = 0; i < key_count; i++)
        for (size_t k = 0; k < keys[i].choice_count; k++)
            if (!keys[i].choices[k])
                fail_msg("%s.%s: choice %zu has no name", keys[i].group, keys[i].name, k);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keys_of_walls_exclude_each_other), cmocka_unit_test(each_kind_of_wall_can_be_given),
        cmocka_unit_test(each_key_is_written_to_the_json),  cmocka_unit_test(lists_of_keys_end),
        cmocka_unit_test(each_choice_has_a_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
