/* SPDX-License-Identifier: MIT */
/* Pictures compared without keeping them.
 */
#include "app.h"
#include "tests/test.h"

#include <string.h>

uint64_t
hash_row(uint64_t hash, const uint8_t *row, size_t size_B)
{
    const uint64_t prime = 0x100000001b3u;
    size_t i = 0;
    if (!hash)
        hash = 0xcbf29ce484222325u;
    for (; i + 8 <= size_B; i += 8) {
        uint64_t word;
        memcpy(&word, row + i, 8);
        hash = (hash ^ word) * prime;
        hash ^= hash >> 29;
    }
    for (; i < size_B; i++)
        hash = (hash ^ row[i]) * prime;
    return hash;
}

void
hashes_add(struct hashes *hashes, uint64_t hash)
{
    if (hashes->count == hashes->capacity) {
        hashes->capacity = 2 * hashes->capacity + 64;
        hashes->at = realloc(hashes->at, hashes->capacity * sizeof(*hashes->at));
        REQUIRE(hashes->at);
    }
    hashes->at[hashes->count++] = hash;
}

static int
compare(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a;
    const uint64_t y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

size_t
hashes_missing(struct hashes *a, struct hashes *b)
{
    size_t missing = 0;
    if (a->count > 0)
        qsort(a->at, a->count, sizeof(*a->at), compare);
    if (b->count > 0)
        qsort(b->at, b->count, sizeof(*b->at), compare);
    for (size_t i = 0, j = 0; i < a->count; i++) {
        while (j < b->count && b->at[j] < a->at[i])
            j++;
        if (j < b->count && b->at[j] == a->at[i])
            j++;
        else
            missing++;
    }
    return missing;
}
