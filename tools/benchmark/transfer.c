/* SPDX-License-Identifier: MIT */
/* Copies, fills and submissions against native C in the same run (issue: "A complete Vulkan 1.4
 * device", Speed).
 */
#include "measure.h"
#include "vulkan_setup.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define BIG_B ((uint64_t)64 << 20)
#define COPY_COUNT 10000u
#define SUBMIT_COUNT 200u
#define WIDTH 1920u
#define HEIGHT 1080u

struct bench {
    struct bench_device dev;
    struct bench_buffer a;
    struct bench_buffer b;
    uint8_t *native_a; /* what the peer copies: of the same size and kind as the buffers */
    uint8_t *native_b;
    uint64_t size_B; /* of the peer's copy */
    uint32_t thread_count;
    VkImage image;
    VkDeviceMemory image_memory;
};

struct slice {
    pthread_t thread;
    uint8_t *dst;
    const uint8_t *src; /* NULL: fill */
    uint64_t size_B;
};

static void *
slice_run(void *arg)
{
    struct slice *s = arg;
    if (s->src)
        memcpy(s->dst, s->src, s->size_B);
    else
        memset(s->dst, 0x55, s->size_B);
    return NULL;
}

/* memcpy or memset with as many threads as the driver may use. */
static void
native_spread(struct bench *b, bool is_copy)
{
    struct slice slices[16];
    const uint32_t count = b->thread_count < 16 ? b->thread_count : 16;
    const uint64_t part_B = b->size_B / count;

    for (uint32_t i = 0; i < count; i++) {
        slices[i] = (struct slice){
            .dst = b->native_b + i * part_B,
            .src = is_copy ? b->native_a + i * part_B : NULL,
            .size_B = part_B,
        };
        if (i && pthread_create(&slices[i].thread, NULL, slice_run, &slices[i]) != 0)
            slice_run(&slices[i]);
    }
    slice_run(&slices[0]);
    for (uint32_t i = 1; i < count; i++)
        pthread_join(slices[i].thread, NULL);
}

static void
native_copy(void *ctx)
{
    native_spread(ctx, true);
}

static void
native_fill(void *ctx)
{
    native_spread(ctx, false);
}

static void
native_copy_single(void *ctx)
{
    struct bench *b = ctx;
    memcpy(b->native_b, b->native_a, b->size_B);
}

static void
submit(void *ctx)
{
    struct bench *b = ctx;
    bench_submit_and_wait(&b->dev);
}

static void
submit_many(void *ctx)
{
    struct bench *b = ctx;
    for (uint32_t i = 0; i < SUBMIT_COUNT; i++)
        bench_submit_and_wait(&b->dev);
}

static void
record_copies(void *ctx)
{
    struct bench *b = ctx;
    bench_begin(&b->dev);
    for (uint32_t i = 0; i < COPY_COUNT; i++) {
        const VkBufferCopy region = {.srcOffset = i * 64u, .dstOffset = i * 64u, .size = 64};
        vkCmdCopyBuffer(b->dev.cb, b->a.buffer, b->b.buffer, 1, &region);
    }
    bench_end(&b->dev);
}

static void
record_and_run_copies(void *ctx)
{
    record_copies(ctx);
    submit(ctx);
}

static void
bench_buffers(struct bench *b)
{
    struct bench_times ours, peer;
    const VkBufferCopy whole = {.size = BIG_B};

    b->size_B = BIG_B;
    bench_begin(&b->dev);
    vkCmdCopyBuffer(b->dev.cb, b->a.buffer, b->b.buffer, 1, &whole);
    bench_end(&b->dev);
    bench_compare(submit, native_copy, b, 21, bench_wall_s, &ours, &peer);
    bench_row("copy 64 MiB", "ms", &ours, &peer, 1.1);

    bench_begin(&b->dev);
    vkCmdFillBuffer(b->dev.cb, b->b.buffer, 0, BIG_B, 0x55555555);
    bench_end(&b->dev);
    bench_compare(submit, native_fill, b, 21, bench_wall_s, &ours, &peer);
    bench_row("fill 64 MiB", "ms", &ours, &peer, 1.1);
}

static void
bench_commands(struct bench *b)
{
    struct bench_times ours;

    bench_compare(record_and_run_copies, NULL, b, 51, bench_wall_s, &ours, NULL);
    bench_row("10,000 copies of 64 bytes: record and run", "ms", &ours, NULL, 1.0);
    bench_compare(record_copies, NULL, b, 51, bench_wall_s, &ours, NULL);
    ours.median /= COPY_COUNT, ours.low /= COPY_COUNT, ours.high /= COPY_COUNT;
    bench_row("recording one copy", "ns", &ours, NULL, 50.0);

    bench_begin(&b->dev);
    bench_end(&b->dev);
    bench_compare(submit_many, NULL, b, 51, bench_wall_s, &ours, NULL);
    ours.median /= SUBMIT_COUNT, ours.low /= SUBMIT_COUNT, ours.high /= SUBMIT_COUNT;
    bench_row("empty submit and fence wait", "us", &ours, NULL, 5.0);

    const VkBufferCopy small = {.size = 64};
    bench_begin(&b->dev);
    vkCmdCopyBuffer(b->dev.cb, b->a.buffer, b->b.buffer, 1, &small);
    bench_end(&b->dev);
    bench_compare(submit_many, NULL, b, 51, bench_wall_s, &ours, NULL);
    ours.median /= SUBMIT_COUNT, ours.low /= SUBMIT_COUNT, ours.high /= SUBMIT_COUNT;
    bench_row("submit of one small copy and fence wait", "us", &ours, NULL, 8.0);
}

