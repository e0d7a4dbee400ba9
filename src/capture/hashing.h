/* SPDX-License-Identifier: MIT */
/* Hashes of what a submission reaches, made by the device's workers at once: nothing else runs on
 * them meanwhile. The mutex is held. NULL or false: there is no memory, and the capture has ended.
 */
#ifndef RP_CAPTURE_HASHING_H
#define RP_CAPTURE_HASHING_H

#include "capture/capture.h"
#include "capture/content_hash.h"

/* The hash of each page that bytes lie in which begin at offset_B of a buffer, as far as they do.
 * copy: where they are copied before the copies are hashed, or NULL. Valid until the next call. */
const uint64_t *rp_capture_hash_pages(struct rp_capture_device *c, const uint8_t *data,
                                      uint64_t offset_B, uint64_t size_B, uint8_t *copy);

/* The hash of each page of size_B of a subresource's texels without padding, from at_B on, as a
 * blob: they are copied to copy. */
const uint64_t *rp_capture_hash_texels(struct rp_capture_device *c,
                                       const struct rp_content_rows *rows, uint64_t at_B,
                                       uint64_t size_B, uint8_t *copy);

bool rp_capture_hash_rows(struct rp_capture_device *c, const struct rp_content_rows *rows,
                          uint64_t *out);

#endif
