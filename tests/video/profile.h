/* SPDX-License-Identifier: MIT */
/* H.264 encode profiles of 4:2:0 with 8 bits, their images, and sessions for them.
 */
#ifndef RP_TESTS_VIDEO_PROFILE_H
#define RP_TESTS_VIDEO_PROFILE_H

#include "vk.h"

/* The codec's part of the last profile_of(), which points to it. */
extern VkVideoEncodeH264ProfileInfoKHR profile_h264;
VkVideoProfileInfoKHR profile_of(StdVideoH264ProfileIdc idc);

/* How many formats images of that usage may have, 16 at the most: sets out, and what the driver
 * returned. */
uint32_t profile_formats(struct vk *vk, const VkVideoProfileInfoKHR *profile,
                         VkImageUsageFlags usage, VkVideoFormatPropertiesKHR *out,
                         VkResult *result);

/* NV12 of up to 640x480 pixels, 4 slots, 3 references. */
VkVideoSessionCreateInfoKHR profile_session(const VkVideoProfileInfoKHR *profile,
                                            const VkExtensionProperties *version);

#endif
