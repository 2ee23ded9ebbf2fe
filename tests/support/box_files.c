/* SPDX-License-Identifier: MIT */
/* before cmocka, which defines a macro `fail` */
#include "support/box_files.h"
#include "base/text.h"
#include "geometry/mesh_materials.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double corners[8][3] = {{0, 0, 0}, {5, 0, 0}, {5, 4, 0}, {0, 4, 0},
                                     {0, 0, 3}, {5, 0, 3}, {5, 4, 3}, {0, 4, 3}};

/* Two a side, fronts outwards: floor, ceiling, walls. */
static const uint16_t faces[12][3] = {{0, 2, 1}, {0, 3, 2}, {4, 5, 6}, {4, 6, 7}, {0, 1, 5}, {0, 5, 4},
                                      {1, 2, 6}, {1, 6, 5}, {2, 3, 7}, {2, 7, 6}, {3, 0, 4}, {3, 4, 7}};

static const char *const names[BOX_PARTS] = {"Floor", "Ceiling", "Walls"};
static const size_t first_face[BOX_PARTS + 1] = {0, 2, 4, 12};

static void obj_box(struct growing_text *t)
{
    for (int i = 0; i < 8; i++)
        growing_text_add(t, "v %g %g %g\n", corners[i][0], corners[i][1], corners[i][2]);
    for (int p = 0; p < BOX_PARTS; p++) {
        growing_text_add(t, "usemtl %s\n", names[p]);
        for (size_t f = first_face[p]; f < first_face[p + 1]; f++)
            growing_text_add(t, "f %d %d %d\n", faces[f][0] + 1, faces[f][1] + 1, faces[f][2] + 1);
    }
}

static void stl_box(struct growing_text *t)
{
    for (int p = 0; p < BOX_PARTS; p++) {
        growing_text_add(t, "solid %s\n", names[p]);
        for (size_t f = first_face[p]; f < first_face[p + 1]; f++) {
            growing_text_add(t, " facet normal 0 0 0\n  outer loop\n");
            for (int k = 0; k < 3; k++) {
                const double *c = corners[faces[f][k]];
                growing_text_add(t, "   vertex %g %g %g\n", c[0], c[1], c[2]);
            }
            growing_text_add(t, "  endloop\n endfacet\n");
        }
        growing_text_add(t, "endsolid %s\n", names[p]);
    }
}

static void binary_stl_box(struct growing_text *t)
{
    char head[84] = "binary";
    head[80] = 12; /* triangles, little-endian */
    growing_text_bytes(t, head, sizeof head);
    for (int f = 0; f < 12; f++) {
        float numbers[12] = {0}; /* the normal, three corners */
        for (int k = 0; k < 9; k++)
            numbers[3 + k] = (float)corners[faces[f][k / 3]][k % 3];
        growing_text_bytes(t, (const char *)numbers, sizeof numbers);
        growing_text_bytes(t, "\0\0", 2);
    }
}

static void ply_box(struct growing_text *t)
{
    growing_text_add(t,
                     "ply\nformat ascii 1.0\nelement vertex 8\nproperty float x\nproperty float y\nproperty float z\n"
                     "element face 12\nproperty list uchar int vertex_indices\nend_header\n");
    for (int i = 0; i < 8; i++)
        growing_text_add(t, "%g %g %g\n", corners[i][0], corners[i][1], corners[i][2]);
    for (int f = 0; f < 12; f++)
        growing_text_add(t, "3 %d %d %d\n", faces[f][0], faces[f][1], faces[f][2]);
}

