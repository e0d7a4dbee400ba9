/* SPDX-License-Identifier: MIT */
/* The keys of compiled kernels, read again: binaries of shader objects are made of them. */
#include "object/pipeline_cache.h"
#include "test.h"
#include "util/alloc.h"

static const uint32_t words[5] = {0x07230203, 0x00010300, 7, 8, 9};
static const uint8_t values[11] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
static const VkSpecializationMapEntry entries[3] = {{70, 0, 4}, {3, 10, 1}, {4, 2, 8}};
static const VkSpecializationInfo constants = {3, entries, sizeof(values), values};

static struct rp_cache_entry *
entry_of(const char *name, const VkSpecializationInfo *specialization)
{
    const struct rp_cache_key_info info = {
        .words = words,
        .word_count = 5,
        .entry_point = name,
        .specialization = specialization,
        .subgroup_size = 32,
        .wants_exact_bounds = true,
    };
    struct rp_cache_entry *entry = rp_cache_entry_create(&info);
    REQUIRE(entry);
    return entry;
}

/* Reads a copy with nothing behind it. */
static VkResult
read(const uint8_t *key, size_t key_B, struct rp_cache_key_source **out)
{
    uint8_t *copy = malloc(key_B ? key_B : 1);
    REQUIRE(copy);
    memcpy(copy, key, key_B);
    const VkResult result = rp_cache_key_read(copy, key_B, out);
    free(copy);
    return result;
}

static void
what_was_written_is_read(void)
{
    static const char *const names[] = {"", "m", "ma", "main", "another_entry_point"};
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        struct rp_cache_entry *entry = entry_of(names[i], i % 2 ? &constants : NULL);
        struct rp_cache_key_source *source;
        REQUIRE_EQ(read(entry->bytes, entry->key_B, &source), VK_SUCCESS);
        REQUIRE(strcmp(source->info.entry_point, names[i]) == 0);
        REQUIRE_EQ(source->info.word_count, 5);
        REQUIRE(memcmp(source->info.words, words, sizeof(words)) == 0);
        REQUIRE_EQ(!source->info.specialization, i % 2 == 0);
        REQUIRE_EQ(source->info.subgroup_size, 32);
        REQUIRE(source->info.wants_exact_bounds);

        struct rp_cache_entry *again = rp_cache_entry_create(&source->info);
        REQUIRE(again && rp_cache_entry_has_key(again, entry));
        rp_cache_entry_destroy(again);
        rp_cache_entry_destroy(entry);
        rp_free(NULL, source);
    }
}

static void
constants_have_their_bytes(void)
{
    struct rp_cache_entry *entry = entry_of("main", &constants);
    struct rp_cache_key_source *source;
    REQUIRE_EQ(read(entry->bytes, entry->key_B, &source), VK_SUCCESS);
    const VkSpecializationInfo *s = source->info.specialization;
    REQUIRE(s && s->mapEntryCount == 3);
    for (uint32_t i = 0; i < 3; i++) {
        const VkSpecializationMapEntry *e = &s->pMapEntries[i];
        REQUIRE_EQ(e->constantID, entries[i].constantID);
        REQUIRE_EQ(e->size, entries[i].size);
        REQUIRE(e->offset <= s->dataSize && e->size <= s->dataSize - e->offset);
        REQUIRE(memcmp((const uint8_t *)s->pData + e->offset, values + entries[i].offset,
                       e->size) == 0);
    }
    rp_cache_entry_destroy(entry);
    rp_free(NULL, source);
}

/* Cut within the words it is a key with fewer of them. */
static void
cut_short_it_is_none(void)
{
    struct rp_cache_entry *entry = entry_of("main", &constants);
    const size_t words_at = (size_t)entry->key_B - sizeof(words);
    for (size_t size_B = 0; size_B < entry->key_B; size_B++) {
        struct rp_cache_key_source *source;
        const VkResult result = read(entry->bytes, size_B, &source);
        REQUIRE_EQ(result, size_B < words_at ? VK_ERROR_UNKNOWN : VK_SUCCESS);
        if (result != VK_SUCCESS)
            continue;
        REQUIRE_EQ(source->info.word_count, (size_B - words_at) / 4);
        rp_free(NULL, source);
    }
    rp_cache_entry_destroy(entry);
}

/* Whatever the counts say, nothing is read or written elsewhere (as sanitizers see). */
static void
damage_stays_inside(void)
{
    struct rp_cache_entry *entry = entry_of("main", &constants);
    uint32_t random = 1, good = 0;
    for (uint32_t i = 0; i < 100000; i++) {
        random = random * 1664525u + 1013904223u;
        const size_t at = (random >> 8) % entry->key_B;
        const uint8_t was = entry->bytes[at];
        struct rp_cache_key_source *source;
        entry->bytes[at] = (uint8_t)(random >> 24);
        if (read(entry->bytes, entry->key_B, &source) == VK_SUCCESS) {
            struct rp_cache_entry *again = rp_cache_entry_create(&source->info);
            REQUIRE(again);
            rp_cache_entry_destroy(again);
            rp_free(NULL, source);
            good++;
        }
        entry->bytes[at] = was;
    }
    REQUIRE(good > 1000 && good < 99000);
    rp_cache_entry_destroy(entry);
}

int
main(void)
{
    RUN(what_was_written_is_read);
    RUN(constants_have_their_bytes);
    RUN(cut_short_it_is_none);
    RUN(damage_stays_inside);
    return 0;
}
