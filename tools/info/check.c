/* SPDX-License-Identifier: MIT */
/* reelpipe-info --check: a self-test through the loader. Each part runs in a process of its own, so
 * that whatever happens in one is only a line of the report.
 */
#include "check.h"

#include "info.h"
#include "system.h"

#include "platform/clock.h"

#include <stdio.h>
#include <stdlib.h>

#define MAX_FAMILIES 16

/* A queue that the device has to have for a part. */
struct need {
    VkQueueFlags queue;                       /* 0: no need */
    VkVideoCodecOperationFlagsKHR operations; /* 0: any */
};

struct part {
    const char *name;
    struct need needs[2];
    void (*run)(void);
    const char *what;
};

#define ENCODE(codec) \
    { \
        VK_QUEUE_VIDEO_ENCODE_BIT_KHR, VK_VIDEO_CODEC_OPERATION_ENCODE_##codec##_BIT_KHR \
    }
#define DECODE(codec) \
    { \
        VK_QUEUE_VIDEO_DECODE_BIT_KHR, VK_VIDEO_CODEC_OPERATION_DECODE_##codec##_BIT_KHR \
    }

static const struct part parts[] = {
    {"copy", {{VK_QUEUE_TRANSFER_BIT, 0}}, check_copy, "fill, buffer to image, image to buffer"},
    {"dispatch",
     {{VK_QUEUE_COMPUTE_BIT, 0}},
     check_dispatch,
     "a compute shader on a storage buffer"},
    {"encode", {ENCODE(H264)}, check_encode, "H.264, the picture is as the source"},
    {"encode H.265", {ENCODE(H265)}, check_encode_h265, "the picture is as the source"},
    {"encode AV1", {ENCODE(AV1)}, check_encode_av1, "the picture is as the source"},
    {"decode",
     {DECODE(H264), ENCODE(H264)},
     check_both_h264,
     "H.264, equals the encoder's reconstruction"},
    {"decode H.265", {DECODE(H265)}, check_decode_h265, "a grey picture"},
    {"H.265",
     {DECODE(H265), ENCODE(H265)},
     check_both_h265,
     "decoded, equals the encoder's reconstruction"},
    {"decode AV1", {DECODE(AV1)}, check_decode_av1, "a grey picture"},
    {"decode VP9", {DECODE(VP9)}, check_decode_vp9, "a grey picture"},
};

#define PART_COUNT (sizeof(parts) / sizeof(parts[0]))

static bool
has_queue(const struct info_vulkan *vk, const struct need *need)
{
    VkQueueFamilyVideoPropertiesKHR video[MAX_FAMILIES];
    VkQueueFamilyProperties2 families[MAX_FAMILIES];
    uint32_t count = MAX_FAMILIES;

    for (uint32_t i = 0; i < MAX_FAMILIES; i++) {
        video[i] = (VkQueueFamilyVideoPropertiesKHR){
            .sType = VK_STRUCTURE_TYPE_QUEUE_FAMILY_VIDEO_PROPERTIES_KHR,
        };
        families[i] = (VkQueueFamilyProperties2){
            .sType = VK_STRUCTURE_TYPE_QUEUE_FAMILY_PROPERTIES_2,
            .pNext = &video[i],
        };
    }
    vk->GetPhysicalDeviceQueueFamilyProperties2(vk->device, &count, families);
    for (uint32_t i = 0; i < count; i++) {
        if (families[i].queueFamilyProperties.queueFlags & need->queue &&
            (video[i].videoCodecOperations & need->operations) == need->operations)
            return true;
    }
    return false;
}

/* The device has the queues of the part. */
static bool
is_offered(const struct info_vulkan *vk, const struct part *part)
{
    for (uint32_t i = 0; i < sizeof(part->needs) / sizeof(part->needs[0]); i++) {
        if (part->needs[i].queue && !has_queue(vk, &part->needs[i]))
            return false;
    }
    return true;
}

static bool
part_check(uint32_t number)
{
    const struct part *part = &parts[number];
    const uint64_t start_ns = rp_clock_now_ns();
    char message[INFO_MESSAGE_CHARS];

    (void)fflush(stdout);
    if (!info_child_run(number, part->run, message)) {
        printf("%-12s FAILED  %s\n", part->name, message);
        return false;
    }
    printf("%-12s OK      %6.1f ms   %s\n", part->name,
           (double)(rp_clock_now_ns() - start_ns) / 1e6, part->what);
    return true;
}

bool
check_part(const char *number)
{
    const unsigned long i = strtoul(number, NULL, 10);
    if (i >= PART_COUNT)
        return false;
    parts[i].run();
    return true;
}

bool
check_all(const struct info_vulkan *vk)
{
    bool is_well = true;

    for (uint32_t i = 0; i < PART_COUNT; i++) {
        if (is_offered(vk, &parts[i]))
            is_well &= part_check(i);
        else
            printf("%-12s -       the device does not offer it\n", parts[i].name);
    }
    printf("%s\n", is_well ? "OK" : "Something is wrong; REELPIPE_LOG=debug says more.");
    return is_well;
}
