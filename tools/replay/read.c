/* SPDX-License-Identifier: MIT */
#include "read.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_ALLOC_B (SIZE_MAX / 4)

struct replay_piece {
    struct replay_piece *next;
    _Alignas(16) uint8_t bytes[];
};

void
replay_read_reset(struct replay_reader *r)
{
    while (r->pieces) {
        struct replay_piece *piece = r->pieces;
        r->pieces = piece->next;
        free(piece);
    }
}

bool
replay_fail(struct replay_reader *r, const char *format, ...)
{
    if (r->error[0])
        return false;
    int at = 0;
    if (r->file && r->line)
        at = snprintf(r->error, sizeof(r->error), "%s:%zu: ", r->file, r->line);
    else if (r->file)
        at = snprintf(r->error, sizeof(r->error), "%s: ", r->file);
    if (r->subject[0] && at >= 0 && (size_t)at < sizeof(r->error))
        at += snprintf(r->error + at, sizeof(r->error) - (size_t)at, "%s: ", r->subject);
    va_list args;
    va_start(args, format);
    if (at >= 0 && (size_t)at < sizeof(r->error))
        (void)vsnprintf(r->error + at, sizeof(r->error) - (size_t)at, format, args);
    va_end(args);
    return false;
}

const cJSON *
replay_get(const cJSON *json, const char *key)
{
    return json ? cJSON_GetObjectItemCaseSensitive(json, key) : NULL;
}

void *
replay_read_alloc(struct replay_reader *r, size_t count, size_t size_B)
{
    struct replay_piece *piece = NULL;
    if (count <= MAX_ALLOC_B / (size_B ? size_B : 1))
        piece = calloc(1, sizeof(*piece) + count * size_B + 1);
    if (!piece) {
        (void)replay_fail(r, "no memory for %zu elements", count);
        return NULL;
    }
    piece->next = r->pieces;
    r->pieces = piece;
    return piece->bytes;
}

bool
replay_read_u64(struct replay_reader *r, const cJSON *json, uint64_t *out)
{
    *out = 0;
    if (!json)
        return true;
    if (cJSON_IsString(json)) {
        char *end;
        *out = strtoull(json->valuestring, &end, 16);
        return (*end == '\0' && end != json->valuestring) ||
               replay_fail(r, "\"%.40s\" is no number", json->valuestring);
    }
    if (!cJSON_IsNumber(json))
        return replay_fail(r, "\"%.40s\" is no number", json->string ? json->string : "?");
    const double value = json->valuedouble;
    if (!(value >= -9007199254740992.0 && value <= 9007199254740992.0))
        return replay_fail(r, "a number is out of range");
    *out = value < 0 ? (uint64_t)(int64_t)value : (uint64_t)value;
    return true;
}

bool
replay_read_number(struct replay_reader *r, const cJSON *json, void *out, size_t size_B)
{
    uint64_t value;
    if (!replay_read_u64(r, json, &value))
        return false;
    const unsigned bits = 8 * (unsigned)size_B;
    const uint64_t high = bits < 64 ? value >> (bits - 1) : 0;
    /* Neither a number of that many bits nor a negative one. */
    if (bits < 64 && high > 1 && high != UINT64_MAX >> (bits - 1))
        return replay_fail(r, "\"%.40s\" has more than %u bits",
                           json && json->string ? json->string : "?", bits);
    memcpy(out, &value, size_B); /* little-endian, as captures are */
    return true;
}

bool
replay_read_float(struct replay_reader *r, const cJSON *json, void *out)
{
    if (cJSON_IsString(json))
        return replay_read_number(r, json, out, sizeof(float));
    if (json && !cJSON_IsNumber(json))
        return replay_fail(r, "\"%.40s\" is no number", json->string ? json->string : "?");
    const float value = json ? (float)json->valuedouble : 0.0f;
    memcpy(out, &value, sizeof(value));
    return true;
}

bool
replay_read_text(struct replay_reader *r, const cJSON *json, const char **out)
{
    *out = NULL;
    if (!json)
        return true;
    if (!cJSON_IsString(json))
        return replay_fail(r, "\"%.40s\" is no text", json->string ? json->string : "?");
    const size_t size_B = strlen(json->valuestring) + 1;
    char *copy = replay_read_alloc(r, size_B, 1);
    if (!copy)
        return false;
    memcpy(copy, json->valuestring, size_B);
    *out = copy;
    return true;
}

bool
replay_read_chars(struct replay_reader *r, const cJSON *json, char *out, size_t size_B)
{
    const char *text;
    if (!replay_read_text(r, json, &text))
        return false;
    if (text && strlen(text) >= size_B)
        return replay_fail(r, "a text is too long");
    if (text)
        memcpy(out, text, strlen(text) + 1);
    return true;
}

