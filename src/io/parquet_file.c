/* SPDX-License-Identifier: MIT */
#include "io/parquet_file.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Numbers of the format's parquet.thrift. */
enum { TYPE_INT64 = 2, TYPE_DOUBLE = 5, TYPE_BYTE_ARRAY = 6 };
enum { REQUIRED = 0, OPTIONAL = 1, CONVERTED_UTF8 = 0, PLAIN = 0, RLE = 3, UNCOMPRESSED = 0, DATA_PAGE = 0 };
/* Types of Thrift's compact protocol. */
enum { THRIFT_I32 = 5, THRIFT_I64 = 6, THRIFT_BINARY = 8, THRIFT_LIST = 9, THRIFT_STRUCT = 12 };
enum { GROUP_BYTES = 32 << 20 };

static const char magic[] = "PAR1";

/* ---- Thrift's compact protocol ---- */

/* A struct: the text it goes to, and the number of its previous field. */
struct fields {
    struct growing_text *to;
    int last;
};

static void put_byte(struct growing_text *to, unsigned value)
{
    const char byte = (char)value;
    growing_text_bytes(to, &byte, 1);
}

static void put_varint(struct growing_text *to, uint64_t value)
{
    for (; value > 127; value >>= 7)
        put_byte(to, (unsigned)(value & 127) | 128);
    put_byte(to, (unsigned)value);
}

/* Fields ascend by less than 16, so that the difference fits beside the type. */
static void put_field(struct fields *f, int field, int type)
{
    put_byte(f->to, (unsigned)(field - f->last) << 4 | (unsigned)type);
    f->last = field;
}

/* Signed numbers alternate: 0, -1, 1, -2 .. */
static void put_number(struct growing_text *to, int64_t value)
{
    put_varint(to, (uint64_t)value << 1 ^ (uint64_t)(value >> 63));
}

static void put_i32(struct fields *f, int field, int value)
{
    put_field(f, field, THRIFT_I32);
    put_number(f->to, value);
}

static void put_i64(struct fields *f, int field, uint64_t value)
{
    put_field(f, field, THRIFT_I64);
    put_number(f->to, (int64_t)value);
}

static void put_string(struct growing_text *to, const char *text)
{
    put_varint(to, strlen(text));
    growing_text_bytes(to, text, strlen(text));
}

static void put_text(struct fields *f, int field, const char *text)
{
    put_field(f, field, THRIFT_BINARY);
    put_string(f->to, text);
}

static void put_list(struct fields *f, int field, int type, size_t count)
{
    put_field(f, field, THRIFT_LIST);
    if (count < 15) {
        put_byte(f->to, (unsigned)count << 4 | (unsigned)type);
    } else {
        put_byte(f->to, 15u << 4 | (unsigned)type);
        put_varint(f->to, count);
    }
}

static void end_struct(struct fields *f)
{
    put_byte(f->to, 0);
}

/* ---- Values ---- */

/* Little-endian. */
static void put_bits(struct growing_text *to, uint64_t value, size_t count)
{
    for (; count--; value >>= 8)
        put_byte(to, (unsigned)(value & 255));
}

static void put_bytes(struct parquet_leaf *leaf, const void *bytes, size_t count)
{
    put_bits(&leaf->values, count, 4);
    growing_text_bytes(&leaf->values, bytes, count);
}

/* Bit k of byte k / 8 says whether row k has a value. */
static void put_present(struct parquet_leaf *leaf, size_t row, bool is_there)
{
    if (row % 8 == 0)
        put_byte(&leaf->present, 0);
    if (is_there && !leaf->present.lost)
        leaf->present.text[row / 8] = (char)((unsigned char)leaf->present.text[row / 8] | 1u << row % 8);
}

static void put_real(struct parquet_leaf *leaf, size_t row, double value)
{
    uint64_t bits;
    put_present(leaf, row, !isnan(value));
    memcpy(&bits, &value, sizeof bits);
    if (!isnan(value))
        put_bits(&leaf->values, bits, sizeof bits);
}

/* ---- Row groups ---- */

static int write(struct parquet_file *p, const void *bytes, size_t count, struct error *e)
{
    p->offset += count;
    return p->sink.put(p->sink.context, bytes, count, e);
}

static int no_memory(struct error *e)
{
    return fail(e, ERROR_MEMORY, "out of memory");
}

/* Definition levels: their length, then one run. Those of a sound, whose group and members are optional but always there,
 * repeat the level 2; those of an optional column are bits, packed by eight. */