static void
image_create(struct bench *b, VkFormat format)
{
    const VkImageCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
        .imageType = VK_IMAGE_TYPE_2D,
        .format = format,
        .extent = {WIDTH, HEIGHT, 1},
        .mipLevels = 1,
        .arrayLayers = 1,
        .samples = VK_SAMPLE_COUNT_1_BIT,
        .tiling = VK_IMAGE_TILING_OPTIMAL,
        .usage = VK_IMAGE_USAGE_TRANSFER_SRC_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT,
    };
    BENCH_CHECK(vkCreateImage(b->dev.device, &info, NULL, &b->image));
    VkMemoryRequirements needs;
    vkGetImageMemoryRequirements(b->dev.device, b->image, &needs);
    const VkMemoryAllocateInfo memory = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
        .allocationSize = needs.size,
        .memoryTypeIndex = (uint32_t)__builtin_ctz(needs.memoryTypeBits),
    };
    BENCH_CHECK(vkAllocateMemory(b->dev.device, &memory, NULL, &b->image_memory));
    BENCH_CHECK(vkBindImageMemory(b->dev.device, b->image, b->image_memory, 0));
}

static void
bench_image(struct bench *b, const char *name, VkFormat format, const VkBufferImageCopy *regions,
            uint32_t region_count, uint64_t size_B)
{
    struct bench_times ours, peer;
    char row[64];

    image_create(b, format);
    b->size_B = size_B;
    bench_begin(&b->dev);
    vkCmdCopyBufferToImage(b->dev.cb, b->a.buffer, b->image, VK_IMAGE_LAYOUT_GENERAL, region_count,
                           regions);
    bench_end(&b->dev);
    bench_compare(submit, native_copy_single, b, 101, bench_wall_s, &ours, &peer);
    (void)snprintf(row, sizeof(row), "1080p buffer to %s image", name);
    bench_row(row, "ms", &ours, &peer, 1.2);

    bench_begin(&b->dev);
    vkCmdCopyImageToBuffer(b->dev.cb, b->image, VK_IMAGE_LAYOUT_GENERAL, b->b.buffer, region_count,
                           regions);
    bench_end(&b->dev);
    bench_compare(submit, native_copy_single, b, 101, bench_wall_s, &ours, &peer);
    (void)snprintf(row, sizeof(row), "1080p %s image to buffer", name);
    bench_row(row, "ms", &ours, &peer, 1.2);

    vkDestroyImage(b->dev.device, b->image, NULL);
    vkFreeMemory(b->dev.device, b->image_memory, NULL);
}

static void
bench_images(struct bench *b)
{
    const VkBufferImageCopy rgba = {
        .imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1},
        .imageExtent = {WIDTH, HEIGHT, 1},
    };
    const VkBufferImageCopy nv12[] = {
        {
            .imageSubresource = {VK_IMAGE_ASPECT_PLANE_0_BIT, 0, 0, 1},
            .imageExtent = {WIDTH, HEIGHT, 1},
        },
        {
            .bufferOffset = (uint64_t)WIDTH * HEIGHT,
            .imageSubresource = {VK_IMAGE_ASPECT_PLANE_1_BIT, 0, 0, 1},
            .imageExtent = {WIDTH / 2, HEIGHT / 2, 1},
        },
    };
    bench_image(b, "RGBA8", VK_FORMAT_R8G8B8A8_UNORM, &rgba, 1, 4ull * WIDTH * HEIGHT);
    bench_image(b, "NV12", VK_FORMAT_G8_B8R8_2PLANE_420_UNORM, nv12, 2, 3ull * WIDTH * HEIGHT / 2);
}

int
main(int argc, char **argv)
{
    struct bench b = {0};
    const char *name = argc > 1 ? argv[1] : "Reelpipe";
    const VkBufferUsageFlags usage =
        VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT;

    if (!bench_device_open(&b.dev, name)) {
        (void)fprintf(stderr, "no device is called %s\n", name);
        return 1;
    }
    b.thread_count = (uint32_t)sysconf(_SC_NPROCESSORS_ONLN);
    b.a = bench_buffer_create(&b.dev, BIG_B, usage);
    b.b = bench_buffer_create(&b.dev, BIG_B, usage);
    struct bench_buffer c = bench_buffer_create(&b.dev, BIG_B, usage);
    struct bench_buffer d = bench_buffer_create(&b.dev, BIG_B, usage);
    b.native_a = c.data;
    b.native_b = d.data;

    bench_buffers(&b);
    bench_images(&b);
    bench_commands(&b);

    bench_buffer_destroy(&b.dev, &b.a);
    bench_buffer_destroy(&b.dev, &b.b);
    bench_buffer_destroy(&b.dev, &c);
    bench_buffer_destroy(&b.dev, &d);
    bench_device_close(&b.dev);
    return 0;
}
