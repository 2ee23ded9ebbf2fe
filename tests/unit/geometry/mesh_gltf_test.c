/* SPDX-License-Identifier: MIT */
/* glTF: what its features make of a mesh, and which of its extensions are read or refused. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/text.h"
#include "geometry/mesh_read.h"
#include "support/box_files.h"
#include "support/random_cases.h"
#include "support/scratch.h"

#include <cmocka.h> /* last: its macro fail() would break the declaration in base/error.h */

#include "support/within.h"

static struct random chance;

/* A tetrahedron of 2 x 2 x 2 m, volume 8/6, fronts outwards. */
static const float corners[4][3] = {{0, 0, 0}, {2, 0, 0}, {0, 2, 0}, {0, 0, 2}};
static const uint8_t faces[12] = {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3};
static const char accessors[] =
    "\"bufferViews\":[{\"buffer\":0,\"byteLength\":48},{\"buffer\":0,\"byteOffset\":48,\"byteLength\":12}],"
    "\"accessors\":[{\"bufferView\":0,\"componentType\":5126,\"count\":4,\"type\":\"VEC3\"},"
    "{\"bufferView\":1,\"componentType\":5121,\"count\":12,\"type\":\"SCALAR\"}]";
static const char buffer[] = "\"buffers\":[{\"uri\":\"a.bin\",\"byteLength\":60}]";
static const char mesh[] = "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0},\"indices\":1}]}]";
static const char one_node[] = "\"scenes\":[{\"nodes\":[0]}],\"nodes\":[{\"mesh\":0,\"name\":\"solid\"}]";

static void write_data(const char *name)
{
    uint8_t bytes[60];
    memcpy(bytes, corners, sizeof corners);
    memcpy(bytes + 48, faces, sizeof faces);
    scratch_write(scratch_path(name), bytes, sizeof bytes);
}

/* A document of such members, four at most. */
static void write_document(const char *one, const char *two, const char *three, const char *four)
{
    struct growing_text t = {0};
    const char *const members[] = {one, two, three, four};
    size_t length;
    growing_text_add(&t, "{\"asset\":{\"version\":\"2.0\"}");
    for (int i = 0; i < 4; i++)
        if (members[i])
            growing_text_add(&t, ",%s", members[i]);
    growing_text_add(&t, "}");
    char *text = growing_text_take(&t, &length);
    assert_non_null(text);
    scratch_write(scratch_path("a.gltf"), text, length);
    free(text);
}

/* With its axes as they are in the file. */
static int read_mesh(struct mesh *m, struct error *e)
{
    const struct mesh_options options = {.up = MESH_UP_Z};
    return mesh_read(m, scratch_path("a.gltf"), &options, e);
}

static void refused(const char *part)
{
    struct mesh m;
    struct error e;
    assert_int_equal(read_mesh(&m, &e), -1);
    if (!strstr(e.message, part))
        print_error("expected: %s\ngot:      %s\n", part, e.message);
    assert_non_null(strstr(e.message, part));
    assert_non_null(strstr(e.message, "a.gltf: "));
    assert_int_equal(e.code, ERROR_INPUT);
}

static void assert_mesh(double volume, double low_x, double high_x)
{
    struct mesh m;
    struct error e;
    double least[3], greatest[3];
    must(read_mesh(&m, &e), &e);
    mesh_bounds(&m, least, greatest);
    assert_within(mesh_volume(&m), volume, 1e-6);
    assert_within(least[0], low_x, 1e-6);
    assert_within(greatest[0], high_x, 1e-6);
    mesh_free(&m);
}

static void a_mesh_has_the_name_of_its_node_where_nothing_else_has_one(void **state)
{
    (void)state;
    struct mesh m;
    struct error e;
    write_data("a.bin");
    write_document(one_node, mesh, buffer, accessors);
    must(read_mesh(&m, &e), &e);
    assert_int_equal(m.triangle_count, 4);
    assert_string_equal(m.materials[0], "solid");
    assert_within(mesh_volume(&m), 8.0 / 6.0, 1e-12);
    mesh_free(&m);
}

