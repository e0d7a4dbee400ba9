/* SPDX-License-Identifier: MIT */
/* Results that no call can return here, and why.
 */
#include "results.h"

#define NO_CAPTURE_REPLAY "only memory, images and border colours are asked for as they were"
#define NO_SC "of Vulkan SC alone"
#define NO_DEVICE_MEMORY "takes no device memory: that is vkAllocateMemory's"
#define OWN_TESTS "the other tests of tests/api and tests/video require it of every command"

static const struct result_row rows[] = {
    {"*", VK_SUCCESS, NULL, OWN_TESTS},
    {"*", VK_ERROR_UNKNOWN, NULL, "no error is unknown: every failure has a code of its own"},
    {"*", VK_ERROR_VALIDATION_FAILED, NULL, "of validation layers"},
    {"*", VK_ERROR_OUT_OF_DEVICE_MEMORY, NULL, NO_DEVICE_MEMORY},
    {"*", VK_ERROR_INVALID_OPAQUE_CAPTURE_ADDRESS, NULL, NO_CAPTURE_REPLAY},
    {"CreateImage", VK_ERROR_COMPRESSION_EXHAUSTED_EXT, NULL, "no image is compressed"},
    {"CreateDescriptorPool", VK_ERROR_FRAGMENTATION_EXT, NULL, "a pool is a number of sets"},
    {"AllocateDescriptorSets", VK_ERROR_FRAGMENTED_POOL, NULL, "each set is a block of its own"},
    {"CreateInstance", VK_ERROR_INCOMPATIBLE_DRIVER, NULL,
     "since Vulkan 1.1 a driver takes every version"},
    {"CreateInstance", VK_ERROR_INITIALIZATION_FAILED, NULL, "nothing but memory is taken"},
    {"EnumeratePhysicalDevices", VK_ERROR_INITIALIZATION_FAILED, NULL, "the CPU is always there"},
    {"EnumeratePhysicalDeviceGroups", VK_ERROR_INITIALIZATION_FAILED, NULL,
     "the CPU is always there"},
    {"CreateVideoSessionParametersKHR", VK_ERROR_INITIALIZATION_FAILED, NULL,
     "what is wrong is wrong with the parameter sets, and has its own code"},
    {"CreateShadersEXT", VK_ERROR_INITIALIZATION_FAILED, NULL, "nothing but memory is taken"},
    {"CopyMemoryToImage", VK_ERROR_INITIALIZATION_FAILED, NULL, "nothing is initialized"},
    {"CopyImageToMemory", VK_ERROR_INITIALIZATION_FAILED, NULL, "nothing is initialized"},
    {"CopyImageToImage", VK_ERROR_INITIALIZATION_FAILED, NULL, "nothing is initialized"},
    {"TransitionImageLayout", VK_ERROR_INITIALIZATION_FAILED, NULL, "nothing is initialized"},
    {"CopyMemoryToImage", VK_ERROR_MEMORY_MAP_FAILED, NULL, "memory is mapped as long as it lives"},
    {"CopyImageToMemory", VK_ERROR_MEMORY_MAP_FAILED, NULL, "memory is mapped as long as it lives"},
    {"CopyImageToImage", VK_ERROR_MEMORY_MAP_FAILED, NULL, "memory is mapped as long as it lives"},
    {"TransitionImageLayout", VK_ERROR_MEMORY_MAP_FAILED, NULL,
     "memory is mapped as long as it lives"},
    {"UnmapMemory2", VK_ERROR_MEMORY_MAP_FAILED, NULL,
     "only when the kernel has no mapping left, which a test would have to use up"},
    {"GetMemoryHostPointerPropertiesEXT", VK_ERROR_INVALID_EXTERNAL_HANDLE, NULL,
     "every pointer can be imported; what it points to is not looked at"},
    {"CreateComputePipelines", VK_ERROR_OUT_OF_POOL_MEMORY, NULL, NO_SC},
    {"CreateShaderModule", VK_ERROR_INVALID_SHADER_NV, NULL,
     "modules are kept as they are; pipelines read them"},
    {"EndCommandBuffer", VK_ERROR_INVALID_VIDEO_STD_PARAMETERS_KHR, NULL,
     "parameters of a picture are looked at when it is coded: the query says what was wrong"},
    {"CreateVideoSessionKHR", VK_ERROR_INVALID_VIDEO_STD_PARAMETERS_KHR, NULL,
     "an H.264 session is made without standard parameters"},
    {"GetPhysicalDeviceImageFormatProperties2", VK_ERROR_IMAGE_USAGE_NOT_SUPPORTED_KHR, NULL,
     "a usage that a format has not is VK_ERROR_FORMAT_NOT_SUPPORTED, with profiles too"},
    {"CreateDevice", VK_ERROR_TOO_MANY_OBJECTS, NULL, "devices are not counted"},
    {"CreateDevice", VK_ERROR_DEVICE_LOST, NULL, "a new device starts anew"},
    {"*", VK_ERROR_DEVICE_LOST, NULL, "tests/api/device_lost.c requires it of each"},
    {"GetDeviceFaultInfoEXT", VK_INCOMPLETE, NULL,
     "there are neither addresses nor vendor's data to be cut"},
    {"EnumerateInstanceLayerProperties", VK_INCOMPLETE, NULL, "the driver has no layers"},
    {"GetPhysicalDeviceToolProperties", VK_INCOMPLETE, NULL, "the driver is no tool"},
    {"GetPhysicalDeviceVideoEncodeQualityLevelPropertiesKHR",
     VK_ERROR_VIDEO_PICTURE_LAYOUT_NOT_SUPPORTED_KHR, NULL, "encoding has no picture layouts"},
};

const struct result_table result_reasons = {rows, sizeof(rows) / sizeof(rows[0])};
