/* SPDX-License-Identifier: MIT */
/* Reads headers, and holds what is written against what was read.
 */
#include "walk.h"

#include "tests/test.h"

#define MAX_HEADER_B 2048

static void
require_same_obu_header(const struct rp_av1_obu_header *header, const uint8_t *data,
                        size_t header_B)
{
    uint8_t written[RP_AV1_MAX_OBU_HEADER_B];
    size_t written_B;
    REQUIRE_EQ(rp_av1_obu_header_write(header, written, sizeof(written), &written_B), RP_AV1_OK);
    REQUIRE_EQ(written_B, header_B);
    REQUIRE_BYTES(written, data, header_B);
}

static enum rp_av1_status
walk_sequence(struct av1_walk *walk, const struct av1_obu *obu)
{
    struct rp_av1_sequence seq;
    uint8_t written[MAX_HEADER_B];
    size_t written_B;
    const enum rp_av1_status status =
        rp_av1_sequence_read(obu->payload, obu->header.payload_B, &seq);
    if (status != RP_AV1_OK)
        return status;
    REQUIRE_EQ(rp_av1_sequence_write(&seq, written, sizeof(written), &written_B), RP_AV1_OK);
    REQUIRE(written_B <= obu->header.payload_B);
    REQUIRE_BYTES(written, obu->payload, written_B);
    walk->state.sequence = seq;
    walk->has_sequence = true;
    walk->sequence_count++;
    return RP_AV1_OK;
}

static void
require_same_frame(const struct av1_walk *walk, const uint8_t *data, size_t size_bits)
{
    uint8_t written[MAX_HEADER_B];
    size_t written_bits;
    REQUIRE_EQ(
        rp_av1_frame_write(&walk->frame, &walk->state, written, sizeof(written), &written_bits),
        RP_AV1_OK);
    REQUIRE_EQ(written_bits, size_bits);
    REQUIRE_BYTES(written, data, size_bits / 8);
    if (size_bits % 8)
        REQUIRE_EQ(written[size_bits / 8] >> (8 - size_bits % 8),
                   data[size_bits / 8] >> (8 - size_bits % 8));
}

/* What is between a frame header and the next byte. */
static enum rp_av1_status
check_end(const struct av1_obu *obu, size_t size_bits)
{
    struct rp_av1_syntax syntax;
    uint32_t bits;
    rp_av1_syntax_init_read(&syntax, obu->payload, obu->header.payload_B);
    for (size_t i = 0; i < size_bits; i++)
        rp_av1_code_f(&syntax, 1, &bits);
    if (obu->header.obu_type == RP_AV1_OBU_FRAME)
        rp_av1_code_alignment(&syntax);
    else
        rp_av1_code_trailing(&syntax);
    return rp_av1_syntax_status(&syntax);
}

static enum rp_av1_status
walk_frame(struct av1_walk *walk, struct av1_obu *obu)
{
    size_t size_bits;
    walk->state.temporal_id = obu->header.temporal_id;
    walk->state.spatial_id = obu->header.spatial_id;
    enum rp_av1_status status = rp_av1_frame_read(obu->payload, obu->header.payload_B, &walk->state,
                                                  &walk->frame, &size_bits);
    if (status != RP_AV1_OK)
        return status;
    require_same_frame(walk, obu->payload, size_bits);
    status = check_end(obu, size_bits);
    if (status != RP_AV1_OK)
        return status;
    obu->frame_header_B =
        obu->header.obu_type == RP_AV1_OBU_FRAME ? (size_bits + 7) / 8 : size_bits / 8 + 1;
    rp_av1_state_update(&walk->state, &walk->frame);
    walk->frame_count++;
    walk->shown_count += walk->frame.show_existing_frame;
    return RP_AV1_OK;
}

enum rp_av1_status
av1_walk_next(struct av1_walk *walk, const uint8_t *data, size_t size_B, struct av1_obu *out)
{
    struct av1_obu obu = {0};
    size_t header_B;
    enum rp_av1_status status = rp_av1_obu_header_read(data, size_B, &obu.header, &header_B);
    if (status != RP_AV1_OK)
        return status;
    require_same_obu_header(&obu.header, data, header_B);
    obu.payload = data + header_B;
    obu.size_B = header_B + obu.header.payload_B;
    if (obu.header.obu_type == RP_AV1_OBU_SEQUENCE_HEADER)
        status = walk_sequence(walk, &obu);
    else if (walk->has_sequence && (obu.header.obu_type == RP_AV1_OBU_FRAME_HEADER ||
                                    obu.header.obu_type == RP_AV1_OBU_FRAME))
        status = walk_frame(walk, &obu);
    *out = obu;
    return status;
}
