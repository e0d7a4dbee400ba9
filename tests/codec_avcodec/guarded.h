/* SPDX-License-Identifier: MIT */
/* Memory that ends at an inaccessible page: one byte too far is a crash.
 */
#ifndef RP_TESTS_CODEC_AVCODEC_GUARDED_H
#define RP_TESTS_CODEC_AVCODEC_GUARDED_H

#include <stddef.h>
#include <stdint.h>

struct guarded {
    uint8_t *end;
    size_t capacity_B;
    void *map;
    size_t map_B;
};

/* Inaccessible pages stand before and after. */
void guarded_init(struct guarded *memory, size_t capacity_B);
void guarded_finish(struct guarded *memory);

/* A copy of data that ends with the last accessible byte. */
const uint8_t *guarded_copy(struct guarded *memory, const void *data, size_t size_B);

#endif
