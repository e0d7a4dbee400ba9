/* SPDX-License-Identifier: MIT */
/* Sessions that tools and tests open, on a device that counts what is there: whatever fails,
 * nothing is left behind.
 */
#include "tools/client/video_h264.h"

#include "test.h"

#define MAX_MEMORIES 20

/* The device; one at a time. */
static struct {
    uint32_t memory_count; /* that a session wants */
    uint32_t failing_call; /* 0: none */
    uint32_t call_count;
    uint32_t sessions;
    uint32_t memories;
    uint32_t types[MAX_MEMORIES]; /* that were allocated, in order */
    uint32_t bound_count;
} fake;

static bool
call_fails(void)
{
    return ++fake.call_count == fake.failing_call;
}

static VkResult VKAPI_CALL
create_session(VkDevice device, const VkVideoSessionCreateInfoKHR *info,
               const VkAllocationCallbacks *alloc, VkVideoSessionKHR *out)
{
    if (call_fails())
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    fake.sessions++;
    *out = (VkVideoSessionKHR)(uintptr_t)1;
    return VK_SUCCESS;
}

static void VKAPI_CALL
destroy_session(VkDevice device, VkVideoSessionKHR session, const VkAllocationCallbacks *alloc)
{
    fake.sessions--;
}

static VkResult VKAPI_CALL
get_requirements(VkDevice device, VkVideoSessionKHR session, uint32_t *count,
                 VkVideoSessionMemoryRequirementsKHR *out)
{
    const bool is_cut = *count < fake.memory_count;
    if (call_fails())
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    if (!is_cut)
        *count = fake.memory_count;
    for (uint32_t i = 0; i < *count; i++) {
        REQUIRE_EQ(out[i].sType, VK_STRUCTURE_TYPE_VIDEO_SESSION_MEMORY_REQUIREMENTS_KHR);
        out[i].memoryBindIndex = 10 + i;
        out[i].memoryRequirements = (VkMemoryRequirements){100 + i, 1, 6u << i % 8};
    }
    return is_cut ? VK_INCOMPLETE : VK_SUCCESS;
}

static VkResult VKAPI_CALL
allocate(VkDevice device, const VkMemoryAllocateInfo *info, const VkAllocationCallbacks *alloc,
         VkDeviceMemory *out)
{
    if (call_fails())
        return VK_ERROR_OUT_OF_DEVICE_MEMORY;
    fake.types[fake.memories++] = info->memoryTypeIndex;
    *out = (VkDeviceMemory)(uintptr_t)info->allocationSize;
    return VK_SUCCESS;
}

static void VKAPI_CALL
free_memory(VkDevice device, VkDeviceMemory memory, const VkAllocationCallbacks *alloc)
{
    fake.memories--;
}

static VkResult VKAPI_CALL
bind(VkDevice device, VkVideoSessionKHR session, uint32_t count,
     const VkBindVideoSessionMemoryInfoKHR *binds)
{
    if (call_fails())
        return VK_ERROR_OUT_OF_DEVICE_MEMORY;
    for (uint32_t i = 0; i < count; i++) {
        REQUIRE_EQ(binds[i].memoryBindIndex, 10 + i);
        REQUIRE_EQ(binds[i].memorySize, 100 + i);
        REQUIRE((uintptr_t)binds[i].memory == 100 + i);
    }
    fake.bound_count = count;
    return VK_SUCCESS;
}

static const struct video_device device = {
    .CreateVideoSessionKHR = create_session,
    .DestroyVideoSessionKHR = destroy_session,
    .GetVideoSessionMemoryRequirementsKHR = get_requirements,
    .AllocateMemory = allocate,
    .FreeMemory = free_memory,
    .BindVideoSessionMemoryKHR = bind,
};

static VkResult
session_open(uint32_t memory_count, uint32_t failing_call, struct video_session *out)
{
    const VkVideoSessionCreateInfoKHR info = {.sType =
                                                  VK_STRUCTURE_TYPE_VIDEO_SESSION_CREATE_INFO_KHR};
    memset(&fake, 0, sizeof(fake));
    fake.memory_count = memory_count;
    fake.failing_call = failing_call;
    return video_session_create(&device, &info, out);
}

static void
a_session_gets_all_the_memory_that_it_wants(void)
{
    for (uint32_t count = 0; count <= VIDEO_SESSION_MAX_MEMORIES; count++) {
        struct video_session session;
        REQUIRE_EQ(session_open(count, 0, &session), VK_SUCCESS);
        REQUIRE_EQ(session.memory_count, count);
        REQUIRE_EQ(fake.bound_count, count);
        REQUIRE_EQ(fake.memories, count);
        for (uint32_t i = 0; i < count; i++)
            REQUIRE_EQ(fake.types[i], 1 + i % 8); /* the first that is allowed */
        video_session_destroy(&device, &session);
        REQUIRE_EQ(fake.sessions, 0);
        REQUIRE_EQ(fake.memories, 0);
    }
}

static void
whatever_fails_leaves_nothing_behind(void)
{
    struct video_session session = {.memory_count = 77};
    for (uint32_t call = 1; call <= 6; call++) { /* create, get, 3 allocations, bind */
        REQUIRE(session_open(3, call, &session) < 0);
        REQUIRE_EQ(fake.sessions, 0);
        REQUIRE_EQ(fake.memories, 0);
    }
    REQUIRE_EQ(session_open(VIDEO_SESSION_MAX_MEMORIES + 1, 0, &session),
               VK_ERROR_INITIALIZATION_FAILED);
    REQUIRE_EQ(fake.sessions, 0);
    REQUIRE_EQ(fake.memories, 0);
    REQUIRE_EQ(session.memory_count, 77); /* not written */
}

static void
each_codec_has_its_header_version(void)
{
    static const VkVideoCodecOperationFlagBitsKHR operations[] = {
        VK_VIDEO_CODEC_OPERATION_ENCODE_H264_BIT_KHR, VK_VIDEO_CODEC_OPERATION_DECODE_H264_BIT_KHR,
        VK_VIDEO_CODEC_OPERATION_ENCODE_H265_BIT_KHR, VK_VIDEO_CODEC_OPERATION_DECODE_H265_BIT_KHR,
        VK_VIDEO_CODEC_OPERATION_ENCODE_AV1_BIT_KHR,  VK_VIDEO_CODEC_OPERATION_DECODE_AV1_BIT_KHR,
        VK_VIDEO_CODEC_OPERATION_DECODE_VP9_BIT_KHR,
    };
    const size_t count = sizeof(operations) / sizeof(operations[0]);
    for (size_t i = 0; i < count; i++) {
        const VkExtensionProperties *version = video_std_version(operations[i]);
        REQUIRE(version && version->specVersion > 0);
        for (size_t j = 0; j < i; j++)
            REQUIRE(strcmp(version->extensionName,
                           video_std_version(operations[j])->extensionName) != 0);
    }
    REQUIRE(!video_std_version(VK_VIDEO_CODEC_OPERATION_NONE_KHR));
}

int
main(void)
{
    RUN(a_session_gets_all_the_memory_that_it_wants);
    RUN(whatever_fails_leaves_nothing_behind);
    RUN(each_codec_has_its_header_version);
    return 0;
}
