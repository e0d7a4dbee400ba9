/* SPDX-License-Identifier: MIT */
/* The rows are as complete as the registry's lists, and what can be produced is produced.
 */
#include "results.h"

#include "vk_results.h"

/* The head of each allocation: its size, for the loader's reallocations. */
#define HEAD_B 64u

static const struct {
    const char *command;
    const char *code_name;
    VkResult code;
} listed[] = {
#define ROW(command, code) {#command, #code, code},
    VK_RESULTS(ROW)
#undef ROW
};
#define LISTED (sizeof(listed) / sizeof(listed[0]))

static const struct result_table *const tables[] = {
    &result_reasons, &result_queries, &result_objects,
    &result_memory,  &result_video,   &result_out_of_memory,
};
#define TABLES (sizeof(tables) / sizeof(tables[0]))

bool results_fail_allocations;

static void *VKAPI_CALL
allocate(void *user, size_t size_B, size_t align_B, VkSystemAllocationScope scope)
{
    (void)user, (void)scope;
    REQUIRE(align_B <= HEAD_B);
    if (results_fail_allocations)
        return NULL;
    uint8_t *memory = aligned_alloc(HEAD_B, HEAD_B + (size_B + HEAD_B - 1) / HEAD_B * HEAD_B);
    if (!memory)
        return NULL;
    memcpy(memory, &size_B, sizeof(size_B));
    return memory + HEAD_B;
}

static void VKAPI_CALL
give_back(void *user, void *memory)
{
    (void)user;
    if (memory)
        free((uint8_t *)memory - HEAD_B);
}

static void *VKAPI_CALL
reallocate(void *user, void *memory, size_t size_B, size_t align_B, VkSystemAllocationScope scope)
{
    size_t before_B = 0;
    void *after = size_B ? allocate(user, size_B, align_B, scope) : NULL;
    if (memory)
        memcpy(&before_B, (uint8_t *)memory - HEAD_B, sizeof(before_B));
    if (after && memory)
        memcpy(after, memory, before_B < size_B ? before_B : size_B);
    if (after || size_B == 0)
        give_back(user, memory);
    return after;
}

static size_t
rows_matching(const char *command, VkResult code)
{
    size_t count = 0;
    for (size_t t = 0; t < TABLES; t++)
        for (size_t i = 0; i < tables[t]->count; i++) {
            const struct result_row *row = &tables[t]->rows[i];
            count += row->code == code && strcmp(row->command, command) == 0;
        }
    return count;
}

static void
every_listed_result_has_one_row(void)
{
    for (size_t i = 0; i < LISTED; i++) {
        const size_t own = rows_matching(listed[i].command, listed[i].code);
        const size_t all = rows_matching("*", listed[i].code);
        if (own == 1 || (own == 0 && all == 1))
            continue;
        (void)fprintf(stderr, "vk%s may return %s: %zu rows of its own, %zu for all\n",
                      listed[i].command, listed[i].code_name, own, all);
        exit(1);
    }
}

static void
every_row_is_of_a_listed_result(void)
{
    for (size_t t = 0; t < TABLES; t++)
        for (size_t r = 0; r < tables[t]->count; r++) {
            const struct result_row *row = &tables[t]->rows[r];
            size_t found = 0;
            for (size_t i = 0; i < LISTED; i++)
                found +=
                    listed[i].code == row->code && (strcmp(row->command, listed[i].command) == 0 ||
                                                    strcmp(row->command, "*") == 0);
            if (found == 0)
                (void)fprintf(stderr, "vk%s does not return %d\n", row->command, row->code);
            REQUIRE(found > 0);
            REQUIRE((row->produce != NULL) != (row->reason != NULL));
        }
}

/* Has each command return each of its results that can be produced; returns how many. */
static size_t
produce_all(struct fixture *f)
{
    size_t produced = 0;

    for (size_t t = 0; t < TABLES; t++)
        for (size_t r = 0; r < tables[t]->count; r++) {
            const struct result_row *row = &tables[t]->rows[r];
            if (!row->produce)
                continue;
            (void)fprintf(stderr, "vk%s: %d\n", row->command, row->code);
            row->produce(f);
            produced++;
        }
    return produced;
}

int
main(void)
{
    static const VkAllocationCallbacks callbacks = {
        .pfnAllocation = allocate, .pfnReallocation = reallocate, .pfnFree = give_back};
    struct fixture f = {.alloc = &callbacks};

    RUN(every_listed_result_has_one_row);
    RUN(every_row_is_of_a_listed_result);
    fixture_init(&f);
    const size_t produced = produce_all(&f);
    fixture_finish(&f);
    (void)fprintf(stderr, "%zu results listed, %zu produced\n", LISTED, produced);
    return 0;
}
