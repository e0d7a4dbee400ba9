/* SPDX-License-Identifier: MIT */
/* The streams that the H.265 decoder gets (include/reelpipe/decode_h265.h): parameter sets and
 * slice segment headers are written anew, from what an application says of each of its pictures.
 *
 * To the decoder every stream is endless: its pictures are TRAIL_R pictures of one coded video
 * sequence, never output, whatever they are to the application; so nothing but the reference
 * picture set of a picture drops others. Each set names all pictures that are in slots: those that
 * the picture refers to as the application says, the others as pictures that it does not
 * use. There is one stream for each sequence parameter set that differs in what decoding needs.
 *
 * Pictures have order counts of ours. Those that refer to each other differ by what the
 * application's do; an IDR picture, and one with nothing before it, begins anew, near the last
 * one and away from all others. Where the decoder could not tell two counts apart, control
 * pictures lead from one to the other: their slices cannot be decoded. When several sequences
 * alternate in one stream, and one of them comes to where pictures of another one are, these are
 * lost: that takes thousands of pictures without an intra picture.
 */
#ifndef RP_VIDEO_H265_PRIVATE_STREAM_H
#define RP_VIDEO_H265_PRIVATE_STREAM_H

#include "video/h265/slice_header.h"

#include "reelpipe/codec.h"
#include "reelpipe/decode_h265.h"

#include <vk_video/vulkan_video_codec_h265std_decode.h>

#define RP_H265_PRIVATE_SETS_B 16384u /* the private parameter sets, with emulation prevention */
#define RP_H265_PRIVATE_HEADER_B 24576u
#define RP_H265_PRIVATE_POCS 64u
#define RP_H265_PRIVATE_LISTED 32u

/* Pictures that may be kept: those of an application, and those of its next sequences that frame
 * threads decode before the last one of this is done. libavcodec has room for 32, the picture that
 * is decoded and one that is not there among them. */
#define RP_H265_PRIVATE_SLOTS 31

struct rp_h265_private_stream {
    uint8_t sps[RP_H265_PRIVATE_SETS_B / 2]; /* VPS and SPS NAL units */
    size_t sps_B;                            /* 0: the stream is not used */
    uint64_t last_use;
    int32_t last_poc; /* private, of the picture decoded last */
    int64_t bias;     /* of that one: private minus the application's */

    /* Counts of all pictures that the decoder has: those in slots, and those that it will drop with
     * the next picture. */
    int32_t pocs[RP_H265_PRIVATE_POCS];
    uint32_t poc_count;
};

/* A picture of the decoder. */
struct rp_h265_private_slot {
    int32_t stream; /* -1: there is no picture */
    int32_t poc;    /* private */
    int64_t bias;   /* private minus the application's */
};

struct rp_h265_private_streams {
    struct rp_h265_private_stream at[RP_H265_DECODE_STREAMS];
    struct rp_h265_private_slot slots[RP_H265_PRIVATE_SLOTS];
    uint64_t picture_count;
    bool are_kept_listed; /* in pReferenceSlots, also what a picture does not refer to */
};

/* An entry of a reference picture set. */
struct rp_h265_private_reference {
    int32_t slot; /* the decoder's; -1: it is not known */
    bool has_poc;
    int32_t poc; /* the application's */
};

struct rp_h265_private_set {
    struct rp_h265_private_reference at[STD_VIDEO_DECODE_H265_REF_PIC_SET_LIST_SIZE];
    uint32_t count;
};

/* A picture as vkCmdDecodeVideoKHR has it. */
struct rp_h265_private_request {
    const StdVideoH265SequenceParameterSet *sps;
    const StdVideoH265PictureParameterSet *pps;
    int32_t poc;
    uint32_t short_term_set_bits;         /* NumBitsForSTRefPicSetInSlice */
    struct rp_h265_private_set before;    /* RefPicSetStCurrBefore */
    struct rp_h265_private_set after;     /* RefPicSetStCurrAfter */
    struct rp_h265_private_set long_term; /* RefPicSetLtCurr */
    struct rp_h265_private_reference listed[RP_H265_PRIVATE_LISTED]; /* all in pReferenceSlots */
    uint32_t listed_count;
    bool is_idr;
    int32_t setup_slot; /* the decoder's; -1: the picture is not kept */

    /* The source range: headers are read once, and the data only to find where they end. */
    const uint8_t *src;
    size_t src_B;
    const uint32_t *slice_offsets_B; /* a slice segment, or more, is at or behind each of them */
    uint32_t slice_count;
};

/* The reference picture set of a picture of a private stream. */
struct rp_h265_private_rps {
    StdVideoH265ShortTermRefPicSet short_term;
    struct rp_h265_long_term_entry long_term[RP_H265_MAX_LONG_TERM];
    uint32_t long_term_count;
};

/* A picture of a stream while it is decoded; zeroed once, and kept for its memory. */
struct rp_h265_private_picture {
    uint32_t stream;
    bool starts_stream;
    bool is_damaged; /* a reference or a slice was not there */
    int32_t poc;     /* private */
    int32_t setup_slot;
    int64_t bias;
    uint32_t control_count; /* pictures that go before it */
    int32_t missing_pocs[STD_VIDEO_DECODE_H265_REF_PIC_SET_LIST_SIZE]; /* made by the decoder */
    uint32_t missing_count;

    struct rp_h265_sps app_sps;
    struct rp_h265_pps app_pps;
    struct rp_h265_sps sps; /* private */
    struct rp_h265_pps pps;
    uint32_t num_pic_total_curr;
    struct rp_h265_private_rps rps;
    uint8_t parameter_sets[RP_H265_PRIVATE_SETS_B];
    size_t parameter_sets_B;

    uint8_t *headers; /* owned */
    size_t headers_B;
    size_t headers_capacity_B;
    struct rp_h265_decode_slice *slices; /* owned */
    uint32_t slice_count;
    uint32_t slice_capacity;

    struct rp_h265_slice_header header; /* scratch */
    uint8_t raw[RP_H265_PRIVATE_HEADER_B];
    uint8_t rbsp[RP_H265_PRIVATE_HEADER_B];
};

/* Also when the decoder is reset. */
void rp_h265_private_streams_init(struct rp_h265_private_streams *streams);

void rp_h265_private_picture_finish(struct rp_h265_private_picture *picture);

/* RP_CODEC_OK, UNSUPPORTED (the parameter sets are none that can be decoded), FAILED (there is no
 * slice whose header can be read) or NO_MEMORY. When it is OK the picture is to be decoded and then
 * ended; else there is no picture in its slot, and nothing else has changed. */
enum rp_codec_status rp_h265_private_begin(struct rp_h265_private_streams *streams,
                                           const struct rp_h265_private_request *request,
                                           struct rp_h265_private_picture *picture);

/* The jobs of the picture, in order: index below control_count, whose statuses do not matter, then
 * the picture's own. All but what is common; pointers lead into picture. */
void rp_h265_private_job(struct rp_h265_private_picture *picture, uint32_t index,
                         struct rp_h265_decode_job *out);

/* status: of the picture's own job. */
void rp_h265_private_end(struct rp_h265_private_streams *streams,
                         const struct rp_h265_private_picture *picture,
                         enum rp_codec_status status);

#endif
