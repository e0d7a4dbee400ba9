/* SPDX-License-Identifier: MIT */
/* The rules of what can be done with a format.
 */
#include "format/features.h"

#define TRANSFER (VK_FORMAT_FEATURE_2_TRANSFER_SRC_BIT | VK_FORMAT_FEATURE_2_TRANSFER_DST_BIT)
#define SAMPLED VK_FORMAT_FEATURE_2_SAMPLED_IMAGE_BIT
#define LINEAR_FILTER \
    (VK_FORMAT_FEATURE_2_SAMPLED_IMAGE_FILTER_LINEAR_BIT | \
     VK_FORMAT_FEATURE_2_SAMPLED_IMAGE_FILTER_MINMAX_BIT)
#define STORAGE \
    (VK_FORMAT_FEATURE_2_STORAGE_IMAGE_BIT | VK_FORMAT_FEATURE_2_STORAGE_READ_WITHOUT_FORMAT_BIT | \
     VK_FORMAT_FEATURE_2_STORAGE_WRITE_WITHOUT_FORMAT_BIT)
#define YCBCR \
    (VK_FORMAT_FEATURE_2_MIDPOINT_CHROMA_SAMPLES_BIT | \
     VK_FORMAT_FEATURE_2_COSITED_CHROMA_SAMPLES_BIT | \
     VK_FORMAT_FEATURE_2_SAMPLED_IMAGE_YCBCR_CONVERSION_LINEAR_FILTER_BIT)

static bool
is_atomic_format(VkFormat format)
{
    return format == VK_FORMAT_R32_UINT || format == VK_FORMAT_R32_SINT ||
           format == VK_FORMAT_R32_SFLOAT || format == VK_FORMAT_R64_UINT ||
           format == VK_FORMAT_R64_SINT;
}

/* The features of a colour format with one plane, by its first component: alpha may differ under
 * sRGB. */
static VkFormatFeatureFlags2
colour_features(const struct rp_format *fmt)
{
    const struct rp_format_channel *first = &fmt->channels[0];

    if (first->bits > 32)
        return is_atomic_format(fmt->vk) ? TRANSFER | STORAGE : TRANSFER;
    switch (first->numeric) {
    case RP_NUMERIC_USCALED:
    case RP_NUMERIC_SSCALED:
        return 0; /* vertex attributes alone */
    case RP_NUMERIC_SINT:
        /* Nobody asks for signed 10:10:10:2, and the CTS (1.4.6) stores to it what does not fit and
         * expects what no rule gives. */
        return first->bits % 8 ? TRANSFER | SAMPLED : TRANSFER | SAMPLED | STORAGE;
    case RP_NUMERIC_UINT:
        return TRANSFER | SAMPLED | STORAGE;
    case RP_NUMERIC_SRGB:
        return TRANSFER | SAMPLED | LINEAR_FILTER;
    case RP_NUMERIC_UFLOAT:
        if (fmt->has_shared_exponent)
            return TRANSFER | SAMPLED | LINEAR_FILTER;
        return TRANSFER | SAMPLED | LINEAR_FILTER | STORAGE;
    case RP_NUMERIC_UNORM:
    case RP_NUMERIC_SNORM:
    case RP_NUMERIC_SFLOAT:
        return TRANSFER | SAMPLED | LINEAR_FILTER | STORAGE;
    }
    return 0;
}

static VkFormatFeatureFlags2
depth_stencil_features(const struct rp_format *fmt)
{
    VkFormatFeatureFlags2 features = TRANSFER | SAMPLED;

    if (rp_format_has_depth(fmt))
        features |= VK_FORMAT_FEATURE_2_SAMPLED_IMAGE_DEPTH_COMPARISON_BIT |
                    VK_FORMAT_FEATURE_2_DEPTH_COPY_ON_COMPUTE_QUEUE_BIT_KHR |
                    VK_FORMAT_FEATURE_2_DEPTH_COPY_ON_TRANSFER_QUEUE_BIT_KHR;
    if (rp_format_has_stencil(fmt))
        features |= VK_FORMAT_FEATURE_2_STENCIL_COPY_ON_COMPUTE_QUEUE_BIT_KHR |
                    VK_FORMAT_FEATURE_2_STENCIL_COPY_ON_TRANSFER_QUEUE_BIT_KHR;
    return features;
}

VkFormatFeatureFlags2
rp_format_image_features(const struct rp_format *fmt)
{
    if (rp_format_is_compressed(fmt))
        return TRANSFER;
    if (rp_format_is_multi_planar(fmt))
        return TRANSFER | SAMPLED | LINEAR_FILTER | YCBCR | VK_FORMAT_FEATURE_2_DISJOINT_BIT;
    if (fmt->chroma)
        return TRANSFER | SAMPLED | LINEAR_FILTER | YCBCR;
    if (rp_format_is_depth_stencil(fmt))
        return depth_stencil_features(fmt);

    VkFormatFeatureFlags2 features = colour_features(fmt);
    if (is_atomic_format(fmt->vk))
        features |= VK_FORMAT_FEATURE_2_STORAGE_IMAGE_ATOMIC_BIT;
    return features;
}

VkFormatFeatureFlags2
rp_format_buffer_features(const struct rp_format *fmt)
{
    if (rp_format_is_compressed(fmt) || rp_format_is_depth_stencil(fmt) || fmt->chroma)
        return 0;

    const VkFormatFeatureFlags2 image = colour_features(fmt);
    const bool is_srgb = fmt->channels[0].numeric == RP_NUMERIC_SRGB;
    VkFormatFeatureFlags2 features = 0;
    if (image & SAMPLED && !is_srgb)
        features |= VK_FORMAT_FEATURE_2_UNIFORM_TEXEL_BUFFER_BIT;
    if (image & VK_FORMAT_FEATURE_2_STORAGE_IMAGE_BIT)
        features |= VK_FORMAT_FEATURE_2_STORAGE_TEXEL_BUFFER_BIT |
                    VK_FORMAT_FEATURE_2_STORAGE_READ_WITHOUT_FORMAT_BIT |
                    VK_FORMAT_FEATURE_2_STORAGE_WRITE_WITHOUT_FORMAT_BIT;
    if (is_atomic_format(fmt->vk))
        features |= VK_FORMAT_FEATURE_2_STORAGE_TEXEL_BUFFER_ATOMIC_BIT;
    return features;
}
