/* SPDX-License-Identifier: MIT */
/* Kinds of walls have the keys that they are given by, and those exclude each other. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "room/keys.h"

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
    for (int i = 0; i < MATERIAL_KINDS; i++)
        assert_true(boundary_kinds[i].key || (boundary_kinds[i].built_in && boundary_kinds[i].meaning));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keys_of_walls_exclude_each_other),
        cmocka_unit_test(each_kind_of_wall_can_be_given),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
