/* SPDX-License-Identifier: MIT */
/* Decoding one picture whose pixels are known: whether there is a decoder that works.
 */
#ifndef RP_TOOLS_INFO_CHECK_GREY_H
#define RP_TOOLS_INFO_CHECK_GREY_H

#include <vulkan/vulkan_core.h>

#include <stddef.h>
#include <stdint.h>

#define CHECK_GREY_WIDTH_PX 32u
#define CHECK_GREY_HEIGHT_PX 16u
#define CHECK_GREY 126 /* luma */

/* A picture of that size, all of it grey, and its structures. */
struct check_grey {
    const char *verb; /* "decodes AV1" */
    VkVideoCodecOperationFlagBitsKHR operation;
    const char *extension;
    VkStructureType feature; /* of a structure with one feature that the codec needs; 0: none */
    const void *profile;     /* VkVideoDecode*ProfileInfoKHR */
    const void *parameters;  /* VkVideoDecode*SessionParametersCreateInfoKHR; NULL: none */
    const void *picture;     /* VkVideoDecode*PictureInfoKHR */
    const void *slot;        /* VkVideoDecode*DpbSlotInfoKHR; NULL: none */
    const uint8_t *data;
    size_t data_B;
};

/* Ends the process with a sentence when something is wrong. */
void check_grey(const struct check_grey *what);

#endif
