/* SPDX-License-Identifier: MIT */
/* From what descriptors point to, back to objects of the application that are alive.
 *
 * For describing a submission (the capture's mutex is held). NULL: there is none, as of descriptors
 * whose object is gone and that no kernel uses.
 */
#ifndef RP_CAPTURE_LOOKUP_H
#define RP_CAPTURE_LOOKUP_H

#include "capture/capture.h"
#include "compute/bindings.h"

struct rp_buffer_view;
struct rp_image_view;
struct rp_pipeline;
struct rp_sampler;

/* Where the buffers of the application lie that are bound, or its buffer views; owners are struct
 * rp_capture_object. Until an object is made or goes. */
const struct rp_spans *rp_capture_spans(struct rp_capture_device *c, enum rp_capture_list list);

/* One that holds these bytes and, unless limit_B is 0, ends limit_B bytes after ptr. */
const struct rp_buffer *rp_capture_find_buffer(struct rp_capture *capture, const uint8_t *ptr,
                                               uint64_t size_B, uint64_t limit_B);
const struct rp_buffer_view *rp_capture_find_buffer_view(struct rp_capture *capture,
                                                         const struct rp_descriptor *item);
const struct rp_image_view *rp_capture_find_view(struct rp_capture *capture,
                                                 const struct rp_texture *texture);
const struct rp_sampler *rp_capture_find_sampler(struct rp_capture *capture,
                                                 const struct rp_sampler_state *state);
/* One in the same state, for copies that are known to be there: those of pushed descriptors. */
const struct rp_sampler *rp_capture_find_equal_sampler(struct rp_capture *capture,
                                                       const struct rp_sampler_state *state);

/* Bits of enum rp_capture_kernel_flag. */
uint32_t rp_capture_kernel_flags(struct rp_capture *capture, const struct rp_pipeline *pipeline);

#endif