/* RFC 3986; names that are written as they are, against it, are found as well. */
static void names_of_buffers_are_percent_encoded(void **state)
{
    (void)state;
    static const char *const names[][2] = {{"my room.bin", "my%20room.bin"},
                                           {"R\xc3\xa4ume 100%.bin", "R%C3%a4ume%20100%25.bin"},
                                           {"a b.bin", "a b.bin"},
                                           {"a%20b.bin", "a%20b.bin"}};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char member[128];
        snprintf(member, sizeof member, "\"buffers\":[{\"uri\":\"%s\",\"byteLength\":60}]", names[i][1]);
        write_data(names[i][0]);
        write_document(one_node, mesh, member, accessors);
        assert_mesh(8.0 / 6.0, 0.0, 2.0);
        assert_int_equal(remove(scratch_path(names[i][0])), 0);
    }
    write_document(one_node, mesh, "\"buffers\":[{\"uri\":\"none.bin\",\"byteLength\":60}]", accessors);
    refused("none.bin: cannot open");
    write_document(one_node, mesh, "\"buffers\":[{\"uri\":\"https://example.org/a.bin\",\"byteLength\":60}]",
                   accessors);
    refused("has its data at https://example.org/a.bin; store them beside it");
}

/* 16 bits in strides of 8 bytes, each normalized or not: the node's scale makes metres of them. */
static void quantized_coordinates_are_what_they_stand_for(void **state)
{
    (void)state;
    for (int normalized = 0; normalized < 2; normalized++) {
        const double unit = normalized ? 32767.0 : 1.0;
        uint8_t bytes[48] = {0};
        char nodes[400];
        for (int i = 0; i < 4; i++)
            for (int k = 0; k < 3; k++) {
                const int16_t number = (int16_t)(10000.0 * corners[i][k] - 5000.0);
                memcpy(bytes + 8 * i + 2 * k, &number, sizeof number);
            }
        memcpy(bytes + 32, faces, sizeof faces);
        scratch_write(scratch_path("a.bin"), bytes, 44);
        snprintf(nodes, sizeof nodes,
                 "\"scenes\":[{\"nodes\":[0]}],\"nodes\":[{\"mesh\":0,\"scale\":[%.17g,%.17g,%.17g],"
                 "\"translation\":[0.5,0.5,0.5]}],\"extensionsRequired\":[\"KHR_mesh_quantization\"]",
                 unit / 10000.0, unit / 10000.0, unit / 10000.0);
        write_document(nodes, mesh, "\"buffers\":[{\"uri\":\"a.bin\",\"byteLength\":44}]",
                       normalized ? "\"bufferViews\":[{\"buffer\":0,\"byteLength\":32,\"byteStride\":8},{\"buffer\":0,"
                                    "\"byteOffset\":32,\"byteLength\":12}],\"accessors\":[{\"bufferView\":0,"
                                    "\"componentType\":5122,\"normalized\":true,\"count\":4,\"type\":\"VEC3\"},"
                                    "{\"bufferView\":1,\"componentType\":5121,\"count\":12,\"type\":\"SCALAR\"}]"
                                  : "\"bufferViews\":[{\"buffer\":0,\"byteLength\":32,\"byteStride\":8},{\"buffer\":0,"
                                    "\"byteOffset\":32,\"byteLength\":12}],\"accessors\":[{\"bufferView\":0,"
                                    "\"componentType\":5122,\"count\":4,\"type\":\"VEC3\"},"
                                    "{\"bufferView\":1,\"componentType\":5121,\"count\":12,\"type\":\"SCALAR\"}]");
        assert_mesh(8.0 / 6.0, 0.0, 2.0);
    }
}

/* Numbers as JSON. */
static void add_numbers(struct growing_text *t, const float *values, int count)
{
    for (int i = 0; i < count; i++)
        growing_text_add(t, "%s%.9g", i ? "," : "[", (double)values[i]);
    growing_text_add(t, "]");
}

enum { INSTANCES = 5 };
static float moved[INSTANCES][3], turned[INSTANCES][4], scaled[INSTANCES][3];

static void draw_instances(void)
{
    for (int i = 0; i < INSTANCES; i++) {
        double square = 0.0, q[4];
        for (int k = 0; k < 4; k++) {
            q[k] = random_normal(&chance);
            square += q[k] * q[k];
        }
        for (int k = 0; k < 4; k++)
            turned[i][k] = (float)(q[k] / sqrt(square));
        for (int k = 0; k < 3; k++) {
            moved[i][k] = (float)random_uniform(&chance, -5.0, 5.0);
            scaled[i][k] = (float)(random_uniform(&chance, 0.3, 2.0) * (random_bits(&chance) & 1 ? 1.0 : -1.0));
        }
    }
}

