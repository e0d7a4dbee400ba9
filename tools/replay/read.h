/* SPDX-License-Identifier: MIT */
/* Reads what a capture holds: JSON, and the structures in it, back into Vulkan's.
 *
 * Nothing of a capture is trusted: whatever is wrong with it ends in replay_fail(), which keeps the
 * first message. Functions that return false have called it.
 */
#ifndef RP_TOOLS_REPLAY_READ_H
#define RP_TOOLS_REPLAY_READ_H

#include "util/compiler.h"

#include <cjson/cJSON.h>
#include <vulkan/vulkan_core.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct replay_piece;

struct replay_reader {
    char error[512];             /* the first one; empty: none */
    const char *file;            /* being read, for messages */
    size_t line;                 /* of it, from 1; 0: none */
    char subject[64];            /* what of the line is being read, for messages; empty: nothing */
    struct replay_piece *pieces; /* owned: what was read, until replay_read_reset() */

    /* The handle that an object has here. type: "VkBuffer". False: no such object. */
    bool (*handle_of)(void *ctx, uint64_t id, const char *type, uint64_t *out);
    /* The bytes of a blob (at least size_B of them), until the next call, or NULL. */
    const void *(*blob_at)(void *ctx, uint64_t number, size_t size_B);
    void *ctx;
};

void replay_read_reset(struct replay_reader *r);

/* Always false. */
bool replay_fail(struct replay_reader *r, const char *format, ...) RP_PRINTF(2, 3);

/* NULL, also when json is NULL. */
const cJSON *replay_get(const cJSON *json, const char *key);

/* Zeroed memory for count elements (at least one byte); NULL after a message. */
void *replay_read_alloc(struct replay_reader *r, size_t count, size_t size_B);

/* json may be NULL everywhere: the value is 0, empty, or nothing at all. */
bool replay_read_u64(struct replay_reader *r, const cJSON *json, uint64_t *out);
bool replay_read_number(struct replay_reader *r, const cJSON *json, void *out, size_t size_B);
bool replay_read_float(struct replay_reader *r, const cJSON *json, void *out);
bool replay_read_text(struct replay_reader *r, const cJSON *json, const char **out);
bool replay_read_chars(struct replay_reader *r, const cJSON *json, char *out, size_t size_B);
/* Exactly size_B bytes, as hexadecimal digits. */
bool replay_read_bytes(struct replay_reader *r, const cJSON *json, void *out, size_t size_B);
/* Digits or a blob; *count_out elements of size_B bytes. */
bool replay_read_data(struct replay_reader *r, const cJSON *json, size_t size_B, void **out,
                      size_t *count_out);
bool replay_read_handle(struct replay_reader *r, const cJSON *json, void *out, const char *type,
                        bool may_be_null);

/* A structure with sType and its chain. type: the name that it must have, or NULL. */
bool replay_read_struct(struct replay_reader *r, const cJSON *json, const char *type, void **out);
/* replay_read_struct() into a member of another structure. */
bool replay_read_into(struct replay_reader *r, const cJSON *json, const char *type, void *out,
                      size_t size_B);

/* Generated (tools/gen/describe.py): one structure without its chain. *out is NULL when its type is
 * not known. */
bool replay_read_known(struct replay_reader *r, const cJSON *json, const char *type, void **out);

#endif