/* z is up: the file says so. */
static void dae_box(struct growing_text *t)
{
    growing_text_add(t, "<?xml version=\"1.0\"?>\n<COLLADA xmlns=\"http://www.collada.org/2005/11/COLLADASchema\" "
                        "version=\"1.4.1\">\n<asset><unit name=\"meter\" meter=\"1\"/><up_axis>Z_UP</up_axis></asset>\n"
                        "<library_effects>\n");
    for (int p = 0; p < BOX_PARTS; p++)
        growing_text_add(t,
                         "<effect id=\"e%d\"><profile_COMMON><technique sid=\"t\"><lambert/></technique>"
                         "</profile_COMMON></effect>\n",
                         p);
    growing_text_add(t, "</library_effects>\n<library_materials>\n");
    for (int p = 0; p < BOX_PARTS; p++)
        growing_text_add(t, "<material id=\"m%d\" name=\"%s\"><instance_effect url=\"#e%d\"/></material>\n", p,
                         names[p], p);
    growing_text_add(t, "</library_materials>\n<library_geometries><geometry id=\"g\"><mesh>\n<source id=\"p\">"
                        "<float_array id=\"a\" count=\"24\">");
    for (int i = 0; i < 8; i++)
        growing_text_add(t, " %g %g %g", corners[i][0], corners[i][1], corners[i][2]);
    growing_text_add(t, "</float_array><technique_common><accessor source=\"#a\" count=\"8\" stride=\"3\">"
                        "<param name=\"X\" type=\"float\"/><param name=\"Y\" type=\"float\"/><param name=\"Z\" "
                        "type=\"float\"/></accessor></technique_common></source>\n<vertices id=\"v\"><input "
                        "semantic=\"POSITION\" source=\"#p\"/></vertices>\n");
    for (int p = 0; p < BOX_PARTS; p++) {
        growing_text_add(t,
                         "<triangles material=\"s%d\" count=\"%zu\"><input semantic=\"VERTEX\" source=\"#v\" "
                         "offset=\"0\"/><p>",
                         p, first_face[p + 1] - first_face[p]);
        for (size_t f = first_face[p]; f < first_face[p + 1]; f++)
            growing_text_add(t, " %d %d %d", faces[f][0], faces[f][1], faces[f][2]);
        growing_text_add(t, "</p></triangles>\n");
    }
    growing_text_add(t, "</mesh></geometry></library_geometries>\n<library_visual_scenes><visual_scene id=\"s\"><node "
                        "id=\"n\"><instance_geometry url=\"#g\"><bind_material><technique_common>\n");
    for (int p = 0; p < BOX_PARTS; p++)
        growing_text_add(t, "<instance_material symbol=\"s%d\" target=\"#m%d\"/>\n", p, p);
    growing_text_add(t, "</technique_common></bind_material></instance_geometry></node></visual_scene>"
                        "</library_visual_scenes>\n<scene><instance_visual_scene url=\"#s\"/></scene>\n</COLLADA>\n");
}

/* y is up: (x, z, -y), as the specification wants. */
static void gltf_bytes(unsigned char bytes[8 * 12 + 12 * 6])
{
    for (int i = 0; i < 8; i++) {
        const float v[3] = {(float)corners[i][0], (float)corners[i][2], (float)-corners[i][1]};
        memcpy(bytes + 12 * i, v, sizeof v);
    }
    memcpy(bytes + 96, faces, sizeof faces);
}

static void base64(struct growing_text *t, const unsigned char *bytes, size_t count)
{
    static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (size_t i = 0; i + 2 < count; i += 3) { /* a multiple of three */
        const unsigned n = (unsigned)bytes[i] << 16 | (unsigned)bytes[i + 1] << 8 | bytes[i + 2];
        const char four[4] = {letters[n >> 18], letters[n >> 12 & 63], letters[n >> 6 & 63], letters[n & 63]};
        growing_text_bytes(t, four, sizeof four);
    }
}

