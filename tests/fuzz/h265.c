/* SPDX-License-Identifier: MIT */
/* Fuzz target: H.265 headers. Whatever the bytes are, nothing is read outside of them; what is
 * legal is written and read again without a difference; and pictures of private streams are made of
 * slices whose headers are anything.
 */
#include "target.h"

#include "tests/test.h"
#include "video/h265/nal_units.h"
#include "video/h265/private_stream.h"

#include <string.h>

#define ROOM_B 65536

static struct {
    struct rp_h265_sps sps;
    struct rp_h265_pps pps;
    bool has_sps;
    bool has_pps;
    struct rp_h265_private_streams streams;
    struct rp_h265_private_picture picture;
    uint8_t rbsp[ROOM_B];
    uint8_t written[2][ROOM_B];
} fuzz;

/* Reads from data into an empty structure, or writes what it holds; returns the bytes of it, 0 when
 * it is not legal. */
typedef size_t code_fn(void *what, bool is_writing, uint8_t *data, size_t size_B);

static size_t
finish(const struct rp_h265_syntax *syntax)
{
    return rp_h265_syntax_is_ok(syntax) ? (rp_h265_syntax_position(syntax) + 7) / 8 : 0;
}

static void
begin(struct rp_h265_syntax *syntax, bool is_writing, uint8_t *data, size_t size_B)
{
    if (is_writing)
        rp_h265_syntax_init_write(syntax, data, size_B);
    else
        rp_h265_syntax_init_read(syntax, data, size_B);
}

static size_t
code_sps(void *what, bool is_writing, uint8_t *data, size_t size_B)
{
    struct rp_h265_syntax syntax;
    struct rp_h265_sps *sps = what;
    begin(&syntax, is_writing, data, size_B);
    if (!is_writing)
        memset(sps, 0, sizeof(*sps));
    rp_h265_code_sps(&syntax, sps);
    return finish(&syntax);
}

static size_t
code_pps(void *what, bool is_writing, uint8_t *data, size_t size_B)
{
    struct rp_h265_syntax syntax;
    struct rp_h265_pps *pps = what;
    begin(&syntax, is_writing, data, size_B);
    if (!is_writing)
        memset(pps, 0, sizeof(*pps));
    rp_h265_code_pps(&syntax, pps);
    return finish(&syntax);
}

static size_t
code_slice(void *what, bool is_writing, uint8_t *data, size_t size_B)
{
    static const uint32_t no_offsets[RP_H265_MAX_ENTRY_POINTS];
    const struct rp_h265_slice_context context = {
        .sps = &fuzz.sps.std, .pps = &fuzz.pps.std, .num_pic_total_curr = 3};
    struct rp_h265_syntax syntax;
    struct rp_h265_slice_header *header = what;
    begin(&syntax, is_writing, data, size_B);
    if (!is_writing)
        *header = (struct rp_h265_slice_header){.nal_unit_type = header->nal_unit_type};
    header->entry_point_offset_minus1 = no_offsets;
    rp_h265_code_slice_first_part(&syntax, &context, header);
    rp_h265_code_slice_second_part(&syntax, &context, header);
    return finish(&syntax);
}

/* False when the bytes are not legal. */
static bool
round_trip(code_fn *code, void *what, size_t rbsp_B)
{
    if (code(what, false, fuzz.rbsp, rbsp_B) == 0)
        return false;
    const size_t size_B = code(what, true, fuzz.written[0], ROOM_B);
    REQUIRE(size_B > 0);
    REQUIRE(code(what, false, fuzz.written[0], size_B) > 0);
    REQUIRE_EQ(code(what, true, fuzz.written[1], ROOM_B), size_B);
    REQUIRE(memcmp(fuzz.written[0], fuzz.written[1], size_B) == 0);
    return true;
}

static void
take_sps(size_t rbsp_B)
{
    static struct rp_h265_sps sps;
    if (!round_trip(code_sps, &sps, rbsp_B) || !rp_h265_sps_is_valid(&sps.std))
        return;
    sps.std.pScalingLists = &sps.scaling_lists;
    sps.std.pShortTermRefPicSet = sps.short_term_ref_pic_sets;
    sps.std.pLongTermRefPicsSps = &sps.long_term_ref_pics;
    rp_h265_sps_copy(&fuzz.sps, &sps.std);
    fuzz.has_sps = true;
}

