/* SPDX-License-Identifier: MIT */
/* The streams that the AV1 decoder gets (include/reelpipe/decode_av1.h): their headers are written
 * here, from what an application says of each of its pictures.
 *
 * To the decoder every stream is endless: its pictures are INTRA_ONLY or INTER frames that are
 * shown at once, whatever they are to the application. A key frame would empty the decoder's
 * references, and a switch frame would be all of them; neither differs otherwise in how it is
 * decoded. A picture takes the place of one reference, which private_references.h chooses, and is
 * named by it. The application's own frame header is not looked at. There is one stream for each
 * sequence header that differs in what decoding needs.
 */
#ifndef RP_VIDEO_AV1_PRIVATE_STREAM_H
#define RP_VIDEO_AV1_PRIVATE_STREAM_H

#include "reelpipe/codec.h"
#include "reelpipe/decode_av1.h"
#include "video/av1/private_references.h"

#include <vk_video/vulkan_video_codec_av1std_decode.h>

#define RP_AV1_PRIVATE_SEQUENCE_B 64
#define RP_AV1_PRIVATE_FRAME_B 2048

struct rp_av1_private_stream {
    uint8_t sequence_header[RP_AV1_PRIVATE_SEQUENCE_B]; /* an OBU's payload */
    size_t sequence_header_B;                           /* 0: the stream is not used */
    uint64_t last_use;
    struct rp_av1_state state; /* after its last picture */
    struct rp_av1_private_references refs;
};

struct rp_av1_private_streams {
    struct rp_av1_private_stream at[RP_AV1_DECODE_STREAMS];
    uint64_t picture_count;
};

/* A picture as vkCmdDecodeVideoKHR has it. Slots are any numbers from 0, or -1 for none. */
struct rp_av1_private_request {
    const StdVideoAV1SequenceHeader *sequence;
    const StdVideoDecodeAV1PictureInfo *picture;
    int32_t name_slots[RP_AV1_REFS_PER_FRAME]; /* referenceNameSlotIndices */
    int32_t setup_slot;
    uint32_t width_px; /* the coded extent */
    uint32_t height_px;
    uint32_t tile_count;
};

/* Headers for a job, and what rp_av1_private_end() needs. */
struct rp_av1_private_picture {
    uint32_t stream;
    bool starts_stream;
    bool applies_film_grain;
    bool is_damaged; /* a reference had no picture; another one takes its place */
    uint8_t frame_header[RP_AV1_PRIVATE_FRAME_B];
    size_t frame_header_B;

    int32_t index; /* of the reference that it becomes, or RP_AV1_PRIVATE_NONE */
    int32_t setup_slot;
    struct rp_av1_private_use use;
    struct rp_av1_private_references refs_before;
    struct rp_av1_frame frame;
};

/* RP_CODEC_OK, UNSUPPORTED (the sequence is not of the Main profile) or FAILED (its colors are
 * missing). std may be NULL. */
enum rp_codec_status rp_av1_private_sequence_check(const StdVideoAV1SequenceHeader *std);

/* Also when the decoder is reset. */
void rp_av1_private_streams_init(struct rp_av1_private_streams *streams);

/* RP_CODEC_OK, UNSUPPORTED (the sequence is not of the Main profile) or FAILED (the structures are
 * no legal header, or there is nothing to refer to). When it is OK the picture is to be decoded and
 * then ended; else nothing has changed. */
enum rp_codec_status rp_av1_private_begin(struct rp_av1_private_streams *streams,
                                          const struct rp_av1_private_request *request,
                                          struct rp_av1_private_picture *out);

/* There is no picture in the slot (-1: none) any more. */
void rp_av1_private_streams_drop(struct rp_av1_private_streams *streams, int32_t slot);

/* is_decoded: else there is no picture in the setup slot now. */
void rp_av1_private_end(struct rp_av1_private_streams *streams,
                        const struct rp_av1_private_picture *picture, bool is_decoded);

#endif
