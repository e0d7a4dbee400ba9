/* SPDX-License-Identifier: MIT */
/* Rows of samples on their way between codecs and images (codecs/planes/), against plain loops:
 * every length up to some vectors, every place in memory; nothing is written behind a row.
 */
#include "test.h"

#include "codecs/planes/high_bits.h"
#include "codecs/planes/interleave.h"

#include <string.h>

#define MAX_COUNT 70u
#define MARGIN 16u
#define ROOM (2 * MAX_COUNT + 2 * MARGIN)
#define UNTOUCHED 0xa5a5

/* Of two images or of two codecs; rows begin `place` words behind a multiple of 64 bytes. */
struct rows {
    _Alignas(64) uint16_t a[ROOM];
    _Alignas(64) uint16_t b[ROOM];
    _Alignas(64) uint16_t out[ROOM];
    _Alignas(64) uint16_t out2[ROOM];
};

/* Words as images may have them, or samples of bit_depth. */
static void
rows_fill(struct rows *rows, uint64_t seed, uint32_t bit_depth)
{
    for (uint32_t i = 0; i < ROOM; i++) {
        rows->a[i] = (uint16_t)(test_random(&seed) & ((1u << bit_depth) - 1));
        rows->b[i] = (uint16_t)(test_random(&seed) & ((1u << bit_depth) - 1));
        rows->out[i] = rows->out2[i] = UNTOUCHED;
    }
}

static void
require_untouched_but(const uint16_t *out, uint32_t first, uint32_t count)
{
    for (uint32_t i = 0; i < ROOM; i++) {
        if (i < first || i >= first + count)
            REQUIRE_EQ(out[i], UNTOUCHED);
    }
}

static void
samples_are_written_in_the_high_bits(uint32_t bit_depth)
{
    struct rows rows;
    const uint32_t shift = 16 - bit_depth;
    for (uint32_t place = 0; place < MARGIN; place++) {
        for (uint32_t count = 0; count <= MAX_COUNT; count++) {
            rows_fill(&rows, place * 100 + count, bit_depth);
            rp_high_bits_write(rows.a + 1, rows.out + place, count, bit_depth);
            rp_interleave_end();
            for (uint32_t x = 0; x < count; x++)
                REQUIRE_EQ(rows.out[place + x], (uint16_t)(rows.a[1 + x] << shift));
            require_untouched_but(rows.out, place, count);

            rp_high_bits_interleave(rows.a + 1, rows.b, rows.out2 + place, count, bit_depth);
            rp_interleave_end();
            for (uint32_t x = 0; x < count; x++) {
                REQUIRE_EQ(rows.out2[place + 2 * x], (uint16_t)(rows.a[1 + x] << shift));
                REQUIRE_EQ(rows.out2[place + 2 * x + 1], (uint16_t)(rows.b[x] << shift));
            }
            require_untouched_but(rows.out2, place, 2 * count);
        }
    }
}

static void
bits_below_a_sample_are_not_read(uint32_t bit_depth)
{
    struct rows rows;
    const uint32_t shift = 16 - bit_depth;
    for (uint32_t place = 0; place < MARGIN; place++) {
        for (uint32_t count = 0; count <= MAX_COUNT; count++) {
            rows_fill(&rows, place * 100 + count, 16);
            rp_high_bits_read(rows.a + place, rows.out + 3, count, bit_depth);
            for (uint32_t x = 0; x < count; x++)
                REQUIRE_EQ(rows.out[3 + x], rows.a[place + x] >> shift);
            require_untouched_but(rows.out, 3, count);

            rows_fill(&rows, place * 100 + count, 16);
            rp_high_bits_deinterleave(rows.a + place, rows.out + 3, rows.out2 + place, count,
                                      bit_depth);
            for (uint32_t x = 0; x < count; x++) {
                REQUIRE_EQ(rows.out[3 + x], rows.a[place + 2 * x] >> shift);
                REQUIRE_EQ(rows.out2[place + x], rows.a[place + 2 * x + 1] >> shift);
            }
            require_untouched_but(rows.out, 3, count);
            require_untouched_but(rows.out2, place, count);
        }
    }
}

static void
bytes_are_interleaved(void)
{
    struct rows rows;
    for (uint32_t place = 0; place < MARGIN; place++) {
        for (uint32_t count = 0; count <= MAX_COUNT; count++) {
            rows_fill(&rows, place * 100 + count, 16);
            const uint8_t *u = (const uint8_t *)rows.a + place;
            const uint8_t *v = (const uint8_t *)rows.b + 3;
            rp_interleave(u, v, (uint8_t *)(rows.out + place), count);
            rp_interleave_end();
            for (uint32_t x = 0; x < count; x++) {
                const uint8_t *pair = (const uint8_t *)(rows.out + place + x);
                REQUIRE_EQ(pair[0], u[x]);
                REQUIRE_EQ(pair[1], v[x]);
            }
            require_untouched_but(rows.out, place, count);
        }
    }
}

int
main(void)
{
    RUN(samples_are_written_in_the_high_bits, 10);
    RUN(samples_are_written_in_the_high_bits, 12);
    RUN(bits_below_a_sample_are_not_read, 10);
    RUN(bits_below_a_sample_are_not_read, 12);
    RUN(bytes_are_interleaved);
    return 0;
}
