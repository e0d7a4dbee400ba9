/* SPDX-License-Identifier: MIT */
/* Decodes AV1 pictures, as tests/codec_dav1d/app.h describes them, with vkCmdDecodeVideoKHR.
 */
#ifndef RP_TESTS_VIDEO_AV1_DECODER_H
#define RP_TESTS_VIDEO_AV1_DECODER_H

#include "guarded_image.h"
#include "vk.h"

#include "tests/codec_dav1d/app.h"

/* Changes a picture that is about to be recorded. */
typedef void av1_change_fn(VkVideoDecodeInfoKHR *info, VkVideoDecodeAV1PictureInfoKHR *av1);

/* Around each submission, and what it does on the device. */
typedef void av1_submission_fn(bool is_beginning);

struct av1_decoder_options {
    uint32_t bit_depth; /* of the streams, 8 or 10 */
    bool is_i420;       /* output images of 8 bits that are distinct; else NV12, or P010 */
    bool is_distinct;   /* images for output and DPB, also without film grain */
    bool is_layered;    /* one DPB image */
    bool is_moving;     /* a new image for every picture; the slot's old one is freed */
    bool is_inline;     /* sequence headers come with the pictures */
    bool is_narrow;     /* coded extents are those before super-resolution (GStreamer) */
    bool shall_reset;   /* at every key frame that is shown */
    bool has_grain;     /* of the profile */
    uint32_t border_px; /* of images, right of and below pictures */
    uint32_t margin_B;  /* of other bytes around each picture's, and each tile's */
    enum guarded_memory memory;

    av1_change_fn *change;         /* may be NULL */
    av1_submission_fn *submission; /* called before and after each; may be NULL */
};

struct av1_decoder;

/* NULL: the device does not decode AV1 of the bit depth. */
struct av1_decoder *av1_decoder_open(struct vk *vk, const struct av1_decoder_options *options);
void av1_decoder_close(struct av1_decoder *dec);

/* For pictures that are recorded from now on. */
void av1_decoder_set_change(struct av1_decoder *dec, av1_change_fn *change);
void av1_decoder_set_inline(struct av1_decoder *dec, bool is_inline);
void av1_decoder_reset(struct av1_decoder *dec);

VkVideoSessionKHR av1_decoder_session(const struct av1_decoder *dec);

/* For struct app_decoder: ctx is the decoder. NO_MEMORY when the submission says so, DAMAGED when
 * the query does. */
enum rp_codec_status av1_decoder_decode(void *ctx, const struct app_job *job);
void av1_decoder_begin_sequence(void *ctx);

#endif
