/* SPDX-License-Identifier: MIT */
/* One picture: recorded, submitted, collected.
 */
#ifndef RP_TOOLS_ENCODE_PICTURE_H
#define RP_TOOLS_ENCODE_PICTURE_H

#include "tools/encode/encoder_state.h"

/* Resets the session and sets rate control and quality level; waits for it. */
void session_initialize(struct encoder *enc, VkCommandBuffer cb);

/* Records and submits the picture that the group of pictures has next. */
void picture_submit(struct encoder *enc, struct flight *flight, struct source *source);

/* Waits for the picture and hands its bytes on. */
void picture_collect(struct encoder *enc, struct flight *flight);

#endif
