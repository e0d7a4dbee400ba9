/* SPDX-License-Identifier: MIT */
#include "util/json.h"

#include "util/alloc.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define FIRST_CAPACITY_B 4096u
#define MAX_EXACT (UINT64_C(1) << 53)
#define MAX_INLINE_DATA_B 256u

void
rp_json_init(struct rp_json *json)
{
    *json = (struct rp_json){0};
}

void
rp_json_finish(struct rp_json *json)
{
    rp_free(NULL, json->text);
    json->text = NULL;
}

void
rp_json_reset(struct rp_json *json)
{
    json->size_B = 0;
    json->is_out_of_memory = false;
    json->needs_comma = false;
}

static bool
json_reserve(struct rp_json *json, size_t more_B)
{
    if (json->is_out_of_memory)
        return false;
    if (more_B <= json->capacity_B - json->size_B)
        return true;
    size_t capacity_B = json->capacity_B ? json->capacity_B : FIRST_CAPACITY_B;
    while (capacity_B - json->size_B < more_B)
        capacity_B *= 2;
    char *text = rp_alloc(NULL, capacity_B, 1, VK_SYSTEM_ALLOCATION_SCOPE_DEVICE);
    if (!text) {
        json->is_out_of_memory = true;
        return false;
    }
    if (json->size_B)
        memcpy(text, json->text, json->size_B);
    rp_free(NULL, json->text);
    json->text = text;
    json->capacity_B = capacity_B;
    return true;
}

static void
json_put(struct rp_json *json, const char *text, size_t size_B)
{
    if (!json_reserve(json, size_B))
        return;
    memcpy(json->text + json->size_B, text, size_B);
    json->size_B += size_B;
}

static void
json_begin_value(struct rp_json *json)
{
    if (json->needs_comma)
        json_put(json, ",", 1);
    json->needs_comma = true;
}

static void
json_put_escaped(struct rp_json *json, const char *text)
{
    json_put(json, "\"", 1);
    for (; *text; text++) {
        char escaped[8];
        const unsigned char c = (unsigned char)*text;
        int size_B = 1;
        escaped[0] = *text;
        if (c == '"' || c == '\\')
            size_B = snprintf(escaped, sizeof(escaped), "\\%c", c);
        else if (c < 0x20)
            size_B = snprintf(escaped, sizeof(escaped), "\\u%04x", c);
        json_put(json, escaped, (size_t)size_B);
    }
    json_put(json, "\"", 1);
}

void
rp_json_key(struct rp_json *json, const char *key)
{
    json_begin_value(json);
    json_put_escaped(json, key);
    json_put(json, ":", 1);
    json->needs_comma = false;
}

void
rp_json_open(struct rp_json *json, char bracket)
{
    json_begin_value(json);
    json_put(json, &bracket, 1);
    json->needs_comma = false;
}

void
rp_json_close(struct rp_json *json, char bracket)
{
    json_put(json, &bracket, 1);
    json->needs_comma = true;
}

static void
json_put_number(struct rp_json *json, const char *text, int size_B)
{
    json_begin_value(json);
    json_put(json, text, (size_t)size_B);
}

void
rp_json_hex64(struct rp_json *json, uint64_t value)
{
    char text[24];
    json_put_number(json, text, snprintf(text, sizeof(text), "\"0x%016" PRIx64 "\"", value));
}

void
rp_json_u64(struct rp_json *json, uint64_t value)
{
    char text[24];
    if (value > MAX_EXACT)
        rp_json_hex64(json, value);
    else
        json_put_number(json, text, snprintf(text, sizeof(text), "%" PRIu64, value));
}

void
rp_json_i64(struct rp_json *json, int64_t value)
{
    char text[24];
    if (value >= 0 || value < -(int64_t)MAX_EXACT)
        rp_json_u64(json, (uint64_t)value);
    else
        json_put_number(json, text, snprintf(text, sizeof(text), "%" PRId64, value));
}

/* The application's locale may write a comma. */
void
rp_json_float(struct rp_json *json, float value)
{
    char text[32];
    if (!isfinite(value)) {
        uint32_t bits;
        memcpy(&bits, &value, sizeof(bits));
        json_put_number(json, text, snprintf(text, sizeof(text), "\"0x%08" PRIx32 "\"", bits));
        return;
    }
    const int size_B = snprintf(text, sizeof(text), "%.9g", (double)value);
    char *comma = strchr(text, ',');
    if (comma)
        *comma = '.';
    json_put_number(json, text, size_B);
}

void
rp_json_string(struct rp_json *json, const char *text)
{
    json_begin_value(json);
    json_put_escaped(json, text);
}

void
rp_json_bytes(struct rp_json *json, const void *data, size_t size_B)
{
    static const char digits[] = "0123456789abcdef";
    const uint8_t *bytes = data;

    json_begin_value(json);
    json_put(json, "\"", 1);
    for (size_t i = 0; i < size_B; i++) {
        const char pair[2] = {digits[bytes[i] >> 4], digits[bytes[i] & 15]};
        json_put(json, pair, 2);
    }
    json_put(json, "\"", 1);
}

void
rp_json_null(struct rp_json *json)
{
    json_begin_value(json);
    json_put(json, "null", 4);
}

void
rp_json_handle(struct rp_json *json, uint64_t handle)
{
    rp_json_u64(json, handle && json->id_of ? json->id_of(json->ctx, handle) : 0);
}

void
rp_json_data(struct rp_json *json, const void *data, size_t size_B)
{
    if (size_B <= MAX_INLINE_DATA_B || !json->blob_of) {
        rp_json_bytes(json, data, size_B);
        return;
    }
    rp_json_open(json, '{');
    rp_json_key_u64(json, "blob", json->blob_of(json->ctx, data, size_B));
    rp_json_key_u64(json, "size", size_B);
    rp_json_close(json, '}');
}

void
rp_json_line_end(struct rp_json *json)
{
    json_put(json, "\n", 1);
    json->needs_comma = false;
}
