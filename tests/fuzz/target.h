/* SPDX-License-Identifier: MIT */
/* What a fuzz target has: the entry point of libFuzzer, which standalone.c calls too.
 */
#ifndef RP_TESTS_FUZZ_TARGET_H
#define RP_TESTS_FUZZ_TARGET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size_B);

/* An input that is being read from its front. */
struct input {
    const uint8_t *data;
    size_t size_B;
};

/* The next bytes, copied; what is not there is 0. */
static inline void
input_read(struct input *in, void *out, size_t size_B)
{
    const size_t there_B = size_B < in->size_B ? size_B : in->size_B;
    memset(out, 0, size_B);
    if (there_B)
        memcpy(out, in->data, there_B);
    in->data += there_B;
    in->size_B -= there_B;
}

static inline uint8_t
input_u8(struct input *in)
{
    uint8_t value;
    input_read(in, &value, sizeof(value));
    return value;
}

/* A number below limit, from as few bytes as hold it. */
static inline uint32_t
input_below(struct input *in, uint32_t limit)
{
    uint32_t value = 0;
    input_read(in, &value, limit <= 0x100 ? 1 : limit <= 0x10000 ? 2 : 4);
    return value % limit;
}

static inline uint32_t
input_u32(struct input *in)
{
    uint32_t value;
    input_read(in, &value, sizeof(value));
    return value;
}

static inline uint16_t
input_u16(struct input *in)
{
    uint16_t value;
    input_read(in, &value, sizeof(value));
    return value;
}

#endif