static void gltf_box(struct growing_text *t, bool with_buffer)
{
    unsigned char bytes[168];
    gltf_bytes(bytes);
    growing_text_add(
        t, "{\"asset\":{\"version\":\"2.0\"},\"scene\":0,\"scenes\":[{\"nodes\":[0]}],\"nodes\":[{\"mesh\":0}],"
           "\"buffers\":[{\"byteLength\":168");
    if (with_buffer) {
        growing_text_add(t, ",\"uri\":\"data:application/octet-stream;base64,");
        base64(t, bytes, sizeof bytes);
        growing_text_add(t, "\"");
    }
    growing_text_add(t, "}],\"bufferViews\":[{\"buffer\":0,\"byteOffset\":0,\"byteLength\":96}");
    for (int p = 0; p < BOX_PARTS; p++)
        growing_text_add(t, ",{\"buffer\":0,\"byteOffset\":%zu,\"byteLength\":%zu}", 96 + 6 * first_face[p],
                         6 * (first_face[p + 1] - first_face[p]));
    growing_text_add(t, "],\"accessors\":[{\"bufferView\":0,\"componentType\":5126,\"count\":8,\"type\":\"VEC3\","
                        "\"min\":[0,0,-4],\"max\":[5,3,0]}");
    for (int p = 0; p < BOX_PARTS; p++)
        growing_text_add(t, ",{\"bufferView\":%d,\"componentType\":5123,\"count\":%zu,\"type\":\"SCALAR\"}", p + 1,
                         3 * (first_face[p + 1] - first_face[p]));
    growing_text_add(t, "],\"materials\":[");
    for (int p = 0; p < BOX_PARTS; p++)
        growing_text_add(t, "%s{\"name\":\"%s\"}", p ? "," : "", names[p]);
    growing_text_add(t, "],\"meshes\":[{\"primitives\":[");
    for (int p = 0; p < BOX_PARTS; p++)
        growing_text_add(t, "%s{\"attributes\":{\"POSITION\":0},\"indices\":%d,\"material\":%d}", p ? "," : "", p + 1,
                         p);
    growing_text_add(t, "]}]}");
}

static void glb_box(struct growing_text *t)
{
    struct growing_text json = {0};
    unsigned char bytes[168];
    size_t length;
    gltf_bytes(bytes);
    gltf_box(&json, false);
    while (json.length % 4)
        growing_text_add(&json, " ");
    char *text = growing_text_take(&json, &length);
    const uint32_t head[5] = {0x46546c67u, 2, (uint32_t)(12 + 8 + length + 8 + sizeof bytes), (uint32_t)length,
                              0x4e4f534au};
    const uint32_t chunk[2] = {sizeof bytes, 0x004e4942u};
    growing_text_bytes(t, (const char *)head, sizeof head);
    growing_text_bytes(t, text ? text : "", text ? length : 0);
    growing_text_bytes(t, (const char *)chunk, sizeof chunk);
    growing_text_bytes(t, (const char *)bytes, sizeof bytes);
    free(text);
}