static int
digit_value(char digit)
{
    if (digit >= '0' && digit <= '9')
        return digit - '0';
    return digit >= 'a' && digit <= 'f' ? digit - 'a' + 10 : -1;
}

static bool
read_digits(struct replay_reader *r, const char *text, uint8_t *out, size_t size_B)
{
    for (size_t i = 0; i < size_B; i++) {
        const int high = digit_value(text[2 * i]), low = digit_value(text[2 * i + 1]);
        if (high < 0 || low < 0)
            return replay_fail(r, "\"%.20s\" are no hexadecimal digits", text);
        out[i] = (uint8_t)(high << 4 | low);
    }
    return true;
}

bool
replay_read_bytes(struct replay_reader *r, const cJSON *json, void *out, size_t size_B)
{
    if (!json)
        return true;
    if (!cJSON_IsString(json) || strlen(json->valuestring) != 2 * size_B)
        return replay_fail(r, "\"%.40s\" is not %zu bytes", json->string ? json->string : "?",
                           size_B);
    return read_digits(r, json->valuestring, out, size_B);
}

static bool
read_blob(struct replay_reader *r, const cJSON *json, void **out, size_t *size_out)
{
    uint64_t number, size_B;
    if (!replay_read_u64(r, replay_get(json, "blob"), &number) ||
        !replay_read_u64(r, replay_get(json, "size"), &size_B))
        return false;
    const void *bytes = r->blob_at ? r->blob_at(r->ctx, number, size_B) : NULL;
    if (!bytes)
        return replay_fail(r, "blob %llu has not %llu bytes", (unsigned long long)number,
                           (unsigned long long)size_B);
    *out = replay_read_alloc(r, size_B, 1);
    if (!*out)
        return false;
    memcpy(*out, bytes, size_B);
    *size_out = size_B;
    return true;
}

bool
replay_read_data(struct replay_reader *r, const cJSON *json, size_t size_B, void **out,
                 size_t *count_out)
{
    size_t total_B = 0;
    *out = NULL;
    *count_out = 0;
    if (cJSON_IsObject(json)) {
        if (!read_blob(r, json, out, &total_B))
            return false;
    } else if (cJSON_IsString(json)) {
        total_B = strlen(json->valuestring) / 2;
        *out = replay_read_alloc(r, total_B, 1);
        if (!*out || !replay_read_bytes(r, json, *out, total_B))
            return false;
    } else if (json) {
        return replay_fail(r, "\"%.40s\" is no data", json->string ? json->string : "?");
    }
    if (total_B % size_B)
        return replay_fail(r, "data is no whole number of elements");
    *count_out = total_B / size_B;
    return true;
}

bool
replay_read_handle(struct replay_reader *r, const cJSON *json, void *out, const char *type,
                   bool may_be_null)
{
    uint64_t id, handle = 0;
    if (!replay_read_u64(r, json, &id))
        return false;
    if (!id && !may_be_null)
        return replay_fail(r, "a %s is missing", type);
    if (id && (!r->handle_of || !r->handle_of(r->ctx, id, type, &handle)))
        return replay_fail(r, "object %llu is no %s", (unsigned long long)id, type);
    memcpy(out, &handle, sizeof(handle));
    return true;
}

static bool
read_chain(struct replay_reader *r, const cJSON *list, void *first)
{
    VkBaseOutStructure *last = first;
    const cJSON *item;
    cJSON_ArrayForEach(item, list)
    {
        const cJSON *type = replay_get(item, "type");
        void *link;
        if (!cJSON_IsString(type))
            return replay_fail(r, "a structure has no type");
        if (!replay_read_known(r, item, type->valuestring, &link))
            return false;
        if (!link)
            return replay_fail(r, "%.60s is not known", type->valuestring);
        last->pNext = link;
        last = link;
    }
    return true;
}

bool
replay_read_struct(struct replay_reader *r, const cJSON *json, const char *type, void **out)
{
    const cJSON *name = replay_get(json, "type");
    *out = NULL;
    if (!cJSON_IsString(name))
        return replay_fail(r, "a structure has no type");
    if (type && strcmp(name->valuestring, type) != 0)
        return replay_fail(r, "%.60s where %s should be", name->valuestring, type);
    if (!replay_read_known(r, json, name->valuestring, out))
        return false;
    if (!*out)
        return replay_fail(r, "%.60s is not known", name->valuestring);
    return read_chain(r, replay_get(json, "pNext"), *out);
}

bool
replay_read_into(struct replay_reader *r, const cJSON *json, const char *type, void *out,
                 size_t size_B)
{
    void *structure;
    if (!replay_read_struct(r, json, type, &structure))
        return false;
    memcpy(out, structure, size_B);
    return true;
}
