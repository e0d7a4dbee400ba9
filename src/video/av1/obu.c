/* SPDX-License-Identifier: MIT */
/* OBU headers.
 */
#include "video/av1/obu.h"

/* leb128() (4.10.5): of value, of 32 bits at most, in at least min_B bytes. *size_B_out, the size
 * of the code, is read or written. */
static void
code_leb128(struct rp_av1_syntax *syntax, uint32_t min_B, uint64_t *value, uint32_t *size_B_out)
{
    uint64_t rest = *value;
    uint64_t read = 0;
    uint32_t size_B = 0;
    uint32_t byte;
    do {
        byte = (uint32_t)(rest & 127) | (rest > 127 || size_B + 1 < min_B ? 128u : 0);
        rp_av1_code_f(syntax, 8, &byte);
        read |= (uint64_t)(byte & 127) << 7 * size_B;
        rest >>= 7;
        size_B++;
    } while (byte & 128 && size_B < RP_AV1_MAX_LEB128_B);
    rp_av1_require(syntax, !(byte & 128) && read <= UINT32_MAX);
    *value = read;
    *size_B_out = size_B;
}

static void
code_header(struct rp_av1_syntax *syntax, struct rp_av1_obu_header *header)
{
    bool obu_forbidden_bit = false;
    rp_av1_code_flag(syntax, &obu_forbidden_bit);
    rp_av1_require(syntax, !obu_forbidden_bit);
    rp_av1_code_f(syntax, 4, &header->obu_type);
    rp_av1_code_flag(syntax, &header->obu_extension_flag);
    rp_av1_code_flag(syntax, &header->obu_has_size_field);
    rp_av1_code_f(syntax, 1, &header->obu_reserved_1bit);
    if (header->obu_extension_flag) {
        rp_av1_code_f(syntax, 3, &header->temporal_id);
        rp_av1_code_f(syntax, 2, &header->spatial_id);
        rp_av1_code_f(syntax, 3, &header->extension_header_reserved_3bits);
    } else {
        header->temporal_id = header->spatial_id = 0;
        header->extension_header_reserved_3bits = 0;
    }
}

enum rp_av1_status
rp_av1_obu_header_read(const void *data, size_t size_B, struct rp_av1_obu_header *out,
                       size_t *header_B_out)
{
    struct rp_av1_syntax syntax;
    struct rp_av1_obu_header header = {0};
    uint64_t obu_size = 0;
    rp_av1_syntax_init_read(&syntax, data, size_B);
    code_header(&syntax, &header);
    if (header.obu_has_size_field)
        code_leb128(&syntax, 0, &obu_size, &header.size_field_B);
    if (rp_av1_syntax_status(&syntax) != RP_AV1_OK)
        return rp_av1_syntax_status(&syntax);

    const size_t header_B = rp_av1_syntax_position(&syntax) / 8;
    const size_t rest_B = size_B - header_B;
    if (header.obu_has_size_field && obu_size > rest_B)
        return RP_AV1_TRUNCATED;
    header.payload_B = header.obu_has_size_field ? (size_t)obu_size : rest_B;
    *out = header;
    *header_B_out = header_B;
    return RP_AV1_OK;
}

enum rp_av1_status
rp_av1_obu_header_write(const struct rp_av1_obu_header *header, void *data, size_t capacity_B,
                        size_t *header_B_out)
{
    struct rp_av1_syntax syntax;
    struct rp_av1_obu_header copy = *header;
    uint64_t obu_size = header->payload_B;
    rp_av1_syntax_init_write(&syntax, data, capacity_B);
    code_header(&syntax, &copy);
    rp_av1_require(&syntax, header->size_field_B <= RP_AV1_MAX_LEB128_B);
    if (copy.obu_has_size_field && rp_av1_syntax_is_ok(&syntax))
        code_leb128(&syntax, header->size_field_B, &obu_size, &copy.size_field_B);
    *header_B_out = rp_av1_syntax_position(&syntax) / 8;
    return rp_av1_syntax_status(&syntax);
}
