/* SPDX-License-Identifier: MIT */
/* Reading and writing AV1's descriptors.
 */
#include "video/av1/syntax.h"

void
rp_av1_syntax_init_read(struct rp_av1_syntax *syntax, const void *data, size_t size_B)
{
    *syntax = (struct rp_av1_syntax){
        .reader = {.data = data, .size_bits = size_B <= SIZE_MAX / 8 ? 8 * size_B : SIZE_MAX}};
}

void
rp_av1_syntax_init_write(struct rp_av1_syntax *syntax, void *data, size_t capacity_B)
{
    *syntax = (struct rp_av1_syntax){.is_writing = true};
    rp_bits_init(&syntax->writer, data, capacity_B);
}

size_t
rp_av1_syntax_position(const struct rp_av1_syntax *syntax)
{
    return syntax->is_writing ? syntax->writer.size_bits : syntax->reader.position_bits;
}

enum rp_av1_status
rp_av1_syntax_status(const struct rp_av1_syntax *syntax)
{
    if (syntax->reader.has_overrun)
        return RP_AV1_TRUNCATED;
    if (syntax->is_illegal)
        return RP_AV1_ILLEGAL;
    return syntax->writer.has_overflow ? RP_AV1_NO_SPACE : RP_AV1_OK;
}

bool
rp_av1_syntax_is_ok(const struct rp_av1_syntax *syntax)
{
    return !syntax->is_illegal && !syntax->reader.has_overrun;
}

void
rp_av1_require(struct rp_av1_syntax *syntax, bool condition)
{
    syntax->is_illegal |= !condition;
}

void
rp_av1_code_f(struct rp_av1_syntax *syntax, uint32_t n, uint32_t *value)
{
    if (!syntax->is_writing) {
        *value = rp_bit_reader_u(&syntax->reader, n);
        return;
    }
    rp_av1_require(syntax, n >= 32 || *value >> n == 0);
    rp_bits_put(&syntax->writer, n, *value);
}

void
rp_av1_code_flag(struct rp_av1_syntax *syntax, bool *value)
{
    uint32_t bit = *value;
    rp_av1_code_f(syntax, 1, &bit);
    *value = bit;
}

void
rp_av1_code_su(struct rp_av1_syntax *syntax, uint32_t n, int32_t *value)
{
    const uint32_t mask = ((uint32_t)1 << n) - 1;
    const int32_t limit = (int32_t)((uint32_t)1 << (n - 1));
    uint32_t code = (uint32_t)*value & mask;
    if (syntax->is_writing)
        rp_av1_require(syntax, *value >= -limit && *value < limit);
    rp_av1_code_f(syntax, n, &code);
    *value = code >= (uint32_t)limit ? (int32_t)code - 2 * limit : (int32_t)code;
}

/* FloorLog2(), of a value that is not 0. */
static uint32_t
floor_log2(uint32_t value)
{
    return 31 - (uint32_t)__builtin_clz(value | 1);
}

void
rp_av1_code_ns(struct rp_av1_syntax *syntax, uint32_t n, uint32_t *value)
{
    const uint32_t width = floor_log2(n) + 1;
    const uint32_t short_count = (uint32_t)(((uint64_t)1 << width) - n);
    const bool is_long = syntax->is_writing && *value >= short_count;
    uint32_t code = is_long ? (*value + short_count) >> 1 : *value;
    uint32_t extra = is_long ? (*value + short_count) & 1 : 0;
    if (syntax->is_writing)
        rp_av1_require(syntax, *value < n);
    rp_av1_code_f(syntax, width - 1, &code);
    if (is_long || (!syntax->is_writing && code >= short_count))
        rp_av1_code_f(syntax, 1, &extra);
    if (!syntax->is_writing)
        *value = code < short_count ? code : (code << 1) - short_count + extra;
}

void
rp_av1_code_uvlc(struct rp_av1_syntax *syntax, uint32_t *value)
{
    if (syntax->is_writing) {
        rp_av1_require(syntax, *value != UINT32_MAX);
        rp_bits_ue(&syntax->writer, *value);
        return;
    }
    uint32_t zero_count = 0;
    while (zero_count < 32 && !rp_bit_reader_bit(&syntax->reader) && rp_av1_syntax_is_ok(syntax))
        zero_count++;
    rp_av1_require(syntax, zero_count < 32);
    *value = zero_count < 32
                 ? ((uint32_t)1 << zero_count) - 1 + rp_bit_reader_u(&syntax->reader, zero_count)
                 : 0;
}

void
rp_av1_code_alignment(struct rp_av1_syntax *syntax)
{
    uint32_t zero = 0;
    rp_av1_code_f(syntax, (8 - rp_av1_syntax_position(syntax) % 8) % 8, &zero);
    rp_av1_require(syntax, zero == 0);
}

void
rp_av1_code_trailing(struct rp_av1_syntax *syntax)
{
    uint32_t one = 1;
    rp_av1_code_f(syntax, 1, &one);
    rp_av1_require(syntax, one == 1);
    rp_av1_code_alignment(syntax);
}
