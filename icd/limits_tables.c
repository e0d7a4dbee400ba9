/* SPDX-License-Identifier: MIT */
/* Limits and properties that are the same on every machine. Those that only a graphics pipeline
 * could meet are the specification's minimum.
 */
#include "icd/properties.h"

#include "compute/compute.h"
#include "object/buffer.h"
#include "object/descriptor_heap.h"
#include "object/descriptor_layout.h"
#include "object/descriptor_memory.h"
#include "object/image.h"
#include "object/memory.h"
#include "object/shader_binary.h"

/* Descriptors are host memory: one number for all kinds. */
#define DESCRIPTORS RP_MAX_SET_ITEMS
#define DYNAMIC_BUFFERS 64
#define INLINE_BLOCKS (RP_MAX_INLINE_B / RP_MAX_INLINE_BLOCK_B)

#define SUBGROUP_OPERATIONS \
    (VK_SUBGROUP_FEATURE_BASIC_BIT | VK_SUBGROUP_FEATURE_VOTE_BIT | \
     VK_SUBGROUP_FEATURE_ARITHMETIC_BIT | VK_SUBGROUP_FEATURE_BALLOT_BIT | \
     VK_SUBGROUP_FEATURE_SHUFFLE_BIT | VK_SUBGROUP_FEATURE_SHUFFLE_RELATIVE_BIT | \
     VK_SUBGROUP_FEATURE_CLUSTERED_BIT | VK_SUBGROUP_FEATURE_QUAD_BIT | \
     VK_SUBGROUP_FEATURE_ROTATE_BIT | VK_SUBGROUP_FEATURE_ROTATE_CLUSTERED_BIT | \
     VK_SUBGROUP_FEATURE_PARTITIONED_BIT_EXT)

#define SAMPLES_1_4 (VK_SAMPLE_COUNT_1_BIT | VK_SAMPLE_COUNT_4_BIT)