static void put_levels(struct growing_text *to, const struct parquet_leaf *leaf, size_t rows)
{
    struct growing_text run = {0};
    if (leaf->inner) {
        put_varint(&run, (uint64_t)rows << 1);
        put_byte(&run, 2);
    } else {
        put_varint(&run, (uint64_t)leaf->present.length << 1 | 1);
        growing_text_bytes(&run, leaf->present.text, leaf->present.length);
    }
    put_bits(to, run.length, 4);
    growing_text_bytes(to, run.text ? run.text : "", run.length);
    to->lost = to->lost || run.lost;
    free(run.text);
}

/* The header of a data page with `length` bytes. */
static void put_page_header(struct growing_text *to, size_t rows, size_t length)
{
    struct fields page = {to, 0}, data = {to, 0};
    put_i32(&page, 1, DATA_PAGE);
    put_i32(&page, 2, (int)length);
    put_i32(&page, 3, (int)length); /* compressed */
    put_field(&page, 5, THRIFT_STRUCT);
    put_i32(&data, 1, (int)rows);
    put_i32(&data, 2, PLAIN);
    put_i32(&data, 3, RLE); /* of definition levels */
    put_i32(&data, 4, RLE); /* of repetition levels, of which there are none */
    end_struct(&data);
    end_struct(&page);
}

/* A column chunk in the footer. */
static void put_chunk(struct parquet_file *p, const struct parquet_leaf *leaf, uint64_t at, uint64_t length)
{
    struct fields chunk = {&p->groups, 0}, about = {&p->groups, 0};
    put_i64(&chunk, 2, at);
    put_field(&chunk, 3, THRIFT_STRUCT);
    put_i32(&about, 1, leaf->type);
    put_list(&about, 2, THRIFT_I32, 2);
    put_number(about.to, PLAIN);
    put_number(about.to, RLE);
    put_list(&about, 3, THRIFT_BINARY, leaf->inner ? 2 : 1);
    put_string(about.to, leaf->column);
    if (leaf->inner)
        put_string(about.to, leaf->inner);
    put_i32(&about, 4, UNCOMPRESSED);
    put_i64(&about, 5, p->group_rows);
    put_i64(&about, 6, length);
    put_i64(&about, 7, length);
    put_i64(&about, 9, at);
    end_struct(&about);
    end_struct(&chunk);
}

static int write_leaf(struct parquet_file *p, struct parquet_leaf *leaf, uint64_t *total, struct error *e)
{
    struct growing_text head = {0}, levels = {0};
    const uint64_t at = p->offset;
    if (leaf->optional)
        put_levels(&levels, leaf, p->group_rows);
    put_page_header(&head, p->group_rows, levels.length + leaf->values.length);
    int status = head.lost || levels.lost || leaf->values.lost || leaf->present.lost ? no_memory(e) : 0;
    if (!status)
        status = write(p, head.text, head.length, e) || (levels.length && write(p, levels.text, levels.length, e)) ||
                 (leaf->values.length && write(p, leaf->values.text, leaf->values.length, e));
    put_chunk(p, leaf, at, p->offset - at);
    *total += p->offset - at;
    leaf->values.length = leaf->present.length = 0;
    free(head.text);
    free(levels.text);
    return status ? -1 : 0;
}

static int write_group(struct parquet_file *p, struct error *e)
{
    struct fields group = {&p->groups, 0};
    uint64_t total = 0;
    if (!p->group_rows)
        return 0;
    put_list(&group, 1, THRIFT_STRUCT, p->leaf_count);
    for (size_t i = 0; i < p->leaf_count; i++)
        if (write_leaf(p, &p->leaves[i], &total, e))
            return -1;
    put_i64(&group, 2, total);
    put_i64(&group, 3, p->group_rows);
    end_struct(&group);
    p->rows += p->group_rows;
    p->group_count++;
    p->group_rows = p->group_bytes = 0;
    return 0;
}

/* ---- File ---- */

static void add_leaf(struct parquet_file *p, const char *column, const char *inner, int type, bool optional)
{
    p->leaves[p->leaf_count++] =
        (struct parquet_leaf){.column = column, .inner = inner, .type = type, .optional = optional};
}

int parquet_begin(struct parquet_file *p, const struct parquet_column *columns, size_t column_count, const char *key,
                  const char *value, const struct byte_sink *sink, struct error *e)
{
    *p = (struct parquet_file){
        .columns = columns, .column_count = column_count, .key = key, .value = value, .sink = *sink};
    p->leaves = calloc(2 * column_count + 1, sizeof *p->leaves);
    if (!p->leaves)
        return no_memory(e);
    for (size_t i = 0; i < column_count; i++) {
        const enum parquet_kind kind = columns[i].kind;
        if (kind == PARQUET_WHOLE || kind == PARQUET_REAL) {
            add_leaf(p, columns[i].name, NULL, kind == PARQUET_WHOLE ? TYPE_INT64 : TYPE_DOUBLE, kind == PARQUET_REAL);
            continue;
        }
        if (kind == PARQUET_TEXT) {
            add_leaf(p, columns[i].name, NULL, TYPE_BYTE_ARRAY, false);
            continue;
        }
        add_leaf(p, columns[i].name, "bytes", TYPE_BYTE_ARRAY, true); /* as datasets defines a sound */
        add_leaf(p, columns[i].name, "path", TYPE_BYTE_ARRAY, true);
    }
    return write(p, magic, 4, e);
}

