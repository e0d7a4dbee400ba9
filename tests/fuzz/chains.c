/* SPDX-License-Identifier: MIT */
/* Fuzz target: queries with chains of any structures in any order: those that belong there say what
 * they say alone, the others (unknown ones, those of other queries, one that is there twice) are
 * left as they are, and nothing is written behind any of them.
 */
#include "fixture.h"
#include "target.h"

#include "vk_query_structs.h"

#define MAX_STRUCT_B 8192
#define MAX_LENGTH 24u
#define QUERY_STRUCT_COUNT ((uint32_t)(sizeof(vk_query_structs) / sizeof(vk_query_structs[0])))
#define FILL 0xcd

/* A structure of any type with room for all of its members, and more. */
union any_struct {
    VkBaseOutStructure base;
    uint8_t bytes[MAX_STRUCT_B];
    VkPhysicalDeviceFeatures2 features;
    VkPhysicalDeviceProperties2 properties;
    VkPhysicalDeviceMemoryProperties2 memory;
    VkQueueFamilyProperties2 families[8];
    VkFormatProperties2 format;
    VkImageFormatProperties2 image;
    VkVideoCapabilitiesKHR video;
    VkVideoEncodeQualityLevelPropertiesKHR quality;
};

struct query {
    const char *base;
    VkFormat format;
    const void *next; /* of what the query is told */
    bool is_decode;
};

static struct fixture f;

static void
any_struct_init(union any_struct *s, VkStructureType type, void *next)
{
    memset(s, FILL, sizeof(*s));
    s->base.sType = type;
    s->base.pNext = next;
}

static void
ask_video(const struct query *q, union any_struct *first)
{
    const VkVideoEncodeH264ProfileInfoKHR encode = {
        .sType = VK_STRUCTURE_TYPE_VIDEO_ENCODE_H264_PROFILE_INFO_KHR,
        .pNext = q->next,
        .stdProfileIdc = STD_VIDEO_H264_PROFILE_IDC_HIGH};
    const VkVideoDecodeH264ProfileInfoKHR decode = {
        .sType = VK_STRUCTURE_TYPE_VIDEO_DECODE_H264_PROFILE_INFO_KHR,
        .pNext = q->next,
        .stdProfileIdc = STD_VIDEO_H264_PROFILE_IDC_HIGH};
    const VkVideoProfileInfoKHR profile = {
        .sType = VK_STRUCTURE_TYPE_VIDEO_PROFILE_INFO_KHR,
        .pNext = q->is_decode ? (const void *)&decode : &encode,
        .videoCodecOperation = q->is_decode ? VK_VIDEO_CODEC_OPERATION_DECODE_H264_BIT_KHR
                                            : VK_VIDEO_CODEC_OPERATION_ENCODE_H264_BIT_KHR,
        .chromaSubsampling = VK_VIDEO_CHROMA_SUBSAMPLING_420_BIT_KHR,
        .lumaBitDepth = VK_VIDEO_COMPONENT_BIT_DEPTH_8_BIT_KHR,
        .chromaBitDepth = VK_VIDEO_COMPONENT_BIT_DEPTH_8_BIT_KHR};
    const VkPhysicalDeviceVideoEncodeQualityLevelInfoKHR level = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VIDEO_ENCODE_QUALITY_LEVEL_INFO_KHR,
        .pVideoProfile = &profile};
    VkResult result;
    if (strcmp(q->base, "VkVideoCapabilitiesKHR") == 0)
        result = vkGetPhysicalDeviceVideoCapabilitiesKHR(f.pdev, &profile, &first->video);
    else if (!q->is_decode)
        result = vkGetPhysicalDeviceVideoEncodeQualityLevelPropertiesKHR(f.pdev, &level,
                                                                         &first->quality);
    else
        return;
    REQUIRE(result == VK_SUCCESS || result == VK_ERROR_VIDEO_PROFILE_OPERATION_NOT_SUPPORTED_KHR);
}

static void
ask(const struct query *q, union any_struct *first)
{
    if (strcmp(q->base, "VkPhysicalDeviceFeatures2") == 0) {
        vkGetPhysicalDeviceFeatures2(f.pdev, &first->features);
    } else if (strcmp(q->base, "VkPhysicalDeviceProperties2") == 0) {
        vkGetPhysicalDeviceProperties2(f.pdev, &first->properties);
    } else if (strcmp(q->base, "VkPhysicalDeviceMemoryProperties2") == 0) {
        vkGetPhysicalDeviceMemoryProperties2(f.pdev, &first->memory);
    } else if (strcmp(q->base, "VkQueueFamilyProperties2") == 0) {
        uint32_t count = 1;
        vkGetPhysicalDeviceQueueFamilyProperties2(f.pdev, &count, first->families);
        REQUIRE_EQ(count, 1);
    } else if (strcmp(q->base, "VkFormatProperties2") == 0) {
        vkGetPhysicalDeviceFormatProperties2(f.pdev, q->format, &first->format);
    } else if (strcmp(q->base, "VkImageFormatProperties2") == 0) {
        const VkPhysicalDeviceImageFormatInfo2 info = {
            .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_IMAGE_FORMAT_INFO_2,
            .pNext = q->next,
            .format = q->format,
            .type = VK_IMAGE_TYPE_2D,
            .usage = VK_IMAGE_USAGE_TRANSFER_SRC_BIT,
        };
        const VkResult result =
            vkGetPhysicalDeviceImageFormatProperties2(f.pdev, &info, &first->image);
        REQUIRE(result == VK_SUCCESS || result == VK_ERROR_FORMAT_NOT_SUPPORTED);
    } else {
        ask_video(q, first);
    }
}

