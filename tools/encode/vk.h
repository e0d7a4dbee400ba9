/* SPDX-License-Identifier: MIT */
/* The Vulkan functions that the tools call, found through the machine's loader at run time.
 *
 * The tools are ordinary applications: nothing here knows a driver. A call that fails ends the
 * program with a message, because none of them could go on.
 */
#ifndef RP_TOOLS_ENCODE_VK_H
#define RP_TOOLS_ENCODE_VK_H

#include "util/compiler.h"

#include <vulkan/vulkan_core.h>

#define VK_GLOBAL_FUNCTIONS(X) \
    X(CreateInstance) \
    X(EnumerateInstanceVersion)

#define VK_INSTANCE_FUNCTIONS(X) \
    X(CreateDevice) \
    X(DestroyInstance) \
    X(EnumerateDeviceExtensionProperties) \
    X(EnumeratePhysicalDevices) \
    X(GetDeviceProcAddr) \
    X(GetPhysicalDeviceMemoryProperties) \
    X(GetPhysicalDeviceProperties) \
    X(GetPhysicalDeviceQueueFamilyProperties2) \
    X(GetPhysicalDeviceVideoCapabilitiesKHR) \
    X(GetPhysicalDeviceVideoFormatPropertiesKHR)

#define VK_DEVICE_FUNCTIONS(X) \
    X(AllocateCommandBuffers) \
    X(AllocateDescriptorSets) \
    X(AllocateMemory) \
    X(BeginCommandBuffer) \
    X(BindBufferMemory) \
    X(BindImageMemory) \
    X(CmdBeginQuery) \
    X(CmdBindDescriptorSets) \
    X(CmdBindPipeline) \
    X(CmdCopyBuffer) \
    X(CmdCopyBufferToImage) \
    X(CmdCopyImageToBuffer) \
    X(CmdDispatch) \
    X(CmdEndQuery) \
    X(CmdFillBuffer) \
    X(CmdPipelineBarrier2) \
    X(CmdResetQueryPool) \
    X(CreateBuffer) \
    X(CreateCommandPool) \
    X(CreateComputePipelines) \
    X(CreateDescriptorPool) \
    X(CreateDescriptorSetLayout) \
    X(CreateImage) \
    X(CreateImageView) \
    X(CreatePipelineLayout) \
    X(CreateQueryPool) \
    X(CreateSemaphore) \
    X(CreateShaderModule) \
    X(DestroyBuffer) \
    X(DestroyCommandPool) \
    X(DestroyDescriptorPool) \
    X(DestroyDescriptorSetLayout) \
    X(DestroyDevice) \
    X(DestroyImage) \
    X(DestroyImageView) \
    X(DestroyPipeline) \
    X(DestroyPipelineLayout) \
    X(DestroyQueryPool) \
    X(DestroySemaphore) \
    X(DestroyShaderModule) \
    X(DeviceWaitIdle) \
    X(EndCommandBuffer) \
    X(FlushMappedMemoryRanges) \
    X(FreeMemory) \
    X(GetBufferMemoryRequirements) \
    X(GetDeviceQueue) \
    X(GetImageMemoryRequirements) \
    X(GetQueryPoolResults) \
    X(InvalidateMappedMemoryRanges) \
    X(MapMemory) \
    X(QueueSubmit2) \
    X(UpdateDescriptorSets) \
    X(WaitSemaphores)

/* Functions of extensions: NULL unless the device was made with theirs. Those that make sessions
 * are in tools/client/video_session.h. */
#define VK_VIDEO_FUNCTIONS(X) \
    X(CmdBeginVideoCodingKHR) \
    X(CmdControlVideoCodingKHR) \
    X(CmdDecodeVideoKHR) \
    X(CmdEncodeVideoKHR) \
    X(CmdEndVideoCodingKHR)

#define VK_MEMBER(name) PFN_vk##name name;

/* One loader, one instance, one device in a program. */
struct vk {
    void *library;
    PFN_vkGetInstanceProcAddr GetInstanceProcAddr;
    VK_GLOBAL_FUNCTIONS(VK_MEMBER)
    VK_INSTANCE_FUNCTIONS(VK_MEMBER)
    VK_DEVICE_FUNCTIONS(VK_MEMBER)
    VK_VIDEO_FUNCTIONS(VK_MEMBER)
};

/* Opens the loader; what belongs to an instance or a device is resolved by the other two. */
void vk_open(struct vk *vk);
void vk_resolve_instance(struct vk *vk, VkInstance instance);
void vk_resolve_device(struct vk *vk, VkDevice device);
void vk_close(struct vk *vk);

/* Ends the program unless result is VK_SUCCESS; call names what was called. */
void vk_check(VkResult result, const char *call);

/* Prints "<program>: <message>" to the standard error and ends the program. */
_Noreturn void die(const char *format, ...) RP_PRINTF(1, 2);

#endif