/* As nodes within a turned one. */
static void write_nodes(void)
{
    struct growing_text t = {0};
    growing_text_add(&t, "\"scenes\":[{\"nodes\":[%d]}],\"nodes\":[", INSTANCES);
    for (int i = 0; i < INSTANCES; i++) {
        growing_text_add(&t, "{\"mesh\":0,\"translation\":");
        add_numbers(&t, moved[i], 3);
        growing_text_add(&t, ",\"rotation\":");
        add_numbers(&t, turned[i], 4);
        growing_text_add(&t, ",\"scale\":");
        add_numbers(&t, scaled[i], 3);
        growing_text_add(&t, "},");
    }
    growing_text_add(&t, "{\"rotation\":[0,0.6,0,0.8],\"children\":[0,1,2,3,4]}]");
    char *nodes = growing_text_take(&t, NULL);
    assert_non_null(nodes);
    write_data("a.bin");
    write_document(nodes, mesh, buffer, accessors);
    free(nodes);
}

/* As instances of one, whose attributes follow the mesh in the buffer. */
static void write_instances(void)
{
    uint8_t bytes[60 + sizeof moved + sizeof turned + sizeof scaled];
    char members[700];
    memcpy(bytes, corners, sizeof corners);
    memcpy(bytes + 48, faces, sizeof faces);
    memcpy(bytes + 60, moved, sizeof moved);
    memcpy(bytes + 120, turned, sizeof turned);
    memcpy(bytes + 200, scaled, sizeof scaled);
    scratch_write(scratch_path("a.bin"), bytes, sizeof bytes);
    snprintf(members, sizeof members,
             "\"bufferViews\":[{\"buffer\":0,\"byteLength\":48},{\"buffer\":0,\"byteOffset\":48,\"byteLength\":12},"
             "{\"buffer\":0,\"byteOffset\":60,\"byteLength\":200}],\"accessors\":["
             "{\"bufferView\":0,\"componentType\":5126,\"count\":4,\"type\":\"VEC3\"},"
             "{\"bufferView\":1,\"componentType\":5121,\"count\":12,\"type\":\"SCALAR\"},"
             "{\"bufferView\":2,\"componentType\":5126,\"count\":5,\"type\":\"VEC3\"},"
             "{\"bufferView\":2,\"byteOffset\":60,\"componentType\":5126,\"count\":5,\"type\":\"VEC4\"},"
             "{\"bufferView\":2,\"byteOffset\":140,\"componentType\":5126,\"count\":5,\"type\":\"VEC3\"}]");
    write_document("\"scenes\":[{\"nodes\":[0]}],\"nodes\":[{\"mesh\":0,\"rotation\":[0,0.6,0,0.8],\"extensions\":{"
                   "\"EXT_mesh_gpu_instancing\":{\"attributes\":{\"TRANSLATION\":2,\"ROTATION\":3,\"SCALE\":4}}}}],"
                   "\"extensionsRequired\":[\"EXT_mesh_gpu_instancing\"]",
                   mesh, "\"buffers\":[{\"uri\":\"a.bin\",\"byteLength\":260}]", members);
}

static void instances_are_the_nodes_that_they_stand_for(void **state)
{
    (void)state;
    struct mesh nodes, instances;
    struct error e;
    double volume = 0.0;
    draw_instances();
    write_nodes();
    must(read_mesh(&nodes, &e), &e);
    write_instances();
    must(read_mesh(&instances, &e), &e);
    assert_int_equal(nodes.triangle_count, 4 * INSTANCES);
    assert_int_equal(instances.triangle_count, 4 * INSTANCES);
    for (size_t t = 0; t < nodes.triangle_count; t++)
        for (int c = 0; c < 3; c++)
            for (int k = 0; k < 3; k++)
                assert_within(nodes.vertices[nodes.triangles[t].vertex[c]][k],
                              instances.vertices[instances.triangles[t].vertex[c]][k], 1e-6);
    for (int i = 0; i < INSTANCES; i++) /* fronts stay outwards in a mirror */
        volume += 8.0 / 6.0 * fabs((double)scaled[i][0] * (double)scaled[i][1] * (double)scaled[i][2]);
    assert_within(mesh_volume(&nodes), volume, 1e-5);
    mesh_free(&nodes);
    mesh_free(&instances);
}

