/* SPDX-License-Identifier: MIT */
/* Words of workgroup memory that the compiler keeps as scalars: the same results as in memory, for
 * whoever looks, and the operations that are saved.
 */
#include "harness.h"

#define LANES 32u
#define GROUPS 3u
#define WORDS 64u
#define SYMBOLS 5u

enum part {
    CODER,
    LEAVERS,
    VARYING,
    ARMS,
    NEIGHBOURS,
    SCALARS,
    COUNTS,
    BLOCKS,  /* kept_blocks.comp */
    INDEXED, /* of it, too */
    MANY,    /* kept_many.comp */
    PART_COUNT,
};

static uint32_t a[WORDS], c[GROUPS * SYMBOLS * LANES], wanted[GROUPS * SYMBOLS * LANES];

static void
judge_coder(uint32_t group)
{
    uint32_t range = 0xff00, low = a[group], count = 0;
    uint64_t wide = 3;
    for (uint32_t symbol = 0; symbol < SYMBOLS; symbol++) {
        for (uint32_t n = 0; n < 9; n++) {
            const uint32_t part = range * (n + 1) >> 8;
            range -= part;
            if (low < range)
                continue;
            low -= range;
            range = part;
            wide = wide * 0x100000005 + low;
            if (range < 0x100) {
                range <<= 8;
                low <<= 8;
                if (count < 6)
                    low |= a[count + symbol] & 255;
                count++;
            } else {
                count += 2;
            }
            if (low == 0)
                break;
        }
        for (uint32_t lane = 0; lane < LANES; lane++)
            wanted[(group * SYMBOLS + symbol) * LANES + lane] =
                range ^ low * 3 ^ count << 20 ^ (uint32_t)(wide >> 32);
    }
}

/* In round n the lanes from n on are there. */
static void
judge_leavers(uint32_t group)
{
    uint32_t count = 7, last = 0;
    for (uint32_t n = 0; n < LANES; n++) {
        if (n <= 30)
            count = count * 3 + n;
        if (n < 31)
            last += count ^ n;
    }
    for (uint32_t lane = 0; lane < LANES; lane++)
        wanted[group * LANES + lane] = count + last * 5 + lane;
}

static void
judge_varying(uint32_t group)
{
    uint32_t sum = 0, last = 0, count = 0; /* the sum is the same in all lanes */
    for (uint32_t n = 0; n < 8; n++) {
        sum = sum * 3 + n;
        last = a[n * 4] + sum;
        if (n != 0)
            count = n * 3;
        sum += last ^ count;
    }
    for (uint32_t lane = 0; lane < LANES; lane++)
        wanted[group * LANES + lane] = sum;
}

static void
judge_arms(uint32_t group)
{
    uint32_t range = 1, low = 2, count = 3, sum = 0;
    for (uint32_t n = 0; n < 6; n++) {
        low = low * 5 + range;
        count = count * 7 + n + range;
        sum += low ^ count;
        range = range * 3 + low + count;
    }
    for (uint32_t lane = 0; lane < LANES; lane++)
        wanted[group * LANES + lane] = sum + range;
}

static void
judge_neighbours(uint32_t group)
{
    uint32_t state[8], last = 5, pair[2] = {1, 2}, around[2] = {1, 0};
    uint64_t wide = 0x123456789abcdef;
    for (uint32_t i = 0; i < 8; i++)
        state[i] = i + a[i];
    for (uint32_t n = 0; n < 12; n++) {
        last = last * 5 + state[(last + n) & 7];
        state[last & 7] += state[2] ^ last;
        wide = wide * 6364136223846793005u + last;
        const uint32_t x = pair[0];
        pair[0] = pair[1] + last;
        pair[1] = x;
        around[n & 1] += around[0] + n;
    }
    const uint32_t words = (uint32_t)(wide >> 32) ^ (uint32_t)wide ^ pair[0] ^ pair[1] * 3 ^
                           (last & 3) * LANES ^ around[0] ^ around[1] << 3;
    for (uint32_t lane = 0; lane < LANES; lane++)
        wanted[group * LANES + lane] = (last + state[lane & 7]) ^ words;
}

static void
judge_scalars(uint32_t group)
{
    uint32_t x = a[group], y = a[group + 1], sum = 1, old = 0, turns = 0;
    uint64_t bits = 0x9e3779b97f4a7c15u + x;
    for (uint32_t n = 0; n < 20 && turns <= 17; n++) {
        const uint32_t before = sum, was = x;
        if (x & 1) {
            x = y;
            y = was;
            sum = sum * 3 + old;
        } else if (y > sum) {
            x = x / 2 + n;
            old = sum;
        }
        for (uint32_t k = x & 3; k > 0; k--) {
            bits = bits >> 3 ^ bits << 61;
            if ((bits & 4) == 0)
                continue;
            sum += bits & 255;
            if (sum % 11 == 3)
                break;
            turns++;
        }
        x += before >> 1;
        old ^= before;
    }
    for (uint32_t lane = 0; lane < LANES; lane++)
        wanted[group * LANES + lane] =
            sum ^ old * 3 ^ turns << 9 ^ x ^ y * 5 ^ (uint32_t)bits ^ (uint32_t)(bits >> 32);
}