/* A slab of 5 x 4 m, 3 m high, in millimetres: one part with one style. */
static void ifc_box(struct growing_text *t)
{
    growing_text_add(
        t, "ISO-10303-21;\nHEADER;\nFILE_DESCRIPTION((''),'2;1');\nFILE_NAME('box.ifc','2020-01-01T00:00:00',(''),(''),"
           "'','','');\n"
           "FILE_SCHEMA(('IFC2X3'));\nENDSEC;\nDATA;\n"
           "#1=IFCPERSON($,$,'p',$,$,$,$,$);\n#2=IFCORGANIZATION($,'o',$,$,$);\n#3=IFCPERSONANDORGANIZATION(#1,#2,$);\n"
           "#4=IFCAPPLICATION(#2,'1','a','a');\n#5=IFCOWNERHISTORY(#3,#4,$,.ADDED.,$,$,$,0);\n"
           "#6=IFCSIUNIT(*,.LENGTHUNIT.,.MILLI.,.METRE.);\n#7=IFCSIUNIT(*,.PLANEANGLEUNIT.,$,.RADIAN.);\n"
           "#8=IFCUNITASSIGNMENT((#6,#7));\n#9=IFCCARTESIANPOINT((0.,0.,0.));\n#10=IFCDIRECTION((0.,0.,1.));\n"
           "#11=IFCDIRECTION((1.,0.,0.));\n#12=IFCAXIS2PLACEMENT3D(#9,#10,#11);\n"
           "#13=IFCGEOMETRICREPRESENTATIONCONTEXT($,'Model',3,1.E-05,#12,$);\n"
           "#14=IFCPROJECT('0YvctVUKr0kugbFTf53O9L',#5,'p',$,$,$,$,(#13),#8);\n#15=IFCLOCALPLACEMENT($,#12);\n"
           "#16=IFCBUILDING('0YvctVUKr0kugbFTf53O9M',#5,'b',$,$,#15,$,$,.ELEMENT.,$,$,$);\n"
           "#17=IFCRELAGGREGATES('0YvctVUKr0kugbFTf53O9N',#5,$,$,#14,(#16));\n"
           "#18=IFCCARTESIANPOINT((2500.,2000.));\n#19=IFCDIRECTION((1.,0.));\n#20=IFCAXIS2PLACEMENT2D(#18,#19);\n"
           "#21=IFCRECTANGLEPROFILEDEF(.AREA.,$,#20,5000.,4000.);\n#22=IFCEXTRUDEDAREASOLID(#21,#12,#10,3000.);\n"
           "#23=IFCSHAPEREPRESENTATION(#13,'Body','SweptSolid',(#22));\n#24=IFCPRODUCTDEFINITIONSHAPE($,$,(#23));\n"
           "#25=IFCBUILDINGELEMENTPROXY('0YvctVUKr0kugbFTf53O9O',#5,'x',$,$,#15,#24,$,$);\n"
           "#26=IFCRELCONTAINEDINSPATIALSTRUCTURE('0YvctVUKr0kugbFTf53O9P',#5,$,$,(#25),#16);\n"
           "#27=IFCCOLOURRGB($,0.5,0.5,0.5);\n#28=IFCSURFACESTYLERENDERING(#27,0.,$,$,$,$,$,$,.FLAT.);\n"
           "#29=IFCSURFACESTYLE('Walls',.BOTH.,(#28));\n#30=IFCPRESENTATIONSTYLEASSIGNMENT((#29));\n"
           "#31=IFCSTYLEDITEM(#22,(#30),$);\nENDSEC;\nEND-ISO-10303-21;\n");
}

char *box_text(const char *format, size_t *length)
{
    struct growing_text t = {0};
    if (!strcmp(format, ".obj"))
        obj_box(&t);
    else if (!strcmp(format, ".stl"))
        stl_box(&t);
    else if (!strcmp(format, ".stl-binary"))
        binary_stl_box(&t);
    else if (!strcmp(format, ".ply"))
        ply_box(&t);
    else if (!strcmp(format, ".dae"))
        dae_box(&t);
    else if (!strcmp(format, ".gltf"))
        gltf_box(&t, true);
    else if (!strcmp(format, ".glb"))
        glb_box(&t);
    else if (!strcmp(format, ".ifc"))
        ifc_box(&t);
    return growing_text_take(&t, length);
}

double mesh_volume(const struct mesh *m)
{
    double six = 0.0;
    for (size_t t = 0; t < m->triangle_count; t++) {
        const double *a = m->vertices[m->triangles[t].vertex[0]], *b = m->vertices[m->triangles[t].vertex[1]],
                     *c = m->vertices[m->triangles[t].vertex[2]];
        six += a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) +
               a[2] * (b[0] * c[1] - b[1] * c[0]);
    }
    return six / 6.0;
}

double mesh_area_of(const struct mesh *m, const char *name)
{
    double found = 0.0, *areas = calloc(m->material_count + 1, sizeof *areas);
    if (!areas)
        return NAN;
    mesh_areas(m, areas);
    for (size_t i = 0; i < m->material_count; i++)
        if (!name || !strcmp(m->materials[i], name))
            found += areas[i];
    free(areas);
    return found;
}

double mesh_area(const struct mesh *m)
{
    return mesh_area_of(m, NULL);
}
