/* SPDX-License-Identifier: MIT */
/* SOFA files through the netCDF library (Unidata, BSD-like), which is an HDF5 reader: it may crash on damaged files,
 * and reads in a child process alone. */
#include <errno.h>
#include <fcntl.h>
#include <netcdf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "io/sofa/library.h"

static const char *unavailable(void)
{
    return NULL;
}

static void describe(char *text, size_t size)
{
    const char *version = nc_inq_libvers(); /* "4.9.0 of Jan 27 2023 .." */
    snprintf(text, size, "%.*s: SOFA files", (int)strcspn(version, " "), version);
}

/* An attribute that is a text; others are left out. */
static int read_attribute(struct sofa_attributes *a, int file, int owner, int index, struct error *e)
{
    char name[NC_MAX_NAME + 1] = "";
    nc_type type;
    size_t length = 0;
    if (nc_inq_attname(file, owner, index, name) || nc_inq_att(file, owner, name, &type, &length))
        return fail(e, ERROR_INPUT, "cannot read an attribute");
    if (type == NC_STRING && length == 1) {
        char *text = NULL;
        if (nc_get_att_string(file, owner, name, &text))
            return fail(e, ERROR_INPUT, "cannot read the attribute %s", name);
        const int added = sofa_add_attribute(a, name, text ? text : "", e);
        nc_free_string(1, &text);
        return added;
    }
    if (type != NC_CHAR || length > SOFA_TEXT_MAX)
        return 0;
    char *text = calloc(length + 1, 1);
    if (!text)
        return fail(e, ERROR_MEMORY, "out of memory");
    int status = nc_get_att_text(file, owner, name, text) ? fail(e, ERROR_INPUT, "cannot read the attribute %s", name)
                                                          : sofa_add_attribute(a, name, text, e);
    free(text);
    return status;
}

static int read_variable(struct sofa_document *d, int file, int id, struct error *e)
{
    char name[NC_MAX_NAME + 1] = "", letters[SOFA_RANK_MAX + 1] = "", dimension[NC_MAX_NAME + 1] = "";
    int rank = 0, dimensions[NC_MAX_VAR_DIMS], attributes = 0, status = 0;
    size_t extent[SOFA_RANK_MAX];
    nc_type type;
    struct sofa_variable *v;
    if (nc_inq_varndims(file, id, &rank) || rank < 1 || rank > SOFA_RANK_MAX)
        return 0;
    if (nc_inq_var(file, id, name, &type, NULL, dimensions, &attributes))
        return fail(e, ERROR_INPUT, "cannot read an array");
    if (type == NC_CHAR || type > NC_UINT64 || type == NC_STRING)
        return 0;
    for (int i = 0; i < rank; i++) {
        if (nc_inq_dim(file, dimensions[i], dimension, &extent[i]))
            return fail(e, ERROR_INPUT, "cannot read the dimensions of %s", name);
        letters[i] = *dimension && !dimension[1] ? *dimension : '?';
        if (extent[i] == 0)
            return 0;
    }
    if (sofa_add_variable(d, &v, name, letters, extent, e))
        return -1;
    if ((status = nc_get_var_double(file, id, v->values)))
        return fail(e, ERROR_INPUT, "cannot read the array %s: %s", name, nc_strerror(status));
    for (int i = 0; i < attributes; i++)
        if (read_attribute(&v->attributes, file, id, i, e))
            return -1;
    return 0;
}

static int read_content(struct sofa_document *d, int file, struct error *e)
{
    int variables = 0, attributes = 0;
    if (nc_inq_nvars(file, &variables) || nc_inq_natts(file, &attributes))
        return fail(e, ERROR_INPUT, "cannot list the content");
    for (int i = 0; i < attributes; i++)
        if (read_attribute(&d->attributes, file, NC_GLOBAL, i, e))
            return -1;
    for (int i = 0; i < variables; i++)
        if (read_variable(d, file, i, e))
            return -1;
    return 0;
}

static int read_file(struct sofa_document *d, const char *path, struct error *e)
{
    int file;
    const int status = nc_open(path, NC_NOWRITE, &file);
    if (status)
        return fail(e, ERROR_INPUT, "not a SOFA file: %s", nc_strerror(status));
    const int result = read_content(d, file, e);
    nc_close(file);
    return result;
}

static int put_attributes(int file, int owner, const struct sofa_attributes *a)
{
    int status = 0;
    for (size_t i = 0; i < a->count && !status; i++)
        status = nc_put_att_text(file, owner, a->list[i].name, strlen(a->list[i].text), a->list[i].text);
    return status;
}

/* The dimension of a letter, made where it is new. */
static int dimension_of(int file, char letter, size_t extent, int *id)
{
    const char name[] = {letter, '\0'};
    return nc_inq_dimid(file, name, id) ? nc_def_dim(file, name, extent, id) : 0;
}

static int define_variable(int file, const struct sofa_variable *v, int *id)
{
    int dimensions[SOFA_RANK_MAX], status = 0;
    for (int i = 0; i < v->rank && !status; i++)
        status = dimension_of(file, v->letters[i], v->extent[i], &dimensions[i]);
    if (!status)
        status = nc_def_var(file, v->name, NC_DOUBLE, v->rank, dimensions, id);
    return status ? status : put_attributes(file, *id, &v->attributes);
}