int parquet_add(struct parquet_file *p, const struct parquet_value *values, struct error *e)
{
    struct parquet_leaf *leaf = p->leaves;
    for (size_t i = 0; i < p->column_count; i++, leaf++) {
        const struct parquet_value *v = &values[i];
        const char *text = v->text ? v->text : "";
        if (v->byte_count > INT32_MAX - 2 * (size_t)GROUP_BYTES)
            return fail(e, ERROR_FAILED, "a response of %zu bytes is too large for a Parquet file", v->byte_count);
        switch (p->columns[i].kind) {
        case PARQUET_WHOLE:
            put_bits(&leaf->values, (uint64_t)(int64_t)v->number, sizeof(int64_t));
            break;
        case PARQUET_REAL:
            put_real(leaf, p->group_rows, v->number);
            break;
        case PARQUET_SOUND:
            put_bytes(leaf++, v->bytes, v->byte_count);
            p->group_bytes += v->byte_count;
            put_bytes(leaf, text, strlen(text));
            break;
        case PARQUET_TEXT:
            put_bytes(leaf, text, strlen(text));
            p->group_bytes += strlen(text);
            break;
        }
    }
    p->group_rows++;
    p->group_bytes += sizeof(double) * p->column_count;
    return p->group_bytes >= GROUP_BYTES ? write_group(p, e) : 0;
}

static void put_schema(struct growing_text *to, const char *name, int type, int repetition, int children)
{
    struct fields element = {to, 0};
    if (!children)
        put_i32(&element, 1, type);
    if (repetition >= 0)
        put_i32(&element, 3, repetition);
    put_text(&element, 4, name);
    if (children)
        put_i32(&element, 5, children);
    if (type == TYPE_BYTE_ARRAY && !children && strcmp(name, "bytes") != 0)
        put_i32(&element, 6, CONVERTED_UTF8);
    end_struct(&element);
}

static void put_schemas(struct fields *file, const struct parquet_file *p)
{
    size_t sounds = 0;
    for (size_t i = 0; i < p->column_count; i++)
        sounds += p->columns[i].kind == PARQUET_SOUND;
    put_list(file, 2, THRIFT_STRUCT, 1 + p->leaf_count + sounds);
    put_schema(file->to, "schema", 0, -1, (int)p->column_count);
    for (size_t i = 0; i < p->leaf_count; i++) {
        const struct parquet_leaf *leaf = &p->leaves[i];
        if (leaf->inner && !strcmp(leaf->inner, "bytes"))
            put_schema(file->to, leaf->column, 0, OPTIONAL, 2);
        put_schema(file->to, leaf->inner ? leaf->inner : leaf->column, leaf->type, leaf->optional ? OPTIONAL : REQUIRED,
                   0);
    }
}

int parquet_end(struct parquet_file *p, struct error *e)
{
    struct growing_text footer = {0};
    struct fields file = {&footer, 0}, metadata = {&footer, 0};
    if (write_group(p, e))
        return -1;
    put_i32(&file, 1, 1); /* version of the format */
    put_schemas(&file, p);
    put_i64(&file, 3, p->rows);
    put_list(&file, 4, THRIFT_STRUCT, p->group_count);
    growing_text_bytes(&footer, p->groups.text ? p->groups.text : "", p->groups.length);
    put_list(&file, 5, THRIFT_STRUCT, 1);
    put_text(&metadata, 1, p->key);
    put_text(&metadata, 2, p->value);
    end_struct(&metadata);
    put_text(&file, 6, "aula version " AULA_VERSION);
    end_struct(&file);
    put_bits(&footer, footer.length, 4);
    growing_text_bytes(&footer, magic, 4);
    const int status = footer.lost || p->groups.lost ? no_memory(e) : write(p, footer.text, footer.length, e);
    free(footer.text);
    return status;
}

void parquet_free(struct parquet_file *p)
{
    for (size_t i = 0; i < p->leaf_count; i++) {
        free(p->leaves[i].values.text);
        free(p->leaves[i].present.text);
    }
    free(p->leaves);
    free(p->groups.text);
    *p = (struct parquet_file){.columns = NULL};
}
