/* SPDX-License-Identifier: MIT */
/* Reading and writing H.265's descriptors.
 */
#include "video/h265/syntax.h"

void
rp_h265_syntax_init_read(struct rp_h265_syntax *syntax, const void *data, size_t size_B)
{
    *syntax = (struct rp_h265_syntax){
        .reader = {.data = data, .size_bits = size_B <= SIZE_MAX / 8 ? 8 * size_B : SIZE_MAX}};
}

void
rp_h265_syntax_init_write(struct rp_h265_syntax *syntax, void *data, size_t capacity_B)
{
    *syntax = (struct rp_h265_syntax){.is_writing = true};
    rp_bits_init(&syntax->writer, data, capacity_B);
}

size_t
rp_h265_syntax_position(const struct rp_h265_syntax *syntax)
{
    return syntax->is_writing ? syntax->writer.size_bits : syntax->reader.position_bits;
}

bool
rp_h265_syntax_is_ok(const struct rp_h265_syntax *syntax)
{
    return !syntax->is_illegal && !syntax->reader.has_overrun && !syntax->writer.has_overflow;
}

void
rp_h265_require(struct rp_h265_syntax *syntax, bool condition)
{
    syntax->is_illegal |= !condition;
}

uint32_t
rp_h265_u(struct rp_h265_syntax *syntax, uint32_t n, uint32_t value)
{
    if (!syntax->is_writing)
        return rp_bit_reader_u(&syntax->reader, n);
    rp_h265_require(syntax, n >= 32 || value >> n == 0);
    rp_bits_put(&syntax->writer, n, value);
    return value;
}

bool
rp_h265_flag(struct rp_h265_syntax *syntax, bool value)
{
    return rp_h265_u(syntax, 1, value);
}

uint32_t
rp_h265_ue(struct rp_h265_syntax *syntax, uint32_t max, uint32_t value)
{
    if (!syntax->is_writing)
        value = rp_bit_reader_ue(&syntax->reader);
    if (value > max) {
        rp_h265_require(syntax, false);
        value = 0;
    }
    if (syntax->is_writing)
        rp_bits_ue(&syntax->writer, value);
    return value;
}

int32_t
rp_h265_se(struct rp_h265_syntax *syntax, int32_t min, int32_t max, int32_t value)
{
    if (!syntax->is_writing)
        value = rp_bit_reader_se(&syntax->reader);
    if (value < min || value > max) {
        rp_h265_require(syntax, false);
        value = 0;
    }
    if (syntax->is_writing)
        rp_bits_se(&syntax->writer, value);
    return value;
}

void
rp_h265_skip(struct rp_h265_syntax *syntax, uint32_t count)
{
    for (; count > 0 && rp_h265_syntax_is_ok(syntax); count--)
        (void)rp_h265_u(syntax, 1, 0);
}

void
rp_h265_trailing(struct rp_h265_syntax *syntax)
{
    rp_h265_require(syntax, rp_h265_flag(syntax, true));
    while (rp_h265_syntax_position(syntax) % 8)
        rp_h265_require(syntax, !rp_h265_flag(syntax, false));
}

uint32_t
rp_h265_ceil_log2(uint32_t value)
{
    return value > 1 ? 32 - (uint32_t)__builtin_clz(value - 1) : 0;
}