static const struct vk_query_struct *
base_of(const struct vk_query_struct *s)
{
    while (strcmp(s->name, s->base) != 0)
        s--;
    return s;
}

/* What the structure says when it is alone behind its base. */
static const union any_struct *
alone(const struct query *q, const struct vk_query_struct *s)
{
    static union any_struct first;
    static union any_struct second;
    const struct vk_query_struct *base = base_of(s);
    any_struct_init(&second, s->type, NULL);
    any_struct_init(&first, base->type, s == base ? NULL : &second);
    ask(q, &first);
    return s == base ? &first : &second;
}

/* The budget of the moment; and the kinds of feedback, of which some are shown only to those that
 * ask for VK_KHR_video_encode_feedback2 as well.
 */
static bool
may_differ(const struct vk_query_struct *s, const struct vk_query_member *m, bool asks_feedback2)
{
    return strcmp(m->name, "heapBudget") == 0 ||
           (asks_feedback2 && s->type == VK_STRUCTURE_TYPE_VIDEO_ENCODE_CAPABILITIES_KHR &&
            strcmp(m->name, "supportedEncodeFeedbackFlags") == 0);
}

static void
require_members(const struct vk_query_struct *s, const union any_struct *actual,
                const union any_struct *expected, bool asks_feedback2)
{
    for (uint32_t i = s->first; i < s->first + s->count; i++) {
        const struct vk_query_member *m = &vk_query_members[i];
        if (may_differ(s, m, asks_feedback2))
            continue;
        if (memcmp(actual->bytes + m->offset_B, expected->bytes + m->offset_B, m->size_B) != 0) {
            (void)fprintf(stderr, "%s.%s differs in a chain\n", s->name, m->name);
            abort();
        }
    }
}

static void
require_untouched(const union any_struct *s, size_t from_B, const struct vk_query_struct *row)
{
    for (size_t i = from_B; i < sizeof(*s); i++) {
        if (s->bytes[i] != FILL) {
            (void)fprintf(stderr, "%s: byte %zu is written\n", row ? row->name : "unknown", i);
            abort();
        }
    }
}

/* The row of the structure in a query's chain; NULL when it does not belong there. Some belong to
 * several queries. */
static const struct vk_query_struct *
row_in(const struct query *q, const struct vk_query_struct *row)
{
    for (uint32_t i = 0; i < QUERY_STRUCT_COUNT; i++) {
        const struct vk_query_struct *s = &vk_query_structs[i];
        if (s->type == row->type && strcmp(s->base, q->base) == 0)
            return s;
    }
    return NULL;
}

struct link {
    const struct vk_query_struct *row; /* NULL: unknown */
    bool is_repeated;
};

static void
chain_check(const struct query *q, const struct link *links, const union any_struct *chain,
            uint32_t count)
{
    bool asks_feedback2 = false;
    for (uint32_t i = 0; i < count; i++) {
        if (chain[i].base.sType == VK_STRUCTURE_TYPE_VIDEO_ENCODE_FEEDBACK_2_CAPABILITIES_KHR)
            asks_feedback2 = true;
    }
    for (uint32_t i = 0; i < count; i++) {
        const struct vk_query_struct *row = links[i].row ? row_in(q, links[i].row) : NULL;
        require_untouched(&chain[i], row ? row->size_B : sizeof(VkBaseOutStructure), links[i].row);
        if (row && row != base_of(row) && !links[i].is_repeated)
            require_members(row, &chain[i], alone(q, row), asks_feedback2);
    }
}

/* With and without planes, and some that are none. */
static VkFormat
any_format(struct input *in)
{
    const uint32_t number = input_below(in, 250);
    return (VkFormat)(number < 200 ? number : VK_FORMAT_G8B8G8R8_422_UNORM + number - 200);
}

/* One query; the first bytes say which. */
static void
run_query(struct input *in)
{
    static union any_struct chain[MAX_LENGTH];
    static union any_struct first;
    struct link links[MAX_LENGTH] = {0};
    const struct vk_query_struct *base =
        base_of(&vk_query_structs[input_below(in, QUERY_STRUCT_COUNT)]);
    const VkBaseInStructure unknown = {.sType = (VkStructureType)input_u32(in)};
    const struct query q = {
        .base = base->name,
        .format = any_format(in),
        .next = unknown.sType > 2000000000 ? &unknown : NULL,
        .is_decode = input_below(in, 2),
    };
    const uint32_t count = input_below(in, MAX_LENGTH + 1);
    void *next = NULL;
    for (uint32_t i = count; i-- > 0;) {
        const uint32_t choice = input_below(in, QUERY_STRUCT_COUNT + 8);
        const struct vk_query_struct *row =
            choice < QUERY_STRUCT_COUNT ? &vk_query_structs[choice] : NULL;
        links[i].row = row;
        for (uint32_t k = i + 1; row && k < count; k++) {
            if (links[k].row && links[k].row->type == row->type)
                links[i].is_repeated = links[k].is_repeated = true;
        }
        any_struct_init(&chain[i], row ? row->type : (VkStructureType)(0x7ffffff0 + choice % 8),
                        next);
        next = &chain[i];
    }
    any_struct_init(&first, base->type, next);
    ask(&q, &first);
    require_untouched(&first, base->size_B, base);
    require_members(base, &first, alone(&q, base), false);
    chain_check(&q, links, chain, count);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size_B)
{
    struct input in = {data, size_B};
    if (!f.dev)
        fixture_init(&f);
    for (uint32_t i = 0; i < 8 && in.size_B; i++)
        run_query(&in);
    return 0;
}