/* The same tetrahedron as a strip, as fans and without indices, and with a corner that a sparse accessor replaces. */
static void every_way_to_write_triangles_gives_them(void **state)
{
    (void)state;
    static const uint8_t strip[6] = {1, 0, 2, 3, 1, 0}, fan[5] = {0, 1, 3, 2, 1}, last[3] = {1, 2, 3};
    uint8_t bytes[48 + 14 + 144];
    memcpy(bytes, corners, sizeof corners);
    memcpy(bytes + 48, strip, 6);
    memcpy(bytes + 54, fan, 5);
    memcpy(bytes + 59, last, 3);
    for (int i = 0; i < 12; i++)
        memcpy(bytes + 62 + 12 * i, corners[faces[i]], 12);
    scratch_write(scratch_path("a.bin"), bytes, sizeof bytes);
    static const char all[] =
        "\"buffers\":[{\"uri\":\"a.bin\",\"byteLength\":206}],\"bufferViews\":[{\"buffer\":0,\"byteLength\":48},"
        "{\"buffer\":0,\"byteOffset\":48,\"byteLength\":14},{\"buffer\":0,\"byteOffset\":62,\"byteLength\":144}],"
        "\"accessors\":[{\"bufferView\":0,\"componentType\":5126,\"count\":4,\"type\":\"VEC3\"},"
        "{\"bufferView\":1,\"componentType\":5121,\"count\":6,\"type\":\"SCALAR\"},"
        "{\"bufferView\":1,\"byteOffset\":6,\"componentType\":5121,\"count\":5,\"type\":\"SCALAR\"},"
        "{\"bufferView\":1,\"byteOffset\":11,\"componentType\":5121,\"count\":3,\"type\":\"SCALAR\"},"
        "{\"bufferView\":2,\"componentType\":5126,\"count\":12,\"type\":\"VEC3\"},"
        "{\"bufferView\":0,\"componentType\":5126,\"count\":4,\"type\":\"VEC3\",\"sparse\":{\"count\":1,\"indices\":"
        "{\"bufferView\":1,\"byteOffset\":0,\"componentType\":5121},\"values\":{\"bufferView\":0,\"byteOffset\":12}}}]";
    static const char *const primitives[] = {
        "{\"attributes\":{\"POSITION\":0},\"indices\":1,\"mode\":5}",
        "{\"attributes\":{\"POSITION\":0},\"indices\":2,\"mode\":6},{\"attributes\":{\"POSITION\":0},\"indices\":3}",
        "{\"attributes\":{\"POSITION\":4}},{\"attributes\":{\"POSITION\":0},\"mode\":0},{\"attributes\":{\"POSITION\":"
        "0},"
        "\"mode\":1}",
        "{\"attributes\":{\"POSITION\":5},\"indices\":3}"};
    for (size_t i = 0; i < sizeof primitives / sizeof *primitives; i++) {
        char member[300];
        snprintf(member, sizeof member, "\"meshes\":[{\"primitives\":[%s]}]", primitives[i]);
        write_document(one_node, member, all, NULL);
        if (i < 3) {
            assert_mesh(8.0 / 6.0, 0.0, 2.0);
            continue;
        }
        struct mesh m;
        struct error e;
        must(read_mesh(&m, &e), &e); /* corner 1 is replaced by itself */
        assert_int_equal(m.triangle_count, 1);
        assert_within(mesh_area(&m), 0.5 * 4.0 * sqrt(3.0), 1e-6);
        mesh_free(&m);
    }
}

static void required_extensions_are_read_or_refused_by_name(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        {"KHR_draco_mesh_compression", "requires the glTF extension KHR_draco_mesh_compression, which is not "
                                       "supported; export it without compression"},
        {"EXT_meshopt_compression",
         "extension EXT_meshopt_compression, which is not supported; export it without compression"},
        {"VENDOR_walls\",\"KHR_mesh_quantization\",\"VENDOR_doors",
         "extensions VENDOR_walls, VENDOR_doors, which are not supported; export it without it, or as OBJ"},
        {"KHR_texture_transform\",\"KHR_materials_unlit\",\"EXT_texture_webp", NULL}};
    write_data("a.bin");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char member[200];
        snprintf(member, sizeof member, "%s,\"extensionsRequired\":[\"%s\"]", mesh, cases[i][0]);
        write_document(one_node, member, buffer, accessors);
        if (cases[i][1])
            refused(cases[i][1]);
        else
            assert_mesh(8.0 / 6.0, 0.0, 2.0);
    }
}

