/* SPDX-License-Identifier: MIT */
/* Making video sessions, in the order in which Vulkan wants to be asked. */
#include "tools/client/video_session.h"

struct video_device
video_device_load(VkDevice device, PFN_vkGetDeviceProcAddr get)
{
    struct video_device out = {.handle = device};

#define LOAD(name) out.name = (PFN_vk##name)get(device, "vk" #name);
    VIDEO_SESSION_FUNCTIONS(LOAD)
#undef LOAD
    return out;
}

VkVideoProfileInfoKHR
video_profile(VkVideoCodecOperationFlagBitsKHR operation, const void *chain)
{
    return (VkVideoProfileInfoKHR){
        .sType = VK_STRUCTURE_TYPE_VIDEO_PROFILE_INFO_KHR,
        .pNext = chain,
        .videoCodecOperation = operation,
        .chromaSubsampling = VK_VIDEO_CHROMA_SUBSAMPLING_420_BIT_KHR,
        .lumaBitDepth = VK_VIDEO_COMPONENT_BIT_DEPTH_8_BIT_KHR,
        .chromaBitDepth = VK_VIDEO_COMPONENT_BIT_DEPTH_8_BIT_KHR,
    };
}

VkVideoProfileListInfoKHR
video_profile_list(const VkVideoProfileInfoKHR *profile)
{
    return (VkVideoProfileListInfoKHR){
        .sType = VK_STRUCTURE_TYPE_VIDEO_PROFILE_LIST_INFO_KHR,
        .profileCount = 1,
        .pProfiles = profile,
    };
}

VkResult
video_formats_get(PFN_vkGetPhysicalDeviceVideoFormatPropertiesKHR get, VkPhysicalDevice device,
                  const VkVideoProfileInfoKHR *profile, VkImageUsageFlags usage,
                  struct video_formats *out)
{
    const VkVideoProfileListInfoKHR list = video_profile_list(profile);
    const VkPhysicalDeviceVideoFormatInfoKHR info = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VIDEO_FORMAT_INFO_KHR,
        .pNext = &list,
        .imageUsage = usage,
    };

    out->count = VIDEO_MAX_FORMATS;
    for (uint32_t i = 0; i < VIDEO_MAX_FORMATS; i++)
        out->properties[i] = (VkVideoFormatPropertiesKHR){
            .sType = VK_STRUCTURE_TYPE_VIDEO_FORMAT_PROPERTIES_KHR,
        };
    return get(device, &info, &out->count, out->properties);
}

