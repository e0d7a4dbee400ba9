/* SPDX-License-Identifier: MIT */
/* Source images and the buffers that fill them; where planes lie in such a buffer.
 */
#ifndef RP_TOOLS_ENCODE_SOURCE_H
#define RP_TOOLS_ENCODE_SOURCE_H

#include "tools/encode/encoder_state.h"

void sources_create(struct encoder *enc);
void sources_destroy(struct encoder *enc);

/* Pictures in buffers: planes one behind the other. */
VkDeviceSize staging_size(const struct encoder *enc);
struct planes staging_planes(const struct encoder *enc, VkFormat format,
                             const struct gpu_buffer *buffer);

/* The copies between such a buffer and a layer of an image; returns how many regions there are. */
uint32_t staging_regions(const struct encoder *enc, VkFormat format, uint32_t layer,
                         VkBufferImageCopy regions[3]);

#endif