static void damage_is_one_error(void **state)
{
    (void)state;
    static const char *const cases[][4] = {
        {"\"scenes\":[{\"nodes\":[0]}],\"nodes\":[{\"mesh\":1}]", NULL, NULL, "mesh is not an index below 1"},
        {"\"scenes\":[{\"nodes\":[0]}],\"nodes\":[{\"mesh\":0,\"children\":[0]}]", NULL, NULL,
         "node 0 has two parents"},
        {"\"scenes\":[{\"nodes\":[0]}],\"nodes\":[{\"mesh\":0,\"scale\":[1,2]}]", NULL, NULL,
         "does not have 3 numbers"},
        {"\"scenes\":[{\"nodes\":[0]}],\"nodes\":[{\"mesh\":0,\"matrix\":[1]}]", NULL, NULL,
         "does not have 16 numbers"},
        {"\"scenes\":[{\"nodes\":[0]}],\"nodes\":[{\"mesh\":0,\"translation\":[1e13,0,0]}]", NULL, NULL,
         "exceeds 1e12"},
        {NULL, "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":1},\"indices\":1}]}]", NULL, "type VEC3"},
        {NULL, "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0},\"indices\":0}]}]", NULL, "type SCALAR"},
        {NULL, "\"meshes\":[{\"primitives\":[{\"attributes\":{},\"indices\":1}]}]", NULL, "a missing vertex"},
        {NULL, "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0},\"mode\":1}]}]", NULL,
         "contains no faces"},
        {NULL, NULL, "\"buffers\":[{\"uri\":\"a.bin\",\"byteLength\":61}]", "has 60 bytes instead of 61"},
        {NULL, NULL, "\"buffers\":[{\"byteLength\":60}]", "buffer 0 has no data"},
        {NULL, NULL, "\"buffers\":[{\"uri\":\"data:,abc\",\"byteLength\":3}]", "not in base64"},
        {NULL, NULL, "\"buffers\":[{\"uri\":\"data:x;base64,a$==\",\"byteLength\":3}]", "base64 data are damaged"},
        {NULL, NULL, "\"buffers\":[]", "buffer of a view is not an index"}};
    static const char *const views[][2] = {
        {"\"bufferViews\":[{\"buffer\":0,\"byteLength\":61}]", "a buffer view extends beyond its buffer"},
        {"\"bufferViews\":[{\"buffer\":0,\"byteOffset\":-1,\"byteLength\":6}]", "byteOffset is not a whole number"},
        {"\"bufferViews\":[{\"buffer\":0,\"byteLength\":47}]", "an accessor extends beyond its buffer view"},
        {"\"bufferViews\":[{\"buffer\":0,\"byteLength\":48,\"byteStride\":8}]", "byteStride 8 is not valid"},
        {"\"bufferViews\":[{\"buffer\":0,\"byteLength\":48,\"byteStride\":1e300}]",
         "byteStride is not a whole number"}};
    write_data("a.bin");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *const *c = cases[i];
        write_document(c[0] ? c[0] : one_node, c[1] ? c[1] : mesh, c[2] ? c[2] : buffer, accessors);
        refused(c[3]);
    }
    for (size_t i = 0; i < sizeof views / sizeof *views; i++) {
        char member[400];
        snprintf(member, sizeof member,
                 "%s,\"accessors\":[{\"bufferView\":0,\"componentType\":5126,\"count\":4,\"type\":\"VEC3\"}]",
                 views[i][0]);
        write_document(one_node, "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0}}]}]", buffer, member);
        refused(views[i][1]);
    }
    assert_int_equal(mkfifo(scratch_path("pipe.bin"), 0600), 0);
    write_document(one_node, mesh, "\"buffers\":[{\"uri\":\"pipe.bin\",\"byteLength\":60}]", accessors);
    refused("pipe.bin: is a pipe");
    scratch_write(scratch_path("a.gltf"), "{\"asset\":{\"version\":\"1.0\"}}", 27);
    refused("is glTF 1.0; export it as glTF 2.0");
    scratch_write(scratch_path("a.gltf"), "{\"asset\":", 9);
    refused("it contains no JSON");
    scratch_write(scratch_path("a.gltf"), "glTF\2\0\0\0\24\0\0\0\377\377\377\377JSON", 20);
    refused("a chunk is longer than the file");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_mesh_has_the_name_of_its_node_where_nothing_else_has_one),
        cmocka_unit_test(names_of_buffers_are_percent_encoded),
        cmocka_unit_test(quantized_coordinates_are_what_they_stand_for),
        cmocka_unit_test(instances_are_the_nodes_that_they_stand_for),
        cmocka_unit_test(every_way_to_write_triangles_gives_them),
        cmocka_unit_test(required_extensions_are_read_or_refused_by_name),
        cmocka_unit_test(damage_is_one_error),
    };
    chance = random_cases("mesh_gltf");
    return cmocka_run_group_tests(tests, scratch_make, scratch_remove);
}
