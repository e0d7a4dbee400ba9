/* SPDX-License-Identifier: MIT */
/* Writes JSON (RFC 8259) into a buffer that grows: one value after the other, commas where they
 * belong.
 *
 * In an object every value is preceded by its key. Whole numbers beyond 2^53 and floating-point
 * numbers that JSON has no word for become strings ("0x" and hexadecimal digits; of a float: its
 * bits), because common readers keep doubles. Memory that is short sticks: nothing more is written.
 */
#ifndef RP_UTIL_JSON_H
#define RP_UTIL_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct rp_json {
    char *text; /* owned, not terminated */
    size_t size_B;
    size_t capacity_B;
    bool is_out_of_memory;
    bool needs_comma;

    /* What stands for a Vulkan handle: a number; 0 for none. NULL: every handle is 0. */
    uint64_t (*id_of)(void *ctx, uint64_t handle);
    /* Keeps bytes elsewhere and returns the number by which they are found. NULL: they are written
     * as hexadecimal digits. */
    uint64_t (*blob_of)(void *ctx, const void *data, size_t size_B);
    void *ctx;
};

void rp_json_init(struct rp_json *json);
void rp_json_finish(struct rp_json *json);
void rp_json_reset(struct rp_json *json); /* empty; the memory stays */

void rp_json_key(struct rp_json *json, const char *key);
void rp_json_open(struct rp_json *json, char bracket); /* '{' or '[' */
void rp_json_close(struct rp_json *json, char bracket);
void rp_json_u64(struct rp_json *json, uint64_t value);
void rp_json_i64(struct rp_json *json, int64_t value);
void rp_json_float(struct rp_json *json, float value);
void rp_json_string(struct rp_json *json, const char *text);
void rp_json_hex64(struct rp_json *json, uint64_t value);                  /* "0x" and 16 digits */
void rp_json_bytes(struct rp_json *json, const void *data, size_t size_B); /* digits, no prefix */
void rp_json_null(struct rp_json *json);
void rp_json_handle(struct rp_json *json, uint64_t handle);
/* Bytes where they are few, else {"blob": number, "size": bytes}. */
void rp_json_data(struct rp_json *json, const void *data, size_t size_B);
void rp_json_line_end(struct rp_json *json);

static inline void
rp_json_key_u64(struct rp_json *json, const char *key, uint64_t value)
{
    rp_json_key(json, key);
    rp_json_u64(json, value);
}

static inline void
rp_json_key_string(struct rp_json *json, const char *key, const char *text)
{
    rp_json_key(json, key);
    rp_json_string(json, text);
}

#endif