static void
take_pps(size_t rbsp_B)
{
    static struct rp_h265_pps pps;
    if (!round_trip(code_pps, &pps, rbsp_B) || !rp_h265_pps_is_valid(&pps.std))
        return;
    pps.std.pScalingLists = &pps.scaling_lists;
    rp_h265_pps_copy(&fuzz.pps, &pps.std);
    fuzz.has_pps = true;
}

/* References that the bytes choose. */
static void
set_init(struct rp_h265_private_set *set, uint8_t byte)
{
    set->count = byte & 3;
    for (uint32_t i = 0; i < set->count; i++)
        set->at[i] = (struct rp_h265_private_reference){
            .slot = (int32_t)((byte >> 2) + i) % (RP_H265_DECODE_SLOTS + 1) - 1,
            .has_poc = byte & 0x40,
            .poc = (byte & 0x80 ? -1 : 1) * (int32_t)(1 + i) * (byte & 0x3f),
        };
}

static void
make_picture(const uint8_t *data, size_t size_B, uint32_t begin_B, const struct rp_h265_nal *nal)
{
    const uint8_t *at = data + nal->offset_B;
    struct rp_h265_private_request request = {
        .sps = &fuzz.sps.std,
        .pps = &fuzz.pps.std,
        .poc = (int32_t)((uint32_t)at[0] << 24 | (uint32_t)at[1] << 8 | at[2]),
        .short_term_set_bits = at[3] & 7,
        .is_idr = rp_h265_nal_is_slice(nal->nal_unit_type) && nal->nal_unit_type >= 19,
        .setup_slot = at[3] % (RP_H265_DECODE_SLOTS + 1) - 1,
        .src = data,
        .src_B = size_B,
        .slice_offsets_B = &begin_B,
        .slice_count = 1,
    };
    set_init(&request.before, at[1]);
    set_init(&request.after, at[2]);
    set_init(&request.long_term, at[3]);
    if (rp_h265_private_begin(&fuzz.streams, &request, &fuzz.picture) != RP_CODEC_OK)
        return;
    REQUIRE(fuzz.picture.slice_count > fuzz.picture.control_count);
    for (uint32_t i = 0; i <= fuzz.picture.control_count && i < 4; i++) {
        struct rp_h265_decode_job job;
        rp_h265_private_job(&fuzz.picture, i, &job);
        REQUIRE(job.slices[0].header_B > 0 && job.slices[0].data_offset_B <= size_B);
    }
    rp_h265_private_end(&fuzz.streams, &fuzz.picture,
                        at[0] % 7 == 0 ? RP_CODEC_FAILED : RP_CODEC_OK);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size_B)
{
    static struct rp_h265_slice_header header;
    struct rp_h265_nal nal;
    size_t position_B = 0;
    fuzz.has_sps = fuzz.has_pps = false;
    rp_h265_private_streams_init(&fuzz.streams);
    for (size_t begin_B = 0; rp_h265_nal_next(data, size_B, &position_B, &nal);
         begin_B = position_B) {
        const size_t raw_B = nal.size_B < ROOM_B ? nal.size_B : ROOM_B;
        const size_t rbsp_B = rp_h265_unescape(fuzz.rbsp, data + nal.offset_B, raw_B);
        if (nal.nal_unit_type == RP_H265_NAL_SPS)
            take_sps(rbsp_B);
        else if (nal.nal_unit_type == RP_H265_NAL_PPS)
            take_pps(rbsp_B);
        if (!fuzz.has_sps || !fuzz.has_pps || !rp_h265_nal_is_slice(nal.nal_unit_type))
            continue;
        header.nal_unit_type = nal.nal_unit_type;
        (void)round_trip(code_slice, &header, rbsp_B);
        if (nal.size_B >= 4)
            make_picture(data, size_B, (uint32_t)begin_B, &nal);
    }
    rp_h265_private_picture_finish(&fuzz.picture);
    memset(&fuzz.picture, 0, sizeof(fuzz.picture));
    return 0;
}
