/* SPDX-License-Identifier: MIT */
/* Reads meshes through assimp (Open Asset Import Library, BSD). Some damaged files crash or hang
 * assimp, so it runs in a child process only. */
#include <assimp/cimport.h>
#include <assimp/config.h>
#include <assimp/material.h>
#include <assimp/scene.h>
#include <assimp/version.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "geometry/importer.h"
#include "geometry/polygon.h"

enum { DEPTH_MAX = 1000 }; /* of nodes within nodes */

struct import {
    struct mesh_builder *builder;
    struct ear_clipper clipper;
    const struct aiScene *scene;
    const char *path;
};

static const char *unavailable(void)
{
    return NULL;
}

static void describe(char *text, size_t size)
{
    snprintf(text, size, "%u.%u.%u: STL, PLY, DAE and IFC 2x3", aiGetVersionMajor(), aiGetVersionMinor(),
             aiGetVersionPatch());
}

/* The rows of the product a b, 3 x 4. */
static void multiply(double product[3][4], double a[3][4], const struct aiMatrix4x4 *b)
{
    const double rows[4][4] = {
        {b->a1, b->a2, b->a3, b->a4}, {b->b1, b->b2, b->b3, b->b4}, {b->c1, b->c2, b->c3, b->c4}, {0.0, 0.0, 0.0, 1.0}};
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 4; j++) {
            product[i][j] = 0.0;
            for (int k = 0; k < 4; k++)
                product[i][j] += a[i][k] * rows[k][j];
        }
}

/* Formats without materials have one called DefaultMaterial: parts of a model then go by their own names. */
static void name_of(const struct import *in, const struct aiMesh *mesh, const struct aiNode *node,
                    struct aiString *name)
{
    static const char standard[] = "DefaultMaterial";
    const struct aiMaterial *material =
        mesh->mMaterialIndex < in->scene->mNumMaterials ? in->scene->mMaterials[mesh->mMaterialIndex] : NULL;
    if (!material || aiGetMaterialString(material, AI_MATKEY_NAME, name) != aiReturn_SUCCESS)
        name->length = 0;
    name->data[name->length] = '\0';
    if (*name->data && strcmp(name->data, standard) != 0)
        return;
    *name = mesh->mName.length ? mesh->mName : node->mName;
    name->data[name->length] = '\0';
}

static int add_vertices(const struct import *in, const struct aiMesh *mesh, double rows[3][4], struct error *e)
{
    for (unsigned i = 0; i < mesh->mNumVertices; i++) {
        const struct aiVector3D *v = &mesh->mVertices[i];
        double at[3];
        for (int k = 0; k < 3; k++) {
            at[k] = rows[k][0] * v->x + rows[k][1] * v->y + rows[k][2] * v->z + rows[k][3];
            if (!mesh_coordinate_valid(at[k]))
                return fail(e, ERROR_INPUT,
                            "%s: a coordinate of vertex %u of a part is not a number; export the model again", in->path,
                            i + 1);
        }
        if (mesh_add_vertex(in->builder, in->path, at, e))
            return -1;
    }
    return 0;
}

static int add_face(struct import *in, const struct aiFace *face, const struct aiMesh *mesh, size_t first,
                    uint32_t material, struct error *e)
{
    uint32_t corners[POLYGON_CORNERS_MAX];
    size_t count = 0;
    if (face->mNumIndices < 3) /* a point or a line */
        return 0;
    if (face->mNumIndices > POLYGON_CORNERS_MAX)
        return fail(e, ERROR_INPUT, "%s: a face has more than %d corners; export triangles", in->path,
                    POLYGON_CORNERS_MAX);
    for (unsigned i = 0; i < face->mNumIndices; i++) {
        if (face->mIndices[i] >= mesh->mNumVertices)
            return fail(e, ERROR_INPUT, "%s: a face refers to a missing vertex; export the model again", in->path);
        corners[i] = (uint32_t)(first + face->mIndices[i]);
    }
    if (polygon_triangles(&in->clipper, (const double(*)[3])in->builder->mesh.vertices, corners, face->mNumIndices,
                          &count, e))
        return -1;
    for (size_t i = 0; i < count; i++) {
        struct triangle t = {.material = material};
        memcpy(t.vertex, in->clipper.triangles[i], sizeof t.vertex);
        if (mesh_add_triangle(in->builder, in->path, &t, e))
            return -1;
    }
    return 0;
}

static int add_part(struct import *in, const struct aiMesh *mesh, const struct aiNode *node, double rows[3][4],
                    struct error *e)
{
    struct aiString name;
    uint32_t material;
    const size_t first = in->builder->mesh.vertex_count;
    name_of(in, mesh, node, &name);
    if (mesh_add_material(in->builder, in->path, name.data, &material, e) || add_vertices(in, mesh, rows, e))
        return -1;
    for (unsigned f = 0; f < mesh->mNumFaces; f++)
        if (add_face(in, &mesh->mFaces[f], mesh, first, material, e))
            return -1;
    return 0;
}

static int add_node(struct import *in, const struct aiNode *node, double above[3][4], int depth, struct error *e)
{
    double rows[3][4];
    if (depth > DEPTH_MAX)
        return fail(e, ERROR_INPUT, "%s: parts are nested more than %d levels deep; flatten the model", in->path,
                    DEPTH_MAX);
    multiply(rows, above, &node->mTransformation);
    for (unsigned i = 0; i < node->mNumMeshes; i++)
        if (add_part(in, in->scene->mMeshes[node->mMeshes[i]], node, rows, e))
            return -1;
    for (unsigned i = 0; i < node->mNumChildren; i++)
        if (add_node(in, node->mChildren[i], rows, depth + 1, e))
            return -1;
    return 0;
}

/* The process ends after it: nothing is freed. */
static int import(struct mesh_builder *b, const char *path, bool file_axes, struct error *e)
{
    double unit[3][4] = {{1.0, 0.0, 0.0, 0.0}, {0.0, 1.0, 0.0, 0.0}, {0.0, 0.0, 1.0, 0.0}};
    struct aiPropertyStore *properties = aiCreatePropertyStore();
    aiSetImportPropertyInteger(properties, AI_CONFIG_IMPORT_NO_SKELETON_MESHES, 1);
    aiSetImportPropertyInteger(properties, AI_CONFIG_IMPORT_COLLADA_IGNORE_UP_DIRECTION, file_axes);
    struct import in = {.builder = b, .path = path};
    in.scene = aiImportFileExWithProperties(path, 0, NULL, properties);
    if (!in.scene)
        return fail(e, ERROR_INPUT, "%s: assimp cannot read the file: %s", path, aiGetErrorString());
    if (in.scene->mRootNode && add_node(&in, in.scene->mRootNode, unit, 0, e))
        return -1;
    return b->mesh.triangle_count ? 0 : fail(e, ERROR_INPUT, "%s: contains no faces", path);
}

const struct mesh_importer mesh_importer = {
    .name = "assimp", .unavailable = unavailable, .describe = describe, .import = import};
