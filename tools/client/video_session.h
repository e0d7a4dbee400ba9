/* SPDX-License-Identifier: MIT */
/* Video sessions of any codec, from the profile to the session parameters: what the tools and the
 * tests do in front of the first picture.
 *
 * Plain Vulkan calls; nothing here knows a driver or a codec. What a codec wants to be told comes
 * in Vulkan's own chains (for H.264: video_h264.h). Functions return what Vulkan returned; nothing
 * is written to their outputs on failure, and nothing is left behind.
 */
#ifndef RP_TOOLS_CLIENT_VIDEO_SESSION_H
#define RP_TOOLS_CLIENT_VIDEO_SESSION_H

#include <vulkan/vulkan_core.h>

#include <stddef.h>
#include <stdint.h>

/* The device's functions that sessions are made with. */
#define VIDEO_SESSION_FUNCTIONS(X) \
    X(AllocateMemory) \
    X(BindVideoSessionMemoryKHR) \
    X(CreateVideoSessionKHR) \
    X(CreateVideoSessionParametersKHR) \
    X(DestroyVideoSessionKHR) \
    X(DestroyVideoSessionParametersKHR) \
    X(FreeMemory) \
    X(GetEncodedVideoSessionParametersKHR) \
    X(GetVideoSessionMemoryRequirementsKHR)

/* A device with these functions. Those of extensions that the device was made without are NULL. */
struct video_device {
    VkDevice handle;
#define VIDEO_SESSION_MEMBER(name) PFN_vk##name name;
    VIDEO_SESSION_FUNCTIONS(VIDEO_SESSION_MEMBER)
#undef VIDEO_SESSION_MEMBER
};

struct video_device video_device_load(VkDevice device, PFN_vkGetDeviceProcAddr get);

/* A profile of 4:2:0 with 8 bits; chain holds the codec's structure, which must stay. */
VkVideoProfileInfoKHR video_profile(VkVideoCodecOperationFlagBitsKHR operation, const void *chain);

/* For the chains of images and buffers; the profile must stay. */
VkVideoProfileListInfoKHR video_profile_list(const VkVideoProfileInfoKHR *profile);

/* The formats of images with that usage, as vkGetPhysicalDeviceVideoFormatPropertiesKHR gives them:
 * VK_INCOMPLETE when there are more than VIDEO_MAX_FORMATS. */
#define VIDEO_MAX_FORMATS 16
struct video_formats {
    VkVideoFormatPropertiesKHR properties[VIDEO_MAX_FORMATS];
    uint32_t count;
};
VkResult video_formats_get(PFN_vkGetPhysicalDeviceVideoFormatPropertiesKHR get,
                           VkPhysicalDevice device, const VkVideoProfileInfoKHR *profile,
                           VkImageUsageFlags usage, struct video_formats *out);

/* The version of the codec's Std headers that this was built with; NULL for operations that
 * have none here. */
const VkExtensionProperties *video_std_version(VkVideoCodecOperationFlagBitsKHR operation);

#define VIDEO_SESSION_MAX_MEMORIES 16

/* A session and the memory that it wanted. */
struct video_session {
    VkVideoSessionKHR handle;
    VkDeviceMemory memory[VIDEO_SESSION_MAX_MEMORIES];
    uint32_t memory_count;
};

/* Makes the session, asks what memory it wants, allocates and binds it.
 * VK_ERROR_INITIALIZATION_FAILED when it wants more than VIDEO_SESSION_MAX_MEMORIES. */
VkResult video_session_create(const struct video_device *device,
                              const VkVideoSessionCreateInfoKHR *info, struct video_session *out);

/* A zeroed session is none. */
void video_session_destroy(const struct video_device *device, struct video_session *session);

/* chain holds the codec's structure with the parameter sets. */
VkResult video_parameters_create(const struct video_device *device, VkVideoSessionKHR session,
                                 VkVideoSessionParametersCreateFlagsKHR flags, const void *chain,
                                 VkVideoSessionParametersKHR *out);

/* The parameter sets as the driver codes them, which may have changed them: feedback, which may be
 * NULL, says whether. chain says which are wanted. data and *size_B as in
 * vkGetEncodedVideoSessionParametersKHR: without data the size is asked for. */
VkResult video_parameters_encoded(const struct video_device *device,
                                  VkVideoSessionParametersKHR parameters, const void *chain,
                                  VkVideoEncodeSessionParametersFeedbackInfoKHR *feedback,
                                  size_t *size_B, void *data);

#endif
