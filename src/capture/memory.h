/* SPDX-License-Identifier: MIT */
/* What the memory that a submission reaches holds: before it runs, what the reader of the capture
 * does not have; after it, hashes of what may have been written.
 *
 * Buffers are looked at by pages of 4 KiB from their start, images by subresource: level and layer
 * of a plane, as texels without padding. Two resources in the same memory are two contents: what is
 * written through one of them is found, and written again, when the other one is reached.
 */
#ifndef RP_CAPTURE_MEMORY_H
#define RP_CAPTURE_MEMORY_H

#include "capture/capture.h"

/* The submission being captured reaches this; access: bits of enum rp_capture_access. The range is
 * cut at the buffer's end. Called while it is described. buf and img may be NULL. */
void rp_capture_touch_buffer(struct rp_capture *capture, const struct rp_buffer *buf,
                             uint64_t offset_B, uint64_t size_B, uint32_t access);
void rp_capture_touch_image(struct rp_capture *capture, struct rp_image *img, uint32_t access);
/* What buffers with a device address have of size_B bytes from address on. */
void rp_capture_touch_address(struct rp_capture *capture, uint64_t address, uint64_t size_B,
                              uint32_t access);
/* Every buffer that has a device address. */
void rp_capture_touch_addressable(struct rp_capture *capture, uint32_t access);
/* Every image that descriptors were written for that heaps may hold. */
void rp_capture_touch_heap_images(struct rp_capture *capture, uint32_t access);

/* The submission being captured reads descriptors here: if it changes them, what was told of it may
 * be wrong, and the capture ends. */
void rp_capture_expect_descriptors(struct rp_capture *capture, const uint8_t *at, uint64_t size_B);

/* size_B bytes were written, from data on, which is where a range with RP_CAPTURE_OUTPUT begins.
 * While the submission runs; any thread. Without it nothing is known of the range. */
void rp_capture_output(struct rp_capture *capture, const uint8_t *data, uint64_t size_B);

/* For submissions.c, with the mutex held: the lists "memory" and "after". */
void rp_capture_write_memory(struct rp_capture_device *c);
void rp_capture_write_results(struct rp_capture_device *c);
/* Nothing is known of what this submission may write: others run beside it. */
void rp_capture_forget_results(struct rp_capture_device *c);

#endif
