/* SPDX-License-Identifier: MIT */
/* The contract between the video engine and an AV1 picture encoder: what encode.h leaves to the
 * standard. Clauses are those of the AV1 Bitstream & Decoding Process Specification, version 1.0.0
 * with errata 1.
 *
 * The engine owns the syntax of headers, the codec what tiles hold: the codec codes the tiles of a
 * picture, then says with which parameters it did, and the engine writes the headers in front.
 * What the eight references of a decoder hold is the application's affair: here a name stands for a
 * slot, while ref_frame_idx[] and refresh_frame_flags are no more than numbers for the header.
 */
#ifndef REELPIPE_ENCODE_AV1_H
#define REELPIPE_ENCODE_AV1_H

#include "reelpipe/bits.h"
#include "reelpipe/encode.h"

#include <vk_video/vulkan_video_codec_av1std_encode.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define RP_AV1_MAX_Q_INDEX 255 /* base_q_idx goes from 0, which is lossless, to it */
#define RP_AV1_NAMES STD_VIDEO_AV1_REFS_PER_FRAME /* LAST_FRAME to ALTREF_FRAME */
#define RP_AV1_MAX_DPB_SLOTS 9
#define RP_AV1_SUPERBLOCK_PX 64u
#define RP_AV1_MAP_TEXEL_PX 16u     /* of rp_encode_job::qp_delta */
#define RP_AV1_REFRESH_BLOCK_PX 64u /* of rp_encode_job::force_intra and intra_clean */
#define RP_AV1_ENCODE_MIN_PX 16     /* of width and height */
#define RP_AV1_ENCODE_MAX_WIDTH_PX 8192
#define RP_AV1_ENCODE_MAX_HEIGHT_PX 4352
#define RP_AV1_ENCODE_MAX_TILE_COLS 64
#define RP_AV1_ENCODE_MAX_TILE_ROWS 64

/* How inter blocks may be predicted. The names that the codec can make use of are LAST_FRAME,
 * GOLDEN_FRAME and ALTREF_FRAME alone, and of two of them LAST_FRAME with LAST2_FRAME or
 * GOLDEN_FRAME (both from the past) or with ALTREF_FRAME (from both sides). Others may be there. */
enum rp_av1_prediction {
    RP_AV1_PREDICTION_INTRA,
    RP_AV1_PREDICTION_SINGLE,         /* from one reference */
    RP_AV1_PREDICTION_UNIDIRECTIONAL, /* or two of one side */
    RP_AV1_PREDICTION_BIDIRECTIONAL,  /* or two of any side */
};

/* A picture that a name stands for; picture.slot NULL: none. Names may share a slot. */
struct rp_av1_encode_reference {
    struct rp_dpb_picture picture;
    bool is_foreign; /* content came from elsewhere since the codec wrote it: it must have the
                        samples of the picture that was the last to refresh its number, since what
                        else belongs to a reference (probabilities, motion) is known of that
                        picture; else RP_CODEC_FAILED */
    /* Unless it is foreign: those of a decoder's eight references that are it. They are more than
     * were refreshed with it where a header has shown an existing key frame. */
    uint8_t numbers;
};

/* What the picture was coded with. info is the job's picture with what was coded otherwise put
 * right, in its flags and behind its pointers: pTileInfo (with both size arrays, whether spacing is
 * uniform or not), pQuantization, pLoopFilter and pCDEF are not NULL, pSegmentation is not where
 * segmentation_enabled is set. tile_size_bytes_minus_1 and context_update_tile_id are the
 * codec's. */
struct rp_av1_coded_picture {
    StdVideoEncodeAV1PictureInfo info;
    bool reference_select;
};

/* One picture. Of the values of a quantization map, up to eight are exact. Of more, those eight are
 * kept that are nearest to all in the sum of distances; each block gets the nearest of them. With
 * base_q_idx 0 a map changes nothing, else its indices are 1 at least. What is left of a superblock
 * of force_intra or intra_clean and above it, in its tile, has one of both, too; the two are there
 * or none. Sizes of superblocks are RP_AV1_SUPERBLOCK_PX. The coded extent is the frame's size:
 * frames without an override of it, as large as the sequence says. Emphasis maps are UNSUPPORTED.
 *
 * UNSUPPORTED: formats other than 4:2:0 of 8 or 10 bits; sequences with use_128x128_superblock,
 * still_picture, reduced_still_picture_header, enable_interintra_compound, enable_dual_filter,
 * enable_jnt_comp or film_grain_params_present; sizes outside the limits; tiles that do not cover
 * the frame, or are larger than 4096 pixels in width or 4096 * 2304 in area; frame types other than
 * KEY without a name for LAST_FRAME, GOLDEN_FRAME or ALTREF_FRAME, or with a primary_ref_frame that
 * no slot stands for. FAILED: a slot that holds no picture of this sequence and size. */
struct rp_av1_encode_job {
    struct rp_encode_job common; /* first; preceding_B counts what is in front of the frame OBU */

    /* The sequence header as it is written to the stream, after overrides. Its tools and its color
     * configuration count; pictures that refer to each other have the same. */
    const StdVideoAV1SequenceHeader *sequence;

    /* What is asked for. pTileInfo NULL: as few tiles as can be. pLoopFilter NULL: the codec
     * chooses, without deltas; else its deltas are those in effect, all ten, whatever is updated.
     * pCDEF NULL: the codec chooses; of several pairs of strengths, each block of 64x64 gets that
     * which brings it nearest to the source. pSegmentation, pLoopRestoration, pGlobalMotion:
     * nothing is taken of them, nor of use_superres, allow_screen_content_tools, allow_intrabc,
     * allow_warped_motion, is_motion_mode_switchable, skip_mode_present, using_qmatrix,
     * delta_q_present and delta_lf_present, which are coded as 0. Frame ids, sizes to render, times
     * and the extension header are not looked at. */
    const StdVideoEncodeAV1PictureInfo *picture;

    int32_t q_index; /* base_q_idx 0..255 (0 with deltas is coded as 1); or -1: rate control
                        decides, 1 at least where the application allows that */
    enum rp_rate_type rate_type; /* for rate control and its bounds */
    enum rp_av1_prediction prediction;
    struct rp_av1_encode_reference refs[RP_AV1_NAMES]; /* by name, LAST_FRAME first */
    bool primary_is_cdf_only; /* the name that is primary_ref_frame predicts no pixels */

    uint32_t *tile_size_B; /* out: of each tile's data, without its size field, in the order of the
                              tiles; for at least as many as the picture has. Or NULL */

    /* Appends the OBU header, with its size field, and frame_header_obu() with byte_alignment():
     * what stands in a frame OBU (5.10) in front of tile_group_B bytes of tile_group_obu(). Called
     * on the thread of encode(), for the picture that is coded at last and perhaps for attempts
     * before it: rate control codes some again. */
    void (*write_headers)(const void *ctx, const struct rp_av1_coded_picture *coded,
                          size_t tile_group_B, struct rp_bits *bits);
    const void *write_headers_ctx;
};

static inline struct rp_av1_encode_job *
rp_av1_encode_job_of(struct rp_encode_job *job)
{
    return (struct rp_av1_encode_job *)job;
}

/* NULL when the build does not have it. Any thread. */
const struct rp_encode_codec *rp_codec_av1_encode(void);

#endif
