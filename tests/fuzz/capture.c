/* SPDX-License-Identifier: MIT */
/* Fuzz target: a line of a capture, read into Vulkan structures as reelpipe-replay reads it.
 */
#include "read.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size_B);

static const uint8_t blob[64];

/* Every third object is not there. */
static bool
handle_of(void *ctx, uint64_t id, const char *type, uint64_t *out)
{
    *out = id;
    return id % 3 != 0;
}

static const void *
blob_at(void *ctx, uint64_t place, size_t size_B)
{
    return place < sizeof(blob) && size_B <= sizeof(blob) - place ? blob + place : NULL;
}

/* All structures in a line, wherever they stand. */
static void
read_all(struct replay_reader *r, const cJSON *json)
{
    const cJSON *child;
    void *structure;
    if (cJSON_IsObject(json) && replay_get(json, "type")) {
        r->error[0] = '\0';
        /* A failure has a message, and success a structure. */
        if (replay_read_struct(r, json, NULL, &structure) ? !structure : !r->error[0])
            abort();
    }
    cJSON_ArrayForEach(child, json)
    {
        read_all(r, child);
    }
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size_B)
{
    struct replay_reader reader = {.handle_of = handle_of, .blob_at = blob_at, .file = "fuzz"};
    cJSON *json = cJSON_ParseWithLength((const char *)data, size_B);

    read_all(&reader, json);
    cJSON_Delete(json);
    replay_read_reset(&reader);
    return 0;
}