const struct rp_properties rp_constant_properties = {
    .apiVersion = RP_API_VERSION,
    .deviceType = VK_PHYSICAL_DEVICE_TYPE_CPU,
    /* Among devices of one type the loader puts low vendorID ^ deviceID first, and many
     * applications take the first device: ours, that cannot draw, comes last. */
    .deviceID = 0xffff5250,

    /* Images, buffers, memory. */
    .maxImageDimension1D = 16384,
    .maxImageDimension2D = 16384,
    .maxImageDimension3D = 2048,
    .maxImageDimensionCube = 16384,
    .maxImageArrayLayers = RP_MAX_IMAGE_LAYERS,
    .maxTexelBufferElements = 1u << 27,
    .maxUniformBufferRange = 1u << 16,
    .maxStorageBufferRange = 1u << 30,
    .maxPushConstantsSize = RP_MAX_PUSH_CONSTANTS_B,
    .maxBufferSize = RP_MAX_BUFFER_B,
    .maxMemoryAllocationCount = RP_MAX_MEMORY_OBJECTS,
    .maxSamplerAllocationCount = 65536,
    .bufferImageGranularity = 1,
    .minTexelBufferOffsetAlignment = 16,
    .minUniformBufferOffsetAlignment = 16,
    .minStorageBufferOffsetAlignment = 16,
    .optimalBufferCopyOffsetAlignment = 64,
    .optimalBufferCopyRowPitchAlignment = 64,
    .nonCoherentAtomSize = 64,
    .storageTexelBufferOffsetAlignmentBytes = 16,
    .storageTexelBufferOffsetSingleTexelAlignment = VK_TRUE,
    .uniformTexelBufferOffsetAlignmentBytes = 16,
    .uniformTexelBufferOffsetSingleTexelAlignment = VK_TRUE,

    /* Host image copies: every layout is the same. */
    .copySrcLayoutCount = RP_HOST_COPY_LAYOUTS,
    .copyDstLayoutCount = RP_HOST_COPY_LAYOUTS,
    .identicalMemoryTypeRequirements = VK_TRUE,

    .rgba4OpaqueBlackSwizzled = VK_TRUE,

    /* Descriptors. */
    .maxBoundDescriptorSets = RP_MAX_SETS,
    .maxPerStageDescriptorSamplers = DESCRIPTORS,
    .maxPerStageDescriptorUniformBuffers = DESCRIPTORS,
    .maxPerStageDescriptorStorageBuffers = DESCRIPTORS,
    .maxPerStageDescriptorSampledImages = DESCRIPTORS,
    .maxPerStageDescriptorStorageImages = DESCRIPTORS,
    .maxPerStageDescriptorInputAttachments = DESCRIPTORS,
    .maxPerStageResources = DESCRIPTORS,
    .maxDescriptorSetSamplers = DESCRIPTORS,
    .maxDescriptorSetUniformBuffers = DESCRIPTORS,
    .maxDescriptorSetUniformBuffersDynamic = DYNAMIC_BUFFERS,
    .maxDescriptorSetStorageBuffers = DESCRIPTORS,
    .maxDescriptorSetStorageBuffersDynamic = DYNAMIC_BUFFERS,
    .maxDescriptorSetSampledImages = DESCRIPTORS,
    .maxDescriptorSetStorageImages = DESCRIPTORS,
    .maxDescriptorSetInputAttachments = DESCRIPTORS,
    .maxDescriptorSetTotalUniformBuffersDynamic = DYNAMIC_BUFFERS,
    .maxDescriptorSetTotalStorageBuffersDynamic = DYNAMIC_BUFFERS,
    .maxDescriptorSetTotalBuffersDynamic = 2 * DYNAMIC_BUFFERS,
    .maxDescriptorSetUpdateAfterBindTotalUniformBuffersDynamic = DYNAMIC_BUFFERS,
    .maxDescriptorSetUpdateAfterBindTotalStorageBuffersDynamic = DYNAMIC_BUFFERS,
    .maxDescriptorSetUpdateAfterBindTotalBuffersDynamic = 2 * DYNAMIC_BUFFERS,
    .maxPerSetDescriptors = DESCRIPTORS,
    .maxPushDescriptors = 32,
    .maxInlineUniformBlockSize = RP_MAX_INLINE_BLOCK_B,
    .maxPerStageDescriptorInlineUniformBlocks = INLINE_BLOCKS,
    .maxPerStageDescriptorUpdateAfterBindInlineUniformBlocks = INLINE_BLOCKS,
    .maxDescriptorSetInlineUniformBlocks = INLINE_BLOCKS,
    .maxDescriptorSetUpdateAfterBindInlineUniformBlocks = INLINE_BLOCKS,
    .maxInlineUniformTotalSize = RP_MAX_INLINE_B,
    .maxCombinedImageSamplerDescriptorCount = 1,

    /* Descriptors in memory: of one size, anywhere. */
    .combinedImageSamplerDescriptorSingleArray = VK_TRUE,
    .bufferlessPushDescriptors = VK_TRUE,
    .allowSamplerImageViewPostSubmitCreation = VK_TRUE,
    .descriptorBufferOffsetAlignment = RP_MEMORY_DESCRIPTOR_ALIGN_B,
    .samplerHeapAlignment = RP_HEAP_ALIGN_B,
    .resourceHeapAlignment = RP_HEAP_ALIGN_B,
    .maxSamplerHeapSize = RP_MAX_HEAP_B,
    .maxResourceHeapSize = RP_MAX_HEAP_B,
    .imageDescriptorSize = RP_HEAP_DESCRIPTOR_B,
    .bufferDescriptorSize = RP_HEAP_DESCRIPTOR_B,
    .imageCaptureReplayOpaqueDataSize = sizeof(uint32_t), /* rp_image::heap_name */
    .samplerDescriptorAlignment = RP_HEAP_DESCRIPTOR_B,
    .imageDescriptorAlignment = RP_HEAP_DESCRIPTOR_B,
    .bufferDescriptorAlignment = RP_HEAP_DESCRIPTOR_B,
    .maxPushDataSize = RP_MAX_PUSH_CONSTANTS_B,
    .maxDescriptorHeapEmbeddedSamplers = RP_MAX_EMBEDDED_SAMPLERS,
    .samplerYcbcrConversionCount = 1,
    .maxDescriptorBufferBindings = RP_MAX_DESCRIPTOR_BUFFERS,
    .maxResourceDescriptorBufferBindings = RP_MAX_DESCRIPTOR_BUFFERS,
    .maxSamplerDescriptorBufferBindings = RP_MAX_DESCRIPTOR_BUFFERS,
    .maxEmbeddedImmutableSamplerBindings = RP_MAX_SETS,
    .maxEmbeddedImmutableSamplers = 65536,
    .samplerDescriptorSize = RP_MEMORY_DESCRIPTOR_B,
    .combinedImageSamplerDescriptorSize = RP_MEMORY_DESCRIPTOR_B,
    .sampledImageDescriptorSize = RP_MEMORY_DESCRIPTOR_B,
    .storageImageDescriptorSize = RP_MEMORY_DESCRIPTOR_B,
    .uniformTexelBufferDescriptorSize = RP_MEMORY_DESCRIPTOR_B,
    .robustUniformTexelBufferDescriptorSize = RP_MEMORY_DESCRIPTOR_B,
    .storageTexelBufferDescriptorSize = RP_MEMORY_DESCRIPTOR_B,
    .robustStorageTexelBufferDescriptorSize = RP_MEMORY_DESCRIPTOR_B,
    .uniformBufferDescriptorSize = RP_MEMORY_DESCRIPTOR_B,
    .robustUniformBufferDescriptorSize = RP_MEMORY_DESCRIPTOR_B,
    .storageBufferDescriptorSize = RP_MEMORY_DESCRIPTOR_B,
    .robustStorageBufferDescriptorSize = RP_MEMORY_DESCRIPTOR_B,
    .inputAttachmentDescriptorSize = RP_MEMORY_DESCRIPTOR_B,
    .maxSamplerDescriptorBufferRange = RP_MAX_BUFFER_B,
    .maxResourceDescriptorBufferRange = RP_MAX_BUFFER_B,
    .samplerDescriptorBufferAddressSpaceSize = RP_MAX_BUFFER_B,
    .resourceDescriptorBufferAddressSpaceSize = RP_MAX_BUFFER_B,
    .descriptorBufferAddressSpaceSize = RP_MAX_BUFFER_B,

    .shaderBinaryUUID = RP_SHADER_BINARY_UUID,
    .shaderBinaryVersion = 1,

    .maxUpdateAfterBindDescriptorsInAllPools = DESCRIPTORS,
    .maxPerStageDescriptorUpdateAfterBindSamplers = DESCRIPTORS,
    .maxPerStageDescriptorUpdateAfterBindUniformBuffers = DESCRIPTORS,
    .maxPerStageDescriptorUpdateAfterBindStorageBuffers = DESCRIPTORS,
    .maxPerStageDescriptorUpdateAfterBindSampledImages = DESCRIPTORS,
    .maxPerStageDescriptorUpdateAfterBindStorageImages = DESCRIPTORS,
    .maxPerStageDescriptorUpdateAfterBindInputAttachments = DESCRIPTORS,
    .maxPerStageUpdateAfterBindResources = DESCRIPTORS,
    .maxDescriptorSetUpdateAfterBindSamplers = DESCRIPTORS,
    .maxDescriptorSetUpdateAfterBindUniformBuffers = DESCRIPTORS,
    .maxDescriptorSetUpdateAfterBindUniformBuffersDynamic = DYNAMIC_BUFFERS,
    .maxDescriptorSetUpdateAfterBindStorageBuffers = DESCRIPTORS,
    .maxDescriptorSetUpdateAfterBindStorageBuffersDynamic = DYNAMIC_BUFFERS,
    .maxDescriptorSetUpdateAfterBindSampledImages = DESCRIPTORS,
    .maxDescriptorSetUpdateAfterBindStorageImages = DESCRIPTORS,
    .maxDescriptorSetUpdateAfterBindInputAttachments = DESCRIPTORS,
    .shaderUniformBufferArrayNonUniformIndexingNative = VK_TRUE,
    .shaderSampledImageArrayNonUniformIndexingNative = VK_TRUE,
    .shaderStorageBufferArrayNonUniformIndexingNative = VK_TRUE,
    .shaderStorageImageArrayNonUniformIndexingNative = VK_TRUE,
    .shaderInputAttachmentArrayNonUniformIndexingNative = VK_TRUE,
    .robustBufferAccessUpdateAfterBind = VK_TRUE,
    .quadDivergentImplicitLod = VK_FALSE,
    .defaultRobustnessStorageBuffers = VK_PIPELINE_ROBUSTNESS_BUFFER_BEHAVIOR_ROBUST_BUFFER_ACCESS,
    .defaultRobustnessUniformBuffers = VK_PIPELINE_ROBUSTNESS_BUFFER_BEHAVIOR_ROBUST_BUFFER_ACCESS,
    .defaultRobustnessVertexInputs = VK_PIPELINE_ROBUSTNESS_BUFFER_BEHAVIOR_ROBUST_BUFFER_ACCESS_2,
    .defaultRobustnessImages = VK_PIPELINE_ROBUSTNESS_IMAGE_BEHAVIOR_ROBUST_IMAGE_ACCESS_2,

    /* Compute. */
    .maxComputeSharedMemorySize = RP_MAX_SHARED_B,
    .maxComputeWorkGroupCount = {RP_MAX_GROUP_COUNT, RP_MAX_GROUP_COUNT, RP_MAX_GROUP_COUNT},
    .maxComputeWorkGroupInvocations = RP_MAX_WORKGROUP_SIZE,
    .maxComputeWorkGroupSize = {RP_MAX_WORKGROUP_SIZE, RP_MAX_WORKGROUP_SIZE,
                                RP_MAX_WORKGROUP_SIZE},
    .subgroupSize = RP_SUBGROUP_SIZE,
    .supportedStages = VK_SHADER_STAGE_COMPUTE_BIT,
    .supportedOperations = SUBGROUP_OPERATIONS,
    .subgroupSupportedStages = VK_SHADER_STAGE_COMPUTE_BIT,
    .subgroupSupportedOperations = SUBGROUP_OPERATIONS,
    .minSubgroupSize = RP_MIN_SUBGROUP_SIZE,
    .maxSubgroupSize = RP_MAX_SUBGROUP_SIZE,
    .maxComputeWorkgroupSubgroups = RP_MAX_WORKGROUP_SIZE / RP_MIN_SUBGROUP_SIZE,
    .requiredSubgroupSizeStages = VK_SHADER_STAGE_COMPUTE_BIT,
    .cooperativeMatrixSupportedStages = VK_SHADER_STAGE_COMPUTE_BIT,
    .denormBehaviorIndependence = VK_SHADER_FLOAT_CONTROLS_INDEPENDENCE_ALL,
    .roundingModeIndependence = VK_SHADER_FLOAT_CONTROLS_INDEPENDENCE_ALL,
    .shaderSignedZeroInfNanPreserveFloat16 = VK_TRUE,
    .shaderSignedZeroInfNanPreserveFloat32 = VK_TRUE,
    .shaderSignedZeroInfNanPreserveFloat64 = VK_TRUE,
    .shaderDenormPreserveFloat16 = VK_TRUE,
    .shaderDenormPreserveFloat32 = VK_TRUE,
    .shaderDenormPreserveFloat64 = VK_TRUE,
    .shaderDenormFlushToZeroFloat16 = VK_TRUE,
    .shaderDenormFlushToZeroFloat32 = VK_TRUE,
    .shaderDenormFlushToZeroFloat64 = VK_TRUE,
    .shaderRoundingModeRTEFloat16 = VK_TRUE,
    .shaderRoundingModeRTEFloat32 = VK_TRUE,
    .shaderRoundingModeRTEFloat64 = VK_TRUE,
    .shaderRoundingModeRTZFloat16 = VK_TRUE,
    .shaderRoundingModeRTZFloat32 = VK_TRUE,
    .shaderRoundingModeRTZFloat64 = VK_TRUE,
    /* Four packed bytes are one operation of the interpreter on every instruction set, 1.3 to 15
     * times faster than their products one by one. Other shapes and saturating sums are not faster
     * than what an application composes. */
    .integerDotProduct4x8BitPackedUnsignedAccelerated = VK_TRUE,
    .integerDotProduct4x8BitPackedSignedAccelerated = VK_TRUE,
    .integerDotProduct4x8BitPackedMixedSignednessAccelerated = VK_TRUE,

    .robustStorageBufferAccessSizeAlignment = 1,
    .robustUniformBufferAccessSizeAlignment = 1,

    /* Copies by address. */
    .supportedQueues = VK_QUEUE_COMPUTE_BIT | VK_QUEUE_TRANSFER_BIT,

    .maxCommandBufferNestingLevel = 64, /* replay goes down one call for each */

    /* Sampling. */
    .maxCustomBorderColorSamplers = RP_MAX_BORDER_COLORS,
    .filterMinmaxSingleComponentFormats = VK_TRUE,
    .filterMinmaxImageComponentMapping = VK_TRUE,
    .subTexelPrecisionBits = 8,
    .mipmapPrecisionBits = 8,
    .maxSamplerLodBias = RP_MAX_SAMPLER_LOD_BIAS,
    .maxSamplerAnisotropy = 16.0f,
    .minTexelOffset = -32,
    .maxTexelOffset = 31,
    .minTexelGatherOffset = -32,
    .maxTexelGatherOffset = 31,
    .sampledImageColorSampleCounts = SAMPLES_1_4,
    .sampledImageIntegerSampleCounts = VK_SAMPLE_COUNT_1_BIT,
    .sampledImageDepthSampleCounts = SAMPLES_1_4,
    .sampledImageStencilSampleCounts = SAMPLES_1_4,
    .storageImageSampleCounts = VK_SAMPLE_COUNT_1_BIT,

    /* Queues, time. Timestamps are nanoseconds of the monotonic clock. */
    .timestampComputeAndGraphics = VK_TRUE,
    .timestampPeriod = 1.0f,
    .discreteQueuePriorities = 2,
    .maxTimelineSemaphoreValueDifference = UINT64_MAX,

    /* Graphics. */
    .maxVertexInputAttributes = 16,
    .maxVertexInputBindings = 16,
    .maxVertexInputAttributeOffset = 2047,
    .maxVertexInputBindingStride = 2048,
    .maxVertexOutputComponents = 64,
    .maxFragmentInputComponents = 64,
    .maxFragmentOutputAttachments = 4,
    .maxFragmentCombinedOutputResources = DESCRIPTORS,
    .subPixelPrecisionBits = 4,
    .maxDrawIndexedIndexValue = (1u << 24) - 1,
    .maxDrawIndirectCount = 1,
    .maxViewports = 1,
    .maxViewportDimensions = {16384, 16384},
    .viewportBoundsRange = {-32768.0f, 32767.0f},
    .maxFramebufferWidth = 16384,
    .maxFramebufferHeight = 16384,
    .maxFramebufferLayers = 2048,
    .framebufferColorSampleCounts = SAMPLES_1_4,
    .framebufferDepthSampleCounts = SAMPLES_1_4,
    .framebufferStencilSampleCounts = SAMPLES_1_4,
    .framebufferNoAttachmentsSampleCounts = SAMPLES_1_4,
    .framebufferIntegerColorSampleCounts = VK_SAMPLE_COUNT_1_BIT,
    .maxColorAttachments = 8,
    .maxSampleMaskWords = 1,
    .pointSizeRange = {1.0f, 1.0f},
    .lineWidthRange = {1.0f, 1.0f},
    .standardSampleLocations = VK_TRUE,
    .maxMultiviewViewCount = 6,
    .maxMultiviewInstanceIndex = (1u << 27) - 1,
    .pointClippingBehavior = VK_POINT_CLIPPING_BEHAVIOR_ALL_CLIP_PLANES,
    .supportedDepthResolveModes = VK_RESOLVE_MODE_SAMPLE_ZERO_BIT,
    .supportedStencilResolveModes = VK_RESOLVE_MODE_SAMPLE_ZERO_BIT,
    .maxVertexAttribDivisor = UINT32_MAX,
    .lineSubPixelPrecisionBits = 4,
};