static void
judge_counts(uint32_t group)
{
    for (uint32_t lane = 0; lane < LANES; lane++)
        wanted[group * LANES + lane] = 5 * 5 + 930;
}

static void
judge_blocks_by(uint32_t group, bool is_indexed)
{
    uint32_t words[12];
    memcpy(words, a, sizeof(words));
    for (uint32_t n = 0; n < 40; n++) {
        words[0] = words[0] * 3 + words[1];
        words[1] += words[0] >> 7;
        const uint64_t pair = (words[2] | (uint64_t)words[3] << 32) * 0x100000005 + words[0];
        words[2] = (uint32_t)pair ^ (uint32_t)(pair >> 32);
        words[3] = (uint32_t)(pair >> 32);
        words[4] += (words[4] + n) << 16; /* without a carry: the high half */
        words[4] = words[4] * 5 + (words[4] & 0xffff);
        words[6] = bits_of(float_of(words[6]) * 0.5f + (float)(n + 1)) ^ n;
        const uint32_t before = words[8];
        words[8] += words[9];
        words[9] += before + n;
        words[is_indexed ? 10 + (words[0] & 1) : 11] += words[10] + n;
        if ((words[0] & 3) == 2)
            words[7] += words[5];
        words[5] = words[5] * 7 + words[6];
    }
    for (uint32_t lane = 0; lane < LANES; lane++) {
        uint32_t sum = lane;
        for (uint32_t i = 0; i < 12; i++)
            sum = sum * 31 + words[i];
        wanted[group * LANES + lane] = sum;
    }
}

static void
judge_blocks(uint32_t group)
{
    judge_blocks_by(group, false);
}

static void
judge_indexed(uint32_t group)
{
    judge_blocks_by(group, true);
}

static void
judge_many(uint32_t group)
{
    enum { COUNT = 72 };
    uint32_t words[COUNT];
    for (uint32_t i = 0; i < COUNT; i++)
        words[i] = a[i & 63] + i;
    for (uint32_t n = 0; n < a[0] % 7 + 20; n++) {
        for (uint32_t i = 0; i + 1 < COUNT; i++)
            words[i] = words[i] * 3 + words[i + 1] + n;
        words[COUNT - 1] = words[COUNT - 1] * 5 + words[0];
    }
    for (uint32_t lane = 0; lane < LANES; lane++) {
        uint32_t sum = lane;
        for (uint32_t i = 0; i < COUNT; i++)
            sum = sum * 31 + words[i];
        wanted[group * LANES + lane] = sum;
    }
}

static void
part_run(enum part part, uint32_t isa, uint32_t thread_count)
{
    static void (*const judges[])(uint32_t group) = {
        judge_coder,   judge_leavers, judge_varying, judge_arms,    judge_neighbours,
        judge_scalars, judge_counts,  judge_blocks,  judge_indexed, judge_many};
    const VkSpecializationMapEntry entry = {0, 0, sizeof(part)};
    const VkSpecializationInfo info = {1, &entry, sizeof(part), &part};
    const struct rp_descriptor buffers[BINDING_COUNT] = {
        [0] = {.ptr = (uint8_t *)a, .size_B = sizeof(a)},
        [2] = {.ptr = (uint8_t *)c, .size_B = sizeof(c)},
    };
    /* More: something is not kept, or moved although it could stay. */
    static const uint32_t most_ops[PART_COUNT] = {359, 60, 331, 310, 771, 79, 41, 190, 220, 1122};
    struct rp_kernel_statistics statistics;
    struct rp_kernel *kernel = kernel_load_specialized(part == MANY     ? "kept_many"
                                                       : part >= BLOCKS ? "kept_blocks"
                                                                        : "kept_words",
                                                       isa_flags[isa], &info);
    const uint32_t size_B = GROUPS * LANES * 4 * (part == CODER ? SYMBOLS : 1);

    memset(c, 0, sizeof(c));
    for (uint32_t group = 0; group < GROUPS; group++)
        judges[part](group);
    kernel_run(kernel, buffers, &(struct grid){GROUPS, 1, thread_count, {0}});
    REQUIRE_BYTES(c, wanted, size_B);
    rp_kernel_statistics(kernel, &statistics);
    if (getenv("REELPIPE_TEST_KEEP"))
        printf("%d: %u\n", (int)part, statistics.op_count);
    REQUIRE(statistics.op_count <= most_ops[part]);
    rp_kernel_destroy(kernel);
}

int
main(void)
{
    for (uint32_t i = 0; i < WORDS; i++)
        a[i] = (i + 1) * 2654435761u >> 9;
    for (uint32_t isa = 0; isa < ISA_COUNT; isa++)
        for (uint32_t part = 0; part < PART_COUNT; part++)
            for (uint32_t thread_count = 1; thread_count <= 2; thread_count++)
                part_run((enum part)part, isa, thread_count);
    return 0;
}
