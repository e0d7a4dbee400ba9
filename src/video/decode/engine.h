/* SPDX-License-Identifier: MIT */
/* The H.264 decode engine of one video session: from what a command says of a picture to the job
 * of the codec.
 *
 * Calls come from the threads that replay; several queues may take turns on one session. A picture
 * is complete when its call returns.
 */
#ifndef RP_VIDEO_DECODE_ENGINE_H
#define RP_VIDEO_DECODE_ENGINE_H

#include "util/compiler.h"
#include "video/decode/slots.h"

#include "reelpipe/codec.h"
#include "reelpipe/decode_h264.h"
#include "reelpipe/picture.h"

#include <vulkan/vulkan_core.h>

#include <stddef.h>
#include <stdint.h>

#define RP_DECODE_MAX_REFERENCES 32u /* slots that one command may list */
/* Vulkan-Video-Samples asks for one slot more than the capabilities say. Nothing is sized by it. */
#define RP_DECODE_TOLERATED_DPB_SLOTS 18u

struct rp_decode_field;
struct rp_h264_decode_codec;
struct rp_h264_parameters;
struct rp_video_decode;

struct rp_decode_reference {
    struct rp_decode_key key; /* of the slot's picture resource */
    const StdVideoDecodeH264ReferenceInfo *std;
};

/* One vkCmdDecodeVideoKHR; all that it points to is of the call only. */
struct rp_decode_request {
    const struct rp_h264_parameters *parameters;                    /* NULL: all sets are inlined */
    const VkVideoDecodeH264InlineSessionParametersInfoKHR *inlined; /* or NULL */
    const VkVideoDecodeH264PictureInfoKHR *picture;
    const uint8_t *src;
    size_t src_B;
    const struct rp_decode_reference *refs;
    uint32_t ref_count;
    struct rp_decode_key setup; /* of the setup slot's picture resource; image_id 0: none */
    struct rp_picture dst;
    struct rp_picture dst_setup;     /* the setup slot's image when it is another one; or no data */
    struct rp_h264_decode_home home; /* of dst when it may be decoded in place */
    uint64_t sequence;               /* of the submission */
};

/* Loads the codec's library. NULL: *status_out says why. */
struct rp_video_decode *rp_video_decode_create(const struct rp_h264_decode_codec *codec,
                                               uint32_t thread_count,
                                               enum rp_codec_status *status_out);
void rp_video_decode_destroy(struct rp_video_decode *dec); /* accepts NULL */

/* vkCmdControlVideoCodingKHR: what was submitted before it is in no slot any more. FFmpeg does not
 * wait for its first reset, and other queues may have decoded later pictures already. */
void rp_video_decode_reset(struct rp_video_decode *dec, uint64_t sequence);

/* A field was submitted: what is submitted later and does not wait for it must not part it from the
 * first field of its frame (video/h264/fields.h). */
void rp_video_decode_expect(struct rp_video_decode *dec, const struct rp_decode_field *field);

/* It will not be decoded. */
void rp_video_decode_give_up(struct rp_video_decode *dec, const struct rp_decode_field *field);

enum rp_codec_status rp_video_decode_picture(struct rp_video_decode *dec,
                                             const struct rp_decode_request *request) RP_MUST_CHECK;

#endif
