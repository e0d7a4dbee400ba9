/* SPDX-License-Identifier: MIT */
/* The decoder's contract (reelpipe/decode_h264.h) met by Vulkan calls, so that its test
 * application with its own DPB is a client of the device.
 *
 * Image layouts mean nothing to the device and are left out.
 */
#ifndef RP_TESTS_VIDEO_JOB_DECODER_H
#define RP_TESTS_VIDEO_JOB_DECODER_H

#include "guarded_image.h"
#include "vk.h"

#include "reelpipe/decode_h264.h"

#include <stdbool.h>
#include <stdint.h>

struct job_decoder_options {
    VkFormat dst_format;  /* of the output pictures */
    bool is_distinct;     /* output and DPB picture are different images */
    bool is_dpb_readable; /* of distinct images: the DPB's get the picture too, and are read */
    bool is_layered;      /* slots are the layers of one image */
    bool is_moving;       /* every frame gets a new image, whose slot's old one is freed */
    bool is_overwritten;  /* images are overwritten as soon as they are no reference; not layered */
    bool is_aliased;      /* pictures are read from other images in the same place */
    int32_t border_px;    /* right of and below pictures; less than 0: cut off */
    uint32_t offset_px;   /* of pictures in their images */
    enum guarded_memory memory;
    uint32_t margin_B;     /* of other slices before and behind each picture's */
    bool is_only_recorded; /* nothing is decoded before job_decoder_submit() */
    VkQueue queue;         /* VK_NULL_HANDLE: the first decode queue */
};

/* decode() and reset(); a decoder is made by job_decoder_open. */
extern const struct rp_decode_codec job_decoder_codec;

struct rp_decoder *job_decoder_open(struct vk *vk, const struct job_decoder_options *options);
void job_decoder_close(struct rp_decoder *dec);

/* With is_only_recorded: submits picture number index again; all of them in their order decode the
 * stream. Without waiting. */
void job_decoder_submit(struct rp_decoder *dec, uint32_t index);
uint32_t job_decoder_count(const struct rp_decoder *dec);
/* Pictures whose query says that they are not complete. */
uint32_t job_decoder_error_count(struct rp_decoder *dec);

#endif