static int put_document(int file, const struct sofa_document *d)
{
    int id, status = put_attributes(file, NC_GLOBAL, &d->attributes);
    for (size_t i = 0; i < d->variable_count && !status; i++)
        status = define_variable(file, &d->variables[i], &id);
    if (!status)
        status = nc_enddef(file);
    for (size_t i = 0; i < d->variable_count && !status; i++)
        if (!(status = nc_inq_varid(file, d->variables[i].name, &id)))
            status = nc_put_var_double(file, id, d->variables[i].values);
    return status;
}

/* The whole file behind a descriptor in fresh memory. */
static int take_bytes(void **bytes, size_t *count, int descriptor, struct error *e)
{
    struct stat about;
    if (fstat(descriptor, &about))
        return fail(e, ERROR_OUTPUT, "cannot read the SOFA file back: %s", strerror(errno));
    const size_t size = (size_t)about.st_size;
    char *copy = malloc(size + 1);
    if (!copy)
        return fail(e, ERROR_MEMORY, "out of memory");
    for (size_t read = 0; read < size;) {
        const ssize_t some = pread(descriptor, copy + read, size - read, (off_t)read);
        if (some <= 0) {
            free(copy);
            return fail(e, ERROR_OUTPUT, "cannot read the SOFA file back: %s", some ? strerror(errno) : "it is cut");
        }
        read += (size_t)some;
    }
    *bytes = copy;
    *count = size;
    return 0;
}

/* Through a temporary file, which loses its name as soon as netCDF has opened it: netCDF writes its own in-memory files
 * (nc_create_mem) with the object headers of HDF5 1.6, which libmysofa and the players that are built on it refuse. */
static int write_file(void **bytes, size_t *count, const struct sofa_document *d, struct error *e)
{
    const char *chosen = getenv("TMPDIR"), *folder = chosen && *chosen ? chosen : "/tmp";
    char path[4096];
    int file, failed = 0;
    if (snprintf(path, sizeof path, "%s/aula.part-XXXXXX", folder) >= (int)sizeof path)
        return fail(e, ERROR_OUTPUT, "the path of TMPDIR is too long");
    const int descriptor = mkostemp(path, O_CLOEXEC);
    if (descriptor < 0)
        return fail(e, ERROR_OUTPUT, "%s: cannot create a temporary file: %s; set TMPDIR to another folder", folder,
                    strerror(errno));
    int status = nc_create(path, NC_NETCDF4 | NC_CLOBBER, &file);
    unlink(path);
    if (!status && (status = put_document(file, d)))
        nc_abort(file);
    else if (!status)
        status = nc_close(file);
    if (status)
        failed = fail(e, status == NC_ENOMEM ? ERROR_MEMORY : ERROR_OUTPUT, "netCDF cannot create the SOFA file: %s",
                      nc_strerror(status));
    else
        failed = take_bytes(bytes, count, descriptor, e);
    close(descriptor);
    return failed;
}

static int define_stream(int file, const struct sofa_stream *s, int *id)
{
    int dimensions[3], status = 0;
    const size_t chunk[3] = {1, s->extent[1], s->extent[2]};
    for (int i = 0; i < 3 && !status; i++)
        status = dimension_of(file, s->letters[i], s->extent[i], &dimensions[i]);
    if (!status)
        status = nc_def_var(file, s->name, NC_FLOAT, 3, dimensions, id);
    if (!status)
        status = nc_def_var_chunking(file, *id, NC_CHUNKED, chunk);
    if (!status)
        status = nc_def_var_deflate(file, *id, 1, 1, 1); /* bytes shuffled, at the fastest level */
    return status ? status : put_attributes(file, *id, s->attributes);
}

/* Nonzero with *e empty: netCDF's *status says why. */
static int put_rows(int file, int id, const struct sofa_stream *s, int *status, struct error *e)
{
    float *values = malloc((s->extent[1] * s->extent[2] + 1) * sizeof *values);
    int failed = values ? 0 : fail(e, ERROR_MEMORY, "out of memory");
    for (size_t row = 0; row < s->extent[0] && !failed && !*status; row++) {
        const size_t start[3] = {row, 0, 0}, count[3] = {1, s->extent[1], s->extent[2]};
        failed = s->row(s->context, row, values, e);
        if (!failed)
            *status = nc_put_vara_float(file, id, start, count, values);
    }
    free(values);
    return failed || *status ? -1 : 0;
}

static int write_stream(const char *path, const struct sofa_document *d, const struct sofa_stream *s, struct error *e)
{
    struct error why = {ERROR_NONE, ""};
    int file, id = 0, failed = 0;
    int status = nc_create(path, NC_NETCDF4 | NC_CLOBBER, &file);
    if (!status) {
        status = define_stream(file, s, &id);
        if (!status)
            status = put_document(file, d);
        failed = !status && put_rows(file, id, s, &status, &why);
        if (status || failed)
            nc_abort(file);
        else
            status = nc_close(file);
    }
    if (why.code != ERROR_NONE)
        return fail(e, why.code, "%s", why.message);
    return status ? fail(e, ERROR_OUTPUT, "%s: netCDF cannot write it: %s", path, nc_strerror(status)) : 0;
}

const struct sofa_library sofa_library = {.name = "netCDF",
                                          .unavailable = unavailable,
                                          .describe = describe,
                                          .read = read_file,
                                          .write = write_file,
                                          .write_stream = write_stream};