const VkImageLayout rp_host_copy_layouts[RP_HOST_COPY_LAYOUTS] = {
    VK_IMAGE_LAYOUT_GENERAL,
    VK_IMAGE_LAYOUT_PREINITIALIZED,
    VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL,
    VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL,
    VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL,
    VK_IMAGE_LAYOUT_READ_ONLY_OPTIMAL,
    VK_IMAGE_LAYOUT_ATTACHMENT_OPTIMAL,
    VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL,
    VK_IMAGE_LAYOUT_DEPTH_STENCIL_ATTACHMENT_OPTIMAL,
    VK_IMAGE_LAYOUT_DEPTH_STENCIL_READ_ONLY_OPTIMAL,
    VK_IMAGE_LAYOUT_DEPTH_READ_ONLY_STENCIL_ATTACHMENT_OPTIMAL,
    VK_IMAGE_LAYOUT_DEPTH_ATTACHMENT_STENCIL_READ_ONLY_OPTIMAL,
    VK_IMAGE_LAYOUT_DEPTH_ATTACHMENT_OPTIMAL,
    VK_IMAGE_LAYOUT_DEPTH_READ_ONLY_OPTIMAL,
    VK_IMAGE_LAYOUT_STENCIL_ATTACHMENT_OPTIMAL,
    VK_IMAGE_LAYOUT_STENCIL_READ_ONLY_OPTIMAL,
    VK_IMAGE_LAYOUT_VIDEO_ENCODE_DST_KHR,
    VK_IMAGE_LAYOUT_VIDEO_ENCODE_SRC_KHR,
    VK_IMAGE_LAYOUT_VIDEO_ENCODE_DPB_KHR,
    VK_IMAGE_LAYOUT_VIDEO_ENCODE_QUANTIZATION_MAP_KHR,
    VK_IMAGE_LAYOUT_VIDEO_DECODE_DST_KHR,
    VK_IMAGE_LAYOUT_VIDEO_DECODE_SRC_KHR,
    VK_IMAGE_LAYOUT_VIDEO_DECODE_DPB_KHR,
};
