/* SPDX-License-Identifier: MIT */
/* The decoded picture buffer: an image (or a layer of one) for each slot.
 */
#ifndef RP_TOOLS_ENCODE_DPB_H
#define RP_TOOLS_ENCODE_DPB_H

#include "tools/encode/encoder_state.h"

void dpb_create(struct encoder *enc);
void dpb_destroy(struct encoder *enc);

/* The picture in a slot, for begin and encode. */
VkVideoPictureResourceInfoKHR dpb_resource(const struct encoder *enc, uint32_t slot);

/* Records the change of all slots from nothing to reference pictures. */
void dpb_record_first_barriers(struct encoder *enc, VkCommandBuffer cb);

/* A slot's picture, in the encoder's memory until the next call. */
struct planes dpb_read_back(struct encoder *enc, uint32_t slot);

#endif
