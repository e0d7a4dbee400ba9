/* SPDX-License-Identifier: MIT */
/* Exp-Golomb codes, bit by bit, and the edges of the buffer.
 */
#include "test.h"

#include "reelpipe/bits.h"

#include <stdbool.h>

/* The bits that a write left, as 0 and 1. */
static void
require_bits(const struct rp_bits *bits, const char *expected)
{
    REQUIRE_EQ(bits->size_bits, strlen(expected));
    REQUIRE(!bits->has_overflow);
    for (size_t i = 0; expected[i]; i++)
        REQUIRE_EQ(bits->data[i / 8] >> (7 - i % 8) & 1, expected[i] - '0');
}

static void
unsigned_codes_are_those_of_the_standard(void)
{
    static const struct {
        uint32_t value;
        const char *bits;
    } codes[] = {
        {0, "1"},
        {1, "010"},
        {2, "011"},
        {7, "0001000"},
        {0x7fffffffu, "0000000000000000000000000000000"
                      "1"
                      "0000000000000000000000000000000"},
        {0xfffffffeu, "0000000000000000000000000000000"
                      "1"
                      "1111111111111111111111111111111"},
        {0xffffffffu, "00000000000000000000000000000000"
                      "1"
                      "00000000000000000000000000000000"},
    };
    for (size_t i = 0; i < sizeof(codes) / sizeof(codes[0]); i++) {
        uint8_t data[16];
        struct rp_bits bits;
        rp_bits_init(&bits, data, sizeof(data));
        rp_bits_ue(&bits, codes[i].value);
        require_bits(&bits, codes[i].bits);
    }
}

static void
signed_codes_alternate(void)
{
    uint8_t data[16];
    struct rp_bits bits;
    rp_bits_init(&bits, data, sizeof(data));
    for (int32_t value = -2; value <= 2; value++)
        rp_bits_se(&bits, value);
    require_bits(&bits, "00101"
                        "011"
                        "1"
                        "010"
                        "00100");
}

static void
a_full_buffer_is_not_written_past(void)
{
    uint8_t data[3] = {0, 0, 0xaa};
    struct rp_bits bits;
    rp_bits_init(&bits, data, 2);
    rp_bits_put(&bits, 16, 0x1234);
    REQUIRE(!bits.has_overflow);
    rp_bits_ue(&bits, 5);
    REQUIRE(bits.has_overflow);
    REQUIRE_EQ(bits.size_bits, 16 + 5); /* what it would have taken */
    REQUIRE_EQ(data[0], 0x12);
    REQUIRE_EQ(data[1], 0x34);
    REQUIRE_EQ(data[2], 0xaa);
}

int
main(void)
{
    RUN(unsigned_codes_are_those_of_the_standard);
    RUN(signed_codes_alternate);
    RUN(a_full_buffer_is_not_written_past);
    return 0;
}