/* clang-format off */
#define STD_VERSION(operation, codec) \
    {VK_VIDEO_CODEC_OPERATION_##operation##_BIT_KHR, \
     {VK_STD_VULKAN_VIDEO_CODEC_##codec##_EXTENSION_NAME, \
      VK_STD_VULKAN_VIDEO_CODEC_##codec##_SPEC_VERSION}}
/* clang-format on */

const VkExtensionProperties *
video_std_version(VkVideoCodecOperationFlagBitsKHR operation)
{
    static const struct {
        VkVideoCodecOperationFlagBitsKHR operation;
        VkExtensionProperties version;
    } versions[] = {
        STD_VERSION(ENCODE_H264, H264_ENCODE), STD_VERSION(DECODE_H264, H264_DECODE),
        STD_VERSION(ENCODE_H265, H265_ENCODE), STD_VERSION(DECODE_H265, H265_DECODE),
        STD_VERSION(ENCODE_AV1, AV1_ENCODE),   STD_VERSION(DECODE_AV1, AV1_DECODE),
        STD_VERSION(DECODE_VP9, VP9_DECODE),
    };

    for (size_t i = 0; i < sizeof(versions) / sizeof(versions[0]); i++) {
        if (versions[i].operation == operation)
            return &versions[i].version;
    }
    return NULL;
}

/* Any memory type will do: the session alone uses it. */
static VkResult
memory_allocate(const struct video_device *device, const VkMemoryRequirements *needs,
                VkDeviceMemory *out)
{
    VkMemoryAllocateInfo info = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
        .allocationSize = needs->size,
    };

    while (info.memoryTypeIndex < 31 && !(needs->memoryTypeBits >> info.memoryTypeIndex & 1))
        info.memoryTypeIndex++;
    return device->AllocateMemory(device->handle, &info, NULL, out);
}

static VkResult
session_bind_memory(const struct video_device *device, struct video_session *session)
{
    VkVideoSessionMemoryRequirementsKHR needs[VIDEO_SESSION_MAX_MEMORIES];
    VkBindVideoSessionMemoryInfoKHR binds[VIDEO_SESSION_MAX_MEMORIES];
    uint32_t count = VIDEO_SESSION_MAX_MEMORIES;
    VkResult result;

    for (uint32_t i = 0; i < count; i++)
        needs[i] = (VkVideoSessionMemoryRequirementsKHR){
            .sType = VK_STRUCTURE_TYPE_VIDEO_SESSION_MEMORY_REQUIREMENTS_KHR,
        };
    result = device->GetVideoSessionMemoryRequirementsKHR(device->handle, session->handle, &count,
                                                          needs);
    if (result != VK_SUCCESS)
        return result == VK_INCOMPLETE ? VK_ERROR_INITIALIZATION_FAILED : result;
    for (uint32_t i = 0; i < count; i++) {
        result = memory_allocate(device, &needs[i].memoryRequirements, &session->memory[i]);
        if (result != VK_SUCCESS)
            return result;
        session->memory_count++;
        binds[i] = (VkBindVideoSessionMemoryInfoKHR){
            .sType = VK_STRUCTURE_TYPE_BIND_VIDEO_SESSION_MEMORY_INFO_KHR,
            .memoryBindIndex = needs[i].memoryBindIndex,
            .memory = session->memory[i],
            .memorySize = needs[i].memoryRequirements.size,
        };
    }
    if (count == 0)
        return VK_SUCCESS;
    return device->BindVideoSessionMemoryKHR(device->handle, session->handle, count, binds);
}

VkResult
video_session_create(const struct video_device *device, const VkVideoSessionCreateInfoKHR *info,
                     struct video_session *out)
{
    struct video_session session = {0};
    VkResult result = device->CreateVideoSessionKHR(device->handle, info, NULL, &session.handle);

    if (result != VK_SUCCESS)
        return result;
    result = session_bind_memory(device, &session);
    if (result != VK_SUCCESS) {
        video_session_destroy(device, &session);
        return result;
    }
    *out = session;
    return VK_SUCCESS;
}

void
video_session_destroy(const struct video_device *device, struct video_session *session)
{
    if (session->handle)
        device->DestroyVideoSessionKHR(device->handle, session->handle, NULL);
    for (uint32_t i = 0; i < session->memory_count; i++)
        device->FreeMemory(device->handle, session->memory[i], NULL);
    *session = (struct video_session){0};
}

VkResult
video_parameters_create(const struct video_device *device, VkVideoSessionKHR session,
                        VkVideoSessionParametersCreateFlagsKHR flags, const void *chain,
                        VkVideoSessionParametersKHR *out)
{
    const VkVideoSessionParametersCreateInfoKHR info = {
        .sType = VK_STRUCTURE_TYPE_VIDEO_SESSION_PARAMETERS_CREATE_INFO_KHR,
        .pNext = chain,
        .flags = flags,
        .videoSession = session,
    };
    VkVideoSessionParametersKHR parameters;
    const VkResult result =
        device->CreateVideoSessionParametersKHR(device->handle, &info, NULL, &parameters);

    if (result == VK_SUCCESS)
        *out = parameters;
    return result;
}

VkResult
video_parameters_encoded(const struct video_device *device, VkVideoSessionParametersKHR parameters,
                         const void *chain, VkVideoEncodeSessionParametersFeedbackInfoKHR *feedback,
                         size_t *size_B, void *data)
{
    const VkVideoEncodeSessionParametersGetInfoKHR info = {
        .sType = VK_STRUCTURE_TYPE_VIDEO_ENCODE_SESSION_PARAMETERS_GET_INFO_KHR,
        .pNext = chain,
        .videoSessionParameters = parameters,
    };

    return device->GetEncodedVideoSessionParametersKHR(device->handle, &info, feedback, size_B,
                                                       data);
}
